// gradients of a softmax whose rows without keys are made zeros, as PyTorch's
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
// gradients: 1
"builtin.module"() <{sym_name = "jit_grad_safe_softmax"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x1x1x7xi1>, tensor<2x5x3x4xf32>) -> (tensor<2x5x3x4xf32>, tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg10: tensor<2x5x3x4xf32>, %arg11: tensor<2x7x3x4xf32>, %arg12: tensor<2x7x3x4xf32>, %arg13: tensor<2x1x1x7xi1>, %arg14: tensor<2x5x3x4xf32>):
    %14 = "stablehlo.dot_general"(%arg10, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x7xf32>
    %15 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %17 = "stablehlo.multiply"(%14, %16) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %18 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %19:2 = "func.call"(%arg13, %17, %18) <{callee = @_where}> : (tensor<2x1x1x7xi1>, tensor<2x3x5x7xf32>, tensor<f32>) -> (tensor<2x3x5x7xf32>, tensor<2x3x5x7xi1>)
    %20 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %22 = "stablehlo.compare"(%19#0, %21) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xi1>
    %23 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %24 = "stablehlo.reduce"(%22, %23) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg23: tensor<i1>, %arg24: tensor<i1>):
      %79 = "stablehlo.and"(%arg23, %arg24) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%79) : (tensor<i1>) -> ()
    }) : (tensor<2x3x5x7xi1>, tensor<i1>) -> tensor<2x3x5xi1>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xi1>) -> tensor<2x3x5x1xi1>
    %26 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.reduce"(%19#0, %26) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %78 = "stablehlo.maximum"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%78) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %28 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5xf32>
    %30 = "stablehlo.maximum"(%29, %27) : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %33 = "stablehlo.subtract"(%19#0, %32) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %34 = "stablehlo.exponential"(%33) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.reduce"(%34, %35) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %77 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%77) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %39 = "stablehlo.divide"(%34, %38) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %40 = "stablehlo.multiply"(%37, %37) : (tensor<2x3x5x1xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %41 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x1xf32>
    %43 = "stablehlo.divide"(%42, %40) : (tensor<2x3x5x1xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45:2 = "func.call"(%25, %44, %39) <{callee = @_where_0}> : (tensor<2x3x5x1xi1>, tensor<i32>, tensor<2x3x5x7xf32>) -> (tensor<2x3x5x7xf32>, tensor<2x3x5x7xi1>)
    %46 = "stablehlo.dot_general"(%arg12, %45#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7x3x4xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x4x5xf32>
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x5xf32>) -> tensor<2x5x3x4xf32>
    %48 = "stablehlo.transpose"(%arg14) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x5x3x4xf32>) -> tensor<2x3x4x5xf32>
    %49 = "stablehlo.dot_general"(%48, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x5xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x7xf32>
    %50 = "stablehlo.dot_general"(%48, %45#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x5xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x4x7xf32>
    %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x7xf32>) -> tensor<2x7x3x4xf32>
    %52 = "func.call"(%45#1, %49) <{callee = @_where_1}> : (tensor<2x3x5x7xi1>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %53 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %54 = "stablehlo.multiply"(%52, %53) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %55 = "stablehlo.multiply"(%54, %34) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %56 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.reduce"(%55, %56) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %76 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %58 = "stablehlo.reshape"(%57) : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %59 = "stablehlo.negate"(%58) : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %60 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %61 = "stablehlo.divide"(%52, %60) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %62 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.reduce"(%59, %62) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %75 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%75) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x1xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x7xf32>
    %65 = "stablehlo.add"(%61, %64) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %66 = "stablehlo.multiply"(%65, %34) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %67 = "func.call"(%19#1, %66) <{callee = @_where_2}> : (tensor<2x3x5x7xi1>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %68 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %70 = "stablehlo.multiply"(%67, %69) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %71 = "stablehlo.dot_general"(%70, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x5x7xf32>, tensor<2x5x3x4xf32>) -> tensor<2x3x7x4xf32>
    %72 = "stablehlo.transpose"(%71) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x7x4xf32>) -> tensor<2x7x3x4xf32>
    %73 = "stablehlo.dot_general"(%70, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x5x7xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x4xf32>
    %74 = "stablehlo.transpose"(%73) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x5x4xf32>) -> tensor<2x5x3x4xf32>
    "func.return"(%47, %74, %72, %51) : (tensor<2x5x3x4xf32>, tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x1x7xi1>, tensor<2x3x5x7xf32>, tensor<f32>) -> (tensor<2x3x5x7xf32>, tensor<2x3x5x7xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x1x1x7xi1>, %arg8: tensor<2x3x5x7xf32>, %arg9: tensor<f32>):
    %10 = "stablehlo.convert"(%arg9) : (tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x7xi1>) -> tensor<2x3x5x7xi1>
    %12 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %13 = "stablehlo.select"(%11, %arg8, %12) : (tensor<2x3x5x7xi1>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    "func.return"(%13, %11) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x3x5x1xi1>, tensor<i32>, tensor<2x3x5x7xf32>) -> (tensor<2x3x5x7xf32>, tensor<2x3x5x7xi1>), res_attrs = [{}, {}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x3x5x1xi1>, %arg5: tensor<i32>, %arg6: tensor<2x3x5x7xf32>):
    %6 = "stablehlo.convert"(%arg5) : (tensor<i32>) -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xi1>) -> tensor<2x3x5x7xi1>
    %8 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %9 = "stablehlo.select"(%7, %8, %arg6) : (tensor<2x3x5x7xi1>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    "func.return"(%9, %7) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x5x7xi1>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x3x5x7xi1>, %arg3: tensor<2x3x5x7xf32>):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %5 = "stablehlo.select"(%arg2, %4, %arg3) : (tensor<2x3x5x7xi1>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    "func.return"(%5) : (tensor<2x3x5x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x5x7xi1>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>, res_attrs = [{}], sym_name = "_where_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x5x7xi1>, %arg1: tensor<2x3x5x7xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x3x5x7xi1>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    "func.return"(%2) : (tensor<2x3x5x7xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
