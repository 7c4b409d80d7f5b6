// Static variants of TOSA.
// RUN: gaudi-opt %s --split-input-file --gaudi-infer-symbols --gaudi-bucket-shapes="buckets=8" | FileCheck %s

// CHECK-LABEL: func @moves.0(
// CHECK-SAME: %[[X:.*]]: tensor<8x6xf32> {{.*}}, %[[N:.*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0 - 2)>})
// CHECK: %[[SHAPE:.*]] = tosa.const_shape {{.*}}dense<[8, 3, 2]>
// CHECK: %[[APART:.*]] = tosa.reshape %[[X]], %[[SHAPE]]
// CHECK-SAME: -> tensor<8x3x2xf32>
// CHECK: %[[TAIL:.*]] = tensor.extract_slice %[[APART]][2, 0, 0] [6, 3, 2] [1, 1, 1]
// CHECK: gaudi.valid %[[TAIL]] dims [0] extents(%[[N]])
// CHECK: tosa.pad %[[X]],
// CHECK-SAME: -> tensor<9x6xf32>
func.func @moves(%x: tensor<?x6xf32> {gaudi.dims = ["n=3..64", ""]}) -> (tensor<?x3x2xf32>, tensor<?x6xf32>) {
  %shape = tosa.const_shape {values = dense<[-1, 3, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.reshape %x, %shape : (tensor<?x6xf32>, !tosa.shape<3>) -> tensor<?x3x2xf32>
  %start = tosa.const_shape {values = dense<[2, 0, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %size = tosa.const_shape {values = dense<[-1, 3, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %1 = tosa.slice %0, %start, %size : (tensor<?x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<?x3x2xf32>
  %widths = tosa.const_shape {values = dense<[1, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %2 = tosa.pad %x, %widths, %zero : (tensor<?x6xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<?x6xf32>
  return %1, %2 : tensor<?x3x2xf32>, tensor<?x6xf32>
}

// -----

// The second operand is written over the padding of the first one.
// CHECK-LABEL: func @append.0(
// CHECK: "stablehlo.dynamic_update_slice"
// CHECK: gaudi.valid
func.func @append(%past: tensor<?x2xf32> {gaudi.dims = ["past=0..64", ""]}, %new: tensor<3x2xf32>) -> tensor<?x2xf32> {
  %0 = tosa.concat %past, %new {axis = 0 : i32} : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// A convolution along a dynamic dimension has an extent of its own.
// CHECK-LABEL: func @conv.0(
// CHECK: %[[CONV:.*]] = tosa.conv2d
// CHECK: gaudi.valid %[[CONV]] dims [1] extents(
func.func @conv(%x: tensor<2x?x8x3xf32> {gaudi.dims = ["", "height=4..64", "", ""]}, %w: tensor<6x3x3x3xf32>, %b: tensor<6xf32>) -> tensor<2x?x8x6xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 1, 1>} : (tensor<2x?x8x3xf32>, tensor<6x3x3x3xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x?x8x6xf32>
  return %0 : tensor<2x?x8x6xf32>
}
