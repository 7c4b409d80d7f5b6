// Sorts and top-k of torch-mlir and IREE, with the numbers of PyTorch.
// RUN: gaudi-run %s --entry=ascending "--input=2x5xf32=3 1 3 -2 1 0 -1 5 -1 nan" "--expect=2x5xf32=-2 1 1 3 3 -1 -1 0 5 nan" "--expect=2x5xi64=3 1 4 0 2 1 3 0 2 4"
// RUN: gaudi-run %s --entry=descending "--input=2x5xf32=3 1 3 -2 1 0 -1 5 -1 nan" "--expect=2x5xf32=3 3 1 1 -2 nan 5 0 -1 -1" "--expect=2x5xi64=0 2 1 4 3 4 2 0 1 3"
// RUN: gaudi-run %s --entry=two_keys "--input=6xi32=2 1 2 1 2 0" "--input=6xf32=5 7 4 7 -1 3" "--input=6xi64=0 1 2 3 4 5" "--expect=6xi32=0 1 1 2 2 2" "--expect=6xf32=3 7 7 5 4 -1" "--expect=6xi64=5 1 3 0 2 4"
// RUN: gaudi-run %s --entry=columns "--input=3x2xi32=4 1 3 9 3 0" "--expect=3x2xi32=3 0 3 1 4 9"
// RUN: gaudi-run %s --entry=unsigned "--input=4xi8=1 -1 5 -128" "--expect=4xi8=1 5 -128 -1"
// RUN: gaudi-run %s --entry=bits "--input=4xi1=1 0 1 0" "--expect=4xi1=0 0 1 1"
// RUN: gaudi-run %s --entry=best "--input=1x5xf32=3 1 3 -2 1" "--expect=1x3xf32=3 3 1" "--expect=1x3xi32=0 2 1"
// RUN: gaudi-run %s --entry=least "--input=1x5xi32=4 1 7 7 -3" "--input=1x5xi32=10 11 12 13 14" "--expect=1x2xi32=-3 1" "--expect=1x2xi32=14 11"
// RUN: gaudi-run %s --entry=held "--input=5xf32=3 1 3 -2 1" "--input=2xf32=2 9" "--input=2xi64=70 80" "--expect=2xf32=9 3" "--expect=2xi64=80 0"
// RUN: gaudi-run %s --entry=nearest "--input=5xf32=3 1 -0.5 -2 0.25" "--expect=2xf32=0.25 -0.5"
// RUN: gaudi-run %s --entry=first "--input=1x5xf32=3 1 3 -2 1" "--expect=1x2xf32=-2 1" "--expect=1x3xi64=3 1 4"
// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @ascending(
// CHECK: %[[V:.*]], %[[I:.*]] = gaudi.tpc.sort %arg0 axis 1 :
// CHECK-NEXT: return %[[V]], %[[I]]
func.func @ascending(%x: tensor<2x5xf32>) -> (tensor<2x5xf32>, tensor<2x5xi64>) {
  %e = tensor.empty() : tensor<2x5xi64>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x5xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 1 : index
    %c = arith.index_cast %i : index to i64
    linalg.yield %c : i64
  } -> tensor<2x5xi64>
  %0:2 = tm_tensor.sort dimension(1) outs(%x, %iota : tensor<2x5xf32>, tensor<2x5xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %c = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %c : i1
  } -> tensor<2x5xf32>, tensor<2x5xi64>
  return %0#0, %0#1 : tensor<2x5xf32>, tensor<2x5xi64>
}

// The positions are moved along, as any operand is. Swapped sides turn the order.
// CHECK-LABEL: func.func @descending(
// CHECK: gaudi.tpc.sort %arg0 axis 1 descending
// CHECK: gaudi.tpc.gather_elements
func.func @descending(%x: tensor<2x5xf32>) -> (tensor<2x5xf32>, tensor<2x5xi64>) {
  %places = arith.constant dense<[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]> : tensor<2x5xi64>
  %0:2 = tm_tensor.sort dimension(1) outs(%x, %places : tensor<2x5xf32>, tensor<2x5xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %c = arith.cmpf olt, %b, %a : f32
    tm_tensor.yield %c : i1
  } -> tensor<2x5xf32>, tensor<2x5xi64>
  return %0#0, %0#1 : tensor<2x5xf32>, tensor<2x5xi64>
}

