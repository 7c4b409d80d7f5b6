// RUN: gaudi-opt %s --gaudi-fuse-clip-norm --gaudi-fuse-optimizers | FileCheck %s
// RUN: gaudi-opt %s --gaudi-fuse-clip-norm --gaudi-fuse-optimizers --remarks-filter="gaudi-fuse-.*" --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The update of a weight of f32 loses bits.
// CHECK-LABEL: @adamw_update
// CHECK-NOT: gaudi.fused_
// REMARK-DAG: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: 'gaudi.tpc.cast' rounds to bf16 inside the step; the fused op computes in f32 and rounds what it stores"
func.func @adamw_update(%w: tensor<64xf32>, %g: tensor<64xf32>, %m: tensor<64xf32>, %v: tensor<64xf32>, %lr: tensor<1xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %v0 = gaudi.constant dense<9.000000000e-01> : tensor<1xf32>
  %v1 = gaudi.tpc.mul %m, %v0 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v2 = gaudi.constant dense<1.000000000e-01> : tensor<1xf32>
  %v3 = gaudi.tpc.mul %g, %v2 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v4 = gaudi.tpc.add %v1, %v3 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v5 = gaudi.tpc.mul %g, %g : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v6 = gaudi.constant dense<9.900000000e-01> : tensor<1xf32>
  %v7 = gaudi.tpc.mul %v, %v6 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v8 = gaudi.constant dense<1.000000000e-02> : tensor<1xf32>
  %v9 = gaudi.tpc.mul %v5, %v8 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v10 = gaudi.tpc.add %v7, %v9 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v11 = gaudi.tpc.sqrt %v10 : tensor<64xf32>
  %v12 = gaudi.constant dense<1.000000000e-06> : tensor<1xf32>
  %v13 = gaudi.tpc.add %v11, %v12 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v14 = gaudi.tpc.div %v4, %v13 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v15 = gaudi.tpc.cast %v14 : tensor<64xf32> -> tensor<64xbf16>
  %v16 = gaudi.tpc.cast %v15 : tensor<64xbf16> -> tensor<64xf32>
  %v17 = gaudi.tpc.mul %v16, %lr : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v18 = gaudi.tpc.sub %w, %v17 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  return %v18, %v4, %v10 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// A weight of f32 from moments that are stored as bf16 and rounded before it is made.
// CHECK-LABEL: @adamw_stored
// CHECK-NOT: gaudi.fused_
// REMARK-DAG: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: 'gaudi.tpc.cast' rounds to bf16 inside the step; the fused op computes in f32 and rounds what it stores"
func.func @adamw_stored(%w: tensor<64xf32>, %g: tensor<64xf32>, %m: tensor<64xbf16>, %v: tensor<64xbf16>, %lr: tensor<1xf32>) -> (tensor<64xf32>, tensor<64xbf16>, tensor<64xbf16>) {
  %v0 = gaudi.tpc.cast %m : tensor<64xbf16> -> tensor<64xf32>
  %v1 = gaudi.tpc.cast %v : tensor<64xbf16> -> tensor<64xf32>
  %v2 = gaudi.constant dense<9.000000000e-01> : tensor<1xf32>
  %v3 = gaudi.tpc.mul %v0, %v2 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v4 = gaudi.constant dense<1.000000000e-01> : tensor<1xf32>
  %v5 = gaudi.tpc.mul %g, %v4 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v6 = gaudi.tpc.add %v3, %v5 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v7 = gaudi.tpc.mul %g, %g : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v8 = gaudi.constant dense<9.900000000e-01> : tensor<1xf32>
  %v9 = gaudi.tpc.mul %v1, %v8 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v10 = gaudi.constant dense<1.000000000e-02> : tensor<1xf32>
  %v11 = gaudi.tpc.mul %v7, %v10 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v12 = gaudi.tpc.add %v9, %v11 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v13 = gaudi.tpc.sqrt %v12 : tensor<64xf32>
  %v14 = gaudi.constant dense<1.000000000e-06> : tensor<1xf32>
  %v15 = gaudi.tpc.add %v13, %v14 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v16 = gaudi.tpc.cast %v6 : tensor<64xf32> -> tensor<64xbf16>
  %v17 = gaudi.tpc.cast %v16 : tensor<64xbf16> -> tensor<64xf32>
  %v18 = gaudi.tpc.div %v17, %v15 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v19 = gaudi.tpc.mul %v18, %lr : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v20 = gaudi.tpc.sub %w, %v19 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v21 = gaudi.tpc.cast %v6 : tensor<64xf32> -> tensor<64xbf16>
  %v22 = gaudi.tpc.cast %v12 : tensor<64xf32> -> tensor<64xbf16>
  return %v20, %v21, %v22 : tensor<64xf32>, tensor<64xbf16>, tensor<64xbf16>
}

// The first moment is rounded anyway, the second is that of the rounded gradient.
// CHECK-LABEL: @adamw_gradient
// CHECK-NOT: gaudi.fused_
// REMARK-DAG: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: the second moment does not add the square of what the first moment, 'gaudi.tpc.add', adds"
func.func @adamw_gradient(%w: tensor<64xf32>, %g: tensor<64xf32>, %m: tensor<64xbf16>, %v: tensor<64xbf16>, %lr: tensor<1xf32>) -> (tensor<64xf32>, tensor<64xbf16>, tensor<64xbf16>) {
  %v0 = gaudi.tpc.cast %m : tensor<64xbf16> -> tensor<64xf32>
  %v1 = gaudi.tpc.cast %v : tensor<64xbf16> -> tensor<64xf32>
  %v2 = gaudi.constant dense<9.000000000e-01> : tensor<1xf32>
  %v3 = gaudi.tpc.mul %v0, %v2 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v4 = gaudi.tpc.cast %g : tensor<64xf32> -> tensor<64xbf16>
  %v5 = gaudi.tpc.cast %v4 : tensor<64xbf16> -> tensor<64xf32>
  %v6 = gaudi.constant dense<1.000000000e-01> : tensor<1xf32>
  %v7 = gaudi.tpc.mul %v5, %v6 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v8 = gaudi.tpc.add %v3, %v7 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v9 = gaudi.tpc.mul %g, %g : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v10 = gaudi.constant dense<9.900000000e-01> : tensor<1xf32>
  %v11 = gaudi.tpc.mul %v1, %v10 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v12 = gaudi.constant dense<1.000000000e-02> : tensor<1xf32>
  %v13 = gaudi.tpc.mul %v9, %v12 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v14 = gaudi.tpc.add %v11, %v13 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v15 = gaudi.tpc.sqrt %v14 : tensor<64xf32>
  %v16 = gaudi.constant dense<1.000000000e-06> : tensor<1xf32>
  %v17 = gaudi.tpc.add %v15, %v16 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v18 = gaudi.tpc.div %v8, %v17 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v19 = gaudi.tpc.mul %v18, %lr : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v20 = gaudi.tpc.sub %w, %v19 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v21 = gaudi.tpc.cast %v8 : tensor<64xf32> -> tensor<64xbf16>
  %v22 = gaudi.tpc.cast %v14 : tensor<64xf32> -> tensor<64xbf16>
  return %v20, %v21, %v22 : tensor<64xf32>, tensor<64xbf16>, tensor<64xbf16>
}

// The old buffer of f32 loses bits.
// CHECK-LABEL: @sgd_buffer
// CHECK-NOT: gaudi.fused_
// REMARK-DAG: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused SGD of 1 parameter: 'gaudi.tpc.cast' rounds to f16 inside the step; the fused op computes in f32 and rounds what it stores"
func.func @sgd_buffer(%w: tensor<64xf32>, %g: tensor<64xf32>, %m: tensor<64xf32>, %v: tensor<64xf32>, %lr: tensor<1xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %v0 = gaudi.constant dense<1.000000000e-02> : tensor<1xf32>
  %v1 = gaudi.tpc.mul %w, %v0 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v2 = gaudi.tpc.add %g, %v1 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v3 = gaudi.tpc.cast %m : tensor<64xf32> -> tensor<64xf16>
  %v4 = gaudi.tpc.cast %v3 : tensor<64xf16> -> tensor<64xf32>
  %v5 = gaudi.constant dense<9.000000000e-01> : tensor<1xf32>
  %v6 = gaudi.tpc.mul %v4, %v5 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v7 = gaudi.tpc.add %v6, %v2 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v8 = gaudi.tpc.mul %v7, %lr : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %v9 = gaudi.tpc.sub %w, %v8 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  return %v9, %v7 : tensor<64xf32>, tensor<64xf32>
}

// The norm of gradients of f32 loses bits.
// CHECK-LABEL: @norm
// CHECK-NOT: gaudi.fused_
// REMARK-DAG: remark: [Missed] keep | Category:gaudi-fuse-clip-norm | Remark="not fused the clipping of gradients: 'gaudi.tpc.cast' rounds to bf16 inside the step; the fused op computes in f32 and rounds what it stores"
func.func @norm(%w: tensor<64xf32>, %g: tensor<64xf32>, %m: tensor<64xf32>, %v: tensor<64xf32>, %lr: tensor<1xf32>) -> (tensor<64xf32>) {
  %v0 = gaudi.tpc.mul %g, %g : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v1 = gaudi.tpc.reduce <sum> %v0 dims [0] keep_dims : tensor<64xf32> -> tensor<1xf32>
  %v2 = gaudi.tpc.sqrt %v1 : tensor<1xf32>
  %v3 = gaudi.tpc.cast %v2 : tensor<1xf32> -> tensor<1xbf16>
  %v4 = gaudi.tpc.cast %v3 : tensor<1xbf16> -> tensor<1xf32>
  %v5 = gaudi.constant dense<1.000000000e-06> : tensor<1xf32>
  %v6 = gaudi.tpc.add %v4, %v5 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %v7 = gaudi.tpc.div %lr, %v6 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %v8 = gaudi.constant dense<1.000000000e+00> : tensor<1xf32>
  %v9 = gaudi.tpc.min %v7, %v8 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %v10 = gaudi.tpc.mul %g, %v9 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  return %v10 : tensor<64xf32>
}

// Their squares do.
// CHECK-LABEL: @squares
// CHECK-NOT: gaudi.fused_
// REMARK-DAG: remark: [Missed] keep | Category:gaudi-fuse-clip-norm | Remark="not fused the clipping of gradients: 'gaudi.tpc.cast' rounds to f16 inside the step; the fused op computes in f32 and rounds what it stores"
func.func @squares(%w: tensor<64xf32>, %g: tensor<64xf32>, %m: tensor<64xf32>, %v: tensor<64xf32>, %lr: tensor<1xf32>) -> (tensor<64xf32>) {
  %v0 = gaudi.tpc.mul %g, %g : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %v1 = gaudi.tpc.cast %v0 : tensor<64xf32> -> tensor<64xf16>
  %v2 = gaudi.tpc.cast %v1 : tensor<64xf16> -> tensor<64xf32>
  %v3 = gaudi.tpc.reduce <sum> %v2 dims [0] keep_dims : tensor<64xf32> -> tensor<1xf32>
  %v4 = gaudi.tpc.sqrt %v3 : tensor<1xf32>
  %v5 = gaudi.constant dense<1.000000000e-06> : tensor<1xf32>
  %v6 = gaudi.tpc.add %v4, %v5 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %v7 = gaudi.tpc.div %lr, %v6 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %v8 = gaudi.constant dense<1.000000000e+00> : tensor<1xf32>
  %v9 = gaudi.tpc.min %v7, %v8 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %v10 = gaudi.tpc.mul %g, %v9 : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  return %v10 : tensor<64xf32>
}

// All of bf16: each op rounds, the fused one would once.
// CHECK-LABEL: @sgd_narrow
// CHECK-NOT: gaudi.fused_
// REMARK-DAG: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused SGD of 1 parameter: 'gaudi.tpc.{{add|mul|sub}}' rounds to bf16 inside the step; the fused op computes in f32 and rounds what it stores
func.func @sgd_narrow(%w: tensor<64xbf16>, %g: tensor<64xbf16>, %m: tensor<64xbf16>) -> (tensor<64xbf16>, tensor<64xbf16>) {
  %beta = gaudi.constant dense<0.8984375> : tensor<1xbf16>
  %lr = gaudi.constant dense<0.125> : tensor<1xbf16>
  %0 = gaudi.tpc.mul %m, %beta : tensor<64xbf16>, tensor<1xbf16> -> tensor<64xbf16>
  %1 = gaudi.tpc.add %0, %g : tensor<64xbf16>, tensor<64xbf16> -> tensor<64xbf16>
  %2 = gaudi.tpc.mul %1, %lr : tensor<64xbf16>, tensor<1xbf16> -> tensor<64xbf16>
  %3 = gaudi.tpc.sub %w, %2 : tensor<64xbf16>, tensor<64xbf16> -> tensor<64xbf16>
  return %3, %1 : tensor<64xbf16>, tensor<64xbf16>
}

// Stored in bf16, computed in f32 and rounded once: as the fused op does it.
// CHECK-LABEL: @sgd_widened
// CHECK: gaudi.fused_sgd
func.func @sgd_widened(%w: tensor<64xbf16>, %g: tensor<64xbf16>, %m: tensor<64xbf16>) -> (tensor<64xbf16>, tensor<64xbf16>) {
  %beta = gaudi.constant dense<0.9> : tensor<1xf32>
  %lr = gaudi.constant dense<0.125> : tensor<1xf32>
  %wf = gaudi.tpc.cast %w : tensor<64xbf16> -> tensor<64xf32>
  %gf = gaudi.tpc.cast %g : tensor<64xbf16> -> tensor<64xf32>
  %mf = gaudi.tpc.cast %m : tensor<64xbf16> -> tensor<64xf32>
  %0 = gaudi.tpc.mul %mf, %beta : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %1 = gaudi.tpc.add %0, %gf : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %2 = gaudi.tpc.mul %1, %lr : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
  %3 = gaudi.tpc.sub %wf, %2 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  %4 = gaudi.tpc.cast %1 : tensor<64xf32> -> tensor<64xbf16>
  %5 = gaudi.tpc.cast %3 : tensor<64xf32> -> tensor<64xbf16>
  return %5, %4 : tensor<64xbf16>, tensor<64xbf16>
}
