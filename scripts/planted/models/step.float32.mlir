"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<3x3x3x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8x10xf32>, tensor<2x8x8x3xf32>, tensor<2x10xf32>) -> (tensor<3x3x3x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8x10xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg26: tensor<3x3x3x8xf32>, %arg27: tensor<8xf32>, %arg28: tensor<3x3x8x8xf32>, %arg29: tensor<8x10xf32>, %arg30: tensor<2x8x8x3xf32>, %arg31: tensor<2x10xf32>):
    %62 = "stablehlo.convolution"(%arg30, %arg26) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x8x8x3xf32>, tensor<3x3x3x8xf32>) -> tensor<2x8x8x8xf32>
    %63 = "stablehlo.broadcast_in_dim"(%arg27) <{broadcast_dimensions = array<i64: 3>}> : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x8xf32>) -> tensor<2x8x8x8xf32>
    %65 = "stablehlo.add"(%62, %64) : (tensor<2x8x8x8xf32>, tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %66 = "func.call"(%65) <{callee = @relu}> : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %67 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %69 = "stablehlo.compare"(%65, %68) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x8x8x8xf32>, tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xi1>
    %70 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %72 = "stablehlo.reduce_window"(%66, %71) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
      %167 = "stablehlo.maximum"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%167) : (tensor<f32>) -> ()
    }) : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x4x4x8xf32>
    %73 = "stablehlo.convolution"(%72, %arg28) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<2x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x2x2x8xf32>
    %74 = "func.call"(%73) <{callee = @relu6}> : (tensor<2x2x2x8xf32>) -> tensor<2x2x2x8xf32>
    %75 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x8xf32>
    %77 = "stablehlo.compare"(%73, %76) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x2x2x8xf32>, tensor<2x2x2x8xf32>) -> tensor<2x2x2x8xi1>
    %78 = "stablehlo.constant"() <{value = dense<6.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x8xf32>
    %80 = "stablehlo.compare"(%73, %79) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x2x2x8xf32>, tensor<2x2x2x8xf32>) -> tensor<2x2x2x8xi1>
    %81 = "stablehlo.and"(%77, %80) : (tensor<2x2x2x8xi1>, tensor<2x2x2x8xi1>) -> tensor<2x2x2x8xi1>
    %82 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.reduce"(%74, %82) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %166 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%166) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %84 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %86 = "stablehlo.divide"(%83, %85) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %87 = "stablehlo.dot_general"(%86, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8xf32>, tensor<8x10xf32>) -> tensor<2x10xf32>
    %88:3 = "func.call"(%87) <{callee = @log_softmax}> : (tensor<2x10xf32>) -> (tensor<2x10xf32>, tensor<2x10xf32>, tensor<2x1xf32>)
    %89 = "stablehlo.multiply"(%88#0, %arg31) : (tensor<2x10xf32>, tensor<2x10xf32>) -> tensor<2x10xf32>
    %90 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.reduce"(%89, %90) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %165 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%165) : (tensor<f32>) -> ()
    }) : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.reduce"(%91, %92) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %164 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%164) : (tensor<f32>) -> ()
    }) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %94 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.divide"(%93, %94) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %96 = "stablehlo.negate"(%95) : (tensor<f32>) -> tensor<f32>
    %97 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %98 = "stablehlo.negate"(%97) : (tensor<f32>) -> tensor<f32>
    %99 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %100 = "stablehlo.divide"(%98, %99) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x10xf32>
    %103 = "stablehlo.multiply"(%102, %arg31) : (tensor<2x10xf32>, tensor<2x10xf32>) -> tensor<2x10xf32>
    %104 = "func.call"(%88#1, %88#2, %103) <{callee = @log_softmax_0}> : (tensor<2x10xf32>, tensor<2x1xf32>, tensor<2x10xf32>) -> tensor<2x10xf32>
    %105 = "stablehlo.dot_general"(%104, %86) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x10xf32>, tensor<2x8xf32>) -> tensor<10x8xf32>
    %106 = "stablehlo.transpose"(%105) <{permutation = array<i64: 1, 0>}> : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %107 = "stablehlo.dot_general"(%104, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x10xf32>, tensor<8x10xf32>) -> tensor<2x8xf32>
    %108 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %110 = "stablehlo.divide"(%107, %109) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x8xf32>) -> tensor<2x2x2x8xf32>
    %112 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x8xf32>
    %114 = "stablehlo.select"(%81, %111, %113) : (tensor<2x2x2x8xi1>, tensor<2x2x2x8xf32>, tensor<2x2x2x8xf32>) -> tensor<2x2x2x8xf32>
    %115 = "stablehlo.convolution"(%72, %114) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 0], [1, 0]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x4x4x8xf32>, tensor<2x2x2x8xf32>) -> tensor<3x3x8x8xf32>
    %116 = "stablehlo.reverse"(%arg28) <{dimensions = array<i64: 0, 1>}> : (tensor<3x3x8x8xf32>) -> tensor<3x3x8x8xf32>
    %117 = "stablehlo.convolution"(%114, %116) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<[[1, 2], [1, 2]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x2x2x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x4x4x8xf32>
    %118 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.pad"(%66, %118) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x8x8x8xf32>
    %120 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.select_and_scatter"(%119, %117, %120) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %163 = "stablehlo.compare"(%arg38, %arg39) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%163) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %162 = "stablehlo.add"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%162) : (tensor<f32>) -> ()
    }) : (tensor<2x8x8x8xf32>, tensor<2x4x4x8xf32>, tensor<f32>) -> tensor<2x8x8x8xf32>
    %122 = "stablehlo.slice"(%121) <{limit_indices = array<i64: 2, 8, 8, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %123 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %125 = "stablehlo.select"(%69, %122, %124) : (tensor<2x8x8x8xi1>, tensor<2x8x8x8xf32>, tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %126 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %127 = "stablehlo.reduce"(%125, %126) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %161 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%161) : (tensor<f32>) -> ()
    }) : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %128 = "stablehlo.reshape"(%127) : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %129 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %130 = "stablehlo.reduce"(%128, %129) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %160 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%160) : (tensor<f32>) -> ()
    }) : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %131 = "stablehlo.convolution"(%arg30, %125) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x8x8x3xf32>, tensor<2x8x8x8xf32>) -> tensor<3x3x3x8xf32>
    %132 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %133 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %134 = "func.call"(%131, %132, %133) <{callee = @clip}> : (tensor<3x3x3x8xf32>, tensor<f32>, tensor<f32>) -> tensor<3x3x3x8xf32>
    %135 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3x3x8xf32>
    %137 = "stablehlo.multiply"(%136, %134) : (tensor<3x3x3x8xf32>, tensor<3x3x3x8xf32>) -> tensor<3x3x3x8xf32>
    %138 = "stablehlo.subtract"(%arg26, %137) : (tensor<3x3x3x8xf32>, tensor<3x3x3x8xf32>) -> tensor<3x3x3x8xf32>
    %139 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %140 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %141 = "func.call"(%130, %139, %140) <{callee = @clip_1}> : (tensor<8xf32>, tensor<f32>, tensor<f32>) -> tensor<8xf32>
    %142 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %144 = "stablehlo.multiply"(%143, %141) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %145 = "stablehlo.subtract"(%arg27, %144) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %146 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %147 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %148 = "func.call"(%115, %146, %147) <{callee = @clip_2}> : (tensor<3x3x8x8xf32>, tensor<f32>, tensor<f32>) -> tensor<3x3x8x8xf32>
    %149 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %151 = "stablehlo.multiply"(%150, %148) : (tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>) -> tensor<3x3x8x8xf32>
    %152 = "stablehlo.subtract"(%arg28, %151) : (tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>) -> tensor<3x3x8x8xf32>
    %153 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %154 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %155 = "func.call"(%106, %153, %154) <{callee = @clip_3}> : (tensor<8x10xf32>, tensor<f32>, tensor<f32>) -> tensor<8x10xf32>
    %156 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %157 = "stablehlo.broadcast_in_dim"(%156) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x10xf32>
    %158 = "stablehlo.multiply"(%157, %155) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %159 = "stablehlo.subtract"(%arg29, %158) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    "func.return"(%138, %145, %152, %159, %96) : (tensor<3x3x3x8xf32>, tensor<8xf32>, tensor<3x3x8x8xf32>, tensor<8x10xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>, res_attrs = [{}], sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg25: tensor<2x8x8x8xf32>):
    %59 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %61 = "stablehlo.maximum"(%arg25, %60) : (tensor<2x8x8x8xf32>, tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    "func.return"(%61) : (tensor<2x8x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x2x2x8xf32>) -> tensor<2x2x2x8xf32>, res_attrs = [{}], sym_name = "relu6", sym_visibility = "private"}> ({
  ^bb0(%arg24: tensor<2x2x2x8xf32>):
    %53 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x8xf32>
    %55 = "stablehlo.maximum"(%arg24, %54) : (tensor<2x2x2x8xf32>, tensor<2x2x2x8xf32>) -> tensor<2x2x2x8xf32>
    %56 = "stablehlo.constant"() <{value = dense<6.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x2x8xf32>
    %58 = "stablehlo.minimum"(%55, %57) : (tensor<2x2x2x8xf32>, tensor<2x2x2x8xf32>) -> tensor<2x2x2x8xf32>
    "func.return"(%58) : (tensor<2x2x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x10xf32>) -> (tensor<2x10xf32>, tensor<2x10xf32>, tensor<2x1xf32>), res_attrs = [{}, {}, {}], sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<2x10xf32>):
    %36 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.reduce"(%arg19, %36) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %52 = "stablehlo.maximum"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%52) : (tensor<f32>) -> ()
    }) : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %38 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %40 = "stablehlo.maximum"(%39, %37) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x1xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x10xf32>
    %43 = "stablehlo.subtract"(%arg19, %42) : (tensor<2x10xf32>, tensor<2x10xf32>) -> tensor<2x10xf32>
    %44 = "stablehlo.exponential"(%43) : (tensor<2x10xf32>) -> tensor<2x10xf32>
    %45 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.reduce"(%44, %45) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %51 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x1xf32>
    %48 = "stablehlo.log"(%47) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x10xf32>
    %50 = "stablehlo.subtract"(%43, %49) : (tensor<2x10xf32>, tensor<2x10xf32>) -> tensor<2x10xf32>
    "func.return"(%50, %44, %47) : (tensor<2x10xf32>, tensor<2x10xf32>, tensor<2x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x10xf32>, tensor<2x1xf32>, tensor<2x10xf32>) -> tensor<2x10xf32>, res_attrs = [{}], sym_name = "log_softmax_0", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<2x10xf32>, %arg13: tensor<2x1xf32>, %arg14: tensor<2x10xf32>):
    %24 = "stablehlo.negate"(%arg14) : (tensor<2x10xf32>) -> tensor<2x10xf32>
    %25 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.reduce"(%24, %25) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %35 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%35) : (tensor<f32>) -> ()
    }) : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %27 = "stablehlo.reshape"(%26) : (tensor<2xf32>) -> tensor<2x1xf32>
    %28 = "stablehlo.divide"(%27, %arg13) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %29 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.reduce"(%28, %29) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %34 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%34) : (tensor<f32>) -> ()
    }) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x10xf32>
    %32 = "stablehlo.multiply"(%31, %arg12) : (tensor<2x10xf32>, tensor<2x10xf32>) -> tensor<2x10xf32>
    %33 = "stablehlo.add"(%arg14, %32) : (tensor<2x10xf32>, tensor<2x10xf32>) -> tensor<2x10xf32>
    "func.return"(%33) : (tensor<2x10xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x3x3x8xf32>, tensor<f32>, tensor<f32>) -> tensor<3x3x3x8xf32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<3x3x3x8xf32>, %arg10: tensor<f32>, %arg11: tensor<f32>):
    %18 = "stablehlo.convert"(%arg10) : (tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3x3x8xf32>
    %20 = "stablehlo.maximum"(%19, %arg9) : (tensor<3x3x3x8xf32>, tensor<3x3x3x8xf32>) -> tensor<3x3x3x8xf32>
    %21 = "stablehlo.convert"(%arg11) : (tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3x3x8xf32>
    %23 = "stablehlo.minimum"(%22, %20) : (tensor<3x3x3x8xf32>, tensor<3x3x3x8xf32>) -> tensor<3x3x3x8xf32>
    "func.return"(%23) : (tensor<3x3x3x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8xf32>, tensor<f32>, tensor<f32>) -> tensor<8xf32>, res_attrs = [{}], sym_name = "clip_1", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<8xf32>, %arg7: tensor<f32>, %arg8: tensor<f32>):
    %12 = "stablehlo.convert"(%arg7) : (tensor<f32>) -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %14 = "stablehlo.maximum"(%13, %arg6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.convert"(%arg8) : (tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %17 = "stablehlo.minimum"(%16, %14) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    "func.return"(%17) : (tensor<8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x3x8x8xf32>, tensor<f32>, tensor<f32>) -> tensor<3x3x8x8xf32>, res_attrs = [{}], sym_name = "clip_2", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x3x8x8xf32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
    %6 = "stablehlo.convert"(%arg4) : (tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %8 = "stablehlo.maximum"(%7, %arg3) : (tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>) -> tensor<3x3x8x8xf32>
    %9 = "stablehlo.convert"(%arg5) : (tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %11 = "stablehlo.minimum"(%10, %8) : (tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>) -> tensor<3x3x8x8xf32>
    "func.return"(%11) : (tensor<3x3x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x10xf32>, tensor<f32>, tensor<f32>) -> tensor<8x10xf32>, res_attrs = [{}], sym_name = "clip_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x10xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x10xf32>
    %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %3 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x10xf32>
    %5 = "stablehlo.minimum"(%4, %2) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    "func.return"(%5) : (tensor<8x10xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
