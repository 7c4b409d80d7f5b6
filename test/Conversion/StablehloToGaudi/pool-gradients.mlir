// Gradients of poolings as JAX writes them, on seeded inputs; the values are
// JAX's (0.10.2, CPU). The padding and cropping around them, and the zeros
// between the elements of an average's gradient, become attributes.
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -canonicalize | FileCheck %s --implicit-check-not=tpc.pad --implicit-check-not=insert_slice
// RUN: gaudi-run --check --seed-inputs=3 %s | FileCheck %s --check-prefix=VALUES
// VALUES-COUNT-7: matches the reference
// RUN: gaudi-run --seed-inputs=3 %s --print=1 \
// RUN:   --expect='out0=1x5x4x2xf32=0 0 -0.3022195 -0.7602487 0.6184738 0 0 0 0 0 0 0 0 0 0 -0.7511944 0 0 0.3505477 0 0 0 0 0.6474036 0 0 0 0.6356461 0 0 -0.8549324 0 0 0 0 0 0 0 0 0' \
// RUN:   --expect='out1=1x4x5x1xf32=0 0 0 0 0 -0.0738821 0 0 0 0.5331396 0 -0.2734121 0 0 0 0 0 0 0 0.163082' \
// RUN:   --expect='out2=1x1x3x4xf32=0 0.5178733 0 0 0 1.104575 0 -0.5262456 0 0 0 0' \
// RUN:   --expect='out3=1x4x5x1xf32=-0.01065143 0.0451535 0.05580493 -0.003723916 -0.05952884 -0.01065143 0.0451535 0.05580493 -0.003723916 -0.05952884 0.02528122 0.06508543 0.03980421 -0.004183931 -0.04398814 0.03593265 0.01993193 -0.01600072 -0.0004600156 0.01554071' \
// RUN:   --expect='out4=1x5x4x1xf32=0.03019928 0.03019928 0.3018521 0.3018521 0.03019928 0.03019928 0.3018521 0.3018521 0.01447625 0.01447625 -0.04534794 -0.04534794 0.01447625 0.01447625 -0.04534794 -0.04534794 0 0 0 0' \
// RUN:   --expect='out5=1x8x1xf32=0 0 1.723343 0 0 0 1.016335 0' \
// RUN:   --expect='out6=1x2x4x2x1xf32=1.299371 0 0 0 1.279959 0 0 0 0 0 0 0 0 0 0 0'

// CHECK-LABEL: func.func public @main
// One window holds an element; the last row has none.
// CHECK: gaudi.tpc.pool_grad <max> %{{.*}} of %arg0 layout "NHWC" kernel [2, 2] strides [2, 2] pad [0, 0], [0, 0] : tensor<1x2x2x2xf32>, tensor<1x5x4x2xf32> -> tensor<1x5x4x2xf32>
// Windows overlap; JAX pads with elements of -infinity.
// CHECK: gaudi.tpc.pool_grad <max> %{{.*}} of %arg2 layout "NHWC" kernel [3, 3] strides [2, 2] pad [0, 1], [1, 1] select_padding
// CHECK: gaudi.tpc.pool_grad <max> %{{.*}} of %arg4 layout "NCHW" kernel [3, 3] strides [1, 1] pad [1, 1], [1, 1] select_padding
// CHECK: gaudi.tpc.pool_grad <sum> %{{.*}} layout "NHWC" kernel [3, 3] strides [2, 2] pad [0, 1], [1, 1] : tensor<1x2x3x1xf32> -> tensor<1x4x5x1xf32>
// CHECK: gaudi.tpc.pool_grad <sum> %{{.*}} layout "NHWC" kernel [2, 2] strides [2, 2] pad [0, 0], [0, 0]
// CHECK: gaudi.tpc.pool_grad <max> %{{.*}} of %arg10 layout "NWC" kernel [3] strides [2] pad [0], [0]
// CHECK: gaudi.tpc.pool_grad <max> %{{.*}} of %arg12 layout "NDHWC" kernel [2, 2, 2] strides [2, 2, 2] pad [0, 0, 0], [0, 0, 0]

