// A gather of one window at constant indices is a slice; they are clamped, so
// that the window is inside.
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file | FileCheck %s
// RUN: gaudi-run %s --entry=window --input="2x8xf32=0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" --expect="2x4xf32=4 5 6 7 12 13 14 15" --expect="3xf32=8 9 10"

// CHECK-LABEL: @window
// CHECK: %[[W:.*]] = gaudi.slice %arg0 offsets [0, 4] strides [1, 1] : tensor<2x8xf32> -> tensor<2x4xf32>
// CHECK: %[[R:.*]] = gaudi.slice %arg0 offsets [1, 0] strides [1, 1] : tensor<2x8xf32> -> tensor<1x3xf32>
// CHECK: gaudi.reshape %[[R]] : tensor<1x3xf32> -> tensor<3xf32>
// CHECK-NOT: gaudi.tpc.kernel
// CHECK: return
func.func @window(%x: tensor<2x8xf32>) -> (tensor<2x4xf32>, tensor<3xf32>) {
  %i = "stablehlo.constant"() <{value = dense<9> : tensor<1xi32>}> : () -> tensor<1xi32>
  %j = "stablehlo.constant"() <{value = dense<[1, -3]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, slice_sizes = array<i64: 2, 4>} : (tensor<2x8xf32>, tensor<1xi32>) -> tensor<2x4xf32>
  %1 = "stablehlo.gather"(%x, %j) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1]>, slice_sizes = array<i64: 1, 3>} : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<3xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<3xf32>
}

// Two windows are none.
// CHECK-LABEL: @windows
// CHECK: gaudi.tpc.kernel
func.func @windows(%x: tensor<8xf32>) -> tensor<2x3xf32> {
  %i = "stablehlo.constant"() <{value = dense<[[1], [4]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 3>} : (tensor<8xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
