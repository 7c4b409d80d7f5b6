// keras.layers.MultiHeadAttention with a mask of both sequences
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_keras_multihead"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}], function_type = (tensor<2x5x12xf32>, tensor<2x7x12xf32>, tensor<2x5x7xi1>, tensor<12x3x4xf32>, tensor<12x3x4xf32>, tensor<12x3x4xf32>, tensor<3x4x12xf32>) -> tensor<2x5x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x5x12xf32>, %arg4: tensor<2x7x12xf32>, %arg5: tensor<2x5x7xi1>, %arg6: tensor<12x3x4xf32>, %arg7: tensor<12x3x4xf32>, %arg8: tensor<12x3x4xf32>, %arg9: tensor<3x4x12xf32>):
    %4 = "stablehlo.dot_general"(%arg3, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x12xf32>, tensor<12x3x4xf32>) -> tensor<2x5x3x4xf32>
    %5 = "stablehlo.dot_general"(%arg4, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7x12xf32>, tensor<12x3x4xf32>) -> tensor<2x7x3x4xf32>
    %6 = "stablehlo.dot_general"(%arg4, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7x12xf32>, tensor<12x3x4xf32>) -> tensor<2x7x3x4xf32>
    %7 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<2x5x7xi1>) -> tensor<2x1x5x7xi1>
    %8 = "stablehlo.reshape"(%4) : (tensor<2x5x3x4xf32>) -> tensor<2x5x3x1x4xf32>
    %9 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x1x5x7xi1>) -> tensor<2x1x1x5x7xi1>
    %10 = "stablehlo.dot_general"(%8, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x1x4xf32>, tensor<2x7x3x4xf32>) -> tensor<2x3x5x1x7xf32>
    %11 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x1x7xf32>
    %13 = "stablehlo.multiply"(%10, %12) : (tensor<2x3x5x1x7xf32>, tensor<2x3x5x1x7xf32>) -> tensor<2x3x5x1x7xf32>
    %14 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x3x5x7xi1>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x5x7xi1>) -> tensor<1x2x3x5x7xi1>
    %17 = "stablehlo.transpose"(%9) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x1x1x5x7xi1>) -> tensor<1x2x1x5x7xi1>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x1x5x7xi1>) -> tensor<1x2x3x5x7xi1>
    %19 = "stablehlo.and"(%16, %18) : (tensor<1x2x3x5x7xi1>, tensor<1x2x3x5x7xi1>) -> tensor<1x2x3x5x7xi1>
    %20 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %21 = "func.call"(%19, %13, %20) <{callee = @_where}> : (tensor<1x2x3x5x7xi1>, tensor<2x3x5x1x7xf32>, tensor<f32>) -> tensor<1x2x3x5x7xf32>
    %22 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.reduce"(%21, %22) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %42 = "stablehlo.maximum"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%42) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x5x7xf32>, tensor<f32>) -> tensor<1x2x3x5xf32>
    %24 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x5xf32>
    %26 = "stablehlo.maximum"(%25, %23) : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5x1xf32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x7xf32>
    %29 = "stablehlo.subtract"(%21, %28) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %30 = "stablehlo.exponential"(%29) : (tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %41 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x5x7xf32>, tensor<f32>) -> tensor<1x2x3x5xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x5x1xf32>) -> tensor<1x2x3x5x7xf32>
    %35 = "stablehlo.divide"(%30, %34) : (tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %36 = "stablehlo.dot_general"(%6, %35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7x3x4xf32>, tensor<1x2x3x5x7xf32>) -> tensor<2x3x4x1x5xf32>
    %37 = "stablehlo.transpose"(%36) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x3x4x1x5xf32>) -> tensor<1x2x5x3x4xf32>
    %38 = "stablehlo.transpose"(%37) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x5x3x4xf32>) -> tensor<2x5x3x1x4xf32>
    %39 = "stablehlo.reshape"(%38) : (tensor<2x5x3x1x4xf32>) -> tensor<2x5x3x4xf32>
    %40 = "stablehlo.dot_general"(%39, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x4xf32>, tensor<3x4x12xf32>) -> tensor<2x5x12xf32>
    "func.return"(%40) : (tensor<2x5x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x2x3x5x7xi1>, tensor<2x3x5x1x7xf32>, tensor<f32>) -> tensor<1x2x3x5x7xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x2x3x5x7xi1>, %arg1: tensor<2x3x5x1x7xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    %2 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x3x5x1x7xf32>) -> tensor<1x2x3x5x7xf32>
    %3 = "stablehlo.select"(%arg0, %2, %1) : (tensor<1x2x3x5x7xi1>, tensor<1x2x3x5x7xf32>, tensor<1x2x3x5x7xf32>) -> tensor<1x2x3x5x7xf32>
    "func.return"(%3) : (tensor<1x2x3x5x7xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
