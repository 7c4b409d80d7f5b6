// two blocks in a scan over stacked weights
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 2
"builtin.module"() <{sym_name = "jit_scanned"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x5x12xf32>, tensor<2x12x36xf32>, tensor<2x12x12xf32>) -> tensor<2x5x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<2x5x12xf32>, %arg12: tensor<2x12x36xf32>, %arg13: tensor<2x12x12xf32>):
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41:4 = "stablehlo.while"(%arg12, %arg13, %40, %arg11) ({
    ^bb0(%arg18: tensor<2x12x36xf32>, %arg19: tensor<2x12x12xf32>, %arg20: tensor<i32>, %arg21: tensor<2x5x12xf32>):
      %47 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %48 = "stablehlo.compare"(%arg20, %47) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%48) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg14: tensor<2x12x36xf32>, %arg15: tensor<2x12x12xf32>, %arg16: tensor<i32>, %arg17: tensor<2x5x12xf32>):
      %42 = "func.call"(%arg14, %arg16) <{callee = @dynamic_index_in_dim}> : (tensor<2x12x36xf32>, tensor<i32>) -> tensor<12x36xf32>
      %43 = "func.call"(%arg15, %arg16) <{callee = @dynamic_index_in_dim_0}> : (tensor<2x12x12xf32>, tensor<i32>) -> tensor<12x12xf32>
      %44 = "func.call"(%arg17, %42, %43) <{callee = @closed_call}> : (tensor<2x5x12xf32>, tensor<12x36xf32>, tensor<12x12xf32>) -> tensor<2x5x12xf32>
      %45 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %46 = "stablehlo.add"(%arg16, %45) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg14, %arg15, %46, %44) : (tensor<2x12x36xf32>, tensor<2x12x12xf32>, tensor<i32>, tensor<2x5x12xf32>) -> ()
    }) : (tensor<2x12x36xf32>, tensor<2x12x12xf32>, tensor<i32>, tensor<2x5x12xf32>) -> (tensor<2x12x36xf32>, tensor<2x12x12xf32>, tensor<i32>, tensor<2x5x12xf32>)
    "func.return"(%41#3) : (tensor<2x5x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x12x36xf32>, tensor<i32>) -> tensor<12x36xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<2x12x36xf32>, %arg10: tensor<i32>):
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.dynamic_slice"(%arg9, %arg10, %36, %37) <{slice_sizes = array<i64: 1, 12, 36>}> : (tensor<2x12x36xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x12x36xf32>
    %39 = "stablehlo.reshape"(%38) : (tensor<1x12x36xf32>) -> tensor<12x36xf32>
    "func.return"(%39) : (tensor<12x36xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x12x12xf32>, tensor<i32>) -> tensor<12x12xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x12x12xf32>, %arg8: tensor<i32>):
    %32 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.dynamic_slice"(%arg7, %arg8, %32, %33) <{slice_sizes = array<i64: 1, 12, 12>}> : (tensor<2x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x12x12xf32>
    %35 = "stablehlo.reshape"(%34) : (tensor<1x12x12xf32>) -> tensor<12x12xf32>
    "func.return"(%35) : (tensor<12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x12xf32>, tensor<12x36xf32>, tensor<12x12xf32>) -> tensor<2x5x12xf32>, res_attrs = [{}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x5x12xf32>, %arg1: tensor<12x36xf32>, %arg2: tensor<12x12xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x12xf32>, tensor<12x36xf32>) -> tensor<2x5x36xf32>
    %1 = "stablehlo.slice"(%0) <{limit_indices = array<i64: 2, 5, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x5x36xf32>) -> tensor<2x5x12xf32>
    %2 = "stablehlo.slice"(%0) <{limit_indices = array<i64: 2, 5, 24>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>}> : (tensor<2x5x36xf32>) -> tensor<2x5x12xf32>
    %3 = "stablehlo.slice"(%0) <{limit_indices = array<i64: 2, 5, 36>, start_indices = array<i64: 0, 0, 24>, strides = array<i64: 1, 1, 1>}> : (tensor<2x5x36xf32>) -> tensor<2x5x12xf32>
    %4 = "stablehlo.reshape"(%1) : (tensor<2x5x12xf32>) -> tensor<2x5x3x4xf32>
    %5 = "stablehlo.reshape"(%2) : (tensor<2x5x12xf32>) -> tensor<2x5x3x4xf32>
    %6 = "stablehlo.reshape"(%3) : (tensor<2x5x12xf32>) -> tensor<2x5x3x4xf32>
    %7 = "stablehlo.dot_general"(%4, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x4xf32>, tensor<2x5x3x4xf32>) -> tensor<2x3x5x5xf32>
    %8 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x5xf32>
    %10 = "stablehlo.multiply"(%7, %9) : (tensor<2x3x5x5xf32>, tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %11 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.reduce"(%10, %11) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %31 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%31) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %13 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5xf32>
    %15 = "stablehlo.maximum"(%14, %12) : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x5xf32>
    %18 = "stablehlo.subtract"(%10, %17) : (tensor<2x3x5x5xf32>, tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %19 = "stablehlo.exponential"(%18) : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %20 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.reduce"(%19, %20) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %30 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%30) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x5xf32>
    %24 = "stablehlo.divide"(%19, %23) : (tensor<2x3x5x5xf32>, tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %25 = "stablehlo.dot_general"(%6, %24) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x4xf32>, tensor<2x3x5x5xf32>) -> tensor<2x3x4x5xf32>
    %26 = "stablehlo.transpose"(%25) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x5xf32>) -> tensor<2x5x3x4xf32>
    %27 = "stablehlo.reshape"(%26) : (tensor<2x5x3x4xf32>) -> tensor<2x5x12xf32>
    %28 = "stablehlo.dot_general"(%27, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x12xf32>, tensor<12x12xf32>) -> tensor<2x5x12xf32>
    %29 = "stablehlo.add"(%arg0, %28) : (tensor<2x5x12xf32>, tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
    "func.return"(%29) : (tensor<2x5x12xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
