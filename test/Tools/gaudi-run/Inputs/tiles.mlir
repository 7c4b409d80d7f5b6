// A product that is made in whole rows, and a kernel on each of its elements.
func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x256xf32>) -> tensor<64x256xf32> {
  %0 = gaudi.mme.gemm %x, %w : tensor<64x16xf32>, tensor<16x256xf32> -> tensor<64x256xf32>
  %1 = gaudi.tpc.abs %0 : tensor<64x256xf32>
  return %1 : tensor<64x256xf32>
}
