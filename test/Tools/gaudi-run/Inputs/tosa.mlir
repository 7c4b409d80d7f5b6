// y = tanh(x), which the import brings to the device.
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.tanh %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
