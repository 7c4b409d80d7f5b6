"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 1 : i32}, {tf.aliasing_output = 2 : i32}, {tf.aliasing_output = 3 : i32}, {tf.aliasing_output = 4 : i32}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<4x32x8xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf32>, tensor<48x32xf32>, tensor<32x48xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x48xf32>, tensor<32x32xf32>, tensor<48x32xf32>, tensor<32x48xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x48xf32>, tensor<32x32xf32>, tensor<32x40xf32>, tensor<32xf32>, tensor<40x32xf32>, tensor<i32>, tensor<i32>) -> (tensor<40xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0][0]"}, {jax.result_info = "result[1][0][1]"}, {jax.result_info = "result[1][1][0]"}, {jax.result_info = "result[1][1][1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<4x32x8xf32>, %arg5: tensor<4x32x8xf32>, %arg6: tensor<4x32x8xf32>, %arg7: tensor<4x32x8xf32>, %arg8: tensor<48x32xf32>, %arg9: tensor<32x48xf32>, %arg10: tensor<32x32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32x32xf32>, %arg14: tensor<32x32xf32>, %arg15: tensor<32x48xf32>, %arg16: tensor<32x32xf32>, %arg17: tensor<48x32xf32>, %arg18: tensor<32x48xf32>, %arg19: tensor<32x32xf32>, %arg20: tensor<32xf32>, %arg21: tensor<32xf32>, %arg22: tensor<32x32xf32>, %arg23: tensor<32x32xf32>, %arg24: tensor<32x48xf32>, %arg25: tensor<32x32xf32>, %arg26: tensor<32x40xf32>, %arg27: tensor<32xf32>, %arg28: tensor<40x32xf32>, %arg29: tensor<i32>, %arg30: tensor<i32>):
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.compare"(%arg29, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = "stablehlo.constant"() <{value = dense<40> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.add"(%arg29, %15) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %17 = "stablehlo.select"(%14, %16, %arg29) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.compare"(%18, %19) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.add"(%21, %22) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.select"(%20, %23, %24) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %26 = "stablehlo.dynamic_slice"(%arg28, %17, %25) <{slice_sizes = array<i64: 1, 32>}> : (tensor<40x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
    %27 = "stablehlo.reshape"(%26) : (tensor<1x32xf32>) -> tensor<32xf32>
    %28 = "stablehlo.multiply"(%27, %27) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %29 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.reduce"(%28, %29) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %330 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%330) : (tensor<f32>) -> ()
    }) : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.divide"(%30, %31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.add"(%32, %33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %35 = "stablehlo.rsqrt"(%34) : (tensor<f32>) -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32xf32>
    %37 = "stablehlo.multiply"(%27, %36) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %38 = "stablehlo.multiply"(%37, %arg11) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %39 = "stablehlo.dot_general"(%38, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %40 = "stablehlo.reshape"(%39) : (tensor<32xf32>) -> tensor<4x8xf32>
    %41 = "stablehlo.convert"(%arg30) : (tensor<i32>) -> tensor<f32>
    %42 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %43 = "stablehlo.negate"(%42) : (tensor<4xi32>) -> tensor<4xi32>
    %44 = "stablehlo.convert"(%43) : (tensor<4xi32>) -> tensor<4xf32>
    %45 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %47 = "stablehlo.divide"(%44, %46) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %48 = "stablehlo.constant"() <{value = dense<1.000000e+04> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %50 = "stablehlo.power"(%49, %47) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %51 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %52 = "stablehlo.multiply"(%51, %50) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %53 = "stablehlo.cosine"(%52) : (tensor<4xf32>) -> tensor<4xf32>
    %54 = "stablehlo.sine"(%52) : (tensor<4xf32>) -> tensor<4xf32>
    %55 = "stablehlo.slice"(%40) <{limit_indices = array<i64: 4, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %56 = "stablehlo.slice"(%40) <{limit_indices = array<i64: 4, 8>, start_indices = array<i64: 0, 4>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %57 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %59 = "stablehlo.multiply"(%55, %58) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %60 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %62 = "stablehlo.multiply"(%56, %61) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %63 = "stablehlo.subtract"(%59, %62) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %64 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %66 = "stablehlo.multiply"(%56, %65) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %67 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %69 = "stablehlo.multiply"(%55, %68) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %70 = "stablehlo.add"(%66, %69) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %71 = "stablehlo.concatenate"(%63, %70) <{dimension = 1 : i64}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %72 = "stablehlo.dot_general"(%38, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %73 = "stablehlo.reshape"(%72) : (tensor<32xf32>) -> tensor<4x8xf32>
    %74 = "stablehlo.convert"(%arg30) : (tensor<i32>) -> tensor<f32>
    %75 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %76 = "stablehlo.negate"(%75) : (tensor<4xi32>) -> tensor<4xi32>
    %77 = "stablehlo.convert"(%76) : (tensor<4xi32>) -> tensor<4xf32>
    %78 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %80 = "stablehlo.divide"(%77, %79) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %81 = "stablehlo.constant"() <{value = dense<1.000000e+04> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %83 = "stablehlo.power"(%82, %80) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %84 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %85 = "stablehlo.multiply"(%84, %83) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %86 = "stablehlo.cosine"(%85) : (tensor<4xf32>) -> tensor<4xf32>
    %87 = "stablehlo.sine"(%85) : (tensor<4xf32>) -> tensor<4xf32>
    %88 = "stablehlo.slice"(%73) <{limit_indices = array<i64: 4, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %89 = "stablehlo.slice"(%73) <{limit_indices = array<i64: 4, 8>, start_indices = array<i64: 0, 4>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %90 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %92 = "stablehlo.multiply"(%88, %91) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %93 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %95 = "stablehlo.multiply"(%89, %94) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %96 = "stablehlo.subtract"(%92, %95) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %97 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %99 = "stablehlo.multiply"(%89, %98) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %100 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %102 = "stablehlo.multiply"(%88, %101) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %103 = "stablehlo.add"(%99, %102) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %104 = "stablehlo.concatenate"(%96, %103) <{dimension = 1 : i64}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %105 = "stablehlo.dot_general"(%38, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %106 = "stablehlo.reshape"(%105) : (tensor<32xf32>) -> tensor<4x8xf32>
    %107 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
    %108 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %109 = "stablehlo.compare"(%arg30, %108) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %110 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %111 = "stablehlo.add"(%arg30, %110) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %112 = "stablehlo.select"(%109, %111, %arg30) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %113 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %114 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %115 = "stablehlo.dynamic_update_slice"(%arg4, %107, %113, %112, %114) : (tensor<4x32x8xf32>, tensor<4x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x32x8xf32>
    %116 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
    %117 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %118 = "stablehlo.compare"(%arg30, %117) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %119 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %120 = "stablehlo.add"(%arg30, %119) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %121 = "stablehlo.select"(%118, %120, %arg30) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %122 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %123 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %124 = "stablehlo.dynamic_update_slice"(%arg5, %116, %122, %121, %123) : (tensor<4x32x8xf32>, tensor<4x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x32x8xf32>
    %125 = "stablehlo.dot_general"(%71, %115) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<4x32x8xf32>) -> tensor<4x32xf32>
    %126 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x32xf32>
    %128 = "stablehlo.multiply"(%125, %127) : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
    %129 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %130 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %131 = "stablehlo.compare"(%129, %130) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %132 = "stablehlo.constant"() <{value = dense<-1.000000e+09> : tensor<f32>}> : () -> tensor<f32>
    %133 = "func.call"(%131, %128, %132) <{callee = @_where}> : (tensor<32xi1>, tensor<4x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %134 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.reduce"(%133, %134) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %329 = "stablehlo.maximum"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%329) : (tensor<f32>) -> ()
    }) : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %136 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %138 = "stablehlo.maximum"(%137, %135) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x1xf32>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %141 = "stablehlo.subtract"(%133, %140) : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
    %142 = "stablehlo.exponential"(%141) : (tensor<4x32xf32>) -> tensor<4x32xf32>
    %143 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %144 = "stablehlo.reduce"(%142, %143) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
      %328 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%328) : (tensor<f32>) -> ()
    }) : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %145 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x1xf32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %147 = "stablehlo.divide"(%142, %146) : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
    %148 = "stablehlo.dot_general"(%147, %124) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x32xf32>, tensor<4x32x8xf32>) -> tensor<4x8xf32>
    %149 = "stablehlo.reshape"(%148) : (tensor<4x8xf32>) -> tensor<32xf32>
    %150 = "stablehlo.dot_general"(%149, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %151 = "stablehlo.add"(%27, %150) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %152 = "stablehlo.multiply"(%151, %151) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %153 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %154 = "stablehlo.reduce"(%152, %153) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
      %327 = "stablehlo.add"(%arg41, %arg42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%327) : (tensor<f32>) -> ()
    }) : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %155 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.divide"(%154, %155) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %157 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %158 = "stablehlo.add"(%156, %157) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %159 = "stablehlo.rsqrt"(%158) : (tensor<f32>) -> tensor<f32>
    %160 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32xf32>
    %161 = "stablehlo.multiply"(%151, %160) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %162 = "stablehlo.multiply"(%161, %arg12) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %163 = "stablehlo.dot_general"(%162, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x48xf32>) -> tensor<48xf32>
    %164 = "func.call"(%163) <{callee = @silu}> : (tensor<48xf32>) -> tensor<48xf32>
    %165 = "stablehlo.dot_general"(%162, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x48xf32>) -> tensor<48xf32>
    %166 = "stablehlo.multiply"(%164, %165) : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    %167 = "stablehlo.dot_general"(%166, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<48xf32>, tensor<48x32xf32>) -> tensor<32xf32>
    %168 = "stablehlo.add"(%151, %167) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %169 = "stablehlo.multiply"(%168, %168) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %170 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %171 = "stablehlo.reduce"(%169, %170) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
      %326 = "stablehlo.add"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%326) : (tensor<f32>) -> ()
    }) : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %172 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %173 = "stablehlo.divide"(%171, %172) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %174 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %175 = "stablehlo.add"(%173, %174) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %176 = "stablehlo.rsqrt"(%175) : (tensor<f32>) -> tensor<f32>
    %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32xf32>
    %178 = "stablehlo.multiply"(%168, %177) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %179 = "stablehlo.multiply"(%178, %arg20) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %180 = "stablehlo.dot_general"(%179, %arg23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %181 = "stablehlo.reshape"(%180) : (tensor<32xf32>) -> tensor<4x8xf32>
    %182 = "stablehlo.convert"(%arg30) : (tensor<i32>) -> tensor<f32>
    %183 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %184 = "stablehlo.negate"(%183) : (tensor<4xi32>) -> tensor<4xi32>
    %185 = "stablehlo.convert"(%184) : (tensor<4xi32>) -> tensor<4xf32>
    %186 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %188 = "stablehlo.divide"(%185, %187) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %189 = "stablehlo.constant"() <{value = dense<1.000000e+04> : tensor<f32>}> : () -> tensor<f32>
    %190 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %191 = "stablehlo.power"(%190, %188) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %192 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %193 = "stablehlo.multiply"(%192, %191) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %194 = "stablehlo.cosine"(%193) : (tensor<4xf32>) -> tensor<4xf32>
    %195 = "stablehlo.sine"(%193) : (tensor<4xf32>) -> tensor<4xf32>
    %196 = "stablehlo.slice"(%181) <{limit_indices = array<i64: 4, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %197 = "stablehlo.slice"(%181) <{limit_indices = array<i64: 4, 8>, start_indices = array<i64: 0, 4>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %198 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %200 = "stablehlo.multiply"(%196, %199) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %201 = "stablehlo.broadcast_in_dim"(%195) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %203 = "stablehlo.multiply"(%197, %202) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %204 = "stablehlo.subtract"(%200, %203) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %205 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %206 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %207 = "stablehlo.multiply"(%197, %206) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %208 = "stablehlo.broadcast_in_dim"(%195) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %209 = "stablehlo.broadcast_in_dim"(%208) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %210 = "stablehlo.multiply"(%196, %209) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %211 = "stablehlo.add"(%207, %210) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %212 = "stablehlo.concatenate"(%204, %211) <{dimension = 1 : i64}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %213 = "stablehlo.dot_general"(%179, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %214 = "stablehlo.reshape"(%213) : (tensor<32xf32>) -> tensor<4x8xf32>
    %215 = "stablehlo.convert"(%arg30) : (tensor<i32>) -> tensor<f32>
    %216 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %217 = "stablehlo.negate"(%216) : (tensor<4xi32>) -> tensor<4xi32>
    %218 = "stablehlo.convert"(%217) : (tensor<4xi32>) -> tensor<4xf32>
    %219 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %220 = "stablehlo.broadcast_in_dim"(%219) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %221 = "stablehlo.divide"(%218, %220) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %222 = "stablehlo.constant"() <{value = dense<1.000000e+04> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %224 = "stablehlo.power"(%223, %221) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %225 = "stablehlo.broadcast_in_dim"(%215) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %226 = "stablehlo.multiply"(%225, %224) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %227 = "stablehlo.cosine"(%226) : (tensor<4xf32>) -> tensor<4xf32>
    %228 = "stablehlo.sine"(%226) : (tensor<4xf32>) -> tensor<4xf32>
    %229 = "stablehlo.slice"(%214) <{limit_indices = array<i64: 4, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %230 = "stablehlo.slice"(%214) <{limit_indices = array<i64: 4, 8>, start_indices = array<i64: 0, 4>, strides = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %231 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %232 = "stablehlo.broadcast_in_dim"(%231) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %233 = "stablehlo.multiply"(%229, %232) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %234 = "stablehlo.broadcast_in_dim"(%228) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %235 = "stablehlo.broadcast_in_dim"(%234) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %236 = "stablehlo.multiply"(%230, %235) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %237 = "stablehlo.subtract"(%233, %236) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %238 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %239 = "stablehlo.broadcast_in_dim"(%238) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %240 = "stablehlo.multiply"(%230, %239) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %241 = "stablehlo.broadcast_in_dim"(%228) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %242 = "stablehlo.broadcast_in_dim"(%241) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %243 = "stablehlo.multiply"(%229, %242) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %244 = "stablehlo.add"(%240, %243) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %245 = "stablehlo.concatenate"(%237, %244) <{dimension = 1 : i64}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %246 = "stablehlo.dot_general"(%179, %arg25) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %247 = "stablehlo.reshape"(%246) : (tensor<32xf32>) -> tensor<4x8xf32>
    %248 = "stablehlo.broadcast_in_dim"(%245) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
    %249 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %250 = "stablehlo.compare"(%arg30, %249) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %251 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %252 = "stablehlo.add"(%arg30, %251) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %253 = "stablehlo.select"(%250, %252, %arg30) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %254 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %255 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %256 = "stablehlo.dynamic_update_slice"(%arg6, %248, %254, %253, %255) : (tensor<4x32x8xf32>, tensor<4x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x32x8xf32>
    %257 = "stablehlo.broadcast_in_dim"(%247) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
    %258 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %259 = "stablehlo.compare"(%arg30, %258) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %260 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %261 = "stablehlo.add"(%arg30, %260) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %262 = "stablehlo.select"(%259, %261, %arg30) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %263 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %264 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %265 = "stablehlo.dynamic_update_slice"(%arg7, %257, %263, %262, %264) : (tensor<4x32x8xf32>, tensor<4x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x32x8xf32>
    %266 = "stablehlo.dot_general"(%212, %256) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<4x32x8xf32>) -> tensor<4x32xf32>
    %267 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %268 = "stablehlo.broadcast_in_dim"(%267) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x32xf32>
    %269 = "stablehlo.multiply"(%266, %268) : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
    %270 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %271 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %272 = "stablehlo.compare"(%270, %271) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %273 = "stablehlo.constant"() <{value = dense<-1.000000e+09> : tensor<f32>}> : () -> tensor<f32>
    %274 = "func.call"(%272, %269, %273) <{callee = @_where}> : (tensor<32xi1>, tensor<4x32xf32>, tensor<f32>) -> tensor<4x32xf32>
    %275 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %276 = "stablehlo.reduce"(%274, %275) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %325 = "stablehlo.maximum"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%325) : (tensor<f32>) -> ()
    }) : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %277 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %278 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %279 = "stablehlo.maximum"(%278, %276) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %280 = "stablehlo.broadcast_in_dim"(%279) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x1xf32>
    %281 = "stablehlo.broadcast_in_dim"(%280) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %282 = "stablehlo.subtract"(%274, %281) : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
    %283 = "stablehlo.exponential"(%282) : (tensor<4x32xf32>) -> tensor<4x32xf32>
    %284 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %285 = "stablehlo.reduce"(%283, %284) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %324 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%324) : (tensor<f32>) -> ()
    }) : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
    %286 = "stablehlo.broadcast_in_dim"(%285) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x1xf32>
    %287 = "stablehlo.broadcast_in_dim"(%286) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x1xf32>) -> tensor<4x32xf32>
    %288 = "stablehlo.divide"(%283, %287) : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
    %289 = "stablehlo.dot_general"(%288, %265) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x32xf32>, tensor<4x32x8xf32>) -> tensor<4x8xf32>
    %290 = "stablehlo.reshape"(%289) : (tensor<4x8xf32>) -> tensor<32xf32>
    %291 = "stablehlo.dot_general"(%290, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    %292 = "stablehlo.add"(%168, %291) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %293 = "stablehlo.multiply"(%292, %292) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %294 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %295 = "stablehlo.reduce"(%293, %294) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %323 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%323) : (tensor<f32>) -> ()
    }) : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %296 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %297 = "stablehlo.divide"(%295, %296) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %298 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %299 = "stablehlo.add"(%297, %298) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %300 = "stablehlo.rsqrt"(%299) : (tensor<f32>) -> tensor<f32>
    %301 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32xf32>
    %302 = "stablehlo.multiply"(%292, %301) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %303 = "stablehlo.multiply"(%302, %arg21) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %304 = "stablehlo.dot_general"(%303, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x48xf32>) -> tensor<48xf32>
    %305 = "func.call"(%304) <{callee = @silu}> : (tensor<48xf32>) -> tensor<48xf32>
    %306 = "stablehlo.dot_general"(%303, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x48xf32>) -> tensor<48xf32>
    %307 = "stablehlo.multiply"(%305, %306) : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    %308 = "stablehlo.dot_general"(%307, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<48xf32>, tensor<48x32xf32>) -> tensor<32xf32>
    %309 = "stablehlo.add"(%292, %308) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %310 = "stablehlo.multiply"(%309, %309) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %311 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %312 = "stablehlo.reduce"(%310, %311) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %322 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%322) : (tensor<f32>) -> ()
    }) : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %313 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %314 = "stablehlo.divide"(%312, %313) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %315 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %316 = "stablehlo.add"(%314, %315) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %317 = "stablehlo.rsqrt"(%316) : (tensor<f32>) -> tensor<f32>
    %318 = "stablehlo.broadcast_in_dim"(%317) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32xf32>
    %319 = "stablehlo.multiply"(%309, %318) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %320 = "stablehlo.multiply"(%319, %arg27) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %321 = "stablehlo.dot_general"(%320, %arg26) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<32xf32>, tensor<32x40xf32>) -> tensor<40xf32>
    "func.return"(%321, %115, %124, %256, %265) : (tensor<40xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<32xi1>, tensor<4x32xf32>, tensor<f32>) -> tensor<4x32xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<32xi1>, %arg2: tensor<4x32xf32>, %arg3: tensor<f32>):
    %9 = "stablehlo.convert"(%arg3) : (tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<32xi1>) -> tensor<4x32xi1>
    %11 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x32xf32>
    %12 = "stablehlo.select"(%10, %arg2, %11) : (tensor<4x32xi1>, tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
    "func.return"(%12) : (tensor<4x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<48xf32>) -> tensor<48xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<48xf32>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<48xf32>) -> tensor<48xf32>
    %1 = "stablehlo.exponential"(%0) : (tensor<48xf32>) -> tensor<48xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<48xf32>
    %4 = "stablehlo.add"(%3, %1) : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<48xf32>
    %7 = "stablehlo.divide"(%6, %4) : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    %8 = "stablehlo.multiply"(%arg0, %7) : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
    "func.return"(%8) : (tensor<48xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
