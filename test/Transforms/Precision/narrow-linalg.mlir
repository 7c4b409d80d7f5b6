// RUN: gaudi-opt %s --gaudi-compile="stop-after=graph" | FileCheck %s
// RUN: gaudi-run %s --entry addmm --seed-inputs 1 --check
// RUN: gaudi-run %s --entry batched --seed-inputs 1 --check
// RUN: gaudi-run %s --entry convolution --seed-inputs 1 --check
// RUN: gaudi-run %s --entry addmm --predict --device=gaudi2 | FileCheck %s --check-prefix=ADVICE
// A model in bf16 is not told to use it.
// ADVICE-NOT: bf16 instead of f32

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#id1 = affine_map<(d0) -> (d0)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// torch.addmm in bf16, as torch-mlir writes it.
// CHECK-LABEL: @addmm
// CHECK: gaudi.mme.gemm %arg1, %arg2 : tensor<512x256xbf16>, tensor<256x512xbf16> -> tensor<512x512xf32>
func.func @addmm(%bias: tensor<512xbf16>, %x: tensor<512x256xbf16>, %w: tensor<256x512xbf16>) -> tensor<512x512xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %e0 = tensor.empty() : tensor<512xf32>
  %biasf = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%bias : tensor<512xbf16>) outs(%e0 : tensor<512xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %c = arith.extf %in : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<512xf32>
  %e1 = tensor.empty() : tensor<512x256xf32>
  %xf = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x256xbf16>) outs(%e1 : tensor<512x256xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %c = arith.extf %in : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<512x256xf32>
  %e2 = tensor.empty() : tensor<256x512xf32>
  %wf = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<256x512xbf16>) outs(%e2 : tensor<256x512xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %c = arith.extf %in : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<256x512xf32>
  %e3 = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e3 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %p = linalg.matmul ins(%xf, %wf : tensor<512x256xf32>, tensor<256x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  %s = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %biasf : tensor<512x512xf32>, tensor<512xf32>) outs(%e3 : tensor<512x512xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %c = arith.addf %in, %in_0 : f32
    linalg.yield %c : f32
  } -> tensor<512x512xf32>
  %e4 = tensor.empty() : tensor<512x512xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<512x512xf32>) outs(%e4 : tensor<512x512xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %c = arith.truncf %in : f32 to bf16
    linalg.yield %c : bf16
  } -> tensor<512x512xbf16>
  return %y : tensor<512x512xbf16>
}

// A transpose fused with the widening, and a widening without a transpose.
// CHECK-LABEL: @batched
// CHECK: gaudi.mme.gemm {{.*}} : tensor<4x16x32xbf16>, tensor<4x{{.*}}xbf16> -> tensor<4x16x24xf32>
func.func @batched(%x: tensor<4x16x32xbf16>, %w: tensor<4x24x32xbf16>) -> tensor<4x16x24xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %e1 = tensor.empty() : tensor<4x16x32xf32>
  %xf = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x16x32xbf16>) outs(%e1 : tensor<4x16x32xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %c = arith.extf %in : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<4x16x32xf32>
  %e2 = tensor.empty() : tensor<4x32x24xf32>
  %wf = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<4x24x32xbf16>) outs(%e2 : tensor<4x32x24xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %c = arith.extf %in : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<4x32x24xf32>
  %e3 = tensor.empty() : tensor<4x16x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
  %p = linalg.batch_matmul ins(%xf, %wf : tensor<4x16x32xf32>, tensor<4x32x24xf32>) outs(%f : tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
  return %p : tensor<4x16x24xf32>
}

// CHECK-LABEL: @convolution
// CHECK: gaudi.mme.conv {{.*}} : tensor<1x8x8x4xbf16>, tensor<8x4x3x3xbf16> -> {{.*}}xf32>
func.func @convolution(%x: tensor<1x4x8x8xbf16>, %w: tensor<8x4x3x3xbf16>) -> tensor<1x8x6x6xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %e1 = tensor.empty() : tensor<1x4x8x8xf32>
  %xf = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x4x8x8xbf16>) outs(%e1 : tensor<1x4x8x8xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %c = arith.extf %in : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<1x4x8x8xf32>
  %e2 = tensor.empty() : tensor<8x4x3x3xf32>
  %wf = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<8x4x3x3xbf16>) outs(%e2 : tensor<8x4x3x3xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %c = arith.extf %in : bf16 to f32
    linalg.yield %c : f32
  } -> tensor<8x4x3x3xf32>
  %e3 = tensor.empty() : tensor<1x8x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%xf, %wf : tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) outs(%f : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  return %y : tensor<1x8x6x6xf32>
}
