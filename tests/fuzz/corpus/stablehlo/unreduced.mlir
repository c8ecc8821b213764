sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x2xf32>) {
    %2 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{}, {}], unreduced={"y"}>] out_shardings=[<@mesh, [{}, {}], unreduced={"y"}>] manual_axes={"y"} (%c: tensor<2x2xf32>) {
      %one = stablehlo.constant dense<1.0> : tensor<2x2xf32>
      %3 = stablehlo.add %c, %one : tensor<2x2xf32>
      sdy.return %3 : tensor<2x2xf32>
    } : (tensor<2x2xf32>) -> tensor<2x2xf32>
    sdy.return %2 : tensor<2x2xf32>
  } : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
