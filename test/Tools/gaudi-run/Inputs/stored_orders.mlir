// A training step on images. Callers have x as [N, C, H, W], w as [I, O]; the
// device has them as [N, H, W, C] and [O, I].
func.func @main(%x: tensor<2x4x5x3xf32> {gaudi.name = "x", gaudi.permutation = array<i64: 0, 2, 3, 1>},
                %w: tensor<7x3xf32> {gaudi.name = "w", gaudi.state = 1 : i64, gaudi.permutation = array<i64: 1, 0>})
    -> (tensor<2x4x5x7xf32> {gaudi.name = "y", gaudi.permutation = array<i64: 0, 2, 3, 1>},
        tensor<7x3xf32> {gaudi.name = "new_w", gaudi.permutation = array<i64: 1, 0>}) {
  %rows = gaudi.reshape %x : tensor<2x4x5x3xf32> -> tensor<40x3xf32>
  %p = gaudi.mme.gemm %rows, %w transpose_b : tensor<40x3xf32>, tensor<7x3xf32> -> tensor<40x7xf32>
  %y = gaudi.reshape %p : tensor<40x7xf32> -> tensor<2x4x5x7xf32>
  %half = gaudi.constant dense<0.5> : tensor<7x3xf32>
  %v = gaudi.tpc.mul %w, %half : tensor<7x3xf32>, tensor<7x3xf32> -> tensor<7x3xf32>
  return %y, %v : tensor<2x4x5x7xf32>, tensor<7x3xf32>
}
