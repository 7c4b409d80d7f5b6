func.func @main(%x: tensor<16x32xf32>, %w: tensor<32x32xf32>, %v: tensor<32x8xf32>) -> (tensor<16x8xf32>, tensor<16x32xi32>) {
  %half = gaudi.constant dense<5.0e-01> : tensor<1x1xf32>
  %0 = gaudi.mme.gemm %x, %w : tensor<16x32xf32>, tensor<32x32xf32> -> tensor<16x32xf32> loc("Net.up")
  %1 = gaudi.tpc.tanh %0 : tensor<16x32xf32> loc("Net.activation")
  %2 = gaudi.tpc.mul %1, %half : tensor<16x32xf32>, tensor<1x1xf32> -> tensor<16x32xf32> loc("Net.scale")
  %3 = gaudi.mme.gemm %2, %v : tensor<16x32xf32>, tensor<32x8xf32> -> tensor<16x8xf32> loc("Net.down")
  %4 = gaudi.tpc.floor %0 : tensor<16x32xf32> loc("Net.codes")
  %5 = gaudi.tpc.cast %4 : tensor<16x32xf32> -> tensor<16x32xi32> loc("Net.codes")
  return %3, %5 : tensor<16x8xf32>, tensor<16x32xi32>
}
