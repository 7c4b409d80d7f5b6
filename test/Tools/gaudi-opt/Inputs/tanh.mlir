func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
