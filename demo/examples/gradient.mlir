// Exported by JAX from this Python:
//
//   def gradient(w, x, y):
//       """The gradient of a small network's loss, as jax.grad writes it: forward and backward in one program."""
//       def loss(w):
//           hidden = jnp.tanh(x @ w['in'])
//           return jnp.mean((hidden @ w['out'] - y) ** 2)
//       return jax.grad(loss)(w)

module @jit_gradient attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x8xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<16x3xf32>, %arg3: tensor<16x1xf32>) -> (tensor<3x8xf32> {jax.result_info = "result['in']"}, tensor<8x1xf32> {jax.result_info = "result['out']"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x3xf32>, tensor<3x8xf32>) -> tensor<16x8xf32>
    %1 = stablehlo.tanh %0 : tensor<16x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<16x8xf32>
    %4 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x1xf32>) -> tensor<16x1xf32>
    %5 = stablehlo.subtract %4, %arg3 : tensor<16x1xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<16x1xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %8 = stablehlo.divide %cst_1, %cst_2 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<16x1xf32>
    %11 = stablehlo.dot_general %10, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x1xf32>, tensor<16x8xf32>) -> tensor<1x8xf32>
    %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<1x8xf32>) -> tensor<8x1xf32>
    %13 = stablehlo.dot_general %10, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x1xf32>, tensor<8x1xf32>) -> tensor<16x8xf32>
    %14 = stablehlo.multiply %13, %3 : tensor<16x8xf32>
    %15 = stablehlo.multiply %14, %1 : tensor<16x8xf32>
    %16 = stablehlo.add %14, %15 : tensor<16x8xf32>
    %17 = stablehlo.dot_general %16, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<16x3xf32>) -> tensor<8x3xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<8x3xf32>) -> tensor<3x8xf32>
    return %18, %12 : tensor<3x8xf32>, tensor<8x1xf32>
  }
}
