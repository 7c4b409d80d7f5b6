// RUN: gaudi-opt %s --split-input-file --gaudi-expand-kernels --gaudi-fuse-tpc --remarks-filter="gaudi-fuse-tpc" --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: [Passed] merge {{.*}}'tpc.reduce' computes 'tpc.exp' itself, and also writes its result: 32768 bytes less to move
module attributes {gaudi.device = "gaudi2"} {
func.func @two_results(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64xf32>) {
  %0 = gaudi.tpc.exp %x : tensor<64x128xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<64xf32>
}
}

// -----

// CHECK: remark: [Missed] keep-apart {{.*}}'tpc.add' reads 'tpc.exp' from memory: 'gaudi.mme.gemm' also reads it; together they would depend on 'gaudi.mme.gemm', which depends on the kernel
module attributes {gaudi.device = "gaudi2"} {
func.func @cycle(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = gaudi.tpc.exp %x : tensor<64x64xf32>
  %1 = gaudi.mme.gemm %0, %0 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %2 = gaudi.tpc.add %0, %1 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
}

// -----

// CHECK: remark: [Missed] keep-apart {{.*}}'tpc.pad' reads 'tpc.exp' from memory: it reads the tensor beyond its borders
module attributes {gaudi.device = "gaudi2"} {
func.func @border(%x: tensor<64x64xf32>) -> tensor<66x64xf32> {
  %0 = gaudi.tpc.exp %x : tensor<64x64xf32>
  %1 = gaudi.tpc.pad <constant> %0 low [1, 0] high [1, 0] value 0.0 : f32 : tensor<64x64xf32> -> tensor<66x64xf32>
  return %1 : tensor<66x64xf32>
}
}

// -----

// CHECK: remark: [Missed] keep-apart {{.*}}'tpc.gather' reads 'tpc.exp' from memory: it reads the tensor at computed indices
module attributes {gaudi.device = "gaudi2"} {
func.func @computed(%x: tensor<64x64xf32>, %ids: tensor<16xi32>) -> tensor<16x64xf32> {
  %0 = gaudi.tpc.exp %x : tensor<64x64xf32>
  %1 = gaudi.tpc.gather %0, %ids axis 0 batch_dims 0 : tensor<64x64xf32>, tensor<16xi32> -> tensor<16x64xf32>
  return %1 : tensor<16x64xf32>
}
}

// -----

// One root per channel is not worth one per element.
// CHECK: remark: [Missed] keep-apart {{.*}}'tpc.mul' reads 'tpc.rsqrt' from memory: {{[0-9]+}} instructions more to save 512 bytes
module attributes {gaudi.device = "gaudi2"} {
func.func @again(%x: tensor<64x112x112xf32>, %v: tensor<64x1x1xf32>) -> tensor<64x112x112xf32> {
  %0 = gaudi.tpc.rsqrt %v : tensor<64x1x1xf32>
  %1 = gaudi.tpc.mul %x, %0 : tensor<64x112x112xf32>, tensor<64x1x1xf32> -> tensor<64x112x112xf32>
  return %1 : tensor<64x112x112xf32>
}
}

// -----

// One row of four million elements would leave all engines but one idle.
// CHECK: remark: [Missed] keep-apart {{.*}}'tpc.sub' reads 'tpc.reduce' from memory: with 1 parallel points it takes {{.*}} us longer
module attributes {gaudi.device = "gaudi2"} {
func.func @one_row(%x: tensor<1x4194304xf32>) -> tensor<1x4194304xf32> {
  %0 = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<1x4194304xf32> -> tensor<1x1xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<1x4194304xf32>, tensor<1x1xf32> -> tensor<1x4194304xf32>
  return %1 : tensor<1x4194304xf32>
}
}

// -----

// The row of a group is in 4096 pieces of 10 elements: vectors would be almost empty.
// CHECK: remark: [Missed] keep-apart {{.*}}'tpc.sub' reads 'tpc.reduce' from memory: with 32 parallel points it takes {{.*}} us longer
module attributes {gaudi.device = "gaudi2"} {
func.func @rows_in_pieces(%x: tensor<4096x32x10xf32>, %v: tensor<1x32x10xf32>) -> tensor<4096x32x10xf32> {
  %0 = gaudi.tpc.reduce <sum> %v dims [2] keep_dims : tensor<1x32x10xf32> -> tensor<1x32x1xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<4096x32x10xf32>, tensor<1x32x1xf32> -> tensor<4096x32x10xf32>
  return %1 : tensor<4096x32x10xf32>
}
}

// -----

// A reduction of reduced rows.
// CHECK: remark: [Missed] keep-apart {{.*}}'tpc.reduce' reads 'tpc.reduce+exp' from memory: a loop of it would have to run inside of another loop
module attributes {gaudi.device = "gaudi2"} {
func.func @nested(%x: tensor<32x64x128xf32>) -> tensor<32xf32> {
  %0 = gaudi.tpc.reduce <max> %x dims [2] : tensor<32x64x128xf32> -> tensor<32x64xf32>
  %1 = gaudi.tpc.exp %0 : tensor<32x64xf32>
  %2 = gaudi.tpc.reduce <sum> %1 dims [1] : tensor<32x64xf32> -> tensor<32xf32>
  return %2 : tensor<32xf32>
}
}

// -----

// CHECK: remark: [Passed] absorb-transpose {{.*}}'tpc.neg' writes in another order instead: 16384 bytes less to move
module attributes {gaudi.device = "gaudi2"} {
func.func @transposed(%x: tensor<4x4x128xf32>) -> tensor<4x4x128xf32> {
  %0 = gaudi.tpc.neg %x : tensor<4x4x128xf32>
  %1 = gaudi.transpose %0 permutation [1, 0, 2] {engine = #gaudi.engine<dma>} : tensor<4x4x128xf32> -> tensor<4x4x128xf32>
  return %1 : tensor<4x4x128xf32>
}
}

// -----

// CHECK: remark: [Missed] keep-transpose {{.*}}'tpc.neg' would read against the order in which it writes
module attributes {gaudi.device = "gaudi2"} {
func.func @against(%x: tensor<64x128xf32>) -> tensor<128x64xf32> {
  %0 = gaudi.tpc.neg %x : tensor<64x128xf32>
  %1 = gaudi.transpose %0 permutation [1, 0] {engine = #gaudi.engine<dma>} : tensor<64x128xf32> -> tensor<128x64xf32>
  return %1 : tensor<128x64xf32>
}
}
