// RUN: gaudi-opt %s --split-input-file --gaudi-autocast --canonicalize --remarks-filter=gaudi-autocast --remark-policy=all 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: gaudi-opt %s --split-input-file --gaudi-autocast=dtype=f32 | FileCheck %s --check-prefix=NONE
// NONE-NOT: bf16
// RUN: not gaudi-opt %s --gaudi-autocast=dtype=f64 --split-input-file 2>&1 | FileCheck %s --check-prefix=DTYPE
// DTYPE: gaudi-autocast: dtype: expected bf16, f16, f32 or fp8 but got 'f64'
// RUN: not gaudi-opt %s --gaudi-autocast=dtype=bf16:lower=%t.no-such-list-of-ops --split-input-file 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: gaudi-autocast: dtype: cannot read '{{.*}}.no-such-list-of-ops': No such file or directory; name a text file with an op on each line
// RUN: echo matmull > %t.typo
// RUN: gaudi-opt %s --split-input-file --gaudi-autocast=dtype=bf16:lower=%t.typo 2>&1 >/dev/null | FileCheck %s --check-prefix=TYPO
// TYPO: warning: gaudi-autocast: no op of the list 'lower' is in the model, which has exp, matmul, tanh
// RUN: echo tanh > %t.lower; echo matmul > %t.fp32
// RUN: gaudi-opt %s --split-input-file --gaudi-autocast=dtype=bf16:lower=%t.lower:fp32=%t.fp32 | FileCheck %s --check-prefix=LISTS

