// The device's own ops: each becomes the op of its name, and computes what that does.
// (Of the others random operands have no meaning: bridge/tests/test_hpex.py runs them.)
// RUN: gaudi-opt %s --convert-torch-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --entry=attention --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=lengths --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=dropped --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=rounded --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=eight_bits --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=sgd --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=plain_sgd --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=ema --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=clip --seed-inputs=1 --check

// CHECK-LABEL: func.func @attention(
// CHECK:       gaudi.sdpa %arg0, %arg1, %arg2 mask %arg3 scale 5.000000e-01
// CHECK-SAME:  <statistics>
func.func @attention(%arg0: !torch.vtensor<[2,4,5,8],f32>, %arg1: !torch.vtensor<[2,2,7,8],f32>, %arg2: !torch.vtensor<[2,2,7,8],f32>, %arg3: !torch.vtensor<[1,1,1,7],i1>) -> (!torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,4,5,1],f32>, !torch.vtensor<[2,4,5,1],f32>) {
  %1 = torch.constant.none
  %2 = torch.constant.float 0x3FE0000000000000
  %3 = torch.constant.bool false
  %4 = torch.constant.float 0xC1CDCD6500000000
  %5 = torch.constant.float 0x0000000000000000
  %6 = torch.constant.int 1
  %7 = torch.operator "torch.gaudi.sdpa"(%arg0, %arg1, %arg2, %arg3, %1, %1, %1, %2, %3, %3, %4, %5, %3, %6) : (!torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.vtensor<[1,1,1,7],i1>, !torch.none, !torch.none, !torch.none, !torch.float, !torch.bool, !torch.bool, !torch.float, !torch.float, !torch.bool, !torch.int) -> !torch.list<vtensor>
  %8, %9, %10 = torch.prim.ListUnpack %7 : !torch.list<vtensor> -> !torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,4,5,1],f32>, !torch.vtensor<[2,4,5,1],f32>
  return %8, %9, %10 : !torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,4,5,1],f32>, !torch.vtensor<[2,4,5,1],f32>
}

// CHECK-LABEL: func.func @lengths(
// CHECK:       gaudi.sdpa %arg0, %arg1, %arg2 lengths %arg3 scale 5.000000e-01 causal
// CHECK-SAME:  <left>
// CHECK-SAME:  <fast>
func.func @lengths(%arg0: !torch.vtensor<[2,4,5,8],f32>, %arg1: !torch.vtensor<[2,2,7,8],f32>, %arg2: !torch.vtensor<[2,2,7,8],f32>, %arg3: !torch.vtensor<[2],si32>) -> (!torch.vtensor<[2,4,5,8],f32>) {
  %1 = torch.constant.none
  %2 = torch.constant.float 0x3FE0000000000000
  %3 = torch.constant.bool true
  %4 = torch.constant.float 0xC1CDCD6500000000
  %5 = torch.constant.float 0x0000000000000000
  %6 = torch.constant.int 0
  %7 = torch.operator "torch.gaudi.sdpa"(%arg0, %arg1, %arg2, %1, %arg3, %1, %1, %2, %3, %3, %4, %5, %3, %6) : (!torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.none, !torch.vtensor<[2],si32>, !torch.none, !torch.none, !torch.float, !torch.bool, !torch.bool, !torch.float, !torch.float, !torch.bool, !torch.int) -> !torch.list<vtensor>
  %8 = torch.prim.ListUnpack %7 : !torch.list<vtensor> -> !torch.vtensor<[2,4,5,8],f32>
  return %8 : !torch.vtensor<[2,4,5,8],f32>
}

