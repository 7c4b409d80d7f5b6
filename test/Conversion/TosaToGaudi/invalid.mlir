// RUN: gaudi-opt %s --convert-tosa-to-gaudi -split-input-file -verify-diagnostics

func.func @every_op_is_listed(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>, %i: tensor<4xi32>) -> (tensor<4x?xf32>, tensor<4xi32>) {
  // expected-error @below {{cannot convert tosa.add: dynamic dimension 1 of operand 0 of type 'tensor<4x?xf32>': expected a static shape; export the model with inputs of fixed sizes and without sizes that depend on data}}
  %0 = tosa.add %x, %y : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %1 = tosa.add %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // expected-error @below {{cannot convert tosa.exp: dynamic dimension 1 of operand 0 of type 'tensor<4x?xf32>': expected a static shape; export the model with inputs of fixed sizes and without sizes that depend on data}}
  %2 = tosa.exp %0 : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // expected-error @below {{cannot convert tosa.exp: expected a float element type but got 'i32'}}
  %3 = tosa.exp %1 : (tensor<4xi32>) -> tensor<4xi32>
  return %2, %3 : tensor<4x?xf32>, tensor<4xi32>
}

// -----

func.func @no_rank(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @below {{cannot convert tosa.exp: operand 0 of type 'tensor<*xf32>' has no rank: expected a static shape; export the model with inputs of fixed sizes and without sizes that depend on data}}
  %0 = tosa.exp %x : (tensor<*xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @narrow_arithmetic(%x: tensor<2xi4>, %y: tensor<2xi8>) -> (tensor<2xi4>, tensor<2xi4>) {
  // expected-error @below {{cannot convert tosa.add: the device has i48 as i64 and i4 as i8, but the result depends on the width; cast to i8 to i64 first}}
  %0 = tosa.add %x, %x : (tensor<2xi4>, tensor<2xi4>) -> tensor<2xi4>
  // expected-error @below {{cannot convert tosa.cast: the device has i48 as i64 and i4 as i8, but the result depends on the width; cast to i8 to i64 first}}
  %1 = tosa.cast %y : (tensor<2xi8>) -> tensor<2xi4>
  return %0, %1 : tensor<2xi4>, tensor<2xi4>
}

// -----

func.func @elements(%x: tensor<4xi32>, %b: tensor<4xi1>, %f: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) {
  // expected-error @below {{cannot convert tosa.add: expected a float or integer element type but got 'i1'}}
  %0 = tosa.add %b, %b : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // expected-error @below {{cannot convert tosa.clz: expected an integer element type but got 'f32'}}
  %1 = tosa.clz %f : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{cannot convert tosa.bitwise_not: expected an integer or i1 element type but got 'f32'}}
  %2 = tosa.bitwise_not %f : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @reduce_all(%f: tensor<4xf32>) -> tensor<1xf32> {
  // expected-error @below {{cannot convert tosa.reduce_all: expected an i1 element type but got 'f32'}}
  %3 = tosa.reduce_all %f {axis = 0 : i32} : (tensor<4xf32>) -> tensor<1xf32>
  return %3 : tensor<1xf32>
}

// -----

// expected-note @below {{it is computed here}}
func.func @zero_points(%x: tensor<4xi8>, %z: tensor<1xi8>) -> tensor<4xi8> {
  // expected-error @below {{cannot convert tosa.negate: expected 'input1_zp' to be a constant; pass the zero point as tosa.const}}
  %0 = tosa.negate %x, %z, %z : (tensor<4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// expected-note @below {{it is computed here}}
func.func @float_zero_point(%x: tensor<4xf32>, %z: tensor<1xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert tosa.negate: expected 'input1_zp' of a float tensor to be the constant 0}}
  %0 = tosa.negate %x, %z, %z : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @shape_elsewhere() -> tensor<2xindex> {
  // expected-error @below {{cannot convert tosa.const_shape: a shape is used by 'builtin.unrealized_conversion_cast', which has no static form}}
  %0 = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-note @below {{used here}}
  %1 = builtin.unrealized_conversion_cast %0 : !tosa.shape<2> to tensor<2xindex>
  return %1 : tensor<2xindex>
}

// -----

func.func @many_dimensions(%a: tensor<2x1x2x1x2x1xi32>, %b: tensor<1x2x1x2x1x2xi32>) -> tensor<2x2x2x2x2x2xi32> {
  %s = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @below {{cannot convert tosa.mul: 6 dimensions remain after collapsing those that are broadcast alike, but a TPC kernel has at most 5}}
  %0 = tosa.mul %a, %b, %s : (tensor<2x1x2x1x2x1xi32>, tensor<1x2x1x2x1x2xi32>, tensor<1xi8>) -> tensor<2x2x2x2x2x2xi32>
  return %0 : tensor<2x2x2x2x2x2xi32>
}

// -----

func.func @mixed_product(%a: tensor<1x4x8xf32>, %b: tensor<1x8x4xi8>) -> tensor<1x4x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %bz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @below {{cannot convert tosa.matmul: expected operands and result to be all floats or all integers but got 'f32', 'i8' and 'f32'}}
  %0 = tosa.matmul %a, %b, %z, %bz : (tensor<1x4x8xf32>, tensor<1x8x4xi8>, tensor<1xf32>, tensor<1xi8>) -> tensor<1x4x4xf32>
  return %0 : tensor<1x4x4xf32>
}

// -----

func.func @narrow_product(%a: tensor<1x4x8xi16>, %b: tensor<1x8x4xi16>) -> tensor<1x4x4xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  // expected-error @below {{cannot convert tosa.matmul: the result is narrower than the operands}}
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x4x8xi16>, tensor<1x8x4xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x4x4xi8>
  return %0 : tensor<1x4x4xi8>
}

// -----

func.func @table_type(%x: tensor<4xi32>, %t: tensor<513xi16>) -> tensor<4xi32> {
  // expected-error @below {{cannot convert tosa.table: expected an i8 or i16 input}}
  %0 = tosa.table %x, %t : (tensor<4xi32>, tensor<513xi16>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @table_size(%x: tensor<4xi8>, %t: tensor<255xi8>) -> tensor<4xi8> {
  // expected-error @below {{cannot convert tosa.table: expected 256 entries in 'table' but got 255}}
  %0 = tosa.table %x, %t : (tensor<4xi8>, tensor<255xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @table_width(%x: tensor<4xi8>, %t: tensor<256xi16>) -> tensor<4xi8> {
  // expected-error @below {{cannot convert tosa.table: expected the entries of 'table' to be no wider than the result}}
  %0 = tosa.table %x, %t : (tensor<4xi8>, tensor<256xi16>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @argmax(%x: tensor<4xf32>) -> tensor<i8> {
  // expected-error @below {{cannot convert tosa.argmax: expected an i32 or i64 result}}
  %0 = tosa.argmax %x {axis = 0 : i32} : (tensor<4xf32>) -> tensor<i8>
  return %0 : tensor<i8>
}

// -----

func.func @tile(%x: tensor<4xf32>) -> tensor<6xf32> {
  %m = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-error @below {{cannot convert tosa.tile: expected result dimension 0 to be a multiple of 4 but got 6}}
  %0 = tosa.tile %x, %m : (tensor<4xf32>, !tosa.shape<1>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @pad(%x: tensor<4xf32>) -> tensor<3xf32> {
  %p = tosa.const_shape {values = dense<[-1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %v = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-error @below {{cannot convert tosa.pad: expected 'padding' to be 0 or more but got -1}}
  %0 = tosa.pad %x, %p, %v : (tensor<4xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @custom(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert tosa.custom: no meaning is known for custom operator 'swizzle' of domain 'vendor'; replace it by ops of a known dialect}}
  %0 = tosa.custom %x {operator_name = "swizzle", domain_name = "vendor", implementation_attrs = ""} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

module {
  // expected-error @below {{cannot convert tosa.variable: run --convert-variables-to-state first}}
  tosa.variable @state = dense<1.0> : tensor<4xf32>
  func.func @variables(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{cannot convert tosa.variable_read: run --convert-variables-to-state first}}
    %0 = tosa.variable_read @state : tensor<4xf32>
    // expected-error @below {{cannot convert tosa.variable_write: run --convert-variables-to-state first}}
    tosa.variable_write @state, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

func.func private @print(tensor<i32>)
func.func @effect(%c: tensor<i1>, %x: tensor<i32>) -> tensor<i32> {
  // expected-error @below {{cannot convert tosa.cond_if: both branches would run, but 'func.call' has an effect besides its results}}
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<i32> {
    // expected-note @below {{this op}}
    func.call @print(%x) : (tensor<i32>) -> ()
    tosa.yield %x : tensor<i32>
  } else {
    tosa.yield %x : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

func.func @bad_branch(%c: tensor<i1>, %x: tensor<i32>) -> tensor<i32> {
  // expected-error @below {{cannot convert tosa.cond_if: its branch contains 'tosa.exp', which cannot be converted}}
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<i32> {
    tosa.yield %x : tensor<i32>
  } else {
    // expected-note @below {{this op}}
    // expected-error @below {{cannot convert tosa.exp: expected a float element type but got 'i32'}}
    %1 = tosa.exp %x : (tensor<i32>) -> tensor<i32>
    tosa.yield %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

func.func @blocks(%a: tensor<1x4x32xf8E4M3FN>, %as: tensor<1x4x1xf8E8M0FNU>) -> tensor<1x4x32xf32> {
  // expected-error @below {{cannot convert tosa.cast_from_block_scaled: block-scaled formats are not supported}}
  %0 = tosa.cast_from_block_scaled %a, %as {block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<1x4x32xf8E4M3FN>, tensor<1x4x1xf8E8M0FNU>) -> tensor<1x4x32xf32>
  return %0 : tensor<1x4x32xf32>
}

// -----

func.func @no_shape(%x: tensor<4xf32>) -> tensor<2xf32> {
  %a = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  %b = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-note @below {{the expression is here}}
  %c = tosa.div_floor_shape %a, %b : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  // expected-error @below {{cannot convert tosa.slice: the shape expression of 'start' has no value}}
  %0 = tosa.slice %x, %c, %a : (tensor<4xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @dynamic_result(%x: tensor<4x6xf32>) -> tensor<4x?xf32> {
  %s = tosa.const_shape {values = dense<[4, 6]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @below {{cannot convert tosa.reshape: dynamic dimension 1 of result 0 of type 'tensor<4x?xf32>': expected a static shape; export the model with inputs of fixed sizes and without sizes that depend on data}}
  %0 = tosa.reshape %x, %s : (tensor<4x6xf32>, !tosa.shape<2>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

// The comparison of a sum depends on the precision of f64, so all f64 stays.
func.func @decides_in_f64(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  // expected-error @below {{cannot convert tosa.cast: element type 'f64' of result 0 is not a type of the device (f32, bf16, f16, f8E4M3FN, f8E5M2, i8 to i64, ui8 to ui32, i1)}}
  %a = tosa.cast %x : (tensor<4xf32>) -> tensor<4xf64>
  // expected-error @below {{cannot convert tosa.cast: element type 'f64' of result 0 is not a type of the device}}
  %b = tosa.cast %y : (tensor<4xf32>) -> tensor<4xf64>
  // expected-error @below {{cannot convert tosa.add: element type 'f64' of operand 0 is not a type of the device}}
  %s = tosa.add %a, %b : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  // expected-error @below {{cannot convert tosa.greater: element type 'f64' of operand 0 is not a type of the device}}
  %0 = tosa.greater %s, %b : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// f32 does not hold all numbers of i32.
func.func @integers_in_f64(%x: tensor<4xi32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert tosa.cast: element type 'f64' of result 0 is not a type of the device}}
  %a = tosa.cast %x : (tensor<4xi32>) -> tensor<4xf64>
  // expected-error @below {{cannot convert tosa.cast: element type 'f64' of operand 0 is not a type of the device}}
  %0 = tosa.cast %a : (tensor<4xf64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A limit that f32 flushes to zero.
func.func @tiny_limit_in_f64(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert tosa.cast: element type 'f64' of result 0 is not a type of the device}}
  %a = tosa.cast %x : (tensor<4xf32>) -> tensor<4xf64>
  // expected-error @below {{cannot convert tosa.clamp: element type 'f64' of operand 0 is not a type of the device}}
  %b = tosa.clamp %a {min_val = 1.0e-300 : f64, max_val = 1.0 : f64} : (tensor<4xf64>) -> tensor<4xf64>
  // expected-error @below {{cannot convert tosa.cast: element type 'f64' of operand 0 is not a type of the device}}
  %0 = tosa.cast %b : (tensor<4xf64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elided_wide() -> tensor<400xi48> {
  // expected-error @+1 {{cannot convert tosa.const: its elements of a width that the device does not have are not in the text; print the model with all its constants}}
  %0 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<400xi48>}> : () -> tensor<400xi48>
  return %0 : tensor<400xi48>
}
