// Comments, aliases before and behind their use, locations anywhere, names of every kind.
#loc1 = loc("here":1:2)
#loc2 = loc("there":3:4 to 5:6)
#note = "an alias"
!matrix = tensor<2x3xf32>
#numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>
module @"a module" attributes {mhlo.num_partitions = 1 : i32, mhlo.flag, mhlo.list = [1, "two", @three, 4.0 : f64, [true], {five = 6 : i8}], mhlo.type = i32,
  mhlo.function = (tensor<2xf32>) -> (), mhlo.map = affine_map<(d0, d1) -> (d1, d0)>, mhlo.dense = dense<1> : tensor<2xi64>, mhlo.array = array<f32: 1.0, -2.5>, mhlo.empty = array<i1>} {
  func.func public @main(%arg0: !matrix {tf.aliasing_output = 0 : i32} loc("x"(#loc1)), %b.c-d$: tensor<2x3xf32> loc(#loc)) -> (tensor<2x2xf32> {jax.result_info = "result"}) {
    %a_1 = stablehlo.add %arg0, %b.c-d$ : !matrix loc(callsite("f" at #loc2))
    %2 = "stablehlo.dot_general"(%a_1, %b.c-d$) <{dot_dimension_numbers = #numbers}> {mhlo.note = #note} : (!matrix, !matrix) -> tensor<2x2xf32> loc(fused<"pass">["a", #loc1])
    %3:1 = stablehlo.optimization_barrier %2 : tensor<2x2xf32>
    return %3#0 : tensor<2x2xf32> loc(unknown)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
