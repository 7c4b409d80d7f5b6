// A window that would reach past the end begins at the last position where it
// does not, of the real elements: seeded starts are mostly outside.
// RUN: gaudi-run %s --shape=arg0:s=2..12 --buckets=4,12 --sizes=s=2 --check --poison-padding --seed-inputs=3 | FileCheck %s
// RUN: gaudi-run %s --shape=arg0:s=2..12 --buckets=4,12 --sizes=s=7 --check --poison-padding --seed-inputs=4 | FileCheck %s
// RUN: gaudi-run %s --shape=arg0:s=2..12 --buckets=4,12 --sizes=s=12 --check --seed-inputs=5 | FileCheck %s
// Variants derived from the largest one.
// RUN: gaudi-run %s --shape=arg0:s=2..12 --buckets=2,4,5,9,12 --sizes=s=2 --check --seed-inputs=3 | FileCheck %s
// RUN: gaudi-run %s --shape=arg0:s=2..12 --buckets=2,4,5,9,12 --sizes=s=8 --check --poison-padding --seed-inputs=6 | FileCheck %s
// CHECK: --check passed: 4 outputs within tolerance
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?x8xf32>, tensor<i32>, tensor<2x8xf32>, tensor<3x1xi32>, tensor<5xi64>) -> (tensor<?x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>, tensor<5x4xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%x: tensor<?x8xf32>, %i: tensor<i32>, %u: tensor<2x8xf32>, %rows: tensor<3x1xi32>, %row: tensor<5xi64>):
    %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %0 = "stablehlo.dynamic_update_slice"(%x, %u, %i, %zero) : (tensor<?x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<?x8xf32>
    %1 = "stablehlo.dynamic_slice"(%x, %i, %zero) <{slice_sizes = array<i64: 2, 8>}> : (tensor<?x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
    %2 = "stablehlo.gather"(%x, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<?x8xf32>, tensor<3x1xi32>) -> tensor<3x8xf32>
    %3 = "stablehlo.gather"(%x, %row) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<?x8xf32>, tensor<5xi64>) -> tensor<5x4xf32>
    "func.return"(%0, %1, %2, %3) : (tensor<?x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>, tensor<5x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
