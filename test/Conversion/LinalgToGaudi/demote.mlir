// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --remarks-filter=convert-linalg-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A mean that is computed in f64 between narrower values, as torch-mlir writes
// variances.

#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a, 0)>

// CHECK-LABEL: func.func @mean(
// CHECK-NOT: f64
// CHECK: gaudi.tpc.reduce <sum> %arg0 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK-NOT: f64
// CHECK: gaudi.tpc.cast %{{.*}} : tensor<4x1xf32> -> tensor<4x1xbf16>
// CHECK-NOT: f64
func.func @mean(%x: tensor<4x8xf32>) -> (tensor<4x1xf32>, tensor<4x1xbf16>) {
  %zero = arith.constant 0.0 : f64
  %eight = arith.constant 8.0 : f64
  %e = tensor.empty() : tensor<4x8xf64>
  // REMARK: demote.mlir:[[#@LINE+1]]:{{.*}}Remark="computes in f32 what the model computes in f64; all of it is rounded to narrower types
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf64>) {
  ^bb0(%a: f32, %o: f64):
    %w = arith.extf %a : f32 to f64
    linalg.yield %w : f64
  } -> tensor<4x8xf64>
  %s = tensor.empty() : tensor<4x1xf64>
  %f = linalg.fill ins(%zero : f64) outs(%s : tensor<4x1xf64>) -> tensor<4x1xf64>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf64>) outs(%f : tensor<4x1xf64>) {
  ^bb0(%a: f64, %o: f64):
    %w = arith.addf %a, %o : f64
    linalg.yield %w : f64
  } -> tensor<4x1xf64>
  %r = tensor.empty() : tensor<4x1xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x1xf64>) outs(%r : tensor<4x1xf32>) {
  ^bb0(%a: f64, %o: f32):
    %d = arith.divf %a, %eight : f64
    %w = arith.truncf %d : f64 to f32
    linalg.yield %w : f32
  } -> tensor<4x1xf32>
  %h = tensor.empty() : tensor<4x1xbf16>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x1xf64>) outs(%h : tensor<4x1xbf16>) {
  ^bb0(%a: f64, %o: bf16):
    %w = arith.truncf %a : f64 to bf16
    linalg.yield %w : bf16
  } -> tensor<4x1xbf16>
  return %2, %3 : tensor<4x1xf32>, tensor<4x1xbf16>
}

// Constants of several elements.
// CHECK-LABEL: func.func @table(
// CHECK: gaudi.constant dense<[1.000000e-01, 2.500000e-01]> : tensor<2xf32>
func.func @table(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[0.1, 0.25]> : tensor<2xf64>
  %e = tensor.empty() : tensor<2xf32>
  // REMARK: demote.mlir:[[#@LINE+1]]:{{.*}}Remark="computes in f32 what the model computes in f64
  %0 = linalg.map ins(%x, %c : tensor<2xf32>, tensor<2xf64>) outs(%e : tensor<2xf32>) (%a: f32, %b: f64, %o: f32) {
    %w = arith.extf %a : f32 to f64
    %p = arith.mulf %w, %b : f64
    %r = arith.truncf %p : f64 to f32
    linalg.yield %r : f32
  }
  return %0 : tensor<2xf32>
}

// Only the body knows of f64.
// CHECK-LABEL: func.func @inside(
// CHECK-NOT: f64
func.func @inside(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // REMARK: demote.mlir:[[#@LINE+1]]:{{.*}}Remark="computes in f32 what the model computes in f64
  %0 = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) (%v: f32, %o: f32) {
    %w = arith.extf %v : f32 to f64
    %m = arith.mulf %w, %w : f64
    %r = arith.truncf %m : f64 to f32
    linalg.yield %r : f32
  }
  return %0 : tensor<8xf32>
}
