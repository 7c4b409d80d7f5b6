// RUN: gaudi-opt %s --gaudi-place-permutations -o %t.once
// RUN: FileCheck %s < %t.once
// The record of the pass is in the line of the module, and in locations.
// RUN: gaudi-opt %t.once --gaudi-place-permutations | grep -v "^#loc\|^module" > %t.twice
// RUN: grep -v "^#loc\|^module" %t.once | diff - %t.twice
// RUN: gaudi-opt %s --gaudi-place-permutations -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: gaudi-opt %s --gaudi-place-permutations --gaudi-fold-constants | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @gemm
func.func @gemm(%a: tensor<8x4xf32>, %b: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %arg1 transpose_a transpose_b : tensor<8x4xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
  %s = gaudi.transpose %a permutation [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %t = gaudi.transpose %b permutation [1, 0] : tensor<16x8xf32> -> tensor<8x16xf32>
  %0 = gaudi.mme.gemm %s, %t : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// A flag that is set is cleared; a batch dimension may stand before.
// CHECK-LABEL: @flag
func.func @flag(%a: tensor<3x4x8xf32>, %b: tensor<1x8x16xf32>) -> tensor<3x4x16xf32> {
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %arg1 : tensor<3x4x8xf32>, tensor<1x8x16xf32> -> tensor<3x4x16xf32>
  %t = gaudi.transpose %b permutation [0, 2, 1] : tensor<1x8x16xf32> -> tensor<1x16x8xf32>
  %0 = gaudi.mme.gemm %a, %t transpose_b : tensor<3x4x8xf32>, tensor<1x16x8xf32> -> tensor<3x4x16xf32>
  return %0 : tensor<3x4x16xf32>
}

// One transpose, read as both operands.
// CHECK-LABEL: @square
func.func @square(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %arg0 transpose_a transpose_b : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %t = gaudi.transpose %a permutation [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %0 = gaudi.mme.gemm %t, %t : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: @filter
func.func @filter(%x: tensor<1x8x9x3xf32>, %w: tensor<5x3x2x7xf32>) -> tensor<1x7x3x5xf32> {
  // The operand's dimensions are O, I, H, W: "HWIO" names what the convolution saw.
  // CHECK-NEXT: gaudi.mme.conv %arg0, %arg1 layout "NHWC", "OIHW", "NHWC" {{.*}} : tensor<1x8x9x3xf32>, tensor<5x3x2x7xf32> -> tensor<1x7x3x5xf32>
  %t = gaudi.transpose %w permutation [2, 3, 1, 0] : tensor<5x3x2x7xf32> -> tensor<2x7x3x5xf32>
  %0 = gaudi.mme.conv %x, %t layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1
         : tensor<1x8x9x3xf32>, tensor<2x7x3x5xf32> -> tensor<1x7x3x5xf32>
  return %0 : tensor<1x7x3x5xf32>
}

// A batch dimension that moves is a stride; a convolution is channels-last, so
// that its input stays; dimensions of size 1 move for nothing.
// CHECK-LABEL: @batch_activation_unit
func.func @batch_activation_unit(%a: tensor<4x3x8xf32>, %b: tensor<3x8x2xf32>, %x: tensor<1x3x8xf32>, %w: tensor<1x3x4xf32>)
    -> (tensor<3x4x2xf32>, tensor<1x8x4xf32>, tensor<3x1x8xf32>) {
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %arg1 order_a [1, 0, 2] : tensor<4x3x8xf32>, tensor<3x8x2xf32> -> tensor<3x4x2xf32>
  %s = gaudi.transpose %a permutation [1, 0, 2] : tensor<4x3x8xf32> -> tensor<3x4x8xf32>
  %0 = gaudi.mme.gemm %s, %b : tensor<3x4x8xf32>, tensor<3x8x2xf32> -> tensor<3x4x2xf32>
  // CHECK-NEXT: [[T:%.+]] = gaudi.transpose %arg2 permutation [0, 2, 1]
  // CHECK-NEXT: gaudi.mme.conv [[T]], %arg3 layout "NWC", "WIO", "NWC"
  %t = gaudi.transpose %x permutation [0, 2, 1] : tensor<1x3x8xf32> -> tensor<1x8x3xf32>
  %1 = gaudi.mme.conv %t, %w layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x8x3xf32>, tensor<1x3x4xf32> -> tensor<1x8x4xf32>
  // CHECK-NEXT: [[U:%.+]] = gaudi.reshape %arg2 : tensor<1x3x8xf32> -> tensor<3x1x8xf32>
  // CHECK-NEXT: gaudi.tpc.exp [[U]]
  %u = gaudi.transpose %x permutation [1, 0, 2] : tensor<1x3x8xf32> -> tensor<3x1x8xf32>
  %2 = gaudi.tpc.exp %u : tensor<3x1x8xf32>
  return %0, %1, %2 : tensor<3x4x2xf32>, tensor<1x8x4xf32>, tensor<3x1x8xf32>
}

// A convolution that is written channels-first becomes channels-last; its
// input and result are transposed where callers see them.
// CHECK-LABEL: @channels_first
func.func @channels_first(%x: tensor<2x3x8x9xf32>, %w: tensor<5x3x2x7xf32>) -> tensor<2x5x7x3xf32> {
  // LOC: gaudi.transpose %arg0 {{.*}} loc("{{.*}}place-permutations.mlir":[[#@LINE+4]]:8)
  // CHECK-NEXT: [[X:%.+]] = gaudi.transpose %arg0 permutation [0, 2, 3, 1]
  // CHECK-NEXT: [[Y:%.+]] = gaudi.mme.conv [[X]], %arg1 layout "NHWC", "OIHW", "NHWC"
  // CHECK-NEXT: gaudi.transpose [[Y]] permutation [0, 3, 1, 2]
  %y = gaudi.mme.conv %x, %w layout "NCHW", "OIHW", "NCHW" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1
         : tensor<2x3x8x9xf32>, tensor<5x3x2x7xf32> -> tensor<2x5x7x3xf32>
  return %y : tensor<2x5x7x3xf32>
}

// Callers that let arguments and results permute see what is stored.
// CHECK-LABEL: @permuted_caller
// CHECK-SAME: (%arg0: tensor<2x8x9x3xf32> {gaudi.allow_permutation, gaudi.permutation = array<i64: 0, 2, 3, 1>}, %arg1: tensor<5x3x2x7xf32>)
// CHECK-SAME: -> (tensor<2x7x3x5xf32> {gaudi.allow_permutation, gaudi.permutation = array<i64: 0, 2, 3, 1>})
func.func @permuted_caller(%x: tensor<2x3x8x9xf32> {gaudi.allow_permutation}, %w: tensor<5x3x2x7xf32>)
    -> (tensor<2x5x7x3xf32> {gaudi.allow_permutation}) {
  // CHECK-NEXT: gaudi.mme.conv %arg0, %arg1 layout "NHWC", "OIHW", "NHWC"
  // CHECK-NEXT: return
  %y = gaudi.mme.conv %x, %w layout "NCHW", "OIHW", "NCHW" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1
         : tensor<2x3x8x9xf32>, tensor<5x3x2x7xf32> -> tensor<2x5x7x3xf32>
  return %y : tensor<2x5x7x3xf32>
}

// A reshape between the two is done first when no dimension mixes what the
// transpose parts: ones come and go, dimensions split and merge.
// CHECK-LABEL: @through_reshape
func.func @through_reshape(%a: tensor<1x4x8xf32>, %w: tensor<16x8xf32>) -> tensor<1x4x16xf32> {
  // CHECK-NEXT: [[W:%.+]] = gaudi.reshape %arg1 : tensor<16x8xf32> -> tensor<1x16x8xf32>
  // CHECK-NEXT: gaudi.mme.gemm %arg0, [[W]] transpose_b : tensor<1x4x8xf32>, tensor<1x16x8xf32> -> tensor<1x4x16xf32>
  %t = gaudi.transpose %w permutation [1, 0] : tensor<16x8xf32> -> tensor<8x16xf32>
  %r = gaudi.reshape %t : tensor<8x16xf32> -> tensor<1x8x16xf32>
  %0 = gaudi.mme.gemm %a, %r : tensor<1x4x8xf32>, tensor<1x8x16xf32> -> tensor<1x4x16xf32>
  return %0 : tensor<1x4x16xf32>
}

// CHECK-LABEL: @merged_batch
func.func @merged_batch(%a: tensor<6x4x8xf32>, %b: tensor<2x3x16x8xf32>) -> tensor<6x4x16xf32> {
  // CHECK-NEXT: [[B:%.+]] = gaudi.reshape %arg1 : tensor<2x3x16x8xf32> -> tensor<6x16x8xf32>
  // CHECK-NEXT: gaudi.mme.gemm %arg0, [[B]] transpose_b
  %t = gaudi.transpose %b permutation [0, 1, 3, 2] : tensor<2x3x16x8xf32> -> tensor<2x3x8x16xf32>
  %r = gaudi.reshape %t : tensor<2x3x8x16xf32> -> tensor<6x8x16xf32>
  %0 = gaudi.mme.gemm %a, %r : tensor<6x4x8xf32>, tensor<6x8x16xf32> -> tensor<6x4x16xf32>
  return %0 : tensor<6x4x16xf32>
}

// The heads of attention: keys are read, and the merged output is written, in
// place.
// CHECK-LABEL: @heads
func.func @heads(%q: tensor<12x128x64xf32>, %k: tensor<1x128x12x64xf32>) -> tensor<128x1536xf32> {
  // CHECK-NEXT: [[K:%.+]] = gaudi.reshape %arg1 : tensor<1x128x12x64xf32> -> tensor<128x12x64xf32>
  // CHECK-NEXT: [[Y:%.+]] = gaudi.mme.gemm %arg0, [[K]] transpose_b order_b [1, 0, 2] order_c [1, 0, 2] : tensor<12x128x64xf32>, tensor<128x12x64xf32> -> tensor<128x12x128xf32>
  // CHECK-NEXT: gaudi.reshape [[Y]] : tensor<128x12x128xf32> -> tensor<128x1536xf32>
  %t = gaudi.transpose %k permutation [0, 2, 3, 1] : tensor<1x128x12x64xf32> -> tensor<1x12x64x128xf32>
  %r = gaudi.reshape %t : tensor<1x12x64x128xf32> -> tensor<12x64x128xf32>
  %0 = gaudi.mme.gemm %q, %r : tensor<12x128x64xf32>, tensor<12x64x128xf32> -> tensor<12x128x128xf32>
  %m = gaudi.transpose %0 permutation [1, 0, 2] : tensor<12x128x128xf32> -> tensor<128x12x128xf32>
  %y = gaudi.reshape %m : tensor<128x12x128xf32> -> tensor<128x1536xf32>
  return %y : tensor<128x1536xf32>
}

// A transpose that only moves ones, and one whose dimensions the reshape mixes.
// CHECK-LABEL: @ones_and_mixed
func.func @ones_and_mixed(%x: tensor<3x1x4xf32>, %y: tensor<3x4xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
  // CHECK-NEXT: gaudi.transpose %arg1 permutation [1, 0]
  // CHECK-NEXT: [[R:%.+]] = gaudi.reshape %arg0 : tensor<3x1x4xf32> -> tensor<1x3x4xf32>
  // CHECK-NEXT: gaudi.reshape [[R]] : tensor<1x3x4xf32> -> tensor<12xf32>
  %t = gaudi.transpose %x permutation [1, 0, 2] : tensor<3x1x4xf32> -> tensor<1x3x4xf32>
  %u = gaudi.transpose %y permutation [1, 0] : tensor<3x4xf32> -> tensor<4x3xf32>
  %0 = gaudi.reshape %t : tensor<1x3x4xf32> -> tensor<12xf32>
  %1 = gaudi.reshape %u : tensor<4x3xf32> -> tensor<12xf32>
  return %0, %1 : tensor<12xf32>, tensor<12xf32>
}

// The time of a transpose counts once for all readers after a reshape, and not
// at all if another op needs it.
// CHECK-LABEL: @three_behind_reshape
func.func @three_behind_reshape(%x: tensor<512x2048xbf16>, %a: tensor<1x64x512xbf16>, %b: tensor<1x64x512xbf16>, %c: tensor<1x64x512xbf16>)
    -> (tensor<1x64x2048xbf16>, tensor<1x64x2048xbf16>, tensor<1x64x2048xbf16>) {
  // CHECK-NOT: gaudi.transpose
  // CHECK-COUNT-3: gaudi.mme.gemm %{{.*}}, %{{.*}} : tensor<1x64x512xbf16>, tensor<1x512x2048xbf16>
  %t = gaudi.transpose %x permutation [1, 0] : tensor<512x2048xbf16> -> tensor<2048x512xbf16>
  %r = gaudi.reshape %t : tensor<2048x512xbf16> -> tensor<1x2048x512xbf16>
  %0 = gaudi.mme.gemm %a, %r transpose_b : tensor<1x64x512xbf16>, tensor<1x2048x512xbf16> -> tensor<1x64x2048xbf16>
  %1 = gaudi.mme.gemm %b, %r transpose_b : tensor<1x64x512xbf16>, tensor<1x2048x512xbf16> -> tensor<1x64x2048xbf16>
  %2 = gaudi.mme.gemm %c, %r transpose_b : tensor<1x64x512xbf16>, tensor<1x2048x512xbf16> -> tensor<1x64x2048xbf16>
  return %0, %1, %2 : tensor<1x64x2048xbf16>, tensor<1x64x2048xbf16>, tensor<1x64x2048xbf16>
}

// CHECK-LABEL: @returned_too
func.func @returned_too(%x: tensor<512x2048xbf16>, %a: tensor<64x512xbf16>) -> (tensor<64x2048xbf16>, tensor<2048x512xbf16>) {
  // LOC: gaudi.transpose {{.*}} loc("{{.*}}place-permutations.mlir":[[#@LINE+3]]:8)
  // CHECK: [[T:%.+]] = gaudi.transpose %arg0
  // CHECK: return {{%.+}}, [[T]]
  %t = gaudi.transpose %x permutation [1, 0] : tensor<512x2048xbf16> -> tensor<2048x512xbf16>
  %0 = gaudi.mme.gemm %a, %t transpose_b : tensor<64x512xbf16>, tensor<2048x512xbf16> -> tensor<64x2048xbf16>
  return %0, %t : tensor<64x2048xbf16>, tensor<2048x512xbf16>
}

// Elementwise ops take the order of what is around them.
// CHECK-LABEL: @elementwise
func.func @elementwise(%x: tensor<2x4x8x8xf32>, %b: tensor<1x1x1x4xf32>) -> tensor<2x4x8x8xf32> {
  // CHECK-NEXT: [[E:%.+]] = gaudi.tpc.exp %arg0 : tensor<2x4x8x8xf32>
  // CHECK-NEXT: [[B:%.+]] = gaudi.reshape %arg1 : tensor<1x1x1x4xf32> -> tensor<1x4x1x1xf32>
  // CHECK-NEXT: [[A:%.+]] = gaudi.tpc.add [[E]], [[B]] : tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32> -> tensor<2x4x8x8xf32>
  // CHECK-NEXT: return [[A]]
  %t = gaudi.transpose %x permutation [0, 2, 3, 1] : tensor<2x4x8x8xf32> -> tensor<2x8x8x4xf32>
  %r = gaudi.tpc.exp %t : tensor<2x8x8x4xf32>
  %a = gaudi.tpc.add %r, %b : tensor<2x8x8x4xf32>, tensor<1x1x1x4xf32> -> tensor<2x8x8x4xf32>
  %y = gaudi.transpose %a permutation [0, 3, 1, 2] : tensor<2x8x8x4xf32> -> tensor<2x4x8x8xf32>
  return %y : tensor<2x4x8x8xf32>
}

// An op may become a kernel that reads one order and writes another.
// CHECK-LABEL: @kernel
func.func @kernel(%x: tensor<64x256x56x56xf32>) -> tensor<64x56x56x256xf32> {
  // CHECK-NEXT: [[K:%.+]] = gaudi.tpc.kernel label "tpc.exp"(%arg0) index_space [64, 256, 56, 56]
  // CHECK: gaudi.kernel.load %in0[d0, d1, d2, d3]
  // CHECK: gaudi.kernel.store {{%.+}}, %out0[d0, d2, d3, d1]
  // CHECK: return [[K]]
  // LOC: gaudi.tpc.kernel label "tpc.exp"
  // LOC: } loc("{{.*}}place-permutations.mlir":[[#@LINE+1]]:8)
  %r = gaudi.tpc.exp %x : tensor<64x256x56x56xf32>
  %y = gaudi.transpose %r permutation [0, 2, 3, 1] : tensor<64x256x56x56xf32> -> tensor<64x56x56x256xf32>
  return %y : tensor<64x56x56x256xf32>
}

// Ops that need one transposed copy share it, where the program has the first.
// CHECK-LABEL: @shared
func.func @shared(%x: tensor<64x256x56x56xf32>, %y: tensor<64x56x56x256xf32>)
    -> (tensor<64x256x56x56xf32>, tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32>) {
  // CHECK-NEXT: [[T:%.+]] = gaudi.transpose %arg0 permutation [0, 2, 3, 1]
  // CHECK-NEXT: gaudi.tpc.exp %arg0
  // CHECK-NEXT: gaudi.tpc.add [[T]], %arg1
  // CHECK-NEXT: gaudi.tpc.mul [[T]], %arg1
  // CHECK-NEXT: return
  %t = gaudi.transpose %x permutation [0, 2, 3, 1] : tensor<64x256x56x56xf32> -> tensor<64x56x56x256xf32>
  %u = gaudi.transpose %x permutation [0, 2, 3, 1] : tensor<64x256x56x56xf32> -> tensor<64x56x56x256xf32>
  %0 = gaudi.tpc.exp %x : tensor<64x256x56x56xf32>
  %1 = gaudi.tpc.add %t, %y : tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32> -> tensor<64x56x56x256xf32>
  %2 = gaudi.tpc.mul %u, %y : tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32> -> tensor<64x56x56x256xf32>
  return %0, %1, %2 : tensor<64x256x56x56xf32>, tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32>
}

// All results of an op move, and what reads them.
// CHECK-LABEL: @results
func.func @results(%x: tensor<64x8x32xf32>) -> (tensor<64x4x32xf32>, tensor<64x4x32xf32>) {
  // CHECK-NEXT: [[S:%.+]]:2 = gaudi.split %arg0 axis 1
  // CHECK-NEXT: return [[S]]#0, [[S]]#1
  %t = gaudi.transpose %x permutation [1, 0, 2] : tensor<64x8x32xf32> -> tensor<8x64x32xf32>
  %s:2 = gaudi.split %t axis 0 : tensor<8x64x32xf32> -> tensor<4x64x32xf32>, tensor<4x64x32xf32>
  %0 = gaudi.transpose %s#0 permutation [1, 0, 2] : tensor<4x64x32xf32> -> tensor<64x4x32xf32>
  %1 = gaudi.transpose %s#1 permutation [1, 0, 2] : tensor<4x64x32xf32> -> tensor<64x4x32xf32>
  return %0, %1 : tensor<64x4x32xf32>, tensor<64x4x32xf32>
}

// Transposes that cancel, and two that merge.
// CHECK-LABEL: @chains
func.func @chains(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3x4x2xf32>) {
  // CHECK-NEXT: [[T:%.+]] = gaudi.transpose %arg0 permutation [1, 2, 0]
  // CHECK-NEXT: return %arg0, [[T]]
  %a = gaudi.transpose %x permutation [1, 0, 2] : tensor<2x3x4xf32> -> tensor<3x2x4xf32>
  %b = gaudi.transpose %a permutation [1, 0, 2] : tensor<3x2x4xf32> -> tensor<2x3x4xf32>
  %c = gaudi.transpose %a permutation [0, 2, 1] : tensor<3x2x4xf32> -> tensor<3x4x2xf32>
  return %b, %c : tensor<2x3x4xf32>, tensor<3x4x2xf32>
}

// Constants are rearranged at compile time, once for all that read them so.
// CHECK-LABEL: @constants
// FOLD-LABEL: @constants
func.func @constants(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  // CHECK: gaudi.transpose
  // CHECK-NOT: gaudi.transpose
  // FOLD-NEXT: [[C:%.+]] = gaudi.constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  // FOLD-NEXT: gaudi.tpc.add %arg0, [[C]]
  // FOLD-NEXT: gaudi.tpc.mul %arg0, [[C]]
  %c = gaudi.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %t = gaudi.transpose %c permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %u = gaudi.transpose %c permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %0 = gaudi.tpc.add %x, %t : tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x2xf32>
  %1 = gaudi.tpc.mul %x, %u : tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x2xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
}

// After a convolution between transposes everything is in the order of the
// convolution; the second reader follows.
// CHECK-LABEL: @between_transposes
func.func @between_transposes(%x: tensor<1x8x8x16xf32>, %w: tensor<1x1x16x16xf32>, %b: tensor<1x16x1x1xf32>) -> tensor<1x8x8x16xf32> {
  // CHECK-NOT: gaudi.transpose
  // CHECK: return
  %c0 = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x8x8x16xf32>, tensor<1x1x16x16xf32> -> tensor<1x8x8x16xf32>
  %t0 = gaudi.transpose %c0 permutation [0, 3, 1, 2] : tensor<1x8x8x16xf32> -> tensor<1x16x8x8xf32>
  %a0 = gaudi.tpc.add %t0, %b : tensor<1x16x8x8xf32>, tensor<1x16x1x1xf32> -> tensor<1x16x8x8xf32>
  %u0 = gaudi.transpose %a0 permutation [0, 2, 3, 1] : tensor<1x16x8x8xf32> -> tensor<1x8x8x16xf32>
  %c1 = gaudi.mme.conv %u0, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x8x8x16xf32>, tensor<1x1x16x16xf32> -> tensor<1x8x8x16xf32>
  %t1 = gaudi.transpose %c1 permutation [0, 3, 1, 2] : tensor<1x8x8x16xf32> -> tensor<1x16x8x8xf32>
  %a1 = gaudi.tpc.add %t1, %a0 : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32> -> tensor<1x16x8x8xf32>
  %u1 = gaudi.transpose %a1 permutation [0, 2, 3, 1] : tensor<1x16x8x8xf32> -> tensor<1x8x8x16xf32>
  %c2 = gaudi.mme.conv %u1, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x8x8x16xf32>, tensor<1x1x16x16xf32> -> tensor<1x8x8x16xf32>
  return %c2 : tensor<1x8x8x16xf32>
}

// The split of the last dimension moves before the sum, whose kernel writes the
// heads.
// CHECK-LABEL: @split_heads
func.func @split_heads(%x: tensor<12x128xf32>, %w: tensor<128x128xf32>, %b: tensor<1x128xf32>) -> tensor<2x12x12xf32> {
  // CHECK-NOT: gaudi.transpose
  // CHECK: [[H:%.+]] = gaudi.tpc.kernel label "tpc.add"({{.*}} -> tensor<2x12x64xf32> {
  // CHECK: gaudi.mme.gemm [[H]], [[H]] transpose_b : tensor<2x12x64xf32>, tensor<2x12x64xf32> -> tensor<2x12x12xf32>
  %p = gaudi.mme.gemm %x, %w : tensor<12x128xf32>, tensor<128x128xf32> -> tensor<12x128xf32>
  %a = gaudi.tpc.add %p, %b : tensor<12x128xf32>, tensor<1x128xf32> -> tensor<12x128xf32>
  %r = gaudi.reshape %a : tensor<12x128xf32> -> tensor<12x2x64xf32>
  %t = gaudi.transpose %r permutation [1, 0, 2] : tensor<12x2x64xf32> -> tensor<2x12x64xf32>
  %q = gaudi.mme.gemm %t, %t transpose_b : tensor<2x12x64xf32>, tensor<2x12x64xf32> -> tensor<2x12x12xf32>
  return %q : tensor<2x12x12xf32>
}

// A kernel may read a transpose twice.
// CHECK-LABEL: @squared_transpose
func.func @squared_transpose(%x: tensor<64x32x128xf32>) -> tensor<32x64x128xf32> {
  // CHECK-NOT: gaudi.transpose
  // CHECK: gaudi.tpc.kernel label "tpc.mul"(%arg0
  %t = gaudi.transpose %x permutation [1, 0, 2] : tensor<64x32x128xf32> -> tensor<32x64x128xf32>
  %0 = gaudi.tpc.mul %t, %t : tensor<32x64x128xf32>, tensor<32x64x128xf32> -> tensor<32x64x128xf32>
  return %0 : tensor<32x64x128xf32>
}
