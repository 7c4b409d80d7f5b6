// Variants of other sizes from the kernels of three: two samples, and the largest
// one, which is the pattern.
// RUN: gaudi-opt %s --split-input-file --gaudi-derive-variants | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-derive-variants --remark-policy=all --remarks-filter="gaudi-derive-variants" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Types, index spaces and numbers follow, also those that are no size: a bound
// of a position, a product of sizes. Variants are numbered by their sizes.
// CHECK-LABEL: func.func private @masked
// CHECK-SAME: gaudi.buckets = [@masked.0, @masked.1, @masked.2]
// CHECK-NOT: gaudi.missing_boxes
// CHECK-LABEL: func.func @masked.0(%arg0: tensor<1x4xf32>
// CHECK-SAME: tensor<i32>
// CHECK-SAME: -> (tensor<4xf32>
// CHECK-SAME: gaudi.bucket = array<i64: 1, 4>
// CHECK: gaudi.tpc.kernel {{.*}} index_space [1, 4]
// CHECK: ^bb0(%{{.*}}: tensor<1x4xf32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<1x4xf32>)
// CHECK: arith.constant 3 : i64
// CHECK: gaudi.reshape %{{.*}} : tensor<1x4xf32> -> tensor<4xf32>
// CHECK-LABEL: func.func @masked.1(%arg0: tensor<2x16xf32>
// CHECK-SAME: gaudi.bucket = array<i64: 2, 16>
// CHECK: gaudi.tpc.kernel {{.*}} index_space [2, 16]
// CHECK: arith.constant 15 : i64
// CHECK-LABEL: func.func @masked.2(%arg0: tensor<8x16xf32>
// CHECK: gaudi.tpc.kernel {{.*}} index_space [8, 16]
// REMARK: remark: [Passed] derived {{.*}} Function=masked | Remark="derived 2 variants from the kernels of one"
func.func private @masked(tensor<?x?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 4, max = 16, multiple = 1}],
  gaudi.buckets = [@masked.0, @masked.1, @masked.2], gaudi.missing_boxes = [array<i64: 2, 16>, array<i64: 1, 4>]}
func.func @masked.0(%x: tensor<7x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, s1)>},
    %e: tensor<i32> {gaudi.extent = affine_map<()[s0, s1] -> (s1)>})
    -> (tensor<56xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0 * s1)>}) attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 4, max = 16, multiple = 1}], gaudi.bucket = array<i64: 7, 8>, gaudi.bucket_of = @masked} {
  %0 = gaudi.tpc.kernel label "mask" (%x, %e) index_space [7, 8] parallel [true, true] : (tensor<7x8xf32>, tensor<i32>) -> tensor<7x8xf32> {
  ^bb0(%in0: tensor<7x8xf32>, %in1: tensor<i32>, %out0: tensor<7x8xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<7x8xf32>
    %n = gaudi.kernel.load %in1[] : tensor<i32>
    %wide = arith.extsi %n : i32 to i64
    %i = gaudi.kernel.index 1
    %last = arith.constant 7 : i64
    %here = arith.minsi %i, %last : i64
    %real = arith.cmpi slt, %here, %wide : i64
    %zero = arith.constant 0.0 : f32
    %kept = arith.select %real, %v, %zero : f32
    gaudi.kernel.store %kept, %out0[d0, d1] : tensor<7x8xf32>
  }
  %1 = gaudi.reshape %0 : tensor<7x8xf32> -> tensor<56xf32>
  return %1 : tensor<56xf32>
}
func.func @masked.1(%x: tensor<5x12xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, s1)>},
    %e: tensor<i32> {gaudi.extent = affine_map<()[s0, s1] -> (s1)>})
    -> (tensor<60xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0 * s1)>}) attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 4, max = 16, multiple = 1}], gaudi.bucket = array<i64: 5, 12>, gaudi.bucket_of = @masked} {
  %0 = gaudi.tpc.kernel label "mask" (%x, %e) index_space [5, 12] parallel [true, true] : (tensor<5x12xf32>, tensor<i32>) -> tensor<5x12xf32> {
  ^bb0(%in0: tensor<5x12xf32>, %in1: tensor<i32>, %out0: tensor<5x12xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<5x12xf32>
    %n = gaudi.kernel.load %in1[] : tensor<i32>
    %wide = arith.extsi %n : i32 to i64
    %i = gaudi.kernel.index 1
    %last = arith.constant 11 : i64
    %here = arith.minsi %i, %last : i64
    %real = arith.cmpi slt, %here, %wide : i64
    %zero = arith.constant 0.0 : f32
    %kept = arith.select %real, %v, %zero : f32
    gaudi.kernel.store %kept, %out0[d0, d1] : tensor<5x12xf32>
  }
  %1 = gaudi.reshape %0 : tensor<5x12xf32> -> tensor<60xf32>
  return %1 : tensor<60xf32>
}
func.func @masked.2(%x: tensor<8x16xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, s1)>},
    %e: tensor<i32> {gaudi.extent = affine_map<()[s0, s1] -> (s1)>})
    -> (tensor<128xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0 * s1)>}) attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 4, max = 16, multiple = 1}], gaudi.bucket = array<i64: 8, 16>, gaudi.bucket_of = @masked} {
  %0 = gaudi.tpc.kernel label "mask" (%x, %e) index_space [8, 16] parallel [true, true] : (tensor<8x16xf32>, tensor<i32>) -> tensor<8x16xf32> {
  ^bb0(%in0: tensor<8x16xf32>, %in1: tensor<i32>, %out0: tensor<8x16xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<8x16xf32>
    %n = gaudi.kernel.load %in1[] : tensor<i32>
    %wide = arith.extsi %n : i32 to i64
    %i = gaudi.kernel.index 1
    %last = arith.constant 15 : i64
    %here = arith.minsi %i, %last : i64
    %real = arith.cmpi slt, %here, %wide : i64
    %zero = arith.constant 0.0 : f32
    %kept = arith.select %real, %v, %zero : f32
    gaudi.kernel.store %kept, %out0[d0, d1] : tensor<8x16xf32>
  }
  %1 = gaudi.reshape %0 : tensor<8x16xf32> -> tensor<128xf32>
  return %1 : tensor<128xf32>
}

// -----

// A constant whose elements do not depend on the size is cut, and the offset of an
// access follows.
// CHECK-LABEL: func.func @table.0(%arg0: tensor<2x4xf32>
// CHECK: gaudi.constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK: index_space [2, 4]
// CHECK: gaudi.kernel.load %{{.*}}[-d0 + 1] : tensor<2xf32>
// REMARK: remark: [Passed] derived {{.*}} Function=table
func.func private @table(tensor<?x4xf32>) -> tensor<?x4xf32> attributes {
  gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}],
  gaudi.buckets = [@table.0, @table.1, @table.2], gaudi.missing_boxes = [array<i64: 2>]}
