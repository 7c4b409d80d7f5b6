// jax.nn.dot_product_attention with lengths of keys and queries
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_dot_product_attention_lengths"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2x6x3x4xf32>, tensor<2xi32>) -> tensor<2x6x3x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<2x6x3x4xf32>, %arg7: tensor<2x6x3x4xf32>, %arg8: tensor<2x6x3x4xf32>, %arg9: tensor<2xi32>):
    %11 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %13 = "func.call"(%arg9, %11, %12) <{callee = @clip}> : (tensor<2xi32>, tensor<i32>, tensor<i32>) -> tensor<2xi32>
    %14 = "stablehlo.reshape"(%arg6) : (tensor<2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %15 = "stablehlo.dot_general"(%14, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x1x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x1x6xf32>
    %16 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1x6xf32>
    %18 = "stablehlo.multiply"(%15, %17) : (tensor<2x3x6x1x6xf32>, tensor<2x3x6x1x6xf32>) -> tensor<2x3x6x1x6xf32>
    %19 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x3x6x6xi1>
    %21 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 2>}> : (tensor<6xi32>) -> tensor<1x1x6xi32>
    %23 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1x1xi32>
    %24 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x6xi32>) -> tensor<2x1x6xi32>
    %25 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x1xi32>) -> tensor<2x1x6xi32>
    %26 = "stablehlo.compare"(%24, %25) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x1x6xi32>, tensor<2x1x6xi32>) -> tensor<2x1x6xi1>
    %27 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x1x6xi1>
    %29 = "stablehlo.and"(%28, %26) : (tensor<2x1x6xi1>, tensor<2x1x6xi1>) -> tensor<2x1x6xi1>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<2x1x6xi1>) -> tensor<2x1x1x6xi1>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x6xi1>) -> tensor<2x3x6x6xi1>
    %32 = "stablehlo.and"(%20, %31) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xi1>) -> tensor<2x3x6x6xi1>
    %33 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %34 = "func.call"(%32, %18, %33) <{callee = @_where}> : (tensor<2x3x6x6xi1>, tensor<2x3x6x1x6xf32>, tensor<f32>) -> tensor<1x2x3x6x6xf32>
    %35 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.reduce"(%34, %35) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %54 = "stablehlo.maximum"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%54) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %37 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6xf32>
    %39 = "stablehlo.maximum"(%38, %36) : (tensor<1x2x3x6xf32>, tensor<1x2x3x6xf32>) -> tensor<1x2x3x6xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %42 = "stablehlo.subtract"(%34, %41) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %43 = "stablehlo.exponential"(%42) : (tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %44 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.reduce"(%43, %44) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %53 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%53) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %48 = "stablehlo.divide"(%43, %47) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %49 = "stablehlo.dot_general"(%arg8, %48) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x4x1x6xf32>
    %50 = "stablehlo.transpose"(%49) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x3x4x1x6xf32>) -> tensor<1x2x6x3x4xf32>
    %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<2x6x3x1x4xf32>) -> tensor<2x6x3x4xf32>
    "func.return"(%52) : (tensor<2x6x3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2xi32>, tensor<i32>, tensor<i32>) -> tensor<2xi32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2xi32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
    %5 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %7 = "stablehlo.maximum"(%6, %arg3) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %8 = "stablehlo.convert"(%arg5) : (tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %10 = "stablehlo.minimum"(%9, %7) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    "func.return"(%10) : (tensor<2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x3x6x6xi1>, tensor<2x3x6x1x6xf32>, tensor<f32>) -> tensor<1x2x3x6x6xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x6x6xi1>, %arg1: tensor<2x3x6x1x6xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x6x6xi1>) -> tensor<1x2x3x6x6xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %3 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x3x6x1x6xf32>) -> tensor<1x2x3x6x6xf32>
    %4 = "stablehlo.select"(%1, %3, %2) : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    "func.return"(%4) : (tensor<1x2x3x6x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
