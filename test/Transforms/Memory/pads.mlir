// What is padded with a constant is computed in its slice of the result.
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-verify-phase="phase=memory" -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: grep -vE "^(module|#loc)" %t.once > %t.ops
// RUN: gaudi-opt %t.once --split-input-file --gaudi-alias-buffers --gaudi-assign-buffers | grep -vE "^(module|#loc)" | diff %t.ops -
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --remarks-filter=gaudi-alias-buffers --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// One side: only the border is copied.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: [Passed] pad {{.*}}concatenated operand 0 with a constant on 1 of its sides: their copies take {{.*}}, that of the whole constant
// REMARK: wrote operand 0 to its slice of the result, saving 128 bytes
// REMARK: copied operand 1 of 256 bytes to its slice: it is a constant
// CHECK-LABEL: @side
func.func @side(%x: tensor<4x8xf32>) -> tensor<12x8xf32> {
  %c = gaudi.constant dense<1.0> : tensor<12x8xf32>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 128, [8, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x8xf32>
  // CHECK-NEXT: %[[C:.*]] = gaudi.constant dense<1.000000e+00> : tensor<8x8xf32>
  // CHECK-NEXT: gaudi.concat %{{.*}}, %[[C]] axis 0 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 128, [8, 1]>]}
  // CHECK-NEXT: return
  %1 = gaudi.insert_slice %0 into %c offsets [0, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<4x8xf32> into tensor<12x8xf32>
  return %1 : tensor<12x8xf32>
}
}

// -----

// All sides of a large tensor.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @sides
func.func @sides(%x: tensor<2048x2048xf32>) -> tensor<2050x2049xf32> {
  %c = gaudi.constant dense<0.0> : tensor<2050x2049xf32>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 16785412, [2049, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<2048x2048xf32>
  // CHECK: gaudi.concat %{{.*}}, %{{.*}} axis 1 {{.*}}#gaudi.buffer<persistent, 16785412, [2049, 1]>{{.*}} -> tensor<2048x2049xf32>
  // CHECK: gaudi.concat %{{.*}}, %{{.*}}, %{{.*}} axis 0 {{.*}}#gaudi.buffer<persistent, 16777216, [2049, 1]>{{.*}} -> tensor<2050x2049xf32>
  %1 = gaudi.insert_slice %0 into %c offsets [1, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<2048x2048xf32> into tensor<2050x2049xf32>
  return %1 : tensor<2050x2049xf32>
}
}

// -----

// All sides of a small one, and rows with gaps: the constant is copied before.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: [Passed] pad {{.*}}copied the constant of 144 bytes before 'gaudi.tpc.cumulative_sum' computes operand 0 in its slice
// REMARK: wrote operand 0 to its slice of the result, saving 64 bytes
// REMARK: copied operand 1 of 144 bytes to its slice: it is a constant
// REMARK: wrote operand 0 to its slice of the result, saving 64 bytes
// REMARK: copied operand 1 of 112 bytes to its slice: it is a constant
// CHECK-LABEL: @early
func.func @early(%x: tensor<4x4xf32>) -> (tensor<6x6xf32>, tensor<7x4xf32>) {
  // CHECK-NEXT: %[[C:.*]] = gaudi.constant
  // CHECK-NEXT: %[[D:.*]] = gaudi.constant
  %c = gaudi.constant dense<2.0> : tensor<6x6xf32>
  %d = gaudi.constant dense<3.0> : tensor<7x4xf32>
  // CHECK-NEXT: %[[E:.*]] = gaudi.copy %[[C]] {{.*}}#gaudi.buffer<persistent, 128, [6, 1]>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 156, [6, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x4xf32>
  // CHECK-NEXT: gaudi.insert_slice %{{.*}} into %[[E]]
  %1 = gaudi.insert_slice %0 into %c offsets [1, 1] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<4x4xf32> into tensor<6x6xf32>
  // CHECK-NEXT: %[[F:.*]] = gaudi.copy %[[D]] {{.*}}#gaudi.buffer<persistent, 384, [4, 1]>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 384, [8, 1]>
  %2 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<4x4xf32>
  // CHECK-NEXT: gaudi.insert_slice %{{.*}} into %[[F]]
  %3 = gaudi.insert_slice %2 into %d offsets [0, 0] strides [2, 1] {engine = #gaudi.engine<dma>} : tensor<4x4xf32> into tensor<7x4xf32>
  return %1, %3 : tensor<6x6xf32>, tensor<7x4xf32>
}
}

// -----

// Where the source has another place, the constant is copied when the insertion
// comes.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: [Missed] pad {{.*}}copied the constant of 144 bytes, then operand 0 into it: it is an output of its own; the copy of the constant takes
// REMARK: copied operand 0 of 64 bytes to its slice: it is an output of its own
// REMARK: copied operand 1 of 144 bytes to its slice: it is a constant
// CHECK-LABEL: @placed
func.func @placed(%x: tensor<4x4xf32>) -> (tensor<6x6xf32>, tensor<4x4xf32>) {
  // CHECK-NEXT: %[[C:.*]] = gaudi.constant
  %c = gaudi.constant dense<2.0> : tensor<6x6xf32>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x4xf32>
  // CHECK-NEXT: gaudi.insert_slice %{{.*}} into %[[C]]
  %1 = gaudi.insert_slice %0 into %c offsets [1, 1] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<4x4xf32> into tensor<6x6xf32>
  return %1, %0 : tensor<6x6xf32>, tensor<4x4xf32>
}
}

// -----

// A constant that comes after the op that computes the source moves before it.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @lateConstant
func.func @lateConstant(%x: tensor<4x4xf32>) -> tensor<6x6xf32> {
  // CHECK-NEXT: %[[C:.*]] = gaudi.constant
  // CHECK-NEXT: %[[E:.*]] = gaudi.copy %[[C]]
  // CHECK-NEXT: gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 156, [6, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4x4xf32>
  // CHECK-NEXT: gaudi.insert_slice %{{.*}} into %[[E]]
  %c = gaudi.constant dense<2.0> : tensor<6x6xf32>
  %1 = gaudi.insert_slice %0 into %c offsets [1, 1] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<4x4xf32> into tensor<6x6xf32>
  return %1 : tensor<6x6xf32>
}
}

// -----

// Nothing that is computed: an argument, and parts that are written before.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: [Missed] pad {{.*}}copied the constant of 144 bytes, then operand 0 into it: no op computes operand 0
// REMARK: [Missed] pad {{.*}}copied the constant of 144 bytes, then operand 0 into it: parts of operand 0 are written before the op that joins them
// CHECK-LABEL: @given
func.func @given(%x: tensor<4x4xf32>, %y: tensor<2x4xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>) {
  %c = gaudi.constant dense<2.0> : tensor<6x6xf32>
  %0 = gaudi.insert_slice %x into %c offsets [1, 1] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<4x4xf32> into tensor<6x6xf32>
  %1 = gaudi.concat %y, %y axis 0 {engine = #gaudi.engine<dma>} : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<4x4xf32>
  %2 = gaudi.insert_slice %1 into %c offsets [1, 1] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<4x4xf32> into tensor<6x6xf32>
  return %0, %2 : tensor<6x6xf32>, tensor<6x6xf32>
}
}
