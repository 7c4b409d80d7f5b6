// RUN: gaudi-opt %s --gaudi-narrow-products=device=gaudi --remarks-filter=gaudi-narrow-products --remark-policy=all 2>&1 | FileCheck %s
// RUN: not gaudi-opt %s --gaudi-narrow-products=device=gaudi4 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown device "gaudi4", expected one of

// Types that the device lacks are no choice.
// CHECK: remark: [Missed] keep-wide | {{.*}}although its operands are f16: the matrix engine of gaudi does not have it
// CHECK-LABEL: @f16
// CHECK: gaudi.mme.gemm {{.*}} : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
func.func @f16(%x: tensor<4x8xf16>, %w: tensor<8x4xf16>) -> tensor<4x4xf32> {
  %xf = gaudi.tpc.cast %x : tensor<4x8xf16> -> tensor<4x8xf32>
  %wf = gaudi.tpc.cast %w : tensor<8x4xf16> -> tensor<8x4xf32>
  %y = gaudi.mme.gemm %xf, %wf : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
