// flax.nnx.MultiHeadAttention
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_flax_nnx"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x6x12xf32>, tensor<12x3x4xf32>, tensor<12x3x4xf32>, tensor<12x3x4xf32>, tensor<3x4x12xf32>) -> tensor<2x6x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x6x12xf32>, %arg4: tensor<12x3x4xf32>, %arg5: tensor<12x3x4xf32>, %arg6: tensor<12x3x4xf32>, %arg7: tensor<3x4x12xf32>):
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xi32>) -> tensor<2x6xi32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xi32>) -> tensor<2x6x1xi32>
    %7 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x6xi32>) -> tensor<2x1x6xi32>
    %8 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xi32>) -> tensor<2x6x6xi32>
    %9 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x6xi32>) -> tensor<2x6x6xi32>
    %10 = "stablehlo.compare"(%8, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x6x6xi32>, tensor<2x6x6xi32>) -> tensor<2x6x6xi1>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<2x6x6xi1>) -> tensor<2x1x6x6xi1>
    %12 = "stablehlo.convert"(%11) : (tensor<2x1x6x6xi1>) -> tensor<2x1x6x6xf32>
    %13 = "stablehlo.dot_general"(%arg3, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x3x4xf32>) -> tensor<2x6x3x4xf32>
    %14 = "stablehlo.dot_general"(%arg3, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x3x4xf32>) -> tensor<2x6x3x4xf32>
    %15 = "stablehlo.dot_general"(%arg3, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x3x4xf32>) -> tensor<2x6x3x4xf32>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x6x6xf32>
    %18 = "stablehlo.compare"(%12, %17) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x1x6x6xf32>, tensor<2x1x6x6xf32>) -> tensor<2x1x6x6xi1>
    %19 = "stablehlo.convert"(%18) : (tensor<2x1x6x6xi1>) -> tensor<2x1x6x6xi1>
    %20 = "stablehlo.reshape"(%13) : (tensor<2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %21 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x1x6x6xi1>) -> tensor<2x1x1x6x6xi1>
    %22 = "stablehlo.dot_general"(%20, %14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x1x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x1x6xf32>
    %23 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1x6xf32>
    %25 = "stablehlo.multiply"(%22, %24) : (tensor<2x3x6x1x6xf32>, tensor<2x3x6x1x6xf32>) -> tensor<2x3x6x1x6xf32>
    %26 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x3x6x6xi1>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x6x6xi1>) -> tensor<1x2x3x6x6xi1>
    %29 = "stablehlo.transpose"(%21) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x1x1x6x6xi1>) -> tensor<1x2x1x6x6xi1>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x1x6x6xi1>) -> tensor<1x2x3x6x6xi1>
    %31 = "stablehlo.and"(%28, %30) : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xi1>) -> tensor<1x2x3x6x6xi1>
    %32 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %33 = "func.call"(%31, %25, %32) <{callee = @_where}> : (tensor<1x2x3x6x6xi1>, tensor<2x3x6x1x6xf32>, tensor<f32>) -> tensor<1x2x3x6x6xf32>
    %34 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.reduce"(%33, %34) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %54 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%54) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %36 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6xf32>
    %38 = "stablehlo.maximum"(%37, %35) : (tensor<1x2x3x6xf32>, tensor<1x2x3x6xf32>) -> tensor<1x2x3x6xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %41 = "stablehlo.subtract"(%33, %40) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %42 = "stablehlo.exponential"(%41) : (tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %43 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.reduce"(%42, %43) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %53 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%53) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %47 = "stablehlo.divide"(%42, %46) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %48 = "stablehlo.dot_general"(%15, %47) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x4x1x6xf32>
    %49 = "stablehlo.transpose"(%48) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x3x4x1x6xf32>) -> tensor<1x2x6x3x4xf32>
    %50 = "stablehlo.transpose"(%49) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %51 = "stablehlo.reshape"(%50) : (tensor<2x6x3x1x4xf32>) -> tensor<2x6x3x4xf32>
    %52 = "stablehlo.dot_general"(%51, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<3x4x12xf32>) -> tensor<2x6x12xf32>
    "func.return"(%52) : (tensor<2x6x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x2x3x6x6xi1>, tensor<2x3x6x1x6xf32>, tensor<f32>) -> tensor<1x2x3x6x6xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x2x3x6x6xi1>, %arg1: tensor<2x3x6x1x6xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %2 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x3x6x1x6xf32>) -> tensor<1x2x3x6x6xf32>
    %3 = "stablehlo.select"(%arg0, %2, %1) : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    "func.return"(%3) : (tensor<1x2x3x6x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
