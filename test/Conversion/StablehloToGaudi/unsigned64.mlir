// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --remarks-filter=convert-stablehlo-to-gaudi --remark-policy=all 2>&1 | FileCheck %s
// RUN: gaudi-run %s --check --entry=numbers "--input=4xi64=-1 7 -9223372036854775808 5" "--input=4xi64=3 -2 2 0" | FileCheck %s --check-prefix=NUMBERS
// RUN: gaudi-run %s --check --entry=floats "--input=4xi64=-1 7 -9223372036854775808 -9223371487098961919" "--input=4xf32=1.8e19 3.7 -2 1e30" | FileCheck %s --check-prefix=FLOATS
// RUN: gaudi-run %s --check --entry=start "--input=4xf32=1 2 3 4" --input=i64=-1 | FileCheck %s --check-prefix=START
// The device has no ui64: values of it have the type i64, and ops that read
// them as numbers are written with ops that do not. Expected values by NumPy.

// CHECK: retyped ui64 of the signature to i64: the bits are the same
// CHECK: func.func @numbers(%arg0: tensor<4xi64>, %arg1: tensor<4xi64>)
// NUMBERS: output 'out0': 4xi64 = [6148914691236517205, 0, 4611686018427387904
// NUMBERS: output 'out1': 4xi64 = [0, 7, 0
// NUMBERS: output 'out2': 4xi64 = [-1, -2, -9223372036854775808, 5]
// NUMBERS: output 'out3': 4xi1 = [0, 1, 0, 0]
func.func @numbers(%a: tensor<4xui64>, %b: tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui64>, tensor<4xui64>, tensor<4xi1>) {
  %0 = "stablehlo.divide"(%a, %b) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
  %1 = "stablehlo.remainder"(%a, %b) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
  %2 = "stablehlo.maximum"(%a, %b) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
  %3 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<4xui64>, tensor<4xui64>, tensor<4xui64>, tensor<4xi1>
}

// The last integer is one above a tie of f32: it must not be rounded twice.
// FLOATS: output 'out0': 4xf32 = [1.8446744e+19, 7, 9.223372e+18, 9.223373e+18]
// FLOATS: output 'out1': 4xi64 = [-446743668993294336, 3, 0, -1]
// FLOATS: output 'out2': 4xi1 = [1, 1, 1, 1]
func.func @floats(%a: tensor<4xui64>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xui64>, tensor<4xi1>) {
  %0 = "stablehlo.convert"(%a) : (tensor<4xui64>) -> tensor<4xf32>
  %1 = "stablehlo.convert"(%x) : (tensor<4xf32>) -> tensor<4xui64>
  %e = "stablehlo.constant"() <{value = dense<[1.8446744073709552e+19, 7.0, 9.2233720368547758e+18, 9.2233731363664035e+18]> : tensor<4xf32>}> : () -> tensor<4xf32>
  %2 = "stablehlo.compare"(%0, %e) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xui64>, tensor<4xi1>
}

// A start in the upper half is past the end, not before the beginning.
// START: output 'out0': 1xf32 = [4]
func.func @start(%x: tensor<4xf32>, %s: tensor<ui64>) -> tensor<1xf32> {
  %0 = "stablehlo.dynamic_slice"(%x, %s) <{slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<ui64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// Constants beside the text have the type of the others.
// RUN: gaudi-run %s --check --entry=resource "--input=4xi64=1 2 3 4" | FileCheck %s --check-prefix=RESOURCE
// RESOURCE: output 'out0': 4xi64 = [0, 0, 0, 3]
func.func @resource(%x: tensor<4xui64>) -> tensor<4xui64> {
  %c = "stablehlo.constant"() <{value = dense_resource<numbers> : tensor<4xui64>}> : () -> tensor<4xui64>
  %0 = "stablehlo.xor"(%x, %c) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
  return %0 : tensor<4xui64>
}

{-#
  dialect_resources: {
    builtin: {
      numbers: "0x080000000100000000000000020000000000000003000000000000000700000000000000"
    }
  }
#-}
