// A view of a value that is computed in a slice: a copy of it when it is dense,
// although the strides of the slice could express it.
// RUN: gaudi-run %s --check --check-memory --seed-inputs=1 | FileCheck %s
// CHECK: --check passed: 2 outputs
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x4xf32>, tensor<4x6xf32>, tensor<4x2xf32>, tensor<i32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<1x8xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x4xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x2xf32>, %arg3: tensor<i32>, %arg4: tensor<8x8xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = "stablehlo.dot_general"(%arg0, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    %3 = "stablehlo.concatenate"(%1, %2) <{dimension = 1 : i64}> : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
    %4 = "stablehlo.slice"(%1) <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 4>}> : (tensor<4x6xf32>) -> tensor<4x2xf32>
    %5 = "stablehlo.reshape"(%4) : (tensor<4x2xf32>) -> tensor<1x8xf32>
    %6 = "stablehlo.slice"(%arg4) <{limit_indices = array<i64: 1, 8>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %7 = "stablehlo.dynamic_update_slice"(%3, %6, %arg3, %0) : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %8 = "stablehlo.dot_general"(%7, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %9 = "stablehlo.slice"(%8) <{limit_indices = array<i64: 1, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<1x1xf32>
    %10 = "stablehlo.dot_general"(%9, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<1x1xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    "func.return"(%8, %10) : (tensor<4x8xf32>, tensor<1x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
