// What is inserted is computed where the insertion has it, if the insertion
// changes its operand in place and nothing reads the old elements meanwhile.
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-verify-phase="phase=memory" -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: grep -vE "^(module|#loc)" %t.once > %t.ops
// RUN: gaudi-opt %t.once --split-input-file --gaudi-alias-buffers --gaudi-assign-buffers | grep -vE "^(module|#loc)" | diff %t.ops -
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --remarks-filter=gaudi-alias-buffers --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A column of every second row, through a reshape.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: wrote operand 0 to its slice of the result, saving 8 bytes
// REMARK: wrote operand 1 to its slice of the result, saving 128 bytes
// CHECK-LABEL: @column
// CHECK-SAME: gaudi.workspace_bytes = 0 : i64
func.func @column(%x: tensor<8x4xf32>, %y: tensor<2xf32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, [[AT:[0-9]+]], [4, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<8x4xf32>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 284, [8]>
  %1 = gaudi.tpc.cumulative_sum %y axis 0 : tensor<2xf32>
  %2 = gaudi.reshape %1 : tensor<2xf32> -> tensor<2x1xf32>
  // CHECK: gaudi.insert_slice {{.*}}#gaudi.buffer<persistent, [[AT]], [4, 1]>
  %3 = gaudi.insert_slice %2 into %0 offsets [1, 3] strides [2, 1] {engine = #gaudi.engine<dma>} : tensor<2x1xf32> into tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}
}

// -----

// A state, changed twice. Parts of the second source are in their slices, too.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: updated state 0 in place
// REMARK-COUNT-6: wrote operand
// CHECK-LABEL: @state
// CHECK-SAME: gaudi.workspace_bytes = 0 : i64
func.func @state(%c: tensor<4x64xf32> {gaudi.state = 0 : i64, gaudi.donated}, %x: tensor<1x64xf32>, %y: tensor<2x32xf32>) -> tensor<4x64xf32> {
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 256, [64, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<1x64xf32>
  %1 = gaudi.insert_slice %0 into %c offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x64xf32> into tensor<4x64xf32>
  // CHECK: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 512, [64, 1]>
  %2 = gaudi.tpc.cumulative_sum %y axis 0 : tensor<2x32xf32>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 640, [64, 1]>
  %3 = gaudi.tpc.cumulative_sum %y axis 1 : tensor<2x32xf32>
  %4 = gaudi.concat %2, %3 axis 1 {engine = #gaudi.engine<dma>} : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<2x64xf32>
  %5 = gaudi.insert_slice %4 into %1 offsets [2, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<2x64xf32> into tensor<4x64xf32>
  return %5 : tensor<4x64xf32>
}
}

// -----

// Old elements are read until the source is computed, by another op, by the op
// itself, or as a part of the updated operand.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: copied operand 0 of 16 bytes to its slice: the elements that it replaces are read until then
// REMARK: wrote operand 1 to its slice
// REMARK: copied operand 0 of 16 bytes to its slice: the elements that it replaces are read until then
// REMARK: wrote operand 1 to its slice
// REMARK: wrote operand 0 to its slice
// REMARK: wrote operand 1 to its slice
// REMARK: copied operand 0 of 16 bytes to its slice: the elements that it replaces are read until then
// REMARK: wrote operand 1 to its slice
// CHECK-LABEL: @read
func.func @read(%x: tensor<4x4xf32>, %y: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) {
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x4xf32>
  %1 = gaudi.tpc.cumulative_sum %y axis 1 : tensor<1x4xf32>
  %2 = gaudi.mme.gemm %0, %w : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %3 = gaudi.insert_slice %1 into %0 offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x4xf32> into tensor<4x4xf32>
  %4 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<4x4xf32>
  %5 = gaudi.slice %4 offsets [3, 0] strides [1, 1] : tensor<4x4xf32> -> tensor<1x4xf32>
  %6 = gaudi.tpc.cumulative_sum %5 axis 1 : tensor<1x4xf32>
  %7 = gaudi.insert_slice %6 into %4 offsets [3, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x4xf32> into tensor<4x4xf32>
  %8 = gaudi.tpc.cumulative_sum %y axis 1 : tensor<1x4xf32>
  %9 = gaudi.reshape %8 : tensor<1x4xf32> -> tensor<4xf32>
  %10 = gaudi.tpc.cumulative_sum %y axis 0 : tensor<1x4xf32>
  %11 = gaudi.concat %8, %10 axis 0 {engine = #gaudi.engine<dma>} : tensor<1x4xf32>, tensor<1x4xf32> -> tensor<2x4xf32>
  %12 = gaudi.tpc.cumulative_sum %y axis 0 : tensor<1x4xf32>
  %13 = gaudi.tpc.cumulative_sum %9 axis 0 : tensor<4xf32>
  %14 = gaudi.reshape %13 : tensor<4xf32> -> tensor<1x4xf32>
  %15 = gaudi.mme.gemm %14, %w : tensor<1x4xf32>, tensor<4x4xf32> -> tensor<1x4xf32>
  %16 = gaudi.insert_slice %12 into %11 offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x4xf32> into tensor<2x4xf32>
  %17 = gaudi.mme.gemm %15, %w transpose_b : tensor<1x4xf32>, tensor<4x4xf32> -> tensor<1x4xf32>
  %18 = gaudi.concat %17, %15, %15, %15 axis 0 {engine = #gaudi.engine<dma>} : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32> -> tensor<4x4xf32>
  return %2, %3, %7, %18, %16 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>
}
}

// -----

// What is inserted into is copied before, as it is an argument.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: copied operand 0 of 16 bytes to its slice: what it is inserted into is copied before
// REMARK: copied operand 1 of 64 bytes to its slice: it is an argument
// CHECK-LABEL: @argument
func.func @argument(%x: tensor<4x4xf32>, %y: tensor<1x4xf32>) -> tensor<4x4xf32> {
  %0 = gaudi.tpc.cumulative_sum %y axis 1 : tensor<1x4xf32>
  %1 = gaudi.insert_slice %0 into %x offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x4xf32> into tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
}

// -----

// A row is updated from its own elements: by the points that overwrite them. A
// second source reads another row, which it does not overwrite.
module attributes {gaudi.device = "gaudi2"} {
// REMARK-COUNT-4: wrote operand
// CHECK-LABEL: @own
// CHECK-SAME: gaudi.workspace_bytes = 0 : i64
func.func @own(%c: tensor<4x8xf32> {gaudi.state = 0 : i64, gaudi.donated}) -> tensor<4x8xf32> {
  %0 = gaudi.slice %c offsets [2, 0] strides [1, 1] : tensor<4x8xf32> -> tensor<1x8xf32>
  // CHECK: gaudi.tpc.kernel{{.*}}#gaudi.buffer<persistent, 64, [8, 1]>
  %1 = gaudi.tpc.kernel (%0) index_space [8] parallel [true] : (tensor<1x8xf32>) -> tensor<1x8xf32> {
  ^bb0(%in0: tensor<1x8xf32>, %out0: tensor<1x8xf32>):
    %6 = gaudi.kernel.load %in0[0, d0] : tensor<1x8xf32>
    %7 = arith.addf %6, %6 : f32
    gaudi.kernel.store %7, %out0[0, d0] : tensor<1x8xf32>
  }
  %2 = gaudi.insert_slice %1 into %c offsets [2, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x8xf32> into tensor<4x8xf32>
  %3 = gaudi.slice %2 offsets [1, 0] strides [1, 1] : tensor<4x8xf32> -> tensor<2x8xf32>
  // CHECK: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 0, [24, 1]>
  %4 = gaudi.tpc.cumulative_sum %3 axis 1 : tensor<2x8xf32>
  // The rows 0 and 3.
  %5 = gaudi.insert_slice %4 into %2 offsets [0, 0] strides [3, 1] {engine = #gaudi.engine<dma>} : tensor<2x8xf32> into tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}
}

// -----

// Not if other points read them.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: copied operand 0 of 32 bytes to its slice: the elements that it replaces are read until then
// CHECK-LABEL: @reversed
func.func @reversed(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x8xf32>
  %0 = gaudi.slice %c offsets [2, 0] strides [1, 1] : tensor<4x8xf32> -> tensor<1x8xf32>
  %1 = gaudi.tpc.kernel (%0) index_space [8] parallel [true] : (tensor<1x8xf32>) -> tensor<1x8xf32> {
  ^bb0(%in0: tensor<1x8xf32>, %out0: tensor<1x8xf32>):
    %6 = gaudi.kernel.load %in0[0, d0 * -1 + 7] : tensor<1x8xf32>
    gaudi.kernel.store %6, %out0[0, d0] : tensor<1x8xf32>
  }
  %2 = gaudi.insert_slice %1 into %c offsets [2, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x8xf32> into tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
}
