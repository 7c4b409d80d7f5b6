// Records of fusion go from the module into the recipe; what is no record, or
// of no known kind, is left out.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe="output=%t.recipe" -o /dev/null
// RUN: gaudi-run --dump %t.recipe | FileCheck %s

// CHECK: recipe 1.3
// CHECK: location [[LOC:[0-9]+]] "model.mlir:3:8"
// CHECK: fusion "adamw" fused "fused AdamW of 148 parameters" members 148 bytes_saved 4096 picoseconds_saved 1250{{$}}
// CHECK-NEXT: fusion "layer_norm" missed "not fused layer norm: its mean is read elsewhere" picoseconds_saved -7 loc [[LOC]]
// CHECK-NEXT: fusion "rope" missed ""{{$}}
// CHECK-NOT: fusion
module attributes {gaudi.fusions = [
    {kind = "adamw", fused = true, text = "fused AdamW of 148 parameters", members = 148 : i64,
     bytes_saved = 4096 : i64, picoseconds_saved = 1250 : i64},
    {kind = "layer_norm", fused = false, text = "not fused layer norm: its mean is read elsewhere",
     loc = loc("model.mlir":3:8), picoseconds_saved = -7 : i64},
    {kind = "rope", fused = "yes", members = 2 : i8},
    {kind = "Origami", fused = true},
    "no record"]} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = gaudi.tpc.add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
