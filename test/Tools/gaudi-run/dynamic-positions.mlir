// Tables of dynamic size read at positions that are data: a mask of attention,
// as torch-mlir writes it, reads one at a range. The range has no extent of its
// own, and past the real elements of the table a position would stop the
// launch. Values by PyTorch.
// RUN: gaudi-run %s --buckets=4,8 --compile-only -o %t.recipe
// RUN: gaudi-run %t.recipe --poison-padding --repeat=3 "--input=5xf32=1 2 3 4 5" | FileCheck %s
// RUN: gaudi-run %t.recipe --poison-padding --repeat=3 "--input=8xf32=1 2 3 4 5 6 7 8" | FileCheck %s --check-prefix=FULL
// CHECK: output 'out0': 5xf32 = [1, 2, 3, 4, 5]
// CHECK: output 'out1': 5xf32 = [5, 4, 3, 2, 1]
// FULL: output 'out0': 8xf32 = [1, 2, 3, 4, 5, 6, 7, 8]
// FULL: output 'out1': 8xf32 = [8, 7, 6, 5, 4, 3, 2, 1]
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<?xf32> {gaudi.dims = ["n=1..8"]}) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %numbers = tensor.empty(%n) : tensor<?xi64>
  %range = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%numbers : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %at = arith.index_cast %i : index to i64
    linalg.yield %at : i64
  } -> tensor<?xi64>
  %to = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%range : tensor<?xi64>) outs(%to : tensor<?xf32>) {
  ^bb0(%in: i64, %o: f32):
    %isNegative = arith.cmpi slt, %in, %zero : i64
    %fromEnd = arith.addi %in, %n64 : i64
    %at = arith.select %isNegative, %fromEnd, %in : i64
    %index = arith.index_cast %at : i64 to index
    %element = tensor.extract %x[%index] : tensor<?xf32>
    linalg.yield %element : f32
  } -> tensor<?xf32>
  %last = arith.subi %n, %c1 : index
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%to : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = arith.subi %last, %i : index
    %element = tensor.extract %x[%at] : tensor<?xf32>
    linalg.yield %element : f32
  } -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
