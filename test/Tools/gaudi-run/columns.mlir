// Values of each column are computed once for calls of many rows, but not for calls on
// the tiles of a product, which have few.
// RUN: rm -rf %t && mkdir %t
// RUN: env GAUDI_MME=portable gaudi-run %s --seed-inputs=1 -q --output=@%t/tiles.npy
// RUN: env GAUDI_MME=portable gaudi-run %s --seed-inputs=1 -q --no-pipeline --threads=1 --output=@%t/one.npy
// RUN: env GAUDI_MME=portable gaudi-run %s --seed-inputs=1 -q --no-pipeline --threads=3 --output=@%t/three.npy
// RUN: cmp %t/tiles.npy %t/one.npy
// RUN: cmp %t/tiles.npy %t/three.npy
// RUN: env GAUDI_MME=portable gaudi-run %s --seed-inputs=1 --report=json | FileCheck %s
// CHECK: "implementation": "jit:lanes{{[0-9]+}}:columns2, in the tiles of #0"

func.func @main(%x: tensor<4200x16xbf16>, %w: tensor<16x2012xbf16>, %bias: tensor<1x2012xbf16>, %scale: tensor<1x2012xbf16>) -> tensor<4200x2012xbf16> {
  %0 = gaudi.mme.gemm %x, %w : tensor<4200x16xbf16>, tensor<16x2012xbf16> -> tensor<4200x2012xbf16>
  %1 = gaudi.tpc.add %0, %bias : tensor<4200x2012xbf16>, tensor<1x2012xbf16> -> tensor<4200x2012xbf16>
  %2 = gaudi.tpc.mul %1, %scale : tensor<4200x2012xbf16>, tensor<1x2012xbf16> -> tensor<4200x2012xbf16>
  %3 = gaudi.tpc.add %2, %0 : tensor<4200x2012xbf16>, tensor<4200x2012xbf16> -> tensor<4200x2012xbf16>
  return %3 : tensor<4200x2012xbf16>
}
