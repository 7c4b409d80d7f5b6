// RUN: gaudi-opt %s --convert-tosa-to-gaudi --convert-linalg-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --entry=scaled "--input=4xi32=3 -3 100 7" | FileCheck %s --check-prefix=SCALED
// RUN: gaudi-run %s --entry=scaled_tensor "--input=4xi32=3 -3 100 7" | FileCheck %s --check-prefix=SCALED
// RUN: gaudi-run %s --entry=window "--input=2xf32=1 2" "--input=4xf32=5 6 7 8" | FileCheck %s --check-prefix=WINDOW
// RUN: gaudi-run %s --entry=added_window "--input=2xf32=1 2" "--input=4xf32=5 6 7 8" | FileCheck %s --check-prefix=ADDED
// RUN: gaudi-opt %s --convert-tosa-to-gaudi --convert-linalg-to-gaudi --remarks-filter=convert-linalg-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-run %s --entry=alone_bounds "--input=2xf32=1 2" --check | FileCheck %s --check-prefix=ALONE
// RUN: gaudi-run %s --entry=window_sizes "--input=2x5xf32=1 2 3 4 5 6 5 7 8 9" | FileCheck %s --check-prefix=AVERAGES

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
  %2 = bufferization.materialize_in_destination %1 in %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// The average of windows as torch-mlir writes it: the number of elements does
// not vary along the channels, and its nest reads no input. The last window has
// one element.
// CHECK-LABEL: func.func @window_sizes(
// AVERAGES: output 'out0': 2x3xf32 = [3, 7, 5, 11, 15, 9]
// AVERAGES: output 'out1': 3xf32 = [2, 2, 1]
func.func @window_sizes(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5 : i32
  %two = arith.constant 2 : i32
  %padded = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x5xf32> to tensor<2x6xf32>
  %w = tensor.empty() : tensor<2xf32>
  %e0 = tensor.empty() : tensor<2x3xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x3xf32>) -> tensor<2x3xf32>
  // REMARK: imported.mlir:[[#@LINE+1]]:{{.*}}[Passed] separate-result{{.*}}Remark="made result 1, which does not vary along a parallel dimension, a nest of its own"
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(c, o, k) -> (c, o * 2 + k)>, affine_map<(c, o, k) -> (k)>,
                       affine_map<(c, o, k) -> (c, o)>, affine_map<(c, o, k) -> (o)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %w : tensor<2x6xf32>, tensor<2xf32>) outs(%f, %e1 : tensor<2x3xf32>, tensor<3xf32>) {
  ^bb0(%v: f32, %unused: f32, %sum: f32, %count: f32):
    %o = linalg.index 1 : index
    %oi = arith.index_cast %o : index to i32
    %start = arith.muli %oi, %two : i32
    %left = arith.subi %five, %start : i32
    %size = arith.minsi %left, %two : i32
    %sizef = arith.sitofp %size : i32 to f32
    %s = arith.addf %sum, %v : f32
    linalg.yield %s, %sizef : f32, f32
  } -> (tensor<2x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<3xf32>
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

// Result 1 alone says how often the sum is made, also once it is a nest of its
// own.
// ALONE: output 'out0': 2xf32 = [3, 6]
// ALONE: output 'out1': 3xf32 = [0, 1, 2]
func.func @alone_bounds(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %e = tensor.empty() : tensor<3xf32>
  // REMARK: imported.mlir:[[#@LINE+1]]:{{.*}}[Passed] separate-result{{.*}}Remark="made result 1, which
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (k)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2xf32>) outs(%zero, %e : tensor<2xf32>, tensor<3xf32>) {
  ^bb0(%v: f32, %sum: f32, %position: f32):
    %s = arith.addf %sum, %v : f32
    %k = linalg.index 1 : index
    %ki = arith.index_cast %k : index to i32
    %kf = arith.sitofp %ki : i32 to f32
    linalg.yield %s, %kf : f32, f32
  } -> (tensor<2xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<3xf32>
}
