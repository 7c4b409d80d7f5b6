module @jit_cell attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x16xbf16>, %arg1: tensor<4x16xbf16>, %arg2: tensor<4x16xbf16>, %arg3: tensor<16x64xbf16>, %arg4: tensor<16x64xbf16>, %arg5: tensor<64xbf16>) -> (tensor<4x16xbf16> {jax.result_info = "result[0]"}, tensor<4x16xbf16> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xbf16>, tensor<16x64xbf16>) -> tensor<4x64xbf16>
    %1 = stablehlo.dot_general %arg1, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xbf16>, tensor<16x64xbf16>) -> tensor<4x64xbf16>
    %2 = stablehlo.add %0, %1 : tensor<4x64xbf16>
    %3 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<64xbf16>) -> tensor<1x64xbf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x64xbf16>) -> tensor<4x64xbf16>
    %5 = stablehlo.add %2, %4 : tensor<4x64xbf16>
    %6 = stablehlo.slice %5 [0:4, 0:16] : (tensor<4x64xbf16>) -> tensor<4x16xbf16>
    %7 = stablehlo.slice %5 [0:4, 16:32] : (tensor<4x64xbf16>) -> tensor<4x16xbf16>
    %8 = stablehlo.slice %5 [0:4, 32:48] : (tensor<4x64xbf16>) -> tensor<4x16xbf16>
    %9 = stablehlo.slice %5 [0:4, 48:64] : (tensor<4x64xbf16>) -> tensor<4x16xbf16>
    %10 = stablehlo.negate %7 : tensor<4x16xbf16>
    %11 = stablehlo.exponential %10 : tensor<4x16xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<4x16xbf16>
    %13 = stablehlo.add %12, %11 : tensor<4x16xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<4x16xbf16>
    %15 = stablehlo.divide %14, %13 : tensor<4x16xbf16>
    %16 = stablehlo.multiply %15, %arg2 : tensor<4x16xbf16>
    %17 = stablehlo.negate %6 : tensor<4x16xbf16>
    %18 = stablehlo.exponential %17 : tensor<4x16xbf16>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<4x16xbf16>
    %20 = stablehlo.add %19, %18 : tensor<4x16xbf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<4x16xbf16>
    %22 = stablehlo.divide %21, %20 : tensor<4x16xbf16>
    %23 = stablehlo.tanh %8 : tensor<4x16xbf16>
    %24 = stablehlo.multiply %22, %23 : tensor<4x16xbf16>
    %25 = stablehlo.add %16, %24 : tensor<4x16xbf16>
    %26 = stablehlo.negate %9 : tensor<4x16xbf16>
    %27 = stablehlo.exponential %26 : tensor<4x16xbf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %28 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<4x16xbf16>
    %29 = stablehlo.add %28, %27 : tensor<4x16xbf16>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<4x16xbf16>
    %31 = stablehlo.divide %30, %29 : tensor<4x16xbf16>
    %32 = stablehlo.tanh %25 : tensor<4x16xbf16>
    %33 = stablehlo.multiply %31, %32 : tensor<4x16xbf16>
    return %33, %25 : tensor<4x16xbf16>, tensor<4x16xbf16>
  }
}
