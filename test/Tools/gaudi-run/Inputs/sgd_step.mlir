// One step of gradient descent on the mean squared error of y = x w, as JAX
// writes it with the weights donated.
func.func @main(%w: tensor<3xf32> {gaudi.name = "w", tf.aliasing_output = 0 : i32},
                %x: tensor<8x3xf32> {gaudi.name = "x"},
                %y: tensor<8xf32> {gaudi.name = "y"})
    -> (tensor<3xf32> {gaudi.name = "new_w"}, tensor<f32> {gaudi.name = "loss"}) {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %eighth = "stablehlo.constant"() <{value = dense<0.125> : tensor<f32>}> : () -> tensor<f32>
  %rate = "stablehlo.constant"() <{value = dense<0.025> : tensor<3xf32>}> : () -> tensor<3xf32>
  %p = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<3xf32>) -> tensor<8xf32>
  %e = "stablehlo.subtract"(%p, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g = "stablehlo.dot_general"(%x, %e) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<8xf32>) -> tensor<3xf32>
  %d = "stablehlo.multiply"(%g, %rate) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %n = "stablehlo.subtract"(%w, %d) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %ee = "stablehlo.multiply"(%e, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %s = "stablehlo.reduce"(%ee, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%r) : (tensor<f32>) -> ()
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %loss = "stablehlo.multiply"(%s, %eighth) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %n, %loss : tensor<3xf32>, tensor<f32>
}
