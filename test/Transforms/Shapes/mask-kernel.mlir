// A mask is a kernel that fuses with those around it: no memory pass of its
// own. The device and the reference evaluator agree with each other and with
// the values here.
// RUN: gaudi-opt %s --gaudi-compile="stop-after=kernels" | FileCheck %s
// RUN: gaudi-run %s --entry=row_sums --seed-inputs=1 --check | FileCheck %s --check-prefix=SAME
// RUN: gaudi-run %s --entry=collapsed --seed-inputs=2 --check | FileCheck %s --check-prefix=SAME
// RUN: gaudi-run %s --entry=integers --seed-inputs=3 --check | FileCheck %s --check-prefix=SAME
// RUN: gaudi-run %s --entry=transposed --seed-inputs=4 --check | FileCheck %s --check-prefix=SAME
// RUN: gaudi-run %s --entry=marked --seed-inputs=5 --check | FileCheck %s --check-prefix=SAME
// RUN: gaudi-run %s --entry=row_sums --input=2x4xf32=1,2,3,nan,1,nan,3,4 --input=i32=3 --expect=2xf32=6,nan | FileCheck %s --check-prefix=EXPECT
// RUN: gaudi-run %s --entry=collapsed --input=8xf32=0,1,2,3,4,5,6,7 --input=i32=1 --input=i32=3 --expect=8xf32=0,1,2,9,9,9,9,9 | FileCheck %s --check-prefix=EXPECT
// RUN: gaudi-opt %s --mlir-print-op-generic | gaudi-opt | FileCheck %s --check-prefix=FORM

// SAME: --check passed: 1 output
// EXPECT: matches the given value

// CHECK-LABEL: func @row_sums(
// CHECK: gaudi.tpc.kernel
// CHECK-NOT: gaudi.tpc.kernel
func.func @row_sums(%x: tensor<2x4xf32>, %n: tensor<i32>) -> tensor<2xf32> {
  %0 = gaudi.tpc.mask %x dims [1] extents (%n) value 0.0 : f32 : tensor<2x4xf32>, tensor<i32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [1] : tensor<2x4xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// A batch of 2 and a sequence of 4 in one dimension.
// CHECK-LABEL: func @collapsed(
// CHECK: gaudi.tpc.kernel
// CHECK-NOT: gaudi.tpc.kernel
// FORM: gaudi.tpc.mask %{{.*}} dims [0, 0] divisors [4, 1] moduli [2, 4] extents(%{{.*}}, %{{.*}}) value 9.000000e+00 : f32 : tensor<8xf32>, tensor<i32>, tensor<i32>
func.func @collapsed(%x: tensor<8xf32>, %b: tensor<i32>, %s: tensor<i32>) -> tensor<8xf32> {
  %0 = gaudi.tpc.add %x, %x : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.sub %0, %x : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mask %1 dims [0, 0] divisors [4, 1] moduli [2, 4] extents (%b, %s) value 9.0 : f32 : tensor<8xf32>, tensor<i32>, tensor<i32>
  return %2 : tensor<8xf32>
}

// CHECK-LABEL: func @integers(
func.func @integers(%x: tensor<6x5xui8>, %n: tensor<i32>) -> tensor<6x5xui8> {
  %0 = gaudi.tpc.mask %x dims [0] extents (%n) value 255 : ui8 : tensor<6x5xui8>, tensor<i32>
  return %0 : tensor<6x5xui8>
}

// The order of the tensor changes, and with it the dimensions of the mask.
// CHECK-LABEL: func @transposed(
// CHECK-NOT: gaudi.transpose
func.func @transposed(%x: tensor<40x64xf32>, %w: tensor<40x24xf32>, %n: tensor<i32>) -> tensor<64x24xf32> {
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<40x64xf32> -> tensor<64x40xf32>
  %1 = gaudi.tpc.mask %0 dims [1] extents (%n) value 0.0 : f32 : tensor<64x40xf32>, tensor<i32>
  %2 = gaudi.mme.gemm %1, %w : tensor<64x40xf32>, tensor<40x24xf32> -> tensor<64x24xf32>
  return %2 : tensor<64x24xf32>
}

// Markers go, also from functions that are no variants.
// CHECK-LABEL: func @marked(
// CHECK-NEXT: gaudi.tpc.kernel
func.func @marked(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %0 = gaudi.valid %x dims [1] extents (%n) : tensor<4x8xf32>, tensor<i32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
