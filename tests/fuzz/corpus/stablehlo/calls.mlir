func.func private @one(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.sine %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func private @"two values"(%x: tensor<2x3xf32>, %y: tensor<2x3xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<2x3xf32>, tensor<2x3xf32> {jax.result_info = "second"}) attributes {mhlo.note} {
  %0 = stablehlo.add %x, %y : tensor<2x3xf32>
  func.return %0, %y : tensor<2x3xf32>, tensor<2x3xf32>
}
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = call @one(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1:2 = func.call @"two values"(%0, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %0, %1#1 : tensor<2x3xf32>, tensor<2x3xf32>
}
