// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// Function signatures, scalars, calls, assertions and undefined contents.


// Scalar arguments, results and arithmetic become tensors of rank 0.
// CHECK-LABEL: func.func @scalars(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<i64>, %[[A1:[a-z0-9_]+]]: tensor<f32>, %[[A2:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.mul %[[A1]], %[[V0]] : tensor<f32>, tensor<f32> -> tensor<f32>
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[V3:[a-z0-9_]+]] = gaudi.tpc.add %[[A0]], %[[V2]] : tensor<i64>, tensor<i64> -> tensor<i64>
// CHECK-NEXT: %[[V4:[a-z0-9_]+]] = gaudi.reshape %[[V1]] : tensor<f32> -> tensor<1xf32>
// CHECK-NEXT: %[[V5:[a-z0-9_]+]] = gaudi.tpc.add %[[A2]], %[[V4]] : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
// CHECK-NEXT: return %[[V1]], %[[V3]], %[[V5]] : tensor<f32>, tensor<i64>, tensor<4xf32>
func.func @scalars(%n: index, %x: f32, %t: tensor<4xf32>) -> (f32, index, tensor<4xf32>) {
  %two = arith.constant 2.0 : f32
  %one = arith.constant 1 : index
  %y = arith.mulf %x, %two : f32
  %m = arith.addi %n, %one : index
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.map ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) (%v: f32, %o: f32) {
    %r = arith.addf %v, %y : f32
    linalg.yield %r : f32
  }
  return %y, %m, %0 : f32, index, tensor<4xf32>
}

// CHECK-LABEL: func.func @dynamic_read(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<i64>, %[[A1:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.kernel label "generic"(%[[A1]], %[[A0]]) index_space [1] parallel [true] : (tensor<4xf32>, tensor<i64>) -> tensor<f32> {
// CHECK-NEXT: ^bb0(
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.kernel.load %in1[]
// CHECK-NEXT: %[[V2:[a-z0-9_]+]] = gaudi.kernel.load %in0[%[[V1]]] boundary [#gaudi.boundary<checked>]
// CHECK-NEXT: gaudi.kernel.store %[[V2]], %out0[]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[V0]] : tensor<f32>
func.func @dynamic_read(%n: index, %t: tensor<4xf32>) -> f32 {
  %0 = tensor.extract %t[%n] : tensor<4xf32>
  return %0 : f32
}

// Calls are inlined, unused declarations removed.
func.func private @printMemrefF32(tensor<*xf32>)
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.tpc.exp %[[A0]] : tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An assertion that always holds.
// CHECK-LABEL: func.func @true_assertion(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: return %[[A0]] : tensor<4xf32>
func.func @true_assertion(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %d = tensor.dim %x, %zero : tensor<4xf32>
  %c = arith.cmpi eq, %d, %four : index
  cf.assert %c, "mismatching size"
  return %x : tensor<4xf32>
}

// Undefined contents that are returned or read are zeros.
// CHECK-LABEL: func.func @undefined(
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.fill 0.000000e+00 : f32 : tensor<4xf32>
// CHECK-NEXT: %[[V1:[a-z0-9_]+]] = gaudi.tpc.abs %[[V0]] : tensor<4xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @undefined() -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = math.absf %e : tensor<4xf32>
  return %e, %0 : tensor<4xf32>, tensor<4xf32>
}

// Shapes that fold are not dynamic.
// CHECK-LABEL: func.func @folds(
// CHECK-SAME: %[[A0:[a-z0-9_]+]]: tensor<4xf32>
// CHECK-NEXT: %[[V0:[a-z0-9_]+]] = gaudi.slice %[[A0]] offsets [0] strides [1] : tensor<4xf32> -> tensor<3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<3xf32>
func.func @folds(%x: tensor<4xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %d = tensor.dim %x, %zero : tensor<4xf32>
  %n = arith.subi %d, %one : index
  %0 = tensor.extract_slice %x[0] [%n] [1] : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
