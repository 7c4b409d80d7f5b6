// No input.
func.func @main() -> tensor<4xf32> {
  %0 = gaudi.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = gaudi.tpc.exp %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
