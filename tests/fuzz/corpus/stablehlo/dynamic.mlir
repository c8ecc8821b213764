func.func @main(%a: tensor<2x3xf32>, %i: tensor<i32>, %d: tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> (tensor<i32>, tensor<2x?xf32, #stablehlo.bounds<?, 3>>) {
  %0 = stablehlo.get_dimension_size %d, dim = 1 : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<i32>
  %1 = stablehlo.set_dimension_size %a, %i, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  return %0, %1 : tensor<i32>, tensor<2x?xf32, #stablehlo.bounds<?, 3>>
}
