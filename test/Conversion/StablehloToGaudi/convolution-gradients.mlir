// Convolutions that differentiate one: no transpose, reversal or padding of an
// activation beside them.
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -canonicalize | FileCheck %s
// RUN: gaudi-run --check --seed-inputs=2 %s | FileCheck %s --check-prefix=VALUES
// VALUES-COUNT-6: matches the reference

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:arg[0-9]+]]: tensor<2x9x8x3xf32>, %[[DY:arg[0-9]+]]: tensor<2x4x4x6xf32>, %[[W:arg[0-9]+]]: tensor<3x3x3x6xf32>, %[[G:arg[0-9]+]]: tensor<2x9x8x4xf32>, %[[DG:arg[0-9]+]]: tensor<2x7x6x8xf32>
func.func @main(%x: tensor<2x9x8x3xf32>, %dy: tensor<2x4x4x6xf32>, %w: tensor<3x3x3x6xf32>,
                %g: tensor<2x9x8x4xf32>, %dg: tensor<2x7x6x8xf32>, %t: tensor<2x5x7x3xf32>)
    -> (tensor<2x9x8x3xf32>, tensor<3x3x3x6xf32>, tensor<3x3x2x8xf32>, tensor<3x6x6x5xf32>,
        tensor<2x10x7x3xf32>, tensor<2x7x6x8xf32>) {
  // As JAX writes the gradients of a convolution with strides of 2 and padding
  // (0, 0), (1, 0): the last row of the input has no window.
  // CHECK: gaudi.mme.conv_input_grad %[[DY]], %[[W]] layout "NHWC", "HWIO", "NHWC" strides [2, 2] dilations [1, 1] pad [0, 1], [0, 0] groups 1
  %0 = "stablehlo.convolution"(%dy, %w) <{window_strides = array<i64: 1, 1>, padding = dense<[[2, 2], [1, 2]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 2, 2>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true, true>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : (tensor<2x4x4x6xf32>, tensor<3x3x3x6xf32>) -> tensor<2x9x8x3xf32>
  // CHECK: gaudi.mme.conv_weight_grad %[[X]], %[[DY]] layout "NHWC", "NHWC", "HWIO" strides [2, 2] dilations [1, 1] pad [0, 1], [0, 0] groups 1
  %1 = "stablehlo.convolution"(%x, %dy) <{window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 2, 2>, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : (tensor<2x9x8x3xf32>, tensor<2x4x4x6xf32>) -> tensor<3x3x3x6xf32>
  // Groups of features become groups of batches in the gradient of the filter.
  // CHECK: gaudi.mme.conv_weight_grad %[[G]], %[[DG]] layout "NHWC", "NHWC", "HWIO" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 2
  %2 = "stablehlo.convolution"(%g, %dg) <{window_strides = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, batch_group_count = 2 : i64, feature_group_count = 1 : i64}> : (tensor<2x9x8x4xf32>, tensor<2x7x6x8xf32>) -> tensor<3x3x2x8xf32>
  // Transposed activations, as if they were those of a forward convolution; a
  // negative padding crops.
  // CHECK: gaudi.mme.conv_weight_grad %[[X]], %[[DY]] layout "NHWC", "NHWC", "IOHW" strides [1, 1] dilations [1, 1] pad [-1, 0], [1, 0] groups 1
  %tx = "stablehlo.transpose"(%x) <{permutation = array<i64: 3, 0, 1, 2>}> : (tensor<2x9x8x3xf32>) -> tensor<3x2x9x8xf32>
  %tdy = "stablehlo.transpose"(%dy) <{permutation = array<i64: 3, 0, 1, 2>}> : (tensor<2x4x4x6xf32>) -> tensor<6x2x4x4xf32>
  %3 = "stablehlo.convolution"(%tx, %tdy) <{window_strides = array<i64: 1, 1>, padding = dense<[[-1, 1], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : (tensor<3x2x9x8xf32>, tensor<6x2x4x4xf32>) -> tensor<3x6x6x5xf32>
  // A reversed filter; more padding than the filter reaches over.
  // CHECK: gaudi.mme.conv_input_grad %{{.*}} strides [1, 1] dilations [1, 1] pad [-1, 1], [0, 1] groups 1
  %r = "stablehlo.slice"(%w) <{start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 3, 3, 3, 3>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<3x3x3x6xf32>) -> tensor<3x3x3x3xf32>
  %4 = "stablehlo.convolution"(%t, %r) <{window_strides = array<i64: 1, 1>, padding = dense<[[3, 2], [1, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true, true>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : (tensor<2x5x7x3xf32>, tensor<3x3x3x3xf32>) -> tensor<2x8x7x3xf32>
  %p = "stablehlo.concatenate"(%4, %4) <{dimension = 1 : i64}> : (tensor<2x8x7x3xf32>, tensor<2x8x7x3xf32>) -> tensor<2x16x7x3xf32>
  %q = "stablehlo.slice"(%p) <{start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 10, 7, 3>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x16x7x3xf32>) -> tensor<2x10x7x3xf32>
  // Neither: a forward convolution.
  // CHECK: gaudi.mme.conv %[[G]]
  %v = "stablehlo.slice"(%dg) <{start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 3, 8>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x7x6x8xf32>) -> tensor<2x3x3x8xf32>
  %5 = "stablehlo.convolution"(%g, %v) <{window_strides = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[i, 0, 1, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 2 : i64}> : (tensor<2x9x8x4xf32>, tensor<2x3x3x8xf32>) -> tensor<2x7x6x8xf32>
  return %0, %1, %2, %3, %q, %5
    : tensor<2x9x8x3xf32>, tensor<3x3x3x6xf32>, tensor<3x3x2x8xf32>, tensor<3x6x6x5xf32>, tensor<2x10x7x3xf32>, tensor<2x7x6x8xf32>
}
