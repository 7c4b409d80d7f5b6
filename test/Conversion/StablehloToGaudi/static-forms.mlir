// RUN: gaudi-run %s --check --print=64 --entry=dynamic "--input=2x3xf32=1 2 3 4 5 6" "--input=f32=9" "--input=2xi64=0 0" | FileCheck %s --check-prefix=DYNAMIC
// RUN: gaudi-run %s --check --print=64 --entry=select_index "--input=2x3x2xf32=1 2 3 4 5 6 7 8 9 10 11 12" "--input=2x2xi32=2 0 1 1" | FileCheck %s --check-prefix=SELECT-INDEX
// The expected values are those of JAX on the ops that are written here.

// Operands that are constants are attributes; shapes are those of the results.
// DYNAMIC: output 'out0': 3x2xf32 = [1, 2, 3, 4, 5, 6]
// DYNAMIC: output 'out1': 2x2x3xf32 = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]
// DYNAMIC: output 'out2': 4xi32 = [0, 1, 2, 3]
// DYNAMIC: output 'out3': 3x4xf32 = [9, 9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9]
// DYNAMIC: output 'out4': 1x2xf32 = [5, 6]
func.func @dynamic(%x: tensor<2x3xf32>, %p: tensor<f32>, %s: tensor<2xi64>) -> (tensor<3x2xf32>, tensor<2x2x3xf32>, tensor<4xi32>, tensor<3x4xf32>, tensor<1x2xf32>) {
  %low = "stablehlo.constant"() <{value = dense<[1, 0]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %high = "stablehlo.constant"() <{value = dense<[0, 1]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %none = "stablehlo.constant"() <{value = dense<0> : tensor<2xi64>}> : () -> tensor<2xi64>
  %ones = "stablehlo.constant"() <{value = dense<1> : tensor<2xi64>}> : () -> tensor<2xi64>
  %ends = "stablehlo.constant"() <{value = dense<[2, 3]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %new = "stablehlo.constant"() <{value = dense<[3, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %wide = "stablehlo.constant"() <{value = dense<[2, 2, 3]> : tensor<3xi64>}> : () -> tensor<3xi64>
  %four = "stablehlo.constant"() <{value = dense<4> : tensor<1xi64>}> : () -> tensor<1xi64>
  %0 = "stablehlo.dynamic_reshape"(%x, %new) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %1 = "stablehlo.dynamic_broadcast_in_dim"(%x, %wide) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x2x3xf32>
  %2 = "stablehlo.dynamic_iota"(%four) <{iota_dimension = 0 : i64}> : (tensor<1xi64>) -> tensor<4xi32>
  %3 = "stablehlo.dynamic_pad"(%x, %p, %low, %high, %none) : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x4xf32>
  %4 = "stablehlo.real_dynamic_slice"(%x, %ones, %ends, %ones) : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x2xf32>
  return %0, %1, %2, %3, %4 : tensor<3x2xf32>, tensor<2x2x3xf32>, tensor<4xi32>, tensor<3x4xf32>, tensor<1x2xf32>
}

// SELECT-INDEX: output 'out0': 2x2x2xf32 = [5, 6, 1, 2, 9, 10, 9, 10]
func.func @select_index(%x: tensor<2x3x2xf32>, %i: tensor<2x2xi32>) -> tensor<2x2x2xf32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 1 : i64, batch_dims = 1 : i64}> : (tensor<2x3x2xf32>, tensor<2x2xi32>) -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}
