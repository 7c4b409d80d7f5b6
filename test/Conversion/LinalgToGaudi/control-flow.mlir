// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --remarks-filter=convert-linalg-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-run %s --entry=rows "--input=3x2xf32=1 2 3 4 5 6" | FileCheck %s --check-prefix=ROWS
// RUN: gaudi-run %s --entry=nested "--input=2xf32=1 2" | FileCheck %s --check-prefix=NESTED
// RUN: gaudi-run %s --entry=counted "--input=2xf32=1 2" | FileCheck %s --check-prefix=COUNTED
// RUN: gaudi-run %s --entry=branches "--input=i1=1" "--input=2xf32=1 2" | FileCheck %s --check-prefix=TAKEN
// RUN: gaudi-run %s --entry=branches "--input=i1=0" "--input=2xf32=1 2" | FileCheck %s --check-prefix=OTHER
// RUN: gaudi-run %s --entry=in_body "--input=3xf32=-1 0 2" | FileCheck %s --check-prefix=BODY
// RUN: gaudi-run %s --entry=guarded "--input=4xf32=1 2 3 4" --input=i64=2 | FileCheck %s --check-prefix=READ
// RUN: gaudi-run %s --entry=guarded "--input=4xf32=1 2 3 4" --input=i64=99 | FileCheck %s --check-prefix=SKIP

