// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @fft(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x4x8xf32>, %[[ARG1:arg[0-9]+]]: tensor<2x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<[1.000000e+00, 0.707106769, 0.000000e+00, -0.707106769, -1.000000e+00, -0.707106769, 0.000000e+00, 0.707106769]> : tensor<8xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.constant dense<[0.000000e+00, 0.707106769, 1.000000e+00, 0.707106769, 0.000000e+00, -0.707106769, -1.000000e+00, -0.707106769]> : tensor<8xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]]:2 = gaudi.tpc.kernel label "tosa.fft2d"(%[[V0]], %[[V1]], %[[ARG0]], %[[ARG1]]) index_space [2, 4, 8, 8] parallel [true, true, true, false] : (tensor<8xf32>, tensor<8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
// CHECK:     %[[CST:[a-z0-9_-]+]] = arith.constant 0.000000e+00 : f32
// CHECK:     %[[V6:[a-z0-9_-]+]]:2 = gaudi.kernel.loop [3] reduce [#gaudi.reduce<add>, #gaudi.reduce<add>] init(%[[CST]], %[[CST]]) : f32, f32 {
// CHECK:       %[[V7:[a-z0-9_-]+]] = gaudi.kernel.index 2
// CHECK:       %[[V8:[a-z0-9_-]+]] = gaudi.kernel.index 3
// CHECK:       %[[V9:[a-z0-9_-]+]] = arith.muli %[[V7]], %[[V8]] : i64
// CHECK:       %[[C8_I64:[a-z0-9_-]+]] = arith.constant 8 : i64
// CHECK:       %[[V10:[a-z0-9_-]+]] = arith.remsi %[[V9]], %[[C8_I64]] : i64
// CHECK:       %[[V11:[a-z0-9_-]+]] = gaudi.kernel.load %in0[%[[V10]]] boundary [#gaudi.boundary<clamp>]
// CHECK:       %[[V12:[a-z0-9_-]+]] = gaudi.kernel.load %in1[%[[V10]]] boundary [#gaudi.boundary<clamp>]
// CHECK:       %[[V13:[a-z0-9_-]+]] = arith.negf %[[V12]] : f32
// CHECK:       %[[V14:[a-z0-9_-]+]] = gaudi.kernel.load %in2[d0, d1, d3]
// CHECK:       %[[V15:[a-z0-9_-]+]] = arith.mulf %[[V14]], %[[V11]] : f32
// CHECK:       %[[V16:[a-z0-9_-]+]] = arith.mulf %[[V14]], %[[V13]] : f32
// CHECK:       %[[V17:[a-z0-9_-]+]] = arith.negf %[[V16]] : f32
// CHECK:       %[[V18:[a-z0-9_-]+]] = gaudi.kernel.load %in3[d0, d1, d3]
// CHECK:       %[[V19:[a-z0-9_-]+]] = arith.mulf %[[V18]], %[[V13]] : f32
// CHECK:       %[[V20:[a-z0-9_-]+]] = arith.addf %[[V15]], %[[V19]] : f32
// CHECK:       %[[V21:[a-z0-9_-]+]] = arith.mulf %[[V18]], %[[V11]] : f32
// CHECK:       %[[V22:[a-z0-9_-]+]] = arith.addf %[[V17]], %[[V21]] : f32
// CHECK:       gaudi.kernel.yield %[[V20]], %[[V22]] : f32, f32
// CHECK:     gaudi.kernel.store %[[V6]]#0, %out0[d0, d1, d2]
// CHECK:     gaudi.kernel.store %[[V6]]#1, %out1[d0, d1, d2]
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.constant dense<[1.000000e+00, 0.000000e+00, -1.000000e+00, 0.000000e+00]> : tensor<4xf32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.constant dense<[0.000000e+00, 1.000000e+00, 0.000000e+00, -1.000000e+00]> : tensor<4xf32>
// CHECK:   %[[V5:[a-z0-9_-]+]]:2 = gaudi.tpc.kernel label "tosa.fft2d"(%[[V3]], %[[V4]], %[[V2]]#0, %[[V2]]#1) index_space [2, 4, 8, 4] parallel [true, true, true, false] : (tensor<4xf32>, tensor<4xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
// CHECK:     %[[CST:[a-z0-9_-]+]] = arith.constant 0.000000e+00 : f32
// CHECK:     %[[V6:[a-z0-9_-]+]]:2 = gaudi.kernel.loop [3] reduce [#gaudi.reduce<add>, #gaudi.reduce<add>] init(%[[CST]], %[[CST]]) : f32, f32 {
// CHECK:       %[[V7:[a-z0-9_-]+]] = gaudi.kernel.index 1
// CHECK:       %[[V8:[a-z0-9_-]+]] = gaudi.kernel.index 3
// CHECK:       %[[V9:[a-z0-9_-]+]] = arith.muli %[[V7]], %[[V8]] : i64
// CHECK:       %[[C4_I64:[a-z0-9_-]+]] = arith.constant 4 : i64
// CHECK:       %[[V10:[a-z0-9_-]+]] = arith.remsi %[[V9]], %[[C4_I64]] : i64
// CHECK:       %[[V11:[a-z0-9_-]+]] = gaudi.kernel.load %in0[%[[V10]]] boundary [#gaudi.boundary<clamp>]
// CHECK:       %[[V12:[a-z0-9_-]+]] = gaudi.kernel.load %in1[%[[V10]]] boundary [#gaudi.boundary<clamp>]
// CHECK:       %[[V13:[a-z0-9_-]+]] = arith.negf %[[V12]] : f32
// CHECK:       %[[V14:[a-z0-9_-]+]] = gaudi.kernel.load %in2[d0, d3, d2]
// CHECK:       %[[V15:[a-z0-9_-]+]] = arith.mulf %[[V14]], %[[V11]] : f32
// CHECK:       %[[V16:[a-z0-9_-]+]] = arith.mulf %[[V14]], %[[V13]] : f32
// CHECK:       %[[V17:[a-z0-9_-]+]] = arith.negf %[[V16]] : f32
// CHECK:       %[[V18:[a-z0-9_-]+]] = gaudi.kernel.load %in3[d0, d3, d2]
// CHECK:       %[[V19:[a-z0-9_-]+]] = arith.mulf %[[V18]], %[[V13]] : f32
// CHECK:       %[[V20:[a-z0-9_-]+]] = arith.addf %[[V15]], %[[V19]] : f32
// CHECK:       %[[V21:[a-z0-9_-]+]] = arith.mulf %[[V18]], %[[V11]] : f32
// CHECK:       %[[V22:[a-z0-9_-]+]] = arith.addf %[[V17]], %[[V21]] : f32
// CHECK:       gaudi.kernel.yield %[[V20]], %[[V22]] : f32, f32
// CHECK:     gaudi.kernel.store %[[V6]]#0, %out0[d0, d1, d2]
// CHECK:     gaudi.kernel.store %[[V6]]#1, %out1[d0, d1, d2]
// CHECK:   return %[[V5]]#0, %[[V5]]#1 : tensor<2x4x8xf32>, tensor<2x4x8xf32>
func.func @fft(%re: tensor<2x4x8xf32>, %im: tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
  %0, %1 = tosa.fft2d %re, %im {inverse = true} : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>)
  return %0, %1 : tensor<2x4x8xf32>, tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @rfft(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x8xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<[1.000000e+00, 0.707106769, 0.000000e+00, -0.707106769, -1.000000e+00, -0.707106769, 0.000000e+00, 0.707106769]> : tensor<8xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.constant dense<[0.000000e+00, 0.707106769, 1.000000e+00, 0.707106769, 0.000000e+00, -0.707106769, -1.000000e+00, -0.707106769]> : tensor<8xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]]:2 = gaudi.tpc.kernel label "tosa.rfft2d"(%[[V0]], %[[V1]], %[[ARG0]]) index_space [1, 4, 5, 8] parallel [true, true, true, false] : (tensor<8xf32>, tensor<8xf32>, tensor<1x4x8xf32>) -> (tensor<1x4x5xf32>, tensor<1x4x5xf32>) {
// CHECK:     %[[CST:[a-z0-9_-]+]] = arith.constant 0.000000e+00 : f32
// CHECK:     %[[V6:[a-z0-9_-]+]]:2 = gaudi.kernel.loop [3] reduce [#gaudi.reduce<add>, #gaudi.reduce<add>] init(%[[CST]], %[[CST]]) : f32, f32 {
// CHECK:       %[[V7:[a-z0-9_-]+]] = gaudi.kernel.index 2
// CHECK:       %[[V8:[a-z0-9_-]+]] = gaudi.kernel.index 3
// CHECK:       %[[V9:[a-z0-9_-]+]] = arith.muli %[[V7]], %[[V8]] : i64
// CHECK:       %[[C8_I64:[a-z0-9_-]+]] = arith.constant 8 : i64
// CHECK:       %[[V10:[a-z0-9_-]+]] = arith.remsi %[[V9]], %[[C8_I64]] : i64
// CHECK:       %[[V11:[a-z0-9_-]+]] = gaudi.kernel.load %in0[%[[V10]]] boundary [#gaudi.boundary<clamp>]
// CHECK:       %[[V12:[a-z0-9_-]+]] = gaudi.kernel.load %in1[%[[V10]]] boundary [#gaudi.boundary<clamp>]
// CHECK:       %[[V13:[a-z0-9_-]+]] = gaudi.kernel.load %in2[d0, d1, d3]
// CHECK:       %[[V14:[a-z0-9_-]+]] = arith.mulf %[[V13]], %[[V11]] : f32
// CHECK:       %[[V15:[a-z0-9_-]+]] = arith.mulf %[[V13]], %[[V12]] : f32
// CHECK:       %[[V16:[a-z0-9_-]+]] = arith.negf %[[V15]] : f32
// CHECK:       gaudi.kernel.yield %[[V14]], %[[V16]] : f32, f32
// CHECK:     gaudi.kernel.store %[[V6]]#0, %out0[d0, d1, d2]
// CHECK:     gaudi.kernel.store %[[V6]]#1, %out1[d0, d1, d2]
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.constant dense<[1.000000e+00, 0.000000e+00, -1.000000e+00, 0.000000e+00]> : tensor<4xf32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.constant dense<[0.000000e+00, 1.000000e+00, 0.000000e+00, -1.000000e+00]> : tensor<4xf32>
// CHECK:   %[[V5:[a-z0-9_-]+]]:2 = gaudi.tpc.kernel label "tosa.rfft2d"(%[[V3]], %[[V4]], %[[V2]]#0, %[[V2]]#1) index_space [1, 4, 5, 4] parallel [true, true, true, false] : (tensor<4xf32>, tensor<4xf32>, tensor<1x4x5xf32>, tensor<1x4x5xf32>) -> (tensor<1x4x5xf32>, tensor<1x4x5xf32>) {
// CHECK:     %[[CST:[a-z0-9_-]+]] = arith.constant 0.000000e+00 : f32
// CHECK:     %[[V6:[a-z0-9_-]+]]:2 = gaudi.kernel.loop [3] reduce [#gaudi.reduce<add>, #gaudi.reduce<add>] init(%[[CST]], %[[CST]]) : f32, f32 {
// CHECK:       %[[V7:[a-z0-9_-]+]] = gaudi.kernel.index 1
// CHECK:       %[[V8:[a-z0-9_-]+]] = gaudi.kernel.index 3
// CHECK:       %[[V9:[a-z0-9_-]+]] = arith.muli %[[V7]], %[[V8]] : i64
// CHECK:       %[[C4_I64:[a-z0-9_-]+]] = arith.constant 4 : i64
// CHECK:       %[[V10:[a-z0-9_-]+]] = arith.remsi %[[V9]], %[[C4_I64]] : i64
// CHECK:       %[[V11:[a-z0-9_-]+]] = gaudi.kernel.load %in0[%[[V10]]] boundary [#gaudi.boundary<clamp>]
// CHECK:       %[[V12:[a-z0-9_-]+]] = gaudi.kernel.load %in1[%[[V10]]] boundary [#gaudi.boundary<clamp>]
// CHECK:       %[[V13:[a-z0-9_-]+]] = gaudi.kernel.load %in2[d0, d3, d2]
// CHECK:       %[[V14:[a-z0-9_-]+]] = arith.mulf %[[V13]], %[[V11]] : f32
// CHECK:       %[[V15:[a-z0-9_-]+]] = arith.mulf %[[V13]], %[[V12]] : f32
// CHECK:       %[[V16:[a-z0-9_-]+]] = arith.negf %[[V15]] : f32
// CHECK:       %[[V17:[a-z0-9_-]+]] = gaudi.kernel.load %in3[d0, d3, d2]
// CHECK:       %[[V18:[a-z0-9_-]+]] = arith.mulf %[[V17]], %[[V12]] : f32
// CHECK:       %[[V19:[a-z0-9_-]+]] = arith.addf %[[V14]], %[[V18]] : f32
// CHECK:       %[[V20:[a-z0-9_-]+]] = arith.mulf %[[V17]], %[[V11]] : f32
// CHECK:       %[[V21:[a-z0-9_-]+]] = arith.addf %[[V16]], %[[V20]] : f32
// CHECK:       gaudi.kernel.yield %[[V19]], %[[V21]] : f32, f32
// CHECK:     gaudi.kernel.store %[[V6]]#0, %out0[d0, d1, d2]
// CHECK:     gaudi.kernel.store %[[V6]]#1, %out1[d0, d1, d2]
// CHECK:   return %[[V5]]#0, %[[V5]]#1 : tensor<1x4x5xf32>, tensor<1x4x5xf32>
func.func @rfft(%re: tensor<1x4x8xf32>) -> (tensor<1x4x5xf32>, tensor<1x4x5xf32>) {
  %0, %1 = tosa.rfft2d %re : (tensor<1x4x8xf32>) -> (tensor<1x4x5xf32>, tensor<1x4x5xf32>)
  return %0, %1 : tensor<1x4x5xf32>, tensor<1x4x5xf32>
}
