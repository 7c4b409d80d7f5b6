// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// Parallel bodies of one operation become the named op.


#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @named(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.add %[[A0]], %[[A1]] : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.exp %[[V0]] : tensor<4x8xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.max %[[V1]], %[[A1]] : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.tanh %[[V2]] : tensor<4x8xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.tpc.div %[[V3]], %[[A0]] : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4x8xf32>
func.func @named(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.add ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.exp ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.map { arith.maximumf } ins(%1, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)
  %3 = linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%2 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = arith.divf %3, %a : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// One operand is repeated, one transposed; the result is written transposed.
// CHECK-LABEL: func.func @maps(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<8xf32>, %[[A1:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<8xf32> -> tensor<8x1xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.transpose %[[A1]] permutation [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.sub %[[V0]], %[[V1]] : tensor<8x1xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<8x4xf32>
func.func @maps(%a: tensor<8xf32>, %b: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #id, affine_map<(d0, d1) -> (d1, d0)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<8xf32>, tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.subf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @constants_and_scalars(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<f32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]]:2 = gaudi.tpc.kernel label "generic"(%[[A0]], %[[A1]]) index_space [4, 8] parallel [true, true] : (tensor<4x8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.mulf %[[V1]], %[[V2]] : f32
// CHECK-NEXT: gaudi.kernel.store %[[V3]], %out0[d0, d1]
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.load %in1[]
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.addf %[[V1]], %[[V4]] : f32
// CHECK-NEXT: gaudi.kernel.store %[[V5]], %out1[d0, d1]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<f32> -> tensor<1x1xf32>
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = gaudi.tpc.pow %[[V0]]#0, %[[V6]] : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[V7]], %[[V0]]#1 : tensor<4x8xf32>, tensor<4x8xf32>
func.func @constants_and_scalars(%a: tensor<4x8xf32>, %s: f32) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %half = arith.constant 0.5 : f64
  %e = tensor.empty() : tensor<4x8xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e, %e : tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    %h = arith.truncf %half : f64 to f32
    %r = arith.mulf %x, %h : f32
    %q = arith.addf %x, %s : f32
    linalg.yield %r, %q : f32, f32
  } -> (tensor<4x8xf32>, tensor<4x8xf32>)
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0#0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %q = math.powf %x, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  return %1, %0#1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @relu_and_clamp(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.constant dense<0.000000e+00> : tensor<1xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.max %[[A0]], %[[V0]] : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.clamp %[[A0]] min 0.000000e+00 : f32 max 6.000000e+00 : f32 : tensor<8xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.sigmoid %[[A0]] : tensor<8xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]], %[[V3]] : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
func.func @relu_and_clamp(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.map ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) (%x: f32, %o: f32) {
    %c = arith.cmpf ugt, %x, %zero : f32
    %r = arith.select %c, %x, %zero : f32
    linalg.yield %r : f32
  }
  %1 = linalg.map ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) (%x: f32, %o: f32) {
    %c = arith.maximumf %x, %zero : f32
    %r = arith.minimumf %c, %six : f32
    linalg.yield %r : f32
  }
  %2 = linalg.map ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) (%x: f32, %o: f32) {
    %n = arith.negf %x : f32
    %p = math.exp %n : f32
    %q = arith.addf %p, %one : f32
    %r = arith.divf %one, %q : f32
    linalg.yield %r : f32
  }
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @compare_select(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<8xi32>, %[[A1:[a-z0-9_]+]]: tensor<8xi32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.compare <gt> %[[A0]], %[[A1]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi1>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.select %[[V0]], %[[A0]], %[[A1]] : tensor<8xi1>, tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]], %[[A1]]) index_space [8] parallel [true] : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0]
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0]
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.cmpi ult, %[[V3]], %[[V4]] : i32
// CHECK-NEXT: gaudi.kernel.store %[[V5]], %out0[d0]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V1]], %[[V2]] : tensor<8xi32>, tensor<8xi1>
func.func @compare_select(%a: tensor<8xi32>, %b: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi1>) {
  %c = arith.cmpi sgt, %a, %b : tensor<8xi32>
  %0 = arith.select %c, %a, %b : tensor<8xi1>, tensor<8xi32>
  %u = arith.cmpi ult, %a, %b : tensor<8xi32>
  return %0, %u : tensor<8xi32>, tensor<8xi1>
}

