// A norm that is one kernel, and a softmax whose exponentials are a result, too.
func.func @main(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>) {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1xf32>
  %q = gaudi.tpc.mul %x, %x : tensor<64x256xf32>, tensor<64x256xf32> -> tensor<64x256xf32>
  %v = gaudi.tpc.reduce <mean> %q dims [1] keep_dims : tensor<64x256xf32> -> tensor<64x1xf32>
  %a = gaudi.tpc.add %v, %eps : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %r = gaudi.tpc.rsqrt %a : tensor<64x1xf32>
  %n = gaudi.tpc.mul %x, %r : tensor<64x256xf32>, tensor<64x1xf32> -> tensor<64x256xf32>
  %w = gaudi.mme.gemm %n, %x transpose_b : tensor<64x256xf32>, tensor<64x256xf32> -> tensor<64x64xf32>
  %y = gaudi.mme.gemm %w, %x : tensor<64x64xf32>, tensor<64x256xf32> -> tensor<64x256xf32>
  %m = gaudi.tpc.reduce <max> %y dims [1] keep_dims : tensor<64x256xf32> -> tensor<64x1xf32>
  %d = gaudi.tpc.sub %y, %m : tensor<64x256xf32>, tensor<64x1xf32> -> tensor<64x256xf32>
  %e = gaudi.tpc.exp %d : tensor<64x256xf32>
  %s = gaudi.tpc.reduce <sum> %e dims [1] keep_dims : tensor<64x256xf32> -> tensor<64x1xf32>
  %z = gaudi.tpc.div %e, %s : tensor<64x256xf32>, tensor<64x1xf32> -> tensor<64x256xf32>
  return %n, %z, %e : tensor<64x256xf32>, tensor<64x256xf32>, tensor<64x256xf32>
}
