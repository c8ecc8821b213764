module @jit_convnet attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x224x224x3xf32>, %arg1: tensor<3x3x3x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<3x3x1x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<1x1x32x64xf32>, %arg6: tensor<64xf32>, %arg7: tensor<3x3x1x64xf32>, %arg8: tensor<64xf32>, %arg9: tensor<1x1x64x128xf32>, %arg10: tensor<128xf32>, %arg11: tensor<3x3x1x128xf32>, %arg12: tensor<128xf32>, %arg13: tensor<1x1x128x128xf32>, %arg14: tensor<128xf32>, %arg15: tensor<3x3x1x128xf32>, %arg16: tensor<128xf32>, %arg17: tensor<1x1x128x256xf32>, %arg18: tensor<256xf32>, %arg19: tensor<3x3x1x256xf32>, %arg20: tensor<256xf32>, %arg21: tensor<1x1x256x256xf32>, %arg22: tensor<256xf32>, %arg23: tensor<3x3x1x256xf32>, %arg24: tensor<256xf32>, %arg25: tensor<1x1x256x512xf32>, %arg26: tensor<512xf32>, %arg27: tensor<3x3x1x512xf32>, %arg28: tensor<512xf32>, %arg29: tensor<1x1x512x512xf32>, %arg30: tensor<512xf32>, %arg31: tensor<3x3x1x512xf32>, %arg32: tensor<512xf32>, %arg33: tensor<1x1x512x512xf32>, %arg34: tensor<512xf32>, %arg35: tensor<3x3x1x512xf32>, %arg36: tensor<512xf32>, %arg37: tensor<1x1x512x1024xf32>, %arg38: tensor<1024xf32>, %arg39: tensor<3x3x1x1024xf32>, %arg40: tensor<1024xf32>, %arg41: tensor<1x1x1024x1024xf32>, %arg42: tensor<1024xf32>, %arg43: tensor<1024x1000xf32>, %arg44: tensor<1000xf32>) -> (tensor<1x1000xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x224x224x3xf32>, tensor<3x3x3x32xf32>) -> tensor<1x112x112x32xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x112x112x32xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x112x112x32xf32>
    %4 = call @relu6(%3) : (tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
    %5 = stablehlo.convolution(%4, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x112x112x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x112x112x32xf32>
    %6 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x112x112x32xf32>
    %8 = stablehlo.add %5, %7 : tensor<1x112x112x32xf32>
    %9 = call @relu6(%8) : (tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
    %10 = stablehlo.convolution(%9, %arg5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x112x112x32xf32>, tensor<1x1x32x64xf32>) -> tensor<1x112x112x64xf32>
    %11 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x112x112x64xf32>
    %13 = stablehlo.add %10, %12 : tensor<1x112x112x64xf32>
    %14 = call @relu6_0(%13) : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    %15 = stablehlo.convolution(%14, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 64 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x112x112x64xf32>, tensor<3x3x1x64xf32>) -> tensor<1x56x56x64xf32>
    %16 = stablehlo.broadcast_in_dim %arg8, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %18 = stablehlo.add %15, %17 : tensor<1x56x56x64xf32>
    %19 = call @relu6_1(%18) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %20 = stablehlo.convolution(%19, %arg9) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x64xf32>, tensor<1x1x64x128xf32>) -> tensor<1x56x56x128xf32>
    %21 = stablehlo.broadcast_in_dim %arg10, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x56x56x128xf32>
    %23 = stablehlo.add %20, %22 : tensor<1x56x56x128xf32>
    %24 = call @relu6_2(%23) : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %25 = stablehlo.convolution(%24, %arg11) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 128 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x128xf32>, tensor<3x3x1x128xf32>) -> tensor<1x56x56x128xf32>
    %26 = stablehlo.broadcast_in_dim %arg12, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x56x56x128xf32>
    %28 = stablehlo.add %25, %27 : tensor<1x56x56x128xf32>
    %29 = call @relu6_2(%28) : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %30 = stablehlo.convolution(%29, %arg13) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x128xf32>, tensor<1x1x128x128xf32>) -> tensor<1x56x56x128xf32>
    %31 = stablehlo.broadcast_in_dim %arg14, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x56x56x128xf32>
    %33 = stablehlo.add %30, %32 : tensor<1x56x56x128xf32>
    %34 = call @relu6_2(%33) : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %35 = stablehlo.convolution(%34, %arg15) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 128 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x128xf32>, tensor<3x3x1x128xf32>) -> tensor<1x28x28x128xf32>
    %36 = stablehlo.broadcast_in_dim %arg16, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %38 = stablehlo.add %35, %37 : tensor<1x28x28x128xf32>
    %39 = call @relu6_3(%38) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %40 = stablehlo.convolution(%39, %arg17) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x128xf32>, tensor<1x1x128x256xf32>) -> tensor<1x28x28x256xf32>
    %41 = stablehlo.broadcast_in_dim %arg18, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x28x28x256xf32>
    %43 = stablehlo.add %40, %42 : tensor<1x28x28x256xf32>
    %44 = call @relu6_4(%43) : (tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %45 = stablehlo.convolution(%44, %arg19) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 256 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x256xf32>, tensor<3x3x1x256xf32>) -> tensor<1x28x28x256xf32>
    %46 = stablehlo.broadcast_in_dim %arg20, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x28x28x256xf32>
    %48 = stablehlo.add %45, %47 : tensor<1x28x28x256xf32>
    %49 = call @relu6_4(%48) : (tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %50 = stablehlo.convolution(%49, %arg21) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x256xf32>, tensor<1x1x256x256xf32>) -> tensor<1x28x28x256xf32>
    %51 = stablehlo.broadcast_in_dim %arg22, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x28x28x256xf32>
    %53 = stablehlo.add %50, %52 : tensor<1x28x28x256xf32>
    %54 = call @relu6_4(%53) : (tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %55 = stablehlo.convolution(%54, %arg23) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 256 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x256xf32>, tensor<3x3x1x256xf32>) -> tensor<1x14x14x256xf32>
    %56 = stablehlo.broadcast_in_dim %arg24, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %58 = stablehlo.add %55, %57 : tensor<1x14x14x256xf32>
    %59 = call @relu6_5(%58) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %60 = stablehlo.convolution(%59, %arg25) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32>
    %61 = stablehlo.broadcast_in_dim %arg26, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x14x14x512xf32>
    %63 = stablehlo.add %60, %62 : tensor<1x14x14x512xf32>
    %64 = call @relu6_6(%63) : (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %65 = stablehlo.convolution(%64, %arg27) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 512 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x512xf32>, tensor<3x3x1x512xf32>) -> tensor<1x14x14x512xf32>
    %66 = stablehlo.broadcast_in_dim %arg28, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x14x14x512xf32>
    %68 = stablehlo.add %65, %67 : tensor<1x14x14x512xf32>
    %69 = call @relu6_6(%68) : (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %70 = stablehlo.convolution(%69, %arg29) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x512xf32>, tensor<1x1x512x512xf32>) -> tensor<1x14x14x512xf32>
    %71 = stablehlo.broadcast_in_dim %arg30, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x14x14x512xf32>
    %73 = stablehlo.add %70, %72 : tensor<1x14x14x512xf32>
    %74 = call @relu6_6(%73) : (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %75 = stablehlo.convolution(%74, %arg31) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 512 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x512xf32>, tensor<3x3x1x512xf32>) -> tensor<1x14x14x512xf32>
    %76 = stablehlo.broadcast_in_dim %arg32, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x14x14x512xf32>
    %78 = stablehlo.add %75, %77 : tensor<1x14x14x512xf32>
    %79 = call @relu6_6(%78) : (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %80 = stablehlo.convolution(%79, %arg33) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x512xf32>, tensor<1x1x512x512xf32>) -> tensor<1x14x14x512xf32>
    %81 = stablehlo.broadcast_in_dim %arg34, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x14x14x512xf32>
    %83 = stablehlo.add %80, %82 : tensor<1x14x14x512xf32>
    %84 = call @relu6_6(%83) : (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %85 = stablehlo.convolution(%84, %arg35) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 512 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x512xf32>, tensor<3x3x1x512xf32>) -> tensor<1x7x7x512xf32>
    %86 = stablehlo.broadcast_in_dim %arg36, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<1x7x7x512xf32>
    %88 = stablehlo.add %85, %87 : tensor<1x7x7x512xf32>
    %89 = call @relu6_7(%88) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %90 = stablehlo.convolution(%89, %arg37) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x512xf32>, tensor<1x1x512x1024xf32>) -> tensor<1x7x7x1024xf32>
    %91 = stablehlo.broadcast_in_dim %arg38, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<1x7x7x1024xf32>
    %93 = stablehlo.add %90, %92 : tensor<1x7x7x1024xf32>
    %94 = call @relu6_8(%93) : (tensor<1x7x7x1024xf32>) -> tensor<1x7x7x1024xf32>
    %95 = stablehlo.convolution(%94, %arg39) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1024 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x1024xf32>, tensor<3x3x1x1024xf32>) -> tensor<1x7x7x1024xf32>
    %96 = stablehlo.broadcast_in_dim %arg40, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<1x7x7x1024xf32>
    %98 = stablehlo.add %95, %97 : tensor<1x7x7x1024xf32>
    %99 = call @relu6_8(%98) : (tensor<1x7x7x1024xf32>) -> tensor<1x7x7x1024xf32>
    %100 = stablehlo.convolution(%99, %arg41) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x1024xf32>, tensor<1x1x1024x1024xf32>) -> tensor<1x7x7x1024xf32>
    %101 = stablehlo.broadcast_in_dim %arg42, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<1x7x7x1024xf32>
    %103 = stablehlo.add %100, %102 : tensor<1x7x7x1024xf32>
    %104 = call @relu6_8(%103) : (tensor<1x7x7x1024xf32>) -> tensor<1x7x7x1024xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.reduce(%104 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x7x7x1024xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %cst_0 = stablehlo.constant dense<4.900000e+01> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1024xf32>
    %107 = stablehlo.divide %105, %106 : tensor<1x1024xf32>
    %108 = stablehlo.dot_general %107, %arg43, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024xf32>, tensor<1024x1000xf32>) -> tensor<1x1000xf32>
    %109 = stablehlo.broadcast_in_dim %arg44, dims = [1] : (tensor<1000xf32>) -> tensor<1x1000xf32>
    %110 = stablehlo.add %108, %109 : tensor<1x1000xf32>
    return %110 : tensor<1x1000xf32>
  }
  func.func private @relu6(%arg0: tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x112x112x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x112x112x32xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x112x112x32xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x112x112x32xf32>
    return %3 : tensor<1x112x112x32xf32>
  }
  func.func private @relu6_0(%arg0: tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x112x112x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x112x112x64xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x112x112x64xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x112x112x64xf32>
    return %3 : tensor<1x112x112x64xf32>
  }
  func.func private @relu6_1(%arg0: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x56x56x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x56x56x64xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x56x56x64xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x56x56x64xf32>
    return %3 : tensor<1x56x56x64xf32>
  }
  func.func private @relu6_2(%arg0: tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x56x56x128xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x56x56x128xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x56x56x128xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x56x56x128xf32>
    return %3 : tensor<1x56x56x128xf32>
  }
  func.func private @relu6_3(%arg0: tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x28x28x128xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x28x28x128xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x28x28x128xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x28x28x128xf32>
    return %3 : tensor<1x28x28x128xf32>
  }
  func.func private @relu6_4(%arg0: tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x28x28x256xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x28x28x256xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x28x28x256xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x28x28x256xf32>
    return %3 : tensor<1x28x28x256xf32>
  }
  func.func private @relu6_5(%arg0: tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x14x14x256xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x14x14x256xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x14x14x256xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x14x14x256xf32>
    return %3 : tensor<1x14x14x256xf32>
  }
  func.func private @relu6_6(%arg0: tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x14x14x512xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x14x14x512xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x14x14x512xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x14x14x512xf32>
    return %3 : tensor<1x14x14x512xf32>
  }
  func.func private @relu6_7(%arg0: tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x7x7x512xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x7x7x512xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x7x7x512xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x7x7x512xf32>
    return %3 : tensor<1x7x7x512xf32>
  }
  func.func private @relu6_8(%arg0: tensor<1x7x7x1024xf32>) -> tensor<1x7x7x1024xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x7x7x1024xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x7x7x1024xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x7x7x1024xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<1x7x7x1024xf32>
    return %3 : tensor<1x7x7x1024xf32>
  }
}
