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

// -----

// The larger and the smaller of two sizes, where bounds do not tell which one
// it is: a product with the sign of the difference.
// CHECK-DAG: #[[LARGER:.*]] = affine_map<()[s0, s1] -> (s1 * ((s1 - s0) floordiv 1099511627776) - s0 * ((s1 - s0) floordiv 1099511627776) + s1)>
// CHECK-DAG: #[[SMALLER:.*]] = affine_map<()[s0, s1] -> (-(s1 * ((s1 - s0) floordiv 1099511627776)) + s0 * ((s1 - s0) floordiv 1099511627776) + s0)>
// CHECK-LABEL: func @extremes(
// CHECK-SAME: -> (tensor<?xi32> {gaudi.shape = #[[LARGER]]}, tensor<?xi32> {gaudi.shape = #[[SMALLER]]}, tensor<?xi32> {gaudi.shape = #{{.*}}}, tensor<?xi32> {gaudi.shape = #[[LARGER]]})
func.func @extremes(%x: tensor<?x?xf32> {gaudi.dims = ["n=1..64", "m=1..64"]}) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x?xf32>) -> tensor<i32>
  %m = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<?x?xf32>) -> tensor<i32>
  %max = "stablehlo.maximum"(%n, %m) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %min = "stablehlo.minimum"(%n, %m) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %other = "stablehlo.maximum"(%m, %n) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  // max + min = n + m
  %sum = "stablehlo.add"(%max, %min) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %0 = "stablehlo.reshape"(%max) : (tensor<i32>) -> tensor<1xi32>
  %1 = "stablehlo.reshape"(%min) : (tensor<i32>) -> tensor<1xi32>
  %2 = "stablehlo.reshape"(%sum) : (tensor<i32>) -> tensor<1xi32>
  %3 = "stablehlo.reshape"(%other) : (tensor<i32>) -> tensor<1xi32>
  %a = "stablehlo.dynamic_iota"(%0) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xi32>
  %b = "stablehlo.dynamic_iota"(%1) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xi32>
  %c = "stablehlo.dynamic_iota"(%2) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xi32>
  %d = "stablehlo.dynamic_iota"(%3) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xi32>
  return %a, %b, %c, %d : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
