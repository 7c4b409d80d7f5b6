module @jit_cell attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x16xf16>, %arg1: tensor<4x16xf16>, %arg2: tensor<4x16xf16>, %arg3: tensor<16x64xf16>, %arg4: tensor<16x64xf16>, %arg5: tensor<64xf16>) -> (tensor<4x16xf16> {jax.result_info = "result[0]"}, tensor<4x16xf16> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf16>, tensor<16x64xf16>) -> tensor<4x64xf16>
    %1 = stablehlo.dot_general %arg1, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf16>, tensor<16x64xf16>) -> tensor<4x64xf16>
    %2 = stablehlo.add %0, %1 : tensor<4x64xf16>
    %3 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<64xf16>) -> tensor<1x64xf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x64xf16>) -> tensor<4x64xf16>
    %5 = stablehlo.add %2, %4 : tensor<4x64xf16>
    %6 = stablehlo.slice %5 [0:4, 0:16] : (tensor<4x64xf16>) -> tensor<4x16xf16>
    %7 = stablehlo.slice %5 [0:4, 16:32] : (tensor<4x64xf16>) -> tensor<4x16xf16>
    %8 = stablehlo.slice %5 [0:4, 32:48] : (tensor<4x64xf16>) -> tensor<4x16xf16>
    %9 = stablehlo.slice %5 [0:4, 48:64] : (tensor<4x64xf16>) -> tensor<4x16xf16>
    %10 = stablehlo.negate %7 : tensor<4x16xf16>
    %11 = stablehlo.exponential %10 : tensor<4x16xf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<4x16xf16>
    %13 = stablehlo.add %12, %11 : tensor<4x16xf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<4x16xf16>
    %15 = stablehlo.divide %14, %13 : tensor<4x16xf16>
    %16 = stablehlo.multiply %15, %arg2 : tensor<4x16xf16>
    %17 = stablehlo.negate %6 : tensor<4x16xf16>
    %18 = stablehlo.exponential %17 : tensor<4x16xf16>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<4x16xf16>
    %20 = stablehlo.add %19, %18 : tensor<4x16xf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f16>) -> tensor<4x16xf16>
    %22 = stablehlo.divide %21, %20 : tensor<4x16xf16>
    %23 = stablehlo.tanh %8 : tensor<4x16xf16>
    %24 = stablehlo.multiply %22, %23 : tensor<4x16xf16>
    %25 = stablehlo.add %16, %24 : tensor<4x16xf16>
    %26 = stablehlo.negate %9 : tensor<4x16xf16>
    %27 = stablehlo.exponential %26 : tensor<4x16xf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %28 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f16>) -> tensor<4x16xf16>
    %29 = stablehlo.add %28, %27 : tensor<4x16xf16>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f16>) -> tensor<4x16xf16>
    %31 = stablehlo.divide %30, %29 : tensor<4x16xf16>
    %32 = stablehlo.tanh %25 : tensor<4x16xf16>
    %33 = stablehlo.multiply %31, %32 : tensor<4x16xf16>
    return %33, %25 : tensor<4x16xf16>, tensor<4x16xf16>
  }
}
