// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// Convolutions of every layout become gaudi.mme.conv; integer ones a kernel.


// CHECK-LABEL: func.func @nhwc_hwcf(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x9x9x3xf32>, %[[A1:[a-z0-9_]+]]: tensor<3x3x3x8xf32>, %[[A2:[a-z0-9_]+]]: tensor<1x4x4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.mme.conv %[[A0]], %[[A1]] layout "NHWC", "HWIO", "NHWC" strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x9x9x3xf32>, tensor<3x3x3x8xf32> -> tensor<1x4x4x8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.add %[[V0]], %[[A2]] : tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32> -> tensor<1x4x4x8xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x4x4x8xf32>
func.func @nhwc_hwcf(%x: tensor<1x9x9x3xf32>, %w: tensor<3x3x3x8xf32>, %y: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<1x9x9x3xf32>, tensor<3x3x3x8xf32>) outs(%y : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @from_zero(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x3x9x9xbf16>, %[[A1:[a-z0-9_]+]]: tensor<8x3x3x3xbf16>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.mme.conv %[[A0]], %[[A1]] layout "NCHW", "OIHW", "NCHW" strides [1, 1] dilations [2, 2] pad [0, 0], [0, 0] groups 1 : tensor<1x3x9x9xbf16>, tensor<8x3x3x3xbf16> -> tensor<1x8x5x5xbf16>
// CHECK-NEXT: return %[[V0]] : tensor<1x8x5x5xbf16>
func.func @from_zero(%x: tensor<1x3x9x9xbf16>, %w: tensor<8x3x3x3xbf16>) -> tensor<1x8x5x5xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<1x8x5x5xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x8x5x5xbf16>) -> tensor<1x8x5x5xbf16>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x3x9x9xbf16>, tensor<8x3x3x3xbf16>) outs(%z : tensor<1x8x5x5xbf16>) -> tensor<1x8x5x5xbf16>
  return %0 : tensor<1x8x5x5xbf16>
}

// CHECK-LABEL: func.func @depthwise(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x6x6x4xf32>, %[[A1:[a-z0-9_]+]]: tensor<3x3x4xf32>, %[[A2:[a-z0-9_]+]]: tensor<2x4x4x4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<3x3x4xf32> -> tensor<3x3x4x1xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.mme.conv %[[A0]], %[[V0]] layout "NHWC", "HWOI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 4 : tensor<2x6x6x4xf32>, tensor<3x3x4x1xf32> -> tensor<2x4x4x4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.add %[[V1]], %[[A2]] : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32> -> tensor<2x4x4x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x4x4x4xf32>
func.func @depthwise(%x: tensor<2x6x6x4xf32>, %w: tensor<3x3x4xf32>, %y: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x6x6x4xf32>, tensor<3x3x4xf32>) outs(%y : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}

// CHECK-LABEL: func.func @depthwise_multiplier(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x6x6x4xf32>, %[[A1:[a-z0-9_]+]]: tensor<3x3x4x2xf32>, %[[A2:[a-z0-9_]+]]: tensor<2x4x4x4x2xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<3x3x4x2xf32> -> tensor<3x3x8x1xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.mme.conv %[[A0]], %[[V0]] layout "NHWC", "HWOI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 4 : tensor<2x6x6x4xf32>, tensor<3x3x8x1xf32> -> tensor<2x4x4x8xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.reshape %[[V1]] : tensor<2x4x4x8xf32> -> tensor<2x4x4x4x2xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.add %[[V2]], %[[A2]] : tensor<2x4x4x4x2xf32>, tensor<2x4x4x4x2xf32> -> tensor<2x4x4x4x2xf32>
// CHECK-NEXT: return %[[V3]] : tensor<2x4x4x4x2xf32>
func.func @depthwise_multiplier(%x: tensor<2x6x6x4xf32>, %w: tensor<3x3x4x2xf32>, %y: tensor<2x4x4x4x2xf32>) -> tensor<2x4x4x4x2xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x6x6x4xf32>, tensor<3x3x4x2xf32>) outs(%y : tensor<2x4x4x4x2xf32>) -> tensor<2x4x4x4x2xf32>
  return %0 : tensor<2x4x4x4x2xf32>
}

