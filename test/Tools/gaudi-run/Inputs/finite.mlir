// A logarithm, a product with it, and the absolute values of the product.
func.func @main(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) -> (tensor<4x8xf32>, tensor<4x64xf32>) {
  %0 = gaudi.tpc.log %x : tensor<4x64xf32>
  %1 = gaudi.mme.gemm %0, %w : tensor<4x64xf32>, tensor<64x8xf32> -> tensor<4x8xf32>
  %2 = gaudi.tpc.abs %1 : tensor<4x8xf32>
  return %2, %0 : tensor<4x8xf32>, tensor<4x64xf32>
}
