"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<i32>, tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<2x3xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<2x3xf32>, %arg3: tensor<2x3xf32>):
    %0 = "stablehlo.if"(%arg0) ({
      %7 = "stablehlo.negate"(%arg2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      "stablehlo.return"(%7) : (tensor<2x3xf32>) -> ()
    }, {
      %6 = "stablehlo.add"(%arg2, %arg3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      "stablehlo.return"(%6) : (tensor<2x3xf32>) -> ()
    }) : (tensor<i1>) -> tensor<2x3xf32>
    %1:2 = "stablehlo.case"(%arg1) ({
      "stablehlo.return"(%arg2, %arg1) : (tensor<2x3xf32>, tensor<i32>) -> ()
    }, {
      %5 = "stablehlo.multiply"(%arg3, %arg2) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      "stablehlo.return"(%5, %arg1) : (tensor<2x3xf32>, tensor<i32>) -> ()
    }, {
      %4 = "stablehlo.subtract"(%arg3, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      "stablehlo.return"(%4, %arg1) : (tensor<2x3xf32>, tensor<i32>) -> ()
    }) : (tensor<i32>) -> (tensor<2x3xf32>, tensor<i32>)
    %2 = "stablehlo.case"(%arg1) ({
      %3 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
      "stablehlo.return"(%3) : (tensor<2x3xf32>) -> ()
    }) : (tensor<i32>) -> tensor<2x3xf32>
    "func.return"(%0, %1#0, %1#1, %2) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
