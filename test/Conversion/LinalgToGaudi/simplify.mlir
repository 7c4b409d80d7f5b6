// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// What front ends write around the types of the device.

#id = affine_map<(d0) -> (d0)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#cube = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// 0.5 is a number of f32, 0.1 lies between two of f32 and two of bf16, and
// only infinity is greater than 1e300.
// CHECK-LABEL: func.func @compare_in_f64(
func.func @compare_in_f64(%x: tensor<4xf32>, %y: tensor<4xbf16>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  // CHECK: arith.constant 5.000000e-01 : f32
  // CHECK-NEXT: arith.cmpf oge,
  // CHECK: arith.constant 0.099999994 : f32
  // CHECK-NEXT: arith.cmpf ogt,
  // CHECK: arith.constant 0.100097656 : f32
  // CHECK-NEXT: arith.cmpf ult,
  // CHECK: %[[NEVER:.*]] = arith.constant false
  // CHECK-NEXT: gaudi.kernel.store %[[NEVER]], %out3[
  // CHECK-NEXT: arith.cmpf ord,
  // CHECK: arith.constant 3.40282347E+38 : f32
  // CHECK-NEXT: arith.cmpf ogt,
  // CHECK: %[[ALWAYS:.*]] = arith.constant true
  // CHECK-NEXT: gaudi.kernel.store %[[ALWAYS]], %out6[
  %half = arith.constant 0.5 : f64
  %tenth = arith.constant 0.1 : f64
  %huge = arith.constant 1.0e+300 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %e = tensor.empty() : tensor<4xi1>
  %0:7 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf32>, tensor<4xbf16>) outs(%e, %e, %e, %e, %e, %e, %e : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  ^bb0(%a: f32, %b: bf16, %o0: i1, %o1: i1, %o2: i1, %o3: i1, %o4: i1, %o5: i1, %o6: i1):
    %p = arith.extf %a : f32 to f64
    %q = arith.extf %b : bf16 to f64
    %0 = arith.cmpf oge, %p, %half : f64
    %1 = arith.cmpf oge, %p, %tenth : f64
    %2 = arith.cmpf ult, %q, %tenth : f64
    %3 = arith.cmpf oeq, %p, %tenth : f64
    %4 = arith.cmpf one, %p, %tenth : f64
    %5 = arith.cmpf ogt, %p, %huge : f64
    %6 = arith.cmpf ule, %p, %nan : f64
    linalg.yield %0, %1, %2, %3, %4, %5, %6 : i1, i1, i1, i1, i1, i1, i1
  } -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// Compared with each other.
// CHECK-LABEL: func.func @compare_widened(
// CHECK: gaudi.tpc.compare <lt> %arg0, %arg1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
func.func @compare_widened(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %e = tensor.empty() : tensor<4xi1>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xi1>) {
  ^bb0(%a: f32, %b: f32, %o: i1):
    %p = arith.extf %a : f32 to f64
    %q = arith.extf %b : f32 to f64
    %0 = arith.cmpf olt, %p, %q : f64
    linalg.yield %0 : i1
  } -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: func.func @forgotten_sizes(
// CHECK: gaudi.concat %arg0, %arg1 axis 0 : tensor<2x3xf32>, tensor<5x3xf32> -> tensor<7x3xf32>
func.func @forgotten_sizes(%x: tensor<2x3xf32>, %y: tensor<5x3xf32>) -> tensor<7x3xf32> {
  %0 = tensor.cast %x : tensor<2x3xf32> to tensor<?x3xf32>
  %1 = tensor.cast %y : tensor<5x3xf32> to tensor<?x3xf32>
  %2 = tensor.concat dim(0) %0, %1 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<7x3xf32>
  return %2 : tensor<7x3xf32>
}

// A cache that is still empty.
// CHECK-LABEL: func.func @empty_operand(
// CHECK-NEXT: return %arg0 : tensor<2x3xf32>
func.func @empty_operand(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tensor.extract_slice %x[0, 0] [0, 3] [1, 1] : tensor<2x3xf32> to tensor<0x3xf32>
  %1 = tensor.concat dim(0) %0, %x : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// A guard for hosts that trap; the device divides by zero.
// CHECK-LABEL: func.func @reciprocal(
// CHECK: gaudi.tpc.reciprocal %arg0
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = arith.cmpf one, %a, %zero : f32
    cf.assert %c, "unimplemented: tensor with zero element"
    %r = arith.divf %one, %a : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// torch-mlir divides integers in f64.
// RUN: gaudi-run %s --entry=floor_of_quotient "--input=6xi64=7 -7 8 -8 0 9007199254740993" "--input=6xi64=3 3 -4 -4 5 1" "--expect=6xi64=2 -3 -2 2 0 9007199254740993"
// CHECK-LABEL: func.func @floor_of_quotient(
// CHECK-NOT: f64
func.func @floor_of_quotient(%x: tensor<6xi64>, %y: tensor<6xi64>) -> tensor<6xi64> {
  %e = tensor.empty() : tensor<6xi64>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<6xi64>, tensor<6xi64>) outs(%e : tensor<6xi64>) {
  ^bb0(%a: i64, %b: i64, %o: i64):
    %p = arith.sitofp %a : i64 to f64
    %q = arith.sitofp %b : i64 to f64
    %r = arith.divf %p, %q : f64
    %f = math.floor %r : f64
    %c = arith.fptosi %f : f64 to i64
    linalg.yield %c : i64
  } -> tensor<6xi64>
  return %0 : tensor<6xi64>
}

// Of sums in i64 only the low bits are read: 2^31 wraps.
// RUN: gaudi-run %s --entry=truncated_sums "--input=1x2xi32=65536 3" "--input=2x2xi32=32768 5 -1 7" "--expect=1x2xi32=2147483645 327701"
// CHECK-LABEL: func.func @truncated_sums(
// CHECK-NOT: i64
func.func @truncated_sums(%x: tensor<1x2xi32>, %y: tensor<2x2xi32>) -> tensor<1x2xi32> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<1x2xi64>
  %z = linalg.fill ins(%zero : i64) outs(%e : tensor<1x2xi64>) -> tensor<1x2xi64>
  %0 = linalg.matmul ins(%x, %y : tensor<1x2xi32>, tensor<2x2xi32>) outs(%z : tensor<1x2xi64>) -> tensor<1x2xi64>
  %n = tensor.empty() : tensor<1x2xi32>
  %1 = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<1x2xi64>) outs(%n : tensor<1x2xi32>) {
  ^bb0(%a: i64, %o: i32):
    %t = arith.trunci %a : i64 to i32
    linalg.yield %t : i32
  } -> tensor<1x2xi32>
  return %1 : tensor<1x2xi32>
}

