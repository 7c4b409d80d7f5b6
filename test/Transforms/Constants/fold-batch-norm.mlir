// RUN: gaudi-opt %s --split-input-file --gaudi-fold-constants --gaudi-fold-batch-norm --remarks-filter="gaudi-fold-batch-norm" --remark-format=emitRemark --verify-diagnostics -o %t.mlir
// RUN: FileCheck %s < %t.mlir

// (x - mean) * rsqrt(variance + epsilon) * gamma + beta
// CHECK-LABEL: @batch_norm
func.func @batch_norm(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  // CHECK:      %[[W:.*]] = gaudi.constant dense_resource<folded_weights> : tensor<1x1x2x2xf32>
  // CHECK-NEXT: %[[C:.*]] = gaudi.mme.conv %arg0, %[[W]]
  // CHECK-NEXT: %[[B:.*]] = gaudi.constant dense<{{\[\[\[\[}}3.500000e+00, -1.500000e+00{{\]\]\]\]}}> : tensor<1x1x1x2xf32>
  // CHECK-NEXT: %[[Y:.*]] = gaudi.tpc.add %[[C]], %[[B]]
  // CHECK-NEXT: return %[[Y]]
  // CHECK:      folded_weights: "0x040000000000003F000040400000C03F0000C040"
  %w = gaudi.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %mean = gaudi.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  %variance = gaudi.constant dense<[3.75, 15.75]> : tensor<2xf32>
  %epsilon = gaudi.constant dense<0.25> : tensor<1xf32>
  %gamma = gaudi.constant dense<[[[[1.0, 6.0]]]]> : tensor<1x1x1x2xf32>
  %beta = gaudi.constant dense<[[[[4.0, 1.5]]]]> : tensor<1x1x1x2xf32>
  // expected-remark-re @+1 {{folded a per-channel scale into the weights: 4 ops become one addition, saving {{[0-9.]+ [num]?s}} on gaudi2}}
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32> -> tensor<1x4x4x2xf32>
  %e = gaudi.tpc.add %variance, %epsilon : tensor<2xf32>, tensor<1xf32> -> tensor<2xf32>
  %r = gaudi.tpc.rsqrt %e : tensor<2xf32>
  %rr = gaudi.reshape %r : tensor<2xf32> -> tensor<1x1x1x2xf32>
  %0 = gaudi.tpc.sub %c, %mean : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  %1 = gaudi.tpc.mul %0, %rr : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  %2 = gaudi.tpc.mul %1, %gamma : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  %3 = gaudi.tpc.add %2, %beta : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  return %3 : tensor<1x4x4x2xf32>
}

// -----

