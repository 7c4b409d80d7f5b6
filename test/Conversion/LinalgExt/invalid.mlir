// RUN: gaudi-opt %s -split-input-file -verify-diagnostics

// Syntax.

func.func @clause(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'outs(' or a clause such as 'dimension(0)' before it}}
  %0 = tm_tensor.sort axis(0) outs(%x : tensor<4xf32>)
}

// -----

func.func @twice(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dimension' is given twice}}
  %0 = tm_tensor.sort dimension(0) dimension(0) outs(%x : tensor<4xf32>)
}

// -----

func.func @open(%x: tensor<4xf32>) {
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  // expected-error @+1 {{'return' has no dialect; expected 'dialect.op', or a brace that closes a region before it}}
  return
}

// -----

// Operands and results.

func.func @segments(%x: tensor<4xf32>) {
  // expected-error @+1 {{'operandSegmentSizes' must be the numbers of inputs and outputs, together 1}}
  %0 = "tm_tensor.sort"(%x) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>}> ({}) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @results(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 2 outputs but 1 results; expected one result per output tensor}}
  %0 = "tm_tensor.sort"(%x, %x) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 2>}> ({}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @memref(%x: memref<4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{operand 0 is 'memref<4xf32>'; expected a ranked tensor}}
  %0 = "tm_tensor.sort"(%x, %y) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>}> ({}) : (memref<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @result_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{result 0 has type 'tensor<5xf32>'; expected that of output 0, 'tensor<4xf32>'}}
  %0 = "tm_tensor.sort"(%x) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({}) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @inputs(%x: tensor<4xf32>, %a: tensor<f32>) {
  // expected-error @+1 {{has 2 inputs; expected 1}}
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x, %a : tensor<4xf32>, tensor<f32>) -> tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @few_inputs(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 2 inputs; expected 3 to 5}}
  %0 = tm_tensor.attention ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @outputs(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 1 outputs; expected 2}}
  %0 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Shapes.

func.func @dimension(%x: tensor<4xf32>, %a: tensor<f32>) {
  // expected-error @+1 {{dimension 1 is out of range for rank 1}}
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4xf32>) outs(%x, %a : tensor<4xf32>, tensor<f32>) -> tensor<4xf32>, tensor<f32>
  return
}

// -----

// expected-note @+1 {{the other operand is made here}}
func.func @shape(%x: tensor<4xf32>, %y: tensor<5xf32>, %a: tensor<f32>) {
  // expected-error @+1 {{operands have other shapes than expected: 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%y, %a : tensor<5xf32>, tensor<f32>) -> tensor<5xf32>, tensor<f32>
  return
}

// -----

// expected-note @+1 {{the other operand is made here}}
func.func @element(%x: tensor<4xf32>, %y: tensor<4xi32>, %a: tensor<f32>) {
  // expected-error @+1 {{operands have different element types: 'f32' and 'i32'}}
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xf32>) outs(%y, %a : tensor<4xi32>, tensor<f32>) -> tensor<4xi32>, tensor<f32>
  return
}

// -----

// expected-note @+1 {{the other operand is made here}}
func.func @accumulator(%x: tensor<2x4xf32>, %a: tensor<4xf32>) {
  // expected-error @+1 {{the accumulator has type 'tensor<4xf32>'; expected the shape of the input without dimension 1}}
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<2x4xf32>) outs(%x, %a : tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @sorted(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 2 inputs and 1 outputs; expected as many, or only outputs}}
  %0 = iree_linalg_ext.sort dimension(0) ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the other operand is made here}}
func.func @best(%x: tensor<2x4xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{operands have other shapes than expected but for dimension 1: 'tensor<2x4xf32>' and 'tensor<3x2xf32>'}}
  %0 = iree_linalg_ext.topk_v2 dimension(1) ins(%x : tensor<2x4xf32>) outs(%y : tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @positions(%x: tensor<4xf32>, %v: tensor<2xf32>) {
  // expected-error @+1 {{its indices must be integers}}
  %0:2 = tm_tensor.topk dimension(0) ins(%x : tensor<4xf32>) outs(%v, %v : tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32>
  return
}

// -----

// Regions.

func.func @no_region(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a region of one block}}
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{its region takes ('f32'); expected ('f32', 'f32')}}
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    %c = arith.cmpf olt, %a, %a : f32
    tm_tensor.yield %c : i1
  } -> tensor<4xf32>
  return
}

// -----

