// RUN: gaudi-opt %s --gaudi-compile="stop-after=graph" | FileCheck %s
// RUN: gaudi-run %s --seed-inputs 1 --check

// CHECK-LABEL: @main
// CHECK: gaudi.mme.gemm {{.*}} : tensor<{{.*}}16x32xbf16>, tensor<{{.*}}32x8xbf16> -> tensor<{{.*}}16x8xf32>
func.func @main(%x: tensor<2x16x32xbf16>, %w: tensor<2x32x8xbf16>) -> tensor<2x16x8xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.cast %x : (tensor<2x16x32xbf16>) -> tensor<2x16x32xf32>
  %1 = tosa.cast %w : (tensor<2x32x8xbf16>) -> tensor<2x32x8xf32>
  %2 = tosa.matmul %0, %1, %zp, %zp : (tensor<2x16x32xf32>, tensor<2x32x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x16x8xf32>
  return %2 : tensor<2x16x8xf32>
}
