// A step of training as a framework with channels first has it: a weight w as
// OIHW, a running mean m of activations as NCHW, both state.
func.func @main(%x: tensor<2x16x8x8xf32> {gaudi.name = "x"},
                %w: tensor<32x16x3x3xf32> {gaudi.name = "w", gaudi.state = 0 : i64},
                %m: tensor<2x32x8x8xf32> {gaudi.name = "m", gaudi.state = 1 : i64})
    -> (tensor<32x16x3x3xf32> {gaudi.name = "new_w"}, tensor<2x32x8x8xf32> {gaudi.name = "new_m"},
        tensor<2x32x8x8xf32> {gaudi.name = "y"}) {
  %xt = gaudi.transpose %x permutation [0, 2, 3, 1] : tensor<2x16x8x8xf32> -> tensor<2x8x8x16xf32>
  %wt = gaudi.transpose %w permutation [2, 3, 1, 0] : tensor<32x16x3x3xf32> -> tensor<3x3x16x32xf32>
  %c = gaudi.mme.conv %xt, %wt layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<2x8x8x16xf32>, tensor<3x3x16x32xf32> -> tensor<2x8x8x32xf32>
  %y = gaudi.transpose %c permutation [0, 3, 1, 2] : tensor<2x8x8x32xf32> -> tensor<2x32x8x8xf32>
  %d = gaudi.tpc.sub %y, %m : tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32> -> tensor<2x32x8x8xf32>
  %tenth = gaudi.constant dense<0.1> : tensor<2x32x8x8xf32>
  %s = gaudi.tpc.mul %d, %tenth : tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32> -> tensor<2x32x8x8xf32>
  %n = gaudi.tpc.add %m, %s : tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32> -> tensor<2x32x8x8xf32>
  %dt = gaudi.transpose %d permutation [0, 2, 3, 1] : tensor<2x32x8x8xf32> -> tensor<2x8x8x32xf32>
  %g = gaudi.mme.conv_weight_grad %xt, %dt layout "NHWC", "NHWC", "HWIO" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<2x8x8x16xf32>, tensor<2x8x8x32xf32> -> tensor<3x3x16x32xf32>
  %gt = gaudi.transpose %g permutation [3, 2, 0, 1] : tensor<3x3x16x32xf32> -> tensor<32x16x3x3xf32>
  %rate = gaudi.constant dense<0.001> : tensor<32x16x3x3xf32>
  %u = gaudi.tpc.mul %gt, %rate : tensor<32x16x3x3xf32>, tensor<32x16x3x3xf32> -> tensor<32x16x3x3xf32>
  %v = gaudi.tpc.sub %w, %u : tensor<32x16x3x3xf32>, tensor<32x16x3x3xf32> -> tensor<32x16x3x3xf32>
  return %v, %n, %y : tensor<32x16x3x3xf32>, tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>
}
