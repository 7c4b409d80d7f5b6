// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @unary(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.abs %[[ARG0]] : tensor<4x8xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.ceil %[[V0]] : tensor<4x8xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.cos %[[V1]] : tensor<4x8xf32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.erf %[[V2]] : tensor<4x8xf32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.tpc.exp %[[V3]] : tensor<4x8xf32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.tpc.floor %[[V4]] : tensor<4x8xf32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.tpc.log %[[V5]] : tensor<4x8xf32>
// CHECK:   %[[V7:[a-z0-9_-]+]] = gaudi.tpc.reciprocal %[[V6]] : tensor<4x8xf32>
// CHECK:   %[[V8:[a-z0-9_-]+]] = gaudi.tpc.rsqrt %[[V7]] : tensor<4x8xf32>
// CHECK:   %[[V9:[a-z0-9_-]+]] = gaudi.tpc.sigmoid %[[V8]] : tensor<4x8xf32>
// CHECK:   %[[V10:[a-z0-9_-]+]] = gaudi.tpc.sin %[[V9]] : tensor<4x8xf32>
// CHECK:   %[[V11:[a-z0-9_-]+]] = gaudi.tpc.tanh %[[V10]] : tensor<4x8xf32>
// CHECK:   return %[[V11]] : tensor<4x8xf32>
func.func @unary(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.abs %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tosa.ceil %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tosa.cos %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = tosa.erf %2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = tosa.exp %3 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = tosa.floor %4 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = tosa.log %5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = tosa.reciprocal %6 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = tosa.rsqrt %7 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %9 = tosa.sigmoid %8 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %10 = tosa.sin %9 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %11 = tosa.tanh %10 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %12 = tosa.identity %11 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %12 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @unary_int(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<8xi32>, %[[ARG1:arg[0-9]+]]: tensor<8xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.not %[[ARG0]] : tensor<8xi32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.clz %[[V0]] : tensor<8xi32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.not %[[ARG1]] : tensor<8xi1>
// CHECK:   return %[[V1]], %[[V2]] : tensor<8xi32>, tensor<8xi1>
func.func @unary_int(%x: tensor<8xi32>, %b: tensor<8xi1>) -> (tensor<8xi32>, tensor<8xi1>) {
  %0 = tosa.bitwise_not %x : (tensor<8xi32>) -> tensor<8xi32>
  %1 = tosa.clz %0 : (tensor<8xi32>) -> tensor<8xi32>
  %2 = tosa.logical_not %b : (tensor<8xi1>) -> tensor<8xi1>
  return %1, %2 : tensor<8xi32>, tensor<8xi1>
}

// -----

// Dimensions of size 1 repeat on either side.
// CHECK-LABEL: func.func @binary(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4x1xbf16>, %[[ARG1:arg[0-9]+]]: tensor<1x8xbf16>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG0]], %[[ARG1]] : tensor<4x1xbf16>, tensor<1x8xbf16> -> tensor<4x8xbf16>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.sub %[[V0]], %[[ARG1]] : tensor<4x8xbf16>, tensor<1x8xbf16> -> tensor<4x8xbf16>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.pow %[[V1]], %[[V0]] : tensor<4x8xbf16>, tensor<4x8xbf16> -> tensor<4x8xbf16>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.max %[[V2]], %[[ARG1]] : tensor<4x8xbf16>, tensor<1x8xbf16> -> tensor<4x8xbf16>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.tpc.maxnum %[[V3]], %[[ARG1]] : tensor<4x8xbf16>, tensor<1x8xbf16> -> tensor<4x8xbf16>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.tpc.min %[[V4]], %[[ARG1]] : tensor<4x8xbf16>, tensor<1x8xbf16> -> tensor<4x8xbf16>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.tpc.minnum %[[V5]], %[[ARG1]] : tensor<4x8xbf16>, tensor<1x8xbf16> -> tensor<4x8xbf16>
// CHECK:   return %[[V6]] : tensor<4x8xbf16>
func.func @binary(%a: tensor<4x1xbf16>, %b: tensor<1x8xbf16>) -> tensor<4x8xbf16> {
  %0 = tosa.add %a, %b : (tensor<4x1xbf16>, tensor<1x8xbf16>) -> tensor<4x8xbf16>
  %1 = tosa.sub %0, %b : (tensor<4x8xbf16>, tensor<1x8xbf16>) -> tensor<4x8xbf16>
  %2 = tosa.pow %1, %0 : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %3 = tosa.maximum %2, %b : (tensor<4x8xbf16>, tensor<1x8xbf16>) -> tensor<4x8xbf16>
  %4 = tosa.maximum %3, %b {nan_mode = IGNORE} : (tensor<4x8xbf16>, tensor<1x8xbf16>) -> tensor<4x8xbf16>
  %5 = tosa.minimum %4, %b : (tensor<4x8xbf16>, tensor<1x8xbf16>) -> tensor<4x8xbf16>
  %6 = tosa.minimum %5, %b {nan_mode = IGNORE} : (tensor<4x8xbf16>, tensor<1x8xbf16>) -> tensor<4x8xbf16>
  return %6 : tensor<4x8xbf16>
}

// -----

// CHECK-LABEL: func.func @binary_int(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<8xi32>, %[[ARG1:arg[0-9]+]]: tensor<8xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.div %[[ARG0]], %[[ARG1]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.and %[[V0]], %[[ARG1]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.or %[[V1]], %[[ARG1]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.xor %[[V2]], %[[ARG1]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.tpc.shl %[[V3]], %[[ARG1]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.tpc.shr_logical %[[V4]], %[[ARG1]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.tpc.shr %[[V5]], %[[ARG1]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK:   %[[V7:[a-z0-9_-]+]] = gaudi.tpc.max %[[V6]], %[[ARG1]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK:   return %[[V7]] : tensor<8xi32>
func.func @binary_int(%a: tensor<8xi32>, %b: tensor<8xi32>) -> tensor<8xi32> {
  %0 = tosa.intdiv %a, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %1 = tosa.bitwise_and %0, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %2 = tosa.bitwise_or %1, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %3 = tosa.bitwise_xor %2, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %4 = tosa.logical_left_shift %3, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %5 = tosa.logical_right_shift %4, %b : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %6 = tosa.arithmetic_right_shift %5, %b {round = false} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  // NaN modes mean nothing to integers.
  %7 = tosa.maximum %6, %b {nan_mode = IGNORE} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %7 : tensor<8xi32>
}

// -----

// CHECK-LABEL: func.func @logical(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<8xi1>, %[[ARG1:arg[0-9]+]]: tensor<8xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.and %[[ARG0]], %[[ARG1]] : tensor<8xi1>, tensor<8xi1> -> tensor<8xi1>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.or %[[V0]], %[[ARG1]] : tensor<8xi1>, tensor<8xi1> -> tensor<8xi1>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.xor %[[V1]], %[[ARG1]] : tensor<8xi1>, tensor<8xi1> -> tensor<8xi1>
// CHECK:   return %[[V2]] : tensor<8xi1>
func.func @logical(%a: tensor<8xi1>, %b: tensor<8xi1>) -> tensor<8xi1> {
  %0 = tosa.logical_and %a, %b : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  %1 = tosa.logical_or %0, %b : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  %2 = tosa.logical_xor %1, %b : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  return %2 : tensor<8xi1>
}

// -----

// CHECK-LABEL: func.func @compare_select(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>, %[[ARG1:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.compare <eq> %[[ARG0]], %[[ARG1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.compare <gt> %[[ARG0]], %[[ARG1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.compare <ge> %[[ARG0]], %[[ARG1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.select %[[V0]], %[[ARG0]], %[[ARG1]] : tensor<4xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   return %[[V3]], %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xi1>, tensor<4xi1>
func.func @compare_select(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>, tensor<4xi1>) {
  %0 = tosa.equal %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = tosa.greater %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = tosa.greater_equal %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = tosa.select %0, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3, %1, %2 : tensor<4xf32>, tensor<4xi1>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf16>, %[[ARG1:arg[0-9]+]]: tensor<4xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.clamp %[[ARG0]] min 0.000000e+00 : f32 max 6.000000e+00 : f32 : tensor<4xf16>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.clamp %[[V0]] min -1.000000e+00 : f32 max 1.000000e+00 : f32 ignore_nan : tensor<4xf16>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.clamp %[[ARG1]] min -5 : i8 max 100 : i8 : tensor<4xi8>
// CHECK:   return %[[V1]], %[[V2]] : tensor<4xf16>, tensor<4xi8>
func.func @clamp(%x: tensor<4xf16>, %i: tensor<4xi8>) -> (tensor<4xf16>, tensor<4xi8>) {
  %0 = tosa.clamp %x {min_val = 0.0 : f16, max_val = 6.0 : f16} : (tensor<4xf16>) -> tensor<4xf16>
  %1 = tosa.clamp %0 {min_val = -1.0 : f16, max_val = 1.0 : f16, nan_mode = IGNORE} : (tensor<4xf16>) -> tensor<4xf16>
  %2 = tosa.clamp %i {min_val = -5 : i8, max_val = 100 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %1, %2 : tensor<4xf16>, tensor<4xi8>
}

// -----

// CHECK-LABEL: func.func @cast(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>, %[[ARG1:arg[0-9]+]]: tensor<4xi8>, %[[ARG2:arg[0-9]+]]: tensor<4xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG0]] rounding <nearest_even> : tensor<4xf32> -> tensor<4xi8>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG0]] : tensor<4xf32> -> tensor<4xf16>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG1]] : tensor<4xi8> -> tensor<4xi32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG2]] : tensor<4xi1> -> tensor<4xbf16>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG1]] : tensor<4xi8> -> tensor<4xi1>
// CHECK:   return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]] : tensor<4xi8>, tensor<4xf16>, tensor<4xi32>, tensor<4xbf16>, tensor<4xi1>
func.func @cast(%x: tensor<4xf32>, %i: tensor<4xi8>, %b: tensor<4xi1>) -> (tensor<4xi8>, tensor<4xf16>, tensor<4xi32>, tensor<4xbf16>, tensor<4xi1>) {
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi8>
  %1 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xf16>
  %2 = tosa.cast %i : (tensor<4xi8>) -> tensor<4xi32>
  %3 = tosa.cast %b : (tensor<4xi1>) -> tensor<4xbf16>
  %4 = tosa.cast %i : (tensor<4xi8>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4 : tensor<4xi8>, tensor<4xf16>, tensor<4xi32>, tensor<4xbf16>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @scalars(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<f32>, %[[ARG1:arg[0-9]+]]: tensor<f32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG0]], %[[ARG1]] : tensor<f32>, tensor<f32> -> tensor<f32>
// CHECK:   return %[[V0]] : tensor<f32>
func.func @scalars(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = tosa.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
