// einsum over (N, L, H, D), all sizes equal
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, tosa
// attentions: 1
module {
  func.func @main(%arg0: tensor<4x4x4x4xf32>, %arg1: tensor<4x4x4x4xf32>, %arg2: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %0 = tosa.const_shape  {values = dense<[4, 4, 4, 4, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %1 = tosa.const_shape  {values = dense<[16, 4, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %2 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = tosa.const_shape  {values = dense<[4, 4, 4, 1, 4]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %4 = tosa.const_shape  {values = dense<4> : tensor<4xindex>} : () -> !tosa.shape<4>
    %5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %7 = tosa.reshape %arg0, %0 : (tensor<4x4x4x4xf32>, !tosa.shape<5>) -> tensor<4x4x4x4x1xf32>
    %8 = tosa.reshape %arg1, %0 : (tensor<4x4x4x4xf32>, !tosa.shape<5>) -> tensor<4x4x4x4x1xf32>
    %9 = tosa.transpose %7 {perms = array<i32: 0, 2, 1, 3, 4>} : (tensor<4x4x4x4x1xf32>) -> tensor<4x4x4x4x1xf32>
    %10 = tosa.reshape %9, %1 : (tensor<4x4x4x4x1xf32>, !tosa.shape<3>) -> tensor<16x4x4xf32>
    %11 = tosa.transpose %8 {perms = array<i32: 0, 2, 3, 1, 4>} : (tensor<4x4x4x4x1xf32>) -> tensor<4x4x4x4x1xf32>
    %12 = tosa.reshape %11, %1 : (tensor<4x4x4x4x1xf32>, !tosa.shape<3>) -> tensor<16x4x4xf32>
    %13 = tosa.matmul %10, %12, %2, %2 : (tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<16x4x4xf32>
    %14 = tosa.reshape %13, %4 : (tensor<16x4x4xf32>, !tosa.shape<4>) -> tensor<4x4x4x4xf32>
    %15 = tosa.mul %14, %6, %5 : (tensor<4x4x4x4xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<4x4x4x4xf32>
    %16 = tosa.reduce_max %15 {axis = 3 : i32} : (tensor<4x4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %17 = tosa.sub %15, %16 : (tensor<4x4x4x4xf32>, tensor<4x4x4x1xf32>) -> tensor<4x4x4x4xf32>
    %18 = tosa.exp %17 : (tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %19 = tosa.reduce_sum %18 {axis = 3 : i32} : (tensor<4x4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %20 = tosa.reciprocal %19 : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x1xf32>
    %21 = tosa.mul %18, %20, %5 : (tensor<4x4x4x4xf32>, tensor<4x4x4x1xf32>, tensor<1xi8>) -> tensor<4x4x4x4xf32>
    %22 = tosa.reshape %arg2, %0 : (tensor<4x4x4x4xf32>, !tosa.shape<5>) -> tensor<4x4x4x4x1xf32>
    %23 = tosa.reshape %21, %1 : (tensor<4x4x4x4xf32>, !tosa.shape<3>) -> tensor<16x4x4xf32>
    %24 = tosa.transpose %22 {perms = array<i32: 0, 2, 1, 3, 4>} : (tensor<4x4x4x4x1xf32>) -> tensor<4x4x4x4x1xf32>
    %25 = tosa.reshape %24, %1 : (tensor<4x4x4x4x1xf32>, !tosa.shape<3>) -> tensor<16x4x4xf32>
    %26 = tosa.matmul %23, %25, %2, %2 : (tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<16x4x4xf32>
    %27 = tosa.reshape %26, %3 : (tensor<16x4x4xf32>, !tosa.shape<5>) -> tensor<4x4x4x1x4xf32>
    %28 = tosa.transpose %27 {perms = array<i32: 0, 2, 1, 4, 3>} : (tensor<4x4x4x1x4xf32>) -> tensor<4x4x4x4x1xf32>
    %29 = tosa.reshape %28, %4 : (tensor<4x4x4x4x1xf32>, !tosa.shape<4>) -> tensor<4x4x4x4xf32>
    return %29 : tensor<4x4x4x4xf32>
  }
}
