// RUN: gaudi-opt %s --convert-linalg-to-gaudi --remarks-filter=convert-linalg-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

func.func @all(%x: tensor<4x3xf32>, %i: tensor<2x1xi64>, %u: tensor<2x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>) {
  %least = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %a = tensor.empty() : tensor<3xf32>
  // CHECK-DAG: remarks.mlir:[[#@LINE+1]]:10: remark: [Passed] raise | {{.*}} | Remark="raised to gaudi.tpc.cumulative_sum"
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4x3xf32>) outs(%x, %a : tensor<4x3xf32>, tensor<3xf32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.addf %p, %v : f32
    tm_tensor.yield %s : f32
  } -> tensor<4x3xf32>, tensor<3xf32>
  // CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] raise | {{.*}} | Remark="raised to gaudi.tpc.sort"
  %1 = tm_tensor.sort dimension(0) outs(%x : tensor<4x3xf32>) {
  ^bb0(%p: f32, %v: f32):
    %c = arith.cmpf olt, %p, %v : f32
    tm_tensor.yield %c : i1
  } -> tensor<4x3xf32>
  // CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | {{.*}} | Remark="generic kernels: no sort of the device has this comparator"
  %2 = tm_tensor.sort dimension(0) outs(%x : tensor<4x3xf32>) {
  ^bb0(%p: f32, %v: f32):
    %m = math.absf %p : f32
    %c = arith.cmpf olt, %m, %v : f32
    tm_tensor.yield %c : i1
  } -> tensor<4x3xf32>
  // CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] raise | {{.*}} | Remark="raised to gaudi.tpc.top_k"
  %3 = iree_linalg_ext.topk_v2 dimension(0) ins(%x : tensor<4x3xf32>) outs(%least : tensor<2x3xf32>) {
  ^bb0(%p: f32, %v: f32):
    %c = arith.cmpf ogt, %p, %v : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2x3xf32>
  // CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] raise | {{.*}} | Remark="raised to gaudi.tpc.top_k: only the first 2 of 4 elements are used"
  %7 = tm_tensor.sort dimension(0) outs(%x : tensor<4x3xf32>) {
  ^bb0(%p: f32, %v: f32):
    %c = arith.cmpf olt, %p, %v : f32
    tm_tensor.yield %c : i1
  } -> tensor<4x3xf32>
  %8 = tensor.extract_slice %7[0, 0] [2, 3] [1, 1] : tensor<4x3xf32> to tensor<2x3xf32>
  // CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] raise | {{.*}} | Remark="raised to gaudi.tpc.scatter_elements"
  %4 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<2x3xf32>, tensor<2x1xi64>) outs(%x : tensor<4x3xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  } -> tensor<4x3xf32>
  // CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | {{.*}} | Remark="generic kernel: the region neither adds to the current element nor replaces it, so that each of 12 elements visits all 6 updates"
  %5 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<2x3xf32>, tensor<2x1xi64>) outs(%x : tensor<4x3xf32>) {
  ^bb0(%new: f32, %old: f32):
    %m = arith.maximumf %new, %old : f32
    tm_tensor.yield %m : f32
  } -> tensor<4x3xf32>
  // CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] raise | {{.*}} | Remark="raised to gaudi.sdpa"
  %6 = tm_tensor.attention ins(%x, %x, %x : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) outs(%x : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0#0, %1, %2, %3, %4, %5, %6, %8 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>
}
