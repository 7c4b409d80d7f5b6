// RUN: gaudi-opt %s --split-input-file --gaudi-expand-kernels --gaudi-fuse-tpc --remarks-filter="gaudi-fuse-tpc" --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: [Passed] merge {{.*}}fused 'tpc.exp' into 'tpc.reduce', which also stores its result, saving {{[0-9.]+ [num]?s}} on gaudi2 and {{[0-9]+}} bytes of memory traffic
module attributes {gaudi.device = "gaudi2"} {
func.func @two_results(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64xf32>) {
  %0 = gaudi.tpc.exp %x : tensor<64x128xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<64xf32>
}
}

// -----

// CHECK: remark: [Missed] keep-apart {{.*}}not fused 'tpc.exp' into 'tpc.add': 'gaudi.mme.gemm' also reads it; fusing them would close a cycle through 'gaudi.mme.gemm'
module attributes {gaudi.device = "gaudi2"} {
func.func @cycle(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = gaudi.tpc.exp %x : tensor<64x64xf32>
  %1 = gaudi.mme.gemm %0, %0 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %2 = gaudi.tpc.add %0, %1 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
}

// -----

// CHECK: remark: [Missed] keep-apart {{.*}}not fused 'tpc.exp' into 'tpc.pad': it reads outside the bounds of the tensor
module attributes {gaudi.device = "gaudi2"} {
func.func @border(%x: tensor<64x64xf32>) -> tensor<66x64xf32> {
  %0 = gaudi.tpc.exp %x : tensor<64x64xf32>
  %1 = gaudi.tpc.pad <constant> %0 low [1, 0] high [1, 0] value 0.0 : f32 : tensor<64x64xf32> -> tensor<66x64xf32>
  return %1 : tensor<66x64xf32>
}
}

// -----

// CHECK: remark: [Missed] keep-apart {{.*}}not fused 'tpc.exp' into 'tpc.gather': it reads the tensor at data-dependent indices
module attributes {gaudi.device = "gaudi2"} {
func.func @computed(%x: tensor<64x64xf32>, %ids: tensor<16xi32>) -> tensor<16x64xf32> {
  %0 = gaudi.tpc.exp %x : tensor<64x64xf32>
  %1 = gaudi.tpc.gather %0, %ids axis 0 batch_dims 0 : tensor<64x64xf32>, tensor<16xi32> -> tensor<16x64xf32>
  return %1 : tensor<16x64xf32>
}
}

// -----

// One root per channel stays one: it varies with the outermost loop alone.
// CHECK: remark: [Passed] merge {{.*}}fused 'tpc.rsqrt' into 'tpc.mul', saving {{[0-9.]+ [num]?s}} on gaudi2 and 512 bytes of memory traffic
module attributes {gaudi.device = "gaudi2"} {
func.func @again(%x: tensor<64x112x112xf32>, %v: tensor<64x1x1xf32>) -> tensor<64x112x112xf32> {
  %0 = gaudi.tpc.rsqrt %v : tensor<64x1x1xf32>
  %1 = gaudi.tpc.mul %x, %0 : tensor<64x112x112xf32>, tensor<64x1x1xf32> -> tensor<64x112x112xf32>
  return %1 : tensor<64x112x112xf32>
}
}

// -----

// One row of four million elements would leave all engines but one idle.
// CHECK: remark: [Missed] keep-apart {{.*}}not fused 'tpc.reduce' into 'tpc.sub': the fused kernel would take {{[0-9.]+ [num]?s}} instead of {{[0-9.]+ [num]?s}} on gaudi2, bound by {{[a-z ]+}}
module attributes {gaudi.device = "gaudi2"} {
func.func @one_row(%x: tensor<1x4194304xf32>) -> tensor<1x4194304xf32> {
  %0 = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<1x4194304xf32> -> tensor<1x1xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<1x4194304xf32>, tensor<1x1xf32> -> tensor<1x4194304xf32>
  return %1 : tensor<1x4194304xf32>
}
}

// -----

// The row of a group is 4096 runs of 10 elements: vectors would be almost empty.
// CHECK: remark: [Missed] keep-apart {{.*}}not fused 'tpc.reduce' into 'tpc.sub': the fused kernel would take {{[0-9.]+ [num]?s}} instead of {{[0-9.]+ [num]?s}} on gaudi2, bound by {{[a-z ]+}}
module attributes {gaudi.device = "gaudi2"} {
func.func @rows_in_runs(%x: tensor<4096x32x10xf32>, %v: tensor<1x32x10xf32>) -> tensor<4096x32x10xf32> {
  %0 = gaudi.tpc.reduce <sum> %v dims [2] keep_dims : tensor<1x32x10xf32> -> tensor<1x32x1xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<4096x32x10xf32>, tensor<1x32x1xf32> -> tensor<4096x32x10xf32>
  return %1 : tensor<4096x32x10xf32>
}
}

// -----

// A reduction of reduced rows.
// CHECK: remark: [Missed] keep-apart {{.*}}not fused 'tpc.reduce+exp' into 'tpc.reduce': a loop would have to be nested in another loop
module attributes {gaudi.device = "gaudi2"} {
func.func @nested(%x: tensor<32x64x128xf32>) -> tensor<32xf32> {
  %0 = gaudi.tpc.reduce <max> %x dims [2] : tensor<32x64x128xf32> -> tensor<32x64xf32>
  %1 = gaudi.tpc.exp %0 : tensor<32x64xf32>
  %2 = gaudi.tpc.reduce <sum> %1 dims [1] : tensor<32x64xf32> -> tensor<32xf32>
  return %2 : tensor<32xf32>
}
}

// -----

// CHECK: remark: [Passed] read-broadcast {{.*}}fused a broadcast into 'tpc.add', which reads the tensor that it repeats, saving {{[0-9.]+ [num]?s}} on gaudi2
module attributes {gaudi.device = "gaudi2"} {
func.func @broadcast(%x: tensor<512x1024xf32>, %v: tensor<512xf32>) -> tensor<512x1024xf32> {
  %0 = gaudi.broadcast %v dims [0] {engine = #gaudi.engine<dma>} : tensor<512xf32> -> tensor<512x1024xf32>
  %1 = gaudi.tpc.add %x, %0 : tensor<512x1024xf32>, tensor<512x1024xf32> -> tensor<512x1024xf32>
  return %1 : tensor<512x1024xf32>
}
}
