module @shardy attributes {mhlo.cross_program_prefetches = [], mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2, \22y\22=2]>}"}, mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false, mhlo.xla_entry_computation_parameter_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], mhlo.xla_entry_computation_parameter_tiles = [[], []]} {
  func.func private @sum(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @body(%arg0: tensor<2x2xf32>, %arg1: tensor<4x1xf32>) -> (tensor<2x2xf32>, tensor<2x4x1xf32>) {
    %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %6 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x2xf32>
    %4 = stablehlo.reshape %arg1 : (tensor<4x1xf32>) -> tensor<1x4x1xf32>
    %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<1x4x1xf32>) -> tensor<2x4x1xf32>
    return %3, %5 : tensor<2x2xf32>, tensor<2x4x1xf32>
  }
  func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<8x1xf32>) -> (tensor<2x4xf32>, tensor<4x4x1xf32>) {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0, %arg1) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {\22y\22}]>, <@mesh, [{\22y\22}, {}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22, \22y\22}>"}, xla_shape = "(f32[2,2]{1,0}, f32[4,1]{1,0})"} : (tensor<4x4xf32>, tensor<8x1xf32>) -> tuple<tensor<2x2xf32>, tensor<4x1xf32>>
    %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<2x2xf32>, tensor<4x1xf32>>) -> tensor<2x2xf32>
    %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2x2xf32>, tensor<4x1xf32>>) -> tensor<4x1xf32>
    %3:2 = call @body(%1, %2) : (tensor<2x2xf32>, tensor<4x1xf32>) -> (tensor<2x2xf32>, tensor<2x4x1xf32>)
    %4 = stablehlo.tuple %3#0, %3#1 {xla_shape = "(f32[2,2]{1,0}, f32[2,4,1]{2,1,0})"} : tuple<tensor<2x2xf32>, tensor<2x4x1xf32>>
    %5 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%3#0, %3#1) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22, \22y\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22y\22}]>, <@mesh, [{\22x\22}, {}, {}]>]>"}, xla_shape = "(f32[2,4]{1,0}, f32[4,4,1]{2,1,0})"} : (tensor<2x2xf32>, tensor<2x4x1xf32>) -> tuple<tensor<2x4xf32>, tensor<4x4x1xf32>>
    %6 = stablehlo.get_tuple_element %5[0] : (tuple<tensor<2x4xf32>, tensor<4x4x1xf32>>) -> tensor<2x4xf32>
    %7 = stablehlo.get_tuple_element %5[1] : (tuple<tensor<2x4xf32>, tensor<4x4x1xf32>>) -> tensor<4x4x1xf32>
    return %6, %7 : tensor<2x4xf32>, tensor<4x4x1xf32>
  }
}
