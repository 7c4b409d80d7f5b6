// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-verify-phase="phase=memory"

module {
  // expected-error @+1 {{after phase 'memory': a module holds functions only}}
  ml_program.global private @g(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
  func.func @main() {
    return
  }
}

// -----

// expected-error @+1 {{after phase 'memory': the module has no function with a body}}
module {
  func.func private @external(tensor<4xf32>)
}

// -----

// expected-error @+1 {{after phase 'memory': function 'main' has 2 blocks; expected one (control flow between blocks cannot run on the device)}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}

// -----

// expected-error @+2 {{after phase 'memory': argument 0 has type 'f32'; expected a static tensor of a device type (f32, bf16, f16, f8E4M3FN, f8E5M2, i8 to i64, ui8 to ui32, i1)}}
// expected-error @+1 {{after phase 'memory': argument 1 has type 'tensor<?xf32>'; expected a static tensor of a device type}}
func.func @main(%x: f32, %y: tensor<?xf32>) {
  return
}

// -----

// expected-error @+1 {{after phase 'memory': argument 0 has type 'tensor<4xf64>'; expected a static tensor of a device type}}
func.func @main(%x: tensor<4xf64>) {
  return
}

// -----

// expected-error @+1 {{after phase 'memory': argument 0 has rank 9; a device tensor has at most 8 dimensions}}
func.func @main(%x: tensor<1x1x1x1x1x1x1x1x1xf32>) {
  return
}

// -----

// expected-error @+2 {{after phase 'memory': argument 0 has type 'tensor<9223372036854775807xf32>', which takes more than 2^47 bytes}}
// expected-error @+1 {{after phase 'memory': argument 1 has type 'tensor<4611686018427387904x4xi8>', which takes more than 2^47 bytes}}
func.func @main(%x: tensor<9223372036854775807xf32>, %y: tensor<4611686018427387904x4xi8>) {
  return
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{after phase 'memory': 'arith.addf' remains; expected ops of the gaudi dialect only}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main() {
  // expected-error @+1 {{after phase 'memory': result 0 has type 'tensor<?xf32>'; expected a static tensor of a device type}}
  %0 = gaudi.fill 1.0 : f32 {engine = #gaudi.engine<dma>} : tensor<?xf32>
  return
}

// -----

func.func @main(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{after phase 'memory': 'gaudi.transpose' has no engine; run gaudi-place-ops first}}
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @main(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{after phase 'memory': 'gaudi.tpc.exp' remains; expected its kernel}}
  %0 = gaudi.tpc.exp %x : tensor<4x8xf32>
  return
}

// -----

// expected-note @+1 {{it is an argument}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{after phase 'memory': output 0 has no buffer of its own}}
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note @+1 {{both are this value}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>} : tensor<4xf32>
  // expected-error @+1 {{after phase 'memory': output 1 shares the buffer of output 0}}
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{after phase 'memory': function 'main' has no 'gaudi.persistent_bytes', which gaudi-assign-buffers gives; compile the model by --gaudi-compile}}
func.func @main(%x: tensor<4xf32>) {
  return
}

// -----

// expected-error @+1 {{after phase 'memory': a value of type 'tensor<4xf32>' has no buffer}}
func.func @main(%x: tensor<4xf32>) attributes {gaudi.persistent_bytes = 128 : i64, gaudi.const_bytes = 0 : i64, gaudi.workspace_bytes = 0 : i64} {
  return
}

// -----

func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>})
    attributes {gaudi.persistent_bytes = 128 : i64, gaudi.const_bytes = 0 : i64, gaudi.workspace_bytes = 128 : i64} {
  // expected-error @+1 {{after phase 'memory': a value of type 'tensor<4xf32>' has no buffer}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, []>]} : tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the sizes of the sections are given here}}
func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>})
    attributes {gaudi.persistent_bytes = 128 : i64, gaudi.const_bytes = 0 : i64, gaudi.workspace_bytes = 128 : i64} {
  // expected-error @+1 {{after phase 'memory': bytes 116 to 132 are outside the workspace section of 128 bytes}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 116, [1]>]} : tensor<4xf32>
  return
}

// -----

// A value that is read later keeps its bytes.
func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>}) -> tensor<4xf32>
    attributes {gaudi.persistent_bytes = 128 : i64, gaudi.const_bytes = 0 : i64, gaudi.workspace_bytes = 128 : i64} {
  // expected-note @+1 {{by this value}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 8, [1]>]} : tensor<4xf32>
  // expected-error @+1 {{after phase 'memory': bytes 16 to 32 of the workspace section are still in use}}
  %1 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 16, [1]>]} : tensor<4xf32>
  %2 = gaudi.concat %0 axis 0 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 64, [1]>]} : tensor<4xf32> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// A kernel may write over an operand that ends with it...
func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}) -> tensor<4x4xf32>
    attributes {gaudi.persistent_bytes = 128 : i64, gaudi.const_bytes = 0 : i64, gaudi.workspace_bytes = 64 : i64} {
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<4x4xf32>
  %1 = gaudi.tpc.kernel (%0) index_space [4, 4] parallel [true, true] {gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%in0: tensor<4x4xf32>, %out0: tensor<4x4xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<4x4xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<4x4xf32>
  }
  %2 = gaudi.concat %1 axis 0 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 64, [4, 1]>]} : tensor<4x4xf32> -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// ... unless points read what other points write,
