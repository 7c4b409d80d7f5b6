// Products and kernels on tensors without elements.
func.func @main(%a: tensor<0x16xf32>, %b: tensor<16x8xf32>, %c: tensor<4x0xf32>,
                %d: tensor<0x8xf32>) -> (tensor<0x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<0x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<0x8xf32>) -> tensor<0x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<0x16xf32>, tensor<16x8xf32>) outs(%f : tensor<0x8xf32>) -> tensor<0x8xf32>
  %1 = linalg.exp ins(%0 : tensor<0x8xf32>) outs(%e : tensor<0x8xf32>) -> tensor<0x8xf32>
  %g = tensor.empty() : tensor<4x8xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%c, %d : tensor<4x0xf32>, tensor<0x8xf32>) outs(%h : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %2 : tensor<0x8xf32>, tensor<4x8xf32>
}
