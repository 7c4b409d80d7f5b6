// Booleans with a byte each, as versions of MLIR after 22 write more than 100 of them.

// RUN: gaudi-opt %s | FileCheck %s
// RUN: gaudi-run %s --entry=sum | FileCheck %s --check-prefix=SUM
// RUN: gaudi-run %s --entry=tosa | FileCheck %s --check-prefix=SUM
// RUN: not gaudi-run %S/Inputs/packed-booleans-error.mlir --compile-only -o %t.recipe 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: packed-booleans-error.mlir:3:313: error: expected attribute value
// CHECK: dense<"0x{{[0-9A-F]{30}"}}> : tensor<10x12xi1>
// SUM: output 'out0': i32 = 40
func.func @sum() -> tensor<i32> {
  %m = "stablehlo.constant"() {value = dense<"0x010001000001010001010000000000010000000000010000010100000000000001000000000101010000000100010100000000000000000100000000000100000101000001000001010000010001000100000000010100010100000101000100000100000000000000000000010100000001000001000001"> : tensor<10x12xi1>} : () -> tensor<10x12xi1>
  %n = "stablehlo.convert"(%m) : (tensor<10x12xi1>) -> tensor<10x12xi32>
  %z = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = "stablehlo.reduce"(%n, %z) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<10x12xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @tosa() -> tensor<i32> {
  %m = "tosa.const"() {values = dense<"0x010001000001010001010000000000010000000000010000010100000000000001000000000101010000000100010100000000000000000100000000000100000101000001000001010000010001000100000000010100010100000101000100000100000000000000000000010100000001000001000001"> : tensor<120xi1>} : () -> tensor<120xi1>
  %n = tosa.cast %m : (tensor<120xi1>) -> tensor<120xi32>
  %s = tosa.reduce_sum %n {axis = 0 : i32} : (tensor<120xi32>) -> tensor<1xi32>
  %shape = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
  %0 = tosa.reshape %s, %shape : (tensor<1xi32>, !tosa.shape<0>) -> tensor<i32>
  return %0 : tensor<i32>
}
