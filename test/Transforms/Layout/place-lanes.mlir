// Kernels that sum products have their lanes along their weights' dimensions,
// where that takes less time: convolutions are then channels last.
// RUN: gaudi-opt %s --gaudi-place-permutations=device=gaudi2 | FileCheck %s
// RUN: gaudi-opt %s --gaudi-place-permutations=device=gaudi3 | FileCheck %s --check-prefix=GAUDI3

// Rows of 14 elements would fill few lanes. The image of the caller is read one
// element at a time, for which it need not move.
// CHECK-LABEL: @channels_first
// CHECK-SAME: %arg1: tensor<3x3x64x128xi8> {{{.*}}gaudi.permutation = array<i64: 2, 3, 1, 0>}
// CHECK-NOT: gaudi.transpose
// CHECK: load %in0[0, d3, d1 + d4, d2 + d5] : tensor<1x64x16x16xi8>
// CHECK: load %in1[d4, d5, d3, d0] : tensor<3x3x64x128xi8>
// CHECK: store {{.*}}[0, d1, d2, d0] : tensor<1x14x14x128xi32>
// CHECK: gaudi.tpc.cast {{.*}} : tensor<1x14x14x128xi32> -> tensor<1x14x14x128xi8>
// CHECK: load %in0[0, d1 + d4, d2 + d5, d3] : tensor<1x14x14x128xi8>
// CHECK: load %in1[d4, d5, d3, d0] : tensor<3x3x128x64xi8>
// CHECK-NOT: gaudi.transpose
// CHECK: return {{.*}} : tensor<1x12x12x64xi32>
// GAUDI3-LABEL: @channels_first
// GAUDI3: return {{.*}} : tensor<1x12x12x64xi32>
func.func @channels_first(%x: tensor<1x64x16x16xi8>, %v: tensor<128x64x3x3xi8> {gaudi.allow_permutation}, %w: tensor<64x128x3x3xi8> {gaudi.allow_permutation})
    -> (tensor<1x64x12x12xi32> {gaudi.allow_permutation}) {
  %0 = gaudi.tpc.kernel label "conv" (%x, %v) index_space [128, 14, 14, 64, 3, 3] parallel [true, true, true, false, false, false] : (tensor<1x64x16x16xi8>, tensor<128x64x3x3xi8>) -> tensor<1x128x14x14xi32> {
  ^bb0(%in0: tensor<1x64x16x16xi8>, %in1: tensor<128x64x3x3xi8>, %out0: tensor<1x128x14x14xi32>):
    %zero = arith.constant 0 : i32
    %sum = gaudi.kernel.loop [3, 4, 5] reduce [#gaudi.reduce<add>] init(%zero) : i32 {
    ^bb0(%acc: i32):
      %a = gaudi.kernel.load %in0[0, d3, d1 + d4, d2 + d5] : tensor<1x64x16x16xi8>
      %b = gaudi.kernel.load %in1[d0, d3, d4, d5] : tensor<128x64x3x3xi8>
      %i = arith.extsi %a : i8 to i32
      %j = arith.extsi %b : i8 to i32
      %m = arith.muli %i, %j : i32
      gaudi.kernel.yield %m : i32
    }
    gaudi.kernel.store %sum, %out0[0, d0, d1, d2] : tensor<1x128x14x14xi32>
  }
  %1 = gaudi.tpc.cast %0 : tensor<1x128x14x14xi32> -> tensor<1x128x14x14xi8>
  %2 = gaudi.tpc.kernel label "conv" (%1, %w) index_space [64, 12, 12, 128, 3, 3] parallel [true, true, true, false, false, false] : (tensor<1x128x14x14xi8>, tensor<64x128x3x3xi8>) -> tensor<1x64x12x12xi32> {
  ^bb0(%in0: tensor<1x128x14x14xi8>, %in1: tensor<64x128x3x3xi8>, %out0: tensor<1x64x12x12xi32>):
    %zero = arith.constant 0 : i32
    %sum = gaudi.kernel.loop [3, 4, 5] reduce [#gaudi.reduce<add>] init(%zero) : i32 {
    ^bb0(%acc: i32):
      %a = gaudi.kernel.load %in0[0, d3, d1 + d4, d2 + d5] : tensor<1x128x14x14xi8>
      %b = gaudi.kernel.load %in1[d0, d3, d4, d5] : tensor<64x128x3x3xi8>
      %i = arith.extsi %a : i8 to i32
      %j = arith.extsi %b : i8 to i32
      %m = arith.muli %i, %j : i32
      gaudi.kernel.yield %m : i32
    }
    gaudi.kernel.store %sum, %out0[0, d0, d1, d2] : tensor<1x64x12x12xi32>
  }
  return %2 : tensor<1x64x12x12xi32>
}

