// Guards of rows without visible keys leave the softmax as it is; what changes
// other rows is no guard.
// RUN: gaudi-opt %s --split-input-file --gaudi-fuse-sdpa="verify=true" | FileCheck %s

// Zeros where every key is hidden.
// CHECK-LABEL: func @above_infinity(
// CHECK: gaudi.sdpa
// CHECK: return
func.func @above_infinity(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %c = gaudi.tpc.compare <gt> %max, %inf : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %g = gaudi.tpc.select %c, %p, %zero : tensor<1x4x64x1xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %g, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// CHECK-LABEL: func @no_sum(
// CHECK: gaudi.sdpa
// CHECK: return
func.func @no_sum(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %c = gaudi.tpc.compare <eq> %l, %zero : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %g = gaudi.tpc.select %c, %zero, %p : tensor<1x4x64x1xi1>, tensor<1x1x1x1xf32>, tensor<1x4x64x64xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %g, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// As PyTorch does it: every score is -infinity.
// CHECK-LABEL: func @all_hidden(
// CHECK: gaudi.sdpa
// CHECK: return
func.func @all_hidden(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %h = gaudi.tpc.compare <eq> %s1, %inf : tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xi1>
  %c = gaudi.tpc.reduce <all> %h dims [3] keep_dims : tensor<1x4x64x64xi1> -> tensor<1x4x64x1xi1>
  %g = gaudi.tpc.select %c, %zero, %p : tensor<1x4x64x1xi1>, tensor<1x1x1x1xf32>, tensor<1x4x64x64xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %g, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// A gate of rows: the largest score may be above or below zero.
// CHECK-LABEL: func @positive_largest(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @positive_largest(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %c = gaudi.tpc.compare <gt> %max, %zero : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %g = gaudi.tpc.select %c, %p, %zero : tensor<1x4x64x1xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %g, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// CHECK-LABEL: func @negative_largest(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @negative_largest(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %c = gaudi.tpc.compare <gt> %max, %zero : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %g = gaudi.tpc.select %c, %zero, %p : tensor<1x4x64x1xi1>, tensor<1x1x1x1xf32>, tensor<1x4x64x64xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %g, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// Zeros where a key is visible.
// CHECK-LABEL: func @rows_with_keys(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @rows_with_keys(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %c = gaudi.tpc.compare <gt> %max, %inf : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %g = gaudi.tpc.select %c, %zero, %p : tensor<1x4x64x1xi1>, tensor<1x1x1x1xf32>, tensor<1x4x64x64xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %g, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// Zeros where one key is hidden.
// CHECK-LABEL: func @any_hidden(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @any_hidden(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %h = gaudi.tpc.compare <eq> %s1, %inf : tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xi1>
  %c = gaudi.tpc.reduce <any> %h dims [3] keep_dims : tensor<1x4x64x64xi1> -> tensor<1x4x64x1xi1>
  %g = gaudi.tpc.select %c, %zero, %p : tensor<1x4x64x1xi1>, tensor<1x1x1x1xf32>, tensor<1x4x64x64xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %g, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// The sum is divided by, unless it is zero.
// CHECK-LABEL: func @one_for_zero(
// CHECK: gaudi.sdpa
// CHECK: return
func.func @one_for_zero(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %c = gaudi.tpc.compare <eq> %l, %zero : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %n = gaudi.tpc.select %c, %one, %l : tensor<1x4x64x1xi1>, tensor<1x1x1x1xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// CHECK-LABEL: func @positive_sum(
// CHECK: gaudi.sdpa
// CHECK: return
func.func @positive_sum(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %c = gaudi.tpc.compare <gt> %l, %zero : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %n = gaudi.tpc.select %c, %l, %one : tensor<1x4x64x1xi1>, tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// Here it is not, unless it is zero.
// CHECK-LABEL: func @one_for_sum(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @one_for_sum(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %c = gaudi.tpc.compare <gt> %l, %zero : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %n = gaudi.tpc.select %c, %one, %l : tensor<1x4x64x1xi1>, tensor<1x1x1x1xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// CHECK-LABEL: func @one_for_finite(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @one_for_finite(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1x1x1x1xf32>
  %far = gaudi.constant dense<0x7F800000> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %c = gaudi.tpc.compare <lt> %l, %far : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %n = gaudi.tpc.select %c, %one, %l : tensor<1x4x64x1xi1>, tensor<1x1x1x1xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// A sum of at least 1 is not changed by a small bound.
// CHECK-LABEL: func @clamped(
// CHECK: gaudi.sdpa
// CHECK: return
func.func @clamped(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %low = gaudi.constant dense<1.0e-6> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %n = gaudi.tpc.max %l, %low : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// Shifted by zero where the largest score is -infinity.
// CHECK-LABEL: func @finite_shift(
// CHECK: gaudi.sdpa
// CHECK: return
func.func @finite_shift(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %low = gaudi.constant dense<1.0e-8> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %c = gaudi.tpc.compare <gt> %max, %inf : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xi1>
  %x = gaudi.tpc.select %c, %max, %zero : tensor<1x4x64x1xi1>, tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s1, %x : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %n = gaudi.tpc.add %l, %low : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// Without the shift by the largest score it may be less.
// CHECK-LABEL: func @clamped_shifted(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @clamped_shifted(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %low = gaudi.constant dense<1.0e-6> : tensor<1x1x1x1xf32>
  %t = gaudi.constant dense<20.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %d = gaudi.tpc.sub %s1, %t : tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %n = gaudi.tpc.max %l, %low : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// CHECK-LABEL: func @increased_shifted(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @increased_shifted(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %low = gaudi.constant dense<1.0e-8> : tensor<1x1x1x1xf32>
  %t = gaudi.constant dense<20.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %d = gaudi.tpc.sub %s1, %t : tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %n = gaudi.tpc.add %l, %low : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// The largest score is that of a hidden key.
// CHECK-LABEL: func @clamped_hidden(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @clamped_hidden(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %low = gaudi.constant dense<1.0e-6> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e0 = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %e = gaudi.tpc.select %m, %e0, %zero : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %n = gaudi.tpc.max %l, %low : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// A bound below every normal number still shows where all exponentials are too
// small for f32.
// CHECK-LABEL: func @tiny(
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @tiny(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %low = gaudi.constant dense<1.0e-38> : tensor<1x1x1x1xf32>
  %t = gaudi.constant dense<20.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.select %m, %s, %inf : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %d = gaudi.tpc.sub %s1, %t : tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %n = gaudi.tpc.max %l, %low : tensor<1x4x64x1xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %n : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// The exponentials are hidden, and the sum is that of the others.
// CHECK-LABEL: func @hidden_after(
// CHECK: gaudi.sdpa
// CHECK: return
func.func @hidden_after(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>, %m: tensor<1x1x64x64xi1>) -> tensor<1x4x64x32xf32> {
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e0 = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %e = gaudi.tpc.select %m, %e0, %zero : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// PyTorch writes the guard also where nothing hides a key; of a training step
// too, whose gradient passes through it.
// CHECK-LABEL: func @nothing_hidden(
// CHECK: gaudi.sdpa
// CHECK: gaudi.sdpa_grad
// CHECK-NOT: gaudi.mme.gemm
// CHECK: return
func.func @nothing_hidden(%q: tensor<2x3x24x16xf32>, %k: tensor<2x3x24x16xf32>, %v: tensor<2x3x24x16xf32>, %do: tensor<2x3x24x16xf32>) -> (tensor<2x3x24x16xf32>, tensor<2x3x24x16xf32>, tensor<2x3x24x16xf32>, tensor<2x3x24x16xf32>) {
  %inf = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<2x3x24x16xf32>, tensor<2x3x24x16xf32> -> tensor<2x3x24x24xf32>
  %max = gaudi.tpc.reduce <max> %s dims [3] keep_dims : tensor<2x3x24x24xf32> -> tensor<2x3x24x1xf32>
  %d = gaudi.tpc.sub %s, %max : tensor<2x3x24x24xf32>, tensor<2x3x24x1xf32> -> tensor<2x3x24x24xf32>
  %e = gaudi.tpc.exp %d : tensor<2x3x24x24xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<2x3x24x24xf32> -> tensor<2x3x24x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<2x3x24x24xf32>, tensor<2x3x24x1xf32> -> tensor<2x3x24x24xf32>
  %h = gaudi.tpc.compare <eq> %s, %inf : tensor<2x3x24x24xf32>, tensor<1x1x1x1xf32> -> tensor<2x3x24x24xi1>
  %c = gaudi.tpc.reduce <all> %h dims [3] keep_dims : tensor<2x3x24x24xi1> -> tensor<2x3x24x1xi1>
  %g = gaudi.tpc.select %c, %zero, %p : tensor<2x3x24x1xi1>, tensor<1x1x1x1xf32>, tensor<2x3x24x24xf32> -> tensor<2x3x24x24xf32>
  %o = gaudi.mme.gemm %g, %v : tensor<2x3x24x24xf32>, tensor<2x3x24x16xf32> -> tensor<2x3x24x16xf32>
  %dv = gaudi.mme.gemm %g, %do transpose_a : tensor<2x3x24x24xf32>, tensor<2x3x24x16xf32> -> tensor<2x3x24x16xf32>
  %dp = gaudi.mme.gemm %do, %v transpose_b : tensor<2x3x24x16xf32>, tensor<2x3x24x16xf32> -> tensor<2x3x24x24xf32>
  %dg = gaudi.tpc.select %c, %zero, %dp : tensor<2x3x24x1xi1>, tensor<1x1x1x1xf32>, tensor<2x3x24x24xf32> -> tensor<2x3x24x24xf32>
  %w = gaudi.tpc.mul %p, %dg : tensor<2x3x24x24xf32>, tensor<2x3x24x24xf32> -> tensor<2x3x24x24xf32>
  %mean = gaudi.tpc.reduce <sum> %w dims [3] keep_dims : tensor<2x3x24x24xf32> -> tensor<2x3x24x1xf32>
  %pm = gaudi.tpc.mul %p, %mean : tensor<2x3x24x24xf32>, tensor<2x3x24x1xf32> -> tensor<2x3x24x24xf32>
  %ds = gaudi.tpc.sub %w, %pm : tensor<2x3x24x24xf32>, tensor<2x3x24x24xf32> -> tensor<2x3x24x24xf32>
  %dq = gaudi.mme.gemm %ds, %k : tensor<2x3x24x24xf32>, tensor<2x3x24x16xf32> -> tensor<2x3x24x16xf32>
  %dk = gaudi.mme.gemm %ds, %q transpose_a : tensor<2x3x24x24xf32>, tensor<2x3x24x16xf32> -> tensor<2x3x24x16xf32>
  return %o, %dq, %dk, %dv : tensor<2x3x24x16xf32>, tensor<2x3x24x16xf32>, tensor<2x3x24x16xf32>, tensor<2x3x24x16xf32>
}
