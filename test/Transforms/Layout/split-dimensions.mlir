// Ops other than elementwise ones between a reshape that splits dimensions and a
// transpose of the parts.
// RUN: gaudi-opt %s --split-input-file --gaudi-place-permutations | FileCheck %s

// The largest of each position in windows, before the windows are put back.
// CHECK-LABEL: func @reduce(
// CHECK: gaudi.tpc.reduce <max> {{.*}} dims [4] : tensor<8x8x7x7x16xf32> -> tensor<8x8x7x7xf32>
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @reduce(%x: tensor<8x8x7x7x16xf32>, %y: tensor<56x56xf32>) -> tensor<56x56xf32> {
  %0 = gaudi.tpc.tanh %x : tensor<8x8x7x7x16xf32>
  %1 = gaudi.transpose %0 permutation [0, 2, 1, 3, 4] : tensor<8x8x7x7x16xf32> -> tensor<8x7x8x7x16xf32>
  %2 = gaudi.reshape %1 : tensor<8x7x8x7x16xf32> -> tensor<56x56x16xf32>
  %3 = gaudi.tpc.reduce <max> %2 dims [2] : tensor<56x56x16xf32> -> tensor<56x56xf32>
  %4 = gaudi.tpc.add %3, %y : tensor<56x56xf32>, tensor<56x56xf32> -> tensor<56x56xf32>
  return %4 : tensor<56x56xf32>
}

// -----

// The slices of a packed projection are slices of heads.
// CHECK-LABEL: func @packed(
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @packed(%x: tensor<512x256xf32>, %w: tensor<256x768xf32>, %b: tensor<1x768xf32>) -> tensor<4x4x128x128xf32> {
  %p = gaudi.mme.gemm %x, %w : tensor<512x256xf32>, tensor<256x768xf32> -> tensor<512x768xf32>
  %y = gaudi.tpc.add %p, %b : tensor<512x768xf32>, tensor<1x768xf32> -> tensor<512x768xf32>
  %q = gaudi.slice %y offsets [0, 0] strides [1, 1] : tensor<512x768xf32> -> tensor<512x256xf32>
  %k = gaudi.slice %y offsets [0, 256] strides [1, 1] : tensor<512x768xf32> -> tensor<512x256xf32>
  %qs = gaudi.reshape %q : tensor<512x256xf32> -> tensor<4x128x4x64xf32>
  %ks = gaudi.reshape %k : tensor<512x256xf32> -> tensor<4x128x4x64xf32>
  %qh = gaudi.transpose %qs permutation [0, 2, 1, 3] : tensor<4x128x4x64xf32> -> tensor<4x4x128x64xf32>
  %kh = gaudi.transpose %ks permutation [0, 2, 1, 3] : tensor<4x128x4x64xf32> -> tensor<4x4x128x64xf32>
  %s = gaudi.mme.gemm %qh, %kh transpose_b : tensor<4x4x128x64xf32>, tensor<4x4x128x64xf32> -> tensor<4x4x128x128xf32>
  return %s : tensor<4x4x128x128xf32>
}

// -----

// Windows of a padded image: the last rows of padding are windows.
// CHECK-LABEL: func @pad(
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @pad(%x: tensor<2x49x56x96xf32>, %v: tensor<96x32xf32>) -> tensor<6272x32xf32> {
  %0 = gaudi.tpc.pad <constant> %x low [0, 0, 0, 0] high [0, 7, 0, 0] value 0.0 : f32 : tensor<2x49x56x96xf32> -> tensor<2x56x56x96xf32>
  %1 = gaudi.reshape %0 : tensor<2x56x56x96xf32> -> tensor<2x8x7x8x7x96xf32>
  %2 = gaudi.transpose %1 permutation [0, 1, 3, 2, 4, 5] : tensor<2x8x7x8x7x96xf32> -> tensor<2x8x8x7x7x96xf32>
  %3 = gaudi.reshape %2 : tensor<2x8x8x7x7x96xf32> -> tensor<6272x96xf32>
  %4 = gaudi.mme.gemm %3, %v : tensor<6272x96xf32>, tensor<96x32xf32> -> tensor<6272x32xf32>
  return %4 : tensor<6272x32xf32>
}

