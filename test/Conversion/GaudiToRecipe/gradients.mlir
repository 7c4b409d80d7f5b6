// Gradients of convolutions as commands, from the ops to values on every
// device. Where a window leaves a remainder of the stride, the command of the
// input's gradient crops less.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe="output=%t.recipe" -o /dev/null
// RUN: gaudi-run --dump %t.recipe | FileCheck %s
// RUN: gaudi-run --check --seed-inputs=3 --device=gaudi2 %s | FileCheck %s --check-prefix=VALUES
// RUN: gaudi-run --check --seed-inputs=3 --device=gaudi3 %s | FileCheck %s --check-prefix=VALUES
// VALUES-COUNT-5: matches the reference

// The first device has no f16 and no f8.
// RUN: sed -e 's/f16/bf16/g' -e 's/f8E5M2/bf16/g' %s > %t.mlir
// RUN: gaudi-run --check --seed-inputs=3 --device=gaudi %t.mlir | FileCheck %s --check-prefix=VALUES

// CHECK: recipe 1.5 target "gaudi2"
// CHECK: mme "mme.conv_input_grad" conv x "NHWC" w "OHWI" y "NHWC" strides [2, 2] dilations [1, 1] pad_low [1, 1] pad_high [0, 0] transposed (%1, %2) -> (%{{[0-9]+}}) flops 110592
// CHECK: mme "mme.conv_weight_grad" conv_weight_grad x "NHWC" w "OHWI" y "NHWC" strides [2, 2] dilations [1, 1] pad_low [1, 1] pad_high [1, 1] (%0, %1) -> (%{{[0-9]+}}) flops 110592
// CHECK: mme "mme.conv_weight_grad" conv_weight_grad x "NWC" w "WIO" y "NWC" strides [1] dilations [2] pad_low [-1] pad_high [2] groups 2
func.func @main(%x: tensor<2x8x8x3xf32>, %dy: tensor<2x4x4x64xf32>, %w: tensor<64x3x3x3xf32>,
                %h: tensor<3x4x9xf16>, %dh: tensor<3x6x6xf16>, %f: tensor<1x4x4x4x2xf8E5M2>,
                %df: tensor<1x2x2x2x3xf8E5M2>)
    -> (tensor<2x8x8x3xf32>, tensor<64x3x3x3xf32>, tensor<3x2x6xf32>, tensor<2x2x2x3x2xf8E5M2>,
        tensor<1x4x4x4x2xf8E5M2>) {
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NHWC", "OHWI", "NHWC" strides [2, 2] dilations [1, 1]
         pad [1, 1], [1, 1] groups 1 : tensor<2x4x4x64xf32>, tensor<64x3x3x3xf32> -> tensor<2x8x8x3xf32>
  %1 = gaudi.mme.conv_weight_grad %x, %dy layout "NHWC", "NHWC", "OHWI" strides [2, 2] dilations [1, 1]
         pad [1, 1], [1, 1] groups 1 : tensor<2x8x8x3xf32>, tensor<2x4x4x64xf32> -> tensor<64x3x3x3xf32>
  %2 = gaudi.mme.conv_weight_grad %h, %dh layout "NCW", "NCW", "WIO" strides [1] dilations [2] pad [-1], [2] groups 2
         : tensor<3x4x9xf16>, tensor<3x6x6xf16> -> tensor<3x2x6xf32>
  %3 = gaudi.mme.conv_weight_grad %f, %df layout "NDHWC", "NDHWC", "DHWOI" strides [2, 2, 2] dilations [1, 1, 1]
         pad [0, 0, 0], [0, 0, 0] groups 1 : tensor<1x4x4x4x2xf8E5M2>, tensor<1x2x2x2x3xf8E5M2> -> tensor<2x2x2x3x2xf8E5M2>
  %4 = gaudi.mme.conv_input_grad %df, %3 layout "NDHWC", "DHWOI", "NDHWC" strides [2, 2, 2] dilations [1, 1, 1]
         pad [0, 0, 0], [0, 0, 0] groups 1 : tensor<1x2x2x2x3xf8E5M2>, tensor<2x2x2x3x2xf8E5M2> -> tensor<1x4x4x4x2xf8E5M2>
  return %0, %1, %2, %3, %4
    : tensor<2x8x8x3xf32>, tensor<64x3x3x3xf32>, tensor<3x2x6xf32>, tensor<2x2x2x3x2xf8E5M2>, tensor<1x4x4x4x2xf8E5M2>
}
