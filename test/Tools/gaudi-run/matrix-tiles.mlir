// Products, convolutions and attention of bf16 on matrix tiles in plain C++: what
// surrounds the instructions is the same on hosts that have them.

// RUN: env GAUDI_MME=portableamx gaudi-run %s --entry=network --seed-inputs=1 --check --report=text --threads=1 --output=@%t.one.npy | FileCheck %s
// CHECK-DAG: (tile:portableamxbf16:32x32:bf16,
// CHECK-DAG: bf16: portableamxbf16, bf16 attention: portableamxbf16,
// CHECK-DAG: 1 output within tolerance of the float64 reference
// RUN: env GAUDI_MME=portableamx gaudi-run %s --entry=network --seed-inputs=1 --threads=3 --output=@%t.three.npy
// RUN: cmp %t.one.npy %t.three.npy

// RUN: env GAUDI_MME=portableamx gaudi-run %s --entry=attention --seed-inputs=1 --check --report=text | FileCheck %s --check-prefix=ATTENTION
// ATTENTION: attention:portableamxbf16:32x32:bf16

func.func @network(%x: tensor<1x9x11x40xbf16>, %f: tensor<3x3x40x50xbf16>, %w: tensor<50x70xbf16>) -> tensor<63x70xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<1x7x9x50xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<1x7x9x50xbf16>) -> tensor<1x7x9x50xbf16>
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %f : tensor<1x9x11x40xbf16>, tensor<3x3x40x50xbf16>) outs(%init : tensor<1x7x9x50xbf16>) -> tensor<1x7x9x50xbf16>
  %rows = tensor.collapse_shape %y [[0, 1, 2], [3]] : tensor<1x7x9x50xbf16> into tensor<63x50xbf16>
  %e = tensor.empty() : tensor<63x70xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<63x70xbf16>) -> tensor<63x70xbf16>
  %z = linalg.matmul ins(%rows, %w : tensor<63x50xbf16>, tensor<50x70xbf16>) outs(%i : tensor<63x70xbf16>) -> tensor<63x70xbf16>
  return %z : tensor<63x70xbf16>
}

func.func @attention(%q: tensor<2x4x50x40xbf16>, %k: tensor<2x2x70x40xbf16>, %v: tensor<2x2x70x24xbf16>) -> tensor<2x4x50x24xbf16> {
  %o = gaudi.sdpa %q, %k, %v scale 0.125 causal : (tensor<2x4x50x40xbf16>, tensor<2x2x70x40xbf16>, tensor<2x2x70x24xbf16>) -> tensor<2x4x50x24xbf16>
  return %o : tensor<2x4x50x24xbf16>
}
