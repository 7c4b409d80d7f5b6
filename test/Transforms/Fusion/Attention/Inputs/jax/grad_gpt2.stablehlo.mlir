// gradients of the original GPT-2's mask, a constant
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
// gradients: 1
"builtin.module"() <{sym_name = "jit_grad_gpt2"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>) -> (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<2x6x3x4xf32>, %arg2: tensor<2x6x3x4xf32>, %arg3: tensor<2x6x3x4xf32>, %arg4: tensor<2x6x3x4xf32>):
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x6xf32>
    %11 = "func.call"(%10) <{callee = @tril}> : (tensor<6x6xf32>) -> tensor<6x6xf32>
    %12 = "stablehlo.dot_general"(%arg1, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x6xf32>
    %13 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %15 = "stablehlo.multiply"(%12, %14) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %16 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<6x6xf32>) -> tensor<1x1x6x6xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x6x6xf32>) -> tensor<2x3x6x6xf32>
    %18 = "stablehlo.multiply"(%15, %17) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %19 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x6xf32>
    %21 = "stablehlo.subtract"(%20, %11) : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000e+10> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x6xf32>
    %24 = "stablehlo.multiply"(%23, %21) : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<6x6xf32>) -> tensor<1x1x6x6xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x6x6xf32>) -> tensor<2x3x6x6xf32>
    %27 = "stablehlo.subtract"(%18, %26) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %28 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.reduce"(%27, %28) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %78 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%78) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %30 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6xf32>
    %32 = "stablehlo.maximum"(%31, %29) : (tensor<2x3x6xf32>, tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %35 = "stablehlo.subtract"(%27, %34) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %36 = "stablehlo.exponential"(%35) : (tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.reduce"(%36, %37) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %77 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%77) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %41 = "stablehlo.divide"(%36, %40) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %42 = "stablehlo.multiply"(%39, %39) : (tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %43 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1xf32>
    %45 = "stablehlo.divide"(%44, %42) : (tensor<2x3x6x1xf32>, tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %46 = "stablehlo.dot_general"(%arg3, %41) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x4x6xf32>
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x6xf32>) -> tensor<2x6x3x4xf32>
    %48 = "stablehlo.transpose"(%arg4) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x6x3x4xf32>) -> tensor<2x3x4x6xf32>
    %49 = "stablehlo.dot_general"(%48, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x6xf32>
    %50 = "stablehlo.dot_general"(%48, %41) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x4x6xf32>
    %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x6xf32>) -> tensor<2x6x3x4xf32>
    %52 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %53 = "stablehlo.multiply"(%49, %52) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %54 = "stablehlo.multiply"(%53, %36) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.reduce"(%54, %55) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %76 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x6xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %57 = "stablehlo.reshape"(%56) : (tensor<2x3x6xf32>) -> tensor<2x3x6x1xf32>
    %58 = "stablehlo.negate"(%57) : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x1xf32>
    %59 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x6x1xf32>) -> tensor<2x3x6x6xf32>
    %60 = "stablehlo.divide"(%49, %59) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %61 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.reduce"(%58, %61) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %75 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%75) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x1xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x6xf32>) -> tensor<2x3x6x6xf32>
    %64 = "stablehlo.add"(%60, %63) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %65 = "stablehlo.multiply"(%64, %36) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %66 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x6x6xf32>) -> tensor<2x3x6x6xf32>
    %67 = "stablehlo.multiply"(%65, %66) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %68 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %70 = "stablehlo.multiply"(%67, %69) : (tensor<2x3x6x6xf32>, tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
    %71 = "stablehlo.dot_general"(%70, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x4xf32>
    %72 = "stablehlo.transpose"(%71) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x6x4xf32>) -> tensor<2x6x3x4xf32>
    %73 = "stablehlo.dot_general"(%70, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x4xf32>
    %74 = "stablehlo.transpose"(%73) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x6x4xf32>) -> tensor<2x6x3x4xf32>
    "func.return"(%47, %74, %72, %51) : (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x6xf32>) -> tensor<6x6xf32>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6x6xf32>):
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6x6xi32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6x6xi32>
    %3 = "stablehlo.add"(%0, %2) : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi32>
    %4 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x6xi32>
    %5 = "stablehlo.compare"(%3, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x6xf32>
    %8 = "stablehlo.select"(%5, %arg0, %7) : (tensor<6x6xi1>, tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
    "func.return"(%8) : (tensor<6x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
