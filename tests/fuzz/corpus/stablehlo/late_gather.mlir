func.func @main(%x: tensor<5x7xi32>, %n0: tensor<i32>, %n1: tensor<i32>, %i: tensor<3x2xi32>, %s: tensor<2xi64>) -> tensor<3x?x?xi32, #stablehlo.bounds<?, 4, 5>> {
  %d0 = stablehlo.set_dimension_size %x, %n0, dim = 0 : (tensor<5x7xi32>, tensor<i32>) -> tensor<?x7xi32, #stablehlo.bounds<5, ?>>
  %d1 = stablehlo.set_dimension_size %d0, %n1, dim = 1 : (tensor<?x7xi32, #stablehlo.bounds<5, ?>>, tensor<i32>) -> tensor<?x?xi32, #stablehlo.bounds<5, 7>>
  %r = "stablehlo.dynamic_gather"(%d1, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>}> : (tensor<?x?xi32, #stablehlo.bounds<5, 7>>, tensor<3x2xi32>, tensor<2xi64>) -> tensor<3x?x?xi32, #stablehlo.bounds<?, 4, 5>>
  return %r : tensor<3x?x?xi32, #stablehlo.bounds<?, 4, 5>>
}
