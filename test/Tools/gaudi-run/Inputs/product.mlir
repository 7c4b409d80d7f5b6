// A matrix product and an exponential: every engine class has something to do.
func.func @main(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>) -> tensor<64x256xf32> {
  %0 = gaudi.mme.gemm %x, %w : tensor<64x128xf32>, tensor<128x256xf32> -> tensor<64x256xf32>
  %1 = gaudi.tpc.exp %0 : tensor<64x256xf32>
  %2 = gaudi.tpc.add %1, %0 : tensor<64x256xf32>, tensor<64x256xf32> -> tensor<64x256xf32>
  return %2 : tensor<64x256xf32>
}
