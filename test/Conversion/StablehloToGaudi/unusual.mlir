// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --entry=scalar_window --input=f32=3 --input=f32=4 --input=f32=5 | FileCheck %s --check-prefix=SCALAR
// RUN: gaudi-run %s --entry=dilated_sum "--input=4xf32=1 2 3 4" | FileCheck %s --check-prefix=SUM

// The window of a scalar is the scalar.
// CHECK-LABEL: @scalar_window
// CHECK: gaudi.tpc.add %arg1, %arg2
// SCALAR: output 'out0': f32 = 9
func.func @scalar_window(%a: tensor<f32>, %s: tensor<f32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = "stablehlo.compare"(%x, %y) {comparison_direction = "GE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A window over a dilated tensor is no cumulative sum.
// CHECK-LABEL: @dilated_sum
// CHECK-NOT: gaudi.tpc.cumulative_sum
// SUM: output 'out0': 7xf32 = [1, 1, 3, 3, 5, 5, 7]
func.func @dilated_sum(%a: tensor<4xf32>) -> tensor<7xf32> {
  %i = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) {window_dimensions = array<i64: 4>, base_dilations = array<i64: 2>, padding = dense<[[3, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// CHECK-LABEL: @long_stride
// CHECK: gaudi.slice %arg0 offsets [0] strides
func.func @long_stride(%x: tensor<4xf32>) -> tensor<1xf32> {
  %0 = "stablehlo.slice"(%x) {start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 9223372036854775807>} : (tensor<4xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
