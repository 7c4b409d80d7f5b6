// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --check --print=64 --entry=one "--input=3xf32=1.5 -2 3" | FileCheck %s --check-prefix=ONE
// Among one device, as JAX on a CPU.

// CHECK-LABEL: @one
// CHECK-NOT: gaudi.tpc
// CHECK: return %arg0, %arg0, %arg0, %
// ONE: output 'out0': 3xf32 = [1.5{{[0-9.]*}}, -2, 3]
// ONE: output 'out1': 3xf32 = [1.5{{[0-9.]*}}, -2, 3]
// ONE: output 'out2': 3xf32 = [1.5{{[0-9.]*}}, -2, 3]
// ONE: output 'out3': 3xf32 = [{{-?0}}, {{-?0}}, {{-?0}}]
// ONE: output 'out4': u32 = 0
// ONE: output 'out5': u32 = 0
func.func @one(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<ui32>, tensor<ui32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
  %3 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
  %4 = "stablehlo.replica_id"() : () -> tensor<ui32>
  %5 = "stablehlo.partition_id"() : () -> tensor<ui32>
  return %0, %1, %2, %3, %4, %5 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<ui32>, tensor<ui32>
}
