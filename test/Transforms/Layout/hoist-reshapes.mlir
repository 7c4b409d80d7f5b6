// Reshapes that split or merge dimensions pass ops where a transpose behind or
// before them moves the parts.
// RUN: gaudi-opt %s --split-input-file --gaudi-place-permutations | FileCheck %s

// The last op of a layer norm writes the windows of Swin, which become the rows
// of a product.
// CHECK-LABEL: func @windows(
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @windows(%x: tensor<2x56x56x96xf32>, %gamma: tensor<1x1x1x96xf32>, %beta: tensor<1x1x1x96xf32>, %w: tensor<96x288xf32>) -> tensor<6272x288xf32> {
  %mean = gaudi.tpc.reduce <mean> %x dims [3] keep_dims : tensor<2x56x56x96xf32> -> tensor<2x56x56x1xf32>
  %c = gaudi.tpc.sub %x, %mean : tensor<2x56x56x96xf32>, tensor<2x56x56x1xf32> -> tensor<2x56x56x96xf32>
  %s = gaudi.tpc.mul %c, %gamma : tensor<2x56x56x96xf32>, tensor<1x1x1x96xf32> -> tensor<2x56x56x96xf32>
  %y = gaudi.tpc.add %s, %beta : tensor<2x56x56x96xf32>, tensor<1x1x1x96xf32> -> tensor<2x56x56x96xf32>
  %split = gaudi.reshape %y : tensor<2x56x56x96xf32> -> tensor<2x8x7x8x7x96xf32>
  %windows = gaudi.transpose %split permutation [0, 1, 3, 2, 4, 5] : tensor<2x8x7x8x7x96xf32> -> tensor<2x8x8x7x7x96xf32>
  %rows = gaudi.reshape %windows : tensor<2x8x8x7x7x96xf32> -> tensor<6272x96xf32>
  %r = gaudi.mme.gemm %rows, %w : tensor<6272x96xf32>, tensor<96x288xf32> -> tensor<6272x288xf32>
  return %r : tensor<6272x288xf32>
}

// -----

// And back: the residual is added where the windows are read.
// CHECK-LABEL: func @windows_back(
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @windows_back(%rows: tensor<6272x96xf32>, %w: tensor<96x96xf32>, %x: tensor<2x56x56x96xf32>) -> tensor<2x56x56x96xf32> {
  %r = gaudi.mme.gemm %rows, %w : tensor<6272x96xf32>, tensor<96x96xf32> -> tensor<6272x96xf32>
  %windows = gaudi.reshape %r : tensor<6272x96xf32> -> tensor<2x8x8x7x7x96xf32>
  %split = gaudi.transpose %windows permutation [0, 1, 3, 2, 4, 5] : tensor<2x8x8x7x7x96xf32> -> tensor<2x8x7x8x7x96xf32>
  %merged = gaudi.reshape %split : tensor<2x8x7x8x7x96xf32> -> tensor<2x56x56x96xf32>
  %y = gaudi.tpc.add %merged, %x : tensor<2x56x56x96xf32>, tensor<2x56x56x96xf32> -> tensor<2x56x56x96xf32>
  return %y : tensor<2x56x56x96xf32>
}

// -----

// Channels are shuffled by what computes them.
// CHECK-LABEL: func @shuffle(
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @shuffle(%x: tensor<8x28x28x116xf32>, %y: tensor<8x28x28x116xf32>) -> tensor<8x28x28x116xf32> {
  %s = gaudi.tpc.add %x, %y : tensor<8x28x28x116xf32>, tensor<8x28x28x116xf32> -> tensor<8x28x28x116xf32>
  %r = gaudi.tpc.tanh %s : tensor<8x28x28x116xf32>
  %split = gaudi.reshape %r : tensor<8x28x28x116xf32> -> tensor<8x28x28x2x58xf32>
  %t = gaudi.transpose %split permutation [0, 1, 2, 4, 3] : tensor<8x28x28x2x58xf32> -> tensor<8x28x28x58x2xf32>
  %merged = gaudi.reshape %t : tensor<8x28x28x58x2xf32> -> tensor<8x28x28x116xf32>
  return %merged : tensor<8x28x28x116xf32>
}

// -----

// Products of merged batches are products of heads, read through strides.
// CHECK-LABEL: func @heads(
// CHECK-NOT: gaudi.transpose
// CHECK: gaudi.mme.gemm {{.*}} -> tensor<2x4x64x64xf32>
// CHECK: return
func.func @heads(%q: tensor<2x64x4x32xf32>, %k: tensor<2x64x4x32xf32>) -> tensor<8x64x64xf32> {
  %qt = gaudi.transpose %q permutation [0, 2, 1, 3] : tensor<2x64x4x32xf32> -> tensor<2x4x64x32xf32>
  %kt = gaudi.transpose %k permutation [0, 2, 1, 3] : tensor<2x64x4x32xf32> -> tensor<2x4x64x32xf32>
  %qm = gaudi.reshape %qt : tensor<2x4x64x32xf32> -> tensor<8x64x32xf32>
  %km = gaudi.reshape %kt : tensor<2x4x64x32xf32> -> tensor<8x64x32xf32>
  %s = gaudi.mme.gemm %qm, %km transpose_b : tensor<8x64x32xf32>, tensor<8x64x32xf32> -> tensor<8x64x64xf32>
  return %s : tensor<8x64x64xf32>
}

// -----

// Nothing moves parts of dimensions here: the transpose moves whole ones.
// CHECK-LABEL: func @whole(
// CHECK: gaudi.tpc.tanh {{.*}} : tensor<4x24x16xf32>
// CHECK: return
func.func @whole(%x: tensor<4x24x16xf32>) -> tensor<4x4x6x16xf32> {
  %r = gaudi.tpc.tanh %x : tensor<4x24x16xf32>
  %split = gaudi.reshape %r : tensor<4x24x16xf32> -> tensor<4x4x6x16xf32>
  return %split : tensor<4x4x6x16xf32>
}
