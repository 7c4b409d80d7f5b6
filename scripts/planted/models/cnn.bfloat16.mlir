"builtin.module"() <{sym_name = "jit_cnn"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x8x8x3xbf16>, tensor<3x3x3x8xbf16>, tensor<8xbf16>, tensor<3x3x8x8xbf16>, tensor<8x10xbf16>) -> tensor<2x10xbf16>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg2: tensor<2x8x8x3xbf16>, %arg3: tensor<3x3x3x8xbf16>, %arg4: tensor<8xbf16>, %arg5: tensor<3x3x8x8xbf16>, %arg6: tensor<8x10xbf16>):
    %9 = "stablehlo.convolution"(%arg2, %arg3) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<2x8x8x3xbf16>, tensor<3x3x3x8xbf16>) -> tensor<2x8x8x8xbf16>
    %10 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 3>}> : (tensor<8xbf16>) -> tensor<1x1x1x8xbf16>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x8xbf16>) -> tensor<2x8x8x8xbf16>
    %12 = "stablehlo.add"(%9, %11) : (tensor<2x8x8x8xbf16>, tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    %13 = "func.call"(%12) <{callee = @relu}> : (tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    %14 = "stablehlo.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<bf16>
    %16 = "stablehlo.reduce_window"(%13, %15) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg9: tensor<bf16>, %arg10: tensor<bf16>):
      %28 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%28) : (tensor<bf16>) -> ()
    }) : (tensor<2x8x8x8xbf16>, tensor<bf16>) -> tensor<2x4x4x8xbf16>
    %17 = "stablehlo.convolution"(%16, %arg5) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<2x4x4x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<2x2x2x8xbf16>
    %18 = "func.call"(%17) <{callee = @relu6}> : (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>
    %19 = "stablehlo.convert"(%18) : (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xf32>
    %20 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.reduce"(%19, %20) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %27 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%27) : (tensor<f32>) -> ()
    }) : (tensor<2x2x2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %22 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %24 = "stablehlo.divide"(%21, %23) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %25 = "stablehlo.convert"(%24) : (tensor<2x8xf32>) -> tensor<2x8xbf16>
    %26 = "stablehlo.dot_general"(%25, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8xbf16>, tensor<8x10xbf16>) -> tensor<2x10xbf16>
    "func.return"(%26) : (tensor<2x10xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>, res_attrs = [{}], sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x8x8x8xbf16>):
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %8 = "stablehlo.maximum"(%arg1, %7) : (tensor<2x8x8x8xbf16>, tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    "func.return"(%8) : (tensor<2x8x8x8xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>, res_attrs = [{}], sym_name = "relu6", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x2x2x8xbf16>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %2 = "stablehlo.maximum"(%arg0, %1) : (tensor<2x2x2x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>
    %3 = "stablehlo.constant"() <{value = dense<6.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %5 = "stablehlo.minimum"(%2, %4) : (tensor<2x2x2x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>
    "func.return"(%5) : (tensor<2x2x2x8xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
