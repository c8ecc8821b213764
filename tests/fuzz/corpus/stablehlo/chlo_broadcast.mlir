func.func @main(%a: tensor<2x3xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>, %s: tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xcomplex<f32>>, tensor<2x3xf32>) {
  %0 = chlo.broadcast_add %a, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = chlo.broadcast_multiply %v, %0 {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = chlo.broadcast_compare %s, %a {comparison_direction = #chlo<comparison_direction LT>} : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %3 = chlo.broadcast_select %2, %a, %s : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %4 = chlo.broadcast_complex %a, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xcomplex<f32>>
  %5 = chlo.broadcast_maximum %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xcomplex<f32>>, tensor<2x3xf32>
}
