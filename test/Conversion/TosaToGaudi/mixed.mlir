// RUN: gaudi-opt %s --convert-tosa-to-gaudi -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// Ops of other dialects stay, and so do locations and signatures.
// CHECK-LABEL: func.func @mixed(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32> {{.*}}, %[[Y:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[SUM:.*]] = gaudi.tpc.add %[[X]], %[[Y]] : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32> loc("sum")
// CHECK: %[[EXP:.*]] = linalg.exp ins(%[[SUM]] : tensor<4x8xf32>) outs(%[[Y]] : tensor<4x8xf32>)
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[EXP]][0, 0] [2, 8] [1, 1]
// CHECK: %[[TWO:.*]] = gaudi.constant dense<2.000000e+00> : tensor<1x1xf32>
// CHECK: gaudi.tpc.mul %[[PART]], %[[TWO]] : tensor<2x8xf32>, tensor<1x1xf32> -> tensor<2x8xf32> loc("scaled")
func.func @mixed(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %0 = tosa.add %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc("sum")
  %1 = linalg.exp ins(%0 : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tensor.extract_slice %1[0, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %c = "tosa.const"() <{values = dense<2.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %3 = tosa.mul %2, %c, %s : (tensor<2x8xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x8xf32> loc("scaled")
  return %3 : tensor<2x8xf32>
}
