// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reduce_add_f32(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.reduce <sum> %[[ARG0]] dims [1] : tensor<2x3xf32> -> tensor<2xf32>
// CHECK:   return %[[V1]] : tensor<2xf32>
func.func @reduce_add_f32(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @reduce_multiply_f32(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<1.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.reduce <prod> %[[ARG0]] dims [1] : tensor<2x3xf32> -> tensor<2xf32>
// CHECK:   return %[[V1]] : tensor<2xf32>
func.func @reduce_multiply_f32(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %z = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.multiply"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @reduce_maximum_f32(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0xFF800000> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.reduce <max> %[[ARG0]] dims [1] : tensor<2x3xf32> -> tensor<2xf32>
// CHECK:   return %[[V1]] : tensor<2xf32>
func.func @reduce_maximum_f32(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %z = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @reduce_minimum_i32(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<2147483647> : tensor<i32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.reduce <min> %[[ARG0]] dims [1] : tensor<2x3xi32> -> tensor<2xi32>
// CHECK:   return %[[V1]] : tensor<2xi32>
func.func @reduce_minimum_i32(%x: tensor<2x3xi32>) -> tensor<2xi32> {
  %z = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = "stablehlo.minimum"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @reduce_and_i1(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<true> : tensor<i1>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.reduce <all> %[[ARG0]] dims [1] : tensor<2x3xi1> -> tensor<2xi1>
// CHECK:   return %[[V1]] : tensor<2xi1>
func.func @reduce_and_i1(%x: tensor<2x3xi1>) -> tensor<2xi1> {
  %z = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = "stablehlo.and"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }) : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @reduce_or_i1(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<false> : tensor<i1>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.reduce <any> %[[ARG0]] dims [1] : tensor<2x3xi1> -> tensor<2xi1>
// CHECK:   return %[[V1]] : tensor<2xi1>
func.func @reduce_or_i1(%x: tensor<2x3xi1>) -> tensor<2xi1> {
  %z = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = "stablehlo.or"(%a, %b) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }) : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @reduce_or_i32(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0> : tensor<i32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.reduce"(%[[ARG0]], %[[V0]]) index_space [2, 3] parallel [true, false] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32> {
// CHECK:   ^bb0(%[[IN0_2:[a-z0-9_-]+]]: tensor<2x3xi32>, %[[IN1_3:[a-z0-9_-]+]]: tensor<i32>, %[[OUT0_4:[a-z0-9_-]+]]: tensor<2xi32>):
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_3]][] : tensor<i32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>] init(%[[V5]]) : i32 {
// CHECK:   ^bb0(%[[ARG1_7:[a-z0-9_-]+]]: i32):
// CHECK:   %[[V8:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_2]][d0, d1] : tensor<2x3xi32>
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.ori %[[ARG1_7]], %[[V8]] : i32
// CHECK:   gaudi.kernel.yield %[[V9]] : i32
// CHECK:   gaudi.kernel.store %[[V6]], %[[OUT0_4]][d0] : tensor<2xi32>
// CHECK:   return %[[V1]] : tensor<2xi32>
func.func @reduce_or_i32(%x: tensor<2x3xi32>) -> tensor<2xi32> {
  %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = "stablehlo.or"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// An initial value that is not the identity joins at the end.
// CHECK-LABEL: func.func @reduce_init(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<f32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.reduce <sum> %[[ARG0]] dims [1] : tensor<2x3xf32> -> tensor<2xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<f32> -> tensor<1xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.add %[[V0]], %[[V1]] : tensor<2xf32>, tensor<1xf32> -> tensor<2xf32>
// CHECK:   return %[[V2]] : tensor<2xf32>
func.func @reduce_init(%x: tensor<2x3xf32>, %z: tensor<f32>) -> tensor<2xf32> {
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @reduce_nothing(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   return %[[ARG0]] : tensor<2x3xf32>
func.func @reduce_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// One loop of one kernel carries both results.
// CHECK-LABEL: func.func @reduce_two(
// CHECK: %[[R:.*]]:2 = gaudi.tpc.kernel label "stablehlo.reduce"(%arg0, %arg1, %arg2, %arg3) index_space [2, 3] parallel [true, false]
// CHECK-DAG: %[[A:.*]] = gaudi.kernel.load %in2[] : tensor<f32>
// CHECK-DAG: %[[B:.*]] = gaudi.kernel.load %in3[] : tensor<i32>
// CHECK: %[[L:.*]]:2 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>, #gaudi.reduce<custom>] init(%[[A]], %[[B]]) : f32, i32 {
// CHECK-NEXT: ^bb0(%[[P:.*]]: f32, %[[Q:.*]]: i32):
// CHECK-DAG: %[[X:.*]] = gaudi.kernel.load %in0[d0, d1] : tensor<2x3xf32>
// CHECK-DAG: %[[I:.*]] = gaudi.kernel.load %in1[d0, d1] : tensor<2x3xi32>
// CHECK: %[[G:.*]] = arith.cmpf oge, %[[P]], %[[X]] : f32
// CHECK-DAG: %[[U:.*]] = arith.select %[[G]], %[[P]], %[[X]] : f32
// CHECK-DAG: %[[V:.*]] = arith.select %[[G]], %[[Q]], %[[I]] : i32
// CHECK: gaudi.kernel.yield %[[U]], %[[V]] : f32, i32
// CHECK: gaudi.kernel.store %[[L]]#0, %out0[d0] : tensor<2xf32>
// CHECK: gaudi.kernel.store %[[L]]#1, %out1[d0] : tensor<2xi32>
// CHECK-NOT: gaudi.tpc.kernel
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @reduce_two(%x: tensor<2x3xf32>, %i: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %r:2 = "stablehlo.reduce"(%x, %i, %a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<i32>, %r: tensor<f32>, %s: tensor<i32>):
    %g = "stablehlo.compare"(%p, %r) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %u = "stablehlo.select"(%g, %p, %r) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %v = "stablehlo.select"(%g, %q, %s) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%u, %v) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @max_pool(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x4x4x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0xFF800000> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.pool <max> %[[ARG0]] layout "NHWC" kernel [2, 2] strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] : tensor<1x4x4x3xf32> -> tensor<1x2x2x3xf32>
// CHECK:   return %[[V1]] : tensor<1x2x2x3xf32>
func.func @max_pool(%x: tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32> {
  %z = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x4x4x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  return %r : tensor<1x2x2x3xf32>
}

// -----

// CHECK-LABEL: func.func @sum_pool(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<1x3x4x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.pool <sum> %[[ARG0]] layout "NCHW" kernel [2, 2] strides [1, 1] dilations [1, 1] pad [1, 0], [0, 1] : tensor<1x3x4x4xf32> -> tensor<1x3x4x4xf32>
// CHECK:   return %[[V1]] : tensor<1x3x4x4xf32>
func.func @sum_pool(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 0], [0, 1]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  return %r : tensor<1x3x4x4xf32>
}

// -----

// CHECK-LABEL: func.func @cumulative_sum(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x5xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.cumulative_sum %[[ARG0]] axis 1 : tensor<2x5xf32>
// CHECK:   return %[[V1]] : tensor<2x5xf32>
func.func @cumulative_sum(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 5>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// -----

// CHECK-LABEL: func.func @cumulative_sum_reverse(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x5xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.cumulative_sum %[[ARG0]] axis 1 reverse : tensor<2x5xf32>
// CHECK:   return %[[V1]] : tensor<2x5xf32>
func.func @cumulative_sum_reverse(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 5>, padding = dense<[[0, 0], [0, 4]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// -----

// No pool has this step.
// CHECK-LABEL: func.func @window_product(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<5xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<1> : tensor<i8>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.reduce_window"(%[[ARG0]], %[[V0]]) index_space [5, 2] parallel [true, false] : (tensor<5xi8>, tensor<i8>) -> tensor<5xi8> {
// CHECK:   ^bb0(%[[IN0_2:[a-z0-9_-]+]]: tensor<5xi8>, %[[IN1_3:[a-z0-9_-]+]]: tensor<i8>, %[[OUT0_4:[a-z0-9_-]+]]: tensor<5xi8>):
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_3]][] : tensor<i8>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>] init(%[[V5]]) : i8 {
// CHECK:   ^bb0(%[[ARG1_7:[a-z0-9_-]+]]: i8):
// CHECK:   %[[V8:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_2]][d0 + d1 - 1] boundary [#gaudi.boundary<pad>] pad 1 : i8 : tensor<5xi8>
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.muli %[[ARG1_7]], %[[V8]] : i8
// CHECK:   gaudi.kernel.yield %[[V9]] : i8
// CHECK:   gaudi.kernel.store %[[V6]], %[[OUT0_4]][d0] : tensor<5xi8>
// CHECK:   return %[[V1]] : tensor<5xi8>
func.func @window_product(%x: tensor<5xi8>) -> tensor<5xi8> {
  %z = "stablehlo.constant"() <{value = dense<1> : tensor<i8>}> : () -> tensor<i8>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %s = "stablehlo.multiply"(%a, %b) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%s) : (tensor<i8>) -> ()
  }) : (tensor<5xi8>, tensor<i8>) -> tensor<5xi8>
  return %r : tensor<5xi8>
}

// -----

// CHECK-LABEL: func.func @window_unsigned(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<5xui8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<1> : tensor<ui8>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.reduce_window"(%[[ARG0]], %[[V0]]) index_space [5, 2] parallel [true, false] : (tensor<5xui8>, tensor<ui8>) -> tensor<5xui8> {
// CHECK:   ^bb0(%[[IN0_2:[a-z0-9_-]+]]: tensor<5xui8>, %[[IN1_3:[a-z0-9_-]+]]: tensor<ui8>, %[[OUT0_4:[a-z0-9_-]+]]: tensor<5xui8>):
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_3]][] : tensor<ui8>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>] init(%[[V5]]) : i8 {
// CHECK:   ^bb0(%[[ARG1_7:[a-z0-9_-]+]]: i8):
// CHECK:   %[[V8:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_2]][d0 + d1 - 1] boundary [#gaudi.boundary<pad>] pad 1 : i8 : tensor<5xui8>
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.muli %[[ARG1_7]], %[[V8]] : i8
// CHECK:   gaudi.kernel.yield %[[V9]] : i8
// CHECK:   gaudi.kernel.store %[[V6]], %[[OUT0_4]][d0] : tensor<5xui8>
// CHECK:   return %[[V1]] : tensor<5xui8>
func.func @window_unsigned(%x: tensor<5xui8>) -> tensor<5xui8> {
  %z = "stablehlo.constant"() <{value = dense<1> : tensor<ui8>}> : () -> tensor<ui8>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %s = "stablehlo.multiply"(%a, %b) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
    "stablehlo.return"(%s) : (tensor<ui8>) -> ()
  }) : (tensor<5xui8>, tensor<ui8>) -> tensor<5xui8>
  return %r : tensor<5xui8>
}

// -----

// The gradient of a strided average pool: the operand is spread out.
// CHECK-LABEL: func.func @window_base(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.broadcast %[[V0]] dims [] : tensor<f32> -> tensor<7xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.insert_slice %[[ARG0]] into %[[V1]] offsets [1] strides [2] : tensor<3xf32> into tensor<7xf32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.reshape %[[V2]] : tensor<7xf32> -> tensor<1x1x7xf32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.tpc.pool <sum> %[[V3]] layout "NCW" kernel [2] strides [1] dilations [1] pad [0], [0] : tensor<1x1x7xf32> -> tensor<1x1x6xf32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.reshape %[[V4]] : tensor<1x1x6xf32> -> tensor<6xf32>
// CHECK:   return %[[V5]] : tensor<6xf32>
func.func @window_base(%x: tensor<3xf32>) -> tensor<6xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// Padding is an initial value that is not known.
// CHECK-LABEL: func.func @window_padding_variable(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<f32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.broadcast %[[ARG1]] dims [] : tensor<f32> -> tensor<5xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.insert_slice %[[ARG0]] into %[[V0]] offsets [1] strides [1] : tensor<3xf32> into tensor<5xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[V1]] : tensor<5xf32> -> tensor<1x1x5xf32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.pool <sum> %[[V2]] layout "NCW" kernel [2] strides [1] dilations [1] pad [0], [0] : tensor<1x1x5xf32> -> tensor<1x1x4xf32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.reshape %[[V3]] : tensor<1x1x4xf32> -> tensor<4xf32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<f32> -> tensor<1xf32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.tpc.add %[[V4]], %[[V5]] : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
// CHECK:   return %[[V6]] : tensor<4xf32>
func.func @window_padding_variable(%x: tensor<3xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @window_one(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   return %[[ARG0]] : tensor<3xf32>
func.func @window_one(%x: tensor<3xf32>) -> tensor<3xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// No pooling selects so. Where each window selects; then each element gathers from those.
// CHECK-LABEL: func.func @select_and_scatter(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0.000000e+00> : tensor<f32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.select_and_scatter"(%[[ARG0]]) index_space [2, 2] parallel [true, false] : (tensor<4xf32>) -> tensor<2xi32> {
// CHECK:   ^bb0(%[[IN0_2:[a-z0-9_-]+]]: tensor<4xf32>, %[[OUT0_3:[a-z0-9_-]+]]: tensor<2xi32>):
// CHECK:   %[[V4:[a-z0-9_-]+]] = arith.constant 0.000000e+00 : f32
// CHECK:   %[[V5:[a-z0-9_-]+]] = arith.constant -1 : i64
// CHECK:   %[[V6:[a-z0-9_-]+]]:2 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>, #gaudi.reduce<custom>] init(%[[V4]], %[[V5]]) : f32, i64 {
// CHECK:   ^bb0(%[[ARG2_7:[a-z0-9_-]+]]: f32, %[[ARG3_8:[a-z0-9_-]+]]: i64):
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V10:[a-z0-9_-]+]] = gaudi.kernel.index 0
// CHECK:   %[[V11:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V12:[a-z0-9_-]+]] = arith.muli %[[V10]], %[[V11]] : i64
// CHECK:   %[[V13:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V14:[a-z0-9_-]+]] = arith.subi %[[V12]], %[[V13]] : i64
// CHECK:   %[[V15:[a-z0-9_-]+]] = gaudi.kernel.index 1
// CHECK:   %[[V16:[a-z0-9_-]+]] = arith.addi %[[V14]], %[[V15]] : i64
// CHECK:   %[[V17:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V18:[a-z0-9_-]+]] = arith.muli %[[V9]], %[[V17]] : i64
// CHECK:   %[[V19:[a-z0-9_-]+]] = arith.addi %[[V18]], %[[V15]] : i64
// CHECK:   %[[V20:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V21:[a-z0-9_-]+]] = arith.cmpi sge, %[[V16]], %[[V20]] : i64
// CHECK:   %[[V22:[a-z0-9_-]+]] = arith.constant 4 : i64
// CHECK:   %[[V23:[a-z0-9_-]+]] = arith.cmpi slt, %[[V16]], %[[V22]] : i64
// CHECK:   %[[V24:[a-z0-9_-]+]] = arith.andi %[[V21]], %[[V23]] : i1
// CHECK:   %[[V25:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_2]][d0 * 2 + d1] boundary [#gaudi.boundary<clamp>] : tensor<4xf32>
// CHECK:   %[[V26:[a-z0-9_-]+]] = arith.cmpf ogt, %[[ARG2_7]], %[[V25]] : f32
// CHECK:   %[[V27:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V28:[a-z0-9_-]+]] = arith.cmpi slt, %[[ARG3_8]], %[[V27]] : i64
// CHECK:   %[[V29:[a-z0-9_-]+]] = arith.constant true
// CHECK:   %[[V30:[a-z0-9_-]+]] = arith.xori %[[V26]], %[[V29]] : i1
// CHECK:   %[[V31:[a-z0-9_-]+]] = arith.ori %[[V28]], %[[V30]] : i1
// CHECK:   %[[V32:[a-z0-9_-]+]] = arith.andi %[[V24]], %[[V31]] : i1
// CHECK:   %[[V33:[a-z0-9_-]+]] = arith.select %[[V32]], %[[V25]], %[[ARG2_7]] : f32
// CHECK:   %[[V34:[a-z0-9_-]+]] = arith.select %[[V32]], %[[V19]], %[[ARG3_8]] : i64
// CHECK:   gaudi.kernel.yield %[[V33]], %[[V34]] : f32, i64
// CHECK:   %[[V35:[a-z0-9_-]+]] = arith.trunci %[[V6]]#1 : i64 to i32
// CHECK:   gaudi.kernel.store %[[V35]], %[[OUT0_3]][d0] : tensor<2xi32>
// CHECK:   %[[V36:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.select_and_scatter"(%[[ARG1]], %[[V1]], %[[V0]]) index_space [4, 2] parallel [true, false] : (tensor<2xf32>, tensor<2xi32>, tensor<f32>) -> tensor<4xf32> {
// CHECK:   ^bb0(%[[IN0_37:[a-z0-9_-]+]]: tensor<2xf32>, %[[IN1_38:[a-z0-9_-]+]]: tensor<2xi32>, %[[IN2_39:[a-z0-9_-]+]]: tensor<f32>, %[[OUT0_40:[a-z0-9_-]+]]: tensor<4xf32>):
// CHECK:   %[[V41:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN2_39]][] : tensor<f32>
// CHECK:   %[[V42:[a-z0-9_-]+]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%[[V41]]) : f32 {
// CHECK:   ^bb0(%[[ARG2_43:[a-z0-9_-]+]]: f32):
// CHECK:   %[[V44:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V45:[a-z0-9_-]+]] = gaudi.kernel.index 0
// CHECK:   %[[V46:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V47:[a-z0-9_-]+]] = arith.addi %[[V45]], %[[V46]] : i64
// CHECK:   %[[V48:[a-z0-9_-]+]] = gaudi.kernel.index 1
// CHECK:   %[[V49:[a-z0-9_-]+]] = arith.subi %[[V47]], %[[V48]] : i64
// CHECK:   %[[V50:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V51:[a-z0-9_-]+]] = arith.muli %[[V44]], %[[V50]] : i64
// CHECK:   %[[V52:[a-z0-9_-]+]] = arith.addi %[[V51]], %[[V48]] : i64
// CHECK:   %[[V53:[a-z0-9_-]+]] = arith.cmpi sge, %[[V49]], %[[V44]] : i64
// CHECK:   %[[V54:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V55:[a-z0-9_-]+]] = arith.divsi %[[V49]], %[[V54]] : i64
// CHECK:   %[[V56:[a-z0-9_-]+]] = arith.remsi %[[V49]], %[[V54]] : i64
// CHECK:   %[[V57:[a-z0-9_-]+]] = arith.cmpi eq, %[[V56]], %[[V44]] : i64
// CHECK:   %[[V58:[a-z0-9_-]+]] = arith.andi %[[V53]], %[[V57]] : i1
// CHECK:   %[[V59:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V60:[a-z0-9_-]+]] = arith.cmpi slt, %[[V55]], %[[V59]] : i64
// CHECK:   %[[V61:[a-z0-9_-]+]] = arith.andi %[[V58]], %[[V60]] : i1
// CHECK:   %[[V62:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_38]][%[[V55]]] boundary [#gaudi.boundary<clamp>] : tensor<2xi32>
// CHECK:   %[[V63:[a-z0-9_-]+]] = arith.extsi %[[V62]] : i32 to i64
// CHECK:   %[[V64:[a-z0-9_-]+]] = arith.cmpi eq, %[[V63]], %[[V52]] : i64
// CHECK:   %[[V65:[a-z0-9_-]+]] = arith.andi %[[V61]], %[[V64]] : i1
// CHECK:   %[[V66:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_37]][%[[V55]]] boundary [#gaudi.boundary<clamp>] : tensor<2xf32>
// CHECK:   %[[V67:[a-z0-9_-]+]] = arith.constant 0.000000e+00 : f32
// CHECK:   %[[V68:[a-z0-9_-]+]] = arith.select %[[V65]], %[[V66]], %[[V67]] : f32
// CHECK:   gaudi.kernel.yield %[[V68]] : f32
// CHECK:   gaudi.kernel.store %[[V42]], %[[OUT0_40]][d0] : tensor<4xf32>
// CHECK:   return %[[V36]] : tensor<4xf32>
func.func @select_and_scatter(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
