// Attention of torch-mlir and IREE, with the numbers of PyTorch.
// RUN: gaudi-run %s --entry=plain "--input=1x3x2xf32=1 0 0.5 -1 2 1" "--input=1x2x2xf32=0 1 1 1" "--input=1x2x3xf32=1 2 3 -1 0 4" "--expect=1x3x3xf32=-0.33952311 0.66047686 3.66976142 -0.17495802 0.82504195 3.58747888 -0.60885942 0.39114061 3.80442977"
// RUN: gaudi-run %s --entry=bits "--input=1x3x2xf32=1 0 0.5 -1 2 1" "--input=1x2x2xf32=0 1 1 1" "--input=1x2x3xf32=1 2 3 -1 0 4" "--input=1x3x2xi1=1 0 1 1 0 0" "--expect=1x3x3xf32=1 2 3 -0.17495802 0.82504195 3.58747888 0 0 0"
// RUN: gaudi-run %s --entry=floats "--input=1x3x2xf32=1 0 0.5 -1 2 1" "--input=1x2x2xf32=0 1 1 1" "--input=1x2x3xf32=1 2 3 -1 0 4" "--input=1x3x2xf32=0.5 -1 0 2 -3 0.25" "--expect=1x3x3xf32=0.37690446 1.37690449 3.31154776 -0.82643247 0.1735675 3.91321611 -0.98132271 0.01867725 3.99066114"
// RUN: gaudi-run %s --entry=scaled "--input=3x2xf32=1 0 0.5 -1 2 1" "--input=2x2xf32=0 1 1 1" "--input=2x3xf32=1 2 3 -1 0 4" "--expect=3x3xf32=-0.76159412 0.23840585 3.88079691 -0.46211717 0.53788286 3.7310586 -0.96402752 0.03597244 3.9820137"
// RUN: gaudi-run %s --entry=capped "--input=1x3x2xf32=1 0 0.5 -1 2 1" "--input=1x2x2xf32=0 1 1 1" "--input=1x2x3xf32=1 2 3 -1 0 4" "--input=3x2xf32=0.5 -1 0 2 -3 0.25" "--expect=1x3x3xf32=0.47688258 1.47688258 3.26155877 -0.80356669 0.19643334 3.90178347 -0.95141673 0.0485833 3.97570848"
// RUN: gaudi-run %s --entry=groups "--input=2x2x2xf32=-1 -0.75 -0.5 -0.25 0 0.25 0.5 0.75" "--input=3x2x2xf32=-1 -0.8333333134651184 -0.6666666269302368 -0.5 -0.3333333134651184 -0.1666666865348816 0 0.16666662693023682 0.3333333730697632 0.5 0.6666666269302368 0.8333333730697632" "--input=3x2x1xf32=0 1 2 3 4 5" "--expect=1x2x2xf32=1.263311505 3.110982895 1.670092583 3.540062666"
// RUN: gaudi-run %s --entry=narrow --seed-inputs=1 --check | FileCheck %s --check-prefix=NARROW
// NARROW: --check passed
// RUN: gaudi-run %s --entry=broadcast --input=1x2x1xf32=0 --input=1x3x1xf32=0 "--input=1x3x2xbf16=1 2 3 4 5 6" "--input=1x1x3xf32=0 -inf 0" "--expect=1x2x2xf32=3 4 3 4"
// RUN: gaudi-run %s --entry=heads --seed-inputs=1 --check | FileCheck %s --check-prefix=NARROW
// RUN: gaudi-opt %s --convert-linalg-to-gaudi | FileCheck %s
// RUN: gaudi-opt %s --convert-linalg-to-gaudi --remarks-filter=convert-linalg-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Scores are divided by the root of the head size.
// CHECK-LABEL: func.func @plain(
// CHECK: gaudi.sdpa %{{.*}}, %{{.*}}, %{{.*}} scale 0.707106769 : (tensor<1x1x3x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x1x3x3xf32>
func.func @plain(%q: tensor<1x3x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x3xf32>) -> tensor<1x3x3xf32> {
  %e = tensor.empty() : tensor<1x3x3xf32>
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<1x3x2xf32>, tensor<1x2x2xf32>, tensor<1x2x3xf32>) outs(%e : tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
  return %0 : tensor<1x3x3xf32>
}

