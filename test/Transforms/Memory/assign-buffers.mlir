// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-verify-phase="phase=memory" | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --gaudi-assign-buffers | gaudi-opt --split-input-file --gaudi-alias-buffers --gaudi-assign-buffers | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --gaudi-assign-buffers --remarks-filter="gaudi-(alias|assign)-buffers" --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Arguments, then outputs, in the persistent section; the rest is packed. The
// bytes of %0 are free again when %2 is made.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Analysis] workspace | Category:gaudi-assign-buffers | Function=chain | Remark="workspace 1024 bytes, lower bound 1024 bytes; alive at the peak: gaudi.tpc.cumulative_sum (512 bytes), gaudi.tpc.cumulative_sum (512 bytes)"
// CHECK-LABEL: @chain
// CHECK-SAME: %arg0: tensor<128xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>}
// CHECK-SAME: %arg1: tensor<3xi8> {gaudi.buffer = #gaudi.buffer<persistent, 512, [1]>}
// CHECK-SAME: gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 1152 : i64, gaudi.workspace_bytes = 1024 : i64
func.func @chain(%x: tensor<128xf32>, %y: tensor<3xi8>) -> tensor<128xf32> {
  // CHECK-NEXT: #gaudi.buffer<workspace, 0, [1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<128xf32>
  // CHECK-NEXT: #gaudi.buffer<workspace, 512, [1]>
  %1 = gaudi.tpc.cumulative_sum %0 axis 0 : tensor<128xf32>
  // CHECK-NEXT: #gaudi.buffer<workspace, 0, [1]>
  %2 = gaudi.tpc.cumulative_sum %1 axis 0 : tensor<128xf32>
  // CHECK-NEXT: #gaudi.buffer<persistent, 640, [1]>
  %3 = gaudi.tpc.cumulative_sum %2 axis 0 : tensor<128xf32>
  return %3 : tensor<128xf32>
}
}

// -----

// gaudi3 aligns to 256 bytes.
module attributes {gaudi.device = "gaudi3"} {
// CHECK-LABEL: @alignment
// CHECK-SAME: #gaudi.buffer<persistent, 0, [1]>
// CHECK-SAME: #gaudi.buffer<persistent, 256, [1]>
func.func @alignment(%x: tensor<3xi8>, %y: tensor<3xi8>) -> tensor<3xi8> {
  // CHECK: #gaudi.buffer<persistent, 512, [1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<3xi8>
  return %0 : tensor<3xi8>
}
}

// -----

// A view aliases its source as long as strides can say which; the
// bytes stay alive until the last reader of the view.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @views
func.func @views(%x: tensor<4x8xf32>) -> (tensor<6xf32>, tensor<2x3xi32>, tensor<4x5xf32>) {
  // CHECK:      gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<workspace, 0, [8, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x8xf32>
  // Row 1, column 2, every other row and column: 1 * 32 + 2 * 4 bytes.
  // CHECK-NEXT: gaudi.slice {{.*}}#gaudi.buffer<workspace, 40, [16, 2]>
  %1 = gaudi.slice %0 offsets [1, 2] strides [2, 2] : tensor<4x8xf32> -> tensor<2x3xf32>
  // CHECK-NEXT: gaudi.split {{.*}}[#gaudi.buffer<workspace, 0, [8, 1]>, #gaudi.buffer<workspace, 12, [8, 1]>]
  %2:2 = gaudi.split %0 axis 1 : tensor<4x8xf32> -> tensor<4x3xf32>, tensor<4x5xf32>
  // CHECK-NEXT: gaudi.bitcast {{.*}}#gaudi.buffer<workspace, 40, [16, 2]>
  %3 = gaudi.bitcast %1 : tensor<2x3xf32> -> tensor<2x3xi32>
  // CHECK-NEXT: gaudi.reshape {{.*}}#gaudi.buffer<workspace, 128, [1]>
  // REMARK: assign-buffers.mlir:[[#@LINE+1]]:8: remark: [Missed] view-copied | Category:gaudi-alias-buffers |{{.*}} Reason="copied 'gaudi.reshape': its elements are not evenly spaced in the buffer of its operand; the copy takes {{[0-9.]+ [num]?s}} on gaudi2"
  %4 = gaudi.reshape %1 : tensor<2x3xf32> -> tensor<6xf32>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 128, [1]>
  %5 = gaudi.tpc.cumulative_sum %4 axis 0 : tensor<6xf32>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 256, [3, 1]>
  %6 = gaudi.tpc.cumulative_sum %3 axis 0 : tensor<2x3xi32>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 384, [5, 1]>
  %7 = gaudi.tpc.cumulative_sum %2#1 axis 0 : tensor<4x5xf32>
  return %5, %6, %7 : tensor<6xf32>, tensor<2x3xi32>, tensor<4x5xf32>
}
}

