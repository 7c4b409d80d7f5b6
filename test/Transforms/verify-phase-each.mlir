// What a later phase promises is no error of an earlier one.
// RUN: gaudi-opt %s --gaudi-verify-phase="phase=import" -o /dev/null
// RUN: not gaudi-opt %s --gaudi-verify-phase="phase=graph" -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: gaudi-opt %s --gaudi-place-ops --gaudi-verify-phase="phase=graph" -o /dev/null
// RUN: not gaudi-opt %s --gaudi-place-ops --gaudi-verify-phase="phase=kernels" -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: gaudi-opt %s --gaudi-place-ops --gaudi-expand-kernels --gaudi-verify-phase="phase=kernels" -o /dev/null
// RUN: gaudi-opt %s --gaudi-place-ops --gaudi-expand-kernels --gaudi-schedule-ops --gaudi-verify-phase="phase=schedule" -o /dev/null
// RUN: not gaudi-opt %s --gaudi-place-ops --gaudi-expand-kernels --gaudi-schedule-ops --gaudi-verify-phase="phase=memory" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: gaudi-opt %s --gaudi-place-ops --gaudi-expand-kernels --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-verify-phase="phase=memory" -o /dev/null
// RUN: not gaudi-opt %s --gaudi-verify-phase="phase=link" -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// GRAPH: verify-phase-each.mlir:[[#@LINE+6]]:8: error: after phase 'graph': 'gaudi.transpose' has no engine; run gaudi-place-ops first
// KERNELS: verify-phase-each.mlir:[[#@LINE+6]]:8: error: after phase 'kernels': 'gaudi.tpc.exp' remains; expected its kernel
// MEMORY: verify-phase-each.mlir:[[#@LINE+7]]:3: error: after phase 'memory': output 1 has no buffer of its own
// UNKNOWN: error: unknown phase 'link'; expected import, fuse, graph, kernels, schedule or memory

func.func @main(%x: tensor<4x8xf32>) -> (tensor<32xf32>, tensor<4x8xf32>) {
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %1 = gaudi.tpc.exp %0 : tensor<8x4xf32>
  %2 = gaudi.reshape %1 : tensor<8x4xf32> -> tensor<32xf32>
  return %2, %x : tensor<32xf32>, tensor<4x8xf32>
}
