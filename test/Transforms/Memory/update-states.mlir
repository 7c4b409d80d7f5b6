// The next value of a state is written to its buffer: gaudi-schedule-ops gives
// it a place in time, gaudi-assign-buffers the place in memory.
// RUN: gaudi-opt %s --split-input-file --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-verify-phase="phase=memory" -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: grep -vE "^(module|#loc)" %t.once > %t.ops
// RUN: gaudi-opt %t.once --split-input-file --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers | grep -vE "^(module|#loc)" | diff %t.ops -
// RUN: gaudi-opt %s --split-input-file --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers --remark-policy=all --remarks-filter=".*" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A kernel that reads each element at the point that stores it. The persistent
// section has one copy of w, the input x, and nothing else.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Passed] state | Category:gaudi-alias-buffers | Remark="updated state 0 in place: result 0 is written over it, saving 512 bytes and a copy of {{[0-9.]+ [num]?s}} on gaudi2"
// CHECK-LABEL: @step
// CHECK-SAME: %arg0: tensor<128xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>
// CHECK-SAME: gaudi.persistent_bytes = 1024 : i64, gaudi.workspace_bytes = 0 : i64
func.func @step(%w: tensor<128xf32> {gaudi.state = 0 : i64}, %x: tensor<128xf32>) -> tensor<128xf32> {
  // CHECK: gaudi.tpc.kernel{{.*}} {gaudi.buffers = [#gaudi.buffer<persistent, 0, [1]>]}
  %0 = gaudi.tpc.kernel (%w, %x) index_space [128] parallel [true] : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32> {
  ^bb0(%in0: tensor<128xf32>, %in1: tensor<128xf32>, %out0: tensor<128xf32>):
    %1 = gaudi.kernel.load %in0[d0] : tensor<128xf32>
    %2 = gaudi.kernel.load %in1[d0] : tensor<128xf32>
    %3 = arith.subf %1, %2 : f32
    gaudi.kernel.store %3, %out0[d0] : tensor<128xf32>
  }
  // CHECK-NOT: gaudi.copy
  return %0 : tensor<128xf32>
}
}

// -----

// Any op may write over a state that nothing reads any more.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Passed] state | Category:gaudi-alias-buffers | Remark="updated state 0 in place: result 0 is written over it, saving 512 bytes and a copy of {{[0-9.]+ [num]?s}} on gaudi2"
// CHECK-LABEL: @unread
func.func @unread(%w: tensor<128xf32> {gaudi.state = 0 : i64}) -> tensor<128xf32> {
  // CHECK: gaudi.tpc.cumulative_sum %arg0 axis 0 {gaudi.buffers = [#gaudi.buffer<workspace, 0, [1]>]}
  %0 = gaudi.tpc.cumulative_sum %w axis 0 : tensor<128xf32>
  // CHECK: gaudi.tpc.cumulative_sum %{{.*}} axis 0 {gaudi.buffers = [#gaudi.buffer<persistent, 0, [1]>]}
  %1 = gaudi.tpc.cumulative_sum %0 axis 0 : tensor<128xf32>
  // CHECK-NEXT: return
  return %1 : tensor<128xf32>
}
}

// -----

// An op that reads what it would overwrite works in the workspace.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Missed] state | Category:gaudi-alias-buffers |{{.*}} Reason="state 0 not updated in place: the op that computes the new value reads the old one meanwhile; result 0 takes 512 bytes of workspace and is copied at the end; the copy takes {{[0-9.]+ [num]?s}} on gaudi2"
// CHECK-LABEL: @library
// CHECK-SAME: gaudi.persistent_bytes = 512 : i64, gaudi.workspace_bytes = 512 : i64
func.func @library(%w: tensor<128xf32> {gaudi.state = 0 : i64}) -> tensor<128xf32> {
  // CHECK: %[[S:.*]] = gaudi.tpc.cumulative_sum %arg0 axis 0 {gaudi.buffers = [#gaudi.buffer<workspace, 0, [1]>]}
  %0 = gaudi.tpc.cumulative_sum %w axis 0 : tensor<128xf32>
  // CHECK-NEXT: %[[C:.*]] = gaudi.copy %[[S]] {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<persistent, 0, [1]>]}
  // CHECK-NEXT: return %[[C]]
  return %0 : tensor<128xf32>
}
}

