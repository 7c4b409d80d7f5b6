// Kernels that are the same but for their tensors are merged once; what differs
// must stay different.
// RUN: gaudi-opt %s --gaudi-expand-kernels --gaudi-fuse-tpc --mlir-print-local-scope | FileCheck %s
// RUN: gaudi-opt %s --gaudi-expand-kernels --gaudi-fuse-tpc --mlir-print-local-scope --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC
// RUN: gaudi-opt %s --gaudi-compile="device=gaudi2 check-numerics=true" -o %t.mlir

module attributes {gaudi.device = "gaudi2"} {

// LOC-LABEL: @main
// CHECK-LABEL: @main
func.func @main(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>, %b: tensor<1x128xf32>)
    -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<32x128xf32>, tensor<32x128xf32>,
        tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) {
  // CHECK:      label "tpc.add+exp"(%arg0, %arg2)
  // CHECK:      arith.addf
  // CHECK:      math.exp
  // LOC:        arith.addf {{.*}} loc("one")
  // LOC-NEXT:   math.exp {{.*}} loc("one")
  // LOC-NEXT:   gaudi.kernel.store {{.*}} loc("one")
  %0 = gaudi.tpc.add %x, %b : tensor<64x128xf32>, tensor<1x128xf32> -> tensor<64x128xf32>
  %1 = gaudi.tpc.exp %0 : tensor<64x128xf32> loc("one")
  // The same of another tensor.
  // CHECK:      label "tpc.add+exp"(%arg1, %arg2)
  // CHECK:      %[[A:.*]] = gaudi.kernel.load %in0[d0, d1]
  // CHECK-NEXT: %[[B:.*]] = gaudi.kernel.load %in1[0, d1]
  // CHECK-NEXT: arith.addf %[[A]], %[[B]]
  // CHECK-NEXT: math.exp
  // LOC:        arith.addf {{.*}} loc("two")
  // LOC-NEXT:   math.exp {{.*}} loc("two")
  // LOC-NEXT:   gaudi.kernel.store {{.*}} loc("two")
  %2 = gaudi.tpc.add %y, %b : tensor<64x128xf32>, tensor<1x128xf32> -> tensor<64x128xf32>
  %3 = gaudi.tpc.exp %2 : tensor<64x128xf32> loc("two")
  // Once as the sum of two tensors, once of one.
  // CHECK:      label "tpc.neg+add"(%arg0, %arg1)
  // CHECK:      gaudi.kernel.load %in1[
  %4 = gaudi.tpc.neg %x : tensor<64x128xf32>
  %5 = gaudi.tpc.add %4, %y : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  // CHECK:      label "tpc.neg+add"(%arg0)
  // CHECK-NOT:  gaudi.kernel.load %in1[
  %6 = gaudi.tpc.neg %x : tensor<64x128xf32>
  %7 = gaudi.tpc.add %6, %x : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  // Two slices of a result.
  // CHECK:      label "tpc.abs+neg"(%arg0)
  // CHECK-NEXT: ^bb0(
  // CHECK-NEXT: gaudi.kernel.load %in0[d0, d1]
  %8 = gaudi.tpc.abs %x : tensor<64x128xf32>
  %9 = gaudi.slice %8 offsets [0, 0] strides [1, 1] : tensor<64x128xf32> -> tensor<32x128xf32>
  %10 = gaudi.tpc.neg %9 : tensor<32x128xf32>
  // CHECK:      label "tpc.abs+neg"(%arg0)
  // CHECK-NEXT: ^bb0(
  // CHECK-NEXT: gaudi.kernel.load %in0[d0 + 32, d1]
  %11 = gaudi.slice %8 offsets [32, 0] strides [1, 1] : tensor<64x128xf32> -> tensor<32x128xf32>
  %12 = gaudi.tpc.neg %11 : tensor<32x128xf32>
  // Constants of different values.
  // CHECK:      label "tpc.mul+abs"(%arg0)
  // CHECK:      arith.constant 2.000000e+00
  %two = gaudi.constant dense<2.0> : tensor<64x128xf32>
  %13 = gaudi.tpc.mul %x, %two : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %14 = gaudi.tpc.abs %13 : tensor<64x128xf32>
  // CHECK:      label "tpc.mul+abs"(%arg0)
  // CHECK:      arith.constant 3.000000e+00
  %three = gaudi.constant dense<3.0> : tensor<64x128xf32>
  %15 = gaudi.tpc.mul %x, %three : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %16 = gaudi.tpc.abs %15 : tensor<64x128xf32>
  return %1, %3, %5, %10, %12, %14, %16, %7 : tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>,
      tensor<32x128xf32>, tensor<32x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>
}
}
