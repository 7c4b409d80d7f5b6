// adam: written by scripts/optimizer-corpus.py with jax 0.10.2, optax 0.2.8
// fused: adamw:1
// params: 5 state: 16
"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<32x8xf32>, tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}, {jax.result_info = "result[13]"}, {jax.result_info = "result[14]"}, {jax.result_info = "result[15]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<16xf32>, %arg4: tensor<4xf32>, %arg5: tensor<1xf32>, %arg6: tensor<8x16xf32>, %arg7: tensor<16x4xf32>, %arg8: tensor<i32>, %arg9: tensor<16xf32>, %arg10: tensor<4xf32>, %arg11: tensor<1xf32>, %arg12: tensor<8x16xf32>, %arg13: tensor<16x4xf32>, %arg14: tensor<16xf32>, %arg15: tensor<4xf32>, %arg16: tensor<1xf32>, %arg17: tensor<8x16xf32>, %arg18: tensor<16x4xf32>, %arg19: tensor<32x8xf32>, %arg20: tensor<32x4xf32>):
    %1 = "stablehlo.dot_general"(%arg19, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
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
    %16 = "stablehlo.subtract"(%15, %arg20) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %17 = "stablehlo.multiply"(%16, %16) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %18 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %20 = "stablehlo.multiply"(%19, %16) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.reduce"(%17, %21) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %236 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%236) : (tensor<f32>) -> ()
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
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %235 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%235) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.reshape"(%32) : (tensor<f32>) -> tensor<1x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %35 = "stablehlo.multiply"(%29, %34) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.reduce"(%33, %36) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %234 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%234) : (tensor<f32>) -> ()
    }) : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %233 = "stablehlo.add"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%233) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<4xf32>
    %41 = "stablehlo.reshape"(%40) : (tensor<4xf32>) -> tensor<1x4xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %232 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%232) : (tensor<f32>) -> ()
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %44 = "stablehlo.dot_general"(%35, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %45 = "stablehlo.transpose"(%44) <{permutation = array<i64: 1, 0>}> : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %46 = "stablehlo.dot_general"(%35, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %47 = "stablehlo.multiply"(%46, %8) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %48 = "stablehlo.multiply"(%47, %5) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %49 = "stablehlo.add"(%47, %48) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %50 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.reduce"(%49, %50) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %231 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) : (tensor<32x16xf32>, tensor<f32>) -> tensor<16xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<16xf32>) -> tensor<1x16xf32>
    %53 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.reduce"(%52, %53) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %230 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%230) : (tensor<f32>) -> ()
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %55 = "stablehlo.dot_general"(%49, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    %56 = "stablehlo.transpose"(%55) <{permutation = array<i64: 1, 0>}> : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %57 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %59 = "stablehlo.multiply"(%58, %54) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %60 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %62 = "stablehlo.multiply"(%61, %arg9) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %63 = "stablehlo.add"(%59, %62) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %64 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %66 = "stablehlo.multiply"(%65, %43) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %67 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %69 = "stablehlo.multiply"(%68, %arg10) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %70 = "stablehlo.add"(%66, %69) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %71 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %73 = "stablehlo.multiply"(%72, %38) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %74 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %76 = "stablehlo.multiply"(%75, %arg11) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %77 = "stablehlo.add"(%73, %76) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %78 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %80 = "stablehlo.multiply"(%79, %56) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %81 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %83 = "stablehlo.multiply"(%82, %arg12) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %84 = "stablehlo.add"(%80, %83) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %85 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %87 = "stablehlo.multiply"(%86, %45) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %88 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %90 = "stablehlo.multiply"(%89, %arg13) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %91 = "stablehlo.add"(%87, %90) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %92 = "stablehlo.multiply"(%54, %54) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %93 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %95 = "stablehlo.multiply"(%94, %92) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %96 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %98 = "stablehlo.multiply"(%97, %arg14) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %99 = "stablehlo.add"(%95, %98) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %100 = "stablehlo.multiply"(%43, %43) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %101 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %103 = "stablehlo.multiply"(%102, %100) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %104 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %106 = "stablehlo.multiply"(%105, %arg15) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %107 = "stablehlo.add"(%103, %106) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %108 = "stablehlo.multiply"(%38, %38) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %109 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %111 = "stablehlo.multiply"(%110, %108) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %112 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %114 = "stablehlo.multiply"(%113, %arg16) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %115 = "stablehlo.add"(%111, %114) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %116 = "stablehlo.multiply"(%56, %56) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %117 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %119 = "stablehlo.multiply"(%118, %116) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %120 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %122 = "stablehlo.multiply"(%121, %arg17) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %123 = "stablehlo.add"(%119, %122) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %124 = "stablehlo.multiply"(%45, %45) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %125 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %127 = "stablehlo.multiply"(%126, %124) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %128 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %130 = "stablehlo.multiply"(%129, %arg18) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %131 = "stablehlo.add"(%127, %130) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %132 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %133 = "stablehlo.compare"(%arg8, %132) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %134 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %135 = "stablehlo.add"(%arg8, %134) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %136 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %137 = "func.call"(%133, %135, %136) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %138 = "stablehlo.convert"(%137) : (tensor<i32>) -> tensor<f32>
    %139 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %140 = "stablehlo.convert"(%137) : (tensor<i32>) -> tensor<f32>
    %141 = "stablehlo.power"(%139, %140) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %142 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %143 = "stablehlo.subtract"(%142, %141) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %145 = "stablehlo.divide"(%63, %144) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %146 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %147 = "stablehlo.divide"(%70, %146) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %148 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %149 = "stablehlo.divide"(%77, %148) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %150 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %151 = "stablehlo.divide"(%84, %150) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %152 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %153 = "stablehlo.divide"(%91, %152) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %154 = "stablehlo.convert"(%137) : (tensor<i32>) -> tensor<f32>
    %155 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.convert"(%137) : (tensor<i32>) -> tensor<f32>
    %157 = "stablehlo.power"(%155, %156) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %158 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %159 = "stablehlo.subtract"(%158, %157) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %160 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %161 = "stablehlo.divide"(%99, %160) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %162 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %163 = "stablehlo.divide"(%107, %162) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %164 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %165 = "stablehlo.divide"(%115, %164) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %166 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %167 = "stablehlo.divide"(%123, %166) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %168 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %169 = "stablehlo.divide"(%131, %168) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %170 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %171 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %172 = "stablehlo.add"(%161, %171) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %173 = "stablehlo.sqrt"(%172) : (tensor<16xf32>) -> tensor<16xf32>
    %174 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %175 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %176 = "stablehlo.add"(%173, %175) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %177 = "stablehlo.divide"(%145, %176) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %178 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %179 = "stablehlo.broadcast_in_dim"(%178) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %180 = "stablehlo.add"(%163, %179) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %181 = "stablehlo.sqrt"(%180) : (tensor<4xf32>) -> tensor<4xf32>
    %182 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %184 = "stablehlo.add"(%181, %183) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %185 = "stablehlo.divide"(%147, %184) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %186 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %188 = "stablehlo.add"(%165, %187) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %189 = "stablehlo.sqrt"(%188) : (tensor<1xf32>) -> tensor<1xf32>
    %190 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %192 = "stablehlo.add"(%189, %191) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %193 = "stablehlo.divide"(%149, %192) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %194 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %195 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %196 = "stablehlo.add"(%167, %195) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %197 = "stablehlo.sqrt"(%196) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %198 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %200 = "stablehlo.add"(%197, %199) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %201 = "stablehlo.divide"(%151, %200) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %202 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %203 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %204 = "stablehlo.add"(%169, %203) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %205 = "stablehlo.sqrt"(%204) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %206 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %207 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %208 = "stablehlo.add"(%205, %207) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %209 = "stablehlo.divide"(%153, %208) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %210 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %211 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %212 = "stablehlo.multiply"(%211, %177) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %213 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %214 = "stablehlo.broadcast_in_dim"(%213) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %215 = "stablehlo.multiply"(%214, %185) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %216 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %217 = "stablehlo.broadcast_in_dim"(%216) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %218 = "stablehlo.multiply"(%217, %193) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %219 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %220 = "stablehlo.broadcast_in_dim"(%219) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %221 = "stablehlo.multiply"(%220, %201) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %222 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %224 = "stablehlo.multiply"(%223, %209) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %225 = "stablehlo.add"(%arg3, %212) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %226 = "stablehlo.add"(%arg4, %215) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %227 = "stablehlo.add"(%arg5, %218) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %228 = "stablehlo.add"(%arg6, %221) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %229 = "stablehlo.add"(%arg7, %224) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%225, %226, %227, %228, %229, %137, %63, %70, %77, %84, %91, %99, %107, %115, %123, %131) : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
