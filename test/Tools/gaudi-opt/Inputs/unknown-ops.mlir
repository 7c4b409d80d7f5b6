func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.mme.matmul %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.gemm %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.unheard %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.sigmiod %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
