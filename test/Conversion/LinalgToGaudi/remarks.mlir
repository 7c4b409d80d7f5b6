// RUN: gaudi-opt %s --convert-linalg-to-gaudi --remarks-filter=convert-linalg-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// What is raised, what is not and why.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @assertions(%ids: tensor<3xi64>, %table: tensor<100x16xf32>) -> tensor<3x16xf32> {
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0 : i64
  %true = arith.constant true
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:3: remark: [Passed] drop-assert | Category:convert-linalg-to-gaudi | Remark="assertion "always" dropped: its condition is always true"
  cf.assert %true, "always"
  %e = tensor.empty() : tensor<3x16xf32>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] raise | Category:convert-linalg-to-gaudi | Remark="raised to gaudi.tpc.gather"
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<3xi64>) outs(%e : tensor<3x16xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %below = arith.cmpi slt, %i, %c100 : index
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:5: remark: [Passed] drop-assert | Category:convert-linalg-to-gaudi | Remark="assertion "too large" dropped: the bounds check of the gather it guards is as strict"
    cf.assert %below, "too large"
    %above = arith.cmpi sge, %id, %zero : i64
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:5: remark: [Passed] drop-assert | Category:convert-linalg-to-gaudi | Remark="assertion "too small" dropped: the bounds check of the gather it guards is as strict"
    cf.assert %above, "too small"
    %v = tensor.extract %table[%i, %j] : tensor<100x16xf32>
    linalg.yield %v : f32
  } -> tensor<3x16xf32>
  return %0 : tensor<3x16xf32>
}

func.func @hits(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> (tensor<4x16xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x16xf32>
// CHECK-DAG: remarks.mlir:[[#@LINE+2]]:8: remark: [Analysis] fill-undefined | Category:convert-linalg-to-gaudi | Remark="reads a tensor with undefined contents (tensor.empty); filled with zeros"
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] raise | Category:convert-linalg-to-gaudi | Remark="raised to gaudi.mme.gemm"
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %f = tensor.empty() : tensor<4x8xf32>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] raise | Category:convert-linalg-to-gaudi | Remark="forwarded: it copies its operand"
  %1 = linalg.copy ins(%a : tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x16xf32>, tensor<4x8xf32>
}

func.func @concat(%x: tensor<4x3xf32>, %y: tensor<4x5xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = tensor.insert_slice %y into %e[0, 3] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<4x8xf32>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Passed] raise | Category:convert-linalg-to-gaudi | Remark="raised to gaudi.concat"
  %1 = tensor.insert_slice %x into %0[0, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

func.func @contractions(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %c: tensor<4x16xi32>, %x: tensor<4x8xf32>, %y: tensor<4x16xf32>, %w: tensor<8xf32>, %z: tensor<4xf32>) -> (tensor<4x16xi32>, tensor<4x16xf32>, tensor<4xf32>) {
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: the matrix engine does not multiply integers"
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x16xi8>) outs(%c : tensor<4x16xi32>) -> tensor<4x16xi32>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: the factors are computed or converted from integers first"
  %1 = linalg.matmul ins(%x, %b : tensor<4x8xf32>, tensor<8x16xi8>) outs(%y : tensor<4x16xf32>) -> tensor<4x16xf32>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: a reduced dimension is not in both factors"
  %2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %z : tensor<4x8xf32>, tensor<4xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%u: f32, %v: f32, %acc: f32):
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0, %1, %2 : tensor<4x16xi32>, tensor<4x16xf32>, tensor<4xf32>
}

func.func @poolings(%x: tensor<1x6x6x3xi8>, %y: tensor<1x4x4x3xi32>, %z: tensor<8xf32>, %h: tensor<1x6x6x3xbf16>, %i: tensor<1x4x4x3xbf16>) -> (tensor<1x4x4x3xi32>, tensor<1x4x4x3xbf16>) {
  %k = tensor.empty() : tensor<3x3xi8>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: the body does not pool each value as it is"
  %0 = linalg.pooling_nhwc_sum ins(%x, %k : tensor<1x6x6x3xi8>, tensor<3x3xi8>) outs(%y : tensor<1x4x4x3xi32>) -> tensor<1x4x4x3xi32>
  %l = tensor.empty() : tensor<3x3xbf16>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: a narrow float sum starts from a value other than 0"
  %1 = linalg.pooling_nhwc_sum ins(%h, %l : tensor<1x6x6x3xbf16>, tensor<3x3xbf16>) outs(%i : tensor<1x4x4x3xbf16>) -> tensor<1x4x4x3xbf16>
  return %0, %1 : tensor<1x4x4x3xi32>, tensor<1x4x4x3xbf16>
}

