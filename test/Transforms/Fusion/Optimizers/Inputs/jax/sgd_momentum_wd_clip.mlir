// sgd_momentum_wd_clip: written by scripts/optimizer-corpus.py with jax 0.10.2, optax 0.2.8
// fused: sgd:1,clip_norm:1
// params: 5 state: 10
"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<32x8xf32>, tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<16xf32>, %arg1: tensor<4xf32>, %arg2: tensor<1xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<16x4xf32>, %arg5: tensor<16xf32>, %arg6: tensor<4xf32>, %arg7: tensor<1xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x4xf32>, %arg10: tensor<32x8xf32>, %arg11: tensor<32x4xf32>):
    %0 = "stablehlo.dot_general"(%arg10, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xf32>) -> tensor<1x16xf32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xf32>) -> tensor<32x16xf32>
    %3 = "stablehlo.add"(%0, %2) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %4 = "stablehlo.tanh"(%3) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x16xf32>
    %7 = "stablehlo.subtract"(%6, %4) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %8 = "stablehlo.dot_general"(%4, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
    %9 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<32x4xf32>
    %11 = "stablehlo.add"(%8, %10) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %12 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %14 = "stablehlo.multiply"(%11, %13) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %15 = "stablehlo.subtract"(%14, %arg11) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %16 = "stablehlo.multiply"(%15, %15) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %17 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %19 = "stablehlo.multiply"(%18, %15) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %20 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.reduce"(%16, %20) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %201 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%201) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.divide"(%21, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.divide"(%24, %25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %28 = "stablehlo.multiply"(%27, %19) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %29 = "stablehlo.multiply"(%11, %28) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %30 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.reduce"(%29, %30) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %200 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%200) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %32 = "stablehlo.reshape"(%31) : (tensor<f32>) -> tensor<1x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %34 = "stablehlo.multiply"(%28, %33) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.reduce"(%32, %35) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %199 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%199) : (tensor<f32>) -> ()
    }) : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %38 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.reduce"(%34, %38) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %198 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%198) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<4xf32>
    %40 = "stablehlo.reshape"(%39) : (tensor<4xf32>) -> tensor<1x4xf32>
    %41 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.reduce"(%40, %41) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %197 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%197) : (tensor<f32>) -> ()
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %43 = "stablehlo.dot_general"(%34, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %44 = "stablehlo.transpose"(%43) <{permutation = array<i64: 1, 0>}> : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %45 = "stablehlo.dot_general"(%34, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %46 = "stablehlo.multiply"(%45, %7) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %47 = "stablehlo.multiply"(%46, %4) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %48 = "stablehlo.add"(%46, %47) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %49 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.reduce"(%48, %49) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %196 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%196) : (tensor<f32>) -> ()
    }) : (tensor<32x16xf32>, tensor<f32>) -> tensor<16xf32>
    %51 = "stablehlo.reshape"(%50) : (tensor<16xf32>) -> tensor<1x16xf32>
    %52 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.reduce"(%51, %52) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %195 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%195) : (tensor<f32>) -> ()
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %54 = "stablehlo.dot_general"(%48, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    %55 = "stablehlo.transpose"(%54) <{permutation = array<i64: 1, 0>}> : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %56 = "chlo.square"(%53) : (tensor<16xf32>) -> tensor<16xf32>
    %57 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %59 = "chlo.square"(%58) : (tensor<16xf32>) -> tensor<16xf32>
    %60 = "stablehlo.add"(%56, %59) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %61 = "chlo.square"(%42) : (tensor<4xf32>) -> tensor<4xf32>
    %62 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %64 = "chlo.square"(%63) : (tensor<4xf32>) -> tensor<4xf32>
    %65 = "stablehlo.add"(%61, %64) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %66 = "chlo.square"(%37) : (tensor<1xf32>) -> tensor<1xf32>
    %67 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %69 = "chlo.square"(%68) : (tensor<1xf32>) -> tensor<1xf32>
    %70 = "stablehlo.add"(%66, %69) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %71 = "chlo.square"(%55) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %72 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %74 = "chlo.square"(%73) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %75 = "stablehlo.add"(%71, %74) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %76 = "chlo.square"(%44) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %77 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %79 = "chlo.square"(%78) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %80 = "stablehlo.add"(%76, %79) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %81 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.reduce"(%60, %81) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %194 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%194) : (tensor<f32>) -> ()
    }) : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %83 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.reduce"(%65, %83) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %193 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%193) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %85 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.reduce"(%70, %85) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %192 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%192) : (tensor<f32>) -> ()
    }) : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %87 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.reduce"(%75, %87) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %191 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%191) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %89 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.reduce"(%80, %89) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %190 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%190) : (tensor<f32>) -> ()
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
    %91 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %92 = "stablehlo.add"(%91, %82) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %93 = "stablehlo.add"(%92, %84) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %94 = "stablehlo.add"(%93, %86) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %95 = "stablehlo.add"(%94, %88) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %96 = "stablehlo.add"(%95, %90) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %97 = "stablehlo.sqrt"(%96) : (tensor<f32>) -> tensor<f32>
    %98 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.compare"(%97, %98) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %100 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %101 = "stablehlo.divide"(%53, %100) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %102 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %104 = "stablehlo.multiply"(%101, %103) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %105 = "stablehlo.select"(%99, %53, %104) : (tensor<i1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %106 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %107 = "stablehlo.divide"(%42, %106) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %108 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %110 = "stablehlo.multiply"(%107, %109) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %111 = "stablehlo.select"(%99, %42, %110) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %112 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %113 = "stablehlo.divide"(%37, %112) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %114 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %116 = "stablehlo.multiply"(%113, %115) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %117 = "stablehlo.select"(%99, %37, %116) : (tensor<i1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %118 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %119 = "stablehlo.divide"(%55, %118) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %120 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %122 = "stablehlo.multiply"(%119, %121) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %123 = "stablehlo.select"(%99, %55, %122) : (tensor<i1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %124 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %125 = "stablehlo.divide"(%44, %124) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %126 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %128 = "stablehlo.multiply"(%125, %127) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %129 = "stablehlo.select"(%99, %44, %128) : (tensor<i1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %130 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %132 = "stablehlo.multiply"(%131, %arg0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %133 = "stablehlo.add"(%105, %132) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %134 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %136 = "stablehlo.multiply"(%135, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %137 = "stablehlo.add"(%111, %136) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %138 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %140 = "stablehlo.multiply"(%139, %arg2) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %141 = "stablehlo.add"(%117, %140) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %142 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %144 = "stablehlo.multiply"(%143, %arg3) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %145 = "stablehlo.add"(%123, %144) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %146 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %147 = "stablehlo.broadcast_in_dim"(%146) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %148 = "stablehlo.multiply"(%147, %arg4) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %149 = "stablehlo.add"(%129, %148) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %150 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %151 = "stablehlo.broadcast_in_dim"(%150) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %152 = "stablehlo.multiply"(%151, %arg5) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %153 = "stablehlo.add"(%133, %152) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %154 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %155 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %156 = "stablehlo.multiply"(%155, %arg6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %157 = "stablehlo.add"(%137, %156) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %158 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %160 = "stablehlo.multiply"(%159, %arg7) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %161 = "stablehlo.add"(%141, %160) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %162 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %164 = "stablehlo.multiply"(%163, %arg8) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %165 = "stablehlo.add"(%145, %164) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %166 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %168 = "stablehlo.multiply"(%167, %arg9) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %169 = "stablehlo.add"(%149, %168) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %170 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %171 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %172 = "stablehlo.multiply"(%171, %153) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %173 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %174 = "stablehlo.broadcast_in_dim"(%173) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %175 = "stablehlo.multiply"(%174, %157) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %176 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %178 = "stablehlo.multiply"(%177, %161) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %179 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %180 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %181 = "stablehlo.multiply"(%180, %165) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %182 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %184 = "stablehlo.multiply"(%183, %169) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %185 = "stablehlo.add"(%arg0, %172) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %186 = "stablehlo.add"(%arg1, %175) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %187 = "stablehlo.add"(%arg2, %178) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %188 = "stablehlo.add"(%arg3, %181) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %189 = "stablehlo.add"(%arg4, %184) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%185, %186, %187, %188, %189, %153, %157, %161, %165, %169) : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
