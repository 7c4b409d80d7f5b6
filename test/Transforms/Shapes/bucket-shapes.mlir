// A function with symbols is cloned with static types for each bucket. Sizes
// that are data become extent arguments.
// RUN: gaudi-opt %s --split-input-file --gaudi-infer-symbols --gaudi-bucket-shapes="buckets=8;64" | FileCheck %s

// CHECK: func private @mean(tensor<?x8xf32>
// CHECK-SAME: gaudi.buckets = [@mean.0, @mean.1]
// CHECK: func @mean.0(%[[X:.*]]: tensor<8x8xf32> {{.*}}, %[[W:.*]]: tensor<8x4xf32> {{.*}}, %[[N:.*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0)>})
// CHECK-SAME: gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @mean
// CHECK: "stablehlo.convert"(%[[N]]) : (tensor<i32>) -> tensor<f32>
// CHECK: "stablehlo.dot_general"(%[[X]], %[[W]]){{.*}} -> tensor<8x4xf32>
// CHECK: func @mean.1(%{{.*}}: tensor<64x8xf32>
func.func @mean(%x: tensor<?x8xf32> {gaudi.dims = ["batch=1..64", ""]}, %w: tensor<8x4xf32>) -> tensor<4xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %1 = "stablehlo.reduce"(%0, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x8xf32>) -> tensor<i32>
  %f = "stablehlo.convert"(%n) : (tensor<i32>) -> tensor<f32>
  %d = "stablehlo.broadcast_in_dim"(%f) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
  %m = "stablehlo.divide"(%1, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %m : tensor<4xf32>
}

// -----

// The second operand is written over the padding of the first one.
// CHECK-LABEL: func @append.0(
// CHECK-SAME: %[[PAST:.*]]: tensor<8x2xf32> {{.*}}, %[[NEW:.*]]: tensor<3x2xf32> {{.*}}, %[[AT:.*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0)>}, %[[TOTAL:.*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0 + 3)>})
// CHECK: %[[ROOM:.*]] = "stablehlo.pad"(%[[PAST]]
// CHECK-SAME: -> tensor<11x2xf32>
// CHECK: %[[BOTH:.*]] = "stablehlo.dynamic_update_slice"(%[[ROOM]], %[[NEW]], %[[AT]],
// CHECK: gaudi.valid %[[BOTH]] dims [0] extents(%[[TOTAL]])
func.func @append(%past: tensor<?x2xf32> {gaudi.dims = ["past=0..64", ""]}, %new: tensor<3x2xf32>) -> tensor<?x2xf32> {
  %0 = "stablehlo.concatenate"(%past, %new) <{dimension = 0 : i64}> : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// -----

// The last row is at the extent; all but the last are marked.
// CHECK-LABEL: func @rows.0(
// CHECK-SAME: %[[X:.*]]: tensor<8x2xf32> {{.*}}, %[[LAST:.*]]: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0 - 1)>})
// CHECK: "stablehlo.dynamic_slice"(%[[X]], %[[LAST]], %{{.*}}) {slice_sizes = array<i64: 1, 2>}
// CHECK: %[[OTHERS:.*]] = "stablehlo.slice"(%[[X]]){{.*}} -> tensor<7x2xf32>
// CHECK: gaudi.valid %[[OTHERS]] dims [0] extents(%[[LAST]])
func.func @rows(%x: tensor<?x2xf32> {gaudi.dims = ["n=1..64", ""]}) -> (tensor<1x2xf32>, tensor<?x2xf32>) {
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x2xf32>) -> tensor<i32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %zeros = "stablehlo.constant"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %ones = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
  %last = "stablehlo.subtract"(%n, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %l1 = "stablehlo.reshape"(%last) : (tensor<i32>) -> tensor<1xi32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %from = "stablehlo.concatenate"(%l1, %z) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %to = "stablehlo.concatenate"(%n1, %two) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %upTo = "stablehlo.concatenate"(%l1, %two) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.real_dynamic_slice"(%x, %from, %to, %ones) : (tensor<?x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xf32>
  %1 = "stablehlo.real_dynamic_slice"(%x, %zeros, %upTo, %ones) : (tensor<?x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %0, %1 : tensor<1x2xf32>, tensor<?x2xf32>
}

// -----

// What is counted has no extent of its own: a reader that is not elementwise
// gets a marker.
// CHECK-LABEL: func @positions.0(
// CHECK: %[[IOTA:.*]] = "stablehlo.dynamic_iota"
// CHECK: %[[MARKED:.*]] = gaudi.valid %[[IOTA]] dims [0]
// CHECK: "stablehlo.add"(%{{.*}}, %[[IOTA]])
// CHECK: "stablehlo.reduce"(%[[MARKED]],
func.func @positions(%x: tensor<?xi32> {gaudi.dims = ["n=1..64"]}) -> (tensor<?xi32>, tensor<i32>) {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xi32>) -> tensor<i32>
  %shape = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %iota = "stablehlo.dynamic_iota"(%shape) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xi32>
  %0 = "stablehlo.add"(%x, %iota) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %1 = "stablehlo.reduce"(%iota, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<?xi32>, tensor<i32>
}

// -----

// The ops that torch-mlir puts around broadcasts and an arange go.
// CHECK-LABEL: func @glue.0(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32> {{.*}}, %[[Y:.*]]: tensor<4xf32>
// CHECK-NOT: shape.
// CHECK: %[[B:.*]] = "stablehlo.dynamic_broadcast_in_dim"(%[[Y]], %{{.*}} -> tensor<8x4xf32>
// CHECK: "stablehlo.add"(%[[X]], %[[B]])
// CHECK-NOT: f64
// CHECK: "stablehlo.dynamic_iota"
// CHECK-SAME: -> tensor<8xi64>
func.func @glue(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}, %y: tensor<4xf32>) -> (tensor<?x4xf32>, tensor<?xi64>) {
  %0 = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %1 = shape.const_shape [4] : tensor<1xindex>
  %2 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<1xindex>
  %3 = shape.assuming %2 -> (tensor<?x4xf32>) {
    %4 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
    %5 = "stablehlo.dynamic_broadcast_in_dim"(%y, %4) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
    %6 = "stablehlo.add"(%x, %5) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    shape.assuming_yield %6 : tensor<?x4xf32>
  }
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %n64 = arith.index_cast %n : index to i64
  %end = tensor.from_elements %n64 : tensor<1xi64>
  %scalar = "stablehlo.reshape"(%end) : (tensor<1xi64>) -> tensor<i64>
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f64>}> : () -> tensor<f64>
  %wide = "stablehlo.convert"(%scalar) : (tensor<i64>) -> tensor<f64>
  %steps = "stablehlo.divide"(%wide, %one) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %ceil = "stablehlo.ceil"(%steps) : (tensor<f64>) -> tensor<f64>
  %count = "stablehlo.convert"(%ceil) : (tensor<f64>) -> tensor<i64>
  %shape = "stablehlo.reshape"(%count) : (tensor<i64>) -> tensor<1xi64>
  %7 = "stablehlo.dynamic_iota"(%shape) <{iota_dimension = 0 : i64}> : (tensor<1xi64>) -> tensor<?xi64>
  return %3, %7 : tensor<?x4xf32>, tensor<?xi64>
}
