// RUN: gaudi-opt %s -split-input-file -verify-diagnostics

// expected-note @+1 {{operand defined here}}
func.func @rank(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.add' op operand 1 has type 'tensor<8xf32>' but the result has type 'tensor<4x8xf32>'; expected equal ranks}}
  %0 = gaudi.tpc.add %a, %b : tensor<4x8xf32>, tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @size(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) {
  // expected-error @+1 {{'gaudi.tpc.mul' op operand 1 has type 'tensor<4x2xf32>' but the result has type 'tensor<4x8xf32>'; expected size 8 or 1 in dimension 1}}
  %0 = gaudi.tpc.mul %a, %b : tensor<4x8xf32>, tensor<4x2xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @all_one(%a: tensor<1x8xf32>, %b: tensor<1x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.sub' op result dimension 0 has size 4 but every operand has size 1}}
  %0 = gaudi.tpc.sub %a, %b : tensor<1x8xf32>, tensor<1x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// expected-note @+1 {{the second one defined here}}
func.func @mixed_operands(%a: tensor<4xf32>, %b: tensor<4xbf16>) {
  // expected-error @+1 {{'gaudi.tpc.max' op operands have element types 'f32' and 'bf16'; expected one type}}
  %0 = gaudi.tpc.max %a, %b : tensor<4xf32>, tensor<4xbf16> -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the second one defined here}}
func.func @mixed_choice(%c: tensor<4xi1>, %a: tensor<4xi8>, %b: tensor<4xui8>) {
  // expected-error @+1 {{'gaudi.tpc.select' op operands have element types 'i8' and 'ui8'; expected one type}}
  %0 = gaudi.tpc.select %c, %a, %b : tensor<4xi1>, tensor<4xi8>, tensor<4xui8> -> tensor<4xi8>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @result_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pow' op operands have element type 'f32' but the result has 'bf16'}}
  %0 = gaudi.tpc.pow %a, %a : tensor<4xf32>, tensor<4xf32> -> tensor<4xbf16>
  return
}

// -----

func.func @clamp_bounds(%a: tensor<4xbf16>) {
  // expected-error @+1 {{'gaudi.tpc.clamp' op bounds must have type 'f32' but got 'bf16'}}
  %0 = gaudi.tpc.clamp %a min 0.0 : bf16 max 1.0 : bf16 : tensor<4xbf16>
  return
}

// -----

func.func @clamp_integer(%a: tensor<4xi32>) {
  // expected-error @+1 {{'gaudi.tpc.clamp' op bounds must have type 'i32' but got 'i64'}}
  %0 = gaudi.tpc.clamp %a min 0 : i32 max 1 : i64 : tensor<4xi32>
  return
}

// -----

func.func @element(%a: tensor<4xf64>) {
  // expected-error @+1 {{'gaudi.tpc.exp' op operand #0 must be ranked tensor of f32, bf16, f16, f8E4M3FN or f8E5M2 values, but got 'tensor<4xf64>'}}
  %0 = gaudi.tpc.exp %a : tensor<4xf64>
  return
}

// -----

func.func @unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{'gaudi.tpc.neg' takes tensors whose rank is known, such as tensor<2x3xf32>, but here is 'tensor<*xf32>'}}
  %0 = gaudi.tpc.neg %a : tensor<*xf32>
  return
}

// -----

func.func @words_missing(%a: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.round_to' op rounds stochastic but has no random words}}
  %0 = gaudi.tpc.round_to %a <stochastic> : tensor<4xf32> -> tensor<4xf8E5M2>
  return
}

// -----

func.func @words_unread(%a: tensor<4xf32>, %w: tensor<4xi32>) {
  // expected-error @+1 {{'gaudi.tpc.round_to' op rounds toward_zero, which reads no words}}
  %0 = gaudi.tpc.round_to %a random %w <toward_zero> : tensor<4xf32>, tensor<4xi32> -> tensor<4xf8E5M2>
  return
}

// -----

func.func @limit_between_numbers(%a: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.round_to' op saturates at 2.500000e+02; expected a positive number of 'f8E4M3FN'}}
  %0 = gaudi.tpc.round_to %a <nearest_even> saturate 250.0 : tensor<4xf32> -> tensor<4xf8E4M3FN>
  return
}

// -----

func.func @limit_of_zero(%a: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.round_to' op saturates at 0.000000e+00; expected a positive number of 'bf16'}}
  %0 = gaudi.tpc.round_to %a <nearest_even> saturate 0.0 : tensor<4xf32> -> tensor<4xbf16>
  return
}
