func.func @scalars(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<4xf32>, tensor<6xf32>) {
  %p = ub.poison : f32
  %zero = arith.constant 0 : index
  %0 = tensor.from_elements %p, %p : tensor<2xf32>
  %1 = tensor.insert %p into %x[%zero] : tensor<4xf32>
  %2 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %p : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<4xf32>, tensor<6xf32>
}
func.func @tensors() -> (tensor<2xi64>, tensor<2xi64>) {
  %0 = ub.poison : tensor<2xi64>
  %p = ub.poison : index
  %splat = tensor.splat %p : tensor<2xindex>
  %1 = arith.index_cast %splat : tensor<2xindex> to tensor<2xi64>
  return %0, %1 : tensor<2xi64>, tensor<2xi64>
}
