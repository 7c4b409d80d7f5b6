// RUN: gaudi-opt %s --gaudi-place-ops --gaudi-expand-kernels --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-emit-recipe="output=%t.recipe" -split-input-file -verify-diagnostics
// RUN: not ls %t.recipe

// Scalar ops that a recipe has no instruction for.
func.func @predicate(%x: tensor<4xf32>) -> tensor<4xi1> {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xi1> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xi1>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    // expected-error @+1 {{'arith.cmpf' has no form in a TPC kernel of a recipe}}
    %c = arith.cmpf true, %v, %v : f32
    gaudi.kernel.store %c, %out0[d0] : tensor<4xi1>
  }
  return %0 : tensor<4xi1>
}

// -----

func.func @op(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    %n = arith.constant 3 : i32
    // expected-error @+1 {{'math.fpowi' has no form in a TPC kernel of a recipe}}
    %p = math.fpowi %v, %n : f32, i32
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @constant_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    // expected-error @+1 {{'arith.constant' has no form in a TPC kernel of a recipe}}
    %n = arith.constant 3 : index
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @result_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    // expected-error @+1 {{'arith.fptosi' has no form in a TPC kernel of a recipe}}
    %n = arith.fptosi %v : f32 to i4
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @wide_float(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    // expected-error @+1 {{'arith.extf' has no form in a TPC kernel of a recipe}}
    %n = arith.extf %v : f32 to f64
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @two_results(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    %m = arith.constant 3 : i32
    // expected-error @+1 {{'arith.addui_extended' has no form in a TPC kernel of a recipe}}
    %a, %b = arith.addui_extended %m, %m : i32, i1
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// The value of a bf16 is kept as f32: it does not have the bits of a bf16.
func.func @narrow_bits(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    %b = arith.truncf %v : f32 to bf16
    // expected-error @+1 {{'arith.bitcast' has no form in a TPC kernel of a recipe}}
    %n = arith.bitcast %b : bf16 to i16
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @boolean_shift(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xi1>) -> tensor<4xi1> {
  ^bb0(%in0: tensor<4xi1>, %out0: tensor<4xi1>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xi1>
    // expected-error @+1 {{'arith.shli' has no form in a TPC kernel of a recipe}}
    %s = arith.shli %v, %v : i1
    gaudi.kernel.store %s, %out0[d0] : tensor<4xi1>
  }
  return %0 : tensor<4xi1>
}

// -----

func.func @too_much_work(%a: tensor<200000x200000xbf16>) -> tensor<200000x200000xbf16> {
  // expected-error @+1 {{needs 8000000000000000 multiply-adds, expected at most 1125899906842624 (2^50) in one command; compute the result in parts, such as slices of its rows}}
  %0 = gaudi.mme.gemm %a, %a : tensor<200000x200000xbf16>, tensor<200000x200000xbf16> -> tensor<200000x200000xbf16>
  return %0 : tensor<200000x200000xbf16>
}
