// A step with clipping: the kernels write weights and moments over the old
// ones, whatever the shapes, and nothing copies them. What is in the workspace
// are scalars: a point computes the sum of squares of so few elements.
// RUN: gaudi-run %s --compile-only -o %t.recipe
// RUN: gaudi-run --dump %t.recipe | FileCheck %s
// RUN: gaudi-run %t.recipe --seed-inputs=1 --input=9-11=1 --report=text --print=0 | FileCheck %s --check-prefix=REPORT

// CHECK-NOT: tensor {{.*}} workspace @{{.*}}[48,64]
// CHECK: entry "main"
// CHECK-NEXT: tpc "tpc.square_sum
// CHECK-NEXT: tpc "tpc.fused_adamw"
// CHECK-NEXT: }

// 3,143 elements of parameters and two moments.
// REPORT: (state {{[0-9.]+}} KiB), const {{.*}}, workspace {{[0-9]+}} B
module {
func.func @main(%g0: tensor<48x64xf32>, %g1: tensor<64xf32>, %g2: tensor<7xf32>,
    %w0: tensor<48x64xf32> {gaudi.state = 0 : i64}, %w1: tensor<64xf32> {gaudi.state = 1 : i64}, %w2: tensor<7xf32> {gaudi.state = 2 : i64},
    %m0: tensor<48x64xf32> {gaudi.state = 3 : i64}, %m1: tensor<64xf32> {gaudi.state = 4 : i64}, %m2: tensor<7xf32> {gaudi.state = 5 : i64},
    %v0: tensor<48x64xf32> {gaudi.state = 6 : i64}, %v1: tensor<64xf32> {gaudi.state = 7 : i64}, %v2: tensor<7xf32> {gaudi.state = 8 : i64},
    %s: tensor<f32>, %d: tensor<1xf32>, %max: tensor<f32>)
  -> (tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<f32>) {
  %eps = gaudi.constant dense<1.0e-3> : tensor<f32>
  %c:5 = gaudi.fused_clip_norm gradients(%g0, %g1, %g2) max_norm %max {eps = 1.0e-6 : f64}
    : (tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<f32>) -> (tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>)
  %o:9 = gaudi.fused_adamw gradients(%g0, %g1, %g2) parameters(%w0, %w1, %w2) exp_avgs(%m0, %m1, %m2) exp_avg_sqs(%v0, %v1, %v2)
    step_size %s eps %eps decay %d grad_scale %c#4 {beta1 = 0.9 : f64, beta2 = 0.999 : f64}
    : (tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>, tensor<1xf32>, tensor<f32>)
    -> (tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>)
  return %o#0, %o#1, %o#2, %o#3, %o#4, %o#5, %o#6, %o#7, %o#8, %c#3 : tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<48x64xf32>, tensor<64xf32>, tensor<7xf32>, tensor<f32>
}
}
