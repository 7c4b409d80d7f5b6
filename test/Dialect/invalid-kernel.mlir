// RUN: gaudi-opt %s -split-input-file -verify-diagnostics

func.func @parallel_count() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 2 index space dimensions but 1 in 'parallel'}}
  %0 = gaudi.tpc.kernel () index_space [4, 8] parallel [true] : () -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @many_dims() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 11 dimensions; a kernel has at most 10}}
  %0 = gaudi.tpc.kernel () index_space [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] parallel [false, false, false, false, false, false, false, false, false, false, false] : () -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @many_parallel() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 6 parallel dimensions; the index space of a TPC kernel has at most 5}}
  %0 = gaudi.tpc.kernel () index_space [1, 1, 1, 1, 1, 1] parallel [true, true, true, true, true, true] : () -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @size() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op index space dimension 1 has size 0; expected 1 or more}}
  %0 = gaudi.tpc.kernel () index_space [4, 0] parallel [true, true] : () -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
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
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @dynamic_result() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op result type 'tensor<?xf32>' must have a static shape}}
  %0 = gaudi.tpc.kernel () index_space [4, 8] parallel [true, true] : () -> tensor<?xf32> {
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @arguments() {
  // expected-error @+1 {{'gaudi.tpc.kernel' op body takes no block arguments}}
  %0 = "gaudi.tpc.kernel"() <{index_space = array<i64: 4>, parallel = array<i1: true>}> ({
  ^bb0(%a: f32):
    "gaudi.kernel.store"(%a) <{output = 0 : i64, map = affine_map<(d0) -> (d0)>}> : (f32) -> ()
  }) : () -> tensor<4xf32>
  return
}

// -----

func.func @foreign_op(%x: tensor<4xf32>) {
  // expected-note @+1 {{in this kernel}}
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (d0)> : f32
    // expected-error @+1 {{'builtin.unrealized_conversion_cast' op cannot stand in a TPC kernel; expected gaudi.kernel, arith or math ops}}
    %w = builtin.unrealized_conversion_cast %v : f32 to f32
    gaudi.kernel.store %w, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @no_store(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 0 stores of result 0; expected one}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
  }
  return
}

// -----

func.func @two_stores(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.kernel' op has 2 stores of result 0; expected one}}
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @index_alone(%v: f32) {
  // expected-error @+1 {{'gaudi.kernel.index' op must stand inside of gaudi.tpc.kernel}}
  %0 = gaudi.kernel.index 0
  return
}

// -----

func.func @load_alone(%v: f32) {
  // expected-error @+1 {{'gaudi.kernel.load' op must stand inside of gaudi.tpc.kernel}}
  %0 = gaudi.kernel.load 0 affine_map<() -> ()> : f32
  return
}

// -----

func.func @store_alone(%v: f32) {
  // expected-error @+1 {{'gaudi.kernel.store' op must stand inside of gaudi.tpc.kernel}}
  gaudi.kernel.store %v, 0 affine_map<() -> ()> : f32
  return
}

// -----

func.func @loop_alone(%v: f32) {
  // expected-error @+1 {{'gaudi.kernel.loop' op must stand inside of gaudi.tpc.kernel}}
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
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.index' op uses kernel dimension 2 but the index space has 2 dimensions}}
    %i = gaudi.kernel.index 2
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @index_negative(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.index' op uses kernel dimension -1 but the index space has 2 dimensions}}
    %i = gaudi.kernel.index -1
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @index_sequential(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.index' op uses sequential kernel dimension 1 outside of a loop over it}}
    %i = gaudi.kernel.index 1
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_operand(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op reads operand 1 but the kernel has 1}}
    %v = gaudi.kernel.load 1 affine_map<(d0, d1) -> (d0, 0)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_negative(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op reads operand -1 but the kernel has 1}}
    %v = gaudi.kernel.load -1 affine_map<(d0, d1) -> (d0, 0)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_type(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op gives 'i32' but elements of 'tensor<4x8xf32>' load as 'f32'}}
    %v = gaudi.kernel.load 0 affine_map<(d0, d1) -> (d0, 0)> : i32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_sequential(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op uses sequential kernel dimension 1 outside of a loop over it}}
    %v = gaudi.kernel.load 0 affine_map<(d0, d1) -> (d0, d1)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_map_dims(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op map has 1 dimensions and 0 symbols; expected the 2 dimensions of the index space and no symbols}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (d0, 0)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_map_symbols(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op map has 2 dimensions and 1 symbols; expected the 2 dimensions of the index space and no symbols}}
    %v = gaudi.kernel.load 0 affine_map<(d0, d1)[s0] -> (d0, s0)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_map_results(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op map has 1 results but the operand has type 'tensor<4x8xf32>'}}
    %v = gaudi.kernel.load 0 affine_map<(d0, d1) -> (d0)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_map_form(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op map result 1 must be a constant plus dimensions times constants}}
    %v = gaudi.kernel.load 0 affine_map<(d0, d1) -> (d0, d0 floordiv 2)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_outside(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op index 1 of the operand runs from 5 to 8, outside of [0, 8)}}
    %v = gaudi.kernel.load 0 affine_map<(d0, d1) -> (d0, d0 + 5)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_before(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op index 1 of the operand runs from -4 to -1, outside of [0, 8)}}
    %v = gaudi.kernel.load 0 affine_map<(d0, d1) -> (d0, -d0 - 1)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_overflow(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.load' op index 1 of the operand runs from 0 to 9223372036854775807, outside of [0, 8)}}
    %v = gaudi.kernel.load 0 affine_map<(d0, d1) -> (d0, d0 * 6148914691236517205)> : f32
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_indices(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op has 1 indices but 0 dynamic dimensions}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (0, 0)> at(%i) dims [] : f32
    gaudi.kernel.store %v, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_rules(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op has 1 boundary rules; expected one per dimension of 'tensor<4x8xf32>'}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (d0, 0)> boundary [#gaudi.boundary<clamp>] : f32
    gaudi.kernel.store %v, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_dynamic_inside(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op dynamic dimension 0 must have boundary rule clamp, pad or checked}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (0, 0)> at(%i) dims [0] : f32
    gaudi.kernel.store %v, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_dynamic_outside(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op dynamic dimension 2 does not exist in 'tensor<4x8xf32>'}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (0, 0)> at(%i) dims [2] : f32
    gaudi.kernel.store %v, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_dynamic_negative(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op dynamic dimension -1 does not exist in 'tensor<4x8xf32>'}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (0, 0)> at(%i) dims [-1] : f32
    gaudi.kernel.store %v, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_dynamic_twice(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op dynamic dimension 0 has two indices}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (0, 0)> at(%i, %i) dims [0, 0] boundary [#gaudi.boundary<checked>, #gaudi.boundary<inside>] : f32
    gaudi.kernel.store %v, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_clamp_empty(%x: tensor<4x0xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x0xf32>) -> tensor<4xf32> {
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op clamps dimension 1 of 'tensor<4x0xf32>', which has no elements}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (d0, 0)> boundary [#gaudi.boundary<inside>, #gaudi.boundary<clamp>] : f32
    gaudi.kernel.store %v, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_no_pad(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op with boundary rule pad needs a pad value of type 'f32'}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (d0, d0 + 7)> boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>] : f32
    gaudi.kernel.store %v, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @load_pad_type(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %i = gaudi.kernel.index 0
    // expected-error @+1 {{'gaudi.kernel.load' op with boundary rule pad needs a pad value of type 'f32'}}
    %v = gaudi.kernel.load 0 affine_map<(d0) -> (d0, d0 + 7)> boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>] pad 0 : i32 : f32
    gaudi.kernel.store %v, 0 affine_map<(d0) -> (d0)> : f32
  }
  return
}

// -----

func.func @store_result(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.store' op writes result 1 but the kernel has 1}}
    gaudi.kernel.store %one, 1 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @store_type(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %n = arith.constant 1 : i32
    // expected-error @+1 {{'gaudi.kernel.store' op stores 'i32' but elements of 'tensor<4xf32>' are stored from 'f32'}}
    gaudi.kernel.store %n, 0 affine_map<(d0, d1) -> (d0)> : i32
  }
  return
}

// -----

func.func @store_outside(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.store' op index 0 of the result runs from 1 to 4, outside of [0, 4)}}
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0 + 1)> : f32
  }
  return
}

