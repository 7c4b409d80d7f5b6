// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s

// Constants keep their form (small resources become plain when they are read); those that became attributes are gone.
// CHECK-LABEL: func.func @constants(
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.constant dense<5.000000e-01> : tensor<4x4xbf16>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.constant dense_resource<ids> : tensor<65xi8>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.constant dense<[true, false]> : tensor<2xi1>
// CHECK:   return %[[V0]], %[[V1]], %[[V2]], %[[V3]] : tensor<2xf32>, tensor<4x4xbf16>, tensor<65xi8>, tensor<2xi1>
func.func @constants() -> (tensor<2xf32>, tensor<4x4xbf16>, tensor<65xi8>, tensor<2xi1>) {
  %0 = "tosa.const"() <{values = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = "tosa.const"() <{values = dense<0.5> : tensor<4x4xbf16>}> : () -> tensor<4x4xbf16>
  %2 = "tosa.const"() <{values = dense_resource<ids> : tensor<65xi8>}> : () -> tensor<65xi8>
  %3 = "tosa.const"() <{values = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
  %4 = "tosa.const"() <{values = dense<7> : tensor<3xi4>}> : () -> tensor<3xi4>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<4x4xbf16>, tensor<65xi8>, tensor<2xi1>
}

{-#
  dialect_resources: {
    builtin: {
      ids: "0x01000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f40"
    }
  }
#-}

// -----

// A bias kept as a resource is read like any other: zeros are not added.
// CHECK-LABEL: func.func @resource_bias(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x3xf32>, %[[ARG1:arg[0-9]+]]: tensor<65x1x1x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.conv %[[ARG0]], %[[ARG1]] layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x4x3xf32>, tensor<65x1x1x3xf32> -> tensor<1x4x4x65xf32>
// CHECK:   return %[[V0]] : tensor<1x4x4x65xf32>
func.func @resource_bias(%x: tensor<1x4x4x3xf32>, %w: tensor<65x1x1x3xf32>) -> tensor<1x4x4x65xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %b = "tosa.const"() <{values = dense_resource<zeros> : tensor<65xf32>}> : () -> tensor<65xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xf32>, tensor<65x1x1x3xf32>, tensor<65xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x65xf32>
  return %0 : tensor<1x4x4x65xf32>
}

{-#
  dialect_resources: {
    builtin: {
      zeros: "0x040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    }
  }
#-}

// -----

// Shape expressions of constants are constants.
// CHECK-LABEL: func.func @shapes(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<8x6xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.slice %[[ARG0]] offsets [2, 2] strides [1, 1] : tensor<8x6xf32> -> tensor<5x4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.slice %[[ARG0]] offsets [1, 2] strides [1, 1] : tensor<8x6xf32> -> tensor<3x4xf32>
// CHECK:   return %[[V0]], %[[V1]] : tensor<5x4xf32>, tensor<3x4xf32>
func.func @shapes(%x: tensor<8x6xf32>) -> (tensor<5x4xf32>, tensor<3x4xf32>) {
  %d = tosa.dim %x {axis = 0 : i32} : (tensor<8x6xf32>) -> !tosa.shape<1>
  %3 = tosa.const_shape {values = dense<3> : tensor<1xindex>} : () -> !tosa.shape<1>
  // 8 / 3 rounded up and down, 8 % 3, log2 and powers.
  %up = tosa.div_ceil_shape %d, %3 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %down = tosa.div_floor_shape %d, %3 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %rest = tosa.mod_shape %d, %3 : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %log = tosa.log2_ceil_shape %3 : (!tosa.shape<1>) -> !tosa.shape<1>
  %log1 = tosa.log2_floor_shape %3 : (!tosa.shape<1>) -> !tosa.shape<1>
  %pow = tosa.exp2_shape %log1 : (!tosa.shape<1>) -> !tosa.shape<1>
  // 3 * 2 - (2 + 2) = 2 and min(max(1, 2), 3) = 2.
  %a = tosa.mul_shape %up, %down : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %b = tosa.add_shape %rest, %log : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %c = tosa.sub_shape %a, %b : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %e = tosa.max_shape %log1, %pow : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %f = tosa.min_shape %e, %up : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %start = tosa.concat_shape %c, %f : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[5, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.slice %x, %start, %size : (tensor<8x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<5x4xf32>
  %all = tosa.const_shape {values = dense<[9, 1, 2, 9]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %first = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %count = "tosa.const"() <{values = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %part = tosa.slice_shape %all, %first, %count : (!tosa.shape<4>, tensor<1xi32>, tensor<1xi32>) -> !tosa.shape<2>
  %size4 = tosa.const_shape {values = dense<[3, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %4 = tosa.slice %x, %part, %size4 : (tensor<8x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x4xf32>
  return %0, %4 : tensor<5x4xf32>, tensor<3x4xf32>
}
