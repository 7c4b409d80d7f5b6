// Old values of states that are returned, or become other states, are copied
// before the new ones are written over them.
// RUN: gaudi-opt %s --split-input-file --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-verify-phase="phase=memory" -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: grep -vE "^(module|#loc)" %t.once > %t.ops
// RUN: gaudi-opt %t.once --split-input-file --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers | grep -vE "^(module|#loc)" | diff %t.ops -
// RUN: gaudi-opt %s --split-input-file --gaudi-alias-buffers --remark-policy=all --remarks-filter=gaudi-alias-buffers -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// One copy, of the output: a donation is honoured.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: copied output 0: it is the old value of state 0; the copy takes
// REMARK: updated state 0 in place: result 1 is written over it
// CHECK-LABEL: @returned
// CHECK-SAME: gaudi.workspace_bytes = 0 : i64
func.func @returned(%s: tensor<4x8xf32> {gaudi.state = 1 : i64, gaudi.donated}, %x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK-NEXT: %[[OLD:.*]] = gaudi.copy %arg0
  // CHECK-NEXT: %[[NEW:.*]] = gaudi.tpc.kernel{{.*}}#gaudi.buffer<persistent, 0, [8, 1]>
  %0 = gaudi.tpc.kernel (%s, %x) index_space [4, 8] parallel [true, true] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %in1: tensor<4x8xf32>, %out0: tensor<4x8xf32>):
    %1 = gaudi.kernel.load %in0[d0, d1] : tensor<4x8xf32>
    %2 = gaudi.kernel.load %in1[d0, d1] : tensor<4x8xf32>
    %3 = arith.addf %1, %2 : f32
    gaudi.kernel.store %3, %out0[d0, d1] : tensor<4x8xf32>
  }
  // CHECK: return %[[OLD]], %[[NEW]]
  return %s, %0 : tensor<4x8xf32>, tensor<4x8xf32>
}
}

// -----

// A view of the old value, whose next one is computed in slices: the first of
// them is written before the op of the result.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: copied output 0: it is a view of another tensor; the copy takes
// REMARK: updated state 0 in place: result 1 is written over it
// CHECK-LABEL: @slices
// CHECK-SAME: gaudi.workspace_bytes = 0 : i64
func.func @slices(%s: tensor<4x8xf32> {gaudi.state = 1 : i64, gaudi.donated}, %x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<4x8xf32>) {
  // CHECK-NEXT: %[[VIEW:.*]] = gaudi.slice %arg0
  // CHECK-NEXT: %[[OLD:.*]] = gaudi.copy %[[VIEW]]
  // CHECK-NEXT: cumulative_sum {{.*}}#gaudi.buffer<persistent, 0, [8, 1]>
  // CHECK-NEXT: cumulative_sum {{.*}}#gaudi.buffer<persistent, 64, [8, 1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<2x8xf32>
  %1 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<2x8xf32>
  %2 = gaudi.concat %0, %1 axis 0 {engine = #gaudi.engine<dma>} : tensor<2x8xf32>, tensor<2x8xf32> -> tensor<4x8xf32>
  %3 = gaudi.slice %s offsets [1, 0] strides [1, 1] : tensor<4x8xf32> -> tensor<2x8xf32>
  // CHECK: return %[[OLD]]
  return %3, %2 : tensor<2x8xf32>, tensor<4x8xf32>
}
}

// -----

// States that shift: each is copied to the next one once that has been read,
// and before its own new value is written. No state has a second buffer.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: copied output 0: it is the old value of state 1; the copy takes
// REMARK: copied output 1: it is the old value of state 0; the copy takes
// REMARK: updated state 2 in place: result 0 is written over it
// REMARK: updated state 1 in place: result 1 is written over it
// REMARK: updated state 0 in place: result 2 is written over it
// CHECK-LABEL: @shifted
// CHECK-SAME: gaudi.persistent_bytes = 512 : i64, gaudi.workspace_bytes = 0 : i64
func.func @shifted(%a: tensor<8xf32> {gaudi.state = 2 : i64}, %b: tensor<8xf32> {gaudi.state = 1 : i64}, %c: tensor<8xf32> {gaudi.state = 0 : i64}, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[C:.*]] = gaudi.copy %arg1 {{.*}}#gaudi.buffer<persistent, 256, [1]>
  // CHECK-NEXT: %[[B:.*]] = gaudi.copy %arg0 {{.*}}#gaudi.buffer<persistent, 128, [1]>
  // CHECK-NEXT: %[[A:.*]] = gaudi.tpc.cumulative_sum {{.*}}#gaudi.buffer<persistent, 0, [1]>
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<8xf32>
  // CHECK-NEXT: return %[[C]], %[[B]], %[[A]]
  return %b, %a, %0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
}

// -----

// The old value of the first state is read by the op that computes the second:
// the copy comes after it.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @read
// CHECK-SAME: gaudi.workspace_bytes = 0 : i64
func.func @read(%a: tensor<8xf32> {gaudi.state = 0 : i64}, %b: tensor<8xf32> {gaudi.state = 1 : i64}, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: gaudi.tpc.cumulative_sum %arg0
  // CHECK-NEXT: gaudi.copy %arg1 {{.*}}#gaudi.buffer<persistent, 0, [1]>
  // CHECK-NEXT: gaudi.tpc.cumulative_sum %arg2 {{.*}}#gaudi.buffer<persistent, 128, [1]>
  %0 = gaudi.tpc.cumulative_sum %a axis 0 : tensor<8xf32>
  %1 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<8xf32>
  return %b, %1, %0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
}
