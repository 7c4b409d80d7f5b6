// Products whose tensors are stored in other orders: views with the strides of
// each dimension on the buffers, and no copy. The values are checked against
// the reference evaluator.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe="output=%t.recipe" -o /dev/null
// RUN: gaudi-run --dump %t.recipe | FileCheck %s
// RUN: gaudi-run --check --seed-inputs=3 %s | FileCheck %s --check-prefix=VALUES
// VALUES-COUNT-3: matches the reference

// Heads in place: [batch, rows, heads, columns]; a view keeps the class of its
// buffer, so that results are written through one as well.
// CHECK-DAG: tensor [[Q:%[0-9]+]] "arg0" input @0+0 bf16[2,3,5,4] strides[60,4,12,1] alias %0
// CHECK-DAG: tensor [[K:%[0-9]+]] "arg1" input @0+{{[0-9]+}} bf16[2,3,5,4] strides[60,4,12,1] alias %1
// CHECK-DAG: tensor [[V:%[0-9]+]] "arg2" input @0+{{[0-9]+}} bf16[2,3,5,6] strides[90,6,18,1] alias %2
// CHECK-DAG: tensor [[O:%[0-9]+]] "out0" output @0+{{[0-9]+}} f32[2,3,5,6] strides[90,6,18,1] alias
// CHECK-DAG: tensor [[T:%[0-9]+]] "out1" output @0+{{[0-9]+}} f32[3,6,4] strides[4,12,1] alias
// CHECK-DAG: tensor [[W:%[0-9]+]] "{{.*}}" const @1+{{[0-9]+}} f32[1,7,6] strides[6,6,1] alias
// CHECK: entry "main"
// CHECK: mme "mme.gemm" gemm transpose_b ([[Q]], [[K]]) -> ([[S:%[0-9]+]])
// CHECK: mme "mme.gemm" gemm ([[S]], [[V]]) -> ([[O]])
// CHECK: mme "mme.gemm" gemm transpose_a transpose_b ({{%[0-9]+}}, {{%[0-9]+}}) -> ([[T]])
// CHECK: mme "mme.gemm" gemm ({{%[0-9]+}}, [[W]]) -> ({{%[0-9]+}})
// CHECK-NOT: transfer
func.func @main(%q: tensor<2x5x3x4xbf16>, %k: tensor<2x5x3x4xbf16>, %v: tensor<2x5x3x6xbf16>,
                %a: tensor<3x4x5xf32>, %b: tensor<3x5x6xf32>, %c: tensor<4x2x7xf32>)
    -> (tensor<2x5x3x6xf32>, tensor<6x3x4xf32>, tensor<2x4x6xf32>) {
  %s = gaudi.mme.gemm %q, %k transpose_b order_a [0, 2, 1, 3] order_b [0, 2, 1, 3]
         : tensor<2x5x3x4xbf16>, tensor<2x5x3x4xbf16> -> tensor<2x3x5x5xbf16>
  %o = gaudi.mme.gemm %s, %v order_b [0, 2, 1, 3] order_c [0, 2, 1, 3]
         : tensor<2x3x5x5xbf16>, tensor<2x5x3x6xbf16> -> tensor<2x5x3x6xf32>
  // Columns before rows: the product with its operands exchanged.
  %t = gaudi.mme.gemm %a, %b order_c [2, 0, 1] : tensor<3x4x5xf32>, tensor<3x5x6xf32> -> tensor<6x3x4xf32>
  %w = gaudi.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], [[1.5, 2.5, 3.5, 4.5, 5.5, 6.5]],
                             [[0.0, 1.0, 0.0, 1.0, 0.0, 1.0]], [[3.0, 3.0, 3.0, 3.0, 3.0, 3.0]],
                             [[-1.0, -2.0, -3.0, -4.0, -5.0, -6.0]], [[0.5, 0.5, 0.5, 0.5, 0.5, 0.5]],
                             [[9.0, 8.0, 7.0, 6.0, 5.0, 4.0]]]> : tensor<7x1x6xf32>
  %d = gaudi.mme.gemm %c, %w order_a [1, 0, 2] order_b [1, 0, 2]
         : tensor<4x2x7xf32>, tensor<7x1x6xf32> -> tensor<2x4x6xf32>
  return %o, %t, %d : tensor<2x5x3x6xf32>, tensor<6x3x4xf32>, tensor<2x4x6xf32>
}
