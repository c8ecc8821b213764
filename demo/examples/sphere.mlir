// Exported by JAX from this Python:
//
//   def sphere():
//       """A ball over a chessboard, by one ray per pixel: a whole renderer as arithmetic on arrays."""
//       y, x = jnp.meshgrid(jnp.linspace(0.75, -0.75, 180), jnp.linspace(-1, 1, 240), indexing='ij')
//       ray = jnp.stack([x, y, jnp.full_like(x, 1.6)], -1)
//       ray = ray / jnp.linalg.norm(ray, axis=-1, keepdims=True)
//       centre, light = jnp.array([0.0, 0.05, 3.2]), jnp.array([0.55, 0.7, -0.45])
//       dot = lambda a, b: (a * b).sum(-1, keepdims=True)

//       def ball(origin, ray):  # how far it is along the ray; inf if the ray misses
//           b = dot(ray, origin - centre)
//           d = b * b - dot(origin - centre, origin - centre) + 0.8
//           far = -b - jnp.sqrt(jnp.maximum(d, 0))
//           return jnp.where((d > 0) & (far > 1e-3), far, jnp.inf)

//       def ground(origin, ray):  # the board and the sky
//           far = (-0.85 - origin[..., 1:2]) / jnp.minimum(ray[..., 1:2], -1e-4)
//           at = origin + far * ray
//           board = (jnp.floor(at[..., :1] * 1.5) + jnp.floor(at[..., 2:] * 1.5)) % 2
//           shadow = jnp.where(jnp.isfinite(ball(at, jnp.broadcast_to(light, at.shape))), 0.35, 1.0)
//           color = shadow * (0.25 + 0.65 * board) * jnp.array([1.0, 0.93, 0.8])
//           sky = jnp.array([0.45, 0.65, 0.95]) + 0.5 * jnp.maximum(ray[..., 1:2], 0)
//           fog = jnp.exp(-0.07 * far)
//           return jnp.where(ray[..., 1:2] < 0, fog * color + (1 - fog) * sky, sky)

//       far = ball(jnp.zeros(3), ray)
//       at = jnp.where(jnp.isfinite(far), far, 0) * ray
//       normal = (at - centre) / jnp.sqrt(0.8)
//       mirrored = ground(at, ray - 2 * dot(ray, normal) * normal)
//       shine = jnp.maximum(dot(normal, light), 0)
//       metal = 0.65 * mirrored + (0.25 * shine + 0.6 * shine**40) * jnp.array([1.0, 0.85, 0.6])
//       return (255 * jnp.clip(jnp.where(jnp.isfinite(far), metal, ground(jnp.zeros(3), ray)), 0, 1)).astype(jnp.uint8)

