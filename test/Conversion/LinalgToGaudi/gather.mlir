// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// Reads at a loaded index become gaudi.tpc.gather, or checked loads.


// CHECK-LABEL: func.func @embedding(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x12xi64>, %[[A1:[a-z0-9_]+]]: tensor<100x16xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.gather %[[A1]], %[[A0]] axis 0 batch_dims 0 : tensor<100x16xf32>, tensor<1x12xi64> -> tensor<1x12x16xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x12x16xf32>
func.func @embedding(%ids: tensor<1x12xi64>, %table: tensor<100x16xf32>) -> tensor<1x12x16xf32> {
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<1x12x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<1x12xi64>) outs(%e : tensor<1x12x16xf32>) {
  ^bb0(%id: i64, %o: f32):
    %row = arith.index_cast %id : i64 to index
    %col = linalg.index 2 : index
    %below = arith.cmpi slt, %row, %c100 : index
    cf.assert %below, "index must be smaller than dim size"
    %above = arith.cmpi sge, %id, %zero : i64
    cf.assert %above, "index must be larger or equal to 0"
    %v = tensor.extract %table[%row, %col] : tensor<100x16xf32>
    linalg.yield %v : f32
  } -> tensor<1x12x16xf32>
  return %0 : tensor<1x12x16xf32>
}

// CHECK-LABEL: func.func @middle_axis(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<3xi32>, %[[A1:[a-z0-9_]+]]: tensor<4x100x5xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.gather %[[A1]], %[[A0]] axis 1 batch_dims 0 : tensor<4x100x5xf32>, tensor<3xi32> -> tensor<4x3x5xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.transpose %[[V0]] permutation [2, 0, 1] : tensor<4x3x5xf32> -> tensor<5x4x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<5x4x3xf32>
func.func @middle_axis(%ids: tensor<3xi32>, %table: tensor<4x100x5xf32>) -> tensor<5x4x3xf32> {
  %e = tensor.empty() : tensor<5x4x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<3xi32>) outs(%e : tensor<5x4x3xf32>) {
  ^bb0(%id: i32, %o: f32):
    %row = arith.index_cast %id : i32 to index
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %v = tensor.extract %table[%b, %row, %a] : tensor<4x100x5xf32>
    linalg.yield %v : f32
  } -> tensor<5x4x3xf32>
  return %0 : tensor<5x4x3xf32>
}

// The index varies with a dimension of the table: a checked load in a kernel.
// CHECK-LABEL: func.func @per_column(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x4xi64>, %[[A1:[a-z0-9_]+]]: tensor<4xi64>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A1]], %[[A0]]) index_space [4, 4] parallel [true, true] : (tensor<4xi64>, tensor<2x4xi64>) -> tensor<4x4xi64> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in0[d1]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.index 1
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.kernel.load %in1[%[[V1]], %[[V2]]] boundary [#gaudi.boundary<checked>, #gaudi.boundary<checked>]
// CHECK-NEXT: gaudi.kernel.store %[[V3]], %out0[d0, d1]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4x4xi64>
func.func @per_column(%table: tensor<2x4xi64>, %ids: tensor<4xi64>) -> tensor<4x4xi64> {
  %e = tensor.empty() : tensor<4x4xi64>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xi64>) outs(%e : tensor<4x4xi64>) {
  ^bb0(%id: i64, %o: i64):
    %b = linalg.index 1 : index
    %row = arith.index_cast %id : i64 to index
    %v = tensor.extract %table[%row, %b] : tensor<2x4xi64>
    linalg.yield %v : i64
  } -> tensor<4x4xi64>
  return %0 : tensor<4x4xi64>
}

// CHECK-LABEL: func.func @tensor_gather(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x100x5xf32>, %[[A1:[a-z0-9_]+]]: tensor<3x2x1xi64>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<3x2x1xi64> -> tensor<3x2xi64>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.gather %[[A0]], %[[V0]] axis 1 batch_dims 0 : tensor<4x100x5xf32>, tensor<3x2xi64> -> tensor<4x3x2x5xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.transpose %[[V1]] permutation [1, 2, 0, 3] : tensor<4x3x2x5xf32> -> tensor<3x2x4x5xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.reshape %[[V2]] : tensor<3x2x4x5xf32> -> tensor<3x2x4x1x5xf32>
// CHECK-NEXT: return %[[V3]] : tensor<3x2x4x1x5xf32>
func.func @tensor_gather(%x: tensor<4x100x5xf32>, %i: tensor<3x2x1xi64>) -> tensor<3x2x4x1x5xf32> {
  %0 = tensor.gather %x[%i] gather_dims([1]) : (tensor<4x100x5xf32>, tensor<3x2x1xi64>) -> tensor<3x2x4x1x5xf32>
  return %0 : tensor<3x2x4x1x5xf32>
}
