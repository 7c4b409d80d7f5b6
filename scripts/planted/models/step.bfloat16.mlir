module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x3x8xbf16>, %arg1: tensor<8xbf16>, %arg2: tensor<3x3x8x8xbf16>, %arg3: tensor<8x10xbf16>, %arg4: tensor<2x8x8x3xbf16>, %arg5: tensor<2x10xbf16>) -> (tensor<3x3x3x8xbf16> {jax.result_info = "result[0]"}, tensor<8xbf16> {jax.result_info = "result[1]"}, tensor<3x3x8x8xbf16> {jax.result_info = "result[2]"}, tensor<8x10xbf16> {jax.result_info = "result[3]"}, tensor<bf16> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.convolution(%arg4, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x3xbf16>, tensor<3x3x3x8xbf16>) -> tensor<2x8x8x8xbf16>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<8xbf16>) -> tensor<1x1x1x8xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xbf16>) -> tensor<2x8x8x8xbf16>
    %3 = stablehlo.add %0, %2 : tensor<2x8x8x8xbf16>
    %4 = call @relu(%3) : (tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<2x8x8x8xbf16>, tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xi1>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %8 = "stablehlo.reduce_window"(%4, %7) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %80 = stablehlo.maximum %arg6, %arg7 : tensor<bf16>
      stablehlo.return %80 : tensor<bf16>
    }) : (tensor<2x8x8x8xbf16>, tensor<bf16>) -> tensor<2x4x4x8xbf16>
    %9 = stablehlo.convolution(%8, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<2x2x2x8xbf16>
    %10 = call @relu6(%9) : (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %12 = stablehlo.compare GT, %9, %11, FLOAT : (tensor<2x2x2x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xi1>
    %cst_2 = stablehlo.constant dense<6.000000e+00> : tensor<bf16>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %14 = stablehlo.compare LT, %9, %13, FLOAT : (tensor<2x2x2x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xi1>
    %15 = stablehlo.and %12, %14 : tensor<2x2x2x8xi1>
    %16 = stablehlo.convert %10 : (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x2x2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %19 = stablehlo.divide %17, %18 : tensor<2x8xf32>
    %20 = stablehlo.convert %19 : (tensor<2x8xf32>) -> tensor<2x8xbf16>
    %21 = stablehlo.dot_general %20, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xbf16>, tensor<8x10xbf16>) -> tensor<2x10xbf16>
    %22:3 = call @log_softmax(%21) : (tensor<2x10xbf16>) -> (tensor<2x10xbf16>, tensor<2x10xbf16>, tensor<2x1xbf16>)
    %23 = stablehlo.multiply %22#0, %arg5 : tensor<2x10xbf16>
    %24 = stablehlo.convert %23 : (tensor<2x10xbf16>) -> tensor<2x10xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %26 = stablehlo.convert %25 : (tensor<2xf32>) -> tensor<2xbf16>
    %27 = stablehlo.convert %26 : (tensor<2xbf16>) -> tensor<2xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.divide %28, %cst_7 : tensor<f32>
    %30 = stablehlo.convert %29 : (tensor<f32>) -> tensor<bf16>
    %31 = stablehlo.negate %30 : tensor<bf16>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %32 = stablehlo.negate %cst_8 : tensor<bf16>
    %33 = stablehlo.convert %32 : (tensor<bf16>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %34 = stablehlo.divide %33, %cst_9 : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %36 = stablehlo.convert %35 : (tensor<2xf32>) -> tensor<2xbf16>
    %37 = stablehlo.convert %36 : (tensor<2xbf16>) -> tensor<2xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0] : (tensor<2xf32>) -> tensor<2x10xf32>
    %39 = stablehlo.convert %38 : (tensor<2x10xf32>) -> tensor<2x10xbf16>
    %40 = stablehlo.multiply %39, %arg5 : tensor<2x10xbf16>
    %41 = call @log_softmax_0(%22#1, %22#2, %40) : (tensor<2x10xbf16>, tensor<2x1xbf16>, tensor<2x10xbf16>) -> tensor<2x10xbf16>
    %42 = stablehlo.dot_general %41, %20, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x10xbf16>, tensor<2x8xbf16>) -> tensor<10x8xbf16>
    %43 = stablehlo.transpose %42, dims = [1, 0] : (tensor<10x8xbf16>) -> tensor<8x10xbf16>
    %44 = stablehlo.dot_general %41, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x10xbf16>, tensor<8x10xbf16>) -> tensor<2x8xbf16>
    %45 = stablehlo.convert %44 : (tensor<2x8xbf16>) -> tensor<2x8xf32>
    %cst_10 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %47 = stablehlo.divide %45, %46 : tensor<2x8xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 3] : (tensor<2x8xf32>) -> tensor<2x2x2x8xf32>
    %49 = stablehlo.convert %48 : (tensor<2x2x2x8xf32>) -> tensor<2x2x2x8xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %50 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %51 = stablehlo.select %15, %49, %50 : tensor<2x2x2x8xi1>, tensor<2x2x2x8xbf16>
    %52 = stablehlo.convolution(%8, %51) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 0], [1, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x8xbf16>, tensor<2x2x2x8xbf16>) -> tensor<3x3x8x8xbf16>
    %53 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<3x3x8x8xbf16>
    %54 = stablehlo.convolution(%51, %53) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 2], [1, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x2x2x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<2x4x4x8xbf16>
    %cst_12 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %55 = stablehlo.pad %4, %cst_12, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x8x8x8xbf16>, tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %56 = "stablehlo.select_and_scatter"(%55, %54, %cst_13) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %80 = stablehlo.compare GE, %arg6, %arg7, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %80 : tensor<i1>
    }, {
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %80 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %80 : tensor<bf16>
    }) : (tensor<2x8x8x8xbf16>, tensor<2x4x4x8xbf16>, tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %57 = stablehlo.slice %56 [0:2, 0:8, 0:8, 0:8] : (tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %58 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %59 = stablehlo.select %6, %57, %58 : tensor<2x8x8x8xi1>, tensor<2x8x8x8xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %60 = stablehlo.reduce(%59 init: %cst_15) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x8x8xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %61 = stablehlo.reshape %60 : (tensor<8xbf16>) -> tensor<1x1x1x8xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %62 = stablehlo.reduce(%61 init: %cst_16) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %63 = stablehlo.convolution(%arg4, %59) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x3xbf16>, tensor<2x8x8x8xbf16>) -> tensor<3x3x3x8xbf16>
    %cst_17 = stablehlo.constant dense<-5.000000e-02> : tensor<f32>
    %cst_18 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %64 = call @clip(%63, %cst_17, %cst_18) : (tensor<3x3x3x8xbf16>, tensor<f32>, tensor<f32>) -> tensor<3x3x3x8xbf16>
    %cst_19 = stablehlo.constant dense<1.000980e-01> : tensor<bf16>
    %65 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<bf16>) -> tensor<3x3x3x8xbf16>
    %66 = stablehlo.multiply %65, %64 : tensor<3x3x3x8xbf16>
    %67 = stablehlo.subtract %arg0, %66 : tensor<3x3x3x8xbf16>
    %cst_20 = stablehlo.constant dense<-5.000000e-02> : tensor<f32>
    %cst_21 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %68 = call @clip_1(%62, %cst_20, %cst_21) : (tensor<8xbf16>, tensor<f32>, tensor<f32>) -> tensor<8xbf16>
    %cst_22 = stablehlo.constant dense<1.000980e-01> : tensor<bf16>
    %69 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<bf16>) -> tensor<8xbf16>
    %70 = stablehlo.multiply %69, %68 : tensor<8xbf16>
    %71 = stablehlo.subtract %arg1, %70 : tensor<8xbf16>
    %cst_23 = stablehlo.constant dense<-5.000000e-02> : tensor<f32>
    %cst_24 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %72 = call @clip_2(%52, %cst_23, %cst_24) : (tensor<3x3x8x8xbf16>, tensor<f32>, tensor<f32>) -> tensor<3x3x8x8xbf16>
    %cst_25 = stablehlo.constant dense<1.000980e-01> : tensor<bf16>
    %73 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<bf16>) -> tensor<3x3x8x8xbf16>
    %74 = stablehlo.multiply %73, %72 : tensor<3x3x8x8xbf16>
    %75 = stablehlo.subtract %arg2, %74 : tensor<3x3x8x8xbf16>
    %cst_26 = stablehlo.constant dense<-5.000000e-02> : tensor<f32>
    %cst_27 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %76 = call @clip_3(%43, %cst_26, %cst_27) : (tensor<8x10xbf16>, tensor<f32>, tensor<f32>) -> tensor<8x10xbf16>
    %cst_28 = stablehlo.constant dense<1.000980e-01> : tensor<bf16>
    %77 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<bf16>) -> tensor<8x10xbf16>
    %78 = stablehlo.multiply %77, %76 : tensor<8x10xbf16>
    %79 = stablehlo.subtract %arg3, %78 : tensor<8x10xbf16>
    return %67, %71, %75, %79, %31 : tensor<3x3x3x8xbf16>, tensor<8xbf16>, tensor<3x3x8x8xbf16>, tensor<8x10xbf16>, tensor<bf16>
  }
  func.func private @relu(%arg0: tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x8x8x8xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x8x8x8xbf16>
    return %1 : tensor<2x8x8x8xbf16>
  }
  func.func private @relu6(%arg0: tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x2x2x8xbf16>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x2x2x8xbf16>
    %3 = stablehlo.minimum %1, %2 : tensor<2x2x2x8xbf16>
    return %3 : tensor<2x2x2x8xbf16>
  }
  func.func private @log_softmax(%arg0: tensor<2x10xbf16>) -> (tensor<2x10xbf16>, tensor<2x10xbf16>, tensor<2x1xbf16>) {
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x10xbf16>, tensor<bf16>) -> tensor<2xbf16>
    %cst_0 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2xbf16>
    %2 = stablehlo.maximum %1, %0 : tensor<2xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xbf16>) -> tensor<2x1xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xbf16>) -> tensor<2x10xbf16>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x10xbf16>
    %6 = stablehlo.exponential %5 : tensor<2x10xbf16>
    %7 = stablehlo.convert %6 : (tensor<2x10xbf16>) -> tensor<2x10xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x10xf32>, tensor<f32>) -> tensor<2xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %10 = stablehlo.convert %9 : (tensor<2x1xf32>) -> tensor<2x1xbf16>
    %11 = stablehlo.log %10 : tensor<2x1xbf16>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x1xbf16>) -> tensor<2x10xbf16>
    %13 = stablehlo.subtract %5, %12 : tensor<2x10xbf16>
    return %13, %6, %10 : tensor<2x10xbf16>, tensor<2x10xbf16>, tensor<2x1xbf16>
  }
  func.func private @log_softmax_0(%arg0: tensor<2x10xbf16>, %arg1: tensor<2x1xbf16>, %arg2: tensor<2x10xbf16>) -> tensor<2x10xbf16> {
    %0 = stablehlo.negate %arg2 : tensor<2x10xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x10xbf16>, tensor<bf16>) -> tensor<2xbf16>
    %2 = stablehlo.reshape %1 : (tensor<2xbf16>) -> tensor<2x1xbf16>
    %3 = stablehlo.divide %2, %arg1 : tensor<2x1xbf16>
    %4 = stablehlo.convert %3 : (tensor<2x1xbf16>) -> tensor<2x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<2xf32>) -> tensor<2x10xf32>
    %7 = stablehlo.convert %6 : (tensor<2x10xf32>) -> tensor<2x10xbf16>
    %8 = stablehlo.multiply %7, %arg0 : tensor<2x10xbf16>
    %9 = stablehlo.add %arg2, %8 : tensor<2x10xbf16>
    return %9 : tensor<2x10xbf16>
  }
  func.func private @clip(%arg0: tensor<3x3x3x8xbf16>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<3x3x3x8xbf16> {
    %0 = stablehlo.convert %arg1 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<3x3x3x8xbf16>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3x3x3x8xbf16>
    %3 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<bf16>) -> tensor<3x3x3x8xbf16>
    %5 = stablehlo.minimum %4, %2 : tensor<3x3x3x8xbf16>
    return %5 : tensor<3x3x3x8xbf16>
  }
  func.func private @clip_1(%arg0: tensor<8xbf16>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<8xbf16> {
    %0 = stablehlo.convert %arg1 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<8xbf16>
    %2 = stablehlo.maximum %1, %arg0 : tensor<8xbf16>
    %3 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<bf16>) -> tensor<8xbf16>
    %5 = stablehlo.minimum %4, %2 : tensor<8xbf16>
    return %5 : tensor<8xbf16>
  }
  func.func private @clip_2(%arg0: tensor<3x3x8x8xbf16>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<3x3x8x8xbf16> {
    %0 = stablehlo.convert %arg1 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<3x3x8x8xbf16>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3x3x8x8xbf16>
    %3 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<bf16>) -> tensor<3x3x8x8xbf16>
    %5 = stablehlo.minimum %4, %2 : tensor<3x3x8x8xbf16>
    return %5 : tensor<3x3x8x8xbf16>
  }
  func.func private @clip_3(%arg0: tensor<8x10xbf16>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<8x10xbf16> {
    %0 = stablehlo.convert %arg1 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<8x10xbf16>
    %2 = stablehlo.maximum %1, %arg0 : tensor<8x10xbf16>
    %3 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<bf16>) -> tensor<8x10xbf16>
    %5 = stablehlo.minimum %4, %2 : tensor<8x10xbf16>
    return %5 : tensor<8x10xbf16>
  }
}
