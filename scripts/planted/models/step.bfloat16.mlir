"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<3x3x3x8xbf16>, tensor<8xbf16>, tensor<3x3x8x8xbf16>, tensor<8x10xbf16>, tensor<2x8x8x3xbf16>, tensor<2x10xbf16>) -> (tensor<3x3x3x8xbf16>, tensor<8xbf16>, tensor<3x3x8x8xbf16>, tensor<8x10xbf16>, tensor<bf16>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg26: tensor<3x3x3x8xbf16>, %arg27: tensor<8xbf16>, %arg28: tensor<3x3x8x8xbf16>, %arg29: tensor<8x10xbf16>, %arg30: tensor<2x8x8x3xbf16>, %arg31: tensor<2x10xbf16>):
    %66 = "stablehlo.convolution"(%arg30, %arg26) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x8x8x3xbf16>, tensor<3x3x3x8xbf16>) -> tensor<2x8x8x8xbf16>
    %67 = "stablehlo.broadcast_in_dim"(%arg27) <{broadcast_dimensions = array<i64: 3>}> : (tensor<8xbf16>) -> tensor<1x1x1x8xbf16>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x8xbf16>) -> tensor<2x8x8x8xbf16>
    %69 = "stablehlo.add"(%66, %68) : (tensor<2x8x8x8xbf16>, tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    %70 = "func.call"(%69) <{callee = @relu}> : (tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    %71 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %73 = "stablehlo.compare"(%69, %72) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x8x8x8xbf16>, tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xi1>
    %74 = "stablehlo.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<bf16>
    %76 = "stablehlo.reduce_window"(%70, %75) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg46: tensor<bf16>, %arg47: tensor<bf16>):
      %183 = "stablehlo.maximum"(%arg46, %arg47) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%183) : (tensor<bf16>) -> ()
    }) : (tensor<2x8x8x8xbf16>, tensor<bf16>) -> tensor<2x4x4x8xbf16>
    %77 = "stablehlo.convolution"(%76, %arg28) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<2x4x4x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<2x2x2x8xbf16>
    %78 = "func.call"(%77) <{callee = @relu6}> : (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>
    %79 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %81 = "stablehlo.compare"(%77, %80) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<2x2x2x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xi1>
    %82 = "stablehlo.constant"() <{value = dense<6.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %84 = "stablehlo.compare"(%77, %83) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x2x2x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xi1>
    %85 = "stablehlo.and"(%81, %84) : (tensor<2x2x2x8xi1>, tensor<2x2x2x8xi1>) -> tensor<2x2x2x8xi1>
    %86 = "stablehlo.convert"(%78) : (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xf32>
    %87 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.reduce"(%86, %87) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %182 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%182) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %89 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %91 = "stablehlo.divide"(%88, %90) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %92 = "stablehlo.convert"(%91) : (tensor<2x8xf32>) -> tensor<2x8xbf16>
    %93 = "stablehlo.dot_general"(%92, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8xbf16>, tensor<8x10xbf16>) -> tensor<2x10xbf16>
    %94:3 = "func.call"(%93) <{callee = @log_softmax}> : (tensor<2x10xbf16>) -> (tensor<2x10xbf16>, tensor<2x10xbf16>, tensor<2x1xbf16>)
    %95 = "stablehlo.multiply"(%94#0, %arg31) : (tensor<2x10xbf16>, tensor<2x10xbf16>) -> tensor<2x10xbf16>
    %96 = "stablehlo.convert"(%95) : (tensor<2x10xbf16>) -> tensor<2x10xf32>
    %97 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %98 = "stablehlo.reduce"(%96, %97) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %181 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%181) : (tensor<f32>) -> ()
    }) : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %99 = "stablehlo.convert"(%98) : (tensor<2xf32>) -> tensor<2xbf16>
    %100 = "stablehlo.convert"(%99) : (tensor<2xbf16>) -> tensor<2xf32>
    %101 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %102 = "stablehlo.reduce"(%100, %101) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %180 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%180) : (tensor<f32>) -> ()
    }) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %103 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.divide"(%102, %103) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %105 = "stablehlo.convert"(%104) : (tensor<f32>) -> tensor<bf16>
    %106 = "stablehlo.negate"(%105) : (tensor<bf16>) -> tensor<bf16>
    %107 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %108 = "stablehlo.negate"(%107) : (tensor<bf16>) -> tensor<bf16>
    %109 = "stablehlo.convert"(%108) : (tensor<bf16>) -> tensor<f32>
    %110 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.divide"(%109, %110) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %112 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %113 = "stablehlo.convert"(%112) : (tensor<2xf32>) -> tensor<2xbf16>
    %114 = "stablehlo.convert"(%113) : (tensor<2xbf16>) -> tensor<2xf32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x10xf32>
    %116 = "stablehlo.convert"(%115) : (tensor<2x10xf32>) -> tensor<2x10xbf16>
    %117 = "stablehlo.multiply"(%116, %arg31) : (tensor<2x10xbf16>, tensor<2x10xbf16>) -> tensor<2x10xbf16>
    %118 = "func.call"(%94#1, %94#2, %117) <{callee = @log_softmax_0}> : (tensor<2x10xbf16>, tensor<2x1xbf16>, tensor<2x10xbf16>) -> tensor<2x10xbf16>
    %119 = "stablehlo.dot_general"(%118, %92) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x10xbf16>, tensor<2x8xbf16>) -> tensor<10x8xbf16>
    %120 = "stablehlo.transpose"(%119) <{permutation = array<i64: 1, 0>}> : (tensor<10x8xbf16>) -> tensor<8x10xbf16>
    %121 = "stablehlo.dot_general"(%118, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x10xbf16>, tensor<8x10xbf16>) -> tensor<2x8xbf16>
    %122 = "stablehlo.convert"(%121) : (tensor<2x8xbf16>) -> tensor<2x8xf32>
    %123 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %125 = "stablehlo.divide"(%122, %124) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x8xf32>) -> tensor<2x2x2x8xf32>
    %127 = "stablehlo.convert"(%126) : (tensor<2x2x2x8xf32>) -> tensor<2x2x2x8xbf16>
    %128 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %130 = "stablehlo.select"(%85, %127, %129) : (tensor<2x2x2x8xi1>, tensor<2x2x2x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>
    %131 = "stablehlo.convolution"(%76, %130) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 0], [1, 0]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x4x4x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<3x3x8x8xbf16>
    %132 = "stablehlo.reverse"(%arg28) <{dimensions = array<i64: 0, 1>}> : (tensor<3x3x8x8xbf16>) -> tensor<3x3x8x8xbf16>
    %133 = "stablehlo.convolution"(%130, %132) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<[[1, 2], [1, 2]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x2x2x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<2x4x4x8xbf16>
    %134 = "stablehlo.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
    %135 = "stablehlo.pad"(%70, %134) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x8x8x8xbf16>, tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %136 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %137 = "stablehlo.select_and_scatter"(%135, %133, %136) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg38: tensor<bf16>, %arg39: tensor<bf16>):
      %179 = "stablehlo.compare"(%arg38, %arg39) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      "stablehlo.return"(%179) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg36: tensor<bf16>, %arg37: tensor<bf16>):
      %178 = "stablehlo.add"(%arg36, %arg37) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%178) : (tensor<bf16>) -> ()
    }) : (tensor<2x8x8x8xbf16>, tensor<2x4x4x8xbf16>, tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %138 = "stablehlo.slice"(%137) <{limit_indices = array<i64: 2, 8, 8, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    %139 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %141 = "stablehlo.select"(%73, %138, %140) : (tensor<2x8x8x8xi1>, tensor<2x8x8x8xbf16>, tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    %142 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %143 = "stablehlo.reduce"(%141, %142) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg34: tensor<bf16>, %arg35: tensor<bf16>):
      %177 = "stablehlo.add"(%arg34, %arg35) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%177) : (tensor<bf16>) -> ()
    }) : (tensor<2x8x8x8xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %144 = "stablehlo.reshape"(%143) : (tensor<8xbf16>) -> tensor<1x1x1x8xbf16>
    %145 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %146 = "stablehlo.reduce"(%144, %145) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg32: tensor<bf16>, %arg33: tensor<bf16>):
      %176 = "stablehlo.add"(%arg32, %arg33) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%176) : (tensor<bf16>) -> ()
    }) : (tensor<1x1x1x8xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %147 = "stablehlo.convolution"(%arg30, %141) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x8x8x3xbf16>, tensor<2x8x8x8xbf16>) -> tensor<3x3x3x8xbf16>
    %148 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %149 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %150 = "func.call"(%147, %148, %149) <{callee = @clip}> : (tensor<3x3x3x8xbf16>, tensor<f32>, tensor<f32>) -> tensor<3x3x3x8xbf16>
    %151 = "stablehlo.constant"() <{value = dense<1.000980e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x3x3x8xbf16>
    %153 = "stablehlo.multiply"(%152, %150) : (tensor<3x3x3x8xbf16>, tensor<3x3x3x8xbf16>) -> tensor<3x3x3x8xbf16>
    %154 = "stablehlo.subtract"(%arg26, %153) : (tensor<3x3x3x8xbf16>, tensor<3x3x3x8xbf16>) -> tensor<3x3x3x8xbf16>
    %155 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %157 = "func.call"(%146, %155, %156) <{callee = @clip_1}> : (tensor<8xbf16>, tensor<f32>, tensor<f32>) -> tensor<8xbf16>
    %158 = "stablehlo.constant"() <{value = dense<1.000980e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8xbf16>
    %160 = "stablehlo.multiply"(%159, %157) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %161 = "stablehlo.subtract"(%arg27, %160) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %162 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %163 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %164 = "func.call"(%131, %162, %163) <{callee = @clip_2}> : (tensor<3x3x8x8xbf16>, tensor<f32>, tensor<f32>) -> tensor<3x3x8x8xbf16>
    %165 = "stablehlo.constant"() <{value = dense<1.000980e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %166 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x3x8x8xbf16>
    %167 = "stablehlo.multiply"(%166, %164) : (tensor<3x3x8x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<3x3x8x8xbf16>
    %168 = "stablehlo.subtract"(%arg28, %167) : (tensor<3x3x8x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<3x3x8x8xbf16>
    %169 = "stablehlo.constant"() <{value = dense<-5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %170 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %171 = "func.call"(%120, %169, %170) <{callee = @clip_3}> : (tensor<8x10xbf16>, tensor<f32>, tensor<f32>) -> tensor<8x10xbf16>
    %172 = "stablehlo.constant"() <{value = dense<1.000980e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x10xbf16>
    %174 = "stablehlo.multiply"(%173, %171) : (tensor<8x10xbf16>, tensor<8x10xbf16>) -> tensor<8x10xbf16>
    %175 = "stablehlo.subtract"(%arg29, %174) : (tensor<8x10xbf16>, tensor<8x10xbf16>) -> tensor<8x10xbf16>
    "func.return"(%154, %161, %168, %175, %106) : (tensor<3x3x3x8xbf16>, tensor<8xbf16>, tensor<3x3x8x8xbf16>, tensor<8x10xbf16>, tensor<bf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>, res_attrs = [{}], sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg25: tensor<2x8x8x8xbf16>):
    %63 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %65 = "stablehlo.maximum"(%arg25, %64) : (tensor<2x8x8x8xbf16>, tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    "func.return"(%65) : (tensor<2x8x8x8xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>, res_attrs = [{}], sym_name = "relu6", sym_visibility = "private"}> ({
  ^bb0(%arg24: tensor<2x2x2x8xbf16>):
    %57 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %59 = "stablehlo.maximum"(%arg24, %58) : (tensor<2x2x2x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>
    %60 = "stablehlo.constant"() <{value = dense<6.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %62 = "stablehlo.minimum"(%59, %61) : (tensor<2x2x2x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>
    "func.return"(%62) : (tensor<2x2x2x8xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x10xbf16>) -> (tensor<2x10xbf16>, tensor<2x10xbf16>, tensor<2x1xbf16>), res_attrs = [{}, {}, {}], sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<2x10xbf16>):
    %38 = "stablehlo.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
    %39 = "stablehlo.reduce"(%arg19, %38) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg22: tensor<bf16>, %arg23: tensor<bf16>):
      %56 = "stablehlo.maximum"(%arg22, %arg23) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%56) : (tensor<bf16>) -> ()
    }) : (tensor<2x10xbf16>, tensor<bf16>) -> tensor<2xbf16>
    %40 = "stablehlo.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2xbf16>
    %42 = "stablehlo.maximum"(%41, %39) : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xbf16>) -> tensor<2x1xbf16>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xbf16>) -> tensor<2x10xbf16>
    %45 = "stablehlo.subtract"(%arg19, %44) : (tensor<2x10xbf16>, tensor<2x10xbf16>) -> tensor<2x10xbf16>
    %46 = "stablehlo.exponential"(%45) : (tensor<2x10xbf16>) -> tensor<2x10xbf16>
    %47 = "stablehlo.convert"(%46) : (tensor<2x10xbf16>) -> tensor<2x10xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.reduce"(%47, %48) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %55 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%55) : (tensor<f32>) -> ()
    }) : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x1xf32>
    %51 = "stablehlo.convert"(%50) : (tensor<2x1xf32>) -> tensor<2x1xbf16>
    %52 = "stablehlo.log"(%51) : (tensor<2x1xbf16>) -> tensor<2x1xbf16>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xbf16>) -> tensor<2x10xbf16>
    %54 = "stablehlo.subtract"(%45, %53) : (tensor<2x10xbf16>, tensor<2x10xbf16>) -> tensor<2x10xbf16>
    "func.return"(%54, %46, %51) : (tensor<2x10xbf16>, tensor<2x10xbf16>, tensor<2x1xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x10xbf16>, tensor<2x1xbf16>, tensor<2x10xbf16>) -> tensor<2x10xbf16>, res_attrs = [{}], sym_name = "log_softmax_0", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<2x10xbf16>, %arg13: tensor<2x1xbf16>, %arg14: tensor<2x10xbf16>):
    %24 = "stablehlo.negate"(%arg14) : (tensor<2x10xbf16>) -> tensor<2x10xbf16>
    %25 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %26 = "stablehlo.reduce"(%24, %25) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg17: tensor<bf16>, %arg18: tensor<bf16>):
      %37 = "stablehlo.add"(%arg17, %arg18) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%37) : (tensor<bf16>) -> ()
    }) : (tensor<2x10xbf16>, tensor<bf16>) -> tensor<2xbf16>
    %27 = "stablehlo.reshape"(%26) : (tensor<2xbf16>) -> tensor<2x1xbf16>
    %28 = "stablehlo.divide"(%27, %arg13) : (tensor<2x1xbf16>, tensor<2x1xbf16>) -> tensor<2x1xbf16>
    %29 = "stablehlo.convert"(%28) : (tensor<2x1xbf16>) -> tensor<2x1xf32>
    %30 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.reduce"(%29, %30) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %36 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%36) : (tensor<f32>) -> ()
    }) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x10xf32>
    %33 = "stablehlo.convert"(%32) : (tensor<2x10xf32>) -> tensor<2x10xbf16>
    %34 = "stablehlo.multiply"(%33, %arg12) : (tensor<2x10xbf16>, tensor<2x10xbf16>) -> tensor<2x10xbf16>
    %35 = "stablehlo.add"(%arg14, %34) : (tensor<2x10xbf16>, tensor<2x10xbf16>) -> tensor<2x10xbf16>
    "func.return"(%35) : (tensor<2x10xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x3x3x8xbf16>, tensor<f32>, tensor<f32>) -> tensor<3x3x3x8xbf16>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<3x3x3x8xbf16>, %arg10: tensor<f32>, %arg11: tensor<f32>):
    %18 = "stablehlo.convert"(%arg10) : (tensor<f32>) -> tensor<bf16>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x3x3x8xbf16>
    %20 = "stablehlo.maximum"(%19, %arg9) : (tensor<3x3x3x8xbf16>, tensor<3x3x3x8xbf16>) -> tensor<3x3x3x8xbf16>
    %21 = "stablehlo.convert"(%arg11) : (tensor<f32>) -> tensor<bf16>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x3x3x8xbf16>
    %23 = "stablehlo.minimum"(%22, %20) : (tensor<3x3x3x8xbf16>, tensor<3x3x3x8xbf16>) -> tensor<3x3x3x8xbf16>
    "func.return"(%23) : (tensor<3x3x3x8xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8xbf16>, tensor<f32>, tensor<f32>) -> tensor<8xbf16>, res_attrs = [{}], sym_name = "clip_1", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<8xbf16>, %arg7: tensor<f32>, %arg8: tensor<f32>):
    %12 = "stablehlo.convert"(%arg7) : (tensor<f32>) -> tensor<bf16>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8xbf16>
    %14 = "stablehlo.maximum"(%13, %arg6) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %15 = "stablehlo.convert"(%arg8) : (tensor<f32>) -> tensor<bf16>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8xbf16>
    %17 = "stablehlo.minimum"(%16, %14) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    "func.return"(%17) : (tensor<8xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x3x8x8xbf16>, tensor<f32>, tensor<f32>) -> tensor<3x3x8x8xbf16>, res_attrs = [{}], sym_name = "clip_2", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x3x8x8xbf16>, %arg4: tensor<f32>, %arg5: tensor<f32>):
    %6 = "stablehlo.convert"(%arg4) : (tensor<f32>) -> tensor<bf16>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x3x8x8xbf16>
    %8 = "stablehlo.maximum"(%7, %arg3) : (tensor<3x3x8x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<3x3x8x8xbf16>
    %9 = "stablehlo.convert"(%arg5) : (tensor<f32>) -> tensor<bf16>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x3x8x8xbf16>
    %11 = "stablehlo.minimum"(%10, %8) : (tensor<3x3x8x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<3x3x8x8xbf16>
    "func.return"(%11) : (tensor<3x3x8x8xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x10xbf16>, tensor<f32>, tensor<f32>) -> tensor<8x10xbf16>, res_attrs = [{}], sym_name = "clip_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x10xbf16>, %arg1: tensor<f32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<f32>) -> tensor<bf16>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x10xbf16>
    %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<8x10xbf16>, tensor<8x10xbf16>) -> tensor<8x10xbf16>
    %3 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<bf16>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x10xbf16>
    %5 = "stablehlo.minimum"(%4, %2) : (tensor<8x10xbf16>, tensor<8x10xbf16>) -> tensor<8x10xbf16>
    "func.return"(%5) : (tensor<8x10xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
