func.func @main(%x: tensor<6x7xi32>, %n0: tensor<i32>, %n1: tensor<i32>, %s: tensor<2xi64>, %l: tensor<2xi64>, %g: tensor<2xi64>) -> tensor<?x?xi32, #stablehlo.bounds<6, 6>> {
  %d0 = stablehlo.set_dimension_size %x, %n0, dim = 0 : (tensor<6x7xi32>, tensor<i32>) -> tensor<?x7xi32, #stablehlo.bounds<6, ?>>
  %d1 = stablehlo.set_dimension_size %d0, %n1, dim = 1 : (tensor<?x7xi32, #stablehlo.bounds<6, ?>>, tensor<i32>) -> tensor<?x?xi32, #stablehlo.bounds<6, 7>>
  %r = stablehlo.real_dynamic_slice %d1, %s, %l, %g : (tensor<?x?xi32, #stablehlo.bounds<6, 7>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi32, #stablehlo.bounds<6, 6>>
  return %r : tensor<?x?xi32, #stablehlo.bounds<6, 6>>
}
