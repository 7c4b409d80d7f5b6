// Two layers whose kernels have one name and location, and other constants.
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %c = gaudi.constant dense<2.0> : tensor<1x1xf32>
  %0 = gaudi.tpc.tanh %x : tensor<4x8xf32> loc("Net.act")
  %1 = gaudi.tpc.mul %0, %c : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32> loc("Net.act")
  %2 = gaudi.mme.gemm %1, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32> loc("Net.fc")
  %d = gaudi.constant dense<3.0> : tensor<1x1xf32>
  %3 = gaudi.tpc.tanh %2 : tensor<4x8xf32> loc("Net.act")
  %4 = gaudi.tpc.mul %3, %d : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32> loc("Net.act")
  return %4 : tensor<4x8xf32>
}
