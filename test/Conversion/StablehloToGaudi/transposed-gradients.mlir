// Gradients of transposed convolutions with strides, on seeded inputs; the
// values are JAX's (0.10.2, CPU). A gradient of the filter is one of the device
// too, with the roles of both activations exchanged, and a small reversal.
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -canonicalize | FileCheck %s --implicit-check-not=insert_slice
// RUN: gaudi-run --check --seed-inputs=4 %s | FileCheck %s --check-prefix=VALUES
// VALUES-COUNT-5: matches the reference
// RUN: gaudi-run --seed-inputs=4 %s --print=1 \
// RUN:   --expect='out0=1x2x3x2xf32=0.07003821 0.3148814 0.02800315 0.4887394 -0.08037201 -0.1720673 -0.2252391 -0.1389027 0.6998122 -0.4346899 -0.1517348 0.02784609' \
// RUN:   --expect='out1=3x3x2x1xf32=0.05709819 -0.01670123 -0.1562971 0.01879536 0.205 -0.09230176 -0.2433035 -0.332256 0.2079911 0.09454238 -0.5902692 -0.1399177 -0.3318515 -0.2491565 -0.19181 -0.1683626 -0.03214734 -0.1033463' \
// RUN:   --expect='out2=1x4x9x1xf32=-0.3228328 -0.09239028 -0.1010718 -0.01079217 -0.01280737 0.0564469 -0.5988215 -0.2118357 0.06158829 0.1050774 -0.009035048 0.005966118 0.02558714 -0.07294244 0.04062661 0.2868079 -0.3191754 0.1793727 0.5041275 0.08728968 0.5086098 0.9298943 0.238351 0.4620838 -0.7191426 -0.2157088 -0.1642058 -0.03465614 -0.4118067 0.2277218 -0.2395884 -0.1815483 0.0983374 0.2565567 -0.09412214 0.05447154' \
// RUN:   --expect='out3=1x2x3x2xf32=0.2465653 0.2363106 0.1418907 0.1832804 -0.1342421 0.3799807 0.1232965 0.1584183 0.009997747 0.3565991 0.3151376 0.2844081' \
// RUN:   --expect='out4=2x3x1x2xf32=-0.02435971 0.1512984 -0.06571474 0.001917938 -0.4350215 -0.08017702 0.08064835 0.003197061 -0.2989481 -0.5013074 -0.4111557 0.1676684'

// CHECK-LABEL: func.func public @main
// CHECK: gaudi.mme.conv_weight_grad %{{.*}}, %arg0 layout "NHWC", "NHWC", "HWOI" strides [2, 2]
// CHECK: gaudi.tpc.reverse %{{.*}} dims [0, 1] : tensor<3x3x2x1xf32>
// With transpose_kernel the model reverses the filter, which undoes the op's own
// reversals: none is left.
// CHECK: gaudi.mme.conv_input_grad %arg0, %arg3
// CHECK-NOT: gaudi.tpc.reverse
"builtin.module"() <{sym_name = "jit_main"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<1x2x3x2xf32>, tensor<3x3x2x1xf32>, tensor<1x4x6x1xf32>, tensor<2x3x1x2xf32>, tensor<1x4x9x1xf32>) -> (tensor<1x2x3x2xf32>, tensor<3x3x2x1xf32>, tensor<1x4x9x1xf32>, tensor<1x2x3x2xf32>, tensor<2x3x1x2xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x2x3x2xf32>, %arg1: tensor<3x3x2x1xf32>, %arg2: tensor<1x4x6x1xf32>, %arg3: tensor<2x3x1x2xf32>, %arg4: tensor<1x4x9x1xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<[[2, 1], [2, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x2x3x2xf32>, tensor<3x3x2x1xf32>) -> tensor<1x4x6x1xf32>
    %1 = "stablehlo.convolution"(%arg0, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<[[2, 1], [2, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x2x3x2xf32>, tensor<1x4x6x1xf32>) -> tensor<3x3x2x1xf32>
    %2 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 0, 1>}> : (tensor<3x3x2x1xf32>) -> tensor<3x3x2x1xf32>
    %3 = "stablehlo.convolution"(%arg2, %2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<1x4x6x1xf32>, tensor<3x3x2x1xf32>) -> tensor<1x2x3x2xf32>
    %4 = "stablehlo.reverse"(%arg3) <{dimensions = array<i64: 0>}> : (tensor<2x3x1x2xf32>) -> tensor<2x3x1x2xf32>
    %5 = "stablehlo.reverse"(%4) <{dimensions = array<i64: 1>}> : (tensor<2x3x1x2xf32>) -> tensor<2x3x1x2xf32>
    %6 = "stablehlo.transpose"(%5) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x3x1x2xf32>) -> tensor<2x3x2x1xf32>
    %7 = "stablehlo.convolution"(%arg0, %6) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 3>, padding = dense<[[1, 1], [2, 2]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x2x3x2xf32>, tensor<2x3x2x1xf32>) -> tensor<1x4x9x1xf32>
    %8 = "stablehlo.convolution"(%arg0, %arg4) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 3>, padding = dense<[[1, 1], [2, 2]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x2x3x2xf32>, tensor<1x4x9x1xf32>) -> tensor<2x3x2x1xf32>
    %9 = "stablehlo.reverse"(%6) <{dimensions = array<i64: 0, 1>}> : (tensor<2x3x2x1xf32>) -> tensor<2x3x2x1xf32>
    %10 = "stablehlo.convolution"(%arg4, %9) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 3>}> : (tensor<1x4x9x1xf32>, tensor<2x3x2x1xf32>) -> tensor<1x2x3x2xf32>
    %11 = "stablehlo.transpose"(%8) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x3x2x1xf32>) -> tensor<2x3x1x2xf32>
    %12 = "stablehlo.reverse"(%11) <{dimensions = array<i64: 1>}> : (tensor<2x3x1x2xf32>) -> tensor<2x3x1x2xf32>
    %13 = "stablehlo.reverse"(%12) <{dimensions = array<i64: 0>}> : (tensor<2x3x1x2xf32>) -> tensor<2x3x1x2xf32>
    "func.return"(%3, %1, %7, %10, %13) : (tensor<1x2x3x2xf32>, tensor<3x3x2x1xf32>, tensor<1x4x9x1xf32>, tensor<1x2x3x2xf32>, tensor<2x3x1x2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