// -----

// Rows that a table gives, by windows.
// CHECK-LABEL: func @gather(
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @gather(%t: tensor<1000x64xf32>, %i: tensor<56x56xi32>, %v: tensor<64x32xf32>) -> tensor<3136x32xf32> {
  %0 = gaudi.tpc.gather %t, %i axis 0 batch_dims 0 : tensor<1000x64xf32>, tensor<56x56xi32> -> tensor<56x56x64xf32>
  %1 = gaudi.reshape %0 : tensor<56x56x64xf32> -> tensor<8x7x8x7x64xf32>
  %2 = gaudi.transpose %1 permutation [0, 2, 1, 3, 4] : tensor<8x7x8x7x64xf32> -> tensor<8x8x7x7x64xf32>
  %3 = gaudi.reshape %2 : tensor<8x8x7x7x64xf32> -> tensor<3136x64xf32>
  %4 = gaudi.mme.gemm %3, %v : tensor<3136x64xf32>, tensor<64x32xf32> -> tensor<3136x32xf32>
  return %4 : tensor<3136x32xf32>
}

// -----

// Channels of two images.
// CHECK-LABEL: func @concat(
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @concat(%x: tensor<2x56x56x48xf32>, %y: tensor<2x56x56x48xf32>, %v: tensor<96x32xf32>) -> tensor<6272x32xf32> {
  %a = gaudi.tpc.tanh %x : tensor<2x56x56x48xf32>
  %b = gaudi.tpc.exp %y : tensor<2x56x56x48xf32>
  %0 = gaudi.concat %a, %b axis 3 : tensor<2x56x56x48xf32>, tensor<2x56x56x48xf32> -> tensor<2x56x56x96xf32>
  %1 = gaudi.reshape %0 : tensor<2x56x56x96xf32> -> tensor<2x8x7x8x7x96xf32>
  %2 = gaudi.transpose %1 permutation [0, 1, 3, 2, 4, 5] : tensor<2x8x7x8x7x96xf32> -> tensor<2x8x8x7x7x96xf32>
  %3 = gaudi.reshape %2 : tensor<2x8x8x7x7x96xf32> -> tensor<6272x96xf32>
  %4 = gaudi.mme.gemm %3, %v : tensor<6272x96xf32>, tensor<96x32xf32> -> tensor<6272x32xf32>
  return %4 : tensor<6272x32xf32>
}

// -----

// A broadcast of what is reversed.
// CHECK-LABEL: func @others(
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @others(%x: tensor<56x56x96xf32>, %v: tensor<96x32xf32>) -> tensor<6272x32xf32> {
  %a = gaudi.tpc.tanh %x : tensor<56x56x96xf32>
  %r = gaudi.tpc.reverse %a dims [0] : tensor<56x56x96xf32>
  %0 = gaudi.broadcast %r dims [1, 2, 3] : tensor<56x56x96xf32> -> tensor<2x56x56x96xf32>
  %1 = gaudi.reshape %0 : tensor<2x56x56x96xf32> -> tensor<2x8x7x8x7x96xf32>
  %2 = gaudi.transpose %1 permutation [0, 1, 3, 2, 4, 5] : tensor<2x8x7x8x7x96xf32> -> tensor<2x8x8x7x7x96xf32>
  %3 = gaudi.reshape %2 : tensor<2x8x8x7x7x96xf32> -> tensor<6272x96xf32>
  %4 = gaudi.mme.gemm %3, %v : tensor<6272x96xf32>, tensor<96x32xf32> -> tensor<6272x32xf32>
  return %4 : tensor<6272x32xf32>
}

// -----