"builtin.module"() <{sym_name = "jit_main"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<1x5x4x2xf32>, tensor<1x2x2x2xf32>, tensor<1x4x5x1xf32>, tensor<1x2x3x1xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>, tensor<1x4x5x1xf32>, tensor<1x2x3x1xf32>, tensor<1x5x4x1xf32>, tensor<1x2x2x1xf32>, tensor<1x8x1xf32>, tensor<1x3x1xf32>, tensor<1x2x4x2x1xf32>, tensor<1x1x2x1x1xf32>) -> (tensor<1x5x4x2xf32>, tensor<1x4x5x1xf32>, tensor<1x1x3x4xf32>, tensor<1x4x5x1xf32>, tensor<1x5x4x1xf32>, tensor<1x8x1xf32>, tensor<1x2x4x2x1xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x5x4x2xf32>, %arg1: tensor<1x2x2x2xf32>, %arg2: tensor<1x4x5x1xf32>, %arg3: tensor<1x2x3x1xf32>, %arg4: tensor<1x1x3x4xf32>, %arg5: tensor<1x1x3x4xf32>, %arg6: tensor<1x4x5x1xf32>, %arg7: tensor<1x2x3x1xf32>, %arg8: tensor<1x5x4x1xf32>, %arg9: tensor<1x2x2x1xf32>, %arg10: tensor<1x8x1xf32>, %arg11: tensor<1x3x1xf32>, %arg12: tensor<1x2x4x2x1xf32>, %arg13: tensor<1x1x2x1x1xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %86 = "stablehlo.maximum"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%86) : (tensor<f32>) -> ()
    }) : (tensor<1x5x4x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
    %3 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.pad"(%arg0, %3) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x5x4x2xf32>, tensor<f32>) -> tensor<1x5x4x2xf32>
    %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.select_and_scatter"(%4, %arg1, %5) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
      %85 = "stablehlo.compare"(%arg48, %arg49) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%85) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
      %84 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%84) : (tensor<f32>) -> ()
    }) : (tensor<1x5x4x2xf32>, tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x5x4x2xf32>
    %7 = "stablehlo.slice"(%6) <{limit_indices = array<i64: 1, 5, 4, 2>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x5x4x2xf32>) -> tensor<1x5x4x2xf32>
    %8 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.reduce_window"(%arg2, %9) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %83 = "stablehlo.maximum"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%83) : (tensor<f32>) -> ()
    }) : (tensor<1x4x5x1xf32>, tensor<f32>) -> tensor<1x2x3x1xf32>
    %11 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.pad"(%arg2, %11) <{edge_padding_high = array<i64: 0, 1, 1, 0>, edge_padding_low = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x4x5x1xf32>, tensor<f32>) -> tensor<1x5x7x1xf32>
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.select_and_scatter"(%12, %arg3, %13) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %82 = "stablehlo.compare"(%arg42, %arg43) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%82) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %81 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%81) : (tensor<f32>) -> ()
    }) : (tensor<1x5x7x1xf32>, tensor<1x2x3x1xf32>, tensor<f32>) -> tensor<1x5x7x1xf32>
    %15 = "stablehlo.slice"(%14) <{limit_indices = array<i64: 1, 4, 6, 1>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x5x7x1xf32>) -> tensor<1x4x5x1xf32>
    %16 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.reduce_window"(%arg4, %17) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %80 = "stablehlo.maximum"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%80) : (tensor<f32>) -> ()
    }) : (tensor<1x1x3x4xf32>, tensor<f32>) -> tensor<1x1x3x4xf32>
    %19 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.pad"(%arg4, %19) <{edge_padding_high = array<i64: 0, 0, 1, 1>, edge_padding_low = array<i64: 0, 0, 1, 1>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x1x3x4xf32>, tensor<f32>) -> tensor<1x1x5x6xf32>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.select_and_scatter"(%20, %arg5, %21) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %79 = "stablehlo.compare"(%arg36, %arg37) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%79) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %78 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%78) : (tensor<f32>) -> ()
    }) : (tensor<1x1x5x6xf32>, tensor<1x1x3x4xf32>, tensor<f32>) -> tensor<1x1x5x6xf32>
    %23 = "stablehlo.slice"(%22) <{limit_indices = array<i64: 1, 1, 4, 5>, start_indices = array<i64: 0, 0, 1, 1>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x1x5x6xf32>) -> tensor<1x1x3x4xf32>
    %24 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.reduce_window"(%arg6, %25) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %77 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%77) : (tensor<f32>) -> ()
    }) : (tensor<1x4x5x1xf32>, tensor<f32>) -> tensor<1x2x3x1xf32>
    %27 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x1xf32>
    %29 = "stablehlo.divide"(%26, %28) : (tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
    %30 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3x1xf32>
    %32 = "stablehlo.divide"(%arg7, %31) : (tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>) -> tensor<1x2x3x1xf32>
    %33 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.pad"(%32, %33) <{edge_padding_high = array<i64: 0, 1, 1, 0>, edge_padding_low = array<i64: 0, 2, 1, 0>, interior_padding = array<i64: 0, 1, 1, 0>}> : (tensor<1x2x3x1xf32>, tensor<f32>) -> tensor<1x6x7x1xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %37 = "stablehlo.reduce_window"(%34, %36) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %76 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) : (tensor<1x6x7x1xf32>, tensor<f32>) -> tensor<1x4x5x1xf32>
    %38 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %40 = "stablehlo.reduce_window"(%arg8, %39) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %75 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%75) : (tensor<f32>) -> ()
    }) : (tensor<1x5x4x1xf32>, tensor<f32>) -> tensor<1x2x2x1xf32>
    %41 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x1xf32>
    %43 = "stablehlo.divide"(%40, %42) : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
    %44 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x1xf32>
    %46 = "stablehlo.divide"(%arg9, %45) : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
    %47 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.pad"(%46, %47) <{edge_padding_high = array<i64: 0, 2, 1, 0>, edge_padding_low = array<i64: 0, 1, 1, 0>, interior_padding = array<i64: 0, 1, 1, 0>}> : (tensor<1x2x2x1xf32>, tensor<f32>) -> tensor<1x6x5x1xf32>
    %49 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %51 = "stablehlo.reduce_window"(%48, %50) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %74 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%74) : (tensor<f32>) -> ()
    }) : (tensor<1x6x5x1xf32>, tensor<f32>) -> tensor<1x5x4x1xf32>
    %52 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %54 = "stablehlo.reduce_window"(%arg10, %53) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 3, 1>, window_strides = array<i64: 1, 2, 1>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %73 = "stablehlo.maximum"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%73) : (tensor<f32>) -> ()
    }) : (tensor<1x8x1xf32>, tensor<f32>) -> tensor<1x3x1xf32>
    %55 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.pad"(%arg10, %55) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<1x8x1xf32>, tensor<f32>) -> tensor<1x8x1xf32>
    %57 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.select_and_scatter"(%56, %arg11, %57) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 3, 1>, window_strides = array<i64: 1, 2, 1>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %72 = "stablehlo.compare"(%arg22, %arg23) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%72) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %71 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%71) : (tensor<f32>) -> ()
    }) : (tensor<1x8x1xf32>, tensor<1x3x1xf32>, tensor<f32>) -> tensor<1x8x1xf32>
    %59 = "stablehlo.slice"(%58) <{limit_indices = array<i64: 1, 8, 1>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
    %60 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %62 = "stablehlo.reduce_window"(%arg12, %61) <{base_dilations = array<i64: 1, 1, 1, 1, 1>, padding = dense<0> : tensor<5x2xi64>, window_dilations = array<i64: 1, 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 2, 1>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %70 = "stablehlo.maximum"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%70) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x2x1xf32>, tensor<f32>) -> tensor<1x1x2x1x1xf32>
    %63 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.pad"(%arg12, %63) <{edge_padding_high = array<i64: 0, 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0, 0>}> : (tensor<1x2x4x2x1xf32>, tensor<f32>) -> tensor<1x2x4x2x1xf32>
    %65 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.select_and_scatter"(%64, %arg13, %65) <{padding = dense<0> : tensor<5x2xi64>, window_dimensions = array<i64: 1, 2, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 2, 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %69 = "stablehlo.compare"(%arg16, %arg17) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%69) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %68 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%68) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x2x1xf32>, tensor<1x1x2x1x1xf32>, tensor<f32>) -> tensor<1x2x4x2x1xf32>
    %67 = "stablehlo.slice"(%66) <{limit_indices = array<i64: 1, 2, 4, 2, 1>, start_indices = array<i64: 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<1x2x4x2x1xf32>) -> tensor<1x2x4x2x1xf32>
    "func.return"(%7, %15, %23, %37, %51, %59, %67) : (tensor<1x5x4x2xf32>, tensor<1x4x5x1xf32>, tensor<1x1x3x4xf32>, tensor<1x4x5x1xf32>, tensor<1x5x4x1xf32>, tensor<1x8x1xf32>, tensor<1x2x4x2x1xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
