// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file | FileCheck %s
// RUN: gaudi-run %S/Inputs/while.mlir --entry=counted "--input=2xf32=1 2" | FileCheck %s --check-prefix=COUNTED

// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<i1>, %[[ARG1:arg[0-9]+]]: tensor<2x4xf32>, %[[ARG2:arg[0-9]+]]: tensor<2x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG1]], %[[ARG2]] : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.sub %[[ARG1]], %[[ARG2]] : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<i1> -> tensor<1x1xi1>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.select %[[V2]], %[[V0]], %[[V1]] : tensor<1x1xi1>, tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
// CHECK:   return %[[V3]], %[[ARG2]] : tensor<2x4xf32>, tensor<2x4xf32>
func.func @branches(%c: tensor<i1>, %x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0:2 = tosa.cond_if %c (%a = %x, %b = %y) : tensor<i1> (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  ^bb0(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>):
    %1 = tosa.add %a, %b : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    tosa.yield %1, %y : tensor<2x4xf32>, tensor<2x4xf32>
  } else {
  ^bb0(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>):
    %1 = tosa.sub %a, %b : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    tosa.yield %1, %y : tensor<2x4xf32>, tensor<2x4xf32>
  }
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// An index that only one branch may use is replaced by 0 while the other one
// is taken; values from outside and ops of other dialects are allowed.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1xi1>, %[[ARG1:arg[0-9]+]]: tensor<1x8x4xf32>, %[[ARG2:arg[0-9]+]]: tensor<1x2xi32>, %[[ARG3:arg[0-9]+]]: tensor<1x2x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<1xi1> -> tensor<i1>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.fill 0 : i32 : tensor<1x2xi32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[V0]] : tensor<i1> -> tensor<1x1xi1>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.select %[[V2]], %[[ARG2]], %[[V1]] : tensor<1x1xi1>, tensor<1x2xi32>, tensor<1x2xi32> -> tensor<1x2xi32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.tpc.gather %[[ARG1]], %[[V3]] axis 1 batch_dims 1 : tensor<1x8x4xf32>, tensor<1x2xi32> -> tensor<1x2x4xf32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.constant dense<2> : tensor<1x2xi32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = arith.addi %[[ARG2]], %[[V5]] : tensor<1x2xi32>
// CHECK:   %[[V7:[a-z0-9_-]+]] = gaudi.fill 0 : i32 : tensor<1x2xi32>
// CHECK:   %[[V8:[a-z0-9_-]+]] = gaudi.reshape %[[V0]] : tensor<i1> -> tensor<1x1xi1>
// CHECK:   %[[V9:[a-z0-9_-]+]] = gaudi.tpc.select %[[V8]], %[[V7]], %[[V6]] : tensor<1x1xi1>, tensor<1x2xi32>, tensor<1x2xi32> -> tensor<1x2xi32>
// CHECK:   %[[V10:[a-z0-9_-]+]] = gaudi.tpc.gather %[[ARG1]], %[[V9]] axis 1 batch_dims 1 : tensor<1x8x4xf32>, tensor<1x2xi32> -> tensor<1x2x4xf32>
// CHECK:   %[[V11:[a-z0-9_-]+]] = gaudi.reshape %[[V0]] : tensor<i1> -> tensor<1x1x1xi1>
// CHECK:   %[[V12:[a-z0-9_-]+]] = gaudi.tpc.select %[[V11]], %[[V4]], %[[V10]] : tensor<1x1x1xi1>, tensor<1x2x4xf32>, tensor<1x2x4xf32> -> tensor<1x2x4xf32>
// CHECK:   return %[[V12]] : tensor<1x2x4xf32>
func.func @guarded(%c: tensor<1xi1>, %x: tensor<1x8x4xf32>, %i: tensor<1x2xi32>, %y: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = tosa.cond_if %c : tensor<1xi1> -> tensor<1x2x4xf32> {
    %1 = tosa.gather %x, %i : (tensor<1x8x4xf32>, tensor<1x2xi32>) -> tensor<1x2x4xf32>
    tosa.yield %1 : tensor<1x2x4xf32>
  } else {
    %k = "tosa.const"() <{values = dense<2> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %1 = arith.addi %i, %k : tensor<1x2xi32>
    %2 = tosa.gather %x, %1 : (tensor<1x8x4xf32>, tensor<1x2xi32>) -> tensor<1x2x4xf32>
    tosa.yield %2 : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<i1>, %[[ARG1:arg[0-9]+]]: tensor<i1>, %[[ARG2:arg[0-9]+]]: tensor<i32>, %[[ARG3:arg[0-9]+]]: tensor<i32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.select %[[ARG1]], %[[ARG2]], %[[ARG3]] : tensor<i1>, tensor<i32>, tensor<i32> -> tensor<i32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.select %[[ARG0]], %[[V0]], %[[ARG3]] : tensor<i1>, tensor<i32>, tensor<i32> -> tensor<i32>
// CHECK:   return %[[V1]] : tensor<i32>
func.func @nested(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<i32> {
    %1 = tosa.cond_if %d : tensor<i1> -> tensor<i32> {
      tosa.yield %x : tensor<i32>
    } else {
      tosa.yield %y : tensor<i32>
    }
    tosa.yield %1 : tensor<i32>
  } else {
    tosa.yield %y : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// Indices that are known to be in bounds need no guard.
// CHECK-LABEL: func.func @in_bounds(
// CHECK-NOT:   gaudi.fill
// CHECK:       %[[GATHERED:.*]] = gaudi.tpc.gather %arg1, %{{.*}} axis 1 batch_dims 1
// CHECK:       gaudi.tpc.select %{{.*}}, %[[GATHERED]], %arg2
func.func @in_bounds(%c: tensor<1xi1>, %x: tensor<1x8x4xf32>, %y: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = tosa.cond_if %c : tensor<1xi1> -> tensor<1x2x4xf32> {
    %i = "tosa.const"() <{values = dense<[[0, 7]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %1 = tosa.gather %x, %i : (tensor<1x8x4xf32>, tensor<1x2xi32>) -> tensor<1x2x4xf32>
    tosa.yield %1 : tensor<1x2x4xf32>
  } else {
    tosa.yield %y : tensor<1x2x4xf32>
  }
  return %0 : tensor<1x2x4xf32>
}

// -----

// A counter that starts at a constant: three iterations; see also
// Inputs/while.mlir.
// COUNTED: [27, 54]
// CHECK-LABEL: func.func @counted(
// CHECK-NOT: tosa.while_loop
// CHECK-COUNT-3: gaudi.tpc.mul
// CHECK-NOT: gaudi.tpc.mul
func.func @counted(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = tosa.while_loop (%i = %zero, %v = %x) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
    %three = "tosa.const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %goes = tosa.greater %three, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %goes : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<2xf32>):
    %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %factor = "tosa.const"() <{values = dense<3.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %scaled = tosa.mul %v, %factor, %shift : (tensor<2xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<2xf32>
    tosa.yield %next, %scaled : tensor<i32>, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
}
