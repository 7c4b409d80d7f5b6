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

// -----

func.func @cudnn_config(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: 'backend_config' has no cudnn_fmha_backend_config}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "fast"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_layout(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: its config has no layout that is known}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22fmha_scale\22: 1.0}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_mask(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: its mask_type is 'ALIBI'}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22mask_type\22: \22ALIBI\22}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_window(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: it has a sliding window without a causal mask}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22sliding_window_length\22: 3}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_packed(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: its sequences are packed or paged}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22max_seg_per_batch\22: 2}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_dropout(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: its dropout_rate is 1.000000}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22dropout_rate\22: 1.0}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_operands(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: expected 5 operands but got 3}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22mask_type\22: \22PADDING\22}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_types(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: query, key and value must be of rank 4 and of one type of f32, bf16 and f16}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_bias(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>, %3: tensor<3x3xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: its bias must have rank 4 and floats}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2, %3) <{call_target_name = "__cudnn$fmhaScaleBiasSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<3x3xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_lengths(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>, %3: tensor<1xi32>, %4: tensor<2xi32>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: its lengths must be i32, one for each image}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2, %3, %4) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}, \22mask_type\22: \22PADDING\22}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1xi32>, tensor<2xi32>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_results(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: expected 2 or 3 results but got 1}}
  %r = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16>
  return %r : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_workspace(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: its last result must be the empty workspace}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2) <{call_target_name = "__cudnn$fmhaSoftmax", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm1_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<4xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_grad_results(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>, %3: tensor<1x2x3xf32>, %4: tensor<1x2x3x4xbf16>, %5: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: expected 4 or 5 results but got 2}}
  %r:2 = "stablehlo.custom_call"(%0, %1, %2, %3, %4, %5) <{call_target_name = "__cudnn$fmhaSoftmaxBackward", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm2_grad_gemm2_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3xf32>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}

// -----

func.func @cudnn_grad_of_bias(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>, %3: tensor<1x2x3xf32>, %4: tensor<1x2x3x4xbf16>, %5: tensor<1x2x3x3xbf16>, %6: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x3xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: the gradient of its bias is used, which gaudi.sdpa_grad does not compute}}
  %r:5 = "stablehlo.custom_call"(%0, %1, %2, %3, %4, %5, %6) <{call_target_name = "__cudnn$fmhaScaleBiasSoftmaxBackward", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm2_grad_gemm2_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3xf32>, tensor<1x2x3x4xbf16>, tensor<1x2x3x3xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x3xbf16>, tensor<0xui8>)
  return %r#3 : tensor<1x2x3x3xbf16>
}

// -----

func.func @cudnn_grad_statistics(%0: tensor<1x2x3x4xbf16>, %1: tensor<1x2x3x4xbf16>, %2: tensor<1x2x3x4xbf16>, %3: tensor<6xf32>, %4: tensor<1x2x3x4xbf16>, %5: tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xbf16> {
  // expected-error @below {{cannot convert stablehlo.custom_call: its statistics must have rank 3}}
  %r:4 = "stablehlo.custom_call"(%0, %1, %2, %3, %4, %5) <{call_target_name = "__cudnn$fmhaSoftmaxBackward", backend_config = "{\22cudnn_fmha_backend_config\22: {\22bmm2_grad_gemm2_dot_dimension_numbers\22: {\22lhs_batch_dimensions\22: [\220\22, \221\22]}}}"}> : (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<6xf32>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>) -> (tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16>, tensor<0xui8>)
  return %r#0 : tensor<1x2x3x4xbf16>
}
