// exponentials of log_softmax, causal
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, tosa
// attentions: 1
module {
  func.func @main(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x5x4xf32>, %arg2: tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32> {
    %0 = "tosa.const"() <{values = dense<true> : tensor<5x5xi1>}> : () -> tensor<5x5xi1>
    %1 = tosa.const_shape  {values = dense<[6, 5, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %2 = tosa.const_shape  {values = dense<[6, 4, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %3 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = tosa.const_shape  {values = dense<[2, 3, 5, 5]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4]> : tensor<5xi64>}> : () -> tensor<5xi64>
    %7 = tosa.const_shape  {values = dense<[1, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %8 = tosa.const_shape  {values = dense<[5, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %9 = tosa.const_shape  {values = dense<[1, 1, 5, 5]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %10 = tosa.const_shape  {values = dense<[6, 5, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %11 = tosa.const_shape  {values = dense<[6, 5, 6]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %12 = tosa.const_shape  {values = dense<[2, 3, 5, 6]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %13 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %14 = "tosa.const"() <{values = dense<1> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
    %15 = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %16 = tosa.transpose %arg1 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x3x5x4xf32>) -> tensor<2x3x4x5xf32>
    %17 = tosa.reshape %arg0, %1 : (tensor<2x3x5x4xf32>, !tosa.shape<3>) -> tensor<6x5x4xf32>
    %18 = tosa.reshape %16, %2 : (tensor<2x3x4x5xf32>, !tosa.shape<3>) -> tensor<6x4x5xf32>
    %19 = tosa.matmul %17, %18, %3, %3 : (tensor<6x5x4xf32>, tensor<6x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x5xf32>
    %20 = tosa.reshape %19, %4 : (tensor<6x5x5xf32>, !tosa.shape<4>) -> tensor<2x3x5x5xf32>
    %21 = tosa.mul %20, %13, %5 : (tensor<2x3x5x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x5x5xf32>
    %22 = tosa.reshape %6, %7 : (tensor<5xi64>, !tosa.shape<2>) -> tensor<1x5xi64>
    %23 = tosa.reshape %6, %8 : (tensor<5xi64>, !tosa.shape<2>) -> tensor<5x1xi64>
    %24 = tosa.cast %23 : (tensor<5x1xi64>) -> tensor<5x1xi32>
    %25 = tosa.cast %22 : (tensor<1x5xi64>) -> tensor<1x5xi32>
    %26 = tosa.sub %25, %24 : (tensor<1x5xi32>, tensor<5x1xi32>) -> tensor<5x5xi32>
    %27 = tosa.cast %26 : (tensor<5x5xi32>) -> tensor<5x5xi64>
    %28 = tosa.greater_equal %27, %14 : (tensor<5x5xi64>, tensor<1x1xi64>) -> tensor<5x5xi1>
    %29 = tosa.logical_and %28, %0 : (tensor<5x5xi1>, tensor<5x5xi1>) -> tensor<5x5xi1>
    %30 = tosa.reshape %29, %9 : (tensor<5x5xi1>, !tosa.shape<4>) -> tensor<1x1x5x5xi1>
    %31 = tosa.select %30, %15, %21 : (tensor<1x1x5x5xi1>, tensor<1x1x1x1xf32>, tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %32 = tosa.reduce_max %31 {axis = 3 : i32} : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x1xf32>
    %33 = tosa.sub %31, %32 : (tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x5xf32>
    %34 = tosa.exp %33 : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %35 = tosa.reduce_sum %34 {axis = 3 : i32} : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x1xf32>
    %36 = tosa.log %35 : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %37 = tosa.sub %33, %36 : (tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x5xf32>
    %38 = tosa.exp %37 : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %39 = tosa.reshape %38, %10 : (tensor<2x3x5x5xf32>, !tosa.shape<3>) -> tensor<6x5x5xf32>
    %40 = tosa.reshape %arg2, %11 : (tensor<2x3x5x6xf32>, !tosa.shape<3>) -> tensor<6x5x6xf32>
    %41 = tosa.matmul %39, %40, %3, %3 : (tensor<6x5x5xf32>, tensor<6x5x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x6xf32>
    %42 = tosa.reshape %41, %12 : (tensor<6x5x6xf32>, !tosa.shape<4>) -> tensor<2x3x5x6xf32>
    return %42 : tensor<2x3x5x6xf32>
  }
}
