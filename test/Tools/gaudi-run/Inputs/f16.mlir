// f16, which the first Gaudi does not have.
func.func @main(%a: tensor<64x128xf16>, %b: tensor<128x256xf16>) -> tensor<64x256xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x256xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<64x256xf16>) -> tensor<64x256xf16>
  %0 = linalg.matmul ins(%a, %b : tensor<64x128xf16>, tensor<128x256xf16>) outs(%f : tensor<64x256xf16>) -> tensor<64x256xf16>
  return %0 : tensor<64x256xf16>
}
