// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --allow-unregistered-dialect -split-input-file -verify-diagnostics

// All errors come in one run; the op between them is converted.
func.func @every_op_is_listed(%x: tensor<4x?xf32>, %i: tensor<4xi32>) -> (tensor<4x?xf32>, tensor<4xi32>) {
  // expected-error @below {{cannot convert stablehlo.add: operand 0 of type 'tensor<4x?xf32>' has the dynamic dimension 1; static shapes only}}
  %0 = "stablehlo.add"(%x, %x) : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = "stablehlo.add"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // expected-error @below {{cannot convert stablehlo.exponential: it is not defined for element type 'i32'}}
  %2 = "stablehlo.exponential"(%i) : (tensor<4xi32>) -> tensor<4xi32>
  // expected-error @below {{cannot convert stablehlo.fft: the device has no complex numbers; write real and imaginary parts as two tensors}}
  %3 = "stablehlo.fft"(%x) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0, %2 : tensor<4x?xf32>, tensor<4xi32>
}

// -----

func.func @no_rank(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @below {{cannot convert stablehlo.abs: operand 0 of type 'tensor<*xf32>' is not a ranked tensor}}
  %r = "stablehlo.abs"(%x) : (tensor<*xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

func.func @too_many_dims(%x: tensor<1x1x1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1x1x1xf32> {
  // expected-error @below {{cannot convert stablehlo.abs: operand 0 of type 'tensor<1x1x1x1x1x1x1x1x1xf32>' has more than 8 dimensions}}
  %r = "stablehlo.abs"(%x) : (tensor<1x1x1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1x1x1xf32>
  return %r : tensor<1x1x1x1x1x1x1x1x1xf32>
}

// -----

func.func @f64(%x: tensor<2xf64>) -> tensor<2xf64> {
  // expected-error @below {{cannot convert stablehlo.abs: operand 0 of type 'tensor<2xf64>' is of f64, which the device does not have; export the model in f32}}
  %r = "stablehlo.abs"(%x) : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

func.func @complex(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.complex: the device has no complex numbers; write real and imaginary parts as two tensors}}
  %c = "stablehlo.complex"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  // expected-error @below {{cannot convert stablehlo.real: the device has no complex numbers; write real and imaginary parts as two tensors}}
  %r = "stablehlo.real"(%c) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @operand_count(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.add: expected 2 operands but got 1}}
  %r = "stablehlo.add"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @result_count(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // expected-error @below {{cannot convert stablehlo.abs: expected 1 results but got 2}}
  %r:2 = "stablehlo.abs"(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// expected-note @below {{the operand}}
func.func @other_shape(%x: tensor<2xf32>, %y: tensor<1xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.add: the result of type 'tensor<2xf32>' has another shape than the operand of type 'tensor<1xf32>'}}
  %r = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// expected-note @below {{the operand}}
func.func @other_element(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.add: its operands have element types 'f32' and 'i32'}}
  %r = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @other_result(%x: tensor<2xf32>) -> tensor<2xi32> {
  // expected-error @below {{cannot convert stablehlo.abs: its result has element type 'i32' but its operands have 'f32'}}
  %r = "stablehlo.abs"(%x) : (tensor<2xf32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

func.func @missing(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{cannot convert stablehlo.transpose: attribute 'permutation' must name all 2 dimensions}}
  %r = "stablehlo.transpose"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

func.func @slice_missing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.iota: attribute 'iota_dimension' is missing}}
  %r = "stablehlo.iota"() : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @no_integers(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{cannot convert stablehlo.transpose: attribute 'permutation' is not a list of integers}}
  %r = "stablehlo.transpose"(%x) <{permutation = "10"}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

func.func @no_integer_entry(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{cannot convert stablehlo.transpose: attribute 'permutation' has an entry that is no integer}}
  %r = "stablehlo.transpose"(%x) <{permutation = [1, "0"]}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

func.func @float_entries(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{cannot convert stablehlo.transpose: attribute 'permutation' is not a list of integers}}
  %r = "stablehlo.transpose"(%x) <{permutation = dense<[1.0, 0.0]> : tensor<2xf32>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

func.func @number_outside(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{cannot convert stablehlo.concatenate: attribute 'dimension' must be one number from 0 to 0}}
  %r = "stablehlo.concatenate"(%x, %x) <{dimension = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @several_numbers(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{cannot convert stablehlo.concatenate: attribute 'dimension' must be one number from 0 to 0}}
  %r = "stablehlo.concatenate"(%x, %x) <{dimension = array<i64: 0, 0>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @wide_number(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{cannot convert stablehlo.concatenate: attribute 'dimension' is not a list of integers}}
  %r = "stablehlo.concatenate"(%x, %x) <{dimension = 36893488147419103232 : i128}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @dim_twice(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{cannot convert stablehlo.transpose: attribute 'permutation' has entry 1; expected distinct dimensions of a tensor of rank 2}}
  %r = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

func.func @dim_outside(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot convert stablehlo.reverse: attribute 'dimensions' has entry 2; expected distinct dimensions of a tensor of rank 2}}
  %r = "stablehlo.reverse"(%x) <{dimensions = array<i64: 2>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @dim_negative(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot convert stablehlo.reverse: attribute 'dimensions' has entry -1; expected distinct dimensions of a tensor of rank 2}}
  %r = "stablehlo.reverse"(%x) <{dimensions = array<i64: -1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @entry_count(%x: tensor<2x3xf32>) -> tensor<1x3xf32> {
  // expected-error @below {{cannot convert stablehlo.slice: attribute 'start_indices' has 1 entries; expected 2}}
  %r = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64: 1, 3>}> : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

func.func @no_fields(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  // expected-error @below {{cannot convert stablehlo.dot_general: attribute 'dot_dimension_numbers' is missing or has no fields}}
  %r = "stablehlo.dot_general"(%x, %y) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

func.func @text_for_fields(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  // expected-error @below {{cannot convert stablehlo.dot_general: attribute 'dot_dimension_numbers' is missing or has no fields}}
  %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = "lhs"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

func.func @unknown_function(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert chlo.trigamma: the op is not supported}}
  %r = "chlo.trigamma"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// The op with the region has no error of its own.
func.func @refused_region(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error @below {{cannot convert stablehlo.real: the device has no complex numbers; write real and imaginary parts as two tensors}}
    %s = "stablehlo.real"(%a) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @too_many_elements(%x: tensor<1099511627776x1099511627776xf32>) -> tensor<1099511627776x1099511627776xf32> {
  // expected-error @below {{cannot convert stablehlo.reverse: operand 0 of type 'tensor<1099511627776x1099511627776xf32>' has more than 1099511627776 elements}}
  %r = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<1099511627776x1099511627776xf32>) -> tensor<1099511627776x1099511627776xf32>
  return %r : tensor<1099511627776x1099511627776xf32>
}

// -----

func.func @wide_entries(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{cannot convert stablehlo.transpose: attribute 'permutation' has an entry that is no integer}}
  %r = "stablehlo.transpose"(%x) <{permutation = [36893488147419103232 : i128, 0]}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

// Regions of unregistered ops may have any order; these may not.
func.func @order(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error @below {{cannot convert stablehlo.add: it reads a value that is defined after it}}
    %s = "stablehlo.add"(%a, %t) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    // expected-note @below {{the value}}
    %t = "stablehlo.add"(%s, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @unsigned64(%x: tensor<2xui64>) -> tensor<2xui64> {
  // expected-error @below {{cannot convert stablehlo.abs: the device has no ui64, and this op reads it otherwise than i64; use ui32 or i64}}
  %r = "stablehlo.abs"(%x) : (tensor<2xui64>) -> tensor<2xui64>
  return %r : tensor<2xui64>
}

// -----

func.func @narrow(%x: tensor<2xi4>) -> tensor<2xi4> {
  // expected-error @below {{cannot convert stablehlo.negate: operand 0 of type 'tensor<2xi4>' has an element type that is not one of the device (f32, bf16, f16, f8E4M3FN, f8E5M2, i8 to i64, ui8 to ui32, i1)}}
  %r = "stablehlo.negate"(%x) : (tensor<2xi4>) -> tensor<2xi4>
  return %r : tensor<2xi4>
}