func.func @reductions(%x: tensor<4x8xf32>, %y: tensor<4xf32>, %h: tensor<4x8xbf16>, %i: tensor<4xbf16>, %n: tensor<4x8xi32>, %m: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xi32>, tensor<4xf32>) {
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: the body does not combine each value with the accumulator by an operator of gaudi.tpc.reduce"
  %0 = linalg.reduce ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) dimensions = [1] (%in: f32, %acc: f32) {
    %s = arith.subf %in, %acc : f32
    linalg.yield %s : f32
  }
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: the body computes more than a reduction"
  %1 = linalg.reduce ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) dimensions = [1] (%in: f32, %acc: f32) {
    %a = math.absf %in : f32
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  }
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: a narrow float sum starts from a value other than 0"
  %2 = linalg.reduce { arith.addf } ins(%h : tensor<4x8xbf16>) outs(%i : tensor<4xbf16>) dimensions = [1]
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: gaudi.tpc.reduce does not have the operator"
  %3 = linalg.reduce { arith.xori } ins(%n : tensor<4x8xi32>) outs(%m : tensor<4xi32>) dimensions = [1]
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Missed] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: the body computes more than a reduction"
  %4 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%h : tensor<4x8xbf16>) outs(%y : tensor<4xf32>) {
  ^bb0(%in: bf16, %acc: f32):
    %w = arith.extf %in : bf16 to f32
    %s = arith.addf %w, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xi32>, tensor<4xf32>
}

func.func @elementwise(%x: tensor<4x8xi32>, %y: tensor<4xf32>) -> (tensor<4x8xi1>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<8xf32>) {
  %0 = arith.cmpi ult, %x, %x : tensor<4x8xi32>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Analysis] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: 'arith.divui' is not a named op of the device"
  %1 = arith.divui %x, %x : tensor<4x8xi32>
  %e = tensor.empty() : tensor<4x8xi32>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Analysis] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: the body is more than one operation"
  %2 = linalg.map ins(%x : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) (%v: i32, %o: i32) {
    %p = arith.muli %v, %v : i32
    %r = arith.addi %p, %v : i32
    linalg.yield %r : i32
  }
  %f = tensor.empty() : tensor<8xf32>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Analysis] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: an operand is read at other positions than whole dimensions"
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%y : tensor<4xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %0, %1, %2, %3 : tensor<4x8xi1>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<8xf32>
}

func.func @gathers(%table: tensor<2x4xi64>, %ids: tensor<4xi64>, %small: tensor<4xi16>) -> (tensor<4x4xi64>, tensor<4x4xi64>, tensor<3x2xi64>) {
  %e = tensor.empty() : tensor<4x4xi64>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Analysis] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: the indices vary along a dimension of the table"
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, #id], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4xi64>) outs(%e : tensor<4x4xi64>) {
  ^bb0(%id: i64, %o: i64):
    %b = linalg.index 1 : index
    %row = arith.index_cast %id : i64 to index
    %v = tensor.extract %table[%row, %b] : tensor<2x4xi64>
    linalg.yield %v : i64
  } -> tensor<4x4xi64>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Analysis] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: the indices are neither i32 nor i64"
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, #id], iterator_types = ["parallel", "parallel"]} ins(%small : tensor<4xi16>) outs(%e : tensor<4x4xi64>) {
  ^bb0(%id: i16, %o: i64):
    %b = linalg.index 1 : index
    %row = arith.index_cast %id : i16 to index
    %v = tensor.extract %table[%row, %b] : tensor<2x4xi64>
    linalg.yield %v : i64
  } -> tensor<4x4xi64>
  %f = tensor.empty() : tensor<3x2xi64>
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Analysis] raise | Category:convert-linalg-to-gaudi | Remark="generic kernel: a dimension of the table is read in part"
  %2 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<3x2xi64>) {
  ^bb0(%o: i64):
    %a = linalg.index 1 : index
    %b = linalg.index 0 : index
    %v = tensor.extract %table[%a, %b] : tensor<2x4xi64>
    linalg.yield %v : i64
  } -> tensor<3x2xi64>
  return %0, %1, %2 : tensor<4x4xi64>, tensor<4x4xi64>, tensor<3x2xi64>
}

func.func @undefined() -> tensor<4xf32> {
// CHECK-DAG: remarks.mlir:[[#@LINE+1]]:8: remark: [Analysis] fill-undefined | Category:convert-linalg-to-gaudi | Remark="reads a tensor with undefined contents (tensor.empty); filled with zeros"
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}
