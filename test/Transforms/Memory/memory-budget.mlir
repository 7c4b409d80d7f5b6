// RUN: split-file %s %t
// RUN: gaudi-opt %t/recompute.mlir --gaudi-schedule-ops="memory-budget=2200000" | FileCheck %t/recompute.mlir
// RUN: gaudi-opt %t/recompute.mlir --gaudi-schedule-ops="memory-budget=2200000" --remarks-filter=gaudi-schedule-ops --remark-policy=all -o /dev/null 2>&1 | FileCheck %t/recompute.mlir --check-prefix=REMARK
// RUN: gaudi-opt %t/recompute.mlir --gaudi-schedule-ops="memory-budget=4000000" | FileCheck %t/recompute.mlir --check-prefix=ENOUGH
// RUN: gaudi-opt %t/missing.mlir --gaudi-schedule-ops="memory-budget=1000000" -verify-diagnostics -o /dev/null
// RUN: gaudi-run %t/run.mlir --check --seed-inputs=1 --memory-budget=2100K --remarks=all 2>&1 | FileCheck %t/run.mlir
// RUN: %python %S/../../Tools/gaudi-run/Inputs/fails.py 3 gaudi-run %t/run.mlir --compile-only -o %t/run.recipe --memory-budget=1M | FileCheck %t/run.mlir --check-prefix=MISSING

//--- recompute.mlir
module attributes {gaudi.device = "gaudi2"} {
// The exponentials are read early and late; in between two other large results
// are alive. They are computed again, with the view that the later reader has.
// CHECK-LABEL: @early_and_late
// CHECK: gaudi.tpc.exp %arg0
// CHECK: gaudi.tpc.exp %arg0
// CHECK-NEXT: gaudi.reshape
// REMARK: remark: [Passed] recompute | Category:gaudi-schedule-ops | Function=early_and_late{{.*}}recomputed 'gaudi.tpc.exp' before a later reader (1 ops run again), freeing 1048576 bytes at the peak and adding {{[0-9.]+ [num]?s}} on gaudi2
// ENOUGH: gaudi.tpc.exp %arg0
// ENOUGH-NOT: gaudi.tpc.exp %arg0
func.func @early_and_late(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>) -> tensor<512x2x256xf32> {
  %e = gaudi.tpc.exp %x : tensor<512x512xf32>
  %p = gaudi.mme.gemm %e, %w : tensor<512x512xf32>, tensor<512x512xf32> -> tensor<512x512xf32>
  %q = gaudi.mme.gemm %p, %w : tensor<512x512xf32>, tensor<512x512xf32> -> tensor<512x512xf32>
  %r = gaudi.tpc.reduce <sum> %q dims [1] : tensor<512x512xf32> -> tensor<512xf32>
  %v = gaudi.reshape %e : tensor<512x512xf32> -> tensor<512x2x256xf32>
  %m = gaudi.tpc.kernel (%v, %r) index_space [512, 2, 256] parallel [true, true, true] : (tensor<512x2x256xf32>, tensor<512xf32>) -> tensor<512x2x256xf32> {
  ^bb0(%in0: tensor<512x2x256xf32>, %in1: tensor<512xf32>, %out0: tensor<512x2x256xf32>):
    %0 = gaudi.kernel.load %in0[d0, d1, d2] : tensor<512x2x256xf32>
    %1 = gaudi.kernel.load %in1[d0] : tensor<512xf32>
    %2 = arith.addf %0, %1 : f32
    gaudi.kernel.store %2, %out0[d0, d1, d2] : tensor<512x2x256xf32>
  }
  return %m : tensor<512x2x256xf32>
}
}

//--- missing.mlir
module attributes {gaudi.device = "gaudi2"} {
// expected-error @+1 {{the workspace needs 1050624 bytes, 50624 more than memory-budget=1000000, also with the order and the recomputing that were found best; raise the budget to 1050624 bytes, or make the batch smaller}}
func.func @product(%x: tensor<512x64xf32>, %w: tensor<64x512xf32>) -> tensor<512xf32> {
  // expected-note @+1 {{the result of 'gaudi.mme.gemm' takes 1048576 bytes there}}
  %a = gaudi.mme.gemm %x, %w : tensor<512x64xf32>, tensor<64x512xf32> -> tensor<512x512xf32>
  // expected-note @+2 {{the peak is at 'gaudi.tpc.reduce'}}
  // expected-note @+1 {{the result of 'gaudi.tpc.reduce' takes 2048 bytes there}}
  %r = gaudi.tpc.reduce <sum> %a dims [1] : tensor<512x512xf32> -> tensor<512xf32>
  %e = gaudi.tpc.exp %r : tensor<512xf32>
  return %e : tensor<512xf32>
}
}

//--- run.mlir
// Values do not depend on the budget.
// CHECK: recomputed 'gaudi.tpc.kernel'
// CHECK: --check passed
// MISSING: error: the workspace needs 2097152 bytes, 1048576 more than memory-budget=1048576
func.func @main(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %e = "stablehlo.exponential"(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %p = "stablehlo.dot_general"(%e, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %q = "stablehlo.dot_general"(%p, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = "stablehlo.dot_general"(%q, %e) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
