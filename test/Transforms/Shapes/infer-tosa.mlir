// Sizes go through TOSA ops and through its arithmetic on shapes.
// RUN: gaudi-opt %s --split-input-file --gaudi-infer-symbols | FileCheck %s

// CHECK-DAG: #[[FLAT:.*]] = affine_map<()[s0, s1] -> (1, s0 * s1, 4)>
// CHECK-DAG: #[[APART:.*]] = affine_map<()[s0, s1] -> (s0, s1, 4)>
// CHECK-DAG: #[[SUM:.*]] = affine_map<()[s0, s1] -> (s0, 1, 4)>
// CHECK-LABEL: func @project(
// CHECK-SAME: -> (tensor<1x?x4xf32> {gaudi.shape = #[[FLAT]]}, tensor<?x?x4xf32> {gaudi.shape = #[[APART]]}, tensor<?x1x4xf32> {gaudi.shape = #[[SUM]]})
func.func @project(%x: tensor<?x?x8xf32> {gaudi.dims = ["batch=1..64", "seq=2..128", ""]}, %w: tensor<1x8x4xf32>) -> (tensor<1x?x4xf32>, tensor<?x?x4xf32>, tensor<?x1x4xf32>) {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %flat = tosa.const_shape {values = dense<[1, -1, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.reshape %x, %flat : (tensor<?x?x8xf32>, !tosa.shape<3>) -> tensor<1x?x8xf32>
  %1 = tosa.matmul %0, %w, %zero, %zero : (tensor<1x?x8xf32>, tensor<1x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x4xf32>
  %b = tosa.dim %x {axis = 0 : i32} : (tensor<?x?x8xf32>) -> !tosa.shape<1>
  %rest = tosa.const_shape {values = dense<[-1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %apart = tosa.concat_shape %b, %rest : (!tosa.shape<1>, !tosa.shape<2>) -> !tosa.shape<3>
  %2 = tosa.reshape %1, %apart : (tensor<1x?x4xf32>, !tosa.shape<3>) -> tensor<?x?x4xf32>
  %3 = tosa.reduce_sum %2 {axis = 1 : i32} : (tensor<?x?x4xf32>) -> tensor<?x1x4xf32>
  return %1, %2, %3 : tensor<1x?x4xf32>, tensor<?x?x4xf32>, tensor<?x1x4xf32>
}

// -----

// CHECK-DAG: #[[CONV:.*]] = affine_map<()[s0, s1] -> (s0, (s1 + 1) floordiv 2, 5, 6)>
// CHECK-DAG: #[[POOL:.*]] = affine_map<()[s0, s1] -> (s0, (s1 + 1) floordiv 4, 3, 6)>
// CHECK-LABEL: func @windows(
// CHECK-SAME: -> (tensor<?x?x5x6xf32> {gaudi.shape = #[[CONV]]}, tensor<?x?x3x6xf32> {gaudi.shape = #[[POOL]]}
func.func @windows(%x: tensor<?x?x9x3xf32> {gaudi.dims = ["batch=1..64", "height=9..65", "", ""]}, %w: tensor<6x3x3x3xf32>, %b: tensor<6xf32>) -> (tensor<?x?x5x6xf32>, tensor<?x?x3x6xf32>) {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<?x?x9x3xf32>, tensor<6x3x3x3xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x5x6xf32>
  %1 = tosa.max_pool2d %0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 1>, stride = array<i64: 2, 2>} : (tensor<?x?x5x6xf32>) -> tensor<?x?x3x6xf32>
  return %0, %1 : tensor<?x?x5x6xf32>, tensor<?x?x3x6xf32>
}
