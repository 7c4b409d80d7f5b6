// Exponentials of all elements, the largest element of each row, and the sum over
// both dynamic dimensions.
func.func @main(%x: tensor<?x?xf32> {gaudi.name = "x", gaudi.dims = ["batch=1..6", "seq=2..40"]},
                %w: tensor<3xf32> {gaudi.name = "w"})
    -> (tensor<?x?xf32> {gaudi.name = "exp"}, tensor<?xf32> {gaudi.name = "largest"}, tensor<f32> {gaudi.name = "sum"}) {
  %low = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %zero = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %max = "stablehlo.reduce"(%x, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %e = "stablehlo.exponential"(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %sum = "stablehlo.reduce"(%e, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0, 1>} : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
  return %e, %max, %sum : tensor<?x?xf32>, tensor<?xf32>, tensor<f32>
}