// CHECK-LABEL: func.func @depthwise_nchw(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x4x6x6xf32>, %[[A1:[a-z0-9_]+]]: tensor<4x3x3xf32>, %[[A2:[a-z0-9_]+]]: tensor<2x4x4x4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<4x3x3xf32> -> tensor<4x3x3x1xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.mme.conv %[[A0]], %[[V0]] layout "NCHW", "OHWI", "NCHW" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 4 : tensor<2x4x6x6xf32>, tensor<4x3x3x1xf32> -> tensor<2x4x4x4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.add %[[V1]], %[[A2]] : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32> -> tensor<2x4x4x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x4x4x4xf32>
func.func @depthwise_nchw(%x: tensor<2x4x6x6xf32>, %w: tensor<4x3x3xf32>, %y: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
  %0 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x4x6x6xf32>, tensor<4x3x3xf32>) outs(%y : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}

// CHECK-LABEL: func.func @grouped(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x2x3x6x6xf32>, %[[A1:[a-z0-9_]+]]: tensor<2x5x3x3x3xf32>, %[[A2:[a-z0-9_]+]]: tensor<1x2x5x4x4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<1x2x3x6x6xf32> -> tensor<1x6x6x6xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<2x5x3x3x3xf32> -> tensor<10x3x3x3xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.mme.conv %[[V0]], %[[V1]] layout "NCHW", "OIHW", "NCHW" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 2 : tensor<1x6x6x6xf32>, tensor<10x3x3x3xf32> -> tensor<1x10x4x4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.reshape %[[V2]] : tensor<1x10x4x4xf32> -> tensor<1x2x5x4x4xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.tpc.add %[[V3]], %[[A2]] : tensor<1x2x5x4x4xf32>, tensor<1x2x5x4x4xf32> -> tensor<1x2x5x4x4xf32>
// CHECK-NEXT: return %[[V4]] : tensor<1x2x5x4x4xf32>
func.func @grouped(%x: tensor<1x2x3x6x6xf32>, %w: tensor<2x5x3x3x3xf32>, %y: tensor<1x2x5x4x4xf32>) -> tensor<1x2x5x4x4xf32> {
  %0 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x2x3x6x6xf32>, tensor<2x5x3x3x3xf32>) outs(%y : tensor<1x2x5x4x4xf32>) -> tensor<1x2x5x4x4xf32>
  return %0 : tensor<1x2x5x4x4xf32>
}

// The filter's groups are after its outputs, so it is transposed.
// CHECK-LABEL: func.func @grouped_fg(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x2x3x6x6xf32>, %[[A1:[a-z0-9_]+]]: tensor<5x2x3x3x3xf32>, %[[A2:[a-z0-9_]+]]: tensor<1x2x5x4x4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<1x2x3x6x6xf32> -> tensor<1x6x6x6xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.transpose %[[A1]] permutation [1, 0, 3, 4, 2] : tensor<5x2x3x3x3xf32> -> tensor<2x5x3x3x3xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.reshape %[[V1]] : tensor<2x5x3x3x3xf32> -> tensor<10x3x3x3xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.mme.conv %[[V0]], %[[V2]] layout "NCHW", "OHWI", "NCHW" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 2 : tensor<1x6x6x6xf32>, tensor<10x3x3x3xf32> -> tensor<1x10x4x4xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.reshape %[[V3]] : tensor<1x10x4x4xf32> -> tensor<1x2x5x4x4xf32>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = gaudi.tpc.add %[[V4]], %[[A2]] : tensor<1x2x5x4x4xf32>, tensor<1x2x5x4x4xf32> -> tensor<1x2x5x4x4xf32>
// CHECK-NEXT: return %[[V5]] : tensor<1x2x5x4x4xf32>
func.func @grouped_fg(%x: tensor<1x2x3x6x6xf32>, %w: tensor<5x2x3x3x3xf32>, %y: tensor<1x2x5x4x4xf32>) -> tensor<1x2x5x4x4xf32> {
  %0 = linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x2x3x6x6xf32>, tensor<5x2x3x3x3xf32>) outs(%y : tensor<1x2x5x4x4xf32>) -> tensor<1x2x5x4x4xf32>
  return %0 : tensor<1x2x5x4x4xf32>
}

