// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// Every other loop nest becomes gaudi.tpc.kernel.


#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @gelu(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xbf16>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]]) index_space [4, 8] parallel [true, true] : (tensor<4x8xbf16>) -> tensor<4x8xbf16> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = arith.constant 1.41421354 : f32
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.divf %[[V1]], %[[V2]] : f32
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = math.erf %[[V3]] : f32
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = arith.addf %[[V4]], %[[V5]] : f32
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = arith.truncf %[[V6]] : f32 to bf16
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = arith.extf %[[V7]] : bf16 to f32
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = arith.mulf %[[V1]], %[[V8]] : f32
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[V11:[a-z0-9_]+]] = arith.mulf %[[V9]], %[[V10]] : f32
// CHECK-NEXT: gaudi.kernel.store %[[V11]], %out0[d0, d1]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4x8xbf16>
func.func @gelu(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %r2 = arith.constant 1.41421354 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<4x8xbf16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xbf16>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%in: bf16, %o: bf16):
    %w = arith.extf %in : bf16 to f32
    %a = arith.divf %w, %r2 : f32
    %b = math.erf %a : f32
    %c = arith.addf %b, %one : f32
    %n = arith.truncf %c : f32 to bf16
    %d = arith.extf %n : bf16 to f32
    %f = arith.mulf %w, %d : f32
    %g = arith.mulf %f, %half : f32
    %r = arith.truncf %g : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @two_results(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<3x4xi32>, %[[A1:[a-z0-9_]+]]: tensor<3x4xi32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]]:2 = gaudi.tpc.kernel label "generic"(%[[A0]], %[[A1]]) index_space [3, 4] parallel [true, true] : (tensor<3x4xi32>, tensor<3x4xi32>) -> (tensor<3x4xi32>, tensor<4x3xi32>) {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0, d1]
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.addi %[[V1]], %[[V2]] : i32
// CHECK-NEXT: gaudi.kernel.store %[[V3]], %out0[d0, d1]
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.muli %[[V1]], %[[V2]] : i32
// CHECK-NEXT: gaudi.kernel.store %[[V4]], %out1[d1, d0]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1 : tensor<3x4xi32>, tensor<4x3xi32>
func.func @two_results(%a: tensor<3x4xi32>, %b: tensor<3x4xi32>) -> (tensor<3x4xi32>, tensor<4x3xi32>) {
  %e = tensor.empty() : tensor<3x4xi32>
  %f = tensor.empty() : tensor<4x3xi32>
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<3x4xi32>, tensor<3x4xi32>) outs(%e, %f : tensor<3x4xi32>, tensor<4x3xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32, %p: i32):
    %s = arith.addi %x, %y : i32
    %m = arith.muli %x, %y : i32
    linalg.yield %s, %m : i32, i32
  } -> (tensor<3x4xi32>, tensor<4x3xi32>)
  return %0#0, %0#1 : tensor<3x4xi32>, tensor<4x3xi32>
}

// The last value along a dimension that is larger than the running one.
// CHECK-LABEL: func.func @custom(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]], %[[A1]]) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>] init(%[[V1]]) : f32 {
// CHECK-NEXT: ^bb0(%[[V3:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.subf %[[V4]], %[[V3]] : f32
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = arith.mulf %[[V5]], %[[V4]] : f32
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = arith.addf %[[V6]], %[[V3]] : f32
// CHECK-NEXT: gaudi.kernel.yield %[[V7]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V2]], %out0[d0]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @custom(%x: tensor<4x8xf32>, %start: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %d = arith.subf %in, %acc : f32
    %m = arith.mulf %d, %in : f32
    %r = arith.addf %m, %acc : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Six parallel dimensions that do not fold together: the outermost is walked.
// CHECK-LABEL: func.func @six_parallel(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x3x2x3x2x3xf32>, %[[A1:[a-z0-9_]+]]: tensor<3x2x3x2x3x2xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]], %[[A1]]) index_space [2, 3, 2, 3, 2, 3] parallel [false, true, true, true, true, true] : (tensor<2x3x2x3x2x3xf32>, tensor<3x2x3x2x3x2xf32>) -> tensor<2x3x2x3x2x3xf32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: gaudi.kernel.loop [0] {
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1, d2, d3, d4, d5]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.load %in1[d5, d4, d3, d2, d1, d0]
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.mulf %[[V1]], %[[V2]] : f32
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.addf %[[V3]], %[[V1]] : f32
// CHECK-NEXT: gaudi.kernel.store %[[V4]], %out0[d0, d1, d2, d3, d4, d5]
// CHECK-NEXT: gaudi.kernel.yield
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<2x3x2x3x2x3xf32>
func.func @six_parallel(%x: tensor<2x3x2x3x2x3xf32>, %y: tensor<3x2x3x2x3x2xf32>) -> tensor<2x3x2x3x2x3xf32> {
  %e = tensor.empty() : tensor<2x3x2x3x2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e, f) -> (a, b, c, d, e, f)>, affine_map<(a, b, c, d, e, f) -> (f, e, d, c, b, a)>, affine_map<(a, b, c, d, e, f) -> (a, b, c, d, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x, %y : tensor<2x3x2x3x2x3xf32>, tensor<3x2x3x2x3x2xf32>) outs(%e : tensor<2x3x2x3x2x3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %r = arith.addf %m, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x3x2x3xf32>
  return %0 : tensor<2x3x2x3x2x3xf32>
}

