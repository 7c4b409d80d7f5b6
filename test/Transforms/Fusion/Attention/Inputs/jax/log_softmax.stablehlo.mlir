// exponentials of log_softmax
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_log_softmax"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x5x3x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<2x5x3x4xf32>, %arg6: tensor<2x7x3x4xf32>, %arg7: tensor<2x7x3x4xf32>):
    %17 = "stablehlo.dot_general"(%arg5, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x7xf32>
    %18 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %20 = "stablehlo.multiply"(%17, %19) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %21 = "func.call"(%20) <{callee = @log_softmax}> : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %22 = "stablehlo.exponential"(%21) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %23 = "stablehlo.dot_general"(%arg7, %22) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7x3x4xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x4x5xf32>
    %24 = "stablehlo.transpose"(%23) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x5xf32>) -> tensor<2x5x3x4xf32>
    "func.return"(%24) : (tensor<2x5x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>, res_attrs = [{}], sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x5x7xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %16 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%16) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5xf32>
    %4 = "stablehlo.maximum"(%3, %1) : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %7 = "stablehlo.subtract"(%arg0, %6) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %8 = "stablehlo.exponential"(%7) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.reduce"(%8, %9) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %15 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %12 = "stablehlo.log"(%11) : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %14 = "stablehlo.subtract"(%7, %13) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    "func.return"(%14) : (tensor<2x3x5x7xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
