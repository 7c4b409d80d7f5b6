// Attention, its mask, groups of heads, and other ranks than those of gaudi.sdpa.
// RUN: gaudi-opt %s --convert-torch-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --entry=masked --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=grouped --seed-inputs=1 --check --device=gaudi

// CHECK-LABEL: func.func @masked(
// CHECK:       %[[MASK:.*]] = gaudi.reshape %arg3 : tensor<5x7xi1> -> tensor<1x1x5x7xi1>
// CHECK:       gaudi.sdpa
// CHECK-SAME:  %[[MASK]]
func.func @masked(%q: !torch.vtensor<[2,3,5,8],f32>, %k: !torch.vtensor<[2,3,7,8],f32>, %v: !torch.vtensor<[2,3,7,4],f32>, %m: !torch.vtensor<[5,7],i1>) -> !torch.vtensor<[2,3,5,4],f32> {
  %p = torch.constant.float 0.000000e+00
  %false = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %v, %m, %p, %false, %none, %false : !torch.vtensor<[2,3,5,8],f32>, !torch.vtensor<[2,3,7,8],f32>, !torch.vtensor<[2,3,7,4],f32>, !torch.vtensor<[5,7],i1>, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[2,3,5,4],f32>
  return %0 : !torch.vtensor<[2,3,5,4],f32>
}

// CHECK-LABEL: func.func @grouped(
// CHECK:       gaudi.sdpa {{.*}}tensor<2x4x5x8xf32>, tensor<2x2x5x8xf32>
func.func @grouped(%q: !torch.vtensor<[2,4,5,8],f32>, %k: !torch.vtensor<[2,2,5,8],f32>) -> !torch.vtensor<[2,4,5,8],f32> {
  %p = torch.constant.float 0.000000e+00
  %scale = torch.constant.float 2.500000e-01
  %true = torch.constant.bool true
  %none = torch.constant.none
  %0 = torch.aten.scaled_dot_product_attention %q, %k, %k, %none, %p, %true, %scale, %true : !torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,2,5,8],f32>, !torch.vtensor<[2,2,5,8],f32>, !torch.none, !torch.float, !torch.bool, !torch.float, !torch.bool -> !torch.vtensor<[2,4,5,8],f32>
  return %0 : !torch.vtensor<[2,4,5,8],f32>
}

// Without heads, and with two dimensions of images.
// CHECK-LABEL: func.func @ranks(
// CHECK:       gaudi.sdpa {{.*}}tensor<1x5x8xbf16>
// CHECK:       gaudi.sdpa {{.*}}tensor<6x4x5x8xbf16>
func.func @ranks(%a: !torch.vtensor<[5,8],bf16>, %b: !torch.vtensor<[2,3,4,5,8],bf16>) -> (!torch.vtensor<[5,8],bf16>, !torch.vtensor<[2,3,4,5,8],bf16>) {
  %p = torch.constant.float 0.000000e+00
  %false = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.scaled_dot_product_attention %a, %a, %a, %none, %p, %false, %none, %false : !torch.vtensor<[5,8],bf16>, !torch.vtensor<[5,8],bf16>, !torch.vtensor<[5,8],bf16>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[5,8],bf16>
  %1 = torch.aten.scaled_dot_product_attention %b, %b, %b, %none, %p, %false, %none, %false : !torch.vtensor<[2,3,4,5,8],bf16>, !torch.vtensor<[2,3,4,5,8],bf16>, !torch.vtensor<[2,3,4,5,8],bf16>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool -> !torch.vtensor<[2,3,4,5,8],bf16>
  return %0, %1 : !torch.vtensor<[5,8],bf16>, !torch.vtensor<[2,3,4,5,8],bf16>
}