// -----

// So does a kernel whose points read what others store.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Missed] state | Category:gaudi-alias-buffers |{{.*}} Reason="state 0 not updated in place: the old value is read at points other than the one that overwrites it; result 0 takes 512 bytes of workspace and is copied at the end; the copy takes {{[0-9.]+ [num]?s}} on gaudi2"
// CHECK-LABEL: @reversed
func.func @reversed(%w: tensor<128xf32> {gaudi.state = 0 : i64}) -> tensor<128xf32> {
  // CHECK: gaudi.tpc.kernel{{.*}} {gaudi.buffers = [#gaudi.buffer<workspace, 0, [1]>]}
  %0 = gaudi.tpc.kernel (%w) index_space [128] parallel [true] : (tensor<128xf32>) -> tensor<128xf32> {
  ^bb0(%in0: tensor<128xf32>, %out0: tensor<128xf32>):
    %1 = gaudi.kernel.load %in0[d0 * -1 + 127] : tensor<128xf32>
    gaudi.kernel.store %1, %out0[d0] : tensor<128xf32>
  }
  // CHECK: gaudi.copy {{.*}}gaudi.buffers = [#gaudi.buffer<persistent, 0, [1]>]
  return %0 : tensor<128xf32>
}
}

// -----

// A gradient that reads the old weights after the update: the update moves.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Passed] move-update | Category:gaudi-schedule-ops | Remark="moved after 'gaudi.mme.gemm', the last reader of state 0, so that the new value can be written over the old one, saving {{[0-9.]+ [num]?s}} on gaudi2"
// REMARK: remark: [Passed] state | Category:gaudi-alias-buffers | Remark="updated state 0 in place
// CHECK-LABEL: @backward
func.func @backward(%w: tensor<8x8xf32> {gaudi.state = 0 : i64}, %g: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = gaudi.tpc.kernel (%w, %g) index_space [8, 8] parallel [true, true] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%in0: tensor<8x8xf32>, %in1: tensor<8x8xf32>, %out0: tensor<8x8xf32>):
    %1 = gaudi.kernel.load %in0[d0, d1] : tensor<8x8xf32>
    %2 = gaudi.kernel.load %in1[d0, d1] : tensor<8x8xf32>
    %3 = arith.subf %1, %2 : f32
    gaudi.kernel.store %3, %out0[d0, d1] : tensor<8x8xf32>
  }
  // CHECK: gaudi.reshape
  // CHECK-NEXT: gaudi.reshape
  // CHECK-NEXT: gaudi.mme.gemm
  // CHECK-NEXT: gaudi.tpc.kernel{{.*}}#gaudi.buffer<persistent, 0, [8, 1]>
  %v = gaudi.reshape %w : tensor<8x8xf32> -> tensor<64xf32>
  %u = gaudi.reshape %v : tensor<64xf32> -> tensor<8x8xf32>
  %p = gaudi.mme.gemm %g, %u transpose_b : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %0, %p : tensor<8x8xf32>, tensor<8x8xf32>
}
}

// -----

