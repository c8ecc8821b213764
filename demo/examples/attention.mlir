// Exported by JAX from this Python:
//
//   def attention(x, wq, wk, wv, wo):
//       """One attention block: 4 heads look at 24 tokens of width 32, each only at the ones before it."""
//       heads = lambda w: (x @ w).reshape(24, 4, 8).transpose(1, 0, 2)
//       q, k, v = heads(wq), heads(wk), heads(wv)
//       scores = q @ k.transpose(0, 2, 1) / jnp.sqrt(8.0)
//       scores = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), scores, -jnp.inf)
//       weights = nn.softmax(scores)
//       y = (weights @ v).transpose(1, 0, 2).reshape(24, 32)
//       return x + y @ wo, weights

module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>) -> (tensor<24x32xf32> {jax.result_info = "result[0]"}, tensor<4x24x24xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<24x32xf32>) -> tensor<24x4x8xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<24x4x8xf32>) -> tensor<4x24x8xf32>
    %3 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
    %4 = stablehlo.reshape %3 : (tensor<24x32xf32>) -> tensor<24x4x8xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0, 2] : (tensor<24x4x8xf32>) -> tensor<4x24x8xf32>
    %6 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
    %7 = stablehlo.reshape %6 : (tensor<24x32xf32>) -> tensor<24x4x8xf32>
    %8 = stablehlo.transpose %7, dims = [1, 0, 2] : (tensor<24x4x8xf32>) -> tensor<4x24x8xf32>
    %9 = stablehlo.transpose %5, dims = [0, 2, 1] : (tensor<4x24x8xf32>) -> tensor<4x8x24xf32>
    %10 = stablehlo.dot_general %2, %9, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24x8xf32>, tensor<4x8x24xf32>) -> tensor<4x24x24xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %11 = stablehlo.sqrt %cst : tensor<f32>
    %12 = stablehlo.convert %11 : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<4x24x24xf32>
    %14 = stablehlo.divide %10, %13 : tensor<4x24x24xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %15 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<24x24xi1>
    %16 = call @tril(%15) : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = call @_where(%16, %14, %cst_0) : (tensor<24x24xi1>, tensor<4x24x24xf32>, tensor<f32>) -> tensor<4x24x24xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<4x24x24xf32>, tensor<f32>) -> tensor<4x24xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x24xf32>
    %20 = stablehlo.maximum %19, %18 : tensor<4x24xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<4x24xf32>) -> tensor<4x24x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<4x24x1xf32>) -> tensor<4x24x24xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<4x24x24xf32>
    %24 = stablehlo.exponential %23 : tensor<4x24x24xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x24x24xf32>, tensor<f32>) -> tensor<4x24xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<4x24xf32>) -> tensor<4x24x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<4x24x1xf32>) -> tensor<4x24x24xf32>
    %28 = stablehlo.divide %24, %27 : tensor<4x24x24xf32>
    %29 = stablehlo.dot_general %28, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x24x24xf32>, tensor<4x24x8xf32>) -> tensor<4x24x8xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0, 2] : (tensor<4x24x8xf32>) -> tensor<24x4x8xf32>
    %31 = stablehlo.reshape %30 : (tensor<24x4x8xf32>) -> tensor<24x32xf32>
    %32 = stablehlo.dot_general %31, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
    %33 = stablehlo.add %arg0, %32 : tensor<24x32xf32>
    return %33, %28 : tensor<24x32xf32>, tensor<4x24x24xf32>
  }
  func.func private @tril(%arg0: tensor<24x24xi1>) -> tensor<24x24xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<24x24xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<24x24xi32>
    %2 = stablehlo.add %0, %1 : tensor<24x24xi32>
    %3 = stablehlo.iota dim = 1 : tensor<24x24xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<24x24xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<24x24xi1>, tensor<24x24xi1>
    return %6 : tensor<24x24xi1>
  }
  func.func private @_where(%arg0: tensor<24x24xi1>, %arg1: tensor<4x24x24xf32>, %arg2: tensor<f32>) -> tensor<4x24x24xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<24x24xi1>) -> tensor<4x24x24xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x24x24xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x24x24xi1>, tensor<4x24x24xf32>
    return %3 : tensor<4x24x24xf32>
  }
}
