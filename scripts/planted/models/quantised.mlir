module @jit_quantised attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<f32>) -> (tensor<8x16xi8> {jax.result_info = "result[0]"}, tensor<8x16xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %1 = stablehlo.divide %arg0, %0 : tensor<8x16xf32>
    %2 = call @round(%1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %c = stablehlo.constant dense<-128> : tensor<i32>
    %c_0 = stablehlo.constant dense<127> : tensor<i32>
    %3 = call @clip(%2, %c, %c_0) : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %4 = stablehlo.convert %3 : (tensor<8x16xf32>) -> tensor<8x16xi8>
    %5 = stablehlo.convert %4 : (tensor<8x16xi8>) -> tensor<8x16xi32>
    %cst_1 = stablehlo.constant dense<5.000000e+01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %7 = stablehlo.multiply %arg1, %6 : tensor<16x16xf32>
    %8 = call @round_0(%7) : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %c_2 = stablehlo.constant dense<-127> : tensor<i32>
    %c_3 = stablehlo.constant dense<127> : tensor<i32>
    %9 = call @clip_1(%8, %c_2, %c_3) : (tensor<16x16xf32>, tensor<i32>, tensor<i32>) -> tensor<16x16xf32>
    %10 = stablehlo.convert %9 : (tensor<16x16xf32>) -> tensor<16x16xi32>
    %11 = stablehlo.dot_general %5, %10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xi32>, tensor<16x16xi32>) -> tensor<8x16xi32>
    %12 = stablehlo.convert %11 : (tensor<8x16xi32>) -> tensor<8x16xf32>
    %13 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<8x16xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<8x16xf32>
    %17 = call @round(%16) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %c_5 = stablehlo.constant dense<-128> : tensor<i32>
    %c_6 = stablehlo.constant dense<127> : tensor<i32>
    %18 = call @clip(%17, %c_5, %c_6) : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %19 = stablehlo.convert %18 : (tensor<8x16xf32>) -> tensor<8x16xi8>
    %20 = stablehlo.negate %14 : tensor<8x16xf32>
    %21 = stablehlo.exponential %20 : tensor<8x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %23 = stablehlo.add %22, %21 : tensor<8x16xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %25 = stablehlo.divide %24, %23 : tensor<8x16xf32>
    return %19, %25 : tensor<8x16xi8>, tensor<8x16xf32>
  }
  func.func private @round(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
  func.func private @clip(%arg0: tensor<8x16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<8x16xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<8x16xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<8x16xf32>
    return %5 : tensor<8x16xf32>
  }
  func.func private @round_0(%arg0: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
  func.func private @clip_1(%arg0: tensor<16x16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<16x16xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<16x16xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<16x16xf32>
    return %5 : tensor<16x16xf32>
  }
}
