// Gemma 1: grouped heads by one einsum of five dimensions
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_grouped_einsum"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x6x4x4xf32>, tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) -> tensor<2x6x4x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<2x6x4x4xf32>, %arg5: tensor<2x6x2x4xf32>, %arg6: tensor<2x6x2x4xf32>):
    %13 = "stablehlo.reshape"(%arg4) : (tensor<2x6x4x4xf32>) -> tensor<2x6x2x2x4xf32>
    %14 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x2x2x4xf32>
    %16 = "stablehlo.multiply"(%13, %15) : (tensor<2x6x2x2x4xf32>, tensor<2x6x2x2x4xf32>) -> tensor<2x6x2x2x4xf32>
    %17 = "stablehlo.dot_general"(%arg5, %16) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x2x4xf32>, tensor<2x6x2x2x4xf32>) -> tensor<2x2x6x6x2xf32>
    %18 = "stablehlo.transpose"(%17) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<2x2x6x6x2xf32>) -> tensor<2x2x2x6x6xf32>
    %19 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %21 = "func.call"(%20) <{callee = @tril}> : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %22 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %23 = "func.call"(%21, %18, %22) <{callee = @_where}> : (tensor<6x6xi1>, tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %24 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%23, %24) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %42 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%42) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6xf32>
    %26 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x6xf32>
    %28 = "stablehlo.maximum"(%27, %25) : (tensor<2x2x2x6xf32>, tensor<2x2x2x6xf32>) -> tensor<2x2x2x6xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6x1xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x6x1xf32>) -> tensor<2x2x2x6x6xf32>
    %31 = "stablehlo.subtract"(%23, %30) : (tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) -> tensor<2x2x2x6x6xf32>
    %32 = "stablehlo.exponential"(%31) : (tensor<2x2x2x6x6xf32>) -> tensor<2x2x2x6x6xf32>
    %33 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %41 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x2x6xf32>) -> tensor<2x2x2x6x1xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x2x2x6x1xf32>) -> tensor<2x2x2x6x6xf32>
    %37 = "stablehlo.divide"(%32, %36) : (tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) -> tensor<2x2x2x6x6xf32>
    %38 = "stablehlo.dot_general"(%arg6, %37) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x2x4xf32>, tensor<2x2x2x6x6xf32>) -> tensor<2x2x4x2x6xf32>
    %39 = "stablehlo.transpose"(%38) <{permutation = array<i64: 0, 4, 1, 3, 2>}> : (tensor<2x2x4x2x6xf32>) -> tensor<2x6x2x2x4xf32>
    %40 = "stablehlo.reshape"(%39) : (tensor<2x6x2x2x4xf32>) -> tensor<2x6x4x4xf32>
    "func.return"(%40) : (tensor<2x6x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x6xi1>) -> tensor<6x6xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<6x6xi1>):
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6x6xi32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6x6xi32>
    %7 = "stablehlo.add"(%4, %6) : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi32>
    %8 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x6xi32>
    %9 = "stablehlo.compare"(%7, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %10 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %12 = "stablehlo.select"(%9, %arg3, %11) : (tensor<6x6xi1>, tensor<6x6xi1>, tensor<6x6xi1>) -> tensor<6x6xi1>
    "func.return"(%12) : (tensor<6x6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<6x6xi1>, tensor<2x2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x2x6x6xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6x6xi1>, %arg1: tensor<2x2x2x6x6xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 3, 4>}> : (tensor<6x6xi1>) -> tensor<2x2x2x6x6xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x6x6xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<2x2x2x6x6xi1>, tensor<2x2x2x6x6xf32>, tensor<2x2x2x6x6xf32>) -> tensor<2x2x2x6x6xf32>
    "func.return"(%3) : (tensor<2x2x2x6x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
