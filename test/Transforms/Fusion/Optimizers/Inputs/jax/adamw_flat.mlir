// adamw_flat: written by scripts/optimizer-corpus.py with jax 0.10.2, optax 0.2.8
// fused: adamw:1
// params: 5 state: 8
"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<213xf32>, tensor<213xf32>, tensor<32x8xf32>, tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<213xf32>, tensor<213xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<16xf32>, %arg4: tensor<4xf32>, %arg5: tensor<1xf32>, %arg6: tensor<8x16xf32>, %arg7: tensor<16x4xf32>, %arg8: tensor<i32>, %arg9: tensor<213xf32>, %arg10: tensor<213xf32>, %arg11: tensor<32x8xf32>, %arg12: tensor<32x4xf32>):
    %1 = "stablehlo.dot_general"(%arg11, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
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
    %16 = "stablehlo.subtract"(%15, %arg12) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %17 = "stablehlo.multiply"(%16, %16) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %18 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %20 = "stablehlo.multiply"(%19, %16) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.reduce"(%17, %21) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %133 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%133) : (tensor<f32>) -> ()
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
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %132 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%132) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.reshape"(%32) : (tensor<f32>) -> tensor<1x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<32x4xf32>
    %35 = "stablehlo.multiply"(%29, %34) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.reduce"(%33, %36) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %131 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%131) : (tensor<f32>) -> ()
    }) : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %130 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%130) : (tensor<f32>) -> ()
    }) : (tensor<32x4xf32>, tensor<f32>) -> tensor<4xf32>
    %41 = "stablehlo.reshape"(%40) : (tensor<4xf32>) -> tensor<1x4xf32>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %129 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%129) : (tensor<f32>) -> ()
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %44 = "stablehlo.dot_general"(%35, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
    %45 = "stablehlo.transpose"(%44) <{permutation = array<i64: 1, 0>}> : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %46 = "stablehlo.dot_general"(%35, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x4xf32>, tensor<16x4xf32>) -> tensor<32x16xf32>
    %47 = "stablehlo.multiply"(%46, %8) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %48 = "stablehlo.multiply"(%47, %5) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %49 = "stablehlo.add"(%47, %48) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %50 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.reduce"(%49, %50) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %128 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%128) : (tensor<f32>) -> ()
    }) : (tensor<32x16xf32>, tensor<f32>) -> tensor<16xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<16xf32>) -> tensor<1x16xf32>
    %53 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.reduce"(%52, %53) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %127 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%127) : (tensor<f32>) -> ()
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %55 = "stablehlo.dot_general"(%49, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
    %56 = "stablehlo.transpose"(%55) <{permutation = array<i64: 1, 0>}> : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %57 = "stablehlo.reshape"(%arg6) : (tensor<8x16xf32>) -> tensor<128xf32>
    %58 = "stablehlo.reshape"(%arg7) : (tensor<16x4xf32>) -> tensor<64xf32>
    %59 = "stablehlo.concatenate"(%arg3, %arg4, %arg5, %57, %58) <{dimension = 0 : i64}> : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<128xf32>, tensor<64xf32>) -> tensor<213xf32>
    %60 = "stablehlo.reshape"(%56) : (tensor<8x16xf32>) -> tensor<128xf32>
    %61 = "stablehlo.reshape"(%45) : (tensor<16x4xf32>) -> tensor<64xf32>
    %62 = "stablehlo.concatenate"(%54, %43, %38, %60, %61) <{dimension = 0 : i64}> : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<128xf32>, tensor<64xf32>) -> tensor<213xf32>
    %63 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %65 = "stablehlo.multiply"(%64, %62) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %66 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %68 = "stablehlo.multiply"(%67, %arg9) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %69 = "stablehlo.add"(%65, %68) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %70 = "stablehlo.multiply"(%62, %62) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %71 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %73 = "stablehlo.multiply"(%72, %70) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %74 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %76 = "stablehlo.multiply"(%75, %arg10) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %77 = "stablehlo.add"(%73, %76) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %78 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %79 = "stablehlo.compare"(%arg8, %78) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %80 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.add"(%arg8, %80) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %82 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %83 = "func.call"(%79, %81, %82) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %84 = "stablehlo.convert"(%83) : (tensor<i32>) -> tensor<f32>
    %85 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.convert"(%83) : (tensor<i32>) -> tensor<f32>
    %87 = "stablehlo.power"(%85, %86) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %88 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.subtract"(%88, %87) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %91 = "stablehlo.divide"(%69, %90) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %92 = "stablehlo.convert"(%83) : (tensor<i32>) -> tensor<f32>
    %93 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.convert"(%83) : (tensor<i32>) -> tensor<f32>
    %95 = "stablehlo.power"(%93, %94) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %96 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.subtract"(%96, %95) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %99 = "stablehlo.divide"(%77, %98) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %100 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %102 = "stablehlo.add"(%99, %101) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %103 = "stablehlo.sqrt"(%102) : (tensor<213xf32>) -> tensor<213xf32>
    %104 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %106 = "stablehlo.add"(%103, %105) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %107 = "stablehlo.divide"(%91, %106) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %108 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %110 = "stablehlo.multiply"(%109, %59) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %111 = "stablehlo.add"(%107, %110) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %112 = "stablehlo.constant"() <{value = dense<-0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<213xf32>
    %114 = "stablehlo.multiply"(%113, %111) : (tensor<213xf32>, tensor<213xf32>) -> tensor<213xf32>
    %115 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 16>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<213xf32>) -> tensor<16xf32>
    %116 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 20>, start_indices = array<i64: 16>, strides = array<i64: 1>}> : (tensor<213xf32>) -> tensor<4xf32>
    %117 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 21>, start_indices = array<i64: 20>, strides = array<i64: 1>}> : (tensor<213xf32>) -> tensor<1xf32>
    %118 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 149>, start_indices = array<i64: 21>, strides = array<i64: 1>}> : (tensor<213xf32>) -> tensor<128xf32>
    %119 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 213>, start_indices = array<i64: 149>, strides = array<i64: 1>}> : (tensor<213xf32>) -> tensor<64xf32>
    %120 = "stablehlo.reshape"(%118) : (tensor<128xf32>) -> tensor<8x16xf32>
    %121 = "stablehlo.reshape"(%119) : (tensor<64xf32>) -> tensor<16x4xf32>
    %122 = "stablehlo.add"(%arg3, %115) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %123 = "stablehlo.add"(%arg4, %116) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %124 = "stablehlo.add"(%arg5, %117) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %125 = "stablehlo.add"(%arg6, %120) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %126 = "stablehlo.add"(%arg7, %121) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%122, %123, %124, %125, %126, %83, %69, %77) : (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<213xf32>, tensor<213xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
