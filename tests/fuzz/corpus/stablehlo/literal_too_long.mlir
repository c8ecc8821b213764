func.func @main() -> tensor<1x4xi64> {
  %0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<1x4xi64>
  return %0 : tensor<1x4xi64>
}
