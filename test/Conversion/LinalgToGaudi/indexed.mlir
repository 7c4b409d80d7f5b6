// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --entry=slice "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=i64=1" | FileCheck %s --check-prefix=SLICE
// RUN: not gaudi-run %s --entry=slice "--input=4x3xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=i64=3" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: gaudi-run %s --entry=insert "--input=4x2xf32=0 1 2 3 4 5 6 7" "--input=2xf32=8 9" "--input=i64=2" | FileCheck %s --check-prefix=INSERT
// RUN: not gaudi-run %s --entry=insert "--input=4x2xf32=0 1 2 3 4 5 6 7" "--input=2xf32=8 9" "--input=i64=4" 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: gaudi-run %s --entry=rows "--input=4x2xf32=0 1 2 3 4 5 6 7" "--input=2x2xf32=8 9 10 11" "--input=i64=2" | FileCheck %s --check-prefix=ROWS
// RUN: not gaudi-run %s --entry=rows "--input=4x2xf32=0 1 2 3 4 5 6 7" "--input=2x2xf32=8 9 10 11" "--input=i64=3" 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not gaudi-run %s --entry=rows "--input=4x2xf32=0 1 2 3 4 5 6 7" "--input=2x2xf32=8 9 10 11" "--input=i64=-7" 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: gaudi-run %s --entry=element "--input=3xf32=0 1 2" "--input=f32=7" "--input=i64=1" | FileCheck %s --check-prefix=ELEMENT
// RUN: not gaudi-run %s --entry=element "--input=3xf32=0 1 2" "--input=f32=7" "--input=i64=-1" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: gaudi-run %s --entry=gather "--input=2x3x2xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=2x2xi64=0 1 1 0" | FileCheck %s --check-prefix=GATHER
// RUN: not gaudi-run %s --entry=gather "--input=2x3x2xf32=0 1 2 3 4 5 6 7 8 9 10 11" "--input=2x2xi64=0 1 2 0" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: gaudi-run %s --entry=narrow_gather "--input=3xf32=5 6 7" "--input=4x1xi16=2 0 0 1" | FileCheck %s --check-prefix=NARROW
// RUN: gaudi-run %s --entry=scatter "--input=2x2xf32=8 9 10 11" "--input=3x2xf32=0 1 2 3 4 5" "--input=2x1xi32=2 0" | FileCheck %s --check-prefix=SCATTER
// RUN: not gaudi-run %s --entry=scatter "--input=2x2xf32=8 9 10 11" "--input=3x2xf32=0 1 2 3 4 5" "--input=2x1xi32=2 3" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: gaudi-run %s --entry=cut "--input=2x4xf32=0 1 2 3 4 5 6 7" | FileCheck %s --check-prefix=CUT
// RUN: gaudi-run %s --entry=strided "--input=6xf32=0 1 2 3 4 5" "--input=2xf32=8 9" "--input=i64=2" | FileCheck %s --check-prefix=STRIDED
// RUN: not gaudi-run %s --entry=strided "--input=6xf32=0 1 2 3 4 5" "--input=2xf32=8 9" "--input=i64=4" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: gaudi-run %s --entry=booleans "--input=2xi1=1 0" "--input=4xi1=1 1 1 0" "--input=2x1xi32=3 1" | FileCheck %s --check-prefix=BOOLEANS

// LATE: error: {{.*}}index 4 is out of bounds for dimension 0
// EARLY: error: {{.*}}index -7 is out of bounds for dimension 0
// OUTSIDE: error: {{.*}}out of bounds

