// Windows that no pooling of the device has, as kernels.

// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --entry=products --seed-inputs=1 "--input=x=2x4xbf16=2 3 0.5 4 -1 2 2 2" --check | FileCheck %s --check-prefix=PRODUCTS
// RUN: gaudi-run %s --entry=padded --seed-inputs=1 "--input=x=4xf16=2 3 0.5 4" --check | FileCheck %s --check-prefix=PADDED
// RUN: gaudi-run %s --entry=log_sums --seed-inputs=1 "--input=x=4xf16=100 1 2 -inf" --check | FileCheck %s --check-prefix=LOG
// RUN: gaudi-run %s --entry=f8 --seed-inputs=1 "--input=x=4xf8E5M2=2 3 0.5 4" --check | FileCheck %s --check-prefix=F8
// RUN: gaudi-run %s --entry=tangents --seed-inputs=1 "--input=x=4x2xf32=1 5 9 5 3 -1 2 8" "--input=t=4x2xf32=10 20 30 40 50 60 70 80" --check | FileCheck %s --check-prefix=TANGENTS
// RUN: gaudi-run %s --entry=spread --seed-inputs=1 "--input=x=3xf32=1 9 3" "--input=n=3xi32=10 20 30" --check | FileCheck %s --check-prefix=SPREAD

// The padding of narrow floats is an f32 in the kernel.
// CHECK-LABEL: @products
// CHECK: gaudi.kernel.load {{.*}} pad 1.000000e+00 : f32
// PRODUCTS: output 'out0': 2x4xbf16 = [2, 6, 3, 12, -1, -2, -4, -8]
func.func @products(%x: tensor<2x4xbf16> {gaudi.name = "x"}) -> tensor<2x4xbf16> {
  %one = "stablehlo.constant"() {value = dense<1.0> : tensor<bf16>} : () -> tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %one) <{padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 4>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %c = "stablehlo.multiply"(%a, %b) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    "stablehlo.return"(%c) : (tensor<bf16>) -> ()
  }) : (tensor<2x4xbf16>, tensor<bf16>) -> tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}

// A padding that is not neutral counts.
// PADDED: output 'out0': 4xf16 = [24, 6, 12, 8]
func.func @padded(%x: tensor<4xf16> {gaudi.name = "x"}) -> tensor<4xf16> {
  %two = "stablehlo.constant"() {value = dense<2.0> : tensor<f16>} : () -> tensor<f16>
  %0 = "stablehlo.reduce_window"(%x, %two) <{padding = dense<[[1, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %c = "stablehlo.multiply"(%a, %b) : (tensor<f16>, tensor<f16>) -> tensor<f16>
    "stablehlo.return"(%c) : (tensor<f16>) -> ()
  }) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// Logarithms of sums of exponentials, as JAX writes them.
// LOG: output 'out0': 4xf16 = [100, 100, 100, 100]
func.func @log_sums(%x: tensor<4xf16> {gaudi.name = "x"}) -> tensor<4xf16> {
  %least = "stablehlo.constant"() {value = dense<0xFC00> : tensor<f16>} : () -> tensor<f16>
  %0 = "stablehlo.reduce_window"(%x, %least) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %most = "stablehlo.maximum"(%a, %b) : (tensor<f16>, tensor<f16>) -> tensor<f16>
    %apart = "stablehlo.subtract"(%a, %b) : (tensor<f16>, tensor<f16>) -> tensor<f16>
    %nan = "stablehlo.compare"(%apart, %apart) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f16>, tensor<f16>) -> tensor<i1>
    %sum = "stablehlo.add"(%a, %b) : (tensor<f16>, tensor<f16>) -> tensor<f16>
    %size = "stablehlo.abs"(%apart) : (tensor<f16>) -> tensor<f16>
    %less = "stablehlo.negate"(%size) : (tensor<f16>) -> tensor<f16>
    %e = "stablehlo.exponential"(%less) : (tensor<f16>) -> tensor<f16>
    %log = "stablehlo.log_plus_one"(%e) : (tensor<f16>) -> tensor<f16>
    %more = "stablehlo.add"(%most, %log) : (tensor<f16>, tensor<f16>) -> tensor<f16>
    %c = "stablehlo.select"(%nan, %sum, %more) : (tensor<i1>, tensor<f16>, tensor<f16>) -> tensor<f16>
    "stablehlo.return"(%c) : (tensor<f16>) -> ()
  }) : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// F8: output 'out0': 4xf8E5M2 = [6, 3, 6, 2]
func.func @f8(%x: tensor<4xf8E5M2> {gaudi.name = "x"}) -> tensor<4xf8E5M2> {
  %one = "stablehlo.constant"() {value = dense<1.0> : tensor<f8E5M2>} : () -> tensor<f8E5M2>
  %0 = "stablehlo.reduce_window"(%x, %one) <{padding = dense<[[1, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    %c = "stablehlo.multiply"(%a, %b) : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
    "stablehlo.return"(%c) : (tensor<f8E5M2>) -> ()
  }) : (tensor<4xf8E5M2>, tensor<f8E5M2>) -> tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
}

// Two operands: the tangent of a maximum is that of the element that it is.
// CHECK-LABEL: @tangents
// CHECK: gaudi.kernel.loop {{.*}} reduce [#gaudi.reduce<custom>, #gaudi.reduce<custom>]
// TANGENTS: output 'out0': 2x2xf32 = [9, 5, 3, 8]
// TANGENTS: output 'out1': 2x2xf32 = [30, 20, 50, 80]
func.func @tangents(%x: tensor<4x2xf32> {gaudi.name = "x"}, %t: tensor<4x2xf32> {gaudi.name = "t"}) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %least = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
  %zero = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %0:2 = "stablehlo.reduce_window"(%x, %t, %least, %zero) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %s: tensor<f32>, %b: tensor<f32>, %u: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = "stablehlo.select"(%c, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.select"(%c, %s, %u) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %2) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// Of two types, with what is between the elements and around them.
// SPREAD: output 'out0': 5xf32 = [1, 9, 9, 9, 3]
// SPREAD: output 'out1': 5xi32 = [10, 20, 20, 20, 30]
func.func @spread(%x: tensor<3xf32> {gaudi.name = "x"}, %n: tensor<3xi32> {gaudi.name = "n"}) -> (tensor<5xf32>, tensor<5xi32>) {
  %least = "stablehlo.constant"() {value = dense<-1.0> : tensor<f32>} : () -> tensor<f32>
  %zero = "stablehlo.constant"() {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "stablehlo.reduce_window"(%x, %n, %least, %zero) <{base_dilations = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %s: tensor<i32>, %b: tensor<f32>, %u: tensor<i32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = "stablehlo.select"(%c, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.select"(%c, %s, %u) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1, %2) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<5xf32>, tensor<5xi32>)
  return %0#0, %0#1 : tensor<5xf32>, tensor<5xi32>
}
