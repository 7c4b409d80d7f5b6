"builtin.module"() <{sym_name = "jit_mlp"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<8x16xbf16>, tensor<16x32xbf16>, tensor<32xbf16>, tensor<32x16xbf16>, tensor<16xbf16>, tensor<16xbf16>) -> tensor<8x16xbf16>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x16xbf16>, %arg1: tensor<16x32xbf16>, %arg2: tensor<32xbf16>, %arg3: tensor<32x16xbf16>, %arg4: tensor<16xbf16>, %arg5: tensor<16xbf16>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xbf16>, tensor<16x32xbf16>) -> tensor<8x32xbf16>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 1>}> : (tensor<32xbf16>) -> tensor<1x32xbf16>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x32xbf16>) -> tensor<8x32xbf16>
    %3 = "stablehlo.add"(%0, %2) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %4 = "stablehlo.multiply"(%3, %3) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %5 = "stablehlo.multiply"(%4, %3) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %6 = "stablehlo.constant"() <{value = dense<4.467770e-02> : tensor<bf16>}> : () -> tensor<bf16>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %8 = "stablehlo.multiply"(%7, %5) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %9 = "stablehlo.add"(%3, %8) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %10 = "stablehlo.constant"() <{value = dense<7.968750e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %12 = "stablehlo.multiply"(%11, %9) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %13 = "stablehlo.tanh"(%12) : (tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %14 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %16 = "stablehlo.add"(%15, %13) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %17 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x32xbf16>
    %19 = "stablehlo.multiply"(%18, %16) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %20 = "stablehlo.multiply"(%3, %19) : (tensor<8x32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
    %21 = "stablehlo.dot_general"(%20, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
    %22 = "stablehlo.add"(%21, %arg0) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %23 = "stablehlo.convert"(%22) : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %24 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%23, %24) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %57 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%57) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x1xf32>
    %27 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32>
    %29 = "stablehlo.divide"(%26, %28) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %30 = "stablehlo.convert"(%29) : (tensor<8x1xf32>) -> tensor<8x1xbf16>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %32 = "stablehlo.subtract"(%22, %31) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %33 = "chlo.square"(%32) : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %34 = "stablehlo.convert"(%33) : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.reduce"(%34, %35) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %56 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%56) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x1xf32>
    %38 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32>
    %40 = "stablehlo.divide"(%37, %39) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %41 = "stablehlo.convert"(%40) : (tensor<8x1xf32>) -> tensor<8x1xbf16>
    %42 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %43 = "stablehlo.subtract"(%22, %42) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %44 = "stablehlo.constant"() <{value = dense<1.001360e-05> : tensor<bf16>}> : () -> tensor<bf16>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8x1xbf16>
    %46 = "stablehlo.add"(%41, %45) : (tensor<8x1xbf16>, tensor<8x1xbf16>) -> tensor<8x1xbf16>
    %47 = "stablehlo.rsqrt"(%46) : (tensor<8x1xbf16>) -> tensor<8x1xbf16>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %49 = "stablehlo.multiply"(%43, %48) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %50 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %52 = "stablehlo.multiply"(%49, %51) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %53 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %55 = "stablehlo.add"(%52, %54) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    "func.return"(%55) : (tensor<8x16xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