// A value that goes from iteration to iteration, and rows at the counter.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: scf.for
// CHECK: gaudi.slice %arg0 offsets [0, 0]
// CHECK: gaudi.slice %arg0 offsets [1, 0]
// CHECK: gaudi.slice %arg0 offsets [2, 0]
// CHECK-NOT: gaudi.slice
// ROWS: [9, 12]
func.func @rows(%x: tensor<3x2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  // REMARK: control-flow.mlir:[[#@LINE+1]]:{{.*}}unrolled the loop: 3 iterations
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %zero) -> tensor<2xf32> {
    %row = tensor.extract_slice %x[%i, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
    %1 = arith.addf %sum, %row : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// The bound of the inner loop is the counter of the outer one: 0 + 1 + 2
// doublings.
// CHECK-LABEL: func.func @nested(
// CHECK-COUNT-3: gaudi.tpc.add
// CHECK-NOT: gaudi.tpc.add
// NESTED: [8, 16]
func.func @nested(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // REMARK: control-flow.mlir:[[#@LINE+1]]:{{.*}}unrolled the loop: 3 iterations
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> tensor<2xf32> {
    %1 = scf.for %j = %c0 to %i step %c1 iter_args(%w = %v) -> tensor<2xf32> {
      %2 = arith.addf %w, %w : tensor<2xf32>
      scf.yield %2 : tensor<2xf32>
    }
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// A counter in a while, and a branch that it decides.
// CHECK-LABEL: func.func @counted(
// CHECK-NOT: gaudi.tpc.select
// COUNTED: [9, 18]
func.func @counted(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  // REMARK: control-flow.mlir:[[#@LINE+1]]:{{.*}}unrolled the loop: 3 iterations
  %0:2 = scf.while (%i = %c0, %v = %x) : (i32, tensor<2xf32>) -> (i32, tensor<2xf32>) {
    %goes = arith.cmpi slt, %i, %c3 : i32
    scf.condition(%goes) %i, %v : i32, tensor<2xf32>
  } do {
  ^bb0(%i: i32, %v: tensor<2xf32>):
    %first = arith.cmpi eq, %i, %c0 : i32
    %n = scf.if %first -> tensor<2xf32> {
      scf.yield %v : tensor<2xf32>
    } else {
      %t = arith.addf %v, %v : tensor<2xf32>
      %u = arith.addf %t, %v : tensor<2xf32>
      scf.yield %u : tensor<2xf32>
    }
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %n : i32, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @branches(
// CHECK: gaudi.tpc.select
// TAKEN: [2, 4]
// TAKEN: f32 = 3
// OTHER: [1, 4]
// OTHER: f32 = 5
func.func @branches(%c: i1, %x: tensor<2xf32>) -> (tensor<2xf32>, f32) {
  %three = arith.constant 3.0 : f32
  %five = arith.constant 5.0 : f32
  // REMARK: control-flow.mlir:[[#@LINE+1]]:{{.*}}evaluated both branches; the condition selects the results
  %0:2 = scf.if %c -> (tensor<2xf32>, f32) {
    %1 = arith.addf %x, %x : tensor<2xf32>
    scf.yield %1, %three : tensor<2xf32>, f32
  } else {
    %1 = arith.mulf %x, %x : tensor<2xf32>
    scf.yield %1, %five : tensor<2xf32>, f32
  }
  return %0#0, %0#1 : tensor<2xf32>, f32
}

// Inside a body they are scalars.
// CHECK-LABEL: func.func @in_body(
// CHECK-NOT: scf
// BODY: [1, -0, 16]
func.func @in_body(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.map ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) (%v: f32, %o: f32) {
    %zero = arith.constant 0.0 : f32
    %positive = arith.cmpf ogt, %v, %zero : f32
    %r = scf.if %positive -> f32 {
      %p = scf.for %i = %c0 to %c2 step %c1 iter_args(%w = %v) -> f32 {
        %q = arith.mulf %w, %w : f32
        scf.yield %q : f32
      }
      scf.yield %p : f32
    } else {
      %n = arith.negf %v : f32
      scf.yield %n : f32
    }
    linalg.yield %r : f32
  }
  return %0 : tensor<3xf32>
}

// The position is outside where the branch is not taken, at all levels: in a
// body, of a slice, of a gather.
// READ: output 'out0': f32 = 3
// READ: output 'out1': 1xf32 = [3]
// READ: output 'out2': 2xf32 = [3, 3]
// READ: output 'out3': 4xf32 = [4, 5, 6, 7]
// SKIP: output 'out0': f32 = -1
// SKIP: output 'out1': 1xf32 = [-1]
// SKIP: output 'out2': 2xf32 = [-1, -1]
// SKIP: output 'out3': 4xf32 = [1, 2, 3, 4]
func.func @guarded(%x: tensor<4xf32>, %i: i64) -> (f32, tensor<1xf32>, tensor<2xf32>, tensor<4xf32>) {
  %c4 = arith.constant 4 : i64
  %minus = arith.constant -1.0 : f32
  %at = arith.index_cast %i : i64 to index
  %isInside = arith.cmpi ult, %i, %c4 : i64
  // REMARK: control-flow.mlir:[[#@LINE+1]]:{{.*}}evaluated both branches; the condition selects the results and guards 4 reads
  %0:4 = scf.if %isInside -> (f32, tensor<1xf32>, tensor<2xf32>, tensor<4xf32>) {
    %1 = tensor.extract %x[%at] : tensor<4xf32>
    %2 = tensor.extract_slice %x[%at] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %3 = tensor.from_elements %at, %at : tensor<2x1xindex>
    %4 = tensor.gather %x[%3] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xindex>) -> tensor<2xf32>
    %e = tensor.empty() : tensor<4xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %6 = tensor.extract %x[%at] : tensor<4xf32>
      %7 = arith.addf %v, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<4xf32>
    scf.yield %1, %2, %4, %5 : f32, tensor<1xf32>, tensor<2xf32>, tensor<4xf32>
  } else {
    %1 = tensor.splat %minus : tensor<1xf32>
    %2 = tensor.splat %minus : tensor<2xf32>
    scf.yield %minus, %1, %2, %x : f32, tensor<1xf32>, tensor<2xf32>, tensor<4xf32>
  }
  return %0#0, %0#1, %0#2, %0#3 : f32, tensor<1xf32>, tensor<2xf32>, tensor<4xf32>
}
