// RUN: gaudi-opt %s --convert-tosa-to-gaudi | FileCheck %s
// RUN: gaudi-opt %s --convert-tosa-to-gaudi --remarks-filter=convert-tosa-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-run %s --entry=variance "--input=2x4xf32=1 2 3 4 2 2 2 6" | FileCheck %s --check-prefix=VARIANCE
// RUN: gaudi-run %s --entry=limits "--input=4xf32=-inf -2 0.5 inf" | FileCheck %s --check-prefix=LIMITS

// A variance that is computed in f64 between narrower values, as torch-mlir
// writes layer norms.

// CHECK-LABEL: func.func @variance(
// CHECK-NOT: f64
// CHECK: gaudi.tpc.reduce <sum> %arg0 dims [1] keep_dims : tensor<2x4xf32> -> tensor<2x1xf32>
// CHECK-NOT: f64
// CHECK: gaudi.tpc.sub
// CHECK-NOT: f64
// VARIANCE: [1.25, 3]
func.func @variance(%x: tensor<2x4xf32>) -> tensor<2x1xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %quarter = "tosa.const"() <{values = dense<0.25> : tensor<1x1xf64>}> : () -> tensor<1x1xf64>
  // REMARK: demote.mlir:[[#@LINE+1]]:{{.*}}Remark="computes in f32 what the model computes in f64; all of it is rounded to narrower types
  %w = tosa.cast %x : (tensor<2x4xf32>) -> tensor<2x4xf64>
  %s = tosa.reduce_sum %w {axis = 1 : i32} : (tensor<2x4xf64>) -> tensor<2x1xf64>
  %m = tosa.mul %s, %quarter, %shift : (tensor<2x1xf64>, tensor<1x1xf64>, tensor<1xi8>) -> tensor<2x1xf64>
  %d = tosa.sub %w, %m : (tensor<2x4xf64>, tensor<2x1xf64>) -> tensor<2x4xf64>
  %q = tosa.mul %d, %d, %shift : (tensor<2x4xf64>, tensor<2x4xf64>, tensor<1xi8>) -> tensor<2x4xf64>
  %t = tosa.reduce_sum %q {axis = 1 : i32} : (tensor<2x4xf64>) -> tensor<2x1xf64>
  %v = tosa.mul %t, %quarter, %shift : (tensor<2x1xf64>, tensor<1x1xf64>, tensor<1xi8>) -> tensor<2x1xf64>
  %r = tosa.cast %v : (tensor<2x1xf64>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// A limit beyond the range of f32 cuts nothing off.
// CHECK-LABEL: func.func @limits(
// CHECK-NOT: f64
// LIMITS: [-1, -1, 0.5, inf]
func.func @limits(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = tosa.cast %x : (tensor<4xf32>) -> tensor<4xf64>
  %c = tosa.clamp %w {min_val = -1.0 : f64, max_val = 1.7976931348623157E+308 : f64} : (tensor<4xf64>) -> tensor<4xf64>
  %r = tosa.cast %c : (tensor<4xf64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// f32 holds all numbers of i16.
// CHECK-LABEL: func.func @integers(
// CHECK: gaudi.tpc.cast %arg0 : tensor<4xi16> -> tensor<4xf32>
// CHECK-NOT: f64
func.func @integers(%x: tensor<4xi16>) -> tensor<4xbf16> {
  %w = tosa.cast %x : (tensor<4xi16>) -> tensor<4xf64>
  %e = tosa.exp %w : (tensor<4xf64>) -> tensor<4xf64>
  %r = tosa.cast %e : (tensor<4xf64>) -> tensor<4xbf16>
  return %r : tensor<4xbf16>
}
