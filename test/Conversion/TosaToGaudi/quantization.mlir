// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rescale(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.rescale"(%[[ARG0]]) index_space [2, 3] parallel [true, true] : (tensor<2x3xi32>) -> tensor<2x3xi8> {
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK:     %[[V2:[a-z0-9_-]+]] = arith.extsi %[[V1]] : i32 to i64
// CHECK:     %[[C1073741824_I64:[a-z0-9_-]+]] = arith.constant 1073741824 : i64
// CHECK:     %[[C40_I64:[a-z0-9_-]+]] = arith.constant 40 : i64
// CHECK:     %[[C549755813888_I64:[a-z0-9_-]+]] = arith.constant 549755813888 : i64
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.muli %[[V2]], %[[C1073741824_I64]] : i64
// CHECK:     %[[V4:[a-z0-9_-]+]] = arith.addi %[[V3]], %[[C549755813888_I64]] : i64
// CHECK:     %[[V5:[a-z0-9_-]+]] = arith.shrsi %[[V4]], %[[C40_I64]] : i64
// CHECK:     %[[C_5_I64:[a-z0-9_-]+]] = arith.constant -5 : i64
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.addi %[[V5]], %[[C_5_I64]] : i64
// CHECK:     %[[C_128_I64:[a-z0-9_-]+]] = arith.constant -128 : i64
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.maxsi %[[V6]], %[[C_128_I64]] : i64
// CHECK:     %[[C127_I64:[a-z0-9_-]+]] = arith.constant 127 : i64
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.minsi %[[V7]], %[[C127_I64]] : i64
// CHECK:     %[[V9:[a-z0-9_-]+]] = arith.trunci %[[V8]] : i64 to i8
// CHECK:     gaudi.kernel.store %[[V9]], %out0[d0, d1]
// CHECK:   return %[[V0]] : tensor<2x3xi8>
func.func @rescale(%x: tensor<2x3xi32>) -> tensor<2x3xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %iz, %oz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// -----

