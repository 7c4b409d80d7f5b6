// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @nhwc(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x6x6x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x3x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32> -> tensor<1x4x4x8xf32>
// CHECK:   return %[[V0]] : tensor<1x4x4x8xf32>
func.func @nhwc(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @nchw(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x6x6xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<8x4x3x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NCHW", "OIHW", "NCHW" strides [2, 2] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32> -> tensor<1x8x3x3xf32>
// CHECK:   return %[[V0]] : tensor<1x8x3x3xf32>
func.func @nchw(%x: tensor<1x4x6x6xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x3x3xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, window_strides = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>}> : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x3x3xf32>
  return %r : tensor<1x8x3x3xf32>
}

// -----

// As MHLO and the printer of unusual numbers write them.
// CHECK-LABEL: func.func @raw(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x6x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1 : tensor<1x6x4xf32>, tensor<3x4x8xf32> -> tensor<1x4x8xf32>
// CHECK:   return %[[V0]] : tensor<1x4x8xf32>
func.func @raw(%x: tensor<1x6x4xf32>, %w: tensor<3x4x8xf32>) -> tensor<1x4x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>}> : (tensor<1x6x4xf32>, tensor<3x4x8xf32>) -> tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @volume(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x5x6x2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x2x2x2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NDHWC", "DHWIO", "NDHWC" strides [1, 1, 1] dilations [1, 1, 1] pad [0, 0, 0], [0, 0, 0] groups 1 : tensor<1x4x5x6x2xf32>, tensor<2x2x2x2x3xf32> -> tensor<1x3x4x5x3xf32>
// CHECK:   return %[[V0]] : tensor<1x3x4x5x3xf32>
func.func @volume(%x: tensor<1x4x5x6x2xf32>, %w: tensor<2x2x2x2x3xf32>) -> tensor<1x3x4x5x3xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]>}> : (tensor<1x4x5x6x2xf32>, tensor<2x2x2x2x3xf32>) -> tensor<1x3x4x5x3xf32>
  return %r : tensor<1x3x4x5x3xf32>
}

// -----

// CHECK-LABEL: func.func @groups(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x6x6x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x3x2x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 2 : tensor<1x6x6x4xf32>, tensor<3x3x2x8xf32> -> tensor<1x4x4x8xf32>
// CHECK:   return %[[V0]] : tensor<1x4x4x8xf32>
func.func @groups(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x2x8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64}> : (tensor<1x6x6x4xf32>, tensor<3x3x2x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @dilated_filter(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x7x7x4xbf16>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x3x4x8xbf16>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [2, 2] pad [0, 0], [0, 0] groups 1 : tensor<1x7x7x4xbf16>, tensor<3x3x4x8xbf16> -> tensor<1x3x3x8xf32>
// CHECK:   return %[[V0]] : tensor<1x3x3x8xf32>
func.func @dilated_filter(%x: tensor<1x7x7x4xbf16>, %w: tensor<3x3x4x8xbf16>) -> tensor<1x3x3x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, rhs_dilation = array<i64: 2, 2>}> : (tensor<1x7x7x4xbf16>, tensor<3x3x4x8xbf16>) -> tensor<1x3x3x8xf32>
  return %r : tensor<1x3x3x8xf32>
}

// -----

// Cut off before the convolution.
// CHECK-LABEL: func.func @negative_padding(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x8x6x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x3x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.slice %[[ARG0]] offsets [0, 1, 0, 0] strides [1, 1, 1, 1] : tensor<1x8x6x4xf32> -> tensor<1x7x6x4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.mme.conv %[[V0]], %[[ARG1]] layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 1] groups 1 : tensor<1x7x6x4xf32>, tensor<3x3x4x8xf32> -> tensor<1x5x5x8xf32>
// CHECK:   return %[[V1]] : tensor<1x5x5x8xf32>
func.func @negative_padding(%x: tensor<1x8x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x5x5x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<[[-1, 0], [0, 1]]> : tensor<2x2xi64>}> : (tensor<1x8x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x5x5x8xf32>
  return %r : tensor<1x5x5x8xf32>
}

// -----

