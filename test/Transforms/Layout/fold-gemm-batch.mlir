// RUN: gaudi-opt %s --gaudi-fold-gemm-batch -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %t.once --gaudi-fold-gemm-batch | diff %t.once -
// RUN: gaudi-opt %s --gaudi-fold-gemm-batch --remarks-filter=gaudi-fold-gemm-batch --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// One weight for every matrix of lhs: the matrices are rows of one product.
// CHECK-LABEL: @linear
func.func @linear(%x: tensor<2x7x160x64xf32>, %w: tensor<64x64xf32>) -> tensor<14x160x64xf32> {
  // CHECK-NEXT: [[M:%.+]] = gaudi.reshape %arg0 : tensor<2x7x160x64xf32> -> tensor<14x160x64xf32>
  // CHECK: [[X:%.+]] = gaudi.reshape {{.*}} -> tensor<2240x64xf32>
  // CHECK: [[Y:%.+]] = gaudi.mme.gemm [[X]], {{%.+}} : tensor<2240x64xf32>, tensor<64x64xf32> -> tensor<2240x64xf32>
  // CHECK-NOT: gaudi.broadcast
  // CHECK: return {{.*}} : tensor<14x160x64xf32>
  %b = gaudi.broadcast %w dims [2, 3] : tensor<64x64xf32> -> tensor<2x7x64x64xf32>
  %m = gaudi.reshape %x : tensor<2x7x160x64xf32> -> tensor<14x160x64xf32>
  %r = gaudi.reshape %b : tensor<2x7x64x64xf32> -> tensor<14x64x64xf32>
  // REMARK-DAG: fold-gemm-batch.mlir:[[#@LINE+2]]:8: remark: [Passed] fold-broadcast | Category:gaudi-fold-gemm-batch | Remark="folded the broadcast of operand 1 into the product: 13 matrices less to copy, saving {{[0-9.]+ [num]?s}} on gaudi2"
  // REMARK-DAG: fold-gemm-batch.mlir:[[#@LINE+1]]:8: remark: [Passed] fold-batch | Category:gaudi-fold-gemm-batch | Remark="folded a batch of 14 into the rows: one product of 2240 rows, saving {{[0-9.]+ [num]?s}} on gaudi2"
  %y = gaudi.mme.gemm %m, %r : tensor<14x160x64xf32>, tensor<14x64x64xf32> -> tensor<14x160x64xf32>
  return %y : tensor<14x160x64xf32>
}

// The transpose moves to the small tensor, for place-permutations to remove.
// CHECK-LABEL: @transposed_weight
func.func @transposed_weight(%x: tensor<3x5x8xf32>, %w: tensor<16x8xf32>) -> tensor<3x5x16xf32> {
  // CHECK: [[T:%.+]] = gaudi.transpose %arg1 permutation [1, 0]
  // CHECK: gaudi.mme.gemm {{.*}} : tensor<15x8xf32>, tensor<8x16xf32> -> tensor<15x16xf32>
  %b = gaudi.broadcast %w dims [0, 2] : tensor<16x8xf32> -> tensor<16x3x8xf32>
  %t = gaudi.transpose %b permutation [1, 2, 0] : tensor<16x3x8xf32> -> tensor<3x8x16xf32>
  %y = gaudi.mme.gemm %x, %t : tensor<3x5x8xf32>, tensor<3x8x16xf32> -> tensor<3x5x16xf32>
  return %y : tensor<3x5x16xf32>
}

// Grouped attention: 2 heads of keys serve 3 heads of queries each. The batch
// of the product is split, and no dimension becomes rows: lhs has its own
// matrix for each of the 2 heads, and the 3 of a group are adjacent.
// CHECK-LABEL: @grouped_heads
func.func @grouped_heads(%q: tensor<4x6x5x8xf32>, %k: tensor<4x2x7x8xf32>) -> tensor<4x6x5x7xf32> {
  // CHECK-DAG: [[Q:%.+]] = gaudi.reshape %arg0 : tensor<4x6x5x8xf32> -> tensor<4x2x3x5x8xf32>
  // CHECK-DAG: [[K:%.+]] = gaudi.reshape %arg1 : tensor<4x2x7x8xf32> -> tensor<4x2x1x7x8xf32>
  // CHECK: gaudi.mme.gemm {{.*}} transpose_b : tensor<4x2x15x8xf32>, tensor<4x2x7x8xf32> -> tensor<4x2x15x7xf32>
  %b = gaudi.broadcast %k dims [0, 1, 3, 4] : tensor<4x2x7x8xf32> -> tensor<4x2x3x7x8xf32>
  %r = gaudi.reshape %b : tensor<4x2x3x7x8xf32> -> tensor<4x6x7x8xf32>
  %y = gaudi.mme.gemm %q, %r transpose_b : tensor<4x6x5x8xf32>, tensor<4x6x7x8xf32> -> tensor<4x6x5x7xf32>
  return %y : tensor<4x6x5x7xf32>
}