// The second rounding of DOUBLE_ROUND counts for shifts over 31 only.
// CHECK-LABEL: func.func @double_round(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.rescale"(%[[ARG0]]) index_space [3] parallel [true] : (tensor<3xi32>) -> tensor<3xi16> {
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0]
// CHECK:     %[[V2:[a-z0-9_-]+]] = arith.extsi %[[V1]] : i32 to i64
// CHECK:     %[[C1073741824_I64:[a-z0-9_-]+]] = arith.constant 1073741824 : i64
// CHECK:     %[[C40_I64:[a-z0-9_-]+]] = arith.constant 40 : i64
// CHECK:     %[[C549755813888_I64:[a-z0-9_-]+]] = arith.constant 549755813888 : i64
// CHECK:     %[[C0_I64:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:     %[[C_1073741824_I64:[a-z0-9_-]+]] = arith.constant -1073741824 : i64
// CHECK:     %[[C1073741824_I64_0:[a-z0-9_-]+]] = arith.constant 1073741824 : i64
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.cmpi slt, %[[V2]], %[[C0_I64]] : i64
// CHECK:     %[[V4:[a-z0-9_-]+]] = arith.select %[[V3]], %[[C_1073741824_I64]], %[[C1073741824_I64_0]] : i64
// CHECK:     %[[V5:[a-z0-9_-]+]] = arith.addi %[[C549755813888_I64]], %[[V4]] : i64
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.muli %[[V2]], %[[C1073741824_I64]] : i64
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.addi %[[V6]], %[[V5]] : i64
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.shrsi %[[V7]], %[[C40_I64]] : i64
// CHECK:     %[[C_32768_I64:[a-z0-9_-]+]] = arith.constant -32768 : i64
// CHECK:     %[[V9:[a-z0-9_-]+]] = arith.maxsi %[[V8]], %[[C_32768_I64]] : i64
// CHECK:     %[[C32767_I64:[a-z0-9_-]+]] = arith.constant 32767 : i64
// CHECK:     %[[V10:[a-z0-9_-]+]] = arith.minsi %[[V9]], %[[C32767_I64]] : i64
// CHECK:     %[[V11:[a-z0-9_-]+]] = arith.trunci %[[V10]] : i64 to i16
// CHECK:     gaudi.kernel.store %[[V11]], %out0[d0]
// CHECK:   return %[[V0]] : tensor<3xi16>
func.func @double_round(%x: tensor<3xi32>) -> tensor<3xi16> {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %0 = tosa.rescale %x, %m, %s, %iz, %oz {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<3xi16>
  return %0 : tensor<3xi16>
}

// -----

// Multipliers and shifts run along the last dimension; unsigned zero points
// are extended with zeros (-128 stands for 128).
// CHECK-LABEL: func.func @per_channel_unsigned(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<[16384, 20000, 30000]> : tensor<3xi16>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.constant dense<[14, 15, 16]> : tensor<3xi8>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[V0]] : tensor<3xi16> -> tensor<1x3xi16>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.reshape %[[V1]] : tensor<3xi8> -> tensor<1x3xi8>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.rescale"(%[[ARG0]], %[[V2]], %[[V3]]) index_space [2, 3] parallel [true, true] : (tensor<2x3xi8>, tensor<1x3xi16>, tensor<1x3xi8>) -> tensor<2x3xi8> {
// CHECK:     %[[V5:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK:     %[[V6:[a-z0-9_-]+]] = gaudi.kernel.load %in1[0, d1]
// CHECK:     %[[V7:[a-z0-9_-]+]] = gaudi.kernel.load %in2[0, d1]
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.extui %[[V5]] : i8 to i64
// CHECK:     %[[C_128_I64:[a-z0-9_-]+]] = arith.constant -128 : i64
// CHECK:     %[[V9:[a-z0-9_-]+]] = arith.addi %[[V8]], %[[C_128_I64]] : i64
// CHECK:     %[[V10:[a-z0-9_-]+]] = arith.extsi %[[V6]] : i16 to i64
// CHECK:     %[[V11:[a-z0-9_-]+]] = arith.extsi %[[V7]] : i8 to i64
// CHECK:     %[[C1_I64:[a-z0-9_-]+]] = arith.constant 1 : i64
// CHECK:     %[[C_1_I64:[a-z0-9_-]+]] = arith.constant -1 : i64
// CHECK:     %[[V12:[a-z0-9_-]+]] = arith.addi %[[V11]], %[[C_1_I64]] : i64
// CHECK:     %[[V13:[a-z0-9_-]+]] = arith.shli %[[C1_I64]], %[[V12]] : i64
// CHECK:     %[[V14:[a-z0-9_-]+]] = arith.muli %[[V9]], %[[V10]] : i64
// CHECK:     %[[V15:[a-z0-9_-]+]] = arith.addi %[[V14]], %[[V13]] : i64
// CHECK:     %[[V16:[a-z0-9_-]+]] = arith.shrsi %[[V15]], %[[V11]] : i64
// CHECK:     %[[C_128_I64_0:[a-z0-9_-]+]] = arith.constant -128 : i64
// CHECK:     %[[V17:[a-z0-9_-]+]] = arith.maxsi %[[V16]], %[[C_128_I64_0]] : i64
// CHECK:     %[[C127_I64:[a-z0-9_-]+]] = arith.constant 127 : i64
// CHECK:     %[[V18:[a-z0-9_-]+]] = arith.minsi %[[V17]], %[[C127_I64]] : i64
// CHECK:     %[[V19:[a-z0-9_-]+]] = arith.trunci %[[V18]] : i64 to i8
// CHECK:     gaudi.kernel.store %[[V19]], %out0[d0, d1]
// CHECK:   return %[[V4]] : tensor<2x3xi8>
func.func @per_channel_unsigned(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %m = "tosa.const"() <{values = dense<[16384, 20000, 30000]> : tensor<3xi16>}> : () -> tensor<3xi16>
  %s = "tosa.const"() <{values = dense<[14, 15, 16]> : tensor<3xi8>}> : () -> tensor<3xi8>
  %iz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %iz, %oz {scale32 = false, rounding_mode = INEXACT_ROUND, per_channel = true, input_unsigned = true, output_unsigned = false} : (tensor<2x3xi8>, tensor<3xi16>, tensor<3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// -----

// CHECK-LABEL: func.func @to_unsigned(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xi8>, %[[ARG1:arg[0-9]+]]: tensor<1xi32>, %[[ARG2:arg[0-9]+]]: tensor<1xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.rescale"(%[[ARG0]], %[[ARG1]], %[[ARG2]]) index_space [3] parallel [true] : (tensor<3xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<3xi8> {
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0]
// CHECK:     %[[V2:[a-z0-9_-]+]] = gaudi.kernel.load %in1[0]
// CHECK:     %[[V3:[a-z0-9_-]+]] = gaudi.kernel.load %in2[0]
// CHECK:     %[[V4:[a-z0-9_-]+]] = arith.extsi %[[V1]] : i8 to i64
// CHECK:     %[[V5:[a-z0-9_-]+]] = arith.extsi %[[V2]] : i32 to i64
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.extsi %[[V3]] : i8 to i64
// CHECK:     %[[C1_I64:[a-z0-9_-]+]] = arith.constant 1 : i64
// CHECK:     %[[C_1_I64:[a-z0-9_-]+]] = arith.constant -1 : i64
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.addi %[[V6]], %[[C_1_I64]] : i64
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.shli %[[C1_I64]], %[[V7]] : i64
// CHECK:     %[[V9:[a-z0-9_-]+]] = arith.muli %[[V4]], %[[V5]] : i64
// CHECK:     %[[V10:[a-z0-9_-]+]] = arith.addi %[[V9]], %[[V8]] : i64
// CHECK:     %[[V11:[a-z0-9_-]+]] = arith.shrsi %[[V10]], %[[V6]] : i64
// CHECK:     %[[C200_I64:[a-z0-9_-]+]] = arith.constant 200 : i64
// CHECK:     %[[V12:[a-z0-9_-]+]] = arith.addi %[[V11]], %[[C200_I64]] : i64
// CHECK:     %[[C0_I64:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:     %[[V13:[a-z0-9_-]+]] = arith.maxsi %[[V12]], %[[C0_I64]] : i64
// CHECK:     %[[C255_I64:[a-z0-9_-]+]] = arith.constant 255 : i64
// CHECK:     %[[V14:[a-z0-9_-]+]] = arith.minsi %[[V13]], %[[C255_I64]] : i64
// CHECK:     %[[V15:[a-z0-9_-]+]] = arith.trunci %[[V14]] : i64 to i8
// CHECK:     gaudi.kernel.store %[[V15]], %out0[d0]
// CHECK:   return %[[V0]] : tensor<3xi8>
func.func @to_unsigned(%x: tensor<3xi8>, %m: tensor<1xi32>, %s: tensor<1xi8>) -> tensor<3xi8> {
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<-56> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %iz, %oz {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = true} : (tensor<3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// -----

// CHECK-LABEL: func.func @mul(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4x1xf32>, %[[ARG1:arg[0-9]+]]: tensor<4x8xf32>, %[[ARG2:arg[0-9]+]]: tensor<8xi8>, %[[ARG3:arg[0-9]+]]: tensor<8xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.mul %[[ARG0]], %[[ARG1]] : tensor<4x1xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG2]] : tensor<8xi8> -> tensor<8xi32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG3]] : tensor<8xi8> -> tensor<8xi32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.mul %[[V1]], %[[V2]] : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
// CHECK:   return %[[V0]], %[[V3]] : tensor<4x8xf32>, tensor<8xi32>
func.func @mul(%a: tensor<4x1xf32>, %b: tensor<4x8xf32>, %i: tensor<8xi8>, %j: tensor<8xi8>) -> (tensor<4x8xf32>, tensor<8xi32>) {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %b, %s : (tensor<4x1xf32>, tensor<4x8xf32>, tensor<1xi8>) -> tensor<4x8xf32>
  %1 = tosa.mul %i, %j, %s : (tensor<8xi8>, tensor<8xi8>, tensor<1xi8>) -> tensor<8xi32>
  return %0, %1 : tensor<4x8xf32>, tensor<8xi32>
}

// -----

// CHECK-LABEL: func.func @mul_shift(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4x1xi32>, %[[ARG1:arg[0-9]+]]: tensor<4x8xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.mul"(%[[ARG0]], %[[ARG1]]) index_space [4, 8] parallel [true, true] : (tensor<4x1xi32>, tensor<4x8xi32>) -> tensor<4x8xi32> {
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, 0]
// CHECK:     %[[V2:[a-z0-9_-]+]] = gaudi.kernel.load %in1[d0, d1]
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.extsi %[[V1]] : i32 to i64
// CHECK:     %[[V4:[a-z0-9_-]+]] = arith.extsi %[[V2]] : i32 to i64
// CHECK:     %[[C31_I64:[a-z0-9_-]+]] = arith.constant 31 : i64
// CHECK:     %[[C1073741824_I64:[a-z0-9_-]+]] = arith.constant 1073741824 : i64
// CHECK:     %[[V5:[a-z0-9_-]+]] = arith.muli %[[V3]], %[[V4]] : i64
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.addi %[[V5]], %[[C1073741824_I64]] : i64
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.shrsi %[[V6]], %[[C31_I64]] : i64
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.trunci %[[V7]] : i64 to i32
// CHECK:     gaudi.kernel.store %[[V8]], %out0[d0, d1]
// CHECK:   return %[[V0]] : tensor<4x8xi32>
func.func @mul_shift(%a: tensor<4x1xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %s = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %b, %s : (tensor<4x1xi32>, tensor<4x8xi32>, tensor<1xi8>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

// CHECK-LABEL: func.func @rounding_shift(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<8xi16>, %[[ARG1:arg[0-9]+]]: tensor<8xi16>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.arithmetic_right_shift"(%[[ARG0]], %[[ARG1]]) index_space [8] parallel [true] : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi16> {
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0]
// CHECK:     %[[V2:[a-z0-9_-]+]] = gaudi.kernel.load %in1[d0]
// CHECK:     %[[C1_I16:[a-z0-9_-]+]] = arith.constant 1 : i16
// CHECK:     %[[C0_I16:[a-z0-9_-]+]] = arith.constant 0 : i16
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.subi %[[V2]], %[[C1_I16]] : i16
// CHECK:     %[[V4:[a-z0-9_-]+]] = arith.shrsi %[[V1]], %[[V3]] : i16
// CHECK:     %[[V5:[a-z0-9_-]+]] = arith.cmpi sgt, %[[V2]], %[[C0_I16]] : i16
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.andi %[[V4]], %[[C1_I16]] : i16
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.select %[[V5]], %[[V6]], %[[C0_I16]] : i16
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.shrsi %[[V1]], %[[V2]] : i16
// CHECK:     %[[V9:[a-z0-9_-]+]] = arith.addi %[[V8]], %[[V7]] : i16
// CHECK:     gaudi.kernel.store %[[V9]], %out0[d0]
// CHECK:   return %[[V0]] : tensor<8xi16>
func.func @rounding_shift(%a: tensor<8xi16>, %b: tensor<8xi16>) -> tensor<8xi16> {
  %0 = tosa.arithmetic_right_shift %a, %b {round = true} : (tensor<8xi16>, tensor<8xi16>) -> tensor<8xi16>
  return %0 : tensor<8xi16>
}

// -----

// CHECK-LABEL: func.func @negate(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>, %[[ARG1:arg[0-9]+]]: tensor<4xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.neg %[[ARG0]] : tensor<4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.neg %[[ARG1]] : tensor<4xi32>
// CHECK:   return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xi32>
func.func @negate(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %fz = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.negate %x, %fz, %fz : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = tosa.negate %i, %iz, %iz : (tensor<4xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xf32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @negate_zero_points(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.negate"(%[[ARG0]]) index_space [4] parallel [true] : (tensor<4xi8>) -> tensor<4xi8> {
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0]
// CHECK:     %[[V2:[a-z0-9_-]+]] = arith.extsi %[[V1]] : i8 to i64
// CHECK:     %[[C_4_I64:[a-z0-9_-]+]] = arith.constant -4 : i64
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.subi %[[C_4_I64]], %[[V2]] : i64
// CHECK:     %[[C_128_I64:[a-z0-9_-]+]] = arith.constant -128 : i64
// CHECK:     %[[V4:[a-z0-9_-]+]] = arith.maxsi %[[V3]], %[[C_128_I64]] : i64
// CHECK:     %[[C127_I64:[a-z0-9_-]+]] = arith.constant 127 : i64
// CHECK:     %[[V5:[a-z0-9_-]+]] = arith.minsi %[[V4]], %[[C127_I64]] : i64
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.trunci %[[V5]] : i64 to i8
// CHECK:     gaudi.kernel.store %[[V6]], %out0[d0]
// CHECK:   return %[[V0]] : tensor<4xi8>
func.func @negate_zero_points(%x: tensor<4xi8>) -> tensor<4xi8> {
  %iz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.negate %x, %iz, %oz : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// CHECK-LABEL: func.func @table_i8(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x4xi8>, %[[ARG1:arg[0-9]+]]: tensor<256xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.table"(%[[ARG0]], %[[ARG1]]) index_space [2, 4] parallel [true, true] : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8> {
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, d1]
// CHECK:     %[[V2:[a-z0-9_-]+]] = arith.extsi %[[V1]] : i8 to i64
// CHECK:     %[[C128_I64:[a-z0-9_-]+]] = arith.constant 128 : i64
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.addi %[[V2]], %[[C128_I64]] : i64
// CHECK:     %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %in1[%[[V3]]] boundary [#gaudi.boundary<clamp>]
// CHECK:     gaudi.kernel.store %[[V4]], %out0[d0, d1]
// CHECK:   return %[[V0]] : tensor<2x4xi8>
func.func @table_i8(%x: tensor<2x4xi8>, %t: tensor<256xi8>) -> tensor<2x4xi8> {
  %0 = tosa.table %x, %t : (tensor<2x4xi8>, tensor<256xi8>) -> tensor<2x4xi8>
  return %0 : tensor<2x4xi8>
}

// -----

// CHECK-LABEL: func.func @table_i16(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xi16>, %[[ARG1:arg[0-9]+]]: tensor<513xi16>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.table"(%[[ARG0]], %[[ARG1]]) index_space [4] parallel [true] : (tensor<4xi16>, tensor<513xi16>) -> tensor<4xi32> {
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0]
// CHECK:     %[[V2:[a-z0-9_-]+]] = arith.extsi %[[V1]] : i16 to i64
// CHECK:     %[[C32768_I64:[a-z0-9_-]+]] = arith.constant 32768 : i64
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.addi %[[V2]], %[[C32768_I64]] : i64
// CHECK:     %[[C7_I64:[a-z0-9_-]+]] = arith.constant 7 : i64
// CHECK:     %[[V4:[a-z0-9_-]+]] = arith.shrsi %[[V3]], %[[C7_I64]] : i64
// CHECK:     %[[C127_I64:[a-z0-9_-]+]] = arith.constant 127 : i64
// CHECK:     %[[V5:[a-z0-9_-]+]] = arith.andi %[[V3]], %[[C127_I64]] : i64
// CHECK:     %[[V6:[a-z0-9_-]+]] = gaudi.kernel.load %in1[%[[V4]]] boundary [#gaudi.boundary<clamp>]
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.extsi %[[V6]] : i16 to i64
// CHECK:     %[[C1_I64:[a-z0-9_-]+]] = arith.constant 1 : i64
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.addi %[[V4]], %[[C1_I64]] : i64
// CHECK:     %[[V9:[a-z0-9_-]+]] = gaudi.kernel.load %in1[%[[V8]]] boundary [#gaudi.boundary<clamp>]
// CHECK:     %[[V10:[a-z0-9_-]+]] = arith.extsi %[[V9]] : i16 to i64
// CHECK:     %[[V11:[a-z0-9_-]+]] = arith.subi %[[V10]], %[[V7]] : i64
// CHECK:     %[[V12:[a-z0-9_-]+]] = arith.shli %[[V7]], %[[C7_I64]] : i64
// CHECK:     %[[V13:[a-z0-9_-]+]] = arith.muli %[[V11]], %[[V5]] : i64
// CHECK:     %[[V14:[a-z0-9_-]+]] = arith.addi %[[V12]], %[[V13]] : i64
// CHECK:     %[[V15:[a-z0-9_-]+]] = arith.trunci %[[V14]] : i64 to i32
// CHECK:     gaudi.kernel.store %[[V15]], %out0[d0]
// CHECK:   return %[[V0]] : tensor<4xi32>
func.func @table_i16(%x: tensor<4xi16>, %t: tensor<513xi16>) -> tensor<4xi32> {
  %0 = tosa.table %x, %t : (tensor<4xi16>, tensor<513xi16>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @apply_scale(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xi32>, %[[ARG1:arg[0-9]+]]: tensor<4xi32>, %[[ARG2:arg[0-9]+]]: tensor<4xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.apply_scale"(%[[ARG0]], %[[ARG1]], %[[ARG2]]) index_space [4] parallel [true] : (tensor<4xi32>, tensor<4xi32>, tensor<4xi8>) -> tensor<4xi32> {
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0]
// CHECK:     %[[V2:[a-z0-9_-]+]] = gaudi.kernel.load %in1[d0]
// CHECK:     %[[V3:[a-z0-9_-]+]] = gaudi.kernel.load %in2[d0]
// CHECK:     %[[V4:[a-z0-9_-]+]] = arith.extsi %[[V1]] : i32 to i64
// CHECK:     %[[V5:[a-z0-9_-]+]] = arith.extsi %[[V2]] : i32 to i64
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.extsi %[[V3]] : i8 to i64
// CHECK:     %[[C1_I64:[a-z0-9_-]+]] = arith.constant 1 : i64
// CHECK:     %[[C_1_I64:[a-z0-9_-]+]] = arith.constant -1 : i64
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.addi %[[V6]], %[[C_1_I64]] : i64
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.shli %[[C1_I64]], %[[V7]] : i64
// CHECK:     %[[C0_I64:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:     %[[C_1073741824_I64:[a-z0-9_-]+]] = arith.constant -1073741824 : i64
// CHECK:     %[[C1073741824_I64:[a-z0-9_-]+]] = arith.constant 1073741824 : i64
// CHECK:     %[[V9:[a-z0-9_-]+]] = arith.cmpi slt, %[[V4]], %[[C0_I64]] : i64
// CHECK:     %[[V10:[a-z0-9_-]+]] = arith.select %[[V9]], %[[C_1073741824_I64]], %[[C1073741824_I64]] : i64
// CHECK:     %[[C31_I64:[a-z0-9_-]+]] = arith.constant 31 : i64
// CHECK:     %[[V11:[a-z0-9_-]+]] = arith.cmpi sgt, %[[V6]], %[[C31_I64]] : i64
// CHECK:     %[[V12:[a-z0-9_-]+]] = arith.select %[[V11]], %[[V10]], %[[C0_I64]] : i64
// CHECK:     %[[V13:[a-z0-9_-]+]] = arith.addi %[[V8]], %[[V12]] : i64
// CHECK:     %[[V14:[a-z0-9_-]+]] = arith.muli %[[V4]], %[[V5]] : i64
// CHECK:     %[[V15:[a-z0-9_-]+]] = arith.addi %[[V14]], %[[V13]] : i64
// CHECK:     %[[V16:[a-z0-9_-]+]] = arith.shrsi %[[V15]], %[[V6]] : i64
// CHECK:     %[[V17:[a-z0-9_-]+]] = arith.trunci %[[V16]] : i64 to i32
// CHECK:     gaudi.kernel.store %[[V17]], %out0[d0]
// CHECK:   return %[[V0]] : tensor<4xi32>
func.func @apply_scale(%v: tensor<4xi32>, %m: tensor<4xi32>, %s: tensor<4xi8>) -> tensor<4xi32> {
  %0 = tosa.apply_scale %v, %m, %s {rounding_mode = DOUBLE_ROUND} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// Six dimensions do not fit the index space: those that are repeated alike
// are joined.
// CHECK-LABEL: func.func @many_dimensions(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3x4x1x1x5xi32>, %[[ARG1:arg[0-9]+]]: tensor<1x1x1x6x7x5xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<2x3x4x1x1x5xi32> -> tensor<24x1x5xi32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<1x1x1x6x7x5xi32> -> tensor<1x42x5xi32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.mul"(%[[V0]], %[[V1]]) index_space [24, 42, 5] parallel [true, true, true] : (tensor<24x1x5xi32>, tensor<1x42x5xi32>) -> tensor<24x42x5xi32> {
// CHECK:     %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, 0, d2]
// CHECK:     %[[V5:[a-z0-9_-]+]] = gaudi.kernel.load %in1[0, d1, d2]
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.extsi %[[V4]] : i32 to i64
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.extsi %[[V5]] : i32 to i64
// CHECK:     %[[C5_I64:[a-z0-9_-]+]] = arith.constant 5 : i64
// CHECK:     %[[C16_I64:[a-z0-9_-]+]] = arith.constant 16 : i64
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.muli %[[V6]], %[[V7]] : i64
// CHECK:     %[[V9:[a-z0-9_-]+]] = arith.addi %[[V8]], %[[C16_I64]] : i64
// CHECK:     %[[V10:[a-z0-9_-]+]] = arith.shrsi %[[V9]], %[[C5_I64]] : i64
// CHECK:     %[[V11:[a-z0-9_-]+]] = arith.trunci %[[V10]] : i64 to i32
// CHECK:     gaudi.kernel.store %[[V11]], %out0[d0, d1, d2]
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.reshape %[[V2]] : tensor<24x42x5xi32> -> tensor<2x3x4x6x7x5xi32>
// CHECK:   return %[[V3]] : tensor<2x3x4x6x7x5xi32>
func.func @many_dimensions(%a: tensor<2x3x4x1x1x5xi32>, %b: tensor<1x1x1x6x7x5xi32>) -> tensor<2x3x4x6x7x5xi32> {
  %s = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %b, %s : (tensor<2x3x4x1x1x5xi32>, tensor<1x1x1x6x7x5xi32>, tensor<1xi8>) -> tensor<2x3x4x6x7x5xi32>
  return %0 : tensor<2x3x4x6x7x5xi32>
}

// -----

// CHECK-LABEL: func.func @scalar(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<i32>, %[[ARG1:arg[0-9]+]]: tensor<i32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<i32> -> tensor<1xi32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<i32> -> tensor<1xi32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.arithmetic_right_shift"(%[[V0]], %[[V1]]) index_space [1] parallel [true] : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32> {
// CHECK:     %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %in0[0]
// CHECK:     %[[V5:[a-z0-9_-]+]] = gaudi.kernel.load %in1[0]
// CHECK:     %[[C1_I32:[a-z0-9_-]+]] = arith.constant 1 : i32
// CHECK:     %[[C0_I32:[a-z0-9_-]+]] = arith.constant 0 : i32
// CHECK:     %[[V6:[a-z0-9_-]+]] = arith.subi %[[V5]], %[[C1_I32]] : i32
// CHECK:     %[[V7:[a-z0-9_-]+]] = arith.shrsi %[[V4]], %[[V6]] : i32
// CHECK:     %[[V8:[a-z0-9_-]+]] = arith.cmpi sgt, %[[V5]], %[[C0_I32]] : i32
// CHECK:     %[[V9:[a-z0-9_-]+]] = arith.andi %[[V7]], %[[C1_I32]] : i32
// CHECK:     %[[V10:[a-z0-9_-]+]] = arith.select %[[V8]], %[[V9]], %[[C0_I32]] : i32
// CHECK:     %[[V11:[a-z0-9_-]+]] = arith.shrsi %[[V4]], %[[V5]] : i32
// CHECK:     %[[V12:[a-z0-9_-]+]] = arith.addi %[[V11]], %[[V10]] : i32
// CHECK:     gaudi.kernel.store %[[V12]], %out0[d0]
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.reshape %[[V2]] : tensor<1xi32> -> tensor<i32>
// CHECK:   return %[[V3]] : tensor<i32>
func.func @scalar(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = tosa.arithmetic_right_shift %a, %b {round = true} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
