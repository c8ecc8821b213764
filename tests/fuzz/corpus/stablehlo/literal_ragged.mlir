func.func @main() -> tensor<3x3xi4> {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5], [6, 7, 7, 7]]> : tensor<3x3xi4>
  return %0 : tensor<3x3xi4>
}
