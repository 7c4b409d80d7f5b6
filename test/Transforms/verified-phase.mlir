// A phase that was verified is verified again once a pass changed the module.
// RUN: not gaudi-opt %s --pass-pipeline="builtin.module(gaudi-verify-phase{phase=schedule},symbol-dce,gaudi-alias-buffers)" -o /dev/null 2>&1 | FileCheck %s
// RUN: gaudi-opt %s --pass-pipeline="builtin.module(gaudi-verify-phase{phase=schedule},gaudi-alias-buffers)" -o /dev/null
// CHECK: error: after phase 'schedule': the module has no function with a body

module attributes {gaudi.device = "gaudi2"} {
  func.func private @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = gaudi.tpc.kernel label "a"(%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
      %2 = gaudi.kernel.load %in0[d0] : tensor<4xf32>
      gaudi.kernel.store %2, %out0[d0] : tensor<4xf32>
    }
    return %0 : tensor<4xf32>
  }
}