// Seven that do: neighbours become one.
// CHECK-LABEL: func.func @collapsed(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x3x2x3x2x3x2xf32>, %[[A1:[a-z0-9_]+]]: tensor<2x3xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<2x3x2x3x2x3x2xf32> -> tensor<6x36x2xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<2x3xf32> -> tensor<6xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[V0]], %[[V1]]) index_space [6, 36, 2] parallel [true, true, false] : (tensor<6x36x2xf32>, tensor<6xf32>) -> tensor<6x36xf32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0]
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = gaudi.kernel.loop [2] reduce [#gaudi.reduce<add>] init(%[[V4]]) : f32 {
// CHECK-NEXT: ^bb0(%[[V6:[a-z0-9_]+]]: f32):
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1, d2]
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = arith.subf %[[V7]], %[[V3]] : f32
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = math.absf %[[V8]] : f32
// CHECK-NEXT: gaudi.kernel.yield %[[V9]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V5]], %out0[d0, d1]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = gaudi.reshape %[[V2]] : tensor<6x36xf32> -> tensor<2x3x2x3x2x3xf32>
// CHECK-NEXT: return %[[V10]] : tensor<2x3x2x3x2x3xf32>
func.func @collapsed(%x: tensor<2x3x2x3x2x3x2xf32>, %s: tensor<2x3xf32>) -> tensor<2x3x2x3x2x3xf32> {
  %z = arith.constant dense<0.0> : tensor<2x3x2x3x2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f, g)>, affine_map<(a, b, c, d, e, f, g) -> (a, b)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %s : tensor<2x3x2x3x2x3x2xf32>, tensor<2x3xf32>) outs(%z : tensor<2x3x2x3x2x3xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %d = arith.subf %p, %q : f32
    %m = math.absf %d : f32
    %r = arith.addf %m, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x3x2x3xf32>
  return %0 : tensor<2x3x2x3x2x3xf32>
}

// Positions that are not affine are computed and checked.
// CHECK-LABEL: func.func @non_affine(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]]) index_space [8] parallel [true] : (tensor<4xf32>) -> tensor<8xf32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.index 0
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = arith.constant 2 : i64
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.constant 0 : i64
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.constant 1 : i64
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.remsi %[[V1]], %[[V2]] : i64
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = arith.addi %[[V5]], %[[V2]] : i64
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = arith.cmpi slt, %[[V5]], %[[V3]] : i64
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = arith.select %[[V7]], %[[V6]], %[[V5]] : i64
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = arith.subi %[[V1]], %[[V8]] : i64
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = arith.divsi %[[V9]], %[[V2]] : i64
// CHECK-NEXT: %[[V11:[a-z0-9_]+]] = gaudi.kernel.load %in0[%[[V10]]] boundary [#gaudi.boundary<checked>]
// CHECK-NEXT: gaudi.kernel.store %[[V11]], %out0[d0]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<8xf32>
func.func @non_affine(%x: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @scalar_ops(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<8xf32>, %[[A1:[a-z0-9_]+]]: tensor<8xi32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]]:4 = gaudi.tpc.kernel label "generic"(%[[A0]], %[[A1]]) index_space [8] parallel [true] : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0]
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.mulf %[[V1]], %[[V1]] : f32
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = arith.mulf %[[V1]], %[[V5]] : f32
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = arith.maximumf %[[V6]], %[[V1]] : f32
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = arith.minimumf %[[V7]], %[[V6]] : f32
// CHECK-NEXT: gaudi.kernel.store %[[V8]], %out0[d0]
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = math.absf %[[V1]] : f32
// CHECK-NEXT: %[[V10:[a-z0-9_]+]] = arith.constant 0x7F800000 : f32
// CHECK-NEXT: %[[V11:[a-z0-9_]+]] = arith.cmpf olt, %[[V9]], %[[V10]] : f32
// CHECK-NEXT: gaudi.kernel.store %[[V11]], %out1[d0]
// CHECK-NEXT: %[[V12:[a-z0-9_]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[V13:[a-z0-9_]+]] = arith.muli %[[V2]], %[[V2]] : i32
// CHECK-NEXT: %[[V14:[a-z0-9_]+]] = arith.muli %[[V2]], %[[V13]] : i32
// CHECK-NEXT: %[[V15:[a-z0-9_]+]], %[[V16:[a-z0-9_]+]] = arith.mulsi_extended %[[V2]], %[[V14]] : i32
// CHECK-NEXT: gaudi.kernel.store %[[V16]], %out2[d0]
// CHECK-NEXT: %[[V17:[a-z0-9_]+]] = arith.divsi %[[V2]], %[[V3]] : i32
// CHECK-NEXT: %[[V18:[a-z0-9_]+]] = arith.muli %[[V17]], %[[V3]] : i32
// CHECK-NEXT: %[[V19:[a-z0-9_]+]] = arith.cmpi ne, %[[V2]], %[[V18]] : i32
// CHECK-NEXT: %[[V20:[a-z0-9_]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[V21:[a-z0-9_]+]] = arith.cmpi slt, %[[V2]], %[[V20]] : i32
// CHECK-NEXT: %[[V22:[a-z0-9_]+]] = arith.constant false
// CHECK-NEXT: %[[V23:[a-z0-9_]+]] = arith.cmpi eq, %[[V21]], %[[V22]] : i1
// CHECK-NEXT: %[[V24:[a-z0-9_]+]] = arith.andi %[[V19]], %[[V23]] : i1
// CHECK-NEXT: %[[V25:[a-z0-9_]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[V26:[a-z0-9_]+]] = arith.addi %[[V17]], %[[V25]] : i32
// CHECK-NEXT: %[[V27:[a-z0-9_]+]] = arith.select %[[V24]], %[[V26]], %[[V17]] : i32
// CHECK-NEXT: gaudi.kernel.store %[[V27]], %out3[d0]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1, %[[V0]]#2, %[[V0]]#3 : tensor<8xf32>, tensor<8xi1>, tensor<8xi32>, tensor<8xi32>
func.func @scalar_ops(%x: tensor<8xf32>, %n: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) {
  %two = arith.constant 3 : i32
  %e = tensor.empty() : tensor<8xf32>
  %b = tensor.empty() : tensor<8xi1>
  %i = tensor.empty() : tensor<8xi32>
  %0:4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%x, %n : tensor<8xf32>, tensor<8xi32>) outs(%e, %b, %i, %i : tensor<8xf32>, tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) {
  ^bb0(%v: f32, %k: i32, %o0: f32, %o1: i1, %o2: i32, %o3: i32):
    %p = math.fpowi %v, %two : f32, i32
    %c = math.clampf %p to [%v, %p] : f32
    %f = math.isfinite %v : f32
    %q = math.ipowi %k, %two : i32
    %lo, %hi = arith.mulsi_extended %k, %q : i32
    %cd = arith.ceildivsi %k, %two : i32
    linalg.yield %c, %f, %hi, %cd : f32, i1, i32, i32
  } -> (tensor<8xf32>, tensor<8xi1>, tensor<8xi32>, tensor<8xi32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<8xf32>, tensor<8xi1>, tensor<8xi32>, tensor<8xi32>
}

