// Outputs of 16 and of 64 KiB.
func.func @main(%x: tensor<64x64xf32>, %y: tensor<128x128xf32>)
    -> (tensor<64x64xf32>, tensor<128x128xf32>) {
  %0 = gaudi.tpc.exp %x : tensor<64x64xf32>
  %1 = gaudi.tpc.tanh %y : tensor<128x128xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<128x128xf32>
}