func.func @table.0(%x: tensor<7x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 4)>})
    -> (tensor<7x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 4)>}) attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 7>, gaudi.bucket_of = @table} {
  %c = gaudi.constant dense<[0.0, 1.0, 4.0, 9.0, 16.0, 25.0, 36.0]> : tensor<7xf32>
  %0 = gaudi.tpc.kernel (%x, %c) index_space [7, 4] parallel [true, true] : (tensor<7x4xf32>, tensor<7xf32>) -> tensor<7x4xf32> {
  ^bb0(%in0: tensor<7x4xf32>, %in1: tensor<7xf32>, %out0: tensor<7x4xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<7x4xf32>
    %w = gaudi.kernel.load %in1[-d0 + 6] : tensor<7xf32>
    %s = arith.addf %v, %w : f32
    gaudi.kernel.store %s, %out0[d0, d1] : tensor<7x4xf32>
  }
  return %0 : tensor<7x4xf32>
}
func.func @table.1(%x: tensor<5x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 4)>})
    -> (tensor<5x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 4)>}) attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 5>, gaudi.bucket_of = @table} {
  %c = gaudi.constant dense<[0.0, 1.0, 4.0, 9.0, 16.0]> : tensor<5xf32>
  %0 = gaudi.tpc.kernel (%x, %c) index_space [5, 4] parallel [true, true] : (tensor<5x4xf32>, tensor<5xf32>) -> tensor<5x4xf32> {
  ^bb0(%in0: tensor<5x4xf32>, %in1: tensor<5xf32>, %out0: tensor<5x4xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<5x4xf32>
    %w = gaudi.kernel.load %in1[-d0 + 4] : tensor<5xf32>
    %s = arith.addf %v, %w : f32
    gaudi.kernel.store %s, %out0[d0, d1] : tensor<5x4xf32>
  }
  return %0 : tensor<5x4xf32>
}
func.func @table.2(%x: tensor<8x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 4)>})
    -> (tensor<8x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 4)>}) attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @table} {
  %c = gaudi.constant dense<[0.0, 1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0]> : tensor<8xf32>
  %0 = gaudi.tpc.kernel (%x, %c) index_space [8, 4] parallel [true, true] : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8x4xf32> {
  ^bb0(%in0: tensor<8x4xf32>, %in1: tensor<8xf32>, %out0: tensor<8x4xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<8x4xf32>
    %w = gaudi.kernel.load %in1[-d0 + 7] : tensor<8xf32>
    %s = arith.addf %v, %w : f32
    gaudi.kernel.store %s, %out0[d0, d1] : tensor<8x4xf32>
  }
  return %0 : tensor<8x4xf32>
}

// -----

// Attention: sizes that are equal by chance (8) do not change with each other.
// CHECK-LABEL: func.func @attention.0(
// CHECK: gaudi.sdpa {{.*}} lengths {{.*}} : (tensor<2x4x1x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2xi32>) -> tensor<2x4x1x8xf32>
func.func private @attention(tensor<?x4x1x8xf32>, tensor<?x4x?x8xf32>, tensor<?x4x?x8xf32>, tensor<?xi32>) -> tensor<?x4x1x8xf32> attributes {
  gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 16, max = 64, multiple = 1}],
  gaudi.buckets = [@attention.0, @attention.1, @attention.2], gaudi.missing_boxes = [array<i64: 2, 16>]}
