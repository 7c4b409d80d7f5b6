// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// Sliding windows become gaudi.tpc.pool.


// CHECK-LABEL: func.func @max(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x9x9x3xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.pool <max> %[[A0]] layout "NHWC" kernel [3, 3] strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] : tensor<1x9x9x3xf32> -> tensor<1x4x4x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x4x4x3xf32>
func.func @max(%x: tensor<1x9x9x3xf32>) -> tensor<1x4x4x3xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x4x4x3xf32>
  %i = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %k = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %k : tensor<1x9x9x3xf32>, tensor<3x3xf32>) outs(%i : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// A bound above the lowest value takes part.
// CHECK-LABEL: func.func @max_from_zero(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x3x9x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.fill 0.000000e+00 : f32 : tensor<2x3x4x4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.pool <max> %[[A0]] layout "NCHW" kernel [3, 2] strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] : tensor<2x3x9x8xf32> -> tensor<2x3x4x4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.tpc.max %[[V1]], %[[V0]] : tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32> -> tensor<2x3x4x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3x4x4xf32>
func.func @max_from_zero(%x: tensor<2x3x9x8xf32>) -> tensor<2x3x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %k = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %k : tensor<2x3x9x8xf32>, tensor<3x2xf32>) outs(%i : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %0 : tensor<2x3x4x4xf32>
}

// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x8x3xf32>, %[[A1:[a-z0-9_]+]]: tensor<2x6x3xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.pool <sum> %[[A0]] layout "NWC" kernel [3] strides [1] dilations [1] pad [0], [0] : tensor<2x8x3xf32> -> tensor<2x6x3xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.add %[[V0]], %[[A1]] : tensor<2x6x3xf32>, tensor<2x6x3xf32> -> tensor<2x6x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x6x3xf32>
func.func @sum(%x: tensor<2x8x3xf32>, %y: tensor<2x6x3xf32>) -> tensor<2x6x3xf32> {
  %k = tensor.empty() : tensor<3xf32>
  %0 = linalg.pooling_nwc_sum ins(%x, %k : tensor<2x8x3xf32>, tensor<3xf32>) outs(%y : tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
  return %0 : tensor<2x6x3xf32>
}

// CHECK-LABEL: func.func @min_unsigned(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x6x6x3xi8>, %[[A1:[a-z0-9_]+]]: tensor<1x4x4x3xi8>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.bitcast %[[A0]] : tensor<1x6x6x3xi8> -> tensor<1x6x6x3xui8>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.pool <min> %[[V0]] layout "NHWC" kernel [3, 3] strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] : tensor<1x6x6x3xui8> -> tensor<1x4x4x3xui8>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.bitcast %[[V1]] : tensor<1x4x4x3xui8> -> tensor<1x4x4x3xi8>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.bitcast %[[V2]] : tensor<1x4x4x3xi8> -> tensor<1x4x4x3xui8>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.bitcast %[[A1]] : tensor<1x4x4x3xi8> -> tensor<1x4x4x3xui8>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = gaudi.tpc.min %[[V3]], %[[V4]] : tensor<1x4x4x3xui8>, tensor<1x4x4x3xui8> -> tensor<1x4x4x3xui8>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = gaudi.bitcast %[[V5]] : tensor<1x4x4x3xui8> -> tensor<1x4x4x3xi8>
// CHECK-NEXT: return %[[V6]] : tensor<1x4x4x3xi8>
func.func @min_unsigned(%x: tensor<1x6x6x3xi8>, %y: tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi8> {
  %k = tensor.empty() : tensor<3x3xi8>
  %0 = linalg.pooling_nhwc_min_unsigned ins(%x, %k : tensor<1x6x6x3xi8>, tensor<3x3xi8>) outs(%y : tensor<1x4x4x3xi8>) -> tensor<1x4x4x3xi8>
  return %0 : tensor<1x4x4x3xi8>
}

// CHECK-LABEL: func.func @three_dims(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x4x5x6x2xf32>, %[[A1:[a-z0-9_]+]]: tensor<1x3x4x4x2xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.pool <min> %[[A0]] layout "NDHWC" kernel [2, 2, 3] strides [1, 1, 1] dilations [1, 1, 1] pad [0, 0, 0], [0, 0, 0] : tensor<1x4x5x6x2xf32> -> tensor<1x3x4x4x2xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.min %[[V0]], %[[A1]] : tensor<1x3x4x4x2xf32>, tensor<1x3x4x4x2xf32> -> tensor<1x3x4x4x2xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x3x4x4x2xf32>
func.func @three_dims(%x: tensor<1x4x5x6x2xf32>, %y: tensor<1x3x4x4x2xf32>) -> tensor<1x3x4x4x2xf32> {
  %k = tensor.empty() : tensor<2x2x3xf32>
  %0 = linalg.pooling_ndhwc_min ins(%x, %k : tensor<1x4x5x6x2xf32>, tensor<2x2x3xf32>) outs(%y : tensor<1x3x4x4x2xf32>) -> tensor<1x3x4x4x2xf32>
  return %0 : tensor<1x3x4x4x2xf32>
}

// CHECK-LABEL: func.func @generic(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<3x9xf32>, %[[A1:[a-z0-9_]+]]: tensor<2xf32>, %[[A2:[a-z0-9_]+]]: tensor<4x3xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<3x9xf32> -> tensor<1x3x9xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.pool <max> %[[V0]] layout "NCW" kernel [2] strides [2] dilations [1] pad [0], [0] ignore_nan : tensor<1x3x9xf32> -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.reshape %[[V1]] : tensor<1x3x4xf32> -> tensor<3x4xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.transpose %[[V2]] permutation [1, 0] : tensor<3x4xf32> -> tensor<4x3xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.tpc.maxnum %[[V3]], %[[A2]] : tensor<4x3xf32>, tensor<4x3xf32> -> tensor<4x3xf32>
// CHECK-NEXT: return %[[V4]] : tensor<4x3xf32>
func.func @generic(%x: tensor<3x9xf32>, %k: tensor<2xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(p, c, k) -> (c, p * 2 + k)>, affine_map<(p, c, k) -> (k)>, affine_map<(p, c, k) -> (p, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %k : tensor<3x9xf32>, tensor<2xf32>) outs(%y : tensor<4x3xf32>) {
  ^bb0(%v: f32, %unused: f32, %m: f32):
    %r = arith.maxnumf %m, %v : f32
    linalg.yield %r : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Sums of a wider type convert each value: a kernel.
// CHECK-LABEL: func.func @widening(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<1x6x6x3xi8>, %[[A1:[a-z0-9_]+]]: tensor<1x4x4x3xi32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "pooling_nhwc_sum"(%[[A0]], %[[A1]]) index_space [4, 4, 3, 3, 3] parallel [true, true, true, false, false] : (tensor<1x6x6x3xi8>, tensor<1x4x4x3xi32>) -> tensor<1x4x4x3xi32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in1[0, d0, d1, d2]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.loop [3, 4] reduce [#gaudi.reduce<add>] init(%[[V1]]) : i32 {
// CHECK-NEXT: ^bb0(%[[V3:[a-z0-9_]+]]: i32):
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.kernel.load %in0[0, d0 + d3, d1 + d4, d2]
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = arith.extsi %[[V4]] : i8 to i32
// CHECK-NEXT: gaudi.kernel.yield %[[V5]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: gaudi.kernel.store %[[V2]], %out0[0, d0, d1, d2]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<1x4x4x3xi32>
func.func @widening(%x: tensor<1x6x6x3xi8>, %y: tensor<1x4x4x3xi32>) -> tensor<1x4x4x3xi32> {
  %k = tensor.empty() : tensor<3x3xi8>
  %0 = linalg.pooling_nhwc_sum ins(%x, %k : tensor<1x6x6x3xi8>, tensor<3x3xi8>) outs(%y : tensor<1x4x4x3xi32>) -> tensor<1x4x4x3xi32>
  return %0 : tensor<1x4x4x3xi32>
}
