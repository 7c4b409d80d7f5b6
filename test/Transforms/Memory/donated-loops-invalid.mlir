// Values of loops that the host runs have buffers of their own, so that a
// donation to one that must be honoured is refused.
// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-compile -o /dev/null

module {
func.func @main(%s: tensor<4x8xf32> {gaudi.donated = 0}, %x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  // expected-error @+1 {{argument 0 has 'gaudi.donated', but result 0 cannot be written to its buffer of 128 bytes without a copy: the host runs this loop, across whose ends the result lives in a buffer of its own; give the loop a constant trip count, with which it is unrolled, or donate with 'gaudi.state', which accepts a copy}}
  %r:2 = "stablehlo.while"(%zero, %s) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %go = "stablehlo.compare"(%i, %n) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %u = "stablehlo.add"(%a, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %u) : (tensor<i32>, tensor<4x8xf32>) -> ()
  }) : (tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>)
  return %r#1 : tensor<4x8xf32>
}
}

// -----

// The value of the first loop lives across the second one.
module {
func.func @main(%s: tensor<4x8xf32> {gaudi.donated}, %x: tensor<4x8xf32>, %n: tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  // expected-error @+1 {{argument 0 has 'gaudi.donated', but result 0 cannot be written to its buffer of 128 bytes without a copy}}
  %r:2 = "stablehlo.while"(%zero, %s) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %go = "stablehlo.compare"(%i, %n) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %u = "stablehlo.add"(%a, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %u) : (tensor<i32>, tensor<4x8xf32>) -> ()
  }) : (tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>)
  %q:2 = "stablehlo.while"(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %go = "stablehlo.compare"(%i, %n) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %u = "stablehlo.add"(%a, %a) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %u) : (tensor<i32>, tensor<4x8xf32>) -> ()
  }) : (tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>)
  return %r#1, %q#1 : tensor<4x8xf32>, tensor<4x8xf32>
}
}

// -----

// It is computed before the loop, which does not read it.
module attributes {mhlo.input_output_alias = [{alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 0>}]} {
func.func @main(%s: tensor<4x8xf32>, %x: tensor<4x8xf32>, %n: tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %new = "stablehlo.multiply"(%s, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @+1 {{argument 0 has 'gaudi.donated', but result 0 cannot be written to its buffer of 128 bytes without a copy}}
  %r:2 = "stablehlo.while"(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %go = "stablehlo.compare"(%i, %n) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x8xf32>):
    %u = "stablehlo.add"(%a, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %u) : (tensor<i32>, tensor<4x8xf32>) -> ()
  }) : (tensor<i32>, tensor<4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>)
  return %new, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}
}
