// A transpose that no product can take over: its result is an output.
func.func @main(%x: tensor<2048x4096xf32>) -> tensor<4096x2048xf32> {
  %e = tensor.empty() : tensor<4096x2048xf32>
  %0 = linalg.transpose ins(%x : tensor<2048x4096xf32>)
      outs(%e : tensor<4096x2048xf32>) permutation = [1, 0]
  return %0 : tensor<4096x2048xf32>
}
