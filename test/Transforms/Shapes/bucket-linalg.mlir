// Static variants of linalg on tensors: what says a size becomes a constant or
// goes, and real elements stay in front.
// RUN: gaudi-opt %s --split-input-file --gaudi-infer-symbols --gaudi-bucket-shapes="buckets=8" | FileCheck %s

// The mean divides by the real count, a scalar that bodies read.
// CHECK-LABEL: func @mean.0(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32> {{.*}}, %[[N:.*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0)>})
// CHECK: %[[REAL:.*]] = tensor.extract %[[N]][]
// CHECK: %[[COUNT:.*]] = arith.sitofp %[[REAL]] : i32 to f32
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<8x4xf32>)
// CHECK: arith.divf %{{.*}}, %[[COUNT]]
func.func @mean(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %n64 = arith.index_cast %n : index to i64
  %empty = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%sum : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.sitofp %n64 : i64 to f32
    %2 = arith.divf %in, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The expand of torch-mlir changes nothing whether the size is 1 or not, so
// that nothing is left of it.
// CHECK-LABEL: func @expand.0(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8x4xf32>
// CHECK-NOT: linalg
// CHECK: return %[[X]]
func.func @expand(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %isNotNegative = arith.cmpi sge, %n, %c0 : index
  cf.assert %isNotNegative, "unimplemented: dynamic negative broadcast sizes"
  %to = tensor.empty(%n) : tensor<?x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%to : tensor<?x4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %isOne = arith.cmpi eq, %n, %c1 : index
    %at = arith.select %isOne, %c0, %i : index
    %e = tensor.extract %x[%at, %j] : tensor<?x4xf32>
    linalg.yield %e : f32
  } -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// What is counted has no extent: only a reduction needs a marker, and a reader
// that is elementwise has one from its other operand.
// CHECK-LABEL: func @positions.0(
// CHECK-SAME: %[[X:.*]]: tensor<8xi64> {{.*}}, %[[N:.*]]: tensor<i32> {gaudi.extent
// CHECK: %[[AT:.*]] = linalg.generic
// CHECK: %[[MARKED:.*]] = gaudi.valid %[[AT]] dims [0] extents(%[[N]])
// CHECK: linalg.add ins(%[[X]], %[[AT]] :
// CHECK: linalg.reduce ins(%[[MARKED]] :
func.func @positions(%x: tensor<?xi64> {gaudi.dims = ["n=1..64"]}) -> (tensor<?xi64>, tensor<i64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi64>
  %to = tensor.empty(%n) : tensor<?xi64>
  %at = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%to : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %i64 = arith.index_cast %i : index to i64
    linalg.yield %i64 : i64
  } -> tensor<?xi64>
  %0 = linalg.add ins(%x, %at : tensor<?xi64>, tensor<?xi64>) outs(%to : tensor<?xi64>) -> tensor<?xi64>
  %zero = arith.constant dense<0> : tensor<i64>
  %1 = linalg.reduce ins(%at : tensor<?xi64>) outs(%zero : tensor<i64>) dimensions = [0]
    (%in: i64, %out: i64) {
      %2 = arith.addi %in, %out : i64
      linalg.yield %2 : i64
    }
  return %0, %1 : tensor<?xi64>, tensor<i64>
}

// -----