// CHECK-LABEL: func.func @grouped_nhwc(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x6x6x2x3xf32>, %[[A1:[a-z0-9_]+]]: tensor<2x5x3x3x3xf32>, %[[A2:[a-z0-9_]+]]: tensor<1x4x4x2x5xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<1x6x6x2x3xf32> -> tensor<1x6x6x6xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<2x5x3x3x3xf32> -> tensor<10x3x3x3xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.mme.conv %[[V0]], %[[V1]] layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 2 : tensor<1x6x6x6xf32>, tensor<10x3x3x3xf32> -> tensor<1x4x4x10xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.reshape %[[V2]] : tensor<1x4x4x10xf32> -> tensor<1x4x4x2x5xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.tpc.add %[[V3]], %[[A2]] : tensor<1x4x4x2x5xf32>, tensor<1x4x4x2x5xf32> -> tensor<1x4x4x2x5xf32>
// CHECK-NEXT: return %[[V4]] : tensor<1x4x4x2x5xf32>
func.func @grouped_nhwc(%x: tensor<1x6x6x2x3xf32>, %w: tensor<2x5x3x3x3xf32>, %y: tensor<1x4x4x2x5xf32>) -> tensor<1x4x4x2x5xf32> {
  %0 = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x6x6x2x3xf32>, tensor<2x5x3x3x3xf32>) outs(%y : tensor<1x4x4x2x5xf32>) -> tensor<1x4x4x2x5xf32>
  return %0 : tensor<1x4x4x2x5xf32>
}

// CHECK-LABEL: func.func @one_dim(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x3x9xf32>, %[[A1:[a-z0-9_]+]]: tensor<4x3x3xf32>, %[[A2:[a-z0-9_]+]]: tensor<2x4x7xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.mme.conv %[[A0]], %[[A1]] layout "NCW", "OIW", "NCW" strides [1] dilations [1] pad [0], [0] groups 1 : tensor<2x3x9xf32>, tensor<4x3x3xf32> -> tensor<2x4x7xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.add %[[V0]], %[[A2]] : tensor<2x4x7xf32>, tensor<2x4x7xf32> -> tensor<2x4x7xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x4x7xf32>
func.func @one_dim(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>, %y: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  %0 = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x9xf32>, tensor<4x3x3xf32>) outs(%y : tensor<2x4x7xf32>) -> tensor<2x4x7xf32>
  return %0 : tensor<2x4x7xf32>
}

// CHECK-LABEL: func.func @three_dims(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x5x6x7x2xf32>, %[[A1:[a-z0-9_]+]]: tensor<2x3x3x2x4xf32>, %[[A2:[a-z0-9_]+]]: tensor<1x4x4x5x4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.mme.conv %[[A0]], %[[A1]] layout "NDHWC", "DHWIO", "NDHWC" strides [1, 1, 1] dilations [1, 1, 1] pad [0, 0, 0], [0, 0, 0] groups 1 : tensor<1x5x6x7x2xf32>, tensor<2x3x3x2x4xf32> -> tensor<1x4x4x5x4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.add %[[V0]], %[[A2]] : tensor<1x4x4x5x4xf32>, tensor<1x4x4x5x4xf32> -> tensor<1x4x4x5x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x4x4x5x4xf32>
func.func @three_dims(%x: tensor<1x5x6x7x2xf32>, %w: tensor<2x3x3x2x4xf32>, %y: tensor<1x4x4x5x4xf32>) -> tensor<1x4x4x5x4xf32> {
  %0 = linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : tensor<1x5x6x7x2xf32>, tensor<2x3x3x2x4xf32>) outs(%y : tensor<1x4x4x5x4xf32>) -> tensor<1x4x4x5x4xf32>
  return %0 : tensor<1x4x4x5x4xf32>
}

