func.func @main() -> (tensor<2x2xi32>, tensor<3xf32>, tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<2xui8>, tensor<0x2xf32>, tensor<2xi64>, tensor<3xbf16>, tensor<2xf64>, tensor<2x1x2xi16>, tensor<3xi4>, tensor<2xf16>, tensor<4xf32>, tensor<2x2xf32>, tensor<ui64>, tensor<2xf8E4M3FN>, tensor<9xi1>, tensor<1xf32>, tensor<f32>) {
  %0 = stablehlo.constant dense<[[1, -2], [0x10, 4]]> : tensor<2x2xi32>
  %1 = stablehlo.constant dense<[1.5, 0x7FC00000, -3.3333333333e-5]> : tensor<3xf32>
  %2 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %3 = stablehlo.constant dense<[(1.0, -2.0), (0xFF800000, 3.5)]> : tensor<2xcomplex<f32>>
  %4 = stablehlo.constant dense<[255, 0]> : tensor<2xui8>
  %5 = stablehlo.constant dense<> : tensor<0x2xf32>
  %6 = stablehlo.constant dense<"0x0100000000000000FEFFFFFFFFFFFFFF"> : tensor<2xi64>
  %7 = stablehlo.constant dense<[1.0, 0x7F80, 3.0]> : tensor<3xbf16>
  %8 = "stablehlo.constant"() <{value = dense<[0.1, -0.0]> : tensor<2xf64>}> : () -> tensor<2xf64>
  %9 = stablehlo.constant {note} dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi16>
  %10 = stablehlo.constant dense<[-8, 7, 15]> : tensor<3xi4>
  %11 = stablehlo.constant dense<[65504.0, 1.0e-7]> : tensor<2xf16>
  %12 = stablehlo.constant dense<2.5> : tensor<4xf32>
  %13 = stablehlo.constant dense<"0x0000803F"> : tensor<2x2xf32>
  %14 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %15 = stablehlo.constant dense<[0.5, 448.0]> : tensor<2xf8E4M3FN>
  %16 = stablehlo.constant dense<"0x010000000000000001"> : tensor<9xi1>
  %17 = stablehlo.constant dense<7.0> : tensor<1xf32>
  %18 = stablehlo.constant dense<-1.0> : tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 : tensor<2x2xi32>, tensor<3xf32>, tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<2xui8>, tensor<0x2xf32>, tensor<2xi64>, tensor<3xbf16>, tensor<2xf64>, tensor<2x1x2xi16>, tensor<3xi4>, tensor<2xf16>, tensor<4xf32>, tensor<2x2xf32>, tensor<ui64>, tensor<2xf8E4M3FN>, tensor<9xi1>, tensor<1xf32>, tensor<f32>
}
