// One output per kind of element type; each is its input.
func.func @main(%a: tensor<4xbf16>, %b: tensor<4xf16>, %c: tensor<4xf8E4M3FN>,
                %d: tensor<4xi1>, %e: tensor<4xui8>, %f: tensor<i64>)
    -> (tensor<4xbf16>, tensor<4xf16>, tensor<4xf8E4M3FN>, tensor<4xi1>, tensor<4xui8>,
        tensor<i64>) {
  return %a, %b, %c, %d, %e, %f : tensor<4xbf16>, tensor<4xf16>, tensor<4xf8E4M3FN>,
    tensor<4xi1>, tensor<4xui8>, tensor<i64>
}
