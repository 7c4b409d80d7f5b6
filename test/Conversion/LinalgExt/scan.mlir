// Scans of torch-mlir and IREE, with the numbers of PyTorch.
// RUN: gaudi-run %s --entry=product "--input=2x4xf32=0.5 2 -1 3 1 -2 0.25 4" "--expect=2x4xf32=0.5 1 -1 -3 1 -2 -0.5 -2" "--expect=2xf32=-3 -2"
// RUN: gaudi-run %s --entry=sum "--input=2x3xi32=1 2 3 4 5 6" "--input=3xi32=10 20 30" "--expect=2x3xi32=10 20 30 11 22 33" "--expect=3xi32=11 22 33"
// RUN: gaudi-run %s --entry=sums "--input=2x3xi64=1 2 3 4 5 6" "--expect=2x3xi64=1 2 3 5 7 9" "--expect=2x3xi64=0 1 3 0 4 9"
// RUN: gaudi-run %s --entry=largest "--input=2x4xf32=0.5 2 -1 3 1 -2 0.25 4" "--expect=2x4xf32=0.5 2 -1 3 1 2 0.25 4" "--expect=2x4xf32=0.5 2 2 3 1 1 1 4"
// RUN: gaudi-run %s --entry=logarithm "--input=2x4xf32=0.5 2 -1 3 1 -2 0.25 4" "--expect=2x4xf32=0.5 2.201413393 2.241311312 3.384091616 1 1.048587322 1.4201262 4.07304907"
// RUN: gaudi-run %s --entry=product_before "--input=2x4xf32=0.5 2 -1 3 1 -2 0.25 4" "--input=2xf32=2 3" "--expect=2x4xf32=2 1 2 -2 3 3 -6 -1.5"
// RUN: gaudi-run %s --entry=order "--input=3xf32=1 2 4" "--expect=3xf32=1 -1 -5"
// RUN: gaudi-run %s --entry=bits "--input=4xi1=0 1 0 0" "--expect=4xi1=0 1 1 1"
// RUN: gaudi-run %s --entry=outside "--input=3xf32=1 2 4" --input=f32=10 "--expect=3xf32=1 11 21"
// RUN: gaudi-run %s --entry=deep --seed-inputs=3 --check | FileCheck %s --check-prefix=DEEP
// DEEP: --check passed
// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

// CHECK-LABEL: func.func @product(
// CHECK: gaudi.tpc.kernel
func.func @product(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2xf32>) {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %a = tensor.empty() : tensor<2xf32>
  %i = linalg.fill ins(%one : f32) outs(%a : tensor<2xf32>) -> tensor<2xf32>
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<2x4xf32>) outs(%e, %i : tensor<2x4xf32>, tensor<2xf32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.mulf %p, %v : f32
    tm_tensor.yield %s : f32
  } -> tensor<2x4xf32>, tensor<2xf32>
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2xf32>
}