// CHECK-LABEL: func.func @dropped(
// CHECK:       gaudi.sdpa %arg0, %arg1, %arg2 seed %arg3
// CHECK-SAME:  <probabilities>
func.func @dropped(%arg0: !torch.vtensor<[2,4,5,8],f32>, %arg1: !torch.vtensor<[2,2,7,8],f32>, %arg2: !torch.vtensor<[2,2,7,8],f32>, %arg3: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,4,5,7],f32>, !torch.vtensor<[2,4,5,7],si8>) {
  %1 = torch.constant.none
  %2 = torch.constant.float 0x3FE0000000000000
  %3 = torch.constant.bool false
  %4 = torch.constant.float 0xC1CDCD6500000000
  %5 = torch.constant.float 0x3FD0000000000000
  %6 = torch.constant.int 2
  %7 = torch.operator "torch.gaudi.sdpa"(%arg0, %arg1, %arg2, %1, %1, %1, %arg3, %2, %3, %3, %4, %5, %3, %6) : (!torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.none, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.float, !torch.bool, !torch.bool, !torch.float, !torch.float, !torch.bool, !torch.int) -> !torch.list<vtensor>
  %8, %9, %10 = torch.prim.ListUnpack %7 : !torch.list<vtensor> -> !torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,4,5,7],f32>, !torch.vtensor<[2,4,5,7],si8>
  return %8, %9, %10 : !torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,4,5,7],f32>, !torch.vtensor<[2,4,5,7],si8>
}

// CHECK-LABEL: func.func @rounded(
// CHECK:       %[[EVEN:.*]] = gaudi.tpc.round_to %arg0 <nearest_even> saturate 2.400000e+02 : tensor<4x8xf32> -> tensor<4x8xf8E4M3FN>
// CHECK:       %[[RANDOM:.*]] = gaudi.tpc.round_to %arg0 random %arg1 <stochastic> flush saturate 5.734400e+04 : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4x8xf8E5M2>
// CHECK:       return %[[EVEN]], %[[RANDOM]]
func.func @rounded(%arg0: !torch.vtensor<[4,8],f32>, %arg1: !torch.vtensor<[4,8],si32>) -> (!torch.vtensor<[4,8],f8E4M3FN>, !torch.vtensor<[4,8],f8E5M2>) {
  %1 = torch.constant.none
  %2 = torch.constant.int 24
  %3 = torch.constant.int 23
  %4 = torch.constant.float 0x406E000000000000
  %5 = torch.constant.float 0x40EC000000000000
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %6 = torch.operator "torch.gaudi.round_to"(%arg0, %1, %2, %4, %false) : (!torch.vtensor<[4,8],f32>, !torch.none, !torch.int, !torch.float, !torch.bool) -> !torch.vtensor<[4,8],f8E4M3FN>
  %7 = torch.operator "torch.gaudi.round_to"(%arg0, %arg1, %3, %5, %true) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],si32>, !torch.int, !torch.float, !torch.bool) -> !torch.vtensor<[4,8],f8E5M2>
  return %6, %7 : !torch.vtensor<[4,8],f8E4M3FN>, !torch.vtensor<[4,8],f8E5M2>
}

