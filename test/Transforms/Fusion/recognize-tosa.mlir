// Patterns as a TOSA front end writes them.
// RUN: gaudi-opt %s --split-input-file --gaudi-compile=stop-after=kernels | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-compile="stop-after=kernels check-numerics=true" -o /dev/null

// CHECK-LABEL: @softmax
// CHECK: gaudi.tpc.kernel label "tpc.softmax"(%arg0)
// CHECK-NOT: gaudi.tpc.kernel
func.func @softmax(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %m = tosa.reduce_max %x {axis = 1 : i32} : (tensor<32x64xf32>) -> tensor<32x1xf32>
  %s = tosa.sub %x, %m : (tensor<32x64xf32>, tensor<32x1xf32>) -> tensor<32x64xf32>
  %e = tosa.exp %s : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %t = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<32x64xf32>) -> tensor<32x1xf32>
  %r = tosa.reciprocal %t : (tensor<32x1xf32>) -> tensor<32x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %y = tosa.mul %e, %r, %shift : (tensor<32x64xf32>, tensor<32x1xf32>, tensor<1xi8>) -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

// -----

// CHECK-LABEL: @layer_norm
// CHECK: gaudi.tpc.kernel label "tpc.layer_norm"
// CHECK-NOT: gaudi.tpc.kernel
func.func @layer_norm(%x: tensor<32x64xf32>, %gamma: tensor<1x64xf32>, %beta: tensor<1x64xf32>) -> tensor<32x64xf32> {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %n = "tosa.const"() {values = dense<0.015625> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %eps = "tosa.const"() {values = dense<1.0e-5> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %s = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<32x64xf32>) -> tensor<32x1xf32>
  %m = tosa.mul %s, %n, %shift : (tensor<32x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<32x1xf32>
  %c = tosa.sub %x, %m : (tensor<32x64xf32>, tensor<32x1xf32>) -> tensor<32x64xf32>
  %q = tosa.mul %c, %c, %shift : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<1xi8>) -> tensor<32x64xf32>
  %qs = tosa.reduce_sum %q {axis = 1 : i32} : (tensor<32x64xf32>) -> tensor<32x1xf32>
  %v = tosa.mul %qs, %n, %shift : (tensor<32x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<32x1xf32>
  %e = tosa.add %v, %eps : (tensor<32x1xf32>, tensor<1x1xf32>) -> tensor<32x1xf32>
  %r = tosa.rsqrt %e : (tensor<32x1xf32>) -> tensor<32x1xf32>
  %d = tosa.mul %c, %r, %shift : (tensor<32x64xf32>, tensor<32x1xf32>, tensor<1xi8>) -> tensor<32x64xf32>
  %g = tosa.mul %d, %gamma, %shift : (tensor<32x64xf32>, tensor<1x64xf32>, tensor<1xi8>) -> tensor<32x64xf32>
  %y = tosa.add %g, %beta : (tensor<32x64xf32>, tensor<1x64xf32>) -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

// -----

// CHECK-LABEL: @gelu
// CHECK: gaudi.tpc.kernel label "tpc.gelu"(%arg0)
// CHECK-NOT: gaudi.tpc.kernel
func.func @gelu(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %half = "tosa.const"() {values = dense<0.5> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %one = "tosa.const"() {values = dense<1.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %root = "tosa.const"() {values = dense<0.707106769> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %a = tosa.mul %x, %root, %shift : (tensor<32x64xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<32x64xf32>
  %e = tosa.erf %a : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %p = tosa.add %e, %one : (tensor<32x64xf32>, tensor<1x1xf32>) -> tensor<32x64xf32>
  %h = tosa.mul %p, %half, %shift : (tensor<32x64xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<32x64xf32>
  %y = tosa.mul %x, %h, %shift : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<1xi8>) -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

// -----

// The whole of an inference batch norm goes into the weights but its offset.
// CHECK-LABEL: @batch_norm
// CHECK: gaudi.mme.conv
// CHECK: gaudi.tpc.kernel label "tpc.add+clamp"
// CHECK-NOT: gaudi.tpc.kernel
func.func @batch_norm(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %w = "tosa.const"() {values = dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>} : () -> tensor<2x1x1x2xf32>
  %b = "tosa.const"() {values = dense<[0.5, 0.25]> : tensor<2xf32>} : () -> tensor<2xf32>
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %mean = "tosa.const"() {values = dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %variance = "tosa.const"() {values = dense<[[[[3.75, 15.75]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %eps = "tosa.const"() {values = dense<0.25> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %gamma = "tosa.const"() {values = dense<[[[[1.0, 6.0]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %beta = "tosa.const"() {values = dense<[[[[4.0, 1.5]]]]> : tensor<1x1x1x2xf32>} : () -> tensor<1x1x1x2xf32>
  %c = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  %d = tosa.sub %c, %mean : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %e = tosa.add %variance, %eps : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32>
  %r = tosa.rsqrt %e : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %s = tosa.mul %d, %r, %shift : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
  %g = tosa.mul %s, %gamma, %shift : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
  %o = tosa.add %g, %beta : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %y = tosa.clamp %o {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %y : tensor<1x4x4x2xf32>
}
