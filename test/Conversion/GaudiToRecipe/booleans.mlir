// Signed and modular arithmetic on i1: true is -1, and 1 + 1 is 0.
// RUN: gaudi-run %s --input="4xi1=0 1 1 0" --input="4xi1=0 0 1 1" --check | FileCheck %s

// CHECK: out0{{.*}} = [0, -1, -1, 0]
// CHECK: out1{{.*}} = [0, 1, 1, 0]
// CHECK: out2{{.*}} = [0, 1, 0, 1]
// CHECK: out3{{.*}} = [0, 1, 0, 1]
// CHECK: out4{{.*}} = [0, 0, 1, 0]
// CHECK: out5{{.*}} = [0, 0, 1, 0]
// CHECK: out6{{.*}} = [0, 1, 1, 1]
// CHECK: out7{{.*}} = [0, 0, 1, 0]
// CHECK: out8{{.*}} = [0, 1, 1, 1]
// CHECK: out9{{.*}} = [0, 1, 0, 0]
// CHECK: out10{{.*}} = [1, 1, 1, 0]
// CHECK: out11{{.*}} = [0, 0, 0, 1]
// CHECK: out12{{.*}} = [1, 0, 1, 1]
// CHECK-COUNT-13: matches the reference
func.func @main(%a: tensor<4xi1>, %b: tensor<4xi1>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>,
        tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = arith.sitofp %a : tensor<4xi1> to tensor<4xf32>
  %1 = arith.uitofp %a : tensor<4xi1> to tensor<4xf32>
  %2 = arith.addi %a, %b : tensor<4xi1>
  %3 = arith.subi %a, %b : tensor<4xi1>
  %4 = arith.muli %a, %b : tensor<4xi1>
  %5 = arith.maxsi %a, %b : tensor<4xi1>
  %6 = arith.minsi %a, %b : tensor<4xi1>
  %7 = arith.minui %a, %b : tensor<4xi1>
  %8 = arith.maxui %a, %b : tensor<4xi1>
  %9 = arith.cmpi slt, %a, %b : tensor<4xi1>
  %10 = arith.cmpi sle, %a, %b : tensor<4xi1>
  %11 = arith.cmpi sgt, %a, %b : tensor<4xi1>
  %12 = arith.cmpi sge, %a, %b : tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12
      : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>,
        tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
