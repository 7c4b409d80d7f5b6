// RUN: gaudi-opt %s --gaudi-schedule-ops -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %t.once --gaudi-schedule-ops | FileCheck %s
// RUN: gaudi-opt %s --gaudi-schedule-ops --remarks-filter=gaudi-schedule-ops --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-opt %s --gaudi-schedule-ops="memory-order=false" | FileCheck %s --check-prefix=PROGRAM

module attributes {gaudi.device = "gaudi2"} {
// Two large results, each only read by a conversion: the second one is computed
// when the first one has been read.
// CHECK-LABEL: @two_results
// CHECK:      %[[A:.*]] = gaudi.tpc.exp %arg0
// CHECK-NEXT: gaudi.tpc.cast %[[A]]
// CHECK:      %[[B:.*]] = gaudi.tpc.exp %arg1
// CHECK-NEXT: gaudi.tpc.cast %[[B]]
// PROGRAM-LABEL: @two_results
// PROGRAM:      gaudi.tpc.exp %arg0
// PROGRAM-NEXT: gaudi.tpc.exp %arg1
// REMARK-DAG: remark: [Passed] memory-order | Category:gaudi-schedule-ops | Function=two_results{{.*}}ordered 2 of 6 ops anew for a peak of 2147483648 bytes instead of 2684354560 (lower bound 2147483648), {{(saving|adding)}} {{[0-9.]+ [num]?s}} on gaudi2
func.func @two_results(%x: tensor<16384x16384xf32>, %y: tensor<16384x16384xf32>) -> tensor<16384x16384xbf16> {
  %a = gaudi.tpc.exp %x : tensor<16384x16384xf32>
  %b = gaudi.tpc.exp %y : tensor<16384x16384xf32>
  %ra = gaudi.tpc.cast %a : tensor<16384x16384xf32> -> tensor<16384x16384xbf16>
  %rb = gaudi.tpc.cast %b : tensor<16384x16384xf32> -> tensor<16384x16384xbf16>
  %s = gaudi.tpc.add %ra, %rb : tensor<16384x16384xbf16>, tensor<16384x16384xbf16> -> tensor<16384x16384xbf16>
  return %s : tensor<16384x16384xbf16>
}

// With products, the matrix engine computes the second one while the first one
// is read. In one buffer it could not.
// CHECK-LABEL: @two_products
// CHECK:      gaudi.mme.gemm
// CHECK-NEXT: gaudi.mme.gemm
// REMARK-DAG: remark: [Missed] memory-order | Category:gaudi-schedule-ops | Function=two_products{{.*}}not ordered for a peak of 1052672 bytes instead of 2099200: engines would overlap less, and a launch would take {{[0-9.]+ [num]?s}} instead of {{[0-9.]+ [num]?s}} on gaudi2
func.func @two_products(%x: tensor<512x64xf32>, %w: tensor<64x512xf32>, %v: tensor<64x512xf32>) -> tensor<512xf32> {
  %a = gaudi.mme.gemm %x, %w : tensor<512x64xf32>, tensor<64x512xf32> -> tensor<512x512xf32>
  %b = gaudi.mme.gemm %x, %v : tensor<512x64xf32>, tensor<64x512xf32> -> tensor<512x512xf32>
  %ra = gaudi.tpc.reduce <sum> %a dims [1] : tensor<512x512xf32> -> tensor<512xf32>
  %rb = gaudi.tpc.reduce <sum> %b dims [1] : tensor<512x512xf32> -> tensor<512xf32>
  %s = gaudi.tpc.add %ra, %rb : tensor<512xf32>, tensor<512xf32> -> tensor<512xf32>
  return %s : tensor<512xf32>
}

// Views move with their readers; constants stay in front.
// CHECK-LABEL: @views
// CHECK-NEXT: %[[C:.*]] = gaudi.constant
// CHECK-NEXT: %[[A:.*]] = gaudi.tpc.exp %arg0
// CHECK-NEXT: %[[V:.*]] = gaudi.reshape %[[A]]
// CHECK-NEXT: gaudi.tpc.cast %[[V]]
// CHECK-NEXT: gaudi.tpc.mul %arg0, %[[C]]
// CHECK-NEXT: gaudi.tpc.cast
func.func @views(%x: tensor<16384x16384xf32>) -> tensor<16384x16384xbf16> {
  %a = gaudi.tpc.exp %x : tensor<16384x16384xf32>
  %va = gaudi.reshape %a : tensor<16384x16384xf32> -> tensor<268435456xf32>
  %c = gaudi.constant dense<1.5> : tensor<16384x16384xf32>
  %b = gaudi.tpc.mul %x, %c : tensor<16384x16384xf32>, tensor<16384x16384xf32> -> tensor<16384x16384xf32>
  %ca = gaudi.tpc.cast %va : tensor<268435456xf32> -> tensor<268435456xbf16>
  %cb = gaudi.tpc.cast %b : tensor<16384x16384xf32> -> tensor<16384x16384xbf16>
  %vc = gaudi.reshape %ca : tensor<268435456xbf16> -> tensor<16384x16384xbf16>
  %s = gaudi.tpc.add %vc, %cb : tensor<16384x16384xbf16>, tensor<16384x16384xbf16> -> tensor<16384x16384xbf16>
  return %s : tensor<16384x16384xbf16>
}

// Nothing can be gained in a chain.
// CHECK-LABEL: @chain
// REMARK-DAG: remark: [Analysis] memory-order | Category:gaudi-schedule-ops | Function=chain{{.*}}kept program order: its peak of {{[0-9]+}} bytes is the lowest of all orders (lower bound {{[0-9]+}})
func.func @chain(%x: tensor<512xf32>) -> tensor<512xf32> {
  %a = gaudi.tpc.exp %x : tensor<512xf32>
  %b = gaudi.tpc.log %a : tensor<512xf32>
  %c = gaudi.tpc.exp %b : tensor<512xf32>
  return %c : tensor<512xf32>
}

// The old value of the state is read before the new one is written, also in
// the new order.
// CHECK-LABEL: @state
// CHECK:      gaudi.tpc.reduce <sum> %arg0
// CHECK:      gaudi.tpc.kernel(%arg0
func.func @state(%s: tensor<512x512xf32> {gaudi.state = 0 : i64}, %x: tensor<512x64xf32>, %w: tensor<64x512xf32>) -> (tensor<512x512xf32>, tensor<512xf32>) {
  %a = gaudi.mme.gemm %x, %w : tensor<512x64xf32>, tensor<64x512xf32> -> tensor<512x512xf32>
  %b = gaudi.tpc.exp %a : tensor<512x512xf32>
  %r = gaudi.tpc.reduce <sum> %s dims [1] : tensor<512x512xf32> -> tensor<512xf32>
  %n = gaudi.tpc.kernel (%s, %b) index_space [512, 512] parallel [true, true] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32> {
  ^bb0(%in0: tensor<512x512xf32>, %in1: tensor<512x512xf32>, %out0: tensor<512x512xf32>):
    %0 = gaudi.kernel.load %in0[d0, d1] : tensor<512x512xf32>
    %1 = gaudi.kernel.load %in1[d0, d1] : tensor<512x512xf32>
    %2 = arith.addf %0, %1 : f32
    gaudi.kernel.store %2, %out0[d0, d1] : tensor<512x512xf32>
  }
  return %n, %r : tensor<512x512xf32>, tensor<512xf32>
}
}
