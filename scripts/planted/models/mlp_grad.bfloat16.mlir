"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<8x16xbf16>, tensor<16x32xbf16>, tensor<32xbf16>, tensor<32x16xbf16>, tensor<16xbf16>, tensor<16xbf16>) -> (tensor<8x16xbf16>, tensor<16x32xbf16>, tensor<32xbf16>, tensor<32x16xbf16>, tensor<16xbf16>, tensor<16xbf16>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x16xbf16>, %arg1: tensor<16x32xbf16>, %arg2: tensor<32xbf16>, %arg3: tensor<32x16xbf16>, %arg4: tensor<16xbf16>, %arg5: tensor<16xbf16>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xbf16>, tensor<16x32xbf16>) -> tensor<8x32xbf16>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 1>}> : (tensor<32xbf16>) -> tensor<1x32xbf16>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x32xbf16>) -> tensor<8x32xbf16>
    %3 = "stablehlo.add"(%0, %2) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %4 = "stablehlo.multiply"(%3, %3) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %5 = "stablehlo.multiply"(%4, %3) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %6 = "stablehlo.multiply"(%3, %3) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %7 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %9 = "stablehlo.multiply"(%8, %6) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %10 = "stablehlo.constant"() <{value = dense<4.467770e-02> : tensor<bf16>}> : () -> tensor<bf16>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %12 = "stablehlo.multiply"(%11, %5) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %13 = "stablehlo.add"(%3, %12) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %14 = "stablehlo.constant"() <{value = dense<7.968750e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %16 = "stablehlo.multiply"(%15, %13) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %17 = "stablehlo.tanh"(%16) : (tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %18 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %20 = "stablehlo.subtract"(%19, %17) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %21 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %23 = "stablehlo.add"(%22, %17) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %24 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %26 = "stablehlo.multiply"(%25, %23) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %27 = "stablehlo.multiply"(%3, %26) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %28 = "stablehlo.dot_general"(%27, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
    %29 = "stablehlo.add"(%28, %arg0) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %30 = "stablehlo.convert"(%29) : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %169 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%169) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x1xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32>
    %36 = "stablehlo.divide"(%33, %35) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %37 = "stablehlo.convert"(%36) : (tensor<8x1xf32>) -> tensor<8x1xbf16>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %39 = "stablehlo.subtract"(%29, %38) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %40 = "chlo.square"(%39) : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %41 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x16xbf16>
    %43 = "stablehlo.multiply"(%42, %39) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %44 = "stablehlo.convert"(%40) : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %45 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.reduce"(%44, %45) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %168 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%168) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x1xf32>
    %48 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32>
    %50 = "stablehlo.divide"(%47, %49) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %51 = "stablehlo.convert"(%50) : (tensor<8x1xf32>) -> tensor<8x1xbf16>
    %52 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %53 = "stablehlo.subtract"(%29, %52) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %54 = "stablehlo.constant"() <{value = dense<1.001360e-05> : tensor<bf16>}> : () -> tensor<bf16>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x1xbf16>
    %56 = "stablehlo.add"(%51, %55) : (tensor<8x1xbf16>, tensor<8x1xbf16>) -> tensor<8x1xbf16>
    %57 = "stablehlo.rsqrt"(%56) : (tensor<8x1xbf16>) -> tensor<8x1xbf16>
    %58 = "stablehlo.divide"(%57, %56) : (tensor<8x1xbf16>, tensor<8x1xbf16>) -> tensor<8x1xbf16>
    %59 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x1xbf16>
    %61 = "stablehlo.multiply"(%60, %58) : (tensor<8x1xbf16>, tensor<8x1xbf16>) -> tensor<8x1xbf16>
    %62 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %63 = "stablehlo.multiply"(%53, %62) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %64 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %66 = "stablehlo.multiply"(%63, %65) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %67 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %69 = "stablehlo.add"(%66, %68) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %70 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x16xbf16>
    %72 = "stablehlo.multiply"(%71, %69) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %73 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %74 = "stablehlo.constant"() <{value = dense<1.000980e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %75 = "stablehlo.multiply"(%73, %74) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    %76 = "stablehlo.convert"(%75) : (tensor<bf16>) -> tensor<f32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %78 = "stablehlo.convert"(%77) : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %79 = "stablehlo.multiply"(%78, %72) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %80 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %81 = "stablehlo.reduce"(%79, %80) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg26: tensor<bf16>, %arg27: tensor<bf16>):
      %167 = "stablehlo.add"(%arg26, %arg27) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%167) : (tensor<bf16>) -> ()
    }) : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %82 = "stablehlo.reshape"(%81) : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %83 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %84 = "stablehlo.reduce"(%82, %83) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg24: tensor<bf16>, %arg25: tensor<bf16>):
      %166 = "stablehlo.add"(%arg24, %arg25) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%166) : (tensor<bf16>) -> ()
    }) : (tensor<1x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %85 = "stablehlo.multiply"(%63, %79) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %86 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %87 = "stablehlo.reduce"(%85, %86) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg22: tensor<bf16>, %arg23: tensor<bf16>):
      %165 = "stablehlo.add"(%arg22, %arg23) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%165) : (tensor<bf16>) -> ()
    }) : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %88 = "stablehlo.reshape"(%87) : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %89 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %90 = "stablehlo.multiply"(%79, %89) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %91 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %92 = "stablehlo.reduce"(%88, %91) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg20: tensor<bf16>, %arg21: tensor<bf16>):
      %164 = "stablehlo.add"(%arg20, %arg21) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%164) : (tensor<bf16>) -> ()
    }) : (tensor<1x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %93 = "stablehlo.multiply"(%53, %90) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %94 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %95 = "stablehlo.reduce"(%93, %94) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg18: tensor<bf16>, %arg19: tensor<bf16>):
      %163 = "stablehlo.add"(%arg18, %arg19) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%163) : (tensor<bf16>) -> ()
    }) : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %96 = "stablehlo.reshape"(%95) : (tensor<8xbf16>) -> tensor<8x1xbf16>
    %97 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %98 = "stablehlo.multiply"(%90, %97) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %99 = "stablehlo.multiply"(%96, %61) : (tensor<8x1xbf16>, tensor<8x1xbf16>) -> tensor<8x1xbf16>
    %100 = "stablehlo.negate"(%98) : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %101 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %102 = "stablehlo.reduce"(%100, %101) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg16: tensor<bf16>, %arg17: tensor<bf16>):
      %162 = "stablehlo.add"(%arg16, %arg17) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%162) : (tensor<bf16>) -> ()
    }) : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %103 = "stablehlo.reshape"(%102) : (tensor<8xbf16>) -> tensor<8x1xbf16>
    %104 = "stablehlo.convert"(%99) : (tensor<8x1xbf16>) -> tensor<8x1xf32>
    %105 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32>
    %107 = "stablehlo.divide"(%104, %106) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %108 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.reduce"(%107, %108) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %161 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%161) : (tensor<f32>) -> ()
    }) : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x16xf32>
    %111 = "stablehlo.convert"(%110) : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %112 = "stablehlo.multiply"(%111, %43) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %113 = "stablehlo.negate"(%112) : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %114 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %115 = "stablehlo.reduce"(%113, %114) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
      %160 = "stablehlo.add"(%arg12, %arg13) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%160) : (tensor<bf16>) -> ()
    }) : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %116 = "stablehlo.reshape"(%115) : (tensor<8xbf16>) -> tensor<8x1xbf16>
    %117 = "stablehlo.add"(%98, %112) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %118 = "stablehlo.add"(%103, %116) : (tensor<8x1xbf16>, tensor<8x1xbf16>) -> tensor<8x1xbf16>
    %119 = "stablehlo.convert"(%118) : (tensor<8x1xbf16>) -> tensor<8x1xf32>
    %120 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32>
    %122 = "stablehlo.divide"(%119, %121) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %123 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.reduce"(%122, %123) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %159 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%159) : (tensor<f32>) -> ()
    }) : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %125 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x16xf32>
    %126 = "stablehlo.convert"(%125) : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %127 = "stablehlo.add"(%117, %126) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %128 = "stablehlo.dot_general"(%127, %27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xbf16>, tensor<8x32xbf16>) -> tensor<16x32xbf16>
    %129 = "stablehlo.transpose"(%128) <{permutation = array<i64: 1, 0>}> : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %130 = "stablehlo.dot_general"(%127, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xbf16>, tensor<32x16xbf16>) -> tensor<8x32xbf16>
    %131 = "stablehlo.multiply"(%3, %130) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %132 = "stablehlo.multiply"(%130, %26) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %133 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %135 = "stablehlo.multiply"(%134, %131) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %136 = "stablehlo.multiply"(%135, %20) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %137 = "stablehlo.multiply"(%136, %17) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %138 = "stablehlo.add"(%136, %137) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %139 = "stablehlo.constant"() <{value = dense<7.968750e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %141 = "stablehlo.multiply"(%140, %138) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %142 = "stablehlo.add"(%132, %141) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %143 = "stablehlo.constant"() <{value = dense<4.467770e-02> : tensor<bf16>}> : () -> tensor<bf16>
    %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %145 = "stablehlo.multiply"(%144, %141) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %146 = "stablehlo.multiply"(%145, %9) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %147 = "stablehlo.add"(%142, %146) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %148 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %149 = "stablehlo.reduce"(%147, %148) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg8: tensor<bf16>, %arg9: tensor<bf16>):
      %158 = "stablehlo.add"(%arg8, %arg9) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%158) : (tensor<bf16>) -> ()
    }) : (tensor<8x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %150 = "stablehlo.reshape"(%149) : (tensor<32xbf16>) -> tensor<1x32xbf16>
    %151 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %152 = "stablehlo.reduce"(%150, %151) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %157 = "stablehlo.add"(%arg6, %arg7) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%157) : (tensor<bf16>) -> ()
    }) : (tensor<1x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %153 = "stablehlo.dot_general"(%147, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32xbf16>, tensor<8x16xbf16>) -> tensor<32x16xbf16>
    %154 = "stablehlo.transpose"(%153) <{permutation = array<i64: 1, 0>}> : (tensor<32x16xbf16>) -> tensor<16x32xbf16>
    %155 = "stablehlo.dot_general"(%147, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32xbf16>, tensor<16x32xbf16>) -> tensor<8x16xbf16>
    %156 = "stablehlo.add"(%127, %155) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    "func.return"(%156, %154, %152, %129, %92, %84) : (tensor<8x16xbf16>, tensor<16x32xbf16>, tensor<32xbf16>, tensor<32x16xbf16>, tensor<16xbf16>, tensor<16xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
