// Reductions over several dimensions in two steps, where the dimensions that
// remain are innermost.
// RUN: gaudi-opt %s --split-input-file --gaudi-place-permutations | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-place-permutations --remarks-filter="gaudi-place-permutations" --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The gradient of a bias after a channels-last convolution: no transpose.
// CHECK-LABEL: func @bias(
// CHECK: %[[P:.*]] = gaudi.tpc.reduce <sum> {{.*}} dims [1, 2] : tensor<128x32x32x64xf32> -> tensor<128x64xf32>
// CHECK: gaudi.tpc.reduce <sum> %[[P]] dims [0] : tensor<128x64xf32> -> tensor<64xf32>
// CHECK-NOT: gaudi.transpose
// CHECK-NOT: gaudi_layout
// CHECK: return
// REMARK: [Passed] split-reduction {{.*}}reduced tensor<128x32x32x64xf32> in two steps, the first to tensor<128x64xf32>, saving {{.*}} on gaudi2
func.func @bias(%x: tensor<128x32x32x64xf32>, %w: tensor<64x3x3x64xf32>) -> (tensor<128x32x32x64xf32>, tensor<64xf32>) {
  %0 = gaudi.transpose %x permutation [0, 3, 1, 2] : tensor<128x32x32x64xf32> -> tensor<128x64x32x32xf32>
  %1 = gaudi.mme.conv %0, %w layout "NCHW", "OHWI", "NCHW" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<128x64x32x32xf32>, tensor<64x3x3x64xf32> -> tensor<128x64x32x32xf32>
  %2 = gaudi.tpc.reduce <sum> %1 dims [0, 2, 3] : tensor<128x64x32x32xf32> -> tensor<64xf32>
  %3 = gaudi.transpose %1 permutation [0, 2, 3, 1] : tensor<128x64x32x32xf32> -> tensor<128x32x32x64xf32>
  return %3, %2 : tensor<128x32x32x64xf32>, tensor<64xf32>
}

// -----

// Dimensions that stay are before those that go: one step takes less time.
// CHECK-LABEL: func @one_step(
// CHECK: gaudi.tpc.reduce <sum> %arg0 dims [0, 2, 3] keep_dims : tensor<128x64x32x32xf32> -> tensor<1x64x1x1xf32>
// CHECK-NOT: gaudi.tpc.reduce
// CHECK: return
func.func @one_step(%x: tensor<128x64x32x32xf32>) -> tensor<1x64x1x1xf32> {
  %0 = gaudi.tpc.reduce <sum> %x dims [0, 2, 3] keep_dims : tensor<128x64x32x32xf32> -> tensor<1x64x1x1xf32>
  return %0 : tensor<1x64x1x1xf32>
}

// -----

// A sum of bf16 would be rounded between the steps.
// CHECK-LABEL: func @rounded(
// CHECK: gaudi.tpc.reduce <sum> %arg0 dims [0, 1, 2] : tensor<128x32x32x64xbf16> -> tensor<64xbf16>
// CHECK: gaudi.tpc.reduce <max> %arg0 dims [1, 2] : tensor<128x32x32x64xbf16> -> tensor<128x64xbf16>
// CHECK: return
func.func @rounded(%x: tensor<128x32x32x64xbf16>) -> (tensor<64xbf16>, tensor<64xbf16>) {
  %0 = gaudi.tpc.reduce <sum> %x dims [0, 1, 2] : tensor<128x32x32x64xbf16> -> tensor<64xbf16>
  %1 = gaudi.tpc.reduce <max> %x dims [0, 1, 2] : tensor<128x32x32x64xbf16> -> tensor<64xbf16>
  return %0, %1 : tensor<64xbf16>, tensor<64xbf16>
}
