// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @pair_count(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error @below {{cannot convert stablehlo.dot_general: it names 1 contracting dimensions of the left and 0 of the right operand}}
  %r = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// expected-note @below {{the right operand}}
func.func @pair_size(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot convert stablehlo.dot_general: contracting dimension 1 of the left operand has size 3 but dimension 0 of the right one has size 2}}
  %r = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// expected-note @below {{the right operand}}
func.func @batch_size(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.dot_general: batching dimension 0 of the left operand has size 2 but dimension 0 of the right one has size 4}}
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @dim_outside(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error @below {{cannot convert stablehlo.dot_general: attribute 'lhs_contracting_dimensions' has entry 2; expected distinct dimensions of a tensor of rank 2}}
  %r = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

func.func @both(%x: tensor<2x3xf32>) -> tensor<3x3xf32> {
  // expected-error @below {{cannot convert stablehlo.dot_general: dimension 0 is both batching and contracting}}
  %r = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @result_shape(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot convert stablehlo.dot_general: the result must have type 'tensor<2x2xf32>'}}
  %r = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @mixed(%x: tensor<2x3xf32>, %y: tensor<2x3xi32>) -> tensor<2x2xf32> {
  // expected-error @below {{cannot convert stablehlo.dot_general: a product of 'f32' and 'i32' to 'f32' runs on no engine; all must be floats or all integers}}
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

func.func @bools(%x: tensor<2x3xi1>) -> tensor<2x2xi1> {
  // expected-error @below {{cannot convert stablehlo.dot_general: a product of 'i1' and 'i1' to 'i1' runs on no engine; all must be floats or all integers}}
  %r = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x2xi1>
  return %r : tensor<2x2xi1>
}

// -----

func.func @dot_rank(%x: tensor<2x3x1xf32>) -> tensor<2x2xf32> {
  // expected-error @below {{cannot convert stablehlo.dot: expected operands of rank 1 or 2}}
  %r = "stablehlo.dot"(%x, %x) : (tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

func.func @dot_scalar(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.dot: expected operands of rank 1 or 2}}
  %r = "stablehlo.dot"(%x, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @conv_integer(%x: tensor<1x6x6x4xi8>, %w: tensor<3x3x5x8xi8>) -> tensor<1x4x4x8xi32> {
  // expected-error @below {{cannot convert stablehlo.convolution: batch and features of operands and result do not agree}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : (tensor<1x6x6x4xi8>, tensor<3x3x5x8xi8>) -> tensor<1x4x4x8xi32>
  return %r : tensor<1x4x4x8xi32>
}

// -----

func.func @conv_mixed(%x: tensor<1x6x6x4xi8>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: operands and result must be all floats or all integers}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : (tensor<1x6x6x4xi8>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_rank(%x: tensor<6x4xf32>, %w: tensor<3x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: operands and result must have one rank of 3, 4 or 5}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : (tensor<6x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @conv_ranks(%x: tensor<1x6x6x4xf32>, %w: tensor<3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: operands and result must have one rank of 3, 4 or 5}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : (tensor<1x6x6x4xf32>, tensor<3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_no_numbers(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: attribute 'dimension_numbers' is missing or has no fields}}
  %r = "stablehlo.convolution"(%x, %w) : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_spatial_rank(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: 'dimension_numbers' must name each of the 4 dimensions of the input once}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_dim_twice(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: 'dimension_numbers' must name each of the 4 dimensions of the input once}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_dim_missing(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: attribute 'input_batch_dimension' is missing}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<raw input_feature_dimension = 0>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_stride(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: strides and dilations must be 1 or more but one is 0}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 0, 1>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_stride_count(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: attribute 'window_strides' has 1 entries; expected 2}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_dilation(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: strides and dilations must be 1 or more but one is 4294967296}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, rhs_dilation = array<i64: 1, 4294967296>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_padding(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: padding 9223372036854775807 is too large}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<[[9223372036854775807, 0], [0, 0]]> : tensor<2x2xi64>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_padding_lowest(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: padding -9223372036854775808 is too large}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<[[-9223372036854775808, 0], [0, 0]]> : tensor<2x2xi64>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_padding_count(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: attribute 'padding' has 2 entries; expected 4}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_reversal(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: attribute 'window_reversal' must have one boolean per spatial dimension}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_reversal = array<i1: true>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_reversal_type(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: attribute 'window_reversal' must have one boolean per spatial dimension}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_reversal = array<i64: 1, 1>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_group_kinds(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: it groups both features and batches}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_groups(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: the groups must divide the batch or the features of the input, and the output features}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_no_groups(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: attribute 'feature_group_count' must be one number from 1 to 2147483646}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_batch_groups(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: the groups must divide the batch or the features of the input, and the output features}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 2 : i64}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

// expected-note @below {{filter defined here}}
func.func @conv_channels(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{'gaudi.mme.conv' op filter has O = 8 and I = 3; expected O = 8 and I = 4 for 1 groups}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : (tensor<1x6x6x4xf32>, tensor<3x3x3x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// -----

func.func @conv_result(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x5x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: dimension 1 has 5 window positions; expected 4}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x5x4x8xf32>
  return %r : tensor<1x5x4x8xf32>
}

// -----

func.func @conv_wide_window(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: dimension 1 has 4 window positions; expected 6}}
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, rhs_dilation = array<i64: 2147483647, 2147483647>, padding = dense<[[2147483647, 2147483647], [2147483647, 2147483647]]> : tensor<2x2xi64>}> : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}