// CHECK-LABEL: func.func @nothing_left(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x2x6x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<1x1x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<1x1x6x8xf32>
// CHECK:   return %[[V0]] : tensor<1x1x6x8xf32>
func.func @nothing_left(%x: tensor<1x2x6x4xf32>, %w: tensor<1x1x4x8xf32>) -> tensor<1x1x6x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<[[-2, 1], [0, 0]]> : tensor<2x2xi64>}> : (tensor<1x2x6x4xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x6x8xf32>
  return %r : tensor<1x1x6x8xf32>
}

// -----

// Groups of the batch become groups of features.
// CHECK-LABEL: func.func @batch_groups(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x6x6x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x3x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv_weight_grad %[[ARG0]], %[[ARG1]] layout "CHWN", "HWNC", "IHWO" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 2 : tensor<2x6x6x4xf32>, tensor<3x3x4x8xf32> -> tensor<1x4x4x8xf32>
// CHECK:   return %[[V0]] : tensor<1x4x4x8xf32>
func.func @batch_groups(%x: tensor<2x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 2 : i64}> : (tensor<2x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

// The gradient of @nhwc for its input, as a reversed window: the transposed form,
// whose padding is that of the forward convolution, and no gaudi.tpc.reverse.
// CHECK-LABEL: func.func @input_gradient(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x8xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x3x8x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv_input_grad %[[ARG0]], %[[ARG1]] layout "NHWC", "HWOI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x8xf32>, tensor<3x3x8x4xf32> -> tensor<1x6x6x4xf32>
// CHECK:   return %[[V0]] : tensor<1x6x6x4xf32>
func.func @input_gradient(%x: tensor<1x4x4x8xf32>, %w: tensor<3x3x8x4xf32>) -> tensor<1x6x6x4xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<2> : tensor<2x2xi64>, window_reversal = array<i1: true, true>}> : (tensor<1x4x4x8xf32>, tensor<3x3x8x4xf32>) -> tensor<1x6x6x4xf32>
  return %r : tensor<1x6x6x4xf32>
}

// -----

// The same as JAX writes it, with a reversed filter.
// CHECK-LABEL: func.func @input_gradient_reverse(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x8xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x3x8x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.reverse %[[ARG1]] dims [0, 1] : tensor<3x3x8x4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.mme.conv_input_grad %[[ARG0]], %[[ARG1]] layout "NHWC", "HWOI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x8xf32>, tensor<3x3x8x4xf32> -> tensor<1x6x6x4xf32>
// CHECK:   return %[[V1]] : tensor<1x6x6x4xf32>
func.func @input_gradient_reverse(%x: tensor<1x4x4x8xf32>, %w: tensor<3x3x8x4xf32>) -> tensor<1x6x6x4xf32> {
  %v = "stablehlo.reverse"(%w) <{dimensions = array<i64: 0, 1>}> : (tensor<3x3x8x4xf32>) -> tensor<3x3x8x4xf32>
  %r = "stablehlo.convolution"(%x, %v) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<2> : tensor<2x2xi64>}> : (tensor<1x4x4x8xf32>, tensor<3x3x8x4xf32>) -> tensor<1x6x6x4xf32>
  return %r : tensor<1x6x6x4xf32>
}

// -----

// A dilated input is the stride of the transposed form.
// CHECK-LABEL: func.func @strided_input_gradient(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x3x3x8xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x3x8x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv_input_grad %[[ARG0]], %[[ARG1]] layout "NHWC", "HWOI", "NHWC" strides [2, 2] dilations [1, 1] pad [1, 1], [0, 0] groups 1 : tensor<1x3x3x8xf32>, tensor<3x3x8x4xf32> -> tensor<1x6x6x4xf32>
// CHECK:   return %[[V0]] : tensor<1x6x6x4xf32>
func.func @strided_input_gradient(%x: tensor<1x3x3x8xf32>, %w: tensor<3x3x8x4xf32>) -> tensor<1x6x6x4xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<[[1, 2], [1, 2]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: true, true>}> : (tensor<1x3x3x8xf32>, tensor<3x3x8x4xf32>) -> tensor<1x6x6x4xf32>
  return %r : tensor<1x6x6x4xf32>
}

// -----

