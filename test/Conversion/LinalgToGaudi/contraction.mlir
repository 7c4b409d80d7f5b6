// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// Contractions, named and generic, become gaudi.mme.gemm; integer ones a kernel.


// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<8x16xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.mme.gemm %[[A0]], %[[A1]] : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x16xf32>
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// A value other than zero is added in f32, then rounded once.
// CHECK-LABEL: func.func @accumulates(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xbf16>, %[[A1:[a-z0-9_]+]]: tensor<8x16xbf16>, %[[A2:[a-z0-9_]+]]: tensor<4x16xbf16>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.mme.gemm %[[A0]], %[[A1]] : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.cast %[[A2]] : tensor<4x16xbf16> -> tensor<4x16xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.add %[[V0]], %[[V1]] : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.cast %[[V2]] : tensor<4x16xf32> -> tensor<4x16xbf16>
// CHECK-NEXT: return %[[V3]] : tensor<4x16xbf16>
func.func @accumulates(%a: tensor<4x8xbf16>, %b: tensor<8x16xbf16>, %c: tensor<4x16xbf16>) -> tensor<4x16xbf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x16xbf16>) outs(%c : tensor<4x16xbf16>) -> tensor<4x16xbf16>
  return %0 : tensor<4x16xbf16>
}

// CHECK-LABEL: func.func @transposed_maps(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<8x4xf32>, %[[A1:[a-z0-9_]+]]: tensor<16x8xf32>, %[[A2:[a-z0-9_]+]]: tensor<4x16xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.mme.gemm %[[A0]], %[[A1]] transpose_a transpose_b : tensor<8x4xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.add %[[V0]], %[[A2]] : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4x16xf32>
func.func @transposed_maps(%a: tensor<8x4xf32>, %b: tensor<16x8xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<8x4xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// The batch dimension that rhs alone has is repeated in lhs.
// CHECK-LABEL: func.func @broadcast_batch(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<3x8x16xf32>, %[[A2:[a-z0-9_]+]]: tensor<3x4x16xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<4x8xf32> -> tensor<1x4x8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.mme.gemm %[[V0]], %[[A1]] : tensor<1x4x8xf32>, tensor<3x8x16xf32> -> tensor<3x4x16xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.add %[[V1]], %[[A2]] : tensor<3x4x16xf32>, tensor<3x4x16xf32> -> tensor<3x4x16xf32>
// CHECK-NEXT: return %[[V2]] : tensor<3x4x16xf32>
func.func @broadcast_batch(%a: tensor<4x8xf32>, %b: tensor<3x8x16xf32>, %c: tensor<3x4x16xf32>) -> tensor<3x4x16xf32> {
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<4x8xf32>, tensor<3x8x16xf32>) outs(%c : tensor<3x4x16xf32>) -> tensor<3x4x16xf32>
  return %0 : tensor<3x4x16xf32>
}