// -----

func.func @store_map(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.store' op map has 2 results but the result has type 'tensor<4xf32>'}}
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0, d0)> : f32
  }
  return
}

// -----

func.func @loop_outside(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op walks dimension 2 but the index space has 2 dimensions}}
    gaudi.kernel.loop [2] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_negative(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op walks dimension -1 but the index space has 2 dimensions}}
    gaudi.kernel.loop [-1] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_parallel(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op walks dimension 0, which is parallel}}
    gaudi.kernel.loop [0] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_twice(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op walks dimension 1 twice}}
    gaudi.kernel.loop [1, 1] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_nothing(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op must walk a dimension}}
    gaudi.kernel.loop [] {
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_nested(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    gaudi.kernel.loop [1] {
      // expected-error @+1 {{'gaudi.kernel.loop' op must not stand inside of another loop}}
      gaudi.kernel.loop [1] {
        gaudi.kernel.yield
      }
      gaudi.kernel.yield
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_inits(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op has 1 reductions but 0 initial values}}
    "gaudi.kernel.loop"() <{dims = array<i64: 1>, reduce = [#gaudi.reduce<add>]}> ({
      gaudi.kernel.yield
    }) : () -> ()
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_terminator(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op must end in gaudi.kernel.yield}}
    gaudi.kernel.loop [1] {
      %two = arith.constant 2.0 : f32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_maxnum(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    %n = arith.constant 0 : i32
    // expected-error @+1 {{'gaudi.kernel.loop' op reduction maxnum does not take 'i32'}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<maxnum>] init(%n) : i32 {
    ^bb0(%a: i32):
      gaudi.kernel.yield %n : i32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_and(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op reduction and does not take 'f32'}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<and>] init(%one) : f32 {
    ^bb0(%a: f32):
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_yields(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    %n = arith.constant 0 : i32
    // expected-error @+1 {{'gaudi.kernel.loop' op has yielded types ('i32'); expected ('f32')}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) : f32 {
    ^bb0(%a: f32):
      gaudi.kernel.yield %n : i32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_yields_position(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op has yielded types ('f32'); expected ('f32', 'i64')}}
    %r:2 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<argmin>] init(%one) : f32, i64 {
    ^bb0(%a: f32):
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_results(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op has result types ('f32', 'f32'); expected ('f32')}}
    %r:2 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) : f32, f32 {
    ^bb0(%a: f32):
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_arguments(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op block arguments must have the types of the initial values}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) : f32 {
    ^bb0(%a: i32):
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_running(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'gaudi.kernel.loop' op reads the running value of reduction 0, which only a custom reduction may}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) : f32 {
    ^bb0(%a: f32):
      gaudi.kernel.yield %a : f32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_parse_inits(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{expected 1 initial values but got 2}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one, %one) : f32, f32 {
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}

// -----

func.func @loop_parse_types(%x: tensor<4x8xf32>) {
  %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{expected one result type per reduction, two for argmax and argmin}}
    %r = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%one) {
      gaudi.kernel.yield %one : f32
    }
    gaudi.kernel.store %one, 0 affine_map<(d0, d1) -> (d0)> : f32
  }
  return
}
