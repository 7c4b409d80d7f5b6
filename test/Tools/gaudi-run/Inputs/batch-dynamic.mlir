func.func @main(%x: tensor<?x?xf32> {gaudi.name = "x", gaudi.dims = ["batch=4..24/4", "seq=1..64"]},
                %y: tensor<?xf32> {gaudi.name = "y", gaudi.dims = ["batch"]},
                %table: tensor<?x8xf32> {gaudi.name = "table", gaudi.dims = ["seq", ""]},
                %scale: tensor<1x1xf32> {gaudi.name = "scale"})
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x8xf32>) {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.mul %x, %scale, %shift : (tensor<?x?xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  %b = tosa.exp %y : (tensor<?xf32>) -> tensor<?xf32>
  %c = tosa.exp %table : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %a, %b, %c : tensor<?x?xf32>, tensor<?xf32>, tensor<?x8xf32>
}
