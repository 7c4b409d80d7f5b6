// y = x * 2 + b, on 2x3.
func.func @main(%x: tensor<2x3xf32> {gaudi.name = "x"}, %b: tensor<2x3xf32>)
    -> (tensor<2x3xf32> {gaudi.name = "y"}) {
  %two = gaudi.constant dense<2.0> : tensor<2x3xf32>
  %0 = gaudi.tpc.mul %x, %two : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = gaudi.tpc.add %0, %b : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
