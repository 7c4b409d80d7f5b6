// RUN: gaudi-opt %s --gaudi-schedule-ops -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %t.once --gaudi-schedule-ops | diff %t.once -
// RUN: gaudi-opt %s --gaudi-schedule-ops --remarks-filter=gaudi-schedule-ops --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

module attributes {gaudi.device = "gaudi3"} {
// Every output has bytes of its own; the copies run where the device copies.
// CHECK-LABEL: @outputs
// REMARK-DAG: remark: [Analysis] copy-output | Category:gaudi-schedule-ops | Reason="output 0 is copied: it is an argument"
// REMARK-DAG: remark: [Analysis] copy-output | Category:gaudi-schedule-ops | Reason="output 1 is copied: it is a constant"
// REMARK-DAG: remark: [Analysis] copy-output | Category:gaudi-schedule-ops | Reason="output 2 is copied: it is a view of another tensor"
// REMARK-DAG: remark: [Analysis] copy-output | Category:gaudi-schedule-ops | Reason="output 4 is copied: it is returned twice"
// REMARK-NOT: output 3
func.func @outputs(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[C:.*]] = gaudi.constant
  %c = gaudi.constant dense<1.0> : tensor<4xf32>
  // CHECK: %[[E:.*]] = gaudi.tpc.exp
  %e = gaudi.tpc.exp %x : tensor<4xf32>
  // CHECK: %[[V:.*]] = gaudi.reshape
  %v = gaudi.reshape %e : tensor<4xf32> -> tensor<2x2xf32>
  // CHECK-NEXT: %[[O0:.*]] = gaudi.copy %arg0 {engine = #gaudi.engine<tpc>} : tensor<4xf32>
  // CHECK-NEXT: %[[O1:.*]] = gaudi.copy %[[C]] {engine = #gaudi.engine<tpc>} : tensor<4xf32>
  // CHECK-NEXT: %[[O2:.*]] = gaudi.copy %[[V]] {engine = #gaudi.engine<tpc>} : tensor<2x2xf32>
  // CHECK-NEXT: %[[O4:.*]] = gaudi.copy %[[E]] {engine = #gaudi.engine<tpc>} : tensor<4xf32>
  // CHECK-NEXT: return %[[O0]], %[[O1]], %[[O2]], %[[E]], %[[O4]]
  return %x, %c, %v, %e, %e : tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>
}

// What is not a tensor is left to the check of the phase.
// CHECK-LABEL: @scalar
func.func @scalar(%x: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  return %x : i32
}

// CHECK: func.func private @external
func.func private @external(tensor<4xf32>) -> tensor<4xf32>
}
