// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --remarks-filter=convert-stablehlo-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Passed] raise | Category:convert-stablehlo-to-gaudi | Remark="raised to gaudi.mme.conv_input_grad: its input is dilated or its filter reversed"
func.func @input_grad(%dy: tensor<1x3x3x4xf32>, %w: tensor<2x2x4x3xf32>) -> tensor<1x6x6x3xf32> {
  %0 = "stablehlo.convolution"(%dy, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, lhs_dilation = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>}> : (tensor<1x3x3x4xf32>, tensor<2x2x4x3xf32>) -> tensor<1x6x6x3xf32>
  return %0 : tensor<1x6x6x3xf32>
}

// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Passed] raise | Category:convert-stablehlo-to-gaudi | Remark="raised to gaudi.mme.conv_weight_grad: its batch and features are the features and the batch of an activation"
func.func @weight_grad(%x: tensor<2x5x5x3xf32>, %dy: tensor<2x4x4x7xf32>) -> tensor<2x2x3x7xf32> {
  %0 = "stablehlo.convolution"(%x, %dy) <{dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>}> : (tensor<2x5x5x3xf32>, tensor<2x4x4x7xf32>) -> tensor<2x2x3x7xf32>
  return %0 : tensor<2x2x3x7xf32>
}

// A strided convolution of a dilated input is no gradient.
// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Missed] write-out | Category:convert-stablehlo-to-gaudi | Remark="wrote out 20 elements, 12 of them the operand's: no op of the device reads a dilated operand"
func.func @dilated(%x: tensor<1x3x4xf32>, %w: tensor<2x4x5xf32>) -> tensor<1x2x5xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, lhs_dilation = array<i64: 2>, window_strides = array<i64: 2>}> : (tensor<1x3x4xf32>, tensor<2x4x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}

// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | Category:convert-stablehlo-to-gaudi | Remark="generic kernel: no reduction of the device has this region"
func.func @reduction(%x: tensor<2x3xf32>, %z: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.subtract"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | Category:convert-stablehlo-to-gaudi | Remark="generic kernel: no pooling of the device has this region"
func.func @window_region(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.multiply"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Negative padding cuts elements off.
// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | Category:convert-stablehlo-to-gaudi | Remark="generic kernel: no pooling of the device has this window"
func.func @window_padding(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[-1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | Category:convert-stablehlo-to-gaudi | Remark="generic kernel: the region neither adds nor replaces, so that each of 5 elements visits all 2 updates"
func.func @scatter(%x: tensor<5xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<5xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// 81 windows contain an element: no kernel of the gradient unrolls so many.
// CHECK-DAG: remarks.mlir:[[#@LINE+3]]:8: remark: [Missed] write-out | Category:convert-stablehlo-to-gaudi | Remark="wrote out 12321 elements, 1600 of them the operand's: no op of the device reads a dilated operand"
func.func @large_window(%x: tensor<1x40x40x1xf32>) -> tensor<1x95x95x1xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 17, 17, 1>, base_dilations = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [16, 16], [16, 16], [0, 0]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x40x40x1xf32>, tensor<f32>) -> tensor<1x95x95x1xf32>
  return %0 : tensor<1x95x95x1xf32>
}

// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | Category:convert-stablehlo-to-gaudi | Remark="generic kernel: the device has no such op; 3 kernels run one after the other"
func.func @cholesky(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = "stablehlo.cholesky"(%x) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Passed] raise | Category:convert-stablehlo-to-gaudi | Remark="raised to Philox-4x32-10: the format leaves the numbers open; these are the same at each launch"
func.func @rng(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.rng"(%a, %b, %s) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
