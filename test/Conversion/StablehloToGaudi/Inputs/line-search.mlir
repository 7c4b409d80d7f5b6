// A loop of 5 steps; inside each, one that a flag ends after 30: as of an
// optimizer and its line search.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %c1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %c5 = "stablehlo.constant"() {value = dense<5> : tensor<i32>} : () -> tensor<i32>
  %c30 = "stablehlo.constant"() {value = dense<30> : tensor<i32>} : () -> tensor<i32>
  %no = "stablehlo.constant"() {value = dense<false> : tensor<i1>} : () -> tensor<i1>
  %zero = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %limit = "stablehlo.constant"() {value = dense<100.0> : tensor<f32>} : () -> tensor<f32>
  %outer:2 = "stablehlo.while"(%c0, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %less = "stablehlo.compare"(%i, %c5) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %goes = "stablehlo.compare"(%less, %no) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%goes) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %inner:3 = "stablehlo.while"(%no, %c0, %v) ({
    ^bb0(%done: tensor<i1>, %j: tensor<i32>, %w: tensor<4xf32>):
      %goes = "stablehlo.not"(%done) : (tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%goes) : (tensor<i1>) -> ()
    }, {
    ^bb0(%done: tensor<i1>, %j: tensor<i32>, %w: tensor<4xf32>):
      %sine = "stablehlo.sine"(%w) : (tensor<4xf32>) -> tensor<4xf32>
      %next = "stablehlo.add"(%sine, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %sum = "stablehlo.reduce"(%next, %zero) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%s) : (tensor<f32>) -> ()
      }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %far = "stablehlo.compare"(%sum, %limit) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %k = "stablehlo.add"(%j, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %late = "stablehlo.compare"(%k, %c30) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %ends = "stablehlo.or"(%far, %late) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%ends, %k, %next) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
    }) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> (tensor<i1>, tensor<i32>, tensor<4xf32>)
    %half = "stablehlo.subtract"(%inner#2, %v) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %k = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%k, %half) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %outer#1 : tensor<4xf32>
}
