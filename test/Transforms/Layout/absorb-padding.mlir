// RUN: gaudi-opt %s --gaudi-absorb-padding -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %t.once --gaudi-absorb-padding | diff %t.once -
// RUN: gaudi-opt %s --gaudi-absorb-padding --remarks-filter=gaudi-absorb-padding --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The pad adds to the padding of the convolution, dimension by dimension.
// CHECK-LABEL: @conv
func.func @conv(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x9x11x8xf32> {
  // CHECK-NEXT: gaudi.mme.conv %arg0, %arg1 layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 3], [2, 2] groups 1
  // REMARK: absorb-padding.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-pad | Category:gaudi-absorb-padding | Remark="absorbed into operand 0 of 'gaudi.mme.conv', saving {{[0-9.]+ [num]?s}} on gaudi2; the other operand must be finite"
  %p = gaudi.tpc.pad <constant> %x low [0, 1, 2, 0] high [0, 2, 1, 0] value 0.0 : f32 : tensor<1x8x8x4xf32> -> tensor<1x11x11x4xf32>
  %0 = gaudi.mme.conv %p, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 1], [0, 1] groups 1
         : tensor<1x11x11x4xf32>, tensor<3x3x4x8xf32> -> tensor<1x9x11x8xf32>
  return %0 : tensor<1x9x11x8xf32>
}

// CHECK-LABEL: @channel_first
func.func @channel_first(%x: tensor<1x2x9xbf16>, %w: tensor<4x2x3xbf16>) -> tensor<1x4x9xbf16> {
  // CHECK-NEXT: gaudi.mme.conv %arg0, %arg1 {{.*}} pad [2], [0]
  %p = gaudi.tpc.pad <constant> %x low [0, 0, 2] high [0, 0, 0] value -0.0 : bf16 : tensor<1x2x9xbf16> -> tensor<1x2x11xbf16>
  %0 = gaudi.mme.conv %p, %w layout "NCW", "OIW", "NCW" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x2x11xbf16>, tensor<4x2x3xbf16> -> tensor<1x4x9xbf16>
  return %0 : tensor<1x4x9xbf16>
}

// CHECK-LABEL: @pools
func.func @pools(%x: tensor<1x8x4xf32>, %i: tensor<1x8x4xi8>, %u: tensor<1x8x4xui8>)
    -> (tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xi8>, tensor<1x8x4xui8>) {
  // CHECK-NOT: gaudi.tpc.pad
  // CHECK-COUNT-6: pad [1], [1]
  %max = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0xFF800000 : f32 : tensor<1x8x4xf32> -> tensor<1x10x4xf32>
  %0 = gaudi.tpc.pool <max> %max layout "NWC" kernel [3] strides [1] dilations [1] pad [0], [0] : tensor<1x10x4xf32> -> tensor<1x8x4xf32>
  %min = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0x7F800000 : f32 : tensor<1x8x4xf32> -> tensor<1x10x4xf32>
  %1 = gaudi.tpc.pool <min> %min layout "NWC" kernel [3] strides [1] dilations [1] pad [0], [0] : tensor<1x10x4xf32> -> tensor<1x8x4xf32>
  %zero = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0.0 : f32 : tensor<1x8x4xf32> -> tensor<1x10x4xf32>
  %2 = gaudi.tpc.pool <sum> %zero layout "NWC" kernel [3] strides [1] dilations [1] pad [0], [0] : tensor<1x10x4xf32> -> tensor<1x8x4xf32>
  %3 = gaudi.tpc.pool <avg> %zero layout "NWC" kernel [3] strides [1] dilations [1] pad [0], [0] count_include_pad : tensor<1x10x4xf32> -> tensor<1x8x4xf32>
  %low = gaudi.tpc.pad <constant> %i low [0, 1, 0] high [0, 1, 0] value -128 : i8 : tensor<1x8x4xi8> -> tensor<1x10x4xi8>
  %4 = gaudi.tpc.pool <max> %low layout "NWC" kernel [3] strides [1] dilations [1] pad [0], [0] : tensor<1x10x4xi8> -> tensor<1x8x4xi8>
  %high = gaudi.tpc.pad <constant> %u low [0, 1, 0] high [0, 1, 0] value 255 : ui8 : tensor<1x8x4xui8> -> tensor<1x10x4xui8>
  %5 = gaudi.tpc.pool <min> %high layout "NWC" kernel [3] strides [1] dilations [1] pad [0], [0] : tensor<1x10x4xui8> -> tensor<1x8x4xui8>
  return %0, %1, %2, %3, %4, %5 : tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xi8>, tensor<1x8x4xui8>
}

