func.func @main(%table: tensor<4x8xf32>, %ids: tensor<3xi32>, %w: tensor<8x8xf32>) -> tensor<3x8xf32> {
  %0 = gaudi.tpc.gather %table, %ids axis 0 batch_dims 0 : tensor<4x8xf32>, tensor<3xi32> -> tensor<3x8xf32>
  %1 = gaudi.mme.gemm %0, %w : tensor<3x8xf32>, tensor<8x8xf32> -> tensor<3x8xf32>
  return %1 : tensor<3x8xf32>
}