// CHECK-LABEL: func.func @eight_bits(
// CHECK:       gaudi.sdpa %arg0, %arg1, %arg2 d_scale_q %arg3 q_scale_s %arg3 q_scale_o %arg3
// CHECK-SAME:  <statistics> amax_s amax_o
// CHECK-SAME:  -> (tensor<2x4x5x8xf8E4M3FN>, tensor<2x4x5x1xbf16>, tensor<2x4x5x1xbf16>, tensor<f32>, tensor<f32>)
func.func @eight_bits(%arg0: !torch.vtensor<[2,4,5,8],f8E4M3FN>, %arg1: !torch.vtensor<[2,2,7,8],f8E4M3FN>, %arg2: !torch.vtensor<[2,2,7,8],f8E4M3FN>, %arg3: !torch.vtensor<[1],f32>) -> (!torch.vtensor<[2,4,5,8],f8E4M3FN>, !torch.vtensor<[2,4,5,1],bf16>, !torch.vtensor<[2,4,5,1],bf16>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) {
  %1 = torch.constant.none
  %2 = torch.constant.float 0x3FE0000000000000
  %3 = torch.constant.bool false
  %4 = torch.constant.float 0xC1CDCD6500000000
  %5 = torch.constant.float 0x0000000000000000
  %6 = torch.constant.int 1
  %7 = torch.constant.bool true
  %8 = torch.operator "torch.gaudi.fp8_sdpa"(%arg0, %arg1, %arg2, %1, %1, %1, %1, %2, %3, %3, %4, %5, %3, %6, %arg3, %1, %1, %arg3, %arg3, %1, %7, %7) : (!torch.vtensor<[2,4,5,8],f8E4M3FN>, !torch.vtensor<[2,2,7,8],f8E4M3FN>, !torch.vtensor<[2,2,7,8],f8E4M3FN>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.float, !torch.bool, !torch.bool, !torch.float, !torch.float, !torch.bool, !torch.int, !torch.vtensor<[1],f32>, !torch.none, !torch.none, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.none, !torch.bool, !torch.bool) -> !torch.list<vtensor>
  %9, %10, %11, %12, %13 = torch.prim.ListUnpack %8 : !torch.list<vtensor> -> !torch.vtensor<[2,4,5,8],f8E4M3FN>, !torch.vtensor<[2,4,5,1],bf16>, !torch.vtensor<[2,4,5,1],bf16>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>
  return %9, %10, %11, %12, %13 : !torch.vtensor<[2,4,5,8],f8E4M3FN>, !torch.vtensor<[2,4,5,1],bf16>, !torch.vtensor<[2,4,5,1],bf16>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>
}

// CHECK-LABEL: func.func @gradient(
// CHECK:       gaudi.sdpa_grad
// CHECK-SAME:  mask
// CHECK-SAME:  m %
// CHECK-SAME:  linv %
func.func @gradient(%arg0: !torch.vtensor<[2,4,5,8],f32>, %arg1: !torch.vtensor<[2,4,5,8],f32>, %arg2: !torch.vtensor<[2,2,7,8],f32>, %arg3: !torch.vtensor<[2,2,7,8],f32>, %arg4: !torch.vtensor<[7],f32>, %arg5: !torch.vtensor<[2,4,5,1],f32>, %arg6: !torch.vtensor<[2,4,5,1],f32>) -> (!torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.vtensor<[2,2,7,8],f32>) {
  %1 = torch.constant.none
  %2 = torch.constant.float 0x3FE0000000000000
  %3 = torch.constant.bool false
  %4 = torch.constant.float 0xC1CDCD6500000000
  %5 = torch.constant.float 0x0000000000000000
  %6 = torch.operator "torch.gaudi.sdpa_grad"(%arg0, %arg1, %arg2, %arg3, %1, %arg4, %1, %1, %1, %arg5, %arg6, %1, %2, %3, %3, %4, %5, %3) : (!torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.none, !torch.vtensor<[7],f32>, !torch.none, !torch.none, !torch.none, !torch.vtensor<[2,4,5,1],f32>, !torch.vtensor<[2,4,5,1],f32>, !torch.none, !torch.float, !torch.bool, !torch.bool, !torch.float, !torch.float, !torch.bool) -> !torch.list<vtensor>
  %7, %8, %9 = torch.prim.ListUnpack %6 : !torch.list<vtensor> -> !torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.vtensor<[2,2,7,8],f32>
  return %7, %8, %9 : !torch.vtensor<[2,4,5,8],f32>, !torch.vtensor<[2,2,7,8],f32>, !torch.vtensor<[2,2,7,8],f32>
}