func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}) -> tensor<4x4xf32>
    attributes {gaudi.persistent_bytes = 128 : i64, gaudi.const_bytes = 0 : i64, gaudi.workspace_bytes = 64 : i64} {
  // expected-note @+1 {{by this value}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<4x4xf32>
  // expected-error @+1 {{after phase 'memory': bytes 0 to 64 of the workspace section are still in use}}
  %1 = gaudi.tpc.kernel (%0) index_space [4, 4] parallel [true, true] {gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%in0: tensor<4x4xf32>, %out0: tensor<4x4xf32>):
    %v = gaudi.kernel.load %in0[d1, d0] : tensor<4x4xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<4x4xf32>
  }
  %2 = gaudi.concat %1 axis 0 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 64, [4, 1]>]} : tensor<4x4xf32> -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// ... or the operand has a later reader.
func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}) -> tensor<8x4xf32>
    attributes {gaudi.persistent_bytes = 256 : i64, gaudi.const_bytes = 0 : i64, gaudi.workspace_bytes = 64 : i64} {
  // expected-note @+1 {{by this value}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<4x4xf32>
  // expected-error @+1 {{after phase 'memory': bytes 0 to 64 of the workspace section are still in use}}
  %1 = gaudi.tpc.kernel (%0) index_space [4, 4] parallel [true, true] {gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%in0: tensor<4x4xf32>, %out0: tensor<4x4xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<4x4xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<4x4xf32>
  }
  %2 = gaudi.concat %0, %1 axis 0 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 64, [4, 1]>]} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// -----

// The bytes of an argument are never free.
// expected-note @+1 {{by this value}}
func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>}) -> tensor<4xf32>
    attributes {gaudi.persistent_bytes = 128 : i64, gaudi.const_bytes = 0 : i64, gaudi.workspace_bytes = 0 : i64} {
  // expected-error @+1 {{after phase 'memory': bytes 0 to 16 of the persistent section are still in use}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 0, [1]>]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.state = 4 : i64', but the function has 1 results, which count from 0}}
func.func @main(%x: tensor<4xf32> {gaudi.state = 4 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// Only the next value of a state may be written over an argument.
// expected-note @+1 {{by this value}}
func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>}, %y: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 128, [1]>, gaudi.state = 0 : i64}) -> tensor<4xf32> attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 256 : i64, gaudi.workspace_bytes = 0 : i64} {
  // expected-error @+1 {{after phase 'memory': bytes 0 to 16 of the persistent section are still in use}}
  %0 = gaudi.fill 1.0 : f32 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 0, [1]>]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// And only where the state is not read after that.
// expected-note @+1 {{by this value}}
func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>, gaudi.state = 0 : i64}) -> (tensor<4xf32>, tensor<4xf32>) attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 256 : i64, gaudi.workspace_bytes = 0 : i64} {
  // expected-error @+1 {{after phase 'memory': bytes 0 to 16 of the persistent section are still in use}}
  %0 = gaudi.fill 1.0 : f32 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 0, [1]>]} : tensor<4xf32>
  %1 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 128, [1]>]} : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A state nobody reads may be written by any op.
func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>, gaudi.state = 0 : i64}) -> tensor<4xf32> attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 128 : i64, gaudi.workspace_bytes = 0 : i64} {
  %0 = gaudi.fill 1.0 : f32 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 0, [1]>]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{after phase 'memory': step @other of 'gaudi.program' is neither a part of it nor a loop with a variable of type i1}}
func.func private @main() attributes {gaudi.program = [@other]}
func.func @other() {
  return
}

// -----

// expected-error @+1 {{after phase 'memory': step ["v", [@part]] of 'gaudi.program' is neither a part of it nor a loop with a variable of type i1}}
func.func private @main() attributes {gaudi.program = [["v", [@part]]]}
func.func @part(%v: tensor<2xi1> {gaudi.state, gaudi.variable = "v"}) attributes {gaudi.part_of = @main} {
  return
}

// -----

// expected-error @+1 {{after phase 'memory': 'gaudi.part_of' names no function with a program}}
func.func @part() attributes {gaudi.part_of = @main} {
  return
}

// -----

// expected-note @+1 {{its program is here}}
func.func private @main(tensor<2xf32>) -> tensor<2xf32> attributes {gaudi.program = [@part]}
// expected-error @+2 {{after phase 'memory': argument 0 is neither that of a variable nor one of '@main'}}
// expected-error @+1 {{after phase 'memory': result 0 is neither that of a variable nor one of '@main'}}
func.func @part(%x: tensor<f32> {gaudi.parameter = 0 : i64}) -> (tensor<f32> {gaudi.output = 1 : i64}) attributes {gaudi.part_of = @main} {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{after phase 'memory': '@main' has a body and 'gaudi.program'; a function has one of them}}
func.func @main() attributes {gaudi.program = [@part]} {
  return
}
func.func @part() attributes {gaudi.part_of = @main} {
  return
}

// -----

// expected-error @+1 {{after phase 'memory': a part is before '@main', whose program launches it; move it after}}
func.func @part() attributes {gaudi.part_of = @main} {
  return
}
// expected-note @+1 {{its program is here}}
func.func private @main() attributes {gaudi.program = [@part]}