// Four filters would leave most lanes idle, rows of 64 elements fill them.
// CHECK-LABEL: @few_filters
// CHECK-NOT: gaudi.transpose
// CHECK: load %in0[0, d3, d1 + d4, d2 + d5] : tensor<1x16x66x66xi8>
// CHECK: load %in1[d0, d3, d4, d5] : tensor<4x16x3x3xi8>
// CHECK: store {{.*}}[0, d0, d1, d2] : tensor<1x4x64x64xi32>
func.func @few_filters(%x: tensor<1x16x66x66xi8>, %w: tensor<4x16x3x3xi8> {gaudi.allow_permutation}) -> tensor<1x4x64x64xi32> {
  %0 = gaudi.tpc.kernel label "few" (%x, %w) index_space [4, 64, 64, 16, 3, 3] parallel [true, true, true, false, false, false] : (tensor<1x16x66x66xi8>, tensor<4x16x3x3xi8>) -> tensor<1x4x64x64xi32> {
  ^bb0(%in0: tensor<1x16x66x66xi8>, %in1: tensor<4x16x3x3xi8>, %out0: tensor<1x4x64x64xi32>):
    %zero = arith.constant 0 : i32
    %sum = gaudi.kernel.loop [3, 4, 5] reduce [#gaudi.reduce<add>] init(%zero) : i32 {
    ^bb0(%acc: i32):
      %a = gaudi.kernel.load %in0[0, d3, d1 + d4, d2 + d5] : tensor<1x16x66x66xi8>
      %b = gaudi.kernel.load %in1[d0, d3, d4, d5] : tensor<4x16x3x3xi8>
      %i = arith.extsi %a : i8 to i32
      %j = arith.extsi %b : i8 to i32
      %m = arith.muli %i, %j : i32
      gaudi.kernel.yield %m : i32
    }
    gaudi.kernel.store %sum, %out0[0, d0, d1, d2] : tensor<1x4x64x64xi32>
  }
  return %0 : tensor<1x4x64x64xi32>
}

// The channels of a depthwise convolution are dimensions of both operands. What
// is before writes them innermost.
// CHECK-LABEL: @depthwise
// CHECK: load %in0[0, d1 + d3, d2 + d4, d0] : tensor<1x14x14x256xi8>
// CHECK: load %in1[d3, d4, d0] : tensor<3x3x256xi8>
func.func @depthwise(%x: tensor<1x256x14x14xi8>, %w: tensor<256x3x3xi8> {gaudi.allow_permutation}) -> tensor<1x256x12x12xi32> {
  %0 = gaudi.tpc.abs %x : tensor<1x256x14x14xi8>
  %1 = gaudi.tpc.kernel label "depthwise" (%0, %w) index_space [256, 12, 12, 3, 3] parallel [true, true, true, false, false] : (tensor<1x256x14x14xi8>, tensor<256x3x3xi8>) -> tensor<1x256x12x12xi32> {
  ^bb0(%in0: tensor<1x256x14x14xi8>, %in1: tensor<256x3x3xi8>, %out0: tensor<1x256x12x12xi32>):
    %zero = arith.constant 0 : i32
    %sum = gaudi.kernel.loop [3, 4] reduce [#gaudi.reduce<add>] init(%zero) : i32 {
    ^bb0(%acc: i32):
      %a = gaudi.kernel.load %in0[0, d0, d1 + d3, d2 + d4] : tensor<1x256x14x14xi8>
      %b = gaudi.kernel.load %in1[d0, d3, d4] : tensor<256x3x3xi8>
      %i = arith.extsi %a : i8 to i32
      %j = arith.extsi %b : i8 to i32
      %m = arith.muli %i, %j : i32
      gaudi.kernel.yield %m : i32
    }
    gaudi.kernel.store %sum, %out0[0, d0, d1, d2] : tensor<1x256x12x12xi32>
  }
  return %1 : tensor<1x256x12x12xi32>
}