// CHECK-LABEL: func.func @adamw(
// CHECK:       gaudi.fused_adamw
// CHECK-SAME:  beta1 = 9.000000e-01
func.func @adamw(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[5],f32>, %arg2: !torch.vtensor<[3,4],f32>, %arg3: !torch.vtensor<[5],f32>, %arg4: !torch.vtensor<[3,4],f32>, %arg5: !torch.vtensor<[5],f32>, %arg6: !torch.vtensor<[3,4],f32>, %arg7: !torch.vtensor<[5],f32>, %arg8: !torch.vtensor<[1],f32>, %arg9: !torch.vtensor<[1],f32>, %arg10: !torch.vtensor<[1],f32>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) {
  %1 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %2 = torch.prim.ListConstruct %arg2, %arg3 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %3 = torch.prim.ListConstruct %arg4, %arg5 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %4 = torch.prim.ListConstruct %arg6, %arg7 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %5 = torch.constant.float 0x3FECCCCCCCCCCCCD
  %6 = torch.constant.float 0x3FEFAE147AE147AE
  %7 = torch.operator "torch.gaudi.fused_adamw"(%1, %2, %3, %4, %arg8, %arg9, %arg10, %5, %6) : (!torch.list<vtensor>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.float, !torch.float) -> !torch.list<vtensor>
  %8, %9, %10, %11, %12, %13 = torch.prim.ListUnpack %7 : !torch.list<vtensor> -> !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
  return %8, %9, %10, %11, %12, %13 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
}

// CHECK-LABEL: func.func @sgd(
// CHECK:       gaudi.fused_sgd
// CHECK-SAME:  first_step
// CHECK-SAME:  nesterov
func.func @sgd(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[5],f32>, %arg2: !torch.vtensor<[3,4],f32>, %arg3: !torch.vtensor<[5],f32>, %arg4: !torch.vtensor<[3,4],f32>, %arg5: !torch.vtensor<[5],f32>, %arg6: !torch.vtensor<[1],f32>, %arg7: !torch.vtensor<[1],i1>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) {
  %1 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %2 = torch.prim.ListConstruct %arg2, %arg3 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %3 = torch.prim.ListConstruct %arg4, %arg5 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %4 = torch.constant.float 0x3FECCCCCCCCCCCCD
  %5 = torch.constant.float 0x0000000000000000
  %6 = torch.constant.float 0x3FB999999999999A
  %7 = torch.constant.bool true
  %8 = torch.operator "torch.gaudi.fused_sgd"(%1, %2, %3, %arg6, %arg7, %4, %5, %6, %7) : (!torch.list<vtensor>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],i1>, !torch.float, !torch.float, !torch.float, !torch.bool) -> !torch.list<vtensor>
  %9, %10, %11, %12 = torch.prim.ListUnpack %8 : !torch.list<vtensor> -> !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
  return %9, %10, %11, %12 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
}

// CHECK-LABEL: func.func @plain_sgd(
// CHECK:       gaudi.fused_sgd
func.func @plain_sgd(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[5],f32>, %arg2: !torch.vtensor<[3,4],f32>, %arg3: !torch.vtensor<[5],f32>, %arg4: !torch.vtensor<[1],f32>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) {
  %1 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %2 = torch.prim.ListConstruct %arg2, %arg3 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %3 = torch.prim.ListConstruct  : () -> !torch.list<vtensor>
  %4 = torch.constant.none
  %5 = torch.constant.float 0x0000000000000000
  %6 = torch.constant.bool false
  %7 = torch.operator "torch.gaudi.fused_sgd"(%1, %2, %3, %arg4, %4, %5, %5, %5, %6) : (!torch.list<vtensor>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.vtensor<[1],f32>, !torch.none, !torch.float, !torch.float, !torch.float, !torch.bool) -> !torch.list<vtensor>
  %8, %9 = torch.prim.ListUnpack %7 : !torch.list<vtensor> -> !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
  return %8, %9 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
}

// CHECK-LABEL: func.func @adagrad(
// CHECK:       gaudi.fused_adagrad
func.func @adagrad(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[5],f32>, %arg2: !torch.vtensor<[3,4],f32>, %arg3: !torch.vtensor<[5],f32>, %arg4: !torch.vtensor<[3,4],f32>, %arg5: !torch.vtensor<[5],f32>, %arg6: !torch.vtensor<[1],f32>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) {
  %1 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %2 = torch.prim.ListConstruct %arg2, %arg3 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %3 = torch.prim.ListConstruct %arg4, %arg5 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %4 = torch.constant.float 0x3DDB7CDFD9D7BDBB
  %5 = torch.constant.float 0x0000000000000000
  %6 = torch.operator "torch.gaudi.fused_adagrad"(%1, %2, %3, %arg6, %4, %5) : (!torch.list<vtensor>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.vtensor<[1],f32>, !torch.float, !torch.float) -> !torch.list<vtensor>
  %7, %8, %9, %10 = torch.prim.ListUnpack %6 : !torch.list<vtensor> -> !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
  return %7, %8, %9, %10 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
}

