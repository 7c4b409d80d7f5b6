// RUN: gaudi-opt %s --convert-linalg-to-gaudi -split-input-file -verify-diagnostics

// Inside a branch that is computed though it is not taken, a loop need not end.
func.func @in_branch(%c: i1, %x: tensor<f32>) -> tensor<f32> {
  %c1 = arith.constant 1.0 : f32
  // expected-error @below {{cannot convert scf.if: 'scf.while' inside it: its condition 'arith.cmpf' depends on data}}
  %0 = scf.if %c -> tensor<f32> {
    // expected-note @below {{this op}}
    %1 = scf.while (%v = %x) : (tensor<f32>) -> tensor<f32> {
      %s = tensor.extract %v[] : tensor<f32>
      %goes = arith.cmpf olt, %s, %c1 : f32
      scf.condition(%goes) %v : tensor<f32>
    } do {
    ^bb0(%v: tensor<f32>):
      %2 = arith.addf %v, %v : tensor<f32>
      scf.yield %2 : tensor<f32>
    }
    scf.yield %1 : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func @in_body(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.map ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) (%v: f32, %o: f32) {
    // expected-error @below {{cannot convert scf.for: its bounds and step are not all constant; the host cannot run it: it is inside another op}}
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%w = %v) -> f32 {
      %2 = arith.addf %w, %w : f32
      scf.yield %2 : f32
    }
    linalg.yield %1 : f32
  }
  return %0 : tensor<2xf32>
}

// -----

// expected-error @+1 {{cannot convert func.func: argument 0 has type 'tensor<?xf32>'}}
func.func @dynamic(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error-re @below {{cannot convert scf.for: its bounds and step are not all constant; the host cannot run it: a value of type 'tensor<?xf32>' lives across its ends; state is a static tensor or a scalar{{$}}}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<?xf32> {
    %1 = arith.addf %v, %v : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
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
