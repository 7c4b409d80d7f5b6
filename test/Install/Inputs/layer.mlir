// A layer: relu(x * w + b). The product is a matrix command, the rest a kernel.
func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  %product = linalg.matmul ins(%x, %w : tensor<2x3xf32>, tensor<3x4xf32>)
                           outs(%zeros : tensor<2x4xf32>) -> tensor<2x4xf32>
  %sum = linalg.add ins(%product, %b : tensor<2x4xf32>, tensor<2x4xf32>)
                    outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  %relu = linalg.max ins(%sum, %zeros : tensor<2x4xf32>, tensor<2x4xf32>)
                     outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %relu : tensor<2x4xf32>
}
