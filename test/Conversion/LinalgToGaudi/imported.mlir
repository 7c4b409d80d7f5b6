// RUN: gaudi-opt %s --convert-tosa-to-gaudi --convert-linalg-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --entry=scaled "--input=4xi32=3 -3 100 7" | FileCheck %s --check-prefix=SCALED
// RUN: gaudi-run %s --entry=scaled_tensor "--input=4xi32=3 -3 100 7" | FileCheck %s --check-prefix=SCALED
// RUN: gaudi-run %s --entry=window "--input=2xf32=1 2" "--input=4xf32=5 6 7 8" | FileCheck %s --check-prefix=WINDOW
// RUN: gaudi-run %s --entry=added_window "--input=2xf32=1 2" "--input=4xf32=5 6 7 8" | FileCheck %s --check-prefix=ADDED

// What other tools leave in their linalg.

// The scalar and the tensor form give the same numbers.
// CHECK-LABEL: func.func @scaled(
// CHECK: gaudi.tpc.kernel
// SCALED: [2, -2, 67, 5]
func.func @scaled(%a: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %0 = linalg.map ins(%a : tensor<4xi32>) outs(%e : tensor<4xi32>) (%x: i32, %o: i32) {
    %m = arith.constant 1431655765 : i32
    %s = arith.constant 31 : i8
    %y = tosa.apply_scale %x, %m, %s {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32
    linalg.yield %y : i32
  }
  return %0 : tensor<4xi32>
}

func.func @scaled_tensor(%a: tensor<4xi32>) -> tensor<4xi32> {
  %m = "tosa.const"() <{values = dense<1431655765> : tensor<4xi32>}> : () -> tensor<4xi32>
  %s = "tosa.const"() <{values = dense<31> : tensor<4xi8>}> : () -> tensor<4xi8>
  %0 = tosa.apply_scale %a, %m, %s {rounding_mode = DOUBLE_ROUND} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Buffers that nothing writes, and allocations.
// CHECK-LABEL: func.func @buffers(
// CHECK-NEXT: gaudi.tpc.exp %arg0
// CHECK-NEXT: gaudi.tpc.add %{{.*}}, %arg0
// CHECK-NEXT: return
func.func @buffers(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  %m = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  %y = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %c = bufferization.alloc_tensor() copy(%y) : tensor<4xf32>
  %0 = linalg.exp ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.add ins(%0, %c : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @window(
// CHECK: gaudi.insert_slice
// WINDOW: [5, 1, 2, 8]
func.func @window(%x: tensor<2xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 1)>], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The body reads what the window had.
// CHECK-LABEL: func.func @added_window(
// CHECK: gaudi.slice %arg1 offsets [2]
// CHECK: gaudi.insert_slice
// ADDED: [5, 6, 8, 10]
func.func @added_window(%x: tensor<2xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 2)>], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