// CHECK-LABEL: func.func @lamb(
// CHECK:       gaudi.fused_lamb
// CHECK-SAME:  grad_averaging
func.func @lamb(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[5],f32>, %arg2: !torch.vtensor<[3,4],f32>, %arg3: !torch.vtensor<[5],f32>, %arg4: !torch.vtensor<[3,4],f32>, %arg5: !torch.vtensor<[5],f32>, %arg6: !torch.vtensor<[3,4],f32>, %arg7: !torch.vtensor<[5],f32>, %arg8: !torch.vtensor<[1],f32>, %arg9: !torch.vtensor<[1],f32>, %arg10: !torch.vtensor<[1],f32>, %arg11: !torch.vtensor<[1],f32>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) {
  %1 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %2 = torch.prim.ListConstruct %arg2, %arg3 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %3 = torch.prim.ListConstruct %arg4, %arg5 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %4 = torch.prim.ListConstruct %arg6, %arg7 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %5 = torch.constant.float 0x3FECCCCCCCCCCCCD
  %6 = torch.constant.float 0x3FEFAE147AE147AE
  %7 = torch.constant.float 0x3EB0C6F7A0B5ED8D
  %8 = torch.constant.float 0x3F847AE147AE147B
  %9 = torch.constant.bool true
  %10 = torch.constant.bool false
  %11 = torch.operator "torch.gaudi.fused_lamb"(%1, %2, %3, %4, %arg8, %arg9, %arg10, %arg11, %5, %6, %7, %8, %9, %10) : (!torch.list<vtensor>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.float, !torch.float, !torch.float, !torch.float, !torch.bool, !torch.bool) -> !torch.list<vtensor>
  %12, %13, %14, %15, %16, %17 = torch.prim.ListUnpack %11 : !torch.list<vtensor> -> !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
  return %12, %13, %14, %15, %16, %17 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
}

// CHECK-LABEL: func.func @ema(
// CHECK:       gaudi.fused_ema values(%arg2, %arg3) averages(%arg0, %arg1)
func.func @ema(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[5],f32>, %arg2: !torch.vtensor<[3,4],f32>, %arg3: !torch.vtensor<[5],f32>, %arg4: !torch.vtensor<[1],f32>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) {
  %1 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %2 = torch.prim.ListConstruct %arg2, %arg3 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %3 = torch.operator "torch.gaudi.fused_ema"(%1, %2, %arg4) : (!torch.list<vtensor>, !torch.list<vtensor>, !torch.vtensor<[1],f32>) -> !torch.list<vtensor>
  %4, %5 = torch.prim.ListUnpack %3 : !torch.list<vtensor> -> !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
  return %4, %5 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>
}

// CHECK-LABEL: func.func @clip(
// CHECK:       gaudi.fused_clip_norm
func.func @clip(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[5],f32>, %arg2: !torch.vtensor<[1],f32>) -> (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>) {
  %1 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>) -> !torch.list<vtensor>
  %2 = torch.constant.float 0x3EB0C6F7A0B5ED8D
  %3 = torch.operator "torch.gaudi.fused_clip_norm"(%1, %arg2, %2) : (!torch.list<vtensor>, !torch.vtensor<[1],f32>, !torch.float) -> !torch.list<vtensor>
  %4, %5, %6, %7 = torch.prim.ListUnpack %3 : !torch.list<vtensor> -> !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>
  return %4, %5, %6, %7 : !torch.vtensor<[3,4],f32>, !torch.vtensor<[5],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>
}
