// Forms of the ops that the documentation's examples (op-examples.test) do not
// show: every flag, narrow and unsigned types, rank 0, no elements.
// RUN: gaudi-opt %s | gaudi-opt | FileCheck %s
// RUN: gaudi-opt %s --mlir-print-op-generic | gaudi-opt | FileCheck %s

// CHECK-LABEL: @mme
func.func @mme(%a: tensor<2x8x4xbf16>, %b: tensor<1x8x16xbf16>, %x: tensor<1x4x9xf8E4M3FN>,
               %w: tensor<3x4x2xf8E4M3FN>, %v: tensor<1x2x3x4x5xf16>, %k: tensor<2x2x1x1x1xf16>,
               %d: tensor<1x2x9xf8E4M3FN>) {
  // CHECK: gaudi.mme.gemm %{{.*}}, %{{.*}} transpose_a : tensor<2x8x4xbf16>, tensor<1x8x16xbf16> -> tensor<2x4x16xf32>
  %0 = gaudi.mme.gemm %a, %b transpose_a : tensor<2x8x4xbf16>, tensor<1x8x16xbf16> -> tensor<2x4x16xf32>
  // CHECK: gaudi.mme.conv %{{.*}}, %{{.*}} layout "NCW", "WIO", "NCW" strides [1] dilations [2] pad [4], [0] groups 1 : tensor<1x4x9xf8E4M3FN>, tensor<3x4x2xf8E4M3FN> -> tensor<1x2x9xbf16>
  %1 = gaudi.mme.conv %x, %w layout "NCW", "WIO", "NCW" strides [1] dilations [2] pad [4], [0] groups 1
         : tensor<1x4x9xf8E4M3FN>, tensor<3x4x2xf8E4M3FN> -> tensor<1x2x9xbf16>
  // CHECK: gaudi.mme.conv_input_grad %{{.*}} layout "NCDHW", "OIDHW", "NDHWC" strides [2, 1, 1] dilations [1, 1, 1] pad [0, -1, 0], [0, 0, -2] groups 1 :
  %2 = gaudi.mme.conv_input_grad %v, %k layout "NCDHW", "OIDHW", "NDHWC" strides [2, 1, 1] dilations [1, 1, 1]
         pad [0, -1, 0], [0, 0, -2] groups 1 : tensor<1x2x3x4x5xf16>, tensor<2x2x1x1x1xf16> -> tensor<1x6x5x7x2xf16>
  // CHECK: gaudi.mme.conv_weight_grad %{{.*}} layout "NCW", "NCW", "WIO" strides [1] dilations [2] pad [4], [0] groups 1 : tensor<1x4x9xf8E4M3FN>, tensor<1x2x9xf8E4M3FN> -> tensor<3x4x2xf32>
  %3 = gaudi.mme.conv_weight_grad %x, %d layout "NCW", "NCW", "WIO" strides [1] dilations [2] pad [4], [0] groups 1
         : tensor<1x4x9xf8E4M3FN>, tensor<1x2x9xf8E4M3FN> -> tensor<3x4x2xf32>
  return
}

// CHECK-LABEL: @orders
func.func @orders(%a: tensor<2x5x3x4xbf16>, %b: tensor<3x4x2x6xbf16>) {
  // CHECK: gaudi.mme.gemm %{{.*}}, %{{.*}} order_a [0, 2, 1, 3] order_b [1, 2, 0, 3] order_c [0, 2, 1, 3] : tensor<2x5x3x4xbf16>, tensor<3x4x2x6xbf16> -> tensor<2x5x3x6xf32>
  %0 = gaudi.mme.gemm %a, %b order_a [0, 2, 1, 3] order_b [1, 2, 0, 3] order_c [0, 2, 1, 3]
         : tensor<2x5x3x4xbf16>, tensor<3x4x2x6xbf16> -> tensor<2x5x3x6xf32>
  // CHECK: gaudi.mme.gemm %{{.*}}, %{{.*}} transpose_a order_a [0, 2, 1, 3] : tensor<2x5x3x4xbf16>, tensor<2x3x5x4xbf16> -> tensor<2x3x4x4xf32>
  %c = gaudi.fill 1.0 : bf16 : tensor<2x3x5x4xbf16>
  %1 = gaudi.mme.gemm %a, %c transpose_a order_a [0, 2, 1, 3] : tensor<2x5x3x4xbf16>, tensor<2x3x5x4xbf16> -> tensor<2x3x4x4xf32>
  return
}