func.func @attention.0(%q: tensor<7x4x1x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, 1, 8)>},
    %k: tensor<7x4x60x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, s1, 8)>},
    %v: tensor<7x4x60x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, s1, 8)>},
    %n: tensor<7xi32> {gaudi.shape = affine_map<()[s0, s1] -> (s0)>})
    -> (tensor<7x4x1x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, 1, 8)>}) attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 16, max = 64, multiple = 1}], gaudi.bucket = array<i64: 7, 60>, gaudi.bucket_of = @attention} {
  %0 = gaudi.sdpa %q, %k, %v lengths %n scale 0.5 : (tensor<7x4x1x8xf32>, tensor<7x4x60x8xf32>, tensor<7x4x60x8xf32>, tensor<7xi32>) -> tensor<7x4x1x8xf32>
  return %0 : tensor<7x4x1x8xf32>
}
func.func @attention.1(%q: tensor<5x4x1x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, 1, 8)>},
    %k: tensor<5x4x24x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, s1, 8)>},
    %v: tensor<5x4x24x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, s1, 8)>},
    %n: tensor<5xi32> {gaudi.shape = affine_map<()[s0, s1] -> (s0)>})
    -> (tensor<5x4x1x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, 1, 8)>}) attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 16, max = 64, multiple = 1}], gaudi.bucket = array<i64: 5, 24>, gaudi.bucket_of = @attention} {
  %0 = gaudi.sdpa %q, %k, %v lengths %n scale 0.5 : (tensor<5x4x1x8xf32>, tensor<5x4x24x8xf32>, tensor<5x4x24x8xf32>, tensor<5xi32>) -> tensor<5x4x1x8xf32>
  return %0 : tensor<5x4x1x8xf32>
}
func.func @attention.2(%q: tensor<8x4x1x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, 1, 8)>},
    %k: tensor<8x4x64x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, s1, 8)>},
    %v: tensor<8x4x64x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, s1, 8)>},
    %n: tensor<8xi32> {gaudi.shape = affine_map<()[s0, s1] -> (s0)>})
    -> (tensor<8x4x1x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, 4, 1, 8)>}) attributes {gaudi.symbols = [{name = "batch", min = 1, max = 8, multiple = 1}, {name = "seq", min = 16, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8, 64>, gaudi.bucket_of = @attention} {
  %0 = gaudi.sdpa %q, %k, %v lengths %n scale 0.5 : (tensor<8x4x1x8xf32>, tensor<8x4x64x8xf32>, tensor<8x4x64x8xf32>, tensor<8xi32>) -> tensor<8x4x1x8xf32>
  return %0 : tensor<8x4x1x8xf32>
}

// -----

// Sums of a size, and parts that end with it.
// CHECK-LABEL: func.func @joined.0(
// CHECK: gaudi.concat {{.*}} : tensor<2xf32>, tensor<5xf32> -> tensor<7xf32>
// CHECK: gaudi.slice {{.*}} offsets [5] strides [1] : tensor<7xf32> -> tensor<2xf32>
func.func private @joined(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}],
  gaudi.buckets = [@joined.0, @joined.1, @joined.2], gaudi.missing_boxes = [array<i64: 2>]}
