func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.constant"() <{value = dense_resource<__elided__> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = "stablehlo.multiply"(%x, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = call @plus(%1) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = call @plus(%2) : (tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}
func.func private @plus(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = tosa.add %x, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
