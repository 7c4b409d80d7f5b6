// RUN: gaudi-opt %s --gaudi-expand-kernels -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %t.once --gaudi-expand-kernels | diff %t.once -


// CHECK-LABEL: @broadcast
func.func @broadcast(%a: tensor<4x8xbf16>, %b: tensor<4x1xbf16>) -> tensor<4x8xbf16> {
  // CHECK:      gaudi.tpc.kernel label "tpc.add"(%arg0, %arg1) index_space [4, 8] parallel [true, true] : (tensor<4x8xbf16>, tensor<4x1xbf16>) -> tensor<4x8xbf16> {
  // CHECK-NEXT:   ^bb0(
  // CHECK-NEXT:   %[[A:.*]] = gaudi.kernel.load %in0[d0, d1]
  // CHECK-NEXT:   %[[B:.*]] = gaudi.kernel.load %in1[d0, 0]
  // CHECK-NEXT:   %[[S:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK-NEXT:   gaudi.kernel.store %[[S]], %out0[d0, d1]
  // CHECK-NEXT: }
  %0 = gaudi.tpc.add %a, %b : tensor<4x8xbf16>, tensor<4x1xbf16> -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// CHECK-LABEL: @scalar
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  // CHECK:      index_space [] parallel []
  // CHECK-NEXT:   ^bb0(
  // CHECK-NEXT:   gaudi.kernel.load %in0[]
  %0 = gaudi.tpc.tanh %x : tensor<f32>
  return %0 : tensor<f32>
}

// Six dimensions: the outermost is walked inside each point.
// CHECK-LABEL: @rank_six
func.func @rank_six(%a: tensor<2x3x4x5x6x7xf32>, %b: tensor<2x1x4x5x6x7xf32>) -> tensor<2x3x4x5x6x7xf32> {
  // CHECK:      index_space [2, 3, 4, 5, 6, 7] parallel [false, true, true, true, true, true]
  // CHECK-NEXT:   ^bb0(
  // CHECK-NEXT:   gaudi.kernel.loop [0] {
  // CHECK-NEXT:     gaudi.kernel.load %in0[d0, d1, d2, d3, d4, d5]
  // CHECK-NEXT:     gaudi.kernel.load %in1[d0, 0, d2, d3, d4, d5]
  // CHECK-NEXT:     arith.mulf
  // CHECK-NEXT:     gaudi.kernel.store %{{.*}}, %out0[d0, d1, d2, d3, d4, d5]
  // CHECK-NEXT:     gaudi.kernel.yield
  %0 = gaudi.tpc.mul %a, %b : tensor<2x3x4x5x6x7xf32>, tensor<2x1x4x5x6x7xf32> -> tensor<2x3x4x5x6x7xf32>
  return %0 : tensor<2x3x4x5x6x7xf32>
}

// Unit dimensions leave room for the others.
// CHECK-LABEL: @unit_dims
func.func @unit_dims(%a: tensor<2x1x3x1x4x5x6xf32>) -> tensor<2x1x3x1x4x5x6xf32> {
  // CHECK: index_space [2, 1, 3, 1, 4, 5, 6] parallel [true, false, true, false, true, true, true]
  // CHECK-NEXT: ^bb0(
  // CHECK-NEXT: gaudi.kernel.loop [1, 3] {
  %0 = gaudi.tpc.neg %a : tensor<2x1x3x1x4x5x6xf32>
  return %0 : tensor<2x1x3x1x4x5x6xf32>
}

