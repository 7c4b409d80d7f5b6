// Two stages over one row of bf16: the first adds in order, one element at a time, and
// the second, in vectors of even elements, then odd ones, may not read what it kept.
// RUN: gaudi-run %s --seed-inputs=1 --check | FileCheck %s

// CHECK: --check passed: 2 outputs

func.func @pair(%x: tensor<1x4096xbf16>) -> (tensor<1xf32>, tensor<1x4096xbf16>) {
  %0:2 = gaudi.tpc.kernel label "pair" (%x) index_space [1, 4096] parallel [true, false] : (tensor<1x4096xbf16>) -> (tensor<1xf32>, tensor<1x4096xbf16>) {
  ^bb0(%in0: tensor<1x4096xbf16>, %out0: tensor<1xf32>, %out1: tensor<1x4096xbf16>):
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %c = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>] init(%zero) : f32 {
    ^bb0(%acc: f32):
      %v = gaudi.kernel.load %in0[d0, d1] : tensor<1x4096xbf16>
      %e0 = math.tanh %v : f32
      %e1 = math.exp %e0 : f32
      %e2 = math.tanh %e1 : f32
      %e = math.exp %e2 : f32
      %h = arith.mulf %acc, %half : f32
      %n = arith.addf %h, %e : f32
      gaudi.kernel.yield %n : f32
    }
    %d = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%zero) : f32 {
    ^bb0(%acc: f32):
      %v = gaudi.kernel.load %in0[d0, d1] : tensor<1x4096xbf16>
      %e0 = math.tanh %v : f32
      %e1 = math.exp %e0 : f32
      %e2 = math.tanh %e1 : f32
      %e = math.exp %e2 : f32
      %q = arith.addf %e, %c : f32
      %t = math.tanh %q : f32
      gaudi.kernel.store %e, %out1[d0, d1] : tensor<1x4096xbf16>
      gaudi.kernel.yield %t : f32
    }
    gaudi.kernel.store %d, %out0[d0] : tensor<1xf32>
  }
  return %0#0, %0#1 : tensor<1xf32>, tensor<1x4096xbf16>
}