// A pad that somebody else reads stays for that reader only.
// CHECK-LABEL: @two_readers
func.func @two_readers(%x: tensor<1x8x4xf32>, %w: tensor<3x4x8xf32>) -> (tensor<1x8x8xf32>, tensor<1x10x4xf32>) {
  // CHECK-NEXT: %[[P:.*]] = gaudi.tpc.pad
  // CHECK-NEXT: gaudi.mme.conv %arg0, %arg1 {{.*}} pad [1], [1]
  // CHECK-NEXT: gaudi.tpc.exp %[[P]]
  // REMARK-DAG: absorb-padding.mlir:[[#@LINE+2]]:8: remark: [Missed] keep-pad | Category:gaudi-absorb-padding |{{.*}} Reason="not absorbed: user 'gaudi.tpc.exp' cannot pad its operand; the pad takes {{[0-9.]+ [num]?s}} on gaudi2"
  // REMARK-DAG: absorb-padding.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-pad | Category:gaudi-absorb-padding | Remark="absorbed into operand 0 of 'gaudi.mme.conv', saving {{[0-9.]+ [num]?s}} on gaudi2; the other operand must be finite"
  %p = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0.0 : f32 : tensor<1x8x4xf32> -> tensor<1x10x4xf32>
  %0 = gaudi.mme.conv %p, %w layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x10x4xf32>, tensor<3x4x8xf32> -> tensor<1x8x8xf32>
  %1 = gaudi.tpc.exp %p : tensor<1x10x4xf32>
  return %0, %1 : tensor<1x8x8xf32>, tensor<1x10x4xf32>
}

// Padding that the op does not have: another value, padded channels, the edge
// mode, a padded filter, an average without padding.
// CHECK-LABEL: @kept
func.func @kept(%x: tensor<1x8x4xf32>, %w: tensor<3x4x8xf32>, %f: tensor<1x4x8xf32>)
    -> (tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>) {
  // CHECK-COUNT-6: gaudi.tpc.pad
  // REMARK-COUNT-6: [Missed] keep-pad
  %one = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 1.0 : f32 : tensor<1x8x4xf32> -> tensor<1x10x4xf32>
  %0 = gaudi.mme.conv %one, %w layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x10x4xf32>, tensor<3x4x8xf32> -> tensor<1x8x8xf32>
  %channel = gaudi.tpc.pad <constant> %x low [0, 0, 0] high [0, 0, 4] value 0.0 : f32 : tensor<1x8x4xf32> -> tensor<1x8x8xf32>

  %1 = gaudi.mme.conv %channel, %f layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 2
         : tensor<1x8x8xf32>, tensor<1x4x8xf32> -> tensor<1x8x8xf32>
  %edge = gaudi.tpc.pad <edge> %x low [0, 1, 0] high [0, 1, 0] : tensor<1x8x4xf32> -> tensor<1x10x4xf32>
  %2 = gaudi.mme.conv %edge, %w layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x10x4xf32>, tensor<3x4x8xf32> -> tensor<1x8x8xf32>
  %filter = gaudi.tpc.pad <constant> %f low [1, 0, 0] high [1, 0, 0] value 0.0 : f32 : tensor<1x4x8xf32> -> tensor<3x4x8xf32>
  %3 = gaudi.mme.conv %x, %filter layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x4xf32>, tensor<3x4x8xf32> -> tensor<1x8x8xf32>
  %avg = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0.0 : f32 : tensor<1x8x4xf32> -> tensor<1x10x4xf32>
  %4 = gaudi.tpc.pool <avg> %avg layout "NWC" kernel [3] strides [1] dilations [1] pad [0], [0] : tensor<1x10x4xf32> -> tensor<1x8x4xf32>
  %zero = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0.0 : f32 : tensor<1x8x4xf32> -> tensor<1x10x4xf32>
  %5 = gaudi.tpc.pool <max> %zero layout "NWC" kernel [3] strides [1] dilations [1] pad [0], [0] : tensor<1x10x4xf32> -> tensor<1x8x4xf32>
  return %0, %1, %2, %3, %4, %5
    : tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>
}

