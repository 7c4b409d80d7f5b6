// RUN: gaudi-opt %s --gaudi-absorb-transposes -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %t.once --gaudi-absorb-transposes | diff %t.once -
// RUN: gaudi-opt %s --gaudi-absorb-transposes --remarks-filter=gaudi-absorb-transposes --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: @gemm
func.func @gemm(%a: tensor<8x4xf32>, %b: tensor<16x8xf32>) -> tensor<4x16xf32> {
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %arg1 transpose_a transpose_b : tensor<8x4xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
  // REMARK: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-transpose | Category:gaudi-absorb-transposes | Remark="absorbed: 'gaudi.mme.gemm' reads operand 0 unpermuted, saving {{[0-9.]+}} us on gaudi2"
  %s = gaudi.transpose %a permutation [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  // REMARK: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-transpose | Category:gaudi-absorb-transposes | Remark="absorbed: 'gaudi.mme.gemm' reads operand 1 unpermuted, saving {{[0-9.]+}} us on gaudi2"
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

// What is not free: a batch dimension that moves, an activation, another op.
// CHECK-LABEL: @kept
func.func @kept(%a: tensor<4x3x8xf32>, %b: tensor<3x8x2xf32>, %x: tensor<1x3x8xf32>, %w: tensor<1x3x4xf32>)
    -> (tensor<3x4x2xf32>, tensor<1x8x4xf32>, tensor<3x1x8xf32>) {
  // CHECK-COUNT-3: gaudi.transpose
  // REMARK: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-transpose | Category:gaudi-absorb-transposes | Reason="not absorbed: user 'gaudi.mme.gemm' does not read the unpermuted operand; the transpose takes {{[0-9.]+}} us on gaudi2"
  %s = gaudi.transpose %a permutation [1, 0, 2] : tensor<4x3x8xf32> -> tensor<3x4x8xf32>
  %0 = gaudi.mme.gemm %s, %b : tensor<3x4x8xf32>, tensor<3x8x2xf32> -> tensor<3x4x2xf32>
  // REMARK: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-transpose | Category:gaudi-absorb-transposes | Reason="not absorbed: user 'gaudi.mme.conv' does not read the unpermuted operand; the transpose takes {{[0-9.]+}} us on gaudi2"
  %t = gaudi.transpose %x permutation [0, 2, 1] : tensor<1x3x8xf32> -> tensor<1x8x3xf32>
  %1 = gaudi.mme.conv %t, %w layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x8x3xf32>, tensor<1x3x4xf32> -> tensor<1x8x4xf32>
  // REMARK: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-transpose | Category:gaudi-absorb-transposes | Reason="not absorbed: user 'gaudi.tpc.exp' does not read the unpermuted operand; the transpose takes {{[0-9.]+}} us on gaudi2"
  %u = gaudi.transpose %x permutation [1, 0, 2] : tensor<1x3x8xf32> -> tensor<3x1x8xf32>
  %2 = gaudi.tpc.exp %u : tensor<3x1x8xf32>
  return %0, %1, %2 : tensor<3x4x2xf32>, tensor<1x8x4xf32>, tensor<3x1x8xf32>
}

// A reshape between the two is done first when no dimension mixes what the
// transpose parts: ones come and go, dimensions split and merge.
// CHECK-LABEL: @through_reshape
func.func @through_reshape(%a: tensor<1x4x8xf32>, %w: tensor<16x8xf32>) -> tensor<1x4x16xf32> {
  // CHECK-NEXT: %[[W:.*]] = gaudi.reshape %arg1 : tensor<16x8xf32> -> tensor<1x16x8xf32>
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %[[W]] transpose_b : tensor<1x4x8xf32>, tensor<1x16x8xf32> -> tensor<1x4x16xf32>
  // REMARK: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-transpose | Category:gaudi-absorb-transposes | Remark="absorbed: 'gaudi.mme.gemm' reads operand 1 unpermuted, saving {{[0-9.]+}} us on gaudi2"
  %t = gaudi.transpose %w permutation [1, 0] : tensor<16x8xf32> -> tensor<8x16xf32>
  %r = gaudi.reshape %t : tensor<8x16xf32> -> tensor<1x8x16xf32>
  %0 = gaudi.mme.gemm %a, %r : tensor<1x4x8xf32>, tensor<1x8x16xf32> -> tensor<1x4x16xf32>
  return %0 : tensor<1x4x16xf32>
}

// CHECK-LABEL: @merged_batch
func.func @merged_batch(%a: tensor<6x4x8xf32>, %b: tensor<2x3x16x8xf32>) -> tensor<6x4x16xf32> {
  // CHECK-NEXT: %[[B:.*]] = gaudi.reshape %arg1 : tensor<2x3x16x8xf32> -> tensor<6x16x8xf32>
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %[[B]] transpose_b
  %t = gaudi.transpose %b permutation [0, 1, 3, 2] : tensor<2x3x16x8xf32> -> tensor<2x3x8x16xf32>
  %r = gaudi.reshape %t : tensor<2x3x8x16xf32> -> tensor<6x8x16xf32>
  %0 = gaudi.mme.gemm %a, %r : tensor<6x4x8xf32>, tensor<6x8x16xf32> -> tensor<6x4x16xf32>
  return %0 : tensor<6x4x16xf32>
}

// The keys of attention: heads still move, rows of them at a time.
// CHECK-LABEL: @heads
func.func @heads(%q: tensor<6x5x4xf32>, %k: tensor<1x5x6x4xf32>) -> tensor<6x5x5xf32> {
  // CHECK-NEXT: %[[K:.*]] = gaudi.reshape %arg1 : tensor<1x5x6x4xf32> -> tensor<5x6x4xf32>
  // CHECK-NEXT: %[[T:.*]] = gaudi.transpose %[[K]] permutation [1, 0, 2] : tensor<5x6x4xf32> -> tensor<6x5x4xf32>
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %[[T]] transpose_b
  // REMARK: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-transpose-part | Category:gaudi-absorb-transposes | Remark="absorbed in part: 'gaudi.mme.gemm' reads operand 1 with its last two dimensions exchanged, the others still move, saving {{[0-9.]+}} us on gaudi2"
  %t = gaudi.transpose %k permutation [0, 2, 3, 1] : tensor<1x5x6x4xf32> -> tensor<1x6x4x5xf32>
  %r = gaudi.reshape %t : tensor<1x6x4x5xf32> -> tensor<6x4x5xf32>
  %0 = gaudi.mme.gemm %q, %r : tensor<6x5x4xf32>, tensor<6x4x5xf32> -> tensor<6x5x5xf32>
  return %0 : tensor<6x5x5xf32>
}

// A transpose that only moves ones, and one whose dimensions the reshape mixes.
// CHECK-LABEL: @ones_and_mixed
func.func @ones_and_mixed(%x: tensor<3x1x4xf32>, %y: tensor<3x4xf32>) -> (tensor<12xf32>, tensor<12xf32>) {
  // CHECK-NEXT: gaudi.transpose %arg1
  // CHECK-NEXT: gaudi.reshape %arg0 : tensor<3x1x4xf32> -> tensor<12xf32>
  %t = gaudi.transpose %x permutation [1, 0, 2] : tensor<3x1x4xf32> -> tensor<1x3x4xf32>
  // REMARK: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-transpose | Category:gaudi-absorb-transposes | Reason="not absorbed: user 'gaudi.reshape' does not read the unpermuted operand; the transpose takes {{[0-9.]+}} us on gaudi2"
  %u = gaudi.transpose %y permutation [1, 0] : tensor<3x4xf32> -> tensor<4x3xf32>
  %0 = gaudi.reshape %t : tensor<1x3x4xf32> -> tensor<12xf32>
  %1 = gaudi.reshape %u : tensor<4x3xf32> -> tensor<12xf32>
  return %0, %1 : tensor<12xf32>, tensor<12xf32>
}

// The time of a transpose counts once for all readers behind a reshape, and not
// at all if another op needs it.
// CHECK-LABEL: @three_behind_reshape
func.func @three_behind_reshape(%x: tensor<512x2048xbf16>, %a: tensor<1x64x512xbf16>, %b: tensor<1x64x512xbf16>, %c: tensor<1x64x512xbf16>)
    -> (tensor<1x64x2048xbf16>, tensor<1x64x2048xbf16>, tensor<1x64x2048xbf16>) {
  // CHECK-NOT: gaudi.transpose
  // CHECK-COUNT-3: gaudi.mme.gemm %{{.*}}, %{{.*}} : tensor<1x64x512xbf16>, tensor<1x512x2048xbf16>
  // REMARK-COUNT-3: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Passed] absorb-transpose | Category:gaudi-absorb-transposes | Remark="absorbed: 'gaudi.mme.gemm' reads operand 1 unpermuted, saving 0.9{{[0-9]}} us on gaudi2"
  %t = gaudi.transpose %x permutation [1, 0] : tensor<512x2048xbf16> -> tensor<2048x512xbf16>
  %r = gaudi.reshape %t : tensor<2048x512xbf16> -> tensor<1x2048x512xbf16>
  %0 = gaudi.mme.gemm %a, %r transpose_b : tensor<1x64x512xbf16>, tensor<1x2048x512xbf16> -> tensor<1x64x2048xbf16>
  %1 = gaudi.mme.gemm %b, %r transpose_b : tensor<1x64x512xbf16>, tensor<1x2048x512xbf16> -> tensor<1x64x2048xbf16>
  %2 = gaudi.mme.gemm %c, %r transpose_b : tensor<1x64x512xbf16>, tensor<1x2048x512xbf16> -> tensor<1x64x2048xbf16>
  return %0, %1, %2 : tensor<1x64x2048xbf16>, tensor<1x64x2048xbf16>, tensor<1x64x2048xbf16>
}

// CHECK-LABEL: @returned_too
func.func @returned_too(%x: tensor<512x2048xbf16>, %a: tensor<64x512xbf16>) -> (tensor<64x2048xbf16>, tensor<2048x512xbf16>) {
  // CHECK: gaudi.transpose
  // CHECK-NEXT: gaudi.mme.gemm %arg1, %arg0 : tensor<64x512xbf16>, tensor<512x2048xbf16>
  // REMARK-DAG: absorb-transposes.mlir:[[#@LINE+2]]:8: remark: [Passed] absorb-transpose | Category:gaudi-absorb-transposes | Remark="absorbed: 'gaudi.mme.gemm' reads operand 1 unpermuted, saving 0.00 us on gaudi2"
  // REMARK-DAG: absorb-transposes.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-transpose | Category:gaudi-absorb-transposes | Reason="not absorbed: user 'func.return' does not read the unpermuted operand; the transpose takes 2.{{[0-9]+}} us on gaudi2"
  %t = gaudi.transpose %x permutation [1, 0] : tensor<512x2048xbf16> -> tensor<2048x512xbf16>
  %0 = gaudi.mme.gemm %a, %t transpose_b : tensor<64x512xbf16>, tensor<2048x512xbf16> -> tensor<64x2048xbf16>
  return %0, %t : tensor<64x2048xbf16>, tensor<2048x512xbf16>
}
