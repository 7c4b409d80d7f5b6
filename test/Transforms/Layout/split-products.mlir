// Products whose rows, columns or depth are several dimensions that an order
// moves: what else has these dimensions moves them alike.
// RUN: gaudi-opt %s --split-input-file --gaudi-place-permutations | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-place-permutations --remarks-filter="gaudi-place-permutations" --remark-format=emitRemark -o /dev/null 2>&1 | grep split-dimensions | FileCheck %s --check-prefix=REMARK

// The rows of a constant are reordered at compile time.
// CHECK-LABEL: func @flatten_constant(
// CHECK: %[[C:.*]] = gaudi.mme.conv {{.*}} "NHWC", "OHWI", "NHWC"
// CHECK: %[[F:.*]] = gaudi.reshape %[[C]] : tensor<8x2x2x4xf32> -> tensor<8x16xf32>
// CHECK: %[[R:.*]] = gaudi.reshape {{.*}} : tensor<2x2x4x2xf32> -> tensor<16x2xf32>
// CHECK: gaudi.mme.gemm %[[F]], %[[R]] : tensor<8x16xf32>, tensor<16x2xf32> -> tensor<8x2xf32>
// CHECK: return
// REMARK: [Passed] split-dimensions {{.*}}split dimensions of tensor<8x16xf32>: tensor<8x4x2x2xf32> has an order that moves parts of them
func.func @flatten_constant(%x: tensor<8x4x4x8xf32>, %w: tensor<4x3x3x8xf32>) -> tensor<8x2xf32> {
  %v = gaudi.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 9.0], [10.0, 11.0], [12.0, 13.0], [14.0, 15.0], [16.0, 17.0], [18.0, 19.0], [20.0, 21.0], [22.0, 23.0], [24.0, 25.0], [26.0, 27.0], [28.0, 29.0], [30.0, 31.0]]> : tensor<16x2xf32>
  %0 = gaudi.transpose %x permutation [0, 3, 1, 2] : tensor<8x4x4x8xf32> -> tensor<8x8x4x4xf32>
  %1 = gaudi.mme.conv %0, %w layout "NCHW", "OHWI", "NCHW" strides [2, 2] dilations [1, 1] pad [1, 1], [0, 0] groups 1 : tensor<8x8x4x4xf32>, tensor<4x3x3x8xf32> -> tensor<8x4x2x2xf32>
  %f = gaudi.reshape %1 : tensor<8x4x2x2xf32> -> tensor<8x16xf32>
  %r = gaudi.mme.gemm %f, %v : tensor<8x16xf32>, tensor<16x2xf32> -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}

// -----

// A weight of few columns is smaller than the activations: it is transposed.
// Through a transposed weight and the ops between the reshape and the product.
// CHECK-LABEL: func @flatten_argument(
// CHECK: gaudi.mme.conv {{.*}} "NHWC", "OHWI", "NHWC"
// CHECK: gaudi.tpc.tanh {{.*}} : tensor<64x28x28x32xf32>
// CHECK: gaudi.transpose {{.*}} permutation [2, 3, 1, 0] : tensor<8x32x28x28xf32> -> tensor<28x28x32x8xf32>
// CHECK-NOT: gaudi.transpose
// CHECK: gaudi.mme.gemm {{.*}} : tensor<64x25088xf32>, tensor<25088x8xf32> -> tensor<64x8xf32>
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @flatten_argument(%x: tensor<64x56x56x16xf32>, %w: tensor<32x3x3x16xf32>, %v: tensor<8x25088xf32>) -> tensor<64x8xf32> {
  %0 = gaudi.transpose %x permutation [0, 3, 1, 2] : tensor<64x56x56x16xf32> -> tensor<64x16x56x56xf32>
  %1 = gaudi.mme.conv %0, %w layout "NCHW", "OHWI", "NCHW" strides [2, 2] dilations [1, 1] pad [1, 1], [0, 0] groups 1 : tensor<64x16x56x56xf32>, tensor<32x3x3x16xf32> -> tensor<64x32x28x28xf32>
  %f = gaudi.reshape %1 : tensor<64x32x28x28xf32> -> tensor<64x25088xf32>
  %t = gaudi.tpc.tanh %f : tensor<64x25088xf32>
  %vt = gaudi.transpose %v permutation [1, 0] : tensor<8x25088xf32> -> tensor<25088x8xf32>
  %r = gaudi.mme.gemm %t, %vt : tensor<64x25088xf32>, tensor<25088x8xf32> -> tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}

