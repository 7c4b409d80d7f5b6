func.func @main(%w: tensor<64x1xf32> {gaudi.name = "w", gaudi.state = 0 : i64}, %x: tensor<256x64xf32> {gaudi.name = "x"}, %y: tensor<256x1xf32> {gaudi.name = "y"}) -> (tensor<64x1xf32>, tensor<f32> {gaudi.name = "loss"}) {
  %rate = gaudi.constant dense<1.0e-2> : tensor<1x1xf32>
  %bound = gaudi.constant dense<1.1e+0> : tensor<1x1xf32>
  %0 = gaudi.mme.gemm %x, %w : tensor<256x64xf32>, tensor<64x1xf32> -> tensor<256x1xf32>
  %1 = gaudi.tpc.sub %0, %y : tensor<256x1xf32>, tensor<256x1xf32> -> tensor<256x1xf32>
  %2 = gaudi.tpc.mul %1, %1 : tensor<256x1xf32>, tensor<256x1xf32> -> tensor<256x1xf32>
  %3 = gaudi.tpc.reduce <mean> %2 dims [0, 1] : tensor<256x1xf32> -> tensor<f32>
  %4 = gaudi.mme.gemm %x, %1 transpose_a : tensor<256x64xf32>, tensor<256x1xf32> -> tensor<64x1xf32>
  %5 = gaudi.tpc.mul %4, %rate : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %6 = gaudi.tpc.add %w, %5 : tensor<64x1xf32>, tensor<64x1xf32> -> tensor<64x1xf32>
  %7 = gaudi.tpc.min %6, %bound : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  return %7, %3 : tensor<64x1xf32>, tensor<f32>
}
