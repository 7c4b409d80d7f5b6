// The shift of an f32 product, kept as a resource.
func.func @main(%a: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %shift = "tosa.const"() {values = dense_resource<shift> : tensor<1xi8>} : () -> tensor<1xi8>
  %b = tosa.mul %a, %a, %shift : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<1x3xf32>
  return %b : tensor<1x3xf32>
}
