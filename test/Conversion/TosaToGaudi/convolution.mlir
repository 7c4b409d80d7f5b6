// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @conv2d(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x32x32x3xf32>, %[[ARG1:arg[0-9]+]]: tensor<8x3x5x3xf32>, %[[ARG2:arg[0-9]+]]: tensor<8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NHWC", "OHWI", "NHWC" strides [2, 1] dilations [2, 1] pad [1, 0], [2, 0] groups 1 : tensor<1x32x32x3xf32>, tensor<8x3x5x3xf32> -> tensor<1x16x28x8xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG2]] : tensor<8xf32> -> tensor<1x1x1x8xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.add %[[V0]], %[[V1]] : tensor<1x16x28x8xf32>, tensor<1x1x1x8xf32> -> tensor<1x16x28x8xf32>
// CHECK:   return %[[V2]] : tensor<1x16x28x8xf32>
func.func @conv2d(%x: tensor<1x32x32x3xf32>, %w: tensor<8x3x5x3xf32>, %b: tensor<8xf32>) -> tensor<1x16x28x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 2, 1>, pad = array<i64: 1, 2, 0, 0>, stride = array<i64: 2, 1>} : (tensor<1x32x32x3xf32>, tensor<8x3x5x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x28x8xf32>
  return %0 : tensor<1x16x28x8xf32>
}

// -----

// A bias of zeros is not added; one of a single number is repeated.
// CHECK-LABEL: func.func @bias(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x3xbf16>, %[[ARG1:arg[0-9]+]]: tensor<8x1x1x3xbf16>, %[[ARG2:arg[0-9]+]]: tensor<1xbf16>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x3xbf16>, tensor<8x1x1x3xbf16> -> tensor<1x4x4x8xbf16>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x3xbf16>, tensor<8x1x1x3xbf16> -> tensor<1x4x4x8xbf16>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[ARG2]] : tensor<1xbf16> -> tensor<1x1x1x1xbf16>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.add %[[V1]], %[[V2]] : tensor<1x4x4x8xbf16>, tensor<1x1x1x1xbf16> -> tensor<1x4x4x8xbf16>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.tpc.add %[[V0]], %[[V3]] : tensor<1x4x4x8xbf16>, tensor<1x4x4x8xbf16> -> tensor<1x4x4x8xbf16>
// CHECK:   return %[[V4]] : tensor<1x4x4x8xbf16>
func.func @bias(%x: tensor<1x4x4x3xbf16>, %w: tensor<8x1x1x3xbf16>, %one: tensor<1xbf16>) -> tensor<1x4x4x8xbf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<8xbf16>}> : () -> tensor<8xbf16>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xbf16>, tensor<8x1x1x3xbf16>, tensor<8xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x4x4x8xbf16>
  %1 = tosa.conv2d %x, %w, %one, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xbf16>, tensor<8x1x1x3xbf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x4x4x8xbf16>
  %2 = tosa.add %0, %1 : (tensor<1x4x4x8xbf16>, tensor<1x4x4x8xbf16>) -> tensor<1x4x4x8xbf16>
  return %2 : tensor<1x4x4x8xbf16>
}

// -----

// CHECK-LABEL: func.func @conv3d(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x6x8x8x3xf32>, %[[ARG1:arg[0-9]+]]: tensor<4x3x3x3x3xf32>, %[[ARG2:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NDHWC", "ODHWI", "NDHWC" strides [1, 1, 1] dilations [1, 1, 1] pad [0, 1, 1], [0, 1, 1] groups 1 : tensor<1x6x8x8x3xf32>, tensor<4x3x3x3x3xf32> -> tensor<1x4x8x8x4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG2]] : tensor<4xf32> -> tensor<1x1x1x1x4xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.add %[[V0]], %[[V1]] : tensor<1x4x8x8x4xf32>, tensor<1x1x1x1x4xf32> -> tensor<1x4x8x8x4xf32>
// CHECK:   return %[[V2]] : tensor<1x4x8x8x4xf32>
func.func @conv3d(%x: tensor<1x6x8x8x3xf32>, %w: tensor<4x3x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x8x8x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 1, 1, 1, 1>, stride = array<i64: 1, 1, 1>} : (tensor<1x6x8x8x3xf32>, tensor<4x3x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x8x8x4xf32>
  return %0 : tensor<1x4x8x8x4xf32>
}

