func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
  %xq = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<i8:f32, 0.5:3>>
  %z = stablehlo.constant() <{value = dense<3> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:3>>
  %r = stablehlo.reduce(%xq init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<!quant.uniform<i8:f32, 0.5:3>>
  %out = stablehlo.uniform_dequantize %r : (tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<f32>
  return %out : tensor<f32>
}
func.func @f1(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %xq = stablehlo.uniform_quantize %x : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8:f32:1, {0.5:3, 0.25, 2.0:-1, 1.0}>>
  %r = stablehlo.negate %xq : tensor<3x4x!quant.uniform<i8:f32:1, {0.5:3, 0.25, 2.0:-1, 1.0}>>
  %out = stablehlo.uniform_dequantize %r : (tensor<3x4x!quant.uniform<i8:f32:1, {0.5:3, 0.25, 2.0:-1, 1.0}>>) -> tensor<3x4xf32>
  return %out : tensor<3x4xf32>
}
func.func @f2(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>) -> tensor<3x3xf32> {
  %xq = stablehlo.uniform_quantize %x : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>
  %yq = stablehlo.uniform_quantize %y : (tensor<3x4xf32>) -> tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>
  %r = stablehlo.dot_general %xq, %yq, contracting_dims = [1] x [1] : (tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x3x!quant.uniform<i8:f32, 0.5:3>>
  %out = stablehlo.uniform_dequantize %r : (tensor<3x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x3xf32>
  return %out : tensor<3x3xf32>
}
func.func @f3(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %xq = stablehlo.uniform_quantize %x : (tensor<8xf32>) -> tensor<8x!quant.uniform<i4:f32, 2.0>>
  %yq = stablehlo.uniform_quantize %y : (tensor<8xf32>) -> tensor<8x!quant.uniform<i4:f32, 2.0>>
  %r = stablehlo.uniform_quantize %xq : (tensor<8x!quant.uniform<i4:f32, 2.0>>) -> tensor<8x!quant.uniform<i8:f32, 0.5:3>>
  %out = stablehlo.uniform_dequantize %r : (tensor<8x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<8xf32>
  return %out : tensor<8xf32>
}
