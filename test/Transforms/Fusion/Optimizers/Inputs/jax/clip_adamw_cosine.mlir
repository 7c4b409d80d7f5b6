// clip_adamw_cosine: written by scripts/optimizer-corpus.py with jax 0.10.2, optax 0.2.8
// fused: adamw:1,clip_norm:1
// params: 5 state: 17
"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<32x8xf32>, tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}, {jax.result_info = "result[13]"}, {jax.result_info = "result[14]"}, {jax.result_info = "result[15]"}, {jax.result_info = "result[16]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<16xf32>, %arg4: tensor<4xf32>, %arg5: tensor<1xf32>, %arg6: tensor<8x16xf32>, %arg7: tensor<16x4xf32>, %arg8: tensor<i32>, %arg9: tensor<16xf32>, %arg10: tensor<4xf32>, %arg11: tensor<1xf32>, %arg12: tensor<8x16xf32>, %arg13: tensor<16x4xf32>, %arg14: tensor<16xf32>, %arg15: tensor<4xf32>, %arg16: tensor<1xf32>, %arg17: tensor<8x16xf32>, %arg18: tensor<16x4xf32>, %arg19: tensor<i32>, %arg20: tensor<32x8xf32>, %arg21: tensor<32x4xf32>):
    %1 = "stablehlo.dot_general"(%arg20, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xf32>) -> tensor<1x16xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xf32>) -> tensor<32x16xf32>
    %4 = "stablehlo.add"(%1, %3) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %5 = "stablehlo.tanh"(%4) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x16xf32>
    %8 = "stablehlo.subtract"(%7, %5) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %9 = "stablehlo.dot_general"(%5, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
    %10 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<32x4xf32>
    %12 = "stablehlo.add"(%9, %11) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %13 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %15 = "stablehlo.multiply"(%12, %14) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %16 = "stablehlo.subtract"(%15, %arg21) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %17 = "stablehlo.multiply"(%16, %16) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %18 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %20 = "stablehlo.multiply"(%19, %16) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.reduce"(%17, %21) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %363 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%363) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.divide"(%22, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.divide"(%25, %26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %29 = "stablehlo.multiply"(%28, %20) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %30 = "stablehlo.multiply"(%12, %29) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %362 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%362) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.reshape"(%32) : (tensor<f32>) -> tensor<1x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %35 = "stablehlo.multiply"(%29, %34) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.reduce"(%33, %36) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %361 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%361) : (tensor<f32>) -> ()
    }) : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %360 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%360) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<4xf32>
    %41 = "stablehlo.reshape"(%40) : (tensor<4xf32>) -> tensor<1x4xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %359 = "stablehlo.add"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%359) : (tensor<f32>) -> ()
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %44 = "stablehlo.dot_general"(%35, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %45 = "stablehlo.transpose"(%44) <{permutation = array<i64: 1, 0>}> : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %46 = "stablehlo.dot_general"(%35, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %47 = "stablehlo.multiply"(%46, %8) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %48 = "stablehlo.multiply"(%47, %5) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %49 = "stablehlo.add"(%47, %48) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %50 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.reduce"(%49, %50) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %358 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%358) : (tensor<f32>) -> ()
    }) : (tensor<32x16xf32>, tensor<f32>) -> tensor<16xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<16xf32>) -> tensor<1x16xf32>
    %53 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.reduce"(%52, %53) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %357 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%357) : (tensor<f32>) -> ()
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %55 = "stablehlo.dot_general"(%49, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    %56 = "stablehlo.transpose"(%55) <{permutation = array<i64: 1, 0>}> : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %57 = "chlo.square"(%54) : (tensor<16xf32>) -> tensor<16xf32>
    %58 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %60 = "chlo.square"(%59) : (tensor<16xf32>) -> tensor<16xf32>
    %61 = "stablehlo.add"(%57, %60) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %62 = "chlo.square"(%43) : (tensor<4xf32>) -> tensor<4xf32>
    %63 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %65 = "chlo.square"(%64) : (tensor<4xf32>) -> tensor<4xf32>
    %66 = "stablehlo.add"(%62, %65) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %67 = "chlo.square"(%38) : (tensor<1xf32>) -> tensor<1xf32>
    %68 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %70 = "chlo.square"(%69) : (tensor<1xf32>) -> tensor<1xf32>
    %71 = "stablehlo.add"(%67, %70) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %72 = "chlo.square"(%56) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %73 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %75 = "chlo.square"(%74) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %76 = "stablehlo.add"(%72, %75) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %77 = "chlo.square"(%45) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %78 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %80 = "chlo.square"(%79) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %81 = "stablehlo.add"(%77, %80) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %82 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.reduce"(%61, %82) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %356 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%356) : (tensor<f32>) -> ()
    }) : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %84 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.reduce"(%66, %84) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %355 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%355) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %86 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.reduce"(%71, %86) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %354 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%354) : (tensor<f32>) -> ()
    }) : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %88 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.reduce"(%76, %88) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %353 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%353) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %90 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.reduce"(%81, %90) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %352 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%352) : (tensor<f32>) -> ()
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
    %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.add"(%92, %83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %94 = "stablehlo.add"(%93, %85) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %95 = "stablehlo.add"(%94, %87) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %96 = "stablehlo.add"(%95, %89) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %97 = "stablehlo.add"(%96, %91) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %98 = "stablehlo.sqrt"(%97) : (tensor<f32>) -> tensor<f32>
    %99 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %100 = "stablehlo.compare"(%98, %99) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %101 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %102 = "stablehlo.divide"(%54, %101) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %103 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %105 = "stablehlo.multiply"(%102, %104) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %106 = "stablehlo.select"(%100, %54, %105) : (tensor<i1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %107 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %108 = "stablehlo.divide"(%43, %107) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %109 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %111 = "stablehlo.multiply"(%108, %110) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %112 = "stablehlo.select"(%100, %43, %111) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %113 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %114 = "stablehlo.divide"(%38, %113) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %115 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %117 = "stablehlo.multiply"(%114, %116) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %118 = "stablehlo.select"(%100, %38, %117) : (tensor<i1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %119 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %120 = "stablehlo.divide"(%56, %119) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %121 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %122 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %123 = "stablehlo.multiply"(%120, %122) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %124 = "stablehlo.select"(%100, %56, %123) : (tensor<i1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %125 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %126 = "stablehlo.divide"(%45, %125) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %127 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %129 = "stablehlo.multiply"(%126, %128) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %130 = "stablehlo.select"(%100, %45, %129) : (tensor<i1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %131 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %133 = "stablehlo.multiply"(%132, %106) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %134 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %136 = "stablehlo.multiply"(%135, %arg9) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %137 = "stablehlo.add"(%133, %136) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %138 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %140 = "stablehlo.multiply"(%139, %112) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %141 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %143 = "stablehlo.multiply"(%142, %arg10) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %144 = "stablehlo.add"(%140, %143) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %145 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %147 = "stablehlo.multiply"(%146, %118) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %148 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %150 = "stablehlo.multiply"(%149, %arg11) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %151 = "stablehlo.add"(%147, %150) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %152 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %154 = "stablehlo.multiply"(%153, %124) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %155 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %157 = "stablehlo.multiply"(%156, %arg12) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %158 = "stablehlo.add"(%154, %157) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %159 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %160 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %161 = "stablehlo.multiply"(%160, %130) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %162 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %164 = "stablehlo.multiply"(%163, %arg13) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %165 = "stablehlo.add"(%161, %164) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %166 = "stablehlo.multiply"(%106, %106) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %167 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %168 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %169 = "stablehlo.multiply"(%168, %166) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %170 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %171 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %172 = "stablehlo.multiply"(%171, %arg14) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %173 = "stablehlo.add"(%169, %172) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %174 = "stablehlo.multiply"(%112, %112) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %175 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %176 = "stablehlo.broadcast_in_dim"(%175) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %177 = "stablehlo.multiply"(%176, %174) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %178 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %179 = "stablehlo.broadcast_in_dim"(%178) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %180 = "stablehlo.multiply"(%179, %arg15) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %181 = "stablehlo.add"(%177, %180) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %182 = "stablehlo.multiply"(%118, %118) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %183 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %184 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %185 = "stablehlo.multiply"(%184, %182) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %186 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %188 = "stablehlo.multiply"(%187, %arg16) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %189 = "stablehlo.add"(%185, %188) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %190 = "stablehlo.multiply"(%124, %124) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %191 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %192 = "stablehlo.broadcast_in_dim"(%191) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %193 = "stablehlo.multiply"(%192, %190) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %194 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %195 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %196 = "stablehlo.multiply"(%195, %arg17) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %197 = "stablehlo.add"(%193, %196) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %198 = "stablehlo.multiply"(%130, %130) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %199 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %200 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %201 = "stablehlo.multiply"(%200, %198) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %202 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %203 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %204 = "stablehlo.multiply"(%203, %arg18) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %205 = "stablehlo.add"(%201, %204) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %206 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %207 = "stablehlo.compare"(%arg8, %206) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %208 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %209 = "stablehlo.add"(%arg8, %208) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %210 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %211 = "func.call"(%207, %209, %210) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %212 = "stablehlo.convert"(%211) : (tensor<i32>) -> tensor<f32>
    %213 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %214 = "stablehlo.convert"(%211) : (tensor<i32>) -> tensor<f32>
    %215 = "stablehlo.power"(%213, %214) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %216 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %217 = "stablehlo.subtract"(%216, %215) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %218 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %219 = "stablehlo.divide"(%137, %218) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %220 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %221 = "stablehlo.divide"(%144, %220) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %222 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %223 = "stablehlo.divide"(%151, %222) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %224 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %225 = "stablehlo.divide"(%158, %224) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %226 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %227 = "stablehlo.divide"(%165, %226) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %228 = "stablehlo.convert"(%211) : (tensor<i32>) -> tensor<f32>
    %229 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %230 = "stablehlo.convert"(%211) : (tensor<i32>) -> tensor<f32>
    %231 = "stablehlo.power"(%229, %230) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %232 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %233 = "stablehlo.subtract"(%232, %231) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %234 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %235 = "stablehlo.divide"(%173, %234) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %236 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %237 = "stablehlo.divide"(%181, %236) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %238 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %239 = "stablehlo.divide"(%189, %238) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %240 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %241 = "stablehlo.divide"(%197, %240) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %242 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %243 = "stablehlo.divide"(%205, %242) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %244 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %245 = "stablehlo.broadcast_in_dim"(%244) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %246 = "stablehlo.add"(%235, %245) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %247 = "stablehlo.sqrt"(%246) : (tensor<16xf32>) -> tensor<16xf32>
    %248 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %249 = "stablehlo.broadcast_in_dim"(%248) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %250 = "stablehlo.add"(%247, %249) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %251 = "stablehlo.divide"(%219, %250) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %252 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %253 = "stablehlo.broadcast_in_dim"(%252) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %254 = "stablehlo.add"(%237, %253) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %255 = "stablehlo.sqrt"(%254) : (tensor<4xf32>) -> tensor<4xf32>
    %256 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %257 = "stablehlo.broadcast_in_dim"(%256) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %258 = "stablehlo.add"(%255, %257) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %259 = "stablehlo.divide"(%221, %258) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %260 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %261 = "stablehlo.broadcast_in_dim"(%260) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %262 = "stablehlo.add"(%239, %261) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %263 = "stablehlo.sqrt"(%262) : (tensor<1xf32>) -> tensor<1xf32>
    %264 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %265 = "stablehlo.broadcast_in_dim"(%264) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %266 = "stablehlo.add"(%263, %265) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %267 = "stablehlo.divide"(%223, %266) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %268 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %269 = "stablehlo.broadcast_in_dim"(%268) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %270 = "stablehlo.add"(%241, %269) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %271 = "stablehlo.sqrt"(%270) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %272 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %273 = "stablehlo.broadcast_in_dim"(%272) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %274 = "stablehlo.add"(%271, %273) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %275 = "stablehlo.divide"(%225, %274) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %276 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %277 = "stablehlo.broadcast_in_dim"(%276) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %278 = "stablehlo.add"(%243, %277) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %279 = "stablehlo.sqrt"(%278) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %280 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %281 = "stablehlo.broadcast_in_dim"(%280) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %282 = "stablehlo.add"(%279, %281) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %283 = "stablehlo.divide"(%227, %282) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %284 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %285 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %286 = "stablehlo.multiply"(%285, %arg3) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %287 = "stablehlo.add"(%251, %286) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %288 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %289 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %290 = "stablehlo.multiply"(%289, %arg4) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %291 = "stablehlo.add"(%259, %290) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %292 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %293 = "stablehlo.broadcast_in_dim"(%292) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %294 = "stablehlo.multiply"(%293, %arg5) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %295 = "stablehlo.add"(%267, %294) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %296 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %297 = "stablehlo.broadcast_in_dim"(%296) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %298 = "stablehlo.multiply"(%297, %arg6) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %299 = "stablehlo.add"(%275, %298) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %300 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %301 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %302 = "stablehlo.multiply"(%301, %arg7) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %303 = "stablehlo.add"(%283, %302) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %304 = "stablehlo.convert"(%arg19) : (tensor<i32>) -> tensor<f32>
    %305 = "stablehlo.constant"() <{value = dense<2.000000e+02> : tensor<f32>}> : () -> tensor<f32>
    %306 = "stablehlo.minimum"(%304, %305) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %307 = "stablehlo.constant"() <{value = dense<3.14159274> : tensor<f32>}> : () -> tensor<f32>
    %308 = "stablehlo.multiply"(%307, %306) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %309 = "stablehlo.constant"() <{value = dense<2.000000e+02> : tensor<f32>}> : () -> tensor<f32>
    %310 = "stablehlo.divide"(%308, %309) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %311 = "stablehlo.cosine"(%310) : (tensor<f32>) -> tensor<f32>
    %312 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %313 = "stablehlo.add"(%312, %311) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %314 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %315 = "stablehlo.multiply"(%314, %313) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %316 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %317 = "stablehlo.power"(%315, %316) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %318 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %319 = "stablehlo.multiply"(%318, %317) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %320 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %321 = "stablehlo.add"(%319, %320) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %322 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %323 = "stablehlo.multiply"(%322, %321) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %324 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %325 = "stablehlo.multiply"(%324, %323) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %326 = "stablehlo.convert"(%325) : (tensor<f32>) -> tensor<f32>
    %327 = "stablehlo.broadcast_in_dim"(%326) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %328 = "stablehlo.multiply"(%327, %287) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %329 = "stablehlo.convert"(%325) : (tensor<f32>) -> tensor<f32>
    %330 = "stablehlo.broadcast_in_dim"(%329) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %331 = "stablehlo.multiply"(%330, %291) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %332 = "stablehlo.convert"(%325) : (tensor<f32>) -> tensor<f32>
    %333 = "stablehlo.broadcast_in_dim"(%332) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %334 = "stablehlo.multiply"(%333, %295) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %335 = "stablehlo.convert"(%325) : (tensor<f32>) -> tensor<f32>
    %336 = "stablehlo.broadcast_in_dim"(%335) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %337 = "stablehlo.multiply"(%336, %299) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %338 = "stablehlo.convert"(%325) : (tensor<f32>) -> tensor<f32>
    %339 = "stablehlo.broadcast_in_dim"(%338) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %340 = "stablehlo.multiply"(%339, %303) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %341 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %342 = "stablehlo.compare"(%arg19, %341) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %343 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %344 = "stablehlo.add"(%arg19, %343) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %345 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %346 = "func.call"(%342, %344, %345) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %347 = "stablehlo.add"(%arg3, %328) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %348 = "stablehlo.add"(%arg4, %331) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %349 = "stablehlo.add"(%arg5, %334) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %350 = "stablehlo.add"(%arg6, %337) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %351 = "stablehlo.add"(%arg7, %340) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%347, %348, %349, %350, %351, %211, %137, %144, %151, %158, %165, %173, %181, %189, %197, %205, %346) : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