// After a transpose, divided by the deviation, without an offset.
// CHECK-LABEL: @transposed
func.func @transposed(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x4x4xf32> {
  // CHECK:      %[[C:.*]] = gaudi.mme.conv
  // CHECK-NEXT: %[[T:.*]] = gaudi.transpose %[[C]]
  // CHECK-NEXT: return %[[T]]
  %w = gaudi.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %deviation = gaudi.constant dense<[[[[2.0]], [[4.0]]]]> : tensor<1x2x1x1xf32>
  // expected-remark @+1 {{folded a per-channel scale into the weights: 1 ops become no addition}}
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32> -> tensor<1x4x4x2xf32>
  %t = gaudi.transpose %c permutation [0, 3, 1, 2] : tensor<1x4x4x2xf32> -> tensor<1x2x4x4xf32>
  %0 = gaudi.tpc.div %t, %deviation : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// -----

// CHECK-LABEL: @only_bias
func.func @only_bias(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  // CHECK: gaudi.tpc.add
  %w = gaudi.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %beta = gaudi.constant dense<[[[[4.0, 1.5]]]]> : tensor<1x1x1x2xf32>
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32> -> tensor<1x4x4x2xf32>
  %3 = gaudi.tpc.add %c, %beta : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  return %3 : tensor<1x4x4x2xf32>
}

// -----

// CHECK-LABEL: @narrow
func.func @narrow(%x: tensor<1x4x4x2xbf16>) -> tensor<1x4x4x2xf32> {
  // CHECK: gaudi.tpc.mul
  %w = gaudi.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xbf16>
  %scale = gaudi.constant dense<[[[[4.0, 1.5]]]]> : tensor<1x1x1x2xf32>
  // expected-remark @+1 {{not folded: the scale in 'gaudi.tpc.mul': narrow weights would be rounded a second time}}
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x2xbf16>, tensor<1x1x2x2xbf16> -> tensor<1x4x4x2xf32>
  %3 = gaudi.tpc.mul %c, %scale : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  return %3 : tensor<1x4x4x2xf32>
}

// -----

// CHECK-LABEL: @unknown_scale
func.func @unknown_scale(%x: tensor<1x4x4x2xf32>, %scale: tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32> {
  // CHECK: gaudi.tpc.mul
  %w = gaudi.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  // expected-remark-re @+1 {{not folded: the scale in 'gaudi.tpc.mul': it is not a constant; the op takes {{[0-9.]+ [num]?s}} on gaudi2}}
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32> -> tensor<1x4x4x2xf32>
  %3 = gaudi.tpc.mul %c, %scale : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  return %3 : tensor<1x4x4x2xf32>
}

// -----

// CHECK-LABEL: @unknown_weights
func.func @unknown_weights(%x: tensor<1x4x4x2xf32>, %w: tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32> {
  // CHECK: gaudi.tpc.mul
  %scale = gaudi.constant dense<[[[[4.0, 1.5]]]]> : tensor<1x1x1x2xf32>
  // expected-remark @+1 {{not folded: the scale in 'gaudi.tpc.mul': the weights are not constant}}
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32> -> tensor<1x4x4x2xf32>
  %3 = gaudi.tpc.mul %c, %scale : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  return %3 : tensor<1x4x4x2xf32>
}

// -----

// CHECK-LABEL: @other_reader
func.func @other_reader(%x: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  // CHECK: gaudi.tpc.mul
  %w = gaudi.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %scale = gaudi.constant dense<[[[[4.0, 1.5]]]]> : tensor<1x1x1x2xf32>
  // expected-remark @+1 {{not folded: the scale in 'gaudi.tpc.mul': the convolution has other readers}}
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32> -> tensor<1x4x4x2xf32>
  %3 = gaudi.tpc.mul %c, %scale : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  return %3, %c : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

// -----

// Grouped: the factor belongs to the channel of the result.
// CHECK-LABEL: @depthwise
func.func @depthwise(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  // CHECK-NOT: gaudi.tpc
  %w = gaudi.constant dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32>
  %scale = gaudi.constant dense<[[[[4.0, 1.5]]]]> : tensor<1x1x1x2xf32>
  // expected-remark @+1 {{1 ops become no addition}}
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWOI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 2 : tensor<1x4x4x2xf32>, tensor<1x1x2x1xf32> -> tensor<1x4x4x2xf32>
  %3 = gaudi.tpc.mul %c, %scale : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  return %3 : tensor<1x4x4x2xf32>
}

// -----

// A product of factors that f32 cannot hold would make weights infinite.
// CHECK-LABEL: @overflow
func.func @overflow(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  // CHECK: gaudi.tpc.mul
  // CHECK: gaudi.tpc.mul
  %w = gaudi.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %s = gaudi.constant dense<[[[[1.0e30, 0.5]]]]> : tensor<1x1x1x2xf32>
  // expected-remark @+1 {{a scaled weight leaves the range of f32}}
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32> -> tensor<1x4x4x2xf32>
  %0 = gaudi.tpc.mul %c, %s : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  %1 = gaudi.tpc.mul %0, %s : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  return %1 : tensor<1x4x4x2xf32>
}

// -----

// What a large offset rounds away belongs to the result.
// CHECK-LABEL: @cancellation
func.func @cancellation(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  // CHECK: gaudi.tpc.sub
  // CHECK: gaudi.tpc.mul
  // CHECK: gaudi.tpc.add
  %w = gaudi.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %mean = gaudi.constant dense<[[[[1.0e6, 1.0e6]]]]> : tensor<1x1x1x2xf32>
  %s = gaudi.constant dense<[[[[1.0e-3, 1.0e-3]]]]> : tensor<1x1x1x2xf32>
  %beta = gaudi.constant dense<[[[[1.0e3, 1.0e3]]]]> : tensor<1x1x1x2xf32>
  // expected-remark @+1 {{large offsets cancel each other}}
  %c = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32> -> tensor<1x4x4x2xf32>
  %0 = gaudi.tpc.sub %c, %mean : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  %1 = gaudi.tpc.mul %0, %s : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  %2 = gaudi.tpc.add %1, %beta : tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x4x4x2xf32>
  return %2 : tensor<1x4x4x2xf32>
}
