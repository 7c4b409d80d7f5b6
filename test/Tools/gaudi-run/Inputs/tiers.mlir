// Kernels in vectors, with rows and columns that fill none: norms and softmax of f32, chains that
// round to bf16 and f16 after every op, integers, and a kernel on the tiles of a product.
func.func @main(%x: tensor<37x1001xf32>, %b: tensor<5x333xbf16>, %c: tensor<1x333xbf16>, %h: tensor<5x77xf16>, %k: tensor<9x130xi32>, %w: tensor<37x70xf32>)
    -> (tensor<37x1001xf32>, tensor<5x333xbf16>, tensor<5x77xf16>, tensor<9x130xi32>, tensor<70x1001xf32>, tensor<37x1xf32>) {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1xf32>
  %q = gaudi.tpc.mul %x, %x : tensor<37x1001xf32>, tensor<37x1001xf32> -> tensor<37x1001xf32>
  %v = gaudi.tpc.reduce <mean> %q dims [1] keep_dims : tensor<37x1001xf32> -> tensor<37x1xf32>
  %a = gaudi.tpc.add %v, %eps : tensor<37x1xf32>, tensor<1x1xf32> -> tensor<37x1xf32>
  %r = gaudi.tpc.rsqrt %a : tensor<37x1xf32>
  %n = gaudi.tpc.mul %x, %r : tensor<37x1001xf32>, tensor<37x1xf32> -> tensor<37x1001xf32>
  %m = gaudi.tpc.reduce <max> %n dims [1] keep_dims : tensor<37x1001xf32> -> tensor<37x1xf32>
  %d = gaudi.tpc.sub %n, %m : tensor<37x1001xf32>, tensor<37x1xf32> -> tensor<37x1001xf32>
  %e = gaudi.tpc.exp %d : tensor<37x1001xf32>
  %s = gaudi.tpc.reduce <sum> %e dims [1] keep_dims : tensor<37x1001xf32> -> tensor<37x1xf32>
  %z = gaudi.tpc.div %e, %s : tensor<37x1001xf32>, tensor<37x1xf32> -> tensor<37x1001xf32>
  %p0 = gaudi.tpc.mul %b, %c : tensor<5x333xbf16>, tensor<1x333xbf16> -> tensor<5x333xbf16>
  %p1 = gaudi.tpc.add %p0, %b : tensor<5x333xbf16>, tensor<5x333xbf16> -> tensor<5x333xbf16>
  %p2 = gaudi.tpc.tanh %p1 : tensor<5x333xbf16>
  %p3 = gaudi.tpc.sub %p2, %p0 : tensor<5x333xbf16>, tensor<5x333xbf16> -> tensor<5x333xbf16>
  %p4 = gaudi.tpc.max %p3, %c : tensor<5x333xbf16>, tensor<1x333xbf16> -> tensor<5x333xbf16>
  %h0 = gaudi.tpc.mul %h, %h : tensor<5x77xf16>, tensor<5x77xf16> -> tensor<5x77xf16>
  %h1 = gaudi.tpc.log %h0 : tensor<5x77xf16>
  %h2 = gaudi.tpc.add %h1, %h : tensor<5x77xf16>, tensor<5x77xf16> -> tensor<5x77xf16>
  %k0 = gaudi.tpc.mul %k, %k : tensor<9x130xi32>, tensor<9x130xi32> -> tensor<9x130xi32>
  %k1 = gaudi.tpc.sub %k0, %k : tensor<9x130xi32>, tensor<9x130xi32> -> tensor<9x130xi32>
  %g = gaudi.mme.gemm %w, %x transpose_a : tensor<37x70xf32>, tensor<37x1001xf32> -> tensor<70x1001xf32>
  %g1 = gaudi.tpc.abs %g : tensor<70x1001xf32>
  return %z, %p4, %h2, %k1, %g1, %r : tensor<37x1001xf32>, tensor<5x333xbf16>, tensor<5x77xf16>, tensor<9x130xi32>, tensor<70x1001xf32>, tensor<37x1xf32>
}
