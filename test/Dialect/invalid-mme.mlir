// RUN: gaudi-opt %s -split-input-file -verify-diagnostics

// expected-note @+1 {{lhs defined here}}
func.func @types(%a: tensor<4x8xf32>, %b: tensor<8x4xbf16>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op rhs has element type 'bf16' but lhs has 'f32'}}
  %0 = gaudi.mme.gemm %a, %b : tensor<4x8xf32>, tensor<8x4xbf16> -> tensor<4x4xf32>
  return
}

// -----

func.func @vector(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op lhs 'tensor<8xf32>', rhs 'tensor<8xf32>' and result 'tensor<f32>' must have one rank of 2 or more}}
  %0 = gaudi.mme.gemm %a, %b : tensor<8xf32>, tensor<8xf32> -> tensor<f32>
  return
}

// -----

func.func @ranks(%a: tensor<2x4x8xf32>, %b: tensor<8x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op lhs 'tensor<2x4x8xf32>', rhs 'tensor<8x4xf32>' and result 'tensor<2x4x4xf32>' must have one rank of 2 or more}}
  %0 = gaudi.mme.gemm %a, %b : tensor<2x4x8xf32>, tensor<8x4xf32> -> tensor<2x4x4xf32>
  return
}

// -----

// expected-note @+1 {{lhs defined here}}
func.func @common(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op common dimension is 4 in rhs 'tensor<8x4xf32>' but 8 in lhs 'tensor<4x8xf32>'}}
  %0 = gaudi.mme.gemm %a, %b transpose_b : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @result(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op result 'tensor<6x4xf32>' must end in 4x6}}
  %0 = gaudi.mme.gemm %a, %b : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<6x4xf32>
  return
}

// -----

// expected-note @+1 {{rhs defined here}}
func.func @batch(%a: tensor<3x4x8xf32>, %b: tensor<2x8x6xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op batch dimension 0 has size 2 in rhs but 3 in the result}}
  %0 = gaudi.mme.gemm %a, %b : tensor<3x4x8xf32>, tensor<2x8x6xf32> -> tensor<3x4x6xf32>
  return
}

// -----

// expected-note @+1 {{lhs defined here}}
func.func @order_of_lhs(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op order_a is [1, 1]; expected each of the dimensions 0 to 1 of the lhs once}}
  %0 = gaudi.mme.gemm %a, %b order_a [1, 1] : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  return
}

// -----

// expected-note @+1 {{rhs defined here}}
func.func @order_of_rhs(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op order_b is [1, 0, 2]; expected each of the dimensions 0 to 1 of the rhs once}}
  %0 = gaudi.mme.gemm %a, %b order_b [1, 0, 2] : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @order_of_result(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op order_c is [-1, 0]; expected each of the dimensions 0 to 1 of the result once}}
  %0 = gaudi.mme.gemm %a, %b order_c [-1, 0] : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  return
}

// -----

// Sizes are compared as the matrices have them.
// expected-note @+1 {{lhs defined here}}
func.func @common_in_order(%a: tensor<2x4x3x8xf32>, %b: tensor<2x3x4x8xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op common dimension is 4 in rhs 'tensor<2x3x4x8xf32>' but 8 in lhs 'tensor<2x3x4x8xf32>'}}
  %0 = gaudi.mme.gemm %a, %b order_a [0, 2, 1, 3] : tensor<2x4x3x8xf32>, tensor<2x3x4x8xf32> -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @result_in_order(%a: tensor<2x3x4x8xf32>, %b: tensor<2x3x8x6xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op result 'tensor<2x4x3x6xf32>' must end in 4x6}}
  %0 = gaudi.mme.gemm %a, %b order_c [0, 2, 1, 3] : tensor<2x3x4x8xf32>, tensor<2x3x8x6xf32> -> tensor<2x3x4x6xf32>
  return
}

// -----

// expected-note @+1 {{rhs defined here}}
func.func @batch_in_order(%a: tensor<3x4x8xf32>, %b: tensor<8x2x6xf32>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op batch dimension 0 has size 2 in rhs but 3 in the result}}
  %0 = gaudi.mme.gemm %a, %b order_b [1, 0, 2] : tensor<3x4x8xf32>, tensor<8x2x6xf32> -> tensor<3x4x6xf32>
  return
}

// -----

