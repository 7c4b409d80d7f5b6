module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x6x16xbf16>, %arg1: tensor<16xbf16>, %arg2: tensor<16xbf16>) -> (tensor<2x6x6x16xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<2x6x6x16xbf16>) -> tensor<2x6x6x4x4xbf16>
    %1 = stablehlo.convert %0 : (tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x6x6x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %cst_0 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x1x1x4x1xf32>
    %6 = stablehlo.convert %5 : (tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xbf16>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xbf16>) -> tensor<2x6x6x4x4xbf16>
    %8 = stablehlo.subtract %0, %7 : tensor<2x6x6x4x4xbf16>
    %9 = chlo.square %8 : tensor<2x6x6x4x4xbf16> -> tensor<2x6x6x4x4xbf16>
    %10 = stablehlo.convert %9 : (tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<2x6x6x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 3] : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %cst_2 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<2x1x1x4x1xf32>
    %15 = stablehlo.convert %14 : (tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xbf16>
    %16 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xbf16>) -> tensor<2x6x6x4x4xbf16>
    %17 = stablehlo.subtract %0, %16 : tensor<2x6x6x4x4xbf16>
    %cst_3 = stablehlo.constant dense<1.001360e-05> : tensor<bf16>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<2x1x1x4x1xbf16>
    %19 = stablehlo.add %15, %18 : tensor<2x1x1x4x1xbf16>
    %20 = stablehlo.rsqrt %19 : tensor<2x1x1x4x1xbf16>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3, 4] : (tensor<2x1x1x4x1xbf16>) -> tensor<2x6x6x4x4xbf16>
    %22 = stablehlo.multiply %17, %21 : tensor<2x6x6x4x4xbf16>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<2x6x6x4x4xbf16>
    %24 = stablehlo.multiply %22, %23 : tensor<2x6x6x4x4xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<2x6x6x4x4xbf16>
    %26 = stablehlo.add %24, %25 : tensor<2x6x6x4x4xbf16>
    %27 = stablehlo.reshape %26 : (tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x16xbf16>
    %28 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<16xbf16>) -> tensor<1x1x1x16xbf16>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xbf16>) -> tensor<2x6x6x16xbf16>
    %30 = stablehlo.multiply %27, %29 : tensor<2x6x6x16xbf16>
    %31 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<16xbf16>) -> tensor<1x1x1x16xbf16>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xbf16>) -> tensor<2x6x6x16xbf16>
    %33 = stablehlo.add %30, %32 : tensor<2x6x6x16xbf16>
    %34 = call @silu(%33) : (tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>
    return %34 : tensor<2x6x6x16xbf16>
  }
  func.func private @silu(%arg0: tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16> {
    %0 = stablehlo.negate %arg0 : tensor<2x6x6x16xbf16>
    %1 = stablehlo.exponential %0 : tensor<2x6x6x16xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x6x6x16xbf16>
    %3 = stablehlo.add %2, %1 : tensor<2x6x6x16xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<2x6x6x16xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<2x6x6x16xbf16>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x6x6x16xbf16>
    return %6 : tensor<2x6x6x16xbf16>
  }
}
