// gradients of grouped heads by repeated keys and values
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
// gradients: 1
"builtin.module"() <{sym_name = "jit_grad_repeated"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x5x4x4xf32>, tensor<2x7x2x4xf32>, tensor<2x7x2x4xf32>, tensor<2x5x4x4xf32>) -> (tensor<2x5x4x4xf32>, tensor<2x5x4x4xf32>, tensor<2x7x2x4xf32>, tensor<2x7x2x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5x4x4xf32>, %arg1: tensor<2x7x2x4xf32>, %arg2: tensor<2x7x2x4xf32>, %arg3: tensor<2x5x4x4xf32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x7x2x4xf32>) -> tensor<2x7x2x2x4xf32>
    %1 = "stablehlo.reshape"(%0) : (tensor<2x7x2x2x4xf32>) -> tensor<2x7x4x4xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x7x2x4xf32>) -> tensor<2x7x2x2x4xf32>
    %3 = "stablehlo.reshape"(%2) : (tensor<2x7x2x2x4xf32>) -> tensor<2x7x4x4xf32>
    %4 = "stablehlo.dot_general"(%arg0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x4x4xf32>, tensor<2x7x4x4xf32>) -> tensor<2x4x5x7xf32>
    %5 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x5x7xf32>
    %7 = "stablehlo.multiply"(%4, %6) : (tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %8 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %64 = "stablehlo.maximum"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%64) : (tensor<f32>) -> ()
    }) : (tensor<2x4x5x7xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %10 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x5xf32>
    %12 = "stablehlo.maximum"(%11, %9) : (tensor<2x4x5xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x7xf32>
    %15 = "stablehlo.subtract"(%7, %14) : (tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %16 = "stablehlo.exponential"(%15) : (tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.reduce"(%16, %17) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %63 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%63) : (tensor<f32>) -> ()
    }) : (tensor<2x4x5x7xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x7xf32>
    %21 = "stablehlo.divide"(%16, %20) : (tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %22 = "stablehlo.multiply"(%19, %19) : (tensor<2x4x5x1xf32>, tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xf32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x5x1xf32>
    %25 = "stablehlo.divide"(%24, %22) : (tensor<2x4x5x1xf32>, tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xf32>
    %26 = "stablehlo.dot_general"(%3, %21) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7x4x4xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x4x5xf32>
    %27 = "stablehlo.transpose"(%26) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x4x5xf32>) -> tensor<2x5x4x4xf32>
    %28 = "stablehlo.transpose"(%arg3) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x5x4x4xf32>) -> tensor<2x4x4x5xf32>
    %29 = "stablehlo.dot_general"(%28, %3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x4x5xf32>, tensor<2x7x4x4xf32>) -> tensor<2x4x5x7xf32>
    %30 = "stablehlo.dot_general"(%28, %21) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x4x5xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x4x7xf32>
    %31 = "stablehlo.transpose"(%30) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x4x7xf32>) -> tensor<2x7x4x4xf32>
    %32 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x7xf32>
    %33 = "stablehlo.multiply"(%29, %32) : (tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %34 = "stablehlo.multiply"(%33, %16) : (tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.reduce"(%34, %35) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %62 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%62) : (tensor<f32>) -> ()
    }) : (tensor<2x4x5x7xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %37 = "stablehlo.reshape"(%36) : (tensor<2x4x5xf32>) -> tensor<2x4x5x1xf32>
    %38 = "stablehlo.negate"(%37) : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xf32>
    %39 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x7xf32>
    %40 = "stablehlo.divide"(%29, %39) : (tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %41 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.reduce"(%38, %41) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %61 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%61) : (tensor<f32>) -> ()
    }) : (tensor<2x4x5x1xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x5xf32>) -> tensor<2x4x5x7xf32>
    %44 = "stablehlo.add"(%40, %43) : (tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %45 = "stablehlo.multiply"(%44, %16) : (tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %46 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x5x7xf32>
    %48 = "stablehlo.multiply"(%45, %47) : (tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32>
    %49 = "stablehlo.dot_general"(%48, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x5x7xf32>, tensor<2x5x4x4xf32>) -> tensor<2x4x7x4xf32>
    %50 = "stablehlo.transpose"(%49) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x7x4xf32>) -> tensor<2x7x4x4xf32>
    %51 = "stablehlo.dot_general"(%48, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x5x7xf32>, tensor<2x7x4x4xf32>) -> tensor<2x4x5x4xf32>
    %52 = "stablehlo.transpose"(%51) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x5x4xf32>) -> tensor<2x5x4x4xf32>
    %53 = "stablehlo.reshape"(%31) : (tensor<2x7x4x4xf32>) -> tensor<2x7x2x2x4xf32>
    %54 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.reduce"(%53, %54) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %60 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%60) : (tensor<f32>) -> ()
    }) : (tensor<2x7x2x2x4xf32>, tensor<f32>) -> tensor<2x7x2x4xf32>
    %56 = "stablehlo.reshape"(%50) : (tensor<2x7x4x4xf32>) -> tensor<2x7x2x2x4xf32>
    %57 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.reduce"(%56, %57) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %59 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%59) : (tensor<f32>) -> ()
    }) : (tensor<2x7x2x2x4xf32>, tensor<f32>) -> tensor<2x7x2x4xf32>
    "func.return"(%27, %52, %58, %55) : (tensor<2x5x4x4xf32>, tensor<2x5x4x4xf32>, tensor<2x7x2x4xf32>, tensor<2x7x2x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