// A product is in the list; what follows inherits, and gives f32 to the caller.
// CHECK-LABEL: @chain
// CHECK: %[[X:.+]] = gaudi.tpc.cast %arg0 : tensor<4x8xf32> -> tensor<4x8xbf16>
// CHECK: %[[P:.+]] = gaudi.mme.gemm %[[X]], %{{.+}} : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xbf16>
// CHECK: %[[T:.+]] = gaudi.tpc.tanh %[[P]] : tensor<4x16xbf16>
// CHECK: %[[E:.+]] = gaudi.tpc.exp %{{.+}} : tensor<4x16xf32>
// REMARK-DAG: 'matmul' runs in bf16: it is in the list of the lower type
// REMARK-DAG: 'tanh' runs in bf16: it is in no list, and what it reads is of the lower type
// REMARK-DAG: 'exp' runs in f32: it is in the list of f32
// LISTS-LABEL: @chain
// LISTS: gaudi.mme.gemm %arg0, %arg1 : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
// LISTS: gaudi.tpc.tanh %{{.+}} : tensor<4x16xbf16>
func.func @chain(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %0 = gaudi.mme.gemm %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = gaudi.tpc.tanh %0 : tensor<4x16xf32>
  %2 = gaudi.tpc.exp %1 : tensor<4x16xf32>
  return %1, %2 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// One cast for both readers.
// CHECK-LABEL: @shared
// CHECK: gaudi.tpc.cast %arg0
// CHECK-NOT: gaudi.tpc.cast %arg0
// CHECK: return
func.func @shared(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = gaudi.mme.gemm %x, %a : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %1 = gaudi.mme.gemm %x, %b : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// The widest type of the operands: f32 beside bf16 is f32; a number widens nothing.
// CHECK-LABEL: @promoted
// CHECK: gaudi.tpc.add %{{.+}}, %arg2 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
// REMARK-DAG: 'add' runs in f32: it takes the widest type, and some of what it reads is f32
// REMARK-DAG: 'sub' runs in bf16: it takes the widest type, and what it reads is of the lower type
func.func @promoted(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %half = gaudi.constant dense<0.5> : tensor<1x1xf32>
  %0 = gaudi.mme.gemm %x, %a : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %1 = gaudi.tpc.add %0, %b : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = gaudi.tpc.sub %0, %half : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A softmax in parts is one op: rounded around it, f32 inside.
// CHECK-LABEL: @softmax
// CHECK: gaudi.tpc.exp %{{.+}} : tensor<4x8xf32>
// CHECK: %[[D:.+]] = gaudi.tpc.div %{{.+}} : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
// CHECK: gaudi.tpc.cast %[[D]] : tensor<4x8xf32> -> tensor<4x8xbf16>
// REMARK-DAG: 'softmax' runs in bf16: it is in the list of the lower type
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<4x8xf32> -> tensor<4x1xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  %2 = gaudi.tpc.exp %1 : tensor<4x8xf32>
  %3 = gaudi.tpc.reduce <sum> %2 dims [1] keep_dims : tensor<4x8xf32> -> tensor<4x1xf32>
  %4 = gaudi.tpc.div %2, %3 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @norm
// CHECK: gaudi.tpc.rsqrt %{{.+}} : tensor<4x1xf32>
// CHECK: %[[N:.+]] = gaudi.tpc.mul %{{.+}} : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
// CHECK: gaudi.tpc.cast %[[N]] : tensor<4x8xf32> -> tensor<4x8xbf16>
// REMARK-DAG: 'layer_norm' runs in bf16: it is in the list of the lower type
func.func @norm(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1xf32>
  %0 = gaudi.tpc.reduce <mean> %x dims [1] keep_dims : tensor<4x8xf32> -> tensor<4x1xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  %2 = gaudi.tpc.mul %1, %1 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %3 = gaudi.tpc.reduce <mean> %2 dims [1] keep_dims : tensor<4x8xf32> -> tensor<4x1xf32>
  %4 = gaudi.tpc.add %3, %eps : tensor<4x1xf32>, tensor<1x1xf32> -> tensor<4x1xf32>
  %5 = gaudi.tpc.rsqrt %4 : tensor<4x1xf32>
  %6 = gaudi.tpc.mul %1, %5 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}

// -----

// From log-softmax to the loss all is f32, and so is a sum by itself.
// CHECK-LABEL: @loss
// CHECK-NOT: bf16
// CHECK: return
// REMARK-DAG: 'cross_entropy_loss' runs in f32: it is in the list of f32
// REMARK-DAG: 'sum' runs in f32: it is a sum
func.func @loss(%x: tensor<4x8xf32>, %t: tensor<4x8xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %0 = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<4x8xf32> -> tensor<4x1xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  %2 = gaudi.tpc.exp %1 : tensor<4x8xf32>
  %3 = gaudi.tpc.reduce <sum> %2 dims [1] keep_dims : tensor<4x8xf32> -> tensor<4x1xf32>
  %4 = gaudi.tpc.log %3 : tensor<4x1xf32>
  %5 = gaudi.tpc.sub %1, %4 : tensor<4x8xf32>, tensor<4x1xf32> -> tensor<4x8xf32>
  %6 = gaudi.tpc.mul %5, %t : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %7 = gaudi.tpc.reduce <mean> %6 dims [0, 1] : tensor<4x8xf32> -> tensor<f32>
  %8 = gaudi.tpc.reduce <sum> %t dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %7, %8 : tensor<f32>, tensor<4xf32>
}

// -----

// The weight's update keeps f32; the product before it does not.
// CHECK-LABEL: @step
// CHECK: gaudi.mme.gemm {{.*}} -> tensor<8x8xbf16>
// CHECK: gaudi.tpc.mul {{.*}} : tensor<8x8xf32>
// CHECK: gaudi.tpc.sub %arg0, {{.*}} : tensor<8x8xf32>, tensor<8x8xf32>
// REMARK-DAG: 'mul' runs in f32: it updates a state
func.func @step(%w: tensor<8x8xf32> {gaudi.state = 0 : i64}, %x: tensor<4x8xf32>, %g: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %rate = gaudi.constant dense<0.1> : tensor<1x1xf32>
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %1 = gaudi.mme.gemm %0, %g : tensor<8x4xf32>, tensor<4x8xf32> -> tensor<8x8xf32>
  %2 = gaudi.tpc.mul %1, %rate : tensor<8x8xf32>, tensor<1x1xf32> -> tensor<8x8xf32>
  %3 = gaudi.tpc.sub %w, %2 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// Ops of other dialects stay, also those of scalars.
// CHECK-LABEL: @foreign
// CHECK: linalg.matmul {{.*}} -> tensor<4x4xf32>
// CHECK: %[[A:.+]] = gaudi.tpc.cast %{{.+}} : tensor<4x4xf32> -> tensor<4x4xbf16>
// CHECK: gaudi.mme.gemm %[[A]], %[[A]]
func.func @foreign(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %two = arith.addf %zero, %zero : f32
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.fill ins(%two : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = gaudi.mme.gemm %2, %2 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %3, %two : tensor<4x4xf32>, f32
}

// -----

// CHECK-LABEL: @foreign_only
// CHECK: tosa.tanh %arg0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @foreign_only(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.tanh %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
