// RUN: gaudi-opt %s -split-input-file -verify-diagnostics

func.func @parallel_count() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 2 index space dimensions but 1 in 'parallel'}}
  %0 = gaudi.tpc.kernel () index_space [4, 8] parallel [true] : () -> tensor<4xf32> {
  ^bb0(%out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @many_dims() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 11 dimensions; a kernel has at most 10}}
  %0 = gaudi.tpc.kernel () index_space [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] parallel [false, false, false, false, false, false, false, false, false, false, false] : () -> tensor<4xf32> {
  ^bb0(%out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @many_parallel() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 6 parallel dimensions; the index space of a TPC kernel has at most 5}}
  %0 = gaudi.tpc.kernel () index_space [1, 1, 1, 1, 1, 1] parallel [true, true, true, true, true, true] : () -> tensor<4xf32> {
  ^bb0(%out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @size() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op index space dimension 1 has size 0; expected 1 or more}}
  %0 = gaudi.tpc.kernel () index_space [4, 0] parallel [true, true] : () -> tensor<4xf32> {
  ^bb0(%out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @no_result() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op must have a result}}
  gaudi.tpc.kernel () index_space [4] parallel [true] : () -> () {
  }
  return
}

// -----

func.func @dynamic_operand(%x: tensor<?xf32>) {
  // expected-error @+1 {{'gaudi.tpc.kernel' op operand type 'tensor<?xf32>' must have a static shape}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, true] : (tensor<?xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<?xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @dynamic_result() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op result type 'tensor<?xf32>' must have a static shape}}
  %0 = gaudi.tpc.kernel () index_space [4, 8] parallel [true, true] : () -> tensor<?xf32> {
  ^bb0(%out0: tensor<?xf32>):
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, %out0[d0] : tensor<?xf32>
  }
  return
}

// -----

func.func @arguments() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op expects the arguments of its body to have the types of its inputs and results, ('tensor<4xf32>'), but they have ('f32')}}
  %0 = "gaudi.tpc.kernel"() <{index_space = array<i64: 4>, parallel = array<i1: true>}> ({
  // expected-note @+1 {{the first argument is here}}
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
  }) : () -> tensor<4xf32>
  return
}

// -----

func.func @foreign_op(%x: tensor<4xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    // expected-error @+1 {{'builtin.unrealized_conversion_cast' op cannot be in a TPC kernel; expected gaudi.kernel ops or arith and math ops on scalars}}
    %w = builtin.unrealized_conversion_cast %v : f32 to f32
    gaudi.kernel.store %w, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @tensor_op(%x: tensor<4xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    // expected-error @+1 {{'arith.negf' op cannot be in a TPC kernel; expected gaudi.kernel ops or arith and math ops on scalars}}
    %w = arith.negf %in0 : tensor<4xf32>
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @no_store(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 0 stores of result 0; expected one}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
  }
  return
}

// -----

func.func @two_stores(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 2 stores of result 0; expected one}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-note @+1 {{a store is here}}
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
    // expected-note @+1 {{a store is here}}
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @index_alone(%v: f32) {
  // expected-error @+1 {{'gaudi.kernel.index' op must be inside gaudi.tpc.kernel}}
  %0 = gaudi.kernel.index 0
  return
}

// -----

func.func @load_alone(%x: tensor<f32>) {
  // expected-error @+1 {{'gaudi.kernel.load' op must be inside gaudi.tpc.kernel}}
  %0 = gaudi.kernel.load %x[] : tensor<f32>
  return
}

// -----

func.func @store_alone(%x: tensor<f32>, %v: f32) {
  // expected-error @+1 {{'gaudi.kernel.store' op must be inside gaudi.tpc.kernel}}
  gaudi.kernel.store %v, %x[] : tensor<f32>
  return
}

// -----

func.func @loop_alone(%v: f32) {
  // expected-error @+1 {{'gaudi.kernel.loop' op must be inside gaudi.tpc.kernel}}
  gaudi.kernel.loop [0] {
    gaudi.kernel.yield
  }
  return
}

// -----

func.func @yield_alone() {
  // expected-error @+1 {{'gaudi.kernel.yield' op expects parent op 'gaudi.kernel.loop'}}
  gaudi.kernel.yield
}

