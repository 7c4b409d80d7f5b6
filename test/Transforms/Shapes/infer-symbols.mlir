// Sizes of all values become expressions over the symbols that arguments name.
// RUN: gaudi-opt %s --split-input-file --gaudi-infer-symbols | FileCheck %s

// CHECK-DAG: #[[COLLAPSED:.*]] = affine_map<()[s0, s1] -> (s0 * s1, 8)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<()[s0, s1] -> (s0, s1 - 1, 8)>
// CHECK-LABEL: func @collapse(
// CHECK-SAME: tensor<?x?x8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, s1, 8)>}
// CHECK-SAME: (tensor<?x8xf32> {gaudi.shape = #[[COLLAPSED]]}, tensor<?x?x8xf32> {gaudi.shape = #[[ROWS]]})
// CHECK-SAME: gaudi.symbols = [{max = 64 : i64, min = 1 : i64, multiple = 1 : i64, name = "batch"}, {max = 4096 : i64, min = 16 : i64, multiple = 16 : i64, name = "seq"}]
func.func @collapse(%x: tensor<?x?x8xf32> {gaudi.dims = ["batch=1..64", "seq=16..4096/16", ""]}) -> (tensor<?x8xf32>, tensor<?x?x8xf32>) {
  %b = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x?x8xf32>) -> tensor<i32>
  %s = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<?x?x8xf32>) -> tensor<i32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %eight = "stablehlo.constant"() <{value = dense<8> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "stablehlo.multiply"(%s, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %shape = "stablehlo.concatenate"(%n1, %eight) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.dynamic_reshape"(%x, %shape) : (tensor<?x?x8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
  %last = "stablehlo.subtract"(%s, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %b1 = "stablehlo.reshape"(%b) : (tensor<i32>) -> tensor<1xi32>
  %l1 = "stablehlo.reshape"(%last) : (tensor<i32>) -> tensor<1xi32>
  %start = "stablehlo.constant"() <{value = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %stride = "stablehlo.constant"() <{value = dense<1> : tensor<3xi32>}> : () -> tensor<3xi32>
  %limit = "stablehlo.concatenate"(%b1, %l1, %eight) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %1 = "stablehlo.real_dynamic_slice"(%x, %start, %limit, %stride) : (tensor<?x?x8xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x8xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<?x?x8xf32>
}

// -----

// Names may be added and multiplied where an argument's size is a sum.
// CHECK-DAG: affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-LABEL: func @sum(
func.func @sum(%past: tensor<?xf32> {gaudi.dims = ["past=0..100"]}, %new: tensor<?xf32> {gaudi.dims = ["new=1..4"]},
               %mask: tensor<?xf32> {gaudi.dims = ["past + new"]}) -> tensor<?xf32> {
  %0 = "stablehlo.concatenate"(%past, %new) <{dimension = 0 : i64}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = "stablehlo.add"(%0, %mask) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// Functions without dynamic arguments stay.
// CHECK-LABEL: func @static(
// CHECK-NOT: gaudi.symbols
func.func @static(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
