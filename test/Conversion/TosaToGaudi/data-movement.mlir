// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<2x3x4xf32> -> tensor<6x4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.slice %[[V0]] offsets [2, 1] strides [1, 1] : tensor<6x4xf32> -> tensor<4x3xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.transpose %[[V1]] permutation [1, 0] : tensor<4x3xf32> -> tensor<3x4xf32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.reshape %[[V2]] : tensor<3x4xf32> -> tensor<1x12xf32>
// CHECK:   return %[[V3]] : tensor<1x12xf32>
func.func @views(%x: tensor<2x3x4xf32>) -> tensor<1x12xf32> {
  %s = tosa.const_shape {values = dense<[6, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %x, %s : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
  %start = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.slice %0, %start, %size : (tensor<6x4xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<4x3xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %t = tosa.const_shape {values = dense<[1, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %3 = tosa.reshape %2, %t : (tensor<3x4xf32>, !tosa.shape<2>) -> tensor<1x12xf32>
  return %3 : tensor<1x12xf32>
}

// -----

// CHECK-LABEL: func.func @joined(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi8>, %[[ARG1:arg[0-9]+]]: tensor<2x5xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.concat %[[ARG0]], %[[ARG1]] axis 1 : tensor<2x3xi8>, tensor<2x5xi8> -> tensor<2x8xi8>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.reverse %[[ARG0]] dims [1] : tensor<2x3xi8>
// CHECK:   return %[[V0]], %[[V1]] : tensor<2x8xi8>, tensor<2x3xi8>
func.func @joined(%a: tensor<2x3xi8>, %b: tensor<2x5xi8>) -> (tensor<2x8xi8>, tensor<2x3xi8>) {
  %0 = tosa.concat %a, %b {axis = 1 : i32} : (tensor<2x3xi8>, tensor<2x5xi8>) -> tensor<2x8xi8>
  %1 = tosa.concat %a {axis = 0 : i32} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  %2 = tosa.reverse %1 {axis = 1 : i32} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  return %0, %2 : tensor<2x8xi8>, tensor<2x3xi8>
}

// -----

// Dimension 0 gets a repeating dimension in front, dimension 1 has one element
// to repeat, dimension 2 stays.
// CHECK-LABEL: func.func @tile(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x1x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.broadcast %[[ARG0]] dims [1, 2, 3] : tensor<2x1x4xf32> -> tensor<3x2x5x4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[V0]] : tensor<3x2x5x4xf32> -> tensor<6x5x4xf32>
// CHECK:   return %[[V1]], %[[ARG0]] : tensor<6x5x4xf32>, tensor<2x1x4xf32>
func.func @tile(%x: tensor<2x1x4xf32>) -> (tensor<6x5x4xf32>, tensor<2x1x4xf32>) {
  %m = tosa.const_shape {values = dense<[3, 5, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.tile %x, %m : (tensor<2x1x4xf32>, !tosa.shape<3>) -> tensor<6x5x4xf32>
  %n = tosa.const_shape {values = dense<1> : tensor<3xindex>} : () -> !tosa.shape<3>
  %1 = tosa.tile %x, %n : (tensor<2x1x4xf32>, !tosa.shape<3>) -> tensor<2x1x4xf32>
  return %0, %1 : tensor<6x5x4xf32>, tensor<2x1x4xf32>
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.pad <constant> %[[ARG0]] low [0, 1] high [1, 2] value -1.500000e+00 : f32 : tensor<2x3xf32> -> tensor<3x6xf32>
// CHECK:   return %[[V0]] : tensor<3x6xf32>
func.func @pad(%x: tensor<2x3xf32>) -> tensor<3x6xf32> {
  %p = tosa.const_shape {values = dense<[0, 1, 1, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<-1.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.pad %x, %p, %v : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// A border that is known only at run time.
// CHECK-LABEL: func.func @pad_with(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>, %[[ARG1:arg[0-9]+]]: tensor<1xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<1xf32> -> tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.broadcast %[[V0]] dims [] : tensor<f32> -> tensor<3x6xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.insert_slice %[[ARG0]] into %[[V1]] offsets [0, 1] strides [1, 1] : tensor<2x3xf32> into tensor<3x6xf32>
// CHECK:   return %[[V2]] : tensor<3x6xf32>
func.func @pad_with(%x: tensor<2x3xf32>, %v: tensor<1xf32>) -> tensor<3x6xf32> {
  %p = tosa.const_shape {values = dense<[0, 1, 1, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %0 = tosa.pad %x, %p, %v : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// CHECK-LABEL: func.func @indexed(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x8x4xf32>, %[[ARG1:arg[0-9]+]]: tensor<2x3xi32>, %[[ARG2:arg[0-9]+]]: tensor<2x3x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.gather %[[ARG0]], %[[ARG1]] axis 1 batch_dims 1 : tensor<2x8x4xf32>, tensor<2x3xi32> -> tensor<2x3x4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.scatter %[[ARG0]], %[[ARG1]], %[[ARG2]] : tensor<2x8x4xf32>, tensor<2x3xi32>, tensor<2x3x4xf32> -> tensor<2x8x4xf32>
// CHECK:   return %[[V0]], %[[V1]] : tensor<2x3x4xf32>, tensor<2x8x4xf32>
func.func @indexed(%x: tensor<2x8x4xf32>, %i: tensor<2x3xi32>, %u: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x8x4xf32>) {
  %0 = tosa.gather %x, %i : (tensor<2x8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %1 = tosa.scatter %x, %i, %u : (tensor<2x8x4xf32>, tensor<2x3xi32>, tensor<2x3x4xf32>) -> tensor<2x8x4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<2x8x4xf32>
}

// -----

// CHECK-LABEL: func.func @resize(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x3xf32>, %[[ARG1:arg[0-9]+]]: tensor<1x4x4x3xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.resize <bilinear> %[[ARG0]] scale [4, 2, 4, 2] offset [0, 0] : tensor<1x4x4x3xf32> -> tensor<1x7x7x3xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.resize <bilinear> %[[ARG1]] scale [4, 2, 4, 2] offset [0, 0] : tensor<1x4x4x3xi8> -> tensor<1x7x7x3xi32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.resize <nearest> %[[ARG1]] scale [4, 2, 4, 2] offset [0, 0] : tensor<1x4x4x3xi8> -> tensor<1x7x7x3xi8>
// CHECK:   return %[[V0]], %[[V1]], %[[V2]] : tensor<1x7x7x3xf32>, tensor<1x7x7x3xi32>, tensor<1x7x7x3xi8>
func.func @resize(%x: tensor<1x4x4x3xf32>, %i: tensor<1x4x4x3xi8>) -> (tensor<1x7x7x3xf32>, tensor<1x7x7x3xi32>, tensor<1x7x7x3xi8>) {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x3xf32>
  %1 = tosa.resize %i, %s, %o, %b {mode = BILINEAR} : (tensor<1x4x4x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x3xi32>
  %2 = tosa.resize %i, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x3xi8>
  return %0, %1, %2 : tensor<1x7x7x3xf32>, tensor<1x7x7x3xi32>, tensor<1x7x7x3xi8>
}

// -----

// A shape that the function returns is a tensor of numbers.
// CHECK-LABEL: func.func @shapes(
// CHECK-SAME: ) -> (tensor<2xi64>, tensor<0xi64>, tensor<4xf32>) {
// CHECK-DAG: %[[S:.*]] = gaudi.constant dense<[2, 3]> : tensor<2xi64>
// CHECK-DAG: %[[E:.*]] = gaudi.constant dense<> : tensor<0xi64>
// CHECK: return %[[S]], %[[E]], %arg0
func.func @shapes(%x: tensor<4xf32>) -> (!tosa.shape<2>, !tosa.shape<0>, tensor<4xf32>) {
  %0 = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
  return %0, %1, %x : !tosa.shape<2>, !tosa.shape<0>, tensor<4xf32>
}
