// Sizes go through linalg on tensors, and through the arithmetic on sizes that
// torch-mlir writes between its ops.
// RUN: gaudi-opt %s --split-input-file --gaudi-infer-symbols | FileCheck %s

// A view with one inferred size, as torch-mlir writes it.
// CHECK-DAG: #[[APART:.*]] = affine_map<()[s0, s1] -> (s0, s1, 2, 8)>
// CHECK-DAG: #[[FLAT:.*]] = affine_map<()[s0, s1] -> ((s0 * s1) * 2, 8)>
// CHECK-LABEL: func @view(
// CHECK-SAME: -> (tensor<?x?x2x8xf32> {gaudi.shape = #[[APART]]}, tensor<?x8xf32> {gaudi.shape = #[[FLAT]]})
func.func @view(%x: tensor<?x?x16xf32> {gaudi.dims = ["batch=1..64", "seq=3..128", ""]}) -> (tensor<?x?x2x8xf32>, tensor<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_i64 = arith.constant 0 : i64
  %c1_i64 = arith.constant 1 : i64
  %c2_i64 = arith.constant 2 : i64
  %c8_i64 = arith.constant 8 : i64
  %c16_i64 = arith.constant 16 : i64
  %b = tensor.dim %x, %c0 : tensor<?x?x16xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x16xf32>
  %b64 = arith.index_cast %b : index to i64
  %s64 = arith.index_cast %s : index to i64
  %isNegative = arith.cmpi slt, %b64, %c0_i64 : i64
  %one = arith.select %isNegative, %c1_i64, %b64 : i64
  %count = arith.extui %isNegative : i1 to i64
  %holds = arith.cmpi sle, %count, %c1_i64 : i64
  cf.assert %holds, "must have at most one inferred (negative) dimension"
  %part = arith.muli %one, %c16_i64 : i64
  %all = arith.muli %b64, %s64 : i64
  %total = arith.muli %all, %c16_i64 : i64
  %inferred = arith.divsi %total, %part : i64
  %shape = tensor.from_elements %one, %inferred, %c2_i64, %c8_i64 : tensor<4xi64>
  %0 = tensor.reshape %x(%shape) : (tensor<?x?x16xf32>, tensor<4xi64>) -> tensor<?x?x2x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2], [3]] : tensor<?x?x2x8xf32> into tensor<?x8xf32>
  return %0, %1 : tensor<?x?x2x8xf32>, tensor<?x8xf32>
}

// -----

