// Which values share a buffer.
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --gaudi-verify-phase="phase=memory" -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: grep -vE "^(module|#loc)" %t.once > %t.ops
// RUN: gaudi-opt %t.once --split-input-file --gaudi-alias-buffers | grep -vE "^(module|#loc)" | diff %t.ops -
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --remarks-filter=gaudi-alias-buffers --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-verify-phase="phase=memory" -o /dev/null

// Operands of a concatenation are computed in their slices, with the strides of
// the result, whatever computes them. The output is one buffer.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Passed] slice | Category:gaudi-alias-buffers | Remark="wrote operand 0 to its slice of the result, saving 128 bytes and a copy of {{[0-9.]+ [num]?s}} on gaudi2"
// REMARK: remark: [Passed] slice | Category:gaudi-alias-buffers | Remark="wrote operand 1 to its slice of the result, saving 64 bytes and a copy of
// CHECK: gaudi.memory = [{entries = [{{.*}}kind = "slice_write"
// CHECK-LABEL: @columns
// CHECK-SAME: gaudi.persistent_bytes = 512 : i64, gaudi.workspace_bytes = 0 : i64
func.func @columns(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> tensor<4x12xf32> {
  // CHECK-NEXT: cumulative_sum {{.*}}#gaudi.buffer<persistent, 256, [12, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x8xf32>
  // CHECK-NEXT: gemm {{.*}}#gaudi.buffer<persistent, 288, [12, 1]>
  %1 = gaudi.mme.gemm %x, %w : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  // CHECK-NEXT: concat {{.*}}#gaudi.buffer<persistent, 256, [12, 1]>
  %2 = gaudi.concat %0, %1 axis 1 {engine = #gaudi.engine<dma>} : tensor<4x8xf32>, tensor<4x4xf32> -> tensor<4x12xf32>
  return %2 : tensor<4x12xf32>
}
}

// -----

// Through reshapes and bitcasts, and through concatenations of concatenations.
// Views on what is in a slice stay windows.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @chain
func.func @chain(%x: tensor<32xf32>, %y: tensor<4x8xi32>) -> tensor<8xf32> {
  // CHECK-NEXT: cumulative_sum {{.*}}#gaudi.buffer<workspace, 0, [1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<32xf32>
  // CHECK-NEXT: reshape {{.*}}#gaudi.buffer<workspace, 0, [8, 1]>
  %1 = gaudi.reshape %0 : tensor<32xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: cumulative_sum {{.*}}#gaudi.buffer<workspace, 128, [8, 1]>
  %2 = gaudi.tpc.cumulative_sum %y axis 0 : tensor<4x8xi32>
  // CHECK-NEXT: bitcast {{.*}}#gaudi.buffer<workspace, 128, [8, 1]>
  %3 = gaudi.bitcast %2 : tensor<4x8xi32> -> tensor<4x8xf32>
  // CHECK-NEXT: concat {{.*}}#gaudi.buffer<workspace, 0, [8, 1]>
  %4 = gaudi.concat %1, %3 axis 0 {engine = #gaudi.engine<dma>} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<8x8xf32>
  // CHECK-NEXT: slice {{.*}}#gaudi.buffer<workspace, 144, [8, 1]>
  %5 = gaudi.slice %3 offsets [0, 4] strides [1, 1] : tensor<4x8xf32> -> tensor<4x4xf32>
  // CHECK-NEXT: cumulative_sum {{.*}}#gaudi.buffer<workspace, 256, [4, 1]>
  %6 = gaudi.tpc.cumulative_sum %5 axis 0 : tensor<4x4xf32>
  // CHECK-NEXT: reshape {{.*}}#gaudi.buffer<workspace, 256, [8, 1]>
  %7 = gaudi.reshape %6 : tensor<4x4xf32> -> tensor<2x8xf32>
  // CHECK-NEXT: concat {{.*}}#gaudi.buffer<workspace, 0, [8, 1]>
  %8 = gaudi.concat %4, %7 axis 0 {engine = #gaudi.engine<dma>} : tensor<8x8xf32>, tensor<2x8xf32> -> tensor<10x8xf32>
  %9 = gaudi.slice %8 offsets [9, 0] strides [1, 1] : tensor<10x8xf32> -> tensor<1x8xf32>
  %10 = gaudi.reshape %9 : tensor<1x8xf32> -> tensor<8xf32>
  %11 = gaudi.tpc.cumulative_sum %10 axis 0 : tensor<8xf32>
  return %11 : tensor<8xf32>
}
}

// -----

// Copied: what has a place of its own, or a slice already.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @copied
func.func @copied(%x: tensor<4xf32>, %y: tensor<8xf32>) -> (tensor<28xf32>, tensor<4xf32>) {
  %c = gaudi.constant dense<1.0> : tensor<4xf32>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4xf32>
  %1 = gaudi.tpc.cumulative_sum %0 axis 0 : tensor<4xf32>
  %2 = gaudi.tpc.cumulative_sum %y axis 0 : tensor<8xf32>
  %3 = gaudi.slice %2 offsets [2] strides [1] : tensor<8xf32> -> tensor<4xf32>
  %4 = gaudi.slice %2 offsets [0] strides [2] : tensor<8xf32> -> tensor<4xf32>
  %5 = gaudi.reshape %4 : tensor<4xf32> -> tensor<2x2xf32>
  %6 = gaudi.reshape %5 : tensor<2x2xf32> -> tensor<4xf32>
  // REMARK-DAG: copied operand 0 of 16 bytes to its slice: it is an argument; the copy takes
  // REMARK-DAG: copied operand 1 of 16 bytes to its slice: it is a constant; the copy takes
  // REMARK-DAG: wrote operand 2 to its slice
  // REMARK-DAG: copied operand 3 of 16 bytes to its slice: it is in another slice already ('gaudi.concat' at loc({{.*}})); the copy takes
  // REMARK-DAG: copied operand 4 of 16 bytes to its slice: it is an output of its own; the copy takes
  // REMARK-DAG: copied operand 5 of 16 bytes to its slice: it is a window on a larger tensor; the copy takes
  // REMARK-DAG: copied operand 6 of 16 bytes to its slice: it is a window on a larger tensor; the copy takes
  %7 = gaudi.concat %x, %c, %0, %0, %1, %3, %6 axis 0 {engine = #gaudi.engine<dma>} : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<28xf32>
  return %7, %1 : tensor<28xf32>, tensor<4xf32>
}
}

// -----

// A reshape that is a window on a dense tensor, and would be a copy of columns.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @views
func.func @views(%x: tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<32xf32>) {
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x8xf32>
  %1 = gaudi.reshape %0 : tensor<4x8xf32> -> tensor<32xf32>
  %2 = gaudi.tpc.cumulative_sum %1 axis 0 : tensor<32xf32>
  %3 = gaudi.reshape %2 : tensor<32xf32> -> tensor<4x8xf32>
  // REMARK: copied operand 0 of 128 bytes to its slice: a view on it would be a copy, because strides of the slice cannot express it; the copy takes
  %4 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<4x8xf32>
  %5 = gaudi.concat %0, %4 axis 1 {engine = #gaudi.engine<dma>} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x16xf32>
  return %5, %2 : tensor<4x16xf32>, tensor<32xf32>
}
}

// -----

// The first operand is small and old: the whole result would be alive from
// there on, over the largest buffers.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @peak
func.func @peak(%x: tensor<32xf32>, %y: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<32xf32>
  %1 = gaudi.tpc.cumulative_sum %y axis 0 : tensor<1024xf32>
  %2 = gaudi.tpc.cumulative_sum %1 axis 0 : tensor<1024xf32>
  %3 = gaudi.slice %2 offsets [0] strides [1] : tensor<1024xf32> -> tensor<992xf32>
  %4 = gaudi.tpc.cumulative_sum %3 axis 0 : tensor<992xf32>
  // REMARK: copied operand 0 of 128 bytes to its slice: the whole result would be alive from there on, raising the peak by 3968 bytes; the copy takes
  // REMARK: wrote operand 1 to its slice
  %5 = gaudi.concat %0, %4 axis 0 {engine = #gaudi.engine<dma>} : tensor<32xf32>, tensor<992xf32> -> tensor<1024xf32>
  %6 = gaudi.tpc.cumulative_sum %5 axis 0 : tensor<1024xf32>
  return %6 : tensor<1024xf32>
}
}

// -----

// Insertions and scatters change their operand in place, if nothing reads the
// old elements later.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @updates
func.func @updates(%x: tensor<8x4xf32>, %s: tensor<1x4xf32>, %i: tensor<1x1xi32>) -> (tensor<1x8x4xf32>, tensor<8x4xf32>) {
  // CHECK-NEXT: cumulative_sum {{.*}}#gaudi.buffer<persistent, [[AT:[0-9]+]], [4, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<8x4xf32>
  // REMARK: wrote operand 1 to its slice of the result, saving 128 bytes
  // CHECK-NEXT: insert_slice {{.*}}#gaudi.buffer<persistent, [[AT]], [4, 1]>
  %1 = gaudi.insert_slice %s into %0 offsets [2, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x4xf32> into tensor<8x4xf32>
  %2 = gaudi.reshape %1 : tensor<8x4xf32> -> tensor<1x8x4xf32>
  %3 = gaudi.reshape %s : tensor<1x4xf32> -> tensor<1x1x4xf32>
  // CHECK:      gaudi.tpc.scatter {{.*}}#gaudi.buffer<persistent, [[AT]], [32, 4, 1]>
  %4 = gaudi.tpc.scatter %2, %i, %3 : tensor<1x8x4xf32>, tensor<1x1xi32>, tensor<1x1x4xf32> -> tensor<1x8x4xf32>
  %5 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<8x4xf32>
  // REMARK: copied operand 1 of 128 bytes to its slice: it is read again after the update ('gaudi.mme.gemm' at loc({{.*}})); the copy takes
  %6 = gaudi.insert_slice %s into %5 offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x4xf32> into tensor<8x4xf32>
  %7 = gaudi.mme.gemm %5, %6 transpose_a : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  %8 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<8x4xf32>
  %9 = gaudi.slice %8 offsets [0, 0] strides [1, 1] : tensor<8x4xf32> -> tensor<4x4xf32>
  // REMARK: copied operand 1 of 128 bytes to its slice: operand 0 of the op is in the same buffer
  %10 = gaudi.insert_slice %9 into %8 offsets [2, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<4x4xf32> into tensor<8x4xf32>
  %11 = gaudi.mme.gemm %10, %7 : tensor<8x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
  return %4, %11 : tensor<1x8x4xf32>, tensor<8x4xf32>
}
}

// -----

// A slice that an update changes later keeps no value that is read after it.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @deadline
func.func @deadline(%x: tensor<4x4xf32>, %s: tensor<1x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>) {
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x4xf32>
  %1 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<4x4xf32>
  // REMARK: copied operand 0 of 64 bytes to its slice: it is read after an update has changed its slice ('gaudi.mme.gemm' at loc(
  // REMARK: wrote operand 1 to its slice
  %2 = gaudi.concat %0, %1 axis 0 {engine = #gaudi.engine<dma>} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
  // REMARK: wrote operand 1 to its slice
  %3 = gaudi.insert_slice %s into %2 offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x4xf32> into tensor<8x4xf32>
  %4 = gaudi.mme.gemm %0, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %3, %4 : tensor<8x4xf32>, tensor<4x4xf32>
}
}

// -----

// A state is updated step by step in its buffer, and nothing of it is copied.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @cache
// CHECK-SAME: gaudi.workspace_bytes = 128 : i64
func.func @cache(%c: tensor<2x64x4xf32> {gaudi.state = 0 : i64}, %k: tensor<2x1x4xf32>, %v: tensor<2x1x4xf32>, %i: tensor<2x1xi64>) -> (tensor<2x64x4xf32>, tensor<2x4xf32>) {
  // REMARK: wrote operand 0 to its slice of the result, saving 2048 bytes and a copy of
  // CHECK-NEXT: gaudi.tpc.scatter {{.*}}#gaudi.buffer<persistent, 0, [256, 4, 1]>
  %0 = gaudi.tpc.scatter %c, %i, %k : tensor<2x64x4xf32>, tensor<2x1xi64>, tensor<2x1x4xf32> -> tensor<2x64x4xf32>
  // REMARK: wrote operand 1 to its slice of the result, saving 2048 bytes and a copy of
  // CHECK-NEXT: gaudi.insert_slice {{.*}}#gaudi.buffer<persistent, 0, [256, 4, 1]>
  %1 = gaudi.insert_slice %v into %0 offsets [0, 63, 0] strides [1, 1, 1] {engine = #gaudi.engine<dma>} : tensor<2x1x4xf32> into tensor<2x64x4xf32>
  %2 = gaudi.slice %1 offsets [0, 5, 0] strides [1, 1, 1] : tensor<2x64x4xf32> -> tensor<2x1x4xf32>
  %3 = gaudi.reshape %2 : tensor<2x1x4xf32> -> tensor<2x4xf32>
  %4 = gaudi.tpc.cumulative_sum %3 axis 0 : tensor<2x4xf32>
  %5 = gaudi.tpc.cumulative_sum %4 axis 0 : tensor<2x4xf32>
  return %1, %5 : tensor<2x64x4xf32>, tensor<2x4xf32>
}
}

// -----

// Not if something reads the old value later: it is copied, and the new one at
// the end.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @old_value
func.func @old_value(%c: tensor<2x4xf32> {gaudi.state = 0 : i64}, %k: tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  // REMARK: state 0 not updated in place: the old value is read after the new one is computed; result 0 takes 32 bytes of workspace and is copied at the end
  // REMARK: copied operand 1 of 32 bytes to its slice: the old value is read after the new one is computed ('gaudi.tpc.cumulative_sum' at loc(
  // CHECK-NEXT: gaudi.insert_slice {{.*}}#gaudi.buffer<workspace, 0, [4, 1]>
  %0 = gaudi.insert_slice %k into %c offsets [0, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x4xf32> into tensor<2x4xf32>
  %1 = gaudi.tpc.cumulative_sum %c axis 0 : tensor<2x4xf32>
  // CHECK: gaudi.copy {{.*}}#gaudi.buffer<persistent, 0, [4, 1]>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}
}

// -----

module attributes {gaudi.device = "gaudi3"} {
// Every output has an own buffer; the copies run where the device copies. A
// reshape of what an op computes is where the op writes it.
// CHECK-LABEL: @outputs
// REMARK: remark: [Analysis] copy-output | Category:gaudi-alias-buffers | Reason="copied output 0: it is an argument; the copy takes {{[0-9.]+ [num]?s}} on gaudi3"
// REMARK: remark: [Analysis] copy-output | Category:gaudi-alias-buffers | Reason="copied output 1: it is a constant; the copy takes {{[0-9.]+ [num]?s}} on gaudi3"
// REMARK: remark: [Analysis] copy-output | Category:gaudi-alias-buffers | Reason="copied output 2: it is a view of another tensor; the copy takes {{[0-9.]+ [num]?s}} on gaudi3"
// REMARK: remark: [Analysis] copy-output | Category:gaudi-alias-buffers | Reason="copied output 4: it is returned twice; the copy takes {{[0-9.]+ [num]?s}} on gaudi3"
func.func @outputs(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>) {
  // CHECK: %[[C:.*]] = gaudi.constant
  %c = gaudi.constant dense<1.0> : tensor<4xf32>
  // CHECK: %[[E:.*]] = gaudi.tpc.cumulative_sum
  %e = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4xf32>
  // CHECK: %[[V:.*]] = gaudi.slice
  %v = gaudi.slice %e offsets [2] strides [1] : tensor<4xf32> -> tensor<2xf32>
  %f = gaudi.tpc.cumulative_sum %e axis 0 : tensor<4xf32>
  %r = gaudi.reshape %f : tensor<4xf32> -> tensor<2x2xf32>
  // CHECK: %[[O0:.*]] = gaudi.copy %arg0 {engine = #gaudi.engine<tpc>
  // CHECK-NEXT: %[[O1:.*]] = gaudi.copy %[[C]] {engine = #gaudi.engine<tpc>
  // CHECK-NEXT: %[[O2:.*]] = gaudi.copy %[[V]] {engine = #gaudi.engine<tpc>
  // CHECK-NEXT: %[[O4:.*]] = gaudi.copy %[[E]] {engine = #gaudi.engine<tpc>
  // CHECK-NEXT: %[[O5:.*]] = gaudi.reshape
  // CHECK-NEXT: return %[[O0]], %[[O1]], %[[O2]], %[[E]], %[[O4]], %[[O5]]
  return %x, %c, %v, %e, %e, %r : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>
}
}

// -----

// In the slice, strides could express the view: too late, nobody has counted
// its readers as those of the slice.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: copied 'gaudi.reshape': its elements would not be evenly spaced in a dense operand, for which lifetimes were decided; the copy takes
// CHECK-LABEL: @late
func.func @late(%x: tensor<4x6xf32>, %y: tensor<4x2xf32>) -> (tensor<4x8xf32>, tensor<8xf32>) {
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x6xf32>
  %1 = gaudi.tpc.cumulative_sum %y axis 0 : tensor<4x2xf32>
  // CHECK: gaudi.slice {{.*}}[8, 4]
  %2 = gaudi.slice %0 offsets [0, 0] strides [1, 4] : tensor<4x6xf32> -> tensor<4x2xf32>
  // CHECK-NEXT: gaudi.reshape {{.*}}#gaudi.buffer<workspace, {{[0-9]+}}, [1]>
  %3 = gaudi.reshape %2 : tensor<4x2xf32> -> tensor<8xf32>
  %4 = gaudi.concat %0, %1 axis 1 {engine = #gaudi.engine<dma>} : tensor<4x6xf32>, tensor<4x2xf32> -> tensor<4x8xf32>
  %5 = gaudi.tpc.cumulative_sum %3 axis 0 : tensor<8xf32>
  return %4, %5 : tensor<4x8xf32>, tensor<8xf32>
}
}