func.func @joined.0(%x: tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}, %y: tensor<10xf32> {gaudi.shape = affine_map<()[s0] -> (s0 + 3)>})
    -> (tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 7>, gaudi.bucket_of = @joined} {
  %0 = gaudi.concat %x, %y axis 0 : tensor<7xf32>, tensor<10xf32> -> tensor<17xf32>
  %1 = gaudi.slice %0 offsets [10] strides [1] : tensor<17xf32> -> tensor<7xf32>
  return %1 : tensor<7xf32>
}
func.func @joined.1(%x: tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}, %y: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0 + 3)>})
    -> (tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 5>, gaudi.bucket_of = @joined} {
  %0 = gaudi.concat %x, %y axis 0 : tensor<5xf32>, tensor<8xf32> -> tensor<13xf32>
  %1 = gaudi.slice %0 offsets [8] strides [1] : tensor<13xf32> -> tensor<5xf32>
  return %1 : tensor<5xf32>
}
func.func @joined.2(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}, %y: tensor<11xf32> {gaudi.shape = affine_map<()[s0] -> (s0 + 3)>})
    -> (tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @joined} {
  %0 = gaudi.concat %x, %y axis 0 : tensor<8xf32>, tensor<11xf32> -> tensor<19xf32>
  %1 = gaudi.slice %0 offsets [11] strides [1] : tensor<19xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Sums of two sizes.
// CHECK-LABEL: func.func @both.0(
// CHECK: gaudi.concat {{.*}} : tensor<2xf32>, tensor<3xf32> -> tensor<5xf32>
func.func private @both(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}, {name = "m", min = 1, max = 16, multiple = 1}],
  gaudi.buckets = [@both.0, @both.1, @both.2], gaudi.missing_boxes = [array<i64: 2, 3>]}
func.func @both.0(%x: tensor<7xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0)>}, %y: tensor<8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s1)>})
    -> (tensor<15xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0 + s1)>}) attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}, {name = "m", min = 1, max = 16, multiple = 1}], gaudi.bucket = array<i64: 7, 8>, gaudi.bucket_of = @both} {
  %0 = gaudi.concat %x, %y axis 0 : tensor<7xf32>, tensor<8xf32> -> tensor<15xf32>
  return %0 : tensor<15xf32>
}
func.func @both.1(%x: tensor<5xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0)>}, %y: tensor<12xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s1)>})
    -> (tensor<17xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0 + s1)>}) attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}, {name = "m", min = 1, max = 16, multiple = 1}], gaudi.bucket = array<i64: 5, 12>, gaudi.bucket_of = @both} {
  %0 = gaudi.concat %x, %y axis 0 : tensor<5xf32>, tensor<12xf32> -> tensor<17xf32>
  return %0 : tensor<17xf32>
}
func.func @both.2(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0)>}, %y: tensor<16xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s1)>})
    -> (tensor<24xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0 + s1)>}) attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}, {name = "m", min = 1, max = 16, multiple = 1}], gaudi.bucket = array<i64: 8, 16>, gaudi.bucket_of = @both} {
  %0 = gaudi.concat %x, %y axis 0 : tensor<8xf32>, tensor<16xf32> -> tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

// What is rounded has no form.
// REMARK: remark: [Missed] not-derived {{.*}} Function=rounded | Remark="variants are compiled one by one: '{{.*}}' at {{.*}} has values that no supported size formula fits for sizes 2"
// CHECK-LABEL: func.func private @rounded
// CHECK-SAME: gaudi.missing_boxes
func.func private @rounded(tensor<?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}],
  gaudi.buckets = [@rounded.0, @rounded.1, @rounded.2], gaudi.missing_boxes = [array<i64: 2>]}
