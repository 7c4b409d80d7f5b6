// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// tensor.* and constants.


// CHECK-LABEL: func.func @reshapes(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<4x8xf32> -> tensor<2x16xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x16xf32>
func.func @reshapes(%x: tensor<4x8xf32>) -> tensor<2x16xf32> {
  %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<2x2x8xf32> into tensor<2x16xf32>
  return %1 : tensor<2x16xf32>
}

// CHECK-LABEL: func.func @reshape_to(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A0]] : tensor<4x8xf32> -> tensor<2x16xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x16xf32>
func.func @reshape_to(%x: tensor<4x8xf32>) -> tensor<2x16xf32> {
  %s = arith.constant dense<[2, 16]> : tensor<2xi64>
  %0 = tensor.reshape %x(%s) : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// CHECK-LABEL: func.func @slices(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.slice %[[A0]] offsets [1, 2] strides [1, 2] : tensor<4x8xf32> -> tensor<1x3xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[V0]] : tensor<1x3xf32> -> tensor<3xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.insert_slice %[[V0]] into %[[A1]] offsets [2, 1] strides [1, 2] : tensor<1x3xf32> into tensor<4x8xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]] : tensor<3xf32>, tensor<4x8xf32>
func.func @slices(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<3xf32>, tensor<4x8xf32>) {
  %0 = tensor.extract_slice %x[1, 2] [1, 3] [1, 2] : tensor<4x8xf32> to tensor<3xf32>
  %1 = tensor.insert_slice %0 into %y[2, 1] [1, 3] [1, 2] : tensor<3xf32> into tensor<4x8xf32>
  return %0, %1 : tensor<3xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @concat_of_insertions(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x3xf32>, %[[A1:[a-z0-9_]+]]: tensor<4x5xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.concat %[[A0]], %[[A1]] axis 1 : tensor<4x3xf32>, tensor<4x5xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x8xf32>
func.func @concat_of_insertions(%x: tensor<4x3xf32>, %y: tensor<4x5xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = tensor.insert_slice %y into %e[0, 3] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<4x8xf32>
  %1 = tensor.insert_slice %x into %0[0, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// What is not written is undefined; here it is zero.
// CHECK-LABEL: func.func @partly_written(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x3xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.fill 0.000000e+00 : f32 : tensor<4x8xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.insert_slice %[[A0]] into %[[V0]] offsets [0, 0] strides [1, 1] : tensor<4x3xf32> into tensor<4x8xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4x8xf32>
func.func @partly_written(%x: tensor<4x3xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x8xf32>, %[[A1:[a-z0-9_]+]]: tensor<f32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.pad <constant> %[[A0]] low [0, 1] high [1, 2] value -1.000000e+00 : f32 : tensor<4x8xf32> -> tensor<5x11xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<f32> -> tensor<1x1xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.broadcast %[[V1]] dims [0, 1] : tensor<1x1xf32> -> tensor<5x11xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.insert_slice %[[A0]] into %[[V2]] offsets [0, 1] strides [1, 1] : tensor<4x8xf32> into tensor<5x11xf32>
// CHECK-NEXT: return %[[V0]], %[[V3]] : tensor<5x11xf32>, tensor<5x11xf32>
func.func @pad(%x: tensor<4x8xf32>, %v: tensor<f32>) -> (tensor<5x11xf32>, tensor<5x11xf32>) {
  %c = arith.constant -1.0 : f32
  %0 = tensor.pad %x low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<4x8xf32> to tensor<5x11xf32>
  %s = tensor.extract %v[] : tensor<f32>
  %1 = tensor.pad %x low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %s : f32
  } : tensor<4x8xf32> to tensor<5x11xf32>
  return %0, %1 : tensor<5x11xf32>, tensor<5x11xf32>
}

// CHECK-LABEL: func.func @concat(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4x3xi8>, %[[A1:[a-z0-9_]+]]: tensor<4x5xi8>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.concat %[[A0]], %[[A1]] axis 1 : tensor<4x3xi8>, tensor<4x5xi8> -> tensor<4x8xi8>
// CHECK-NEXT: return %[[V0]] : tensor<4x8xi8>
func.func @concat(%x: tensor<4x3xi8>, %y: tensor<4x5xi8>) -> tensor<4x8xi8> {
  %0 = tensor.concat dim(1) %x, %y : (tensor<4x3xi8>, tensor<4x5xi8>) -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}

// CHECK-LABEL: func.func @made_of_scalars(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4xf32>, %[[A1:[a-z0-9_]+]]: tensor<f32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<f32> -> tensor<1x1xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.broadcast %[[V0]] dims [0, 1] : tensor<1x1xf32> -> tensor<2x3xf32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.slice %[[A0]] offsets [1] strides [1] : tensor<4xf32> -> tensor<1xf32>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.constant dense<2.000000e+00> : tensor<1xf32>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<f32> -> tensor<1xf32>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = gaudi.slice %[[A0]] offsets [1] strides [1] : tensor<4xf32> -> tensor<1xf32>
// CHECK-NEXT: %[[V6:[a-z0-9_]+]] = gaudi.concat %[[V2]], %[[V3]], %[[V4]], %[[V5]] axis 0 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32> -> tensor<4xf32>
// CHECK-NEXT: %[[V7:[a-z0-9_]+]] = gaudi.reshape %[[V6]] : tensor<4xf32> -> tensor<2x2xf32>
// CHECK-NEXT: %[[V8:[a-z0-9_]+]] = gaudi.reshape %[[A1]] : tensor<f32> -> tensor<1xf32>
// CHECK-NEXT: %[[V9:[a-z0-9_]+]] = gaudi.insert_slice %[[V8]] into %[[A0]] offsets [1] strides [1] : tensor<1xf32> into tensor<4xf32>
// CHECK-NEXT: return %[[V1]], %[[V7]], %[[V9]] : tensor<2x3xf32>, tensor<2x2xf32>, tensor<4xf32>
func.func @made_of_scalars(%x: tensor<4xf32>, %s: f32) -> (tensor<2x3xf32>, tensor<2x2xf32>, tensor<4xf32>) {
  %one = arith.constant 1 : index
  %c = arith.constant 2.0 : f32
  %0 = tensor.splat %s : tensor<2x3xf32>
  %1 = tensor.extract %x[%one] : tensor<4xf32>
  %2 = tensor.from_elements %1, %c, %s, %1 : tensor<2x2xf32>
  %3 = tensor.insert %s into %x[%one] : tensor<4xf32>
  return %0, %2, %3 : tensor<2x3xf32>, tensor<2x2xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.constant dense<1.500000e+00> : tensor<4xbf16>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.constant dense<[7, -1]> : tensor<2xi64>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.constant dense_resource<weights> : tensor<2xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]] : tensor<3xf32>, tensor<4xbf16>, tensor<2xi64>, tensor<2xf32>
func.func @constants() -> (tensor<3xf32>, tensor<4xbf16>, tensor<2xindex>, tensor<2xf32>) {
  %0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = arith.constant dense<1.5> : tensor<4xbf16>
  %2 = arith.constant dense<[7, -1]> : tensor<2xindex>
  %3 = arith.constant dense_resource<weights> : tensor<2xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<4xbf16>, tensor<2xindex>, tensor<2xf32>
}

// CHECK-LABEL: func.func @generate(
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"() index_space [4, 3] parallel [true, true] : () -> tensor<4x3xi32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.index 0
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.index 1
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = arith.addi %[[V1]], %[[V2]] : i64
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = arith.trunci %[[V3]] : i64 to i32
// CHECK-NEXT: gaudi.kernel.store %[[V4]], %out0[d0, d1]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<4x3xi32>
func.func @generate() -> tensor<4x3xi32> {
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    %r = arith.index_cast %s : index to i32
    tensor.yield %r : i32
  } : tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}

// CHECK-LABEL: func.func @casts_and_bits(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<2x3xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.bitcast %[[A0]] : tensor<2x3xf32> -> tensor<2x3xi32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xi32>
func.func @casts_and_bits(%x: tensor<2x3xf32>) -> tensor<2x3xi32> {
  %0 = tensor.cast %x : tensor<2x3xf32> to tensor<2x?xf32>
  %1 = tensor.cast %0 : tensor<2x?xf32> to tensor<2x3xf32>
  %2 = tensor.bitcast %1 : tensor<2x3xf32> to tensor<2x3xi32>
  return %2 : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<5x8xi32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.pad <constant> %[[A0]] low [0, 0] high [1, 0] value 0 : i32 : tensor<5x8xi32> -> tensor<6x8xi32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.slice %[[V0]] offsets [0, 0] strides [1, 1] : tensor<6x8xi32> -> tensor<5x8xi32>
// CHECK-NEXT: return %[[V1]] : tensor<5x8xi32>
func.func @packed(%x: tensor<5x8xi32>) -> tensor<5x8xi32> {
  %pad = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x2x2x4xi32>
  %0 = linalg.pack %x padding_value(%pad : i32) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %e : tensor<5x8xi32> -> tensor<3x2x2x4xi32>
  %f = tensor.empty() : tensor<5x8xi32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %f : tensor<3x2x2x4xi32> -> tensor<5x8xi32>
  return %1 : tensor<5x8xi32>
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}