// CHECK-LABEL: func.func @grouped_input_gradient(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x8xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x3x4x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<3x3x4x4xf32> -> tensor<3x3x4x2x2xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.transpose %[[V0]] permutation [0, 1, 3, 2, 4] : tensor<3x3x4x2x2xf32> -> tensor<3x3x2x4x2xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[V1]] : tensor<3x3x2x4x2xf32> -> tensor<3x3x8x2xf32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.mme.conv_input_grad %[[ARG0]], %[[V2]] layout "NHWC", "HWOI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 2 : tensor<1x4x4x8xf32>, tensor<3x3x8x2xf32> -> tensor<1x6x6x4xf32>
// CHECK:   return %[[V3]] : tensor<1x6x6x4xf32>
func.func @grouped_input_gradient(%x: tensor<1x4x4x8xf32>, %w: tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<2> : tensor<2x2xi64>, window_reversal = array<i1: true, true>, feature_group_count = 2 : i64}> : (tensor<1x4x4x8xf32>, tensor<3x3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return %r : tensor<1x6x6x4xf32>
}

// -----

// The gradient of @nhwc for its filter: the batch is contracted.
// CHECK-LABEL: func.func @weight_gradient(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x6x6x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x4x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv_weight_grad %[[ARG0]], %[[ARG1]] layout "NHWC", "NHWC", "HWIO" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<2x6x6x4xf32>, tensor<2x4x4x8xf32> -> tensor<3x3x4x8xf32>
// CHECK:   return %[[V0]] : tensor<3x3x4x8xf32>
func.func @weight_gradient(%x: tensor<2x6x6x4xf32>, %w: tensor<2x4x4x8xf32>) -> tensor<3x3x4x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>}> : (tensor<2x6x6x4xf32>, tensor<2x4x4x8xf32>) -> tensor<3x3x4x8xf32>
  return %r : tensor<3x3x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @strided_weight_gradient(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x7x7x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x3x3x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv_weight_grad %[[ARG0]], %[[ARG1]] layout "NHWC", "NHWC", "HWIO" strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<2x7x7x4xf32>, tensor<2x3x3x8xf32> -> tensor<3x3x4x8xf32>
// CHECK:   return %[[V0]] : tensor<3x3x4x8xf32>
func.func @strided_weight_gradient(%x: tensor<2x7x7x4xf32>, %w: tensor<2x3x3x8xf32>) -> tensor<3x3x4x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, rhs_dilation = array<i64: 2, 2>}> : (tensor<2x7x7x4xf32>, tensor<2x3x3x8xf32>) -> tensor<3x3x4x8xf32>
  return %r : tensor<3x3x4x8xf32>
}

// -----

// Padding beyond what windows reach is a forward convolution of less than its input.
// CHECK-LABEL: func.func @wide_padding(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x3x3x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x2x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.reverse %[[ARG1]] dims [0, 1] : tensor<2x2x4x8xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.mme.conv_input_grad %[[ARG0]], %[[V0]] layout "NHWC", "HWOI", "NHWC" strides [2, 2] dilations [1, 1] pad [-1, -1], [-1, -1] groups 1 : tensor<1x3x3x4xf32>, tensor<2x2x4x8xf32> -> tensor<1x8x8x8xf32>
// CHECK:   return %[[V1]] : tensor<1x8x8x8xf32>
func.func @wide_padding(%x: tensor<1x3x3x4xf32>, %w: tensor<2x2x4x8xf32>) -> tensor<1x8x8x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<[[2, 2], [2, 2]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 2, 2>, window_strides = array<i64: 1, 1>}> : (tensor<1x3x3x4xf32>, tensor<2x2x4x8xf32>) -> tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}

// -----

// CHECK-LABEL: func.func @dilated_and_strided(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x3x3x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x2x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.fill 0.000000e+00 : f32 : tensor<1x5x5x4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.insert_slice %[[ARG0]] into %[[V0]] offsets [0, 0, 0, 0] strides [1, 2, 2, 1] : tensor<1x3x3x4xf32> into tensor<1x5x5x4xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.mme.conv %[[V1]], %[[ARG1]] layout "NHWC", "HWIO", "NHWC" strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x5x5x4xf32>, tensor<2x2x4x8xf32> -> tensor<1x2x2x8xf32>
// CHECK:   return %[[V2]] : tensor<1x2x2x8xf32>
func.func @dilated_and_strided(%x: tensor<1x3x3x4xf32>, %w: tensor<2x2x4x8xf32>) -> tensor<1x2x2x8xf32> {
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, lhs_dilation = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> : (tensor<1x3x3x4xf32>, tensor<2x2x4x8xf32>) -> tensor<1x2x2x8xf32>
  return %r : tensor<1x2x2x8xf32>
}
