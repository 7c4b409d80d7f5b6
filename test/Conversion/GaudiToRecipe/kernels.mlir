// Kernels of every form run on the emulated device and agree with the
// reference evaluator: broadcasts beyond five dimensions, merged reductions,
// unsigned positions, windows, borders and resampling.
// RUN: gaudi-run --check --seed-inputs=5 --print=1 %s | FileCheck %s
// RUN: gaudi-run --check --seed-inputs=6 --print=1 --device=gaudi3 %s | FileCheck %s
// RUN: gaudi-opt %s --gaudi-compile="check-numerics=true" -o /dev/null

// CHECK-COUNT-18: matches the reference
func.func @main(%x: tensor<1x4x4x2xf32>, %s: tensor<2x3x1x2x2x3x2xf32>, %u: tensor<4x8xui8>, %b: tensor<1x8x4xf32>)
    -> (tensor<2x3x1x2x2x3x2xf32>, tensor<2x3x1x2x2x3xf32>, tensor<2x3x1x1x2x3x2xi32>, tensor<4xi64>, tensor<4xi32>,
        tensor<4xui8>, tensor<1x3x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>,
        tensor<1x7x7x2xf32>, tensor<1x7x7x2xf32>, tensor<6x8xui8>, tensor<4x8xf32>, tensor<4xf32>, tensor<i1>, tensor<4xf32>, tensor<8xf32>) {
  %t = gaudi.tpc.reduce <max> %s dims [0] keep_dims : tensor<2x3x1x2x2x3x2xf32> -> tensor<1x3x1x2x2x3x2xf32>
  %0 = gaudi.tpc.sub %s, %t : tensor<2x3x1x2x2x3x2xf32>, tensor<1x3x1x2x2x3x2xf32> -> tensor<2x3x1x2x2x3x2xf32>
  %1 = gaudi.tpc.reduce <sum> %s dims [6] : tensor<2x3x1x2x2x3x2xf32> -> tensor<2x3x1x2x2x3xf32>
  %2 = gaudi.tpc.arg_reduce %s axis 3 is_max keep_dims : tensor<2x3x1x2x2x3x2xf32> -> tensor<2x3x1x1x2x3x2xi32>
  // Small and large bytes: the largest of the small ones must win, too.
  %low = gaudi.constant dense<100> : tensor<4x8xui8>
  %small = gaudi.tpc.min %u, %low : tensor<4x8xui8>, tensor<4x8xui8> -> tensor<4x8xui8>
  %3 = gaudi.tpc.arg_reduce %small axis 1 is_max : tensor<4x8xui8> -> tensor<4xi64>
  %4 = gaudi.tpc.arg_reduce %u axis 1 : tensor<4x8xui8> -> tensor<4xi32>
  %5 = gaudi.tpc.reduce <max> %u dims [1] : tensor<4x8xui8> -> tensor<4xui8>
  %6 = gaudi.tpc.pool <max> %b layout "NWC" kernel [2] strides [2] dilations [3] pad [0], [0] : tensor<1x8x4xf32> -> tensor<1x3x4xf32>
  %7 = gaudi.tpc.pool <avg> %b layout "NWC" kernel [3] strides [1] dilations [1] pad [1], [1] : tensor<1x8x4xf32> -> tensor<1x8x4xf32>
  %8 = gaudi.tpc.pool <avg> %b layout "NWC" kernel [3] strides [1] dilations [1] pad [1], [1] count_include_pad : tensor<1x8x4xf32> -> tensor<1x8x4xf32>
  %9 = gaudi.tpc.pool <min> %b layout "NWC" kernel [3] strides [1] dilations [1] pad [1], [1] ignore_nan : tensor<1x8x4xf32> -> tensor<1x8x4xf32>
  %10 = gaudi.tpc.resize <nearest> %x scale [4, 2, 4, 2] offset [-1, 0] : tensor<1x4x4x2xf32> -> tensor<1x7x7x2xf32>
  %11 = gaudi.tpc.resize <bilinear> %x scale [4, 2, 4, 2] offset [0, -3] : tensor<1x4x4x2xf32> -> tensor<1x7x7x2xf32>
  %12 = gaudi.tpc.pad <edge> %u low [1, 0] high [1, 0] : tensor<4x8xui8> -> tensor<6x8xui8>
  %13 = gaudi.tpc.iota dim 1 : tensor<4x8xf32>
  // Reductions over nothing.
  %h = gaudi.slice %b offsets [0, 8, 0] strides [1, 1, 1] : tensor<1x8x4xf32> -> tensor<1x0x4xf32>
  %14 = gaudi.tpc.reduce <prod> %h dims [0, 1] : tensor<1x0x4xf32> -> tensor<4xf32>
  %p = gaudi.tpc.compare <lt> %h, %h : tensor<1x0x4xf32>, tensor<1x0x4xf32> -> tensor<1x0x4xi1>
  %15 = gaudi.tpc.reduce <all> %p dims [0, 1, 2] : tensor<1x0x4xi1> -> tensor<i1>
  %c = gaudi.reshape %b : tensor<1x8x4xf32> -> tensor<8x4xf32>
  %q = gaudi.tpc.reduce <mean> %c dims [0] : tensor<8x4xf32> -> tensor<4xf32>
  %e = gaudi.tpc.exp %h : tensor<1x0x4xf32>
  %r = gaudi.reshape %e : tensor<1x0x4xf32> -> tensor<0xf32>
  %y = gaudi.reshape %e : tensor<1x0x4xf32> -> tensor<4x0xf32>
  %z = gaudi.mme.gemm %y, %y transpose_b : tensor<4x0xf32>, tensor<4x0xf32> -> tensor<4x4xf32>
  %k = gaudi.tpc.reduce <sum> %z dims [0] : tensor<4x4xf32> -> tensor<4xf32>
  %o = gaudi.tpc.add %q, %k : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %16 = gaudi.concat %r, %o axis 0 : tensor<0xf32>, tensor<4xf32> -> tensor<4xf32>
  %17 = gaudi.tpc.reduce <prod> %c dims [1] : tensor<8x4xf32> -> tensor<8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17
    : tensor<2x3x1x2x2x3x2xf32>, tensor<2x3x1x2x2x3xf32>, tensor<2x3x1x1x2x3x2xi32>, tensor<4xi64>, tensor<4xi32>,
      tensor<4xui8>, tensor<1x3x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32>,
      tensor<1x7x7x2xf32>, tensor<1x7x7x2xf32>, tensor<6x8xui8>, tensor<4x8xf32>, tensor<4xf32>, tensor<i1>, tensor<4xf32>, tensor<8xf32>
}
