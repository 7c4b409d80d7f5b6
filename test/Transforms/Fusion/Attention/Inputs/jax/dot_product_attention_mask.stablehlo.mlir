// jax.nn.dot_product_attention with a bias, a mask and a scale
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_dot_product_attention_mask"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x7x3x4xf32>, tensor<2x3x5x7xf32>, tensor<2x1x5x7xi1>) -> tensor<2x5x3x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x5x3x4xf32>, %arg4: tensor<2x7x3x4xf32>, %arg5: tensor<2x7x3x4xf32>, %arg6: tensor<2x3x5x7xf32>, %arg7: tensor<2x1x5x7xi1>):
    %3 = "stablehlo.reshape"(%arg3) : (tensor<2x5x3x4xf32>) -> tensor<2x5x3x1x4xf32>
    %4 = "stablehlo.reshape"(%arg6) : (tensor<2x3x5x7xf32>) -> tensor<2x3x1x5x7xf32>
    %5 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x1x5x7xi1>) -> tensor<2x1x1x5x7xi1>
    %6 = "stablehlo.dot_general"(%3, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x1x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x1x7xf32>
    %7 = "stablehlo.constant"() <{value = dense<0.699999988> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x1x7xf32>
    %9 = "stablehlo.multiply"(%6, %8) : (tensor<2x3x5x1x7xf32>, tensor<2x3x5x1x7xf32>) -> tensor<2x3x5x1x7xf32>
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x3x5x1x7xf32>) -> tensor<1x2x3x5x7xf32>
    %11 = "stablehlo.transpose"(%4) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x3x1x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %12 = "stablehlo.add"(%10, %11) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %13 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x3x5x7xi1>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x5x7xi1>) -> tensor<1x2x3x5x7xi1>
    %16 = "stablehlo.transpose"(%5) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x1x1x5x7xi1>) -> tensor<1x2x1x5x7xi1>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x1x5x7xi1>) -> tensor<1x2x3x5x7xi1>
    %18 = "stablehlo.and"(%15, %17) : (tensor<1x2x3x5x7xi1>, tensor<1x2x3x5x7xi1>) -> tensor<1x2x3x5x7xi1>
    %19 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %20 = "func.call"(%18, %12, %19) <{callee = @_where}> : (tensor<1x2x3x5x7xi1>, tensor<1x2x3x5x7xf32>, tensor<f32>) -> tensor<1x2x3x5x7xf32>
    %21 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.reduce"(%20, %21) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %40 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%40) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x5x7xf32>, tensor<f32>) -> tensor<1x2x3x5xf32>
    %23 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x5xf32>
    %25 = "stablehlo.maximum"(%24, %22) : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5x1xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x7xf32>
    %28 = "stablehlo.subtract"(%20, %27) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %29 = "stablehlo.exponential"(%28) : (tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %30 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.reduce"(%29, %30) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %39 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%39) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x5x7xf32>, tensor<f32>) -> tensor<1x2x3x5xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x7xf32>
    %34 = "stablehlo.divide"(%29, %33) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %35 = "stablehlo.dot_general"(%arg5, %34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7x3x4xf32>, tensor<1x2x3x5x7xf32>) -> tensor<2x3x4x1x5xf32>
    %36 = "stablehlo.transpose"(%35) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x3x4x1x5xf32>) -> tensor<1x2x5x3x4xf32>
    %37 = "stablehlo.transpose"(%36) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x5x3x4xf32>) -> tensor<2x5x3x1x4xf32>
    %38 = "stablehlo.reshape"(%37) : (tensor<2x5x3x1x4xf32>) -> tensor<2x5x3x4xf32>
    "func.return"(%38) : (tensor<2x5x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x2x3x5x7xi1>, tensor<1x2x3x5x7xf32>, tensor<f32>) -> tensor<1x2x3x5x7xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x2x3x5x7xi1>, %arg1: tensor<1x2x3x5x7xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<1x2x3x5x7xi1>, tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    "func.return"(%2) : (tensor<1x2x3x5x7xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
