// Orders of products, convolutions and attention.
// RUN: gaudi-opt %s --gaudi-place-permutations | FileCheck %s

// Heads that are split and merged are strides of the products.
// CHECK-LABEL: @heads
// CHECK-NOT: gaudi.transpose
// CHECK: [[S:%.+]] = gaudi.mme.gemm {{.*}} transpose_b order_a [0, 2, 1, 3] order_b [0, 2, 1, 3] : {{.*}} -> tensor<2x4x48x48xbf16>
// CHECK: [[E:%.+]] = gaudi.tpc.tanh [[S]]
// CHECK: gaudi.mme.gemm [[E]], {{.*}} order_b [0, 2, 1, 3] order_c [0, 2, 1, 3] : {{.*}} -> tensor<2x48x4x64xbf16>
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @heads(%q: tensor<2x48x256xbf16>, %k: tensor<2x48x256xbf16>, %v: tensor<2x48x256xbf16>) -> tensor<2x48x256xbf16> {
  %q0 = gaudi.reshape %q : tensor<2x48x256xbf16> -> tensor<2x48x4x64xbf16>
  %qh = gaudi.transpose %q0 permutation [0, 2, 1, 3] : tensor<2x48x4x64xbf16> -> tensor<2x4x48x64xbf16>
  %k0 = gaudi.reshape %k : tensor<2x48x256xbf16> -> tensor<2x48x4x64xbf16>
  %kh = gaudi.transpose %k0 permutation [0, 2, 3, 1] : tensor<2x48x4x64xbf16> -> tensor<2x4x64x48xbf16>
  %v0 = gaudi.reshape %v : tensor<2x48x256xbf16> -> tensor<2x48x4x64xbf16>
  %vh = gaudi.transpose %v0 permutation [0, 2, 1, 3] : tensor<2x48x4x64xbf16> -> tensor<2x4x48x64xbf16>
  %s = gaudi.mme.gemm %qh, %kh : tensor<2x4x48x64xbf16>, tensor<2x4x64x48xbf16> -> tensor<2x4x48x48xbf16>
  %e = gaudi.tpc.tanh %s : tensor<2x4x48x48xbf16>
  %o = gaudi.mme.gemm %e, %vh : tensor<2x4x48x48xbf16>, tensor<2x4x48x64xbf16> -> tensor<2x4x48x64xbf16>
  %ot = gaudi.transpose %o permutation [0, 2, 1, 3] : tensor<2x4x48x64xbf16> -> tensor<2x48x4x64xbf16>
  %m = gaudi.reshape %ot : tensor<2x48x4x64xbf16> -> tensor<2x48x256xbf16>
  return %m : tensor<2x48x256xbf16>
}

// A transposed result is the product of the exchanged operands.
// CHECK-LABEL: @transposed_result
// CHECK-NEXT: gaudi.mme.gemm %arg1, %arg0 transpose_a transpose_b : tensor<128x96xf32>, tensor<64x128xf32> -> tensor<96x64xf32>
// CHECK-NEXT: return
func.func @transposed_result(%a: tensor<64x128xf32>, %b: tensor<128x96xf32>) -> tensor<96x64xf32> {
  %0 = gaudi.mme.gemm %a, %b : tensor<64x128xf32>, tensor<128x96xf32> -> tensor<64x96xf32>
  %1 = gaudi.transpose %0 permutation [1, 0] : tensor<64x96xf32> -> tensor<96x64xf32>
  return %1 : tensor<96x64xf32>
}

// With heads innermost there are no rows that the engine could read.
// CHECK-LABEL: @heads_innermost
// CHECK: [[T:%.+]] = gaudi.transpose %arg0 permutation
// CHECK: gaudi.mme.gemm [[T]], %arg1
func.func @heads_innermost(%a: tensor<2x64x128x8xf32>, %b: tensor<2x8x128x96xf32>) -> tensor<2x8x64x96xf32> {
  %t = gaudi.transpose %a permutation [0, 3, 1, 2] : tensor<2x64x128x8xf32> -> tensor<2x8x64x128xf32>
  %0 = gaudi.mme.gemm %t, %b : tensor<2x8x64x128xf32>, tensor<2x8x128x96xf32> -> tensor<2x8x64x96xf32>
  return %0 : tensor<2x8x64x96xf32>
}

