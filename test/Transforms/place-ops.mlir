// RUN: gaudi-opt %s --gaudi-place-ops="device=gaudi" | FileCheck %s --check-prefixes=CHECK,GAUDI
// RUN: gaudi-opt %s --gaudi-place-ops -o %t.once
// RUN: FileCheck %s --check-prefixes=CHECK,GAUDI2 < %t.once
// RUN: gaudi-opt %t.once --gaudi-place-ops | diff %t.once -
// RUN: gaudi-opt %t.once --gaudi-place-ops="device=gaudi3" | FileCheck %s --check-prefixes=CHECK,GAUDI3
// RUN: gaudi-opt %s --gaudi-place-ops="device=gaudi3" --remarks-filter=gaudi-place-ops --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// GAUDI:  module attributes {gaudi.device = "gaudi"}
// GAUDI2: module attributes {gaudi.device = "gaudi2"}
// GAUDI3: module attributes {gaudi.device = "gaudi3"}

// CHECK-LABEL: @moves
func.func @moves(%x: tensor<4x8xf32>, %y: tensor<4x8xi64>, %z: tensor<4x8xi8>, %s: tensor<2x8xf32>) {
  // GAUDI:  gaudi.transpose {{.*}} {engine = #gaudi.engine<dma>} : tensor<4x8xf32>
  // GAUDI2: gaudi.transpose {{.*}} {engine = #gaudi.engine<dma>} : tensor<4x8xf32>
  // GAUDI3: gaudi.transpose {{.*}} {engine = #gaudi.engine<mme>} : tensor<4x8xf32>
  // REMARK: place-ops.mlir:[[#@LINE+1]]:8: remark: [Analysis] place | Category:gaudi-place-ops | Remark="placed 'gaudi.transpose' on mme: it takes {{[0-9.]+ [num]?s}} on gaudi3"
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  // Eight bytes are none of the transpose engines' sizes.
  // CHECK: gaudi.transpose {{.*}} {engine = #gaudi.engine<tpc>} : tensor<4x8xi64>
  // REMARK: place-ops.mlir:[[#@LINE+1]]:8: remark: [Analysis] place | Category:gaudi-place-ops | Remark="placed 'gaudi.transpose' on tpc: it takes {{[0-9.]+ [num]?s}} on gaudi3"
  %1 = gaudi.transpose %y permutation [1, 0] : tensor<4x8xi64> -> tensor<8x4xi64>
  // One byte: the TPC on the first generation.
  // GAUDI:  gaudi.transpose {{.*}} {engine = #gaudi.engine<tpc>} : tensor<4x8xi8>
  // GAUDI2: gaudi.transpose {{.*}} {engine = #gaudi.engine<dma>} : tensor<4x8xi8>
  // GAUDI3: gaudi.transpose {{.*}} {engine = #gaudi.engine<mme>} : tensor<4x8xi8>
  %9 = gaudi.transpose %z permutation [1, 0] : tensor<4x8xi8> -> tensor<8x4xi8>
  // GAUDI:  gaudi.broadcast {{.*}} {engine = #gaudi.engine<dma>} : tensor<4x8xf32>
  // GAUDI2: gaudi.broadcast {{.*}} {engine = #gaudi.engine<dma>} : tensor<4x8xf32>
  // GAUDI3: gaudi.broadcast {{.*}} {engine = #gaudi.engine<tpc>} : tensor<4x8xf32>
  %2 = gaudi.broadcast %x dims [1, 2] : tensor<4x8xf32> -> tensor<2x4x8xf32>
  // GAUDI2: gaudi.copy {{.*}} {engine = #gaudi.engine<dma>}
  // GAUDI3: gaudi.copy {{.*}} {engine = #gaudi.engine<tpc>}
  %3 = gaudi.copy %x : tensor<4x8xf32>
  // GAUDI2: gaudi.fill {{.*}} {engine = #gaudi.engine<dma>}
  // GAUDI3: gaudi.fill {{.*}} {engine = #gaudi.engine<tpc>}
  %4 = gaudi.fill 1.0 : f32 : tensor<4x8xf32>
  // GAUDI2: gaudi.concat {{.*}} {engine = #gaudi.engine<dma>}
  // GAUDI3: gaudi.concat {{.*}} {engine = #gaudi.engine<tpc>}
  %5 = gaudi.concat %x, %s axis 0 : tensor<4x8xf32>, tensor<2x8xf32> -> tensor<6x8xf32>
  // GAUDI2: gaudi.insert_slice {{.*}} {engine = #gaudi.engine<dma>}
  // GAUDI3: gaudi.insert_slice {{.*}} {engine = #gaudi.engine<tpc>}
  %6 = gaudi.insert_slice %s into %x offsets [0, 0] strides [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  // Views and kernels have their engine by name.
  // CHECK: gaudi.reshape %{{.*}} : tensor<4x8xf32> -> tensor<32xf32>
  %7 = gaudi.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK: gaudi.tpc.exp %{{.*}} : tensor<4x8xf32>
  %8 = gaudi.tpc.exp %x : tensor<4x8xf32>
  return
}
