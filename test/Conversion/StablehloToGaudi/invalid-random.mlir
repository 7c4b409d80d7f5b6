// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --split-input-file --verify-diagnostics

func.func @operands(%s: tensor<2xui64>) -> tensor<2xui32> {
  // expected-error @below {{cannot convert stablehlo.rng_bit_generator: expected one state as operand; state and bits as results}}
  %r = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> tensor<2xui32>
  return %r : tensor<2xui32>
}

// -----

func.func @algorithm(%s: tensor<2xui64>) -> tensor<2xui32> {
  // expected-error @below {{cannot convert stablehlo.rng_bit_generator: attribute 'rng_algorithm' must be THREE_FRY, PHILOX or DEFAULT}}
  %r:2 = "stablehlo.rng_bit_generator"(%s) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  return %r#1 : tensor<2xui32>
}

// -----

func.func @long_state(%s: tensor<3xui64>) -> tensor<2xui32> {
  // expected-error @below {{cannot convert stablehlo.rng_bit_generator: a state of THREE_FRY has 2 elements of 64 bits, or 4 of 32 bits; its type is 'tensor<3xi64>'}}
  %r:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2xui32>)
  return %r#1 : tensor<2xui32>
}

// -----

func.func @float_state(%s: tensor<4xf32>) -> tensor<2xui32> {
  // expected-error @below {{cannot convert stablehlo.rng_bit_generator: a state of PHILOX has 2 or 3 elements of 64 bits, or 4 of 32 bits; its type is 'tensor<4xf32>'}}
  %r:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<4xf32>) -> (tensor<4xf32>, tensor<2xui32>)
  return %r#1 : tensor<2xui32>
}

// -----

func.func @new_state(%s: tensor<2xui64>) -> tensor<3xui64> {
  // expected-error @below {{cannot convert stablehlo.rng_bit_generator: the new state must have the type of the old one}}
  %r:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<3xui64>, tensor<2xui32>)
  return %r#0 : tensor<3xui64>
}

// -----

func.func @bool_bits(%s: tensor<2xui64>) -> tensor<2xi1> {
  // expected-error @below {{cannot convert stablehlo.rng_bit_generator: bits cannot be of i1}}
  %r:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xi1>)
  return %r#1 : tensor<2xi1>
}

// -----

func.func @distribution(%a: tensor<f32>, %s: tensor<1xi64>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.rng: attribute 'rng_distribution' must be UNIFORM or NORMAL}}
  %r = "stablehlo.rng"(%a, %a, %s) : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @bounds(%a: tensor<f32>, %b: tensor<2xf32>, %s: tensor<1xi64>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.rng: operand 1 must be a scalar of type 'f32'}}
  %r = "stablehlo.rng"(%a, %b, %s) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @normal_integers(%a: tensor<i32>, %s: tensor<1xi64>) -> tensor<2xi32> {
  // expected-error @below {{cannot convert stablehlo.rng: a distribution NORMAL is not defined for element type 'i32'}}
  %r = "stablehlo.rng"(%a, %a, %s) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

func.func @threefry_words(%k: tensor<ui32>, %x: tensor<4xui32>) -> tensor<4xui32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: operands and results must have one type of 32-bit words}}
  %r:2 = "stablehlo.custom_call"(%k, %k, %x, %x) <{call_target_name = "cu_threefry2x32"}> : (tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>)
  return %r#0 : tensor<4xui32>
}

// -----

func.func @threefry_operands(%x: tensor<4xui32>) -> tensor<4xui32> {
  // expected-error @below {{cannot convert stablehlo.custom_call: expected two words of keys and two of counters}}
  %r = "stablehlo.custom_call"(%x) <{call_target_name = "cu_threefry2x32"}> : (tensor<4xui32>) -> tensor<4xui32>
  return %r : tensor<4xui32>
}