// A broadcast lhs is read once; its rows cannot grow.
// CHECK-LABEL: @broadcast_lhs
func.func @broadcast_lhs(%a: tensor<5x8xf32>, %b: tensor<3x8x16xf32>) -> tensor<3x5x16xf32> {
  // CHECK: gaudi.mme.gemm {{%.+}}, %arg1 : tensor<1x5x8xf32>, tensor<3x8x16xf32> -> tensor<3x5x16xf32>
  %r = gaudi.broadcast %a dims [1, 2] : tensor<5x8xf32> -> tensor<3x5x8xf32>
  // REMARK-DAG: fold-gemm-batch.mlir:[[#@LINE+1]]:8: remark: [Passed] fold-broadcast | Category:gaudi-fold-gemm-batch | Remark="folded the broadcast of operand 0 into the product: 2 matrices less to copy, saving {{[0-9.]+ [num]?s}} on gaudi2"
  %y = gaudi.mme.gemm %r, %b : tensor<3x5x8xf32>, tensor<3x8x16xf32> -> tensor<3x5x16xf32>
  return %y : tensor<3x5x16xf32>
}

// CHECK-LABEL: @transposed_lhs
func.func @transposed_lhs(%a: tensor<3x8x5xf32>, %w: tensor<1x8x16xf32>) -> (tensor<3x5x16xf32>, tensor<3x5x16xf32>) {
  // CHECK: gaudi.mme.gemm %arg0, %arg1 transpose_a : tensor<3x8x5xf32>, tensor<1x8x16xf32> -> tensor<3x5x16xf32>
  // REMARK-DAG: fold-gemm-batch.mlir:[[#@LINE+1]]:8: remark: [Missed] fold-batch | Category:gaudi-fold-gemm-batch | Reason="batch of 3 not folded into the rows: lhs is transposed; the product takes {{[0-9.]+ [num]?s}} on gaudi2"
  %y = gaudi.mme.gemm %a, %w transpose_a : tensor<3x8x5xf32>, tensor<1x8x16xf32> -> tensor<3x5x16xf32>
  %t = gaudi.transpose %a permutation [0, 2, 1] : tensor<3x8x5xf32> -> tensor<3x5x8xf32>
  // REMARK-DAG: fold-gemm-batch.mlir:[[#@LINE+1]]:8: remark: [Missed] fold-batch | Category:gaudi-fold-gemm-batch | Reason="batch of 3 not folded into the rows: lhs is transposed; the product takes {{[0-9.]+ [num]?s}} on gaudi2"
  %z = gaudi.mme.gemm %t, %w : tensor<3x5x8xf32>, tensor<1x8x16xf32> -> tensor<3x5x16xf32>
  return %y, %z : tensor<3x5x16xf32>, tensor<3x5x16xf32>
}

// A broadcast of rows or columns is no repetition of matrices.
// CHECK-LABEL: @rows
func.func @rows(%a: tensor<3x1x8xf32>, %b: tensor<3x8x16xf32>) -> tensor<3x5x16xf32> {
  // CHECK: gaudi.broadcast
  // CHECK: gaudi.mme.gemm {{.*}} : tensor<3x5x8xf32>, tensor<3x8x16xf32> -> tensor<3x5x16xf32>
  %r = gaudi.broadcast %a dims [0, 1, 2] : tensor<3x1x8xf32> -> tensor<3x5x8xf32>
  %y = gaudi.mme.gemm %r, %b : tensor<3x5x8xf32>, tensor<3x8x16xf32> -> tensor<3x5x16xf32>
  return %y : tensor<3x5x16xf32>
}

// Neither factor varies along the batch: the product is repeated, not made
// three times.
// CHECK-LABEL: @both
func.func @both(%a: tensor<5x512xf32>, %b: tensor<512x16xf32>) -> tensor<3x5x16xf32> {
  // CHECK: [[Y:%.+]] = gaudi.mme.gemm {{.*}} : tensor<1x5x512xf32>, tensor<1x512x16xf32> -> tensor<1x5x16xf32>
  // CHECK: gaudi.broadcast [[Y]] dims [0, 1, 2] : tensor<1x5x16xf32> -> tensor<3x5x16xf32>
  %l = gaudi.broadcast %a dims [1, 2] : tensor<5x512xf32> -> tensor<3x5x512xf32>
  %r = gaudi.broadcast %b dims [1, 2] : tensor<512x16xf32> -> tensor<3x512x16xf32>
  // REMARK-DAG: fold-gemm-batch.mlir:[[#@LINE+1]]:8: remark: [Passed] multiply-once | Category:gaudi-fold-gemm-batch | Remark="multiplied once where neither factor varies: 1 of 3 matrices, saving {{[0-9.]+ [num]?s}} on gaudi2"
  %y = gaudi.mme.gemm %l, %r : tensor<3x5x512xf32>, tensor<3x512x16xf32> -> tensor<3x5x16xf32>
  return %y : tensor<3x5x16xf32>
}

