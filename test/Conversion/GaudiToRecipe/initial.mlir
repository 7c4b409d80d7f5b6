// Any function that shares a state may say how it begins.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe=output=%t.recipe -o /dev/null
// RUN: gaudi-run %t.recipe --dump | FileCheck %s
// RUN: gaudi-run %t.recipe --entry=first | FileCheck %s --check-prefix=FIRST

// CHECK: tensor %0 "v" state @0+0 f32[2] initial %[[INITIAL:[0-9]+]]
// CHECK: tensor %[[INITIAL]] "v.initial" const
// FIRST: output 'out0': 2xf32 = [4, 6]
func.func @first(%v: tensor<2xf32> {gaudi.variable = "v", gaudi.state = 1 : i64}) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = gaudi.tpc.add %v, %v : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return %0, %0 : tensor<2xf32>, tensor<2xf32>
}

func.func @second(%v: tensor<2xf32> {gaudi.variable = "v", gaudi.state, gaudi.initial = dense<[2.0, 3.0]> : tensor<2xf32>}) -> tensor<2xf32> {
  %0 = gaudi.tpc.exp %v : tensor<2xf32>
  return %0 : tensor<2xf32>
}
