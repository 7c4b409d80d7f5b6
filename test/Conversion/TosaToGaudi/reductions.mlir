// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reduce(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.reduce <sum> %[[ARG0]] dims [2] keep_dims : tensor<2x3x4xf32> -> tensor<2x3x1xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.reduce <prod> %[[V0]] dims [1] keep_dims : tensor<2x3x1xf32> -> tensor<2x1x1xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.reduce <max> %[[V1]] dims [0] keep_dims : tensor<2x1x1xf32> -> tensor<1x1x1xf32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.reduce <min> %[[V2]] dims [0] keep_dims : tensor<1x1x1xf32> -> tensor<1x1x1xf32>
// CHECK:   return %[[V3]] : tensor<1x1x1xf32>
func.func @reduce(%x: tensor<2x3x4xf32>) -> tensor<1x1x1xf32> {
  %0 = tosa.reduce_sum %x {axis = 2 : i32} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %1 = tosa.reduce_product %0 {axis = 1 : i32} : (tensor<2x3x1xf32>) -> tensor<2x1x1xf32>
  %2 = tosa.reduce_max %1 {axis = 0 : i32} : (tensor<2x1x1xf32>) -> tensor<1x1x1xf32>
  %3 = tosa.reduce_min %2 {axis = 0 : i32} : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %3 : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: func.func @logical(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.reduce <all> %[[ARG0]] dims [1] keep_dims : tensor<2x3xi1> -> tensor<2x1xi1>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.reduce <any> %[[V0]] dims [0] keep_dims : tensor<2x1xi1> -> tensor<1x1xi1>
// CHECK:   return %[[V1]] : tensor<1x1xi1>
func.func @logical(%x: tensor<2x3xi1>) -> tensor<1x1xi1> {
  %0 = tosa.reduce_all %x {axis = 1 : i32} : (tensor<2x3xi1>) -> tensor<2x1xi1>
  %1 = tosa.reduce_any %0 {axis = 0 : i32} : (tensor<2x1xi1>) -> tensor<1x1xi1>
  return %1 : tensor<1x1xi1>
}

// -----

// IGNORE needs an initial NaN, so that a row of NaNs stays NaN.
// CHECK-LABEL: func.func @ignore_nan(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3x4x5xbf16>, %[[ARG1:arg[0-9]+]]: tensor<3xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<2x3x4x5xbf16> -> tensor<2x3x20xbf16>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.reduce_max"(%[[V0]]) index_space [2, 20, 3] parallel [true, true, false] : (tensor<2x3x20xbf16>) -> tensor<2x20xbf16> {
// CHECK:     %[[CST:[a-z0-9_-]+]] = arith.constant 0x7FC00000 : f32
// CHECK:     %[[V4:[a-z0-9_-]+]] = gaudi.kernel.loop [2] reduce [#gaudi.reduce<maxnum>] init(%[[CST]]) : f32 {
// CHECK:       %[[V5:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, d2, d1]
// CHECK:       gaudi.kernel.yield %[[V5]] : f32
// CHECK:     gaudi.kernel.store %[[V4]], %out0[d0, d1]
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[V1]] : tensor<2x20xbf16> -> tensor<2x1x4x5xbf16>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.reduce <min> %[[ARG1]] dims [0] keep_dims : tensor<3xi32> -> tensor<1xi32>
// CHECK:   return %[[V2]], %[[V3]] : tensor<2x1x4x5xbf16>, tensor<1xi32>
func.func @ignore_nan(%x: tensor<2x3x4x5xbf16>, %i: tensor<3xi32>) -> (tensor<2x1x4x5xbf16>, tensor<1xi32>) {
  %0 = tosa.reduce_max %x {axis = 1 : i32, nan_mode = IGNORE} : (tensor<2x3x4x5xbf16>) -> tensor<2x1x4x5xbf16>
  %1 = tosa.reduce_min %i {axis = 0 : i32, nan_mode = IGNORE} : (tensor<3xi32>) -> tensor<1xi32>
  return %0, %1 : tensor<2x1x4x5xbf16>, tensor<1xi32>
}

// -----

// CHECK-LABEL: func.func @argmax(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>, %[[ARG1:arg[0-9]+]]: tensor<2x3xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.arg_reduce %[[ARG0]] axis 1 is_max : tensor<2x3xf32> -> tensor<2xi32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.arg_reduce %[[ARG0]] axis 0 is_max ignore_nan : tensor<2x3xf32> -> tensor<3xi32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.arg_reduce %[[ARG1]] axis 1 is_max : tensor<2x3xi8> -> tensor<2xi32>
// CHECK:   return %[[V0]], %[[V1]], %[[V2]] : tensor<2xi32>, tensor<3xi32>, tensor<2xi32>
func.func @argmax(%x: tensor<2x3xf32>, %i: tensor<2x3xi8>) -> (tensor<2xi32>, tensor<3xi32>, tensor<2xi32>) {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2xi32>
  %1 = tosa.argmax %x {axis = 0 : i32, nan_mode = IGNORE} : (tensor<2x3xf32>) -> tensor<3xi32>
  %2 = tosa.argmax %i {axis = 1 : i32} : (tensor<2x3xi8>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<2xi32>, tensor<3xi32>, tensor<2xi32>
}
