// Records of permutations go from the module into the recipe; what makes no
// sense is left out.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe="output=%t.recipe" -o /dev/null
// RUN: gaudi-run --dump %t.recipe | FileCheck %s

// CHECK: recipe 1.4
// CHECK: location [[LOC:[0-9]+]] "model.mlir:3:8"
// CHECK: region "main" transposes 2 -> 1 bytes 64 -> 32 picoseconds 900 -> 500 bound 400 ops 7 loc [[LOC]] {
// CHECK-NEXT:   transpose kept "kept: transpose" bytes 32 picoseconds 450 loc [[LOC]]
// CHECK-NEXT:   transpose removed "removed"
// CHECK-NEXT:   op "argument x"
// CHECK-NEXT:   op "mme.gemm" order [1, 0] loc [[LOC]]
// CHECK-NEXT:   op ""
// CHECK-NEXT:   edge 0 -> 1 transpose 0
// CHECK-NEXT:   edge 1 -> 2
// CHECK-NEXT: }
// CHECK-NEXT: region "" transposes 0 -> 0 bytes 0 -> 0 picoseconds 0 -> 0 bound 0 ops 0 incomplete {
// CHECK-NEXT: }
module attributes {gaudi.permutations = [
    {entry = "main", loc = loc("model.mlir":3:8), ops_in_all = 7 : i64, transposes_before = 2 : i64,
     transposes_after = 1 : i64, bytes_before = 64 : i64, bytes_after = 32 : i64, picoseconds_before = 900 : i64,
     picoseconds_after = 500 : i64, lower_bound = 400 : i64, complete = true,
     transposes = [{remains = true, loc = loc("model.mlir":3:8), bytes = 32 : i64, picoseconds = 450 : i64,
                    text = "kept: transpose"},
                   {remains = "no", bytes = 7 : i8, text = "removed"}],
     ops = [{name = "argument x"}, {name = "mme.gemm", order = array<i64: 1, 0>, loc = loc("model.mlir":3:8)},
            {name = 5 : i64, order = array<i64: 1, 1>}],
     edges = array<i32: 0, 1, 0, 1, 2, -1, 2, 2, -1, 1, 3, -1, 0, 2, 2, -1, 2, -1, 1>},
    "no record"]} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = gaudi.tpc.add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
