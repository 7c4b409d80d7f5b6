// Variants of other sizes from the kernels of one.
// RUN: gaudi-opt %s --split-input-file --gaudi-compile=stop-after=kernels --gaudi-derive-variants | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-compile=stop-after=kernels --gaudi-derive-variants --remark-policy=all --remarks-filter="gaudi-derive-variants" 2>&1 | FileCheck %s --check-prefix=REMARK

// Types, index spaces and constants follow; the position in a dimension that
// changes may be compared with a value. Variants are numbered by their sizes.
// CHECK-LABEL: func.func private @masked
// CHECK-SAME: gaudi.buckets = [@masked.0, @masked.1, @masked.2]
// CHECK-NOT: gaudi.missing_boxes
// CHECK-LABEL: func.func @masked.0(%arg0: tensor<1x4xf32>
// CHECK-SAME: tensor<i32>
// CHECK-SAME: -> (tensor<1x1xf32>
// CHECK-SAME: gaudi.bucket = array<i64: 1, 4>
// CHECK: gaudi.tpc.kernel {{.*}} index_space [1, 4]
// CHECK: gaudi.kernel.index 1
// CHECK: arith.cmpi
// CHECK-LABEL: func.func @masked.1(%arg0: tensor<2x16xf32>
// CHECK-SAME: gaudi.bucket = array<i64: 2, 16>
// CHECK: gaudi.tpc.kernel {{.*}} index_space [2, 16]
// CHECK-LABEL: func.func @masked.2(%arg0: tensor<8x16xf32>
// CHECK: gaudi.tpc.kernel {{.*}} index_space [8, 16]
// REMARK: remark: [Passed] derived {{.*}} Function=masked | Remark="derived 2 variants from the kernels of one"
func.func private @masked(tensor<?x?xf32>) -> tensor<?x1xf32> attributes {
  gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 4, max = 16, multiple = 4}],
  gaudi.buckets = [@masked.0], gaudi.missing_boxes = [array<i64: 2, 16>, array<i64: 1, 4>]}
func.func @masked.0(%x: tensor<8x16xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, s1)>},
                    %e: tensor<i32> {gaudi.extent = affine_map<()[s0, s1] -> (s1)>})
    -> (tensor<8x1xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 1)>})
    attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 4, max = 16, multiple = 4}], gaudi.bucket = array<i64: 8, 16>, gaudi.bucket_of = @masked} {
  %0 = gaudi.tpc.kernel label "mask" (%x, %e) index_space [8, 16] parallel [true, true] : (tensor<8x16xf32>, tensor<i32>) -> tensor<8x16xf32> {
  ^bb0(%in0: tensor<8x16xf32>, %in1: tensor<i32>, %out0: tensor<8x16xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<8x16xf32>
    %n = gaudi.kernel.load %in1[] : tensor<i32>
    %wide = arith.extsi %n : i32 to i64
    %i = gaudi.kernel.index 1
    %real = arith.cmpi slt, %i, %wide : i64
    %zero = arith.constant 0.0 : f32
    %kept = arith.select %real, %v, %zero : f32
    gaudi.kernel.store %kept, %out0[d0, d1] : tensor<8x16xf32>
  }
  %1 = gaudi.tpc.reduce <sum> %0 dims [1] keep_dims : tensor<8x16xf32> -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

// A merged dimension is a product of symbols.
// CHECK-LABEL: func.func @merged.0(%arg0: tensor<2x3x4xf32>
// CHECK: gaudi.reshape %{{.*}} : tensor<2x3x4xf32> -> tensor<2x12xf32>
// REMARK: remark: [Passed] derived {{.*}} Function=merged
func.func private @merged(tensor<?x3x4xf32>) -> tensor<?x12xf32> attributes {
  gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}],
  gaudi.buckets = [@merged.0], gaudi.missing_boxes = [array<i64: 2>]}
func.func @merged.0(%x: tensor<8x3x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 3, 4)>})
    -> (tensor<8x12xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 12)>})
    attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @merged} {
  %0 = gaudi.reshape %x : tensor<8x3x4xf32> -> tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
}

// -----

// Attention: images, queries and keys.
// CHECK-LABEL: func.func @attention.0(
// CHECK: gaudi.sdpa {{.*}} lengths {{.*}} : (tensor<2x4x1x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2xi32>) -> tensor<2x4x1x8xf32>
func.func private @attention(tensor<?x4x1x8xf32>, tensor<?x4x?x8xf32>, tensor<?x4x?x8xf32>, tensor<?xi32>) -> tensor<?x4x1x8xf32> attributes {
  gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 16, max = 64, multiple = 16}],
  gaudi.buckets = [@attention.0], gaudi.missing_boxes = [array<i64: 2, 16>]}
func.func @attention.0(%q: tensor<8x4x1x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, 1, 8)>},
                       %k: tensor<8x4x64x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, s1, 8)>},
                       %v: tensor<8x4x64x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, s1, 8)>},
                       %n: tensor<8xi32> {gaudi.shape = affine_map<()[s0, s1] -> (s0)>})
    -> (tensor<8x4x1x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, 1, 8)>})
    attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 16, max = 64, multiple = 16}], gaudi.bucket = array<i64: 8, 64>, gaudi.bucket_of = @attention} {
  %0 = gaudi.sdpa %q, %k, %v lengths %n scale 0.5 : (tensor<8x4x1x8xf32>, tensor<8x4x64x8xf32>, tensor<8x4x64x8xf32>, tensor<8xi32>) -> tensor<8x4x1x8xf32>
  return %0 : tensor<8x4x1x8xf32>
}