// The new value is read before the last reader of the old one: nothing moves.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Missed] move-update | Category:gaudi-schedule-ops |{{.*}} Reason="not moved after the last reader of state 0: the new value is needed before that; the copy takes {{[0-9.]+ [num]?s}} on gaudi2"
// REMARK: remark: [Missed] state | Category:gaudi-alias-buffers |{{.*}} Reason="state 0 not updated in place: the old value is read after the new one is computed; result 0 takes 256 bytes of workspace and is copied at the end; the copy takes {{[0-9.]+ [num]?s}} on gaudi2"
// CHECK-LABEL: @needed
func.func @needed(%w: tensor<8x8xf32> {gaudi.state = 0 : i64}, %g: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: %[[N:.*]] = gaudi.mme.gemm %arg1, %arg1 {gaudi.buffers = [#gaudi.buffer<workspace, 0, [8, 1]>]}
  %0 = gaudi.mme.gemm %g, %g : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK-NEXT: gaudi.mme.gemm %[[N]], %arg0
  %p = gaudi.mme.gemm %0, %w : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK-NEXT: gaudi.copy %[[N]] {{.*}}#gaudi.buffer<persistent, 0, [8, 1]>
  return %0, %p : tensor<8x8xf32>, tensor<8x8xf32>
}
}

// -----

// Two states that read each other: one is written in place, the other copied.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Missed] move-update | Category:gaudi-schedule-ops |{{.*}} Reason="not moved after the last reader of state 0: it reads another state that is updated before that; the copy takes {{[0-9.]+ [num]?s}} on gaudi2"
// CHECK-LABEL: @crossed
func.func @crossed(%a: tensor<8x8xf32> {gaudi.state = 0 : i64}, %b: tensor<8x8xf32> {gaudi.state = 1 : i64}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: %[[A:.*]] = gaudi.mme.gemm %arg0, %arg1 {gaudi.buffers = [#gaudi.buffer<workspace, 0, [8, 1]>]}
  %0 = gaudi.mme.gemm %a, %b : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK: %[[B:.*]] = gaudi.tpc.kernel{{.*}} {gaudi.buffers = [#gaudi.buffer<persistent, 256, [8, 1]>]}
  %1 = gaudi.tpc.kernel (%a, %b) index_space [8, 8] parallel [true, true] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%in0: tensor<8x8xf32>, %in1: tensor<8x8xf32>, %out0: tensor<8x8xf32>):
    %2 = gaudi.kernel.load %in0[d0, d1] : tensor<8x8xf32>
    %3 = gaudi.kernel.load %in1[d0, d1] : tensor<8x8xf32>
    %4 = arith.subf %2, %3 : f32
    gaudi.kernel.store %4, %out0[d0, d1] : tensor<8x8xf32>
  }
  // CHECK: %[[C:.*]] = gaudi.copy %[[A]] {{.*}}#gaudi.buffer<persistent, 0, [8, 1]>
  // CHECK-NEXT: return %[[C]], %[[B]]
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}
}

// -----

// States exchanged, one that does not change, and the old value of one as an
// output of its own.
module attributes {gaudi.device = "gaudi2"} {
// CHECK-LABEL: @exchanged
// CHECK-SAME: gaudi.persistent_bytes = 512 : i64, gaudi.workspace_bytes = 128 : i64
func.func @exchanged(%a: tensor<4xf32> {gaudi.state = 1 : i64}, %b: tensor<4xf32> {gaudi.state = 0 : i64}, %c: tensor<4xf32> {gaudi.state = 2 : i64}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[A:.*]] = gaudi.copy %arg0 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 0, [1]>]}
  // CHECK: %[[B:.*]] = gaudi.copy %arg1 {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<{{.*}}, [1]>]}
  // CHECK: return {{.*}}, %arg2, {{.*}}
  return %a, %b, %c, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
}

// -----

// A kernel that works on rows of the state, whatever its shape: what it writes
// is a reshape of the next value, so there is no copy.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Passed] state | Category:gaudi-alias-buffers | Remark="updated state 0 in place: result 0 is written over it, saving 768 bytes and a copy of {{[0-9.]+ [num]?s}} on gaudi2"
// CHECK-LABEL: @rows
// CHECK-SAME: gaudi.persistent_bytes = 768 : i64, gaudi.workspace_bytes = 0 : i64
func.func @rows(%w: tensor<6x32xf32> {gaudi.state = 0 : i64}) -> tensor<6x32xf32> {
  %0 = gaudi.reshape %w : tensor<6x32xf32> -> tensor<12x16xf32>
  // CHECK: gaudi.tpc.kernel{{.*}} {gaudi.buffers = [#gaudi.buffer<persistent, 0, [16, 1]>]}
  %1 = gaudi.tpc.kernel (%0) index_space [12, 16] parallel [true, false] : (tensor<12x16xf32>) -> tensor<12x16xf32> {
  ^bb0(%in0: tensor<12x16xf32>, %out0: tensor<12x16xf32>):
    gaudi.kernel.loop [1] {
      %3 = gaudi.kernel.load %in0[d0, d1] : tensor<12x16xf32>
      %4 = arith.addf %3, %3 : f32
      gaudi.kernel.store %4, %out0[d0, d1] : tensor<12x16xf32>
      gaudi.kernel.yield
    }
  }
  // CHECK-NOT: gaudi.copy
  %2 = gaudi.reshape %1 : tensor<12x16xf32> -> tensor<6x32xf32>
  // CHECK: return
  return %2 : tensor<6x32xf32>
}
}

