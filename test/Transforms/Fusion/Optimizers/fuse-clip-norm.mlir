// RUN: gaudi-opt %s --gaudi-fuse-clip-norm | FileCheck %s
// RUN: gaudi-opt %s --gaudi-fuse-clip-norm --remarks-filter=gaudi-fuse-clip-norm --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-opt %s --gaudi-fuse-clip-norm --gaudi-fuse-optimizers | FileCheck %s --check-prefix=READ

// min(1, max / (norm + eps)), one square by a product, one by a power.
// CHECK-LABEL: @minimum
// CHECK: [[C:%.+]]:2, [[N:%.+]], %{{.+}} = gaudi.fused_clip_norm gradients(%arg0, %arg1) max_norm %arg2 {eps = 9.{{[0-9]+}}E-7 : f64}
// CHECK: return [[C]]#0, [[C]]#1, [[N]]
// REMARK: remark: [Passed] fuse | Category:gaudi-fuse-clip-norm | Remark="fused the clipping of 2 gradients by their norm into 'gaudi.fused_clip_norm', saving {{[0-9.]+ [num]?s}} on gaudi2 and {{-?[0-9]+}} bytes of memory traffic against the {{[0-9]+}} ops that it replaces"
func.func @minimum(%g: tensor<64x64xf32>, %h: tensor<64xf32>, %max: tensor<f32>) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<f32>) {
  %two = gaudi.constant dense<2.0> : tensor<1xf32>
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<f32>
  %0 = gaudi.tpc.mul %g, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %2 = gaudi.tpc.pow %h, %two : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %3 = gaudi.tpc.reduce <sum> %2 dims [0] : tensor<64xf32> -> tensor<f32>
  %4 = gaudi.tpc.add %1, %3 : tensor<f32>, tensor<f32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %4 : tensor<f32>
  %5 = gaudi.tpc.add %n, %eps : tensor<f32>, tensor<f32> -> tensor<f32>
  %6 = gaudi.tpc.div %max, %5 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %6, %one : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %s1 = gaudi.broadcast %s dims [] : tensor<f32> -> tensor<64xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %d = gaudi.tpc.mul %s1, %h : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  return %c, %d, %n : tensor<64x64xf32>, tensor<64xf32>, tensor<f32>
}

// max / maximum(norm, max), over the norm of norms.
// CHECK-LABEL: @norm_of_norms
// CHECK: gaudi.fused_clip_norm gradients(%arg0, %arg1) max_norm %{{.+}} {eps = 0.000000e+00 : f64}
func.func @norm_of_norms(%g: tensor<64x64xf32>, %h: tensor<64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %max = gaudi.constant dense<0.5> : tensor<f32>
  %0 = gaudi.tpc.mul %g, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %p = gaudi.tpc.reduce <sum> %0 dims [1] : tensor<64x64xf32> -> tensor<64xf32>
  %1 = gaudi.tpc.reduce <sum> %p dims [0] keep_dims : tensor<64xf32> -> tensor<1xf32>
  %2 = gaudi.tpc.mul %h, %h : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %3 = gaudi.tpc.reduce <sum> %2 dims [0] keep_dims : tensor<64xf32> -> tensor<1xf32>
  %a = gaudi.tpc.sqrt %1 : tensor<1xf32>
  %b = gaudi.tpc.sqrt %3 : tensor<1xf32>
  %ab = gaudi.concat %a, %b axis 0 : tensor<1xf32>, tensor<1xf32> -> tensor<2xf32>
  %4 = gaudi.tpc.mul %ab, %ab : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %5 = gaudi.tpc.reduce <sum> %4 dims [0] : tensor<2xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %5 : tensor<f32>
  %6 = gaudi.tpc.max %n, %max : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.div %max, %6 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %s1 = gaudi.reshape %s : tensor<f32> -> tensor<1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %d = gaudi.tpc.mul %h, %s1 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  return %c, %d : tensor<64x64xf32>, tensor<64xf32>
}