// CHECK-LABEL: @tpc
func.func @tpc(%s: tensor<f32>, %e: tensor<0x4xf32>, %u: tensor<4x8xui8>, %p: tensor<4x1xi1>,
               %i: tensor<4x8xi64>, %x: tensor<1x4x4x2xi8>, %f: tensor<4x8xf8E5M2>) {
  // CHECK: gaudi.tpc.exp %{{.*}} : tensor<f32>
  %0 = gaudi.tpc.exp %s : tensor<f32>
  // CHECK: gaudi.tpc.add %{{.*}}, %{{.*}} : tensor<0x4xf32>, tensor<0x4xf32> -> tensor<0x4xf32>
  %1 = gaudi.tpc.add %e, %e : tensor<0x4xf32>, tensor<0x4xf32> -> tensor<0x4xf32>
  // CHECK: gaudi.tpc.clamp %{{.*}} min 2 : ui8 max 255 : ui8 : tensor<4x8xui8>
  %2 = gaudi.tpc.clamp %u min 2 : ui8 max 255 : ui8 : tensor<4x8xui8>
  // CHECK: gaudi.tpc.clamp %{{.*}} min 0.000000e+00 : f32 max 1.000000e+00 : f32 ignore_nan : tensor<4x8xf8E5M2>
  %3 = gaudi.tpc.clamp %f min 0.0 : f32 max 1.0 : f32 ignore_nan : tensor<4x8xf8E5M2>
  // CHECK: gaudi.tpc.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x1xi1>, tensor<4x8xui8>, tensor<4x8xui8> -> tensor<4x8xui8>
  %4 = gaudi.tpc.select %p, %u, %2 : tensor<4x1xi1>, tensor<4x8xui8>, tensor<4x8xui8> -> tensor<4x8xui8>
  // CHECK: gaudi.tpc.round_to %{{.*}} <toward_zero> : tensor<4x8xf8E5M2> -> tensor<4x8xf16>
  %down = gaudi.tpc.round_to %f <toward_zero> : tensor<4x8xf8E5M2> -> tensor<4x8xf16>
  // CHECK: gaudi.tpc.cast %{{.*}} : tensor<4x8xui8> -> tensor<4x8xbf16>
  %5 = gaudi.tpc.cast %u rounding <toward_zero> : tensor<4x8xui8> -> tensor<4x8xbf16>
  // CHECK: gaudi.tpc.reduce <any> %{{.*}} dims [0, 1] : tensor<4x1xi1> -> tensor<i1>
  %6 = gaudi.tpc.reduce <any> %p dims [0, 1] : tensor<4x1xi1> -> tensor<i1>
  // CHECK: gaudi.tpc.reduce <mean> %{{.*}} dims [] : tensor<f32> -> tensor<f32>
  %7 = gaudi.tpc.reduce <mean> %s dims [] : tensor<f32> -> tensor<f32>
  // CHECK: gaudi.tpc.arg_reduce %{{.*}} axis 0 keep_dims ignore_nan : tensor<4x8xui8> -> tensor<1x8xi64>
  %8 = gaudi.tpc.arg_reduce %u axis 0 keep_dims ignore_nan : tensor<4x8xui8> -> tensor<1x8xi64>
  // CHECK: gaudi.tpc.pool <avg> %{{.*}} layout "NCW" kernel [3] strides [1] dilations [1] pad [1], [1] count_include_pad
  %w = gaudi.reshape %f : tensor<4x8xf8E5M2> -> tensor<1x4x8xf8E5M2>
  %9 = gaudi.tpc.pool <avg> %w layout "NCW" kernel [3] strides [1] dilations [1] pad [1], [1] count_include_pad
         : tensor<1x4x8xf8E5M2> -> tensor<1x4x8xf8E5M2>
  // CHECK: gaudi.tpc.pool <min> %{{.*}} layout "NHWC" kernel [2, 2] strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] ignore_nan
  %10 = gaudi.tpc.pool <min> %x layout "NHWC" kernel [2, 2] strides [2, 2] dilations [1, 1] pad [0, 0], [0, 0] ignore_nan
         : tensor<1x4x4x2xi8> -> tensor<1x2x2x2xi8>
  // CHECK: gaudi.tpc.pad <edge> %{{.*}} low [1, 0] high [0, 0] : tensor<4x8xui8> -> tensor<5x8xui8>
  %11 = gaudi.tpc.pad <edge> %u low [1, 0] high [0, 0] : tensor<4x8xui8> -> tensor<5x8xui8>
  // CHECK: gaudi.tpc.resize <bilinear> %{{.*}} scale [2, 1, 2, 1] offset [-1, 0] : tensor<1x4x4x2xi8> -> tensor<1x8x8x2xi32>
  %12 = gaudi.tpc.resize <bilinear> %x scale [2, 1, 2, 1] offset [-1, 0] : tensor<1x4x4x2xi8> -> tensor<1x8x8x2xi32>
  // CHECK: gaudi.tpc.cumulative_sum %{{.*}} axis 0 reverse : tensor<4x8xi64>
  %13 = gaudi.tpc.cumulative_sum %i axis 0 reverse : tensor<4x8xi64>
  // CHECK: gaudi.tpc.sort %{{.*}} axis 0 : tensor<4x8xi64> -> tensor<4x8xi64>, tensor<4x8xi32>
  %14:2 = gaudi.tpc.sort %i axis 0 : tensor<4x8xi64> -> tensor<4x8xi64>, tensor<4x8xi32>
  // CHECK: gaudi.tpc.top_k %{{.*}} axis 0 smallest : tensor<4x8xi64> -> tensor<1x8xi64>, tensor<1x8xi64>
  %15:2 = gaudi.tpc.top_k %i axis 0 smallest : tensor<4x8xi64> -> tensor<1x8xi64>, tensor<1x8xi64>
  // CHECK: gaudi.tpc.gather %{{.*}}, %{{.*}} axis 1 batch_dims 1 : tensor<4x8xui8>, tensor<4x8xi64> -> tensor<4x8xui8>
  %16 = gaudi.tpc.gather %u, %i axis 1 batch_dims 1 : tensor<4x8xui8>, tensor<4x8xi64> -> tensor<4x8xui8>
  // CHECK: gaudi.tpc.scatter_elements %{{.*}}, %{{.*}}, %{{.*}} axis 1 : tensor<4x8xui8>
  %17 = gaudi.tpc.scatter_elements %u, %i, %u axis 1 : tensor<4x8xui8>, tensor<4x8xi64>, tensor<4x8xui8> -> tensor<4x8xui8>
  return
}

