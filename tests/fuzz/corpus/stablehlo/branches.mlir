func.func @main(%p: tensor<i1>, %i: tensor<i32>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<2x3xf32>) {
  %0 = "stablehlo.if"(%p) ({
    %n = stablehlo.negate %a : tensor<2x3xf32>
    stablehlo.return %n : tensor<2x3xf32>
  }, {
    %n = stablehlo.add %a, %b : tensor<2x3xf32>
    stablehlo.return %n : tensor<2x3xf32>
  }) : (tensor<i1>) -> tensor<2x3xf32>
  %1:2 = "stablehlo.case"(%i) ({
    stablehlo.return %a, %i : tensor<2x3xf32>, tensor<i32>
  }, {
    %n = stablehlo.multiply %b, %a : tensor<2x3xf32>
    stablehlo.return %n, %i : tensor<2x3xf32>, tensor<i32>
  }, {
    %n = stablehlo.subtract %b, %0 : tensor<2x3xf32>
    stablehlo.return %n, %i : tensor<2x3xf32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<2x3xf32>, tensor<i32>)
  %2 = "stablehlo.case"(%i) ({
    %c = stablehlo.constant dense<3.0> : tensor<2x3xf32>
    stablehlo.return %c : tensor<2x3xf32>
  }) : (tensor<i32>) -> tensor<2x3xf32>
  return %0, %1#0, %1#1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<2x3xf32>
}