// A select of tensors by the norm, as optax has it; clamped between 0 and 1.
// CHECK-LABEL: @select
// CHECK: gaudi.fused_clip_norm gradients(%arg0) max_norm %arg1 {eps = 0.000000e+00 : f64}
func.func @select(%g: tensor<64x64xf32>, %max: tensor<f32>) -> tensor<64x64xf32> {
  %0 = gaudi.tpc.mul %g, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %b = gaudi.tpc.compare <gt> %max, %n : tensor<f32>, tensor<f32> -> tensor<i1>
  %b2 = gaudi.broadcast %b dims [] : tensor<i1> -> tensor<64x64xi1>
  %n2 = gaudi.broadcast %n dims [] : tensor<f32> -> tensor<64x64xf32>
  %max2 = gaudi.broadcast %max dims [] : tensor<f32> -> tensor<64x64xf32>
  %2 = gaudi.tpc.div %g, %n2 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %3 = gaudi.tpc.mul %2, %max2 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %c = gaudi.tpc.select %b2, %g, %3 : tensor<64x64xi1>, tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// The wrong way round: small norms are scaled.
// CHECK-LABEL: @reversed
// CHECK-NOT: gaudi.fused_clip_norm
// REMARK: fuse-clip-norm.mlir:[[#@LINE+10]]:{{[0-9]+}}: remark: [Missed] keep | Category:gaudi-fuse-clip-norm | Remark="not fused the clipping of gradients: the scale of 1 is not chosen where the norm is below the bound"
func.func @reversed(%g: tensor<64x64xf32>, %max: tensor<f32>) -> tensor<64x64xf32> {
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %0 = gaudi.tpc.mul %g, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %b = gaudi.tpc.compare <lt> %max, %n : tensor<f32>, tensor<f32> -> tensor<i1>
  %2 = gaudi.tpc.div %max, %n : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.select %b, %one, %2 : tensor<i1>, tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// The largest scale is 2.
// CHECK-LABEL: @not_one
// CHECK-NOT: gaudi.fused_clip_norm
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-clip-norm | Remark="not fused the clipping of gradients: the scale of a small norm is not 1"
func.func @not_one(%g: tensor<64x64xf32>, %max: tensor<f32>) -> tensor<64x64xf32> {
  %two = gaudi.constant dense<2.0> : tensor<f32>
  %0 = gaudi.tpc.mul %g, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %2 = gaudi.tpc.div %max, %n : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %two, %2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// The bound is divided by the square of the norm.
// CHECK-LABEL: @squared_norm
// CHECK-NOT: gaudi.fused_clip_norm
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-clip-norm | Remark="not fused the clipping of gradients: the scale of a large norm is not a bound divided by the norm and a constant eps"
func.func @squared_norm(%g: tensor<64x64xf32>, %max: tensor<f32>) -> (tensor<64x64xf32>, tensor<f32>) {
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %0 = gaudi.tpc.mul %g, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %2 = gaudi.tpc.div %max, %1 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %one, %2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c, %n : tensor<64x64xf32>, tensor<f32>
}

// |-x| * |x| is a square.
// CHECK-LABEL: @square_of_absolute
// CHECK: gaudi.fused_clip_norm gradients(%arg0)
func.func @square_of_absolute(%g: tensor<64x64xf32>, %max: tensor<f32>) -> tensor<64x64xf32> {
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %m = gaudi.tpc.neg %g : tensor<64x64xf32>
  %a = gaudi.tpc.abs %m : tensor<64x64xf32>
  %b = gaudi.tpc.abs %g : tensor<64x64xf32>
  %0 = gaudi.tpc.mul %a, %b : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %2 = gaudi.tpc.div %max, %n : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %one, %2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -x * -x is a square.
// CHECK-LABEL: @square_of_negated
// CHECK: gaudi.fused_clip_norm gradients(%arg0)
func.func @square_of_negated(%g: tensor<64x64xf32>, %max: tensor<f32>) -> tensor<64x64xf32> {
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %m = gaudi.tpc.neg %g : tensor<64x64xf32>
  %k = gaudi.tpc.neg %g : tensor<64x64xf32>
  %0 = gaudi.tpc.mul %m, %k : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %2 = gaudi.tpc.div %max, %n : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %one, %2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// x * |x| is no square.
// CHECK-LABEL: @with_absolute
// CHECK-NOT: gaudi.fused_clip_norm
func.func @with_absolute(%g: tensor<64x64xf32>, %max: tensor<f32>) -> tensor<64x64xf32> {
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %a = gaudi.tpc.abs %g : tensor<64x64xf32>
  %0 = gaudi.tpc.mul %g, %a : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %2 = gaudi.tpc.div %max, %n : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %one, %2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// x * -x is no square.
// CHECK-LABEL: @with_negated
// CHECK-NOT: gaudi.fused_clip_norm
func.func @with_negated(%g: tensor<64x64xf32>, %max: tensor<f32>) -> tensor<64x64xf32> {
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %m = gaudi.tpc.neg %g : tensor<64x64xf32>
  %0 = gaudi.tpc.mul %m, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %2 = gaudi.tpc.div %max, %n : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %one, %2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// -|x| * |x| is no square.
// CHECK-LABEL: @negated_absolute
// CHECK-NOT: gaudi.fused_clip_norm
func.func @negated_absolute(%g: tensor<64x64xf32>, %max: tensor<f32>) -> tensor<64x64xf32> {
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %a = gaudi.tpc.abs %g : tensor<64x64xf32>
  %m = gaudi.tpc.neg %a : tensor<64x64xf32>
  %0 = gaudi.tpc.mul %m, %a : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %2 = gaudi.tpc.div %max, %n : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %one, %2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// The sum of squares is a result: the op would compute it again.
// CHECK-LABEL: @sum_is_read
// CHECK-NOT: gaudi.fused_clip_norm
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-clip-norm | Remark="not fused the clipping of gradients: the sum of squares 'gaudi.tpc.reduce' is also read by others; it would be computed twice"
func.func @sum_is_read(%g: tensor<64x64xf32>, %max: tensor<f32>) -> (tensor<64x64xf32>, tensor<f32>) {
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %0 = gaudi.tpc.mul %g, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %2 = gaudi.tpc.div %max, %n : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %one, %2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c, %1 : tensor<64x64xf32>, tensor<f32>
}

// A norm that bounds nothing is no candidate.
// CHECK-LABEL: @normalised
// CHECK-NOT: gaudi.fused_clip_norm
func.func @normalised(%g: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = gaudi.tpc.mul %g, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] keep_dims : tensor<64x64xf32> -> tensor<1x1xf32>
  %2 = gaudi.tpc.rsqrt %1 : tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// Where an elementwise op reads the clipped gradient, it scales it itself.
// CHECK-LABEL: @read_elementwise
// READ-LABEL: @read_elementwise
// READ: %{{.+}}, %{{.+}}, [[S:%.+]] = gaudi.fused_clip_norm
// READ: [[S2:%.+]] = gaudi.reshape [[S]] : tensor<f32> -> tensor<1x1xf32>
// READ: [[C:%.+]] = gaudi.tpc.mul %arg0, [[S2]]
// READ: gaudi.tpc.exp [[C]]
func.func @read_elementwise(%g: tensor<64x64xf32>, %max: tensor<f32>) -> tensor<64x64xf32> {
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %0 = gaudi.tpc.mul %g, %g : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %n = gaudi.tpc.sqrt %1 : tensor<f32>
  %2 = gaudi.tpc.div %max, %n : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = gaudi.tpc.min %one, %2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s2 = gaudi.reshape %s : tensor<f32> -> tensor<1x1xf32>
  %c = gaudi.tpc.mul %g, %s2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %e = gaudi.tpc.exp %c : tensor<64x64xf32>
  return %e : tensor<64x64xf32>
}
