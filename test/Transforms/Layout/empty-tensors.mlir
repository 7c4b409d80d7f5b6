// A transpose of no elements is none: neither kept nor counted.
// RUN: gaudi-opt %s --gaudi-place-permutations --remarks-filter=gaudi-place-permutations --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s

// CHECK-NOT: keep-transpose
// CHECK: placed permutations in 1 region: 0 transposes instead of 0, 0 B instead of 0 B
func.func @empty(%x: tensor<3x0xf32>) -> tensor<2x0x3xf32> {
  %0 = gaudi.reshape %x : tensor<3x0xf32> -> tensor<3x2x0xf32>
  %1 = gaudi.transpose %0 permutation [1, 2, 0] : tensor<3x2x0xf32> -> tensor<2x0x3xf32>
  return %1 : tensor<2x0x3xf32>
}