// Filters have any order, also those that a gradient writes; activations are
// channels last.
// CHECK-LABEL: @filters
// CHECK: [[X:%.+]] = gaudi.transpose %arg0 permutation [0, 2, 3, 1]
// CHECK: gaudi.mme.conv [[X]], %arg1 layout "NHWC", "HWIO", "NHWC"
// CHECK: gaudi.mme.conv_weight_grad [[X]], %arg2 layout "NHWC", "NHWC", "HWIO" {{.*}} -> tensor<3x3x16x32xf32>
// CHECK-NOT: gaudi.transpose
func.func @filters(%x: tensor<2x16x12x12xf32>, %w: tensor<3x3x16x32xf32>, %d: tensor<2x12x12x32xf32>)
    -> (tensor<2x12x12x32xf32>, tensor<3x3x16x32xf32>) {
  %wt = gaudi.transpose %w permutation [3, 2, 0, 1] : tensor<3x3x16x32xf32> -> tensor<32x16x3x3xf32>
  %y = gaudi.mme.conv %x, %wt layout "NCHW", "OIHW", "NCHW" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1
         : tensor<2x16x12x12xf32>, tensor<32x16x3x3xf32> -> tensor<2x32x12x12xf32>
  %yt = gaudi.transpose %y permutation [0, 2, 3, 1] : tensor<2x32x12x12xf32> -> tensor<2x12x12x32xf32>
  %g = gaudi.mme.conv_weight_grad %x, %d layout "NCHW", "NHWC", "OIHW" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1
         : tensor<2x16x12x12xf32>, tensor<2x12x12x32xf32> -> tensor<32x16x3x3xf32>
  %gt = gaudi.transpose %g permutation [2, 3, 1, 0] : tensor<32x16x3x3xf32> -> tensor<3x3x16x32xf32>
  return %yt, %gt : tensor<2x12x12x32xf32>, tensor<3x3x16x32xf32>
}

// Attention and its gradient name the dimensions of what they read and write.
// CHECK-LABEL: @attention
// CHECK-NOT: gaudi.transpose
// CHECK: gaudi.sdpa %arg0, %arg1, %arg2 scale 1.250000e-01 {key_layout = "NLHD", output_layout = "NLHD", query_layout = "NLHD", value_layout = "NLHD"}
// CHECK: gaudi.sdpa_grad {{.*}} {key_layout = "NLHD", output_layout = "NLHD", query_layout = "NLHD", value_layout = "NLHD"}
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @attention(%q: tensor<2x48x4x64xbf16>, %k: tensor<2x48x4x64xbf16>, %v: tensor<2x48x4x64xbf16>, %p: tensor<2x4x48x48xbf16>)
    -> (tensor<2x48x4x64xbf16>, tensor<2x48x4x64xbf16>, tensor<2x48x4x64xbf16>, tensor<2x48x4x64xbf16>) {
  %qh = gaudi.transpose %q permutation [0, 2, 1, 3] : tensor<2x48x4x64xbf16> -> tensor<2x4x48x64xbf16>
  %kh = gaudi.transpose %k permutation [0, 2, 1, 3] : tensor<2x48x4x64xbf16> -> tensor<2x4x48x64xbf16>
  %vh = gaudi.transpose %v permutation [0, 2, 1, 3] : tensor<2x48x4x64xbf16> -> tensor<2x4x48x64xbf16>
  %o = gaudi.sdpa %qh, %kh, %vh scale 0.125
         : (tensor<2x4x48x64xbf16>, tensor<2x4x48x64xbf16>, tensor<2x4x48x64xbf16>) -> tensor<2x4x48x64xbf16>
  %ot = gaudi.transpose %o permutation [0, 2, 1, 3] : tensor<2x4x48x64xbf16> -> tensor<2x48x4x64xbf16>
  %g:3 = gaudi.sdpa_grad %o, %qh, %kh, %vh probabilities %p scale 0.125
         : (tensor<2x4x48x64xbf16>, tensor<2x4x48x64xbf16>, tensor<2x4x48x64xbf16>, tensor<2x4x48x64xbf16>, tensor<2x4x48x48xbf16>)
         -> (tensor<2x4x48x64xbf16>, tensor<2x4x48x64xbf16>, tensor<2x4x48x64xbf16>)
  %0 = gaudi.transpose %g#0 permutation [0, 2, 1, 3] : tensor<2x4x48x64xbf16> -> tensor<2x48x4x64xbf16>
  %1 = gaudi.transpose %g#1 permutation [0, 2, 1, 3] : tensor<2x4x48x64xbf16> -> tensor<2x48x4x64xbf16>
  %2 = gaudi.transpose %g#2 permutation [0, 2, 1, 3] : tensor<2x4x48x64xbf16> -> tensor<2x48x4x64xbf16>
  return %ot, %0, %1, %2 : tensor<2x48x4x64xbf16>, tensor<2x48x4x64xbf16>, tensor<2x48x4x64xbf16>, tensor<2x48x4x64xbf16>
}
