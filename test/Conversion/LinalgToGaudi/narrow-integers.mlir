// Integers of widths that the device does not have, in wider types.
// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --remarks-filter=convert-linalg-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-run %s --entry=weights "--input=1x4xf32=1 2 3 4" "--input=2xf32=0.5 10" --check | FileCheck %s --check-prefix=WEIGHTS
// RUN: gaudi-run %s --entry=wraps "--input=4xi8=7 -8 3 -1" --check | FileCheck %s --check-prefix=WRAPS
// RUN: gaudi-run %s --entry=unsigned "--input=4xi8=7 -8 3 -1" --check | FileCheck %s --check-prefix=UNSIGNED
// RUN: gaudi-run %s --entry=widths "--input=3xi64=140737488355327 -140737488355328 5" --check | FileCheck %s --check-prefix=WIDTHS
// RUN: gaudi-run %s --entry=moves "--input=2x2xi8=-8 7 1 -1" --input=i8=-3 --check | FileCheck %s --check-prefix=MOVES

// Weights of 4 bits with a scale for each column, as quantized language models
// have them: (7 - 16 - 3 + 0) * 0.5 and (-8 + 2 + 6 + 28) * 10.
// CHECK-LABEL: func.func @weights(
// CHECK: gaudi.constant dense<{{.*}}> : tensor<4x2xi8>
// WEIGHTS: 1x2xf32 = [-6, 280]
// REMARK: narrow-integers.mlir:[[#@LINE+1]]:{{.*}}stored integers of widths that the device does not have in the next wider type
func.func @weights(%x: tensor<1x4xf32>, %scale: tensor<2xf32>) -> tensor<1x2xf32> {
  %w = arith.constant dense<[[7, -8], [-8, 1], [-1, 2], [0, 7]]> : tensor<4x2xi4>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %scale : tensor<4x2xi4>, tensor<2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%v: i4, %s: f32, %o: f32):
    %wide = arith.extsi %v : i4 to i32
    %f = arith.sitofp %wide : i32 to f32
    %r = arith.mulf %f, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x2xf32>
  %e1 = tensor.empty() : tensor<1x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x2xf32>) -> tensor<1x2xf32>
  %0 = linalg.matmul ins(%x, %d : tensor<1x4xf32>, tensor<4x2xf32>) outs(%f : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// Sums and products leave 4 bits and wrap: 7 + 7 = -2, -8 * -8 = 0.
// CHECK-LABEL: func.func @wraps(
// CHECK-SAME: tensor<4xi8>
// WRAPS: output 'out0': 4xi8 = [-2, 0, 6, -2]
// WRAPS: output 'out1': 4xi8 = [1, 0, -7, 1]
// WRAPS: output 'out2': 4xi8 = [-4, 0, -4, -4]
func.func @wraps(%x: tensor<4xi4>) -> (tensor<4xi4>, tensor<4xi4>, tensor<4xi4>) {
  %two = arith.constant 2 : i4
  %e = tensor.empty() : tensor<4xi4>
  %0 = linalg.add ins(%x, %x : tensor<4xi4>, tensor<4xi4>) outs(%e : tensor<4xi4>) -> tensor<4xi4>
  %1 = linalg.mul ins(%x, %x : tensor<4xi4>, tensor<4xi4>) outs(%e : tensor<4xi4>) -> tensor<4xi4>
  %2 = linalg.map ins(%x : tensor<4xi4>) outs(%e : tensor<4xi4>) (%v: i4, %o: i4) {
    %s = arith.shli %v, %two : i4
    linalg.yield %s : i4
  }
  return %0, %1, %2 : tensor<4xi4>, tensor<4xi4>, tensor<4xi4>
}

// The same bits without a sign: 7, 8, 3, 15.
// UNSIGNED: output 'out0': 4xf32 = [7, 8, 3, 15]
// UNSIGNED: output 'out1': 4xi32 = [2, 2, 1, 5]
// UNSIGNED: output 'out2': 4xi1 = [0, 1, 0, 1]
// UNSIGNED: output 'out3': 4xi8 = [7, 7, 3, 7]
func.func @unsigned(%x: tensor<4xi4>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi4>) {
  %three = arith.constant 3 : i4
  %seven = arith.constant 7 : i4
  %e0 = tensor.empty() : tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xi32>
  %e2 = tensor.empty() : tensor<4xi1>
  %e3 = tensor.empty() : tensor<4xi4>
  %0 = linalg.map ins(%x : tensor<4xi4>) outs(%e0 : tensor<4xf32>) (%v: i4, %o: f32) {
    %f = arith.uitofp %v : i4 to f32
    linalg.yield %f : f32
  }
  %1 = linalg.map ins(%x : tensor<4xi4>) outs(%e1 : tensor<4xi32>) (%v: i4, %o: i32) {
    %d = arith.divui %v, %three : i4
    %w = arith.extui %d : i4 to i32
    linalg.yield %w : i32
  }
  %2 = linalg.map ins(%x : tensor<4xi4>) outs(%e2 : tensor<4xi1>) (%v: i4, %o: i1) {
    %c = arith.cmpi ugt, %v, %seven : i4
    linalg.yield %c : i1
  }
  %3 = linalg.map ins(%x : tensor<4xi4>) outs(%e3 : tensor<4xi4>) (%v: i4, %o: i4) {
    %c = arith.minui %v, %seven : i4
    linalg.yield %c : i4
  }
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi4>
}

// 48 bits wrap, 24 and 20 bits share the wider type, of which each keeps its
// own: 0xfffff is -1 in 20 bits and 1048575 from them without a sign.
// WIDTHS: output 'out0': 3xi64 = [-140737488355328, -140737488355327, 6]
// WIDTHS: output 'out1': 3xi32 = [1048575, 0, 5]
// WIDTHS: output 'out2': 3xi32 = [-1, 0, 5]
func.func @widths(%x: tensor<3xi48>) -> (tensor<3xi48>, tensor<3xi32>, tensor<3xi32>) {
  %one = arith.constant 1 : i48
  %e = tensor.empty() : tensor<3xi48>
  %n = tensor.empty() : tensor<3xi32>
  %0 = linalg.map ins(%x : tensor<3xi48>) outs(%e : tensor<3xi48>) (%v: i48, %o: i48) {
    %s = arith.addi %v, %one : i48
    linalg.yield %s : i48
  }
  %1 = linalg.map ins(%x : tensor<3xi48>) outs(%n : tensor<3xi32>) (%v: i48, %o: i32) {
    %t = arith.trunci %v : i48 to i20
    %u = arith.extui %t : i20 to i24
    %w = arith.extui %u : i24 to i32
    linalg.yield %w : i32
  }
  %2 = linalg.map ins(%x : tensor<3xi48>) outs(%n : tensor<3xi32>) (%v: i48, %o: i32) {
    %t = arith.trunci %v : i48 to i20
    %u = arith.extsi %t : i20 to i24
    %w = arith.extsi %u : i24 to i32
    linalg.yield %w : i32
  }
  return %0, %1, %2 : tensor<3xi48>, tensor<3xi32>, tensor<3xi32>
}

// MOVES: output 'out0': 2x2xi8 = [-8, 1, 7, -1]
// MOVES: output 'out1': 6xi8 = [5, -8, 7, 1, -1, 5]
// MOVES: output 'out2': i8 = -6
func.func @moves(%x: tensor<2x2xi4>, %s: i4) -> (tensor<2x2xi4>, tensor<6xi4>, i4) {
  %five = arith.constant 5 : i4
  %e = tensor.empty() : tensor<2x2xi4>
  %0 = linalg.transpose ins(%x : tensor<2x2xi4>) outs(%e : tensor<2x2xi4>) permutation = [1, 0]
  %1 = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xi4> into tensor<4xi4>
  %2 = tensor.pad %1 low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %five : i4
  } : tensor<4xi4> to tensor<6xi4>
  %3 = arith.addi %s, %s : i4
  return %0, %2, %3 : tensor<2x2xi4>, tensor<6xi4>, i4
}
