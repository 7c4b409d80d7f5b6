// Functions that share a state agree about its order.
// RUN: not gaudi-opt %s --gaudi-compile --gaudi-emit-recipe=output=%t.recipe -o /dev/null 2>&1 | FileCheck %s

// CHECK: error: state 'memory' has type 'tensor<4x4xf32>', but is stored in another order in another function; give them different names
// CHECK: note: the other one, of type 'tensor<4x4xf32>'
func.func @first(%m: tensor<4x4xf32> {gaudi.name = "memory", gaudi.state, gaudi.permutation = array<i64: 1, 0>}) -> tensor<4x4xf32> {
  %0 = gaudi.tpc.exp %m : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @second(%m: tensor<4x4xf32> {gaudi.name = "memory", gaudi.state}) -> tensor<4x4xf32> {
  %0 = gaudi.tpc.exp %m : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
