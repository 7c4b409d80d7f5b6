// Loops whose end depends on data, as JAX writes them: lax.while_loop and
// lax.fori_loop with run-time bounds. The numbers are those that JAX computes.
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --remarks-filter=convert-stablehlo-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-run %s --entry=newton "--input=4xf32=2 9 100 10000" --expect="4xf32=1.4142135 3 10 100" --check --device=gaudi
// RUN: gaudi-run %s --entry=fori --input=i32=3 --input=i32=17 "--input=2x3xf32=0 1 2 3 4 5" --expect="2x3xf32=29.999878 29.999939 30 30.000061 30.000122 30.000183" --check
// RUN: gaudi-run %s --entry=fori --input=i32=5 --input=i32=2 "--input=2x3xf32=0 1 2 3 4 5" --expect="2x3xf32=0 1 2 3 4 5" --check
// RUN: gaudi-run %s --entry=collatz --input=i32=30 --expect=i32=441 --expect=i32=111 --check --check-numerics --device=gaudi3

// The divisor that the loop only reads is an argument of its parts, no state.
// CHECK: func.func private @newton(tensor<4xf32>) -> tensor<4xf32>
// CHECK-SAME: gaudi.program = [@newton.before, ["newton.loop.condition", [@newton.loop]], @newton.after]
// CHECK: func.func private @newton.loop(
// CHECK-SAME: gaudi.variable = "newton.loop.value0"
// CHECK-SAME: gaudi.variable = "newton.loop.value1"
// CHECK-NOT: newton.loop.value2
// CHECK-SAME: {gaudi.parameter = 0 : i64
// REMARK: host-loop.mlir:[[#@LINE+8]]:{{.*}}the host runs the loop, a launch for each iteration: its condition 'stablehlo.compare' depends on data; 3 values are state between launches
func.func @newton(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
  %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
  %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
  %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
  %5 = "stablehlo.subtract"(%2, %4) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6:3 = "stablehlo.while"(%arg0, %arg0, %5) ({
  ^bb0(%arg4: tensor<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<4xf32>):
    %12 = "stablehlo.subtract"(%arg5, %arg6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %13 = "stablehlo.abs"(%12) : (tensor<4xf32>) -> tensor<4xf32>
    %14 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %18 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.compare"(%15, %16) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%17) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>):
    %7 = "stablehlo.divide"(%arg1, %arg2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.add"(%arg2, %7) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %11 = "stablehlo.multiply"(%10, %8) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%arg1, %11, %arg2) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    return %6#1 : tensor<4xf32>
}

func.func @fori(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %0:3 = "stablehlo.while"(%arg0, %arg1, %arg2) ({
  ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<2x3xf32>):
    %9 = "stablehlo.compare"(%arg6, %arg7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%9) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<2x3xf32>):
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.add"(%arg3, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %5 = "stablehlo.multiply"(%arg5, %4) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = "stablehlo.convert"(%arg3) : (tensor<i32>) -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %8 = "stablehlo.add"(%5, %7) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "stablehlo.return"(%2, %arg4, %8) : (tensor<i32>, tensor<i32>, tensor<2x3xf32>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<2x3xf32>) -> (tensor<i32>, tensor<i32>, tensor<2x3xf32>)
    return %0#2 : tensor<2x3xf32>
}

// One loop inside the other.
// CHECK: func.func private @collatz(
// CHECK-SAME: gaudi.program = [@collatz.before, ["collatz.loop.condition", [@collatz.loop, ["collatz.loop.loop.condition", [@collatz.loop.loop]], @collatz.loop.after]], @collatz.after]
func.func @collatz(%arg0: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %3:4 = "stablehlo.while"(%arg0, %0, %1, %2) ({
  ^bb0(%arg9: tensor<i32>, %arg10: tensor<i32>, %arg11: tensor<i32>, %arg12: tensor<i32>):
    %25 = "stablehlo.compare"(%arg10, %arg9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%25) : (tensor<i1>) -> ()
  }, {
  ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5:2 = "stablehlo.while"(%arg2, %4) ({
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<i32>):
      %23 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %24 = "stablehlo.compare"(%arg7, %23) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%24) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      %10 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %11 = "stablehlo.remainder"(%arg5, %10) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %13 = "stablehlo.compare"(%11, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %14 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %15 = "stablehlo.divide"(%arg5, %14) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %16 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %17 = "stablehlo.multiply"(%16, %arg5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %18 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %19 = "stablehlo.add"(%17, %18) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %20 = "stablehlo.select"(%13, %15, %19) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %21 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %22 = "stablehlo.add"(%arg6, %21) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%20, %22) : (tensor<i32>, tensor<i32>) -> ()
    }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %6 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.add"(%arg2, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %8 = "stablehlo.add"(%arg3, %5#1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.maximum"(%arg4, %5#1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%arg1, %7, %8, %9) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    return %3#2, %3#3 : tensor<i32>, tensor<i32>
}