// CHECK-DAG: #[[JOINED:.*]] = affine_map<()[s0, s1] -> (s0 + s1, 4)>
// CHECK-DAG: #[[PADDED:.*]] = affine_map<()[s0, s1] -> (s0 + s1 + 3, 5)>
// CHECK-DAG: #[[HALF:.*]] = affine_map<()[s0, s1] -> ((s0 + s1 + 1) floordiv 2, 4)>
// CHECK-DAG: #[[ALIGNED:.*]] = affine_map<()[s0, s1] -> (((s0 + s1 + 7) floordiv 8) * 8, 4)>
// CHECK-LABEL: func @moves(
// CHECK-SAME: -> (tensor<?x4xf32> {gaudi.shape = #[[JOINED]]}, tensor<?x5xf32> {gaudi.shape = #[[PADDED]]}, tensor<?x4xf32> {gaudi.shape = #[[HALF]]}, tensor<?x4xf32> {gaudi.shape = #[[ALIGNED]]})
func.func @moves(%past: tensor<?x4xf32> {gaudi.dims = ["past=1..128", ""]}, %new: tensor<?x4xf32> {gaudi.dims = ["seq=3..128", ""]}) -> (tensor<?x4xf32>, tensor<?x5xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = tensor.concat dim(0) %past, %new : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tensor.pad %0 low[1, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x5xf32>
  %n = tensor.dim %0, %c0 : tensor<?x4xf32>
  %half = affine.apply affine_map<()[s0] -> ((s0 + 1) floordiv 2)>()[%n]
  %2 = tensor.extract_slice %0[0, 0] [%half, 4] [2, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %c8 = index.constant 8
  %blocks = index.ceildivs %n, %c8
  %whole = index.mul %blocks, %c8
  %high = index.sub %whole, %n
  %3 = tensor.pad %0 low[0, 0] high[%high, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x4xf32>
  return %0, %1, %2, %3 : tensor<?x4xf32>, tensor<?x5xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// Loops take their sizes from operands; results have those of destinations.
// CHECK-DAG: #[[ROWS:.*]] = affine_map<()[s0] -> (s0, 3)>
// CHECK-DAG: #[[TILES:.*]] = affine_map<()[s0] -> ((s0 + 1) floordiv 2, 2, 2, 2)>
// CHECK-LABEL: func @structured(
// CHECK-SAME: -> (tensor<?x3xf32> {gaudi.shape = #[[ROWS]]}, tensor<?x2x2x2xf32> {gaudi.shape = #[[TILES]]}, tensor<?x3xf32> {gaudi.shape = #[[ROWS]]})
func.func @structured(%x: tensor<?x4xf32> {gaudi.dims = ["rows=2..64", ""]}, %w: tensor<4x3xf32>) -> (tensor<?x3xf32>, tensor<?x2x2x2xf32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%n) : tensor<?x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x3xf32>) -> tensor<?x3xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x3xf32>) outs(%init : tensor<?x3xf32>) -> tensor<?x3xf32>
  %c2 = arith.constant 2 : index
  %tiles = arith.ceildivsi %n, %c2 : index
  %to = tensor.empty(%tiles) : tensor<?x2x2x2xf32>
  %1 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %to : tensor<?x4xf32> -> tensor<?x2x2x2xf32>
  %2 = math.exp %0 : tensor<?x3xf32>
  return %0, %1, %2 : tensor<?x3xf32>, tensor<?x2x2x2xf32>, tensor<?x3xf32>
}

// -----

// A slice that ends at the half, which torch-mlir keeps between 0 and the size.
// CHECK-DAG: #[[HALF:.*]] = affine_map<()[s0] -> (s0 floordiv 2)>
// CHECK-LABEL: func @first_half(
// CHECK-SAME: -> (tensor<?xf32> {gaudi.shape = #[[HALF]]})
func.func @first_half(%x: tensor<?xf32> {gaudi.dims = ["seq=3..17"]}) -> tensor<?xf32> {
  %c2_i64 = arith.constant 2 : i64
  %c0 = arith.constant 0 : index
  %c-1 = arith.constant -1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = arith.index_cast %n : index to i64
  %1 = arith.floordivsi %0, %c2_i64 : i64
  %2 = arith.index_cast %1 : i64 to index
  %3 = arith.cmpi slt, %2, %c0 : index
  %4 = arith.addi %2, %n : index
  %5 = arith.select %3, %4, %2 : index
  %6 = arith.cmpi slt, %5, %c0 : index
  %7 = arith.select %6, %c-1, %5 : index
  %8 = arith.minsi %7, %n : index
  %9 = arith.maxsi %8, %c0 : index
  %r = tensor.extract_slice %x[0] [%9] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Lengths of ranges that are computed in floats: of whole numbers, and of a
// quotient that is rounded up.
// CHECK-DAG: #[[SEQ:.*]] = affine_map<()[s0] -> (s0)>
// CHECK-DAG: #[[UP:.*]] = affine_map<()[s0] -> ((s0 + 2) floordiv 3)>
// CHECK-LABEL: func @ranges(
// CHECK-SAME: -> (tensor<?xf32> {gaudi.shape = #[[SEQ]]}, tensor<?xf32> {gaudi.shape = #[[UP]]})
func.func @ranges(%x: tensor<?xf32> {gaudi.dims = ["seq=3..17"]}) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = arith.index_cast %n : index to i64
  %1 = arith.sitofp %0 : i64 to f32
  %2 = math.ceil %1 : f32
  %3 = arith.fptoui %2 : f32 to i64
  %4 = arith.index_cast %3 : i64 to index
  %5 = tensor.empty(%4) : tensor<?xf32>
  %wide = arith.sitofp %0 : i64 to f64
  %part = arith.divf %wide, %three : f64
  %up = math.ceil %part : f64
  %6 = arith.fptosi %up : f64 to i64
  %7 = arith.index_cast %6 : i64 to index
  %8 = tensor.empty(%7) : tensor<?xf32>
  return %5, %8 : tensor<?xf32>, tensor<?xf32>
}
