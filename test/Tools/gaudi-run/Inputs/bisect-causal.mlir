// Causal attention whose hidden scores are -1e30: those below it are hidden by
// the fusion, which takes scores to be of magnitude below 1e22, but not by this.
func.func @main(%q: tensor<2x4x8xf32>, %k: tensor<2x4x8xf32>, %v: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %hidden = gaudi.constant dense<-1.0e30> : tensor<1x1x1xf32>
  %sees = gaudi.constant dense<[[[true, false, false, false], [true, true, false, false], [true, true, true, false], [true, true, true, true]]]> : tensor<1x4x4xi1>
  %k1 = gaudi.transpose %k permutation [0, 2, 1] : tensor<2x4x8xf32> -> tensor<2x8x4xf32>
  %s = gaudi.mme.gemm %q, %k1 : tensor<2x4x8xf32>, tensor<2x8x4xf32> -> tensor<2x4x4xf32> loc("Net.scores")
  %s2 = gaudi.tpc.select %sees, %s, %hidden : tensor<1x4x4xi1>, tensor<2x4x4xf32>, tensor<1x1x1xf32> -> tensor<2x4x4xf32> loc("Net.mask")
  %max = gaudi.tpc.reduce <max> %s2 dims [2] keep_dims : tensor<2x4x4xf32> -> tensor<2x4x1xf32> loc("Net.max")
  %d = gaudi.tpc.sub %s2, %max : tensor<2x4x4xf32>, tensor<2x4x1xf32> -> tensor<2x4x4xf32> loc("Net.shifted")
  %e = gaudi.tpc.exp %d : tensor<2x4x4xf32> loc("Net.exp")
  %l = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<2x4x4xf32> -> tensor<2x4x1xf32> loc("Net.sum")
  %p = gaudi.tpc.div %e, %l : tensor<2x4x4xf32>, tensor<2x4x1xf32> -> tensor<2x4x4xf32> loc("Net.weights")
  %o = gaudi.mme.gemm %p, %v : tensor<2x4x4xf32>, tensor<2x4x8xf32> -> tensor<2x4x8xf32> loc("Net.values")
  %g = gaudi.tpc.tanh %o : tensor<2x4x8xf32> loc("Net.tanh")
  %w = gaudi.tpc.mul %g, %g : tensor<2x4x8xf32>, tensor<2x4x8xf32> -> tensor<2x4x8xf32> loc("Net.square")
  return %w : tensor<2x4x8xf32>
}