// The last row is at the extent; all but the last are marked.
// CHECK-LABEL: func @rows.0(
// CHECK-SAME: %[[X:.*]]: tensor<8x2xf32> {{.*}}, %[[LAST:.*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0 - 1)>})
// CHECK: "stablehlo.dynamic_slice"(%[[X]], %[[LAST]], %{{.*}}) {slice_sizes = array<i64: 1, 2>}
// CHECK: tensor.collapse_shape
// CHECK: %[[OTHERS:.*]] = tensor.extract_slice %[[X]][0, 0] [7, 2] [1, 1]
// CHECK: gaudi.valid %[[OTHERS]] dims [0] extents(%[[LAST]])
func.func @rows(%x: tensor<?x2xf32> {gaudi.dims = ["n=1..64", ""]}) -> (tensor<2xf32>, tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %last = arith.subi %n, %c1 : index
  %0 = tensor.extract_slice %x[%last, 0] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<2xf32>
  %1 = tensor.extract_slice %x[0, 0] [%last, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
  return %0, %1 : tensor<2xf32>, tensor<?x2xf32>
}

// -----

// Padding of what is written must not reach real elements behind it.
// CHECK-LABEL: func @blend.0(
// CHECK: %[[OLD:.*]] = "stablehlo.dynamic_slice"
// CHECK: %[[NEW:.*]] = "stablehlo.select"(%{{.*}}, %{{.*}}, %[[OLD]])
// CHECK: "stablehlo.dynamic_update_slice"(%{{.*}}, %[[NEW]],
func.func @blend(%x: tensor<?xf32> {gaudi.dims = ["n=1..64"]}, %y: tensor<100xf32>) -> tensor<100xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = tensor.insert_slice %x into %y[5] [%n] [1] : tensor<?xf32> into tensor<100xf32>
  return %0 : tensor<100xf32>
}

// -----

// A width that varies: the operand is written into what the value fills.
// CHECK-LABEL: func @align.0(
// CHECK: %[[FILLED:.*]] = tensor.splat %{{.*}} : tensor<8xf32>
// CHECK: "stablehlo.select"
// CHECK: gaudi.valid %{{.*}} dims [0] extents(%{{.*}}) : tensor<8xf32>, tensor<i32>
func.func @align(%x: tensor<?xf32> {gaudi.dims = ["n=1..64"]}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 1.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %blocks = arith.ceildivsi %n, %c4 : index
  %whole = arith.muli %blocks, %c4 : index
  %high = arith.subi %whole, %n : index
  %0 = tensor.pad %x low[0] high[%high] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The last tile is filled up with the padding value past the real elements.
// CHECK-LABEL: func @pack.0(
// CHECK-SAME: %[[X:.*]]: tensor<8xi32>
// CHECK: %[[PAD:.*]] = "stablehlo.pad"(%[[X]], %{{.*}} -> tensor<9xi32>
// CHECK: %[[FILLED:.*]] = "stablehlo.select"(%{{.*}}, %[[PAD]], %{{.*}})
// CHECK: %[[PACKED:.*]] = linalg.pack %[[FILLED]] {{.*}} : tensor<9xi32> -> tensor<3x3xi32>
// CHECK: gaudi.valid %[[PACKED]] dims [0] extents(
func.func @pack(%x: tensor<?xi32> {gaudi.dims = ["n=1..64"]}) -> tensor<?x3xi32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant 7 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %tiles = arith.ceildivui %n, %c3 : index
  %to = tensor.empty(%tiles) : tensor<?x3xi32>
  %0 = linalg.pack %x padding_value(%pad : i32) inner_dims_pos = [0] inner_tiles = [3] into %to : tensor<?xi32> -> tensor<?x3xi32>
  return %0 : tensor<?x3xi32>
}

// -----

// Counted from the end, positions past the extent would be negative.
// CHECK-LABEL: func @reverse.0(
// CHECK: %[[AT:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK: %[[CUT:.*]] = arith.minsi %[[AT]], %{{.*}} : index
// CHECK: %[[INSIDE:.*]] = arith.maxsi %[[CUT]], %{{.*}} : index
// CHECK: tensor.extract %{{.*}}[%[[INSIDE]]] : tensor<8xf32>
func.func @reverse(%x: tensor<?xf32> {gaudi.dims = ["n=1..64"]}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %last = arith.subi %n, %c1 : index
  %to = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%to : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %at = arith.subi %last, %i : index
    %e = tensor.extract %x[%at] : tensor<?xf32>
    linalg.yield %e : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
