func.func @main(%x: tensor<3x5x4x2xf32>, %n1: tensor<i32>, %n2: tensor<i32>, %k: tensor<2x3x2x2xf32>, %p: tensor<2x2xi64>) -> tensor<3x?x?x2xf32, #stablehlo.bounds<?, 9, 6, ?>> {
  %d1 = stablehlo.set_dimension_size %x, %n1, dim = 1 : (tensor<3x5x4x2xf32>, tensor<i32>) -> tensor<3x?x4x2xf32, #stablehlo.bounds<?, 5, ?, ?>>
  %d2 = stablehlo.set_dimension_size %d1, %n2, dim = 2 : (tensor<3x?x4x2xf32, #stablehlo.bounds<?, 5, ?, ?>>, tensor<i32>) -> tensor<3x?x?x2xf32, #stablehlo.bounds<?, 5, 4, ?>>
  %r = "stablehlo.dynamic_conv"(%d2, %k, %p) <{window_strides = array<i64: 2, 1>, lhs_dilation = array<i64: 2, 1>, rhs_dilation = array<i64: 2, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<3x?x?x2xf32, #stablehlo.bounds<?, 5, 4, ?>>, tensor<2x3x2x2xf32>, tensor<2x2xi64>) -> tensor<3x?x?x2xf32, #stablehlo.bounds<?, 9, 6, ?>>
  return %r : tensor<3x?x?x2xf32, #stablehlo.bounds<?, 9, 6, ?>>
}
