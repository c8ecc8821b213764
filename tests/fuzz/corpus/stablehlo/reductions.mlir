func.func @main(%a: tensor<2x3xf32>, %s: tensor<f32>, %k: tensor<2x3xi32>, %i: tensor<i32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<2x3xf32>) {
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1:2 = stablehlo.reduce(%a init: %s), (%k init: %i) across dimensions = [0] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
    %p = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.select %p, %x, %y : tensor<i1>, tensor<f32>
    %r = stablehlo.select %p, %m, %n : tensor<i1>, tensor<i32>
    stablehlo.return %q, %r : tensor<f32>, tensor<i32>
  }
  %2 = "stablehlo.reduce"(%a, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.multiply %y, %x : tensor<f32>
    "stablehlo.return"(%p) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %3 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.subtract %x, %y : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1#0, %1#1, %2, %3 : tensor<2xf32>, tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<2x3xf32>
}
