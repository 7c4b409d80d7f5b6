// Integers that a kernel converts and rounds. MLIR folds the rounding into the
// conversion; in the recipe both are there again, and the value is that of the
// kernel as it was written: 16842753 becomes 16842752 in f32, which lies halfway
// between two numbers of bf16.
// RUN: gaudi-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED
// RUN: gaudi-run %s --compile-only -o %t.recipe
// RUN: gaudi-run %t.recipe --dump | FileCheck %s
// RUN: gaudi-run %t.recipe "--input=4xi32=1 257 16842753 -16842753" "--expect=4xf32=1 256 16777216 -16777216" "--expect=4xf32=1 257 inf inf" "--expect=4xf32=-1 -1 -1 -1"
// RUN: gaudi-run %s "--input=4xi32=1 257 513 -514" --check

// FOLDED: arith.sitofp %{{.*}} : i32 to bf16
// FOLDED: arith.uitofp %{{.*}} : i32 to f16
// FOLDED: arith.sitofp %{{.*}} : i1 to bf16
// CHECK: [[WIDE:%[0-9]+]] = sitofloat
// CHECK-NEXT: roundto bf16 [[WIDE]]
// CHECK: [[UNSIGNED:%[0-9]+]] = uitofloat
// CHECK-NEXT: roundto f16 [[UNSIGNED]]
// CHECK: [[BIT:%[0-9]+]] = extsi
// CHECK-NEXT: sitofloat [[BIT]]
// CHECK-NOT: roundto
func.func @main(%x: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:3 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in0: tensor<4xi32>, %out0: tensor<4xf32>, %out1: tensor<4xf32>, %out2: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xi32>
    %f = arith.sitofp %v : i32 to f32
    %h = arith.truncf %f : f32 to bf16
    %e = arith.extf %h : bf16 to f32
    gaudi.kernel.store %e, %out0[d0] : tensor<4xf32>
    %g = arith.uitofp %v : i32 to f32
    %i = arith.truncf %g : f32 to f16
    %j = arith.extf %i : f16 to f32
    gaudi.kernel.store %j, %out1[d0] : tensor<4xf32>
    %t = arith.trunci %v : i32 to i1
    %b = arith.sitofp %t : i1 to f32
    %c = arith.truncf %b : f32 to bf16
    %d = arith.extf %c : bf16 to f32
    gaudi.kernel.store %d, %out2[d0] : tensor<4xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
