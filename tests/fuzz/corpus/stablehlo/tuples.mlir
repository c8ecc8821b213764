func.func @main(%a: tensor<2x3xf32>, %t: tuple<tensor<2x3xf32>, tuple<tensor<f32>>>) -> (tuple<tensor<2x3xf32>, tensor<f32>>, tensor<f32>) {
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2x3xf32>, tuple<tensor<f32>>>) -> tuple<tensor<f32>>
  %3 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<f32>>) -> tensor<f32>
  %1 = stablehlo.tuple %a, %3 : tuple<tensor<2x3xf32>, tensor<f32>>
  return %1, %3 : tuple<tensor<2x3xf32>, tensor<f32>>, tensor<f32>
}
