// RUN: split-file %s %t
// RUN: not gaudi-opt %t/model.mlir --gaudi-allow-permutation="names=x,z" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not gaudi-opt %t/model.mlir --gaudi-allow-permutation="names=x," 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not gaudi-opt %t/model.mlir --gaudi-allow-permutation="names=x,cache" 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not gaudi-opt %t/model.mlir --gaudi-allow-permutation="names=n" 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not gaudi-opt %t/part.mlir --gaudi-allow-permutation="names=p" 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not gaudi-opt %t/none.mlir --gaudi-allow-permutation="names=p" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gaudi-opt %t/model.mlir --gaudi-compile="allow-permutation=z" 2>&1 | FileCheck %s --check-prefix=NAME

// NAME: error: allow-permutation: no input or output is called 'z'; there are: x, cache, n, out0
// EMPTY: error: allow-permutation: expected names of inputs and outputs, 'inputs', 'outputs' or 'all', but got 'x,'
// SHARED: error: allow-permutation: argument 'cache' of '@main' keeps its order: '@decode' has this state, too, and functions choose orders one by one
// SHARED: note: the other function
// SCALAR: error: allow-permutation: argument 'n' of '@main' keeps its order: it is 'f32', no ranked tensor
// PART: error: allow-permutation: argument 'p' of '@part' keeps its order: the host launches parts of '@part', which choose orders one by one
// NONE: error: allow-permutation: no input or output is called 'p'; there are: none

//--- model.mlir
func.func @main(%x: tensor<2x4xf32> {gaudi.name = "x"}, %c: tensor<2x4xf32> {gaudi.name = "cache", gaudi.state}, %n: f32 {gaudi.name = "n"}) -> tensor<2x4xf32> {
  return %x : tensor<2x4xf32>
}
func.func @decode(%c: tensor<2x4xf32> {gaudi.name = "cache", gaudi.state}) -> tensor<2x4xf32> {
  return %c : tensor<2x4xf32>
}
//--- part.mlir
func.func private @main(tensor<2x4xf32>) -> tensor<2x4xf32> attributes {gaudi.program = [@part]}
func.func @part(%x: tensor<2x4xf32> {gaudi.name = "p", gaudi.parameter = 0 : i64}) -> (tensor<2x4xf32> {gaudi.output = 0 : i64}) attributes {gaudi.part_of = @main} {
  return %x : tensor<2x4xf32>
}
//--- none.mlir
func.func @main() {
  return
}
