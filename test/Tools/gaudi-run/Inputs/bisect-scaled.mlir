// Attention whose scale comes before the product; the fused op scales after it.
func.func @main(%q: tensor<2x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x4x8xf32> {
  %scale = gaudi.constant dense<1.0e-20> : tensor<1x1x1xf32>
  %q1 = gaudi.tpc.mul %q, %scale : tensor<2x4x8xf32>, tensor<1x1x1xf32> -> tensor<2x4x8xf32> loc("Net.scale")
  %k1 = gaudi.transpose %k permutation [0, 2, 1] : tensor<2x6x8xf32> -> tensor<2x8x6xf32>
  %s = gaudi.mme.gemm %q1, %k1 : tensor<2x4x8xf32>, tensor<2x8x6xf32> -> tensor<2x4x6xf32> loc("Net.scores")
  %max = gaudi.tpc.reduce <max> %s dims [2] keep_dims : tensor<2x4x6xf32> -> tensor<2x4x1xf32>
  %d = gaudi.tpc.sub %s, %max : tensor<2x4x6xf32>, tensor<2x4x1xf32> -> tensor<2x4x6xf32>
  %e = gaudi.tpc.exp %d : tensor<2x4x6xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<2x4x6xf32> -> tensor<2x4x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<2x4x6xf32>, tensor<2x4x1xf32> -> tensor<2x4x6xf32> loc("Net.weights")
  %o = gaudi.mme.gemm %p, %v : tensor<2x4x6xf32>, tensor<2x6x8xf32> -> tensor<2x4x8xf32> loc("Net.values")
  %g = gaudi.tpc.tanh %o : tensor<2x4x8xf32>
  %h = gaudi.tpc.add %g, %q1 : tensor<2x4x8xf32>, tensor<2x4x8xf32> -> tensor<2x4x8xf32>
  return %h : tensor<2x4x8xf32>
}
