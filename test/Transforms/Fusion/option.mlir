// RUN: gaudi-opt %s --gaudi-compile=stop-after=kernels | FileCheck %s --check-prefix=ON
// RUN: gaudi-opt %s --gaudi-compile="stop-after=kernels fuse=false" | FileCheck %s --check-prefix=OFF

// ON: label "tpc.neg+abs"
// OFF: label "tpc.neg"
// OFF: label "tpc.abs"
func.func @main(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = gaudi.tpc.neg %x : tensor<64x128xf32>
  %1 = gaudi.tpc.abs %0 : tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
