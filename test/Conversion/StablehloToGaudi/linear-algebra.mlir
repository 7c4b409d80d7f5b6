// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --check --print=64 --entry=cholesky "--input=2x3x3xf32=4 99 99 2 5 99 1 3 6 1 99 99 0.5 2 99 0.25 0.75 3" | FileCheck %s --check-prefix=CHOLESKY
// RUN: gaudi-run %s --check --print=64 --entry=right "--input=3x3xf32=9 2 -1 8 9 3 8 8 9" "--input=2x3xf32=1 2 3 4 5 6" | FileCheck %s --check-prefix=RIGHT
// RUN: gaudi-run %s --check --print=64 --entry=left "--input=3x3xf32=2 9 9 1 4 9 -1 3 5" "--input=3x2xf32=2 4 5 6 -3 8" | FileCheck %s --check-prefix=LEFT
// The expected values are those of JAX.

// The upper triangle is not read, and zero in the result.
// CHECK-LABEL: @cholesky
// CHOLESKY: output 'out0': 2x3x3xf32 = [2, {{-?0}}, {{-?0}}, 1, 2, {{-?0}}, 0.5{{[0-9.]*}}, 1.25{{[0-9.]*}}, 2.0463{{[0-9.]*}}, 1, {{-?0}}, {{-?0}}, 0.5{{[0-9.]*}}, 1.3228{{[0-9.]*}}, {{-?0}}, 0.25{{[0-9.]*}}, 0.4724{{[0-9.]*}}, 1.6475{{[0-9.]*}}]
func.func @cholesky(%a: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

// x a^T = b, with ones on the diagonal of the upper triangle a.
// CHECK-LABEL: @right
// RIGHT: output 'out0': 2x3xf32 = [18, -7, 3, 36, -13, 6]
func.func @right(%a: tensor<3x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @left
// LEFT: output 'out0': 3x2xf32 = [1, 2, 1, 1, -1, 1.4{{[0-9.]*}}]
func.func @left(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
