// Doubles x until its first element reaches 8: a loop that the host runs.
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 8.0 : f32
  %0 = scf.while (%v = %x) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
    %first = tensor.extract %v[%c0, %c0] : tensor<2x3xf32>
    %goes = arith.cmpf olt, %first, %limit : f32
    scf.condition(%goes) %v : tensor<2x3xf32>
  } do {
  ^bb0(%v: tensor<2x3xf32>):
    %w = arith.addf %v, %v : tensor<2x3xf32>
    scf.yield %w : tensor<2x3xf32>
  }
  return %0 : tensor<2x3xf32>
}
