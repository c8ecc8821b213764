func.func @main(%a: tensor<2x3xf32>, %s: tensor<f32>, %t: !stablehlo.token) -> (tensor<2x3xf32>, tensor<f32>, tensor<2x3xf32>, !stablehlo.token) {
  %0:3 = "stablehlo.infeed"(%t) <{infeed_config = "c"}> : (!stablehlo.token) -> (tensor<2x3xf32>, tensor<f32>, !stablehlo.token)
  %1 = "stablehlo.outfeed"(%a, %s, %0#2) <{outfeed_config = "d"}> : (tensor<2x3xf32>, tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %2 = "stablehlo.send"(%a, %1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<2x3xf32>, !stablehlo.token) -> !stablehlo.token
  %3:2 = "stablehlo.recv"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)
  return %0#0, %0#1, %3#0, %3#1 : tensor<2x3xf32>, tensor<f32>, tensor<2x3xf32>, !stablehlo.token
}
