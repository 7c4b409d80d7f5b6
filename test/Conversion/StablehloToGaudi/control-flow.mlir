// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file | FileCheck %s

// Both branches are computed.
// CHECK-LABEL: func.func @if(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<i1>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.mul %[[ARG1]], %[[ARG1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG1]], %[[ARG1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<i1> -> tensor<1xi1>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.select %[[V2]], %[[V1]], %[[V0]] : tensor<1xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   return %[[V3]] : tensor<4xf32>
func.func @if(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.if"(%c) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.multiply"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @if_known(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<true> : tensor<i1>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG0]], %[[ARG0]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   return %[[V1]] : tensor<4xf32>
func.func @if_known(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %r = "stablehlo.if"(%k) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.multiply"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @case(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<i32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG1]], %[[ARG1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.constant dense<0> : tensor<i32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.compare <eq> %[[ARG0]], %[[V1]] : tensor<i32>, tensor<i32> -> tensor<i1>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG1]], %[[ARG1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.reshape %[[V2]] : tensor<i1> -> tensor<1xi1>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.tpc.select %[[V4]], %[[V3]], %[[V0]] : tensor<1xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.constant dense<1> : tensor<i32>
// CHECK:   %[[V7:[a-z0-9_-]+]] = gaudi.tpc.compare <eq> %[[ARG0]], %[[V6]] : tensor<i32>, tensor<i32> -> tensor<i1>
// CHECK:   %[[V8:[a-z0-9_-]+]] = gaudi.tpc.mul %[[ARG1]], %[[ARG1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   %[[V9:[a-z0-9_-]+]] = gaudi.reshape %[[V7]] : tensor<i1> -> tensor<1xi1>
// CHECK:   %[[V10:[a-z0-9_-]+]] = gaudi.tpc.select %[[V9]], %[[V8]], %[[V5]] : tensor<1xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   return %[[V10]] : tensor<4xf32>
func.func @case(%c: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.case"(%c) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.multiply"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// An index outside is the last branch.
// CHECK-LABEL: func.func @case_outside(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<7> : tensor<i32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.mul %[[ARG0]], %[[ARG0]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   return %[[V1]] : tensor<4xf32>
func.func @case_outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
  %r = "stablehlo.case"(%k) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.multiply"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Two iterations.
// CHECK-LABEL: func.func @while(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0> : tensor<i32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.constant dense<2> : tensor<i32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.constant dense<true> : tensor<i1>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.constant dense<1> : tensor<i32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.constant dense<1> : tensor<i32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG0]], %[[ARG0]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.constant dense<2> : tensor<i32>
// CHECK:   %[[V7:[a-z0-9_-]+]] = gaudi.constant dense<true> : tensor<i1>
// CHECK:   %[[V8:[a-z0-9_-]+]] = gaudi.constant dense<1> : tensor<i32>
// CHECK:   %[[V9:[a-z0-9_-]+]] = gaudi.constant dense<2> : tensor<i32>
// CHECK:   %[[V10:[a-z0-9_-]+]] = gaudi.tpc.add %[[V5]], %[[V5]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   %[[V11:[a-z0-9_-]+]] = gaudi.constant dense<2> : tensor<i32>
// CHECK:   %[[V12:[a-z0-9_-]+]] = gaudi.constant dense<false> : tensor<i1>
// CHECK:   return %[[V9]], %[[V10]] : tensor<i32>, tensor<4xf32>
func.func @while(%x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %k = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "stablehlo.while"(%k, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<4xf32>):
    %n = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %p = "stablehlo.compare"(%a, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<4xf32>):
    %n = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %i = "stablehlo.add"(%a, %n) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %s = "stablehlo.add"(%b, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%i, %s) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @tuple(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi32>
// CHECK:   return %[[ARG1]] : tensor<2xi32>
func.func @tuple(%x: tensor<4xf32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %t = "stablehlo.tuple"(%x, %y) : (tensor<4xf32>, tensor<2xi32>) -> tuple<tensor<4xf32>, tensor<2xi32>>
  %r = "stablehlo.get_tuple_element"(%t) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// A composite calls its decomposition.
// CHECK-LABEL: func.func @composite(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = call @square(%[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK:   return %[[V0]] : tensor<4xf32>
// CHECK-LABEL: func.func private @square(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.mul %[[ARG0]], %[[ARG0]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
// CHECK:   return %[[V1]] : tensor<4xf32>
func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.composite"(%x) <{name = "my.square", decomposition = @square, version = 1 : i32, composite_attributes = {}}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.multiply"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
