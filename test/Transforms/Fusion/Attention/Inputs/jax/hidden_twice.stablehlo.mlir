// keys hidden before and after the exponential, rows without keys are zeros
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_hidden_twice"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x1x6x6xi1>) -> tensor<2x6x3x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg9: tensor<2x6x3x4xf32>, %arg10: tensor<2x6x3x4xf32>, %arg11: tensor<2x6x3x4xf32>, %arg12: tensor<2x1x6x6xi1>):
    %11 = "stablehlo.dot_general"(%arg9, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x6xf32>
    %12 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %14 = "stablehlo.multiply"(%11, %13) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %15 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %16 = "func.call"(%arg12, %14, %15) <{callee = @_where}> : (tensor<2x1x6x6xi1>, tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6x6xf32>
    %17 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.reduce"(%16, %17) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %38 = "stablehlo.maximum"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%38) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %21 = "stablehlo.subtract"(%16, %20) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %22 = "stablehlo.exponential"(%21) : (tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %24 = "func.call"(%arg12, %22, %23) <{callee = @_where_0}> : (tensor<2x1x6x6xi1>, tensor<2x3x6x6xf32>, tensor<i32>) -> tensor<2x3x6x6xf32>
    %25 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.reduce"(%24, %25) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %37 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%37) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %28 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1xf32>
    %30 = "stablehlo.compare"(%27, %29) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xi1>
    %31 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %32 = "func.call"(%30, %31, %27) <{callee = @_where_1}> : (tensor<2x3x6x1xi1>, tensor<i32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %34 = "stablehlo.divide"(%24, %33) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %35 = "stablehlo.dot_general"(%arg11, %34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x4x6xf32>
    %36 = "stablehlo.transpose"(%35) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x6xf32>) -> tensor<2x6x3x4xf32>
    "func.return"(%36) : (tensor<2x6x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x6x6xi1>, tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6x6xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x1x6x6xi1>, %arg7: tensor<2x3x6x6xf32>, %arg8: tensor<f32>):
    %7 = "stablehlo.convert"(%arg8) : (tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x6x6xi1>) -> tensor<2x3x6x6xi1>
    %9 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %10 = "stablehlo.select"(%8, %arg7, %9) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    "func.return"(%10) : (tensor<2x3x6x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x6x6xi1>, tensor<2x3x6x6xf32>, tensor<i32>) -> tensor<2x3x6x6xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x1x6x6xi1>, %arg4: tensor<2x3x6x6xf32>, %arg5: tensor<i32>):
    %3 = "stablehlo.convert"(%arg5) : (tensor<i32>) -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x6x6xi1>) -> tensor<2x3x6x6xi1>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %6 = "stablehlo.select"(%4, %arg4, %5) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    "func.return"(%6) : (tensor<2x3x6x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x3x6x1xi1>, tensor<i32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x6x1xi1>, %arg1: tensor<i32>, %arg2: tensor<2x3x6x1xf32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1xf32>
    %2 = "stablehlo.select"(%arg0, %1, %arg2) : (tensor<2x3x6x1xi1>, tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    "func.return"(%2) : (tensor<2x3x6x1xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
