// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file -verify-diagnostics

func.func @captured_comparator(%a: tensor<4xf32>, %1: tensor<f32>, %2: tensor<f32>, %3: tensor<f32>,
                               // expected-note @below {{the value}}
                               %4: tensor<f32>, %5: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.sort: its region reads a value from outside}}
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = "stablehlo.compare"(%4, %5) {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_return(%a: tensor<2x3xf32>, %u: tensor<3xf32>) -> tensor<2xf32> {
  %i = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  // expected-error @below {{cannot convert stablehlo.reduce: its region must end in a return}}
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = "stablehlo.negate"(%y) : (tensor<f32>) -> tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @result_of_weight_gradient(%a: tensor<2x3x5xf32>, %f: tensor<2x4x2xf32>) -> tensor<3x4x9xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: dimension 2 has 9 window positions; expected 4}}
  %0 = "stablehlo.convolution"(%a, %f) {dimension_numbers = #stablehlo.conv<[f,b,0]x[i,o,0]->[b,f,0]>} : (tensor<2x3x5xf32>, tensor<2x4x2xf32>) -> tensor<3x4x9xf32>
  return %0 : tensor<3x4x9xf32>
}

// -----

func.func @result_of_input_gradient(%a: tensor<1x2x1xf32>, %f: tensor<1x1x1xf32>) -> tensor<1x4x1xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: dimension 1 has 4 window positions; expected 3}}
  %0 = "stablehlo.convolution"(%a, %f) {dimension_numbers = #stablehlo.conv<[b,0,f]x[0,i,o]->[b,0,f]>, lhs_dilation = array<i64: 2>} : (tensor<1x2x1xf32>, tensor<1x1x1xf32>) -> tensor<1x4x1xf32>
  return %0 : tensor<1x4x1xf32>
}

// -----

func.func @huge_splat(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.reverse: attribute 'dimensions' has 100000000000 entries}}
  %0 = "stablehlo.reverse"(%a) {dimensions = dense<0> : tensor<100000000000xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @indexed_and_batching(%a: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %i = "stablehlo.constant"() {value = dense<3> : tensor<4x1xi32>} : () -> tensor<4x1xi32>
  // expected-error @below {{cannot convert stablehlo.scatter: dimension 0 is batching, and also indexed or collapsed}}
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) {scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @collapsed_and_batching(%a: tensor<4x3xf32>, %i: tensor<4x1xi32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.gather: dimension 0 is batching, and also indexed or collapsed}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<4x3xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @empty_collapsed(%a: tensor<0xf32>, %i: tensor<2x1xi32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.gather: slice size 0 of dimension 0 does not fit}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0>} : (tensor<0xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @constant_without_result(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.constant: expected 1 results but got 0}}
  "stablehlo.constant"() {value = dense<1.0> : tensor<f32>} : () -> ()
  return %a : tensor<f32>
}

// -----

// A constant of a region is a number of the kernel.
func.func @resource_in_region(%a: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.reduce: its region has a constant that is not written out}}
  %0 = "stablehlo.reduce"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    // expected-note @below {{this op}}
    %c = "stablehlo.constant"() {value = dense_resource<blob> : tensor<f32>} : () -> tensor<f32>
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %t = "stablehlo.multiply"(%s, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%t) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @wide_dilation(%x: tensor<4096xf32>, %z: tensor<f32>) -> tensor<4096xf32> {
  // expected-error @below {{cannot convert stablehlo.reduce_window: dimension 0 of size 4096 cannot be dilated by 2147483648}}
  %0 = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 1>, base_dilations = array<i64: 2147483648>} : (tensor<4096xf32>, tensor<f32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

func.func @wide_window(%x: tensor<1x4x1xf32>, %w: tensor<1099511627776x1x1xf32>) -> tensor<1x4x1xf32> {
  // expected-error @below {{cannot convert stablehlo.convolution: the window of dimension 1 is too large}}
  %0 = "stablehlo.convolution"(%x, %w) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, rhs_dilation = array<i64: 2147483647>} : (tensor<1x4x1xf32>, tensor<1099511627776x1x1xf32>) -> tensor<1x4x1xf32>
  return %0 : tensor<1x4x1xf32>
}

// -----

func.func @nested_loops(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %n = "stablehlo.constant"() {value = dense<300> : tensor<i32>} : () -> tensor<i32>
  %m = "stablehlo.constant"() {value = dense<5000> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "stablehlo.while"(%z, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %c = "stablehlo.compare"(%i, %n) {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %1:2 = "stablehlo.while"(%z, %a) ({
    ^bb0(%j: tensor<i32>, %b: tensor<4xf32>):
      %c = "stablehlo.compare"(%j, %m) {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%j: tensor<i32>, %b: tensor<4xf32>):
      %d = "stablehlo.add"(%b, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %k = "stablehlo.add"(%j, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%k, %d) : (tensor<i32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    %k = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%k, %1#1) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %0#1 : tensor<4xf32>
}

// -----

func.func @dilated_selection(%x: tensor<4xf32>, %s: tensor<2xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.select_and_scatter: its window has no dilations}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 2>, window_dilations = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
