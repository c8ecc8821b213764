func.func @main(%i: tensor<i32>, %n: tensor<i32>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<i32>, tensor<2x3xf32>) {
  %0:2 = stablehlo.while(%k = %i, %x = %a) : tensor<i32>, tensor<2x3xf32>
  cond {
    %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %p = stablehlo.add %k, %one : tensor<i32>
    %y = stablehlo.multiply %x, %b : tensor<2x3xf32>
    stablehlo.return %p, %y : tensor<i32>, tensor<2x3xf32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<2x3xf32>
}
