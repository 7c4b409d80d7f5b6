// RUN: gaudi-opt %s --gaudi-compile="stop-after=graph" | FileCheck %s
// RUN: gaudi-run %s --entry dense --seed-inputs 1 --check
// RUN: gaudi-run %s --entry convolution --seed-inputs 1 --check

// CHECK-LABEL: @dense
// CHECK: gaudi.mme.gemm %arg0, %{{.*}} : tensor<64x32xbf16>, tensor<32x16xbf16> -> tensor<64x16xbf16>
func.func @dense(%x: tensor<64x32xbf16>, %w: tensor<32x16xf8E5M2>) -> tensor<64x16xbf16> {
  %0 = "stablehlo.convert"(%x) : (tensor<64x32xbf16>) -> tensor<64x32xf32>
  %1 = "stablehlo.convert"(%w) : (tensor<32x16xf8E5M2>) -> tensor<32x16xf32>
  %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %3 = "stablehlo.convert"(%2) : (tensor<64x16xf32>) -> tensor<64x16xbf16>
  return %3 : tensor<64x16xbf16>
}

// CHECK-LABEL: @convolution
// CHECK: gaudi.mme.conv {{.*}} : tensor<1x{{.*}}xbf16>, tensor<{{.*}}xbf16> -> tensor<1x{{.*}}xf32>
func.func @convolution(%x: tensor<1x8x8x4xbf16>, %w: tensor<3x3x4x8xbf16>) -> tensor<1x8x8x8xf32> {
  %0 = "stablehlo.convert"(%x) : (tensor<1x8x8x4xbf16>) -> tensor<1x8x8x4xf32>
  %1 = "stablehlo.convert"(%w) : (tensor<3x3x4x8xbf16>) -> tensor<3x3x4x8xf32>
  %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<2x2xi64>}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32>
  return %2 : tensor<1x8x8x8xf32>
}
