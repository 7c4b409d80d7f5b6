// Scatters and gathers of torch-mlir and IREE, with the numbers of PyTorch.
// RUN: gaudi-run %s --entry=add "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=3x1xi64=2 0 2" "--input=3x1x3xf32=1 2 3 10 20 30 100 200 300" "--expect=4x3xf32=10 21 32 3 4 5 107 209 311 9 10 11"
// RUN: gaudi-run %s --entry=replace "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=2x1xi64=-1 1" "--input=2x1x3xf32=1 2 3 10 20 30" "--expect=4x3xf32=0 1 2 10 20 30 6 7 8 1 2 3"
// RUN: not gaudi-run %s --entry=replace "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=2x1xi64=4 1" "--input=2x1x3xf32=1 2 3 10 20 30" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: is out of bounds for dimension 0
// RUN: gaudi-run %s --entry=multiply "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=3x1xi64=2 0 2" "--input=3x1x3xf32=1 2 3 10 20 30 100 200 300" "--expect=4x3xf32=0 20 60 3 4 5 600 2800 7200 9 10 11"
// RUN: not gaudi-run %s --entry=multiply "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=3x1xi64=2 0 4" "--input=3x1x3xf32=1 2 3 10 20 30 100 200 300" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: gaudi-run %s --entry=count "--input=5x1xi64=1 0 1 3 1" "--expect=4xi64=1 3 0 1"
// RUN: gaudi-run %s --entry=pairs "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=3x2xi32=3 1 0 2 3 1" "--input=3xf32=1 2 3" "--expect=4x3xf32=0 1 4 3 4 5 6 7 8 9 14 11"
// RUN: gaudi-run %s --entry=pairs "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=3x2xi32=4 1 0 2 3 -1" "--input=3xf32=1 2 3" "--expect=4x3xf32=0 1 4 3 4 5 6 7 8 9 10 11"
// RUN: gaudi-run %s --entry=branch "--input=3xf32=1 -2 3" "--input=3xi32=0 1 0" "--input=3xf32=5 6 -7" "--expect=3xf32=-7 -2 3"
// RUN: gaudi-run %s --entry=bits "--input=2x3xi1=1 0 1 0 0 0" "--input=2x2xi64=0 1 1 2" "--expect=2x3xi1=1 1 1 0 0 1"
// RUN: gaudi-run %s --entry=swapped "--input=2xi32=0 1" "--input=i32=7" "--expect=2x2xi32=0 0 7 0"
// RUN: gaudi-run %s --entry=window "--input=1x2xi32=1 1" "--input=1x2x2xi32=1 2 3 4" "--expect=3x3xi32=0 0 0 0 1 2 0 3 4"
// RUN: gaudi-run %s --entry=window "--input=1x2xi32=2 1" "--input=1x2x2xi32=1 2 3 4" "--expect=3x3xi32=0 0 0 0 0 0 0 0 0"
// RUN: gaudi-run %s --entry=masked "--input=3xi32=0 1 2" "--input=3xi1=1 0 1" "--input=3xf32=5 6 7" "--expect=4xf32=5 0 7 0"
// RUN: gaudi-run %s --entry=gather "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=2x2xi64=2 1 0 2" "--input=2xi32=2 0" "--expect=2xf32=7 2" "--expect=2x3xf32=12 14 16 0 2 4"
// RUN: not gaudi-run %s --entry=gather "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=2x2xi64=2 1 0 3" "--input=2xi32=2 0" 2>&1 | FileCheck %s --check-prefix=GATHER
// GATHER: index 3 is out of bounds for dimension 1
// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// CHECK-LABEL: func.func @add(
// CHECK: gaudi.tpc.scatter_elements {{.*}} axis 0 accumulate
func.func @add(%x: tensor<4x3xf32>, %i: tensor<3x1xi64>, %u: tensor<3x1x3xf32>) -> tensor<4x3xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<3x1x3xf32>, tensor<3x1xi64>) outs(%x : tensor<4x3xf32>) {
  ^bb0(%new: f32, %old: f32):
    %s = arith.addf %old, %new : f32
    tm_tensor.yield %s : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Negative indices count from the end.
// CHECK-LABEL: func.func @replace(
// CHECK: gaudi.tpc.scatter_elements {{.*}} axis 0 :
func.func @replace(%x: tensor<4x3xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1x3xf32>) -> tensor<4x3xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<2x1x3xf32>, tensor<2x1xi64>) outs(%x : tensor<4x3xf32>) {
  ^bb0(%new: f32, %old: f32):
    tm_tensor.yield %new : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @multiply(
// CHECK: gaudi.tpc.kernel
func.func @multiply(%x: tensor<4x3xf32>, %i: tensor<3x1xi64>, %u: tensor<3x1x3xf32>) -> tensor<4x3xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<3x1x3xf32>, tensor<3x1xi64>) outs(%x : tensor<4x3xf32>) {
  ^bb0(%new: f32, %old: f32):
    %s = arith.mulf %new, %old : f32
    tm_tensor.yield %s : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// The region does not look at the update.
// CHECK-LABEL: func.func @count(
// CHECK: gaudi.tpc.scatter_elements {{.*}} axis 0 accumulate
func.func @count(%i: tensor<5x1xi64>) -> tensor<4xi64> {
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0> : tensor<4xi64>
  %u = tensor.empty() : tensor<5xi64>
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<5xi64>, tensor<5x1xi64>) outs(%zero : tensor<4xi64>) {
  ^bb0(%new: i64, %old: i64):
    %s = arith.addi %old, %one : i64
    tm_tensor.yield %s : i64
  } -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// IREE's leaves out what is outside.
func.func @pairs(%x: tensor<4x3xf32>, %i: tensor<3x2xi32>, %u: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(false) ins(%u, %i : tensor<3xf32>, tensor<3x2xi32>) outs(%x : tensor<4x3xf32>) {
  ^bb0(%new: f32, %old: f32):
    %s = arith.addf %new, %old : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

func.func @bits(%x: tensor<2x3xi1>, %i: tensor<2x2xi64>) -> tensor<2x3xi1> {
  %u = arith.constant dense<true> : tensor<2xi1>
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%u, %i : tensor<2xi1>, tensor<2x2xi64>) outs(%x : tensor<2x3xi1>) {
  ^bb0(%new: i1, %old: i1):
    tm_tensor.yield %new : i1
  } -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// An older spelling of the map, in another order than the dimensions.
func.func @swapped(%i: tensor<2xi32>, %u: tensor<i32>) -> tensor<2x2xi32> {
  %zero = arith.constant dense<0> : tensor<2x2xi32>
  %0 = iree_linalg_ext.scatter dimension_map(dense<[1, 0]> : tensor<2xi64>) unique_indices(true) ins(%u, %i : tensor<i32>, tensor<2xi32>) outs(%zero : tensor<2x2xi32>) {
  ^bb0(%new: i32, %old: i32):
    iree_linalg_ext.yield %new : i32
  } -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// The slice has a window in the indexed dimensions; one that leaves the tensor
// is left out as a whole.
func.func @window(%i: tensor<1x2xi32>, %u: tensor<1x2x2xi32>) -> tensor<3x3xi32> {
  %zero = arith.constant dense<0> : tensor<3x3xi32>
  %0 = iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(true) ins(%u, %i : tensor<1x2x2xi32>, tensor<1x2xi32>) outs(%zero : tensor<3x3xi32>) {
  ^bb0(%new: i32, %old: i32):
    iree_linalg_ext.yield %new : i32
  } -> tensor<3x3xi32>
  return %0 : tensor<3x3xi32>
}

// Indices without a dimension for their one component, and a mask.
func.func @masked(%i: tensor<3xi32>, %m: tensor<3xi1>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%u, %i, %m : tensor<3xf32>, tensor<3xi32>, tensor<3xi1>) outs(%zero : tensor<4xf32>) {
  ^bb0(%new: f32, %old: f32):
    iree_linalg_ext.yield %new : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @gather(%x: tensor<4x3xf32>, %i: tensor<2x2xi64>, %rows: tensor<2xi32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
  %two = arith.constant 2.0 : f32
  %e0 = tensor.empty() : tensor<2xf32>
  %e1 = tensor.empty() : tensor<2x3xf32>
  %0 = iree_linalg_ext.gather dimension_map = [0, 1] ins(%x, %i : tensor<4x3xf32>, tensor<2x2xi64>) outs(%e0 : tensor<2xf32>) {
  ^bb0(%v: f32, %o: f32):
    iree_linalg_ext.yield %v : f32
  } -> tensor<2xf32>
  %1 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %rows : tensor<4x3xf32>, tensor<2xi32>) outs(%e1 : tensor<2x3xf32>) {
  ^bb0(%v: f32, %o: f32):
    %d = arith.mulf %v, %two : f32
    iree_linalg_ext.yield %d : f32
  } -> tensor<2x3xf32>
  return %0, %1 : tensor<2xf32>, tensor<2x3xf32>
}

// The current element decides, in a branch.
func.func @branch(%x: tensor<3xf32>, %i: tensor<3xi32>, %u: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i : tensor<3xf32>, tensor<3xi32>) outs(%x : tensor<3xf32>) {
  ^bb0(%new: f32, %old: f32):
    %c = arith.constant true
    %r = scf.if %c -> f32 {
      %p = arith.cmpf ogt, %old, %zero : f32
      %s = arith.select %p, %new, %old : f32
      scf.yield %s : f32
    } else {
      scf.yield %new : f32
    }
    iree_linalg_ext.yield %r : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
