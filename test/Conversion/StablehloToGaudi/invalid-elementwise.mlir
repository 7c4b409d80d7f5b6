// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @bool(%x: tensor<2xi1>) -> tensor<2xi1> {
  // expected-error @below {{cannot convert stablehlo.negate: it is not defined for element type 'i1'}}
  %r = "stablehlo.negate"(%x) : (tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

func.func @no_float(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error @below {{cannot convert stablehlo.tanh: it is not defined for element type 'i32'}}
  %r = "stablehlo.tanh"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

func.func @no_value() -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.constant: attribute 'value' is missing or no tensor}}
  %r = "stablehlo.constant"() : () -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @value_no_tensor() -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.constant: attribute 'value' is missing or no tensor}}
  %r = "stablehlo.constant"() <{value = 1.0 : f32}> : () -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @value_of_other_type() -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.constant: result 0 has type 'tensor<2xf32>' but the operands make it 'tensor<3xf32>'}}
  %r = "stablehlo.constant"() <{value = dense<1.0> : tensor<3xf32>}> : () -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @direction(%x: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error @below {{cannot convert stablehlo.compare: attribute 'comparison_direction' must be EQ, NE, LT, LE, GT or GE}}
  %r = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction UN>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

func.func @direction_missing(%x: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error @below {{cannot convert stablehlo.compare: attribute 'comparison_direction' must be EQ, NE, LT, LE, GT or GE}}
  %r = "stablehlo.compare"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

func.func @compare_to_number(%x: tensor<2xf32>) -> tensor<2xi32> {
  // expected-error @below {{cannot convert stablehlo.compare: its result has element type 'i32'; expected 'i1'}}
  %r = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// expected-note @below {{the operand}}
func.func @compare_mixed(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<2xi1> {
  // expected-error @below {{cannot convert stablehlo.compare: its operands have element types 'f32' and 'i32'}}
  %r = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

func.func @condition_shape(%c: tensor<1xi1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.select: operand 0 must be a scalar or have the shape of the result}}
  %r = "stablehlo.select"(%c, %x, %x) : (tensor<1xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @condition_type(%c: tensor<2xi32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.select: the condition must be i1}}
  %r = "stablehlo.select"(%c, %x, %x) : (tensor<2xi32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// expected-note @below {{the operand}}
func.func @select_mixed(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.select: its operands have element types 'f32' and 'i32'}}
  %r = "stablehlo.select"(%c, %x, %y) : (tensor<2xi1>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// expected-note @below {{the operand}}
func.func @clamp_type(%a: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xi32> {
  // expected-error @below {{cannot convert stablehlo.clamp: its operands have element types 'i32' and 'f32'}}
  %r = "stablehlo.clamp"(%a, %x, %a) : (tensor<i32>, tensor<2xf32>, tensor<i32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// expected-note @below {{the operand}}
func.func @clamp_bounds(%a: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.clamp: its operands have element types 'i32' and 'f32'}}
  %r = "stablehlo.clamp"(%a, %x, %a) : (tensor<i32>, tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @clamp_shape(%a: tensor<1xf32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.clamp: operand 0 must be a scalar or have the shape of the result}}
  %r = "stablehlo.clamp"(%a, %x, %a) : (tensor<1xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @bitcast_width(%x: tensor<2xf32>) -> tensor<2x3xi16> {
  // expected-error @below {{cannot convert stablehlo.bitcast_convert: a bitcast between 'tensor<2xf32>' and 'tensor<2x3xi16>' needs a last dimension of size 2 in the narrower type}}
  %r = "stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<2x3xi16>
  return %r : tensor<2x3xi16>
}

// -----

func.func @bitcast_bool(%x: tensor<2xi8>) -> tensor<2xi1> {
  // expected-error @below {{cannot convert stablehlo.bitcast_convert: booleans have no bits that another type could have}}
  %r = "stablehlo.bitcast_convert"(%x) : (tensor<2xi8>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// expected-note @below {{the operand}}
func.func @bitcast_shape(%x: tensor<2xf32>) -> tensor<3xi32> {
  // expected-error @below {{cannot convert stablehlo.bitcast_convert: the result of type 'tensor<3xi32>' has another shape than the operand of type 'tensor<2xf32>'}}
  %r = "stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

func.func @precision(%x: tensor<2xf32>) -> tensor<2xf16> {
  // expected-error @below {{cannot convert stablehlo.reduce_precision: operand and result must have one float type}}
  %r = "stablehlo.reduce_precision"(%x) <{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}> : (tensor<2xf32>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

func.func @is_finite(%x: tensor<2xi32>) -> tensor<2xi1> {
  // expected-error @below {{cannot convert stablehlo.is_finite: expected a float element type}}
  %r = "stablehlo.is_finite"(%x) : (tensor<2xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

func.func @is_finite_result(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.is_finite: its result has element type 'f32'; expected 'i1'}}
  %r = "stablehlo.is_finite"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @select_result(%c: tensor<2xi1>, %x: tensor<2xf32>) -> tensor<2xi32> {
  // expected-error @below {{cannot convert stablehlo.select: the result must have the type of operands 1 and 2}}
  %r = "stablehlo.select"(%c, %x, %x) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

func.func @map_regions(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.map: expected one region, and operands of one shape}}
  %r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @map_arguments(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.map: its region must take an element of each operand and return one of the result}}
  %r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @map_result(%x: tensor<2xi32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.map: its region must take an element of each operand and return one of the result}}
  %r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>):
    %s = "stablehlo.abs"(%a) : (tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<2xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @batch_norm_operands(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // expected-error @below {{cannot convert stablehlo.batch_norm_training: expected 3 operands and 3 results}}
  %r:3 = "stablehlo.batch_norm_training"(%x, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

func.func @batch_norm_integer(%x: tensor<2x3xi32>, %s: tensor<3xi32>) -> (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>) {
  // expected-error @below {{cannot convert stablehlo.batch_norm_training: it is not defined for element type 'i32'}}
  %r:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>) -> (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>)
  return %r#0, %r#1, %r#2 : tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>
}

// -----

func.func @batch_norm_epsilon(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // expected-error @below {{cannot convert stablehlo.batch_norm_training: attribute 'epsilon' is missing or no float}}
  %r:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

func.func @batch_norm_feature(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // expected-error @below {{cannot convert stablehlo.batch_norm_training: attribute 'feature_index' must be one number from 0 to 1}}
  %r:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

func.func @batch_norm_scale(%x: tensor<2x3xf32>, %s: tensor<2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // expected-error @below {{cannot convert stablehlo.batch_norm_training: operand 1 must have one element per feature}}
  %r:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

func.func @batch_norm_result(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>) {
  // expected-error @below {{cannot convert stablehlo.batch_norm_training: result 0 must have the shape of the operand}}
  %r:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2 : tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

func.func @batch_norm_empty(%x: tensor<0x3xf32>, %s: tensor<3xf32>) -> (tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // expected-error @below {{cannot convert stablehlo.batch_norm_training: the operand has no elements}}
  %r:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2 : tensor<0x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

func.func @clamp_result(%a: tensor<f32>, %x: tensor<2xf32>) -> tensor<2xi32> {
  // expected-error @below {{cannot convert stablehlo.clamp: operand 1 must be numbers of the type of the result}}
  %r = "stablehlo.clamp"(%a, %x, %a) : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

func.func @clamp_bools(%a: tensor<i1>, %x: tensor<2xi1>) -> tensor<2xi1> {
  // expected-error @below {{cannot convert stablehlo.clamp: operand 1 must be numbers of the type of the result}}
  %r = "stablehlo.clamp"(%a, %x, %a) : (tensor<i1>, tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

func.func @next_after(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error @below {{cannot convert chlo.next_after: operands and result must have one float type}}
  %r = "chlo.next_after"(%x, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
