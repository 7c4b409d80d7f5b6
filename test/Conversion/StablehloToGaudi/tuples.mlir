// Loops of tuples, and attributes of one word, as older exporters of MHLO write them.

// RUN: gaudi-run %s --entry=power --input=f32=3 --seed-inputs=1 --check | FileCheck %s --check-prefix=POWER
// RUN: gaudi-run %s --entry=nested --input=f32=3 --input=f32=5 --seed-inputs=1 --check | FileCheck %s --check-prefix=NESTED
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s

// POWER: output 'out0': f32 = 81
func.func @power(%x: tensor<f32>) -> tensor<f32> {
  %zero = "mhlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "mhlo.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %start = "mhlo.tuple"(%zero, %one, %x) : (tensor<i32>, tensor<f32>, tensor<f32>) -> tuple<tensor<i32>, tensor<f32>, tensor<f32>>
  %end = "mhlo.while"(%start) ({
  ^bb0(%state: tuple<tensor<i32>, tensor<f32>, tensor<f32>>):
    %i = "mhlo.get_tuple_element"(%state) {index = 0 : i32} : (tuple<tensor<i32>, tensor<f32>, tensor<f32>>) -> tensor<i32>
    %n = "mhlo.constant"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %c = "mhlo.compare"(%i, %n) {comparison_direction = #mhlo.comparison_direction<LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "mhlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%state: tuple<tensor<i32>, tensor<f32>, tensor<f32>>):
    %i = "mhlo.get_tuple_element"(%state) {index = 0 : i32} : (tuple<tensor<i32>, tensor<f32>, tensor<f32>>) -> tensor<i32>
    %p = "mhlo.get_tuple_element"(%state) {index = 1 : i32} : (tuple<tensor<i32>, tensor<f32>, tensor<f32>>) -> tensor<f32>
    %x0 = "mhlo.get_tuple_element"(%state) {index = 2 : i32} : (tuple<tensor<i32>, tensor<f32>, tensor<f32>>) -> tensor<f32>
    %k = "mhlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = "mhlo.add"(%i, %k) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q = "mhlo.multiply"(%p, %x0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %state2 = "mhlo.tuple"(%next, %q, %x0) : (tensor<i32>, tensor<f32>, tensor<f32>) -> tuple<tensor<i32>, tensor<f32>, tensor<f32>>
    "mhlo.return"(%state2) : (tuple<tensor<i32>, tensor<f32>, tensor<f32>>) -> ()
  }) : (tuple<tensor<i32>, tensor<f32>, tensor<f32>>) -> tuple<tensor<i32>, tensor<f32>, tensor<f32>>
  %r = "mhlo.get_tuple_element"(%end) {index = 1 : i32} : (tuple<tensor<i32>, tensor<f32>, tensor<f32>>) -> tensor<f32>
  return %r : tensor<f32>
}

// NESTED: output 'out0': f32 = 15
func.func @nested(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %yes = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = "stablehlo.if"(%yes) ({
    %p = "stablehlo.multiply"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %t = "stablehlo.tuple"(%p, %x) : (tensor<f32>, tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
    %u = "stablehlo.tuple"(%t) : (tuple<tensor<f32>, tensor<f32>>) -> tuple<tuple<tensor<f32>, tensor<f32>>>
    "stablehlo.return"(%u) : (tuple<tuple<tensor<f32>, tensor<f32>>>) -> ()
  }, {
    %t = "stablehlo.tuple"(%x, %y) : (tensor<f32>, tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
    %u = "stablehlo.tuple"(%t) : (tuple<tensor<f32>, tensor<f32>>) -> tuple<tuple<tensor<f32>, tensor<f32>>>
    "stablehlo.return"(%u) : (tuple<tuple<tensor<f32>, tensor<f32>>>) -> ()
  }) : (tensor<i1>) -> tuple<tuple<tensor<f32>, tensor<f32>>>
  %1 = "stablehlo.get_tuple_element"(%0) {index = 0 : i32} : (tuple<tuple<tensor<f32>, tensor<f32>>>) -> tuple<tensor<f32>, tensor<f32>>
  %2 = "stablehlo.get_tuple_element"(%1) {index = 0 : i32} : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: @uniform
// CHECK-NOT: "mhlo.constant"
// CHECK: gaudi.tpc.kernel
func.func @uniform() -> tensor<4xf32> {
  %low = "mhlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %high = "mhlo.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %shape = "mhlo.constant"() {value = dense<4> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = "mhlo.rng"(%low, %high, %shape) {rng_distribution = #mhlo.rng_distribution<UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
