// Two entries that share weights, a kernel, a helper and a state.
func.func private @layer(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = gaudi.constant dense<0.125> : tensor<8x8xf32>
  %b = gaudi.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %r = gaudi.reshape %b : tensor<8xf32> -> tensor<1x8xf32>
  %0 = gaudi.mme.gemm %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %1 = gaudi.tpc.add %0, %r : tensor<4x8xf32>, tensor<1x8xf32> -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @train(%m: tensor<4x8xf32> {gaudi.name = "memory", gaudi.state = 0 : i64},
                 %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = call @layer(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = gaudi.tpc.add %m, %0 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @forward(%x: tensor<4x8xf32>, %m: tensor<4x8xf32> {gaudi.name = "memory", gaudi.state}) -> tensor<4x8xf32> {
  %0 = call @layer(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = gaudi.tpc.mul %m, %0 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