// Transposed and broadcast operands stay what they are.
// RUN: gaudi-run %s --entry=truncated_transposed_sums "--input=3x3xi32=65536 3 -2 7 -65536 11 1 0 2147483647" "--input=3x3xi32=32768 5 -1 7 65536 13 -9 2 3" "--expect=3x3xi32=-2147483614 917517 -589807 -229376 21 -131099 2147418168 -2146762779 -2147483611"
// CHECK-LABEL: func.func @truncated_transposed_sums(
// CHECK-NOT: i64
func.func @truncated_transposed_sums(%x: tensor<3x3xi32>, %y: tensor<3x3xi32>) -> tensor<3x3xi32> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3x3xi64>
  %z = linalg.fill ins(%zero : i64) outs(%e : tensor<3x3xi64>) -> tensor<3x3xi64>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %y : tensor<3x3xi32>, tensor<3x3xi32>) outs(%z : tensor<3x3xi64>) -> tensor<3x3xi64>
  %n = tensor.empty() : tensor<3x3xi32>
  %1 = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<3x3xi64>) outs(%n : tensor<3x3xi32>) {
  ^bb0(%a: i64, %o: i32):
    %t = arith.trunci %a : i64 to i32
    linalg.yield %t : i32
  } -> tensor<3x3xi32>
  return %1 : tensor<3x3xi32>
}

// RUN: gaudi-run %s --entry=truncated_broadcast_sums "--input=2x2xi32=1 65536 3 -4" "--input=2x2x2xi32=1 2 32768 65536 -7 5 2 9" "--expect=2x2x2xi32=131073 32768 -5 -163840 327673 589826 -41 -30"
// CHECK-LABEL: func.func @truncated_broadcast_sums(
// CHECK-NOT: i64
func.func @truncated_broadcast_sums(%x: tensor<2x2xi32>, %y: tensor<2x2x2xi32>) -> tensor<2x2x2xi32> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<2x2x2xi64>
  %z = linalg.fill ins(%zero : i64) outs(%e : tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %y : tensor<2x2xi32>, tensor<2x2x2xi32>) outs(%z : tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  %n = tensor.empty() : tensor<2x2x2xi32>
  %1 = linalg.generic {indexing_maps = [#cube, #cube], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<2x2x2xi64>) outs(%n : tensor<2x2x2xi32>) {
  ^bb0(%a: i64, %o: i32):
    %t = arith.trunci %a : i64 to i32
    linalg.yield %t : i32
  } -> tensor<2x2x2xi32>
  return %1 : tensor<2x2x2xi32>
}

// The whole sum is read, too.
// CHECK-LABEL: func.func @whole_sums(
// CHECK: arith.muli {{.*}} : i64
func.func @whole_sums(%x: tensor<1x2xi32>, %y: tensor<2x2xi32>) -> (tensor<1x2xi64>, tensor<1x2xi32>) {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<1x2xi64>
  %z = linalg.fill ins(%zero : i64) outs(%e : tensor<1x2xi64>) -> tensor<1x2xi64>
  %0 = linalg.matmul ins(%x, %y : tensor<1x2xi32>, tensor<2x2xi32>) outs(%z : tensor<1x2xi64>) -> tensor<1x2xi64>
  %n = tensor.empty() : tensor<1x2xi32>
  %1 = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<1x2xi64>) outs(%n : tensor<1x2xi32>) {
  ^bb0(%a: i64, %o: i32):
    %t = arith.trunci %a : i64 to i32
    linalg.yield %t : i32
  } -> tensor<1x2xi32>
  return %0, %1 : tensor<1x2xi64>, tensor<1x2xi32>
}
