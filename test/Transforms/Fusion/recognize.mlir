// Every pattern in the forms front ends write it; each is one kernel with its
// name, and computes what the ops computed.
// RUN: gaudi-opt %s --split-input-file --gaudi-compile=stop-after=kernels | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-compile="stop-after=kernels check-numerics=true" -o /dev/null

// CHECK-LABEL: @softmax
// CHECK: gaudi.tpc.kernel label "tpc.softmax"(%arg0)
// CHECK-NOT: gaudi.tpc.kernel
func.func @softmax(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %m = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %s = gaudi.tpc.sub %x, %m : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %e = gaudi.tpc.exp %s : tensor<64x128xf32>
  %t = gaudi.tpc.reduce <sum> %e dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %r = gaudi.tpc.reciprocal %t : tensor<64x1xf32>
  %y = gaudi.tpc.mul %r, %e : tensor<64x1xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// A scale and a mask in front stay ops of their own.
// CHECK-LABEL: @masked_softmax
// CHECK: gaudi.tpc.kernel label "tpc.mul+add+softmax"
// CHECK-NOT: gaudi.tpc.kernel
func.func @masked_softmax(%x: tensor<2x32x64xbf16>, %mask: tensor<1x1x64xbf16>, %scale: tensor<1x1x1xbf16>) -> tensor<2x32x64xbf16> {
  %a = gaudi.tpc.mul %x, %scale : tensor<2x32x64xbf16>, tensor<1x1x1xbf16> -> tensor<2x32x64xbf16>
  %b = gaudi.tpc.add %a, %mask : tensor<2x32x64xbf16>, tensor<1x1x64xbf16> -> tensor<2x32x64xbf16>
  %m = gaudi.tpc.reduce <max> %b dims [2] keep_dims : tensor<2x32x64xbf16> -> tensor<2x32x1xbf16>
  %s = gaudi.tpc.sub %b, %m : tensor<2x32x64xbf16>, tensor<2x32x1xbf16> -> tensor<2x32x64xbf16>
  %e = gaudi.tpc.exp %s : tensor<2x32x64xbf16>
  %t = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<2x32x64xbf16> -> tensor<2x32x1xbf16>
  %y = gaudi.tpc.div %e, %t : tensor<2x32x64xbf16>, tensor<2x32x1xbf16> -> tensor<2x32x64xbf16>
  return %y : tensor<2x32x64xbf16>
}

// -----

// CHECK-LABEL: @log_softmax
// CHECK: gaudi.tpc.kernel label "tpc.log_softmax"
// CHECK-NOT: gaudi.tpc.kernel
func.func @log_softmax(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %m = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %s = gaudi.tpc.sub %x, %m : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %e = gaudi.tpc.exp %s : tensor<64x128xf32>
  %t = gaudi.tpc.reduce <sum> %e dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %l = gaudi.tpc.log %t : tensor<64x1xf32>
  %y = gaudi.tpc.sub %s, %l : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: @log_sum_exp
// CHECK: gaudi.tpc.kernel label "tpc.log_sum_exp"
// CHECK-NOT: gaudi.tpc.kernel
func.func @log_sum_exp(%x: tensor<64x128xf32>) -> tensor<64x1xf32> {
  %m = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %s = gaudi.tpc.sub %x, %m : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %e = gaudi.tpc.exp %s : tensor<64x128xf32>
  %t = gaudi.tpc.reduce <sum> %e dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %l = gaudi.tpc.log %t : tensor<64x1xf32>
  %y = gaudi.tpc.add %m, %l : tensor<64x1xf32>, tensor<64x1xf32> -> tensor<64x1xf32>
  return %y : tensor<64x1xf32>
}

// -----

// CHECK-LABEL: @cross_entropy
// CHECK: gaudi.tpc.kernel label "tpc.cross_entropy+neg"
// CHECK-NOT: gaudi.tpc.kernel
func.func @cross_entropy(%x: tensor<64x128xf32>, %target: tensor<64x128xf32>) -> tensor<64xf32> {
  %m = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %s = gaudi.tpc.sub %x, %m : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %e = gaudi.tpc.exp %s : tensor<64x128xf32>
  %t = gaudi.tpc.reduce <sum> %e dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %l = gaudi.tpc.log %t : tensor<64x1xf32>
  %y = gaudi.tpc.sub %s, %l : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %p = gaudi.tpc.mul %target, %y : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %c = gaudi.tpc.reduce <sum> %p dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %n = gaudi.tpc.neg %c : tensor<64xf32>
  return %n : tensor<64xf32>
}

// -----

// CHECK-LABEL: @layer_norm
// CHECK: gaudi.tpc.kernel label "tpc.add+layer_norm"
// CHECK-NOT: gaudi.tpc.kernel
func.func @layer_norm(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %gamma: tensor<1x128xf32>, %beta: tensor<1x128xf32>) -> tensor<64x128xf32> {
  %n = gaudi.constant dense<128.0> : tensor<1x1xf32>
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1xf32>
  %x = gaudi.tpc.add %a, %b : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %s = gaudi.tpc.reduce <sum> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %m = gaudi.tpc.div %s, %n : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %c = gaudi.tpc.sub %x, %m : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %q = gaudi.tpc.mul %c, %c : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %sq = gaudi.tpc.reduce <mean> %q dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %v = gaudi.tpc.add %sq, %eps : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %r = gaudi.tpc.sqrt %v : tensor<64x1xf32>
  %d = gaudi.tpc.div %c, %r : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %g = gaudi.tpc.mul %d, %gamma : tensor<64x128xf32>, tensor<1x128xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.add %g, %beta : tensor<64x128xf32>, tensor<1x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// mean(x^2) - mean(x)^2, computed in f32 from bf16.
// CHECK-LABEL: @layer_norm_by_moments
// CHECK: gaudi.tpc.kernel label "tpc.layer_norm"
// CHECK: gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>, #gaudi.reduce<add>]
// CHECK-NOT: gaudi.tpc.kernel
func.func @layer_norm_by_moments(%h: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %eps = gaudi.constant dense<1.0e-2> : tensor<1x1xf32>
  %x = gaudi.tpc.cast %h : tensor<64x128xbf16> -> tensor<64x128xf32>
  %m = gaudi.tpc.reduce <mean> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %q = gaudi.tpc.mul %x, %x : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %mq = gaudi.tpc.reduce <mean> %q dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %mm = gaudi.tpc.mul %m, %m : tensor<64x1xf32>, tensor<64x1xf32> -> tensor<64x1xf32>
  %v = gaudi.tpc.sub %mq, %mm : tensor<64x1xf32>, tensor<64x1xf32> -> tensor<64x1xf32>
  %e = gaudi.tpc.add %v, %eps : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %r = gaudi.tpc.rsqrt %e : tensor<64x1xf32>
  %c = gaudi.tpc.sub %x, %m : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %d = gaudi.tpc.mul %c, %r : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.cast %d : tensor<64x128xf32> -> tensor<64x128xbf16>
  return %y : tensor<64x128xbf16>
}

// -----

// CHECK-LABEL: @rms_norm
// CHECK: gaudi.tpc.kernel label "tpc.rms_norm"
// CHECK-NOT: gaudi.tpc.kernel
func.func @rms_norm(%x: tensor<64x128xf32>, %gamma: tensor<1x128xf32>) -> tensor<64x128xf32> {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1xf32>
  %two = gaudi.constant dense<2.0> : tensor<1x1xf32>
  %power = gaudi.constant dense<-0.5> : tensor<1x1xf32>
  %q = gaudi.tpc.pow %x, %two : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %m = gaudi.tpc.reduce <mean> %q dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %e = gaudi.tpc.add %m, %eps : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %r = gaudi.tpc.pow %e, %power : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %d = gaudi.tpc.mul %x, %r : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.mul %gamma, %d : tensor<1x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// Statistics over the channels of a group: gamma varies inside a row.
// CHECK-LABEL: @group_norm
// CHECK: gaudi.tpc.kernel label "tpc.group_norm"
// CHECK-NOT: gaudi.tpc.kernel
func.func @group_norm(%x: tensor<4x32x8x8xf32>, %gamma: tensor<1x32x1x1xf32>, %beta: tensor<1x32x1x1xf32>) -> tensor<4x32x8x8xf32> {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1x1xf32>
  %g = gaudi.reshape %x : tensor<4x32x8x8xf32> -> tensor<4x8x256xf32>
  %m = gaudi.tpc.reduce <mean> %g dims [2] keep_dims : tensor<4x8x256xf32> -> tensor<4x8x1xf32>
  %c = gaudi.tpc.sub %g, %m : tensor<4x8x256xf32>, tensor<4x8x1xf32> -> tensor<4x8x256xf32>
  %q = gaudi.tpc.mul %c, %c : tensor<4x8x256xf32>, tensor<4x8x256xf32> -> tensor<4x8x256xf32>
  %v = gaudi.tpc.reduce <mean> %q dims [2] keep_dims : tensor<4x8x256xf32> -> tensor<4x8x1xf32>
  %e = gaudi.tpc.add %v, %eps : tensor<4x8x1xf32>, tensor<1x1x1xf32> -> tensor<4x8x1xf32>
  %r = gaudi.tpc.rsqrt %e : tensor<4x8x1xf32>
  %d = gaudi.tpc.mul %c, %r : tensor<4x8x256xf32>, tensor<4x8x1xf32> -> tensor<4x8x256xf32>
  %b = gaudi.reshape %d : tensor<4x8x256xf32> -> tensor<4x32x8x8xf32>
  %s = gaudi.tpc.mul %b, %gamma : tensor<4x32x8x8xf32>, tensor<1x32x1x1xf32> -> tensor<4x32x8x8xf32>
  %y = gaudi.tpc.add %s, %beta : tensor<4x32x8x8xf32>, tensor<1x32x1x1xf32> -> tensor<4x32x8x8xf32>
  return %y : tensor<4x32x8x8xf32>
}

// -----

// CHECK-LABEL: @instance_norm
// CHECK: gaudi.tpc.kernel label "tpc.instance_norm"
// CHECK-NOT: gaudi.tpc.kernel
func.func @instance_norm(%x: tensor<4x32x8x8xf32>, %gamma: tensor<1x32x1x1xf32>, %beta: tensor<1x32x1x1xf32>) -> tensor<4x32x8x8xf32> {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1x1x1xf32>
  %m = gaudi.tpc.reduce <mean> %x dims [2, 3] keep_dims : tensor<4x32x8x8xf32> -> tensor<4x32x1x1xf32>
  %c = gaudi.tpc.sub %x, %m : tensor<4x32x8x8xf32>, tensor<4x32x1x1xf32> -> tensor<4x32x8x8xf32>
  %q = gaudi.tpc.mul %c, %c : tensor<4x32x8x8xf32>, tensor<4x32x8x8xf32> -> tensor<4x32x8x8xf32>
  %v = gaudi.tpc.reduce <mean> %q dims [2, 3] keep_dims : tensor<4x32x8x8xf32> -> tensor<4x32x1x1xf32>
  %e = gaudi.tpc.add %v, %eps : tensor<4x32x1x1xf32>, tensor<1x1x1x1xf32> -> tensor<4x32x1x1xf32>
  %r = gaudi.tpc.rsqrt %e : tensor<4x32x1x1xf32>
  %d = gaudi.tpc.mul %c, %r : tensor<4x32x8x8xf32>, tensor<4x32x1x1xf32> -> tensor<4x32x8x8xf32>
  %s = gaudi.tpc.mul %d, %gamma : tensor<4x32x8x8xf32>, tensor<1x32x1x1xf32> -> tensor<4x32x8x8xf32>
  %y = gaudi.tpc.add %s, %beta : tensor<4x32x8x8xf32>, tensor<1x32x1x1xf32> -> tensor<4x32x8x8xf32>
  return %y : tensor<4x32x8x8xf32>
}

// -----

// CHECK-LABEL: @batch_norm
// CHECK: gaudi.tpc.kernel label "tpc.batch_norm+clamp"
// CHECK-NOT: gaudi.tpc.kernel
func.func @batch_norm(%x: tensor<1x4x4x8xf32>, %mean: tensor<1x1x1x8xf32>, %variance: tensor<1x1x1x8xf32>, %gamma: tensor<1x1x1x8xf32>, %beta: tensor<1x1x1x8xf32>) -> tensor<1x4x4x8xf32> {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1x1x1xf32>
  %c = gaudi.tpc.sub %x, %mean : tensor<1x4x4x8xf32>, tensor<1x1x1x8xf32> -> tensor<1x4x4x8xf32>
  %e = gaudi.tpc.add %variance, %eps : tensor<1x1x1x8xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x1x8xf32>
  %r = gaudi.tpc.rsqrt %e : tensor<1x1x1x8xf32>
  %n = gaudi.tpc.mul %c, %r : tensor<1x4x4x8xf32>, tensor<1x1x1x8xf32> -> tensor<1x4x4x8xf32>
  %s = gaudi.tpc.mul %n, %gamma : tensor<1x4x4x8xf32>, tensor<1x1x1x8xf32> -> tensor<1x4x4x8xf32>
  %b = gaudi.tpc.add %s, %beta : tensor<1x4x4x8xf32>, tensor<1x1x1x8xf32> -> tensor<1x4x4x8xf32>
  %y = gaudi.tpc.clamp %b min 0.0 : f32 max 6.0 : f32 : tensor<1x4x4x8xf32>
  return %y : tensor<1x4x4x8xf32>
}

// -----

// CHECK-LABEL: @gelu_erf
// CHECK: gaudi.tpc.kernel label "tpc.gelu"
// CHECK-NOT: gaudi.tpc.kernel
func.func @gelu_erf(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %half = gaudi.constant dense<0.5> : tensor<1x1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1x1xf32>
  %root = gaudi.constant dense<1.41421354> : tensor<1x1xf32>
  %a = gaudi.tpc.div %x, %root : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %e = gaudi.tpc.erf %a : tensor<64x128xf32>
  %p = gaudi.tpc.add %e, %one : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %h = gaudi.tpc.mul %x, %half : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.mul %h, %p : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: @gelu_erfc
// CHECK: gaudi.tpc.kernel label "tpc.gelu"
func.func @gelu_erfc(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %half = gaudi.constant dense<0.5> : tensor<1x1xf32>
  %root = gaudi.constant dense<0.707106769> : tensor<1x1xf32>
  %n = gaudi.tpc.neg %x : tensor<64x128xf32>
  %a = gaudi.tpc.mul %n, %root : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %e = gaudi.tpc.erfc %a : tensor<64x128xf32>
  %h = gaudi.tpc.mul %half, %x : tensor<1x1xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.mul %e, %h : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// Constants in bf16 are as near as bf16 is.
// CHECK-LABEL: @gelu_tanh
// CHECK: gaudi.tpc.kernel label "tpc.gelu"
// CHECK-NOT: gaudi.tpc.kernel
func.func @gelu_tanh(%x: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %half = gaudi.constant dense<0.5> : tensor<1x1xbf16>
  %one = gaudi.constant dense<1.0> : tensor<1x1xbf16>
  %k = gaudi.constant dense<0.044715> : tensor<1x1xbf16>
  %s = gaudi.constant dense<0.79788456> : tensor<1x1xbf16>
  %x2 = gaudi.tpc.mul %x, %x : tensor<64x128xbf16>, tensor<64x128xbf16> -> tensor<64x128xbf16>
  %x3 = gaudi.tpc.mul %x2, %x : tensor<64x128xbf16>, tensor<64x128xbf16> -> tensor<64x128xbf16>
  %c = gaudi.tpc.mul %x3, %k : tensor<64x128xbf16>, tensor<1x1xbf16> -> tensor<64x128xbf16>
  %i = gaudi.tpc.add %x, %c : tensor<64x128xbf16>, tensor<64x128xbf16> -> tensor<64x128xbf16>
  %j = gaudi.tpc.mul %i, %s : tensor<64x128xbf16>, tensor<1x1xbf16> -> tensor<64x128xbf16>
  %t = gaudi.tpc.tanh %j : tensor<64x128xbf16>
  %p = gaudi.tpc.add %t, %one : tensor<64x128xbf16>, tensor<1x1xbf16> -> tensor<64x128xbf16>
  %h = gaudi.tpc.mul %x, %half : tensor<64x128xbf16>, tensor<1x1xbf16> -> tensor<64x128xbf16>
  %y = gaudi.tpc.mul %h, %p : tensor<64x128xbf16>, tensor<64x128xbf16> -> tensor<64x128xbf16>
  return %y : tensor<64x128xbf16>
}

// -----

// CHECK-LABEL: @silu
// CHECK: gaudi.tpc.kernel label "tpc.silu"
// CHECK-NOT: gaudi.tpc.kernel
func.func @silu(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %s = gaudi.tpc.sigmoid %x : tensor<64x128xf32>
  %y = gaudi.tpc.mul %s, %x : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// x / (1 + exp(-x))
// CHECK-LABEL: @silu_divided
// CHECK: gaudi.tpc.kernel label "tpc.silu"
func.func @silu_divided(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %one = gaudi.constant dense<1.0> : tensor<1x1xf32>
  %n = gaudi.tpc.neg %x : tensor<64x128xf32>
  %e = gaudi.tpc.exp %n : tensor<64x128xf32>
  %d = gaudi.tpc.add %e, %one : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.div %x, %d : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// Both halves of one tensor.
// CHECK-LABEL: @swiglu
// CHECK: gaudi.tpc.kernel label "tpc.swiglu"(%arg0) index_space [64, 128]
// CHECK-NOT: gaudi.tpc.kernel
func.func @swiglu(%h: tensor<64x256xf32>) -> tensor<64x128xf32> {
  %x, %u = gaudi.split %h axis 1 : tensor<64x256xf32> -> tensor<64x128xf32>, tensor<64x128xf32>
  %s = gaudi.tpc.sigmoid %x : tensor<64x128xf32>
  %a = gaudi.tpc.mul %x, %s : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.mul %a, %u : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: @hard_swish
// CHECK: gaudi.tpc.kernel label "tpc.hard_swish"
// CHECK-NOT: gaudi.tpc.kernel
func.func @hard_swish(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %three = gaudi.constant dense<3.0> : tensor<1x1xf32>
  %six = gaudi.constant dense<6.0> : tensor<1x1xf32>
  %a = gaudi.tpc.add %x, %three : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %c = gaudi.tpc.clamp %a min 0.0 : f32 max 6.0 : f32 : tensor<64x128xf32>
  %d = gaudi.tpc.div %c, %six : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.mul %x, %d : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: @hard_sigmoid
// CHECK: gaudi.tpc.kernel label "tpc.hard_sigmoid"
// CHECK-NOT: gaudi.tpc.kernel
func.func @hard_sigmoid(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %slope = gaudi.constant dense<0.2> : tensor<1x1xf32>
  %half = gaudi.constant dense<0.5> : tensor<1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1x1xf32>
  %a = gaudi.tpc.mul %x, %slope : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %b = gaudi.tpc.add %half, %a : tensor<1x1xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %c = gaudi.tpc.max %b, %zero : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %y = gaudi.tpc.min %one, %c : tensor<1x1xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}
