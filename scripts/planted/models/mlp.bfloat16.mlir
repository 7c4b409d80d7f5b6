module @jit_mlp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xbf16>, %arg1: tensor<16x32xbf16>, %arg2: tensor<32xbf16>, %arg3: tensor<32x16xbf16>, %arg4: tensor<16xbf16>, %arg5: tensor<16xbf16>) -> (tensor<8x16xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xbf16>, tensor<16x32xbf16>) -> tensor<8x32xbf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<32xbf16>) -> tensor<1x32xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x32xbf16>) -> tensor<8x32xbf16>
    %3 = stablehlo.add %0, %2 : tensor<8x32xbf16>
    %4 = stablehlo.multiply %3, %3 : tensor<8x32xbf16>
    %5 = stablehlo.multiply %4, %3 : tensor<8x32xbf16>
    %cst = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %7 = stablehlo.multiply %6, %5 : tensor<8x32xbf16>
    %8 = stablehlo.add %3, %7 : tensor<8x32xbf16>
    %cst_0 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %10 = stablehlo.multiply %9, %8 : tensor<8x32xbf16>
    %11 = stablehlo.tanh %10 : tensor<8x32xbf16>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %13 = stablehlo.add %12, %11 : tensor<8x32xbf16>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %15 = stablehlo.multiply %14, %13 : tensor<8x32xbf16>
    %16 = stablehlo.multiply %3, %15 : tensor<8x32xbf16>
    %17 = stablehlo.dot_general %16, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
    %18 = stablehlo.add %17, %arg0 : tensor<8x16xbf16>
    %19 = stablehlo.convert %18 : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_4 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %23 = stablehlo.divide %21, %22 : tensor<8x1xf32>
    %24 = stablehlo.convert %23 : (tensor<8x1xf32>) -> tensor<8x1xbf16>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %26 = stablehlo.subtract %18, %25 : tensor<8x16xbf16>
    %27 = chlo.square %26 : tensor<8x16xbf16> -> tensor<8x16xbf16>
    %28 = stablehlo.convert %27 : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_6 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %32 = stablehlo.divide %30, %31 : tensor<8x1xf32>
    %33 = stablehlo.convert %32 : (tensor<8x1xf32>) -> tensor<8x1xbf16>
    %34 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %35 = stablehlo.subtract %18, %34 : tensor<8x16xbf16>
    %cst_7 = stablehlo.constant dense<1.001360e-05> : tensor<bf16>
    %36 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<8x1xbf16>
    %37 = stablehlo.add %33, %36 : tensor<8x1xbf16>
    %38 = stablehlo.rsqrt %37 : tensor<8x1xbf16>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %40 = stablehlo.multiply %35, %39 : tensor<8x16xbf16>
    %41 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %43 = stablehlo.multiply %40, %42 : tensor<8x16xbf16>
    %44 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %46 = stablehlo.add %43, %45 : tensor<8x16xbf16>
    return %46 : tensor<8x16xbf16>
  }
}
