// Data movement, views, library kernels and constants as commands; the values
// that come out are checked against the reference evaluator.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe="output=%t.recipe" -o /dev/null
// RUN: gaudi-run --dump %t.recipe | FileCheck %s
// RUN: gaudi-run --check --seed-inputs=3 --input "arg1=4x2xi64=0 1 5 3 2 2 0 0" %s | FileCheck %s --check-prefix=VALUES
// VALUES-COUNT-11: matches the reference

// CHECK-DAG: tensor [[CX:%[0-9]+]] "arg0" input @0+0 f32[6,4] strides[1,6] alias %0
// CHECK-DAG: tensor [[TOP:%[0-9]+]] "out1" output @0+[[#%u,AT:]] f32[4,6] alias
// CHECK-DAG: tensor [[BOTTOM:%[0-9]+]] "out1" output @0+[[#AT+96]] f32[4,6] alias
// CHECK-DAG: tensor [[HOLE:%[0-9]+]] "out2" output @0+{{[0-9]+}} f32[4,2] strides[6,3] alias
// CHECK-DAG: tensor [[WINDOW:%[0-9]+]] "slice.{{[0-9]+}}" workspace @2+4 f32[4,2] strides[6,4] alias [[E:%[0-9]+]]
// CHECK-DAG: tensor [[ROW:%[0-9]+]] "reshape.{{[0-9]+}}" workspace @2+{{[0-9]+}} f32[8] loc
// CHECK-DAG: tensor [[PLACE:%[0-9]+]] "reshape.{{[0-9]+}}" workspace @2+{{[0-9]+}} f32[4,2] alias [[ROW]]

// CHECK: entry "main"
// CHECK: dma "transpose" transfer ([[CX]]) -> ({{%[0-9]+}}) bytes 192
// CHECK: dma "concat" transfer (%0) -> ([[TOP]])
// CHECK: dma "concat" transfer (%0) -> ([[BOTTOM]])
// CHECK: dma "insert_slice" transfer (%0) ->
// CHECK: dma "insert_slice" transfer (%2) -> ([[HOLE]])
// CHECK: tpc "tpc.exp" launch
// A view that strides cannot express is a copy of the device.
// CHECK: dma "reshape" transfer ([[WINDOW]]) -> ([[PLACE]])
// CHECK: tpc "tpc.scatter_elements" library "scatter_elements" ints [1, 1]
// CHECK: tpc "tpc.top_k" library "top_k" ints [1, 2, 0]
func.func @main(%x: tensor<4x6xf32>, %i: tensor<4x2xi64>, %u: tensor<4x2xf32>)
    -> (tensor<6x4xf32>, tensor<8x6xf32>, tensor<4x6xf32>, tensor<10xf32>, tensor<4x6xf32>,
        tensor<4x2xf32>, tensor<4x2xi64>, tensor<4xi1>, tensor<4xi1>, tensor<2xf32>, tensor<4x6xf32>) {
  %t = gaudi.transpose %x permutation [1, 0] : tensor<4x6xf32> -> tensor<6x4xf32>
  %c = gaudi.concat %x, %x axis 0 : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<8x6xf32>
  %n = gaudi.insert_slice %u into %x offsets [0, 1] strides [1, 3] : tensor<4x2xf32> into tensor<4x6xf32>
  %e = gaudi.tpc.exp %x : tensor<4x6xf32>
  %s = gaudi.slice %e offsets [0, 1] strides [1, 4] : tensor<4x6xf32> -> tensor<4x2xf32>
  %r = gaudi.reshape %s : tensor<4x2xf32> -> tensor<8xf32>
  %d = gaudi.tpc.pad <edge> %r low [1] high [1] : tensor<8xf32> -> tensor<10xf32>
  %l = gaudi.tpc.scatter_elements %x, %i, %u axis 1 accumulate : tensor<4x6xf32>, tensor<4x2xi64>, tensor<4x2xf32> -> tensor<4x6xf32>
  %v, %p = gaudi.tpc.top_k %x axis 1 smallest : tensor<4x6xf32> -> tensor<4x2xf32>, tensor<4x2xi64>
  // One byte per i1, splat or not; packed bits of a resource too.
  %k = gaudi.constant dense<[true, false, true, true]> : tensor<4xi1>
  %m = gaudi.constant dense<true> : tensor<4xi1>
  %w = gaudi.constant dense_resource<weights> : tensor<2xf32>
  %f = gaudi.fill 3.0 : f32 : tensor<4x6xf32>
  return %t, %c, %n, %d, %l, %v, %p, %k, %m, %w, %f
    : tensor<6x4xf32>, tensor<8x6xf32>, tensor<4x6xf32>, tensor<10xf32>, tensor<4x6xf32>,
      tensor<4x2xf32>, tensor<4x2xi64>, tensor<4xi1>, tensor<4xi1>, tensor<2xf32>, tensor<4x6xf32>
}

{-#
  dialect_resources: { builtin: { weights: "0x040000000000803F00000040" } }
#-}
