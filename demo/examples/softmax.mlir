// Softmax over the rows of a matrix, as a front end such as JAX writes it.
func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
  %shifted = stablehlo.subtract %x, %maxes : tensor<4x6xf32>
  %e = stablehlo.exponential %shifted : tensor<4x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
  %result = stablehlo.divide %e, %sums : tensor<4x6xf32>
  return %result : tensor<4x6xf32>
}
