// adam_l2: written by scripts/optimizer-corpus.py with jax 0.10.2, optax 0.2.8
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
      %256 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%256) : (tensor<f32>) -> ()
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
      %255 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%255) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.reshape"(%32) : (tensor<f32>) -> tensor<1x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %35 = "stablehlo.multiply"(%29, %34) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.reduce"(%33, %36) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %254 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%254) : (tensor<f32>) -> ()
    }) : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %253 = "stablehlo.add"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%253) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<4xf32>
    %41 = "stablehlo.reshape"(%40) : (tensor<4xf32>) -> tensor<1x4xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %252 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%252) : (tensor<f32>) -> ()
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
      %251 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%251) : (tensor<f32>) -> ()
    }) : (tensor<32x16xf32>, tensor<f32>) -> tensor<16xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<16xf32>) -> tensor<1x16xf32>
    %53 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.reduce"(%52, %53) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %250 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%250) : (tensor<f32>) -> ()
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %55 = "stablehlo.dot_general"(%49, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    %56 = "stablehlo.transpose"(%55) <{permutation = array<i64: 1, 0>}> : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %57 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %59 = "stablehlo.multiply"(%58, %arg3) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %60 = "stablehlo.add"(%54, %59) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %61 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %63 = "stablehlo.multiply"(%62, %arg4) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %64 = "stablehlo.add"(%43, %63) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %65 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %67 = "stablehlo.multiply"(%66, %arg5) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %68 = "stablehlo.add"(%38, %67) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %69 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %71 = "stablehlo.multiply"(%70, %arg6) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %72 = "stablehlo.add"(%56, %71) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %73 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %75 = "stablehlo.multiply"(%74, %arg7) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %76 = "stablehlo.add"(%45, %75) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %77 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %79 = "stablehlo.multiply"(%78, %60) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %80 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %82 = "stablehlo.multiply"(%81, %arg9) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %83 = "stablehlo.add"(%79, %82) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %84 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %86 = "stablehlo.multiply"(%85, %64) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %87 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %89 = "stablehlo.multiply"(%88, %arg10) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %90 = "stablehlo.add"(%86, %89) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %91 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %93 = "stablehlo.multiply"(%92, %68) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %94 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %96 = "stablehlo.multiply"(%95, %arg11) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %97 = "stablehlo.add"(%93, %96) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %98 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %100 = "stablehlo.multiply"(%99, %72) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %101 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %103 = "stablehlo.multiply"(%102, %arg12) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %104 = "stablehlo.add"(%100, %103) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %105 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %107 = "stablehlo.multiply"(%106, %76) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %108 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %110 = "stablehlo.multiply"(%109, %arg13) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %111 = "stablehlo.add"(%107, %110) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %112 = "stablehlo.multiply"(%60, %60) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %113 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %115 = "stablehlo.multiply"(%114, %112) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %116 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %118 = "stablehlo.multiply"(%117, %arg14) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %119 = "stablehlo.add"(%115, %118) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %120 = "stablehlo.multiply"(%64, %64) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %121 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %122 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %123 = "stablehlo.multiply"(%122, %120) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %124 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %125 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %126 = "stablehlo.multiply"(%125, %arg15) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %127 = "stablehlo.add"(%123, %126) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %128 = "stablehlo.multiply"(%68, %68) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %129 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %131 = "stablehlo.multiply"(%130, %128) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %132 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %133 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %134 = "stablehlo.multiply"(%133, %arg16) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %135 = "stablehlo.add"(%131, %134) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %136 = "stablehlo.multiply"(%72, %72) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %137 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %139 = "stablehlo.multiply"(%138, %136) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %140 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %142 = "stablehlo.multiply"(%141, %arg17) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %143 = "stablehlo.add"(%139, %142) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %144 = "stablehlo.multiply"(%76, %76) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %145 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %147 = "stablehlo.multiply"(%146, %144) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %148 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %150 = "stablehlo.multiply"(%149, %arg18) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %151 = "stablehlo.add"(%147, %150) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %152 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %153 = "stablehlo.compare"(%arg8, %152) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %154 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %155 = "stablehlo.add"(%arg8, %154) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %156 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %157 = "func.call"(%153, %155, %156) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %158 = "stablehlo.convert"(%157) : (tensor<i32>) -> tensor<f32>
    %159 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %160 = "stablehlo.convert"(%157) : (tensor<i32>) -> tensor<f32>
    %161 = "stablehlo.power"(%159, %160) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %162 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %163 = "stablehlo.subtract"(%162, %161) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %164 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %165 = "stablehlo.divide"(%83, %164) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %166 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %167 = "stablehlo.divide"(%90, %166) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %168 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %169 = "stablehlo.divide"(%97, %168) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %170 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %171 = "stablehlo.divide"(%104, %170) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %172 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %173 = "stablehlo.divide"(%111, %172) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %174 = "stablehlo.convert"(%157) : (tensor<i32>) -> tensor<f32>
    %175 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %176 = "stablehlo.convert"(%157) : (tensor<i32>) -> tensor<f32>
    %177 = "stablehlo.power"(%175, %176) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %178 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %179 = "stablehlo.subtract"(%178, %177) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %180 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %181 = "stablehlo.divide"(%119, %180) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %182 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %183 = "stablehlo.divide"(%127, %182) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %184 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %185 = "stablehlo.divide"(%135, %184) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %186 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %187 = "stablehlo.divide"(%143, %186) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %188 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %189 = "stablehlo.divide"(%151, %188) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %190 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %192 = "stablehlo.add"(%181, %191) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %193 = "stablehlo.sqrt"(%192) : (tensor<16xf32>) -> tensor<16xf32>
    %194 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %195 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %196 = "stablehlo.add"(%193, %195) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %197 = "stablehlo.divide"(%165, %196) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %198 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %200 = "stablehlo.add"(%183, %199) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %201 = "stablehlo.sqrt"(%200) : (tensor<4xf32>) -> tensor<4xf32>
    %202 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %203 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %204 = "stablehlo.add"(%201, %203) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %205 = "stablehlo.divide"(%167, %204) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %206 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %207 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %208 = "stablehlo.add"(%185, %207) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %209 = "stablehlo.sqrt"(%208) : (tensor<1xf32>) -> tensor<1xf32>
    %210 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %211 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %212 = "stablehlo.add"(%209, %211) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %213 = "stablehlo.divide"(%169, %212) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %214 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %215 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %216 = "stablehlo.add"(%187, %215) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %217 = "stablehlo.sqrt"(%216) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %218 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %219 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %220 = "stablehlo.add"(%217, %219) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %221 = "stablehlo.divide"(%171, %220) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %222 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %224 = "stablehlo.add"(%189, %223) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %225 = "stablehlo.sqrt"(%224) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %226 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %227 = "stablehlo.broadcast_in_dim"(%226) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %228 = "stablehlo.add"(%225, %227) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %229 = "stablehlo.divide"(%173, %228) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %230 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %231 = "stablehlo.broadcast_in_dim"(%230) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %232 = "stablehlo.multiply"(%231, %197) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %233 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %234 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %235 = "stablehlo.multiply"(%234, %205) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %236 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %237 = "stablehlo.broadcast_in_dim"(%236) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %238 = "stablehlo.multiply"(%237, %213) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %239 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %240 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %241 = "stablehlo.multiply"(%240, %221) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %242 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %243 = "stablehlo.broadcast_in_dim"(%242) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %244 = "stablehlo.multiply"(%243, %229) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %245 = "stablehlo.add"(%arg3, %232) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %246 = "stablehlo.add"(%arg4, %235) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %247 = "stablehlo.add"(%arg5, %238) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %248 = "stablehlo.add"(%arg6, %241) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %249 = "stablehlo.add"(%arg7, %244) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%245, %246, %247, %248, %249, %157, %83, %90, %97, %104, %111, %119, %127, %135, %143, %151) : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
