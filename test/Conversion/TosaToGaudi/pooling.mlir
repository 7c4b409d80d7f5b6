// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @max_pool(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x7x9x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.pool <max> %[[ARG0]] layout "NHWC" kernel [3, 3] strides [2, 2] dilations [1, 1] pad [0, 1], [0, 1] : tensor<1x7x9x4xf32> -> tensor<1x3x5x4xf32>
// CHECK:   return %[[V0]] : tensor<1x3x5x4xf32>
func.func @max_pool(%x: tensor<1x7x9x4xf32>) -> tensor<1x3x5x4xf32> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x7x9x4xf32>) -> tensor<1x3x5x4xf32>
  return %0 : tensor<1x3x5x4xf32>
}

// -----

// CHECK-LABEL: func.func @max_pool_ignore_nan(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.pool <max> %[[ARG0]] layout "NHWC" kernel [2, 2] strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] ignore_nan : tensor<1x4x4x4xf32> -> tensor<1x2x2x4xf32>
// CHECK:   return %[[V0]] : tensor<1x2x2x4xf32>
func.func @max_pool_ignore_nan(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, nan_mode = IGNORE} : (tensor<1x4x4x4xf32>) -> tensor<1x2x2x4xf32>
  return %0 : tensor<1x2x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @max_pool_int(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x4xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.pool <max> %[[ARG0]] layout "NHWC" kernel [2, 2] strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] : tensor<1x4x4x4xi8> -> tensor<1x2x2x4xi8>
// CHECK:   return %[[V0]] : tensor<1x2x2x4xi8>
func.func @max_pool_int(%x: tensor<1x4x4x4xi8>) -> tensor<1x2x2x4xi8> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x4xi8>) -> tensor<1x2x2x4xi8>
  return %0 : tensor<1x2x2x4xi8>
}

// -----

// CHECK-LABEL: func.func @avg_pool(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x7x7x512xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.pool <avg> %[[ARG0]] layout "NHWC" kernel [7, 7] strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] : tensor<1x7x7x512xf32> -> tensor<1x1x1x512xf32>
// CHECK:   return %[[V0]] : tensor<1x1x1x512xf32>
func.func @avg_pool(%x: tensor<1x7x7x512xf32>) -> tensor<1x1x1x512xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 7, 7>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x512xf32>
  return %0 : tensor<1x1x1x512xf32>
}

// -----

