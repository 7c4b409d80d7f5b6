// the division by the sum after the second product
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, tosa
// attentions: 1
module {
  func.func @main(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x7x4xf32>, %arg2: tensor<2x3x7x6xf32>) -> tensor<2x3x5x6xf32> {
    %0 = tosa.const_shape  {values = dense<[6, 5, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %1 = tosa.const_shape  {values = dense<[6, 4, 7]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %2 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = tosa.const_shape  {values = dense<[2, 3, 5, 7]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = tosa.const_shape  {values = dense<[6, 5, 7]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %6 = tosa.const_shape  {values = dense<[6, 7, 6]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %7 = tosa.const_shape  {values = dense<[2, 3, 5, 6]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %8 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %9 = tosa.transpose %arg1 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x3x7x4xf32>) -> tensor<2x3x4x7xf32>
    %10 = tosa.reshape %arg0, %0 : (tensor<2x3x5x4xf32>, !tosa.shape<3>) -> tensor<6x5x4xf32>
    %11 = tosa.reshape %9, %1 : (tensor<2x3x4x7xf32>, !tosa.shape<3>) -> tensor<6x4x7xf32>
    %12 = tosa.matmul %10, %11, %2, %2 : (tensor<6x5x4xf32>, tensor<6x4x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x7xf32>
    %13 = tosa.reshape %12, %3 : (tensor<6x5x7xf32>, !tosa.shape<4>) -> tensor<2x3x5x7xf32>
    %14 = tosa.mul %13, %8, %4 : (tensor<2x3x5x7xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x5x7xf32>
    %15 = tosa.reduce_max %14 {axis = 3 : i32} : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x1xf32>
    %16 = tosa.sub %14, %15 : (tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %17 = tosa.exp %16 : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %18 = tosa.reshape %17, %5 : (tensor<2x3x5x7xf32>, !tosa.shape<3>) -> tensor<6x5x7xf32>
    %19 = tosa.reshape %arg2, %6 : (tensor<2x3x7x6xf32>, !tosa.shape<3>) -> tensor<6x7x6xf32>
    %20 = tosa.matmul %18, %19, %2, %2 : (tensor<6x5x7xf32>, tensor<6x7x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x6xf32>
    %21 = tosa.reshape %20, %7 : (tensor<6x5x6xf32>, !tosa.shape<4>) -> tensor<2x3x5x6xf32>
    %22 = tosa.reduce_sum %17 {axis = 3 : i32} : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x1xf32>
    %23 = tosa.reciprocal %22 : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %24 = tosa.mul %21, %23, %4 : (tensor<2x3x5x6xf32>, tensor<2x3x5x1xf32>, tensor<1xi8>) -> tensor<2x3x5x6xf32>
    return %24 : tensor<2x3x5x6xf32>
  }
}
