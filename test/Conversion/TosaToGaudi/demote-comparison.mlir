// Comparisons of values that were widened to f64, as torch-mlir writes those
// with a scalar, in f32.
// RUN: gaudi-opt %s --convert-tosa-to-gaudi --canonicalize | FileCheck %s
// RUN: gaudi-run %s --input="4xf32=0.1 0.09999999 1.5 -1" | FileCheck %s --check-prefix=VALUES
// VALUES: 4xi1 = [1, 0, 1, 0]

// CHECK-LABEL: func.func @above
// CHECK-NOT: f64
func.func @above(%x: tensor<4xf32>) -> tensor<4xi1> {
  %c = "tosa.const"() <{values = dense<0.1> : tensor<1xf64>}> : () -> tensor<1xf64>
  %wide = tosa.cast %x : (tensor<4xf32>) -> tensor<4xf64>
  %r = tosa.greater %wide, %c : (tensor<4xf64>, tensor<1xf64>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}
