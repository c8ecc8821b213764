func.func @main(%x: tensor<2x3xf32>, %z: tensor<2xcomplex<f32>>) -> (tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3xi32>) {
  %0 = chlo.is_inf %x : tensor<2x3xf32> -> tensor<2x3xi1>
  %1 = chlo.is_pos_inf %x : tensor<2x3xf32> -> tensor<2x3xi1>
  %2 = chlo.is_neg_inf %x : tensor<2x3xf32> -> tensor<2x3xi1>
  %3 = chlo.square %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %4 = chlo.constant dense<2.0> : tensor<2x3xf32>
  %5 = "chlo.constant_like"(%x) <{value = 3.0 : f32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = chlo.conj %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %7 = chlo.conj %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %c = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
  %8 = "chlo.constant_like"(%c) <{value = 7 : i32}> : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3xi32>
}