// A row that attends to nothing is 0, as in PyTorch.
// CHECK-LABEL: func.func @bits(
// CHECK: gaudi.sdpa {{.*}} mask %{{.*}} scale {{.*}} tensor<1x1x3x2xi1>)
func.func @bits(%q: tensor<1x3x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x3xf32>, %m: tensor<1x3x2xi1>) -> tensor<1x3x3xf32> {
  %e = tensor.empty() : tensor<1x3x3xf32>
  %0 = tm_tensor.attention ins(%q, %k, %v, %m : tensor<1x3x2xf32>, tensor<1x2x2xf32>, tensor<1x2x3xf32>, tensor<1x3x2xi1>) outs(%e : tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
  return %0 : tensor<1x3x3xf32>
}

func.func @floats(%q: tensor<1x3x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x3xf32>, %m: tensor<1x3x2xf32>) -> tensor<1x3x3xf32> {
  %e = tensor.empty() : tensor<1x3x3xf32>
  %0 = "tm_tensor.attention"(%q, %k, %v, %m, %e) <{operandSegmentSizes = array<i32: 4, 1>}> : (tensor<1x3x2xf32>, tensor<1x2x2xf32>, tensor<1x2x3xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
  return %0 : tensor<1x3x3xf32>
}

func.func @scaled(%q: tensor<3x2xf32>, %k: tensor<2x2xf32>, %v: tensor<2x3xf32>) -> tensor<3x3xf32> {
  %scale = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<3x3xf32>
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, n, d, s) -> (m, d)>, affine_map<(m, n, d, s) -> (s, d)>, affine_map<(m, n, d, s) -> (s, n)>, affine_map<(m, n, d, s) -> ()>, affine_map<(m, n, d, s) -> (m, n)>]} ins(%q, %k, %v, %scale : tensor<3x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, f32) outs(%e : tensor<3x3xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// The region maps scaled scores, before the mask, which is one for all batches.
// CHECK-LABEL: func.func @capped(
// CHECK-NOT: gaudi.sdpa
// CHECK: gaudi.mme.gemm
// CHECK: gaudi.tpc.reduce {{.*}}max
// CHECK: gaudi.tpc.exp
// CHECK: gaudi.mme.gemm
// REMARK-DAG: attention.mlir:[[#@LINE+4]]:8: remark: [Missed] raise | {{.*}} | Remark="written as two products and a softmax of the scores: its region changes the scores"
func.func @capped(%q: tensor<1x3x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x3xf32>, %m: tensor<3x2xf32>) -> tensor<1x3x3xf32> {
  %scale = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<1x3x3xf32>
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, d, s) -> (b, m, d)>, affine_map<(b, m, n, d, s) -> (b, s, d)>, affine_map<(b, m, n, d, s) -> (b, s, n)>, affine_map<(b, m, n, d, s) -> ()>, affine_map<(b, m, n, d, s) -> (m, s)>, affine_map<(b, m, n, d, s) -> (b, m, n)>]} ins(%q, %k, %v, %scale, %m : tensor<1x3x2xf32>, tensor<1x2x2xf32>, tensor<1x2x3xf32>, f32, tensor<3x2xf32>) outs(%e : tensor<1x3x3xf32>) {
  ^bb0(%score: f32):
    %t = math.tanh %score : f32
    iree_linalg_ext.yield %t : f32
  } -> tensor<1x3x3xf32>
  return %0 : tensor<1x3x3xf32>
}

// Keys outermost, the result transposed.
// CHECK-LABEL: func.func @groups(
// CHECK: gaudi.sdpa {{.*}} {key_layout = "LNHD", output_layout = "DLNH", value_layout = "LNHD"}
func.func @groups(%q: tensor<2x2x2xf32>, %k: tensor<3x2x2xf32>, %v: tensor<3x2x1xf32>) -> tensor<1x2x2xf32> {
  %scale = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, g, d, s, n) -> (b, g, d)>, affine_map<(b, g, d, s, n) -> (s, b, d)>, affine_map<(b, g, d, s, n) -> (s, b, n)>, affine_map<(b, g, d, s, n) -> ()>, affine_map<(b, g, d, s, n) -> (n, g, b)>]} ins(%q, %k, %v, %scale : tensor<2x2x2xf32>, tensor<3x2x2xf32>, tensor<3x2x1xf32>, f32) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// One op, whose output is rounded once.
