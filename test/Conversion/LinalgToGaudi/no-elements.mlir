// Tensors without elements, in signatures and inside.
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --canonicalize | FileCheck %s
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --remarks-filter=convert-linalg-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-run %s --entry=sums --input=3x0xf32= --input=3xf32=7 --check | FileCheck %s --check-prefix=SUMS
// RUN: gaudi-run %s --entry=product --seed-inputs=1 --input=2=2x3xf32=5 --check | FileCheck %s --check-prefix=PRODUCT
// RUN: gaudi-run %s --entry=moves --input=x=0 --input=y=1 --check | FileCheck %s --check-prefix=MOVES
// RUN: gaudi-run %s --entry=pads --seed-inputs=1 --input=1=f32=9 --check | FileCheck %s --check-prefix=PADS

// A nest without iterations leaves its initial values.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: tensor<3x0xf32>
// CHECK-NEXT: %[[E:.*]] = gaudi.constant dense<> : tensor<3x0xf32>
// CHECK-NEXT: return %arg1, %[[E]]
// SUMS: output 'out0': 3xf32 = [7, 7, 7]
// SUMS: output 'out1': 3x0xf32 = []{{$}}
func.func @sums(%x: tensor<3x0xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3x0xf32>) {
  // REMARK-DAG: no-elements.mlir:[[#@LINE+1]]:{{.*}}Remark="replaced: it has no elements to compute"
  %0 = linalg.reduce {arith.maximumf} ins(%x : tensor<3x0xf32>) outs(%y : tensor<3xf32>) dimensions = [1]
  %e = tensor.empty() : tensor<3x0xf32>
  %1 = linalg.exp ins(%x : tensor<3x0xf32>) outs(%e : tensor<3x0xf32>) -> tensor<3x0xf32>
  return %0, %1 : tensor<3xf32>, tensor<3x0xf32>
}

// PRODUCT: 2x3xf32 = [5, 5, 5, 5, 5, 5]
func.func @product(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x0xf32>, tensor<0x3xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// MOVES: output 'out0': 2xf32 = [1, 1]
// MOVES: output 'out1': 2xf32 = [1, 1]
// MOVES: output 'out2': 0x1xf32 = []{{$}}
// MOVES: output 'out3': 2xf32 = [1, 1]
func.func @moves(%x: tensor<0xf32> {gaudi.name = "x"}, %y: tensor<2xf32> {gaudi.name = "y"}) -> (tensor<2xf32>, tensor<2xf32>, tensor<0x1xf32>, tensor<2xf32>) {
  %0 = tensor.concat dim(0) %x, %y : (tensor<0xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = tensor.insert_slice %x into %y[1] [0] [1] : tensor<0xf32> into tensor<2xf32>
  %2 = tensor.expand_shape %x [[0, 1]] output_shape [0, 1] : tensor<0xf32> into tensor<0x1xf32>
  %i = arith.constant dense<> : tensor<0x1xindex>
  // REMARK-DAG: no-elements.mlir:[[#@LINE+1]]:{{.*}}[Passed] no-work{{.*}}Remark="replaced: it has no elements to write"
  %3 = tensor.scatter %x into %y[%i] scatter_dims([0]) unique : (tensor<0xf32>, tensor<2xf32>, tensor<0x1xindex>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<0x1xf32>, tensor<2xf32>
}

// Padding around nothing: of an empty tensor, and of one that negative padding
// cuts away.
// PADS: output 'out0': 3xf32 = [9, 9, 9]
// PADS: output 'out1': 2x7xf32 = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]
func.func @pads(%x: tensor<0xf32>, %v: f32, %y: tensor<2x8xf32>) -> (tensor<3xf32>, tensor<2x7xf32>) {
  %two = arith.constant 2.0 : f32
  %0 = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<0xf32> to tensor<3xf32>
  // REMARK-DAG: no-elements.mlir:[[#@LINE+1]]:{{.*}}[Passed] no-work{{.*}}Remark="replaced by its padding: the cut leaves no element"
  %1 = tensor.pad %y low[0, 7] high[0, -8] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f32
  } : tensor<2x8xf32> to tensor<2x7xf32>
  return %0, %1 : tensor<3xf32>, tensor<2x7xf32>
}