// -----

func.func @index_outside(%x: tensor<4x8xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.index' op uses kernel dimension 2 but the index space has 2 dimensions}}
    %i = gaudi.kernel.index 2
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @index_negative(%x: tensor<4x8xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.index' op uses kernel dimension -1 but the index space has 2 dimensions}}
    %i = gaudi.kernel.index -1
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @index_sequential(%x: tensor<4x8xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.index' op uses sequential kernel dimension 1 outside a loop over it}}
    %i = gaudi.kernel.index 1
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_result(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op expects an argument of its kernel that stands for an input}}
    %v = gaudi.kernel.load %out0[d0] : tensor<4xf32>
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_constant(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-note @+1 {{the tensor is defined here}}
    %t = arith.constant dense<1.0> : tensor<4xf32>
    // expected-error @+1 {{'gaudi.kernel.load' op expects an argument of its kernel that stands for an input}}
    %v = gaudi.kernel.load %t[d0] : tensor<4xf32>
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_type(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op gives 'i32' but elements of 'tensor<4x8xf32>' load as 'f32'}}
    %v = "gaudi.kernel.load"(%in0) <{map = affine_map<(d0, d1) -> (d0, 0)>}> : (tensor<4x8xf32>) -> i32
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_sequential(%x: tensor<4x8xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op uses sequential kernel dimension 1 outside a loop over it}}
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<4x8xf32>
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_map_dims(%x: tensor<4x8xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op map has 3 dimensions and 0 symbols; expected the 2 dimensions of the index space and no symbols}}
    %v = gaudi.kernel.load %in0[d0, d2] : tensor<4x8xf32>
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_map_symbols(%x: tensor<4x8xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op map has 2 dimensions and 1 symbols; expected the 2 dimensions of the index space and no symbols}}
    %v = "gaudi.kernel.load"(%in0) <{map = affine_map<(d0, d1)[s0] -> (d0, s0)>}> : (tensor<4x8xf32>) -> f32
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_map_results(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op has 1 indices but the input has type 'tensor<4x8xf32>'}}
    %v = gaudi.kernel.load %in0[d0] : tensor<4x8xf32>
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_map_form(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op index 1 must be a constant plus dimensions times constants}}
    %v = gaudi.kernel.load %in0[d0, d0 floordiv 2] : tensor<4x8xf32>
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_outside(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op index 1 of the input runs from 5 to 8, outside [0, 8)}}
    %v = gaudi.kernel.load %in0[d0, d0 + 5] : tensor<4x8xf32>
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_before(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op index 1 of the input runs from -4 to -1, outside [0, 8)}}
    %v = gaudi.kernel.load %in0[d0, -d0 - 1] : tensor<4x8xf32>
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_overflow(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op index 1 of the input runs from 0 to 9223372036854775807, outside [0, 8)}}
    %v = gaudi.kernel.load %in0[d0, d0 * 6148914691236517205] : tensor<4x8xf32>
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_indices(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op has 1 indices but 0 dynamic dimensions}}
    %v = "gaudi.kernel.load"(%in0, %i) <{map = affine_map<(d0) -> (0, 0)>, boundary = [#gaudi.boundary<checked>, #gaudi.boundary<checked>]}> : (tensor<4x8xf32>, i64) -> f32
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_rules(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op has 1 boundary rules; expected one per dimension of 'tensor<4x8xf32>'}}
    %v = gaudi.kernel.load %in0[d0, 0] boundary [#gaudi.boundary<clamp>] : tensor<4x8xf32>
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_dynamic_inside(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    // expected-note @+1 {{its index is computed here}}
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op dynamic dimension 0 must have boundary rule clamp, pad or checked}}
    %v = gaudi.kernel.load %in0[%i, 0] : tensor<4x8xf32>
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_dynamic_outside(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op dynamic dimension 2 does not exist in 'tensor<4x8xf32>'}}
    %v = "gaudi.kernel.load"(%in0, %i) <{map = affine_map<(d0) -> (0, 0)>, dynamic_dims = array<i64: 2>, boundary = [#gaudi.boundary<checked>, #gaudi.boundary<checked>]}> : (tensor<4x8xf32>, i64) -> f32
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_dynamic_negative(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op dynamic dimension -1 does not exist in 'tensor<4x8xf32>'}}
    %v = "gaudi.kernel.load"(%in0, %i) <{map = affine_map<(d0) -> (0, 0)>, dynamic_dims = array<i64: -1>, boundary = [#gaudi.boundary<checked>, #gaudi.boundary<checked>]}> : (tensor<4x8xf32>, i64) -> f32
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_dynamic_twice(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op dynamic dimensions must ascend but 0 follows 0}}
    %v = "gaudi.kernel.load"(%in0, %i, %i) <{map = affine_map<(d0) -> (0, 0)>, dynamic_dims = array<i64: 0, 0>, boundary = [#gaudi.boundary<checked>, #gaudi.boundary<checked>]}> : (tensor<4x8xf32>, i64, i64) -> f32
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_dynamic_map(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op dynamic dimension 0 must have 0 in the map}}
    %v = "gaudi.kernel.load"(%in0, %i) <{map = affine_map<(d0) -> (d0, 0)>, dynamic_dims = array<i64: 0>, boundary = [#gaudi.boundary<checked>, #gaudi.boundary<checked>]}> : (tensor<4x8xf32>, i64) -> f32
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_clamp_empty(%x: tensor<4x0xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x0xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x0xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op clamps dimension 1 of 'tensor<4x0xf32>', which has no elements}}
    %v = gaudi.kernel.load %in0[d0, 0] boundary [#gaudi.boundary<inside>, #gaudi.boundary<clamp>] : tensor<4x0xf32>
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_no_pad(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op with boundary rule pad needs a pad value of type 'f32'}}
    %v = gaudi.kernel.load %in0[d0, d0 + 7] boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>] : tensor<4x8xf32>
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_pad_type(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op with boundary rule pad needs a pad value of type 'f32'}}
    %v = gaudi.kernel.load %in0[d0, d0 + 7] boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>] pad 0 : i32 : tensor<4x8xf32>
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @store_input(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.store' op expects an argument of its kernel that stands for a result}}
    gaudi.kernel.store %one, %in0[d0, 0] : tensor<4x8xf32>
  }
  return
}

