func.func @main() -> tensor<2x1xi1> {
  %0 = stablehlo.constant dense<[[[true]], [[false]]]> : tensor<2x1xi1>
  return %0 : tensor<2x1xi1>
}