// CHECK-LABEL: @unsigned
func.func @unsigned(%a: tensor<4xui8>, %f: tensor<4xf32>) -> (tensor<4xui8>, tensor<4xi1>, tensor<4xui8>, tensor<4xf32>) {
  // CHECK: gaudi.kernel.load %in0[d0]
  // CHECK: arith.divui
  %0 = gaudi.tpc.div %a, %a : tensor<4xui8>, tensor<4xui8> -> tensor<4xui8>
  // CHECK: arith.cmpi ult
  %1 = gaudi.tpc.compare <lt> %a, %0 : tensor<4xui8>, tensor<4xui8> -> tensor<4xi1>
  // CHECK: math.roundeven
  // CHECK-NEXT: arith.fptoui %{{.*}} : f32 to i8
  %2 = gaudi.tpc.cast %f rounding <nearest_even> : tensor<4xf32> -> tensor<4xui8>
  // CHECK: arith.uitofp %{{.*}} : i8 to f32
  %3 = gaudi.tpc.cast %a : tensor<4xui8> -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xui8>, tensor<4xi1>, tensor<4xui8>, tensor<4xf32>
}

// CHECK-LABEL: @reduce_mean
func.func @reduce_mean(%x: tensor<4x8xbf16>) -> tensor<4x1xbf16> {
  // CHECK:      gaudi.tpc.kernel label "tpc.reduce"(%arg0) index_space [4, 8] parallel [true, false]
  // CHECK-NEXT:   ^bb0(
  // CHECK-NEXT:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT:   %[[SUM:.*]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%[[ZERO]]) : f32 {
  // CHECK:          gaudi.kernel.load %in0[d0, d1]
  // CHECK:        %[[N:.*]] = arith.constant 8.000000e+00 : f32
  // CHECK-NEXT:   %[[MEAN:.*]] = arith.divf %[[SUM]], %[[N]] : f32
  // CHECK-NEXT:   gaudi.kernel.store %[[MEAN]], %out0[d0, 0]
  %0 = gaudi.tpc.reduce <mean> %x dims [1] keep_dims : tensor<4x8xbf16> -> tensor<4x1xbf16>
  return %0 : tensor<4x1xbf16>
}

// Operator and initial value by kind and type.
// CHECK-LABEL: @reduce_kinds
func.func @reduce_kinds(%x: tensor<4x8xf32>, %c: tensor<4x8xi1>, %i: tensor<4x8xi8>, %u: tensor<4x8xui8>)
    -> (tensor<f32>, tensor<8xi1>, tensor<8xi1>, tensor<4xi8>, tensor<4xui8>, tensor<4xf32>, tensor<4xi8>, tensor<4x8xf32>) {
  // CHECK:      arith.constant 1.000000e+00 : f32
  // CHECK-NEXT: gaudi.kernel.loop [0, 1] reduce [#gaudi.reduce<mul>]
  // CHECK:      gaudi.kernel.store %{{.*}}, %out0[]
  %0 = gaudi.tpc.reduce <prod> %x dims [0, 1] : tensor<4x8xf32> -> tensor<f32>
  // CHECK:      arith.constant true
  // CHECK-NEXT: gaudi.kernel.loop [0] reduce [#gaudi.reduce<and>]
  %1 = gaudi.tpc.reduce <all> %c dims [0] : tensor<4x8xi1> -> tensor<8xi1>
  // CHECK:      arith.constant false
  // CHECK-NEXT: gaudi.kernel.loop [0] reduce [#gaudi.reduce<or>]
  %2 = gaudi.tpc.reduce <any> %c dims [0] : tensor<4x8xi1> -> tensor<8xi1>
  // CHECK:      arith.constant -128 : i8
  // CHECK-NEXT: gaudi.kernel.loop [1] reduce [#gaudi.reduce<max>]
  %3 = gaudi.tpc.reduce <max> %i dims [1] : tensor<4x8xi8> -> tensor<4xi8>
  // CHECK:      arith.constant -1 : i8
  // CHECK-NEXT: gaudi.kernel.loop [1] reduce [#gaudi.reduce<minu>]
  %4 = gaudi.tpc.reduce <min> %u dims [1] : tensor<4x8xui8> -> tensor<4xui8>
  // CHECK:      arith.constant 0x7F800000 : f32
  // CHECK-NEXT: gaudi.kernel.loop [1] reduce [#gaudi.reduce<min>]
  %5 = gaudi.tpc.reduce <min> %x dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  // CHECK:      arith.constant 0 : i8
  // CHECK-NEXT: gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>]
  %6 = gaudi.tpc.reduce <sum> %i dims [1] : tensor<4x8xi8> -> tensor<4xi8>
  // Nothing is reduced: a copy.
  // CHECK:      parallel [true, true]
  // CHECK-NOT:  gaudi.kernel.loop
  // CHECK:      return
  %7 = gaudi.tpc.reduce <sum> %x dims [] : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<f32>, tensor<8xi1>, tensor<8xi1>, tensor<4xi8>, tensor<4xui8>, tensor<4xf32>, tensor<4xi8>, tensor<4x8xf32>
}

