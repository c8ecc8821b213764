func.func @main(%a: tensor<2x3xf32>, %s: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> (tensor<6xf32>, tensor<3x2xf32>, tensor<2x1xf32>, tensor<5x9xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<6xi32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<1x1xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.slice %a [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %3 = stablehlo.pad %a, %s, low = [0, -1], high = [2, 3], interior = [1, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x9xf32>
  %4 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %5 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xf32>
  %6 = stablehlo.iota dim = 0 : tensor<6xi32>
  %7 = stablehlo.dynamic_slice %a, %i, %j, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %8 = stablehlo.dynamic_update_slice %a, %7, %i, %j : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %9 = "stablehlo.slice"(%a) {limit_indices = array<i64: 2, 2>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %10 = stablehlo.slice %a [1:2, 2:3] : (tensor<2x3xf32>) -> tensor<1x1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<6xf32>, tensor<3x2xf32>, tensor<2x1xf32>, tensor<5x9xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<6xi32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<1x1xf32>
}