func.func @end(%x: tensor<4xf32>) {
  // expected-error @+1 {{its region must end in a yield}}
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @yielded(%x: tensor<4xf32>) {
  // expected-error @+1 {{its region yields ('f32'); expected ('i1')}}
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    // expected-note @+1 {{yielded here}}
    tm_tensor.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----

// Scatter and gather.

func.func @map(%x: tensor<4x3xf32>, %i: tensor<2x2xi64>, %u: tensor<2xf32>) {
  // expected-error @+1 {{'dimension_map' names dimension 0; expected distinct dimensions of a tensor of rank 2}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 0>} unique_indices(false) ins(%u, %i : tensor<2xf32>, tensor<2x2xi64>) outs(%x : tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @indices(%x: tensor<4x3xf32>, %i: tensor<2x2xf32>, %u: tensor<2xf32>) {
  // expected-error @+1 {{its indices must be integers}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%u, %i : tensor<2xf32>, tensor<2x2xf32>) outs(%x : tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// expected-note @+1 {{the other operand is made here}}
func.func @updates(%x: tensor<4x3xf32>, %i: tensor<2x2xi64>, %u: tensor<5xf32>) {
  // expected-error @+1 {{the shapes of indices, 'tensor<2x2xi64>', and updates, 'tensor<5xf32>', do not fit together for 2 indexed dimensions of 'tensor<4x3xf32>'}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%u, %i : tensor<5xf32>, tensor<2x2xi64>) outs(%x : tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @not_indexed(%x: tensor<4x3xf32>, %i: tensor<2x1xi64>, %u: tensor<2x3xf32>) {
  // expected-error @+1 {{dimension 0 is neither indexed nor one of the slices}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 1>} unique_indices(false) ins(%u, %i : tensor<2x3xf32>, tensor<2x1xi64>) outs(%x : tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// expected-note @+1 {{the other operand is made here}}
func.func @large_window(%x: tensor<4x3xf32>, %i: tensor<2x1xi64>, %u: tensor<2x5xf32>) {
  // expected-error @+1 {{the updates have size 5 in dimension 1; the indexed tensor has 3}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<2x5xf32>, tensor<2x1xi64>) outs(%x : tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// expected-note @+1 {{the other operand is made here}}
func.func @small_window(%x: tensor<4x3xf32>, %i: tensor<2x1xi64>, %o: tensor<2x2xf32>) {
  // expected-error @+1 {{the results have size 2 in dimension 1; the indexed tensor has 3}}
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<4x3xf32>, tensor<2x1xi64>) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @mask(%x: tensor<4xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) {
  // expected-error @+1 {{its mask has element type 'i64'; expected i1}}
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i, %i : tensor<2xf32>, tensor<2xi64>, tensor<2xi64>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the other operand is made here}}
func.func @mask_shape(%x: tensor<4xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>, %m: tensor<3xi1>) {
  // expected-error @+1 {{the mask has type 'tensor<3xi1>'; expected one element per slice of the updates}}
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i, %m : tensor<2xf32>, tensor<2xi64>, tensor<3xi1>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Attention.

// expected-note @+1 {{the other operand is made here}}
func.func @ranks(%q: tensor<2x4xf32>, %k: tensor<1x2x4xf32>) {
  // expected-error @+1 {{without indexing maps all tensors must have one rank, 2 or more; found 'tensor<2x4xf32>' and 'tensor<1x2x4xf32>'}}
  %0 = tm_tensor.attention ins(%q, %k, %k : tensor<2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) outs(%q : tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// expected-note @+1 {{the other operand is made here}}
func.func @head_sizes(%q: tensor<2x4xf32>, %k: tensor<2x5xf32>) {
  // expected-error @+1 {{dimension 1 of its maps has size 5 in 'tensor<2x5xf32>' but 4 in 'tensor<2x4xf32>'}}
  %0 = tm_tensor.attention ins(%q, %k, %k : tensor<2x4xf32>, tensor<2x5xf32>, tensor<2x5xf32>) outs(%q : tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @maps(%q: tensor<2x4xf32>) {
  // expected-error @+1 {{has 1 indexing maps with results; expected one for each of 4 tensors}}
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, s, d, n) -> (m, d)>]} ins(%q, %q, %q : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) outs(%q : tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @map_dims(%q: tensor<2x4xf32>) {
  // expected-error @+1 {{its indexing maps differ in their dimensions}}
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, s, d, n) -> (m, d)>, affine_map<(m, s, d) -> (s, d)>, affine_map<(m, s, d, n) -> (s, n)>, affine_map<(m, s, d, n) -> (m, n)>]} ins(%q, %q, %q : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) outs(%q : tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @map_rank(%q: tensor<2x4xf32>) {
  // expected-error @+1 {{indexing map affine_map<(d0, d1, d2, d3) -> (d1)> does not give each dimension of 'tensor<2x4xf32>' one dimension of the op}}
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, s, d, n) -> (m, d)>, affine_map<(m, s, d, n) -> (s)>, affine_map<(m, s, d, n) -> (s, n)>, affine_map<(m, s, d, n) -> (m, n)>]} ins(%q, %q, %q : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) outs(%q : tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @score(%q: tensor<2x4xf32>) {
  // expected-error @+1 {{its region must take one score}}
  %0 = iree_linalg_ext.attention ins(%q, %q, %q : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) outs(%q : tensor<2x4xf32>) {
  ^bb0(%a: i32):
    iree_linalg_ext.yield %a : i32
  } -> tensor<2x4xf32>
  return
}

// -----

func.func @bodies(%q: tensor<2x4xf32>) {
  // expected-error @+1 {{expected at most one region}}
  %0 = "iree_linalg_ext.attention"(%q, %q, %q, %q) ({}, {}) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @scalars(%q: tensor<2x4xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected query, key, value and a result that are tensors with dimensions}}
  %0 = iree_linalg_ext.attention ins(%q, %q, %s : tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>) outs(%q : tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @masks(%q: tensor<2x4xf32>, %m: tensor<2x2xf32>) {
  // expected-error @+1 {{has 2 tensors beside query, key, value and result; expected at most a scale and a mask}}
  %0 = iree_linalg_ext.attention ins(%q, %q, %q, %m, %m : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x2xf32>, tensor<2x2xf32>) outs(%q : tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @types(%q: tensor<2x4xi32>) {
  // expected-error @+1 {{query, key, value and result have element type 'i32'; expected floats}}
  %0 = iree_linalg_ext.attention ins(%q, %q, %q : tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>) outs(%q : tensor<2x4xi32>) -> tensor<2x4xi32>
  return
}
