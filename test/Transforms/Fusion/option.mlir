// RUN: gaudi-opt %s --gaudi-compile=stop-after=kernels | FileCheck %s --check-prefix=ON
// RUN: gaudi-opt %s --gaudi-compile="stop-after=kernels fuse=false" | FileCheck %s --check-prefix=OFF
// RUN: gaudi-opt %s --gaudi-compile="stop-after=kernels disable-fusion=tpc,sdpa" | FileCheck %s --check-prefix=OFF
// RUN: gaudi-opt %s --gaudi-compile="stop-after=kernels disable-fusion=sdpa require-fusion=sdpa:0,layer_norm:0" | FileCheck %s --check-prefix=ON
// RUN: not gaudi-opt %s --gaudi-compile="disable-fusion=flash" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not gaudi-opt %s --gaudi-compile="require-fusion=sdpa" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not gaudi-opt %s --gaudi-compile="require-fusion=layer_norm:2" 2>&1 | FileCheck %s --check-prefix=NONE

// ON: label "tpc.neg+abs"
// OFF: label "tpc.neg"
// OFF: label "tpc.abs"

// NAME: gaudi-compile: disable-fusion: unknown fusion 'flash'; expected some of sdpa, adamw, sgd, clip_norm, batch_norm, tpc
// NUMBER: gaudi-compile: require-fusion: expected KIND:NUMBER, such as sdpa:12, but got 'sdpa'
// NONE: error: require-fusion asks for 2 fused candidates of 'layer_norm' but 0 of 0 candidates are fused
func.func @main(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = gaudi.tpc.neg %x : tensor<64x128xf32>
  %1 = gaudi.tpc.abs %0 : tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
