func.func private @inner(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.sine %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @main(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %0 = stablehlo.composite "my.op" %a {composite_attributes = {k = 1 : i64, s = "text"}, decomposition = @inner, version = 3 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