// -----

// Equal constants share their bytes. A splat is one element where its readers
// take any strides; an empty constant has an address of its own.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @constants
// CHECK-SAME: gaudi.const_bytes = 640 : i64
func.func @constants(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xf32>) {
  // CHECK-NEXT: gaudi.constant dense<[1.{{.*}}#gaudi.buffer<const, 0, [1]>
  %0 = gaudi.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK-NEXT: gaudi.constant dense<> {{.*}}#gaudi.buffer<const, 128, [1]>
  %1 = gaudi.constant dense<> : tensor<0xf32>
  // CHECK-NEXT: gaudi.constant dense<[1.{{.*}}#gaudi.buffer<const, 0, [1]>
  %2 = gaudi.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK-NEXT: gaudi.constant dense<5.{{.*}}#gaudi.buffer<const, 256, [0]>
  %3 = gaudi.constant dense<5.0> : tensor<4xf32>
  // A library kernel wants every element.
  // CHECK-NEXT: gaudi.constant dense<6.{{.*}}#gaudi.buffer<const, 384, [1]>
  %4 = gaudi.constant dense<6.0> : tensor<4xf32>
  // CHECK-NEXT: gaudi.constant dense<> {{.*}}#gaudi.buffer<const, 128, [1]>
  %5 = gaudi.constant dense<> : tensor<0xf32>
  // CHECK-NEXT: gaudi.constant dense<[7.{{.*}}#gaudi.buffer<const, 512, [1]>
  %6 = gaudi.constant dense<[7.0, 8.0, 9.0, 10.0]> : tensor<4xf32>
  %7 = gaudi.insert_slice %3 into %0 offsets [0] strides [1] {engine = #gaudi.engine<dma>} : tensor<4xf32> into tensor<4xf32>
  %8 = gaudi.tpc.cumulative_sum %4 axis 0 : tensor<4xf32>
  %9 = gaudi.insert_slice %6 into %2 offsets [0] strides [1] {engine = #gaudi.engine<dma>} : tensor<4xf32> into tensor<4xf32>
  %10 = gaudi.insert_slice %5 into %1 offsets [0] strides [1] {engine = #gaudi.engine<dma>} : tensor<0xf32> into tensor<0xf32>
  return %7, %8, %9, %10 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xf32>
}
}

// -----

// A scatter copies its data, from any strides.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @zeros
func.func @zeros(%i: tensor<1x2xi32>, %u: tensor<1x2x4xf32>) -> tensor<1x8x4xf32> {
  // CHECK-NEXT: gaudi.constant dense<0.{{.*}}#gaudi.buffer<const, 0, [0, 0, 0]>
  %0 = gaudi.constant dense<0.0> : tensor<1x8x4xf32>
  %1 = gaudi.tpc.scatter_rows %0, %i, %u accumulate drop_outside : tensor<1x8x4xf32>, tensor<1x2xi32>, tensor<1x2x4xf32> -> tensor<1x8x4xf32>
  return %1 : tensor<1x8x4xf32>
}
// CHECK-LABEL: @zero_elements
func.func @zero_elements(%i: tensor<2x4xi32>, %u: tensor<2x4xf32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: gaudi.constant dense<0.{{.*}}#gaudi.buffer<const, 0, [0, 0]>
  %0 = gaudi.constant dense<0.0> : tensor<8x4xf32>
  %1 = gaudi.tpc.scatter_elements %0, %i, %u axis 0 : tensor<8x4xf32>, tensor<2x4xi32>, tensor<2x4xf32> -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
}

// -----

// A kernel writes over an operand that ends with it, whatever the shapes, if
// each point reads only what it writes.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @in_place
// CHECK-SAME: gaudi.workspace_bytes = 512 : i64
func.func @in_place(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<workspace, 0, [16, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<8x16xf32>
  // REMARK: assign-buffers.mlir:[[#@LINE+2]]:8: remark: [Passed] in-place | Category:gaudi-alias-buffers | Remark="result 0 reuses the buffer of operand 0 (last use), saving {{[0-9]+}} bytes of workspace"
  // CHECK: gaudi.tpc.kernel({{.*}}#gaudi.buffer<workspace, 0, [128, 16, 1]>
  %1 = gaudi.tpc.kernel (%0) index_space [8, 16] parallel [true, true] : (tensor<8x16xf32>) -> tensor<1x8x16xf32> {
  ^bb0(%in0: tensor<8x16xf32>, %out0: tensor<1x8x16xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<8x16xf32>
    gaudi.kernel.store %v, %out0[0, d0, d1] : tensor<1x8x16xf32>
  }
  %2 = gaudi.reshape %1 : tensor<1x8x16xf32> -> tensor<8x16xf32>
  %3 = gaudi.tpc.cumulative_sum %2 axis 0 : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}
}

// -----

// Not if it has a later reader, if points read what others write, or if the
// first result has the place.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @apart
func.func @apart(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // CHECK: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<workspace, 0, [16, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<16x16xf32>
  // REMARK: assign-buffers.mlir:[[#@LINE+2]]:8: remark: [Missed] in-place | Category:gaudi-alias-buffers |{{.*}} Reason="result 0 needs a new buffer of {{[0-9]+}} bytes: the buffer of operand 0 is read again later"
  // CHECK: gaudi.tpc.kernel({{.*}}#gaudi.buffer<workspace, 1024, [16, 1]>
  %1 = gaudi.tpc.kernel (%0) index_space [16, 16] parallel [true, true] : (tensor<16x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%in0: tensor<16x16xf32>, %out0: tensor<16x16xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<16x16xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<16x16xf32>
  }
  // REMARK: assign-buffers.mlir:[[#@LINE+2]]:8: remark: [Missed] in-place | Category:gaudi-alias-buffers |{{.*}} Reason="result 0 needs a new buffer of {{[0-9]+}} bytes: the buffer of operand 0 is read at points other than the one that overwrites it"
  // CHECK: gaudi.tpc.kernel({{.*}}#gaudi.buffer<workspace, 2048, [16, 1]>
  %2 = gaudi.tpc.kernel (%1) index_space [16, 16] parallel [true, true] : (tensor<16x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%in0: tensor<16x16xf32>, %out0: tensor<16x16xf32>):
    %v = gaudi.kernel.load %in0[d1, d0] : tensor<16x16xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<16x16xf32>
  }
  // REMARK: assign-buffers.mlir:[[#@LINE+3]]:10: remark: [Passed] in-place | Category:gaudi-alias-buffers | Remark="result 0 reuses the buffer of operand 0 (last use), saving {{[0-9]+}} bytes of workspace"
  // REMARK: assign-buffers.mlir:[[#@LINE+2]]:10: remark: [Missed] in-place | Category:gaudi-alias-buffers |{{.*}} Reason="result 1 needs a new buffer of {{[0-9]+}} bytes: the buffer of operand 0 is already reused by another result"
  // CHECK: gaudi.tpc.kernel({{.*}}[#gaudi.buffer<workspace, 2048, [16, 1]>, #gaudi.buffer<workspace, 1024, [16, 1]>]
  %3:2 = gaudi.tpc.kernel (%2) index_space [16, 16] parallel [true, true] : (tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  ^bb0(%in0: tensor<16x16xf32>, %out0: tensor<16x16xf32>, %out1: tensor<16x16xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<16x16xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<16x16xf32>
    gaudi.kernel.store %v, %out1[d0, d1] : tensor<16x16xf32>
  }
  %4 = gaudi.mme.gemm %0, %3#0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %5 = gaudi.mme.gemm %4, %3#1 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %5 : tensor<16x16xf32>
}
}

// -----

// The kernel after a matrix op may work on parts of the product: what the
// matrix op reads stays for it where other steps need as many bytes anyway.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @parts
func.func @parts(%x: tensor<16x16xf32>, %y: tensor<64x16xbf16>) -> tensor<64x16xbf16> {
  // CHECK: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<workspace, 0, [16, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<16x16xf32>
  // CHECK: gaudi.mme.gemm {{.*}}#gaudi.buffer<workspace, 1024, [16, 1]>
  %1 = gaudi.mme.gemm %0, %0 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // REMARK: assign-buffers.mlir:[[#@LINE+2]]:8: remark: [Passed] keep-operands | Category:gaudi-assign-buffers | Remark="kept the operands of 'gaudi.mme.gemm' alive until this kernel ends, so that it can work tile by tile, saving up to {{[0-9.]+ [num]?s}} on gaudi2"
  // CHECK: gaudi.tpc.kernel({{.*}}#gaudi.buffer<workspace, 4096, [16, 1]>
  %2 = gaudi.tpc.kernel (%1) index_space [16, 16] parallel [true, true] : (tensor<16x16xf32>) -> tensor<16x16xbf16> {
  ^bb0(%in0: tensor<16x16xf32>, %out0: tensor<16x16xbf16>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<16x16xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<16x16xbf16>
  }
  %3 = gaudi.mme.gemm %y, %2 : tensor<64x16xbf16>, tensor<16x16xbf16> -> tensor<64x16xf32>
  // REMARK: assign-buffers.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-operands | Category:gaudi-assign-buffers |{{.*}} Reason="not kept: operands of 'gaudi.mme.gemm' may be overwritten by this kernel, which then waits for all of the product; keeping them would raise the peak, but save up to {{[0-9.]+ [num]?s}} on gaudi2"
  %4 = gaudi.tpc.kernel (%3) index_space [64, 16] parallel [true, true] : (tensor<64x16xf32>) -> tensor<64x16xbf16> {
  ^bb0(%in0: tensor<64x16xf32>, %out0: tensor<64x16xbf16>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<64x16xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<64x16xbf16>
  }
  %5 = gaudi.tpc.cumulative_sum %4 axis 0 : tensor<64x16xbf16>
  return %5 : tensor<64x16xbf16>
}
}

// -----

// A kernel that does not write in place frees the product. The next product does
// not go there, so that the matrix engine need not wait for the kernel, unless
// that takes more bytes than other steps do.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @products
func.func @products(%x: tensor<16x16xf32>, %y: tensor<64x16xf32>) -> (tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<64x16xbf16>) {
  // CHECK: gaudi.mme.gemm {{.*}}#gaudi.buffer<workspace, 0, [16, 1]>
  %0 = gaudi.mme.gemm %x, %x : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // REMARK: assign-buffers.mlir:[[#@LINE+1]]:8: remark: [Passed] keep-product | Category:gaudi-assign-buffers | Remark="kept the product that this kernel reads alive until the next 'gaudi.mme.gemm' ends, which does not wait for the kernel then, saving up to {{[0-9.]+ [num]?s}} on gaudi2"
  %1 = gaudi.tpc.kernel (%0) index_space [16, 16] parallel [true, true] : (tensor<16x16xf32>) -> tensor<16x16xbf16> {
  ^bb0(%in0: tensor<16x16xf32>, %out0: tensor<16x16xbf16>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<16x16xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<16x16xbf16>
  }
  // CHECK: gaudi.mme.gemm {{.*}}#gaudi.buffer<workspace, 1024, [16, 1]>
  %2 = gaudi.mme.gemm %x, %x : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // REMARK: assign-buffers.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-product | Category:gaudi-assign-buffers |{{.*}} Reason="not kept: the product that this kernel reads may be overwritten by the next 'gaudi.mme.gemm', which then waits for the kernel; keeping it would raise the peak, but save up to {{[0-9.]+ [num]?s}} on gaudi2"
  %3 = gaudi.tpc.kernel (%2) index_space [16, 16] parallel [true, true] : (tensor<16x16xf32>) -> tensor<16x16xbf16> {
  ^bb0(%in0: tensor<16x16xf32>, %out0: tensor<16x16xbf16>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<16x16xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<16x16xbf16>
  }
  // CHECK: gaudi.mme.gemm {{.*}}#gaudi.buffer<workspace, 0, [16, 1]>
  %4 = gaudi.mme.gemm %y, %x : tensor<64x16xf32>, tensor<16x16xf32> -> tensor<64x16xf32>
  %5 = gaudi.tpc.kernel (%4) index_space [64, 16] parallel [true, true] : (tensor<64x16xf32>) -> tensor<64x16xbf16> {
  ^bb0(%in0: tensor<64x16xf32>, %out0: tensor<64x16xbf16>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<64x16xf32>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<64x16xbf16>
  }
  return %1, %3, %5 : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<64x16xbf16>
}
}

// -----

// Nothing in the workspace.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Analysis] workspace | Category:gaudi-assign-buffers | Function=nothing | Remark="workspace 0 bytes, lower bound 0 bytes; alive at the peak: nothing"
// CHECK-LABEL: @nothing
// CHECK-SAME: gaudi.workspace_bytes = 0 : i64
func.func @nothing(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: gaudi.copy {{.*}}#gaudi.buffer<persistent, 128, []>
  %0 = gaudi.copy %x {engine = #gaudi.engine<dma>} : tensor<f32>
  return %0 : tensor<f32>
}
}
