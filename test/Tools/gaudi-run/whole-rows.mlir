// A product whose packed constant stays in a cache is cut by rows alone: the kernel after it
// runs on each tile at once, instead of once per row.
// RUN: rm -rf %t && mkdir %t
// RUN: env GAUDI_MME=portable gaudi-run %s --seed-inputs=1 -q --threads=1 --no-pipeline --output=@%t/apart.npy
// RUN: env GAUDI_MME=portable gaudi-run %s --seed-inputs=1 -q --threads=1 --output=@%t/one.npy
// RUN: env GAUDI_MME=portable gaudi-run %s --seed-inputs=1 -q --threads=3 --output=@%t/three.npy
// RUN: cmp %t/apart.npy %t/one.npy
// RUN: cmp %t/apart.npy %t/three.npy
// RUN: env GAUDI_MME=portable gaudi-run %s --seed-inputs=1 --report=json | FileCheck %s
// CHECK: "implementation": "tile:portable:{{.*}}packed once
// CHECK: "implementation": "jit:lanes{{[0-9]+}}, in the tiles of #0"

func.func @main(%x: tensor<196x384xf32>, %bias: tensor<196x160xf32>) -> tensor<196x160xf32> {
  %w = arith.constant dense<0.125> : tensor<384x160xf32>
  %0 = gaudi.mme.gemm %x, %w : tensor<196x384xf32>, tensor<384x160xf32> -> tensor<196x160xf32>
  %1 = gaudi.tpc.add %0, %bias : tensor<196x160xf32>, tensor<196x160xf32> -> tensor<196x160xf32>
  return %1 : tensor<196x160xf32>
}
