// RUN: gaudi-opt %s --gaudi-schedule-ops -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %t.once --gaudi-schedule-ops | diff %t.once -
// RUN: gaudi-opt %s --gaudi-schedule-ops --remarks-filter=gaudi-schedule-ops --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

module attributes {gaudi.device = "gaudi3"} {
// What is not a tensor is left to the check of the phase.
// CHECK-LABEL: @scalar
func.func @scalar(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  return %x : i32
}

// A matrix op and the views of its product go to the kernel that reads them,
// past small kernels; not past large ones or other matrix ops.
// CHECK-LABEL: @reader
// REMARK-DAG: remark: [Passed] move-matrix-op | Category:gaudi-schedule-ops | Remark="moved past 1 small kernels to the kernel that reads the product, which can work tile by tile, saving up to {{[0-9.]+ [num]?s}} on {{gaudi[0-9]?}}"
func.func @reader(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %s: tensor<16xf32>, %big: tensor<512x64xf32>) -> tensor<128xf32> {
  // CHECK-NEXT: %[[R:.*]] = gaudi.tpc.kernel
  // CHECK:      %[[P:.*]] = gaudi.mme.gemm
  // CHECK-NEXT: %[[V:.*]] = gaudi.reshape %[[P]]
  // CHECK-NEXT: %[[K:.*]] = gaudi.tpc.kernel(%[[V]], %[[R]])
  %p = gaudi.mme.gemm %x, %w : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
  %v = gaudi.reshape %p : tensor<8x16xf32> -> tensor<128xf32>
  %r = gaudi.tpc.kernel (%s) index_space [16] parallel [true] : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%in0: tensor<16xf32>, %out0: tensor<16xf32>):
    %0 = gaudi.kernel.load %in0[d0] : tensor<16xf32>
    gaudi.kernel.store %0, %out0[d0] : tensor<16xf32>
  }
  %k = gaudi.tpc.kernel (%v, %r) index_space [8, 16] parallel [true, true] : (tensor<128xf32>, tensor<16xf32>) -> tensor<128xf32> {
  ^bb0(%in0: tensor<128xf32>, %in1: tensor<16xf32>, %out0: tensor<128xf32>):
    %0 = gaudi.kernel.load %in0[d0 * 16 + d1] : tensor<128xf32>
    %1 = gaudi.kernel.load %in1[d1] : tensor<16xf32>
    %2 = arith.mulf %0, %1 : f32
    gaudi.kernel.store %2, %out0[d0 * 16 + d1] : tensor<128xf32>
  }
  // REMARK-DAG: remark: [Analysis] move-matrix-op | Category:gaudi-schedule-ops | Reason="not moved: 'gaudi.tpc.kernel' before the first reader of the product is not a small kernel; the product takes {{[0-9.]+ [num]?s}} on {{gaudi[0-9]?}}"
  // CHECK:      %[[Q:.*]] = gaudi.mme.gemm
  // CHECK-NEXT: gaudi.tpc.kernel(%arg3)
  %q = gaudi.mme.gemm %x, %w : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
  %l = gaudi.tpc.kernel (%big) index_space [512, 64] parallel [true, true] : (tensor<512x64xf32>) -> tensor<512x64xf32> {
  ^bb0(%in0: tensor<512x64xf32>, %out0: tensor<512x64xf32>):
    %0 = gaudi.kernel.load %in0[d0, d1] : tensor<512x64xf32>
    gaudi.kernel.store %0, %out0[d0, d1] : tensor<512x64xf32>
  }
  %m = gaudi.tpc.kernel (%q, %l, %k) index_space [8, 16] parallel [true, true] : (tensor<8x16xf32>, tensor<512x64xf32>, tensor<128xf32>) -> tensor<128xf32> {
  ^bb0(%in0: tensor<8x16xf32>, %in1: tensor<512x64xf32>, %in2: tensor<128xf32>, %out0: tensor<128xf32>):
    %0 = gaudi.kernel.load %in0[d0, d1] : tensor<8x16xf32>
    %1 = gaudi.kernel.load %in1[d0, d1] : tensor<512x64xf32>
    %2 = gaudi.kernel.load %in2[d0 * 16 + d1] : tensor<128xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    gaudi.kernel.store %4, %out0[d0 * 16 + d1] : tensor<128xf32>
  }
  return %m : tensor<128xf32>
}

// CHECK: func.func private @external
func.func private @external(tensor<4xf32>) -> tensor<4xf32>
}
