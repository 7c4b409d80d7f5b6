// A step of an optimizer in f16 whose length is a whole number: sums near one
// are rounded to the other side by other orders of addition.
func.func @main(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>, %v: tensor<16x32xf16>) -> tensor<16x32xf16> {
  %p = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  %four = "stablehlo.constant"() <{value = dense<4.0> : tensor<16x32xf16>}> : () -> tensor<16x32xf16>
  %scaled = "stablehlo.multiply"(%p, %four) : (tensor<16x32xf16>, tensor<16x32xf16>) -> tensor<16x32xf16>
  %low = "stablehlo.constant"() <{value = dense<-8.0> : tensor<16x32xf16>}> : () -> tensor<16x32xf16>
  %high = "stablehlo.constant"() <{value = dense<24.0> : tensor<16x32xf16>}> : () -> tensor<16x32xf16>
  %g = "stablehlo.clamp"(%low, %scaled, %high) : (tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>) -> tensor<16x32xf16>
  %whole = "stablehlo.floor"(%g) : (tensor<16x32xf16>) -> tensor<16x32xf16>
  %tenth = "stablehlo.constant"() <{value = dense<0.1> : tensor<16x32xf16>}> : () -> tensor<16x32xf16>
  %step = "stablehlo.multiply"(%whole, %tenth) : (tensor<16x32xf16>, tensor<16x32xf16>) -> tensor<16x32xf16>
  %r = "stablehlo.subtract"(%v, %step) : (tensor<16x32xf16>, tensor<16x32xf16>) -> tensor<16x32xf16>
  "func.return"(%r) : (tensor<16x32xf16>) -> ()
}
