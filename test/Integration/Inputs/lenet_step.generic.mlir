"builtin.module"() <{sym_name = "jit_s"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<6xf32>, tensor<16xf32>, tensor<6x1x5x5xf32>, tensor<16x6x5x5xf32>, tensor<400x120xf32>, tensor<120x84xf32>, tensor<84x10xf32>, tensor<120xf32>, tensor<84xf32>, tensor<10xf32>, tensor<64x1x28x28xf32>, tensor<64x10xf32>) -> (tensor<6xf32>, tensor<16xf32>, tensor<6x1x5x5xf32>, tensor<16x6x5x5xf32>, tensor<400x120xf32>, tensor<120x84xf32>, tensor<84x10xf32>, tensor<120xf32>, tensor<84xf32>, tensor<10xf32>), res_attrs = [{jax.result_info = "result['b1']"}, {jax.result_info = "result['b2']"}, {jax.result_info = "result['c1']"}, {jax.result_info = "result['c2']"}, {jax.result_info = "result['f1']"}, {jax.result_info = "result['f2']"}, {jax.result_info = "result['f3']"}, {jax.result_info = "result['g1']"}, {jax.result_info = "result['g2']"}, {jax.result_info = "result['g3']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg12: tensor<6xf32>, %arg13: tensor<16xf32>, %arg14: tensor<6x1x5x5xf32>, %arg15: tensor<16x6x5x5xf32>, %arg16: tensor<400x120xf32>, %arg17: tensor<120x84xf32>, %arg18: tensor<84x10xf32>, %arg19: tensor<120xf32>, %arg20: tensor<84xf32>, %arg21: tensor<10xf32>, %arg22: tensor<64x1x28x28xf32>, %arg23: tensor<64x10xf32>):
    %26 = "stablehlo.convolution"(%arg22, %arg14) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<2> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<64x1x28x28xf32>, tensor<6x1x5x5xf32>) -> tensor<64x6x28x28xf32>
    %27 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>) -> tensor<1x6x1x1xf32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x1x1xf32>) -> tensor<64x6x28x28xf32>
    %29 = "stablehlo.add"(%26, %28) : (tensor<64x6x28x28xf32>, tensor<64x6x28x28xf32>) -> tensor<64x6x28x28xf32>
    %30 = "stablehlo.tanh"(%29) : (tensor<64x6x28x28xf32>) -> tensor<64x6x28x28xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x6x28x28xf32>
    %33 = "stablehlo.subtract"(%32, %30) : (tensor<64x6x28x28xf32>, tensor<64x6x28x28xf32>) -> tensor<64x6x28x28xf32>
    %34 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %36 = "stablehlo.reduce_window"(%30, %35) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %204 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%204) : (tensor<f32>) -> ()
    }) : (tensor<64x6x28x28xf32>, tensor<f32>) -> tensor<64x6x14x14xf32>
    %37 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x6x14x14xf32>
    %39 = "stablehlo.divide"(%36, %38) : (tensor<64x6x14x14xf32>, tensor<64x6x14x14xf32>) -> tensor<64x6x14x14xf32>
    %40 = "stablehlo.convolution"(%39, %arg15) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<64x6x14x14xf32>, tensor<16x6x5x5xf32>) -> tensor<64x16x10x10xf32>
    %41 = "stablehlo.broadcast_in_dim"(%arg13) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xf32>) -> tensor<1x16x1x1xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x16x1x1xf32>) -> tensor<64x16x10x10xf32>
    %43 = "stablehlo.add"(%40, %42) : (tensor<64x16x10x10xf32>, tensor<64x16x10x10xf32>) -> tensor<64x16x10x10xf32>
    %44 = "stablehlo.tanh"(%43) : (tensor<64x16x10x10xf32>) -> tensor<64x16x10x10xf32>
    %45 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x16x10x10xf32>
    %47 = "stablehlo.subtract"(%46, %44) : (tensor<64x16x10x10xf32>, tensor<64x16x10x10xf32>) -> tensor<64x16x10x10xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %50 = "stablehlo.reduce_window"(%44, %49) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
      %203 = "stablehlo.add"(%arg48, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%203) : (tensor<f32>) -> ()
    }) : (tensor<64x16x10x10xf32>, tensor<f32>) -> tensor<64x16x5x5xf32>
    %51 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x16x5x5xf32>
    %53 = "stablehlo.divide"(%50, %52) : (tensor<64x16x5x5xf32>, tensor<64x16x5x5xf32>) -> tensor<64x16x5x5xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<64x16x5x5xf32>) -> tensor<64x400xf32>
    %55 = "stablehlo.dot_general"(%54, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x400xf32>, tensor<400x120xf32>) -> tensor<64x120xf32>
    %56 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 1>}> : (tensor<120xf32>) -> tensor<1x120xf32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x120xf32>) -> tensor<64x120xf32>
    %58 = "stablehlo.add"(%55, %57) : (tensor<64x120xf32>, tensor<64x120xf32>) -> tensor<64x120xf32>
    %59 = "stablehlo.tanh"(%58) : (tensor<64x120xf32>) -> tensor<64x120xf32>
    %60 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x120xf32>
    %62 = "stablehlo.subtract"(%61, %59) : (tensor<64x120xf32>, tensor<64x120xf32>) -> tensor<64x120xf32>
    %63 = "stablehlo.dot_general"(%59, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x120xf32>, tensor<120x84xf32>) -> tensor<64x84xf32>
    %64 = "stablehlo.broadcast_in_dim"(%arg20) <{broadcast_dimensions = array<i64: 1>}> : (tensor<84xf32>) -> tensor<1x84xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x84xf32>) -> tensor<64x84xf32>
    %66 = "stablehlo.add"(%63, %65) : (tensor<64x84xf32>, tensor<64x84xf32>) -> tensor<64x84xf32>
    %67 = "stablehlo.tanh"(%66) : (tensor<64x84xf32>) -> tensor<64x84xf32>
    %68 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x84xf32>
    %70 = "stablehlo.subtract"(%69, %67) : (tensor<64x84xf32>, tensor<64x84xf32>) -> tensor<64x84xf32>
    %71 = "stablehlo.dot_general"(%67, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x84xf32>, tensor<84x10xf32>) -> tensor<64x10xf32>
    %72 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 1>}> : (tensor<10xf32>) -> tensor<1x10xf32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x10xf32>) -> tensor<64x10xf32>
    %74 = "stablehlo.add"(%71, %73) : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
    %75:2 = "func.call"(%74) <{callee = @log_softmax}> : (tensor<64x10xf32>) -> (tensor<64x10xf32>, tensor<64x1xf32>)
    %76 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.negate"(%76) : (tensor<f32>) -> tensor<f32>
    %78 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.divide"(%77, %78) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64xf32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xf32>) -> tensor<64x10xf32>
    %82 = "stablehlo.multiply"(%81, %arg23) : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
    %83 = "func.call"(%75#0, %75#1, %82) <{callee = @log_softmax_0}> : (tensor<64x10xf32>, tensor<64x1xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
    %84 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.reduce"(%83, %84) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
      %202 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%202) : (tensor<f32>) -> ()
    }) : (tensor<64x10xf32>, tensor<f32>) -> tensor<10xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<10xf32>) -> tensor<1x10xf32>
    %87 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.reduce"(%86, %87) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %201 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%201) : (tensor<f32>) -> ()
    }) : (tensor<1x10xf32>, tensor<f32>) -> tensor<10xf32>
    %89 = "stablehlo.dot_general"(%83, %67) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x10xf32>, tensor<64x84xf32>) -> tensor<10x84xf32>
    %90 = "stablehlo.transpose"(%89) <{permutation = array<i64: 1, 0>}> : (tensor<10x84xf32>) -> tensor<84x10xf32>
    %91 = "stablehlo.dot_general"(%83, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x10xf32>, tensor<84x10xf32>) -> tensor<64x84xf32>
    %92 = "stablehlo.multiply"(%91, %70) : (tensor<64x84xf32>, tensor<64x84xf32>) -> tensor<64x84xf32>
    %93 = "stablehlo.multiply"(%92, %67) : (tensor<64x84xf32>, tensor<64x84xf32>) -> tensor<64x84xf32>
    %94 = "stablehlo.add"(%92, %93) : (tensor<64x84xf32>, tensor<64x84xf32>) -> tensor<64x84xf32>
    %95 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.reduce"(%94, %95) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %200 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%200) : (tensor<f32>) -> ()
    }) : (tensor<64x84xf32>, tensor<f32>) -> tensor<84xf32>
    %97 = "stablehlo.reshape"(%96) : (tensor<84xf32>) -> tensor<1x84xf32>
    %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.reduce"(%97, %98) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %199 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%199) : (tensor<f32>) -> ()
    }) : (tensor<1x84xf32>, tensor<f32>) -> tensor<84xf32>
    %100 = "stablehlo.dot_general"(%94, %59) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x84xf32>, tensor<64x120xf32>) -> tensor<84x120xf32>
    %101 = "stablehlo.transpose"(%100) <{permutation = array<i64: 1, 0>}> : (tensor<84x120xf32>) -> tensor<120x84xf32>
    %102 = "stablehlo.dot_general"(%94, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x84xf32>, tensor<120x84xf32>) -> tensor<64x120xf32>
    %103 = "stablehlo.multiply"(%102, %62) : (tensor<64x120xf32>, tensor<64x120xf32>) -> tensor<64x120xf32>
    %104 = "stablehlo.multiply"(%103, %59) : (tensor<64x120xf32>, tensor<64x120xf32>) -> tensor<64x120xf32>
    %105 = "stablehlo.add"(%103, %104) : (tensor<64x120xf32>, tensor<64x120xf32>) -> tensor<64x120xf32>
    %106 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.reduce"(%105, %106) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %198 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%198) : (tensor<f32>) -> ()
    }) : (tensor<64x120xf32>, tensor<f32>) -> tensor<120xf32>
    %108 = "stablehlo.reshape"(%107) : (tensor<120xf32>) -> tensor<1x120xf32>
    %109 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.reduce"(%108, %109) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %197 = "stablehlo.add"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%197) : (tensor<f32>) -> ()
    }) : (tensor<1x120xf32>, tensor<f32>) -> tensor<120xf32>
    %111 = "stablehlo.dot_general"(%105, %54) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x120xf32>, tensor<64x400xf32>) -> tensor<120x400xf32>
    %112 = "stablehlo.transpose"(%111) <{permutation = array<i64: 1, 0>}> : (tensor<120x400xf32>) -> tensor<400x120xf32>
    %113 = "stablehlo.dot_general"(%105, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x120xf32>, tensor<400x120xf32>) -> tensor<64x400xf32>
    %114 = "stablehlo.reshape"(%113) : (tensor<64x400xf32>) -> tensor<64x16x5x5xf32>
    %115 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x16x5x5xf32>
    %117 = "stablehlo.divide"(%114, %116) : (tensor<64x16x5x5xf32>, tensor<64x16x5x5xf32>) -> tensor<64x16x5x5xf32>
    %118 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.pad"(%117, %118) <{edge_padding_high = array<i64: 0, 0, 1, 1>, edge_padding_low = array<i64: 0, 0, 1, 1>, interior_padding = array<i64: 0, 0, 1, 1>}> : (tensor<64x16x5x5xf32>, tensor<f32>) -> tensor<64x16x11x11xf32>
    %120 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %122 = "stablehlo.reduce_window"(%119, %121) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %196 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%196) : (tensor<f32>) -> ()
    }) : (tensor<64x16x11x11xf32>, tensor<f32>) -> tensor<64x16x10x10xf32>
    %123 = "stablehlo.multiply"(%122, %47) : (tensor<64x16x10x10xf32>, tensor<64x16x10x10xf32>) -> tensor<64x16x10x10xf32>
    %124 = "stablehlo.multiply"(%123, %44) : (tensor<64x16x10x10xf32>, tensor<64x16x10x10xf32>) -> tensor<64x16x10x10xf32>
    %125 = "stablehlo.add"(%123, %124) : (tensor<64x16x10x10xf32>, tensor<64x16x10x10xf32>) -> tensor<64x16x10x10xf32>
    %126 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %127 = "stablehlo.reduce"(%125, %126) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %195 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%195) : (tensor<f32>) -> ()
    }) : (tensor<64x16x10x10xf32>, tensor<f32>) -> tensor<16xf32>
    %128 = "stablehlo.reshape"(%127) : (tensor<16xf32>) -> tensor<1x16x1x1xf32>
    %129 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %130 = "stablehlo.reduce"(%128, %129) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %194 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%194) : (tensor<f32>) -> ()
    }) : (tensor<1x16x1x1xf32>, tensor<f32>) -> tensor<16xf32>
    %131 = "stablehlo.convolution"(%39, %125) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<64x6x14x14xf32>, tensor<64x16x10x10xf32>) -> tensor<16x6x5x5xf32>
    %132 = "stablehlo.reverse"(%arg15) <{dimensions = array<i64: 2, 3>}> : (tensor<16x6x5x5xf32>) -> tensor<16x6x5x5xf32>
    %133 = "stablehlo.convolution"(%125, %132) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<4> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<64x16x10x10xf32>, tensor<16x6x5x5xf32>) -> tensor<64x6x14x14xf32>
    %134 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x6x14x14xf32>
    %136 = "stablehlo.divide"(%133, %135) : (tensor<64x6x14x14xf32>, tensor<64x6x14x14xf32>) -> tensor<64x6x14x14xf32>
    %137 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %138 = "stablehlo.pad"(%136, %137) <{edge_padding_high = array<i64: 0, 0, 1, 1>, edge_padding_low = array<i64: 0, 0, 1, 1>, interior_padding = array<i64: 0, 0, 1, 1>}> : (tensor<64x6x14x14xf32>, tensor<f32>) -> tensor<64x6x29x29xf32>
    %139 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %141 = "stablehlo.reduce_window"(%138, %140) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %193 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%193) : (tensor<f32>) -> ()
    }) : (tensor<64x6x29x29xf32>, tensor<f32>) -> tensor<64x6x28x28xf32>
    %142 = "stablehlo.multiply"(%141, %33) : (tensor<64x6x28x28xf32>, tensor<64x6x28x28xf32>) -> tensor<64x6x28x28xf32>
    %143 = "stablehlo.multiply"(%142, %30) : (tensor<64x6x28x28xf32>, tensor<64x6x28x28xf32>) -> tensor<64x6x28x28xf32>
    %144 = "stablehlo.add"(%142, %143) : (tensor<64x6x28x28xf32>, tensor<64x6x28x28xf32>) -> tensor<64x6x28x28xf32>
    %145 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %146 = "stablehlo.reduce"(%144, %145) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %192 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%192) : (tensor<f32>) -> ()
    }) : (tensor<64x6x28x28xf32>, tensor<f32>) -> tensor<6xf32>
    %147 = "stablehlo.reshape"(%146) : (tensor<6xf32>) -> tensor<1x6x1x1xf32>
    %148 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %149 = "stablehlo.reduce"(%147, %148) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %191 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%191) : (tensor<f32>) -> ()
    }) : (tensor<1x6x1x1xf32>, tensor<f32>) -> tensor<6xf32>
    %150 = "stablehlo.convolution"(%arg22, %144) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<2> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<64x1x28x28xf32>, tensor<64x6x28x28xf32>) -> tensor<6x1x5x5xf32>
    %151 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6xf32>
    %153 = "stablehlo.multiply"(%152, %149) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %154 = "stablehlo.subtract"(%arg12, %153) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %155 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %157 = "stablehlo.multiply"(%156, %130) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %158 = "stablehlo.subtract"(%arg13, %157) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %159 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %160 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x1x5x5xf32>
    %161 = "stablehlo.multiply"(%160, %150) : (tensor<6x1x5x5xf32>, tensor<6x1x5x5xf32>) -> tensor<6x1x5x5xf32>
    %162 = "stablehlo.subtract"(%arg14, %161) : (tensor<6x1x5x5xf32>, tensor<6x1x5x5xf32>) -> tensor<6x1x5x5xf32>
    %163 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %164 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x6x5x5xf32>
    %165 = "stablehlo.multiply"(%164, %131) : (tensor<16x6x5x5xf32>, tensor<16x6x5x5xf32>) -> tensor<16x6x5x5xf32>
    %166 = "stablehlo.subtract"(%arg15, %165) : (tensor<16x6x5x5xf32>, tensor<16x6x5x5xf32>) -> tensor<16x6x5x5xf32>
    %167 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %168 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<400x120xf32>
    %169 = "stablehlo.multiply"(%168, %112) : (tensor<400x120xf32>, tensor<400x120xf32>) -> tensor<400x120xf32>
    %170 = "stablehlo.subtract"(%arg16, %169) : (tensor<400x120xf32>, tensor<400x120xf32>) -> tensor<400x120xf32>
    %171 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %172 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<120x84xf32>
    %173 = "stablehlo.multiply"(%172, %101) : (tensor<120x84xf32>, tensor<120x84xf32>) -> tensor<120x84xf32>
    %174 = "stablehlo.subtract"(%arg17, %173) : (tensor<120x84xf32>, tensor<120x84xf32>) -> tensor<120x84xf32>
    %175 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %176 = "stablehlo.broadcast_in_dim"(%175) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<84x10xf32>
    %177 = "stablehlo.multiply"(%176, %90) : (tensor<84x10xf32>, tensor<84x10xf32>) -> tensor<84x10xf32>
    %178 = "stablehlo.subtract"(%arg18, %177) : (tensor<84x10xf32>, tensor<84x10xf32>) -> tensor<84x10xf32>
    %179 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %180 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<120xf32>
    %181 = "stablehlo.multiply"(%180, %110) : (tensor<120xf32>, tensor<120xf32>) -> tensor<120xf32>
    %182 = "stablehlo.subtract"(%arg19, %181) : (tensor<120xf32>, tensor<120xf32>) -> tensor<120xf32>
    %183 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %184 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<84xf32>
    %185 = "stablehlo.multiply"(%184, %99) : (tensor<84xf32>, tensor<84xf32>) -> tensor<84xf32>
    %186 = "stablehlo.subtract"(%arg20, %185) : (tensor<84xf32>, tensor<84xf32>) -> tensor<84xf32>
    %187 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %188 = "stablehlo.broadcast_in_dim"(%187) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<10xf32>
    %189 = "stablehlo.multiply"(%188, %88) : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
    %190 = "stablehlo.subtract"(%arg21, %189) : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
    "func.return"(%154, %158, %162, %166, %170, %174, %178, %182, %186, %190) : (tensor<6xf32>, tensor<16xf32>, tensor<6x1x5x5xf32>, tensor<16x6x5x5xf32>, tensor<400x120xf32>, tensor<120x84xf32>, tensor<84x10xf32>, tensor<120xf32>, tensor<84xf32>, tensor<10xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<64x10xf32>) -> (tensor<64x10xf32>, tensor<64x1xf32>), res_attrs = [{}, {}], sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<64x10xf32>):
    %12 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.reduce"(%arg7, %12) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %25 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%25) : (tensor<f32>) -> ()
    }) : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %14 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64xf32>
    %16 = "stablehlo.maximum"(%15, %13) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xf32>) -> tensor<64x1xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<64x1xf32>) -> tensor<64x10xf32>
    %19 = "stablehlo.subtract"(%arg7, %18) : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
    %20 = "stablehlo.exponential"(%19) : (tensor<64x10xf32>) -> tensor<64x10xf32>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.reduce"(%20, %21) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %24 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%24) : (tensor<f32>) -> ()
    }) : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xf32>) -> tensor<64x1xf32>
    "func.return"(%20, %23) : (tensor<64x10xf32>, tensor<64x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<64x10xf32>, tensor<64x1xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>, res_attrs = [{}], sym_name = "log_softmax_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<64x10xf32>, %arg1: tensor<64x1xf32>, %arg2: tensor<64x10xf32>):
    %0 = "stablehlo.negate"(%arg2) : (tensor<64x10xf32>) -> tensor<64x10xf32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %11 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %3 = "stablehlo.reshape"(%2) : (tensor<64xf32>) -> tensor<64x1xf32>
    %4 = "stablehlo.divide"(%3, %arg1) : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
    %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %10 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%10) : (tensor<f32>) -> ()
    }) : (tensor<64x1xf32>, tensor<f32>) -> tensor<64xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xf32>) -> tensor<64x10xf32>
    %8 = "stablehlo.multiply"(%7, %arg0) : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
    %9 = "stablehlo.add"(%arg2, %8) : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
    "func.return"(%9) : (tensor<64x10xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
