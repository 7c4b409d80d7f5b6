// RUN: gaudi-opt %s --cse | FileCheck %s

// Commutative ops are equal with their operands exchanged; others are not.
// CHECK-LABEL: @commutative
func.func @commutative(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[SUM:.*]] = gaudi.tpc.add %arg0, %arg1
  // CHECK-NEXT: %[[AB:.*]] = gaudi.tpc.sub %arg0, %arg1
  // CHECK-NEXT: %[[BA:.*]] = gaudi.tpc.sub %arg1, %arg0
  // CHECK-NEXT: return %[[SUM]], %[[SUM]], %[[AB]], %[[BA]]
  %0 = gaudi.tpc.add %a, %b : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %1 = gaudi.tpc.add %b, %a : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %2 = gaudi.tpc.sub %a, %b : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %3 = gaudi.tpc.sub %b, %a : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Two gathers with the same indices are one, though each may stop the launch.
// CHECK-LABEL: @gathers
func.func @gathers(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  // CHECK-NEXT: %[[G:.*]] = gaudi.tpc.gather_elements
  // CHECK-NEXT: return %[[G]], %[[G]]
  %0 = gaudi.tpc.gather_elements %x, %i axis 1 : tensor<4x8xf32>, tensor<4x2xi64> -> tensor<4x2xf32>
  %1 = gaudi.tpc.gather_elements %x, %i axis 1 : tensor<4x8xf32>, tensor<4x2xi64> -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}
