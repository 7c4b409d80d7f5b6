// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<2x3xf32> -> tensor<6xf32>
// CHECK:   return %[[V0]] : tensor<6xf32>
func.func @reshape(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %r = "stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.transpose %[[ARG0]] permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
// CHECK:   return %[[V0]] : tensor<3x2xf32>
func.func @transpose(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

// Older files have dense attributes; JAX lists; both as properties or not.
// CHECK-LABEL: func.func @attribute_forms(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.transpose %[[ARG0]] permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.transpose %[[V0]] permutation [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.transpose %[[V1]] permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
// CHECK:   return %[[V2]] : tensor<3x2xf32>
func.func @attribute_forms(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "stablehlo.transpose"(%x) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "stablehlo.transpose"(%0) <{permutation = [1, 0]}> : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %r = "stablehlo.transpose"(%1) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

// MHLO has the same ops.
// CHECK-LABEL: func.func @twins(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<2x3xf32> -> tensor<6xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.broadcast %[[V0]] dims [1] : tensor<6xf32> -> tensor<2x6xf32>
// CHECK:   return %[[V1]] : tensor<2x6xf32>
func.func @twins(%x: tensor<2x3xf32>) -> tensor<2x6xf32> {
  %0 = "mhlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<6xf32>) -> tensor<2x6xf32>
  %r = "mhlo.copy"(%1) : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.broadcast %[[ARG0]] dims [1] : tensor<3xf32> -> tensor<2x3x4xf32>
// CHECK:   return %[[V0]] : tensor<2x3x4xf32>
func.func @broadcast(%x: tensor<3xf32>) -> tensor<2x3x4xf32> {
  %r = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// -----

// Dimensions out of order are transposed first.
// CHECK-LABEL: func.func @broadcast_unsorted(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3x2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.transpose %[[ARG0]] permutation [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.broadcast %[[V0]] dims [0, 2] : tensor<2x3xf32> -> tensor<2x4x3xf32>
// CHECK:   return %[[V1]] : tensor<2x4x3xf32>
func.func @broadcast_unsorted(%x: tensor<3x2xf32>) -> tensor<2x4x3xf32> {
  %r = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 2, 0>}> : (tensor<3x2xf32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}

// -----

// New dimensions of size 1 are a view.
// CHECK-LABEL: func.func @broadcast_units(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<3xf32> -> tensor<1x3x1xf32>
// CHECK:   return %[[V0]] : tensor<1x3x1xf32>
func.func @broadcast_units(%x: tensor<3xf32>) -> tensor<1x3x1xf32> {
  %r = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<1x3x1xf32>
  return %r : tensor<1x3x1xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast_leading(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.broadcast %[[ARG0]] dims [1] : tensor<3xf32> -> tensor<2x3xf32>
// CHECK:   return %[[V0]] : tensor<2x3xf32>
func.func @broadcast_leading(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: 2>}> : (tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// The only op of its module is one of CHLO.
// CHECK-LABEL: func.func @broadcast_chlo(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.broadcast %[[ARG1]] dims [1] : tensor<3xf32> -> tensor<2x3xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG0]], %[[V0]] : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
// CHECK:   return %[[V1]] : tensor<2x3xf32>
func.func @broadcast_chlo(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = "chlo.broadcast_add"(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @concatenate(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x1xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.concat %[[ARG0]], %[[ARG1]] axis 1 : tensor<2x3xf32>, tensor<2x1xf32> -> tensor<2x4xf32>
// CHECK:   return %[[V0]] : tensor<2x4xf32>
func.func @concatenate(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %r = "stablehlo.concatenate"(%x, %y) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @concatenate_one(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   return %[[ARG0]] : tensor<2x3xf32>
func.func @concatenate_one(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.concatenate"(%x) <{dimension = 1 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// A dimension of size 1 has no order.
// CHECK-LABEL: func.func @reverse(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3x1xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.reverse %[[ARG0]] dims [0, 1] : tensor<2x3x1xf32>
// CHECK:   return %[[V0]] : tensor<2x3x1xf32>
func.func @reverse(%x: tensor<2x3x1xf32>) -> tensor<2x3x1xf32> {
  %r = "stablehlo.reverse"(%x) <{dimensions = array<i64: 2, 1, 0>}> : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  return %r : tensor<2x3x1xf32>
}

// -----

// CHECK-LABEL: func.func @reverse_twice(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.reverse %[[ARG0]] dims [0, 1] : tensor<2x3xf32>
// CHECK:   return %[[ARG0]] : tensor<2x3xf32>
func.func @reverse_twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = "stablehlo.reverse"(%0) <{dimensions = array<i64: 0, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @iota(
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.iota dim 1 : tensor<2x3xi32>
// CHECK:   return %[[V0]] : tensor<2x3xi32>
func.func @iota() -> tensor<2x3xi32> {
  %r = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// -----

// CHECK-LABEL: func.func @barrier(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<3xi32>
// CHECK:   return %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<3xi32>
func.func @barrier(%x: tensor<2xf32>, %y: tensor<3xi32>) -> (tensor<2xf32>, tensor<3xi32>) {
  %r:2 = "stablehlo.optimization_barrier"(%x, %y) : (tensor<2xf32>, tensor<3xi32>) -> (tensor<2xf32>, tensor<3xi32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<3xi32>
}

// -----

// CHECK-LABEL: func.func @dimension_size(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<3> : tensor<i32>
// CHECK:   return %[[V0]] : tensor<i32>
func.func @dimension_size(%x: tensor<2x3xf32>) -> tensor<i32> {
  %r = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<2x3xf32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: func.func @slice(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4x6xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.slice %[[ARG0]] offsets [1, 0] strides [1, 2] : tensor<4x6xf32> -> tensor<2x3xf32>
// CHECK:   return %[[V0]] : tensor<2x3xf32>
func.func @slice(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.slice"(%x) <{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 6>, strides = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.pad <constant> %[[ARG0]] low [1, 0] high [1, 0] value 0.000000e+00 : f32 : tensor<2x3xf32> -> tensor<4x3xf32>
// CHECK:   return %[[V1]] : tensor<4x3xf32>
func.func @pad(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

// Elements are cut off first.
// CHECK-LABEL: func.func @pad_negative(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.slice %[[ARG0]] offsets [1, 0] strides [1, 1] : tensor<4x3xf32> -> tensor<3x3xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.pad <constant> %[[V1]] low [0, 0] high [0, 1] value 0.000000e+00 : f32 : tensor<3x3xf32> -> tensor<3x4xf32>
// CHECK:   return %[[V2]] : tensor<3x4xf32>
func.func @pad_negative(%x: tensor<4x3xf32>) -> tensor<3x4xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: -1, 0>, edge_padding_high = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>}> : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func.func @pad_interior(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.broadcast %[[V0]] dims [] : tensor<f32> -> tensor<6xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.insert_slice %[[ARG0]] into %[[V1]] offsets [1] strides [2] : tensor<3xf32> into tensor<6xf32>
// CHECK:   return %[[V2]] : tensor<6xf32>
func.func @pad_interior(%x: tensor<3xf32>) -> tensor<6xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 1>}> : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// A value that is not constant is broadcast, and the operand written into it.
// CHECK-LABEL: func.func @pad_variable(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<f32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.broadcast %[[ARG1]] dims [] : tensor<f32> -> tensor<4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.insert_slice %[[ARG0]] into %[[V0]] offsets [1] strides [1] : tensor<3xf32> into tensor<4xf32>
// CHECK:   return %[[V1]] : tensor<4xf32>
func.func @pad_variable(%x: tensor<3xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @pad_away(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<f32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<f32> -> tensor<1xf32>
// CHECK:   return %[[V0]] : tensor<1xf32>
func.func @pad_away(%x: tensor<3xf32>, %z: tensor<f32>) -> tensor<1xf32> {
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: -3>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Starts are clamped; a whole dimension has none.
// CHECK-LABEL: func.func @dynamic_slice(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4x6xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<i32>
// CHECK-SAME: %[[ARG2:arg[0-9]+]]: tensor<i32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.dynamic_slice"(%[[ARG0]], %[[ARG1]], %[[ARG2]]) index_space [2, 6] parallel [true, true] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32> {
// CHECK:   ^bb0(%[[IN0_1:[a-z0-9_-]+]]: tensor<4x6xf32>, %[[IN1_2:[a-z0-9_-]+]]: tensor<i32>, %[[IN2_3:[a-z0-9_-]+]]: tensor<i32>, %[[OUT0_4:[a-z0-9_-]+]]: tensor<2x6xf32>):
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_2]][] : tensor<i32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = arith.extsi %[[V5]] : i32 to i64
// CHECK:   %[[V7:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V8:[a-z0-9_-]+]] = arith.minsi %[[V6]], %[[V7]] : i64
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V10:[a-z0-9_-]+]] = arith.maxsi %[[V8]], %[[V9]] : i64
// CHECK:   %[[V11:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN2_3]][] : tensor<i32>
// CHECK:   %[[V12:[a-z0-9_-]+]] = arith.extsi %[[V11]] : i32 to i64
// CHECK:   %[[V13:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V14:[a-z0-9_-]+]] = arith.minsi %[[V12]], %[[V13]] : i64
// CHECK:   %[[V15:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V16:[a-z0-9_-]+]] = arith.maxsi %[[V14]], %[[V15]] : i64
// CHECK:   %[[V17:[a-z0-9_-]+]] = gaudi.kernel.index 0
// CHECK:   %[[V18:[a-z0-9_-]+]] = arith.addi %[[V10]], %[[V17]] : i64
// CHECK:   %[[V19:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_1]][%[[V18]], d1] boundary [#gaudi.boundary<clamp>, #gaudi.boundary<inside>] : tensor<4x6xf32>
// CHECK:   gaudi.kernel.store %[[V19]], %[[OUT0_4]][d0, d1] : tensor<2x6xf32>
// CHECK:   return %[[V0]] : tensor<2x6xf32>
func.func @dynamic_slice(%x: tensor<4x6xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x6xf32> {
  %r = "stablehlo.dynamic_slice"(%x, %i, %j) <{slice_sizes = array<i64: 2, 6>}> : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// -----

// Known starts make it a slice, clamped.
// CHECK-LABEL: func.func @dynamic_slice_constant(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<3> : tensor<i32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.slice %[[ARG0]] offsets [2] strides [1] : tensor<4xf32> -> tensor<2xf32>
// CHECK:   return %[[V1]] : tensor<2xf32>
func.func @dynamic_slice_constant(%x: tensor<4xf32>) -> tensor<2xf32> {
  %i = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %r = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}> : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4x6xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x6xf32>
// CHECK-SAME: %[[ARG2:arg[0-9]+]]: tensor<i32>
// CHECK-SAME: %[[ARG3:arg[0-9]+]]: tensor<i32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.dynamic_update_slice"(%[[ARG0]], %[[ARG1]], %[[ARG2]], %[[ARG3]]) index_space [4, 6] parallel [true, true] : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32> {
// CHECK:   ^bb0(%[[IN0_1:[a-z0-9_-]+]]: tensor<4x6xf32>, %[[IN1_2:[a-z0-9_-]+]]: tensor<2x6xf32>, %[[IN2_3:[a-z0-9_-]+]]: tensor<i32>, %[[IN3_4:[a-z0-9_-]+]]: tensor<i32>, %[[OUT0_5:[a-z0-9_-]+]]: tensor<4x6xf32>):
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN2_3]][] : tensor<i32>
// CHECK:   %[[V7:[a-z0-9_-]+]] = arith.extsi %[[V6]] : i32 to i64
// CHECK:   %[[V8:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.minsi %[[V7]], %[[V8]] : i64
// CHECK:   %[[V10:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V11:[a-z0-9_-]+]] = arith.maxsi %[[V9]], %[[V10]] : i64
// CHECK:   %[[V12:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN3_4]][] : tensor<i32>
// CHECK:   %[[V13:[a-z0-9_-]+]] = arith.extsi %[[V12]] : i32 to i64
// CHECK:   %[[V14:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V15:[a-z0-9_-]+]] = arith.minsi %[[V13]], %[[V14]] : i64
// CHECK:   %[[V16:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V17:[a-z0-9_-]+]] = arith.maxsi %[[V15]], %[[V16]] : i64
// CHECK:   %[[V18:[a-z0-9_-]+]] = gaudi.kernel.index 0
// CHECK:   %[[V19:[a-z0-9_-]+]] = arith.subi %[[V18]], %[[V11]] : i64
// CHECK:   %[[V20:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V21:[a-z0-9_-]+]] = arith.cmpi sge, %[[V19]], %[[V20]] : i64
// CHECK:   %[[V22:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V23:[a-z0-9_-]+]] = arith.cmpi slt, %[[V19]], %[[V22]] : i64
// CHECK:   %[[V24:[a-z0-9_-]+]] = arith.andi %[[V21]], %[[V23]] : i1
// CHECK:   %[[V25:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_1]][d0, d1] : tensor<4x6xf32>
// CHECK:   %[[V26:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_2]][%[[V19]], d1] boundary [#gaudi.boundary<clamp>, #gaudi.boundary<inside>] : tensor<2x6xf32>
// CHECK:   %[[V27:[a-z0-9_-]+]] = arith.select %[[V24]], %[[V26]], %[[V25]] : f32
// CHECK:   gaudi.kernel.store %[[V27]], %[[OUT0_5]][d0, d1] : tensor<4x6xf32>
// CHECK:   return %[[V0]] : tensor<4x6xf32>
func.func @update(%x: tensor<4x6xf32>, %u: tensor<2x6xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<4x6xf32> {
  %r = "stablehlo.dynamic_update_slice"(%x, %u, %i, %j) : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func.func @update_constant(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<-1> : tensor<i32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.insert_slice %[[ARG1]] into %[[ARG0]] offsets [0] strides [1] : tensor<2xf32> into tensor<4xf32>
// CHECK:   return %[[V1]] : tensor<4xf32>
func.func @update_constant(%x: tensor<4xf32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  %i = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
  %r = "stablehlo.dynamic_update_slice"(%x, %u, %i) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @update_whole(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[ARG2:arg[0-9]+]]: tensor<i32>
// CHECK:   return %[[ARG1]] : tensor<4xf32>
func.func @update_whole(%x: tensor<4xf32>, %u: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %r = "stablehlo.dynamic_update_slice"(%x, %u, %i) : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
