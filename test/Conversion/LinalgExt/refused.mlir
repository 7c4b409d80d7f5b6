// What is read but has no form on the device.
// RUN: gaudi-opt %s --convert-linalg-to-gaudi -split-input-file -verify-diagnostics

// expected-error @+1 {{cannot convert func.func: argument 1 has type 'tensor<?xi64>'}}
func.func @sizes_of_data(%i: tensor<5x1xi64>, %x: tensor<?xi64>) -> tensor<4xi64> {
  %one = arith.constant 1 : i64
  %u = tensor.empty() : tensor<5xi64>
  // expected-error @+1 {{cannot convert tm_tensor.scatter: operand 2 has type 'tensor<?xi64>': expected a static shape; export the model with inputs of fixed sizes}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<5xi64>, tensor<5x1xi64>) outs(%x : tensor<?xi64>) {
  ^bb0(%new: i64, %old: i64):
    tm_tensor.yield %one : i64
  } -> tensor<?xi64>
  // expected-error @+1 {{cannot convert tensor.cast: operand 0 has type 'tensor<?xi64>'}}
  %1 = tensor.cast %0 : tensor<?xi64> to tensor<4xi64>
  return %1 : tensor<4xi64>
}

// -----

func.func @index(%x: tensor<4xf32>) -> tensor<4xindex> {
  %e = arith.constant dense<[3, 1, 0, 2]> : tensor<4xindex>
  // expected-error @+1 {{cannot convert iree_linalg_ext.sort: it has elements of type 'index'; expected i64}}
  %0 = iree_linalg_ext.sort dimension(0) outs(%e : tensor<4xindex>) {
  ^bb0(%a: index, %b: index):
    %c = arith.cmpi slt, %a, %b : index
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----

func.func @masked(%x: tensor<4xf32>, %i: tensor<2xi64>, %m: tensor<2xi1>) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  // expected-error @+1 {{cannot convert iree_linalg_ext.gather: the device has no masked gather; gather all and select after it}}
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i, %m : tensor<4xf32>, tensor<2xi64>, tensor<2xi1>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @far_read(%x: tensor<4xf32>, %far: f32) -> tensor<4xf32> {
  // expected-error @+1 {{cannot convert iree_linalg_ext.sort: its comparator reads more than its arguments and constants}}
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %d = arith.addf %a, %far : f32
    %c = arith.cmpf olt, %d, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_comparison(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot convert iree_linalg_ext.sort: 'complex.abs' in the body has no kernel form}}
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %d = complex.create %a, %b : complex<f32>
    %e = complex.abs %d : complex<f32>
    %c = arith.cmpf olt, %e, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @complex_region(%x: tensor<2x4xf32>, %a: tensor<2xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  // expected-error @+1 {{cannot convert linalg.generic: 'complex.abs' in the body has no kernel form}}
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<2x4xf32>) outs(%e, %a : tensor<2x4xf32>, tensor<2xf32>) {
  ^bb0(%p: f32, %v: f32):
    %c = complex.create %p, %v : complex<f32>
    // expected-note @+1 {{computed by this op}}
    %s = complex.abs %c : complex<f32>
    tm_tensor.yield %s : f32
  } -> tensor<2x4xf32>, tensor<2xf32>
  return %0#0 : tensor<2x4xf32>
}

// -----

// The host runs the loop with the sort; only the other function is refused.
func.func @sort_in_loop(%x: tensor<4xf32>, %n: i64) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<4xf32> : i64 {
    %1 = tm_tensor.sort dimension(0) outs(%v : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.cmpf olt, %a, %b : f32
      tm_tensor.yield %c : i1
    } -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

func.func @refused(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.map ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) (%v: f32, %o: f32) {
    // expected-error @+1 {{cannot convert scf.for: its bounds and step are not all constant; the host cannot run it: it is inside another op}}
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%w = %v) -> f32 {
      %2 = arith.addf %w, %w : f32
      scf.yield %2 : f32
    }
    linalg.yield %1 : f32
  }
  return %0 : tensor<2xf32>
}