// -----

// The gradients of both factors: columns of one product, rows of the other. The
// weight and its gradient are transposed, which are smaller.
// CHECK-LABEL: func @flatten_gradients(
// CHECK-NOT: gaudi.transpose
// CHECK: %[[DV:.*]] = gaudi.mme.gemm {{.*}} transpose_a : tensor<64x25088xf32>, tensor<64x8xf32> -> tensor<25088x8xf32>
// CHECK: %[[DV4:.*]] = gaudi.reshape %[[DV]] : tensor<25088x8xf32> -> tensor<28x28x32x8xf32>
// CHECK: gaudi.transpose %[[DV4]] permutation [2, 0, 1, 3] : tensor<28x28x32x8xf32> -> tensor<32x28x28x8xf32>
// CHECK: gaudi.transpose {{.*}} permutation [1, 2, 0, 3] : tensor<32x28x28x8xf32> -> tensor<28x28x32x8xf32>
// CHECK-NOT: gaudi.transpose
// CHECK: gaudi.mme.conv_input_grad {{.*}} "NHWC", "OHWI", "NHWC"
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @flatten_gradients(%x: tensor<64x28x28x32xf32>, %w: tensor<32x3x3x16xf32>, %v: tensor<25088x8xf32>, %dy: tensor<64x8xf32>) -> (tensor<64x56x56x16xf32>, tensor<25088x8xf32>) {
  %0 = gaudi.transpose %x permutation [0, 3, 1, 2] : tensor<64x28x28x32xf32> -> tensor<64x32x28x28xf32>
  %f = gaudi.reshape %0 : tensor<64x32x28x28xf32> -> tensor<64x25088xf32>
  %dv = gaudi.mme.gemm %f, %dy transpose_a : tensor<64x25088xf32>, tensor<64x8xf32> -> tensor<25088x8xf32>
  %df = gaudi.mme.gemm %dy, %v transpose_b : tensor<64x8xf32>, tensor<25088x8xf32> -> tensor<64x25088xf32>
  %d = gaudi.reshape %df : tensor<64x25088xf32> -> tensor<64x32x28x28xf32>
  %dx = gaudi.mme.conv_input_grad %d, %w layout "NCHW", "OHWI", "NCHW" strides [2, 2] dilations [1, 1] pad [1, 1], [0, 0] groups 1 : tensor<64x32x28x28xf32>, tensor<32x3x3x16xf32> -> tensor<64x16x56x56xf32>
  %r = gaudi.transpose %dx permutation [0, 2, 3, 1] : tensor<64x16x56x56xf32> -> tensor<64x56x56x16xf32>
  return %r, %dv : tensor<64x56x56x16xf32>, tensor<25088x8xf32>
}

// -----

// Rows that would be apart stay one dimension: the product has no such form.
// CHECK-LABEL: func @rows_apart(
// CHECK: gaudi.mme.gemm {{.*}} : tensor<128x64xf32>, tensor<64x96xf32> -> tensor<128x96xf32>
// CHECK: gaudi.transpose {{.*}} permutation [0, 2, 1, 3]
// CHECK: return
func.func @rows_apart(%x: tensor<128x64xf32>, %w: tensor<64x96xf32>) -> tensor<2x4x64x24xf32> {
  %0 = gaudi.mme.gemm %x, %w : tensor<128x64xf32>, tensor<64x96xf32> -> tensor<128x96xf32>
  %1 = gaudi.reshape %0 : tensor<128x96xf32> -> tensor<2x64x4x24xf32>
  %2 = gaudi.transpose %1 permutation [0, 2, 1, 3] : tensor<2x64x4x24xf32> -> tensor<2x4x64x24xf32>
  return %2 : tensor<2x4x64x24xf32>
}
