// RUN: gaudi-opt %s --gaudi-expand-kernels --gaudi-fuse-tpc -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %t.once --gaudi-fuse-tpc | diff %t.once -

module attributes {gaudi.device = "gaudi2"} {

// CHECK-LABEL: @chain
func.func @chain(%x: tensor<64x128xf32>, %b: tensor<1x128xf32>) -> tensor<64x128xf32> {
  // CHECK:      gaudi.tpc.kernel label "tpc.neg+add+abs"(%arg0, %arg1) index_space [64, 128] parallel [true, true]
  // CHECK-NEXT:   ^bb0(
  // CHECK-NEXT:   %[[X:.*]] = gaudi.kernel.load %in0[
  // CHECK-NEXT:   %[[N:.*]] = arith.negf %[[X]] : f32
  // CHECK-NEXT:   %[[B:.*]] = gaudi.kernel.load %in1[
  // CHECK-NEXT:   %[[S:.*]] = arith.addf %[[N]], %[[B]] : f32
  // CHECK-NEXT:   %[[Y:.*]] = math.absf %[[S]] : f32
  // CHECK-NEXT:   gaudi.kernel.store %[[Y]], %out0[
  // CHECK-NEXT: }
  %0 = gaudi.tpc.neg %x : tensor<64x128xf32>
  %1 = gaudi.tpc.add %0, %b : tensor<64x128xf32>, tensor<1x128xf32> -> tensor<64x128xf32>
  %2 = gaudi.tpc.abs %1 : tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// Every store to a narrow type that is read again is a rounding.
// CHECK-LABEL: @rounding
func.func @rounding(%x: tensor<64xbf16>) -> tensor<64xbf16> {
  // CHECK:      %[[X:.*]] = gaudi.kernel.load %in0[
  // CHECK-NEXT: %[[E:.*]] = math.exp %[[X]] : f32
  // CHECK-NEXT: %[[T:.*]] = arith.truncf %[[E]] : f32 to bf16
  // CHECK-NEXT: %[[R:.*]] = arith.extf %[[T]] : bf16 to f32
  // CHECK-NEXT: %[[Y:.*]] = arith.addf %[[R]], %[[R]] : f32
  // CHECK-NEXT: gaudi.kernel.store %[[Y]], %out0[
  %0 = gaudi.tpc.exp %x : tensor<64xbf16>
  %1 = gaudi.tpc.add %0, %0 : tensor<64xbf16>, tensor<64xbf16> -> tensor<64xbf16>
  return %1 : tensor<64xbf16>
}

// A scaled cast by a rule is one kernel, and its store rounds nothing more.
// CHECK-LABEL: @scaled_cast
func.func @scaled_cast(%x: tensor<64x128xbf16>, %s: tensor<1x1xf32>, %w: tensor<64x128xi32>)
    -> (tensor<64x128xf8E4M3FN>, tensor<64x128xf32>) {
  // CHECK:      gaudi.tpc.kernel label "{{[^"]*}}round_to{{[^"]*}}"(
  // CHECK:      %[[P:.*]] = arith.mulf
  // CHECK:      %[[LOW:.*]] = arith.maximumf %[[P]], %{{.*}} : f32
  // CHECK:      %[[C:.*]] = arith.minimumf %[[LOW]], %{{.*}} : f32
  // CHECK:      %[[R:.*]] = gaudi.kernel.round_to %[[C]] random %{{.*}} f8E4M3FN <stochastic> flush
  // CHECK-NOT:  arith.truncf
  // CHECK:      gaudi.kernel.store %[[R]], %out0[
  // CHECK-NEXT: gaudi.kernel.store %[[R]], %out1[
  %wide = gaudi.tpc.cast %x : tensor<64x128xbf16> -> tensor<64x128xf32>
  %p = gaudi.tpc.mul %wide, %s : tensor<64x128xf32>, tensor<1x1xf32> -> tensor<64x128xf32>
  %r = gaudi.tpc.round_to %p random %w <stochastic> flush saturate 240.0
    : tensor<64x128xf32>, tensor<64x128xi32> -> tensor<64x128xf8E4M3FN>
  %back = gaudi.tpc.cast %r : tensor<64x128xf8E4M3FN> -> tensor<64x128xf32>
  return %r, %back : tensor<64x128xf8E4M3FN>, tensor<64x128xf32>
}

// A cast to f32 of a bf16 tensor rounds nothing.
// CHECK-LABEL: @widening
func.func @widening(%x: tensor<64xbf16>) -> tensor<64xf32> {
  // CHECK-NOT: arith.truncf
  // CHECK: math.exp
  // CHECK-NEXT: gaudi.kernel.store
  %0 = gaudi.tpc.cast %x : tensor<64xbf16> -> tensor<64xf32>
  %1 = gaudi.tpc.exp %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// Values of unsigned and boolean tensors are signless; the ops say how they
// are read.
// CHECK-LABEL: @integers
func.func @integers(%x: tensor<64xui8>, %y: tensor<64xui8>) -> tensor<64xui8> {
  // CHECK:      gaudi.tpc.kernel label "tpc.div+compare+select"
  // CHECK:      arith.cmpi ult, %{{.*}}, %{{.*}} : i8
  // CHECK:      arith.divui
  // CHECK:      arith.select
  %c = gaudi.tpc.compare <lt> %x, %y : tensor<64xui8>, tensor<64xui8> -> tensor<64xi1>
  %d = gaudi.tpc.div %x, %y : tensor<64xui8>, tensor<64xui8> -> tensor<64xui8>
  %s = gaudi.tpc.select %c, %d, %y : tensor<64xi1>, tensor<64xui8>, tensor<64xui8> -> tensor<64xui8>
  return %s : tensor<64xui8>
}

// The wider copy of a result that others read is made where it is read.
// CHECK-LABEL: @wider_copy
func.func @wider_copy(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK: %[[N:.*]] = gaudi.tpc.kernel label "tpc.neg+cast"(%arg0)
  // CHECK: %[[T:.*]] = gaudi.transpose %[[N]]
  // CHECK: %[[U:.*]] = gaudi.transpose %[[T]]
  // CHECK: gaudi.tpc.kernel label "tpc.cast+cast+mul"(%[[N]], %[[U]])
  %0 = gaudi.tpc.neg %x : tensor<64x128xf32>
  %narrow = gaudi.tpc.cast %0 : tensor<64x128xf32> -> tensor<64x128xbf16>
  %wide = gaudi.tpc.cast %narrow : tensor<64x128xbf16> -> tensor<64x128xf32>
  %t = gaudi.transpose %narrow permutation [1, 0] : tensor<64x128xbf16> -> tensor<128x64xbf16>
  %u = gaudi.transpose %t permutation [1, 0] : tensor<128x64xbf16> -> tensor<64x128xbf16>
  %v = gaudi.tpc.cast %u : tensor<64x128xbf16> -> tensor<64x128xf32>
  %q = gaudi.tpc.mul %wide, %v : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %q : tensor<64x128xf32>
}

// Splat constants become scalars.
// CHECK-LABEL: @splat
func.func @splat(%x: tensor<64xbf16>) -> tensor<64xbf16> {
  // CHECK-NOT: gaudi.constant
  // CHECK: gaudi.tpc.kernel label "tpc.neg+mul"(%arg0)
  // CHECK: arith.constant 1.500000e+00 : f32
  %c = gaudi.constant dense<1.5> : tensor<1xbf16>
  %0 = gaudi.tpc.neg %x : tensor<64xbf16>
  %1 = gaudi.tpc.mul %0, %c : tensor<64xbf16>, tensor<1xbf16> -> tensor<64xbf16>
  return %1 : tensor<64xbf16>
}

// CHECK-LABEL: @into_reduction
func.func @into_reduction(%x: tensor<64x128xf32>) -> tensor<64xf32> {
  // CHECK:      gaudi.tpc.kernel label "tpc.abs+reduce+sqrt"(%arg0) index_space [64, 128] parallel [true, false]
  // CHECK:        gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>]
  // CHECK:          math.absf
  // CHECK-NEXT:     gaudi.kernel.yield
  // CHECK:        math.sqrt
  // CHECK-NEXT:   gaudi.kernel.store
  %0 = gaudi.tpc.abs %x : tensor<64x128xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %2 = gaudi.tpc.sqrt %1 : tensor<64xf32>
  return %2 : tensor<64xf32>
}

// The rows stay parallel, the columns are walked; what does not vary along
// them is computed once.
// CHECK-LABEL: @row_wise_reduction
func.func @row_wise_reduction(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK:      index_space [64, 128] parallel [true, false]
  // CHECK:        %[[M:.*]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<max>]
  // CHECK:        %[[E:.*]] = math.exp %[[M]]
  // CHECK:        gaudi.kernel.loop [1] {
  // CHECK-NEXT:     gaudi.kernel.load %in0[
  // CHECK-NEXT:     arith.subf %{{.*}}, %[[E]]
  // CHECK-NEXT:     gaudi.kernel.store
  %m = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %e = gaudi.tpc.exp %m : tensor<64x1xf32>
  %s = gaudi.tpc.sub %x, %e : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  return %s : tensor<64x128xf32>
}

// Two sums over the same values are one loop.
// CHECK-LABEL: @one_loop
func.func @one_loop(%x: tensor<64x128xf32>) -> tensor<64xf32> {
  // CHECK: gaudi.kernel.loop [1] reduce [#gaudi.reduce<max>, #gaudi.reduce<min>]
  // CHECK-NOT: gaudi.kernel.loop
  // CHECK: return
  %a = gaudi.tpc.reduce <max> %x dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %b = gaudi.tpc.reduce <min> %x dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %d = gaudi.tpc.sub %a, %b : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
  return %d : tensor<64xf32>
}

// A reshape between kernels splits a dimension of the reader.
// CHECK-LABEL: @reshape
func.func @reshape(%x: tensor<64x128xf32>, %b: tensor<1x128xf32>) -> tensor<8192xf32> {
  // CHECK-NOT: gaudi.reshape
  // CHECK: gaudi.tpc.kernel label "tpc.add+neg"(%arg0, %arg1) index_space [64, 128] parallel [true, true]
  // CHECK: gaudi.kernel.load %in0[d0, d1] : tensor<64x128xf32>
  // CHECK: gaudi.kernel.store %{{.*}}, %out0[d0 * 128 + d1] : tensor<8192xf32>
  %0 = gaudi.tpc.add %x, %b : tensor<64x128xf32>, tensor<1x128xf32> -> tensor<64x128xf32>
  %1 = gaudi.reshape %0 : tensor<64x128xf32> -> tensor<8192xf32>
  %2 = gaudi.tpc.neg %1 : tensor<8192xf32>
  return %2 : tensor<8192xf32>
}

// A reader that needs the value too is no obstacle: the kernel writes both.
// CHECK-LABEL: @two_results
func.func @two_results(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64xf32>) {
  // CHECK: %[[R:.*]]:2 = gaudi.tpc.kernel label "tpc.exp+reduce"(%arg0) index_space [64, 128] parallel [true, false]
  // CHECK:   gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>]
  // CHECK:     %[[E:.*]] = math.exp
  // CHECK:     gaudi.kernel.store %[[E]], %out1[
  // CHECK:     gaudi.kernel.yield %[[E]]
  // CHECK: return %[[R]]#1, %[[R]]#0
  %0 = gaudi.tpc.exp %x : tensor<64x128xf32>
  %1 = gaudi.tpc.reduce <sum> %0 dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<64xf32>
}

// The product reads the exponential and the sum reads the product: one kernel
// would wait for itself.
// CHECK-LABEL: @cycle
func.func @cycle(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: gaudi.tpc.kernel label "tpc.exp"
  // CHECK: gaudi.mme.gemm
  // CHECK: gaudi.tpc.kernel label "tpc.add"
  %0 = gaudi.tpc.exp %x : tensor<64x64xf32>
  %1 = gaudi.mme.gemm %0, %0 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %2 = gaudi.tpc.add %0, %1 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// The product moves after the kernel that writes its operand.
// CHECK-LABEL: @moved_after
func.func @moved_after(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  // CHECK: %[[R:.*]]:2 = gaudi.tpc.kernel label "tpc.exp+neg"
  // CHECK: %[[P:.*]] = gaudi.mme.gemm %[[R]]#1, %[[R]]#1
  // CHECK: return %[[P]], %[[R]]#0
  %0 = gaudi.tpc.exp %x : tensor<64x64xf32>
  %1 = gaudi.mme.gemm %0, %0 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %2 = gaudi.tpc.neg %0 : tensor<64x64xf32>
  return %1, %2 : tensor<64x64xf32>, tensor<64x64xf32>
}

// What only repeats elements is read from its source.
// CHECK-LABEL: @broadcast
func.func @broadcast(%x: tensor<64x128xf32>, %b: tensor<128xf32>) -> tensor<64x128xf32> {
  // CHECK-NOT: gaudi.broadcast
  // CHECK: gaudi.tpc.kernel label "tpc.add+neg"(%arg0, %arg1)
  %0 = gaudi.broadcast %b dims [1] {engine = #gaudi.engine<dma>} : tensor<128xf32> -> tensor<64x128xf32>
  %1 = gaudi.tpc.add %x, %0 : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %2 = gaudi.tpc.neg %1 : tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// Only the elements that the slice keeps are computed.
// CHECK-LABEL: @slice
func.func @slice(%x: tensor<64x128xf32>) -> tensor<32x32xf32> {
  // CHECK: gaudi.tpc.kernel label "tpc.exp+neg"(%arg0) index_space [32, 32]
  // CHECK: gaudi.kernel.load %in0[d0 * 2, d1 + 4] : tensor<64x128xf32>
  %0 = gaudi.tpc.exp %x : tensor<64x128xf32>
  %1 = gaudi.slice %0 offsets [0, 4] strides [2, 1] : tensor<64x128xf32> -> tensor<32x32xf32>
  %2 = gaudi.tpc.neg %1 : tensor<32x32xf32>
  return %2 : tensor<32x32xf32>
}

// A gather is a producer like any other; its rows are checked once each.
// CHECK-LABEL: @gather
func.func @gather(%table: tensor<1000x64xf32>, %ids: tensor<16xi32>, %p: tensor<16x64xf32>) -> tensor<16x64xf32> {
  // CHECK: gaudi.tpc.kernel label "tpc.gather+add"(%arg1, %arg0, %arg2)
  // CHECK: boundary [#gaudi.boundary<checked>, #gaudi.boundary<inside>]
  %0 = gaudi.tpc.gather %table, %ids axis 0 batch_dims 0 : tensor<1000x64xf32>, tensor<16xi32> -> tensor<16x64xf32>
  %1 = gaudi.tpc.add %0, %p : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
  return %1 : tensor<16x64xf32>
}

// Bias, residual and activation after a product are one kernel that reads the
// product in its own order.
// CHECK-LABEL: @after_product
func.func @after_product(%x: tensor<12x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>, %r: tensor<1x12x64xf32>) -> tensor<1x12x64xf32> {
  // CHECK: %[[P:.*]] = gaudi.mme.gemm
  // CHECK: gaudi.tpc.kernel label "tpc.add+add+clamp"(%[[P]], %arg2, %arg3) index_space [12, 64] parallel [true, true]
  // CHECK-NEXT: ^bb0(
  // CHECK-NEXT: gaudi.kernel.load %in0[d0, d1] : tensor<12x64xf32>
  %0 = gaudi.mme.gemm %x, %w : tensor<12x64xf32>, tensor<64x64xf32> -> tensor<12x64xf32>
  %1 = gaudi.reshape %0 : tensor<12x64xf32> -> tensor<1x12x64xf32>
  %2 = gaudi.reshape %b : tensor<64xf32> -> tensor<1x1x64xf32>
  %3 = gaudi.tpc.add %1, %2 : tensor<1x12x64xf32>, tensor<1x1x64xf32> -> tensor<1x12x64xf32>
  %4 = gaudi.tpc.add %3, %r : tensor<1x12x64xf32>, tensor<1x12x64xf32> -> tensor<1x12x64xf32>
  %5 = gaudi.tpc.clamp %4 min 0.0 : f32 max 6.0 : f32 : tensor<1x12x64xf32>
  return %5 : tensor<1x12x64xf32>
}

// The views between two kernels go with the producer, each once.
// CHECK-LABEL: @views_of_views
func.func @views_of_views(%x: tensor<4x64xf32>) -> tensor<1x32x2xf32> {
  // CHECK-NEXT: gaudi.tpc.kernel label "tpc.neg+abs"
  // CHECK-NOT: gaudi.slice
  // CHECK-NOT: gaudi.reshape
  %0 = gaudi.tpc.neg %x : tensor<4x64xf32>
  %1 = gaudi.slice %0 offsets [1, 0] strides [1, 1] : tensor<4x64xf32> -> tensor<1x64xf32>
  %2 = gaudi.reshape %1 : tensor<1x64xf32> -> tensor<1x32x2xf32>
  %3 = gaudi.tpc.abs %2 : tensor<1x32x2xf32>
  return %3 : tensor<1x32x2xf32>
}

// A kernel reads what a broadcast repeats, also twice; the broadcast goes once.
// CHECK-LABEL: @squared_broadcast
func.func @squared_broadcast(%v: tensor<64xf32>) -> tensor<64x128xf32> {
  // CHECK-NEXT: gaudi.tpc.kernel label "tpc.mul"(%arg0)
  // CHECK-NOT: gaudi.broadcast
  %b = gaudi.broadcast %v dims [0] : tensor<64xf32> -> tensor<64x128xf32>
  %0 = gaudi.tpc.mul %b, %b : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

}