// CHECK-LABEL: func.func @narrow(
// CHECK: gaudi.sdpa {{.*}} -> tensor<2x1x8x4xbf16>
func.func @narrow(%q: tensor<2x8x16xbf16>, %k: tensor<2x6x16xbf16>, %v: tensor<2x6x4xbf16>) -> tensor<2x8x4xbf16> {
  %e = tensor.empty() : tensor<2x8x4xbf16>
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<2x8x16xbf16>, tensor<2x6x16xbf16>, tensor<2x6x4xbf16>) outs(%e : tensor<2x8x4xbf16>) -> tensor<2x8x4xbf16>
  return %0 : tensor<2x8x4xbf16>
}

// Four query heads to two key heads, which are stored apart; the mask has bytes and one head.
// CHECK-LABEL: func.func @heads(
// CHECK: gaudi.sdpa {{.*}} mask %{{.*}} scale 5.000000e-01 {key_layout = "NLHD"} : (tensor<2x4x3x4xf32>, tensor<2x5x2x4xf32>, tensor<2x2x5x3xf32>, tensor<2x1x3x5xi1>) -> tensor<2x4x3x3xf32>
func.func @heads(%q: tensor<2x2x2x3x4xf32>, %k: tensor<2x5x2x4xf32>, %v: tensor<2x2x5x3xf32>, %m: tensor<2x3x5xi8>) -> tensor<2x2x2x3x3xf32> {
  %scale = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<2x2x2x3x3xf32>
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, h, g, m, d, s, n) -> (b, h, g, m, d)>, affine_map<(b, h, g, m, d, s, n) -> (b, s, h, d)>, affine_map<(b, h, g, m, d, s, n) -> (b, h, s, n)>, affine_map<(b, h, g, m, d, s, n) -> ()>, affine_map<(b, h, g, m, d, s, n) -> (b, m, s)>, affine_map<(b, h, g, m, d, s, n) -> (b, h, g, m, n)>]} ins(%q, %k, %v, %scale, %m : tensor<2x2x2x3x4xf32>, tensor<2x5x2x4xf32>, tensor<2x2x5x3xf32>, f32, tensor<2x3x5xi8>) outs(%e : tensor<2x2x2x3x3xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<2x2x2x3x3xf32>
  return %0 : tensor<2x2x2x3x3xf32>
}

// A scale that is an argument.
// CHECK-LABEL: func.func @dynamic_scale(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention.mlir:[[#@LINE+3]]:8: remark: [Missed] raise | {{.*}} | Remark="written as two products and a softmax of the scores: its scale is not a constant"
func.func @dynamic_scale(%q: tensor<3x2xf32>, %k: tensor<2x2xf32>, %v: tensor<2x3xf32>, %scale: tensor<f32>) -> tensor<3x3xf32> {
  %e = tensor.empty() : tensor<3x3xf32>
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, n, d, s) -> (m, d)>, affine_map<(m, n, d, s) -> (s, d)>, affine_map<(m, n, d, s) -> (s, n)>, affine_map<(m, n, d, s) -> ()>, affine_map<(m, n, d, s) -> (m, n)>]} ins(%q, %k, %v, %scale : tensor<3x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<f32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// A mask with one row for all, and results of another type than the values.
// REMARK-DAG: attention.mlir:[[#@LINE+3]]:8: remark: [Missed] raise | {{.*}} | Remark="written as two products and a softmax of the scores: its tensors have elements of f32 and bf16"
func.func @broadcast(%q: tensor<1x2x1xf32>, %k: tensor<1x3x1xf32>, %v: tensor<1x3x2xbf16>, %m: tensor<1x1x3xf32>) -> tensor<1x2x2xf32> {
  %e = tensor.empty() : tensor<1x2x2xf32>
  %0 = tm_tensor.attention ins(%q, %k, %v, %m : tensor<1x2x1xf32>, tensor<1x3x1xf32>, tensor<1x3x2xbf16>, tensor<1x1x3xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}
