// Results that are collapsed from two padded dimensions, and a reshape that moves
// elements, also in variants that are derived from another one.
// RUN: gaudi-run %s --shape=arg0:b=1..6,n=1..9 --buckets=exponential:6/1 --sizes=b=3,n=7 --seed-inputs=1 --check --poison-padding | FileCheck %s
// RUN: gaudi-run %s --shape=arg0:b=1..6,n=1..9 --buckets=b,n=6x9 --sizes=b=5,n=2 --seed-inputs=1 --check --poison-padding | FileCheck %s
// CHECK: --check passed: 3 outputs within tolerance

func.func @main(%x: tensor<?x?x4xf32>) -> (tensor<?xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x4xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x4xf32>
  %flat = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x?x4xf32> into tensor<?xf32>
  %shape = tensor.from_elements %n, %b, %c4 : tensor<3xindex>
  %swapped = tensor.reshape %x(%shape) : (tensor<?x?x4xf32>, tensor<3xindex>) -> tensor<?x?x4xf32>
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  return %flat, %swapped, %rows : tensor<?xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>
}
