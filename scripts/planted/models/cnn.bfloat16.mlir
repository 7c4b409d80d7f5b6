module @jit_cnn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8x8x3xbf16>, %arg1: tensor<3x3x3x8xbf16>, %arg2: tensor<8xbf16>, %arg3: tensor<3x3x8x8xbf16>, %arg4: tensor<8x10xbf16>) -> (tensor<2x10xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x3xbf16>, tensor<3x3x3x8xbf16>) -> tensor<2x8x8x8xbf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<8xbf16>) -> tensor<1x1x1x8xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xbf16>) -> tensor<2x8x8x8xbf16>
    %3 = stablehlo.add %0, %2 : tensor<2x8x8x8xbf16>
    %4 = call @relu(%3) : (tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<bf16>
    %6 = "stablehlo.reduce_window"(%4, %5) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg5: tensor<bf16>, %arg6: tensor<bf16>):
      %15 = stablehlo.maximum %arg5, %arg6 : tensor<bf16>
      stablehlo.return %15 : tensor<bf16>
    }) : (tensor<2x8x8x8xbf16>, tensor<bf16>) -> tensor<2x4x4x8xbf16>
    %7 = stablehlo.convolution(%6, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x4x4x8xbf16>, tensor<3x3x8x8xbf16>) -> tensor<2x2x2x8xbf16>
    %8 = call @relu6(%7) : (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xbf16>
    %9 = stablehlo.convert %8 : (tensor<2x2x2x8xbf16>) -> tensor<2x2x2x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x2x2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %12 = stablehlo.divide %10, %11 : tensor<2x8xf32>
    %13 = stablehlo.convert %12 : (tensor<2x8xf32>) -> tensor<2x8xbf16>
    %14 = stablehlo.dot_general %13, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xbf16>, tensor<8x10xbf16>) -> tensor<2x10xbf16>
    return %14 : tensor<2x10xbf16>
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
}
