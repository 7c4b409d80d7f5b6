// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @reduce_regions(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: expected one operand and one initial value per result, and one region}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_operands(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: expected one operand and one initial value per result, and one region}}
  %r = "stablehlo.reduce"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_shape(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce: operand, initial value, region and result 0 must agree in element type and shape}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @reduce_init(%x: tensor<4xf32>, %z: tensor<1xf32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: operand, initial value, region and result 0 must agree in element type and shape}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<1xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_init_element(%x: tensor<4xf32>, %z: tensor<i32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: operand, initial value, region and result 0 must agree in element type and shape}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_region_element(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: operand, initial value, region and result 0 must agree in element type and shape}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_region_arguments(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region must take two scalars per result and return one}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %s = "stablehlo.abs"(%a) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_region_results(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region must take two scalars per result and return one}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s, %s) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_empty_region(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region must have one block}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_vector_region(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region has an argument of type 'tensor<1xf32>'; expected scalars of device types}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<1xf32>, %b: tensor<1xf32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    "stablehlo.return"(%s) : (tensor<1xf32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_memref_region(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region has an argument of type 'f32'; expected scalars of device types}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: f32, %b: f32):
    "stablehlo.return"(%a) : (f32) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_region_op(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region has an op that is not scalar arithmetic}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-note @below {{this op}}
    %s = "other.op"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_region_no_result(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region has an op that is not scalar arithmetic}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-note @below {{this op}}
    "other.op"(%a) : (tensor<f32>) -> ()
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// expected-note @below {{the value}}
func.func @reduce_region_outside(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region reads a value from outside}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %z) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// expected-note @below {{the value}}
func.func @reduce_returns_outside(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region returns a value from outside}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%z) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @reduce_no_return(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region must end in a return}}
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @window_count(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: attribute 'window_dimensions' has 2 entries; expected 4}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @window_rank(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<3x3xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: operand and result must have one rank}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @window_zero(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: window sizes, strides and dilations must be 1 or more but one is 0}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 0, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @window_stride(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: window sizes, strides and dilations must be 1 or more but one is -1}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, -1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @window_padding(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: the padding is too large}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [4294967296, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @window_padding_lowest(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: the padding is too large}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [-9223372036854775808, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @window_base(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: dimension 1 has 3 window positions; expected 6442450944}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, base_dilations = array<i64: 1, 2147483648, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @window_base_zero(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: window sizes, strides and dilations must be 1 or more but one is 0}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, base_dilations = array<i64: 1, 0, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @window_positions(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x4x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: dimension 1 has 4 window positions; expected 3}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x4x3x1xf32>
  return %r : tensor<1x4x3x1xf32>
}

// -----

func.func @window_no_region(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: expected one operand and one initial value per result, and one region}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @window_init(%x: tensor<1x4x4x1xf32>, %z: tensor<1xf32>) -> tensor<1x3x3x1xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: operand, initial value, region and result 0 must agree in element type and shape}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}

// -----

func.func @window_result_element(%x: tensor<1x4x4x1xf32>, %z: tensor<f32>) -> tensor<1x3x3x1xi32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: operand, initial value, region and result 0 must agree in element type and shape}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xi32>
  return %r : tensor<1x3x3x1xi32>
}

// -----

func.func @window_dims(%x: tensor<3x3x3x3x3x3xi1>, %z: tensor<i1>) -> tensor<2x2x2x2x2x2xi1> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: it needs a TPC kernel of 12 dimensions; there are at most 10}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 2, 2, 2, 2, 2>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = "stablehlo.xor"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }) : (tensor<3x3x3x3x3x3xi1>, tensor<i1>) -> tensor<2x2x2x2x2x2xi1>
  return %r : tensor<2x2x2x2x2x2xi1>
}

// -----

func.func @window_parallel_dims(%x: tensor<3x3x3x3x3x3xi1>, %z: tensor<i1>) -> tensor<2x3x3x3x3x3xi1> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: it needs a TPC kernel with a loop and 6 parallel dimensions; there are at most 5}}
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2, 1, 1, 1, 1, 1>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = "stablehlo.xor"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }) : (tensor<3x3x3x3x3x3xi1>, tensor<i1>) -> tensor<2x3x3x3x3x3xi1>
  return %r : tensor<2x3x3x3x3x3xi1>
}

// -----

func.func @scatter_regions(%x: tensor<1x4x4x1xf32>, %y: tensor<1x3x3x1xf32>, %z: tensor<f32>) -> tensor<1x4x4x1xf32> {
  // expected-error @below {{cannot convert stablehlo.select_and_scatter: expected the regions 'select' and 'scatter'}}
  %r = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<1x3x3x1xf32>, tensor<f32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}

// -----

func.func @scatter_element(%x: tensor<1x4x4x1xf32>, %y: tensor<1x3x3x1xi32>, %z: tensor<f32>) -> tensor<1x4x4x1xf32> {
  // expected-error @below {{cannot convert stablehlo.select_and_scatter: operands, regions and result must agree in element type}}
  %r = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<1x3x3x1xi32>, tensor<f32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}

// -----

func.func @scatter_select(%x: tensor<1x4x4x1xf32>, %y: tensor<1x3x3x1xf32>, %z: tensor<f32>) -> tensor<1x4x4x1xf32> {
  // expected-error @below {{cannot convert stablehlo.select_and_scatter: operands, regions and result must agree in element type}}
  %r = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<1x3x3x1xf32>, tensor<f32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}

// -----

func.func @scatter_combiner(%x: tensor<1x4x4x1xf32>, %y: tensor<1x3x3x1xf32>, %z: tensor<f32>) -> tensor<1x4x4x1xf32> {
  // expected-error @below {{cannot convert stablehlo.select_and_scatter: only additions can be scattered}}
  // expected-note @below {{the region}}
  %r = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<1x3x3x1xf32>, tensor<f32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}

// -----

func.func @scatter_init(%x: tensor<1x4x4x1xf32>, %y: tensor<1x3x3x1xf32>, %z: tensor<1xf32>) -> tensor<1x4x4x1xf32> {
  // expected-error @below {{cannot convert stablehlo.select_and_scatter: operands, regions and result must agree in element type}}
  %r = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x1xf32>, tensor<1x3x3x1xf32>, tensor<1xf32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}

// -----

func.func @window_shapes(%x: tensor<4xf32>, %t: tensor<5xf32>, %z: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // expected-error @below {{cannot convert stablehlo.reduce_window: operand, initial value, region and result 1 must agree in element type and shape}}
  %0:2 = "stablehlo.reduce_window"(%x, %t, %z, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %s: tensor<f32>, %b: tensor<f32>, %u: tensor<f32>):
    "stablehlo.return"(%a, %s) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @window_region(%x: tensor<4xf32>, %z: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // expected-error @below {{cannot convert stablehlo.reduce_window: its region must take two scalars per result and return one}}
  %0:2 = "stablehlo.reduce_window"(%x, %x, %z, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}
