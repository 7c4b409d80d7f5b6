// The remark on an entry counts in the singular, too.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe="output=%t.recipe" --remarks-filter=gaudi-emit-recipe --remark-policy=all -o /dev/null 2>&1 | FileCheck %s
// CHECK: Remark="1 command (MME 0, TPC 1, DMA 0), 1 kernel for 1 launch, persistent {{[0-9]+}} bytes
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