// CHECK-LABEL: func.func @position(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]]) index_space [4, 8] parallel [true, true] : (tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.index 1
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.kernel.index 0
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.cmpi sle, %[[V2]], %[[V3]] : i64
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = arith.select %[[V4]], %[[V1]], %[[V5]] : f32
// CHECK-NEXT: gaudi.kernel.store %[[V6]], %out0[d0, d1]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4x8xf32>
func.func @position(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %m = arith.cmpi sle, %c, %r : index
    %s = arith.select %m, %v, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The accumulator is the result itself when nothing is reduced.
// CHECK-LABEL: func.func @reads_init(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4xf32>, %[[A1:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A0]], %[[A1]]) index_space [4] parallel [true] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in0[d0]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.load %in1[d0]
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.mulf %[[V1]], %[[V1]] : f32
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.addf %[[V3]], %[[V2]] : f32
// CHECK-NEXT: gaudi.kernel.store %[[V4]], %out0[d0]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @reads_init(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.mulf %v, %v : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The second result reads the first one's running sum: the first is no plain
// reduction.
// CHECK-LABEL: func.func @chained_reductions(
// CHECK: gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>, #gaudi.reduce<add>]
func.func @chained_reductions(%a: tensor<4x6xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z: f32) outs(%e: tensor<4xf32>) -> tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(i)>,affine_map<(i,j)->(i)>],iterator_types=["parallel","reduction"]} ins(%a: tensor<4x6xf32>) outs(%f,%f: tensor<4xf32>,tensor<4xf32>) {
  ^bb0(%x: f32, %o0: f32, %o1: f32):
    %s = arith.addf %x, %o0 : f32
    %t = arith.addf %s, %o1 : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// MLIR folds the rounding of a converted integer into the conversion. What bf16
// does not hold is rounded; bytes are exact.
// CHECK-LABEL: func.func @rounded_integers(
// CHECK: %[[WIDE:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK-NEXT: %[[NARROW:.*]] = arith.truncf %[[WIDE]] : f32 to bf16
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.extf %[[NARROW]] : bf16 to f32
// CHECK: %[[BYTE:.*]] = arith.uitofp %{{.*}} : i8 to f32
// CHECK-NEXT: arith.addf %[[ROUNDED]], %[[BYTE]] : f32
func.func @rounded_integers(%a: tensor<8xi32>, %b: tensor<8xi8>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<8xi32>, tensor<8xi8>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: i32, %y: i8, %o: f32):
    %f = arith.sitofp %x : i32 to f32
    %h = arith.truncf %f : f32 to bf16
    %g = arith.extf %h : bf16 to f32
    %n = arith.uitofp %y : i8 to bf16
    %m = arith.extf %n : bf16 to f32
    %s = arith.addf %g, %m : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
