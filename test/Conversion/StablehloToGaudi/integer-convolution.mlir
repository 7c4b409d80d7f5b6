// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --check --print=64 --entry=grouped "--input=1x4x4xi8=100 -3 5 7 1 2 3 4 -100 6 7 8 9 10 -11 12" "--input=3x2x4xi8=1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 -100 -2 -3 -4 5 100 7 8" | FileCheck %s --check-prefix=GROUPED
// RUN: gaudi-run %s --check --print=64 --entry=dilated "--input=1x3x1xi32=1 -2 3" "--input=2x1x2xi32=5 7 11 13" | FileCheck %s --check-prefix=DILATED
// RUN: gaudi-run %s --check --print=64 --entry=batches "--input=2x3x1xi16=1 2 3 30000 5 6" "--input=2x1x2xi16=1 2 3 4" | FileCheck %s --check-prefix=BATCHES
// The expected values are those of JAX.

// CHECK-LABEL: @grouped
// GROUPED: output 'out0': 1x3x4xi32 = [771, 1156, 179, 192, 10150, 1020, 192, 212, -1661, 80, 351, 396]
func.func @grouped(%x: tensor<1x4x4xi8>, %w: tensor<3x2x4xi8>) -> tensor<1x3x4xi32> {
  %0 = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, rhs_dilation = array<i64: 1>}> : (tensor<1x4x4xi8>, tensor<3x2x4xi8>) -> tensor<1x3x4xi32>
  return %0 : tensor<1x3x4xi32>
}

// A dilated input, a reversed filter, and padding that cuts off.
// CHECK-LABEL: @dilated
// DILATED: output 'out0': 1x4x2xi32 = [-10, -14, -22, -26, 15, 21, 33, 39]
func.func @dilated(%x: tensor<1x3x1xi32>, %w: tensor<2x1x2xi32>) -> tensor<1x4x2xi32> {
  %0 = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>, padding = dense<[[-1, 1]]> : tensor<1x2xi64>, lhs_dilation = array<i64: 2>, window_reversal = array<i1: true>}> : (tensor<1x3x1xi32>, tensor<2x1x2xi32>) -> tensor<1x4x2xi32>
  return %0 : tensor<1x4x2xi32>
}

// CHECK-LABEL: @batches
// BATCHES: output 'out0': 1x2x2xi16 = [7, -5516, 11, 34]
func.func @batches(%x: tensor<2x3x1xi16>, %w: tensor<2x1x2xi16>) -> tensor<1x2x2xi16> {
  %0 = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64}> : (tensor<2x3x1xi16>, tensor<2x1x2xi16>) -> tensor<1x2x2xi16>
  return %0 : tensor<1x2x2xi16>
}
