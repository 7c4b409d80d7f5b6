// Nothing to scan, sort, scatter or attend to.
// RUN: gaudi-run %s --entry=scan "--input=2xf32=3 4" "--expect=2xf32=3 4"
// RUN: gaudi-run %s --entry=scatter "--input=3xf32=1 2 3" "--expect=3xf32=1 2 3"
// RUN: gaudi-run %s --entry=best "--input=2xf32=1 2" "--expect=2xf32=1 2"
// RUN: gaudi-run %s --entry=attention "--input=1x2xf32=1 2" "--expect=1x2xf32=0 0"
// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// The accumulator is what there is.
func.func @scan(%a: tensor<2xf32>) -> tensor<2xf32> {
  %x = tensor.empty() : tensor<2x0xf32>
  %0:2 = tm_tensor.scan dimension(1) inclusive(false) ins(%x : tensor<2x0xf32>) outs(%x, %a : tensor<2x0xf32>, tensor<2xf32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.addf %p, %v : f32
    tm_tensor.yield %s : f32
  } -> tensor<2x0xf32>, tensor<2xf32>
  return %0#1 : tensor<2xf32>
}

func.func @scatter(%x: tensor<3xf32>) -> tensor<3xf32> {
  %u = tensor.empty() : tensor<0xf32>
  %i = tensor.empty() : tensor<0x1xi64>
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<0xf32>, tensor<0x1xi64>) outs(%x : tensor<3xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @best(%held: tensor<2xf32>) -> tensor<2xf32> {
  %x = tensor.empty() : tensor<0xf32>
  %0 = iree_linalg_ext.topk_v2 dimension(0) ins(%x : tensor<0xf32>) outs(%held : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// No keys: a sum over nothing.
func.func @attention(%q: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %k = tensor.empty() : tensor<0x2xf32>
  %e = tensor.empty() : tensor<1x2xf32>
  %0 = tm_tensor.attention ins(%q, %k, %k : tensor<1x2xf32>, tensor<0x2xf32>, tensor<0x2xf32>) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @sort(
// CHECK-NEXT: gaudi.fill
// CHECK-NEXT: return
func.func @sort() -> tensor<0xf32> {
  %x = tensor.empty() : tensor<0xf32>
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<0xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
