// The gradient of an RMS norm with respect to its input, as autodiff writes it,
// is one kernel with a name (norm-gradients-apart.mlir: a miss).
// RUN: gaudi-opt %s --gaudi-compile=stop-after=kernels | FileCheck %s
// RUN: gaudi-opt %s --gaudi-compile=stop-after=kernels --remarks-filter=gaudi-report-fusions --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: gaudi-opt %s --gaudi-compile=stop-after=kernels --remarks-filter=gaudi-fuse-tpc --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// dx = r (g - x r^2 mean(g x)) with r = rsqrt(mean(x^2) + eps)
// CHECK-LABEL: @gradient
// CHECK-NEXT: gaudi.tpc.kernel label "tpc.rms_norm_grad+
// CHECK-NOT: gaudi.tpc.kernel
// CHECK: return
// COUNT: "rms norm gradient 1/1"
// WHY: [Passed] recognize {{.*}}recognised rms_norm_grad in 'tpc.rms_norm_grad+
func.func @gradient(%x: tensor<64x256xf32>, %g: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1xf32>
  %q = gaudi.tpc.mul %x, %x : tensor<64x256xf32>, tensor<64x256xf32> -> tensor<64x256xf32>
  %v = gaudi.tpc.reduce <mean> %q dims [1] keep_dims : tensor<64x256xf32> -> tensor<64x1xf32>
  %e = gaudi.tpc.add %v, %eps : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %r = gaudi.tpc.rsqrt %e : tensor<64x1xf32>
  %gx = gaudi.tpc.mul %g, %x : tensor<64x256xf32>, tensor<64x256xf32> -> tensor<64x256xf32>
  %m = gaudi.tpc.reduce <mean> %gx dims [1] keep_dims : tensor<64x256xf32> -> tensor<64x1xf32>
  %r2 = gaudi.tpc.mul %r, %r : tensor<64x1xf32>, tensor<64x1xf32> -> tensor<64x1xf32>
  %mr = gaudi.tpc.mul %m, %r2 : tensor<64x1xf32>, tensor<64x1xf32> -> tensor<64x1xf32>
  %xm = gaudi.tpc.mul %x, %mr : tensor<64x256xf32>, tensor<64x1xf32> -> tensor<64x256xf32>
  %d = gaudi.tpc.sub %g, %xm : tensor<64x256xf32>, tensor<64x256xf32> -> tensor<64x256xf32>
  %y = gaudi.tpc.mul %d, %r : tensor<64x256xf32>, tensor<64x1xf32> -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}
