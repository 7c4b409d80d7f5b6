// Two entries that share a helper, and a function that cannot be compiled.
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @negate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.neg %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @foreign(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.custom %x {domain_name = "a", implementation_attrs = "", operator_name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.custom %0 {domain_name = "a", implementation_attrs = "", operator_name = "c"} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
