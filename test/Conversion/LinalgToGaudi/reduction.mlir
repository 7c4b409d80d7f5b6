// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// Reductions become gaudi.tpc.reduce and gaudi.tpc.arg_reduce, or a kernel with a loop.


#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.reduce <sum> %[[A0]] dims [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @sum(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%i : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @max_keeps_start(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.reduce <max> %[[A0]] dims [0] : tensor<4x8xf32> -> tensor<8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.max %[[V0]], %[[A1]] : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
// CHECK-NEXT: return %[[V1]] : tensor<8xf32>
func.func @max_keeps_start(%x: tensor<4x8xf32>, %start: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%start : tensor<8xf32>) dimensions = [0]
  return %0 : tensor<8xf32>
}

// The reduced dimension stays with size 1, and what is left is transposed.
// CHECK-LABEL: func.func @kept_and_transposed(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8x5xi32>, %[[A1:[a-z0-9_]+]]: tensor<5x1x4xi32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.reduce <min> %[[A0]] dims [1] : tensor<4x8x5xi32> -> tensor<4x5xi32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.transpose %[[V0]] permutation [1, 0] : tensor<4x5xi32> -> tensor<5x4xi32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.reshape %[[V1]] : tensor<5x4xi32> -> tensor<5x1x4xi32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.min %[[V2]], %[[A1]] : tensor<5x1x4xi32>, tensor<5x1x4xi32> -> tensor<5x1x4xi32>
// CHECK-NEXT: return %[[V3]] : tensor<5x1x4xi32>
func.func @kept_and_transposed(%x: tensor<4x8x5xi32>, %start: tensor<5x1x4xi32>) -> tensor<5x1x4xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (c, 0, a)>],
      iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<4x8x5xi32>) outs(%start : tensor<5x1x4xi32>) {
  ^bb0(%v: i32, %acc: i32):
    %r = arith.minsi %v, %acc : i32
    linalg.yield %r : i32
  } -> tensor<5x1x4xi32>
  return %0 : tensor<5x1x4xi32>
}

// CHECK-LABEL: func.func @all(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xi1>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.reduce <all> %[[A0]] dims [1] : tensor<4x8xi1> -> tensor<4xi1>
// CHECK-NEXT: return %[[V0]] : tensor<4xi1>
func.func @all(%x: tensor<4x8xi1>) -> tensor<4xi1> {
  %i = arith.constant dense<true> : tensor<4xi1>
  %0 = linalg.reduce { arith.andi } ins(%x : tensor<4x8xi1>) outs(%i : tensor<4xi1>) dimensions = [1]
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: func.func @max_unsigned(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xi8>, %[[A1:[a-z0-9_]+]]: tensor<4xi8>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "reduce"(%[[A0]], %[[A1]]) index_space [4, 8] parallel [true, false] : (tensor<4x8xi8>, tensor<4xi8>) -> tensor<4xi8> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<maxu>] init(%[[V1]]) : i8 {
// CHECK-NEXT: ^bb0(%[[V3:[a-z0-9_]+]]: i8):
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: gaudi.kernel.yield %[[V4]] : i8
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V2]], %out0[d0]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4xi8>
func.func @max_unsigned(%x: tensor<4x8xi8>, %start: tensor<4xi8>) -> tensor<4xi8> {
  %0 = linalg.reduce { arith.maxui } ins(%x : tensor<4x8xi8>) outs(%start : tensor<4xi8>) dimensions = [1]
  return %0 : tensor<4xi8>
}

