// A scaled cast by a rule, from the op to its values: the recipe names the rule,
// and the device and the reference agree.
// RUN: gaudi-run %s --compile-only -o %t.recipe
// RUN: gaudi-run %t.recipe --dump | FileCheck %s
// CHECK: recipe 1.7
// CHECK-DAG: roundby f8E4M3FN toward_zero
// CHECK-DAG: roundby f8E5M2 stochastic flush

// 600 is past 240, -1.9 has 1.875 below it; 1.1 is 0.4 of the way from 1 to
// 1.25, which is 0x66666800 in units of 2^-32; 2^-15 is subnormal.
// RUN: gaudi-run %t.recipe "--input=4xf32=300 -0.95 0.0009765625 nan" "--input=4xf32=1.1 1.1 -1.1 3.0517578125e-05" "--input=4xi32=1717987327 1717987328 1717987327 0" "--expect=4xf8E4M3FN=240 -1.875 0.001953125 nan" "--expect=4xf8E5M2=1.25 1 -1.25 0" --atol=0 --rtol=0
// RUN: gaudi-run %s --seed-inputs=1 --check

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %words: tensor<4xi32>)
    -> (tensor<4xf8E4M3FN>, tensor<4xf8E5M2>) {
  %two = gaudi.fill 2.0 : f32 : tensor<4xf32>
  %scaled = gaudi.tpc.mul %x, %two : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %0 = gaudi.tpc.round_to %scaled <toward_zero> saturate 240.0 : tensor<4xf32> -> tensor<4xf8E4M3FN>
  %1 = gaudi.tpc.round_to %y random %words <stochastic> flush
    : tensor<4xf32>, tensor<4xi32> -> tensor<4xf8E5M2>
  return %0, %1 : tensor<4xf8E4M3FN>, tensor<4xf8E5M2>
}
