// RUN: gaudi-opt %s --convert-tosa-to-gaudi --remarks-filter=convert-tosa-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

func.func @placed_on_tpc(%a: tensor<1x4x8xi8>, %b: tensor<1x8x4xi8>) -> tensor<1x4x4xi32> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // CHECK: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] place-on-mme | Category:convert-tosa-to-gaudi | Remark="integer product placed on the TPC: the MME multiplies floats only"
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x4x8xi8>, tensor<1x8x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4xi32>
  return %0 : tensor<1x4x4xi32>
}

func.func @conv(%x: tensor<1x4x4x3xi8>, %w: tensor<2x1x1x3xi8>, %b: tensor<2xi32>) -> tensor<1x4x4x2xi32> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // CHECK: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] place-on-mme | Category:convert-tosa-to-gaudi | Remark="integer product placed on the TPC: the MME multiplies floats only"
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x3xi8>, tensor<2x1x1x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  return %0 : tensor<1x4x4x2xi32>
}

func.func @both_branches(%c: tensor<i1>, %x: tensor<i32>) -> tensor<i32> {
  // CHECK: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] select-branches | Category:convert-tosa-to-gaudi | Remark="evaluated both branches (1 ops); the condition selects the results"
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<i32> {
    %1 = tosa.add %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %1 : tensor<i32>
  } else {
    tosa.yield %x : tensor<i32>
  }
  return %0 : tensor<i32>
}
