// Patterns as linalg.generic bodies.
// RUN: gaudi-opt %s --split-input-file --gaudi-compile=stop-after=kernels | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-compile="stop-after=kernels check-numerics=true" -o /dev/null

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @softmax
// CHECK: gaudi.tpc.kernel label "tpc.softmax"(%arg0)
// CHECK-NOT: gaudi.tpc.kernel
func.func @softmax(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %r0 = tensor.empty() : tensor<32xf32>
  %f0 = tensor.empty() : tensor<32x64xf32>
  %i0 = linalg.fill ins(%low : f32) outs(%r0 : tensor<32xf32>) -> tensor<32xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<32x64xf32>) outs(%i0 : tensor<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.maximumf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<32xf32>
  %e = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<32x64xf32>, tensor<32xf32>) outs(%f0 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.subf %a, %b : f32
    %v = math.exp %s : f32
    linalg.yield %v : f32
  } -> tensor<32x64xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%r0 : tensor<32xf32>) -> tensor<32xf32>
  %t = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<32x64xf32>) outs(%i1 : tensor<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<32xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%e, %t : tensor<32x64xf32>, tensor<32xf32>) outs(%f0 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %v = arith.divf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: @layer_norm
// CHECK: gaudi.tpc.kernel label "tpc.layer_norm"
// CHECK-NOT: gaudi.tpc.kernel
func.func @layer_norm(%x: tensor<32x64xf32>, %gamma: tensor<64xf32>, %beta: tensor<64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %r0 = tensor.empty() : tensor<32xf32>
  %f0 = tensor.empty() : tensor<32x64xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%r0 : tensor<32xf32>) -> tensor<32xf32>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<32x64xf32>) outs(%i0 : tensor<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<32xf32>
  %c = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<32x64xf32>, tensor<32xf32>) outs(%f0 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.divf %b, %n : f32
    %v = arith.subf %a, %m : f32
    linalg.yield %v : f32
  } -> tensor<32x64xf32>
  %q = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<32x64xf32>) outs(%i0 : tensor<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.mulf %in, %in : f32
    %v = arith.addf %p, %out : f32
    linalg.yield %v : f32
  } -> tensor<32xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #column, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%c, %q, %gamma, %beta : tensor<32x64xf32>, tensor<32xf32>, tensor<64xf32>, tensor<64xf32>) outs(%f0 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %g: f32, %h: f32, %out: f32):
    %m = arith.divf %b, %n : f32
    %e = arith.addf %m, %eps : f32
    %r = math.rsqrt %e : f32
    %d = arith.mulf %a, %r : f32
    %k = arith.mulf %d, %g : f32
    %v = arith.addf %k, %h : f32
    linalg.yield %v : f32
  } -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @gelu
// CHECK: gaudi.tpc.kernel label "tpc.gelu"(%arg0)
// CHECK-NOT: gaudi.tpc.kernel
func.func @gelu(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %k = arith.constant 0.044715 : f32
  %s = arith.constant 0.797884583 : f32
  %f0 = tensor.empty() : tensor<32x64xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x64xf32>) outs(%f0 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %a2 = arith.mulf %a, %a : f32
    %a3 = arith.mulf %a2, %a : f32
    %c = arith.mulf %a3, %k : f32
    %i = arith.addf %a, %c : f32
    %j = arith.mulf %i, %s : f32
    %t = math.tanh %j : f32
    %p = arith.addf %t, %one : f32
    %h = arith.mulf %p, %half : f32
    %v = arith.mulf %a, %h : f32
    linalg.yield %v : f32
  } -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
