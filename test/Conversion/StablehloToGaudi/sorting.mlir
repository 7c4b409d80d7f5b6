// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --check --entry=keys "--input=2x6xi32=1 3 1 3 2 1 5 5 5 0 5 5" "--input=2x6xf32=2 1 -1 0 4 2 1 0 1 9 0 -3" "--input=2x6xi8=0 1 2 3 4 5 6 7 8 9 10 11" | FileCheck %s --check-prefix=KEYS
// RUN: gaudi-run %s --check --print=14 --entry=measure "--input=7x2xbf16=1 -3 -1 2 0.5 -2 3 0 -0.5 1 2 -1 -3 3" "--input=7x2xi32=0 1 2 3 4 5 6 7 8 9 10 11 12 13" "--input=7x2xi1=1 0 1 0 1 0 1 0 1 0 1 0 0 0" | FileCheck %s --check-prefix=MEASURE
// RUN: gaudi-run %s --check --entry=bits "--input=6xf32=0 -0.0 1 nan -1 0" "--input=6xi1=0 1 0 1 1 0" | FileCheck %s --check-prefix=BITS
// The expected values are those of JAX.

// By a descending key, then by an ascending one; the last operand follows.
// CHECK-LABEL: @keys
// CHECK: gaudi.tpc.sort %arg1 axis 1 : tensor<2x6xf32>
// CHECK: %[[KEY:.*]] = gaudi.tpc.gather_elements %arg0,
// CHECK: gaudi.tpc.sort %[[KEY]] axis 1 descending : tensor<2x6xi32>
// KEYS: output 'out0': 2x6xi32 = [3, 3, 2, 1, 1, 1, 5, 5, 5, 5, 5, 0]
// KEYS: output 'out1': 2x6xf32 = [0, 1, 4, -1, 2, 2, -3, 0, 0, 1, 1, 9]
// KEYS: output 'out2': 2x6xi8 = [3, 1, 4, 2, 0, 5, 11, 7, 10, 6, 8, 9]
func.func @keys(%x: tensor<2x6xi32>, %y: tensor<2x6xf32>, %z: tensor<2x6xi8>) -> (tensor<2x6xi32>, tensor<2x6xf32>, tensor<2x6xi8>) {
  %0:3 = "stablehlo.sort"(%x, %y, %z) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>, %e: tensor<i8>, %f: tensor<i8>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = "stablehlo.compare"(%c, %d) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = "stablehlo.and"(%3, %2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %5 = "stablehlo.or"(%1, %4) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%5) : (tensor<i1>) -> ()
  }) : (tensor<2x6xi32>, tensor<2x6xf32>, tensor<2x6xi8>) -> (tensor<2x6xi32>, tensor<2x6xf32>, tensor<2x6xi8>)
  return %0#0, %0#1, %0#2 : tensor<2x6xi32>, tensor<2x6xf32>, tensor<2x6xi8>
}

// By the square, of a bf16: no sort of the device has this comparator. The two
// operands that it does not read are picked by position.
// CHECK-LABEL: @measure
// CHECK-COUNT-3: gaudi.tpc.kernel label "stablehlo.sort"
// CHECK-NOT: gaudi.tpc.kernel
// CHECK-COUNT-2: gaudi.tpc.gather_elements
// MEASURE: output 'out0': 7x2xbf16 = [0.5, 0, -0.5, 1, 1, -1, -1, 2, 2, -2, 3, -3, -3, 3]
// MEASURE: output 'out1': 7x2xi32 = [4, 7, 8, 9, 0, 11, 2, 3, 10, 5, 6, 1, 12, 13]
// MEASURE: output 'out2': 7x2xi1 = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0]
func.func @measure(%x: tensor<7x2xbf16>, %y: tensor<7x2xi32>, %z: tensor<7x2xi1>) -> (tensor<7x2xbf16>, tensor<7x2xi32>, tensor<7x2xi1>) {
  %0:3 = "stablehlo.sort"(%x, %y, %z) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>, %c: tensor<i32>, %d: tensor<i32>, %e: tensor<i1>, %f: tensor<i1>):
    %1 = "stablehlo.multiply"(%a, %a) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    %2 = "stablehlo.multiply"(%b, %b) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    %3 = "stablehlo.compare"(%1, %2) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    "stablehlo.return"(%3) : (tensor<i1>) -> ()
  }) : (tensor<7x2xbf16>, tensor<7x2xi32>, tensor<7x2xi1>) -> (tensor<7x2xbf16>, tensor<7x2xi32>, tensor<7x2xi1>)
  return %0#0, %0#1, %0#2 : tensor<7x2xbf16>, tensor<7x2xi32>, tensor<7x2xi1>
}

// Zeros of both signs and NaN by their bits; booleans as numbers.
// CHECK-LABEL: @bits
// BITS: output 'out0': 6xf32 = [-1, -0, 0, 0, 1, nan]
// BITS: output 'out1': 6xi1 = [1, 1, 1, 0, 0, 0]
func.func @bits(%x: tensor<6xf32>, %z: tensor<6xi1>) -> (tensor<6xf32>, tensor<6xi1>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<6xf32>) -> tensor<6xf32>
  %2 = "stablehlo.sort"(%z) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<6xi1>) -> tensor<6xi1>
  return %0, %2 : tensor<6xf32>, tensor<6xi1>
}

// The comparator that JAX writes: it reads constants outside its region.
// RUN: gaudi-run %s --check --entry=outside "--input=6xf32=3 nan -0.0 0 -1 2" | FileCheck %s --check-prefix=OUTSIDE
// CHECK-LABEL: @outside
// CHECK: gaudi.tpc.sort %arg0 axis 0 : tensor<6xf32>
// OUTSIDE: output 'out0': 6xf32 = [-1, -0, 0, 2, 3, nan]
func.func @outside(%x: tensor<6xf32>) -> tensor<6xf32> {
  %nan = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %zero) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = "stablehlo.select"(%1, %zero, %a) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = "stablehlo.select"(%3, %nan, %2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.compare"(%b, %zero) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = "stablehlo.select"(%5, %zero, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.compare"(%b, %b) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = "stablehlo.select"(%7, %nan, %6) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.compare"(%4, %8) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%9) : (tensor<i1>) -> ()
  }) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
