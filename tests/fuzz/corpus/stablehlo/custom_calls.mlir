// The expectations as custom calls; check.eq gives its answer as a value.

func.func @expect_eq() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %b = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %c = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
  stablehlo.custom_call @check.expect_eq(%a, %c) {has_side_effect = true} : (tensor<2x2xi32>, tensor<2x2xi32>) -> ()
  return
}

func.func @eq_gives_a_value() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.00005, 2.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[1.01, 2.0]> : tensor<2xf32>
  %near = stablehlo.custom_call @check.eq(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  check.expect_eq_const %near, dense<true> : tensor<i1>
  %far = stablehlo.custom_call @check.eq(%a, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  check.expect_eq_const %far, dense<false> : tensor<i1>
  %i = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %j = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %same = stablehlo.custom_call @check.eq(%i, %i) : (tensor<2xi64>, tensor<2xi64>) -> tensor<i1>
  check.expect_eq_const %same, dense<true> : tensor<i1>
  %other = stablehlo.custom_call @check.eq(%i, %j) {has_side_effect = false} : (tensor<2xi64>, tensor<2xi64>) -> tensor<i1>
  check.expect_eq_const %other, dense<false> : tensor<i1>
  return
}

func.func @in_generic_form() {
  %a = stablehlo.constant dense<5> : tensor<ui16>
  "stablehlo.custom_call"(%a, %a) <{call_target_name = "check.expect_eq", has_side_effect = true}> : (tensor<ui16>, tensor<ui16>) -> ()
  return
}