// Zeros around the gradient of an output are outputs that the convolution does
// not have: its windows begin a stride later for each. Zeros around the input
// are its padding.
// CHECK-LABEL: @gradients
func.func @gradients(%dy: tensor<1x4x8xf32>, %w: tensor<3x4x8xf32>, %x: tensor<1x8x4xf32>)
    -> (tensor<1x15x4xf32>, tensor<3x4x8xf32>) {
  // CHECK-NOT: gaudi.tpc.pad
  // CHECK: gaudi.mme.conv_input_grad %arg0, %arg1 layout "NWC", "WIO", "NWC" strides [2] dilations [1] pad [-1], [-4] groups 1 : tensor<1x4x8xf32>, tensor<3x4x8xf32> -> tensor<1x15x4xf32>
  // REMARK-DAG: absorb-padding.mlir:[[#@LINE+1]]:10: remark: [Passed] absorb-pad | Category:gaudi-absorb-padding | Remark="absorbed into operand 0 of 'gaudi.mme.conv_input_grad', saving {{[0-9.]+ [num]?s}} on gaudi2; the other operand must be finite"
  %dyp = gaudi.tpc.pad <constant> %dy low [0, 1, 0] high [0, 2, 0] value 0.0 : f32 : tensor<1x4x8xf32> -> tensor<1x7x8xf32>
  %0 = gaudi.mme.conv_input_grad %dyp, %w layout "NWC", "WIO", "NWC" strides [2] dilations [1] pad [1], [0] groups 1
         : tensor<1x7x8xf32>, tensor<3x4x8xf32> -> tensor<1x15x4xf32>
  // CHECK: gaudi.mme.conv_weight_grad %arg2, %arg0 layout "NWC", "NWC", "WIO" strides [2] dilations [1] pad [0], [1] groups 1 : tensor<1x8x4xf32>, tensor<1x4x8xf32> -> tensor<3x4x8xf32>
  // REMARK-DAG: absorb-padding.mlir:[[#@LINE+1]]:9: remark: [Passed] absorb-pad | Category:gaudi-absorb-padding | Remark="absorbed into operand 0 of 'gaudi.mme.conv_weight_grad', saving {{[0-9.]+ [num]?s}} on gaudi2; the other operand must be finite"
  %xp = gaudi.tpc.pad <constant> %x low [0, 0, 0] high [0, 1, 0] value 0.0 : f32 : tensor<1x8x4xf32> -> tensor<1x9x4xf32>
  %1 = gaudi.mme.conv_weight_grad %xp, %dy layout "NWC", "NWC", "WIO" strides [2] dilations [1] pad [0], [0] groups 1
         : tensor<1x9x4xf32>, tensor<1x4x8xf32> -> tensor<3x4x8xf32>
  return %0, %1 : tensor<1x15x4xf32>, tensor<3x4x8xf32>
}

// A constant filter: zeros times finite weights add nothing, as padding does.
// An explicit zero times an infinity is NaN, which padding would not give.
// CHECK-LABEL: @constant_filters
func.func @constant_filters(%x: tensor<1x4x1xbf16>) -> (tensor<1x4x2xbf16>, tensor<1x4x2xbf16>, tensor<1x4x1xbf16>) {
  %finite = gaudi.constant dense<[[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]> : tensor<3x1x2xbf16>
  %infinite = gaudi.constant dense<[[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 0xFF80]]]> : tensor<3x1x2xbf16>
  %nan = gaudi.constant dense<0x7FC0> : tensor<3x1xbf16>
  // CHECK: gaudi.mme.conv %arg0, {{.*}} pad [1], [1]
  // REMARK: absorb-padding.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-pad | Category:gaudi-absorb-padding | Remark="absorbed into operand 0 of 'gaudi.mme.conv', saving {{[0-9.]+ [num]?s}} on gaudi2"
  %p = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0.0 : bf16 : tensor<1x4x1xbf16> -> tensor<1x6x1xbf16>
  %0 = gaudi.mme.conv %p, %finite layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x6x1xbf16>, tensor<3x1x2xbf16> -> tensor<1x4x2xbf16>
  // CHECK: %[[P:.*]] = gaudi.tpc.pad
  // CHECK-NEXT: gaudi.mme.conv %[[P]], {{.*}} pad [0], [0]
  // REMARK: absorb-padding.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-pad | Category:gaudi-absorb-padding |{{.*}} Reason="not absorbed: the other operand of 'gaudi.mme.conv' holds an infinity or NaN, which zeros turn into NaN and padding does not; the pad takes {{[0-9.]+ [num]?s}} on gaudi2"
  %q = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0.0 : bf16 : tensor<1x4x1xbf16> -> tensor<1x6x1xbf16>
  %1 = gaudi.mme.conv %q, %infinite layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x6x1xbf16>, tensor<3x1x2xbf16> -> tensor<1x4x2xbf16>
  // Seen through a view.
  // CHECK: %[[R:.*]] = gaudi.tpc.pad
  // CHECK: gaudi.mme.conv %[[R]], {{.*}} pad [0], [0]
  %r = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0.0 : bf16 : tensor<1x4x1xbf16> -> tensor<1x6x1xbf16>
  %reshaped = gaudi.reshape %nan : tensor<3x1xbf16> -> tensor<3x1x1xbf16>
  %2 = gaudi.mme.conv %r, %reshaped layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x6x1xbf16>, tensor<3x1x1xbf16> -> tensor<1x4x1xbf16>
  return %0, %1, %2 : tensor<1x4x2xbf16>, tensor<1x4x2xbf16>, tensor<1x4x1xbf16>
}

