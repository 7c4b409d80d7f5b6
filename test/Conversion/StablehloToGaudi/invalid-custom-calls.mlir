// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: no meaning is known for custom call 'my_kernel'; have the exporter write its ops instead}}
  %r = "stablehlo.custom_call"(%x) <{call_target_name = "my_kernel"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @no_target(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: no meaning is known for custom call ''; have the exporter write its ops instead}}
  %r = "stablehlo.custom_call"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @softmax_axis(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: a softmax needs floats and one 'axis' inside them}}
  %r = "stablehlo.custom_call"(%x) <{call_target_name = "byteir.softmax"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @softmax_axis_outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: a softmax needs floats and one 'axis' inside them}}
  %r = "stablehlo.custom_call"(%x) <{call_target_name = "byteir.softmax", byteir_attrs = {axis = 1 : i64}}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @softmax_integer(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: a softmax needs floats and one 'axis' inside them}}
  %r = "stablehlo.custom_call"(%x) <{call_target_name = "byteir.softmax", byteir_attrs = {axis = 0 : i64}}> : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @layer_norm_results(%x: tensor<2x4xf32>, %g: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2xf32>) {
  // expected-error @below {{cannot convert stablehlo.custom_call: a layer norm takes 3 operands and has 1 or 3 results}}
  %r:2 = "stablehlo.custom_call"(%x, %g, %g) <{call_target_name = "byteir.layer_norm", byteir_attrs = {axis = [1], epsilon = 1.0e-5 : f64}}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2x4xf32>, tensor<2xf32>
}

// -----

// expected-note @below {{this operand}}
func.func @layer_norm_scale(%x: tensor<2x4xf32>, %g: tensor<3xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: scale and offset of a layer norm must have the shape of its axes}}
  %r = "stablehlo.custom_call"(%x, %g, %g) <{call_target_name = "byteir.layer_norm", byteir_attrs = {axis = [1], epsilon = 1.0e-5 : f64}}> : (tensor<2x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @layer_norm_epsilon(%x: tensor<2x4xf32>, %g: tensor<4xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: a layer norm needs floats, 'axis' and 'epsilon'}}
  %r = "stablehlo.custom_call"(%x, %g, %g) <{call_target_name = "byteir.layer_norm", byteir_attrs = {axis = [1]}}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// -----

func.func @layer_norm_mean(%x: tensor<2x4xf32>, %g: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<3xf32>, tensor<2xf32>) {
  // expected-error @below {{cannot convert stablehlo.custom_call: result 1 has type 'tensor<3xf32>' but the operands make it 'tensor<2x1xf32>'}}
  %r:3 = "stablehlo.custom_call"(%x, %g, %g) <{call_target_name = "byteir.layer_norm", byteir_attrs = {axis = [1], epsilon = 1.0e-5 : f64}}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<3xf32>, tensor<2xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x4xf32>, tensor<3xf32>, tensor<2xf32>
}

// -----

func.func @layer_norm_result(%x: tensor<2x4xf32>, %g: tensor<4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: result 0 has type 'tensor<4x4xf32>' but the operands make it 'tensor<2x4xf32>'}}
  %r = "stablehlo.custom_call"(%x, %g, %g) <{call_target_name = "byteir.layer_norm", byteir_attrs = {axis = [1], epsilon = 1.0e-5 : f64}}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @gelu_integer(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: a GELU needs floats}}
  %r = "stablehlo.custom_call"(%x) <{call_target_name = "byteir.gelu"}> : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @gelu_form(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: a GELU is approximated by 'erf' or 'tanh', not by 'sin'}}
  %r = "stablehlo.custom_call"(%x) <{call_target_name = "byteir.gelu", byteir_attrs = {approximate = "sin"}}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @erf_integer(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @below {{cannot convert stablehlo.erf: it is not defined for element type 'i32'}}
  %r = "stablehlo.custom_call"(%x) <{call_target_name = "mhlo.erf"}> : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
