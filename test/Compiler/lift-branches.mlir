// Branches between blocks become loops and choices, also in private functions.

// RUN: gaudi-opt %s --gaudi-lift-branches | FileCheck %s
// RUN: gaudi-run %s --entry=main --input=4xf32=3 --seed-inputs=1 --check --remarks 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: gaudi-run %s --entry=sign "--input=2xf32=3 4" --seed-inputs=1 --check | FileCheck %s --check-prefix=SIGN
// RUN: gaudi-run %s --entry=sign "--input=2xf32=-3 4" --seed-inputs=1 --check | FileCheck %s --check-prefix=MINUS

// CHECK-LABEL: @loop
// CHECK-NOT: cf.
// CHECK: scf.while
// LOOP: output 'out0': 4xf32 = [96, 96, 96, 96]
func.func private @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  cf.br ^head(%zero, %x : index, tensor<4xf32>)
^head(%i: index, %v: tensor<4xf32>):
  %more = arith.cmpi slt, %i, %five : index
  cf.cond_br %more, ^body, ^exit
^body:
  %w = "stablehlo.add"(%v, %v) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %next = arith.addi %i, %one : index
  cf.br ^head(%next, %w : index, tensor<4xf32>)
^exit:
  return %v : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @loop(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// SIGN: output 'out0': 2xf32 = [6, 8]
// MINUS: output 'out0': 2xf32 = [9, 16]
func.func @sign(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %first = tensor.extract %x[%zero] : tensor<2xf32>
  %bound = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %first, %bound : f32
  cf.cond_br %c, ^plus, ^minus
^plus:
  %0 = tosa.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
^minus:
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %1 = tosa.mul %x, %x, %shift : (tensor<2xf32>, tensor<2xf32>, tensor<1xi8>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