// CHECK-LABEL: func.func @sum_of_squares(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xbf16>, %[[A1:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]], %[[A1]]) index_space [4, 8] parallel [true, false] : (tensor<4x8xbf16>, tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%[[V1]]) : f32 {
// CHECK-NEXT: ^bb0(%[[V3:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.mulf %[[V4]], %[[V4]] : f32
// CHECK-NEXT: gaudi.kernel.yield %[[V5]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V2]], %out0[d0]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @sum_of_squares(%x: tensor<4x8xbf16>, %start: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xbf16>) outs(%start : tensor<4xf32>) {
  ^bb0(%v: bf16, %acc: f32):
    %w = arith.extf %v : bf16 to f32
    %s = arith.mulf %w, %w : f32
    %r = arith.addf %acc, %s : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @arg_max(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.reduce <max> %[[A0]] dims [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.arg_reduce %[[A0]] axis 1 is_max : tensor<4x8xf32> -> tensor<4xi64>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xi64>
func.func @arg_max(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
  %zero = arith.constant 0 : i64
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi64>
  %v = linalg.fill ins(%low : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %i = linalg.fill ins(%zero : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%v, %i : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ogt, %in, %best : f32
    %s = arith.select %c, %p, %at : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi64>
}

// CHECK-LABEL: func.func @arg_min_integers(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xi32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.arg_reduce %[[A0]] axis 0 : tensor<4x8xi32> -> tensor<8xi64>
// CHECK-NEXT: return %[[V0]] : tensor<8xi64>
func.func @arg_min_integers(%x: tensor<4x8xi32>) -> tensor<8xindex> {
  %v = arith.constant dense<2147483647> : tensor<8xi32>
  %i = arith.constant dense<0> : tensor<8xindex>
  %0:2 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4x8xi32>) outs(%v, %i : tensor<8xi32>, tensor<8xindex>) {
  ^bb0(%in: i32, %best: i32, %at: index):
    %n = linalg.index 0 : index
    %c = arith.cmpi slt, %in, %best : i32
    %m = arith.minsi %in, %best : i32
    %s = arith.select %c, %n, %at : index
    linalg.yield %m, %s : i32, index
  } -> (tensor<8xi32>, tensor<8xindex>)
  return %0#1 : tensor<8xindex>
}

// Equal maxima give the last position: not gaudi.tpc.arg_reduce.
// CHECK-LABEL: func.func @last_arg_max(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<4xf32>, %[[A2:[a-z0-9_]+]]: tensor<4xi64>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]]:2 = gaudi.tpc.kernel label "generic"(%[[A0]], %[[A1]], %[[A2]]) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>, tensor<4xf32>, tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.load %in2[d0]
// CHECK-NEXT: %[[V3:[a-z0-9_]+]]:2 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>, #gaudi.reduce<custom>] init(%[[V1]], %[[V2]]) : f32, i64 {
// CHECK-NEXT: ^bb0(%[[V4:[a-z0-9_]+]]: f32, %[[V5:[a-z0-9_]+]]: i64):
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = arith.maximumf %[[V6]], %[[V4]] : f32
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = arith.cmpf oge, %[[V6]], %[[V4]] : f32
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = gaudi.kernel.index 1
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = arith.select %[[V8]], %[[V9]], %[[V5]] : i64
// CHECK-NEXT: gaudi.kernel.yield %[[V7]], %[[V10]] : f32, i64
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V3]]#0, %out0[d0]
// CHECK-NEXT: gaudi.kernel.store %[[V3]]#1, %out1[d0]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1 : tensor<4xf32>, tensor<4xi64>
func.func @last_arg_max(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %i: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%v, %i : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf oge, %in, %best : f32
    %s = arith.select %c, %p, %at : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi64>
}

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]]) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = arith.constant 0xFFC00000 : f32
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<maxnum>] init(%[[V1]]) : f32 {
// CHECK-NEXT: ^bb0(%[[V3:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: gaudi.kernel.yield %[[V4]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V2]], %out0[d0]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]], %[[V0]]) index_space [4, 8] parallel [true, true] : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0]
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = arith.subf %[[V6]], %[[V7]] : f32
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = math.exp %[[V8]] : f32
// CHECK-NEXT: gaudi.kernel.store %[[V9]], %out0[d0, d1]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = gaudi.tpc.reduce <sum> %[[V5]] dims [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V11:[a-z0-9_]+]] = gaudi.reshape %[[V10]] : tensor<4xf32> -> tensor<4x1xf32>
// CHECK-NEXT: %[[V12:[a-z0-9_]+]] = gaudi.tpc.div %[[V5]], %[[V11]] : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[V12]] : tensor<4x8xf32>
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
