// A stride has no bound where the window has one element, and no effect.
// RUN: gaudi-opt %s --gaudi-compile | FileCheck %s
// RUN: gaudi-run --check --seed-inputs=1 %s | FileCheck %s --check-prefix=VALUES
// VALUES-COUNT-2: matches the reference

// CHECK: gaudi.slice {{.*}}gaudi.buffers = [#gaudi.buffer<persistent, 16, [4, 1]>]
func.func @main(%x: tensor<4x4xf32>, %y: tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<4x4xf32>) {
  %0 = gaudi.slice %x offsets [1, 0] strides [3000000000000000000, 4611686018427387904] : tensor<4x4xf32> -> tensor<1x1xf32>
  %1 = gaudi.insert_slice %y into %x offsets [1, 1] strides [3000000000000000000, 4611686018427387904] : tensor<1x1xf32> into tensor<4x4xf32>
  return %0, %1 : tensor<1x1xf32>, tensor<4x4xf32>
}
