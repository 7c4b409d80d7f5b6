// equinox style: heads as the inner axis of vmap, the batch outside
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_equinox_style"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<2x5x12xf32>, tensor<12x12xf32>, tensor<12x12xf32>, tensor<12x12xf32>, tensor<12x12xf32>, tensor<5x5xi1>) -> tensor<2x5x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x5x12xf32>, %arg4: tensor<12x12xf32>, %arg5: tensor<12x12xf32>, %arg6: tensor<12x12xf32>, %arg7: tensor<12x12xf32>, %arg8: tensor<5x5xi1>):
    %6 = "stablehlo.transpose"(%arg4) <{permutation = array<i64: 1, 0>}> : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %7 = "stablehlo.dot_general"(%arg3, %6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x12xf32>, tensor<12x12xf32>) -> tensor<2x5x12xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x5x12xf32>) -> tensor<2x5x3x4xf32>
    %9 = "stablehlo.transpose"(%arg5) <{permutation = array<i64: 1, 0>}> : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %10 = "stablehlo.dot_general"(%arg3, %9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x12xf32>, tensor<12x12xf32>) -> tensor<2x5x12xf32>
    %11 = "stablehlo.reshape"(%10) : (tensor<2x5x12xf32>) -> tensor<2x5x3x4xf32>
    %12 = "stablehlo.transpose"(%arg6) <{permutation = array<i64: 1, 0>}> : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %13 = "stablehlo.dot_general"(%arg3, %12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x12xf32>, tensor<12x12xf32>) -> tensor<2x5x12xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x5x12xf32>) -> tensor<2x5x3x4xf32>
    %15 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.sqrt"(%15) : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.convert"(%16) : (tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x3x4xf32>
    %19 = "stablehlo.divide"(%8, %18) : (tensor<2x5x3x4xf32>, tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
    %20 = "stablehlo.dot_general"(%19, %11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x3x4xf32>, tensor<2x5x3x4xf32>) -> tensor<2x3x5x5xf32>
    %21 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x5xi32>
    %22 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x5xi32>
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5x5xi32>
    %25 = "stablehlo.add"(%21, %24) : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi32>
    %26 = "stablehlo.compare"(%25, %22) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %27 = "stablehlo.or"(%arg8, %26) : (tensor<5x5xi1>, tensor<5x5xi1>) -> tensor<5x5xi1>
    %28 = "stablehlo.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %29 = "func.call"(%27, %20, %28) <{callee = @_where}> : (tensor<5x5xi1>, tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5x5xf32>
    %30 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.reduce"(%29, %30) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %50 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%50) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %32 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5xf32>
    %34 = "stablehlo.maximum"(%33, %31) : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x5xf32>
    %37 = "stablehlo.subtract"(%29, %36) : (tensor<2x3x5x5xf32>, tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %38 = "stablehlo.exponential"(%37) : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%38, %39) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %49 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%49) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x5xf32>
    %43 = "stablehlo.divide"(%38, %42) : (tensor<2x3x5x5xf32>, tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %44 = "stablehlo.dot_general"(%43, %14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x5x5xf32>, tensor<2x5x3x4xf32>) -> tensor<2x3x5x4xf32>
    %45 = "stablehlo.transpose"(%44) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x5x4xf32>) -> tensor<2x5x3x4xf32>
    %46 = "stablehlo.reshape"(%45) : (tensor<2x5x3x4xf32>) -> tensor<2x5x12xf32>
    %47 = "stablehlo.transpose"(%arg7) <{permutation = array<i64: 1, 0>}> : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %48 = "stablehlo.dot_general"(%46, %47) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x5x12xf32>, tensor<12x12xf32>) -> tensor<2x5x12xf32>
    "func.return"(%48) : (tensor<2x5x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<5x5xi1>, tensor<2x3x5x5xf32>, tensor<f32>) -> tensor<2x3x5x5xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5x5xi1>, %arg1: tensor<2x3x5x5xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x5xf32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<5x5xi1>) -> tensor<3x5x5xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<5x5xf32>) -> tensor<3x5x5xf32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<3x5x5xi1>) -> tensor<2x3x5x5xi1>
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %5 = "stablehlo.select"(%3, %arg1, %4) : (tensor<2x3x5x5xi1>, tensor<2x3x5x5xf32>, tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    "func.return"(%5) : (tensor<2x3x5x5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
