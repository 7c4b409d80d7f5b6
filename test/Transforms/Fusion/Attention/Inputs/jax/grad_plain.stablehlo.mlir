// gradients of jax.nn.dot_product_attention
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
// gradients: 1
"builtin.module"() <{sym_name = "jit_grad_plain"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x5x3x4xf32>) -> (tensor<2x5x3x4xf32>, tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5x3x4xf32>, %arg1: tensor<2x7x3x4xf32>, %arg2: tensor<2x7x3x4xf32>, %arg3: tensor<2x5x3x4xf32>):
    %0 = "stablehlo.reshape"(%arg0) : (tensor<2x5x3x4xf32>) -> tensor<2x5x3x1x4xf32>
    %1 = "stablehlo.dot_general"(%0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x1x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x1x7xf32>
    %2 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x1x7xf32>
    %4 = "stablehlo.multiply"(%1, %3) : (tensor<2x3x5x1x7xf32>, tensor<2x3x5x1x7xf32>) -> tensor<2x3x5x1x7xf32>
    %5 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %63 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%63) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x1x7xf32>, tensor<f32>) -> tensor<2x3x5x1xf32>
    %7 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x1xf32>
    %9 = "stablehlo.maximum"(%8, %6) : (tensor<2x3x5x1xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 3, 0, 1, 2>}> : (tensor<2x3x5x1xf32>) -> tensor<1x2x3x5xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5x1xf32>
    %12 = "stablehlo.transpose"(%4) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x3x5x1x7xf32>) -> tensor<1x2x3x5x7xf32>
    %13 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x7xf32>
    %14 = "stablehlo.subtract"(%12, %13) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %15 = "stablehlo.exponential"(%14) : (tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %62 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%62) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x5x7xf32>, tensor<f32>) -> tensor<1x2x3x5xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5x1xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x7xf32>
    %20 = "stablehlo.divide"(%15, %19) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %21 = "stablehlo.multiply"(%18, %18) : (tensor<1x2x3x5x1xf32>, tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x1xf32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x5x1xf32>
    %24 = "stablehlo.divide"(%23, %21) : (tensor<1x2x3x5x1xf32>, tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x1xf32>
    %25 = "stablehlo.dot_general"(%arg2, %20) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7x3x4xf32>, tensor<1x2x3x5x7xf32>) -> tensor<2x3x4x1x5xf32>
    %26 = "stablehlo.transpose"(%25) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x3x4x1x5xf32>) -> tensor<1x2x5x3x4xf32>
    %27 = "stablehlo.transpose"(%26) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x5x3x4xf32>) -> tensor<2x5x3x1x4xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<2x5x3x1x4xf32>) -> tensor<2x5x3x4xf32>
    %29 = "stablehlo.reshape"(%arg3) : (tensor<2x5x3x4xf32>) -> tensor<2x5x3x1x4xf32>
    %30 = "stablehlo.transpose"(%29) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x5x3x1x4xf32>) -> tensor<1x2x5x3x4xf32>
    %31 = "stablehlo.transpose"(%30) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x5x3x4xf32>) -> tensor<2x3x4x1x5xf32>
    %32 = "stablehlo.dot_general"(%31, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x1x5xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x1x5x7xf32>
    %33 = "stablehlo.transpose"(%32) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x3x1x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %34 = "stablehlo.dot_general"(%31, %20) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x1x5xf32>, tensor<1x2x3x5x7xf32>) -> tensor<2x3x4x7xf32>
    %35 = "stablehlo.transpose"(%34) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x7xf32>) -> tensor<2x7x3x4xf32>
    %36 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x7xf32>
    %37 = "stablehlo.multiply"(%33, %36) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %38 = "stablehlo.multiply"(%37, %15) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%38, %39) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %61 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%61) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x5x7xf32>, tensor<f32>) -> tensor<1x2x3x5xf32>
    %41 = "stablehlo.reshape"(%40) : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5x1xf32>
    %42 = "stablehlo.negate"(%41) : (tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x1xf32>
    %43 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x7xf32>
    %44 = "stablehlo.divide"(%33, %43) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %45 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.reduce"(%42, %45) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %60 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%60) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x5x1xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5x7xf32>
    %49 = "stablehlo.add"(%44, %48) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %50 = "stablehlo.multiply"(%49, %15) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x3x5x7xf32>) -> tensor<2x3x5x1x7xf32>
    %52 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x1x7xf32>
    %54 = "stablehlo.multiply"(%51, %53) : (tensor<2x3x5x1x7xf32>, tensor<2x3x5x1x7xf32>) -> tensor<2x3x5x1x7xf32>
    %55 = "stablehlo.dot_general"(%54, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x5x1x7xf32>, tensor<2x5x3x1x4xf32>) -> tensor<2x3x7x4xf32>
    %56 = "stablehlo.transpose"(%55) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x7x4xf32>) -> tensor<2x7x3x4xf32>
    %57 = "stablehlo.dot_general"(%54, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x5x1x7xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x1x4xf32>
    %58 = "stablehlo.transpose"(%57) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x3x5x1x4xf32>) -> tensor<2x5x3x1x4xf32>
    %59 = "stablehlo.reshape"(%58) : (tensor<2x5x3x1x4xf32>) -> tensor<2x5x3x4xf32>
    "func.return"(%28, %59, %56, %35) : (tensor<2x5x3x4xf32>, tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
