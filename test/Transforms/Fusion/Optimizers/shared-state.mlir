// Two results that read one momentum: only one step can make it.
// RUN: gaudi-opt %s --gaudi-fuse-optimizers --remarks-filter=gaudi-fuse-optimizers --remark-policy=all 2>&1 | FileCheck %s
// RUN: gaudi-run %s --entry main --seed-inputs 1 --check
// RUN: gaudi-run %s --entry negative --seed-inputs 1 --check

// CHECK: another fused step computes one of its new states
// CHECK: its momentum is negative
// CHECK-LABEL: @main
// CHECK: gaudi.fused_sgd
// CHECK-NOT: gaudi.fused_sgd
func.func @main(%p: tensor<2x129xf32>, %g: tensor<2x129xf32>) -> (tensor<2x129xf32>, tensor<2x129xf32>, tensor<2x129xf32>) {
  %scale = gaudi.constant dense<1.5> : tensor<2x129xf32>
  %rate = gaudi.constant dense<0.5> : tensor<2x129xf32>
  %decay = gaudi.constant dense<0.472656> : tensor<2x129xf32>
  %sum = gaudi.tpc.add %p, %g : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %m = gaudi.tpc.mul %sum, %decay : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %d = gaudi.tpc.mul %m, %rate : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %new = gaudi.tpc.sub %p, %d : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %scaled = gaudi.tpc.mul %new, %scale : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %both = gaudi.tpc.add %scaled, %p : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  return %m, %new, %both : tensor<2x129xf32>, tensor<2x129xf32>, tensor<2x129xf32>
}

// A step with that momentum is not fused; another one of the same values is.
// CHECK-LABEL: @negative
// CHECK-NOT: momentum = -
func.func @negative(%p: tensor<2x129xf32>, %g: tensor<2x129xf32>) -> (tensor<2x129xf32>, tensor<2x129xf32>, tensor<2x129xf32>) {
  %scale = gaudi.constant dense<1.5> : tensor<2x129xf32>
  %rate = gaudi.constant dense<0.5> : tensor<2x129xf32>
  %decay = gaudi.constant dense<-0.472656> : tensor<2x129xf32>
  %sum = gaudi.tpc.add %p, %g : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %m = gaudi.tpc.mul %sum, %decay : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %d = gaudi.tpc.mul %m, %rate : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %new = gaudi.tpc.sub %p, %d : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %scaled = gaudi.tpc.mul %new, %scale : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  %both = gaudi.tpc.add %scaled, %p : tensor<2x129xf32>, tensor<2x129xf32> -> tensor<2x129xf32>
  return %m, %new, %both : tensor<2x129xf32>, tensor<2x129xf32>, tensor<2x129xf32>
}
