// Tensors without elements, in signatures and inside.
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --entry=sums --input=0x3xf32= --check | FileCheck %s --check-prefix=SUMS
// RUN: gaudi-run %s --entry=products --input=2x0xf32= --input=0x3xf32= --input=2x0xi32= --input=0x3xi32= --check | FileCheck %s --check-prefix=PRODUCTS
// RUN: gaudi-run %s --entry=slices "--input=4x3xf32=1" --input=i32=1 --check | FileCheck %s --check-prefix=SLICES

// A reduction of no elements gives its initial value, for each element there is.
// CHECK-LABEL: func.func @sums(
// CHECK: gaudi.constant dense<> : tensor<0xf32>
// SUMS: output 'out0': 3xf32 = [2, 2, 2]
// SUMS: output 'out1': 0xf32 = []
// SUMS: output 'out2': 2x3xf32 = [5, 5, 5, 5, 5, 5]
func.func @sums(%x: tensor<0x3xf32>) -> (tensor<3xf32>, tensor<0xf32>, tensor<2x3xf32>) {
  %two = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
  %five = "stablehlo.constant"() <{value = dense<5.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce"(%x, %two) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = "stablehlo.reduce"(%x, %two) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.multiply"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<0x3xf32>, tensor<f32>) -> tensor<0xf32>
  %2 = "stablehlo.pad"(%x, %five) <{edge_padding_low = array<i64: 2, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 3, 0>}> : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<0xf32>, tensor<2x3xf32>
}

// PRODUCTS: output 'out0': 2x3xf32 = [0, 0, 0, 0, 0, 0]
// PRODUCTS: output 'out1': 2x3xi32 = [0, 0, 0, 0, 0, 0]
func.func @products(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>, %c: tensor<2x0xi32>, %d: tensor<0x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  %1 = "stablehlo.dot_general"(%c, %d) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x0xi32>, tensor<0x3xi32>) -> tensor<2x3xi32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// SLICES: output 'out0': 2x0xf32 = []
// SLICES: output 'out1': 4x3xf32 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
func.func @slices(%x: tensor<4x3xf32>, %i: tensor<i32>) -> (tensor<2x0xf32>, tensor<4x3xf32>) {
  %0 = "stablehlo.dynamic_slice"(%x, %i, %i) <{slice_sizes = array<i64: 2, 0>}> : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x0xf32>
  %1 = "stablehlo.dynamic_update_slice"(%x, %0, %i, %i) : (tensor<4x3xf32>, tensor<2x0xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<2x0xf32>, tensor<4x3xf32>
}
