// Windows on buffers that would change a value.
// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-verify-phase="phase=memory"

// What is read after an update of its bytes.
func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}, %s: tensor<1x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 128, [4, 1]>}) -> tensor<4x4xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 384 : i64, gaudi.workspace_bytes = 64 : i64} {
  // expected-note @+1 {{as this value}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<4x4xf32>
  // expected-error @+1 {{after phase 'memory': the update overwrites bytes 0 to 64 of the workspace section, which are read again later}}
  %1 = gaudi.insert_slice %s into %0 offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<1x4xf32> into tensor<4x4xf32>
  %2 = gaudi.mme.gemm %0, %1 {gaudi.buffers = [#gaudi.buffer<persistent, 256, [4, 1]>]} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// A window beside the updated rows is not changed.
func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}, %s: tensor<1x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 128, [4, 1]>}) -> tensor<1x4xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 384 : i64, gaudi.workspace_bytes = 64 : i64} {
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<4x4xf32>
  %1 = gaudi.slice %0 offsets [3, 0] strides [1, 1] {gaudi.buffers = [#gaudi.buffer<workspace, 48, [4, 1]>]} : tensor<4x4xf32> -> tensor<1x4xf32>
  %2 = gaudi.insert_slice %s into %0 offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<1x4xf32> into tensor<4x4xf32>
  %3 = gaudi.mme.gemm %1, %2 {gaudi.buffers = [#gaudi.buffer<persistent, 256, [4, 1]>]} : tensor<1x4xf32>, tensor<4x4xf32> -> tensor<1x4xf32>
  return %3 : tensor<1x4xf32>
}

// -----

func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}) -> tensor<4x4xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 384 : i64, gaudi.workspace_bytes = 64 : i64} {
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<4x4xf32>
  // expected-note @+1 {{as this value}}
  %1 = gaudi.slice %0 offsets [0, 0] strides [1, 1] {gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<4x4xf32> -> tensor<2x4xf32>
  // expected-error @+1 {{after phase 'memory': the update overwrites bytes 0 to 32 of the workspace section, which are read by the same op}}
  %2 = gaudi.insert_slice %1 into %0 offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<2x4xf32> into tensor<4x4xf32>
  %3 = gaudi.mme.gemm %2, %2 {gaudi.buffers = [#gaudi.buffer<persistent, 256, [4, 1]>]} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// -----

// An argument that is no state keeps its elements.
// expected-note @+1 {{it is here}}
func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}, %s: tensor<1x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 128, [4, 1]>}) -> tensor<4x4xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 384 : i64, gaudi.workspace_bytes = 64 : i64} {
  // expected-error @+1 {{after phase 'memory': the update changes an argument in place; expected a state or a value of the launch}}
  %0 = gaudi.insert_slice %s into %x offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 0, [4, 1]>]} : tensor<1x4xf32> into tensor<4x4xf32>
  %1 = gaudi.mme.gemm %0, %0 {gaudi.buffers = [#gaudi.buffer<persistent, 256, [4, 1]>]} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// Two results cannot both have their slice in one place: their other slices
// would overlap.
func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>}) -> tensor<8xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 256 : i64, gaudi.workspace_bytes = 32 : i64} {
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [1]>]} : tensor<4xf32>
  // expected-note @+1 {{the other one is here}}
  %1 = gaudi.concat %0, %x axis 0 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [1]>]} : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  // expected-error @+1 {{after phase 'memory': operand 0 is in its slice of the result, but in the slice of another result too}}
  %2 = gaudi.concat %0, %x axis 0 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [1]>]} : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.cumulative_sum %2 axis 0 {gaudi.buffers = [#gaudi.buffer<persistent, 128, [1]>]} : tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// The slice of a concatenation is written by the op that computes the operand.
// expected-note @+1 {{it comes from here}}
func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>}) -> tensor<8xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 256 : i64, gaudi.workspace_bytes = 32 : i64} {
  // expected-error @+1 {{after phase 'memory': operand 0 is in its slice of the result, but is not computed there}}
  %0 = gaudi.concat %x, %x axis 0 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 0, [1]>]} : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A source in its slice, which the copy of the other operand overwrites.
func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}, %s: tensor<1x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 128, [4, 1]>}) -> tensor<4x4xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 384 : i64, gaudi.workspace_bytes = 0 : i64} {
  // expected-note @+1 {{operand 0 comes from here}}
  %0 = gaudi.copy %s {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 272, [4, 1]>]} : tensor<1x4xf32>
  // expected-error @+1 {{after phase 'memory': operand 0 is in its slice of the result, but operand 1 is copied there later}}
  %1 = gaudi.insert_slice %0 into %x offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 256, [4, 1]>]} : tensor<1x4xf32> into tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// A source that is computed before what it is inserted into.
func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}, %s: tensor<1x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 128, [4, 1]>}) -> tensor<4x4xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 384 : i64, gaudi.workspace_bytes = 0 : i64} {
  // expected-note @+1 {{operand 0 comes from here}}
  %0 = gaudi.copy %s {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 272, [4, 1]>]} : tensor<1x4xf32>
  %1 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 256, [4, 1]>]} : tensor<4x4xf32>
  // expected-error @+1 {{after phase 'memory': operand 0 is in its slice of the result, but operand 1 is computed there later}}
  %2 = gaudi.insert_slice %0 into %1 offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 256, [4, 1]>]} : tensor<1x4xf32> into tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// A source that is written while the old elements are still read.
func.func @main(%x: tensor<4x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [4, 1]>}, %s: tensor<1x4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 128, [4, 1]>}) -> tensor<4x4xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 512 : i64, gaudi.workspace_bytes = 64 : i64} {
  // expected-note @+1 {{as this value}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<4x4xf32>
  %1 = gaudi.copy %s {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 16, [4, 1]>]} : tensor<1x4xf32>
  %2 = gaudi.mme.gemm %0, %x {gaudi.buffers = [#gaudi.buffer<persistent, 256, [4, 1]>]} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  // expected-error @+1 {{after phase 'memory': the update overwrites bytes 0 to 64 of the workspace section, which are read again later}}
  %3 = gaudi.insert_slice %1 into %0 offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [4, 1]>]} : tensor<1x4xf32> into tensor<4x4xf32>
  %4 = gaudi.mme.gemm %2, %3 {gaudi.buffers = [#gaudi.buffer<persistent, 384, [4, 1]>]} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}
