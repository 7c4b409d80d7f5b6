func.func @main(%x: tensor<2xf32> {gaudi.name = "x"}, %y: tensor<2xf32> {gaudi.name = "x"}) -> tensor<2xf32> {
  %0 = gaudi.tpc.add %x, %y : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