// More kept dimensions than an index space has: neighbours become one.
// CHECK-LABEL: @reduce_wide
func.func @reduce_wide(%x: tensor<2x2x2x2x2x2x3xf32>) -> (tensor<2x2x2x2x2x2xf32>, tensor<2x2x2x1x2x2x3xi32>) {
  // CHECK:      %[[V:.*]] = gaudi.reshape %arg0 : tensor<2x2x2x2x2x2x3xf32> -> tensor<64x3xf32>
  // CHECK-NEXT: %[[K:.*]] = gaudi.tpc.kernel label "tpc.reduce"(%[[V]]) index_space [64, 3] parallel [true, false]
  // CHECK:      gaudi.reshape %[[K]] : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
  %0 = gaudi.tpc.reduce <max> %x dims [6] : tensor<2x2x2x2x2x2x3xf32> -> tensor<2x2x2x2x2x2xf32>
  // CHECK:      gaudi.reshape %arg0 : tensor<2x2x2x2x2x2x3xf32> -> tensor<8x2x12xf32>
  // CHECK-NEXT: gaudi.tpc.kernel label "tpc.arg_reduce"(%{{.*}}) index_space [8, 2, 12] parallel [true, false, true]
  // CHECK:      reduce [#gaudi.reduce<argmax>]
  // CHECK:      gaudi.reshape %{{.*}} : tensor<8x12xi32> -> tensor<2x2x2x1x2x2x3xi32>
  %1 = gaudi.tpc.arg_reduce %x axis 3 is_max keep_dims : tensor<2x2x2x2x2x2x3xf32> -> tensor<2x2x2x1x2x2x3xi32>
  return %0, %1 : tensor<2x2x2x2x2x2xf32>, tensor<2x2x2x1x2x2x3xi32>
}

// Without elements: nothing to run, or only the value that a reduction starts from.
// CHECK-LABEL: @empty
func.func @empty(%x: tensor<4x0xf32>, %b: tensor<0xi1>)
    -> (tensor<4x0xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i1>, tensor<4xi32>) {
  // CHECK-NEXT: gaudi.constant dense<> : tensor<4x0xf32>
  %0 = gaudi.tpc.exp %x : tensor<4x0xf32>
  // CHECK:      index_space [4] parallel [true]
  // CHECK-NEXT: ^bb0(
  // CHECK-NEXT: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
  // CHECK-NEXT: gaudi.kernel.store %[[LOW]]
  %1 = gaudi.tpc.reduce <max> %x dims [1] : tensor<4x0xf32> -> tensor<4xf32>
  // CHECK:      arith.constant 0x7FC00000 : f32
  %2 = gaudi.tpc.reduce <mean> %x dims [1] : tensor<4x0xf32> -> tensor<4xf32>
  // CHECK:      arith.constant true
  %3 = gaudi.tpc.reduce <all> %b dims [0] : tensor<0xi1> -> tensor<i1>
  // CHECK:      arith.constant 0 : i32
  %4 = gaudi.tpc.arg_reduce %x axis 1 is_max : tensor<4x0xf32> -> tensor<4xi32>
  return %0, %1, %2, %3, %4: tensor<4x0xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i1>, tensor<4xi32>
}

