// sgd_nesterov_schedule: written by scripts/optimizer-corpus.py with jax 0.10.2, optax 0.2.8
// fused: sgd:1
// params: 5 state: 11
"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<32x8xf32>, tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<16xf32>, %arg7: tensor<4xf32>, %arg8: tensor<1xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<16x4xf32>, %arg11: tensor<16xf32>, %arg12: tensor<4xf32>, %arg13: tensor<1xf32>, %arg14: tensor<8x16xf32>, %arg15: tensor<16x4xf32>, %arg16: tensor<i32>, %arg17: tensor<32x8xf32>, %arg18: tensor<32x4xf32>):
    %3 = "stablehlo.dot_general"(%arg17, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
    %4 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xf32>) -> tensor<1x16xf32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xf32>) -> tensor<32x16xf32>
    %6 = "stablehlo.add"(%3, %5) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %7 = "stablehlo.tanh"(%6) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %8 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x16xf32>
    %10 = "stablehlo.subtract"(%9, %7) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %11 = "stablehlo.dot_general"(%7, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
    %12 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<32x4xf32>
    %14 = "stablehlo.add"(%11, %13) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %15 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %17 = "stablehlo.multiply"(%14, %16) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %18 = "stablehlo.subtract"(%17, %arg18) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %19 = "stablehlo.multiply"(%18, %18) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %20 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %22 = "stablehlo.multiply"(%21, %18) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %23 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.reduce"(%19, %23) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %161 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%161) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.divide"(%24, %25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.constant"() <{value = dense<1.280000e+02> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.divide"(%27, %28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %31 = "stablehlo.multiply"(%30, %22) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %32 = "stablehlo.multiply"(%14, %31) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %33 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %160 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%160) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %35 = "stablehlo.reshape"(%34) : (tensor<f32>) -> tensor<1x1xf32>
    %36 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %37 = "stablehlo.multiply"(%31, %36) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %38 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.reduce"(%35, %38) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %159 = "stablehlo.add"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%159) : (tensor<f32>) -> ()
    }) : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %41 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.reduce"(%37, %41) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %158 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%158) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<4xf32>
    %43 = "stablehlo.reshape"(%42) : (tensor<4xf32>) -> tensor<1x4xf32>
    %44 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.reduce"(%43, %44) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %157 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%157) : (tensor<f32>) -> ()
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %46 = "stablehlo.dot_general"(%37, %7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 1, 0>}> : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %48 = "stablehlo.dot_general"(%37, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %49 = "stablehlo.multiply"(%48, %10) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %50 = "stablehlo.multiply"(%49, %7) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %51 = "stablehlo.add"(%49, %50) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %52 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.reduce"(%51, %52) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %156 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%156) : (tensor<f32>) -> ()
    }) : (tensor<32x16xf32>, tensor<f32>) -> tensor<16xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<16xf32>) -> tensor<1x16xf32>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.reduce"(%54, %55) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %155 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%155) : (tensor<f32>) -> ()
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %57 = "stablehlo.dot_general"(%51, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    %58 = "stablehlo.transpose"(%57) <{permutation = array<i64: 1, 0>}> : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %59 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %61 = "stablehlo.multiply"(%60, %arg6) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %62 = "stablehlo.add"(%56, %61) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %63 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %65 = "stablehlo.multiply"(%64, %arg7) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %66 = "stablehlo.add"(%45, %65) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %67 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %69 = "stablehlo.multiply"(%68, %arg8) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %70 = "stablehlo.add"(%40, %69) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %71 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %73 = "stablehlo.multiply"(%72, %arg9) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %74 = "stablehlo.add"(%58, %73) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %75 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %77 = "stablehlo.multiply"(%76, %arg10) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %78 = "stablehlo.add"(%47, %77) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %79 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %81 = "stablehlo.multiply"(%80, %arg11) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %82 = "stablehlo.add"(%62, %81) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %83 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %85 = "stablehlo.multiply"(%84, %arg12) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %86 = "stablehlo.add"(%66, %85) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %87 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %89 = "stablehlo.multiply"(%88, %arg13) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %90 = "stablehlo.add"(%70, %89) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %91 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %93 = "stablehlo.multiply"(%92, %arg14) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %94 = "stablehlo.add"(%74, %93) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %95 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %97 = "stablehlo.multiply"(%96, %arg15) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %98 = "stablehlo.add"(%78, %97) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %99 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %101 = "stablehlo.multiply"(%100, %82) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %102 = "stablehlo.add"(%62, %101) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %103 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %105 = "stablehlo.multiply"(%104, %86) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %106 = "stablehlo.add"(%66, %105) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %107 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %109 = "stablehlo.multiply"(%108, %90) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %110 = "stablehlo.add"(%70, %109) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %111 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %112 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %113 = "stablehlo.multiply"(%112, %94) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %114 = "stablehlo.add"(%74, %113) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %115 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %117 = "stablehlo.multiply"(%116, %98) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %118 = "stablehlo.add"(%78, %117) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %119 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %120 = "stablehlo.subtract"(%arg16, %119) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %121 = "stablehlo.convert"(%120) : (tensor<i32>) -> tensor<f32>
    %122 = "stablehlo.constant"() <{value = dense<5.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %123 = "stablehlo.divide"(%121, %122) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %124 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %125 = "stablehlo.compare"(%120, %124) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %126 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %127 = "stablehlo.power"(%126, %123) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %128 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %129 = "stablehlo.multiply"(%128, %127) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %130 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %131 = "func.call"(%125, %130, %129) <{callee = @_where}> : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %132 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %133 = "stablehlo.multiply"(%132, %131) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %135 = "stablehlo.multiply"(%134, %102) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %136 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %137 = "stablehlo.multiply"(%136, %106) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %138 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %139 = "stablehlo.multiply"(%138, %110) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %140 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %141 = "stablehlo.multiply"(%140, %114) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %142 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32>
    %143 = "stablehlo.multiply"(%142, %118) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %144 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %145 = "stablehlo.compare"(%arg16, %144) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %146 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %147 = "stablehlo.add"(%arg16, %146) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %148 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %149 = "func.call"(%145, %147, %148) <{callee = @_where_0}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %150 = "stablehlo.add"(%arg6, %135) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %151 = "stablehlo.add"(%arg7, %137) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %152 = "stablehlo.add"(%arg8, %139) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %153 = "stablehlo.add"(%arg9, %141) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %154 = "stablehlo.add"(%arg10, %143) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%150, %151, %152, %153, %154, %82, %86, %90, %94, %98, %149) : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<i1>, %arg4: tensor<f32>, %arg5: tensor<f32>):
    %1 = "stablehlo.convert"(%arg4) : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.select"(%arg3, %1, %arg5) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%2) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
