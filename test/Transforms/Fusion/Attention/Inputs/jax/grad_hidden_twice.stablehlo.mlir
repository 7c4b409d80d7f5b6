// gradients where keys are hidden before and after the exponential; rows without keys are zeros
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
// gradients: 1
"builtin.module"() <{sym_name = "jit_grad_hidden_twice"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x1x6x6xi1>, tensor<2x6x3x4xf32>) -> (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg15: tensor<2x6x3x4xf32>, %arg16: tensor<2x6x3x4xf32>, %arg17: tensor<2x6x3x4xf32>, %arg18: tensor<2x1x6x6xi1>, %arg19: tensor<2x6x3x4xf32>):
    %20 = "stablehlo.dot_general"(%arg15, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x6xf32>
    %21 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %23 = "stablehlo.multiply"(%20, %22) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %24 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %25:2 = "func.call"(%arg18, %23, %24) <{callee = @_where}> : (tensor<2x1x6x6xi1>, tensor<2x3x6x6xf32>, tensor<f32>) -> (tensor<2x3x6x6xf32>, tensor<2x3x6x6xi1>)
    %26 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.reduce"(%25#0, %26) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %81 = "stablehlo.maximum"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%81) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %30 = "stablehlo.subtract"(%25#0, %29) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %31 = "stablehlo.exponential"(%30) : (tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %32 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %33:2 = "func.call"(%arg18, %31, %32) <{callee = @_where_0}> : (tensor<2x1x6x6xi1>, tensor<2x3x6x6xf32>, tensor<i32>) -> (tensor<2x3x6x6xf32>, tensor<2x3x6x6xi1>)
    %34 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.reduce"(%33#0, %34) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %80 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%80) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1xf32>
    %39 = "stablehlo.compare"(%36, %38) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xi1>
    %40 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %41 = "func.call"(%39, %40, %36) <{callee = @_where_1}> : (tensor<2x3x6x1xi1>, tensor<i32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %43 = "stablehlo.divide"(%33#0, %42) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %44 = "stablehlo.multiply"(%41, %41) : (tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %45 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1xf32>
    %47 = "stablehlo.divide"(%46, %44) : (tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %48 = "stablehlo.dot_general"(%arg17, %43) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x4x6xf32>
    %49 = "stablehlo.transpose"(%48) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x6xf32>) -> tensor<2x6x3x4xf32>
    %50 = "stablehlo.transpose"(%arg19) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x6x3x4xf32>) -> tensor<2x3x4x6xf32>
    %51 = "stablehlo.dot_general"(%50, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x6xf32>
    %52 = "stablehlo.dot_general"(%50, %43) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x4x6xf32>
    %53 = "stablehlo.transpose"(%52) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x6xf32>) -> tensor<2x6x3x4xf32>
    %54 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %55 = "stablehlo.multiply"(%51, %54) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %56 = "stablehlo.multiply"(%55, %33#0) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %57 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.reduce"(%56, %57) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %79 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%79) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %59 = "stablehlo.reshape"(%58) : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %60 = "stablehlo.negate"(%59) : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %61 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %62 = "stablehlo.divide"(%51, %61) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %63 = "func.call"(%39, %60) <{callee = @_where_2}> : (tensor<2x3x6x1xi1>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %64 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.reduce"(%63, %64) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %78 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%78) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x1xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x6xf32>
    %67 = "stablehlo.add"(%62, %66) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %68 = "func.call"(%33#1, %67) <{callee = @_where_3}> : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %69 = "stablehlo.multiply"(%68, %31) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %70 = "func.call"(%25#1, %69) <{callee = @_where_4}> : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %71 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %73 = "stablehlo.multiply"(%70, %72) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %74 = "stablehlo.dot_general"(%73, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x4xf32>
    %75 = "stablehlo.transpose"(%74) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x6x4xf32>) -> tensor<2x6x3x4xf32>
    %76 = "stablehlo.dot_general"(%73, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x4xf32>
    %77 = "stablehlo.transpose"(%76) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x6x4xf32>) -> tensor<2x6x3x4xf32>
    "func.return"(%49, %77, %75, %53) : (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x6x6xi1>, tensor<2x3x6x6xf32>, tensor<f32>) -> (tensor<2x3x6x6xf32>, tensor<2x3x6x6xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<2x1x6x6xi1>, %arg13: tensor<2x3x6x6xf32>, %arg14: tensor<f32>):
    %16 = "stablehlo.convert"(%arg14) : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x6x6xi1>) -> tensor<2x3x6x6xi1>
    %18 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %19 = "stablehlo.select"(%17, %arg13, %18) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    "func.return"(%19, %17) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x6x6xi1>, tensor<2x3x6x6xf32>, tensor<i32>) -> (tensor<2x3x6x6xf32>, tensor<2x3x6x6xi1>), res_attrs = [{}, {}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<2x1x6x6xi1>, %arg10: tensor<2x3x6x6xf32>, %arg11: tensor<i32>):
    %12 = "stablehlo.convert"(%arg11) : (tensor<i32>) -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x6x6xi1>) -> tensor<2x3x6x6xi1>
    %14 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %15 = "stablehlo.select"(%13, %arg10, %14) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    "func.return"(%15, %13) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x3x6x1xi1>, tensor<i32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x3x6x1xi1>, %arg7: tensor<i32>, %arg8: tensor<2x3x6x1xf32>):
    %9 = "stablehlo.convert"(%arg7) : (tensor<i32>) -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1xf32>
    %11 = "stablehlo.select"(%arg6, %10, %arg8) : (tensor<2x3x6x1xi1>, tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    "func.return"(%11) : (tensor<2x3x6x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x6x1xi1>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>, res_attrs = [{}], sym_name = "_where_2", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x3x6x1xi1>, %arg5: tensor<2x3x6x1xf32>):
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1xf32>
    %8 = "stablehlo.select"(%arg4, %7, %arg5) : (tensor<2x3x6x1xi1>, tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    "func.return"(%8) : (tensor<2x3x6x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>, res_attrs = [{}], sym_name = "_where_3", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x3x6x6xi1>, %arg3: tensor<2x3x6x6xf32>):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %5 = "stablehlo.select"(%arg2, %arg3, %4) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    "func.return"(%5) : (tensor<2x3x6x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>, res_attrs = [{}], sym_name = "_where_4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x6x6xi1>, %arg1: tensor<2x3x6x6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    "func.return"(%2) : (tensor<2x3x6x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
