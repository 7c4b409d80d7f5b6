// Reductions with a step of their own that read the result of a reduction over
// the same dimensions: the loop of the producer comes first.
// RUN: gaudi-run --check --entry=index_of_max --seed-inputs=2 %s | FileCheck %s
// RUN: gaudi-run --check --entry=two_selects --seed-inputs=2 %s | FileCheck %s
// RUN: gaudi-run --check --entry=running_sum --seed-inputs=2 %s | FileCheck %s
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --gaudi-place-ops --gaudi-expand-kernels --gaudi-fuse-tpc | FileCheck %s --check-prefix=FUSED

// CHECK: matches the reference

// FUSED-LABEL: @index_of_max
// FUSED-COUNT-1: gaudi.tpc.kernel
// FUSED:         %[[M:.*]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<max>]
// FUSED:         gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>]
// FUSED:           arith.cmpf oeq, %{{.*}}, %[[M]]
// FUSED-NOT:     gaudi.tpc.kernel
// FUSED:         return
func.func @index_of_max(%x: tensor<3x8xf32>) -> tensor<3xi32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3xf32>
  %ei = tensor.empty() : tensor<3xi32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %fi = linalg.fill ins(%zero : i32) outs(%ei : tensor<3xi32>) -> tensor<3xi32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x8xf32>) outs(%f : tensor<3xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [affine_map<(p, d) -> (p, d)>, affine_map<(p, d) -> (p)>, affine_map<(p, d) -> (p)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %m : tensor<3x8xf32>, tensor<3xf32>) outs(%fi : tensor<3xi32>) {
  ^bb0(%in: f32, %max: f32, %out: i32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpf oeq, %in, %max : f32
    %s = arith.select %c, %j, %out : i32
    linalg.yield %s : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// FUSED-LABEL: @two_selects
// FUSED-COUNT-1: gaudi.tpc.kernel
// FUSED-COUNT-2: gaudi.kernel.loop [0] reduce [#gaudi.reduce<custom>]
// FUSED-NOT:     gaudi.tpc.kernel
// FUSED:         return
func.func @two_selects(%x: tensor<4xf32>) -> tensor<f32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %m = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4xf32>) outs(%f : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf ogt, %out, %in : f32
    %s = arith.select %c, %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> ()>, affine_map<(d) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %m : tensor<4xf32>, tensor<f32>) outs(%f : tensor<f32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %d = arith.subf %in, %max : f32
    %c = arith.cmpf ogt, %out, %d : f32
    %s = arith.select %c, %out, %d : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// A kernel that stores the steps of a reduction stays as it is: they have no
// value outside its loop.
// FUSED-LABEL: @running_sum
// FUSED-COUNT-2: gaudi.tpc.kernel
// FUSED:         return
func.func @running_sum(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %0:2 = gaudi.tpc.kernel (%x) index_space [3, 8] parallel [true, false] : (tensor<3x8xf32>) -> (tensor<3x8xf32>, tensor<3xf32>) {
  ^bb0(%in0: tensor<3x8xf32>, %out0: tensor<3x8xf32>, %out1: tensor<3xf32>):
    %zero = arith.constant 0.0 : f32
    %sum = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>] init(%zero) : f32 {
    ^bb0(%running: f32):
      %v = gaudi.kernel.load %in0[d0, d1] : tensor<3x8xf32>
      %next = arith.addf %running, %v : f32
      gaudi.kernel.store %next, %out0[d0, d1] : tensor<3x8xf32>
      gaudi.kernel.yield %next : f32
    }
    gaudi.kernel.store %sum, %out1[d0] : tensor<3xf32>
  }
  %1 = gaudi.tpc.exp %0#0 : tensor<3x8xf32>
  return %1 : tensor<3x8xf32>
}
