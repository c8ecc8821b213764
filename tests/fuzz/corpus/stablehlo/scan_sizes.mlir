func.func @main(%i: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
  %0:2 = "chlo.scan"(%i) <{dimension = 0 : i64, scan_dim_size = 3 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%c: tensor<f32>):
    %d = stablehlo.add %c, %c : tensor<f32>
    stablehlo.return %c, %d : tensor<f32>, tensor<f32>
  }) : (tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  %1 = stablehlo.convert %0#0 : (tensor<?xf32>) -> tensor<3xf32>
  return %1, %0#1 : tensor<3xf32>, tensor<f32>
}
