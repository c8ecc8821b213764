// interpreter.print and interpreter.probe are accepted; probe passes its operand on.

func.func @print_and_probe() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  interpreter.print %a : tensor<2xi32>
  %0 = interpreter.probe %a, probe_id = "first" : tensor<2xi32>
  %1 = stablehlo.add %0, %a : tensor<2xi32>
  check.expect_eq_const %1, dense<[2, 4]> : tensor<2xi32>
  return
}
