// RUN: gaudi-opt %s --canonicalize --split-input-file | FileCheck %s
// RUN: gaudi-opt %s --canonicalize --split-input-file --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: @same_type
func.func @same_type(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>,
                                              tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0
  %0 = gaudi.reshape %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = gaudi.bitcast %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = gaudi.slice %x offsets [0, 0] strides [1, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %3 = gaudi.transpose %x permutation [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %4 = gaudi.broadcast %x dims [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %5 = gaudi.concat %x axis 0 : tensor<4x8xf32> -> tensor<4x8xf32>
  %6 = gaudi.tpc.cast %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %7 = gaudi.tpc.pad <constant> %x low [0, 0] high [0, 0] value 0.0 : f32 : tensor<4x8xf32> -> tensor<4x8xf32>
  %8 = gaudi.insert_slice %x into %7 offsets [0, 0] strides [1, 1] : tensor<4x8xf32> into tensor<4x8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
    : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @insert_part
func.func @insert_part(%x: tensor<2xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: gaudi.insert_slice
  %0 = gaudi.insert_slice %x into %d offsets [0] strides [1] : tensor<2xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: @splats
func.func @splats() -> (tensor<8xf32>, tensor<2x2xf32>, tensor<2xi8>, tensor<3x2x2xf32>, tensor<4xbf16>) {
  // CHECK-DAG: gaudi.constant dense<2.000000e+00> : tensor<8xf32>
  // CHECK-DAG: gaudi.constant dense<2.000000e+00> : tensor<2x2xf32>
  // CHECK-DAG: gaudi.constant dense<7> : tensor<2xi8>
  // CHECK-DAG: gaudi.constant dense<2.000000e+00> : tensor<3x2x2xf32>
  // CHECK-DAG: gaudi.constant dense<1.500000e+00> : tensor<4xbf16>
  // CHECK-NOT: gaudi
  // CHECK:     return
  %c = gaudi.constant dense<2.0> : tensor<2x4xf32>
  %0 = gaudi.reshape %c : tensor<2x4xf32> -> tensor<8xf32>
  %1 = gaudi.slice %c offsets [0, 1] strides [1, 2] : tensor<2x4xf32> -> tensor<2x2xf32>
  %b = gaudi.constant dense<7> : tensor<1xi8>
  %2 = gaudi.broadcast %b dims [0] : tensor<1xi8> -> tensor<2xi8>
  %t = gaudi.transpose %1 permutation [1, 0] : tensor<2x2xf32> -> tensor<2x2xf32>
  %3 = gaudi.broadcast %t dims [1, 2] : tensor<2x2xf32> -> tensor<3x2x2xf32>
  %4 = gaudi.fill 1.5 : bf16 : tensor<4xbf16>
  return %0, %1, %2, %3, %4 : tensor<8xf32>, tensor<2x2xf32>, tensor<2xi8>, tensor<3x2x2xf32>, tensor<4xbf16>
}

// -----

// CHECK-LABEL: @constant_reshape
func.func @constant_reshape() -> (tensor<2x2xf32>, tensor<1x2xf32>) {
  // CHECK-DAG:  gaudi.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // CHECK-DAG:  gaudi.constant dense_resource<weights> : tensor<1x2xf32>
  // CHECK-NOT: gaudi.reshape
  %0 = gaudi.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = gaudi.reshape %0 : tensor<4xf32> -> tensor<2x2xf32>
  %2 = gaudi.constant dense_resource<weights> : tensor<2xf32>
  %3 = gaudi.reshape %2 : tensor<2xf32> -> tensor<1x2xf32>
  return %1, %3 : tensor<2x2xf32>, tensor<1x2xf32>
}

{-#
  dialect_resources: { builtin: { weights: "0x040000000000803F00000040" } }
#-}

// -----

// Two transposes are one; the location names both.
// CHECK-LABEL: @merge_transposes
// LOC-LABEL: @merge_transposes
func.func @merge_transposes(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  // CHECK-NEXT: %[[T:.*]] = gaudi.transpose %arg0 permutation [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  // CHECK-NEXT: return %[[T]]
  // LOC: gaudi.transpose {{.*}} loc(#[[MERGED:.*]])
  %0 = gaudi.transpose %x permutation [0, 2, 1] : tensor<2x3x4xf32> -> tensor<2x4x3xf32> loc("inner")
  %1 = gaudi.transpose %0 permutation [1, 0, 2] : tensor<2x4x3xf32> -> tensor<4x2x3xf32> loc("outer")
  return %1 : tensor<4x2x3xf32>
}
// LOC-DAG: #[[INNER:.*]] = loc("inner")
// LOC-DAG: #[[OUTER:.*]] = loc("outer")
// LOC-DAG: #[[MERGED]] = loc(fused[#[[INNER]], #[[OUTER]]])

// -----

// CHECK-LABEL: @inverse_transposes
func.func @inverse_transposes(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: return %arg0
  %0 = gaudi.transpose %x permutation [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %1 = gaudi.transpose %0 permutation [1, 2, 0] : tensor<4x2x3xf32> -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// -----

// Only unit dimensions move: the bytes stay.
// CHECK-LABEL: @unit_transpose
// LOC-LABEL: @unit_transpose
func.func @unit_transpose(%x: tensor<1x3x1x4xf32>) -> tensor<3x4x1x1xf32> {
  // CHECK-NEXT: gaudi.reshape %arg0 : tensor<1x3x1x4xf32> -> tensor<3x4x1x1xf32>
  // LOC: gaudi.reshape {{.*}} loc(#[[UNIT:.*]])
  %0 = gaudi.transpose %x permutation [1, 3, 0, 2] : tensor<1x3x1x4xf32> -> tensor<3x4x1x1xf32> loc("unit")
  return %0 : tensor<3x4x1x1xf32>
}
// LOC-DAG: #[[UNIT]] = loc("unit")

// -----

// CHECK-LABEL: @real_transpose
func.func @real_transpose(%x: tensor<1x3x1x4xf32>) -> tensor<4x3x1x1xf32> {
  // CHECK-NEXT: gaudi.transpose
  %0 = gaudi.transpose %x permutation [3, 1, 0, 2] : tensor<1x3x1x4xf32> -> tensor<4x3x1x1xf32>
  return %0 : tensor<4x3x1x1xf32>
}

// -----

// A broadcast is what readers take without a copy, so a reshape goes before it
// where it does not mix elements with repetitions.
// CHECK-LABEL: @reshape_of_broadcast
func.func @reshape_of_broadcast(%x: tensor<2x3xf32>)
    -> (tensor<20x6xf32>, tensor<1x6x20xf32>, tensor<2x12xf32>) {
  // CHECK-DAG: %[[FLAT:.*]] = gaudi.reshape %arg0 : tensor<2x3xf32> -> tensor<6xf32>
  // CHECK-DAG: %[[A:.*]] = gaudi.broadcast %[[FLAT]] dims [1] : tensor<6xf32> -> tensor<20x6xf32>
  %0 = gaudi.broadcast %x dims [2, 3] : tensor<2x3xf32> -> tensor<4x5x2x3xf32>
  %1 = gaudi.reshape %0 : tensor<4x5x2x3xf32> -> tensor<20x6xf32>
  // CHECK-DAG: %[[B:.*]] = gaudi.broadcast %{{.*}} dims [1] : tensor<6xf32> -> tensor<1x6x20xf32>
  %2 = gaudi.broadcast %x dims [0, 1] : tensor<2x3xf32> -> tensor<2x3x4x5xf32>
  %3 = gaudi.reshape %2 : tensor<2x3x4x5xf32> -> tensor<1x6x20xf32>
  // Rows of twelve are four repetitions of three elements.
  // CHECK-DAG: %[[C:.*]] = gaudi.reshape %{{.*}} : tensor<2x4x3xf32> -> tensor<2x12xf32>
  %4 = gaudi.broadcast %x dims [0, 2] : tensor<2x3xf32> -> tensor<2x4x3xf32>
  %5 = gaudi.reshape %4 : tensor<2x4x3xf32> -> tensor<2x12xf32>
  // CHECK: return %[[A]], %[[B]], %[[C]]
  return %1, %3, %5 : tensor<20x6xf32>, tensor<1x6x20xf32>, tensor<2x12xf32>
}

// CHECK-LABEL: @merge_reshapes
// LOC-LABEL: @merge_reshapes
func.func @merge_reshapes(%x: tensor<2x6xf32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: %[[R:.*]] = gaudi.reshape %arg0 : tensor<2x6xf32> -> tensor<4x3xf32>
  // CHECK-NEXT: return %[[R]]
  // LOC: gaudi.reshape {{.*}} loc(#[[BOTH:.*]])
  %0 = gaudi.reshape %x : tensor<2x6xf32> -> tensor<12xf32> loc("first")
  %1 = gaudi.reshape %0 : tensor<12xf32> -> tensor<4x3xf32> loc("second")
  return %1 : tensor<4x3xf32>
}
// LOC-DAG: #[[FIRST:.*]] = loc("first")
// LOC-DAG: #[[SECOND:.*]] = loc("second")
// LOC-DAG: #[[BOTH]] = loc(fused[#[[FIRST]], #[[SECOND]]])

// -----

// Scalars inside a kernel fold to scalars, not to tensors.
// CHECK-LABEL: @in_kernel
func.func @in_kernel() -> tensor<4xf32> {
  // CHECK: %[[C:.*]] = arith.constant 3.000000e+00 : f32
  // CHECK-NEXT: gaudi.kernel.store %[[C]]
  %0 = gaudi.tpc.kernel () index_space [4] parallel [true] : () -> tensor<4xf32> {
  ^bb0(%out0: tensor<4xf32>):
    %a = arith.constant 1.0 : f32
    %b = arith.constant 2.0 : f32
    %c = arith.addf %a, %b : f32
    gaudi.kernel.store %c, %out0[d0] : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// An input that is given twice is read through its first argument; one that
// nothing reads is dropped.
// CHECK-LABEL: @kernel_inputs
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
func.func @kernel_inputs(%x: tensor<4xf32>, %y: tensor<4xf32>, %unused: tensor<8xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: gaudi.tpc.kernel(%[[X]], %[[Y]]) {{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: ^bb0(%in0: tensor<4xf32>, %in1: tensor<4xf32>, %out0: tensor<4xf32>):
  // CHECK-NEXT: %[[A:.*]] = gaudi.kernel.load %in0[d0]
  // CHECK-NEXT: %[[B:.*]] = gaudi.kernel.load %in0[-d0 + 3]
  // CHECK-NEXT: %[[C:.*]] = gaudi.kernel.load %in1[d0]
  // CHECK-NEXT: math.fma %[[A]], %[[B]], %[[C]]
  // CHECK-NEXT: gaudi.kernel.store %{{.*}}, %out0[d0]
  %0 = gaudi.tpc.kernel (%x, %unused, %x, %y) index_space [4] parallel [true] : (tensor<4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %in1: tensor<8xf32>, %in2: tensor<4xf32>, %in3: tensor<4xf32>, %out0: tensor<4xf32>):
    %a = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    %b = gaudi.kernel.load %in2[-d0 + 3] : tensor<4xf32>
    %c = gaudi.kernel.load %in3[d0] : tensor<4xf32>
    %r = math.fma %a, %b, %c : f32
    gaudi.kernel.store %r, %out0[d0] : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// What is known of a splat does not make a shape known.
// CHECK-LABEL: @dynamic
func.func @dynamic() -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  // CHECK-DAG: gaudi.fill
  // CHECK-DAG: gaudi.broadcast
  // CHECK-DAG: gaudi.slice
  // CHECK-DAG: gaudi.reshape
  %0 = gaudi.fill 1.0 : f32 : tensor<?xf32>
  %c = gaudi.constant dense<2.0> : tensor<1xf32>
  %1 = gaudi.broadcast %c dims [0] : tensor<1xf32> -> tensor<?xf32>
  %2 = gaudi.slice %c offsets [0] strides [1] : tensor<1xf32> -> tensor<?xf32>
  %3 = gaudi.reshape %c : tensor<1xf32> -> tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// Equal types with dynamic sizes may differ at run time.
// CHECK-LABEL: @equal_dynamic_types
func.func @equal_dynamic_types(%x: tensor<?x3xf32>, %y: tensor<?x?xf32>, %c: tensor<1x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x?xf32>, tensor<?x3xf32>) {
  // CHECK-NEXT: gaudi.constant
  // CHECK-NEXT: gaudi.slice
  // CHECK-NEXT: gaudi.insert_slice
  // CHECK-NEXT: gaudi.broadcast
  // CHECK-NEXT: gaudi.reshape
  // CHECK-NEXT: gaudi.tpc.mul
  %0 = gaudi.slice %x offsets [1, 0] strides [1, 1] : tensor<?x3xf32> -> tensor<?x3xf32>
  %1 = gaudi.insert_slice %x into %0 offsets [2, 0] strides [1, 1] : tensor<?x3xf32> into tensor<?x3xf32>
  %2 = gaudi.broadcast %x dims [0, 1] : tensor<?x3xf32> -> tensor<?x3xf32>
  %3 = gaudi.reshape %y : tensor<?x?xf32> -> tensor<?x?xf32>
  %one = gaudi.constant dense<1.0> : tensor<1x3xf32>
  %4 = gaudi.tpc.mul %x, %one : tensor<?x3xf32>, tensor<1x3xf32> -> tensor<?x3xf32>
  return %0, %1, %2, %3, %4 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x?xf32>, tensor<?x3xf32>
}

// -----

// Identities hold for every value: x + 0 is not x if x is -0.
// CHECK-LABEL: @neutral
func.func @neutral(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>) {
  // CHECK-DAG:  %[[ZERO:.*]] = gaudi.constant dense<0.000000e+00> : tensor<4xf32>
  // CHECK-DAG:  %[[MINUS:.*]] = gaudi.constant dense<-0.000000e+00> : tensor<4xf32>
  // CHECK-DAG:  %[[A:.*]] = gaudi.tpc.add %arg0, %[[ZERO]]
  // CHECK-DAG:  %[[B:.*]] = gaudi.tpc.sub %arg0, %[[MINUS]]
  // CHECK:      return %[[A]], %[[B]], %arg0, %arg0, %arg1, %arg1
  %zero = gaudi.constant dense<0.0> : tensor<4xf32>
  %minus = gaudi.constant dense<-0.0> : tensor<4xf32>
  %one = gaudi.constant dense<1.0> : tensor<4xf32>
  %none = gaudi.constant dense<0> : tensor<4xi32>
  %0 = gaudi.tpc.add %x, %zero : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %1 = gaudi.tpc.sub %x, %minus : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %3 = gaudi.tpc.sub %x, %zero : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %4 = gaudi.tpc.mul %x, %one : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %5 = gaudi.tpc.add %none, %i : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  %6 = gaudi.tpc.shl %i, %none : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  return %0, %1, %3, %4, %5, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>
}

// -----

// A neutral operand that makes the result larger is a broadcast.
// CHECK-LABEL: @neutral_broadcast
func.func @neutral_broadcast(%x: tensor<1xf32>) -> tensor<4xf32> {
  // CHECK: gaudi.tpc.mul
  %one = gaudi.constant dense<1.0> : tensor<4xf32>
  %0 = gaudi.tpc.mul %x, %one : tensor<1xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: @idempotent
func.func @idempotent(%x: tensor<4xf32>, %c: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[A:.*]] = gaudi.tpc.abs %arg0
  // CHECK-NEXT: return %[[A]], %arg0, %arg0, %arg0
  %0 = gaudi.tpc.abs %x : tensor<4xf32>
  %1 = gaudi.tpc.abs %0 : tensor<4xf32>
  %2 = gaudi.tpc.neg %x : tensor<4xf32>
  %3 = gaudi.tpc.neg %2 : tensor<4xf32>
  %4 = gaudi.tpc.max %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %5 = gaudi.tpc.select %c, %x, %x : tensor<4xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %1, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Constants of exactly rounded ops fold; functions are left to the engine.
// CHECK-LABEL: @constants
func.func @constants() -> (tensor<2xbf16>, tensor<2x2xf32>, tensor<2xf32>) {
  // CHECK-DAG: %[[A:.*]] = gaudi.constant dense<[4.000000e+00, 6.000000e+00]> : tensor<2xbf16>
  // CHECK-DAG: %[[B:.*]] = gaudi.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<2x2xf32>
  // CHECK-DAG: %[[E:.*]] = gaudi.tpc.exp
  // CHECK:     return %[[A]], %[[B]], %[[E]]
  %a = gaudi.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %b = gaudi.constant dense<[3.0, 4.0]> : tensor<2xbf16>
  %0 = gaudi.tpc.add %a, %b : tensor<2xbf16>, tensor<2xbf16> -> tensor<2xbf16>
  %row = gaudi.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %column = gaudi.constant dense<[[1.0], [3.0]]> : tensor<2x1xf32>
  %1 = gaudi.tpc.mul %column, %row : tensor<2x1xf32>, tensor<1x2xf32> -> tensor<2x2xf32>
  %c = gaudi.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = gaudi.tpc.exp %c : tensor<2xf32>
  return %0, %1, %2 : tensor<2xbf16>, tensor<2x2xf32>, tensor<2xf32>
}

// -----

// Orders of products that are flags, that exchange the operands, and that
// change nothing.
// CHECK-LABEL: @product_orders
func.func @product_orders(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %c: tensor<4x2x3xf32>)
    -> (tensor<2x3x5xf32>, tensor<2x4x4xf32>, tensor<2x5x3xf32>, tensor<2x3x5xf32>, tensor<5x2x3xf32>) {
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %arg1 : tensor<2x3x4xf32>, tensor<2x4x5xf32> -> tensor<2x3x5xf32>
  %0 = gaudi.mme.gemm %a, %b order_a [0, 1, 2] order_c [0, 1, 2] : tensor<2x3x4xf32>, tensor<2x4x5xf32> -> tensor<2x3x5xf32>
  // CHECK-NEXT: gaudi.mme.gemm %arg0, %arg0 transpose_a : tensor<2x3x4xf32>, tensor<2x3x4xf32> -> tensor<2x4x4xf32>
  %1 = gaudi.mme.gemm %a, %a transpose_b order_a [0, 2, 1] order_b [0, 2, 1] : tensor<2x3x4xf32>, tensor<2x3x4xf32> -> tensor<2x4x4xf32>
  // The product of the transposed operands, exchanged.
  // CHECK-NEXT: gaudi.mme.gemm %arg1, %arg0 transpose_a transpose_b : tensor<2x4x5xf32>, tensor<2x3x4xf32> -> tensor<2x5x3xf32>
  %2 = gaudi.mme.gemm %a, %b order_c [0, 2, 1] : tensor<2x3x4xf32>, tensor<2x4x5xf32> -> tensor<2x5x3xf32>
  // The common dimension comes first in memory.
  // CHECK-NEXT: gaudi.mme.gemm %arg2, %arg1 transpose_a order_a [1, 0, 2] : tensor<4x2x3xf32>, tensor<2x4x5xf32> -> tensor<2x3x5xf32>
  %3 = gaudi.mme.gemm %c, %b order_a [2, 0, 1] : tensor<4x2x3xf32>, tensor<2x4x5xf32> -> tensor<2x3x5xf32>
  // CHECK-NEXT: gaudi.mme.gemm %arg1, %arg2 transpose_a order_b [1, 0, 2] order_c [1, 0, 2] : tensor<2x4x5xf32>, tensor<4x2x3xf32> -> tensor<5x2x3xf32>
  %4 = gaudi.mme.gemm %c, %b transpose_a order_a [1, 0, 2] order_c [2, 0, 1] : tensor<4x2x3xf32>, tensor<2x4x5xf32> -> tensor<5x2x3xf32>
  return %0, %1, %2, %3, %4 : tensor<2x3x5xf32>, tensor<2x4x4xf32>, tensor<2x5x3xf32>, tensor<2x3x5xf32>, tensor<5x2x3xf32>
}