func.func @rounded.0(%x: tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<4xf32> {gaudi.shape = affine_map<()[s0] -> (s0 ceildiv 2)>}) attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 7>, gaudi.bucket_of = @rounded} {
  %0 = gaudi.slice %x offsets [0] strides [2] : tensor<7xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @rounded.1(%x: tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<3xf32> {gaudi.shape = affine_map<()[s0] -> (s0 ceildiv 2)>}) attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 5>, gaudi.bucket_of = @rounded} {
  %0 = gaudi.slice %x offsets [0] strides [2] : tensor<5xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @rounded.2(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<4xf32> {gaudi.shape = affine_map<()[s0] -> (s0 ceildiv 2)>}) attributes {gaudi.symbols = [{name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @rounded} {
  %0 = gaudi.slice %x offsets [0] strides [2] : tensor<8xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Nor has what is limited.
// REMARK: remark: [Missed] not-derived {{.*}} Function=clamped | Remark="variants are compiled one by one: 'gaudi.slice' at {{.*}} has values that no supported size formula fits for sizes 2"
func.func private @clamped(tensor<?xf32>) -> tensor<2xf32> attributes {
  gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}],
  gaudi.buckets = [@clamped.0, @clamped.1, @clamped.2], gaudi.missing_boxes = [array<i64: 2>]}
func.func @clamped.0(%x: tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<2xf32> attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 7>, gaudi.bucket_of = @clamped} {
  %0 = gaudi.slice %x offsets [4] strides [1] : tensor<7xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @clamped.1(%x: tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<2xf32> attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 5>, gaudi.bucket_of = @clamped} {
  %0 = gaudi.slice %x offsets [3] strides [1] : tensor<5xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @clamped.2(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<2xf32> attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @clamped} {
  %0 = gaudi.slice %x offsets [4] strides [1] : tensor<8xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Decisions that differ.
// REMARK: Function=other | Remark="variants are compiled one by one: 'gaudi.tpc.add' at {{.*}} is another op for other sizes"
func.func private @other(tensor<?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}],
  gaudi.buckets = [@other.0, @other.1, @other.2], gaudi.missing_boxes = [array<i64: 2>]}
func.func @other.0(%x: tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 7>, gaudi.bucket_of = @other} {
  %0 = gaudi.tpc.add %x, %x : tensor<7xf32>, tensor<7xf32> -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
func.func @other.1(%x: tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 5>, gaudi.bucket_of = @other} {
  %0 = gaudi.tpc.mul %x, %x : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @other.2(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @other} {
  %0 = gaudi.tpc.add %x, %x : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// REMARK: Function=order | Remark="variants are compiled one by one: 'gaudi.tpc.sub' at {{.*}} has other operands for other sizes"
func.func private @order(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> attributes {
  gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}],
  gaudi.buckets = [@order.0, @order.1, @order.2], gaudi.missing_boxes = [array<i64: 2>]}
func.func @order.0(%x: tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}, %y: tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 7>, gaudi.bucket_of = @order} {
  %0 = gaudi.tpc.sub %x, %y : tensor<7xf32>, tensor<7xf32> -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
func.func @order.1(%x: tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}, %y: tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 5>, gaudi.bucket_of = @order} {
  %0 = gaudi.tpc.sub %y, %x : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @order.2(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}, %y: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @order} {
  %0 = gaudi.tpc.sub %x, %y : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// REMARK: Function=longer | Remark="variants are compiled one by one: 'func.return' at {{.*}} is another op for other sizes"
func.func private @longer(tensor<?xf32>) attributes {
  gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}],
  gaudi.buckets = [@longer.0, @longer.1, @longer.2], gaudi.missing_boxes = [array<i64: 2>]}
func.func @longer.0(%x: tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 7>, gaudi.bucket_of = @longer} {
  return
}
func.func @longer.1(%x: tensor<5xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 5>, gaudi.bucket_of = @longer} {
  %1 = gaudi.tpc.neg %x : tensor<5xf32>
  return
}
func.func @longer.2(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @longer} {
  return
}

// -----

// One function that is there is no sample of itself.
// REMARK: Function=one | Remark="variants are compiled one by one: one variant is no sample of others"
func.func private @one(tensor<?xf32>) attributes {
  gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}],
  gaudi.buckets = [@one.0], gaudi.missing_boxes = [array<i64: 2>]}
func.func @one.0(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @one} {
  return
}

// -----

// REMARK: Function=same | Remark="variants are compiled one by one: no sample has another size of symbol 1"
func.func private @same(tensor<?xf32>) attributes {
  gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}, {name = "m", min = 2, max = 8, multiple = 1}],
  gaudi.buckets = [@same.0, @same.1], gaudi.missing_boxes = [array<i64: 2, 2>]}
func.func @same.0(%x: tensor<7xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}, {name = "m", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 7, 8>, gaudi.bucket_of = @same} {
  return
}
func.func @same.1(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}, {name = "m", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8, 8>, gaudi.bucket_of = @same} {
  return
}

// -----

// The signature is the one that symbols say.
// REMARK: Function=signature | Remark="variants are compiled one by one: 'func.func' at {{.*}} would not get its signature for sizes 2"
func.func private @signature(tensor<?xf32>) attributes {
  gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}],
  gaudi.buckets = [@signature.0, @signature.1, @signature.2], gaudi.missing_boxes = [array<i64: 2>]}
func.func @signature.0(%x: tensor<7xf32> {gaudi.shape = affine_map<()[s0] -> (s0 ceildiv 3 + 5)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 7>, gaudi.bucket_of = @signature} {
  return
}
func.func @signature.1(%x: tensor<6xf32> {gaudi.shape = affine_map<()[s0] -> (s0 ceildiv 3 + 5)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 6>, gaudi.bucket_of = @signature} {
  return
}
func.func @signature.2(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0 ceildiv 3 + 5)>}) attributes {gaudi.symbols = [{name = "n", min = 2, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @signature} {
  return
}
