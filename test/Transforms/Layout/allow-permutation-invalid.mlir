// RUN: split-file %s %t
// RUN: not gaudi-opt %t/model.mlir --gaudi-allow-permutation="names=x,z" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not gaudi-opt %t/model.mlir --gaudi-allow-permutation="names=x," 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not gaudi-opt %t/model.mlir --gaudi-allow-permutation="names=x,cache" 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not gaudi-opt %t/model.mlir --gaudi-allow-permutation="names=n" 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not gaudi-opt %t/part.mlir --gaudi-allow-permutation="names=p" 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not gaudi-opt %t/none.mlir --gaudi-allow-permutation="names=p" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gaudi-opt %t/model.mlir --gaudi-compile="allow-permutation=z" 2>&1 | FileCheck %s --check-prefix=NAME

// RUN: not gaudi-opt %t/called.mlir --gaudi-allow-permutation="names=rows" 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: not gaudi-opt %t/written.mlir --gaudi-place-permutations 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: gaudi-opt %t/called.mlir --gaudi-allow-permutation --gaudi-place-permutations | FileCheck %s --check-prefix=ALL

// NAME: error: option 'allow-permutation': no input or output is called 'z'; there are: x, cache, n, out0
// EMPTY: error: option 'allow-permutation': expected names of inputs and outputs, 'inputs', 'outputs' or 'all', but got 'x,'
// SHARED: error: option 'allow-permutation': argument 'cache' of '@main' keeps its order: '@decode' has this state, too, and functions choose orders one by one
// SHARED: note: the other function
// SCALAR: error: option 'allow-permutation': argument 'n' of '@main' keeps its order: it is 'f32', no ranked tensor
// PART: error: option 'allow-permutation': argument 'p' of '@part' keeps its order: the host launches parts of '@part', which choose orders one by one
// CALLED: error: option 'allow-permutation': argument 'rows' of '@inner' keeps its order: a call passes its tensors as they are written
// CALLED: called.mlir:6:8: note: the call
// WRITTEN: error: argument 0 has 'gaudi.allow_permutation', but a call passes tensors of '@inner' as they are written; remove the attribute, or inline the call
// WRITTEN: written.mlir:6:8: note: the call
// ALL: func.func @inner(%arg0: tensor<2x4xf32> {gaudi.name = "rows"}) -> tensor<4x2xf32>
// ALL: func.func @main(%arg0: tensor<2x4xf32> {gaudi.allow_permutation}) -> (tensor<4x2xf32> {gaudi.allow_permutation})
// NONE: error: option 'allow-permutation': no input or output is called 'p'; there are: none

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
//--- called.mlir
func.func @inner(%x: tensor<2x4xf32> {gaudi.name = "rows"}) -> tensor<4x2xf32> {
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
func.func @main(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = func.call @inner(%x) : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
//--- written.mlir
func.func @inner(%x: tensor<2x4xf32> {gaudi.allow_permutation}) -> tensor<4x2xf32> {
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
func.func @main(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = func.call @inner(%x) : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
