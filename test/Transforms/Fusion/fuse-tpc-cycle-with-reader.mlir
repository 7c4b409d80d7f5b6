// RUN: gaudi-opt %s --gaudi-expand-kernels --gaudi-fuse-tpc --remarks-filter="gaudi-fuse-tpc" --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// The sums and their reciprocal take longer in one kernel. The reader of both
// does not make up for it: it also reads a product of the exponentials, so that
// fusing all three would close a cycle.
// CHECK-NOT: Remark="fused '{{[^']*}}' into 'tpc.reciprocal'
// CHECK: not fused 'tpc.reduce+sub+exp+reduce' into 'tpc.reciprocal': {{.*}} also reads it; the fused kernel would take
module attributes {gaudi.device = "gaudi2"} {
func.func @cycle(%w: tensor<256x256xf32>, %x: tensor<16384x256xf32>) -> tensor<16384x256xf32> {
  %m = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<16384x256xf32> -> tensor<16384x1xf32>
  %d = gaudi.tpc.sub %x, %m : tensor<16384x256xf32>, tensor<16384x1xf32> -> tensor<16384x256xf32>
  %e = gaudi.tpc.exp %d : tensor<16384x256xf32>
  %s = gaudi.tpc.reduce <sum> %e dims [1] keep_dims : tensor<16384x256xf32> -> tensor<16384x1xf32>
  %r = gaudi.tpc.reciprocal %s : tensor<16384x1xf32>
  %q = gaudi.mme.gemm %e, %w : tensor<16384x256xf32>, tensor<256x256xf32> -> tensor<16384x256xf32>
  %y = gaudi.tpc.kernel label "tpc.mul+add" (%e, %r, %q) index_space [16384, 256] parallel [true, true]
         : (tensor<16384x256xf32>, tensor<16384x1xf32>, tensor<16384x256xf32>) -> tensor<16384x256xf32> {
  ^bb0(%in0: tensor<16384x256xf32>, %in1: tensor<16384x1xf32>, %in2: tensor<16384x256xf32>, %out0: tensor<16384x256xf32>):
    %0 = gaudi.kernel.load %in0[d0, d1] : tensor<16384x256xf32>
    %1 = gaudi.kernel.load %in1[d0, 0] : tensor<16384x1xf32>
    %2 = gaudi.kernel.load %in2[d0, d1] : tensor<16384x256xf32>
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    gaudi.kernel.store %4, %out0[d0, d1] : tensor<16384x256xf32>
  }
  return %y : tensor<16384x256xf32>
}
}