// A dimension of size 1 that has no part in the split tensor.
// CHECK-LABEL: func @unit(
// CHECK: gaudi.slice {{.*}} offsets [0, 0, 0] strides [1, 1, 1] : tensor<32x64x96xf32> -> tensor<32x16x96xf32>
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @unit(%x: tensor<32x64x96xf32>) -> tensor<32x16x96xf32> {
  %t = gaudi.transpose %x permutation [0, 2, 1] : tensor<32x64x96xf32> -> tensor<32x96x64xf32>
  %r = gaudi.reshape %t : tensor<32x96x64xf32> -> tensor<1x3072x64xf32>
  %s = gaudi.slice %r offsets [0, 0, 0] strides [1, 1, 1] : tensor<1x3072x64xf32> -> tensor<1x3072x16xf32>
  %e = gaudi.tpc.tanh %s : tensor<1x3072x16xf32>
  %b = gaudi.reshape %e : tensor<1x3072x16xf32> -> tensor<32x96x16xf32>
  %u = gaudi.transpose %b permutation [0, 2, 1] : tensor<32x96x16xf32> -> tensor<32x16x96xf32>
  return %u : tensor<32x16x96xf32>
}

// -----

// Merged dimensions beside one of size 1, of ops that keep it.
// CHECK-LABEL: func @unit_pad(
// CHECK-NOT: gaudi.transpose
// CHECK: gaudi.tpc.pad <constant> %{{.*}} low [0, 0, 0] high [0, 0, 16] {{.*}} : tensor<32x128x48xf32> -> tensor<32x128x64xf32>
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @unit_pad(%x: tensor<32x128x48xf32>) -> tensor<32x128x64xf32> {
  %0 = gaudi.transpose %x permutation [1, 0, 2] : tensor<32x128x48xf32> -> tensor<128x32x48xf32>
  %1 = gaudi.reshape %0 : tensor<128x32x48xf32> -> tensor<4096x1x48xf32>
  %2 = gaudi.tpc.pad <constant> %1 low [0, 0, 0] high [0, 0, 16] value 0.0 : f32 : tensor<4096x1x48xf32> -> tensor<4096x1x64xf32>
  %3 = gaudi.reshape %2 : tensor<4096x1x64xf32> -> tensor<128x32x64xf32>
  %4 = gaudi.transpose %3 permutation [1, 0, 2] : tensor<128x32x64xf32> -> tensor<32x128x64xf32>
  return %4 : tensor<32x128x64xf32>
}

// -----

// CHECK-LABEL: func @unit_gather(
// CHECK-NOT: gaudi.transpose
// CHECK: gaudi.tpc.gather %{{.*}} axis 2 batch_dims 0 : tensor<32x128x48xf32>, tensor<16xi32> -> tensor<32x128x16xf32>
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @unit_gather(%x: tensor<32x128x48xf32>, %i: tensor<16xi32>) -> tensor<32x128x16xf32> {
  %0 = gaudi.transpose %x permutation [1, 0, 2] : tensor<32x128x48xf32> -> tensor<128x32x48xf32>
  %1 = gaudi.reshape %0 : tensor<128x32x48xf32> -> tensor<4096x1x48xf32>
  %2 = gaudi.tpc.gather %1, %i axis 2 batch_dims 0 : tensor<4096x1x48xf32>, tensor<16xi32> -> tensor<4096x1x16xf32>
  %3 = gaudi.reshape %2 : tensor<4096x1x16xf32> -> tensor<128x32x16xf32>
  %4 = gaudi.transpose %3 permutation [1, 0, 2] : tensor<128x32x16xf32> -> tensor<32x128x16xf32>
  return %4 : tensor<32x128x16xf32>
}

// -----

// No part can be the dimension along which tensors of size 1 are joined.
// CHECK-LABEL: func @unit_concat(
// CHECK: gaudi.concat {{.*}} axis 1 : tensor<4096x1x48xf32>, tensor<4096x1x48xf32> -> tensor<4096x2x48xf32>
// CHECK: return
func.func @unit_concat(%x: tensor<32x128x48xf32>) -> tensor<4096x2x48xf32> {
  %e = gaudi.tpc.exp %x : tensor<32x128x48xf32>
  %0 = gaudi.transpose %e permutation [1, 0, 2] : tensor<32x128x48xf32> -> tensor<128x32x48xf32>
  %1 = gaudi.reshape %0 : tensor<128x32x48xf32> -> tensor<4096x1x48xf32>
  %2 = gaudi.concat %1, %1 axis 1 : tensor<4096x1x48xf32>, tensor<4096x1x48xf32> -> tensor<4096x2x48xf32>
  return %2 : tensor<4096x2x48xf32>
}
