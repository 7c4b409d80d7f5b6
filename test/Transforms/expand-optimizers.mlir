// The kernels of optimizers: one loop per tensor, over the row that a point has
// of each, so that tensors of different sizes share a launch.
// RUN: gaudi-opt %s --split-input-file --gaudi-expand-kernels | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-expand-kernels --remarks-filter="gaudi-expand-kernels" --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Three parameters: two kernels, and one that packs the three scalars that are
// no constants, which would be tensors 15 to 17. Sorted by size.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Passed] expand | Category:gaudi-expand-kernels | Remark="expanded 'gaudi.fused_adamw' of 3 tensors to 3 kernels, which take {{[0-9.]+ [num]?s}} on gaudi2, saving {{[0-9.]+ [num]?s}} on gaudi2 and 1868792 bytes of memory traffic over a kernel for each operation on each tensor"
// CHECK-LABEL: @adamw
// CHECK: %[[E:.*]] = gaudi.tpc.kernel label "tpc.pack_scalars"(%{{.*}}, %{{.*}}, %{{.*}}) index_space [3] parallel [true]
// CHECK: gaudi.reshape %arg0 : tensor<96x64xf32> -> tensor<384x16xf32>
// CHECK: gaudi.reshape %arg1 : tensor<48x128xf32> -> tensor<384x16xf32>
// CHECK: %[[K:.*]]:6 = gaudi.tpc.kernel label "tpc.fused_adamw"({{.*}}, %[[E]]) index_space [384, 16] parallel [true, false]
// CHECK: gaudi.kernel.loop [1]
// CHECK: math.sqrt
// CHECK: gaudi.kernel.loop [1]
// CHECK: math.sqrt
// CHECK: gaudi.reshape %[[K]]#0 : tensor<384x16xf32> -> tensor<96x64xf32>
// CHECK: gaudi.tpc.kernel label "tpc.fused_adamw"({{.*}}, %[[E]]) index_space [7, 1] parallel [true, false]
func.func @adamw(%g0: tensor<96x64xf32>, %g1: tensor<48x128xf32>, %g2: tensor<7xf32>,
    %w0: tensor<96x64xf32>, %w1: tensor<48x128xf32>, %w2: tensor<7xf32>,
    %m0: tensor<96x64xf32>, %m1: tensor<48x128xf32>, %m2: tensor<7xf32>,
    %v0: tensor<96x64xf32>, %v1: tensor<48x128xf32>, %v2: tensor<7xf32>,
    %s: tensor<f32>, %d: tensor<1xf32>, %c: tensor<f32>)
  -> (tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>) {
  %eps = gaudi.constant dense<1.0e-6> : tensor<f32>
  %o:9 = gaudi.fused_adamw gradients(%g0, %g1, %g2) parameters(%w0, %w1, %w2) exp_avgs(%m0, %m1, %m2) exp_avg_sqs(%v0, %v1, %v2)
    step_size %s eps %eps decay %d grad_scale %c {beta1 = 0.9 : f64, beta2 = 0.999 : f64}
    : (tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<f32>)
    -> (tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>)
  return %o#0, %o#1, %o#2, %o#3, %o#4, %o#5, %o#6, %o#7, %o#8 : tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>, tensor<96x64xf32>, tensor<48x128xf32>, tensor<7xf32>
}
}

// -----

// A size without a divisor that gives all engines work: the points are the
// elements. An empty tensor has no kernel.
// CHECK-LABEL: @prime
// CHECK: %[[K:.*]] = gaudi.tpc.kernel label "tpc.fused_sgd"(%arg0, %arg2, %arg4) index_space [1000003] parallel [true]
// CHECK-NOT: gaudi.tpc.kernel
// CHECK: return %[[K]], %arg3
// REMARK: remark: [Passed] expand | Category:gaudi-expand-kernels | Remark="expanded 'gaudi.fused_sgd' of 2 tensors to 1 kernels, saving 12000032 bytes of memory traffic over a kernel for each operation on each tensor"
func.func @prime(%g0: tensor<1000003xf32>, %g1: tensor<0xf32>, %w0: tensor<1000003xf32>, %w1: tensor<0xf32>, %s: tensor<f32>) -> (tensor<1000003xf32>, tensor<0xf32>) {
  %o:2 = gaudi.fused_sgd gradients(%g0, %g1) parameters(%w0, %w1) lr %s : (tensor<1000003xf32>, tensor<0xf32>, tensor<1000003xf32>, tensor<0xf32>, tensor<f32>) -> (tensor<1000003xf32>, tensor<0xf32>)
  return %o#0, %o#1 : tensor<1000003xf32>, tensor<0xf32>
}

// -----

// Tensors share a launch if their common number of points leaves none with more
// than 65,536 elements: a large tensor is not cut into 48 rows for the sake of a
// vector. One that keeps the number of points joins whatever its size.
// CHECK-LABEL: @points
// CHECK: gaudi.tpc.kernel label "tpc.square_sum"({{.*}}) index_space [4096, 4320, 2160, 144] parallel [true, false, false, false]
// CHECK: gaudi.tpc.kernel label "tpc.square_sum"({{.*}}) index_space [48, 16] parallel [true, false]
func.func @points(%a: tensor<17694720xf32>, %b: tensor<8847360xf32>, %c: tensor<768x768xf32>, %d: tensor<768xf32>, %n: tensor<f32>) -> tensor<f32> {
  %o:6 = gaudi.fused_clip_norm gradients(%a, %b, %c, %d) max_norm %n {eps = 1.0e-6 : f64} : (tensor<17694720xf32>, tensor<8847360xf32>, tensor<768x768xf32>, tensor<768xf32>, tensor<f32>) -> (tensor<17694720xf32>, tensor<8847360xf32>, tensor<768x768xf32>, tensor<768xf32>, tensor<f32>, tensor<f32>)
  return %o#4 : tensor<f32>
}

// -----

// Sums of squares per point, for the second tensor with zeros beyond its end,
// and a kernel that adds them. The clipped tensor that is read has a kernel.
// CHECK-LABEL: @clip
// CHECK: %[[A:.*]] = gaudi.tpc.kernel label "tpc.square_sum"{{.*}} index_space [3907, 256] parallel [true, false]
// CHECK: gaudi.kernel.load %in0[d0 * 256 + d1] boundary [#gaudi.boundary<pad>] pad 0.000000e+00 : f32 : tensor<1000003xf32>
// CHECK: %[[B:.*]] = gaudi.tpc.kernel label "tpc.square_sum"{{.*}} index_space [64, 16] parallel [true, false]
// CHECK: %[[N:.*]]:2 = gaudi.tpc.kernel label "tpc.fused_clip_norm"(%[[A]], %[[B]], %arg2) index_space [1, 3907, 64] parallel [true, false, false]
// CHECK: gaudi.tpc.kernel label "tpc.fused_clip_norm"(%{{.*}}, %[[N]]#1) index_space [64, 16] parallel [true, false]
func.func @clip(%a: tensor<1000003xf32>, %b: tensor<16x64xf32>, %n: tensor<f32>) -> (tensor<16x64xf32>, tensor<f32>) {
  %o:4 = gaudi.fused_clip_norm gradients(%a, %b) max_norm %n {eps = 1.0e-6 : f64} : (tensor<1000003xf32>, tensor<16x64xf32>, tensor<f32>) -> (tensor<1000003xf32>, tensor<16x64xf32>, tensor<f32>, tensor<f32>)
  return %o#1, %o#2 : tensor<16x64xf32>, tensor<f32>
}
