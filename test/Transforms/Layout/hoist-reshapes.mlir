// Reshapes that split or merge dimensions pass ops where a transpose after or
// before them moves the parts.
// RUN: gaudi-opt %s --split-input-file --gaudi-place-permutations | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-place-permutations --remarks-filter="gaudi-place-permutations" --remark-format=emitRemark -o /dev/null 2>&1 | grep split-dimensions | FileCheck %s --check-prefix=REMARK

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

// -----

// The loops of a kernel are strip-mined, so that it writes the windows.
// CHECK-LABEL: func @kernel(
// CHECK: gaudi.tpc.kernel(%arg0) index_space [8, 7, 8, 7, 96] {{.*}} -> tensor<8x8x7x7x96xf32>
// CHECK-NOT: gaudi.transpose
// CHECK: return
// REMARK: [Passed] split-dimensions {{.*}}split dimensions of tensor<56x56x96xf32>: tensor<8x7x8x7x96xf32> has an order that moves parts of them
func.func @kernel(%x: tensor<56x56x96xf32>) -> tensor<8x8x7x7x96xf32> {
  %y = gaudi.tpc.kernel (%x) index_space [56, 56, 96] parallel [true, true, true] : (tensor<56x56x96xf32>) -> tensor<56x56x96xf32> {
  ^bb0(%in0: tensor<56x56x96xf32>, %out0: tensor<56x56x96xf32>):
    %v = gaudi.kernel.load %in0[d0, d1, d2] : tensor<56x56x96xf32>
    %w = arith.addf %v, %v : f32
    gaudi.kernel.store %w, %out0[d0, d1, d2] : tensor<56x56x96xf32>
  }
  %split = gaudi.reshape %y : tensor<56x56x96xf32> -> tensor<8x7x8x7x96xf32>
  %windows = gaudi.transpose %split permutation [0, 2, 1, 3, 4] : tensor<8x7x8x7x96xf32> -> tensor<8x8x7x7x96xf32>
  return %windows : tensor<8x8x7x7x96xf32>
}

// -----

// What gains nothing stays as it is: the result is needed in its own order, and
// the kernel has its dimensions again; it reads a transpose that is made anew.
// CHECK-LABEL: func @kernel_stays(
// CHECK: gaudi.tpc.kernel({{.*}}) index_space [64, 24] parallel [true, true] : ({{.*}}) -> tensor<64x24xf32>
// CHECK: gaudi.kernel.store {{.*}}[d0, d1] : tensor<64x24xf32>
// CHECK: gaudi.transpose {{.*}} permutation [0, 2, 1] : tensor<64x4x6xf32> -> tensor<64x6x4xf32>
// CHECK: return
// REMARK: [Analysis] split-dimensions {{.*}}not split dimensions of tensor<64x24xf32>: no other order of tensor<64x4x6xf32> takes less time
func.func @kernel_stays(%x: tensor<24x64xf32>, %b: tensor<24xf32>) -> (tensor<64x24xf32>, tensor<64x24xf32>, tensor<64x6x4xf32>) {
  %xt = gaudi.transpose %x permutation [1, 0] : tensor<24x64xf32> -> tensor<64x24xf32>
  %y = gaudi.tpc.kernel (%xt, %b) index_space [64, 24] parallel [true, true] : (tensor<64x24xf32>, tensor<24xf32>) -> tensor<64x24xf32> {
  ^bb0(%in0: tensor<64x24xf32>, %in1: tensor<24xf32>, %out0: tensor<64x24xf32>):
    %b1 = gaudi.kernel.load %in1[d1] : tensor<24xf32>
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<64x24xf32>
    %w = arith.addf %v, %b1 : f32
    gaudi.kernel.store %w, %out0[d0, d1] : tensor<64x24xf32>
  }
  %split = gaudi.reshape %y : tensor<64x24xf32> -> tensor<64x4x6xf32>
  %t = gaudi.transpose %split permutation [0, 2, 1] : tensor<64x4x6xf32> -> tensor<64x6x4xf32>
  return %xt, %y, %t : tensor<64x24xf32>, tensor<64x24xf32>, tensor<64x6x4xf32>
}

// -----

// The same with a constant, which stays the one it was.
// CHECK-LABEL: func @constant_stays(
// CHECK-COUNT-1: gaudi.constant
// CHECK-NOT: gaudi.constant
// CHECK: gaudi.tpc.add {{.*}} -> tensor<64x4xf32>
// CHECK-NOT: gaudi.constant
// CHECK: return
// REMARK: [Analysis] split-dimensions {{.*}}not split dimensions of tensor<64x4xf32>: no other order of tensor<64x2x2xf32> takes less time
func.func @constant_stays(%x: tensor<64x4xf32>) -> (tensor<64x4xf32>, tensor<64x2x2xf32>) {
  %c = gaudi.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %y = gaudi.tpc.add %x, %c : tensor<64x4xf32>, tensor<1x4xf32> -> tensor<64x4xf32>
  %split = gaudi.reshape %y : tensor<64x4xf32> -> tensor<64x2x2xf32>
  %t = gaudi.transpose %split permutation [0, 2, 1] : tensor<64x2x2xf32> -> tensor<64x2x2xf32>
  return %y, %t : tensor<64x4xf32>, tensor<64x2x2xf32>
}

// -----

// Broadcast operands, and dimensions of size 1.
// CHECK-LABEL: func @broadcast(
// CHECK: gaudi.tpc.kernel label "tpc.mul"{{.*}} -> tensor<16x8x12x1x128xf32>
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @broadcast(%x: tensor<96x1x16x128xf32>, %scale: tensor<96x1x1x1xf32>, %w: tensor<128x32xf32>) -> tensor<1536x32xf32> {
  %xt = gaudi.transpose %x permutation [2, 0, 1, 3] : tensor<96x1x16x128xf32> -> tensor<16x96x1x128xf32>
  %st = gaudi.transpose %scale permutation [1, 0, 2, 3] : tensor<96x1x1x1xf32> -> tensor<1x96x1x1xf32>
  %y = gaudi.tpc.mul %xt, %st : tensor<16x96x1x128xf32>, tensor<1x96x1x1xf32> -> tensor<16x96x1x128xf32>
  %split = gaudi.reshape %y : tensor<16x96x1x128xf32> -> tensor<16x12x8x1x128xf32>
  %t = gaudi.transpose %split permutation [0, 2, 1, 3, 4] : tensor<16x12x8x1x128xf32> -> tensor<16x8x12x1x128xf32>
  %rows = gaudi.reshape %t : tensor<16x8x12x1x128xf32> -> tensor<1536x128xf32>
  %r = gaudi.mme.gemm %rows, %w : tensor<1536x128xf32>, tensor<128x32xf32> -> tensor<1536x32xf32>
  return %r : tensor<1536x32xf32>
}
