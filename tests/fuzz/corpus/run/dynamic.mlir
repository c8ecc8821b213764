func.func @main(%a: tensor<?xf32, #stablehlo.bounds<6>>, %n: tensor<i32>, %s: tensor<2xi32>) -> (tensor<?x?xf32, #stablehlo.bounds<3, 4>>, tensor<?x2xi64, #stablehlo.bounds<4, ?>>) {
  %v = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<6>>
  %r = stablehlo.dynamic_reshape %v, %s : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<2xi32>) -> tensor<?x?xf32, #stablehlo.bounds<3, 4>>
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?x2xi64, #stablehlo.bounds<4, ?>>
  return %r, %i : tensor<?x?xf32, #stablehlo.bounds<3, 4>>, tensor<?x2xi64, #stablehlo.bounds<4, ?>>
}