// CHECK-LABEL: func.func @casts(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<8xf32>, %[[A1:[a-z0-9_]+]]: tensor<8xi1>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.cast %[[A0]] : tensor<8xf32> -> tensor<8xbf16>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.cast %[[A0]] : tensor<8xf32> -> tensor<8xi8>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.cast %[[A1]] : tensor<8xi1> -> tensor<8xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.bitcast %[[A0]] : tensor<8xf32> -> tensor<8xi32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]] : tensor<8xbf16>, tensor<8xi8>, tensor<8xf32>, tensor<8xi32>
func.func @casts(%a: tensor<8xf32>, %b: tensor<8xi1>) -> (tensor<8xbf16>, tensor<8xi8>, tensor<8xf32>, tensor<8xi32>) {
  %0 = arith.truncf %a : tensor<8xf32> to tensor<8xbf16>
  %1 = arith.fptosi %a : tensor<8xf32> to tensor<8xi8>
  %2 = arith.uitofp %b : tensor<8xi1> to tensor<8xf32>
  %3 = arith.bitcast %a : tensor<8xf32> to tensor<8xi32>
  return %0, %1, %2, %3 : tensor<8xbf16>, tensor<8xi8>, tensor<8xf32>, tensor<8xi32>
}

// f32 arithmetic between a widening and a narrowing is the op on bf16.
// CHECK-LABEL: func.func @narrow(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<8xbf16>, %[[A1:[a-z0-9_]+]]: tensor<8xbf16>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.mul %[[A0]], %[[A1]] : tensor<8xbf16>, tensor<8xbf16> -> tensor<8xbf16>
// CHECK-NEXT: return %[[V0]] : tensor<8xbf16>
func.func @narrow(%a: tensor<8xbf16>, %b: tensor<8xbf16>) -> tensor<8xbf16> {
  %e = tensor.empty() : tensor<8xbf16>
  %0 = linalg.map ins(%a, %b : tensor<8xbf16>, tensor<8xbf16>) outs(%e : tensor<8xbf16>) (%x: bf16, %y: bf16, %o: bf16) {
    %xw = arith.extf %x : bf16 to f32
    %yw = arith.extf %y : bf16 to f32
    %s = arith.mulf %xw, %yw : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  }
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func.func @movement(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.transpose %[[A0]] permutation [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<4x8xf32> -> tensor<4x1x8xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.broadcast %[[V1]] dims [0, 1, 2] : tensor<4x1x8xf32> -> tensor<4x3x8xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.iota dim 1 : tensor<4x8xi64>
// CHECK-NEXT: return %[[V0]], %[[V2]], %[[A0]], %[[V3]] : tensor<8x4xf32>, tensor<4x3x8xf32>, tensor<4x8xf32>, tensor<4x8xi64>
func.func @movement(%a: tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<4x3x8xf32>, tensor<4x8xf32>, tensor<4x8xi64>) {
  %e0 = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%e0 : tensor<8x4xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<4x3x8xf32>
  %1 = linalg.broadcast ins(%a : tensor<4x8xf32>) outs(%e1 : tensor<4x3x8xf32>) dimensions = [1]
  %e2 = tensor.empty() : tensor<4x8xf32>
  %2 = linalg.copy ins(%a : tensor<4x8xf32>) outs(%e2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e3 = tensor.empty() : tensor<4x8xi64>
  %3 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e3 : tensor<4x8xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 1 : index
    %r = arith.index_cast %i : index to i64
    linalg.yield %r : i64
  } -> tensor<4x8xi64>
  return %0, %1, %2, %3 : tensor<8x4xf32>, tensor<4x3x8xf32>, tensor<4x8xf32>, tensor<4x8xi64>
}

// A repeated operand is repeated by the op that reads it.
// CHECK-LABEL: func.func @through_broadcast(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x1xf32>, %[[A1:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.sub %[[A1]], %[[A0]] : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x8xf32>
func.func @through_broadcast(%a: tensor<4x1xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x1xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x8xf32>
  %1 = linalg.sub ins(%b, %0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// max and min tell -0 from +0, comparisons do not.
// CHECK-LABEL: func.func @zeros_of_either_sign(
// CHECK-COUNT-2: gaudi.tpc.kernel label "map"
// CHECK: gaudi.tpc.minnum
// CHECK: gaudi.tpc.max
func.func @zeros_of_either_sign(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %below = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  // -0 and +0 both become +0.
  %0 = linalg.map ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) (%x: f32, %o: f32) {
    %c = arith.cmpf olt, %x, %zero : f32
    %r = arith.select %c, %x, %zero : f32
    linalg.yield %r : f32
  }
  // -0 stays.
  %1 = linalg.map ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) (%x: f32, %o: f32) {
    %c = arith.cmpf uge, %x, %zero : f32
    %r = arith.select %c, %x, %zero : f32
    linalg.yield %r : f32
  }
  %2 = linalg.map ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) (%x: f32, %o: f32) {
    %c = arith.cmpf ole, %x, %zero : f32
    %r = arith.select %c, %x, %zero : f32
    linalg.yield %r : f32
  }
  %3 = linalg.map ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) (%x: f32, %o: f32) {
    %c = arith.cmpf uge, %x, %below : f32
    %r = arith.select %c, %x, %below : f32
    linalg.yield %r : f32
  }
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
