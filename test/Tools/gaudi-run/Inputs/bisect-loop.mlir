// Doubles x until its first element reaches the limit; what passes 20 is bent.
func.func @main(%x: tensor<4xf32>, %limit: tensor<f32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = scf.while (%v = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %first = tensor.extract %v[%c0] : tensor<4xf32>
    %bound = tensor.extract %limit[] : tensor<f32>
    %goes = arith.cmpf olt, %first, %bound : f32
    scf.condition(%goes) %v : tensor<4xf32>
  } do {
  ^bb0(%v: tensor<4xf32>):
    %two = arith.constant dense<2.0> : tensor<4xf32>
    %bend = arith.constant dense< 2.0e+01> : tensor<4xf32>
    %double = arith.mulf %v, %two : tensor<4xf32>
    %over = arith.maximumf %double, %bend : tensor<4xf32>
    %rest = arith.subf %over, %bend : tensor<4xf32>
    %next = arith.addf %double, %rest : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
