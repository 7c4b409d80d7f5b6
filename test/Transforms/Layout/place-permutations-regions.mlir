// A function with an op whose regions read its values is left as it is; one
// with isolated regions, or regions that read nothing, is not.
// RUN: gaudi-opt %s --gaudi-place-permutations | FileCheck %s
// RUN: gaudi-opt %s --gaudi-place-permutations --remarks-filter=gaudi-place-permutations --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-opt %s --gaudi-place-permutations=print-problem=true -o /dev/null | FileCheck %s --check-prefix=PROBLEM

// Only one function has a problem to solve.
// PROBLEM: placed
// PROBLEM-NOT: placed

// CHECK-LABEL: @branch
func.func @branch(%x: tensor<2x3x4x5xf32>, %c: i1) -> tensor<2x5x3x4xf32> {
  // CHECK-NEXT: [[T:%.+]] = gaudi.transpose %arg0
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: scf.yield [[T]]
  // CHECK: gaudi.tpc.tanh [[T]]
  // REMARK: regions.mlir:[[@LINE+2]]:8: remark: {{.*}}not placed: a region of 'scf.if' reads values of the function
  %0 = gaudi.transpose %x permutation [0, 3, 1, 2] : tensor<2x3x4x5xf32> -> tensor<2x5x3x4xf32>
  %r = scf.if %c -> tensor<2x5x3x4xf32> {
    scf.yield %0 : tensor<2x5x3x4xf32>
  } else {
    %1 = gaudi.tpc.tanh %0 : tensor<2x5x3x4xf32>
    scf.yield %1 : tensor<2x5x3x4xf32>
  }
  return %r : tensor<2x5x3x4xf32>
}

// CHECK-LABEL: @closed
func.func @closed(%x: tensor<2x3x4x5xf32>, %n: index) -> (tensor<2x3x4x5xf32>, index) {
  // CHECK-NOT: gaudi.transpose
  // CHECK: gaudi.tpc.tanh %arg0
  %m = scf.while (%i = %n) : (index) -> index {
    %c = arith.cmpi eq, %i, %i : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    scf.yield %i : index
  }
  %0 = gaudi.transpose %x permutation [0, 3, 1, 2] : tensor<2x3x4x5xf32> -> tensor<2x5x3x4xf32>
  %1 = gaudi.tpc.tanh %0 : tensor<2x5x3x4xf32>
  %2 = gaudi.transpose %1 permutation [0, 2, 3, 1] : tensor<2x5x3x4xf32> -> tensor<2x3x4x5xf32>
  return %2, %m : tensor<2x3x4x5xf32>, index
}