// The integer mean: the sum of what is inside, times the rounded reciprocal of
// how many that are.
// CHECK-LABEL: func.func @avg_pool_int(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x6x8x4xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.avg_pool2d"(%[[ARG0]]) index_space [1, 3, 8, 4, 2, 3] parallel [true, true, true, true, false, false] : (tensor<1x6x8x4xi8>) -> tensor<1x3x8x4xi8> {
// CHECK:     %[[C0_I64:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.loop [4, 5] reduce [#gaudi.reduce<add>] init(%[[C0_I64]]) : i64 {
// CHECK:       %[[V31:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, d1 * 2 + d4, d2 + d5 - 1, d3] boundary [#gaudi.boundary<inside>, #gaudi.boundary<inside>, #gaudi.boundary<pad>, #gaudi.boundary<inside>] pad -3 : i8
// CHECK:       %[[V32:[a-z0-9_-]+]] = arith.extsi %[[V31]] : i8 to i64
// CHECK:       %[[C3_I64_6:[a-z0-9_-]+]] = arith.constant 3 : i64
// CHECK:       %[[V33:[a-z0-9_-]+]] = arith.addi %[[V32]], %[[C3_I64_6]] : i64
// CHECK:       gaudi.kernel.yield %[[V33]] : i64
// CHECK:     %[[V2:[a-z0-9_-]+]] = gaudi.kernel.index 1
// CHECK:     %[[C2_I64:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.muli %[[V2]], %[[C2_I64]] : i64
// CHECK:     %[[C2_I64_0:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:     %[[V4:[a-z0-9_-]+]] = arith.addi %[[V3]], %[[C2_I64_0]] : i64
// CHECK:     %[[C6_I64:[a-z0-9_-]+]] = arith.constant 6 : i64
// CHECK:     %[[V5:[a-z0-9_-]+]] = arith.minsi %[[V4]], %[[C6_I64]] : i64
// CHECK:     %[[C0_I64_1:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.maxsi %[[V3]], %[[C0_I64_1]] : i64
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.subi %[[V5]], %[[V6]] : i64
// CHECK:     %[[V8:[a-z0-9_-]+]] = gaudi.kernel.index 2
// CHECK:     %[[C1_I64:[a-z0-9_-]+]] = arith.constant 1 : i64
// CHECK:     %[[V9:[a-z0-9_-]+]] = arith.muli %[[V8]], %[[C1_I64]] : i64
// CHECK:     %[[C_1_I64:[a-z0-9_-]+]] = arith.constant -1 : i64
// CHECK:     %[[V10:[a-z0-9_-]+]] = arith.addi %[[V9]], %[[C_1_I64]] : i64
// CHECK:     %[[C3_I64:[a-z0-9_-]+]] = arith.constant 3 : i64
// CHECK:     %[[V11:[a-z0-9_-]+]] = arith.addi %[[V10]], %[[C3_I64]] : i64
// CHECK:     %[[C8_I64:[a-z0-9_-]+]] = arith.constant 8 : i64
// CHECK:     %[[V12:[a-z0-9_-]+]] = arith.minsi %[[V11]], %[[C8_I64]] : i64
// CHECK:     %[[C0_I64_2:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:     %[[V13:[a-z0-9_-]+]] = arith.maxsi %[[V10]], %[[C0_I64_2]] : i64
// CHECK:     %[[V14:[a-z0-9_-]+]] = arith.subi %[[V12]], %[[V13]] : i64
// CHECK:     %[[V15:[a-z0-9_-]+]] = arith.muli %[[V7]], %[[V14]] : i64
// CHECK:     %[[C_1_I64_3:[a-z0-9_-]+]] = arith.constant -1 : i64
// CHECK:     %[[V16:[a-z0-9_-]+]] = arith.addi %[[V15]], %[[C_1_I64_3]] : i64
// CHECK:     %[[V17:[a-z0-9_-]+]] = math.ctlz %[[V16]] : i64
// CHECK:     %[[C64_I64:[a-z0-9_-]+]] = arith.constant 64 : i64
// CHECK:     %[[V18:[a-z0-9_-]+]] = arith.subi %[[C64_I64]], %[[V17]] : i64
// CHECK:     %[[C1073741825_I64:[a-z0-9_-]+]] = arith.constant 1073741825 : i64
// CHECK:     %[[V19:[a-z0-9_-]+]] = arith.shli %[[C1073741825_I64]], %[[V18]] : i64
// CHECK:     %[[V20:[a-z0-9_-]+]] = arith.divsi %[[V19]], %[[V15]] : i64
// CHECK:     %[[C30_I64:[a-z0-9_-]+]] = arith.constant 30 : i64
// CHECK:     %[[V21:[a-z0-9_-]+]] = arith.addi %[[V18]], %[[C30_I64]] : i64
// CHECK:     %[[C1_I64_4:[a-z0-9_-]+]] = arith.constant 1 : i64
// CHECK:     %[[C_1_I64_5:[a-z0-9_-]+]] = arith.constant -1 : i64
// CHECK:     %[[V22:[a-z0-9_-]+]] = arith.addi %[[V21]], %[[C_1_I64_5]] : i64
// CHECK:     %[[V23:[a-z0-9_-]+]] = arith.shli %[[C1_I64_4]], %[[V22]] : i64
// CHECK:     %[[V24:[a-z0-9_-]+]] = arith.muli %[[V1]], %[[V20]] : i64
// CHECK:     %[[V25:[a-z0-9_-]+]] = arith.addi %[[V24]], %[[V23]] : i64
// CHECK:     %[[V26:[a-z0-9_-]+]] = arith.shrsi %[[V25]], %[[V21]] : i64
// CHECK:     %[[C10_I64:[a-z0-9_-]+]] = arith.constant 10 : i64
// CHECK:     %[[V27:[a-z0-9_-]+]] = arith.addi %[[V26]], %[[C10_I64]] : i64
// CHECK:     %[[C_128_I64:[a-z0-9_-]+]] = arith.constant -128 : i64
// CHECK:     %[[V28:[a-z0-9_-]+]] = arith.maxsi %[[V27]], %[[C_128_I64]] : i64
// CHECK:     %[[C127_I64:[a-z0-9_-]+]] = arith.constant 127 : i64
// CHECK:     %[[V29:[a-z0-9_-]+]] = arith.minsi %[[V28]], %[[C127_I64]] : i64
// CHECK:     %[[V30:[a-z0-9_-]+]] = arith.trunci %[[V29]] : i64 to i8
// CHECK:     gaudi.kernel.store %[[V30]], %out0[d0, d1, d2, d3]
// CHECK:   return %[[V0]] : tensor<1x3x8x4xi8>
func.func @avg_pool_int(%x: tensor<1x6x8x4xi8>) -> tensor<1x3x8x4xi8> {
  %iz = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %iz, %oz {acc_type = i32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x6x8x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x8x4xi8>
  return %0 : tensor<1x3x8x4xi8>
}
