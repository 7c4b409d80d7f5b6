// Values of loops that the host runs have buffers of their own: a donation that
// need not be honoured is copied to one and back, and remarks say so.
// RUN: gaudi-opt %s --split-input-file --gaudi-compile --remark-policy=all --remarks-filter=gaudi-alias-buffers -o %t.out 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=RECORD < %t.out

// RECORD: module {{.*}}reason = "a loop that the host runs begins with it", remedy = "give the loop a constant trip count, with which it is unrolled"{{.*}}reason = "it lives across a loop that the host runs", remedy = "give the loop a constant trip count, with which it is unrolled"
// REMARK: copied output 2: a loop that the host runs begins with it; the copy takes
// REMARK: copied output 0: it lives across a loop that the host runs; the copy takes
// CHECK-LABEL: @main.before(
// CHECK: gaudi.copy %arg0
// CHECK-LABEL: @main.after(
// CHECK: gaudi.copy %arg
module {
func.func @main(%s: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %r:2 = "stablehlo.while"(%zero, %s) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %go = "stablehlo.compare"(%i, %n) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %u = "stablehlo.add"(%a, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %u) : (tensor<i32>, tensor<4x8xf32>) -> ()
  }) : (tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>)
  return %r#1 : tensor<4x8xf32>
}
}

// -----

// What is computed after the loop is written to the buffer: the donation is
// honoured, and only the first value of the loop is a copy.
// REMARK: copied output 2: a loop that the host runs begins with it; the copy takes
// REMARK: updated state {{[0-9]+}} in place: result 0 is written over it, saving 128 bytes
// CHECK-LABEL: @main.before(
// CHECK: gaudi.copy %arg0
// CHECK-LABEL: @main.after(
// CHECK-NOT: gaudi.copy
// CHECK: return
module {
func.func @main(%s: tensor<4x8xf32> {gaudi.donated = 0}, %x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %r:2 = "stablehlo.while"(%zero, %s) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %go = "stablehlo.compare"(%i, %n) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %u = "stablehlo.add"(%a, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %u) : (tensor<i32>, tensor<4x8xf32>) -> ()
  }) : (tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>)
  %new = "stablehlo.multiply"(%r#1, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %new : tensor<4x8xf32>
}
}

// -----

// A constant trip count: no copy.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: gaudi.copy
// CHECK: return
module {
func.func @main(%s: tensor<4x8xf32> {gaudi.donated = 0}, %x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %three = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %r:2 = "stablehlo.while"(%zero, %s) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %go = "stablehlo.compare"(%i, %three) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %u = "stablehlo.add"(%a, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %u) : (tensor<i32>, tensor<4x8xf32>) -> ()
  }) : (tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>)
  return %r#1 : tensor<4x8xf32>
}
}

// -----

// States are donated already.
// REMARK: copied output 0: it is an argument; the copy takes
// RECORD: reason = "it is an argument"}], entry = "read"
// RECORD: func.func @read(
func.func @read(%s: tensor<4x8xf32> {gaudi.state}) -> tensor<4x8xf32> {
  return %s : tensor<4x8xf32>
}