// A border around nothing is its value.
// CHECK-LABEL: @empty_pad
func.func @empty_pad(%x: tensor<0x4xbf16>) -> tensor<3x4xbf16> {
  // CHECK-NEXT: gaudi.tpc.kernel label "tpc.pad"() index_space [3, 4] parallel [true, true] : () -> tensor<3x4xbf16> {
  // CHECK-NEXT:   ^bb0(
  // CHECK-NEXT:   %[[V:.*]] = arith.constant 1.500000e+00 : f32
  // CHECK-NEXT:   gaudi.kernel.store %[[V]], %out0[d0, d1]
  %0 = gaudi.tpc.pad <constant> %x low [1, 0] high [2, 0] value 1.5 : bf16 : tensor<0x4xbf16> -> tensor<3x4xbf16>
  return %0 : tensor<3x4xbf16>
}

// No engine runs for nothing.
// CHECK-LABEL: @empty_products
func.func @empty_products(%a: tensor<4x0xf32>, %b: tensor<0x3xbf16>, %c: tensor<0x3xf32>, %x: tensor<1x4x0xf32>)
    -> (tensor<4x3xf32>, tensor<3x0xf32>, tensor<1x4x5xf32>, tensor<0x4xf32>, tensor<0x3xf32>) {
  // CHECK-NEXT: gaudi.constant dense<0.000000e+00> : tensor<4x3xf32>
  %0 = gaudi.mme.gemm %a, %c : tensor<4x0xf32>, tensor<0x3xf32> -> tensor<4x3xf32>
  // CHECK-NEXT: gaudi.constant dense<0.000000e+00> : tensor<3x3xf32>
  %1 = gaudi.mme.gemm %b, %b transpose_a : tensor<0x3xbf16>, tensor<0x3xbf16> -> tensor<3x3xf32>
  // CHECK-NEXT: gaudi.constant dense<> : tensor<3x0xf32>
  %2 = gaudi.slice %1 offsets [0, 3] strides [1, 1] : tensor<3x3xf32> -> tensor<3x0xf32>
  %w = gaudi.constant dense<> : tensor<1x0x5xf32>
  // CHECK:      gaudi.constant dense<0.000000e+00> : tensor<1x4x5xf32>
  %3 = gaudi.mme.conv %x, %w layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [0], [0] groups 1
         : tensor<1x4x0xf32>, tensor<1x0x5xf32> -> tensor<1x4x5xf32>
  // CHECK-NEXT: gaudi.constant dense<> : tensor<0x4xf32>
  %4 = gaudi.transpose %a permutation [1, 0] : tensor<4x0xf32> -> tensor<0x4xf32>
  // CHECK-NEXT: gaudi.constant dense<> : tensor<0x3xf32>
  %5 = gaudi.tpc.cumulative_sum %c axis 1 : tensor<0x3xf32>
  // CHECK-NEXT: return
  return %0, %2, %3, %4, %5 : tensor<4x3xf32>, tensor<3x0xf32>, tensor<1x4x5xf32>, tensor<0x4xf32>, tensor<0x3xf32>
}

// Unsigned values compare with their top bit flipped, and so does the start.
// CHECK-LABEL: @arg_unsigned
func.func @arg_unsigned(%u: tensor<4x8xui8>) -> (tensor<4xi64>, tensor<4xi32>) {
  // CHECK:      %[[INIT:.*]] = arith.constant -128 : i8
  // CHECK-NEXT: %[[R:.*]]:2 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<argmax>] init(%[[INIT]]) : i8, i64 {
  // CHECK:        %[[V:.*]] = gaudi.kernel.load %in0[d0, d1]
  // CHECK-NEXT:   %[[TOP:.*]] = arith.constant -128 : i8
  // CHECK-NEXT:   %[[X:.*]] = arith.xori %[[V]], %[[TOP]] : i8
  // CHECK-NEXT:   %[[P:.*]] = gaudi.kernel.index 1
  // CHECK-NEXT:   gaudi.kernel.yield %[[X]], %[[P]] : i8, i64
  // CHECK:      gaudi.kernel.store %[[R]]#1, %out0[d0]
  %0 = gaudi.tpc.arg_reduce %u axis 1 is_max : tensor<4x8xui8> -> tensor<4xi64>
  // CHECK:      arith.constant 127 : i8
  // CHECK-NEXT: reduce [#gaudi.reduce<argmin>]
  // CHECK:      arith.trunci %{{.*}}#1 : i64 to i32
  %1 = gaudi.tpc.arg_reduce %u axis 1 : tensor<4x8xui8> -> tensor<4xi32>
  return %0, %1 : tensor<4xi64>, tensor<4xi32>
}