func.func @integers(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op operand #0 must be ranked tensor of f32, bf16, f16, f8E4M3FN or f8E5M2 values, but got 'tensor<4x8xi8>'}}
  %0 = gaudi.mme.gemm %a, %b : tensor<4x8xi8>, tensor<8x6xi8> -> tensor<4x6xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @conv_types(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf16>) {
  // expected-error @+1 {{'gaudi.mme.conv' op filter has element type 'f16' but input has 'f32'}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<4x3x3xf16> -> tensor<1x8x4xf32>
  return
}

// -----

func.func @conv_rank(%x: tensor<8x3xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op input 'tensor<8x3xf32>', filter 'tensor<4x3xf32>' and result 'tensor<8x4xf32>' must have one rank of 3, 4 or 5}}
  %0 = gaudi.mme.conv %x, %w layout "NC", "OI", "NC" strides [] dilations [] pad [], [] groups 1
         : tensor<8x3xf32>, tensor<4x3xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @conv_rank_six(%x: tensor<1x8x8x8x8x3xf32>, %w: tensor<1x1x1x1x4x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op input 'tensor<1x8x8x8x8x3xf32>', filter 'tensor<1x1x1x1x4x3xf32>' and result 'tensor<1x8x8x8x8x4xf32>' must have one rank of 3, 4 or 5}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x8x8x8x3xf32>, tensor<1x1x1x1x4x3xf32> -> tensor<1x8x8x8x8x4xf32>
  return
}

// -----

func.func @conv_input_layout(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op input layout "NHC" must name each of "NCW" once}}
  %0 = gaudi.mme.conv %x, %w layout "NHC", "OWI", "NWC" strides [1] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

func.func @conv_filter_layout(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op filter layout "OWW" must name each of "OIW" once}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWW", "NWC" strides [1] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

func.func @conv_output_layout(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op output layout "" must name each of "NCW" once}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "" strides [1] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

func.func @conv_entries(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op 'strides' has 2 entries; expected 1, one per spatial dimension}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1, 1] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

func.func @conv_stride(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op 'strides' has entry 0; expected 1 to 2147483647}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [0] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

func.func @conv_pad(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op 'pad_high' has entry -1; expected 0 to 2147483647}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [1], [-1] groups 1
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

func.func @conv_huge_dilation(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op 'dilations' has entry 9223372036854775807; expected 1 to 2147483647}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [9223372036854775807] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @conv_groups(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op groups 2 must divide the 3 input and the 4 output channels}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [1], [1] groups 2
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @conv_no_groups(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op groups 0 must divide the 3 input and the 4 output channels}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [1], [1] groups 0
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{filter defined here}}
func.func @conv_filter(%x: tensor<1x8x6xf32>, %w: tensor<4x3x6xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op filter has O = 4 and I = 6; expected O = 4 and I = 3 for 2 groups}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [1], [1] groups 2
         : tensor<1x8x6xf32>, tensor<4x3x6xf32> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @conv_batch(%x: tensor<2x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op result has batch 1 but the input has 2}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [1], [1] groups 1
         : tensor<2x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @conv_size(%x: tensor<1x8x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op result size of W is 8; expected 4 from input size 8, pads 2, window 3 and stride 2}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<4x3x3xf32> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @conv_window_too_large(%x: tensor<1x2x3xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv' op result size of W is 1; expected 0 from input size 2, pads 0, window 3 and stride 1}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x2x3xf32>, tensor<4x3x3xf32> -> tensor<1x1x4xf32>
  return
}

// -----

// expected-note @+1 {{filter defined here}}
func.func @input_grad_types(%dy: tensor<1x4x4xf32>, %w: tensor<4x3x3xf16>) {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op output_grad has element type 'f32' but filter has 'f16'}}
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NWC", "OWI", "NWC" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x4x4xf32>, tensor<4x3x3xf16> -> tensor<1x8x3xf32>
  return
}

// -----

func.func @input_grad_rank(%dy: tensor<1x4x4xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op result 'tensor<1x8x3xf32>', filter 'tensor<4x3x3x3xf32>' and output_grad 'tensor<1x4x4xf32>' must have one rank of 3, 4 or 5}}
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NWC", "OHWI", "NWC" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x4x4xf32>, tensor<4x3x3x3xf32> -> tensor<1x8x3xf32>
  return
}

// -----

func.func @input_grad_layout(%dy: tensor<1x4x4xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op output layout "NHC" must name each of "NCW" once}}
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NHC", "OWI", "NWC" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x4x4xf32>, tensor<4x3x3xf32> -> tensor<1x8x3xf32>
  return
}

// -----

