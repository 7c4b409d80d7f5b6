// A step of an optimizer in f16 on gradients of which some are sums that
// nearly cancel, and whose direction is their sign.
func.func @main(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>, %v: tensor<16x32xf16>) -> tensor<16x32xf16> {
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  %cube = stablehlo.constant dense<4.0> : tensor<16x32xf16>
  %scaled = stablehlo.multiply %p, %cube : tensor<16x32xf16>
  %low = stablehlo.constant dense<-8.0> : tensor<16x32xf16>
  %high = stablehlo.constant dense<24.0> : tensor<16x32xf16>
  %g = stablehlo.clamp %low, %scaled, %high : tensor<16x32xf16>
  %whole = stablehlo.floor %g : tensor<16x32xf16>
  %tenth = stablehlo.constant dense<0.1> : tensor<16x32xf16>
  %step = stablehlo.multiply %whole, %tenth : tensor<16x32xf16>
  %r = stablehlo.subtract %v, %step : tensor<16x32xf16>
  return %r : tensor<16x32xf16>
}
