// Rows of a table of 5.
func.func @main(%table: tensor<1x5x4xf32>, %indices: tensor<1x3xi32>) -> tensor<1x3x4xf32> {
  %0 = tosa.gather %table, %indices : (tensor<1x5x4xf32>, tensor<1x3xi32>) -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}
