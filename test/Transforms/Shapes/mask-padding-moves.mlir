// Real elements move where the program has them next to each other.
// RUN: gaudi-opt %s --gaudi-mask-padding --split-input-file --remarks-filter=gaudi-mask-padding --remark-policy=all 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// Element i of the result is element (i / n, i mod n) of the batch.
// REMARK: compact-padding{{.*}}moved b * n real elements of dimension 0 of operand 0 of 'func.return' before its padding by a gather, since callers have no padding: 64 bytes
// CHECK-LABEL: func @result(
// CHECK-SAME: %[[N:[a-z0-9]*]]: tensor<i32> {gaudi.extent = affine_map<()[s0, s1] -> (s1)>}
// CHECK-DAG: %[[I:.*]] = gaudi.tpc.iota dim 0 : tensor<16xi32>
// CHECK-DAG: %[[COUNT:.*]] = gaudi.reshape %[[N]] : tensor<i32> -> tensor<1xi32>
// CHECK-DAG: %[[INNER:.*]] = gaudi.tpc.rem %[[I]], %[[COUNT]]
// CHECK-DAG: %[[OUTER:.*]] = gaudi.tpc.div %[[I]], %[[COUNT]]
// CHECK: %[[ROW:.*]] = gaudi.tpc.mul %[[OUTER]], %{{.*}}
// CHECK: %[[SUM:.*]] = gaudi.tpc.add %[[INNER]], %[[ROW]]
// CHECK: %[[PLACE:.*]] = gaudi.tpc.min %[[SUM]], %{{.*}}
// CHECK: %[[FLAT:.*]] = gaudi.reshape %{{.*}} : tensor<2x8xf32> -> tensor<16xf32>
// CHECK: %[[R:.*]] = gaudi.tpc.gather %[[FLAT]], %[[PLACE]] axis 0 batch_dims 0
// CHECK: return %[[R]]
func.func @result(%x: tensor<2x8xf32> {gaudi.shape = affine_map<()[b, n] -> (b, n)>}) -> (tensor<16xf32> {gaudi.shape = affine_map<()[b, n] -> (b * n)>})
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 8, multiple = 1}, {name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 2, 8>} {
  %0 = gaudi.reshape %x : tensor<2x8xf32> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// One gather serves both readers.
// REMARK: compact-padding{{.*}}of 'gaudi.tpc.arg_reduce' before its padding by a gather, since the result is a position in it
// REMARK: compact-padding{{.*}}of 'gaudi.tpc.sort' before its padding by a gather, since positions in it are sorted
// CHECK-LABEL: func @positions(
// CHECK: %[[G:.*]] = gaudi.tpc.gather
// CHECK: %[[M:.*]] = gaudi.tpc.mask %[[G]] dims [0]
// CHECK: gaudi.tpc.arg_reduce %[[M]]
// CHECK-NOT: gaudi.tpc.gather
// CHECK: gaudi.tpc.sort
func.func @positions(%x: tensor<2x8xf32> {gaudi.shape = affine_map<()[b, n] -> (b, n)>}) -> (tensor<i32>, tensor<16xf32> {gaudi.shape = affine_map<()[b, n] -> (b * n)>})
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 8, multiple = 1}, {name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 2, 8>} {
  %0 = gaudi.reshape %x : tensor<2x8xf32> -> tensor<16xf32>
  %1 = gaudi.tpc.arg_reduce %0 axis 0 : tensor<16xf32> -> tensor<i32>
  %2, %3 = gaudi.tpc.sort %0 axis 0 : tensor<16xf32> -> tensor<16xf32>, tensor<16xi32>
  return %1, %2 : tensor<i32>, tensor<16xf32>
}

// -----

// The sequence goes before the batch, but the elements do not.
// REMARK: mask-padding{{.*}}reshaped real elements only, by a gather
// CHECK-LABEL: func @reshape(
// CHECK: %[[FLAT:.*]] = gaudi.reshape %{{.*}} : tensor<4x8x2xf32> -> tensor<32x2xf32>
// CHECK: %[[MOVED:.*]] = gaudi.tpc.gather %[[FLAT]], %{{.*}} axis 0 batch_dims 0 : tensor<32x2xf32>, tensor<32xi32> -> tensor<32x2xf32>
// CHECK: gaudi.reshape %[[MOVED]] : tensor<32x2xf32> -> tensor<8x4x2xf32>
func.func @reshape(%x: tensor<4x8x2xf32> {gaudi.shape = affine_map<()[b, n] -> (b, n, 2)>}, %b: tensor<i32> {gaudi.extent = affine_map<()[b, n] -> (b)>}, %n: tensor<i32> {gaudi.extent = affine_map<()[b, n] -> (n)>}) -> (tensor<8x4x2xf32> {gaudi.shape = affine_map<()[b, n] -> (n, b, 2)>})
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 8, multiple = 1}, {name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 4, 8>} {
  %0 = gaudi.reshape %x : tensor<4x8x2xf32> -> tensor<8x4x2xf32>
  %1 = gaudi.valid %0 dims [0, 1] extents (%n, %b) : tensor<8x4x2xf32>, tensor<i32>, tensor<i32>
  return %1 : tensor<8x4x2xf32>
}

// -----

// An index of padding of the table stops the launch; one that the program has
// limited cannot be there.
// REMARK: bound-indices{{.*}}indices of operand 1 of 'gaudi.tpc.gather' from n on are outside, as in the program
// REMARK-NOT: bound-indices
// CHECK-LABEL: func @bounded(
// CHECK: %[[REAL:.*]] = gaudi.tpc.compare <lt> %[[I:.*]], %{{.*}} : tensor<3xi32>, tensor<1xi32> -> tensor<3xi1>
// CHECK: %[[OUT:.*]] = gaudi.fill 8 : i32
// CHECK: %[[J:.*]] = gaudi.tpc.select %[[REAL]], %[[I]], %[[OUT]]
// CHECK: gaudi.tpc.gather %{{.*}}, %[[J]] axis 0
// CHECK: %[[L:.*]] = gaudi.tpc.min
// CHECK: gaudi.tpc.gather %{{.*}}, %[[L]] axis 0
func.func @bounded(%x: tensor<8x4xf32> {gaudi.shape = affine_map<()[n] -> (n, 4)>}, %i: tensor<3xi32>, %last: tensor<i32> {gaudi.extent = affine_map<()[n] -> (n - 1)>}) -> (tensor<3x4xf32>, tensor<3x4xf32>)
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.gather %x, %i axis 0 batch_dims 0 : tensor<8x4xf32>, tensor<3xi32> -> tensor<3x4xf32>
  %1 = gaudi.reshape %last : tensor<i32> -> tensor<1xi32>
  %2 = gaudi.tpc.min %i, %1 : tensor<3xi32>, tensor<1xi32> -> tensor<3xi32>
  %3 = gaudi.tpc.gather %x, %2 axis 0 batch_dims 0 : tensor<8x4xf32>, tensor<3xi32> -> tensor<3x4xf32>
  return %0, %3 : tensor<3x4xf32>, tensor<3x4xf32>
}
