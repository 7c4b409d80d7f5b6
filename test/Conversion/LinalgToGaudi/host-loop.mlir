// Loops that the host runs: the function is cut in parts.
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --split-input-file | FileCheck %s
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --split-input-file --remarks-filter=convert-linalg-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The declaration names the parts; inputs, constants and values go to those
// that use them.
// CHECK: func.func private @while(tensor<f32> {gaudi.name = "x"}, tensor<f32>) -> tensor<f32>
// CHECK-SAME: gaudi.program = [@while.before, ["while.loop.condition", [@while.loop]], @while.after]
// CHECK: func.func @while.before(
// CHECK-SAME: {gaudi.name = "x", gaudi.parameter = 0 : i64}
// CHECK-SAME: {gaudi.parameter = 1 : i64}
// CHECK-SAME: {gaudi.state = 0 : i64, gaudi.variable = "while.loop.condition"}
// CHECK-SAME: {gaudi.state = 1 : i64, gaudi.variable = "while.loop.value0"}
// CHECK-SAME: {gaudi.state = 2 : i64, gaudi.variable = "while.loop.live0"}
// CHECK-SAME: -> (tensor<i1>, tensor<f32>, tensor<f32>) attributes {gaudi.part_of = @while}
// CHECK: func.func private @while.loop(
// CHECK-SAME: {gaudi.state = 1 : i64, gaudi.variable = "while.loop.value0"}
// CHECK-SAME: {gaudi.state = 0 : i64, gaudi.variable = "while.loop.condition"}
// CHECK-SAME: {gaudi.name = "x", gaudi.parameter = 0 : i64}
// CHECK-NOT: live0
// CHECK-SAME: -> (tensor<i1>, tensor<f32>)
// CHECK: func.func private @while.after(
// CHECK-SAME: {gaudi.state, gaudi.variable = "while.loop.value0"}
// CHECK-SAME: {gaudi.state, gaudi.variable = "while.loop.live0"}
// CHECK-SAME: -> (tensor<f32> {gaudi.output = 0 : i64})
func.func @while(%x: tensor<f32> {gaudi.name = "x"}, %y: tensor<f32>) -> tensor<f32> {
  %c1 = arith.constant 1.0 : f32
  %twice = arith.addf %y, %y : tensor<f32>
  // REMARK: host-loop.mlir:[[#@LINE+1]]:{{.*}}the host runs the loop, a launch for each iteration: its condition 'arith.cmpf' depends on data; 3 values are state between launches
  %0 = scf.while (%v = %y) : (tensor<f32>) -> tensor<f32> {
    %s = tensor.extract %v[] : tensor<f32>
    %goes = arith.cmpf olt, %s, %c1 : f32
    scf.condition(%goes) %v : tensor<f32>
  } do {
  ^bb0(%v: tensor<f32>):
    %1 = arith.addf %v, %x : tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  %2 = arith.mulf %0, %twice : tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A loop with too many iterations, and one inside it that is unrolled.
// CHECK: func.func private @many(
// CHECK-SAME: gaudi.program = [@many.before, ["many.loop.condition", [@many.loop]], @many.after]
// CHECK: func.func private @many.loop(
// CHECK-COUNT-3: gaudi.tpc.add
// CHECK: return
func.func @many(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %many = arith.constant 100000 : index
  // REMARK: host-loop.mlir:[[#@LINE+1]]:{{.*}}the host runs the loop, a launch for each iteration: {{.*}} iterations have more than 65536 ops;
  %0 = scf.for %i = %c0 to %many step %c1 iter_args(%v = %x) -> tensor<2xf32> {
    // REMARK: host-loop.mlir:[[#@LINE+1]]:{{.*}}unrolled the loop: 2 iterations
    %1 = scf.for %j = %c0 to %c2 step %c1 iter_args(%w = %v) -> tensor<2xf32> {
      %2 = arith.addf %w, %w : tensor<2xf32>
      scf.yield %2 : tensor<2xf32>
    }
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// No loop gives its variables the name of an argument or a variable.
// CHECK: func.func private @names(
// CHECK-SAME: gaudi.program = [@names.before, ["names.loop.2.condition", [@names.loop.2]], @names.after]
// CHECK: func.func @names.before(
// CHECK-SAME: gaudi.variable = "names.loop.value0"
// CHECK-SAME: gaudi.variable = "names.loop.2.value0"
// CHECK: func.func private @names.loop.2(
func.func @names(%x: tensor<f32> {gaudi.name = "names.loop.1.live7", gaudi.state},
                 %y: tensor<f32> {gaudi.state, gaudi.variable = "names.loop.value0"},
                 %n: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<f32> {
    %1 = arith.addf %v, %y : tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// The condition of scf.for is on what is left to the bound, which cannot wrap.
// CHECK: func.func @left.before(
// CHECK: gaudi.tpc.compare <gt>
// CHECK: gaudi.tpc.sub
// CHECK: gaudi.tpc.select
// CHECK: gaudi.tpc.compare <ne>
// CHECK: func.func private @left.loop(
// CHECK: arith.cmpi ugt
// CHECK: gaudi.tpc.sub
// CHECK: gaudi.tpc.select
// CHECK: gaudi.tpc.compare <ne>
func.func @left(%x: tensor<f32>, %n: i8) -> tensor<f32> {
  %low = arith.constant 100 : i8
  %step = arith.constant 20 : i8
  %0 = scf.for %i = %low to %n step %step iter_args(%v = %x) -> tensor<f32> : i8 {
    %1 = arith.addf %v, %v : tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
