// What torch-mlir and IREE print is read, and printed so that it is read again.
// RUN: gaudi-opt %s | FileCheck %s
// RUN: gaudi-opt %s | gaudi-opt | FileCheck %s
// RUN: gaudi-opt %s --mlir-print-op-generic | gaudi-opt | FileCheck %s

// CHECK-LABEL: func.func @torch(
func.func @torch(%x: tensor<2x4xf32>, %a: tensor<2xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>, %k: tensor<2x2xf32>, %n: tensor<2x2xi32>) {
  // CHECK: tm_tensor.scan dimension(1) inclusive(true) ins(%{{.*}} : tensor<2x4xf32>) outs(%{{.*}}, %{{.*}} : tensor<2x4xf32>, tensor<2xf32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  // CHECK: tm_tensor.yield %{{.*}} : f32
  // CHECK: } -> tensor<2x4xf32>, tensor<2xf32>
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<2x4xf32>) outs(%x, %a : tensor<2x4xf32>, tensor<2xf32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.addf %p, %v : f32
    tm_tensor.yield %s : f32
  } -> tensor<2x4xf32>, tensor<2xf32>
  // CHECK: tm_tensor.scatter {dimension_map = array<i64: 0>, name = "s"} unique_indices(false) ins(
  %1 = tm_tensor.scatter {dimension_map = array<i64: 0>, name = "s"} unique_indices(false) ins(%u, %i : tensor<3x4xf32>, tensor<3x1xi64>) outs(%x : tensor<2x4xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  } -> tensor<2x4xf32>
  // CHECK: tm_tensor.sort dimension(1) outs(
  %2 = tm_tensor.sort dimension(1) outs(%x : tensor<2x4xf32>) {
  ^bb0(%p: f32, %v: f32):
    %c = arith.cmpf olt, %p, %v : f32
    tm_tensor.yield %c : i1
  } -> tensor<2x4xf32>
  // CHECK: tm_tensor.topk dimension(1) ins(
  %3:2 = tm_tensor.topk dimension(1) ins(%x : tensor<2x4xf32>) outs(%k, %n : tensor<2x2xf32>, tensor<2x2xi32>) {
  ^bb0(%p: f32, %v: f32):
    %c = arith.cmpf ogt, %p, %v : f32
    tm_tensor.yield %c : i1
  } -> tensor<2x2xf32>, tensor<2x2xi32>
  // CHECK: tm_tensor.attention ins({{.*}}) outs(%{{.*}} : tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = tm_tensor.attention ins(%x, %x, %x : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) outs(%x : tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @iree(
func.func @iree(%x: tensor<2x4xf32>, %a: tensor<2xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>, %k: tensor<2x2xf32>, %scale: f32) {
  // CHECK: iree_linalg_ext.scan {tag} dimension(1) inclusive(false) ins(
  %0:2 = iree_linalg_ext.scan {tag} dimension(1) inclusive(false) ins(%x : tensor<2x4xf32>) outs(%x, %a : tensor<2x4xf32>, tensor<2xf32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.addf %p, %v : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<2x4xf32>, tensor<2xf32>
  // CHECK: iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(
  %1 = iree_linalg_ext.scatter unique_indices(true) dimension_map(dense<0> : tensor<1xi64>) ins(%u, %i : tensor<3x4xf32>, tensor<3x1xi64>) outs(%x : tensor<2x4xf32>) {
  ^bb0(%new: f32, %old: f32):
    iree_linalg_ext.yield %new : f32
  } -> tensor<2x4xf32>
  // CHECK: iree_linalg_ext.gather dimension_map = [0] ins(
  %2 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<2x4xf32>, tensor<3x1xi64>) outs(%u : tensor<3x4xf32>) : tensor<3x4xf32>
  // CHECK: iree_linalg_ext.topk_v2 dimension(1) is_sorted ins(
  %3 = iree_linalg_ext.topk_v2 dimension(1) is_sorted ins(%x : tensor<2x4xf32>) outs(%k : tensor<2x2xf32>) {
  ^bb0(%p: f32, %v: f32):
    %c = arith.cmpf ogt, %p, %v : f32
    iree_linalg_ext.yield %c : i1
  } -> (tensor<2x2xf32>)
  // CHECK: iree_linalg_ext.attention {indexing_maps = [{{.*}}]} ins(
  %4 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, s, d, n) -> (m, d)>, affine_map<(m, s, d, n) -> (s, d)>, affine_map<(m, s, d, n) -> (s, n)>, affine_map<(m, s, d, n) -> ()>, affine_map<(m, s, d, n) -> (m, n)>]} ins(%x, %x, %x, %scale : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, f32) outs(%x : tensor<2x4xf32>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<2x4xf32>
  // Without sizes of the segments there is an output for each result.
  // CHECK: iree_linalg_ext.attention ins(%{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) outs(
  %5 = "iree_linalg_ext.attention"(%x, %x, %x, %x) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
