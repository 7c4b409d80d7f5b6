// a training step: two layers, squared error, AdamW of optax
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 2
// gradients: 2
"builtin.module"() <{sym_name = "jit_training_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<2x6x12xf32>, tensor<2x6x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>, tensor<24x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>, tensor<24x12xf32>) -> (tensor<f32>, tensor<24x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>, tensor<24x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>, tensor<24x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>, tensor<24x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]['down']"}, {jax.result_info = "result[1][0]['offset1']"}, {jax.result_info = "result[1][0]['offset2']"}, {jax.result_info = "result[1][0]['out']"}, {jax.result_info = "result[1][0]['qkv']"}, {jax.result_info = "result[1][0]['qkv_bias']"}, {jax.result_info = "result[1][0]['scale1']"}, {jax.result_info = "result[1][0]['scale2']"}, {jax.result_info = "result[1][0]['up']"}, {jax.result_info = "result[1][1]['down']"}, {jax.result_info = "result[1][1]['offset1']"}, {jax.result_info = "result[1][1]['offset2']"}, {jax.result_info = "result[1][1]['out']"}, {jax.result_info = "result[1][1]['qkv']"}, {jax.result_info = "result[1][1]['qkv_bias']"}, {jax.result_info = "result[1][1]['scale1']"}, {jax.result_info = "result[1][1]['scale2']"}, {jax.result_info = "result[1][1]['up']"}, {jax.result_info = "result[2][0]['down']"}, {jax.result_info = "result[2][0]['offset1']"}, {jax.result_info = "result[2][0]['offset2']"}, {jax.result_info = "result[2][0]['out']"}, {jax.result_info = "result[2][0]['qkv']"}, {jax.result_info = "result[2][0]['qkv_bias']"}, {jax.result_info = "result[2][0]['scale1']"}, {jax.result_info = "result[2][0]['scale2']"}, {jax.result_info = "result[2][0]['up']"}, {jax.result_info = "result[2][1]['down']"}, {jax.result_info = "result[2][1]['offset1']"}, {jax.result_info = "result[2][1]['offset2']"}, {jax.result_info = "result[2][1]['out']"}, {jax.result_info = "result[2][1]['qkv']"}, {jax.result_info = "result[2][1]['qkv_bias']"}, {jax.result_info = "result[2][1]['scale1']"}, {jax.result_info = "result[2][1]['scale2']"}, {jax.result_info = "result[2][1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg9: tensor<2x6x12xf32>, %arg10: tensor<2x6x12xf32>, %arg11: tensor<12xf32>, %arg12: tensor<12xf32>, %arg13: tensor<12x36xf32>, %arg14: tensor<36xf32>, %arg15: tensor<12x12xf32>, %arg16: tensor<12xf32>, %arg17: tensor<12xf32>, %arg18: tensor<12x24xf32>, %arg19: tensor<24x12xf32>, %arg20: tensor<12xf32>, %arg21: tensor<12xf32>, %arg22: tensor<12x36xf32>, %arg23: tensor<36xf32>, %arg24: tensor<12x12xf32>, %arg25: tensor<12xf32>, %arg26: tensor<12xf32>, %arg27: tensor<12x24xf32>, %arg28: tensor<24x12xf32>):
    %19 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.reduce"(%arg9, %19) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg131: tensor<f32>, %arg132: tensor<f32>):
      %1381 = "stablehlo.add"(%arg131, %arg132) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1381) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %22 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %24 = "stablehlo.divide"(%21, %23) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %26 = "stablehlo.subtract"(%arg9, %25) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %27 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %28 = "stablehlo.subtract"(%arg9, %27) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %29 = "stablehlo.multiply"(%28, %28) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %30 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.reduce"(%29, %30) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg129: tensor<f32>, %arg130: tensor<f32>):
      %1380 = "stablehlo.add"(%arg129, %arg130) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1380) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %33 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %35 = "stablehlo.divide"(%32, %34) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %36 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %38 = "stablehlo.add"(%35, %37) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %39 = "stablehlo.rsqrt"(%38) : (tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %41 = "stablehlo.multiply"(%26, %40) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %42 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64: 2>}> : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %44 = "stablehlo.multiply"(%41, %43) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %45 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64: 2>}> : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %47 = "stablehlo.add"(%44, %46) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %48 = "stablehlo.dot_general"(%47, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x36xf32>) -> tensor<2x6x36xf32>
    %49 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64: 2>}> : (tensor<36xf32>) -> tensor<1x1x36xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x36xf32>) -> tensor<2x6x36xf32>
    %51 = "stablehlo.add"(%48, %50) : (tensor<2x6x36xf32>, tensor<2x6x36xf32>) -> tensor<2x6x36xf32>
    %52 = "stablehlo.slice"(%51) <{limit_indices = array<i64: 2, 6, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x6x36xf32>) -> tensor<2x6x12xf32>
    %53 = "stablehlo.slice"(%51) <{limit_indices = array<i64: 2, 6, 24>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>}> : (tensor<2x6x36xf32>) -> tensor<2x6x12xf32>
    %54 = "stablehlo.slice"(%51) <{limit_indices = array<i64: 2, 6, 36>, start_indices = array<i64: 0, 0, 24>, strides = array<i64: 1, 1, 1>}> : (tensor<2x6x36xf32>) -> tensor<2x6x12xf32>
    %55 = "stablehlo.reshape"(%52) : (tensor<2x6x12xf32>) -> tensor<2x6x3x4xf32>
    %56 = "stablehlo.reshape"(%53) : (tensor<2x6x12xf32>) -> tensor<2x6x3x4xf32>
    %57 = "stablehlo.reshape"(%54) : (tensor<2x6x12xf32>) -> tensor<2x6x3x4xf32>
    %58 = "stablehlo.reshape"(%55) : (tensor<2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %59 = "stablehlo.dot_general"(%58, %56) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x1x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x1x6xf32>
    %60 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1x6xf32>
    %62 = "stablehlo.multiply"(%59, %61) : (tensor<2x3x6x1x6xf32>, tensor<2x3x6x1x6xf32>) -> tensor<2x3x6x1x6xf32>
    %63 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x3x6x6xi1>
    %65 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %67 = "func.call"(%66) <{callee = @tril}> : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<6x6xi1>) -> tensor<1x1x6x6xi1>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x6x6xi1>) -> tensor<2x3x6x6xi1>
    %70 = "stablehlo.and"(%64, %69) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xi1>) -> tensor<2x3x6x6xi1>
    %71 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %72:2 = "func.call"(%70, %62, %71) <{callee = @_where}> : (tensor<2x3x6x6xi1>, tensor<2x3x6x1x6xf32>, tensor<f32>) -> (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xi1>)
    %73 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.reduce"(%72#0, %73) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg127: tensor<f32>, %arg128: tensor<f32>):
      %1379 = "stablehlo.maximum"(%arg127, %arg128) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1379) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %75 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6xf32>
    %77 = "stablehlo.maximum"(%76, %74) : (tensor<1x2x3x6xf32>, tensor<1x2x3x6xf32>) -> tensor<1x2x3x6xf32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %80 = "stablehlo.subtract"(%72#0, %79) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %81 = "stablehlo.exponential"(%80) : (tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %82 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.reduce"(%81, %82) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg125: tensor<f32>, %arg126: tensor<f32>):
      %1378 = "stablehlo.add"(%arg125, %arg126) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1378) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %86 = "stablehlo.divide"(%81, %85) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %87 = "stablehlo.multiply"(%84, %84) : (tensor<1x2x3x6x1xf32>, tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x1xf32>
    %88 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6x1xf32>
    %90 = "stablehlo.divide"(%89, %87) : (tensor<1x2x3x6x1xf32>, tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x1xf32>
    %91 = "stablehlo.dot_general"(%57, %86) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x4x1x6xf32>
    %92 = "stablehlo.transpose"(%91) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x3x4x1x6xf32>) -> tensor<1x2x6x3x4xf32>
    %93 = "stablehlo.transpose"(%92) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %94 = "stablehlo.reshape"(%93) : (tensor<2x6x3x1x4xf32>) -> tensor<2x6x3x4xf32>
    %95 = "stablehlo.reshape"(%94) : (tensor<2x6x3x4xf32>) -> tensor<2x6x12xf32>
    %96 = "stablehlo.dot_general"(%95, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x12xf32>) -> tensor<2x6x12xf32>
    %97 = "stablehlo.add"(%arg9, %96) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.reduce"(%97, %98) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg123: tensor<f32>, %arg124: tensor<f32>):
      %1377 = "stablehlo.add"(%arg123, %arg124) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1377) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %101 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %103 = "stablehlo.divide"(%100, %102) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %105 = "stablehlo.subtract"(%97, %104) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %106 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %107 = "stablehlo.subtract"(%97, %106) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %108 = "stablehlo.multiply"(%107, %107) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %109 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x12xf32>
    %111 = "stablehlo.multiply"(%110, %107) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %112 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.reduce"(%108, %112) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg121: tensor<f32>, %arg122: tensor<f32>):
      %1376 = "stablehlo.add"(%arg121, %arg122) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1376) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %115 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %117 = "stablehlo.divide"(%114, %116) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %118 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %120 = "stablehlo.add"(%117, %119) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %121 = "stablehlo.rsqrt"(%120) : (tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %122 = "stablehlo.divide"(%121, %120) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %123 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %125 = "stablehlo.multiply"(%124, %122) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %126 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %127 = "stablehlo.multiply"(%105, %126) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %128 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 2>}> : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %130 = "stablehlo.multiply"(%127, %129) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %131 = "stablehlo.broadcast_in_dim"(%arg17) <{broadcast_dimensions = array<i64: 2>}> : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %133 = "stablehlo.add"(%130, %132) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %134 = "stablehlo.dot_general"(%133, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x24xf32>) -> tensor<2x6x24xf32>
    %135 = "stablehlo.multiply"(%134, %134) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %136 = "stablehlo.multiply"(%135, %134) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %137 = "stablehlo.multiply"(%134, %134) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %138 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %140 = "stablehlo.multiply"(%139, %137) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %141 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %143 = "stablehlo.multiply"(%142, %136) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %144 = "stablehlo.add"(%134, %143) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %145 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %147 = "stablehlo.multiply"(%146, %144) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %148 = "stablehlo.tanh"(%147) : (tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %149 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %151 = "stablehlo.subtract"(%150, %148) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %152 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %154 = "stablehlo.add"(%153, %148) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %155 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %157 = "stablehlo.multiply"(%156, %154) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %158 = "stablehlo.multiply"(%134, %157) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %159 = "stablehlo.dot_general"(%158, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x24xf32>, tensor<24x12xf32>) -> tensor<2x6x12xf32>
    %160 = "stablehlo.add"(%97, %159) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %161 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %162 = "stablehlo.reduce"(%160, %161) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg119: tensor<f32>, %arg120: tensor<f32>):
      %1375 = "stablehlo.add"(%arg119, %arg120) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1375) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %164 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %165 = "stablehlo.broadcast_in_dim"(%164) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %166 = "stablehlo.divide"(%163, %165) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %168 = "stablehlo.subtract"(%160, %167) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %169 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %170 = "stablehlo.subtract"(%160, %169) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %171 = "stablehlo.multiply"(%170, %170) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %172 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x12xf32>
    %174 = "stablehlo.multiply"(%173, %170) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %175 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %176 = "stablehlo.reduce"(%171, %175) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg117: tensor<f32>, %arg118: tensor<f32>):
      %1374 = "stablehlo.add"(%arg117, %arg118) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1374) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %178 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %179 = "stablehlo.broadcast_in_dim"(%178) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %180 = "stablehlo.divide"(%177, %179) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %181 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %182 = "stablehlo.broadcast_in_dim"(%181) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %183 = "stablehlo.add"(%180, %182) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %184 = "stablehlo.rsqrt"(%183) : (tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %185 = "stablehlo.divide"(%184, %183) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %186 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %188 = "stablehlo.multiply"(%187, %185) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %189 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %190 = "stablehlo.multiply"(%168, %189) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %191 = "stablehlo.broadcast_in_dim"(%arg20) <{broadcast_dimensions = array<i64: 2>}> : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %192 = "stablehlo.broadcast_in_dim"(%191) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %193 = "stablehlo.multiply"(%190, %192) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %194 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 2>}> : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %195 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %196 = "stablehlo.add"(%193, %195) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %197 = "stablehlo.dot_general"(%196, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x36xf32>) -> tensor<2x6x36xf32>
    %198 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 2>}> : (tensor<36xf32>) -> tensor<1x1x36xf32>
    %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x36xf32>) -> tensor<2x6x36xf32>
    %200 = "stablehlo.add"(%197, %199) : (tensor<2x6x36xf32>, tensor<2x6x36xf32>) -> tensor<2x6x36xf32>
    %201 = "stablehlo.slice"(%200) <{limit_indices = array<i64: 2, 6, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x6x36xf32>) -> tensor<2x6x12xf32>
    %202 = "stablehlo.slice"(%200) <{limit_indices = array<i64: 2, 6, 24>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>}> : (tensor<2x6x36xf32>) -> tensor<2x6x12xf32>
    %203 = "stablehlo.slice"(%200) <{limit_indices = array<i64: 2, 6, 36>, start_indices = array<i64: 0, 0, 24>, strides = array<i64: 1, 1, 1>}> : (tensor<2x6x36xf32>) -> tensor<2x6x12xf32>
    %204 = "stablehlo.reshape"(%201) : (tensor<2x6x12xf32>) -> tensor<2x6x3x4xf32>
    %205 = "stablehlo.reshape"(%202) : (tensor<2x6x12xf32>) -> tensor<2x6x3x4xf32>
    %206 = "stablehlo.reshape"(%203) : (tensor<2x6x12xf32>) -> tensor<2x6x3x4xf32>
    %207 = "stablehlo.reshape"(%204) : (tensor<2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %208 = "stablehlo.dot_general"(%207, %205) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x1x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x1x6xf32>
    %209 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1x6xf32>
    %211 = "stablehlo.multiply"(%208, %210) : (tensor<2x3x6x1x6xf32>, tensor<2x3x6x1x6xf32>) -> tensor<2x3x6x1x6xf32>
    %212 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x3x6x6xi1>
    %214 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %215 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %216 = "func.call"(%215) <{callee = @tril}> : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %217 = "stablehlo.broadcast_in_dim"(%216) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<6x6xi1>) -> tensor<1x1x6x6xi1>
    %218 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x6x6xi1>) -> tensor<2x3x6x6xi1>
    %219 = "stablehlo.and"(%213, %218) : (tensor<2x3x6x6xi1>, tensor<2x3x6x6xi1>) -> tensor<2x3x6x6xi1>
    %220 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %221:2 = "func.call"(%219, %211, %220) <{callee = @_where}> : (tensor<2x3x6x6xi1>, tensor<2x3x6x1x6xf32>, tensor<f32>) -> (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xi1>)
    %222 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.reduce"(%221#0, %222) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg115: tensor<f32>, %arg116: tensor<f32>):
      %1373 = "stablehlo.maximum"(%arg115, %arg116) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1373) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %224 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %225 = "stablehlo.broadcast_in_dim"(%224) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6xf32>
    %226 = "stablehlo.maximum"(%225, %223) : (tensor<1x2x3x6xf32>, tensor<1x2x3x6xf32>) -> tensor<1x2x3x6xf32>
    %227 = "stablehlo.broadcast_in_dim"(%226) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %228 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %229 = "stablehlo.subtract"(%221#0, %228) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %230 = "stablehlo.exponential"(%229) : (tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %231 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %232 = "stablehlo.reduce"(%230, %231) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg113: tensor<f32>, %arg114: tensor<f32>):
      %1372 = "stablehlo.add"(%arg113, %arg114) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1372) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %233 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %234 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %235 = "stablehlo.divide"(%230, %234) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %236 = "stablehlo.multiply"(%233, %233) : (tensor<1x2x3x6x1xf32>, tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x1xf32>
    %237 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %238 = "stablehlo.broadcast_in_dim"(%237) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6x1xf32>
    %239 = "stablehlo.divide"(%238, %236) : (tensor<1x2x3x6x1xf32>, tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x1xf32>
    %240 = "stablehlo.dot_general"(%206, %235) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x3x4xf32>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x4x1x6xf32>
    %241 = "stablehlo.transpose"(%240) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x3x4x1x6xf32>) -> tensor<1x2x6x3x4xf32>
    %242 = "stablehlo.transpose"(%241) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %243 = "stablehlo.reshape"(%242) : (tensor<2x6x3x1x4xf32>) -> tensor<2x6x3x4xf32>
    %244 = "stablehlo.reshape"(%243) : (tensor<2x6x3x4xf32>) -> tensor<2x6x12xf32>
    %245 = "stablehlo.dot_general"(%244, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x12xf32>) -> tensor<2x6x12xf32>
    %246 = "stablehlo.add"(%160, %245) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %247 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %248 = "stablehlo.reduce"(%246, %247) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg111: tensor<f32>, %arg112: tensor<f32>):
      %1371 = "stablehlo.add"(%arg111, %arg112) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1371) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %249 = "stablehlo.broadcast_in_dim"(%248) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %250 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %251 = "stablehlo.broadcast_in_dim"(%250) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %252 = "stablehlo.divide"(%249, %251) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %253 = "stablehlo.broadcast_in_dim"(%252) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %254 = "stablehlo.subtract"(%246, %253) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %255 = "stablehlo.broadcast_in_dim"(%252) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %256 = "stablehlo.subtract"(%246, %255) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %257 = "stablehlo.multiply"(%256, %256) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %258 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %259 = "stablehlo.broadcast_in_dim"(%258) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x12xf32>
    %260 = "stablehlo.multiply"(%259, %256) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %261 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %262 = "stablehlo.reduce"(%257, %261) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg109: tensor<f32>, %arg110: tensor<f32>):
      %1370 = "stablehlo.add"(%arg109, %arg110) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1370) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %263 = "stablehlo.broadcast_in_dim"(%262) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %264 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %265 = "stablehlo.broadcast_in_dim"(%264) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %266 = "stablehlo.divide"(%263, %265) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %267 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %268 = "stablehlo.broadcast_in_dim"(%267) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %269 = "stablehlo.add"(%266, %268) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %270 = "stablehlo.rsqrt"(%269) : (tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %271 = "stablehlo.divide"(%270, %269) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %272 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %273 = "stablehlo.broadcast_in_dim"(%272) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %274 = "stablehlo.multiply"(%273, %271) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %275 = "stablehlo.broadcast_in_dim"(%270) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %276 = "stablehlo.multiply"(%254, %275) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %277 = "stablehlo.broadcast_in_dim"(%arg25) <{broadcast_dimensions = array<i64: 2>}> : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %278 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %279 = "stablehlo.multiply"(%276, %278) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %280 = "stablehlo.broadcast_in_dim"(%arg26) <{broadcast_dimensions = array<i64: 2>}> : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %281 = "stablehlo.broadcast_in_dim"(%280) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %282 = "stablehlo.add"(%279, %281) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %283 = "stablehlo.dot_general"(%282, %arg27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x24xf32>) -> tensor<2x6x24xf32>
    %284 = "stablehlo.multiply"(%283, %283) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %285 = "stablehlo.multiply"(%284, %283) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %286 = "stablehlo.multiply"(%283, %283) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %287 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %288 = "stablehlo.broadcast_in_dim"(%287) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %289 = "stablehlo.multiply"(%288, %286) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %290 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %291 = "stablehlo.broadcast_in_dim"(%290) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %292 = "stablehlo.multiply"(%291, %285) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %293 = "stablehlo.add"(%283, %292) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %294 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %295 = "stablehlo.broadcast_in_dim"(%294) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %296 = "stablehlo.multiply"(%295, %293) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %297 = "stablehlo.tanh"(%296) : (tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %298 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %299 = "stablehlo.broadcast_in_dim"(%298) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %300 = "stablehlo.subtract"(%299, %297) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %301 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %302 = "stablehlo.broadcast_in_dim"(%301) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %303 = "stablehlo.add"(%302, %297) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %304 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %305 = "stablehlo.broadcast_in_dim"(%304) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %306 = "stablehlo.multiply"(%305, %303) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %307 = "stablehlo.multiply"(%283, %306) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %308 = "stablehlo.dot_general"(%307, %arg28) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x24xf32>, tensor<24x12xf32>) -> tensor<2x6x12xf32>
    %309 = "stablehlo.add"(%246, %308) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %310 = "stablehlo.subtract"(%309, %arg10) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %311 = "stablehlo.multiply"(%310, %310) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %312 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %313 = "stablehlo.broadcast_in_dim"(%312) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x12xf32>
    %314 = "stablehlo.multiply"(%313, %310) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %315 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %316 = "stablehlo.reduce"(%311, %315) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg107: tensor<f32>, %arg108: tensor<f32>):
      %1369 = "stablehlo.add"(%arg107, %arg108) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1369) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<f32>
    %317 = "stablehlo.constant"() <{value = dense<1.440000e+02> : tensor<f32>}> : () -> tensor<f32>
    %318 = "stablehlo.divide"(%316, %317) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %319 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %320 = "stablehlo.constant"() <{value = dense<1.440000e+02> : tensor<f32>}> : () -> tensor<f32>
    %321 = "stablehlo.divide"(%319, %320) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %322 = "stablehlo.broadcast_in_dim"(%321) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x12xf32>
    %323 = "stablehlo.multiply"(%322, %314) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %324 = "stablehlo.dot_general"(%323, %307) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<2x6x24xf32>) -> tensor<12x24xf32>
    %325 = "stablehlo.transpose"(%324) <{permutation = array<i64: 1, 0>}> : (tensor<12x24xf32>) -> tensor<24x12xf32>
    %326 = "stablehlo.dot_general"(%323, %arg28) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<24x12xf32>) -> tensor<2x6x24xf32>
    %327 = "stablehlo.multiply"(%283, %326) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %328 = "stablehlo.multiply"(%326, %306) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %329 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %330 = "stablehlo.broadcast_in_dim"(%329) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %331 = "stablehlo.multiply"(%330, %327) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %332 = "stablehlo.multiply"(%331, %300) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %333 = "stablehlo.multiply"(%332, %297) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %334 = "stablehlo.add"(%332, %333) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %335 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %336 = "stablehlo.broadcast_in_dim"(%335) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %337 = "stablehlo.multiply"(%336, %334) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %338 = "stablehlo.add"(%328, %337) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %339 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %340 = "stablehlo.broadcast_in_dim"(%339) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %341 = "stablehlo.multiply"(%340, %337) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %342 = "stablehlo.multiply"(%341, %289) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %343 = "stablehlo.add"(%338, %342) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %344 = "stablehlo.dot_general"(%343, %282) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x24xf32>, tensor<2x6x12xf32>) -> tensor<24x12xf32>
    %345 = "stablehlo.transpose"(%344) <{permutation = array<i64: 1, 0>}> : (tensor<24x12xf32>) -> tensor<12x24xf32>
    %346 = "stablehlo.dot_general"(%343, %arg27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x24xf32>, tensor<12x24xf32>) -> tensor<2x6x12xf32>
    %347 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %348 = "stablehlo.reduce"(%346, %347) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg105: tensor<f32>, %arg106: tensor<f32>):
      %1368 = "stablehlo.add"(%arg105, %arg106) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1368) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<12xf32>
    %349 = "stablehlo.reshape"(%348) : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %350 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %351 = "stablehlo.reduce"(%349, %350) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg103: tensor<f32>, %arg104: tensor<f32>):
      %1367 = "stablehlo.add"(%arg103, %arg104) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1367) : (tensor<f32>) -> ()
    }) : (tensor<1x1x12xf32>, tensor<f32>) -> tensor<12xf32>
    %352 = "stablehlo.multiply"(%276, %346) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %353 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %354 = "stablehlo.reduce"(%352, %353) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg101: tensor<f32>, %arg102: tensor<f32>):
      %1366 = "stablehlo.add"(%arg101, %arg102) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1366) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<12xf32>
    %355 = "stablehlo.reshape"(%354) : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %356 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %357 = "stablehlo.multiply"(%346, %356) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %358 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %359 = "stablehlo.reduce"(%355, %358) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg99: tensor<f32>, %arg100: tensor<f32>):
      %1365 = "stablehlo.add"(%arg99, %arg100) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1365) : (tensor<f32>) -> ()
    }) : (tensor<1x1x12xf32>, tensor<f32>) -> tensor<12xf32>
    %360 = "stablehlo.multiply"(%254, %357) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %361 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %362 = "stablehlo.reduce"(%360, %361) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg97: tensor<f32>, %arg98: tensor<f32>):
      %1364 = "stablehlo.add"(%arg97, %arg98) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1364) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %363 = "stablehlo.reshape"(%362) : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %364 = "stablehlo.broadcast_in_dim"(%270) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %365 = "stablehlo.multiply"(%357, %364) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %366 = "stablehlo.multiply"(%363, %274) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %367 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %368 = "stablehlo.broadcast_in_dim"(%367) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %369 = "stablehlo.divide"(%366, %368) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %370 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %371 = "stablehlo.reduce"(%369, %370) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg95: tensor<f32>, %arg96: tensor<f32>):
      %1363 = "stablehlo.add"(%arg95, %arg96) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1363) : (tensor<f32>) -> ()
    }) : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %372 = "stablehlo.broadcast_in_dim"(%371) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x12xf32>
    %373 = "stablehlo.multiply"(%372, %260) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %374 = "stablehlo.negate"(%373) : (tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %375 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %376 = "stablehlo.reduce"(%374, %375) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg93: tensor<f32>, %arg94: tensor<f32>):
      %1362 = "stablehlo.add"(%arg93, %arg94) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1362) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %377 = "stablehlo.reshape"(%376) : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %378 = "stablehlo.add"(%323, %373) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %379 = "stablehlo.negate"(%365) : (tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %380 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %381 = "stablehlo.reduce"(%379, %380) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg91: tensor<f32>, %arg92: tensor<f32>):
      %1361 = "stablehlo.add"(%arg91, %arg92) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1361) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %382 = "stablehlo.reshape"(%381) : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %383 = "stablehlo.add"(%378, %365) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %384 = "stablehlo.add"(%377, %382) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %385 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %386 = "stablehlo.broadcast_in_dim"(%385) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %387 = "stablehlo.divide"(%384, %386) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %388 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %389 = "stablehlo.reduce"(%387, %388) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg89: tensor<f32>, %arg90: tensor<f32>):
      %1360 = "stablehlo.add"(%arg89, %arg90) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1360) : (tensor<f32>) -> ()
    }) : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %390 = "stablehlo.broadcast_in_dim"(%389) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x12xf32>
    %391 = "stablehlo.add"(%383, %390) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %392 = "stablehlo.dot_general"(%391, %244) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<12x12xf32>
    %393 = "stablehlo.transpose"(%392) <{permutation = array<i64: 1, 0>}> : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %394 = "stablehlo.dot_general"(%391, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x12xf32>) -> tensor<2x6x12xf32>
    %395 = "stablehlo.reshape"(%394) : (tensor<2x6x12xf32>) -> tensor<2x6x3x4xf32>
    %396 = "stablehlo.reshape"(%395) : (tensor<2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %397 = "stablehlo.transpose"(%396) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x6x3x1x4xf32>) -> tensor<1x2x6x3x4xf32>
    %398 = "stablehlo.transpose"(%397) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x6x3x4xf32>) -> tensor<2x3x4x1x6xf32>
    %399 = "stablehlo.dot_general"(%398, %206) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x1x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x1x6x6xf32>
    %400 = "stablehlo.transpose"(%399) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x3x1x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %401 = "stablehlo.dot_general"(%398, %235) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x1x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x4x6xf32>
    %402 = "stablehlo.transpose"(%401) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x6xf32>) -> tensor<2x6x3x4xf32>
    %403 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %404 = "stablehlo.multiply"(%400, %403) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %405 = "stablehlo.multiply"(%404, %230) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %406 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %407 = "stablehlo.reduce"(%405, %406) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg87: tensor<f32>, %arg88: tensor<f32>):
      %1359 = "stablehlo.add"(%arg87, %arg88) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1359) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %408 = "stablehlo.reshape"(%407) : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %409 = "stablehlo.negate"(%408) : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x1xf32>
    %410 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %411 = "stablehlo.divide"(%400, %410) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %412 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %413 = "stablehlo.reduce"(%409, %412) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg85: tensor<f32>, %arg86: tensor<f32>):
      %1358 = "stablehlo.add"(%arg85, %arg86) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1358) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x1xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %414 = "stablehlo.broadcast_in_dim"(%413) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x3x6xf32>) -> tensor<1x2x3x6xf32>
    %415 = "stablehlo.broadcast_in_dim"(%414) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x6xf32>
    %416 = "stablehlo.add"(%411, %415) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %417 = "stablehlo.multiply"(%416, %230) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %418 = "func.call"(%221#1, %417) <{callee = @_where_0}> : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x6x1x6xf32>
    %419 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %420 = "stablehlo.broadcast_in_dim"(%419) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1x6xf32>
    %421 = "stablehlo.multiply"(%418, %420) : (tensor<2x3x6x1x6xf32>, tensor<2x3x6x1x6xf32>) -> tensor<2x3x6x1x6xf32>
    %422 = "stablehlo.dot_general"(%421, %207) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x1x6xf32>, tensor<2x6x3x1x4xf32>) -> tensor<2x3x6x4xf32>
    %423 = "stablehlo.transpose"(%422) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x6x4xf32>) -> tensor<2x6x3x4xf32>
    %424 = "stablehlo.dot_general"(%421, %205) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x1x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x1x4xf32>
    %425 = "stablehlo.transpose"(%424) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x3x6x1x4xf32>) -> tensor<2x6x3x1x4xf32>
    %426 = "stablehlo.reshape"(%425) : (tensor<2x6x3x1x4xf32>) -> tensor<2x6x3x4xf32>
    %427 = "stablehlo.reshape"(%402) : (tensor<2x6x3x4xf32>) -> tensor<2x6x12xf32>
    %428 = "stablehlo.reshape"(%423) : (tensor<2x6x3x4xf32>) -> tensor<2x6x12xf32>
    %429 = "stablehlo.reshape"(%426) : (tensor<2x6x3x4xf32>) -> tensor<2x6x12xf32>
    %430 = "stablehlo.concatenate"(%429, %428, %427) <{dimension = 2 : i64}> : (tensor<2x6x12xf32>, tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x36xf32>
    %431 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %432 = "stablehlo.reduce"(%430, %431) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg83: tensor<f32>, %arg84: tensor<f32>):
      %1357 = "stablehlo.add"(%arg83, %arg84) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1357) : (tensor<f32>) -> ()
    }) : (tensor<2x6x36xf32>, tensor<f32>) -> tensor<36xf32>
    %433 = "stablehlo.reshape"(%432) : (tensor<36xf32>) -> tensor<1x1x36xf32>
    %434 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %435 = "stablehlo.reduce"(%433, %434) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg81: tensor<f32>, %arg82: tensor<f32>):
      %1356 = "stablehlo.add"(%arg81, %arg82) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1356) : (tensor<f32>) -> ()
    }) : (tensor<1x1x36xf32>, tensor<f32>) -> tensor<36xf32>
    %436 = "stablehlo.dot_general"(%430, %196) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x36xf32>, tensor<2x6x12xf32>) -> tensor<36x12xf32>
    %437 = "stablehlo.transpose"(%436) <{permutation = array<i64: 1, 0>}> : (tensor<36x12xf32>) -> tensor<12x36xf32>
    %438 = "stablehlo.dot_general"(%430, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x36xf32>, tensor<12x36xf32>) -> tensor<2x6x12xf32>
    %439 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %440 = "stablehlo.reduce"(%438, %439) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg79: tensor<f32>, %arg80: tensor<f32>):
      %1355 = "stablehlo.add"(%arg79, %arg80) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1355) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<12xf32>
    %441 = "stablehlo.reshape"(%440) : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %442 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %443 = "stablehlo.reduce"(%441, %442) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg77: tensor<f32>, %arg78: tensor<f32>):
      %1354 = "stablehlo.add"(%arg77, %arg78) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1354) : (tensor<f32>) -> ()
    }) : (tensor<1x1x12xf32>, tensor<f32>) -> tensor<12xf32>
    %444 = "stablehlo.multiply"(%190, %438) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %445 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %446 = "stablehlo.reduce"(%444, %445) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg75: tensor<f32>, %arg76: tensor<f32>):
      %1353 = "stablehlo.add"(%arg75, %arg76) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1353) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<12xf32>
    %447 = "stablehlo.reshape"(%446) : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %448 = "stablehlo.broadcast_in_dim"(%191) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %449 = "stablehlo.multiply"(%438, %448) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %450 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %451 = "stablehlo.reduce"(%447, %450) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg73: tensor<f32>, %arg74: tensor<f32>):
      %1352 = "stablehlo.add"(%arg73, %arg74) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1352) : (tensor<f32>) -> ()
    }) : (tensor<1x1x12xf32>, tensor<f32>) -> tensor<12xf32>
    %452 = "stablehlo.multiply"(%168, %449) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %453 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %454 = "stablehlo.reduce"(%452, %453) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg71: tensor<f32>, %arg72: tensor<f32>):
      %1351 = "stablehlo.add"(%arg71, %arg72) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1351) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %455 = "stablehlo.reshape"(%454) : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %456 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %457 = "stablehlo.multiply"(%449, %456) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %458 = "stablehlo.multiply"(%455, %188) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %459 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %460 = "stablehlo.broadcast_in_dim"(%459) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %461 = "stablehlo.divide"(%458, %460) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %462 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %463 = "stablehlo.reduce"(%461, %462) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg69: tensor<f32>, %arg70: tensor<f32>):
      %1350 = "stablehlo.add"(%arg69, %arg70) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1350) : (tensor<f32>) -> ()
    }) : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %464 = "stablehlo.broadcast_in_dim"(%463) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x12xf32>
    %465 = "stablehlo.multiply"(%464, %174) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %466 = "stablehlo.negate"(%465) : (tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %467 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %468 = "stablehlo.reduce"(%466, %467) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
      %1349 = "stablehlo.add"(%arg67, %arg68) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1349) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %469 = "stablehlo.reshape"(%468) : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %470 = "stablehlo.add"(%391, %465) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %471 = "stablehlo.negate"(%457) : (tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %472 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %473 = "stablehlo.reduce"(%471, %472) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg65: tensor<f32>, %arg66: tensor<f32>):
      %1348 = "stablehlo.add"(%arg65, %arg66) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1348) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %474 = "stablehlo.reshape"(%473) : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %475 = "stablehlo.add"(%470, %457) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %476 = "stablehlo.add"(%469, %474) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %477 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %478 = "stablehlo.broadcast_in_dim"(%477) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %479 = "stablehlo.divide"(%476, %478) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %480 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %481 = "stablehlo.reduce"(%479, %480) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg63: tensor<f32>, %arg64: tensor<f32>):
      %1347 = "stablehlo.add"(%arg63, %arg64) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1347) : (tensor<f32>) -> ()
    }) : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %482 = "stablehlo.broadcast_in_dim"(%481) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x12xf32>
    %483 = "stablehlo.add"(%475, %482) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %484 = "stablehlo.dot_general"(%483, %158) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<2x6x24xf32>) -> tensor<12x24xf32>
    %485 = "stablehlo.transpose"(%484) <{permutation = array<i64: 1, 0>}> : (tensor<12x24xf32>) -> tensor<24x12xf32>
    %486 = "stablehlo.dot_general"(%483, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<24x12xf32>) -> tensor<2x6x24xf32>
    %487 = "stablehlo.multiply"(%134, %486) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %488 = "stablehlo.multiply"(%486, %157) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %489 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %490 = "stablehlo.broadcast_in_dim"(%489) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %491 = "stablehlo.multiply"(%490, %487) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %492 = "stablehlo.multiply"(%491, %151) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %493 = "stablehlo.multiply"(%492, %148) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %494 = "stablehlo.add"(%492, %493) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %495 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %496 = "stablehlo.broadcast_in_dim"(%495) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %497 = "stablehlo.multiply"(%496, %494) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %498 = "stablehlo.add"(%488, %497) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %499 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %500 = "stablehlo.broadcast_in_dim"(%499) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x24xf32>
    %501 = "stablehlo.multiply"(%500, %497) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %502 = "stablehlo.multiply"(%501, %140) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %503 = "stablehlo.add"(%498, %502) : (tensor<2x6x24xf32>, tensor<2x6x24xf32>) -> tensor<2x6x24xf32>
    %504 = "stablehlo.dot_general"(%503, %133) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x24xf32>, tensor<2x6x12xf32>) -> tensor<24x12xf32>
    %505 = "stablehlo.transpose"(%504) <{permutation = array<i64: 1, 0>}> : (tensor<24x12xf32>) -> tensor<12x24xf32>
    %506 = "stablehlo.dot_general"(%503, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x24xf32>, tensor<12x24xf32>) -> tensor<2x6x12xf32>
    %507 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %508 = "stablehlo.reduce"(%506, %507) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
      %1346 = "stablehlo.add"(%arg61, %arg62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1346) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<12xf32>
    %509 = "stablehlo.reshape"(%508) : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %510 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %511 = "stablehlo.reduce"(%509, %510) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg59: tensor<f32>, %arg60: tensor<f32>):
      %1345 = "stablehlo.add"(%arg59, %arg60) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1345) : (tensor<f32>) -> ()
    }) : (tensor<1x1x12xf32>, tensor<f32>) -> tensor<12xf32>
    %512 = "stablehlo.multiply"(%127, %506) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %513 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %514 = "stablehlo.reduce"(%512, %513) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg57: tensor<f32>, %arg58: tensor<f32>):
      %1344 = "stablehlo.add"(%arg57, %arg58) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1344) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<12xf32>
    %515 = "stablehlo.reshape"(%514) : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %516 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<2x6x12xf32>
    %517 = "stablehlo.multiply"(%506, %516) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %518 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %519 = "stablehlo.reduce"(%515, %518) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
      %1343 = "stablehlo.add"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1343) : (tensor<f32>) -> ()
    }) : (tensor<1x1x12xf32>, tensor<f32>) -> tensor<12xf32>
    %520 = "stablehlo.multiply"(%105, %517) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %521 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %522 = "stablehlo.reduce"(%520, %521) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
      %1342 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1342) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %523 = "stablehlo.reshape"(%522) : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %524 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x6x1xf32>) -> tensor<2x6x12xf32>
    %525 = "stablehlo.multiply"(%517, %524) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %526 = "stablehlo.multiply"(%523, %125) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %527 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %528 = "stablehlo.broadcast_in_dim"(%527) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %529 = "stablehlo.divide"(%526, %528) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %530 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %531 = "stablehlo.reduce"(%529, %530) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
      %1341 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1341) : (tensor<f32>) -> ()
    }) : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %532 = "stablehlo.broadcast_in_dim"(%531) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x12xf32>
    %533 = "stablehlo.multiply"(%532, %111) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %534 = "stablehlo.negate"(%533) : (tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %535 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %536 = "stablehlo.reduce"(%534, %535) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
      %1340 = "stablehlo.add"(%arg49, %arg50) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1340) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %537 = "stablehlo.reshape"(%536) : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %538 = "stablehlo.add"(%483, %533) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %539 = "stablehlo.negate"(%525) : (tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %540 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %541 = "stablehlo.reduce"(%539, %540) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %1339 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1339) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<2x6xf32>
    %542 = "stablehlo.reshape"(%541) : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %543 = "stablehlo.add"(%538, %525) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %544 = "stablehlo.add"(%537, %542) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %545 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %546 = "stablehlo.broadcast_in_dim"(%545) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x1xf32>
    %547 = "stablehlo.divide"(%544, %546) : (tensor<2x6x1xf32>, tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %548 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %549 = "stablehlo.reduce"(%547, %548) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %1338 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1338) : (tensor<f32>) -> ()
    }) : (tensor<2x6x1xf32>, tensor<f32>) -> tensor<2x6xf32>
    %550 = "stablehlo.broadcast_in_dim"(%549) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x6xf32>) -> tensor<2x6x12xf32>
    %551 = "stablehlo.add"(%543, %550) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %552 = "stablehlo.dot_general"(%551, %95) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<12x12xf32>
    %553 = "stablehlo.transpose"(%552) <{permutation = array<i64: 1, 0>}> : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %554 = "stablehlo.dot_general"(%551, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x12xf32>, tensor<12x12xf32>) -> tensor<2x6x12xf32>
    %555 = "stablehlo.reshape"(%554) : (tensor<2x6x12xf32>) -> tensor<2x6x3x4xf32>
    %556 = "stablehlo.reshape"(%555) : (tensor<2x6x3x4xf32>) -> tensor<2x6x3x1x4xf32>
    %557 = "stablehlo.transpose"(%556) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x6x3x1x4xf32>) -> tensor<1x2x6x3x4xf32>
    %558 = "stablehlo.transpose"(%557) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x6x3x4xf32>) -> tensor<2x3x4x1x6xf32>
    %559 = "stablehlo.dot_general"(%558, %57) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x1x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x1x6x6xf32>
    %560 = "stablehlo.transpose"(%559) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x3x1x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %561 = "stablehlo.dot_general"(%558, %86) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x1x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x4x6xf32>
    %562 = "stablehlo.transpose"(%561) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x3x4x6xf32>) -> tensor<2x6x3x4xf32>
    %563 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %564 = "stablehlo.multiply"(%560, %563) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %565 = "stablehlo.multiply"(%564, %81) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %566 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %567 = "stablehlo.reduce"(%565, %566) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
      %1337 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1337) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x6xf32>, tensor<f32>) -> tensor<1x2x3x6xf32>
    %568 = "stablehlo.reshape"(%567) : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x1xf32>
    %569 = "stablehlo.negate"(%568) : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x1xf32>
    %570 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x6x1xf32>) -> tensor<1x2x3x6x6xf32>
    %571 = "stablehlo.divide"(%560, %570) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %572 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %573 = "stablehlo.reduce"(%569, %572) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
      %1336 = "stablehlo.add"(%arg41, %arg42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1336) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x6x1xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %574 = "stablehlo.broadcast_in_dim"(%573) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x3x6xf32>) -> tensor<1x2x3x6xf32>
    %575 = "stablehlo.broadcast_in_dim"(%574) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x6xf32>) -> tensor<1x2x3x6x6xf32>
    %576 = "stablehlo.add"(%571, %575) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %577 = "stablehlo.multiply"(%576, %81) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %578 = "func.call"(%72#1, %577) <{callee = @_where_0}> : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x6x1x6xf32>
    %579 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %580 = "stablehlo.broadcast_in_dim"(%579) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x1x6xf32>
    %581 = "stablehlo.multiply"(%578, %580) : (tensor<2x3x6x1x6xf32>, tensor<2x3x6x1x6xf32>) -> tensor<2x3x6x1x6xf32>
    %582 = "stablehlo.dot_general"(%581, %58) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x1x6xf32>, tensor<2x6x3x1x4xf32>) -> tensor<2x3x6x4xf32>
    %583 = "stablehlo.transpose"(%582) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x6x4xf32>) -> tensor<2x6x3x4xf32>
    %584 = "stablehlo.dot_general"(%581, %56) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x6x1x6xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x6x1x4xf32>
    %585 = "stablehlo.transpose"(%584) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x3x6x1x4xf32>) -> tensor<2x6x3x1x4xf32>
    %586 = "stablehlo.reshape"(%585) : (tensor<2x6x3x1x4xf32>) -> tensor<2x6x3x4xf32>
    %587 = "stablehlo.reshape"(%562) : (tensor<2x6x3x4xf32>) -> tensor<2x6x12xf32>
    %588 = "stablehlo.reshape"(%583) : (tensor<2x6x3x4xf32>) -> tensor<2x6x12xf32>
    %589 = "stablehlo.reshape"(%586) : (tensor<2x6x3x4xf32>) -> tensor<2x6x12xf32>
    %590 = "stablehlo.concatenate"(%589, %588, %587) <{dimension = 2 : i64}> : (tensor<2x6x12xf32>, tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x36xf32>
    %591 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %592 = "stablehlo.reduce"(%590, %591) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
      %1335 = "stablehlo.add"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1335) : (tensor<f32>) -> ()
    }) : (tensor<2x6x36xf32>, tensor<f32>) -> tensor<36xf32>
    %593 = "stablehlo.reshape"(%592) : (tensor<36xf32>) -> tensor<1x1x36xf32>
    %594 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %595 = "stablehlo.reduce"(%593, %594) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %1334 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1334) : (tensor<f32>) -> ()
    }) : (tensor<1x1x36xf32>, tensor<f32>) -> tensor<36xf32>
    %596 = "stablehlo.dot_general"(%590, %47) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x36xf32>, tensor<2x6x12xf32>) -> tensor<36x12xf32>
    %597 = "stablehlo.transpose"(%596) <{permutation = array<i64: 1, 0>}> : (tensor<36x12xf32>) -> tensor<12x36xf32>
    %598 = "stablehlo.dot_general"(%590, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x36xf32>, tensor<12x36xf32>) -> tensor<2x6x12xf32>
    %599 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %600 = "stablehlo.reduce"(%598, %599) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %1333 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1333) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<12xf32>
    %601 = "stablehlo.reshape"(%600) : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %602 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %603 = "stablehlo.reduce"(%601, %602) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %1332 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1332) : (tensor<f32>) -> ()
    }) : (tensor<1x1x12xf32>, tensor<f32>) -> tensor<12xf32>
    %604 = "stablehlo.multiply"(%41, %598) : (tensor<2x6x12xf32>, tensor<2x6x12xf32>) -> tensor<2x6x12xf32>
    %605 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %606 = "stablehlo.reduce"(%604, %605) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %1331 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1331) : (tensor<f32>) -> ()
    }) : (tensor<2x6x12xf32>, tensor<f32>) -> tensor<12xf32>
    %607 = "stablehlo.reshape"(%606) : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %608 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %609 = "stablehlo.reduce"(%607, %608) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %1330 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1330) : (tensor<f32>) -> ()
    }) : (tensor<1x1x12xf32>, tensor<f32>) -> tensor<12xf32>
    %610 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %611 = "stablehlo.broadcast_in_dim"(%610) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %612 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %613 = "stablehlo.broadcast_in_dim"(%612) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %614 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %615 = "stablehlo.broadcast_in_dim"(%614) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %616 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %617 = "stablehlo.broadcast_in_dim"(%616) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %618 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %619 = "stablehlo.broadcast_in_dim"(%618) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %620 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %621 = "stablehlo.broadcast_in_dim"(%620) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %622 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %623 = "stablehlo.broadcast_in_dim"(%622) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %624 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %625 = "stablehlo.broadcast_in_dim"(%624) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %626 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %627 = "stablehlo.broadcast_in_dim"(%626) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %628 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %629 = "stablehlo.broadcast_in_dim"(%628) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %630 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %631 = "stablehlo.broadcast_in_dim"(%630) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %632 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %633 = "stablehlo.broadcast_in_dim"(%632) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %634 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %635 = "stablehlo.broadcast_in_dim"(%634) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %636 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %637 = "stablehlo.broadcast_in_dim"(%636) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %638 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %639 = "stablehlo.broadcast_in_dim"(%638) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %640 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %641 = "stablehlo.broadcast_in_dim"(%640) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %642 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %643 = "stablehlo.broadcast_in_dim"(%642) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %644 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %645 = "stablehlo.broadcast_in_dim"(%644) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %646 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %647 = "stablehlo.broadcast_in_dim"(%646) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %648 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %649 = "stablehlo.broadcast_in_dim"(%648) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %650 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %651 = "stablehlo.broadcast_in_dim"(%650) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %652 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %653 = "stablehlo.broadcast_in_dim"(%652) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %654 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %655 = "stablehlo.broadcast_in_dim"(%654) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %656 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %657 = "stablehlo.broadcast_in_dim"(%656) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %658 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %659 = "stablehlo.broadcast_in_dim"(%658) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %660 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %661 = "stablehlo.broadcast_in_dim"(%660) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %662 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %663 = "stablehlo.broadcast_in_dim"(%662) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %664 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %665 = "stablehlo.broadcast_in_dim"(%664) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %666 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %667 = "stablehlo.broadcast_in_dim"(%666) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %668 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %669 = "stablehlo.broadcast_in_dim"(%668) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %670 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %671 = "stablehlo.broadcast_in_dim"(%670) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %672 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %673 = "stablehlo.broadcast_in_dim"(%672) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %674 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %675 = "stablehlo.broadcast_in_dim"(%674) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %676 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %677 = "stablehlo.broadcast_in_dim"(%676) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %678 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %679 = "stablehlo.broadcast_in_dim"(%678) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %680 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %681 = "stablehlo.broadcast_in_dim"(%680) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %682 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %683 = "stablehlo.broadcast_in_dim"(%682) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %684 = "stablehlo.multiply"(%683, %485) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %685 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %686 = "stablehlo.broadcast_in_dim"(%685) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %687 = "stablehlo.multiply"(%686, %611) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %688 = "stablehlo.add"(%684, %687) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %689 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %690 = "stablehlo.broadcast_in_dim"(%689) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %691 = "stablehlo.multiply"(%690, %603) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %692 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %693 = "stablehlo.broadcast_in_dim"(%692) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %694 = "stablehlo.multiply"(%693, %613) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %695 = "stablehlo.add"(%691, %694) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %696 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %697 = "stablehlo.broadcast_in_dim"(%696) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %698 = "stablehlo.multiply"(%697, %511) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %699 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %700 = "stablehlo.broadcast_in_dim"(%699) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %701 = "stablehlo.multiply"(%700, %615) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %702 = "stablehlo.add"(%698, %701) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %703 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %704 = "stablehlo.broadcast_in_dim"(%703) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %705 = "stablehlo.multiply"(%704, %553) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %706 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %707 = "stablehlo.broadcast_in_dim"(%706) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %708 = "stablehlo.multiply"(%707, %617) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %709 = "stablehlo.add"(%705, %708) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %710 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %711 = "stablehlo.broadcast_in_dim"(%710) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %712 = "stablehlo.multiply"(%711, %597) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %713 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %714 = "stablehlo.broadcast_in_dim"(%713) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %715 = "stablehlo.multiply"(%714, %619) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %716 = "stablehlo.add"(%712, %715) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %717 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %718 = "stablehlo.broadcast_in_dim"(%717) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %719 = "stablehlo.multiply"(%718, %595) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %720 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %721 = "stablehlo.broadcast_in_dim"(%720) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %722 = "stablehlo.multiply"(%721, %621) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %723 = "stablehlo.add"(%719, %722) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %724 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %725 = "stablehlo.broadcast_in_dim"(%724) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %726 = "stablehlo.multiply"(%725, %609) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %727 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %728 = "stablehlo.broadcast_in_dim"(%727) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %729 = "stablehlo.multiply"(%728, %623) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %730 = "stablehlo.add"(%726, %729) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %731 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %732 = "stablehlo.broadcast_in_dim"(%731) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %733 = "stablehlo.multiply"(%732, %519) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %734 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %735 = "stablehlo.broadcast_in_dim"(%734) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %736 = "stablehlo.multiply"(%735, %625) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %737 = "stablehlo.add"(%733, %736) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %738 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %739 = "stablehlo.broadcast_in_dim"(%738) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %740 = "stablehlo.multiply"(%739, %505) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %741 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %742 = "stablehlo.broadcast_in_dim"(%741) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %743 = "stablehlo.multiply"(%742, %627) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %744 = "stablehlo.add"(%740, %743) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %745 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %746 = "stablehlo.broadcast_in_dim"(%745) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %747 = "stablehlo.multiply"(%746, %325) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %748 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %749 = "stablehlo.broadcast_in_dim"(%748) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %750 = "stablehlo.multiply"(%749, %629) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %751 = "stablehlo.add"(%747, %750) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %752 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %753 = "stablehlo.broadcast_in_dim"(%752) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %754 = "stablehlo.multiply"(%753, %443) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %755 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %756 = "stablehlo.broadcast_in_dim"(%755) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %757 = "stablehlo.multiply"(%756, %631) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %758 = "stablehlo.add"(%754, %757) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %759 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %760 = "stablehlo.broadcast_in_dim"(%759) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %761 = "stablehlo.multiply"(%760, %351) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %762 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %763 = "stablehlo.broadcast_in_dim"(%762) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %764 = "stablehlo.multiply"(%763, %633) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %765 = "stablehlo.add"(%761, %764) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %766 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %767 = "stablehlo.broadcast_in_dim"(%766) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %768 = "stablehlo.multiply"(%767, %393) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %769 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %770 = "stablehlo.broadcast_in_dim"(%769) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %771 = "stablehlo.multiply"(%770, %635) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %772 = "stablehlo.add"(%768, %771) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %773 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %774 = "stablehlo.broadcast_in_dim"(%773) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %775 = "stablehlo.multiply"(%774, %437) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %776 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %777 = "stablehlo.broadcast_in_dim"(%776) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %778 = "stablehlo.multiply"(%777, %637) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %779 = "stablehlo.add"(%775, %778) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %780 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %781 = "stablehlo.broadcast_in_dim"(%780) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %782 = "stablehlo.multiply"(%781, %435) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %783 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %784 = "stablehlo.broadcast_in_dim"(%783) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %785 = "stablehlo.multiply"(%784, %639) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %786 = "stablehlo.add"(%782, %785) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %787 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %788 = "stablehlo.broadcast_in_dim"(%787) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %789 = "stablehlo.multiply"(%788, %451) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %790 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %791 = "stablehlo.broadcast_in_dim"(%790) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %792 = "stablehlo.multiply"(%791, %641) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %793 = "stablehlo.add"(%789, %792) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %794 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %795 = "stablehlo.broadcast_in_dim"(%794) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %796 = "stablehlo.multiply"(%795, %359) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %797 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %798 = "stablehlo.broadcast_in_dim"(%797) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %799 = "stablehlo.multiply"(%798, %643) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %800 = "stablehlo.add"(%796, %799) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %801 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %802 = "stablehlo.broadcast_in_dim"(%801) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %803 = "stablehlo.multiply"(%802, %345) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %804 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %805 = "stablehlo.broadcast_in_dim"(%804) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %806 = "stablehlo.multiply"(%805, %645) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %807 = "stablehlo.add"(%803, %806) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %808 = "stablehlo.multiply"(%485, %485) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %809 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %810 = "stablehlo.broadcast_in_dim"(%809) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %811 = "stablehlo.multiply"(%810, %808) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %812 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %813 = "stablehlo.broadcast_in_dim"(%812) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %814 = "stablehlo.multiply"(%813, %647) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %815 = "stablehlo.add"(%811, %814) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %816 = "stablehlo.multiply"(%603, %603) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %817 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %818 = "stablehlo.broadcast_in_dim"(%817) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %819 = "stablehlo.multiply"(%818, %816) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %820 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %821 = "stablehlo.broadcast_in_dim"(%820) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %822 = "stablehlo.multiply"(%821, %649) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %823 = "stablehlo.add"(%819, %822) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %824 = "stablehlo.multiply"(%511, %511) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %825 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %826 = "stablehlo.broadcast_in_dim"(%825) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %827 = "stablehlo.multiply"(%826, %824) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %828 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %829 = "stablehlo.broadcast_in_dim"(%828) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %830 = "stablehlo.multiply"(%829, %651) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %831 = "stablehlo.add"(%827, %830) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %832 = "stablehlo.multiply"(%553, %553) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %833 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %834 = "stablehlo.broadcast_in_dim"(%833) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %835 = "stablehlo.multiply"(%834, %832) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %836 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %837 = "stablehlo.broadcast_in_dim"(%836) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %838 = "stablehlo.multiply"(%837, %653) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %839 = "stablehlo.add"(%835, %838) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %840 = "stablehlo.multiply"(%597, %597) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %841 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %842 = "stablehlo.broadcast_in_dim"(%841) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %843 = "stablehlo.multiply"(%842, %840) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %844 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %845 = "stablehlo.broadcast_in_dim"(%844) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %846 = "stablehlo.multiply"(%845, %655) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %847 = "stablehlo.add"(%843, %846) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %848 = "stablehlo.multiply"(%595, %595) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %849 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %850 = "stablehlo.broadcast_in_dim"(%849) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %851 = "stablehlo.multiply"(%850, %848) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %852 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %853 = "stablehlo.broadcast_in_dim"(%852) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %854 = "stablehlo.multiply"(%853, %657) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %855 = "stablehlo.add"(%851, %854) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %856 = "stablehlo.multiply"(%609, %609) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %857 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %858 = "stablehlo.broadcast_in_dim"(%857) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %859 = "stablehlo.multiply"(%858, %856) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %860 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %861 = "stablehlo.broadcast_in_dim"(%860) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %862 = "stablehlo.multiply"(%861, %659) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %863 = "stablehlo.add"(%859, %862) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %864 = "stablehlo.multiply"(%519, %519) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %865 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %866 = "stablehlo.broadcast_in_dim"(%865) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %867 = "stablehlo.multiply"(%866, %864) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %868 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %869 = "stablehlo.broadcast_in_dim"(%868) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %870 = "stablehlo.multiply"(%869, %661) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %871 = "stablehlo.add"(%867, %870) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %872 = "stablehlo.multiply"(%505, %505) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %873 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %874 = "stablehlo.broadcast_in_dim"(%873) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %875 = "stablehlo.multiply"(%874, %872) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %876 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %877 = "stablehlo.broadcast_in_dim"(%876) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %878 = "stablehlo.multiply"(%877, %663) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %879 = "stablehlo.add"(%875, %878) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %880 = "stablehlo.multiply"(%325, %325) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %881 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %882 = "stablehlo.broadcast_in_dim"(%881) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %883 = "stablehlo.multiply"(%882, %880) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %884 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %885 = "stablehlo.broadcast_in_dim"(%884) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %886 = "stablehlo.multiply"(%885, %665) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %887 = "stablehlo.add"(%883, %886) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %888 = "stablehlo.multiply"(%443, %443) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %889 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %890 = "stablehlo.broadcast_in_dim"(%889) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %891 = "stablehlo.multiply"(%890, %888) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %892 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %893 = "stablehlo.broadcast_in_dim"(%892) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %894 = "stablehlo.multiply"(%893, %667) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %895 = "stablehlo.add"(%891, %894) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %896 = "stablehlo.multiply"(%351, %351) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %897 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %898 = "stablehlo.broadcast_in_dim"(%897) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %899 = "stablehlo.multiply"(%898, %896) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %900 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %901 = "stablehlo.broadcast_in_dim"(%900) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %902 = "stablehlo.multiply"(%901, %669) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %903 = "stablehlo.add"(%899, %902) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %904 = "stablehlo.multiply"(%393, %393) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %905 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %906 = "stablehlo.broadcast_in_dim"(%905) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %907 = "stablehlo.multiply"(%906, %904) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %908 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %909 = "stablehlo.broadcast_in_dim"(%908) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %910 = "stablehlo.multiply"(%909, %671) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %911 = "stablehlo.add"(%907, %910) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %912 = "stablehlo.multiply"(%437, %437) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %913 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %914 = "stablehlo.broadcast_in_dim"(%913) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %915 = "stablehlo.multiply"(%914, %912) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %916 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %917 = "stablehlo.broadcast_in_dim"(%916) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %918 = "stablehlo.multiply"(%917, %673) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %919 = "stablehlo.add"(%915, %918) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %920 = "stablehlo.multiply"(%435, %435) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %921 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %922 = "stablehlo.broadcast_in_dim"(%921) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %923 = "stablehlo.multiply"(%922, %920) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %924 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %925 = "stablehlo.broadcast_in_dim"(%924) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %926 = "stablehlo.multiply"(%925, %675) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %927 = "stablehlo.add"(%923, %926) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %928 = "stablehlo.multiply"(%451, %451) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %929 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %930 = "stablehlo.broadcast_in_dim"(%929) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %931 = "stablehlo.multiply"(%930, %928) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %932 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %933 = "stablehlo.broadcast_in_dim"(%932) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %934 = "stablehlo.multiply"(%933, %677) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %935 = "stablehlo.add"(%931, %934) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %936 = "stablehlo.multiply"(%359, %359) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %937 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %938 = "stablehlo.broadcast_in_dim"(%937) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %939 = "stablehlo.multiply"(%938, %936) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %940 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %941 = "stablehlo.broadcast_in_dim"(%940) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %942 = "stablehlo.multiply"(%941, %679) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %943 = "stablehlo.add"(%939, %942) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %944 = "stablehlo.multiply"(%345, %345) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %945 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %946 = "stablehlo.broadcast_in_dim"(%945) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %947 = "stablehlo.multiply"(%946, %944) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %948 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %949 = "stablehlo.broadcast_in_dim"(%948) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %950 = "stablehlo.multiply"(%949, %681) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %951 = "stablehlo.add"(%947, %950) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %952 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %953 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %954 = "stablehlo.compare"(%952, %953) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %955 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %956 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %957 = "stablehlo.add"(%955, %956) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %958 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %959 = "func.call"(%954, %957, %958) <{callee = @_where_1}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %960 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %961 = "stablehlo.convert"(%959) : (tensor<i32>) -> tensor<f32>
    %962 = "stablehlo.power"(%960, %961) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %963 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %964 = "stablehlo.subtract"(%963, %962) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %965 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %966 = "stablehlo.divide"(%688, %965) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %967 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %968 = "stablehlo.divide"(%695, %967) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %969 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %970 = "stablehlo.divide"(%702, %969) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %971 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %972 = "stablehlo.divide"(%709, %971) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %973 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %974 = "stablehlo.divide"(%716, %973) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %975 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %976 = "stablehlo.divide"(%723, %975) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %977 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %978 = "stablehlo.divide"(%730, %977) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %979 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %980 = "stablehlo.divide"(%737, %979) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %981 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %982 = "stablehlo.divide"(%744, %981) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %983 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %984 = "stablehlo.divide"(%751, %983) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %985 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %986 = "stablehlo.divide"(%758, %985) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %987 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %988 = "stablehlo.divide"(%765, %987) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %989 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %990 = "stablehlo.divide"(%772, %989) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %991 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %992 = "stablehlo.divide"(%779, %991) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %993 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %994 = "stablehlo.divide"(%786, %993) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %995 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %996 = "stablehlo.divide"(%793, %995) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %997 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %998 = "stablehlo.divide"(%800, %997) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %999 = "stablehlo.broadcast_in_dim"(%964) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1000 = "stablehlo.divide"(%807, %999) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1001 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %1002 = "stablehlo.convert"(%959) : (tensor<i32>) -> tensor<f32>
    %1003 = "stablehlo.power"(%1001, %1002) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %1004 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1005 = "stablehlo.subtract"(%1004, %1003) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %1006 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1007 = "stablehlo.divide"(%815, %1006) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1008 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1009 = "stablehlo.divide"(%823, %1008) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1010 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1011 = "stablehlo.divide"(%831, %1010) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1012 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1013 = "stablehlo.divide"(%839, %1012) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1014 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1015 = "stablehlo.divide"(%847, %1014) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1016 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1017 = "stablehlo.divide"(%855, %1016) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1018 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1019 = "stablehlo.divide"(%863, %1018) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1020 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1021 = "stablehlo.divide"(%871, %1020) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1022 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1023 = "stablehlo.divide"(%879, %1022) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1024 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1025 = "stablehlo.divide"(%887, %1024) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1026 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1027 = "stablehlo.divide"(%895, %1026) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1028 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1029 = "stablehlo.divide"(%903, %1028) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1030 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1031 = "stablehlo.divide"(%911, %1030) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1032 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1033 = "stablehlo.divide"(%919, %1032) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1034 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1035 = "stablehlo.divide"(%927, %1034) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1036 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1037 = "stablehlo.divide"(%935, %1036) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1038 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1039 = "stablehlo.divide"(%943, %1038) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1040 = "stablehlo.broadcast_in_dim"(%1005) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1041 = "stablehlo.divide"(%951, %1040) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1042 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1043 = "stablehlo.broadcast_in_dim"(%1042) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1044 = "stablehlo.add"(%1007, %1043) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1045 = "stablehlo.sqrt"(%1044) : (tensor<24x12xf32>) -> tensor<24x12xf32>
    %1046 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1047 = "stablehlo.broadcast_in_dim"(%1046) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1048 = "stablehlo.add"(%1045, %1047) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1049 = "stablehlo.divide"(%966, %1048) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1050 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1051 = "stablehlo.broadcast_in_dim"(%1050) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1052 = "stablehlo.add"(%1009, %1051) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1053 = "stablehlo.sqrt"(%1052) : (tensor<12xf32>) -> tensor<12xf32>
    %1054 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1055 = "stablehlo.broadcast_in_dim"(%1054) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1056 = "stablehlo.add"(%1053, %1055) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1057 = "stablehlo.divide"(%968, %1056) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1058 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1059 = "stablehlo.broadcast_in_dim"(%1058) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1060 = "stablehlo.add"(%1011, %1059) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1061 = "stablehlo.sqrt"(%1060) : (tensor<12xf32>) -> tensor<12xf32>
    %1062 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1063 = "stablehlo.broadcast_in_dim"(%1062) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1064 = "stablehlo.add"(%1061, %1063) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1065 = "stablehlo.divide"(%970, %1064) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1066 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1067 = "stablehlo.broadcast_in_dim"(%1066) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1068 = "stablehlo.add"(%1013, %1067) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1069 = "stablehlo.sqrt"(%1068) : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %1070 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1071 = "stablehlo.broadcast_in_dim"(%1070) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1072 = "stablehlo.add"(%1069, %1071) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1073 = "stablehlo.divide"(%972, %1072) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1074 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1075 = "stablehlo.broadcast_in_dim"(%1074) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1076 = "stablehlo.add"(%1015, %1075) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1077 = "stablehlo.sqrt"(%1076) : (tensor<12x36xf32>) -> tensor<12x36xf32>
    %1078 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1079 = "stablehlo.broadcast_in_dim"(%1078) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1080 = "stablehlo.add"(%1077, %1079) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1081 = "stablehlo.divide"(%974, %1080) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1082 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1083 = "stablehlo.broadcast_in_dim"(%1082) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1084 = "stablehlo.add"(%1017, %1083) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1085 = "stablehlo.sqrt"(%1084) : (tensor<36xf32>) -> tensor<36xf32>
    %1086 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1087 = "stablehlo.broadcast_in_dim"(%1086) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1088 = "stablehlo.add"(%1085, %1087) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1089 = "stablehlo.divide"(%976, %1088) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1090 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1091 = "stablehlo.broadcast_in_dim"(%1090) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1092 = "stablehlo.add"(%1019, %1091) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1093 = "stablehlo.sqrt"(%1092) : (tensor<12xf32>) -> tensor<12xf32>
    %1094 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1095 = "stablehlo.broadcast_in_dim"(%1094) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1096 = "stablehlo.add"(%1093, %1095) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1097 = "stablehlo.divide"(%978, %1096) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1098 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1099 = "stablehlo.broadcast_in_dim"(%1098) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1100 = "stablehlo.add"(%1021, %1099) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1101 = "stablehlo.sqrt"(%1100) : (tensor<12xf32>) -> tensor<12xf32>
    %1102 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1103 = "stablehlo.broadcast_in_dim"(%1102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1104 = "stablehlo.add"(%1101, %1103) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1105 = "stablehlo.divide"(%980, %1104) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1106 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1107 = "stablehlo.broadcast_in_dim"(%1106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1108 = "stablehlo.add"(%1023, %1107) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1109 = "stablehlo.sqrt"(%1108) : (tensor<12x24xf32>) -> tensor<12x24xf32>
    %1110 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1111 = "stablehlo.broadcast_in_dim"(%1110) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1112 = "stablehlo.add"(%1109, %1111) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1113 = "stablehlo.divide"(%982, %1112) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1114 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1115 = "stablehlo.broadcast_in_dim"(%1114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1116 = "stablehlo.add"(%1025, %1115) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1117 = "stablehlo.sqrt"(%1116) : (tensor<24x12xf32>) -> tensor<24x12xf32>
    %1118 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1119 = "stablehlo.broadcast_in_dim"(%1118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1120 = "stablehlo.add"(%1117, %1119) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1121 = "stablehlo.divide"(%984, %1120) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1122 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1123 = "stablehlo.broadcast_in_dim"(%1122) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1124 = "stablehlo.add"(%1027, %1123) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1125 = "stablehlo.sqrt"(%1124) : (tensor<12xf32>) -> tensor<12xf32>
    %1126 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1127 = "stablehlo.broadcast_in_dim"(%1126) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1128 = "stablehlo.add"(%1125, %1127) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1129 = "stablehlo.divide"(%986, %1128) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1130 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1131 = "stablehlo.broadcast_in_dim"(%1130) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1132 = "stablehlo.add"(%1029, %1131) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1133 = "stablehlo.sqrt"(%1132) : (tensor<12xf32>) -> tensor<12xf32>
    %1134 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1135 = "stablehlo.broadcast_in_dim"(%1134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1136 = "stablehlo.add"(%1133, %1135) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1137 = "stablehlo.divide"(%988, %1136) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1138 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1139 = "stablehlo.broadcast_in_dim"(%1138) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1140 = "stablehlo.add"(%1031, %1139) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1141 = "stablehlo.sqrt"(%1140) : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %1142 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1143 = "stablehlo.broadcast_in_dim"(%1142) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1144 = "stablehlo.add"(%1141, %1143) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1145 = "stablehlo.divide"(%990, %1144) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1146 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1147 = "stablehlo.broadcast_in_dim"(%1146) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1148 = "stablehlo.add"(%1033, %1147) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1149 = "stablehlo.sqrt"(%1148) : (tensor<12x36xf32>) -> tensor<12x36xf32>
    %1150 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1151 = "stablehlo.broadcast_in_dim"(%1150) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1152 = "stablehlo.add"(%1149, %1151) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1153 = "stablehlo.divide"(%992, %1152) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1154 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1155 = "stablehlo.broadcast_in_dim"(%1154) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1156 = "stablehlo.add"(%1035, %1155) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1157 = "stablehlo.sqrt"(%1156) : (tensor<36xf32>) -> tensor<36xf32>
    %1158 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1159 = "stablehlo.broadcast_in_dim"(%1158) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1160 = "stablehlo.add"(%1157, %1159) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1161 = "stablehlo.divide"(%994, %1160) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1162 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1163 = "stablehlo.broadcast_in_dim"(%1162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1164 = "stablehlo.add"(%1037, %1163) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1165 = "stablehlo.sqrt"(%1164) : (tensor<12xf32>) -> tensor<12xf32>
    %1166 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1167 = "stablehlo.broadcast_in_dim"(%1166) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1168 = "stablehlo.add"(%1165, %1167) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1169 = "stablehlo.divide"(%996, %1168) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1170 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1171 = "stablehlo.broadcast_in_dim"(%1170) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1172 = "stablehlo.add"(%1039, %1171) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1173 = "stablehlo.sqrt"(%1172) : (tensor<12xf32>) -> tensor<12xf32>
    %1174 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1175 = "stablehlo.broadcast_in_dim"(%1174) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1176 = "stablehlo.add"(%1173, %1175) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1177 = "stablehlo.divide"(%998, %1176) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1178 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1179 = "stablehlo.broadcast_in_dim"(%1178) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1180 = "stablehlo.add"(%1041, %1179) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1181 = "stablehlo.sqrt"(%1180) : (tensor<12x24xf32>) -> tensor<12x24xf32>
    %1182 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %1183 = "stablehlo.broadcast_in_dim"(%1182) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1184 = "stablehlo.add"(%1181, %1183) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1185 = "stablehlo.divide"(%1000, %1184) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1186 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1187 = "stablehlo.broadcast_in_dim"(%1186) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1188 = "stablehlo.multiply"(%1187, %arg19) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1189 = "stablehlo.add"(%1049, %1188) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1190 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1191 = "stablehlo.broadcast_in_dim"(%1190) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1192 = "stablehlo.multiply"(%1191, %arg12) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1193 = "stablehlo.add"(%1057, %1192) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1194 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1195 = "stablehlo.broadcast_in_dim"(%1194) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1196 = "stablehlo.multiply"(%1195, %arg17) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1197 = "stablehlo.add"(%1065, %1196) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1198 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1199 = "stablehlo.broadcast_in_dim"(%1198) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1200 = "stablehlo.multiply"(%1199, %arg15) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1201 = "stablehlo.add"(%1073, %1200) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1202 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1203 = "stablehlo.broadcast_in_dim"(%1202) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1204 = "stablehlo.multiply"(%1203, %arg13) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1205 = "stablehlo.add"(%1081, %1204) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1206 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1207 = "stablehlo.broadcast_in_dim"(%1206) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1208 = "stablehlo.multiply"(%1207, %arg14) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1209 = "stablehlo.add"(%1089, %1208) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1210 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1211 = "stablehlo.broadcast_in_dim"(%1210) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1212 = "stablehlo.multiply"(%1211, %arg11) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1213 = "stablehlo.add"(%1097, %1212) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1214 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1215 = "stablehlo.broadcast_in_dim"(%1214) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1216 = "stablehlo.multiply"(%1215, %arg16) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1217 = "stablehlo.add"(%1105, %1216) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1218 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1219 = "stablehlo.broadcast_in_dim"(%1218) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1220 = "stablehlo.multiply"(%1219, %arg18) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1221 = "stablehlo.add"(%1113, %1220) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1222 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1223 = "stablehlo.broadcast_in_dim"(%1222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1224 = "stablehlo.multiply"(%1223, %arg28) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1225 = "stablehlo.add"(%1121, %1224) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1226 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1227 = "stablehlo.broadcast_in_dim"(%1226) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1228 = "stablehlo.multiply"(%1227, %arg21) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1229 = "stablehlo.add"(%1129, %1228) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1230 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1231 = "stablehlo.broadcast_in_dim"(%1230) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1232 = "stablehlo.multiply"(%1231, %arg26) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1233 = "stablehlo.add"(%1137, %1232) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1234 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1235 = "stablehlo.broadcast_in_dim"(%1234) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1236 = "stablehlo.multiply"(%1235, %arg24) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1237 = "stablehlo.add"(%1145, %1236) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1238 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1239 = "stablehlo.broadcast_in_dim"(%1238) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1240 = "stablehlo.multiply"(%1239, %arg22) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1241 = "stablehlo.add"(%1153, %1240) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1242 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1243 = "stablehlo.broadcast_in_dim"(%1242) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1244 = "stablehlo.multiply"(%1243, %arg23) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1245 = "stablehlo.add"(%1161, %1244) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1246 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1247 = "stablehlo.broadcast_in_dim"(%1246) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1248 = "stablehlo.multiply"(%1247, %arg20) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1249 = "stablehlo.add"(%1169, %1248) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1250 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1251 = "stablehlo.broadcast_in_dim"(%1250) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1252 = "stablehlo.multiply"(%1251, %arg25) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1253 = "stablehlo.add"(%1177, %1252) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1254 = "stablehlo.constant"() <{value = dense<9.99999974E-5> : tensor<f32>}> : () -> tensor<f32>
    %1255 = "stablehlo.broadcast_in_dim"(%1254) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1256 = "stablehlo.multiply"(%1255, %arg27) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1257 = "stablehlo.add"(%1185, %1256) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1258 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1259 = "stablehlo.broadcast_in_dim"(%1258) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1260 = "stablehlo.multiply"(%1259, %1189) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1261 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1262 = "stablehlo.broadcast_in_dim"(%1261) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1263 = "stablehlo.multiply"(%1262, %1193) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1264 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1265 = "stablehlo.broadcast_in_dim"(%1264) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1266 = "stablehlo.multiply"(%1265, %1197) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1267 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1268 = "stablehlo.broadcast_in_dim"(%1267) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1269 = "stablehlo.multiply"(%1268, %1201) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1270 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1271 = "stablehlo.broadcast_in_dim"(%1270) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1272 = "stablehlo.multiply"(%1271, %1205) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1273 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1274 = "stablehlo.broadcast_in_dim"(%1273) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1275 = "stablehlo.multiply"(%1274, %1209) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1276 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1277 = "stablehlo.broadcast_in_dim"(%1276) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1278 = "stablehlo.multiply"(%1277, %1213) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1279 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1280 = "stablehlo.broadcast_in_dim"(%1279) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1281 = "stablehlo.multiply"(%1280, %1217) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1282 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1283 = "stablehlo.broadcast_in_dim"(%1282) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1284 = "stablehlo.multiply"(%1283, %1221) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1285 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1286 = "stablehlo.broadcast_in_dim"(%1285) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x12xf32>
    %1287 = "stablehlo.multiply"(%1286, %1225) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1288 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1289 = "stablehlo.broadcast_in_dim"(%1288) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1290 = "stablehlo.multiply"(%1289, %1229) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1291 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1292 = "stablehlo.broadcast_in_dim"(%1291) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1293 = "stablehlo.multiply"(%1292, %1233) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1294 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1295 = "stablehlo.broadcast_in_dim"(%1294) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %1296 = "stablehlo.multiply"(%1295, %1237) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1297 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1298 = "stablehlo.broadcast_in_dim"(%1297) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %1299 = "stablehlo.multiply"(%1298, %1241) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1300 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1301 = "stablehlo.broadcast_in_dim"(%1300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %1302 = "stablehlo.multiply"(%1301, %1245) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1303 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1304 = "stablehlo.broadcast_in_dim"(%1303) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1305 = "stablehlo.multiply"(%1304, %1249) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1306 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1307 = "stablehlo.broadcast_in_dim"(%1306) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %1308 = "stablehlo.multiply"(%1307, %1253) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1309 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %1310 = "stablehlo.broadcast_in_dim"(%1309) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x24xf32>
    %1311 = "stablehlo.multiply"(%1310, %1257) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1312 = "stablehlo.add"(%arg19, %1260) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1313 = "stablehlo.add"(%arg12, %1263) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1314 = "stablehlo.add"(%arg17, %1266) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1315 = "stablehlo.add"(%arg15, %1269) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1316 = "stablehlo.add"(%arg13, %1272) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1317 = "stablehlo.add"(%arg14, %1275) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1318 = "stablehlo.add"(%arg11, %1278) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1319 = "stablehlo.add"(%arg16, %1281) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1320 = "stablehlo.add"(%arg18, %1284) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    %1321 = "stablehlo.add"(%arg28, %1287) : (tensor<24x12xf32>, tensor<24x12xf32>) -> tensor<24x12xf32>
    %1322 = "stablehlo.add"(%arg21, %1290) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1323 = "stablehlo.add"(%arg26, %1293) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1324 = "stablehlo.add"(%arg24, %1296) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %1325 = "stablehlo.add"(%arg22, %1299) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %1326 = "stablehlo.add"(%arg23, %1302) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %1327 = "stablehlo.add"(%arg20, %1305) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1328 = "stablehlo.add"(%arg25, %1308) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1329 = "stablehlo.add"(%arg27, %1311) : (tensor<12x24xf32>, tensor<12x24xf32>) -> tensor<12x24xf32>
    "func.return"(%318, %1312, %1313, %1314, %1315, %1316, %1317, %1318, %1319, %1320, %1321, %1322, %1323, %1324, %1325, %1326, %1327, %1328, %1329, %815, %823, %831, %839, %847, %855, %863, %871, %879, %887, %895, %903, %911, %919, %927, %935, %943, %951) : (tensor<f32>, tensor<24x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>, tensor<24x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>, tensor<24x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>, tensor<24x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x12xf32>, tensor<12x36xf32>, tensor<36xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x6xi1>) -> tensor<6x6xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<6x6xi1>):
    %10 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6x6xi32>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6x6xi32>
    %13 = "stablehlo.add"(%10, %12) : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi32>
    %14 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x6xi32>
    %15 = "stablehlo.compare"(%13, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %16 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %18 = "stablehlo.select"(%15, %arg8, %17) : (tensor<6x6xi1>, tensor<6x6xi1>, tensor<6x6xi1>) -> tensor<6x6xi1>
    "func.return"(%18) : (tensor<6x6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x3x6x6xi1>, tensor<2x3x6x1x6xf32>, tensor<f32>) -> (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<2x3x6x6xi1>, %arg6: tensor<2x3x6x1x6xf32>, %arg7: tensor<f32>):
    %5 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x6xf32>
    %6 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x6x6xi1>) -> tensor<1x2x3x6x6xi1>
    %7 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %8 = "stablehlo.transpose"(%arg6) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x3x6x1x6xf32>) -> tensor<1x2x3x6x6xf32>
    %9 = "stablehlo.select"(%6, %8, %7) : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    "func.return"(%9, %6) : (tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>) -> tensor<2x3x6x1x6xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<1x2x3x6x6xi1>, %arg4: tensor<1x2x3x6x6xf32>):
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x6x6xf32>
    %3 = "stablehlo.select"(%arg3, %arg4, %2) : (tensor<1x2x3x6x6xi1>, tensor<1x2x3x6x6xf32>, tensor<1x2x3x6x6xf32>) -> tensor<1x2x3x6x6xf32>
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x3x6x6xf32>) -> tensor<2x3x6x1x6xf32>
    "func.return"(%4) : (tensor<2x3x6x1x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
