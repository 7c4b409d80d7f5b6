// lamb_clip: written by scripts/optimizer-corpus.py with jax 0.10.2, optax 0.2.8
// fused: adamw:0,clip_norm:1
// params: 5 state: 16
"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<32x8xf32>, tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}, {jax.result_info = "result[13]"}, {jax.result_info = "result[14]"}, {jax.result_info = "result[15]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg54: tensor<16xf32>, %arg55: tensor<4xf32>, %arg56: tensor<1xf32>, %arg57: tensor<8x16xf32>, %arg58: tensor<16x4xf32>, %arg59: tensor<i32>, %arg60: tensor<16xf32>, %arg61: tensor<4xf32>, %arg62: tensor<1xf32>, %arg63: tensor<8x16xf32>, %arg64: tensor<16x4xf32>, %arg65: tensor<16xf32>, %arg66: tensor<4xf32>, %arg67: tensor<1xf32>, %arg68: tensor<8x16xf32>, %arg69: tensor<16x4xf32>, %arg70: tensor<32x8xf32>, %arg71: tensor<32x4xf32>):
    %68 = "stablehlo.dot_general"(%arg70, %arg57) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
    %69 = "stablehlo.broadcast_in_dim"(%arg54) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xf32>) -> tensor<1x16xf32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xf32>) -> tensor<32x16xf32>
    %71 = "stablehlo.add"(%68, %70) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %72 = "stablehlo.tanh"(%71) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %73 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x16xf32>
    %75 = "stablehlo.subtract"(%74, %72) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %76 = "stablehlo.dot_general"(%72, %arg58) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
    %77 = "stablehlo.broadcast_in_dim"(%arg55) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<32x4xf32>
    %79 = "stablehlo.add"(%76, %78) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %80 = "stablehlo.broadcast_in_dim"(%arg56) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %82 = "stablehlo.multiply"(%79, %81) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %83 = "stablehlo.subtract"(%82, %arg71) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %84 = "stablehlo.multiply"(%83, %83) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %85 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %87 = "stablehlo.multiply"(%86, %83) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %88 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.reduce"(%84, %88) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg94: tensor<f32>, %arg95: tensor<f32>):
      %602 = "stablehlo.add"(%arg94, %arg95) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%602) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %90 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.divide"(%89, %90) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %92 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.divide"(%92, %93) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %96 = "stablehlo.multiply"(%95, %87) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %97 = "stablehlo.multiply"(%79, %96) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.reduce"(%97, %98) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg92: tensor<f32>, %arg93: tensor<f32>):
      %601 = "stablehlo.add"(%arg92, %arg93) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%601) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %100 = "stablehlo.reshape"(%99) : (tensor<f32>) -> tensor<1x1xf32>
    %101 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %102 = "stablehlo.multiply"(%96, %101) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %103 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.reduce"(%100, %103) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg90: tensor<f32>, %arg91: tensor<f32>):
      %600 = "stablehlo.add"(%arg90, %arg91) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%600) : (tensor<f32>) -> ()
    }) : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %106 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.reduce"(%102, %106) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
      %599 = "stablehlo.add"(%arg88, %arg89) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%599) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<4xf32>
    %108 = "stablehlo.reshape"(%107) : (tensor<4xf32>) -> tensor<1x4xf32>
    %109 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.reduce"(%108, %109) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg86: tensor<f32>, %arg87: tensor<f32>):
      %598 = "stablehlo.add"(%arg86, %arg87) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%598) : (tensor<f32>) -> ()
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %111 = "stablehlo.dot_general"(%102, %72) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %112 = "stablehlo.transpose"(%111) <{permutation = array<i64: 1, 0>}> : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %113 = "stablehlo.dot_general"(%102, %arg58) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %114 = "stablehlo.multiply"(%113, %75) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %115 = "stablehlo.multiply"(%114, %72) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %116 = "stablehlo.add"(%114, %115) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %117 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.reduce"(%116, %117) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg84: tensor<f32>, %arg85: tensor<f32>):
      %597 = "stablehlo.add"(%arg84, %arg85) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%597) : (tensor<f32>) -> ()
    }) : (tensor<32x16xf32>, tensor<f32>) -> tensor<16xf32>
    %119 = "stablehlo.reshape"(%118) : (tensor<16xf32>) -> tensor<1x16xf32>
    %120 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.reduce"(%119, %120) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg82: tensor<f32>, %arg83: tensor<f32>):
      %596 = "stablehlo.add"(%arg82, %arg83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%596) : (tensor<f32>) -> ()
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %122 = "stablehlo.dot_general"(%116, %arg70) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    %123 = "stablehlo.transpose"(%122) <{permutation = array<i64: 1, 0>}> : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %124 = "chlo.square"(%121) : (tensor<16xf32>) -> tensor<16xf32>
    %125 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %127 = "chlo.square"(%126) : (tensor<16xf32>) -> tensor<16xf32>
    %128 = "stablehlo.add"(%124, %127) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %129 = "chlo.square"(%110) : (tensor<4xf32>) -> tensor<4xf32>
    %130 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %132 = "chlo.square"(%131) : (tensor<4xf32>) -> tensor<4xf32>
    %133 = "stablehlo.add"(%129, %132) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %134 = "chlo.square"(%105) : (tensor<1xf32>) -> tensor<1xf32>
    %135 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %137 = "chlo.square"(%136) : (tensor<1xf32>) -> tensor<1xf32>
    %138 = "stablehlo.add"(%134, %137) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %139 = "chlo.square"(%123) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %140 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %142 = "chlo.square"(%141) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %143 = "stablehlo.add"(%139, %142) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %144 = "chlo.square"(%112) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %145 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %147 = "chlo.square"(%146) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %148 = "stablehlo.add"(%144, %147) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %149 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %150 = "stablehlo.reduce"(%128, %149) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg80: tensor<f32>, %arg81: tensor<f32>):
      %595 = "stablehlo.add"(%arg80, %arg81) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%595) : (tensor<f32>) -> ()
    }) : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %151 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %152 = "stablehlo.reduce"(%133, %151) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg78: tensor<f32>, %arg79: tensor<f32>):
      %594 = "stablehlo.add"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%594) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %153 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %154 = "stablehlo.reduce"(%138, %153) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg76: tensor<f32>, %arg77: tensor<f32>):
      %593 = "stablehlo.add"(%arg76, %arg77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%593) : (tensor<f32>) -> ()
    }) : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %155 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.reduce"(%143, %155) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg74: tensor<f32>, %arg75: tensor<f32>):
      %592 = "stablehlo.add"(%arg74, %arg75) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%592) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %157 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %158 = "stablehlo.reduce"(%148, %157) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg72: tensor<f32>, %arg73: tensor<f32>):
      %591 = "stablehlo.add"(%arg72, %arg73) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%591) : (tensor<f32>) -> ()
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
    %159 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %160 = "stablehlo.add"(%159, %150) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %161 = "stablehlo.add"(%160, %152) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %162 = "stablehlo.add"(%161, %154) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %163 = "stablehlo.add"(%162, %156) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %164 = "stablehlo.add"(%163, %158) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %165 = "stablehlo.sqrt"(%164) : (tensor<f32>) -> tensor<f32>
    %166 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %167 = "stablehlo.compare"(%165, %166) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %168 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %169 = "stablehlo.divide"(%121, %168) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %170 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %171 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %172 = "stablehlo.multiply"(%169, %171) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %173 = "stablehlo.select"(%167, %121, %172) : (tensor<i1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %174 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %175 = "stablehlo.divide"(%110, %174) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %176 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %178 = "stablehlo.multiply"(%175, %177) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %179 = "stablehlo.select"(%167, %110, %178) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %180 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %181 = "stablehlo.divide"(%105, %180) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %182 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %184 = "stablehlo.multiply"(%181, %183) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %185 = "stablehlo.select"(%167, %105, %184) : (tensor<i1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %186 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %187 = "stablehlo.divide"(%123, %186) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %188 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %189 = "stablehlo.broadcast_in_dim"(%188) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %190 = "stablehlo.multiply"(%187, %189) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %191 = "stablehlo.select"(%167, %123, %190) : (tensor<i1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %192 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %193 = "stablehlo.divide"(%112, %192) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %194 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %195 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %196 = "stablehlo.multiply"(%193, %195) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %197 = "stablehlo.select"(%167, %112, %196) : (tensor<i1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %198 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %200 = "stablehlo.multiply"(%199, %173) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %201 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %203 = "stablehlo.multiply"(%202, %arg60) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %204 = "stablehlo.add"(%200, %203) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %205 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %206 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %207 = "stablehlo.multiply"(%206, %179) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %208 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %209 = "stablehlo.broadcast_in_dim"(%208) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %210 = "stablehlo.multiply"(%209, %arg61) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %211 = "stablehlo.add"(%207, %210) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %212 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %214 = "stablehlo.multiply"(%213, %185) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %215 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %216 = "stablehlo.broadcast_in_dim"(%215) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %217 = "stablehlo.multiply"(%216, %arg62) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %218 = "stablehlo.add"(%214, %217) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %219 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %220 = "stablehlo.broadcast_in_dim"(%219) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %221 = "stablehlo.multiply"(%220, %191) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %222 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %224 = "stablehlo.multiply"(%223, %arg63) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %225 = "stablehlo.add"(%221, %224) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %226 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %227 = "stablehlo.broadcast_in_dim"(%226) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %228 = "stablehlo.multiply"(%227, %197) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %229 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %230 = "stablehlo.broadcast_in_dim"(%229) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %231 = "stablehlo.multiply"(%230, %arg64) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %232 = "stablehlo.add"(%228, %231) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %233 = "stablehlo.multiply"(%173, %173) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %234 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %235 = "stablehlo.broadcast_in_dim"(%234) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %236 = "stablehlo.multiply"(%235, %233) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %237 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %238 = "stablehlo.broadcast_in_dim"(%237) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %239 = "stablehlo.multiply"(%238, %arg65) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %240 = "stablehlo.add"(%236, %239) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %241 = "stablehlo.multiply"(%179, %179) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %242 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %243 = "stablehlo.broadcast_in_dim"(%242) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %244 = "stablehlo.multiply"(%243, %241) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %245 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %246 = "stablehlo.broadcast_in_dim"(%245) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %247 = "stablehlo.multiply"(%246, %arg66) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %248 = "stablehlo.add"(%244, %247) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %249 = "stablehlo.multiply"(%185, %185) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %250 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %251 = "stablehlo.broadcast_in_dim"(%250) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %252 = "stablehlo.multiply"(%251, %249) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %253 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %254 = "stablehlo.broadcast_in_dim"(%253) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %255 = "stablehlo.multiply"(%254, %arg67) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %256 = "stablehlo.add"(%252, %255) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %257 = "stablehlo.multiply"(%191, %191) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %258 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %259 = "stablehlo.broadcast_in_dim"(%258) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %260 = "stablehlo.multiply"(%259, %257) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %261 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %262 = "stablehlo.broadcast_in_dim"(%261) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %263 = "stablehlo.multiply"(%262, %arg68) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %264 = "stablehlo.add"(%260, %263) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %265 = "stablehlo.multiply"(%197, %197) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %266 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %267 = "stablehlo.broadcast_in_dim"(%266) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %268 = "stablehlo.multiply"(%267, %265) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %269 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %270 = "stablehlo.broadcast_in_dim"(%269) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %271 = "stablehlo.multiply"(%270, %arg69) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %272 = "stablehlo.add"(%268, %271) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %273 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %274 = "stablehlo.compare"(%arg59, %273) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %275 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %276 = "stablehlo.add"(%arg59, %275) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %277 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %278 = "func.call"(%274, %276, %277) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %279 = "stablehlo.convert"(%278) : (tensor<i32>) -> tensor<f32>
    %280 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %281 = "stablehlo.convert"(%278) : (tensor<i32>) -> tensor<f32>
    %282 = "stablehlo.power"(%280, %281) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %283 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %284 = "stablehlo.subtract"(%283, %282) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %285 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %286 = "stablehlo.divide"(%204, %285) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %287 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %288 = "stablehlo.divide"(%211, %287) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %289 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %290 = "stablehlo.divide"(%218, %289) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %291 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %292 = "stablehlo.divide"(%225, %291) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %293 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %294 = "stablehlo.divide"(%232, %293) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %295 = "stablehlo.convert"(%278) : (tensor<i32>) -> tensor<f32>
    %296 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %297 = "stablehlo.convert"(%278) : (tensor<i32>) -> tensor<f32>
    %298 = "stablehlo.power"(%296, %297) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %299 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %300 = "stablehlo.subtract"(%299, %298) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %301 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %302 = "stablehlo.divide"(%240, %301) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %303 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %304 = "stablehlo.divide"(%248, %303) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %305 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %306 = "stablehlo.divide"(%256, %305) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %307 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %308 = "stablehlo.divide"(%264, %307) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %309 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %310 = "stablehlo.divide"(%272, %309) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %311 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %312 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %313 = "stablehlo.add"(%302, %312) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %314 = "stablehlo.sqrt"(%313) : (tensor<16xf32>) -> tensor<16xf32>
    %315 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %316 = "stablehlo.broadcast_in_dim"(%315) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %317 = "stablehlo.add"(%314, %316) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %318 = "stablehlo.divide"(%286, %317) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %319 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %320 = "stablehlo.broadcast_in_dim"(%319) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %321 = "stablehlo.add"(%304, %320) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %322 = "stablehlo.sqrt"(%321) : (tensor<4xf32>) -> tensor<4xf32>
    %323 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %324 = "stablehlo.broadcast_in_dim"(%323) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %325 = "stablehlo.add"(%322, %324) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %326 = "stablehlo.divide"(%288, %325) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %327 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %328 = "stablehlo.broadcast_in_dim"(%327) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %329 = "stablehlo.add"(%306, %328) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %330 = "stablehlo.sqrt"(%329) : (tensor<1xf32>) -> tensor<1xf32>
    %331 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %332 = "stablehlo.broadcast_in_dim"(%331) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %333 = "stablehlo.add"(%330, %332) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %334 = "stablehlo.divide"(%290, %333) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %335 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %336 = "stablehlo.broadcast_in_dim"(%335) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %337 = "stablehlo.add"(%308, %336) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %338 = "stablehlo.sqrt"(%337) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %339 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %340 = "stablehlo.broadcast_in_dim"(%339) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %341 = "stablehlo.add"(%338, %340) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %342 = "stablehlo.divide"(%292, %341) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %343 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %344 = "stablehlo.broadcast_in_dim"(%343) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %345 = "stablehlo.add"(%310, %344) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %346 = "stablehlo.sqrt"(%345) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %347 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %348 = "stablehlo.broadcast_in_dim"(%347) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %349 = "stablehlo.add"(%346, %348) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %350 = "stablehlo.divide"(%294, %349) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %351 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %352 = "stablehlo.broadcast_in_dim"(%351) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %353 = "stablehlo.multiply"(%352, %arg54) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %354 = "stablehlo.add"(%318, %353) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %355 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %356 = "stablehlo.broadcast_in_dim"(%355) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %357 = "stablehlo.multiply"(%356, %arg55) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %358 = "stablehlo.add"(%326, %357) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %359 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %360 = "stablehlo.broadcast_in_dim"(%359) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %361 = "stablehlo.multiply"(%360, %arg56) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %362 = "stablehlo.add"(%334, %361) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %363 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %364 = "stablehlo.broadcast_in_dim"(%363) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %365 = "stablehlo.multiply"(%364, %arg57) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %366 = "stablehlo.add"(%342, %365) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %367 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %368 = "stablehlo.broadcast_in_dim"(%367) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %369 = "stablehlo.multiply"(%368, %arg58) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %370 = "stablehlo.add"(%350, %369) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %371 = "func.call"(%arg54) <{callee = @norm}> : (tensor<16xf32>) -> tensor<1xf32>
    %372 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %373 = "stablehlo.broadcast_in_dim"(%372) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %374 = "stablehlo.compare"(%371, %373) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %375 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %376 = "stablehlo.broadcast_in_dim"(%375) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %377 = "func.call"(%374, %376, %arg54) <{callee = @_where_0}> : (tensor<1xi1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %378 = "stablehlo.reshape"(%371) : (tensor<1xf32>) -> tensor<f32>
    %379 = "func.call"(%377) <{callee = @norm_1}> : (tensor<16xf32>) -> tensor<f32>
    %380 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %381 = "stablehlo.compare"(%378, %380) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %382 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %383 = "func.call"(%381, %382, %379) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %384 = "func.call"(%354) <{callee = @norm}> : (tensor<16xf32>) -> tensor<1xf32>
    %385 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %386 = "stablehlo.broadcast_in_dim"(%385) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %387 = "stablehlo.compare"(%384, %386) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %388 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %389 = "stablehlo.broadcast_in_dim"(%388) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %390 = "func.call"(%387, %389, %354) <{callee = @_where_0}> : (tensor<1xi1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %391 = "stablehlo.reshape"(%384) : (tensor<1xf32>) -> tensor<f32>
    %392 = "func.call"(%390) <{callee = @norm_1}> : (tensor<16xf32>) -> tensor<f32>
    %393 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %394 = "stablehlo.compare"(%391, %393) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %395 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %396 = "func.call"(%394, %395, %392) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %397 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %398 = "stablehlo.multiply"(%397, %383) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %399 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %400 = "stablehlo.add"(%396, %399) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %401 = "stablehlo.divide"(%398, %400) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %402 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %403 = "stablehlo.compare"(%383, %402) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %404 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %405 = "stablehlo.compare"(%396, %404) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %406 = "stablehlo.or"(%403, %405) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %407 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %408 = "func.call"(%406, %407, %401) <{callee = @_where_3}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %409 = "stablehlo.broadcast_in_dim"(%408) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %410 = "stablehlo.multiply"(%354, %409) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %411 = "func.call"(%arg55) <{callee = @norm_4}> : (tensor<4xf32>) -> tensor<1xf32>
    %412 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %413 = "stablehlo.broadcast_in_dim"(%412) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %414 = "stablehlo.compare"(%411, %413) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %415 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %416 = "stablehlo.broadcast_in_dim"(%415) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %417 = "func.call"(%414, %416, %arg55) <{callee = @_where_5}> : (tensor<1xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %418 = "stablehlo.reshape"(%411) : (tensor<1xf32>) -> tensor<f32>
    %419 = "func.call"(%417) <{callee = @norm_6}> : (tensor<4xf32>) -> tensor<f32>
    %420 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %421 = "stablehlo.compare"(%418, %420) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %422 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %423 = "func.call"(%421, %422, %419) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %424 = "func.call"(%358) <{callee = @norm_4}> : (tensor<4xf32>) -> tensor<1xf32>
    %425 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %426 = "stablehlo.broadcast_in_dim"(%425) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %427 = "stablehlo.compare"(%424, %426) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %428 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %429 = "stablehlo.broadcast_in_dim"(%428) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %430 = "func.call"(%427, %429, %358) <{callee = @_where_5}> : (tensor<1xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %431 = "stablehlo.reshape"(%424) : (tensor<1xf32>) -> tensor<f32>
    %432 = "func.call"(%430) <{callee = @norm_6}> : (tensor<4xf32>) -> tensor<f32>
    %433 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %434 = "stablehlo.compare"(%431, %433) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %435 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %436 = "func.call"(%434, %435, %432) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %437 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %438 = "stablehlo.multiply"(%437, %423) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %439 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %440 = "stablehlo.add"(%436, %439) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %441 = "stablehlo.divide"(%438, %440) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %442 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %443 = "stablehlo.compare"(%423, %442) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %444 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %445 = "stablehlo.compare"(%436, %444) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %446 = "stablehlo.or"(%443, %445) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %447 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %448 = "func.call"(%446, %447, %441) <{callee = @_where_3}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %449 = "stablehlo.broadcast_in_dim"(%448) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %450 = "stablehlo.multiply"(%358, %449) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %451 = "func.call"(%arg56) <{callee = @norm_7}> : (tensor<1xf32>) -> tensor<1xf32>
    %452 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %453 = "stablehlo.broadcast_in_dim"(%452) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %454 = "stablehlo.compare"(%451, %453) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %455 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %456 = "stablehlo.broadcast_in_dim"(%455) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %457 = "func.call"(%454, %456, %arg56) <{callee = @_where_8}> : (tensor<1xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %458 = "stablehlo.reshape"(%451) : (tensor<1xf32>) -> tensor<f32>
    %459 = "func.call"(%457) <{callee = @norm_9}> : (tensor<1xf32>) -> tensor<f32>
    %460 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %461 = "stablehlo.compare"(%458, %460) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %462 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %463 = "func.call"(%461, %462, %459) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %464 = "func.call"(%362) <{callee = @norm_7}> : (tensor<1xf32>) -> tensor<1xf32>
    %465 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %466 = "stablehlo.broadcast_in_dim"(%465) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %467 = "stablehlo.compare"(%464, %466) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %468 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %469 = "stablehlo.broadcast_in_dim"(%468) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %470 = "func.call"(%467, %469, %362) <{callee = @_where_8}> : (tensor<1xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %471 = "stablehlo.reshape"(%464) : (tensor<1xf32>) -> tensor<f32>
    %472 = "func.call"(%470) <{callee = @norm_9}> : (tensor<1xf32>) -> tensor<f32>
    %473 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %474 = "stablehlo.compare"(%471, %473) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %475 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %476 = "func.call"(%474, %475, %472) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %477 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %478 = "stablehlo.multiply"(%477, %463) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %479 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %480 = "stablehlo.add"(%476, %479) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %481 = "stablehlo.divide"(%478, %480) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %482 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %483 = "stablehlo.compare"(%463, %482) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %484 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %485 = "stablehlo.compare"(%476, %484) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %486 = "stablehlo.or"(%483, %485) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %487 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %488 = "func.call"(%486, %487, %481) <{callee = @_where_3}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %489 = "stablehlo.broadcast_in_dim"(%488) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %490 = "stablehlo.multiply"(%362, %489) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %491 = "func.call"(%arg57) <{callee = @norm_10}> : (tensor<8x16xf32>) -> tensor<1x1xf32>
    %492 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %493 = "stablehlo.broadcast_in_dim"(%492) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %494 = "stablehlo.compare"(%491, %493) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %495 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %496 = "stablehlo.broadcast_in_dim"(%495) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %497 = "func.call"(%494, %496, %arg57) <{callee = @_where_11}> : (tensor<1x1xi1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %498 = "stablehlo.reshape"(%491) : (tensor<1x1xf32>) -> tensor<f32>
    %499 = "func.call"(%497) <{callee = @norm_12}> : (tensor<8x16xf32>) -> tensor<f32>
    %500 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %501 = "stablehlo.compare"(%498, %500) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %502 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %503 = "func.call"(%501, %502, %499) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %504 = "func.call"(%366) <{callee = @norm_10}> : (tensor<8x16xf32>) -> tensor<1x1xf32>
    %505 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %506 = "stablehlo.broadcast_in_dim"(%505) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %507 = "stablehlo.compare"(%504, %506) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %508 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %509 = "stablehlo.broadcast_in_dim"(%508) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %510 = "func.call"(%507, %509, %366) <{callee = @_where_11}> : (tensor<1x1xi1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %511 = "stablehlo.reshape"(%504) : (tensor<1x1xf32>) -> tensor<f32>
    %512 = "func.call"(%510) <{callee = @norm_12}> : (tensor<8x16xf32>) -> tensor<f32>
    %513 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %514 = "stablehlo.compare"(%511, %513) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %515 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %516 = "func.call"(%514, %515, %512) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %517 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %518 = "stablehlo.multiply"(%517, %503) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %519 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %520 = "stablehlo.add"(%516, %519) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %521 = "stablehlo.divide"(%518, %520) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %522 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %523 = "stablehlo.compare"(%503, %522) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %524 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %525 = "stablehlo.compare"(%516, %524) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %526 = "stablehlo.or"(%523, %525) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %527 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %528 = "func.call"(%526, %527, %521) <{callee = @_where_3}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %529 = "stablehlo.broadcast_in_dim"(%528) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %530 = "stablehlo.multiply"(%366, %529) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %531 = "func.call"(%arg58) <{callee = @norm_13}> : (tensor<16x4xf32>) -> tensor<1x1xf32>
    %532 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %533 = "stablehlo.broadcast_in_dim"(%532) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %534 = "stablehlo.compare"(%531, %533) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %535 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %536 = "stablehlo.broadcast_in_dim"(%535) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %537 = "func.call"(%534, %536, %arg58) <{callee = @_where_14}> : (tensor<1x1xi1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %538 = "stablehlo.reshape"(%531) : (tensor<1x1xf32>) -> tensor<f32>
    %539 = "func.call"(%537) <{callee = @norm_15}> : (tensor<16x4xf32>) -> tensor<f32>
    %540 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %541 = "stablehlo.compare"(%538, %540) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %542 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %543 = "func.call"(%541, %542, %539) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %544 = "func.call"(%370) <{callee = @norm_13}> : (tensor<16x4xf32>) -> tensor<1x1xf32>
    %545 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %546 = "stablehlo.broadcast_in_dim"(%545) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %547 = "stablehlo.compare"(%544, %546) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %548 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %549 = "stablehlo.broadcast_in_dim"(%548) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %550 = "func.call"(%547, %549, %370) <{callee = @_where_14}> : (tensor<1x1xi1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %551 = "stablehlo.reshape"(%544) : (tensor<1x1xf32>) -> tensor<f32>
    %552 = "func.call"(%550) <{callee = @norm_15}> : (tensor<16x4xf32>) -> tensor<f32>
    %553 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %554 = "stablehlo.compare"(%551, %553) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %555 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %556 = "func.call"(%554, %555, %552) <{callee = @_where_2}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %557 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %558 = "stablehlo.multiply"(%557, %543) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %559 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %560 = "stablehlo.add"(%556, %559) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %561 = "stablehlo.divide"(%558, %560) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %562 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %563 = "stablehlo.compare"(%543, %562) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %564 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %565 = "stablehlo.compare"(%556, %564) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %566 = "stablehlo.or"(%563, %565) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %567 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %568 = "func.call"(%566, %567, %561) <{callee = @_where_3}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %569 = "stablehlo.broadcast_in_dim"(%568) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %570 = "stablehlo.multiply"(%370, %569) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %571 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %572 = "stablehlo.broadcast_in_dim"(%571) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %573 = "stablehlo.multiply"(%572, %410) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %574 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %575 = "stablehlo.broadcast_in_dim"(%574) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %576 = "stablehlo.multiply"(%575, %450) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %577 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %578 = "stablehlo.broadcast_in_dim"(%577) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %579 = "stablehlo.multiply"(%578, %490) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %580 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %581 = "stablehlo.broadcast_in_dim"(%580) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %582 = "stablehlo.multiply"(%581, %530) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %583 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %584 = "stablehlo.broadcast_in_dim"(%583) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %585 = "stablehlo.multiply"(%584, %570) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %586 = "stablehlo.add"(%arg54, %573) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %587 = "stablehlo.add"(%arg55, %576) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %588 = "stablehlo.add"(%arg56, %579) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %589 = "stablehlo.add"(%arg57, %582) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %590 = "stablehlo.add"(%arg58, %585) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%586, %587, %588, %589, %590, %278, %204, %211, %218, %225, %232, %240, %248, %256, %264, %272) : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg51: tensor<i1>, %arg52: tensor<i32>, %arg53: tensor<i32>):
    %67 = "stablehlo.select"(%arg51, %arg52, %arg53) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%67) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16xf32>) -> tensor<1xf32>, res_attrs = [{}], sym_name = "norm", sym_visibility = "private"}> ({
  ^bb0(%arg48: tensor<16xf32>):
    %61 = "stablehlo.multiply"(%arg48, %arg48) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %62 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.reduce"(%61, %62) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
      %66 = "stablehlo.add"(%arg49, %arg50) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%66) : (tensor<f32>) -> ()
    }) : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %65 = "stablehlo.sqrt"(%64) : (tensor<1xf32>) -> tensor<1xf32>
    "func.return"(%65) : (tensor<1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1xi1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg45: tensor<1xi1>, %arg46: tensor<16xf32>, %arg47: tensor<16xf32>):
    %59 = "stablehlo.broadcast_in_dim"(%arg45) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi1>) -> tensor<16xi1>
    %60 = "stablehlo.select"(%59, %arg46, %arg47) : (tensor<16xi1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    "func.return"(%60) : (tensor<16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16xf32>) -> tensor<f32>, res_attrs = [{}], sym_name = "norm_1", sym_visibility = "private"}> ({
  ^bb0(%arg42: tensor<16xf32>):
    %54 = "stablehlo.multiply"(%arg42, %arg42) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.reduce"(%54, %55) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
      %58 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%58) : (tensor<f32>) -> ()
    }) : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %57 = "stablehlo.sqrt"(%56) : (tensor<f32>) -> tensor<f32>
    "func.return"(%57) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>, res_attrs = [{}], sym_name = "_where_2", sym_visibility = "private"}> ({
  ^bb0(%arg39: tensor<i1>, %arg40: tensor<f32>, %arg41: tensor<f32>):
    %52 = "stablehlo.convert"(%arg40) : (tensor<f32>) -> tensor<f32>
    %53 = "stablehlo.select"(%arg39, %52, %arg41) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%53) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>, res_attrs = [{}], sym_name = "_where_3", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<i1>, %arg37: tensor<f32>, %arg38: tensor<f32>):
    %51 = "stablehlo.select"(%arg36, %arg37, %arg38) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%51) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xf32>) -> tensor<1xf32>, res_attrs = [{}], sym_name = "norm_4", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<4xf32>):
    %45 = "stablehlo.multiply"(%arg33, %arg33) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %46 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.reduce"(%45, %46) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %50 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%50) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %49 = "stablehlo.sqrt"(%48) : (tensor<1xf32>) -> tensor<1xf32>
    "func.return"(%49) : (tensor<1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, res_attrs = [{}], sym_name = "_where_5", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<1xi1>, %arg31: tensor<4xf32>, %arg32: tensor<4xf32>):
    %43 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi1>) -> tensor<4xi1>
    %44 = "stablehlo.select"(%43, %arg31, %arg32) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%44) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xf32>) -> tensor<f32>, res_attrs = [{}], sym_name = "norm_6", sym_visibility = "private"}> ({
  ^bb0(%arg27: tensor<4xf32>):
    %38 = "stablehlo.multiply"(%arg27, %arg27) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%38, %39) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %42 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%42) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.sqrt"(%40) : (tensor<f32>) -> tensor<f32>
    "func.return"(%41) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1xf32>) -> tensor<1xf32>, res_attrs = [{}], sym_name = "norm_7", sym_visibility = "private"}> ({
  ^bb0(%arg24: tensor<1xf32>):
    %32 = "stablehlo.multiply"(%arg24, %arg24) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %33 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %37 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%37) : (tensor<f32>) -> ()
    }) : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %36 = "stablehlo.sqrt"(%35) : (tensor<1xf32>) -> tensor<1xf32>
    "func.return"(%36) : (tensor<1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>, res_attrs = [{}], sym_name = "_where_8", sym_visibility = "private"}> ({
  ^bb0(%arg21: tensor<1xi1>, %arg22: tensor<1xf32>, %arg23: tensor<1xf32>):
    %31 = "stablehlo.select"(%arg21, %arg22, %arg23) : (tensor<1xi1>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    "func.return"(%31) : (tensor<1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1xf32>) -> tensor<f32>, res_attrs = [{}], sym_name = "norm_9", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<1xf32>):
    %26 = "stablehlo.multiply"(%arg18, %arg18) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %27 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %30 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%30) : (tensor<f32>) -> ()
    }) : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.sqrt"(%28) : (tensor<f32>) -> tensor<f32>
    "func.return"(%29) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x16xf32>) -> tensor<1x1xf32>, res_attrs = [{}], sym_name = "norm_10", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<8x16xf32>):
    %20 = "stablehlo.multiply"(%arg15, %arg15) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.reduce"(%20, %21) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %25 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%25) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %24 = "stablehlo.sqrt"(%23) : (tensor<1x1xf32>) -> tensor<1x1xf32>
    "func.return"(%24) : (tensor<1x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x1xi1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>, res_attrs = [{}], sym_name = "_where_11", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<1x1xi1>, %arg13: tensor<8x16xf32>, %arg14: tensor<8x16xf32>):
    %18 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<8x16xi1>
    %19 = "stablehlo.select"(%18, %arg13, %arg14) : (tensor<8x16xi1>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%19) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x16xf32>) -> tensor<f32>, res_attrs = [{}], sym_name = "norm_12", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<8x16xf32>):
    %13 = "stablehlo.multiply"(%arg9, %arg9) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %17 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.sqrt"(%15) : (tensor<f32>) -> tensor<f32>
    "func.return"(%16) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x4xf32>) -> tensor<1x1xf32>, res_attrs = [{}], sym_name = "norm_13", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<16x4xf32>):
    %7 = "stablehlo.multiply"(%arg6, %arg6) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %12 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%12) : (tensor<f32>) -> ()
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %11 = "stablehlo.sqrt"(%10) : (tensor<1x1xf32>) -> tensor<1x1xf32>
    "func.return"(%11) : (tensor<1x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x1xi1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>, res_attrs = [{}], sym_name = "_where_14", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<1x1xi1>, %arg4: tensor<16x4xf32>, %arg5: tensor<16x4xf32>):
    %5 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<16x4xi1>
    %6 = "stablehlo.select"(%5, %arg4, %arg5) : (tensor<16x4xi1>, tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%6) : (tensor<16x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x4xf32>) -> tensor<f32>, res_attrs = [{}], sym_name = "norm_15", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16x4xf32>):
    %0 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.sqrt"(%2) : (tensor<f32>) -> tensor<f32>
    "func.return"(%3) : (tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
