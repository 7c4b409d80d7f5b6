// A norm's gradient whose sums are in another kernel than their readers is a
// miss. Its row is too long for mutants (scripts/fusion-mutants.py), which take
// norm-gradients.mlir.
// RUN: gaudi-opt %s --gaudi-compile=stop-after=kernels --remarks-filter=gaudi-report-fusions --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: gaudi-opt %s --gaudi-compile=stop-after=kernels --remarks-filter=gaudi-fuse-tpc --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// One long row: the sums are in one kernel, their readers in others.
// COUNT: "rms norm gradient 0/1: one at norm-gradients-apart.mlir:{{[0-9:]+}}: another kernel applies its sums"
// WHY: [Missed] recognize {{.*}}not recognised rms_norm_grad in '{{.*}}': another kernel applies its sums
func.func @apart(%x: tensor<1x4194304xf32>, %g: tensor<1x4194304xf32>) -> tensor<1x4194304xf32> {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1xf32>
  %q = gaudi.tpc.mul %x, %x : tensor<1x4194304xf32>, tensor<1x4194304xf32> -> tensor<1x4194304xf32>
  %v = gaudi.tpc.reduce <mean> %q dims [1] keep_dims : tensor<1x4194304xf32> -> tensor<1x1xf32>
  %e = gaudi.tpc.add %v, %eps : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  %r = gaudi.tpc.rsqrt %e : tensor<1x1xf32>
  %gx = gaudi.tpc.mul %g, %x : tensor<1x4194304xf32>, tensor<1x4194304xf32> -> tensor<1x4194304xf32>
  %m = gaudi.tpc.reduce <mean> %gx dims [1] keep_dims : tensor<1x4194304xf32> -> tensor<1x1xf32>
  %mr = gaudi.tpc.mul %m, %r : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  %xm = gaudi.tpc.mul %x, %mr : tensor<1x4194304xf32>, tensor<1x1xf32> -> tensor<1x4194304xf32>
  %y = gaudi.tpc.sub %g, %xm : tensor<1x4194304xf32>, tensor<1x4194304xf32> -> tensor<1x4194304xf32>
  return %y : tensor<1x4194304xf32>
}