// The accumulator is where an exclusive scan starts.
// CHECK-LABEL: func.func @sum(
// CHECK: gaudi.tpc.cumulative_sum %{{.*}} axis 0 exclusive
func.func @sum(%x: tensor<2x3xi32>, %a: tensor<3xi32>) -> (tensor<2x3xi32>, tensor<3xi32>) {
  %e = tensor.empty() : tensor<2x3xi32>
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(false) ins(%x : tensor<2x3xi32>) outs(%e, %a : tensor<2x3xi32>, tensor<3xi32>) {
  ^bb0(%p: i32, %v: i32):
    %s = arith.addi %v, %p : i32
    iree_linalg_ext.yield %s : i32
  } -> tensor<2x3xi32>, tensor<3xi32>
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @sums(
// CHECK: gaudi.tpc.cumulative_sum %arg0 axis 0 :
// CHECK: gaudi.tpc.cumulative_sum %arg0 axis 1 exclusive :
// CHECK-NOT: gaudi.tpc.add
func.func @sums(%x: tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>) {
  %e = tensor.empty() : tensor<2x3xi64>
  %columns = arith.constant dense<0> : tensor<3xi64>
  %rows = arith.constant dense<0> : tensor<2xi64>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<2x3xi64>) outs(%e, %columns : tensor<2x3xi64>, tensor<3xi64>) {
  ^bb0(%p: i64, %v: i64):
    %s = arith.addi %p, %v : i64
    tm_tensor.yield %s : i64
  } -> tensor<2x3xi64>, tensor<3xi64>
  %1:2 = tm_tensor.scan dimension(1) inclusive(false) ins(%x : tensor<2x3xi64>) outs(%e, %rows : tensor<2x3xi64>, tensor<2xi64>) {
  ^bb0(%p: i64, %v: i64):
    %s = arith.addi %p, %v : i64
    tm_tensor.yield %s : i64
  } -> tensor<2x3xi64>, tensor<2xi64>
  return %0#0, %1#0 : tensor<2x3xi64>, tensor<2x3xi64>
}

func.func @largest(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %e = tensor.empty() : tensor<2x4xf32>
  %columns = tensor.empty() : tensor<4xf32>
  %rows = tensor.empty() : tensor<2xf32>
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%x : tensor<2x4xf32>) outs(%e, %columns : tensor<2x4xf32>, tensor<4xf32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.maximumf %p, %v : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<2x4xf32>, tensor<4xf32>
  %1:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<2x4xf32>) outs(%e, %rows : tensor<2x4xf32>, tensor<2xf32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.maximumf %p, %v : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<2x4xf32>, tensor<2xf32>
  return %0#0, %1#0 : tensor<2x4xf32>, tensor<2x4xf32>
}

// log(exp(a) + exp(b)), as a region of several ops.
func.func @logarithm(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %a = tensor.empty() : tensor<2xf32>
  %0:2 = "tm_tensor.scan"(%x, %e, %a) <{dimension = 1 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
  ^bb0(%p: f32, %v: f32):
    %most = arith.maximumf %p, %v : f32
    %pd = arith.subf %p, %most : f32
    %vd = arith.subf %v, %most : f32
    %pe = math.exp %pd : f32
    %ve = math.exp %vd : f32
    %sum = arith.addf %pe, %ve : f32
    %log = math.log %sum : f32
    %s = arith.addf %most, %log : f32
    "tm_tensor.yield"(%s) : (f32) -> ()
  }) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2xf32>)
  return %0#0 : tensor<2x4xf32>
}

func.func @product_before(%x: tensor<2x4xf32>, %a: tensor<2xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %0:2 = tm_tensor.scan dimension(1) inclusive(false) ins(%x : tensor<2x4xf32>) outs(%e, %a : tensor<2x4xf32>, tensor<2xf32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.mulf %p, %v : f32
    tm_tensor.yield %s : f32
  } -> tensor<2x4xf32>, tensor<2xf32>
  return %0#0 : tensor<2x4xf32>
}

// The first argument is what has been accumulated.
func.func @order(%x: tensor<3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %a = tensor.empty() : tensor<f32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<3xf32>) outs(%e, %a : tensor<3xf32>, tensor<f32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.subf %p, %v : f32
    tm_tensor.yield %s : f32
  } -> tensor<3xf32>, tensor<f32>
  return %0#0 : tensor<3xf32>
}

func.func @bits(%x: tensor<4xi1>) -> tensor<4xi1> {
  %e = tensor.empty() : tensor<4xi1>
  %a = arith.constant dense<false> : tensor<i1>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xi1>) outs(%e, %a : tensor<4xi1>, tensor<i1>) {
  ^bb0(%p: i1, %v: i1):
    %s = arith.ori %p, %v : i1
    tm_tensor.yield %s : i1
  } -> tensor<4xi1>, tensor<i1>
  return %0#0 : tensor<4xi1>
}

// More dimensions than a kernel has parallel ones.
func.func @deep(%x: tensor<2x2x3x2x5x2x2xf32>) -> tensor<2x2x3x2x5x2x2xf32> {
  %e = tensor.empty() : tensor<2x2x3x2x5x2x2xf32>
  %a = tensor.empty() : tensor<2x2x3x2x2x2xf32>
  %0:2 = tm_tensor.scan dimension(4) inclusive(true) ins(%x : tensor<2x2x3x2x5x2x2xf32>) outs(%e, %a : tensor<2x2x3x2x5x2x2xf32>, tensor<2x2x3x2x2x2xf32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.mulf %p, %v : f32
    tm_tensor.yield %s : f32
  } -> tensor<2x2x3x2x5x2x2xf32>, tensor<2x2x3x2x2x2xf32>
  return %0#0 : tensor<2x2x3x2x5x2x2xf32>
}

// The region reads a scalar from outside instead of the element.
func.func @outside(%x: tensor<3xf32>, %y: f32) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %a = tensor.empty() : tensor<f32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<3xf32>) outs(%e, %a : tensor<3xf32>, tensor<f32>) {
  ^bb0(%p: f32, %v: f32):
    %s = arith.addf %p, %y : f32
    tm_tensor.yield %s : f32
  } -> tensor<3xf32>, tensor<f32>
  return %0#0 : tensor<3xf32>
}