// Row and stride are known at run time only.
// CHECK-LABEL: func.func @slice(
// CHECK: gaudi.tpc.kernel
// SLICE: [6, 8]
func.func @slice(%x: tensor<4x3xf32>, %n: index) -> tensor<2xf32> {
  %c1 = arith.constant 1 : index
  %row = arith.addi %n, %c1 : index
  %0 = tensor.extract_slice %x[%row, 0] [1, 2] [1, 2] : tensor<4x3xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @insert(
// CHECK: gaudi.tpc.kernel
// INSERT: [0, 1, 2, 3, 8, 9, 6, 7]
func.func @insert(%x: tensor<4x2xf32>, %y: tensor<2xf32>, %n: index) -> tensor<4x2xf32> {
  %0 = tensor.insert_slice %y into %x[%n, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Two rows.
// CHECK-LABEL: func.func @rows(
// ROWS: [0, 1, 2, 3, 8, 9, 10, 11]
func.func @rows(%x: tensor<4x2xf32>, %y: tensor<2x2xf32>, %n: index) -> tensor<4x2xf32> {
  %0 = tensor.insert_slice %y into %x[%n, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @element(
// ELEMENT: [0, 7, 2]
func.func @element(%x: tensor<3xf32>, %v: f32, %n: index) -> tensor<3xf32> {
  %0 = tensor.insert %v into %x[%n] : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// x[i, :, j].
// CHECK-LABEL: func.func @gather(
// CHECK: gaudi.tpc.kernel
// GATHER: [1, 3, 5, 6, 8, 10]
func.func @gather(%x: tensor<2x3x2xf32>, %i: tensor<2x2xi64>) -> tensor<2x3xf32> {
  %0 = tensor.gather %x[%i] gather_dims([0, 2]) : (tensor<2x3x2xf32>, tensor<2x2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @narrow_gather(
// CHECK: gaudi.tpc.kernel
// NARROW: [7, 5, 5, 6]
func.func @narrow_gather(%x: tensor<3xf32>, %i: tensor<4x1xi16>) -> tensor<4x1xf32> {
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<3xf32>, tensor<4x1xi16>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @scatter(
// CHECK: gaudi.tpc.scatter_elements
// SCATTER: [10, 11, 2, 3, 8, 9]
func.func @scatter(%s: tensor<2x2xf32>, %d: tensor<3x2xf32>, %i: tensor<2x1xi32>) -> tensor<3x2xf32> {
  %0 = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<2x2xf32>, tensor<3x2xf32>, tensor<2x1xi32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// f64 in between is demoted first.
// CHECK-LABEL: func.func @scatter_in_f64(
// CHECK-NOT: f64
// CHECK: gaudi.tpc.scatter_elements
func.func @scatter_in_f64(%s: tensor<2xf32>, %d: tensor<3xf32>, %i: tensor<2x1xi32>) -> tensor<3xf32> {
  %ws = arith.extf %s : tensor<2xf32> to tensor<2xf64>
  %wd = arith.extf %d : tensor<3xf32> to tensor<3xf64>
  %0 = tensor.scatter %ws into %wd[%i] scatter_dims([0]) unique : (tensor<2xf64>, tensor<3xf64>, tensor<2x1xi32>) -> tensor<3xf64>
  %1 = arith.truncf %0 : tensor<3xf64> to tensor<3xf32>
  return %1 : tensor<3xf32>
}

// A row goes, a row and a column of padding come.
// CHECK-LABEL: func.func @cut(
// CHECK: gaudi.slice %arg0 offsets [0, 1]
// CHECK: gaudi.tpc.pad
// CUT: [1, 2, 3, 5, 6, 7, 9, 9, 9]
func.func @cut(%x: tensor<2x4xf32>) -> tensor<3x3xf32> {
  %nine = arith.constant 9.0 : f32
  %0 = tensor.pad %x low[0, -1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %nine : f32
  } : tensor<2x4xf32> to tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// Every second element from position n on; the window ends inside, or the
// launch stops.
// STRIDED: [0, 1, 8, 3, 9, 5]
// CHECK-LABEL: func.func @strided(
// CHECK: gaudi.tpc.kernel
func.func @strided(%x: tensor<6xf32>, %y: tensor<2xf32>, %n: index) -> tensor<6xf32> {
  %0 = tensor.insert_slice %y into %x[%n] [2] [2] : tensor<2xf32> into tensor<6xf32>
  return %0 : tensor<6xf32>
}

// Booleans are moved as bytes.
// BOOLEANS: [1, 0, 1, 1]
// CHECK-LABEL: func.func @booleans(
// CHECK: gaudi.tpc.scatter_elements {{.*}}i8
func.func @booleans(%s: tensor<2xi1>, %d: tensor<4xi1>, %i: tensor<2x1xi32>) -> tensor<4xi1> {
  %0 = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<2xi1>, tensor<4xi1>, tensor<2x1xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