// CHECK-LABEL: func.func @two_keys(
// CHECK-COUNT-3: gaudi.tpc.kernel label "iree_linalg_ext.sort"
// CHECK-NOT: gaudi.tpc.kernel
func.func @two_keys(%a: tensor<6xi32>, %b: tensor<6xf32>, %c: tensor<6xi64>) -> (tensor<6xi32>, tensor<6xf32>, tensor<6xi64>) {
  %ea = tensor.empty() : tensor<6xi32>
  %eb = tensor.empty() : tensor<6xf32>
  %ec = tensor.empty() : tensor<6xi64>
  %0:3 = iree_linalg_ext.sort dimension(0) ins(%a, %b, %c : tensor<6xi32>, tensor<6xf32>, tensor<6xi64>) outs(%ea, %eb, %ec : tensor<6xi32>, tensor<6xf32>, tensor<6xi64>) {
  ^bb0(%a0: i32, %a1: i32, %b0: f32, %b1: f32, %c0: i64, %c1: i64):
    %less = arith.cmpi slt, %a0, %a1 : i32
    %same = arith.cmpi eq, %a0, %a1 : i32
    %more = arith.cmpf ogt, %b0, %b1 : f32
    %r = arith.select %same, %more, %less : i1
    iree_linalg_ext.yield %r : i1
  } -> tensor<6xi32>, tensor<6xf32>, tensor<6xi64>
  return %0#0, %0#1, %0#2 : tensor<6xi32>, tensor<6xf32>, tensor<6xi64>
}

// CHECK-LABEL: func.func @columns(
func.func @columns(%x: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<3x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

func.func @unsigned(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<4xi8>) {
  ^bb0(%a: i8, %b: i8):
    %c = arith.cmpi ult, %a, %b : i8
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

func.func @bits(%x: tensor<4xi1>) -> tensor<4xi1> {
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<4xi1>) {
  ^bb0(%a: i1, %b: i1):
    %c = arith.cmpi ult, %a, %b : i1
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: func.func @best(
// CHECK: gaudi.tpc.top_k %arg0 axis 1 :
func.func @best(%x: tensor<1x5xf32>) -> (tensor<1x3xf32>, tensor<1x3xi32>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 2147483647 : i32
  %ev = tensor.empty() : tensor<1x3xf32>
  %ei = tensor.empty() : tensor<1x3xi32>
  %v = linalg.fill ins(%least : f32) outs(%ev : tensor<1x3xf32>) -> tensor<1x3xf32>
  %i = linalg.fill ins(%none : i32) outs(%ei : tensor<1x3xi32>) -> tensor<1x3xi32>
  %0:2 = tm_tensor.topk dimension(1) ins(%x : tensor<1x5xf32>) outs(%v, %i : tensor<1x3xf32>, tensor<1x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %c : i1
  } -> tensor<1x3xf32>, tensor<1x3xi32>
  return %0#0, %0#1 : tensor<1x3xf32>, tensor<1x3xi32>
}

// CHECK-LABEL: func.func @least(
// CHECK: gaudi.tpc.top_k %arg0 axis 1 smallest
// CHECK: gaudi.tpc.gather_elements %arg1
func.func @least(%x: tensor<1x5xi32>, %at: tensor<1x5xi32>) -> (tensor<1x2xi32>, tensor<1x2xi32>) {
  %v = arith.constant dense<2147483647> : tensor<1x2xi32>
  %i = arith.constant dense<0> : tensor<1x2xi32>
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x, %at : tensor<1x5xi32>, tensor<1x5xi32>) outs(%v, %i : tensor<1x2xi32>, tensor<1x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<1x2xi32>, tensor<1x2xi32>
  return %0#0, %0#1 : tensor<1x2xi32>, tensor<1x2xi32>
}

// What the outputs hold takes part.
func.func @held(%x: tensor<5xf32>, %v: tensor<2xf32>, %i: tensor<2xi64>) -> (tensor<2xf32>, tensor<2xi64>) {
  %0:2 = iree_linalg_ext.topk_v2 dimension(0) is_sorted ins(%x : tensor<5xf32>) outs(%v, %i : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi64>
}

// By the absolute value: any comparator, without positions.
func.func @nearest(%x: tensor<5xf32>) -> tensor<2xf32> {
  %far = arith.constant dense<0x7F800000> : tensor<2xf32>
  %0 = iree_linalg_ext.topk_v2 dimension(0) ins(%x : tensor<5xf32>) outs(%far : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = math.absf %a : f32
    %n = math.absf %b : f32
    %c = arith.cmpf olt, %m, %n : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// torch.topk: only the first elements of a sort are used.
// CHECK-LABEL: func.func @first(
// CHECK: %[[V:.*]], %[[I:.*]] = gaudi.tpc.top_k %arg0 axis 1 smallest : tensor<1x5xf32> -> tensor<1x3xf32>, tensor<1x3xi64>
// CHECK-NOT: gaudi.tpc.sort
func.func @first(%x: tensor<1x5xf32>) -> (tensor<1x2xf32>, tensor<1x3xi64>) {
  %places = arith.constant dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi64>
  %0:2 = tm_tensor.sort dimension(1) outs(%x, %places : tensor<1x5xf32>, tensor<1x5xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %c = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %c : i1
  } -> tensor<1x5xf32>, tensor<1x5xi64>
  %1 = tensor.extract_slice %0#0[0, 0] [1, 2] [1, 1] : tensor<1x5xf32> to tensor<1x2xf32>
  %2 = tensor.extract_slice %0#1[0, 0] [1, 3] [1, 1] : tensor<1x5xi64> to tensor<1x3xi64>
  return %1, %2 : tensor<1x2xf32>, tensor<1x3xi64>
}
