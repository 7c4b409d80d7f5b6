// Padding is replaced where it would reach a real element, and only there.
// RUN: gaudi-opt %s --gaudi-mask-padding --split-input-file --remarks-filter=gaudi-mask-padding --remark-policy=all 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// An elementwise op leaves padding where it is.
// CHECK-LABEL: func @elementwise(
// CHECK-NEXT: gaudi.tpc.exp %{{.*}} : tensor<8xf32>
// CHECK-NEXT: return
func.func @elementwise(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}) -> (tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A softmax has two masks: one for the maximum, one for the sum. The extent
// that no argument has becomes one.
// CHECK-LABEL: func @softmax(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32> {{.*}}, %[[N:.*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0)>})
// CHECK: %[[LOW:.*]] = gaudi.tpc.mask %[[X]] dims [1] extents(%[[N]]) value 0xFF800000 : f32
// CHECK: gaudi.tpc.reduce <max> %[[LOW]]
// CHECK: gaudi.tpc.sub %[[X]]
// CHECK: %[[E:.*]] = gaudi.tpc.exp
// CHECK: %[[ZERO:.*]] = gaudi.tpc.mask %[[E]] dims [1] extents(%[[N]]) value 0.000000e+00 : f32
// CHECK: gaudi.tpc.reduce <sum> %[[ZERO]]
// CHECK: gaudi.tpc.div %[[E]]
// REMARK: masked operand 0 of 'gaudi.tpc.reduce' with -Inf past n: 128 bytes, {{.*}} on gaudi2 if it does not fuse
// REMARK: masked operand 0 of 'gaudi.tpc.reduce' with 0 past n: 128 bytes, {{.*}} on gaudi2 if it does not fuse
func.func @softmax(%x: tensor<4x8xf32> {gaudi.shape = affine_map<()[n] -> (4, n)>}) -> (tensor<4x8xf32> {gaudi.shape = affine_map<()[n] -> (4, n)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<4x8xf32> -> tensor<4x1xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  %2 = gaudi.tpc.exp %1 : tensor<4x8xf32>
  %3 = gaudi.tpc.reduce <sum> %2 dims [1] keep_dims : tensor<4x8xf32> -> tensor<4x1xf32>
  %4 = gaudi.tpc.div %2, %3 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// Zero stays zero through a product with a constant and a relu: the sum needs
// no mask of its own.
// CHECK-LABEL: func @neutral(
// CHECK: gaudi.tpc.pad
// CHECK-NOT: gaudi.tpc.mask
// CHECK: gaudi.tpc.reduce <sum>
// REMARK: not masked: padding of operand 0 holds neutral elements
func.func @neutral(%x: tensor<4x8xf32> {gaudi.shape = affine_map<()[n] -> (4, n)>}, %n: tensor<i32> {gaudi.extent = affine_map<()[n] -> (n)>}) -> (tensor<4xf32> {gaudi.shape = affine_map<()[n] -> (4)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  %z = gaudi.tpc.mask %x dims [1] extents (%n) value 0.0 : f32 : tensor<4x8xf32>, tensor<i32>
  %p = gaudi.tpc.pad <constant> %z low [0, 1] high [0, 0] value 0.0 : f32 : tensor<4x8xf32> -> tensor<4x9xf32>
  %two = gaudi.constant dense<2.0> : tensor<1x1xf32>
  %0 = gaudi.tpc.mul %p, %two : tensor<4x9xf32>, tensor<1x1xf32> -> tensor<4x9xf32>
  %1 = gaudi.tpc.clamp %0 min 0.0 : f32 max 6.0 : f32 : tensor<4x9xf32>
  %2 = gaudi.tpc.reduce <sum> %1 dims [1] : tensor<4x9xf32> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// A mean divides by the number of real elements.
// CHECK-LABEL: func @mean(
// CHECK-SAME: %[[N:[a-z0-9]*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0)>}, %[[COUNT:[a-z0-9]*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0 * 4)>}
// CHECK: gaudi.tpc.reduce <sum>
// CHECK: %[[ONE:.*]] = gaudi.reshape %[[COUNT]] : tensor<i32> -> tensor<1x1xi32>
// CHECK: %[[REAL:.*]] = gaudi.tpc.cast %[[ONE]]
// CHECK: gaudi.tpc.div %{{.*}}, %[[REAL]]
// REMARK: divided the sum of real elements by their number n * 4 instead of the static one
func.func @mean(%x: tensor<4x8xf32> {gaudi.shape = affine_map<()[n] -> (4, n)>}) -> (tensor<1x1xf32> {gaudi.shape = affine_map<()[n] -> (1, 1)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.reduce <mean> %x dims [0, 1] keep_dims : tensor<4x8xf32> -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

// A batch and a sequence in one dimension: each has a condition. Two masks of
// one value serve all readers.
// CHECK-LABEL: func @collapsed(
// CHECK: gaudi.tpc.mask %{{.*}} dims [0, 0] divisors [8, 1] moduli [2, 8] extents(%{{.*}}, %{{.*}}) value 0.000000e+00
// CHECK-NOT: gaudi.tpc.mask
// CHECK: gaudi.mme.gemm
func.func @collapsed(%x: tensor<2x8x4xf32> {gaudi.shape = affine_map<()[b, n] -> (b, n, 4)>}) -> (tensor<4x4xf32> {gaudi.shape = affine_map<()[b, n] -> (4, 4)>})
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 4, multiple = 1}, {name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 2, 8>} {
  %0 = gaudi.reshape %x : tensor<2x8x4xf32> -> tensor<16x4xf32>
  %1 = gaudi.mme.gemm %0, %0 transpose_a : tensor<16x4xf32>, tensor<16x4xf32> -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// Padded keys are no keys.
// CHECK-LABEL: func @attention(
// CHECK: %[[N:.*]] = gaudi.reshape %{{.*}} : tensor<i32> -> tensor<1xi32>
// CHECK: %[[LENGTHS:.*]] = gaudi.broadcast %[[N]] dims [0] : tensor<1xi32> -> tensor<2xi32>
// CHECK-NOT: gaudi.tpc.mask
// CHECK: gaudi.sdpa %{{.*}} lengths %[[LENGTHS]]
// REMARK: limited keys to n by valid_lengths
func.func @attention(%q: tensor<2x2x8x4xf32> {gaudi.shape = affine_map<()[n] -> (2, 2, n, 4)>}, %k: tensor<2x2x8x4xf32> {gaudi.shape = affine_map<()[n] -> (2, 2, n, 4)>}) -> (tensor<2x2x8x4xf32> {gaudi.shape = affine_map<()[n] -> (2, 2, n, 4)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.sdpa %q, %k, %k scale 0.5 causal : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  return %0 : tensor<2x2x8x4xf32>
}

// -----

// An index that is the position walks a dimension as an affine one does.
// CHECK-LABEL: func @extracted(
// CHECK: gaudi.tpc.mask %{{.*}} dims [0] divisors [1] moduli [2] extents(%{{.*}}) value 0.000000e+00
func.func @extracted(%x: tensor<2x8xf32> {gaudi.shape = affine_map<()[b] -> (b, 8)>}) -> tensor<8xf32>
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 4, multiple = 1}], gaudi.bucket = array<i64: 2>} {
  %0 = gaudi.tpc.kernel (%x) index_space [3, 2, 8] parallel [true, true, true] : (tensor<2x8xf32>) -> tensor<3x2x8xf32> {
  ^bb0(%in0: tensor<2x8xf32>, %out0: tensor<3x2x8xf32>):
    %i = gaudi.kernel.index 1
    %j = gaudi.kernel.index 2
    %v = gaudi.kernel.load %in0[%i, %j] boundary [#gaudi.boundary<checked>, #gaudi.boundary<checked>] : tensor<2x8xf32>
    gaudi.kernel.store %v, %out0[d0, d1, d2] : tensor<3x2x8xf32>
  }
  %1 = gaudi.reshape %0 : tensor<3x2x8xf32> -> tensor<6x8xf32>
  %2 = gaudi.tpc.reduce <sum> %1 dims [0] : tensor<6x8xf32> -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
