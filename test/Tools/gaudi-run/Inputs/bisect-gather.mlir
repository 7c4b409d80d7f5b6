func.func @main(%x: tensor<16x32xf32>, %w: tensor<32x32xf32>, %v: tensor<32x8xf32>) -> (tensor<16x8xf32>, tensor<16x32xi32>) {
  %ids = gaudi.constant dense<100> : tensor<16xi64>
  %0 = gaudi.tpc.gather %x, %ids axis 0 batch_dims 0 : tensor<16x32xf32>, tensor<16xi64> -> tensor<16x32xf32>
  %1 = gaudi.mme.gemm %0, %v : tensor<16x32xf32>, tensor<32x8xf32> -> tensor<16x8xf32>
  %2 = gaudi.tpc.cast %0 : tensor<16x32xf32> -> tensor<16x32xi32>
  return %1, %2 : tensor<16x8xf32>, tensor<16x32xi32>
}
