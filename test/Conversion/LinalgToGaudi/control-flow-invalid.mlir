// RUN: gaudi-opt %s --convert-linalg-to-gaudi -split-input-file -verify-diagnostics

func.func @bound_from_data(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{cannot convert scf.for: its bounds and step are not all constant; a loop is unrolled, so use constants or run it on the host}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<2xf32> {
    %1 = arith.addf %v, %v : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

func.func @condition_on_data(%x: tensor<f32>) -> tensor<f32> {
  %c1 = arith.constant 1.0 : f32
  // expected-error @below {{cannot convert scf.while: a loop that depends on data cannot be part of a recipe; unroll it or run it on the host}}
  %0 = scf.while (%v = %x) : (tensor<f32>) -> tensor<f32> {
    %s = tensor.extract %v[] : tensor<f32>
    %goes = arith.cmpf olt, %s, %c1 : f32
    scf.condition(%goes) %v : tensor<f32>
  } do {
  ^bb0(%v: tensor<f32>):
    %1 = arith.addf %v, %v : tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// The body is empty, yet each iteration counts.
func.func @endless(%x: tensor<f32>) -> tensor<f32> {
  %true = arith.constant true
  // expected-error @below {{cannot convert scf.while: its first 65536 iterations have more than 65536 ops; a loop is unrolled, so it must have a counter with a constant bound and fewer iterations, or run on the host}}
  %0 = scf.while (%v = %x) : (tensor<f32>) -> tensor<f32> {
    scf.condition(%true) %v : tensor<f32>
  } do {
  ^bb0(%v: tensor<f32>):
    scf.yield %v : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// Loops inside count together with the one around them.
func.func @too_many(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000 : index
  // expected-error @below {{cannot convert scf.for: 'scf.for' inside it: its first}}
  %0 = scf.for %i = %c0 to %many step %c1 iter_args(%v = %x) -> tensor<2xf32> {
    // expected-note @below {{this op}}
    %1 = scf.for %j = %c0 to %many step %c1 iter_args(%w = %v) -> tensor<2xf32> {
      %2 = arith.addf %w, %w : tensor<2xf32>
      scf.yield %2 : tensor<2xf32>
    }
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// The row need not exist where the branch is not taken, and a stride may lead
// outside from row 0.
func.func @guarded_read(%c: i1, %x: tensor<4x2xf32>, %i: index, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert scf.if: both branches would run, but 'tensor.extract_slice' has an effect besides its results, or reads at an index that may be outside}}
  %0 = scf.if %c -> tensor<2xf32> {
    %1 = tensor.extract_slice %x[%i, 0] [2, 1] [%i, 1] : tensor<4x2xf32> to tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  } else {
    scf.yield %y : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