// -----

func.func @store_type(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %n = arith.constant 1 : i32
    // expected-error @+1 {{'gaudi.kernel.store' op stores 'i32' but elements of 'tensor<4xf32>' are stored from 'f32'}}
    "gaudi.kernel.store"(%n, %out0) <{map = affine_map<(d0, d1) -> (d0)>}> : (i32, tensor<4xf32>) -> ()
  }
  return
}

// -----

func.func @store_outside(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.store' op index 0 of the result runs from 1 to 4, outside [0, 4)}}
    gaudi.kernel.store %one, %out0[d0 + 1] : tensor<4xf32>
  }
  return
}

// -----

func.func @store_map(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the tensor is defined here}}
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.store' op has 2 indices but the result has type 'tensor<4xf32>'}}
    gaudi.kernel.store %one, %out0[d0, d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_outside(%x: tensor<4x8xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op walks dimension 2 but the index space has 2 dimensions}}
    gaudi.kernel.loop [2] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_negative(%x: tensor<4x8xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op walks dimension -1 but the index space has 2 dimensions}}
    gaudi.kernel.loop [-1] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_parallel(%x: tensor<4x8xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op walks dimension 0, which is parallel}}
    gaudi.kernel.loop [0] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_twice(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op walks dimension 1 twice}}
    gaudi.kernel.loop [1, 1] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_nothing(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op must walk a dimension}}
    gaudi.kernel.loop [] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_nested(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-note @+1 {{the outer loop is here}}
    gaudi.kernel.loop [1] {
      // expected-error @+1 {{'gaudi.kernel.loop' op must not be inside another loop}}
      gaudi.kernel.loop [1] {
        gaudi.kernel.yield
      }
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_inits(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op has 1 reductions but 0 initial values}}
    "gaudi.kernel.loop"() <{dims = array<i64: 1>, reduce = [#gaudi.reduce<add>]}> ({
      gaudi.kernel.yield
    }) : () -> ()
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_terminator(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op must end in gaudi.kernel.yield}}
    gaudi.kernel.loop [1] {
      // expected-note @+1 {{the last op is here}}
      %two = arith.constant 2.0 : f32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_maxnum(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-note @+1 {{the initial value is here}}
    %n = arith.constant 0 : i32
    // expected-error @+1 {{'gaudi.kernel.loop' op reduction maxnum does not take 'i32'}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<maxnum>] init(%n) : i32 {
    ^bb0(%a: i32):
      gaudi.kernel.yield %n : i32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_and(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    // expected-note @+1 {{the initial value is here}}
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op reduction and does not take 'f32'}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<and>] init(%one) : f32 {
    ^bb0(%a: f32):
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_boolean(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-note @+1 {{the initial value is here}}
    %n = arith.constant true
    // expected-error @+1 {{'gaudi.kernel.loop' op reduction add does not take 'i1'}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%n) : i1 {
    ^bb0(%a: i1):
      gaudi.kernel.yield %n : i1
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_unsigned_boolean(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-note @+1 {{the initial value is here}}
    %n = arith.constant true
    // expected-error @+1 {{'gaudi.kernel.loop' op reduction maxu does not take 'i1'}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<maxu>] init(%n) : i1 {
    ^bb0(%a: i1):
      gaudi.kernel.yield %n : i1
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_yields(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    %n = arith.constant 0 : i32
    // expected-error @+1 {{'gaudi.kernel.loop' op has yielded types ('i32'); expected ('f32')}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) : f32 {
    ^bb0(%a: f32):
      // expected-note @+1 {{they are yielded here}}
      gaudi.kernel.yield %n : i32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_yields_position(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op has yielded types ('f32'); expected ('f32', 'i64')}}
    %r:2 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<argmin>] init(%one) : f32, i64 {
    ^bb0(%a: f32):
      // expected-note @+1 {{they are yielded here}}
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_results(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op has result types ('f32', 'f32'); expected ('f32')}}
    %r:2 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) : f32, f32 {
    ^bb0(%a: f32):
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_arguments(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op block arguments must have the types of the initial values}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) : f32 {
    ^bb0(%a: i32):
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_accumulator(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op reads the accumulator of reduction 0, which only a custom reduction may}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) : f32 {
    ^bb0(%a: f32):
      // expected-note @+1 {{it is read here}}
      gaudi.kernel.yield %a : f32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_parse_inits(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{expected 1 initial values but got 2}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one, %one) : f32, f32 {
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @loop_parse_types(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{expected one result type per reduction, two for argmax and argmin}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) {
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_parse_type(%x: tensor<4xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    // expected-error @+1 {{expected a tensor of an element type of the device but got 'tensor<4xindex>'}}
    %v = gaudi.kernel.load %in0[d0] : tensor<4xindex>
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @store_parse_index(%x: tensor<4xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %i = gaudi.kernel.index 0
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    // expected-error @+1 {{unexpected ssa identifier}}
    gaudi.kernel.store %v, %out0[%i] : tensor<4xf32>
  }
  return
}

// -----

func.func @load_without_map(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %o: tensor<4xf32>):
    // expected-error @+1 {{requires attribute 'map'}}
    %v = "gaudi.kernel.load"(%a) : (tensor<4xf32>) -> f32
    gaudi.kernel.store %v, %o[d0] : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @round_to_f32(%x: tensor<4xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    // expected-error @+1 {{'gaudi.kernel.round_to' op rounds to 'f32'; expected bf16, f16, f8E4M3FN or f8E5M2}}
    %w = gaudi.kernel.round_to %v f32 <toward_zero>
    gaudi.kernel.store %w, %out0[d0] : tensor<4xf32>
  }
  return
}

// -----

func.func @round_without_word(%x: tensor<4xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    // expected-error @+1 {{'gaudi.kernel.round_to' op rounds stochastic_normal but has no random words}}
    %w = gaudi.kernel.round_to %v bf16 <stochastic_normal>
    gaudi.kernel.store %w, %out0[d0] : tensor<4xf32>
  }
  return
}