// Padding within the bound of the attribute is absorbed; the sum of two may be
// beyond it.
// CHECK-LABEL: @bound
func.func @bound(%x: tensor<1x1x1xf32>, %w: tensor<1x1x1xf32>) -> (tensor<1x2147483651x1xf32>, tensor<1x2147483651x1xf32>) {
  // CHECK-NEXT: %[[P:.*]] = gaudi.tpc.pad
  // CHECK-NEXT: gaudi.mme.conv %[[P]], %arg1 {{.*}} pad [2147483647], [0]
  // CHECK-NEXT: gaudi.mme.conv %arg0, %arg1 {{.*}} pad [2147483647], [3]
  // REMARK: absorb-padding.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-pad | Category:gaudi-absorb-padding |{{.*}} Reason="not absorbed: user 'gaudi.mme.conv' cannot pad its operand; the pad takes {{[0-9.]+ [num]?s}} on gaudi2"
  %p = gaudi.tpc.pad <constant> %x low [0, 3, 0] high [0, 0, 0] value 0.0 : f32 : tensor<1x1x1xf32> -> tensor<1x4x1xf32>
  %0 = gaudi.mme.conv %p, %w layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [2147483647], [0] groups 1
         : tensor<1x4x1xf32>, tensor<1x1x1xf32> -> tensor<1x2147483651x1xf32>
  %q = gaudi.tpc.pad <constant> %x low [0, 0, 0] high [0, 3, 0] value 0.0 : f32 : tensor<1x1x1xf32> -> tensor<1x4x1xf32>
  %1 = gaudi.mme.conv %q, %w layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [2147483647], [0] groups 1
         : tensor<1x4x1xf32>, tensor<1x1x1xf32> -> tensor<1x2147483651x1xf32>
  return %0, %1 : tensor<1x2147483651x1xf32>, tensor<1x2147483651x1xf32>
}

// A pad that stays saves nothing: the convolution pads only if that is not
// slower for itself. Of a pad that goes, each reader has its share.
// CHECK-LABEL: @returned_too
func.func @returned_too(%x: tensor<1x64x64x64xbf16>, %w: tensor<3x3x64x64xbf16>) -> (tensor<1x64x64x64xbf16>, tensor<1x66x66x64xbf16>) {
  // CHECK-NEXT: gaudi.tpc.pad
  // REMARK-DAG: absorb-padding.mlir:[[#@LINE+2]]:8: remark: [Passed] absorb-pad | Category:gaudi-absorb-padding | Remark="absorbed into operand 0 of 'gaudi.mme.conv', saving {{[0-9.]+}} ns on gaudi2; the other operand must be finite"
  // REMARK-DAG: absorb-padding.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-pad | Category:gaudi-absorb-padding |{{.*}} Reason="not absorbed: user 'func.return' cannot pad its operand; the pad takes 2.{{[0-9]+}} us on gaudi2"
  %p = gaudi.tpc.pad <constant> %x low [0, 1, 1, 0] high [0, 1, 1, 0] value 0.0 : bf16 : tensor<1x64x64x64xbf16> -> tensor<1x66x66x64xbf16>
  %0 = gaudi.mme.conv %p, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x66x66x64xbf16>, tensor<3x3x64x64xbf16> -> tensor<1x64x64x64xbf16>
  return %0, %p : tensor<1x64x64x64xbf16>, tensor<1x66x66x64xbf16>
}

