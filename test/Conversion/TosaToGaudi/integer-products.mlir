// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x4x8xi8>, %[[ARG1:arg[0-9]+]]: tensor<2x8x16xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.matmul"(%[[ARG0]], %[[ARG1]]) index_space [2, 4, 16, 8] parallel [true, true, true, false] : (tensor<2x4x8xi8>, tensor<2x8x16xi8>) -> tensor<2x4x16xi32> {
// CHECK:     %[[C0_I32:[a-z0-9_-]+]] = arith.constant 0 : i32
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.loop [3] reduce [#gaudi.reduce<add>] init(%[[C0_I32]]) : i32 {
// CHECK:       %[[V2:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, d1, d3]
// CHECK:       %[[V3:[a-z0-9_-]+]] = gaudi.kernel.load %in1[d0, d3, d2]
// CHECK:       %[[V4:[a-z0-9_-]+]] = arith.extsi %[[V2]] : i8 to i32
// CHECK:       %[[C_3_I32:[a-z0-9_-]+]] = arith.constant -3 : i32
// CHECK:       %[[V5:[a-z0-9_-]+]] = arith.addi %[[V4]], %[[C_3_I32]] : i32
// CHECK:       %[[V6:[a-z0-9_-]+]] = arith.extsi %[[V3]] : i8 to i32
// CHECK:       %[[V7:[a-z0-9_-]+]] = arith.muli %[[V5]], %[[V6]] : i32
// CHECK:       gaudi.kernel.yield %[[V7]] : i32
// CHECK:     gaudi.kernel.store %[[V1]], %out0[d0, d1, d2]
// CHECK:   return %[[V0]] : tensor<2x4x16xi32>
func.func @matmul(%a: tensor<2x4x8xi8>, %b: tensor<2x8x16xi8>) -> tensor<2x4x16xi32> {
  %az = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %bz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %a, %b, %az, %bz : (tensor<2x4x8xi8>, tensor<2x8x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x4x16xi32>
  return %0 : tensor<2x4x16xi32>
}

// -----

// Outside the input a load gives the zero point, which counts as zero.
// CHECK-LABEL: func.func @conv2d(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x7x8x3xi8>, %[[ARG1:arg[0-9]+]]: tensor<5x3x3x3xi8>, %[[ARG2:arg[0-9]+]]: tensor<5xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.conv2d"(%[[ARG0]], %[[ARG1]], %[[ARG2]]) index_space [1, 3, 8, 5, 3, 3, 3] parallel [true, true, true, true, false, false, false] : (tensor<1x7x8x3xi8>, tensor<5x3x3x3xi8>, tensor<5xi32>) -> tensor<1x3x8x5xi32> {
// CHECK:     %[[C0_I32:[a-z0-9_-]+]] = arith.constant 0 : i32
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.loop [4, 5, 6] reduce [#gaudi.reduce<add>] init(%[[C0_I32]]) : i32 {
// CHECK:       %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, d1 * 2 + d4, d2 + d5 - 1, d6] boundary [#gaudi.boundary<inside>, #gaudi.boundary<inside>, #gaudi.boundary<pad>, #gaudi.boundary<inside>] pad -128 : i8
// CHECK:       %[[V5:[a-z0-9_-]+]] = arith.extsi %[[V4]] : i8 to i32
// CHECK:       %[[C128_I32:[a-z0-9_-]+]] = arith.constant 128 : i32
// CHECK:       %[[V6:[a-z0-9_-]+]] = arith.addi %[[V5]], %[[C128_I32]] : i32
// CHECK:       %[[V7:[a-z0-9_-]+]] = gaudi.kernel.load %in1[d3, d4, d5, d6]
// CHECK:       %[[V8:[a-z0-9_-]+]] = arith.extsi %[[V7]] : i8 to i32
// CHECK:       %[[C_7_I32:[a-z0-9_-]+]] = arith.constant -7 : i32
// CHECK:       %[[V9:[a-z0-9_-]+]] = arith.addi %[[V8]], %[[C_7_I32]] : i32
// CHECK:       %[[V10:[a-z0-9_-]+]] = arith.muli %[[V6]], %[[V9]] : i32
// CHECK:       gaudi.kernel.yield %[[V10]] : i32
// CHECK:     %[[V2:[a-z0-9_-]+]] = gaudi.kernel.load %in2[d3]
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.addi %[[V1]], %[[V2]] : i32
// CHECK:     gaudi.kernel.store %[[V3]], %out0[d0, d1, d2, d3]
// CHECK:   return %[[V0]] : tensor<1x3x8x5xi32>
func.func @conv2d(%x: tensor<1x7x8x3xi8>, %w: tensor<5x3x3x3xi8>, %b: tensor<5xi32>) -> tensor<1x3x8x5xi32> {
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x7x8x3xi8>, tensor<5x3x3x3xi8>, tensor<5xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x8x5xi32>
  return %0 : tensor<1x3x8x5xi32>
}

// -----

// CHECK-LABEL: func.func @conv3d(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x4x2xi8>, %[[ARG1:arg[0-9]+]]: tensor<3x2x2x2x2xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.conv3d"(%[[ARG0]], %[[ARG1]]) index_space [1, 3, 3, 3, 3, 2, 2, 2, 2] parallel [true, true, true, true, true, false, false, false, false] : (tensor<1x4x4x4x2xi8>, tensor<3x2x2x2x2xi8>) -> tensor<1x3x3x3x3xi32> {
// CHECK:     %[[C0_I32:[a-z0-9_-]+]] = arith.constant 0 : i32
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.loop [5, 6, 7, 8] reduce [#gaudi.reduce<add>] init(%[[C0_I32]]) : i32 {
// CHECK:       %[[V2:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, d1 + d5, d2 + d6, d3 + d7, d8]
// CHECK:       %[[V3:[a-z0-9_-]+]] = arith.extsi %[[V2]] : i8 to i32
// CHECK:       %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %in1[d4, d5, d6, d7, d8]
// CHECK:       %[[V5:[a-z0-9_-]+]] = arith.extsi %[[V4]] : i8 to i32
// CHECK:       %[[V6:[a-z0-9_-]+]] = arith.muli %[[V3]], %[[V5]] : i32
// CHECK:       gaudi.kernel.yield %[[V6]] : i32
// CHECK:     gaudi.kernel.store %[[V1]], %out0[d0, d1, d2, d3, d4]
// CHECK:   return %[[V0]] : tensor<1x3x3x3x3xi32>
func.func @conv3d(%x: tensor<1x4x4x4x2xi8>, %w: tensor<3x2x2x2x2xi8>) -> tensor<1x3x3x3x3xi32> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %b = "tosa.const"() <{values = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %0 = tosa.conv3d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>} : (tensor<1x4x4x4x2xi8>, tensor<3x2x2x2x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x3x3xi32>
  return %0 : tensor<1x3x3x3x3xi32>
}

// -----

// CHECK-LABEL: func.func @depthwise(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x3xi8>, %[[ARG1:arg[0-9]+]]: tensor<3x3x3x2xi8>, %[[ARG2:arg[0-9]+]]: tensor<1xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.depthwise_conv2d"(%[[ARG0]], %[[ARG1]], %[[ARG2]]) index_space [1, 4, 4, 3, 2, 3, 3] parallel [true, true, true, true, true, false, false] : (tensor<1x4x4x3xi8>, tensor<3x3x3x2xi8>, tensor<1xi32>) -> tensor<1x4x4x6xi32> {
// CHECK:     %[[C0_I32:[a-z0-9_-]+]] = arith.constant 0 : i32
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.loop [5, 6] reduce [#gaudi.reduce<add>] init(%[[C0_I32]]) : i32 {
// CHECK:       %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, d1 + d5 - 1, d2 + d6 - 1, d3] boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>, #gaudi.boundary<pad>, #gaudi.boundary<inside>] pad 1 : i8
// CHECK:       %[[V5:[a-z0-9_-]+]] = arith.extsi %[[V4]] : i8 to i32
// CHECK:       %[[C_1_I32:[a-z0-9_-]+]] = arith.constant -1 : i32
// CHECK:       %[[V6:[a-z0-9_-]+]] = arith.addi %[[V5]], %[[C_1_I32]] : i32
// CHECK:       %[[V7:[a-z0-9_-]+]] = gaudi.kernel.load %in1[d5, d6, d3, d4]
// CHECK:       %[[V8:[a-z0-9_-]+]] = arith.extsi %[[V7]] : i8 to i32
// CHECK:       %[[V9:[a-z0-9_-]+]] = arith.muli %[[V6]], %[[V8]] : i32
// CHECK:       gaudi.kernel.yield %[[V9]] : i32
// CHECK:     %[[V2:[a-z0-9_-]+]] = gaudi.kernel.load %in2[0]
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.addi %[[V1]], %[[V2]] : i32
// CHECK:     gaudi.kernel.store %[[V3]], %out0[d0, d1, d2, d3 * 2 + d4]
// CHECK:   return %[[V0]] : tensor<1x4x4x6xi32>
func.func @depthwise(%x: tensor<1x4x4x3xi8>, %w: tensor<3x3x3x2xi8>, %b: tensor<1xi32>) -> tensor<1x4x4x6xi32> {
  %xz = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xi8>, tensor<3x3x3x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x6xi32>
  return %0 : tensor<1x4x4x6xi32>
}

// -----

// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x3xi8>, %[[ARG1:arg[0-9]+]]: tensor<2x3x3x3xi8>, %[[ARG2:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "tosa.transpose_conv2d"(%[[ARG0]], %[[ARG1]], %[[ARG2]]) index_space [1, 9, 8, 2, 3, 3, 3] parallel [true, true, true, true, false, false, false] : (tensor<1x4x4x3xi8>, tensor<2x3x3x3xi8>, tensor<2xi32>) -> tensor<1x9x8x2xi32> {
// CHECK:     %[[C0_I32:[a-z0-9_-]+]] = arith.constant 0 : i32
// CHECK:     %[[V1:[a-z0-9_-]+]] = gaudi.kernel.loop [4, 5, 6] reduce [#gaudi.reduce<add>] init(%[[C0_I32]]) : i32 {
// CHECK:       %[[C0_I64:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:       %[[C2_I64:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:       %[[V4:[a-z0-9_-]+]] = gaudi.kernel.index 1
// CHECK:       %[[V5:[a-z0-9_-]+]] = gaudi.kernel.index 4
// CHECK:       %[[V6:[a-z0-9_-]+]] = arith.subi %[[V4]], %[[V5]] : i64
// CHECK:       %[[V7:[a-z0-9_-]+]] = arith.remsi %[[V6]], %[[C2_I64]] : i64
// CHECK:       %[[V8:[a-z0-9_-]+]] = arith.cmpi eq, %[[V7]], %[[C0_I64]] : i64
// CHECK:       %[[V9:[a-z0-9_-]+]] = arith.cmpi sge, %[[V6]], %[[C0_I64]] : i64
// CHECK:       %[[V10:[a-z0-9_-]+]] = arith.andi %[[V8]], %[[V9]] : i1
// CHECK:       %[[V11:[a-z0-9_-]+]] = arith.divsi %[[V6]], %[[C2_I64]] : i64
// CHECK:       %[[C_1_I64:[a-z0-9_-]+]] = arith.constant -1 : i64
// CHECK:       %[[V12:[a-z0-9_-]+]] = arith.select %[[V10]], %[[V11]], %[[C_1_I64]] : i64
// CHECK:       %[[C0_I64_0:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:       %[[C2_I64_1:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:       %[[V13:[a-z0-9_-]+]] = gaudi.kernel.index 2
// CHECK:       %[[C1_I64:[a-z0-9_-]+]] = arith.constant 1 : i64
// CHECK:       %[[V14:[a-z0-9_-]+]] = arith.addi %[[V13]], %[[C1_I64]] : i64
// CHECK:       %[[V15:[a-z0-9_-]+]] = gaudi.kernel.index 5
// CHECK:       %[[V16:[a-z0-9_-]+]] = arith.subi %[[V14]], %[[V15]] : i64
// CHECK:       %[[V17:[a-z0-9_-]+]] = arith.remsi %[[V16]], %[[C2_I64_1]] : i64
// CHECK:       %[[V18:[a-z0-9_-]+]] = arith.cmpi eq, %[[V17]], %[[C0_I64_0]] : i64
// CHECK:       %[[V19:[a-z0-9_-]+]] = arith.cmpi sge, %[[V16]], %[[C0_I64_0]] : i64
// CHECK:       %[[V20:[a-z0-9_-]+]] = arith.andi %[[V18]], %[[V19]] : i1
// CHECK:       %[[V21:[a-z0-9_-]+]] = arith.divsi %[[V16]], %[[C2_I64_1]] : i64
// CHECK:       %[[C_1_I64_2:[a-z0-9_-]+]] = arith.constant -1 : i64
// CHECK:       %[[V22:[a-z0-9_-]+]] = arith.select %[[V20]], %[[V21]], %[[C_1_I64_2]] : i64
// CHECK:       %[[V23:[a-z0-9_-]+]] = gaudi.kernel.load %in0[d0, %[[V12]], %[[V22]], d6] boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>, #gaudi.boundary<pad>, #gaudi.boundary<inside>] pad 1 : i8
// CHECK:       %[[V24:[a-z0-9_-]+]] = arith.extsi %[[V23]] : i8 to i32
// CHECK:       %[[C_1_I32:[a-z0-9_-]+]] = arith.constant -1 : i32
// CHECK:       %[[V25:[a-z0-9_-]+]] = arith.addi %[[V24]], %[[C_1_I32]] : i32
// CHECK:       %[[V26:[a-z0-9_-]+]] = gaudi.kernel.load %in1[d3, d4, d5, d6]
// CHECK:       %[[V27:[a-z0-9_-]+]] = arith.extsi %[[V26]] : i8 to i32
// CHECK:       %[[V28:[a-z0-9_-]+]] = arith.muli %[[V25]], %[[V27]] : i32
// CHECK:       gaudi.kernel.yield %[[V28]] : i32
// CHECK:     %[[V2:[a-z0-9_-]+]] = gaudi.kernel.load %in2[d3]
// CHECK:     %[[V3:[a-z0-9_-]+]] = arith.addi %[[V1]], %[[V2]] : i32
// CHECK:     gaudi.kernel.store %[[V3]], %out0[d0, d1, d2, d3]
// CHECK:   return %[[V0]] : tensor<1x9x8x2xi32>
func.func @transposed(%x: tensor<1x4x4x3xi8>, %w: tensor<2x3x3x3xi8>, %b: tensor<2xi32>) -> tensor<1x9x8x2xi32> {
  %xz = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.transpose_conv2d %x, %w, %b, %xz, %wz {acc_type = i32, out_pad = array<i64: 0, 0, -1, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x3xi8>, tensor<2x3x3x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x8x2xi32>
  return %0 : tensor<1x9x8x2xi32>
}