// -----

// Output channel c * M + m reads input channel c: one group per channel.
// CHECK-LABEL: func.func @depthwise(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x8x8x4xf32>, %[[ARG1:arg[0-9]+]]: tensor<3x3x4x2xf32>, %[[ARG2:arg[0-9]+]]: tensor<8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<3x3x4x2xf32> -> tensor<3x3x1x8xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[V0]] layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 4 : tensor<1x8x8x4xf32>, tensor<3x3x1x8xf32> -> tensor<1x8x8x8xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[ARG2]] : tensor<8xf32> -> tensor<1x1x1x8xf32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.add %[[V1]], %[[V2]] : tensor<1x8x8x8xf32>, tensor<1x1x1x8xf32> -> tensor<1x8x8x8xf32>
// CHECK:   return %[[V3]] : tensor<1x8x8x8xf32>
func.func @depthwise(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x2xf32>, %b: tensor<8xf32>) -> tensor<1x8x8x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x8xf32>
  return %0 : tensor<1x8x8x8xf32>
}

// -----

// A transposed convolution is the gradient of one that pads by -out_pad: a
// positive out_pad leaves rows that no input reaches.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x3xf32>, %[[ARG1:arg[0-9]+]]: tensor<8x3x3x3xf32>, %[[ARG2:arg[0-9]+]]: tensor<8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv_input_grad %[[ARG0]], %[[ARG1]] layout "NHWC", "IHWO", "NHWC" strides [2, 2] dilations [1, 1] pad [0, 1], [-1, 0] groups 1 : tensor<1x4x4x3xf32>, tensor<8x3x3x3xf32> -> tensor<1x10x8x8xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG2]] : tensor<8xf32> -> tensor<1x1x1x8xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.add %[[V0]], %[[V1]] : tensor<1x10x8x8xf32>, tensor<1x1x1x8xf32> -> tensor<1x10x8x8xf32>
// CHECK:   return %[[V2]] : tensor<1x10x8x8xf32>
func.func @transposed(%x: tensor<1x4x4x3xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>) -> tensor<1x10x8x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 1, -1, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x3xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x8x8xf32>
  return %0 : tensor<1x10x8x8xf32>
}

// -----

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x4x8xbf16>, %[[ARG1:arg[0-9]+]]: tensor<2x8x16xbf16>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.gemm %[[ARG0]], %[[ARG1]] : tensor<2x4x8xbf16>, tensor<2x8x16xbf16> -> tensor<2x4x16xf32>
// CHECK:   return %[[V0]] : tensor<2x4x16xf32>
func.func @matmul(%a: tensor<2x4x8xbf16>, %b: tensor<2x8x16xbf16>) -> tensor<2x4x16xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<2x4x8xbf16>, tensor<2x8x16xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x4x16xf32>
  return %0 : tensor<2x4x16xf32>
}

// -----

// CHECK-LABEL: func.func @fp8(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x3xf8E4M3FN>, %[[ARG1:arg[0-9]+]]: tensor<8x1x1x3xf8E4M3FN>, %[[ARG2:arg[0-9]+]]: tensor<8xf16>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x3xf8E4M3FN>, tensor<8x1x1x3xf8E4M3FN> -> tensor<1x4x4x8xf16>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG2]] : tensor<8xf16> -> tensor<1x1x1x8xf16>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.add %[[V0]], %[[V1]] : tensor<1x4x4x8xf16>, tensor<1x1x1x8xf16> -> tensor<1x4x4x8xf16>
// CHECK:   return %[[V2]] : tensor<1x4x4x8xf16>
func.func @fp8(%x: tensor<1x4x4x3xf8E4M3FN>, %w: tensor<8x1x1x3xf8E4M3FN>, %b: tensor<8xf16>) -> tensor<1x4x4x8xf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf8E4M3FN>}> : () -> tensor<1xf8E4M3FN>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f16, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xf8E4M3FN>, tensor<8x1x1x3xf8E4M3FN>, tensor<8xf16>, tensor<1xf8E4M3FN>, tensor<1xf8E4M3FN>) -> tensor<1x4x4x8xf16>
  return %0 : tensor<1x4x4x8xf16>
}
