// An op whose file has a name that would clear a terminal.
#place = loc("\1B[2J.py":3:4)
func.func @main(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %y = "stablehlo.tanh"(%x) : (tensor<64x128xf32>) -> tensor<64x128xf32> loc(#place)
  return %y : tensor<64x128xf32> loc(#place)
}
