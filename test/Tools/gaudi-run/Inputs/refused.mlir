// gaudi has no f8.
func.func @main(%x: tensor<64x64xf8E4M3FN>, %y: tensor<f32>) -> (tensor<64x64xf32>, tensor<f32>) {
  %0 = "tosa.cast"(%x) : (tensor<64x64xf8E4M3FN>) -> tensor<64x64xf32>
  %1 = "tosa.exp"(%y) : (tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<64x64xf32>, tensor<f32>
}

// No element, no command.
func.func @nothing(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %0 = gaudi.tpc.exp %x : tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