// Groups stay beside their channels: merged again, they are channels last. So is
// the image, which takes no longer in the order of the caller.
// CHECK-LABEL: @groups
// CHECK-SAME: %arg0: tensor<1x16x16x128xi8>
// CHECK-NOT: gaudi.transpose
// CHECK: load {{.*}}[0, d2 + d5, d3 + d6, d0, d4] : tensor<1x16x16x4x32xi8>
// CHECK: store {{.*}} : tensor<1x14x14x4x32xi32>
// CHECK-NOT: gaudi.transpose
// CHECK: return
func.func @groups(%x: tensor<1x128x16x16xi8> {gaudi.allow_permutation}, %w: tensor<4x32x32x3x3xi8> {gaudi.allow_permutation}) -> (tensor<1x128x14x14xi8> {gaudi.allow_permutation}) {
  %g = gaudi.reshape %x : tensor<1x128x16x16xi8> -> tensor<1x4x32x16x16xi8>
  %0 = gaudi.tpc.kernel label "groups" (%g, %w) index_space [4, 32, 14, 14, 32, 3, 3] parallel [true, true, true, true, false, false, false] : (tensor<1x4x32x16x16xi8>, tensor<4x32x32x3x3xi8>) -> tensor<1x4x32x14x14xi32> {
  ^bb0(%in0: tensor<1x4x32x16x16xi8>, %in1: tensor<4x32x32x3x3xi8>, %out0: tensor<1x4x32x14x14xi32>):
    %zero = arith.constant 0 : i32
    %sum = gaudi.kernel.loop [4, 5, 6] reduce [#gaudi.reduce<add>] init(%zero) : i32 {
    ^bb0(%acc: i32):
      %a = gaudi.kernel.load %in0[0, d0, d4, d2 + d5, d3 + d6] : tensor<1x4x32x16x16xi8>
      %b = gaudi.kernel.load %in1[d0, d1, d4, d5, d6] : tensor<4x32x32x3x3xi8>
      %i = arith.extsi %a : i8 to i32
      %j = arith.extsi %b : i8 to i32
      %m = arith.muli %i, %j : i32
      gaudi.kernel.yield %m : i32
    }
    gaudi.kernel.store %sum, %out0[0, d0, d1, d2, d3] : tensor<1x4x32x14x14xi32>
  }
  %1 = gaudi.reshape %0 : tensor<1x4x32x14x14xi32> -> tensor<1x128x14x14xi32>
  %2 = gaudi.tpc.cast %1 : tensor<1x128x14x14xi32> -> tensor<1x128x14x14xi8>
  return %2 : tensor<1x128x14x14xi8>
}

// Rows of a weight are its columns: moved at compile time.
// CHECK-LABEL: @product
// CHECK: load %in0[d0, d2] : tensor<128x8xi8>
// CHECK: load %in1[d2, d1] : tensor<8x64xi8>
// CHECK: store {{.*}}[d0, d1] : tensor<128x64xi32>
func.func @product(%x: tensor<128x8xi8>) -> tensor<128x64xi32> {
  %w = gaudi.constant dense<"0x0001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600010203040506000102030405060001020304050600"> : tensor<64x8xi8>
  %0 = gaudi.tpc.kernel label "product" (%x, %w) index_space [128, 64, 8] parallel [true, true, false] : (tensor<128x8xi8>, tensor<64x8xi8>) -> tensor<128x64xi32> {
  ^bb0(%in0: tensor<128x8xi8>, %in1: tensor<64x8xi8>, %out0: tensor<128x64xi32>):
    %zero = arith.constant 0 : i32
    %sum = gaudi.kernel.loop [2] reduce [#gaudi.reduce<add>] init(%zero) : i32 {
    ^bb0(%acc: i32):
      %a = gaudi.kernel.load %in0[d0, d2] : tensor<128x8xi8>
      %b = gaudi.kernel.load %in1[d1, d2] : tensor<64x8xi8>
      %i = arith.extsi %a : i8 to i32
      %j = arith.extsi %b : i8 to i32
      %m = arith.muli %i, %j : i32
      gaudi.kernel.yield %m : i32
    }
    gaudi.kernel.store %sum, %out0[d0, d1] : tensor<128x64xi32>
  }
  return %0 : tensor<128x64xi32>
}

// Without a window and a constant, neither operand is a weight.
// CHECK-LABEL: @arguments
// CHECK-NOT: gaudi.transpose
// CHECK: load %in0[d0, d2] : tensor<128x8xi8>
// CHECK: load %in1[d1, d2] : tensor<64x8xi8>
// CHECK: store {{.*}}[d0, d1] : tensor<128x64xi32>
func.func @arguments(%x: tensor<128x8xi8>, %w: tensor<64x8xi8>) -> tensor<128x64xi32> {
  %0 = gaudi.tpc.kernel label "product" (%x, %w) index_space [128, 64, 8] parallel [true, true, false] : (tensor<128x8xi8>, tensor<64x8xi8>) -> tensor<128x64xi32> {
  ^bb0(%in0: tensor<128x8xi8>, %in1: tensor<64x8xi8>, %out0: tensor<128x64xi32>):
    %zero = arith.constant 0 : i32
    %sum = gaudi.kernel.loop [2] reduce [#gaudi.reduce<add>] init(%zero) : i32 {
    ^bb0(%acc: i32):
      %a = gaudi.kernel.load %in0[d0, d2] : tensor<128x8xi8>
      %b = gaudi.kernel.load %in1[d1, d2] : tensor<64x8xi8>
      %i = arith.extsi %a : i8 to i32
      %j = arith.extsi %b : i8 to i32
      %m = arith.muli %i, %j : i32
      gaudi.kernel.yield %m : i32
    }
    gaudi.kernel.store %sum, %out0[d0, d1] : tensor<128x64xi32>
  }
  return %0 : tensor<128x64xi32>
}
