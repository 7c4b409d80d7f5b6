// RUN: gaudi-opt %s --gaudi-compile="fuse=false" --gaudi-emit-recipe="output=%t.recipe" --remarks-filter=gaudi-emit-recipe --remark-policy=all -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-run --verify %t.recipe
// RUN: gaudi-run --dump %t.recipe | FileCheck %s

// The same input gives the same bytes, and the pass leaves the module as it was.
// RUN: gaudi-opt %s --gaudi-compile="fuse=false" --gaudi-emit-recipe="output=%t.again.recipe" -o /dev/null
// RUN: cmp %t.recipe %t.again.recipe
// RUN: gaudi-opt %s --gaudi-compile="fuse=false" | diff %t.mlir -
// RUN: gaudi-opt %t.mlir --gaudi-emit-recipe="output=%t.third.recipe" --mlir-disable-threading -o /dev/null
// RUN: gaudi-run --verify %t.third.recipe

// REMARK: remark: [Analysis] recipe | Category:gaudi-emit-recipe | Function=main | Remark="6 commands (MME 2, TPC 3, DMA 1), 2 kernels for 3 launches, persistent 896 bytes, const 128 bytes, workspace 128 bytes"

// CHECK: recipe 1.5 target "gaudi2" producer "gaudi-mlir
// CHECK: location [[ACT:[0-9]+]] "act"
// CHECK: section @0 persistent 896 bytes
// CHECK: section @1 const 128 bytes
// CHECK: section @2 workspace 128 bytes

// Arguments and outputs have their names; a splat is one element; kernels
// write over what nobody reads again.
// CHECK: tensor %0 "image" input @0+0 f32[1,8,4]
// CHECK: tensor %1 "arg1" input @0+128 f32[3,4,3]
// CHECK: tensor %2 "arg2" input @0+384 f32[2]
// CHECK: const @1+0 f32[1,8,3] strides[0,0,0]
// CHECK: tensor [[CONV:%[0-9]+]] "mme.conv.{{[0-9]+}}" workspace @2+0 f32[1,8,3]
// CHECK: tensor [[E1:%[0-9]+]] "tpc.exp.{{[0-9]+}}" workspace @2+0 f32[1,8,3] loc [[ACT]]
// A kernel writes the output in its own shape.
// CHECK: tensor [[SCORES:%[0-9]+]] "scores" output @0+512 f32[24]
// CHECK: tensor [[E2:%[0-9]+]] "scores.rows" output @0+512 f32[1,8,3] alias [[SCORES]]

// Equal kernels are one.
// CHECK: kernel 0 "tpc.exp"
// CHECK: kernel 1 "tpc.add"
// CHECK-NOT: kernel 2

// CHECK: entry "main" (%0, %1, %2) -> ([[SCORES]], %{{[0-9]+}}, %{{[0-9]+}}) {
// CHECK: #0 mme "mme.conv" conv x "NWC" w "WIO" y "NWC" strides [1] dilations [1] pad_low [1] pad_high [1] (%0, %1) -> ([[CONV]]) flops 576 bytes 368
// CHECK: #1 tpc "tpc.exp" launch 0 ([[CONV]]) -> ([[E1]]) after [#0] flops 24 bytes 192 loc [[ACT]]
// CHECK: #2 tpc "tpc.exp" launch 0 ([[E1]]) -> ([[E2]]) flops 24
// CHECK: #3 tpc "tpc.add" launch 1
// CHECK: #4 dma "broadcast" transfer {{.*}} bytes 32
// CHECK: #5 mme "mme.gemm" gemm transpose_a {{.*}} after [#4]
// CHECK-NOT: "copy"
func.func @main(%x: tensor<1x8x4xf32> {gaudi.name = "image"}, %w: tensor<3x4x3xf32>, %b: tensor<2xf32>)
    -> (tensor<24xf32> {gaudi.name = "scores"}, tensor<1x8x3xf32>, tensor<2x2xf32>) {
  %s = gaudi.constant dense<5.0> : tensor<1x8x3xf32>
  %0 = gaudi.mme.conv %x, %w layout "NWC", "WIO", "NWC" strides [1] dilations [1] pad [1], [1] groups 1
         : tensor<1x8x4xf32>, tensor<3x4x3xf32> -> tensor<1x8x3xf32>
  %1 = gaudi.tpc.exp %0 : tensor<1x8x3xf32> loc("act")
  %2 = gaudi.tpc.exp %1 : tensor<1x8x3xf32>
  %3 = gaudi.tpc.add %2, %s : tensor<1x8x3xf32>, tensor<1x8x3xf32> -> tensor<1x8x3xf32>
  %4 = gaudi.reshape %2 : tensor<1x8x3xf32> -> tensor<24xf32>
  %5 = gaudi.broadcast %b dims [1] : tensor<2xf32> -> tensor<2x2xf32>
  %6 = gaudi.mme.gemm %5, %5 transpose_a : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  return %4, %3, %6 : tensor<24xf32>, tensor<1x8x3xf32>, tensor<2x2xf32>
}
