// A kernel may name what it would pad with; windows that never leave their
// tensor have no padded dimension in the recipe.
// RUN: gaudi-run %s --input="1x2x2x1xi8=1 2 3 4" | FileCheck %s

// CHECK: 'out0': 1x1x1x1xi8 = [16]
// CHECK: 'out1': 1x2x2x1xi32 = [8, 10, 12, 14]
func.func @main(%x: tensor<1x2x2x1xi8>) -> (tensor<1x1x1x1xi8>, tensor<1x2x2x1xi32>) {
  %iz = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %w = "tosa.const"() <{values = dense<2> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
  %b = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.avg_pool2d %x, %iz, %oz {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x1xi8>
  %1 = tosa.conv2d %x, %w, %b, %iz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xi8>, tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x1xi32>
  return %0, %1 : tensor<1x1x1x1xi8>, tensor<1x2x2x1xi32>
}
