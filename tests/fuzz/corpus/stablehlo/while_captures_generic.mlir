"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i32>, tensor<i32>, tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<i32>, tensor<2x3xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<2x3xf32>, %arg3: tensor<2x3xf32>):
    %0:2 = "stablehlo.while"(%arg0, %arg2) ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<2x3xf32>):
      %4 = "stablehlo.compare"(%arg6, %arg1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<2x3xf32>):
      %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %2 = "stablehlo.add"(%arg4, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %3 = "stablehlo.multiply"(%arg5, %arg3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      "stablehlo.return"(%2, %3) : (tensor<i32>, tensor<2x3xf32>) -> ()
    }) : (tensor<i32>, tensor<2x3xf32>) -> (tensor<i32>, tensor<2x3xf32>)
    "func.return"(%0#0, %0#1) : (tensor<i32>, tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
