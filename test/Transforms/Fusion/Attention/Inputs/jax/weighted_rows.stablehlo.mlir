// not fused: rows that a factor makes zeros, which cancels in no sum that is bounded
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 0
"builtin.module"() <{sym_name = "jit_weighted_rows"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x1x6x1xi1>) -> tensor<2x6x3x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x6x3x4xf32>, %arg4: tensor<2x6x3x4xf32>, %arg5: tensor<2x6x3x4xf32>, %arg6: tensor<2x1x6x1xi1>):
    %3 = "stablehlo.dot_general"(%arg3, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x6xf32>
    %4 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %6 = "stablehlo.multiply"(%3, %5) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %7 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %29 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%29) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %11 = "stablehlo.subtract"(%6, %10) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %12 = "stablehlo.exponential"(%11) : (tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %13 = "stablehlo.convert"(%arg6) : (tensor<2x1x6x1xi1>) -> tensor<2x1x6x1xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x6x1xf32>) -> tensor<2x3x6x6xf32>
    %15 = "stablehlo.multiply"(%12, %14) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %28 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%28) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %19 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1xf32>
    %21 = "stablehlo.compare"(%18, %20) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xi1>
    %22 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %23 = "func.call"(%21, %22, %18) <{callee = @_where}> : (tensor<2x3x6x1xi1>, tensor<i32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %25 = "stablehlo.divide"(%15, %24) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %26 = "stablehlo.dot_general"(%arg5, %25) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x4x6xf32>
    %27 = "stablehlo.transpose"(%26) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x6xf32>) -> tensor<2x6x3x4xf32>
    "func.return"(%27) : (tensor<2x6x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x3x6x1xi1>, tensor<i32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x6x1xi1>, %arg1: tensor<i32>, %arg2: tensor<2x3x6x1xf32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1xf32>
    %2 = "stablehlo.select"(%arg0, %1, %arg2) : (tensor<2x3x6x1xi1>, tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    "func.return"(%2) : (tensor<2x3x6x1xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