// CHECK-LABEL: @two_convolutions
func.func @two_convolutions(%x: tensor<1x64x64x64xbf16>, %w: tensor<3x3x64x64xbf16>, %v: tensor<3x3x64x64xbf16>) -> (tensor<1x64x64x64xbf16>, tensor<1x64x64x64xbf16>) {
  // CHECK-NOT: gaudi.tpc.pad
  // CHECK: return
  // REMARK-COUNT-2: absorb-padding.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-pad | Category:gaudi-absorb-padding | Remark="absorbed into operand 0 of 'gaudi.mme.conv', saving 1.{{[0-9]+}} us on gaudi2; the other operand must be finite"
  %p = gaudi.tpc.pad <constant> %x low [0, 1, 1, 0] high [0, 1, 1, 0] value 0.0 : bf16 : tensor<1x64x64x64xbf16> -> tensor<1x66x66x64xbf16>
  %0 = gaudi.mme.conv %p, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x66x66x64xbf16>, tensor<3x3x64x64xbf16> -> tensor<1x64x64x64xbf16>
  %1 = gaudi.mme.conv %p, %v layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x66x66x64xbf16>, tensor<3x3x64x64xbf16> -> tensor<1x64x64x64xbf16>
  return %0, %1 : tensor<1x64x64x64xbf16>, tensor<1x64x64x64xbf16>
}

// A kernel reads the value of the padding outside the tensor.
// CHECK-LABEL: @kernel
func.func @kernel(%x: tensor<1x8x6xui8>) -> tensor<1x8x6xi32> {
  // CHECK-NEXT: gaudi.tpc.kernel label "window"(%arg0) {{.*}} : (tensor<1x8x6xui8>)
  // CHECK: load %in0[0, d0 + d2 - 1, d1] boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>, #gaudi.boundary<inside>] pad -3 : i8 : tensor<1x8x6xui8>
  // REMARK: absorb-padding.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-pad | Category:gaudi-absorb-padding | Remark="absorbed into operand 0 of 'gaudi.tpc.kernel', saving
  %p = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 2, 0] value 253 : ui8 : tensor<1x8x6xui8> -> tensor<1x11x6xui8>
  %0 = gaudi.tpc.kernel label "window" (%p) index_space [8, 6, 3] parallel [true, true, false] : (tensor<1x11x6xui8>) -> tensor<1x8x6xi32> {
  ^bb0(%in0: tensor<1x11x6xui8>, %out0: tensor<1x8x6xi32>):
    %zero = arith.constant 0 : i32
    %sum = gaudi.kernel.loop [2] reduce [#gaudi.reduce<add>] init(%zero) : i32 {
    ^bb0(%acc: i32):
      %v = gaudi.kernel.load %in0[0, d0 + d2, d1] : tensor<1x11x6xui8>
      %e = arith.extui %v : i8 to i32
      gaudi.kernel.yield %e : i32
    }
    gaudi.kernel.store %sum, %out0[0, d0, d1] : tensor<1x8x6xi32>
  }
  return %0 : tensor<1x8x6xi32>
}

// One load has one value for all that is outside, and the edge is none.
// CHECK-LABEL: @kernel_pads
func.func @kernel_pads(%x: tensor<8x6xi8>) -> (tensor<10x7xi8>, tensor<10x6xi8>) {
  // CHECK-COUNT-2: gaudi.tpc.pad
  // REMARK: absorb-padding.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-pad | {{.*}} Reason="not absorbed: user 'gaudi.tpc.kernel' cannot pad its operand
  %p = gaudi.tpc.pad <constant> %x low [1, 0] high [1, 0] value 2 : i8 : tensor<8x6xi8> -> tensor<10x6xi8>
  %0 = gaudi.tpc.kernel label "pad" (%p) index_space [10, 7] parallel [true, true] : (tensor<10x6xi8>) -> tensor<10x7xi8> {
  ^bb0(%in0: tensor<10x6xi8>, %out0: tensor<10x7xi8>):
    %v = gaudi.kernel.load %in0[d0, d1] boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>] pad 1 : i8 : tensor<10x6xi8>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<10x7xi8>
  }
  %q = gaudi.tpc.pad <edge> %x low [1, 0] high [1, 0] : tensor<8x6xi8> -> tensor<10x6xi8>
  %1 = gaudi.tpc.kernel label "copy" (%q) index_space [10, 6] parallel [true, true] : (tensor<10x6xi8>) -> tensor<10x6xi8> {
  ^bb0(%in0: tensor<10x6xi8>, %out0: tensor<10x6xi8>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<10x6xi8>
    gaudi.kernel.store %v, %out0[d0, d1] : tensor<10x6xi8>
  }
  return %0, %1 : tensor<10x7xi8>, tensor<10x6xi8>
}
