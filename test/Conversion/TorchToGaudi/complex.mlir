// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex arguments, results and constants are pairs of their parts.
// RUN: gaudi-opt --convert-torch-to-gaudi --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[X:.*]]: tensor<3x2xf32>) -> tensor<3x2xf32>
func.func @product(%x: !torch.vtensor<[3],complex<f32>>) -> !torch.vtensor<[3],complex<f32>> {
  %c = torch.vtensor.literal(dense<[(1.0, 2.0), (3.0, -4.0), (0.0, 5.0)]> : tensor<3xcomplex<f32>>) : !torch.vtensor<[3],complex<f32>>
  // CHECK: gaudi.slice %[[X]] offsets [0, 0]
  // CHECK: gaudi.slice %[[X]] offsets [0, 1]
  // CHECK: gaudi.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, -4.000000e+00], [0.000000e+00, 5.000000e+00]]>
  // CHECK-NOT: complex
  // CHECK: gaudi.concat {{.*}} axis 1
  %r = torch.operator "torch.aten.mul.Tensor"(%x, %c) : (!torch.vtensor<[3],complex<f32>>, !torch.vtensor<[3],complex<f32>>) -> !torch.vtensor<[3],complex<f32>>
  return %r : !torch.vtensor<[3],complex<f32>>
}

// -----

// CHECK-LABEL: func.func @halves(
// CHECK-SAME: %[[X:.*]]: tensor<4x2xf16>) -> (tensor<2xf16>, tensor<2x2xf16>)
func.func @halves(%x: !torch.vtensor<[4],complex<f16>>) -> (!torch.vtensor, !torch.vtensor) {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %1 = torch.operator "torch.aten.split.Tensor"(%x, %two, %zero) : (!torch.vtensor<[4],complex<f16>>, !torch.int, !torch.int) -> !torch.list<vtensor>
  %2:2 = torch.prim.ListUnpack %1 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
  // CHECK-NOT: torch.
  %r = torch.operator "torch.aten.abs"(%2#0) : (!torch.vtensor) -> !torch.vtensor
  return %r, %2#1 : !torch.vtensor, !torch.vtensor
}
