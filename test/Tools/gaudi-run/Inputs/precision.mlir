func.func @main(%x: tensor<16x32xf32>, %w1: tensor<32x32xf32>, %w2: tensor<32x32xf32>, %w3: tensor<32x8xf32>) -> tensor<16x8xf32> {
  %large = gaudi.constant dense<1.0e3> : tensor<1x1xf32>
  %0 = gaudi.mme.gemm %x, %w1 : tensor<16x32xf32>, tensor<32x32xf32> -> tensor<16x32xf32> loc("Net.first")
  %1 = gaudi.tpc.tanh %0 : tensor<16x32xf32> loc("Net.first")
  %2 = gaudi.mme.gemm %1, %w2 : tensor<16x32xf32>, tensor<32x32xf32> -> tensor<16x32xf32> loc("Net.second")
  %3 = gaudi.tpc.add %2, %large : tensor<16x32xf32>, tensor<1x1xf32> -> tensor<16x32xf32> loc("Net.second")
  %4 = gaudi.tpc.sub %3, %large : tensor<16x32xf32>, tensor<1x1xf32> -> tensor<16x32xf32> loc("Net.second")
  %5 = gaudi.mme.gemm %4, %w3 : tensor<16x32xf32>, tensor<32x8xf32> -> tensor<16x8xf32> loc("Net.third")
  return %5 : tensor<16x8xf32>
}
