// What resembles a pattern must not get its name.
// RUN: gaudi-opt %s --split-input-file --gaudi-compile=stop-after=kernels | FileCheck %s --implicit-check-not='label "tpc{{[^"]*}}layer_norm' --implicit-check-not='label "tpc{{[^"]*}}batch_norm' --implicit-check-not='label "tpc{{[^"]*}}cross_entropy'

// A variance that is clipped at one.
// CHECK-LABEL: @clipped
func.func @clipped(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %n = gaudi.constant dense<0.0078125> : tensor<1x1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1x1xf32>
  %s = gaudi.tpc.reduce <sum> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %m = gaudi.tpc.mul %s, %n : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %c = gaudi.tpc.sub %x, %m : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %q = gaudi.tpc.mul %c, %c : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %t = gaudi.tpc.reduce <sum> %q dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %v = gaudi.tpc.mul %t, %n : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %b = gaudi.tpc.max %v, %one : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %r = gaudi.tpc.rsqrt %b : tensor<64x1xf32>
  %y = gaudi.tpc.mul %c, %r : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// The scale and zero point of a quantisation.
// CHECK-LABEL: @dequantise
func.func @dequantise(%x: tensor<64x128xf32>, %zero: tensor<64x1xf32>, %scale: tensor<64x1xf32>) -> tensor<64x128xf32> {
  %c = gaudi.tpc.sub %x, %zero : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.mul %c, %scale : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}