// CHECK-LABEL: @arg_ignore_nan
func.func @arg_ignore_nan(%x: tensor<4x8xf32>) -> tensor<1x8xi32> {
  // CHECK:      index_space [4, 8] parallel [false, true]
  // CHECK-NEXT: ^bb0(
  // CHECK-NEXT: %[[INIT:.*]] = arith.constant 0x7F800000 : f32
  // CHECK-NEXT: gaudi.kernel.loop [0] reduce [#gaudi.reduce<argmin>] init(%[[INIT]]) : f32, i64 {
  // CHECK:        %[[NAN:.*]] = arith.cmpf uno, %[[V:.*]], %[[V]] : f32
  // CHECK-NEXT:   arith.select %[[NAN]], %[[INIT]], %[[V]] : f32
  // CHECK:      gaudi.kernel.store %{{.*}}, %out0[0, d1]
  %0 = gaudi.tpc.arg_reduce %x axis 0 keep_dims ignore_nan : tensor<4x8xf32> -> tensor<1x8xi32>
  return %0 : tensor<1x8xi32>
}

// CHECK-LABEL: @pools
func.func @pools(%x: tensor<1x8x4xf32>, %u: tensor<1x8x4xui8>)
    -> (tensor<1x3x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xui8>) {
  // CHECK:      index_space [1, 3, 4, 2] parallel [true, true, true, false]
  // CHECK:      gaudi.kernel.loop [3] reduce [#gaudi.reduce<max>]
  // CHECK:      gaudi.kernel.load %in0[d0, d1 * 2 + d3 * 3, d2] boundary [#gaudi.boundary<inside>, #gaudi.boundary<inside>, #gaudi.boundary<inside>]
  %0 = gaudi.tpc.pool <max> %x layout "NWC" kernel [2] strides [2] dilations [3] pad [0], [0] : tensor<1x8x4xf32> -> tensor<1x3x4xf32>
  // The elements inside are counted once per point.
  // CHECK:      gaudi.kernel.loop [3] reduce [#gaudi.reduce<add>] init(%{{.*}}) : f32 {
  // CHECK:        gaudi.kernel.load %in0[d0, d1 + d3 - 1, d2] boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>, #gaudi.boundary<inside>] pad 0.000000e+00 : f32
  // CHECK:      arith.maxsi
  // CHECK:      arith.minsi
  // CHECK:      arith.maxsi
  // CHECK-NEXT: arith.sitofp %{{.*}} : i64 to f32
  // CHECK-NEXT: arith.divf
  %1 = gaudi.tpc.pool <avg> %x layout "NWC" kernel [3] strides [1] dilations [1] pad [1], [1] : tensor<1x8x4xf32> -> tensor<1x8x4xf32>
  // CHECK:      gaudi.kernel.loop [3] reduce [#gaudi.reduce<add>] init
  // CHECK:      arith.constant 3.000000e+00 : f32
  // CHECK-NEXT: arith.divf
  %2 = gaudi.tpc.pool <avg> %x layout "NWC" kernel [3] strides [1] dilations [1] pad [1], [1] count_include_pad : tensor<1x8x4xf32> -> tensor<1x8x4xf32>
  // CHECK:      gaudi.kernel.loop [3] reduce [#gaudi.reduce<minnum>]
  // CHECK:      pad 0x7F800000 : f32 : tensor
  %3 = gaudi.tpc.pool <min> %x layout "NWC" kernel [3] strides [1] dilations [1] pad [1], [1] ignore_nan : tensor<1x8x4xf32> -> tensor<1x8x4xf32>
  // CHECK:      gaudi.kernel.loop [3] reduce [#gaudi.reduce<maxu>]
  // CHECK:      pad 0 : i8 : tensor
  %4 = gaudi.tpc.pool <max> %u layout "NWC" kernel [3] strides [1] dilations [1] pad [1], [1] : tensor<1x8x4xui8> -> tensor<1x8x4xui8>
  return %0, %1, %2, %3, %4 : tensor<1x3x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xui8>
}

