// exponentials of scores less their logsumexp
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_logsumexp"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x5x3x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5x3x4xf32>, %arg1: tensor<2x7x3x4xf32>, %arg2: tensor<2x7x3x4xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x7xf32>
    %1 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %4 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %29 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%29) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %6 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5xf32>
    %8 = "stablehlo.maximum"(%7, %5) : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %10 = "stablehlo.is_finite"(%9) : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xi1>
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x1xf32>
    %13 = "stablehlo.select"(%10, %9, %12) : (tensor<2x3x5x1xi1>, tensor<2x3x5x1xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %15 = "stablehlo.subtract"(%3, %14) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %16 = "stablehlo.exponential"(%15) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.reduce"(%16, %17) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %28 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%28) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %20 = "stablehlo.abs"(%19) : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %21 = "stablehlo.log"(%20) : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %22 = "stablehlo.add"(%21, %13) : (tensor<2x3x5x1xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %24 = "stablehlo.subtract"(%3, %23) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %25 = "stablehlo.exponential"(%24) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %26 = "stablehlo.dot_general"(%arg2, %25) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7x3x4xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x4x5xf32>
    %27 = "stablehlo.transpose"(%26) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x5xf32>) -> tensor<2x5x3x4xf32>
    "func.return"(%27) : (tensor<2x5x3x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
