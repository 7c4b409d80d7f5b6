// The bytes that gaudi-schedule-ops counts are those that are planned: operands
// that are computed in their slices of a result have no own buffer.
// RUN: gaudi-opt %s --split-input-file --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers --remark-policy=all --remarks-filter=".*" -o /dev/null 2>&1 | FileCheck %s

module attributes {gaudi.device = "gaudi2"} {
// CHECK: memory-order | {{.*}}Function=joined{{.*}}its peak of [[#PEAK:]] bytes
// CHECK: workspace | {{.*}}Function=joined | Remark="workspace [[#PEAK]] bytes
func.func @joined(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %a = gaudi.mme.gemm %x, %w : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32>
  %b = gaudi.mme.gemm %y, %w : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32>
  %c = gaudi.concat %a, %b axis 0 {engine = #gaudi.engine<dma>} : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<128x128xf32>
  %r = gaudi.mme.gemm %c, %w : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
}

// -----

// Nested, and one operand that is copied, because it is in another slice.
module attributes {gaudi.device = "gaudi2"} {
// CHECK: memory-order | {{.*}}Function=nested{{.*}}its peak of [[#PEAK:]] bytes
// CHECK: workspace | {{.*}}Function=nested | Remark="workspace [[#PEAK]] bytes
func.func @nested(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>, %w: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<192x128xf32>) {
  %a = gaudi.mme.gemm %x, %w : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32>
  %b = gaudi.mme.gemm %y, %w : tensor<64x128xf32>, tensor<128x128xf32> -> tensor<64x128xf32>
  %c = gaudi.concat %a, %b axis 0 {engine = #gaudi.engine<dma>} : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<128x128xf32>
  %r = gaudi.mme.gemm %c, %w : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
  %d = gaudi.concat %c, %a axis 0 {engine = #gaudi.engine<dma>} : tensor<128x128xf32>, tensor<64x128xf32> -> tensor<192x128xf32>
  %e = gaudi.mme.gemm %d, %w : tensor<192x128xf32>, tensor<128x128xf32> -> tensor<192x128xf32>
  return %r, %e : tensor<128x128xf32>, tensor<192x128xf32>
}
}
