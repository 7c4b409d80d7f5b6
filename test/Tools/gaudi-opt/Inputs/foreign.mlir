func.func @pretty(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
func.func @generic(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "vhlo.abs_v1"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @type(%x: !tfl.tensor<4>) -> !tfl.tensor<4> {
  return %x : !tfl.tensor<4>
}
// -----
func.func @extension(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = iree_linalg_ext.fft ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = acme.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
