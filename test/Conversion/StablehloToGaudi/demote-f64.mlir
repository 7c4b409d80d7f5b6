// f64 of PyTorch's scalars, statistics and comparisons, which torch-mlir keeps
// in StableHLO: computed in f32 where that answers the same.
// RUN: gaudi-opt %s --split-input-file --convert-stablehlo-to-gaudi --canonicalize | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --convert-stablehlo-to-gaudi --remarks-filter=convert-stablehlo-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: [Passed] demote-f64{{.*}}computes in f32 what the model computes in f64

// The mean of a layer norm, and its epsilon.
// CHECK-LABEL: func.func @mean
// CHECK-NOT: f64
func.func @mean(%x: tensor<2x4xf32>) -> tensor<2xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f64>}> : () -> tensor<f64>
  %count = "stablehlo.constant"() <{value = dense<4> : tensor<1xi64>}> : () -> tensor<1xi64>
  %eps = "stablehlo.constant"() <{value = dense<1.0e-5> : tensor<1xf64>}> : () -> tensor<1xf64>
  %wide = "stablehlo.convert"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf64>
  %sum = "stablehlo.reduce"(%wide, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    "stablehlo.return"(%s) : (tensor<f64>) -> ()
  }) : (tensor<2x4xf64>, tensor<f64>) -> tensor<2xf64>
  %n = "stablehlo.convert"(%count) : (tensor<1xi64>) -> tensor<1xf64>
  %n0 = "stablehlo.reshape"(%n) : (tensor<1xf64>) -> tensor<f64>
  %ns = "stablehlo.broadcast_in_dim"(%n0) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<2xf64>
  %mean = "stablehlo.divide"(%sum, %ns) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %narrow = "stablehlo.convert"(%mean) : (tensor<2xf64>) -> tensor<2xf32>
  %e = "stablehlo.convert"(%eps) : (tensor<1xf64>) -> tensor<1xf32>
  %e0 = "stablehlo.reshape"(%e) : (tensor<1xf32>) -> tensor<f32>
  %es = "stablehlo.broadcast_in_dim"(%e0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
  %r = "stablehlo.add"(%narrow, %es) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// 0.1 lies between the floats 0x3DCCCCCC and 0x3DCCCCCD: above it are those
// above the lower one.
// CHECK-LABEL: func.func @above
// CHECK: dense<0.099999994> : tensor<3xf32>
func.func @above(%x: tensor<3xf32>) -> tensor<3xi1> {
  %c = "stablehlo.constant"() <{value = dense<0.1> : tensor<3xf64>}> : () -> tensor<3xf64>
  %wide = "stablehlo.convert"(%x) : (tensor<3xf32>) -> tensor<3xf64>
  %r = "stablehlo.compare"(%wide, %c) <{comparison_direction = "GT"}> : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// At least it are those that are at least the upper one.
// CHECK-LABEL: func.func @at_least
// CHECK: dense<1.000000e-01> : tensor<3xf32>
func.func @at_least(%x: tensor<3xf32>) -> tensor<3xi1> {
  %c = "stablehlo.constant"() <{value = dense<0.1> : tensor<3xf64>}> : () -> tensor<3xf64>
  %wide = "stablehlo.convert"(%x) : (tensor<3xf32>) -> tensor<3xf64>
  %r = "stablehlo.compare"(%c, %wide) <{comparison_direction = "LE"}> : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// No f32 is between the number, which is above the largest one, and infinity.
// CHECK-LABEL: func.func @at_least_beyond
// CHECK: dense<0x7F800000> : tensor<3xf32>
func.func @at_least_beyond(%x: tensor<3xf32>) -> tensor<3xi1> {
  %c = "stablehlo.constant"() <{value = dense<3.4028235e38> : tensor<3xf64>}> : () -> tensor<3xf64>
  %wide = "stablehlo.convert"(%x) : (tensor<3xf32>) -> tensor<3xf64>
  %r = "stablehlo.compare"(%wide, %c) <{comparison_direction = "GE"}> : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}
