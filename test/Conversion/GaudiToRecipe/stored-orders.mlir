// Tensors that are stored in another order than their callers have: arguments,
// results, states with the outputs that replace them, and variables, which read
// a constant in the caller's order by strides.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe=output=%t.recipe -o /dev/null
// RUN: gaudi-run %t.recipe --dump | FileCheck %s
// RUN: gaudi-run %t.recipe --dump-constants > %t.txt
// RUN: gaudi-run %t.recipe --verify | FileCheck %s --check-prefix=VERIFY
// RUN: gaudi-run %t.recipe -i "2x3x4xf32=0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23" -i "2x3xf32=1 2 3 4 5 6" --print=24 | FileCheck %s --check-prefix=VALUES

// VERIFY: is a valid recipe

// CHECK-DAG: "x" input @0+[[#]] f32[3,4,2] perm[1,2,0]
// CHECK-DAG: "w" state @0+[[#]] f32[3,2] perm[1,0]
// CHECK-DAG: tensor %[[V:[0-9]+]] "v" state @0+[[#]] f32[3,2] perm[1,0] initial %[[STORED:[0-9]+]]
// CHECK-DAG: "y" output @0+[[#]] f32[3,4,2] perm[1,2,0]
// CHECK-DAG: "new_w" output @0+[[#]] f32[3,2] perm[1,0] alias
// CHECK-DAG: tensor %[[STORED]] "v.initial.stored" const @1+[[AT:[0-9]+]] f32[3,2] strides[1,3] alias %[[WHOLE:[0-9]+]]
// CHECK-DAG: tensor %[[WHOLE]] "v.initial" const @1+[[AT]] f32[2,3]

// Doubled in the stored order, shown in the caller's.
// VALUES: output 'y': 2x3x4xf32 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46]
// VALUES: output 'new_w': 2x3xf32 = [11, 22, 33, 44, 55, 66]
// VALUES: output 'raw': 3x2xf32 = [10, 40, 20, 50, 30, 60]
func.func @main(%x: tensor<3x4x2xf32> {gaudi.name = "x", gaudi.permutation = array<i64: 1, 2, 0>},
                %w: tensor<3x2xf32> {gaudi.name = "w", gaudi.state = 1 : i64, gaudi.permutation = array<i64: 1, 0>},
                %v: tensor<3x2xf32> {gaudi.variable = "v", gaudi.state, gaudi.permutation = array<i64: 1, 0>,
                                     gaudi.initial = dense<[[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]]> : tensor<2x3xf32>})
    -> (tensor<3x4x2xf32> {gaudi.name = "y", gaudi.permutation = array<i64: 1, 2, 0>},
        tensor<3x2xf32> {gaudi.name = "new_w", gaudi.permutation = array<i64: 1, 0>},
        tensor<3x2xf32> {gaudi.name = "raw"}) {
  %0 = gaudi.tpc.add %x, %x : tensor<3x4x2xf32>, tensor<3x4x2xf32> -> tensor<3x4x2xf32>
  %1 = gaudi.tpc.add %w, %v : tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x2xf32>
  return %0, %1, %v : tensor<3x4x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
