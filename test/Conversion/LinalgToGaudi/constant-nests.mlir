// RUN: gaudi-opt %s --convert-linalg-to-gaudi --split-input-file | FileCheck %s
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --split-input-file --remark-format=emitRemark --remarks-filter=convert-linalg-to-gaudi 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Nests in f64 that read no data are computed in f64, by the folders of their
// ops.

#id = affine_map<(d0) -> (d0)>

// The rows of a triangle, as torch.tril_indices counts them:
// floor(sqrt(2 i + 0.25) - 0.5).
// REMARK: computed in f64 at compile time: it reads no data
// CHECK-LABEL: func.func @triangle(
func.func @triangle() -> tensor<6xi64> {
  // CHECK: gaudi.constant dense<[0, 1, 1, 2, 2, 2]> : tensor<6xi64>
  // CHECK-NOT: gaudi.tpc
  %quarter = arith.constant 2.500000e-01 : f64
  %half = arith.constant 5.000000e-01 : f64
  %two = arith.constant 2.0 : f64
  %e = tensor.empty() : tensor<6xf64>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<6xf64>) {
  ^bb0(%out: f64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f64
    linalg.yield %f : f64
  } -> tensor<6xf64>
  %i = tensor.empty() : tensor<6xi64>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<6xf64>) outs(%i : tensor<6xi64>) {
  ^bb0(%in: f64, %out: i64):
    // The constant comes first: folding exchanges the operands.
    %a = arith.mulf %two, %in : f64
    %b = arith.addf %quarter, %a : f64
    %c = math.sqrt %b : f64
    %d = arith.subf %c, %half : f64
    %f = math.floor %d : f64
    %n = arith.fptosi %f : f64 to i64
    linalg.yield %n : i64
  } -> tensor<6xi64>
  return %1 : tensor<6xi64>
}

// -----

// Operands are broadcast and transposed, and a nest may have several results.
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @maps(
func.func @maps() -> (tensor<2x3xf32>, tensor<3x2xi64>) {
  // CHECK-DAG: gaudi.constant dense<{{\[}}[1.100000e+00, 3.100000e+00, 5.100000e+00], [1.200000e+01, 1.400000e+01, 1.600000e+01]]> : tensor<2x3xf32>
  // CHECK-DAG: gaudi.constant dense<{{\[}}[1, 12], [3, 14], [5, 16]]> : tensor<3x2xi64>
  %m = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf64>
  %v = arith.constant dense<[0.1, 10.0]> : tensor<2xf64>
  %e = tensor.empty() : tensor<2x3xf32>
  %i = tensor.empty() : tensor<3x2xi64>
  %0:2 = linalg.generic {indexing_maps = [#turned, #row, #all, #turned], iterator_types = ["parallel", "parallel"]} ins(%m, %v : tensor<3x2xf64>, tensor<2xf64>) outs(%e, %i : tensor<2x3xf32>, tensor<3x2xi64>) {
  ^bb0(%a: f64, %b: f64, %o0: f32, %o1: i64):
    %s = arith.addf %a, %b : f64
    %f = arith.truncf %s : f64 to f32
    %n = arith.fptosi %s : f64 to i64
    linalg.yield %f, %n : f32, i64
  } -> (tensor<2x3xf32>, tensor<3x2xi64>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<3x2xi64>
}
