// not fused: the heads are mixed between softmax and product
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, tosa
// attentions: 0
module {
  func.func @main(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x7x4xf32>, %arg2: tensor<2x3x7x6xf32>, %arg3: tensor<3x3xf32>) -> tensor<2x3x5x6xf32> {
    %0 = tosa.const_shape  {values = dense<[6, 5, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %1 = tosa.const_shape  {values = dense<[6, 4, 7]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %2 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = tosa.const_shape  {values = dense<[2, 3, 5, 7]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = tosa.const_shape  {values = dense<[2, 3, 5, 7, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %6 = tosa.const_shape  {values = dense<[1, 3, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %7 = tosa.const_shape  {values = dense<[1, 3, 70]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %8 = tosa.const_shape  {values = dense<[3, 1, 2, 5, 7]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %9 = tosa.const_shape  {values = dense<[6, 5, 7]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %10 = tosa.const_shape  {values = dense<[6, 7, 6]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %11 = tosa.const_shape  {values = dense<[2, 3, 5, 6]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %12 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %13 = tosa.transpose %arg1 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x3x7x4xf32>) -> tensor<2x3x4x7xf32>
    %14 = tosa.reshape %arg0, %0 : (tensor<2x3x5x4xf32>, !tosa.shape<3>) -> tensor<6x5x4xf32>
    %15 = tosa.reshape %13, %1 : (tensor<2x3x4x7xf32>, !tosa.shape<3>) -> tensor<6x4x7xf32>
    %16 = tosa.matmul %14, %15, %2, %2 : (tensor<6x5x4xf32>, tensor<6x4x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x7xf32>
    %17 = tosa.reshape %16, %3 : (tensor<6x5x7xf32>, !tosa.shape<4>) -> tensor<2x3x5x7xf32>
    %18 = tosa.mul %17, %12, %4 : (tensor<2x3x5x7xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x5x7xf32>
    %19 = tosa.reduce_max %18 {axis = 3 : i32} : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x1xf32>
    %20 = tosa.sub %18, %19 : (tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %21 = tosa.exp %20 : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %22 = tosa.reduce_sum %21 {axis = 3 : i32} : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x1xf32>
    %23 = tosa.reciprocal %22 : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %24 = tosa.mul %21, %23, %4 : (tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>, tensor<1xi8>) -> tensor<2x3x5x7xf32>
    %25 = tosa.reshape %24, %5 : (tensor<2x3x5x7xf32>, !tosa.shape<5>) -> tensor<2x3x5x7x1xf32>
    %26 = tosa.reshape %arg3, %6 : (tensor<3x3xf32>, !tosa.shape<3>) -> tensor<1x3x3xf32>
    %27 = tosa.transpose %25 {perms = array<i32: 1, 0, 2, 3, 4>} : (tensor<2x3x5x7x1xf32>) -> tensor<3x2x5x7x1xf32>
    %28 = tosa.reshape %27, %7 : (tensor<3x2x5x7x1xf32>, !tosa.shape<3>) -> tensor<1x3x70xf32>
    %29 = tosa.matmul %26, %28, %2, %2 : (tensor<1x3x3xf32>, tensor<1x3x70xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x70xf32>
    %30 = tosa.reshape %29, %8 : (tensor<1x3x70xf32>, !tosa.shape<5>) -> tensor<3x1x2x5x7xf32>
    %31 = tosa.transpose %30 {perms = array<i32: 2, 0, 3, 4, 1>} : (tensor<3x1x2x5x7xf32>) -> tensor<2x3x5x7x1xf32>
    %32 = tosa.reshape %31, %9 : (tensor<2x3x5x7x1xf32>, !tosa.shape<3>) -> tensor<6x5x7xf32>
    %33 = tosa.reshape %arg2, %10 : (tensor<2x3x7x6xf32>, !tosa.shape<3>) -> tensor<6x7x6xf32>
    %34 = tosa.matmul %32, %33, %2, %2 : (tensor<6x5x7xf32>, tensor<6x7x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x6xf32>
    %35 = tosa.reshape %34, %11 : (tensor<6x5x6xf32>, !tosa.shape<4>) -> tensor<2x3x5x6xf32>
    return %35 : tensor<2x3x5x6xf32>
  }
}