// CHECK-LABEL: @gathers
func.func @gathers(%x: tensor<4x8x3xf32>, %i: tensor<4x2xi32>, %j: tensor<4x8x1xi64>) -> (tensor<4x2x3xf32>, tensor<4x8x1xf32>) {
  // CHECK:      index_space [4, 2, 3]
  // CHECK-NEXT: ^bb0(
  // CHECK-NEXT: %[[I:.*]] = gaudi.kernel.load %in1[d0, d1]
  // CHECK-NEXT: %[[W:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK-NEXT: gaudi.kernel.load %in0[d0, %[[W]], d2] boundary [#gaudi.boundary<inside>, #gaudi.boundary<checked>, #gaudi.boundary<inside>]
  %0 = gaudi.tpc.gather %x, %i axis 1 batch_dims 1 : tensor<4x8x3xf32>, tensor<4x2xi32> -> tensor<4x2x3xf32>
  // CHECK:      %[[J:.*]] = gaudi.kernel.load %in1[{{.*}}]
  // CHECK-NEXT: gaudi.kernel.load %in0[d0, d1, %[[J]]] boundary [#gaudi.boundary<inside>, #gaudi.boundary<inside>, #gaudi.boundary<checked>]
  %1 = gaudi.tpc.gather_elements %x, %j axis 2 : tensor<4x8x3xf32>, tensor<4x8x1xi64> -> tensor<4x8x1xf32>
  return %0, %1: tensor<4x2x3xf32>, tensor<4x8x1xf32>
}

// CHECK-LABEL: @borders
func.func @borders(%x: tensor<4x8xf32>, %i: tensor<4xi8>)
    -> (tensor<5x8xf32>, tensor<7xi8>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<4xf32>) {
  // CHECK:      gaudi.kernel.load %in0[d0 - 1, d1] boundary [#gaudi.boundary<clamp>, #gaudi.boundary<inside>]
  %0 = gaudi.tpc.pad <edge> %x low [1, 0] high [0, 0] : tensor<4x8xf32> -> tensor<5x8xf32>
  // CHECK:      gaudi.kernel.load %in0[d0 - 1] boundary [#gaudi.boundary<pad>] pad -1 : i8
  %1 = gaudi.tpc.pad <constant> %i low [1] high [2] value -1 : i8 : tensor<4xi8> -> tensor<7xi8>
  // CHECK:      gaudi.kernel.load %in0[d0, -d1 + 7]
  %2 = gaudi.tpc.reverse %x dims [1] : tensor<4x8xf32>
  // CHECK:      %[[P:.*]] = gaudi.kernel.index 1
  // CHECK-NEXT: arith.trunci %[[P]] : i64 to i32
  %3 = gaudi.tpc.iota dim 1 : tensor<4x8xi32>
  // CHECK:      %[[Q:.*]] = gaudi.kernel.index 0
  // CHECK-NEXT: arith.sitofp %[[Q]] : i64 to f32
  %4 = gaudi.tpc.iota dim 0 : tensor<4xf32>
  return %0, %1, %2, %3, %4: tensor<5x8xf32>, tensor<7xi8>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<4xf32>
}

