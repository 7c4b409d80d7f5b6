func.func @main(%x: tensor<?x1024xf32> {gaudi.dims = ["batch=1..2048", ""]}, %w: tensor<1024x1024xf32>) -> tensor<?x1024xf32> {
  %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<?x1024xf32>, tensor<1024x1024xf32>) -> tensor<?x1024xf32>
  %1 = "stablehlo.add"(%0, %0) : (tensor<?x1024xf32>, tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %1 : tensor<?x1024xf32>
}
