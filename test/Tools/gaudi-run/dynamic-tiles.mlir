// A tensor of fixed size that is repeated a dynamic number of times: all copies
// are real elements.
// RUN: gaudi-run %s --buckets=4,8 --compile-only -o %t.recipe
// RUN: gaudi-run %t.recipe --poison-padding --repeat=3 "--input=2xf32=1 2" "--input=3xf32=0" | FileCheck %s
// CHECK: output 'out0': 6xf32 = [1, 2, 1, 2, 1, 2]
// CHECK: output 'out1': 1xf32 = [9]
func.func @main(%x: tensor<2xf32>, %y: tensor<?xf32> {gaudi.dims = ["n=1..8"]}) -> (tensor<?xf32>, tensor<1xf32>) {
  %times = tosa.dim %y {axis = 0 : i32} : (tensor<?xf32>) -> !tosa.shape<1>
  %r = tosa.tile %x, %times : (tensor<2xf32>, !tosa.shape<1>) -> tensor<?xf32>
  %sum = tosa.reduce_sum %r {axis = 0 : i32} : (tensor<?xf32>) -> tensor<1xf32>
  return %r, %sum : tensor<?xf32>, tensor<1xf32>
}
