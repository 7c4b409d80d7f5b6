// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.gemm %[[ARG0]], %[[ARG1]] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
// CHECK:   return %[[V0]] : tensor<2x4xf32>
func.func @plain(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// The engine reads either order.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3x2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<4x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.gemm %[[ARG0]], %[[ARG1]] transpose_a transpose_b : tensor<3x2xf32>, tensor<4x3xf32> -> tensor<2x4xf32>
// CHECK:   return %[[V0]] : tensor<2x4xf32>
func.func @transposed(%x: tensor<3x2xf32>, %y: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x2xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @batch(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<5x2x3xbf16>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<5x3x4xbf16>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.mme.gemm %[[ARG0]], %[[ARG1]] : tensor<5x2x3xbf16>, tensor<5x3x4xbf16> -> tensor<5x2x4xf32>
// CHECK:   return %[[V0]] : tensor<5x2x4xf32>
func.func @batch(%x: tensor<5x2x3xbf16>, %y: tensor<5x3x4xbf16>) -> tensor<5x2x4xf32> {
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<5x2x3xbf16>, tensor<5x3x4xbf16>) -> tensor<5x2x4xf32>
  return %r : tensor<5x2x4xf32>
}

// -----

// Batching dimensions move to the front.
// CHECK-LABEL: func.func @heads(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<5x2x7x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<5x6x7x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.transpose %[[ARG0]] permutation [0, 2, 1, 3] : tensor<5x2x7x3xf32> -> tensor<5x7x2x3xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.transpose %[[ARG1]] permutation [0, 2, 3, 1] : tensor<5x6x7x3xf32> -> tensor<5x7x3x6xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.mme.gemm %[[V0]], %[[V1]] : tensor<5x7x2x3xf32>, tensor<5x7x3x6xf32> -> tensor<5x7x2x6xf32>
// CHECK:   return %[[V2]] : tensor<5x7x2x6xf32>
func.func @heads(%x: tensor<5x2x7x3xf32>, %y: tensor<5x6x7x3xf32>) -> tensor<5x7x2x6xf32> {
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<5x2x7x3xf32>, tensor<5x6x7x3xf32>) -> tensor<5x7x2x6xf32>
  return %r : tensor<5x7x2x6xf32>
}

// -----

// Contracting dimensions in order are one.
// CHECK-LABEL: func.func @several(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3x4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x4x5xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<2x3x4xf32> -> tensor<2x12xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<3x4x5xf32> -> tensor<12x5xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.mme.gemm %[[V0]], %[[V1]] : tensor<2x12xf32>, tensor<12x5xf32> -> tensor<2x5xf32>
// CHECK:   return %[[V2]] : tensor<2x5xf32>
func.func @several(%x: tensor<2x3x4xf32>, %y: tensor<3x4x5xf32>) -> tensor<2x5xf32> {
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// -----

// CHECK-LABEL: func.func @outer(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<2xf32> -> tensor<2x1xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<3xf32> -> tensor<1x3xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.mme.gemm %[[V0]], %[[V1]] : tensor<2x1xf32>, tensor<1x3xf32> -> tensor<2x3xf32>
// CHECK:   return %[[V2]] : tensor<2x3xf32>
func.func @outer(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [], rhs_contracting_dimensions = []>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @mixed(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xbf16>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG0]] : tensor<2x3xbf16> -> tensor<2x3xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.mme.gemm %[[V0]], %[[ARG1]] : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
// CHECK:   return %[[V1]] : tensor<2x4xf32>
func.func @mixed(%x: tensor<2x3xbf16>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xbf16>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @integers(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi8>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3x4xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<2x3xi8> -> tensor<1x2x3xi8>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<3x4xi8> -> tensor<1x3x4xi8>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.dot_general"(%[[V0]], %[[V1]]) index_space [1, 2, 4, 3] parallel [true, true, true, false] : (tensor<1x2x3xi8>, tensor<1x3x4xi8>) -> tensor<1x2x4xi32> {
// CHECK:   ^bb0(%[[IN0_3:[a-z0-9_-]+]]: tensor<1x2x3xi8>, %[[IN1_4:[a-z0-9_-]+]]: tensor<1x3x4xi8>, %[[OUT0_5:[a-z0-9_-]+]]: tensor<1x2x4xi32>):
// CHECK:   %[[V6:[a-z0-9_-]+]] = arith.constant 0 : i32
// CHECK:   %[[V7:[a-z0-9_-]+]] = gaudi.kernel.loop [3] reduce [#gaudi.reduce<add>] init(%[[V6]]) : i32 {
// CHECK:   ^bb0(%[[ARG2_8:[a-z0-9_-]+]]: i32):
// CHECK:   %[[V9:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_3]][d0, d1, d3] : tensor<1x2x3xi8>
// CHECK:   %[[V10:[a-z0-9_-]+]] = arith.extsi %[[V9]] : i8 to i32
// CHECK:   %[[V11:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_4]][d0, d3, d2] : tensor<1x3x4xi8>
// CHECK:   %[[V12:[a-z0-9_-]+]] = arith.extsi %[[V11]] : i8 to i32
// CHECK:   %[[V13:[a-z0-9_-]+]] = arith.muli %[[V10]], %[[V12]] : i32
// CHECK:   gaudi.kernel.yield %[[V13]] : i32
// CHECK:   gaudi.kernel.store %[[V7]], %[[OUT0_5]][d0, d1, d2] : tensor<1x2x4xi32>
// CHECK:   %[[V14:[a-z0-9_-]+]] = gaudi.reshape %[[V2]] : tensor<1x2x4xi32> -> tensor<2x4xi32>
// CHECK:   return %[[V14]] : tensor<2x4xi32>
func.func @integers(%x: tensor<2x3xi8>, %y: tensor<3x4xi8>) -> tensor<2x4xi32> {
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}

// -----

// CHECK-LABEL: func.func @dot(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<3xf32> -> tensor<3x1xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.mme.gemm %[[ARG0]], %[[V0]] : tensor<2x3xf32>, tensor<3x1xf32> -> tensor<2x1xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[V1]] : tensor<2x1xf32> -> tensor<2xf32>
// CHECK:   return %[[V2]] : tensor<2xf32>
func.func @dot(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %r = "mhlo.dot"(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