// CHECK-LABEL: func.func @no_channels(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<6x6xf32>, %[[A1:[a-z0-9_]+]]: tensor<3x3xf32>, %[[A2:[a-z0-9_]+]]: tensor<4x4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<6x6xf32> -> tensor<1x6x6x1xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<3x3xf32> -> tensor<3x3x1x1xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.mme.conv %[[V0]], %[[V1]] layout "NHWC", "HWOI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x6x6x1xf32>, tensor<3x3x1x1xf32> -> tensor<1x4x4x1xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.reshape %[[V2]] : tensor<1x4x4x1xf32> -> tensor<4x4xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.tpc.add %[[V3]], %[[A2]] : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4x4xf32>
func.func @no_channels(%x: tensor<6x6xf32>, %w: tensor<3x3xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.conv_2d ins(%x, %w : tensor<6x6xf32>, tensor<3x3xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @quantized(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x5x5x3xi8>, %[[A1:[a-z0-9_]+]]: tensor<3x3x3x4xi8>, %[[A2:[a-z0-9_]+]]: tensor<1x3x3x4xi32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "conv_2d_nhwc_hwcf_q"(%[[A0]], %[[A1]], %[[A2]]) index_space [3, 3, 4, 3, 3, 3] parallel [true, true, true, false, false, false] : (tensor<1x5x5x3xi8>, tensor<3x3x3x4xi8>, tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = arith.constant 5 : i32
// CHECK-NEXT: %[[V2:[a-z0-9_]+]]-2_i32 = arith.constant -2 : i32
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.kernel.load %in2[0, d0, d1, d2]
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.loop [3, 4, 5] reduce [#gaudi.reduce<add>] init(%[[V3]]) : i32 {
// CHECK-NEXT: ^bb0(%[[V5:[a-z0-9_]+]]: i32):
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = gaudi.kernel.load %in0[0, d0 + d3, d1 + d4, d5]
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = gaudi.kernel.load %in1[d3, d4, d5, d2]
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = arith.extsi %[[V6]] : i8 to i32
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = arith.subi %[[V8]], %[[V1]] : i32
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = arith.extsi %[[V7]] : i8 to i32
// CHECK-NEXT: %[[V11:[a-z0-9_]+]] = arith.subi %[[V10]], %[[V2]]-2_i32 : i32
// CHECK-NEXT: %[[V12:[a-z0-9_]+]] = arith.muli %[[V9]], %[[V11]] : i32
// CHECK-NEXT: gaudi.kernel.yield %[[V12]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V4]], %out0[0, d0, d1, d2]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<1x3x3x4xi32>
func.func @quantized(%x: tensor<1x5x5x3xi8>, %w: tensor<3x3x3x4xi8>, %y: tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32> {
  %zx = arith.constant 5 : i32
  %zw = arith.constant -2 : i32
  %0 = linalg.conv_2d_nhwc_hwcf_q ins(%x, %w, %zx, %zw : tensor<1x5x5x3xi8>, tensor<3x3x3x4xi8>, i32, i32) outs(%y : tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32>
  return %0 : tensor<1x3x3x4xi32>
}

// Positions that no window reaches are cut off.
// CHECK-LABEL: func.func @cut(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x12x12x3xf32>, %[[A1:[a-z0-9_]+]]: tensor<3x3x3x8xf32>, %[[A2:[a-z0-9_]+]]: tensor<1x4x4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.slice %[[A0]] offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x12x12x3xf32> -> tensor<1x9x9x3xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.mme.conv %[[V0]], %[[A1]] layout "NHWC", "HWIO", "NHWC" strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x9x9x3xf32>, tensor<3x3x3x8xf32> -> tensor<1x4x4x8xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.add %[[V1]], %[[A2]] : tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32> -> tensor<1x4x4x8xf32>
// CHECK-NEXT: return %[[V2]] : tensor<1x4x4x8xf32>
func.func @cut(%x: tensor<1x12x12x3xf32>, %w: tensor<3x3x3x8xf32>, %y: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<1x12x12x3xf32>, tensor<3x3x3x8xf32>) outs(%y : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}
