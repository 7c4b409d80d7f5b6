// gradients in bf16, causal
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
// gradients: 1
"builtin.module"() <{sym_name = "jit_grad_bf16"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x6x3x4xbf16>, tensor<2x6x3x4xbf16>, tensor<2x6x3x4xbf16>, tensor<2x6x3x4xbf16>) -> (tensor<2x6x3x4xbf16>, tensor<2x6x3x4xbf16>, tensor<2x6x3x4xbf16>, tensor<2x6x3x4xbf16>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<2x6x3x4xbf16>, %arg7: tensor<2x6x3x4xbf16>, %arg8: tensor<2x6x3x4xbf16>, %arg9: tensor<2x6x3x4xbf16>):
    %18 = "stablehlo.reshape"(%arg6) : (tensor<2x6x3x4xbf16>) -> tensor<2x6x3x1x4xbf16>
    %19 = "stablehlo.dot_general"(%18, %arg7) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x1x4xbf16>, tensor<2x6x3x4xbf16>) -> tensor<2x3x6x1x6xf32>
    %20 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1x6xf32>
    %22 = "stablehlo.multiply"(%19, %21) : (tensor<2x3x6x1x6xf32>, tensor<2x3x6x1x6xf32>) -> tensor<2x3x6x1x6xf32>
    %23 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x3x6x6xi1>
    %25 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %27 = "func.call"(%26) <{callee = @tril}> : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<6x6xi1>) -> tensor<1x1x6x6xi1>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x6x6xi1>) -> tensor<2x3x6x6xi1>
    %30 = "stablehlo.and"(%24, %29) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xi1>) -> tensor<2x3x6x6xi1>
    %31 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %32:2 = "func.call"(%30, %22, %31) <{callee = @_where}> : (tensor<2x3x6x6xi1>, tensor<2x3x6x1x6xf32>, tensor<f32>) -> (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xi1>)
    %33 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32#0, %33) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %93 = "stablehlo.maximum"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%93) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %35 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6xf32>
    %37 = "stablehlo.maximum"(%36, %34) : (tensor<1x2x3x6xf32>, tensor<1x2x3x6xf32>) -> tensor<1x2x3x6xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %40 = "stablehlo.subtract"(%32#0, %39) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %41 = "stablehlo.exponential"(%40) : (tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %92 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%92) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %46 = "stablehlo.divide"(%41, %45) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %47 = "stablehlo.multiply"(%44, %44) : (tensor<1x2x3x6x1xf32>, tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x1xf32>
    %48 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6x1xf32>
    %50 = "stablehlo.divide"(%49, %47) : (tensor<1x2x3x6x1xf32>, tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x1xf32>
    %51 = "stablehlo.convert"(%46) : (tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xbf16>
    %52 = "stablehlo.dot_general"(%arg8, %51) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xbf16>, tensor<1x2x3x6x6xbf16>) -> tensor<2x3x4x1x6xbf16>
    %53 = "stablehlo.transpose"(%52) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x3x4x1x6xbf16>) -> tensor<1x2x6x3x4xbf16>
    %54 = "stablehlo.transpose"(%53) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x6x3x4xbf16>) -> tensor<2x6x3x1x4xbf16>
    %55 = "stablehlo.reshape"(%54) : (tensor<2x6x3x1x4xbf16>) -> tensor<2x6x3x4xbf16>
    %56 = "stablehlo.reshape"(%arg9) : (tensor<2x6x3x4xbf16>) -> tensor<2x6x3x1x4xbf16>
    %57 = "stablehlo.transpose"(%56) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x6x3x1x4xbf16>) -> tensor<1x2x6x3x4xbf16>
    %58 = "stablehlo.transpose"(%57) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x6x3x4xbf16>) -> tensor<2x3x4x1x6xbf16>
    %59 = "stablehlo.dot_general"(%58, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x1x6xbf16>, tensor<2x6x3x4xbf16>) -> tensor<2x3x1x6x6xbf16>
    %60 = "stablehlo.transpose"(%59) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x3x1x6x6xbf16>) -> tensor<1x2x3x6x6xbf16>
    %61 = "stablehlo.dot_general"(%58, %51) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x1x6xbf16>, tensor<1x2x3x6x6xbf16>) -> tensor<2x3x4x6xbf16>
    %62 = "stablehlo.transpose"(%61) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x6xbf16>) -> tensor<2x6x3x4xbf16>
    %63 = "stablehlo.convert"(%60) : (tensor<1x2x3x6x6xbf16>) -> tensor<1x2x3x6x6xf32>
    %64 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %65 = "stablehlo.multiply"(%63, %64) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %66 = "stablehlo.multiply"(%65, %41) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %67 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.reduce"(%66, %67) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %91 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%91) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %69 = "stablehlo.reshape"(%68) : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %70 = "stablehlo.negate"(%69) : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x1xf32>
    %71 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %72 = "stablehlo.divide"(%63, %71) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %73 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.reduce"(%70, %73) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %90 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%90) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x1xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x3x6xf32>) -> tensor<1x2x3x6xf32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x6xf32>
    %77 = "stablehlo.add"(%72, %76) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %78 = "stablehlo.multiply"(%77, %41) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %79 = "func.call"(%32#1, %78) <{callee = @_where_0}> : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x6x1x6xf32>
    %80 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1x6xf32>
    %82 = "stablehlo.multiply"(%79, %81) : (tensor<2x3x6x1x6xf32>, tensor<2x3x6x1x6xf32>) -> tensor<2x3x6x1x6xf32>
    %83 = "stablehlo.dot_general"(%82, %18) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x1x6xf32>, tensor<2x6x3x1x4xbf16>) -> tensor<2x3x6x4xf32>
    %84 = "stablehlo.transpose"(%83) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x6x4xf32>) -> tensor<2x6x3x4xf32>
    %85 = "stablehlo.convert"(%84) : (tensor<2x6x3x4xf32>) -> tensor<2x6x3x4xbf16>
    %86 = "stablehlo.dot_general"(%82, %arg7) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x1x6xf32>, tensor<2x6x3x4xbf16>) -> tensor<2x3x6x1x4xf32>
    %87 = "stablehlo.transpose"(%86) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x3x6x1x4xf32>) -> tensor<2x6x3x1x4xf32>
    %88 = "stablehlo.convert"(%87) : (tensor<2x6x3x1x4xf32>) -> tensor<2x6x3x1x4xbf16>
    %89 = "stablehlo.reshape"(%88) : (tensor<2x6x3x1x4xbf16>) -> tensor<2x6x3x4xbf16>
    "func.return"(%55, %89, %85, %62) : (tensor<2x6x3x4xbf16>, tensor<2x6x3x4xbf16>, tensor<2x6x3x4xbf16>, tensor<2x6x3x4xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x6xi1>) -> tensor<6x6xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<6x6xi1>):
    %9 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6x6xi32>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6x6xi32>
    %12 = "stablehlo.add"(%9, %11) : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi32>
    %13 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x6xi32>
    %14 = "stablehlo.compare"(%12, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %15 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %17 = "stablehlo.select"(%14, %arg5, %16) : (tensor<6x6xi1>, tensor<6x6xi1>, tensor<6x6xi1>) -> tensor<6x6xi1>
    "func.return"(%17) : (tensor<6x6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x3x6x6xi1>, tensor<2x3x6x1x6xf32>, tensor<f32>) -> (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x3x6x6xi1>, %arg3: tensor<2x3x6x1x6xf32>, %arg4: tensor<f32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %5 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x6x6xi1>) -> tensor<1x2x3x6x6xi1>
    %6 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %7 = "stablehlo.transpose"(%arg3) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x3x6x1x6xf32>) -> tensor<1x2x3x6x6xf32>
    %8 = "stablehlo.select"(%5, %7, %6) : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    "func.return"(%8, %5) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x6x1x6xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x2x3x6x6xi1>, %arg1: tensor<1x2x3x6x6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6x6xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x3x6x6xf32>) -> tensor<2x3x6x1x6xf32>
    "func.return"(%3) : (tensor<2x3x6x1x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