module @jit_sphere attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<180x240x3xui8> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[0.000000e+00, 5.000000e-02, 3.200000e+00]> : tensor<3xf32>
    %cst_0 = stablehlo.constant dense<[5.500000e-01, 0.699999988, -4.500000e-01]> : tensor<3xf32>
    %cst_1 = stablehlo.constant dense<[1.000000e+00, 9.300000e-01, 8.000000e-01]> : tensor<3xf32>
    %cst_2 = stablehlo.constant dense<[4.500000e-01, 6.500000e-01, 0.949999988]> : tensor<3xf32>
    %cst_3 = stablehlo.constant dense<[1.000000e+00, 8.500000e-01, 6.000000e-01]> : tensor<3xf32>
    %cst_4 = stablehlo.constant dense<[1.000000e+00, 9.300000e-01, 8.000000e-01]> : tensor<3xf32>
    %cst_5 = stablehlo.constant dense<[4.500000e-01, 6.500000e-01, 0.949999988]> : tensor<3xf32>
    %cst_6 = stablehlo.constant dense<7.500000e-01> : tensor<f32>
    %cst_7 = stablehlo.constant dense<-7.500000e-01> : tensor<f32>
    %0 = call @_linspace(%cst_6, %cst_7) : (tensor<f32>, tensor<f32>) -> tensor<180xf32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %1 = call @_linspace_0(%c, %c_8) : (tensor<i32>, tensor<i32>) -> tensor<240xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<180xf32>) -> tensor<180x240xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<240xf32>) -> tensor<180x240xf32>
    %cst_9 = stablehlo.constant dense<1.600000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<180x240xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %6 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %7 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %8 = stablehlo.concatenate %5, %6, %7, dim = 2 : (tensor<180x240x1xf32>, tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %9 = call @norm(%8) : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %11 = stablehlo.divide %8, %10 : tensor<180x240x3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %13 = stablehlo.subtract %12, %cst : tensor<3xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %16 = stablehlo.multiply %11, %15 : tensor<180x240x3xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<180x240x3xf32>, tensor<f32>) -> tensor<180x240xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %19 = stablehlo.multiply %18, %18 : tensor<180x240x1xf32>
    %20 = stablehlo.subtract %12, %cst : tensor<3xf32>
    %21 = stablehlo.subtract %12, %cst : tensor<3xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<3xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [2] : (tensor<1xf32>) -> tensor<1x1x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<180x240x1xf32>
    %27 = stablehlo.subtract %19, %26 : tensor<180x240x1xf32>
    %cst_13 = stablehlo.constant dense<8.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %29 = stablehlo.add %27, %28 : tensor<180x240x1xf32>
    %30 = stablehlo.negate %18 : tensor<180x240x1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %32 = stablehlo.maximum %29, %31 : tensor<180x240x1xf32>
    %33 = stablehlo.sqrt %32 : tensor<180x240x1xf32>
    %34 = stablehlo.subtract %30, %33 : tensor<180x240x1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %36 = stablehlo.compare GT, %29, %35, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %cst_16 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %38 = stablehlo.compare GT, %34, %37, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %39 = stablehlo.and %36, %38 : tensor<180x240x1xi1>
    %cst_17 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %40 = call @_where(%39, %34, %cst_17) : (tensor<180x240x1xi1>, tensor<180x240x1xf32>, tensor<f32>) -> tensor<180x240x1xf32>
    %41 = stablehlo.is_finite %40 : (tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %42 = call @_where_1(%41, %40, %c_18) : (tensor<180x240x1xi1>, tensor<180x240x1xf32>, tensor<i32>) -> tensor<180x240x1xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %44 = stablehlo.multiply %43, %11 : tensor<180x240x3xf32>
    %45 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %47 = stablehlo.subtract %44, %46 : tensor<180x240x3xf32>
    %cst_19 = stablehlo.constant dense<8.000000e-01> : tensor<f32>
    %48 = stablehlo.sqrt %cst_19 : tensor<f32>
    %49 = stablehlo.convert %48 : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [] : (tensor<f32>) -> tensor<180x240x3xf32>
    %51 = stablehlo.divide %47, %50 : tensor<180x240x3xf32>
    %52 = stablehlo.multiply %11, %51 : tensor<180x240x3xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%52 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<180x240x3xf32>, tensor<f32>) -> tensor<180x240xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %cst_21 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %56 = stablehlo.multiply %55, %54 : tensor<180x240x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %58 = stablehlo.multiply %57, %51 : tensor<180x240x3xf32>
    %59 = stablehlo.subtract %11, %58 : tensor<180x240x3xf32>
    %60 = stablehlo.slice %44 [0:180, 0:240, 1:2] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_22 = stablehlo.constant dense<-8.500000e-01> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %62 = stablehlo.subtract %61, %60 : tensor<180x240x1xf32>
    %63 = stablehlo.slice %59 [0:180, 0:240, 1:2] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_23 = stablehlo.constant dense<-9.99999974E-5> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %65 = stablehlo.minimum %63, %64 : tensor<180x240x1xf32>
    %66 = stablehlo.divide %62, %65 : tensor<180x240x1xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %68 = stablehlo.multiply %67, %59 : tensor<180x240x3xf32>
    %69 = stablehlo.add %44, %68 : tensor<180x240x3xf32>
    %70 = stablehlo.slice %69 [0:180, 0:240, 0:1] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_24 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %72 = stablehlo.multiply %70, %71 : tensor<180x240x1xf32>
    %73 = stablehlo.floor %72 : tensor<180x240x1xf32>
    %74 = stablehlo.slice %69 [0:180, 0:240, 2:3] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_25 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %76 = stablehlo.multiply %74, %75 : tensor<180x240x1xf32>
    %77 = stablehlo.floor %76 : tensor<180x240x1xf32>
    %78 = stablehlo.add %73, %77 : tensor<180x240x1xf32>
    %c_26 = stablehlo.constant dense<2> : tensor<i32>
    %79 = call @remainder(%78, %c_26) : (tensor<180x240x1xf32>, tensor<i32>) -> tensor<180x240x1xf32>
    %80 = stablehlo.broadcast_in_dim %cst_0, dims = [2] : (tensor<3xf32>) -> tensor<180x240x3xf32>
    %81 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %83 = stablehlo.subtract %69, %82 : tensor<180x240x3xf32>
    %84 = stablehlo.multiply %80, %83 : tensor<180x240x3xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.reduce(%84 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<180x240x3xf32>, tensor<f32>) -> tensor<180x240xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %87 = stablehlo.multiply %86, %86 : tensor<180x240x1xf32>
    %88 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %90 = stablehlo.subtract %69, %89 : tensor<180x240x3xf32>
    %91 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %93 = stablehlo.subtract %69, %92 : tensor<180x240x3xf32>
    %94 = stablehlo.multiply %90, %93 : tensor<180x240x3xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.reduce(%94 init: %cst_28) applies stablehlo.add across dimensions = [2] : (tensor<180x240x3xf32>, tensor<f32>) -> tensor<180x240xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %97 = stablehlo.subtract %87, %96 : tensor<180x240x1xf32>
    %cst_29 = stablehlo.constant dense<8.000000e-01> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %99 = stablehlo.add %97, %98 : tensor<180x240x1xf32>
    %100 = stablehlo.negate %86 : tensor<180x240x1xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %102 = stablehlo.maximum %99, %101 : tensor<180x240x1xf32>
    %103 = stablehlo.sqrt %102 : tensor<180x240x1xf32>
    %104 = stablehlo.subtract %100, %103 : tensor<180x240x1xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %106 = stablehlo.compare GT, %99, %105, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %cst_32 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %108 = stablehlo.compare GT, %104, %107, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %109 = stablehlo.and %106, %108 : tensor<180x240x1xi1>
    %cst_33 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %110 = call @_where(%109, %104, %cst_33) : (tensor<180x240x1xi1>, tensor<180x240x1xf32>, tensor<f32>) -> tensor<180x240x1xf32>
    %111 = stablehlo.is_finite %110 : (tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %cst_34 = stablehlo.constant dense<3.500000e-01> : tensor<f32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %112 = call @_where_2(%111, %cst_34, %cst_35) : (tensor<180x240x1xi1>, tensor<f32>, tensor<f32>) -> tensor<180x240x1xf32>
    %cst_36 = stablehlo.constant dense<6.500000e-01> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %114 = stablehlo.multiply %113, %79 : tensor<180x240x1xf32>
    %cst_37 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %116 = stablehlo.add %115, %114 : tensor<180x240x1xf32>
    %117 = stablehlo.convert %112 : tensor<180x240x1xf32>
    %118 = stablehlo.multiply %117, %116 : tensor<180x240x1xf32>
    %119 = stablehlo.broadcast_in_dim %cst_1, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %120 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %121 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %122 = stablehlo.multiply %120, %121 : tensor<180x240x3xf32>
    %123 = stablehlo.slice %59 [0:180, 0:240, 1:2] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %125 = stablehlo.maximum %123, %124 : tensor<180x240x1xf32>
    %cst_39 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %127 = stablehlo.multiply %126, %125 : tensor<180x240x1xf32>
    %128 = stablehlo.broadcast_in_dim %cst_2, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %130 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %131 = stablehlo.add %129, %130 : tensor<180x240x3xf32>
    %cst_40 = stablehlo.constant dense<-7.000000e-02> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %133 = stablehlo.multiply %132, %66 : tensor<180x240x1xf32>
    %134 = stablehlo.exponential %133 : tensor<180x240x1xf32>
    %135 = stablehlo.slice %59 [0:180, 0:240, 1:2] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %137 = stablehlo.compare LT, %135, %136, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %138 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %139 = stablehlo.multiply %138, %122 : tensor<180x240x3xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %141 = stablehlo.subtract %140, %134 : tensor<180x240x1xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %143 = stablehlo.multiply %142, %131 : tensor<180x240x3xf32>
    %144 = stablehlo.add %139, %143 : tensor<180x240x3xf32>
    %145 = call @_where_3(%137, %144, %131) : (tensor<180x240x1xi1>, tensor<180x240x3xf32>, tensor<180x240x3xf32>) -> tensor<180x240x3xf32>
    %146 = stablehlo.broadcast_in_dim %cst_0, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %148 = stablehlo.multiply %51, %147 : tensor<180x240x3xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.reduce(%148 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<180x240x3xf32>, tensor<f32>) -> tensor<180x240xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %152 = stablehlo.maximum %150, %151 : tensor<180x240x1xf32>
    %cst_45 = stablehlo.constant dense<6.500000e-01> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<180x240x3xf32>
    %154 = stablehlo.multiply %153, %145 : tensor<180x240x3xf32>
    %cst_46 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %156 = stablehlo.multiply %155, %152 : tensor<180x240x1xf32>
    %157 = stablehlo.multiply %152, %152 : tensor<180x240x1xf32>
    %158 = stablehlo.multiply %157, %157 : tensor<180x240x1xf32>
    %159 = stablehlo.multiply %158, %158 : tensor<180x240x1xf32>
    %160 = stablehlo.multiply %159, %159 : tensor<180x240x1xf32>
    %161 = stablehlo.multiply %160, %160 : tensor<180x240x1xf32>
    %162 = stablehlo.multiply %159, %161 : tensor<180x240x1xf32>
    %cst_47 = stablehlo.constant dense<6.000000e-01> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %164 = stablehlo.multiply %163, %162 : tensor<180x240x1xf32>
    %165 = stablehlo.add %156, %164 : tensor<180x240x1xf32>
    %166 = stablehlo.broadcast_in_dim %cst_3, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %167 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %168 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %169 = stablehlo.multiply %167, %168 : tensor<180x240x3xf32>
    %170 = stablehlo.add %154, %169 : tensor<180x240x3xf32>
    %171 = stablehlo.is_finite %40 : (tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %173 = stablehlo.slice %172 [1:2] : (tensor<3xf32>) -> tensor<1xf32>
    %cst_49 = stablehlo.constant dense<-8.500000e-01> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %175 = stablehlo.subtract %174, %173 : tensor<1xf32>
    %176 = stablehlo.slice %11 [0:180, 0:240, 1:2] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_50 = stablehlo.constant dense<-9.99999974E-5> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %178 = stablehlo.minimum %176, %177 : tensor<180x240x1xf32>
    %179 = stablehlo.broadcast_in_dim %175, dims = [2] : (tensor<1xf32>) -> tensor<1x1x1xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<180x240x1xf32>
    %181 = stablehlo.divide %180, %178 : tensor<180x240x1xf32>
    %182 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %183 = stablehlo.multiply %182, %11 : tensor<180x240x3xf32>
    %184 = stablehlo.broadcast_in_dim %172, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %185 = stablehlo.broadcast_in_dim %184, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %186 = stablehlo.add %185, %183 : tensor<180x240x3xf32>
    %187 = stablehlo.slice %186 [0:180, 0:240, 0:1] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_51 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %189 = stablehlo.multiply %187, %188 : tensor<180x240x1xf32>
    %190 = stablehlo.floor %189 : tensor<180x240x1xf32>
    %191 = stablehlo.slice %186 [0:180, 0:240, 2:3] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_52 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %193 = stablehlo.multiply %191, %192 : tensor<180x240x1xf32>
    %194 = stablehlo.floor %193 : tensor<180x240x1xf32>
    %195 = stablehlo.add %190, %194 : tensor<180x240x1xf32>
    %c_53 = stablehlo.constant dense<2> : tensor<i32>
    %196 = call @remainder(%195, %c_53) : (tensor<180x240x1xf32>, tensor<i32>) -> tensor<180x240x1xf32>
    %197 = stablehlo.broadcast_in_dim %cst_0, dims = [2] : (tensor<3xf32>) -> tensor<180x240x3xf32>
    %198 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %200 = stablehlo.subtract %186, %199 : tensor<180x240x3xf32>
    %201 = stablehlo.multiply %197, %200 : tensor<180x240x3xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %202 = stablehlo.reduce(%201 init: %cst_54) applies stablehlo.add across dimensions = [2] : (tensor<180x240x3xf32>, tensor<f32>) -> tensor<180x240xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %204 = stablehlo.multiply %203, %203 : tensor<180x240x1xf32>
    %205 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %207 = stablehlo.subtract %186, %206 : tensor<180x240x3xf32>
    %208 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %210 = stablehlo.subtract %186, %209 : tensor<180x240x3xf32>
    %211 = stablehlo.multiply %207, %210 : tensor<180x240x3xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %212 = stablehlo.reduce(%211 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<180x240x3xf32>, tensor<f32>) -> tensor<180x240xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %214 = stablehlo.subtract %204, %213 : tensor<180x240x1xf32>
    %cst_56 = stablehlo.constant dense<8.000000e-01> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %216 = stablehlo.add %214, %215 : tensor<180x240x1xf32>
    %217 = stablehlo.negate %203 : tensor<180x240x1xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %219 = stablehlo.maximum %216, %218 : tensor<180x240x1xf32>
    %220 = stablehlo.sqrt %219 : tensor<180x240x1xf32>
    %221 = stablehlo.subtract %217, %220 : tensor<180x240x1xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %223 = stablehlo.compare GT, %216, %222, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %cst_59 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %225 = stablehlo.compare GT, %221, %224, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %226 = stablehlo.and %223, %225 : tensor<180x240x1xi1>
    %cst_60 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %227 = call @_where(%226, %221, %cst_60) : (tensor<180x240x1xi1>, tensor<180x240x1xf32>, tensor<f32>) -> tensor<180x240x1xf32>
    %228 = stablehlo.is_finite %227 : (tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %cst_61 = stablehlo.constant dense<3.500000e-01> : tensor<f32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %229 = call @_where_2(%228, %cst_61, %cst_62) : (tensor<180x240x1xi1>, tensor<f32>, tensor<f32>) -> tensor<180x240x1xf32>
    %cst_63 = stablehlo.constant dense<6.500000e-01> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %231 = stablehlo.multiply %230, %196 : tensor<180x240x1xf32>
    %cst_64 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %233 = stablehlo.add %232, %231 : tensor<180x240x1xf32>
    %234 = stablehlo.convert %229 : tensor<180x240x1xf32>
    %235 = stablehlo.multiply %234, %233 : tensor<180x240x1xf32>
    %236 = stablehlo.broadcast_in_dim %cst_4, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %237 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %238 = stablehlo.broadcast_in_dim %236, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %239 = stablehlo.multiply %237, %238 : tensor<180x240x3xf32>
    %240 = stablehlo.slice %11 [0:180, 0:240, 1:2] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %242 = stablehlo.maximum %240, %241 : tensor<180x240x1xf32>
    %cst_66 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %244 = stablehlo.multiply %243, %242 : tensor<180x240x1xf32>
    %245 = stablehlo.broadcast_in_dim %cst_5, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<180x240x3xf32>
    %247 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %248 = stablehlo.add %246, %247 : tensor<180x240x3xf32>
    %cst_67 = stablehlo.constant dense<-7.000000e-02> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %250 = stablehlo.multiply %249, %181 : tensor<180x240x1xf32>
    %251 = stablehlo.exponential %250 : tensor<180x240x1xf32>
    %252 = stablehlo.slice %11 [0:180, 0:240, 1:2] : (tensor<180x240x3xf32>) -> tensor<180x240x1xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %254 = stablehlo.compare LT, %252, %253, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %255 = stablehlo.broadcast_in_dim %251, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %256 = stablehlo.multiply %255, %239 : tensor<180x240x3xf32>
    %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %258 = stablehlo.subtract %257, %251 : tensor<180x240x1xf32>
    %259 = stablehlo.broadcast_in_dim %258, dims = [0, 1, 2] : (tensor<180x240x1xf32>) -> tensor<180x240x3xf32>
    %260 = stablehlo.multiply %259, %248 : tensor<180x240x3xf32>
    %261 = stablehlo.add %256, %260 : tensor<180x240x3xf32>
    %262 = call @_where_3(%254, %261, %248) : (tensor<180x240x1xi1>, tensor<180x240x3xf32>, tensor<180x240x3xf32>) -> tensor<180x240x3xf32>
    %263 = call @_where_3(%171, %170, %262) : (tensor<180x240x1xi1>, tensor<180x240x3xf32>, tensor<180x240x3xf32>) -> tensor<180x240x3xf32>
    %c_70 = stablehlo.constant dense<0> : tensor<i32>
    %c_71 = stablehlo.constant dense<1> : tensor<i32>
    %264 = call @clip(%263, %c_70, %c_71) : (tensor<180x240x3xf32>, tensor<i32>, tensor<i32>) -> tensor<180x240x3xf32>
    %cst_72 = stablehlo.constant dense<2.550000e+02> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<180x240x3xf32>
    %266 = stablehlo.multiply %265, %264 : tensor<180x240x3xf32>
    %267 = stablehlo.convert %266 : (tensor<180x240x3xf32>) -> tensor<180x240x3xui8>
    return %267 : tensor<180x240x3xui8>
  }
  func.func private @_linspace(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<180xf32> {
    %0 = stablehlo.convert %arg0 : tensor<f32>
    %1 = stablehlo.convert %arg1 : tensor<f32>
    %2 = stablehlo.iota dim = 0 : tensor<179xf32>
    %cst = stablehlo.constant dense<1.790000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<179xf32>
    %4 = stablehlo.divide %2, %3 : tensor<179xf32>
    %5 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<179xf32>
    %7 = stablehlo.subtract %6, %4 : tensor<179xf32>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xf32>) -> tensor<179xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<179xf32>
    %10 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<1xf32>) -> tensor<179xf32>
    %12 = stablehlo.multiply %11, %4 : tensor<179xf32>
    %13 = stablehlo.add %9, %12 : tensor<179xf32>
    %14 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<179xf32>, tensor<1xf32>) -> tensor<180xf32>
    return %15 : tensor<180xf32>
  }
  func.func private @_linspace_0(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<240xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.iota dim = 0 : tensor<239xf32>
    %cst = stablehlo.constant dense<2.390000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<239xf32>
    %4 = stablehlo.divide %2, %3 : tensor<239xf32>
    %5 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<239xf32>
    %7 = stablehlo.subtract %6, %4 : tensor<239xf32>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xf32>) -> tensor<239xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<239xf32>
    %10 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<1xf32>) -> tensor<239xf32>
    %12 = stablehlo.multiply %11, %4 : tensor<239xf32>
    %13 = stablehlo.add %9, %12 : tensor<239xf32>
    %14 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<239xf32>, tensor<1xf32>) -> tensor<240xf32>
    return %15 : tensor<240xf32>
  }
  func.func private @norm(%arg0: tensor<180x240x3xf32>) -> tensor<180x240x1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<180x240x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<180x240x3xf32>, tensor<f32>) -> tensor<180x240xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<180x240xf32>) -> tensor<180x240x1xf32>
    %3 = stablehlo.sqrt %2 : tensor<180x240x1xf32>
    return %3 : tensor<180x240x1xf32>
  }
  func.func private @_where(%arg0: tensor<180x240x1xi1>, %arg1: tensor<180x240x1xf32>, %arg2: tensor<f32>) -> tensor<180x240x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<180x240x1xi1>, tensor<180x240x1xf32>
    return %2 : tensor<180x240x1xf32>
  }
  func.func private @_where_1(%arg0: tensor<180x240x1xi1>, %arg1: tensor<180x240x1xf32>, %arg2: tensor<i32>) -> tensor<180x240x1xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<180x240x1xi1>, tensor<180x240x1xf32>
    return %2 : tensor<180x240x1xf32>
  }
  func.func private @remainder(%arg0: tensor<180x240x1xf32>, %arg1: tensor<i32>) -> tensor<180x240x1xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %2 = stablehlo.remainder %arg0, %1 : tensor<180x240x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %4 = stablehlo.compare NE, %2, %3, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %6 = stablehlo.compare LT, %2, %5, FLOAT : (tensor<180x240x1xf32>, tensor<180x240x1xf32>) -> tensor<180x240x1xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.compare LT, %0, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i1>) -> tensor<180x240x1xi1>
    %9 = stablehlo.compare NE, %6, %8, UNSIGNED : (tensor<180x240x1xi1>, tensor<180x240x1xi1>) -> tensor<180x240x1xi1>
    %10 = stablehlo.and %9, %4 : tensor<180x240x1xi1>
    %11 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %12 = stablehlo.add %2, %11 : tensor<180x240x1xf32>
    %13 = stablehlo.select %10, %12, %2 : tensor<180x240x1xi1>, tensor<180x240x1xf32>
    return %13 : tensor<180x240x1xf32>
  }
  func.func private @_where_2(%arg0: tensor<180x240x1xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<180x240x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<180x240x1xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<180x240x1xi1>, tensor<180x240x1xf32>
    return %2 : tensor<180x240x1xf32>
  }
  func.func private @_where_3(%arg0: tensor<180x240x1xi1>, %arg1: tensor<180x240x3xf32>, %arg2: tensor<180x240x3xf32>) -> tensor<180x240x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<180x240x1xi1>) -> tensor<180x240x3xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<180x240x3xi1>, tensor<180x240x3xf32>
    return %1 : tensor<180x240x3xf32>
  }
  func.func private @clip(%arg0: tensor<180x240x3xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<180x240x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<180x240x3xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<180x240x3xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<180x240x3xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<180x240x3xf32>
    return %5 : tensor<180x240x3xf32>
  }
}