// -----

// A number that the position is compared with may be the size.
// CHECK-LABEL: func.func private @number
// CHECK-SAME: gaudi.missing_boxes
// REMARK: remark: [Missed] not-derived {{.*}} Function=number | Remark="variants are compiled one by one: 'gaudi.tpc.kernel' at derive-variants.mlir:[[#]]:8 has a number that may be the size of a dimension that changes"
func.func private @number(tensor<?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}],
  gaudi.buckets = [@number.0], gaudi.missing_boxes = [array<i64: 2>]}
func.func @number.0(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @number} {
  %0 = gaudi.tpc.kernel (%x) index_space [8] parallel [true] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%in0: tensor<8xf32>, %out0: tensor<8xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<8xf32>
    %i = gaudi.kernel.index 0
    %last = arith.constant 7 : i64
    %is = arith.cmpi eq, %i, %last : i64
    %zero = arith.constant 0.0 : f32
    %kept = arith.select %is, %v, %zero : f32
    gaudi.kernel.store %kept, %out0[d0] : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// The bounds of a computed index may be.
// REMARK: remark: [Missed] not-derived {{.*}} Function=index | Remark="variants are compiled one by one: 'gaudi.tpc.kernel' at {{.*}} computes an index of a dimension that changes"
func.func private @index(tensor<?xf32>, tensor<i32>) -> tensor<f32> attributes {
  gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}],
  gaudi.buckets = [@index.0], gaudi.missing_boxes = [array<i64: 2>]}
func.func @index.0(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}, %p: tensor<i32>) -> tensor<f32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @index} {
  %0 = gaudi.tpc.kernel (%x, %p) index_space [] parallel [] : (tensor<8xf32>, tensor<i32>) -> tensor<f32> {
  ^bb0(%in0: tensor<8xf32>, %in1: tensor<i32>, %out0: tensor<f32>):
    %n = gaudi.kernel.load %in1[] : tensor<i32>
    %wide = arith.extsi %n : i32 to i64
    %v = gaudi.kernel.load %in0[%wide] boundary [#gaudi.boundary<clamp>] : tensor<8xf32>
    gaudi.kernel.store %v, %out0[] : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A part of a concatenation need not change.
// REMARK: remark: [Missed] not-derived {{.*}} Function=joined | Remark="variants are compiled one by one: 'gaudi.concat' at {{.*}} joins along a dimension that changes"
func.func private @joined(tensor<?xf32>, tensor<?xf32>) -> tensor<f32> attributes {
  gaudi.symbols = [{name = "n", min = 8, max = 8, multiple = 1}],
  gaudi.buckets = [@joined.0], gaudi.missing_boxes = [array<i64: 2>]}
func.func @joined.0(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>},
                    %y: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<16xf32> {gaudi.shape = affine_map<()[s0] -> (s0 * 2)>})
    attributes {gaudi.symbols = [{name = "n", min = 8, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @joined} {
  %0 = gaudi.concat %x, %y axis 0 : tensor<8xf32>, tensor<8xf32> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// A slice of a part has no rule.
// REMARK: remark: [Missed] not-derived {{.*}} Function=part | Remark="variants are compiled one by one: 'gaudi.slice' at {{.*}} has no rule for other sizes"
func.func private @part(tensor<?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 4, max = 8, multiple = 1}],
  gaudi.buckets = [@part.0], gaudi.missing_boxes = [array<i64: 4>]}
func.func @part.0(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 4, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @part} {
  %0 = gaudi.slice %x offsets [0] strides [1] : tensor<8xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Sizes that are equal by chance tie what does not change.
// REMARK: remark: [Missed] not-derived {{.*}} Function=chance | Remark="variants are compiled one by one: dimension 0 of argument 'w' would not get its size"
func.func private @chance(tensor<?xf32>, tensor<8xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 8, max = 8, multiple = 1}],
  gaudi.buckets = [@chance.0], gaudi.missing_boxes = [array<i64: 2>]}
func.func @chance.0(%x: tensor<8xf32> {gaudi.name = "x", gaudi.shape = affine_map<()[s0] -> (s0)>}, %w: tensor<8xf32> {gaudi.name = "w"})
    -> (tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.symbols = [{name = "n", min = 8, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @chance} {
  %0 = gaudi.tpc.add %x, %w : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Other functions of symbols, and patterns of size 1.
// REMARK: Function=sum | Remark="variants are compiled one by one: dimension 0 of argument 'arg0' is no multiple of symbols"
func.func private @sum(tensor<?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}],
  gaudi.buckets = [@sum.0], gaudi.missing_boxes = [array<i64: 2>]}
func.func @sum.0(%x: tensor<9xf32> {gaudi.shape = affine_map<()[s0] -> (s0 + 1)>}) -> (tensor<9xf32> {gaudi.shape = affine_map<()[s0] -> (s0 + 1)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @sum} {
  %0 = gaudi.tpc.add %x, %x : tensor<9xf32>, tensor<9xf32> -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// REMARK: Function=one | Remark="variants are compiled one by one: a dimension of size 1 is no pattern of others"
func.func private @one(tensor<?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}],
  gaudi.buckets = [@one.0], gaudi.missing_boxes = [array<i64: 2>]}
func.func @one.0(%x: tensor<1xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> (tensor<1xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 1>, gaudi.bucket_of = @one} {
  %0 = gaudi.tpc.add %x, %x : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
