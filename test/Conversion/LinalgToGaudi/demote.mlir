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

// Whole numbers that f32 holds, as positions are.
// RUN: gaudi-run %s --entry=positions "--input=f32=0.5" "--expect=4xf32=0.5 0.25 0.125 0.0625"
// CHECK-LABEL: func.func @positions(
// CHECK-NOT: f64
func.func @positions(%base: tensor<f32>) -> tensor<4xf32> {
  %one = arith.constant 1 : i32
  %ei = tensor.empty() : tensor<4xi32>
  %i = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%ei : tensor<4xi32>) {
  ^bb0(%o: i32):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i64
    %t = arith.trunci %q : i64 to i32
    %s = arith.addi %t, %one : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%base, %i : tensor<f32>, tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%b: f32, %n: i32, %o: f32):
    %w = arith.extf %b : f32 to f64
    %m = arith.sitofp %n : i32 to f64
    %p = math.powf %w, %m : f64
    %r = arith.truncf %p : f64 to f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A difference and a product: 2^24 at most.
// CHECK-LABEL: func.func @product(
// CHECK-NOT: f64
func.func @product() -> tensor<4095xf32> {
  %k = arith.constant 4096 : i64
  %one = arith.constant 1 : i64
  %e = tensor.empty() : tensor<4095xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4095xf32>) {
  ^bb0(%o: f32):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i64
    %c = arith.subi %q, %one : i64
    %s = arith.muli %c, %k : i64
    %m = arith.sitofp %s : i64 to f64
    %h = arith.mulf %m, %m : f64
    %r = arith.truncf %h : f64 to f32
    linalg.yield %r : f32
  } -> tensor<4095xf32>
  return %0 : tensor<4095xf32>
}

// A sum along a dimension in f64.
// CHECK-LABEL: func.func @cumulative(
// CHECK: gaudi.tpc.cumulative_sum {{.*}} : tensor<8xf32>
func.func @cumulative(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf64>
  %a = tensor.empty() : tensor<f64>
  %w = arith.extf %x : tensor<8xf32> to tensor<8xf64>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%w : tensor<8xf64>) outs(%e, %a : tensor<8xf64>, tensor<f64>) {
  ^bb0(%p: f64, %v: f64):
    %s = arith.addf %p, %v : f64
    tm_tensor.yield %s : f64
  } -> tensor<8xf64>, tensor<f64>
  %r = arith.truncf %0#0 : tensor<8xf64> to tensor<8xf32>
  return %r : tensor<8xf32>
}