// The result is larger than the factors: a factor is repeated.
// CHECK-LABEL: @outer
func.func @outer(%a: tensor<512x8xf32>, %b: tensor<8x1024xf32>) -> tensor<3x512x1024xf32> {
  // CHECK: gaudi.broadcast {{.*}} : tensor<1x512x8xf32> -> tensor<3x512x8xf32>
  // CHECK: gaudi.mme.gemm {{.*}} -> tensor<1536x1024xf32>
  %l = gaudi.broadcast %a dims [1, 2] : tensor<512x8xf32> -> tensor<3x512x8xf32>
  %r = gaudi.broadcast %b dims [1, 2] : tensor<8x1024xf32> -> tensor<3x8x1024xf32>
  // REMARK-DAG: fold-gemm-batch.mlir:[[#@LINE+1]]:8: remark: [Missed] multiply-once | Category:gaudi-fold-gemm-batch | Reason="a factor is repeated, although neither varies: repeating the product would take {{[0-9.]+ [num]?s}} instead of {{[0-9.]+ [num]?s}} on gaudi2"
  %y = gaudi.mme.gemm %l, %r : tensor<3x512x8xf32>, tensor<3x8x1024xf32> -> tensor<3x512x1024xf32>
  return %y : tensor<3x512x1024xf32>
}

// Another reader keeps the broadcast.
// CHECK-LABEL: @shared_broadcast
func.func @shared_broadcast(%x: tensor<3x5x8xf32>, %w: tensor<8x16xf32>) -> (tensor<3x5x16xf32>, tensor<3x8x16xf32>) {
  // CHECK: [[B:%.+]] = gaudi.broadcast
  // CHECK: gaudi.mme.gemm {{.*}} : tensor<15x8xf32>, tensor<8x16xf32> -> tensor<15x16xf32>
  // CHECK: return {{%.+}}, [[B]]
  %b = gaudi.broadcast %w dims [1, 2] : tensor<8x16xf32> -> tensor<3x8x16xf32>
  %y = gaudi.mme.gemm %x, %b : tensor<3x5x8xf32>, tensor<3x8x16xf32> -> tensor<3x5x16xf32>
  return %y, %b : tensor<3x5x16xf32>, tensor<3x8x16xf32>
}

// A broadcast batch that a reshape splits further.
// CHECK-LABEL: @split_batch
func.func @split_batch(%x: tensor<2x3x5x8xf32>, %w: tensor<8x16xf32>) -> tensor<2x3x5x16xf32> {
  // CHECK: gaudi.mme.gemm {{.*}} : tensor<30x8xf32>, tensor<8x16xf32> -> tensor<30x16xf32>
  %b = gaudi.broadcast %w dims [1, 2] : tensor<8x16xf32> -> tensor<6x8x16xf32>
  %r = gaudi.reshape %b : tensor<6x8x16xf32> -> tensor<2x3x8x16xf32>
  %y = gaudi.mme.gemm %x, %r : tensor<2x3x5x8xf32>, tensor<2x3x8x16xf32> -> tensor<2x3x5x16xf32>
  return %y : tensor<2x3x5x16xf32>
}

// CHECK-LABEL: @too_many_dimensions
func.func @too_many_dimensions(%x: tensor<2x2x2x2x6x2x5x8xf32>, %w: tensor<2x2x2x2x2x1x8x16xf32>) -> tensor<2x2x2x2x6x2x5x16xf32> {
  // CHECK: gaudi.broadcast
  %s = gaudi.reshape %w : tensor<2x2x2x2x2x1x8x16xf32> -> tensor<16x2x1x1x8x16xf32>
  %b = gaudi.broadcast %s dims [0, 1, 2, 3, 4, 5] : tensor<16x2x1x1x8x16xf32> -> tensor<16x2x3x2x8x16xf32>
  %r = gaudi.reshape %b : tensor<16x2x3x2x8x16xf32> -> tensor<2x2x2x2x6x2x8x16xf32>
  // REMARK-DAG: fold-gemm-batch.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-broadcast | Category:gaudi-fold-gemm-batch | Reason="broadcast not folded: the product would have 9 dimensions; tensors have at most 8"
  %y = gaudi.mme.gemm %x, %r : tensor<2x2x2x2x6x2x5x8xf32>, tensor<2x2x2x2x6x2x8x16xf32> -> tensor<2x2x2x2x6x2x5x16xf32>
  return %y : tensor<2x2x2x2x6x2x5x16xf32>
}

// The batch of a product with orders does not come before its rows.
// CHECK-LABEL: @orders
func.func @orders(%x: tensor<160x7x64xf32>, %w: tensor<1x64x64xf32>) -> tensor<7x160x64xf32> {
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %arg1 order_a [1, 0, 2] : tensor<160x7x64xf32>, tensor<1x64x64xf32> -> tensor<7x160x64xf32>
  %y = gaudi.mme.gemm %x, %w order_a [1, 0, 2] : tensor<160x7x64xf32>, tensor<1x64x64xf32> -> tensor<7x160x64xf32>
  return %y : tensor<7x160x64xf32>
}
