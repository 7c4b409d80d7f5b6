// clip_adamw_groups: written by scripts/optimizer-corpus.py with jax 0.10.2, optax 0.2.8
// fused: adamw:2,clip_norm:1
// params: 5 state: 17
"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<32x8xf32>, tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}, {jax.result_info = "result[13]"}, {jax.result_info = "result[14]"}, {jax.result_info = "result[15]"}, {jax.result_info = "result[16]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg9: tensor<16xf32>, %arg10: tensor<4xf32>, %arg11: tensor<1xf32>, %arg12: tensor<8x16xf32>, %arg13: tensor<16x4xf32>, %arg14: tensor<i32>, %arg15: tensor<16xf32>, %arg16: tensor<4xf32>, %arg17: tensor<1xf32>, %arg18: tensor<8x16xf32>, %arg19: tensor<16x4xf32>, %arg20: tensor<16xf32>, %arg21: tensor<4xf32>, %arg22: tensor<1xf32>, %arg23: tensor<8x16xf32>, %arg24: tensor<16x4xf32>, %arg25: tensor<i32>, %arg26: tensor<32x8xf32>, %arg27: tensor<32x4xf32>):
    %7 = "stablehlo.dot_general"(%arg26, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
    %8 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xf32>) -> tensor<1x16xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xf32>) -> tensor<32x16xf32>
    %10 = "stablehlo.add"(%7, %9) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %11 = "stablehlo.tanh"(%10) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x16xf32>
    %14 = "stablehlo.subtract"(%13, %11) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %15 = "stablehlo.dot_general"(%11, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
    %16 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<32x4xf32>
    %18 = "stablehlo.add"(%15, %17) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %19 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %21 = "stablehlo.multiply"(%18, %20) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %22 = "stablehlo.subtract"(%21, %arg27) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %23 = "stablehlo.multiply"(%22, %22) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %24 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %26 = "stablehlo.multiply"(%25, %22) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %27 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.reduce"(%23, %27) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %371 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%371) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.divide"(%28, %29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.divide"(%31, %32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %35 = "stablehlo.multiply"(%34, %26) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %36 = "stablehlo.multiply"(%18, %35) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.reduce"(%36, %37) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
      %370 = "stablehlo.add"(%arg48, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%370) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %39 = "stablehlo.reshape"(%38) : (tensor<f32>) -> tensor<1x1xf32>
    %40 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %41 = "stablehlo.multiply"(%35, %40) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%39, %42) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
      %369 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%369) : (tensor<f32>) -> ()
    }) : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %45 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.reduce"(%41, %45) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %368 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%368) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<4xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<4xf32>) -> tensor<1x4xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.reduce"(%47, %48) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %367 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%367) : (tensor<f32>) -> ()
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %50 = "stablehlo.dot_general"(%41, %11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 1, 0>}> : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %52 = "stablehlo.dot_general"(%41, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %53 = "stablehlo.multiply"(%52, %14) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %54 = "stablehlo.multiply"(%53, %11) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %55 = "stablehlo.add"(%53, %54) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %56 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.reduce"(%55, %56) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %366 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%366) : (tensor<f32>) -> ()
    }) : (tensor<32x16xf32>, tensor<f32>) -> tensor<16xf32>
    %58 = "stablehlo.reshape"(%57) : (tensor<16xf32>) -> tensor<1x16xf32>
    %59 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.reduce"(%58, %59) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %365 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%365) : (tensor<f32>) -> ()
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %61 = "stablehlo.dot_general"(%55, %arg26) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    %62 = "stablehlo.transpose"(%61) <{permutation = array<i64: 1, 0>}> : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %63 = "chlo.square"(%60) : (tensor<16xf32>) -> tensor<16xf32>
    %64 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %66 = "chlo.square"(%65) : (tensor<16xf32>) -> tensor<16xf32>
    %67 = "stablehlo.add"(%63, %66) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %68 = "chlo.square"(%49) : (tensor<4xf32>) -> tensor<4xf32>
    %69 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %71 = "chlo.square"(%70) : (tensor<4xf32>) -> tensor<4xf32>
    %72 = "stablehlo.add"(%68, %71) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %73 = "chlo.square"(%44) : (tensor<1xf32>) -> tensor<1xf32>
    %74 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %76 = "chlo.square"(%75) : (tensor<1xf32>) -> tensor<1xf32>
    %77 = "stablehlo.add"(%73, %76) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %78 = "chlo.square"(%62) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %79 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %81 = "chlo.square"(%80) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %82 = "stablehlo.add"(%78, %81) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %83 = "chlo.square"(%51) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %84 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %86 = "chlo.square"(%85) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %87 = "stablehlo.add"(%83, %86) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %88 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.reduce"(%67, %88) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %364 = "stablehlo.add"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%364) : (tensor<f32>) -> ()
    }) : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %90 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.reduce"(%72, %90) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %363 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%363) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.reduce"(%77, %92) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %362 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%362) : (tensor<f32>) -> ()
    }) : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %94 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.reduce"(%82, %94) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %361 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%361) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %96 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.reduce"(%87, %96) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %360 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%360) : (tensor<f32>) -> ()
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
    %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.add"(%98, %89) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %100 = "stablehlo.add"(%99, %91) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %101 = "stablehlo.add"(%100, %93) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %102 = "stablehlo.add"(%101, %95) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %103 = "stablehlo.add"(%102, %97) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %104 = "stablehlo.sqrt"(%103) : (tensor<f32>) -> tensor<f32>
    %105 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %106 = "stablehlo.compare"(%104, %105) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %107 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %108 = "stablehlo.divide"(%60, %107) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %109 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %111 = "stablehlo.multiply"(%108, %110) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %112 = "stablehlo.select"(%106, %60, %111) : (tensor<i1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %113 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %114 = "stablehlo.divide"(%49, %113) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %115 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %117 = "stablehlo.multiply"(%114, %116) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %118 = "stablehlo.select"(%106, %49, %117) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %119 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %120 = "stablehlo.divide"(%44, %119) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %121 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %122 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %123 = "stablehlo.multiply"(%120, %122) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %124 = "stablehlo.select"(%106, %44, %123) : (tensor<i1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %125 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %126 = "stablehlo.divide"(%62, %125) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %127 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %129 = "stablehlo.multiply"(%126, %128) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %130 = "stablehlo.select"(%106, %62, %129) : (tensor<i1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %131 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %132 = "stablehlo.divide"(%51, %131) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %133 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %135 = "stablehlo.multiply"(%132, %134) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %136 = "stablehlo.select"(%106, %51, %135) : (tensor<i1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %137 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %139 = "stablehlo.multiply"(%138, %112) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %140 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %142 = "stablehlo.multiply"(%141, %arg15) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %143 = "stablehlo.add"(%139, %142) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %144 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %145 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %146 = "stablehlo.multiply"(%145, %118) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %147 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %148 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %149 = "stablehlo.multiply"(%148, %arg16) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %150 = "stablehlo.add"(%146, %149) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %151 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %153 = "stablehlo.multiply"(%152, %124) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %154 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %155 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %156 = "stablehlo.multiply"(%155, %arg17) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %157 = "stablehlo.add"(%153, %156) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %158 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %160 = "stablehlo.multiply"(%159, %130) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %161 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %162 = "stablehlo.broadcast_in_dim"(%161) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %163 = "stablehlo.multiply"(%162, %arg18) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %164 = "stablehlo.add"(%160, %163) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %165 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %166 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %167 = "stablehlo.multiply"(%166, %136) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %168 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %169 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %170 = "stablehlo.multiply"(%169, %arg19) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %171 = "stablehlo.add"(%167, %170) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %172 = "stablehlo.multiply"(%112, %112) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %173 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %174 = "stablehlo.broadcast_in_dim"(%173) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %175 = "stablehlo.multiply"(%174, %172) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %176 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %178 = "stablehlo.multiply"(%177, %arg20) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %179 = "stablehlo.add"(%175, %178) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %180 = "stablehlo.multiply"(%118, %118) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %181 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %182 = "stablehlo.broadcast_in_dim"(%181) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %183 = "stablehlo.multiply"(%182, %180) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %184 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %185 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %186 = "stablehlo.multiply"(%185, %arg21) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %187 = "stablehlo.add"(%183, %186) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %188 = "stablehlo.multiply"(%124, %124) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %189 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %190 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %191 = "stablehlo.multiply"(%190, %188) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %192 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %194 = "stablehlo.multiply"(%193, %arg22) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %195 = "stablehlo.add"(%191, %194) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %196 = "stablehlo.multiply"(%130, %130) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %197 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %198 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %199 = "stablehlo.multiply"(%198, %196) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %200 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %201 = "stablehlo.broadcast_in_dim"(%200) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %202 = "stablehlo.multiply"(%201, %arg23) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %203 = "stablehlo.add"(%199, %202) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %204 = "stablehlo.multiply"(%136, %136) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %205 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %206 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %207 = "stablehlo.multiply"(%206, %204) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %208 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %209 = "stablehlo.broadcast_in_dim"(%208) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %210 = "stablehlo.multiply"(%209, %arg24) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %211 = "stablehlo.add"(%207, %210) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %212 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %213 = "stablehlo.compare"(%arg14, %212) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %214 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %215 = "stablehlo.add"(%arg14, %214) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %216 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %217 = "func.call"(%213, %215, %216) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %218 = "stablehlo.convert"(%217) : (tensor<i32>) -> tensor<f32>
    %219 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %220 = "stablehlo.convert"(%217) : (tensor<i32>) -> tensor<f32>
    %221 = "stablehlo.power"(%219, %220) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %222 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.subtract"(%222, %221) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %225 = "stablehlo.divide"(%143, %224) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %226 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %227 = "stablehlo.divide"(%150, %226) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %228 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %229 = "stablehlo.divide"(%157, %228) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %230 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %231 = "stablehlo.divide"(%164, %230) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %232 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %233 = "stablehlo.divide"(%171, %232) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %234 = "stablehlo.convert"(%217) : (tensor<i32>) -> tensor<f32>
    %235 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %236 = "stablehlo.convert"(%217) : (tensor<i32>) -> tensor<f32>
    %237 = "stablehlo.power"(%235, %236) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %238 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %239 = "stablehlo.subtract"(%238, %237) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %240 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %241 = "stablehlo.divide"(%179, %240) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %242 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %243 = "stablehlo.divide"(%187, %242) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %244 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %245 = "stablehlo.divide"(%195, %244) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %246 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %247 = "stablehlo.divide"(%203, %246) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %248 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %249 = "stablehlo.divide"(%211, %248) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %250 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %251 = "stablehlo.broadcast_in_dim"(%250) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %252 = "stablehlo.add"(%241, %251) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %253 = "stablehlo.sqrt"(%252) : (tensor<16xf32>) -> tensor<16xf32>
    %254 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %255 = "stablehlo.broadcast_in_dim"(%254) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %256 = "stablehlo.add"(%253, %255) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %257 = "stablehlo.divide"(%225, %256) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %258 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %259 = "stablehlo.broadcast_in_dim"(%258) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %260 = "stablehlo.add"(%243, %259) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %261 = "stablehlo.sqrt"(%260) : (tensor<4xf32>) -> tensor<4xf32>
    %262 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %263 = "stablehlo.broadcast_in_dim"(%262) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %264 = "stablehlo.add"(%261, %263) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %265 = "stablehlo.divide"(%227, %264) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %266 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %267 = "stablehlo.broadcast_in_dim"(%266) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %268 = "stablehlo.add"(%245, %267) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %269 = "stablehlo.sqrt"(%268) : (tensor<1xf32>) -> tensor<1xf32>
    %270 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %271 = "stablehlo.broadcast_in_dim"(%270) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %272 = "stablehlo.add"(%269, %271) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %273 = "stablehlo.divide"(%229, %272) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %274 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %275 = "stablehlo.broadcast_in_dim"(%274) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %276 = "stablehlo.add"(%247, %275) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %277 = "stablehlo.sqrt"(%276) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %278 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %279 = "stablehlo.broadcast_in_dim"(%278) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %280 = "stablehlo.add"(%277, %279) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %281 = "stablehlo.divide"(%231, %280) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %282 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %283 = "stablehlo.broadcast_in_dim"(%282) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %284 = "stablehlo.add"(%249, %283) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %285 = "stablehlo.sqrt"(%284) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %286 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %287 = "stablehlo.broadcast_in_dim"(%286) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %288 = "stablehlo.add"(%285, %287) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %289 = "stablehlo.divide"(%233, %288) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %290 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %291 = "stablehlo.broadcast_in_dim"(%290) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %292 = "stablehlo.multiply"(%291, %arg12) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %293 = "stablehlo.add"(%281, %292) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %294 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %295 = "stablehlo.broadcast_in_dim"(%294) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %296 = "stablehlo.multiply"(%295, %arg13) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %297 = "stablehlo.add"(%289, %296) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %298 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %299 = "stablehlo.subtract"(%arg25, %298) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %300 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %301 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %302 = "func.call"(%299, %300, %301) <{callee = @clip}> : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %303 = "stablehlo.convert"(%302) : (tensor<i32>) -> tensor<f32>
    %304 = "stablehlo.constant"() <{value = dense<1.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %305 = "stablehlo.divide"(%303, %304) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %306 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %307 = "stablehlo.subtract"(%306, %305) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %308 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %309 = "stablehlo.multiply"(%308, %307) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %310 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %311 = "stablehlo.add"(%309, %310) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %312 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %313 = "stablehlo.compare"(%arg25, %312) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %314 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %315 = "stablehlo.subtract"(%arg25, %314) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %316 = "stablehlo.convert"(%315) : (tensor<i32>) -> tensor<f32>
    %317 = "stablehlo.constant"() <{value = dense<9.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %318 = "stablehlo.minimum"(%316, %317) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %319 = "stablehlo.constant"() <{value = dense<3.14159274> : tensor<f32>}> : () -> tensor<f32>
    %320 = "stablehlo.multiply"(%319, %318) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %321 = "stablehlo.constant"() <{value = dense<9.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %322 = "stablehlo.divide"(%320, %321) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %323 = "stablehlo.cosine"(%322) : (tensor<f32>) -> tensor<f32>
    %324 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %325 = "stablehlo.add"(%324, %323) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %326 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %327 = "stablehlo.multiply"(%326, %325) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %328 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %329 = "stablehlo.power"(%327, %328) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %330 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %331 = "stablehlo.multiply"(%330, %329) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %332 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %333 = "stablehlo.add"(%331, %332) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %334 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %335 = "stablehlo.multiply"(%334, %333) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %336 = "func.call"(%313, %311, %335) <{callee = @_where_0}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %337 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %338 = "stablehlo.multiply"(%337, %336) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %339 = "stablehlo.broadcast_in_dim"(%338) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %340 = "stablehlo.multiply"(%339, %257) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %341 = "stablehlo.broadcast_in_dim"(%338) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %342 = "stablehlo.multiply"(%341, %265) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %343 = "stablehlo.broadcast_in_dim"(%338) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %344 = "stablehlo.multiply"(%343, %273) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %345 = "stablehlo.broadcast_in_dim"(%338) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %346 = "stablehlo.multiply"(%345, %293) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %347 = "stablehlo.broadcast_in_dim"(%338) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %348 = "stablehlo.multiply"(%347, %297) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %349 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %350 = "stablehlo.compare"(%arg25, %349) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %351 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %352 = "stablehlo.add"(%arg25, %351) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %353 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %354 = "func.call"(%350, %352, %353) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %355 = "stablehlo.add"(%arg9, %340) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %356 = "stablehlo.add"(%arg10, %342) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %357 = "stablehlo.add"(%arg11, %344) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %358 = "stablehlo.add"(%arg12, %346) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %359 = "stablehlo.add"(%arg13, %348) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%355, %356, %357, %358, %359, %217, %143, %150, %157, %164, %171, %179, %187, %195, %203, %211, %354) : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<i1>, %arg7: tensor<i32>, %arg8: tensor<i32>):
    %6 = "stablehlo.select"(%arg6, %arg7, %arg8) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%6) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
    %2 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.maximum"(%2, %arg3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "stablehlo.convert"(%arg5) : (tensor<i32>) -> tensor<i32>
    %5 = "stablehlo.minimum"(%4, %3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%5) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.select"(%arg0, %arg1, %0) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%1) : (tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