// -----

// The new value is read before the last reader of the old one, which does not
// depend on it: that reader comes first, with the op that makes its operand.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Passed] move-update | Category:gaudi-schedule-ops | Remark="moved 4 ops before it, the readers of state 0 and what they need, so that the new value can be written over the old one, saving {{[0-9.]+ [num]?s}} on gaudi2"
// REMARK: remark: [Passed] state | Category:gaudi-alias-buffers | Remark="updated state 0 in place
// CHECK-LABEL: @reader_first
func.func @reader_first(%w: tensor<8x8xf32> {gaudi.donated, gaudi.state = 0 : i64}, %g: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: %[[Q:.*]] = gaudi.mme.gemm %arg1, %arg1 transpose_b
  // CHECK: gaudi.reshape %arg0
  // CHECK-NEXT: %[[V:.*]] = gaudi.reshape
  // CHECK: %[[R:.*]] = gaudi.mme.gemm %[[Q]], %[[V]]
  // CHECK: %[[N:.*]] = gaudi.mme.gemm %arg1, %arg1 {gaudi.buffers = [#gaudi.buffer<persistent, 0, [8, 1]>]}
  // CHECK: %[[P:.*]] = gaudi.mme.gemm %[[N]], %arg1
  // CHECK: return %[[N]], %[[P]], %[[R]]
  %0 = gaudi.mme.gemm %g, %g : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %p = gaudi.mme.gemm %0, %g : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %q = gaudi.mme.gemm %g, %g transpose_b : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %v = gaudi.reshape %w : tensor<8x8xf32> -> tensor<64xf32>
  %u = gaudi.reshape %v : tensor<64xf32> -> tensor<8x8xf32>
  %r = gaudi.mme.gemm %q, %u : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %0, %p, %r : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
}

// -----

// The same, but the reader of the old value needs the next value of another
// state, whose old value the op that makes the first one reads.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Missed] move-update | Category:gaudi-schedule-ops |{{.*}} Reason="not moved after the last reader of state 0: the new value is needed before that; the copy takes {{[0-9.]+ [num]?s}} on gaudi2"
// REMARK: remark: [Passed] state | Category:gaudi-alias-buffers | Remark="updated state 1 in place
// REMARK: remark: [Missed] state | Category:gaudi-alias-buffers |{{.*}} Reason="state 0 not updated in place
// CHECK-LABEL: @other_state
func.func @other_state(%w: tensor<8x8xf32> {gaudi.state = 0 : i64}, %b: tensor<8x8xf32> {gaudi.state = 1 : i64}, %g: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = gaudi.mme.gemm %b, %g : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %p = gaudi.mme.gemm %0, %g : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = gaudi.mme.gemm %g, %g transpose_b : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %r = gaudi.mme.gemm %1, %w : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %0, %1, %p, %r : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
}

// -----

// A donation may not be copied: the other state is.
module attributes {gaudi.device = "gaudi2"} {
// REMARK: remark: [Passed] move-update | Category:gaudi-schedule-ops | Remark="moved 2 ops before it, the readers of state 0 and what they need, so that the new value can be written over the old one, saving {{[0-9.]+ [num]?s}} on gaudi2"
// REMARK: remark: [Missed] state | Category:gaudi-alias-buffers |{{.*}} Reason="state 1 not updated in place
// CHECK-LABEL: @donation_first
func.func @donation_first(%w: tensor<8x8xf32> {gaudi.donated, gaudi.state = 0 : i64}, %b: tensor<8x8xf32> {gaudi.state = 1 : i64}, %g: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: gaudi.mme.gemm %arg1, %arg2 {gaudi.buffers = [#gaudi.buffer<persistent, 0, [8, 1]>]}
  %0 = gaudi.mme.gemm %b, %g : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %p = gaudi.mme.gemm %0, %g : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = gaudi.mme.gemm %g, %g transpose_b : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %r = gaudi.mme.gemm %1, %w : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %0, %1, %p, %r : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
}
