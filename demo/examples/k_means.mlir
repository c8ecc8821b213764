// Exported by JAX from this Python:
//
//   def k_means():
//       """Twelve rounds of k-means in the plane: 300 points find 6 centres; the picture shows which centre is nearest."""
//       key = jax.random.split(jax.random.key(7), 3)
//       middles = jax.random.uniform(key[0], (6, 2))
//       points = middles[jnp.arange(300) % 6] + 0.05 * jax.random.normal(key[1], (300, 2))
//       nearest = lambda at, c: jnp.argmin(((at[:, None] - c) ** 2).sum(-1), 1)

//       def better(_, c):
//           mine = nn.one_hot(nearest(points, c), 6)
//           return (mine.T @ points) / jnp.maximum(mine.sum(0), 1)[:, None]

//       centres = lax.fori_loop(0, 12, better, points[:6] + 0.1 * jax.random.normal(key[2], (6, 2)))
//       grid = jnp.stack(jnp.meshgrid(jnp.linspace(0, 1, 160), jnp.linspace(0, 1, 120)), -1)
//       picture = nearest(grid.reshape(-1, 2), centres).reshape(120, 160)
//       for x, y in [(0, 0), (0, 1), (1, 0), (1, 1)]:  # points are drawn two pixels wide
//           at = (points * jnp.array([159.0, 119.0])).astype(int) + jnp.array([x, y])
//           picture = picture.at[at[:, 1], at[:, 0]].set(8)
//       return picture, centres

