func.func @main() -> tensor<3xf32> {
  %0 = stablehlo.constant dense<"0x0000803F00000040000040400000"> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
