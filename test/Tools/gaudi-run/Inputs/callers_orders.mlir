// What stored_orders.mlir is to its callers.
func.func @main(%x: tensor<2x3x4x5xf32> {gaudi.name = "x"},
                %w: tensor<3x7xf32> {gaudi.name = "w", gaudi.state = 1 : i64})
    -> (tensor<2x7x4x5xf32> {gaudi.name = "y"}, tensor<3x7xf32> {gaudi.name = "new_w"}) {
  %nhwc = gaudi.transpose %x permutation [0, 2, 3, 1] : tensor<2x3x4x5xf32> -> tensor<2x4x5x3xf32>
  %rows = gaudi.reshape %nhwc : tensor<2x4x5x3xf32> -> tensor<40x3xf32>
  %p = gaudi.mme.gemm %rows, %w : tensor<40x3xf32>, tensor<3x7xf32> -> tensor<40x7xf32>
  %q = gaudi.reshape %p : tensor<40x7xf32> -> tensor<2x4x5x7xf32>
  %y = gaudi.transpose %q permutation [0, 3, 1, 2] : tensor<2x4x5x7xf32> -> tensor<2x7x4x5xf32>
  %half = gaudi.constant dense<0.5> : tensor<3x7xf32>
  %v = gaudi.tpc.mul %w, %half : tensor<3x7xf32>, tensor<3x7xf32> -> tensor<3x7xf32>
  return %y, %v : tensor<2x7x4x5xf32>, tensor<3x7xf32>
}
