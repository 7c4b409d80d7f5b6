module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x6x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> (tensor<2x6x6x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x6x6x16xf32>) -> tensor<2x6x6x4x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x6x6x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %cst_0 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x1x1x4x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xf32>) -> tensor<2x6x6x4x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<2x6x6x4x4xf32>
    %7 = chlo.square %6 : tensor<2x6x6x4x4xf32> -> tensor<2x6x6x4x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x6x6x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %cst_2 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<2x1x1x4x1xf32>
    %12 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xf32>) -> tensor<2x6x6x4x4xf32>
    %13 = stablehlo.subtract %0, %12 : tensor<2x6x6x4x4xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %15 = stablehlo.add %11, %14 : tensor<2x1x1x4x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<2x1x1x4x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xf32>) -> tensor<2x6x6x4x4xf32>
    %18 = stablehlo.multiply %13, %17 : tensor<2x6x6x4x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x6x6x4x4xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<2x6x6x4x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x6x6x4x4xf32>
    %22 = stablehlo.add %20, %21 : tensor<2x6x6x4x4xf32>
    %23 = stablehlo.reshape %22 : (tensor<2x6x6x4x4xf32>) -> tensor<2x6x6x16xf32>
    %24 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<2x6x6x16xf32>
    %26 = stablehlo.multiply %23, %25 : tensor<2x6x6x16xf32>
    %27 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<2x6x6x16xf32>
    %29 = stablehlo.add %26, %28 : tensor<2x6x6x16xf32>
    %30 = call @silu(%29) : (tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    return %30 : tensor<2x6x6x16xf32>
  }
  func.func private @silu(%arg0: tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x6x6x16xf32>
    %1 = stablehlo.exponential %0 : tensor<2x6x6x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x6x16xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x6x6x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x6x16xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x6x6x16xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x6x6x16xf32>
    return %6 : tensor<2x6x6x16xf32>
  }
}