func.func @input_grad_pad(%dy: tensor<1x4x4xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op 'pad_low' has entry -2147483648; expected -2147483647 to 2147483647}}
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NWC", "OWI", "NWC" strides [2] dilations [1] pad [-2147483648], [1] groups 1
         : tensor<1x4x4xf32>, tensor<4x3x3xf32> -> tensor<1x8x3xf32>
  return
}

// -----

// expected-note @+1 {{output_grad defined here}}
func.func @input_grad_groups(%dy: tensor<1x4x4xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op groups 2 must divide the 3 input and the 4 output channels}}
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NWC", "OWI", "NWC" strides [2] dilations [1] pad [1], [1] groups 2
         : tensor<1x4x4xf32>, tensor<4x3x3xf32> -> tensor<1x8x3xf32>
  return
}

// -----

// expected-note @+1 {{filter defined here}}
func.func @input_grad_filter(%dy: tensor<1x4x4xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op filter has O = 3 and I = 4; expected O = 4 and I = 3 for 1 groups}}
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NWC", "OWI", "NWC" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x4x4xf32>, tensor<3x3x4xf32> -> tensor<1x8x3xf32>
  return
}

// -----

// expected-note @+1 {{output_grad defined here}}
func.func @input_grad_batch(%dy: tensor<1x4x4xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op output_grad has batch 1 but the result has 2}}
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NWC", "OWI", "NWC" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x4x4xf32>, tensor<4x3x3xf32> -> tensor<2x8x3xf32>
  return
}

// -----

// expected-note @+1 {{output_grad defined here}}
func.func @input_grad_size(%dy: tensor<1x4x4xf32>, %w: tensor<4x3x3xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op output_grad size of W is 4; expected 5 from result size 9, pads 2, window 3 and stride 2}}
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NWC", "OWI", "NWC" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x4x4xf32>, tensor<4x3x3xf32> -> tensor<1x9x3xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @weight_grad_types(%x: tensor<1x8x3xf32>, %dy: tensor<1x4x4xbf16>) {
  // expected-error @+1 {{'gaudi.mme.conv_weight_grad' op output_grad has element type 'bf16' but input has 'f32'}}
  %0 = gaudi.mme.conv_weight_grad %x, %dy layout "NWC", "NWC", "OWI" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<1x4x4xbf16> -> tensor<4x3x3xf32>
  return
}

// -----

func.func @weight_grad_layout(%x: tensor<1x8x3xf32>, %dy: tensor<1x4x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_weight_grad' op filter layout "NWC" must name each of "OIW" once}}
  %0 = gaudi.mme.conv_weight_grad %x, %dy layout "NWC", "NWC", "NWC" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<1x4x4xf32> -> tensor<4x3x3xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @weight_grad_groups(%x: tensor<1x8x3xf32>, %dy: tensor<1x4x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_weight_grad' op groups 3 must divide the 3 input and the 4 output channels}}
  %0 = gaudi.mme.conv_weight_grad %x, %dy layout "NWC", "NWC", "OWI" strides [2] dilations [1] pad [1], [1] groups 3
         : tensor<1x8x3xf32>, tensor<1x4x4xf32> -> tensor<4x3x1xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @weight_grad_filter(%x: tensor<1x8x3xf32>, %dy: tensor<1x4x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_weight_grad' op result has O = 3 and I = 4; expected O = 4 and I = 3 for 1 groups}}
  %0 = gaudi.mme.conv_weight_grad %x, %dy layout "NWC", "NWC", "IWO" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<1x4x4xf32> -> tensor<4x3x3xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @weight_grad_batch(%x: tensor<2x8x3xf32>, %dy: tensor<1x4x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_weight_grad' op output_grad has batch 1 but the input has 2}}
  %0 = gaudi.mme.conv_weight_grad %x, %dy layout "NWC", "NWC", "OWI" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<2x8x3xf32>, tensor<1x4x4xf32> -> tensor<4x3x3xf32>
  return
}

// -----

// expected-note @+1 {{input defined here}}
func.func @weight_grad_size(%x: tensor<1x8x3xf32>, %dy: tensor<1x4x4xf32>) {
  // expected-error @+1 {{'gaudi.mme.conv_weight_grad' op output_grad size of W is 4; expected 3 from input size 8, pads 2, window 5 and stride 2}}
  %0 = gaudi.mme.conv_weight_grad %x, %dy layout "NWC", "NWC", "OWI" strides [2] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x3xf32>, tensor<1x4x4xf32> -> tensor<4x5x3xf32>
  return
}