module @jit_k_means attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<120x160xi32> {jax.result_info = "result[0]"}, tensor<6x2xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<[1.590000e+02, 1.190000e+02]> : tensor<2xf32>
    %c = stablehlo.constant dense<0> : tensor<2xi32>
    %cst_0 = stablehlo.constant dense<[1.590000e+02, 1.190000e+02]> : tensor<2xf32>
    %c_1 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
    %cst_2 = stablehlo.constant dense<[1.590000e+02, 1.190000e+02]> : tensor<2xf32>
    %c_3 = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
    %cst_4 = stablehlo.constant dense<[1.590000e+02, 1.190000e+02]> : tensor<2xf32>
    %c_5 = stablehlo.constant dense<1> : tensor<2xi32>
    %c_6 = stablehlo.constant dense<7> : tensor<i32>
    %c_7 = stablehlo.constant dense<32> : tensor<i32>
    %0 = stablehlo.shift_right_logical %c_6, %c_7 : tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_8 = stablehlo.constant dense<-1> : tensor<i32>
    %3 = stablehlo.and %c_6, %c_8 : tensor<i32>
    %4 = stablehlo.convert %3 : (tensor<i32>) -> tensor<ui32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %6 = stablehlo.concatenate %2, %5, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %7 = call @_threefry_split(%6) : (tensor<2xui32>) -> tensor<3x2xui32>
    %8 = stablehlo.slice %7 [0:1, 0:2] : (tensor<3x2xui32>) -> tensor<1x2xui32>
    %9 = stablehlo.reshape %8 : (tensor<1x2xui32>) -> tensor<2xui32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = call @_uniform(%9, %cst_9, %cst_10) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<6x2xf32>
    %11 = stablehlo.iota dim = 0 : tensor<300xi32>
    %c_11 = stablehlo.constant dense<6> : tensor<i32>
    %12 = call @remainder(%11, %c_11) : (tensor<300xi32>, tensor<i32>) -> tensor<300xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %14 = stablehlo.compare LT, %12, %13, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_13 = stablehlo.constant dense<6> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %16 = stablehlo.add %12, %15 : tensor<300xi32>
    %17 = stablehlo.select %14, %16, %12 : tensor<300xi1>, tensor<300xi32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %19 = "stablehlo.gather"(%10, %18) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<6x2xf32>, tensor<300x1xi32>) -> tensor<300x2xf32>
    %20 = stablehlo.slice %7 [1:2, 0:2] : (tensor<3x2xui32>) -> tensor<1x2xui32>
    %21 = stablehlo.reshape %20 : (tensor<1x2xui32>) -> tensor<2xui32>
    %22 = call @_normal(%21) : (tensor<2xui32>) -> tensor<300x2xf32>
    %cst_14 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<300x2xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<300x2xf32>
    %25 = stablehlo.add %19, %24 : tensor<300x2xf32>
    %26 = stablehlo.slice %25 [0:6, 0:2] : (tensor<300x2xf32>) -> tensor<6x2xf32>
    %27 = stablehlo.slice %7 [2:3, 0:2] : (tensor<3x2xui32>) -> tensor<1x2xui32>
    %28 = stablehlo.reshape %27 : (tensor<1x2xui32>) -> tensor<2xui32>
    %29 = call @_normal_5(%28) : (tensor<2xui32>) -> tensor<6x2xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<6x2xf32>
    %32 = stablehlo.add %26, %31 : tensor<6x2xf32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %33:3 = stablehlo.while(%iterArg = %25, %iterArg_42 = %c_16, %iterArg_43 = %32) : tensor<300x2xf32>, tensor<i32>, tensor<6x2xf32>
    cond {
      %c_44 = stablehlo.constant dense<12> : tensor<i32>
      %155 = stablehlo.compare LT, %iterArg_42, %c_44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %155 : tensor<i1>
    } do {
      %155 = func.call @closed_call_8(%iterArg, %iterArg_43) : (tensor<300x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
      %c_44 = stablehlo.constant dense<1> : tensor<i32>
      %156 = stablehlo.add %iterArg_42, %c_44 : tensor<i32>
      stablehlo.return %iterArg, %156, %155 : tensor<300x2xf32>, tensor<i32>, tensor<6x2xf32>
    }
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %c_18 = stablehlo.constant dense<1> : tensor<i32>
    %34 = call @_linspace(%c_17, %c_18) : (tensor<i32>, tensor<i32>) -> tensor<160xf32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %c_20 = stablehlo.constant dense<1> : tensor<i32>
    %35 = call @_linspace_9(%c_19, %c_20) : (tensor<i32>, tensor<i32>) -> tensor<120xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<120xf32>) -> tensor<120x160xf32>
    %37 = stablehlo.broadcast_in_dim %34, dims = [1] : (tensor<160xf32>) -> tensor<120x160xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<120x160xf32>) -> tensor<120x160x1xf32>
    %39 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<120x160xf32>) -> tensor<120x160x1xf32>
    %40 = stablehlo.concatenate %38, %39, dim = 2 : (tensor<120x160x1xf32>, tensor<120x160x1xf32>) -> tensor<120x160x2xf32>
    %41 = stablehlo.reshape %40 : (tensor<120x160x2xf32>) -> tensor<19200x2xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 2] : (tensor<19200x2xf32>) -> tensor<19200x1x2xf32>
    %43 = stablehlo.broadcast_in_dim %33#2, dims = [1, 2] : (tensor<6x2xf32>) -> tensor<1x6x2xf32>
    %44 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<19200x1x2xf32>) -> tensor<19200x6x2xf32>
    %45 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x6x2xf32>) -> tensor<19200x6x2xf32>
    %46 = stablehlo.subtract %44, %45 : tensor<19200x6x2xf32>
    %47 = stablehlo.multiply %46, %46 : tensor<19200x6x2xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<19200x6x2xf32>, tensor<f32>) -> tensor<19200x6xf32>
    %49 = call @argmin_10(%48) : (tensor<19200x6xf32>) -> tensor<19200xi32>
    %50 = stablehlo.reshape %49 : (tensor<19200xi32>) -> tensor<120x160xi32>
    %51 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<300x2xf32>
    %53 = stablehlo.multiply %25, %52 : tensor<300x2xf32>
    %54 = stablehlo.convert %53 : (tensor<300x2xf32>) -> tensor<300x2xi32>
    %55 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<300x2xi32>
    %57 = stablehlo.add %54, %56 : tensor<300x2xi32>
    %58 = stablehlo.slice %57 [0:300, 1:2] : (tensor<300x2xi32>) -> tensor<300x1xi32>
    %59 = stablehlo.reshape %58 : (tensor<300x1xi32>) -> tensor<300xi32>
    %60 = stablehlo.slice %57 [0:300, 0:1] : (tensor<300x2xi32>) -> tensor<300x1xi32>
    %61 = stablehlo.reshape %60 : (tensor<300x1xi32>) -> tensor<300xi32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %62 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %63 = stablehlo.compare LT, %59, %62, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_23 = stablehlo.constant dense<120> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %65 = stablehlo.add %59, %64 : tensor<300xi32>
    %66 = stablehlo.select %63, %65, %59 : tensor<300xi1>, tensor<300xi32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %68 = stablehlo.compare LT, %61, %67, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_25 = stablehlo.constant dense<160> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %70 = stablehlo.add %61, %69 : tensor<300xi32>
    %71 = stablehlo.select %68, %70, %61 : tensor<300xi1>, tensor<300xi32>
    %72 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %73 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %74 = stablehlo.concatenate %72, %73, dim = 1 : (tensor<300x1xi32>, tensor<300x1xi32>) -> tensor<300x2xi32>
    %c_26 = stablehlo.constant dense<8> : tensor<i32>
    %75 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %76 = "stablehlo.scatter"(%50, %74, %75) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      stablehlo.return %arg1 : tensor<i32>
    }) : (tensor<120x160xi32>, tensor<300x2xi32>, tensor<300xi32>) -> tensor<120x160xi32>
    %77 = stablehlo.broadcast_in_dim %cst_0, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<300x2xf32>
    %79 = stablehlo.multiply %25, %78 : tensor<300x2xf32>
    %80 = stablehlo.convert %79 : (tensor<300x2xf32>) -> tensor<300x2xi32>
    %81 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<300x2xi32>
    %83 = stablehlo.add %80, %82 : tensor<300x2xi32>
    %84 = stablehlo.slice %83 [0:300, 1:2] : (tensor<300x2xi32>) -> tensor<300x1xi32>
    %85 = stablehlo.reshape %84 : (tensor<300x1xi32>) -> tensor<300xi32>
    %86 = stablehlo.slice %83 [0:300, 0:1] : (tensor<300x2xi32>) -> tensor<300x1xi32>
    %87 = stablehlo.reshape %86 : (tensor<300x1xi32>) -> tensor<300xi32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %88 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %89 = stablehlo.compare LT, %85, %88, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_28 = stablehlo.constant dense<120> : tensor<i32>
    %90 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %91 = stablehlo.add %85, %90 : tensor<300xi32>
    %92 = stablehlo.select %89, %91, %85 : tensor<300xi1>, tensor<300xi32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %93 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %94 = stablehlo.compare LT, %87, %93, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_30 = stablehlo.constant dense<160> : tensor<i32>
    %95 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %96 = stablehlo.add %87, %95 : tensor<300xi32>
    %97 = stablehlo.select %94, %96, %87 : tensor<300xi1>, tensor<300xi32>
    %98 = stablehlo.broadcast_in_dim %92, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %99 = stablehlo.broadcast_in_dim %97, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %100 = stablehlo.concatenate %98, %99, dim = 1 : (tensor<300x1xi32>, tensor<300x1xi32>) -> tensor<300x2xi32>
    %c_31 = stablehlo.constant dense<8> : tensor<i32>
    %101 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %102 = "stablehlo.scatter"(%76, %100, %101) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      stablehlo.return %arg1 : tensor<i32>
    }) : (tensor<120x160xi32>, tensor<300x2xi32>, tensor<300xi32>) -> tensor<120x160xi32>
    %103 = stablehlo.broadcast_in_dim %cst_2, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<300x2xf32>
    %105 = stablehlo.multiply %25, %104 : tensor<300x2xf32>
    %106 = stablehlo.convert %105 : (tensor<300x2xf32>) -> tensor<300x2xi32>
    %107 = stablehlo.broadcast_in_dim %c_3, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<300x2xi32>
    %109 = stablehlo.add %106, %108 : tensor<300x2xi32>
    %110 = stablehlo.slice %109 [0:300, 1:2] : (tensor<300x2xi32>) -> tensor<300x1xi32>
    %111 = stablehlo.reshape %110 : (tensor<300x1xi32>) -> tensor<300xi32>
    %112 = stablehlo.slice %109 [0:300, 0:1] : (tensor<300x2xi32>) -> tensor<300x1xi32>
    %113 = stablehlo.reshape %112 : (tensor<300x1xi32>) -> tensor<300xi32>
    %c_32 = stablehlo.constant dense<0> : tensor<i32>
    %114 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %115 = stablehlo.compare LT, %111, %114, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_33 = stablehlo.constant dense<120> : tensor<i32>
    %116 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %117 = stablehlo.add %111, %116 : tensor<300xi32>
    %118 = stablehlo.select %115, %117, %111 : tensor<300xi1>, tensor<300xi32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %119 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %120 = stablehlo.compare LT, %113, %119, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_35 = stablehlo.constant dense<160> : tensor<i32>
    %121 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %122 = stablehlo.add %113, %121 : tensor<300xi32>
    %123 = stablehlo.select %120, %122, %113 : tensor<300xi1>, tensor<300xi32>
    %124 = stablehlo.broadcast_in_dim %118, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %125 = stablehlo.broadcast_in_dim %123, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %126 = stablehlo.concatenate %124, %125, dim = 1 : (tensor<300x1xi32>, tensor<300x1xi32>) -> tensor<300x2xi32>
    %c_36 = stablehlo.constant dense<8> : tensor<i32>
    %127 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %128 = "stablehlo.scatter"(%102, %126, %127) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      stablehlo.return %arg1 : tensor<i32>
    }) : (tensor<120x160xi32>, tensor<300x2xi32>, tensor<300xi32>) -> tensor<120x160xi32>
    %129 = stablehlo.broadcast_in_dim %cst_4, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<300x2xf32>
    %131 = stablehlo.multiply %25, %130 : tensor<300x2xf32>
    %132 = stablehlo.convert %131 : (tensor<300x2xf32>) -> tensor<300x2xi32>
    %133 = stablehlo.broadcast_in_dim %c_5, dims = [1] : (tensor<2xi32>) -> tensor<1x2xi32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1] : (tensor<1x2xi32>) -> tensor<300x2xi32>
    %135 = stablehlo.add %132, %134 : tensor<300x2xi32>
    %136 = stablehlo.slice %135 [0:300, 1:2] : (tensor<300x2xi32>) -> tensor<300x1xi32>
    %137 = stablehlo.reshape %136 : (tensor<300x1xi32>) -> tensor<300xi32>
    %138 = stablehlo.slice %135 [0:300, 0:1] : (tensor<300x2xi32>) -> tensor<300x1xi32>
    %139 = stablehlo.reshape %138 : (tensor<300x1xi32>) -> tensor<300xi32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %140 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %141 = stablehlo.compare LT, %137, %140, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_38 = stablehlo.constant dense<120> : tensor<i32>
    %142 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %143 = stablehlo.add %137, %142 : tensor<300xi32>
    %144 = stablehlo.select %141, %143, %137 : tensor<300xi1>, tensor<300xi32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %145 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %146 = stablehlo.compare LT, %139, %145, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_40 = stablehlo.constant dense<160> : tensor<i32>
    %147 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %148 = stablehlo.add %139, %147 : tensor<300xi32>
    %149 = stablehlo.select %146, %148, %139 : tensor<300xi1>, tensor<300xi32>
    %150 = stablehlo.broadcast_in_dim %144, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %151 = stablehlo.broadcast_in_dim %149, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %152 = stablehlo.concatenate %150, %151, dim = 1 : (tensor<300x1xi32>, tensor<300x1xi32>) -> tensor<300x2xi32>
    %c_41 = stablehlo.constant dense<8> : tensor<i32>
    %153 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %154 = "stablehlo.scatter"(%128, %152, %153) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>):
      stablehlo.return %arg1 : tensor<i32>
    }) : (tensor<120x160xi32>, tensor<300x2xi32>, tensor<300xi32>) -> tensor<120x160xi32>
    return %154, %33#2 : tensor<120x160xi32>, tensor<6x2xf32>
  }
  func.func private @_threefry_split(%arg0: tensor<2xui32>) -> tensor<3x2xui32> {
    %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
    %2 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = stablehlo.iota dim = 0 : tensor<3xui64>
    %c = stablehlo.constant dense<1> : tensor<ui64>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<3xui64>
    %6 = stablehlo.multiply %5, %4 : tensor<3xui64>
    %c_0 = stablehlo.constant dense<32> : tensor<ui64>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<3xui64>
    %8 = stablehlo.shift_right_logical %6, %7 : tensor<3xui64>
    %9 = stablehlo.convert %6 : (tensor<3xui64>) -> tensor<3xui32>
    %10 = stablehlo.convert %8 : (tensor<3xui64>) -> tensor<3xui32>
    %11:2 = call @threefry2x32(%1, %3, %10, %9) : (tensor<ui32>, tensor<ui32>, tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>)
    %12 = stablehlo.broadcast_in_dim %11#0, dims = [0] : (tensor<3xui32>) -> tensor<3x1xui32>
    %13 = stablehlo.broadcast_in_dim %11#1, dims = [0] : (tensor<3xui32>) -> tensor<3x1xui32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<3x1xui32>, tensor<3x1xui32>) -> tensor<3x2xui32>
    return %14 : tensor<3x2xui32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<3xui32>, %arg3: tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<3xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<3xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<3xui32>, tensor<3xui32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<3xui32>, %arg2: tensor<3xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<3xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<3xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<3xui32>
    %9 = stablehlo.or %5, %8 : tensor<3xui32>
    %10 = stablehlo.xor %3, %9 : tensor<3xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<3xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<3xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<3xui32>
    %19 = stablehlo.or %15, %18 : tensor<3xui32>
    %20 = stablehlo.xor %13, %19 : tensor<3xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<3xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<3xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<3xui32>
    %29 = stablehlo.or %25, %28 : tensor<3xui32>
    %30 = stablehlo.xor %23, %29 : tensor<3xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<3xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<3xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<3xui32>
    %39 = stablehlo.or %35, %38 : tensor<3xui32>
    %40 = stablehlo.xor %33, %39 : tensor<3xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %42 = stablehlo.add %33, %41 : tensor<3xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %44 = stablehlo.add %40, %43 : tensor<3xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<3xui32>
    %48 = stablehlo.add %44, %47 : tensor<3xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<6x2xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.convert %arg2 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %4 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %7 = stablehlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
    %8 = stablehlo.iota dim = 0 : tensor<6x2xui64>
    %9 = stablehlo.iota dim = 1 : tensor<6x2xui64>
    %c = stablehlo.constant dense<2> : tensor<ui64>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<6x2xui64>
    %11 = stablehlo.multiply %10, %8 : tensor<6x2xui64>
    %c_0 = stablehlo.constant dense<1> : tensor<ui64>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<6x2xui64>
    %13 = stablehlo.multiply %12, %9 : tensor<6x2xui64>
    %14 = stablehlo.add %11, %13 : tensor<6x2xui64>
    %c_1 = stablehlo.constant dense<32> : tensor<ui64>
    %15 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<6x2xui64>
    %16 = stablehlo.shift_right_logical %14, %15 : tensor<6x2xui64>
    %17 = stablehlo.convert %14 : (tensor<6x2xui64>) -> tensor<6x2xui32>
    %18 = stablehlo.convert %16 : (tensor<6x2xui64>) -> tensor<6x2xui32>
    %19:2 = call @threefry2x32_0(%5, %7, %18, %17) : (tensor<ui32>, tensor<ui32>, tensor<6x2xui32>, tensor<6x2xui32>) -> (tensor<6x2xui32>, tensor<6x2xui32>)
    %20 = stablehlo.xor %19#0, %19#1 : tensor<6x2xui32>
    %c_2 = stablehlo.constant dense<9> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %22 = stablehlo.shift_right_logical %20, %21 : tensor<6x2xui32>
    %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %23 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %24 = stablehlo.or %22, %23 : tensor<6x2xui32>
    %25 = stablehlo.bitcast_convert %24 : (tensor<6x2xui32>) -> tensor<6x2xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %27 = stablehlo.subtract %25, %26 : tensor<6x2xf32>
    %28 = stablehlo.subtract %3, %2 : tensor<1x1xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<6x2xf32>
    %30 = stablehlo.multiply %27, %29 : tensor<6x2xf32>
    %31 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<6x2xf32>
    %32 = stablehlo.add %30, %31 : tensor<6x2xf32>
    %33 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<6x2xf32>
    %34 = stablehlo.maximum %33, %32 : tensor<6x2xf32>
    return %34 : tensor<6x2xf32>
  }
  func.func private @threefry2x32_0(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<6x2xui32>, %arg3: tensor<6x2xui32>) -> (tensor<6x2xui32>, tensor<6x2xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<6x2xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<6x2xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<6x2xui32>, tensor<6x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call_1(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<6x2xui32>, tensor<6x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<6x2xui32>, tensor<6x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<6x2xui32>, tensor<6x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<6x2xui32>, tensor<6x2xui32>
  }
  func.func private @closed_call_1(%arg0: tensor<i32>, %arg1: tensor<6x2xui32>, %arg2: tensor<6x2xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<6x2xui32>, tensor<6x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<6x2xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<6x2xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<6x2xui32>
    %9 = stablehlo.or %5, %8 : tensor<6x2xui32>
    %10 = stablehlo.xor %3, %9 : tensor<6x2xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<6x2xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<6x2xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<6x2xui32>
    %19 = stablehlo.or %15, %18 : tensor<6x2xui32>
    %20 = stablehlo.xor %13, %19 : tensor<6x2xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<6x2xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<6x2xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<6x2xui32>
    %29 = stablehlo.or %25, %28 : tensor<6x2xui32>
    %30 = stablehlo.xor %23, %29 : tensor<6x2xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<6x2xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<6x2xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<6x2xui32>
    %39 = stablehlo.or %35, %38 : tensor<6x2xui32>
    %40 = stablehlo.xor %33, %39 : tensor<6x2xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %42 = stablehlo.add %33, %41 : tensor<6x2xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %44 = stablehlo.add %40, %43 : tensor<6x2xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %48 = stablehlo.add %44, %47 : tensor<6x2xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<6x2xui32>, tensor<6x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @remainder(%arg0: tensor<300xi32>, %arg1: tensor<i32>) -> tensor<300xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<300xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<300xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<300xi1>, tensor<300xi1>) -> tensor<300xi1>
    %12 = stablehlo.and %11, %6 : tensor<300xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<300xi32>
    %14 = stablehlo.add %4, %13 : tensor<300xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<300xi1>, tensor<300xi32>
    return %15 : tensor<300xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_normal(%arg0: tensor<2xui32>) -> tensor<300x2xf32> {
    %0 = call @_normal_real(%arg0) : (tensor<2xui32>) -> tensor<300x2xf32>
    return %0 : tensor<300x2xf32>
  }
  func.func private @_normal_real(%arg0: tensor<2xui32>) -> tensor<300x2xf32> {
    %cst = stablehlo.constant dense<-0.99999994> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform_2(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<300x2xf32>
    %1 = chlo.erf_inv %0 : tensor<300x2xf32> -> tensor<300x2xf32>
    %cst_1 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<300x2xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<300x2xf32>
    return %3 : tensor<300x2xf32>
  }
  func.func private @_uniform_2(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<300x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %2 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.iota dim = 0 : tensor<300x2xui64>
    %7 = stablehlo.iota dim = 1 : tensor<300x2xui64>
    %c = stablehlo.constant dense<2> : tensor<ui64>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<300x2xui64>
    %9 = stablehlo.multiply %8, %6 : tensor<300x2xui64>
    %c_0 = stablehlo.constant dense<1> : tensor<ui64>
    %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<300x2xui64>
    %11 = stablehlo.multiply %10, %7 : tensor<300x2xui64>
    %12 = stablehlo.add %9, %11 : tensor<300x2xui64>
    %c_1 = stablehlo.constant dense<32> : tensor<ui64>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<300x2xui64>
    %14 = stablehlo.shift_right_logical %12, %13 : tensor<300x2xui64>
    %15 = stablehlo.convert %12 : (tensor<300x2xui64>) -> tensor<300x2xui32>
    %16 = stablehlo.convert %14 : (tensor<300x2xui64>) -> tensor<300x2xui32>
    %17:2 = call @threefry2x32_3(%3, %5, %16, %15) : (tensor<ui32>, tensor<ui32>, tensor<300x2xui32>, tensor<300x2xui32>) -> (tensor<300x2xui32>, tensor<300x2xui32>)
    %18 = stablehlo.xor %17#0, %17#1 : tensor<300x2xui32>
    %c_2 = stablehlo.constant dense<9> : tensor<ui32>
    %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %20 = stablehlo.shift_right_logical %18, %19 : tensor<300x2xui32>
    %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %22 = stablehlo.or %20, %21 : tensor<300x2xui32>
    %23 = stablehlo.bitcast_convert %22 : (tensor<300x2xui32>) -> tensor<300x2xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<300x2xf32>
    %25 = stablehlo.subtract %23, %24 : tensor<300x2xf32>
    %26 = stablehlo.subtract %1, %0 : tensor<1x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<300x2xf32>
    %28 = stablehlo.multiply %25, %27 : tensor<300x2xf32>
    %29 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<300x2xf32>
    %30 = stablehlo.add %28, %29 : tensor<300x2xf32>
    %31 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<300x2xf32>
    %32 = stablehlo.maximum %31, %30 : tensor<300x2xf32>
    return %32 : tensor<300x2xf32>
  }
  func.func private @threefry2x32_3(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<300x2xui32>, %arg3: tensor<300x2xui32>) -> (tensor<300x2xui32>, tensor<300x2xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<300x2xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<300x2xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<300x2xui32>, tensor<300x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call_4(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<300x2xui32>, tensor<300x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<300x2xui32>, tensor<300x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<300x2xui32>, tensor<300x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<300x2xui32>, tensor<300x2xui32>
  }
  func.func private @closed_call_4(%arg0: tensor<i32>, %arg1: tensor<300x2xui32>, %arg2: tensor<300x2xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<300x2xui32>, tensor<300x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<300x2xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<300x2xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<300x2xui32>
    %9 = stablehlo.or %5, %8 : tensor<300x2xui32>
    %10 = stablehlo.xor %3, %9 : tensor<300x2xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<300x2xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<300x2xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<300x2xui32>
    %19 = stablehlo.or %15, %18 : tensor<300x2xui32>
    %20 = stablehlo.xor %13, %19 : tensor<300x2xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<300x2xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<300x2xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<300x2xui32>
    %29 = stablehlo.or %25, %28 : tensor<300x2xui32>
    %30 = stablehlo.xor %23, %29 : tensor<300x2xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<300x2xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<300x2xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<300x2xui32>
    %39 = stablehlo.or %35, %38 : tensor<300x2xui32>
    %40 = stablehlo.xor %33, %39 : tensor<300x2xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %42 = stablehlo.add %33, %41 : tensor<300x2xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %44 = stablehlo.add %40, %43 : tensor<300x2xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<300x2xui32>
    %48 = stablehlo.add %44, %47 : tensor<300x2xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<300x2xui32>, tensor<300x2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @_normal_5(%arg0: tensor<2xui32>) -> tensor<6x2xf32> {
    %0 = call @_normal_real_6(%arg0) : (tensor<2xui32>) -> tensor<6x2xf32>
    return %0 : tensor<6x2xf32>
  }
  func.func private @_normal_real_6(%arg0: tensor<2xui32>) -> tensor<6x2xf32> {
    %cst = stablehlo.constant dense<-0.99999994> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform_7(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<6x2xf32>
    %1 = chlo.erf_inv %0 : tensor<6x2xf32> -> tensor<6x2xf32>
    %cst_1 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<6x2xf32>
    return %3 : tensor<6x2xf32>
  }
  func.func private @_uniform_7(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<6x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %2 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.iota dim = 0 : tensor<6x2xui64>
    %7 = stablehlo.iota dim = 1 : tensor<6x2xui64>
    %c = stablehlo.constant dense<2> : tensor<ui64>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<6x2xui64>
    %9 = stablehlo.multiply %8, %6 : tensor<6x2xui64>
    %c_0 = stablehlo.constant dense<1> : tensor<ui64>
    %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<6x2xui64>
    %11 = stablehlo.multiply %10, %7 : tensor<6x2xui64>
    %12 = stablehlo.add %9, %11 : tensor<6x2xui64>
    %c_1 = stablehlo.constant dense<32> : tensor<ui64>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<6x2xui64>
    %14 = stablehlo.shift_right_logical %12, %13 : tensor<6x2xui64>
    %15 = stablehlo.convert %12 : (tensor<6x2xui64>) -> tensor<6x2xui32>
    %16 = stablehlo.convert %14 : (tensor<6x2xui64>) -> tensor<6x2xui32>
    %17:2 = call @threefry2x32_0(%3, %5, %16, %15) : (tensor<ui32>, tensor<ui32>, tensor<6x2xui32>, tensor<6x2xui32>) -> (tensor<6x2xui32>, tensor<6x2xui32>)
    %18 = stablehlo.xor %17#0, %17#1 : tensor<6x2xui32>
    %c_2 = stablehlo.constant dense<9> : tensor<ui32>
    %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %20 = stablehlo.shift_right_logical %18, %19 : tensor<6x2xui32>
    %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<6x2xui32>
    %22 = stablehlo.or %20, %21 : tensor<6x2xui32>
    %23 = stablehlo.bitcast_convert %22 : (tensor<6x2xui32>) -> tensor<6x2xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %25 = stablehlo.subtract %23, %24 : tensor<6x2xf32>
    %26 = stablehlo.subtract %1, %0 : tensor<1x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<6x2xf32>
    %28 = stablehlo.multiply %25, %27 : tensor<6x2xf32>
    %29 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<6x2xf32>
    %30 = stablehlo.add %28, %29 : tensor<6x2xf32>
    %31 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<6x2xf32>
    %32 = stablehlo.maximum %31, %30 : tensor<6x2xf32>
    return %32 : tensor<6x2xf32>
  }
  func.func private @closed_call_8(%arg0: tensor<300x2xf32>, %arg1: tensor<6x2xf32>) -> tensor<6x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<300x2xf32>) -> tensor<300x1x2xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<6x2xf32>) -> tensor<1x6x2xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<300x1x2xf32>) -> tensor<300x6x2xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x6x2xf32>) -> tensor<300x6x2xf32>
    %4 = stablehlo.subtract %2, %3 : tensor<300x6x2xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<300x6x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<300x6x2xf32>, tensor<f32>) -> tensor<300x6xf32>
    %7 = call @argmin(%6) : (tensor<300x6xf32>) -> tensor<300xi32>
    %8 = call @_one_hot(%7) : (tensor<300xi32>) -> tensor<300x6xf32>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<300x6xf32>) -> tensor<6x300xf32>
    %10 = stablehlo.dot_general %9, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x300xf32>, tensor<300x2xf32>) -> tensor<6x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<300x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %13 = stablehlo.maximum %11, %12 : tensor<6xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %16 = stablehlo.divide %10, %15 : tensor<6x2xf32>
    return %16 : tensor<6x2xf32>
  }
  func.func private @argmin(%arg0: tensor<300x6xf32>) -> tensor<300xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<300x6xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<300x6xf32>, tensor<300x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<300xf32>, tensor<300xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<300xi32>
  }
  func.func private @_one_hot(%arg0: tensor<300xi32>) -> tensor<300x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<300xi32>) -> tensor<300x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x6xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<300x1xi32>) -> tensor<300x6xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<300x6xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<300x6xi32>, tensor<300x6xi32>) -> tensor<300x6xi1>
    %5 = stablehlo.convert %4 : (tensor<300x6xi1>) -> tensor<300x6xf32>
    return %5 : tensor<300x6xf32>
  }
  func.func private @_linspace(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<160xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.iota dim = 0 : tensor<159xf32>
    %cst = stablehlo.constant dense<1.590000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<159xf32>
    %4 = stablehlo.divide %2, %3 : tensor<159xf32>
    %5 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<159xf32>
    %7 = stablehlo.subtract %6, %4 : tensor<159xf32>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xf32>) -> tensor<159xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<159xf32>
    %10 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<1xf32>) -> tensor<159xf32>
    %12 = stablehlo.multiply %11, %4 : tensor<159xf32>
    %13 = stablehlo.add %9, %12 : tensor<159xf32>
    %14 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<159xf32>, tensor<1xf32>) -> tensor<160xf32>
    return %15 : tensor<160xf32>
  }
  func.func private @_linspace_9(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<120xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.iota dim = 0 : tensor<119xf32>
    %cst = stablehlo.constant dense<1.190000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<119xf32>
    %4 = stablehlo.divide %2, %3 : tensor<119xf32>
    %5 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<119xf32>
    %7 = stablehlo.subtract %6, %4 : tensor<119xf32>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xf32>) -> tensor<119xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<119xf32>
    %10 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<1xf32>) -> tensor<119xf32>
    %12 = stablehlo.multiply %11, %4 : tensor<119xf32>
    %13 = stablehlo.add %9, %12 : tensor<119xf32>
    %14 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<119xf32>, tensor<1xf32>) -> tensor<120xf32>
    return %15 : tensor<120xf32>
  }
  func.func private @argmin_10(%arg0: tensor<19200x6xf32>) -> tensor<19200xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<19200x6xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<19200x6xf32>, tensor<19200x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<19200xf32>, tensor<19200xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<19200xi32>
  }
}
