// RUN: gaudi-opt %s --gaudi-compile="stop-after=import" | FileCheck %s --check-prefix=IMPORT
// RUN: gaudi-opt %s --gaudi-compile="stop-after=graph device=gaudi3" | FileCheck %s --check-prefix=GRAPH
// RUN: gaudi-opt %s --gaudi-compile="stop-after=kernels" | FileCheck %s --check-prefix=KERNELS
// RUN: gaudi-opt %s --gaudi-compile="stop-after=schedule" | FileCheck %s --check-prefix=SCHEDULE
// RUN: gaudi-opt %s --gaudi-compile="stop-after=memory" -o %t.memory
// RUN: FileCheck %s --check-prefix=MEMORY < %t.memory
// RUN: gaudi-opt %s --gaudi-compile | diff %t.memory -
// RUN: gaudi-opt %s --gaudi-compile="device=gaudi" | FileCheck %s --check-prefix=MEMORY
// RUN: gaudi-opt %s --gaudi-compile="device=gaudi3" | FileCheck %s --check-prefix=MEMORY
// RUN: gaudi-opt %s --gaudi-compile="check-numerics=true seed=7" | diff %t.memory -
// RUN: not gaudi-opt %s --gaudi-compile="device=gaudi4" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not gaudi-opt %s --gaudi-compile="stop-after=link" 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not gaudi-opt %s --gaudi-compile="devices=gaudi" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not gaudi-opt %s --gaudi-compile="seed=often" 2>&1 | FileCheck %s --check-prefix=VALUE

// DEVICE: gaudi-compile: unknown device "gaudi4", expected one of "gaudi", "gaudi2", "gaudi3"
// PHASE: gaudi-compile: unknown phase 'link'; expected shapes, import, fuse, graph, kernels, schedule or memory
// VALUE: error: gaudi-compile: what the line above says of '--NAME' is about an option of it; options are written NAME=VALUE with blanks between them: --gaudi-compile="device=gaudi3 stop-after=import"
// OPTION: error: gaudi-compile: no option is called 'devices'; did you mean 'device'?

// IMPORT-NOT: gaudi.device
// IMPORT: gaudi.tpc.pad
// IMPORT: gaudi.transpose %{{.*}} permutation [2, 1, 0] : tensor<3x4x3xf32> -> tensor<3x4x3xf32>
// IMPORT: gaudi.mme.conv
// IMPORT: gaudi.tpc.exp

// GRAPH: gaudi.device = "gaudi3"
// GRAPH-NOT: gaudi.tpc.pad
// GRAPH-NOT: permutation [2, 1, 0]
// GRAPH: gaudi.mme.conv %arg0, %arg1 layout "NWC", "OIW", "NWC" strides [1] dilations [1] pad [1], [1]
// GRAPH-NOT: gaudi.transpose
// GRAPH: gaudi.tpc.kernel label "tpc.exp"

// KERNELS: gaudi.mme.conv
// KERNELS: gaudi.tpc.kernel label "tpc.exp"
// KERNELS-NOT: gaudi.copy

// SCHEDULE: gaudi.tpc.kernel label "tpc.exp"
// SCHEDULE-NOT: gaudi.copy
// SCHEDULE-NOT: gaudi.buffer
// SCHEDULE: gaudi.reshape
// SCHEDULE-NEXT: return

// MEMORY: gaudi.buffer = #gaudi.buffer<persistent, 0, [32, 4, 1]>
// MEMORY: gaudi.workspace_bytes
// MEMORY: gaudi.mme.conv {{.*}}gaudi.buffers = [#gaudi.buffer<workspace, 0, [24, 3, 1]>]
// MEMORY: gaudi.tpc.kernel {{.*}}gaudi.buffers = [#gaudi.buffer<persistent, {{[0-9]+}}, [24, 8, 1]>]
// MEMORY: gaudi.reshape {{.*}}gaudi.buffers = [#gaudi.buffer<persistent, {{[0-9]+}}, [1]>]
func.func @main(%x: tensor<1x8x4xf32>, %w: tensor<3x4x3xf32>) -> tensor<24xf32> {
  %p = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 0.0 : f32 : tensor<1x8x4xf32> -> tensor<1x10x4xf32>
  %t = gaudi.transpose %w permutation [2, 1, 0] : tensor<3x4x3xf32> -> tensor<3x4x3xf32>
  %0 = gaudi.mme.conv %p, %t layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x10x4xf32>, tensor<3x4x3xf32> -> tensor<1x8x3xf32>
  %1 = gaudi.transpose %0 permutation [0, 2, 1] : tensor<1x8x3xf32> -> tensor<1x3x8xf32>
  %2 = gaudi.tpc.exp %1 : tensor<1x3x8xf32>
  %3 = gaudi.reshape %2 : tensor<1x3x8xf32> -> tensor<24xf32>
  return %3 : tensor<24xf32>
}
