// Set attention: two batch dimensions besides the heads (AlphaFold rows)
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_two_batches"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x3x5x2x4xf32>, tensor<2x3x5x2x4xf32>, tensor<2x3x5x2x4xf32>, tensor<2x2x5x5xf32>) -> tensor<2x3x5x2x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3x5x2x4xf32>, %arg1: tensor<2x3x5x2x4xf32>, %arg2: tensor<2x3x5x2x4xf32>, %arg3: tensor<2x2x5x5xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 3], rhs_batching_dimensions = [0, 1, 3], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x5x2x4xf32>, tensor<2x3x5x2x4xf32>) -> tensor<2x3x2x5x5xf32>
    %1 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x2x5x5xf32>
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<2x3x2x5x5xf32>, tensor<2x3x2x5x5xf32>) -> tensor<2x3x2x5x5xf32>
    %4 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 0, 2, 3, 4>}> : (tensor<2x2x5x5xf32>) -> tensor<2x1x2x5x5xf32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x2x5x5xf32>) -> tensor<2x3x2x5x5xf32>
    %6 = "stablehlo.add"(%3, %5) : (tensor<2x3x2x5x5xf32>, tensor<2x3x2x5x5xf32>) -> tensor<2x3x2x5x5xf32>
    %7 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %24 = "stablehlo.maximum"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%24) : (tensor<f32>) -> ()
    }) : (tensor<2x3x2x5x5xf32>, tensor<f32>) -> tensor<2x3x2x5xf32>
    %9 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x2x5xf32>
    %11 = "stablehlo.maximum"(%10, %8) : (tensor<2x3x2x5xf32>, tensor<2x3x2x5xf32>) -> tensor<2x3x2x5xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x2x5xf32>) -> tensor<2x3x2x5x1xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x3x2x5x1xf32>) -> tensor<2x3x2x5x5xf32>
    %14 = "stablehlo.subtract"(%6, %13) : (tensor<2x3x2x5x5xf32>, tensor<2x3x2x5x5xf32>) -> tensor<2x3x2x5x5xf32>
    %15 = "stablehlo.exponential"(%14) : (tensor<2x3x2x5x5xf32>) -> tensor<2x3x2x5x5xf32>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %23 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<2x3x2x5x5xf32>, tensor<f32>) -> tensor<2x3x2x5xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x2x5xf32>) -> tensor<2x3x2x5x1xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x3x2x5x1xf32>) -> tensor<2x3x2x5x5xf32>
    %20 = "stablehlo.divide"(%15, %19) : (tensor<2x3x2x5x5xf32>, tensor<2x3x2x5x5xf32>) -> tensor<2x3x2x5x5xf32>
    %21 = "stablehlo.dot_general"(%arg2, %20) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 3], rhs_batching_dimensions = [0, 1, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x5x2x4xf32>, tensor<2x3x2x5x5xf32>) -> tensor<2x3x2x4x5xf32>
    %22 = "stablehlo.transpose"(%21) <{permutation = array<i64: 0, 1, 4, 2, 3>}> : (tensor<2x3x2x4x5xf32>) -> tensor<2x3x5x2x4xf32>
    "func.return"(%22) : (tensor<2x3x5x2x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
