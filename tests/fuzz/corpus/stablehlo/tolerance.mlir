// The tolerance is 1e-4 by default, 1e-3 for the custom call, and an attribute otherwise; it counts absolutely.

func.func @default() {
  %a = stablehlo.constant dense<[1.0, -100.0]> : tensor<2xf64>
  %b = stablehlo.constant dense<[1.00009, -100.00009]> : tensor<2xf64>
  check.expect_almost_eq %a, %b : tensor<2xf64>
  check.expect_almost_eq_const %a, dense<[0.99991, -99.99991]> : tensor<2xf64>
  return
}

func.func @attribute() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0009, 2.0]> : tensor<2xf32>
  check.expect_almost_eq %a, %b {tolerance = 1.0e-3 : f64} : tensor<2xf32>
  check.expect_almost_eq_const %b, dense<[1.1, 1.9]> {tolerance = 0.25 : f64} : tensor<2xf32>
  "check.expect_almost_eq_const"(%b) {value = dense<[1.4, 1.6]> : tensor<2xf32>, tolerance = 5.000000e-01 : f64} : (tensor<2xf32>) -> ()
  return
}

func.func @custom_call() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0009, 1.9991]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_almost_eq(%a, %b) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