// CHECK-LABEL: @resizes
func.func @resizes(%x: tensor<1x4x4x2xf32>, %i: tensor<1x4x4x2xui8>)
    -> (tensor<1x7x7x2xf32>, tensor<1x7x7x2xf32>, tensor<1x7x7x2xi32>) {
  // A negative offset rounds down.
  // CHECK:      index_space [1, 7, 7, 2]
  // CHECK-NEXT: ^bb0(
  // CHECK-NEXT: %[[Y:.*]] = gaudi.kernel.index 1
  // CHECK:      arith.constant -1 : i64
  // CHECK:      arith.divsi
  // CHECK:      arith.cmpi slt
  // CHECK:      arith.cmpi sge
  // CHECK:      gaudi.kernel.load %in0[d0, %{{.*}}, %{{.*}}, d3] boundary [#gaudi.boundary<inside>, #gaudi.boundary<clamp>, #gaudi.boundary<clamp>, #gaudi.boundary<inside>]
  %0 = gaudi.tpc.resize <nearest> %x scale [4, 2, 4, 2] offset [-1, 0] : tensor<1x4x4x2xf32> -> tensor<1x7x7x2xf32>
  // CHECK:         index_space [1, 7, 7, 2]
  // CHECK-COUNT-4: gaudi.kernel.load %in0[d0, %{{.*}}, %{{.*}}, d3]
  // CHECK-COUNT-2: arith.divf
  // CHECK-COUNT-3: arith.addf
  // CHECK-NEXT:    gaudi.kernel.store
  %1 = gaudi.tpc.resize <bilinear> %x scale [4, 2, 4, 2] offset [0, 0] : tensor<1x4x4x2xf32> -> tensor<1x7x7x2xf32>
  // CHECK:         index_space [1, 7, 7, 2]
  // CHECK-COUNT-4: arith.extui %{{.*}} : i8 to i64
  // CHECK:         arith.trunci %{{.*}} : i64 to i32
  %2 = gaudi.tpc.resize <bilinear> %i scale [4, 2, 4, 2] offset [0, 0] : tensor<1x4x4x2xui8> -> tensor<1x7x7x2xi32>
  return %0, %1, %2: tensor<1x7x7x2xf32>, tensor<1x7x7x2xf32>, tensor<1x7x7x2xi32>
}

// Library kernels stay as they are.
// CHECK-LABEL: @library
func.func @library(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: gaudi.tpc.cumulative_sum
  %0 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A kernel reads no tensor without elements, and an update of no elements
// changes nothing.
// CHECK-LABEL: @empty_operands
func.func @empty_operands(%x: tensor<4x0xf32>, %y: tensor<4xf32>, %i: tensor<0xi64>, %u: tensor<0xf32>, %rows: tensor<1x2x4xf32>, %ri: tensor<1x0xi64>, %ru: tensor<1x0x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<1x2x4xf32>) {
  // CHECK-NEXT: gaudi.tpc.kernel(%arg1) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
  // CHECK: arith.constant 2.000000e+00 : f32
  %0 = gaudi.tpc.kernel (%x, %y) index_space [4] parallel [true] : (tensor<4x0xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4x0xf32>, %in1: tensor<4xf32>, %out0: tensor<4xf32>):
    %a = gaudi.kernel.load %in0[d0, 0] boundary [#gaudi.boundary<inside>, #gaudi.boundary<pad>] pad 2.0 : f32 : tensor<4x0xf32>
    %b = gaudi.kernel.load %in1[d0] : tensor<4xf32>
    %c = arith.addf %a, %b : f32
    gaudi.kernel.store %c, %out0[d0] : tensor<4xf32>
  }
  // CHECK: return %{{.*}}, %arg1, %arg4
  %1 = gaudi.tpc.scatter_elements %y, %i, %u axis 0 : tensor<4xf32>, tensor<0xi64>, tensor<0xf32> -> tensor<4xf32>
  %2 = gaudi.tpc.scatter_rows %rows, %ri, %ru accumulate : tensor<1x2x4xf32>, tensor<1x0xi64>, tensor<1x0x4xf32> -> tensor<1x2x4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<1x2x4xf32>
}