// CHECK-LABEL: func.func @matvec(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<8xf32>, %[[A2:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<8xf32> -> tensor<8x1xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.mme.gemm %[[A0]], %[[V0]] : tensor<4x8xf32>, tensor<8x1xf32> -> tensor<4x1xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.reshape %[[V1]] : tensor<4x1xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.add %[[V2]], %[[A2]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT: return %[[V3]] : tensor<4xf32>
func.func @matvec(%a: tensor<4x8xf32>, %x: tensor<8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.matvec ins(%a, %x : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @vecmat(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<8xf32>, %[[A1:[a-z0-9_]+]]: tensor<8x16xf32>, %[[A2:[a-z0-9_]+]]: tensor<16xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<8xf32> -> tensor<1x8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.mme.gemm %[[V0]], %[[A1]] : tensor<1x8xf32>, tensor<8x16xf32> -> tensor<1x16xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.reshape %[[V1]] : tensor<1x16xf32> -> tensor<16xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.add %[[V2]], %[[A2]] : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
// CHECK-NEXT: return %[[V3]] : tensor<16xf32>
func.func @vecmat(%x: tensor<8xf32>, %b: tensor<8x16xf32>, %c: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.vecmat ins(%x, %b : tensor<8xf32>, tensor<8x16xf32>) outs(%c : tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK-LABEL: func.func @dot(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<8xf32>, %[[A1:[a-z0-9_]+]]: tensor<8xf32>, %[[A2:[a-z0-9_]+]]: tensor<f32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<8xf32> -> tensor<1x8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<8xf32> -> tensor<8x1xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.mme.gemm %[[V0]], %[[V1]] : tensor<1x8xf32>, tensor<8x1xf32> -> tensor<1x1xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.reshape %[[V2]] : tensor<1x1xf32> -> tensor<f32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.tpc.add %[[V3]], %[[A2]] : tensor<f32>, tensor<f32> -> tensor<f32>
// CHECK-NEXT: return %[[V4]] : tensor<f32>
func.func @dot(%x: tensor<8xf32>, %y: tensor<8xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = linalg.dot ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @batch_reduce(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<3x4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<3x8x16xf32>, %[[A2:[a-z0-9_]+]]: tensor<4x16xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.transpose %[[A0]] permutation [1, 0, 2] : tensor<3x4x8xf32> -> tensor<4x3x8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[V0]] : tensor<4x3x8xf32> -> tensor<4x24xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<3x8x16xf32> -> tensor<24x16xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.mme.gemm %[[V1]], %[[V2]] : tensor<4x24xf32>, tensor<24x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.tpc.add %[[V3]], %[[A2]] : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4x16xf32>
func.func @batch_reduce(%a: tensor<3x4x8xf32>, %b: tensor<3x8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x4x8xf32>, tensor<3x8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// Rows and columns alternate in the result: the outer ones become batches.
// CHECK-LABEL: func.func @mmt4d(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x3x4x5xf32>, %[[A1:[a-z0-9_]+]]: tensor<6x3x7x5xf32>, %[[A2:[a-z0-9_]+]]: tensor<2x6x4x7xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.transpose %[[A0]] permutation [0, 2, 1, 3] : tensor<2x3x4x5xf32> -> tensor<2x4x3x5xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[V0]] : tensor<2x4x3x5xf32> -> tensor<2x1x4x15xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.transpose %[[A1]] permutation [0, 1, 3, 2] : tensor<6x3x7x5xf32> -> tensor<6x3x5x7xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.reshape %[[V2]] : tensor<6x3x5x7xf32> -> tensor<1x6x15x7xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.mme.gemm %[[V1]], %[[V3]] : tensor<2x1x4x15xf32>, tensor<1x6x15x7xf32> -> tensor<2x6x4x7xf32>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = gaudi.tpc.add %[[V4]], %[[A2]] : tensor<2x6x4x7xf32>, tensor<2x6x4x7xf32> -> tensor<2x6x4x7xf32>
// CHECK-NEXT: return %[[V5]] : tensor<2x6x4x7xf32>
func.func @mmt4d(%a: tensor<2x3x4x5xf32>, %b: tensor<6x3x7x5xf32>, %c: tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32> {
  %0 = linalg.mmt4d ins(%a, %b : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%c : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
  return %0 : tensor<2x6x4x7xf32>
}

// An attention score written as a generic: batches inside, result transposed.
// CHECK-LABEL: func.func @generic(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x5x3x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<2x7x3x8xf32>, %[[A2:[a-z0-9_]+]]: tensor<2x7x3x5xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.transpose %[[A1]] permutation [0, 2, 1, 3] : tensor<2x7x3x8xf32> -> tensor<2x3x7x8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.transpose %[[A0]] permutation [0, 2, 3, 1] : tensor<2x5x3x8xf32> -> tensor<2x3x8x5xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.mme.gemm %[[V0]], %[[V1]] : tensor<2x3x7x8xf32>, tensor<2x3x8x5xf32> -> tensor<2x3x7x5xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.transpose %[[V2]] permutation [0, 2, 1, 3] : tensor<2x3x7x5xf32> -> tensor<2x7x3x5xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.tpc.add %[[V3]], %[[A2]] : tensor<2x7x3x5xf32>, tensor<2x7x3x5xf32> -> tensor<2x7x3x5xf32>
// CHECK-NEXT: return %[[V4]] : tensor<2x7x3x5xf32>
func.func @generic(%q: tensor<2x5x3x8xf32>, %k: tensor<2x7x3x8xf32>, %c: tensor<2x7x3x5xf32>) -> tensor<2x7x3x5xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, m, h, k)>, affine_map<(b, h, m, n, k) -> (b, n, h, k)>,
      affine_map<(b, h, m, n, k) -> (b, n, h, m)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x5x3x8xf32>, tensor<2x7x3x8xf32>) outs(%c : tensor<2x7x3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x7x3x5xf32>
  return %0 : tensor<2x7x3x5xf32>
}

// Widened factors stay narrow for the engine; two formats meet in the wider.
// CHECK-LABEL: func.func @mixed(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xbf16>, %[[A1:[a-z0-9_]+]]: tensor<8x16xf32>, %[[A2:[a-z0-9_]+]]: tensor<4x16xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.cast %[[A0]] : tensor<4x8xbf16> -> tensor<4x8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.mme.gemm %[[V0]], %[[A1]] : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.add %[[V1]], %[[A2]] : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT: return %[[V2]] : tensor<4x16xf32>
func.func @mixed(%a: tensor<4x8xbf16>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// CHECK-LABEL: func.func @contract(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf8E4M3FN>, %[[A1:[a-z0-9_]+]]: tensor<8x16xf8E5M2>, %[[A2:[a-z0-9_]+]]: tensor<4x16xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.cast %[[A0]] : tensor<4x8xf8E4M3FN> -> tensor<4x8xbf16>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.cast %[[A1]] : tensor<8x16xf8E5M2> -> tensor<8x16xbf16>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.mme.gemm %[[V0]], %[[V1]] : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.add %[[V2]], %[[A2]] : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
// CHECK-NEXT: return %[[V3]] : tensor<4x16xf32>
func.func @contract(%a: tensor<4x8xf8E4M3FN>, %b: tensor<8x16xf8E5M2>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<4x8xf8E4M3FN>, tensor<8x16xf8E5M2>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// Integers: the matrix engine has none, so the kernel does it.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xi8>, %[[A1:[a-z0-9_]+]]: tensor<8x16xi8>, %[[A2:[a-z0-9_]+]]: tensor<4x16xi32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "matmul"(%[[A0]], %[[A1]], %[[A2]]) index_space [4, 16, 8] parallel [true, true, false] : (tensor<4x8xi8>, tensor<8x16xi8>, tensor<4x16xi32>) -> tensor<4x16xi32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in2[d0, d1]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.loop [2] reduce [#gaudi.reduce<add>] init(%[[V1]]) : i32 {
// CHECK-NEXT: ^bb0(%[[V3:[a-z0-9_]+]]: i32):
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d2]
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = gaudi.kernel.load %in1[d2, d1]
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = arith.extsi %[[V4]] : i8 to i32
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = arith.extsi %[[V5]] : i8 to i32
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = arith.muli %[[V6]], %[[V7]] : i32
// CHECK-NEXT: gaudi.kernel.yield %[[V8]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V2]], %out0[d0, d1]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4x16xi32>
func.func @integers(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %c: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x16xi8>) outs(%c : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// CHECK-LABEL: func.func @zero_points(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xi8>, %[[A1:[a-z0-9_]+]]: tensor<8x16xi8>, %[[A2:[a-z0-9_]+]]: tensor<4x16xi32>, %[[A3:[a-z0-9_]+]]: tensor<i32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "quantized_matmul"(%[[A0]], %[[A1]], %[[A3]], %[[A2]]) index_space [4, 16, 8] parallel [true, true, false] : (tensor<4x8xi8>, tensor<8x16xi8>, tensor<i32>, tensor<4x16xi32>) -> tensor<4x16xi32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in2[]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.kernel.load %in3[d0, d1]
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.loop [2] reduce [#gaudi.reduce<add>] init(%[[V3]]) : i32 {
// CHECK-NEXT: ^bb0(%[[V5:[a-z0-9_]+]]: i32):
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d2]
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = gaudi.kernel.load %in1[d2, d1]
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = arith.extsi %[[V6]] : i8 to i32
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = arith.subi %[[V8]], %[[V1]] : i32
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = arith.extsi %[[V7]] : i8 to i32
// CHECK-NEXT: %[[V11:[a-z0-9_]+]] = arith.subi %[[V10]], %[[V2]] : i32
// CHECK-NEXT: %[[V12:[a-z0-9_]+]] = arith.muli %[[V9]], %[[V11]] : i32
// CHECK-NEXT: gaudi.kernel.yield %[[V12]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V4]], %out0[d0, d1]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4x16xi32>
func.func @zero_points(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %c: tensor<4x16xi32>, %za: i32) -> tensor<4x16xi32> {
  %zb = arith.constant 3 : i32
  %0 = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<4x8xi8>, tensor<8x16xi8>, i32, i32) outs(%c : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}
