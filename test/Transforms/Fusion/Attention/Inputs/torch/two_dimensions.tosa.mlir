// no batch, one head
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, tosa
// attentions: 1
module {
  func.func @main(%arg0: tensor<5x4xf32>, %arg1: tensor<7x4xf32>, %arg2: tensor<7x3xf32>) -> tensor<5x3xf32> {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = tosa.const_shape  {values = dense<[1, 5, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %2 = tosa.const_shape  {values = dense<[1, 4, 7]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %3 = tosa.const_shape  {values = dense<[5, 7]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = tosa.const_shape  {values = dense<[1, 5, 7]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %6 = tosa.const_shape  {values = dense<[1, 7, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %7 = tosa.const_shape  {values = dense<[5, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %8 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %9 = tosa.transpose %arg1 {perms = array<i32: 1, 0>} : (tensor<7x4xf32>) -> tensor<4x7xf32>
    %10 = tosa.reshape %arg0, %1 : (tensor<5x4xf32>, !tosa.shape<3>) -> tensor<1x5x4xf32>
    %11 = tosa.reshape %9, %2 : (tensor<4x7xf32>, !tosa.shape<3>) -> tensor<1x4x7xf32>
    %12 = tosa.matmul %10, %11, %0, %0 : (tensor<1x5x4xf32>, tensor<1x4x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x7xf32>
    %13 = tosa.reshape %12, %3 : (tensor<1x5x7xf32>, !tosa.shape<2>) -> tensor<5x7xf32>
    %14 = tosa.mul %13, %8, %4 : (tensor<5x7xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<5x7xf32>
    %15 = tosa.reduce_max %14 {axis = 1 : i32} : (tensor<5x7xf32>) -> tensor<5x1xf32>
    %16 = tosa.sub %14, %15 : (tensor<5x7xf32>, tensor<5x1xf32>) -> tensor<5x7xf32>
    %17 = tosa.exp %16 : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %18 = tosa.reduce_sum %17 {axis = 1 : i32} : (tensor<5x7xf32>) -> tensor<5x1xf32>
    %19 = tosa.reciprocal %18 : (tensor<5x1xf32>) -> tensor<5x1xf32>
    %20 = tosa.mul %17, %19, %4 : (tensor<5x7xf32>, tensor<5x1xf32>, tensor<1xi8>) -> tensor<5x7xf32>
    %21 = tosa.reshape %20, %5 : (tensor<5x7xf32>, !tosa.shape<3>) -> tensor<1x5x7xf32>
    %22 = tosa.reshape %arg2, %6 : (tensor<7x3xf32>, !tosa.shape<3>) -> tensor<1x7x3xf32>
    %23 = tosa.matmul %21, %22, %0, %0 : (tensor<1x5x7xf32>, tensor<1x7x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x3xf32>
    %24 = tosa.reshape %23, %7 : (tensor<1x5x3xf32>, !tosa.shape<2>) -> tensor<5x3xf32>
    return %24 : tensor<5x3xf32>
  }
}
