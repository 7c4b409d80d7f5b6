// What torch-mlir writes for gather (with its assertions on indices), stack (a
// concatenation that is divided again) and nearest upsampling (lengths in
// floats), with dynamic sizes. Values by PyTorch.
// RUN: gaudi-run %s --buckets=n,m=4x2,8x6 --compile-only -o %t.recipe
// RUN: gaudi-run %t.recipe --poison-padding --repeat=3 "--input=3xf32=1 2 3" "--input=2xi64=2 0" | FileCheck %s
// RUN: gaudi-run %t.recipe --poison-padding --repeat=3 "--input=5xf32=1 2 3 4 5" "--input=3xi64=4 4 1" | FileCheck %s --check-prefix=LARGE
// CHECK: output 'out0': 2xf32 = [3, 1]
// CHECK: output 'out1': 2x3xf32 = [1, 2, 3, 1, 2, 3]
// CHECK: output 'out2': 6xf32 = [1, 1, 2, 2, 3, 3]
// LARGE: output 'out0': 3xf32 = [5, 5, 2]
// LARGE: output 'out1': 2x5xf32 = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
// LARGE: output 'out2': 10xf32 = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]

// An index past the real elements stops the launch, though it is in the bucket.
// RUN: not gaudi-run %t.recipe "--input=3xf32=1 2 3" "--input=2xi64=3 0" 2>&1 | FileCheck %s --check-prefix=PAST
// PAST: is out of bounds for dimension 0 of "x"
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<?xf32> {gaudi.name = "x", gaudi.dims = ["n=1..8"]}, %at: tensor<?xi64> {gaudi.dims = ["m=1..6"]}) -> (tensor<?xf32>, tensor<2x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %two = arith.constant 2.0 : f32
  %half = arith.constant 0.5 : f32
  %c2 = arith.constant 2 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %at, %c0 : tensor<?xi64>
  %n64 = arith.index_cast %n : index to i64
  %to = tensor.empty(%m) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%at : tensor<?xi64>) outs(%to : tensor<?xf32>) {
  ^bb0(%in: i64, %o: f32):
    %index = arith.index_cast %in : i64 to index
    %isBelow = arith.cmpi slt, %index, %n : index
    cf.assert %isBelow, "index must be smaller than dim size"
    %isPositive = arith.cmpi sge, %in, %zero : i64
    cf.assert %isPositive, "index must be larger or equal to 0"
    %element = tensor.extract %x[%index] : tensor<?xf32>
    linalg.yield %element : f32
  } -> tensor<?xf32>
  %joined = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %shape = tensor.from_elements %c2, %n64 : tensor<2xi64>
  %1 = tensor.reshape %joined(%shape) : (tensor<?xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  %whole = arith.sitofp %n64 : i64 to f32
  %twice = arith.mulf %whole, %two : f32
  %length = math.floor %twice : f32
  %count64 = arith.fptosi %length : f32 to i64
  %count = arith.index_cast %count64 : i64 to index
  %large = tensor.empty(%count) : tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%large : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %i64 = arith.index_cast %i : index to i64
    %f = arith.sitofp %i64 : i64 to f32
    %scaled = arith.mulf %f, %half : f32
    %down = math.floor %scaled : f32
    %from64 = arith.fptosi %down : f32 to i64
    %from = arith.index_cast %from64 : i64 to index
    %element = tensor.extract %x[%from] : tensor<?xf32>
    linalg.yield %element : f32
  } -> tensor<?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<2x?xf32>, tensor<?xf32>
}
