// State in recipes: the tensor is an input of class state, and the output that
// replaces it a view on it, so that both have their names.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe=output=%t.recipe -o /dev/null
// RUN: gaudi-run %t.recipe --verify
// RUN: gaudi-run %t.recipe --dump | FileCheck %s

// CHECK: section @0 persistent 512 bytes
// CHECK: tensor %0 "w" state @0+0 f32[4] loc
// CHECK: tensor %1 "x" input @0+128 f32[4] loc
// CHECK: tensor %2 "same" state @0+256 f32[2] loc
// CHECK: tensor %3 "loss" output @0+384 f32[] loc
// CHECK: tensor %4 "new" output @0+0 f32[4] alias %0 loc
// CHECK: tensor %5 "out2" output @0+256 f32[2] alias %2 loc
// CHECK: entry "main" (%0, %1, %2) -> (%4, %3, %5)
// CHECK: launch 0 (%0, %1) -> (%3, %4)
func.func @main(%w: tensor<4xf32> {gaudi.name = "w", jax.buffer_donor = true},
                %x: tensor<4xf32> {gaudi.name = "x"},
                %s: tensor<2xf32> {gaudi.name = "same", gaudi.state = 2 : i64})
    -> (tensor<4xf32> {gaudi.name = "new"}, tensor<f32> {gaudi.name = "loss"}, tensor<2xf32>) {
  %0 = gaudi.tpc.sub %w, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [0] : tensor<4xf32> -> tensor<f32>
  return %0, %1, %s : tensor<4xf32>, tensor<f32>, tensor<2xf32>
}
