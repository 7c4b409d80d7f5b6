func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<4x16xf32>)
    -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %0 = gaudi.mme.gemm %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = gaudi.tpc.exp %0 : tensor<4x16xf32>
  %2 = gaudi.tpc.add %1, %b : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
  %3 = gaudi.tpc.tanh %2 : tensor<4x16xf32>
  %4 = gaudi.tpc.exp %3 : tensor<4x16xf32>
  return %4, %1 : tensor<4x16xf32>, tensor<4x16xf32>
}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