// CHECK-LABEL: @moves_and_views
func.func @moves_and_views(%x: tensor<2x3xf32>, %s: tensor<f32>) {
  // CHECK: gaudi.constant dense<> : tensor<0xi8>
  %0 = gaudi.constant dense<> : tensor<0xi8>
  // CHECK: gaudi.constant dense_resource<weights> : tensor<2xf32>
  %1 = gaudi.constant dense_resource<weights> : tensor<2xf32>
  // CHECK: gaudi.transpose %{{.*}} permutation [1, 0] {engine = #gaudi.engine<mme>} : tensor<2x3xf32> -> tensor<3x2xf32>
  %2 = gaudi.transpose %x permutation [1, 0] {engine = #gaudi.engine<mme>} : tensor<2x3xf32> -> tensor<3x2xf32>
  // CHECK: gaudi.broadcast %{{.*}} dims [] : tensor<f32> -> tensor<4xf32>
  %3 = gaudi.broadcast %s dims [] : tensor<f32> -> tensor<4xf32>
  // CHECK: gaudi.fill 1 : ui16 : tensor<4xui16>
  %4 = gaudi.fill 1 : ui16 : tensor<4xui16>
  // CHECK: gaudi.slice %{{.*}} offsets [2, 0] strides [1, 1] : tensor<2x3xf32> -> tensor<0x3xf32>
  %5 = gaudi.slice %x offsets [2, 0] strides [1, 1] : tensor<2x3xf32> -> tensor<0x3xf32>
  // CHECK: gaudi.concat %{{.*}}, %{{.*}} axis 0 : tensor<2x3xf32>, tensor<0x3xf32> -> tensor<2x3xf32>
  %6 = gaudi.concat %x, %5 axis 0 : tensor<2x3xf32>, tensor<0x3xf32> -> tensor<2x3xf32>
  // CHECK: gaudi.reshape %{{.*}} : tensor<2x3xf32> -> tensor<1x6x1xf32>
  %7 = gaudi.reshape %x : tensor<2x3xf32> -> tensor<1x6x1xf32>
  return
}

// CHECK: func.func @scheduled(%{{.*}}: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>})
func.func @scheduled(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>}) {
  // CHECK: gaudi.buffers = [#gaudi.buffer<const, 128, []>]
  %0 = gaudi.constant dense<1.0> : tensor<f32> {gaudi.buffers = [#gaudi.buffer<const, 128, []>]}
  // CHECK: gaudi.buffers = [#gaudi.buffer<workspace, 4096, [0]>]
  %1 = gaudi.copy %x {engine = #gaudi.engine<dma>, gaudi.buffers = [#gaudi.buffer<workspace, 4096, [0]>]} : tensor<4xf32>
  return
}

// CHECK-LABEL: @kernels
func.func @kernels(%x: tensor<4x8xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>) {
  // CHECK:      gaudi.tpc.kernel label "many"(%{{.*}}, %{{.*}}, %{{.*}}) index_space [4, 8] parallel [true, false]
  // CHECK-SAME: {note = "kept"} : (tensor<4x8xf32>, tensor<4xi32>, tensor<4xui8>) -> (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>, tensor<4xui8>)
  %0:4 = gaudi.tpc.kernel label "many" (%x, %i, %u) index_space [4, 8] parallel [true, false] {note = "kept"}
      : (tensor<4x8xf32>, tensor<4xi32>, tensor<4xui8>) -> (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>, tensor<4xui8>) {
  ^bb0(%in0: tensor<4x8xf32>, %in1: tensor<4xi32>, %in2: tensor<4xui8>, %out0: tensor<4xf32>, %out1: tensor<4xi64>, %out2: tensor<4xf32>, %out3: tensor<4xui8>):
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0xFF800000 : f32
    // CHECK: gaudi.kernel.load %in1[d0] : tensor<4xi32>
    %at = gaudi.kernel.load %in1[d0] : tensor<4xi32>
    %row = arith.extsi %at : i32 to i64
    // CHECK: gaudi.kernel.loop [1] reduce [#gaudi.reduce<argmax>, #gaudi.reduce<custom>] init(%{{.*}}, %{{.*}}) : f32, i64, f32 {
    // CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[SUM:.*]]: f32):
    %m:3 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<argmax>, #gaudi.reduce<custom>] init(%low, %zero) : f32, i64, f32 {
    ^bb0(%a: f32, %sum: f32):
      // CHECK: gaudi.kernel.load %in0[%{{.*}}, d1 - 1] boundary [#gaudi.boundary<checked>, #gaudi.boundary<pad>] pad 1.000000e+00 : f32 : tensor<4x8xf32>
      %v = gaudi.kernel.load %in0[%row, d1 - 1] boundary [#gaudi.boundary<checked>, #gaudi.boundary<pad>] pad 1.0 : f32 : tensor<4x8xf32>
      // CHECK: gaudi.kernel.index 1
      %p = gaudi.kernel.index 1
      %next = arith.maxnumf %sum, %v : f32
      // CHECK: gaudi.kernel.yield %{{.*}}, %{{.*}}, %{{.*}} : f32, i64, f32
      gaudi.kernel.yield %v, %p, %next : f32, i64, f32
    }
    gaudi.kernel.store %m#0, %out0[d0] : tensor<4xf32>
    gaudi.kernel.store %m#1, %out1[d0] : tensor<4xi64>
    gaudi.kernel.store %m#2, %out2[d0] : tensor<4xf32>
    %byte = gaudi.kernel.load %in2[d0] : tensor<4xui8>
    // CHECK: gaudi.kernel.store %{{.*}}, %out3[-d0 + 3] : tensor<4xui8>
    gaudi.kernel.store %byte, %out3[-d0 + 3] : tensor<4xui8>
  }
  // A loop without accumulators.
  // CHECK: gaudi.kernel.loop [0] {
  // CHECK-NEXT: gaudi.kernel.load
  // CHECK: gaudi.kernel.yield
  // CHECK-NEXT: }
  %1 = gaudi.tpc.kernel (%i) index_space [4] parallel [false] : (tensor<4xi32>) -> tensor<4xi32> {
  ^bb0(%in0: tensor<4xi32>, %out0: tensor<4xi32>):
    gaudi.kernel.loop [0] {
      %v = gaudi.kernel.load %in0[d0] : tensor<4xi32>
      gaudi.kernel.store %v, %out0[d0] : tensor<4xi32>
      gaudi.kernel.yield
    }
  }
  // Rank 0: one point.
  %2 = gaudi.tpc.kernel () index_space [] parallel [] : () -> tensor<f32> {
  ^bb0(%out0: tensor<f32>):
    %one = arith.constant 1.0 : f32
    // CHECK: gaudi.kernel.store %{{.*}}, %out0[] : tensor<f32>
    gaudi.kernel.store %one, %out0[] : tensor<f32>
  }
  return
}

{-#
  dialect_resources: { builtin: { weights: "0x040000000000803F00000040" } }
#-}
