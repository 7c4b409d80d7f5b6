// Element types of results, and what is computed in f32 to be rounded once.
// RUN: gaudi-opt %s --convert-torch-to-gaudi | FileCheck %s

// An integer tensor and a float number make f32; a number does not widen bf16,
// nor is it rounded to it.
// CHECK-LABEL: func.func @numbers(
// CHECK:       gaudi.tpc.cast %arg0 : tensor<4xi64> -> tensor<4xf32>
// CHECK:       gaudi.tpc.mul {{.*}} -> tensor<4xf32>
// CHECK:       gaudi.tpc.mul {{.*}} -> tensor<4xf32>
// CHECK:       gaudi.tpc.cast {{.*}} : tensor<4xf32> -> tensor<4xbf16>
func.func @numbers(%i: !torch.vtensor<[4],si64>, %h: !torch.vtensor<[4],bf16>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],bf16>) {
  %half = torch.constant.float 5.000000e-01
  %0 = torch.aten.mul.Scalar %i, %half : !torch.vtensor<[4],si64>, !torch.float -> !torch.vtensor<[4],f32>
  %1 = torch.aten.mul.Scalar %h, %half : !torch.vtensor<[4],bf16>, !torch.float -> !torch.vtensor<[4],bf16>
  return %0, %1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],bf16>
}

// A scalar tensor of f32 does not widen a vector of bf16; bytes and i8 make i16.
// CHECK-LABEL: func.func @scalars(
// CHECK:       gaudi.tpc.cast %arg1 : tensor<f32> -> tensor<bf16>
// CHECK:       gaudi.tpc.add {{.*}} -> tensor<4xbf16>
// CHECK:       gaudi.tpc.max {{.*}} -> tensor<4xi16>
func.func @scalars(%h: !torch.vtensor<[4],bf16>, %s: !torch.vtensor<[],f32>, %u: !torch.vtensor<[4],ui8>, %i: !torch.vtensor<[4],si8>)
    -> (!torch.vtensor<[4],bf16>, !torch.vtensor<[4],si16>) {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %h, %s, %int1 : !torch.vtensor<[4],bf16>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[4],bf16>
  %1 = torch.aten.maximum %u, %i : !torch.vtensor<[4],ui8>, !torch.vtensor<[4],si8> -> !torch.vtensor<[4],si16>
  return %0, %1 : !torch.vtensor<[4],bf16>, !torch.vtensor<[4],si16>
}

// Sums of bool and integers are of si64.
// CHECK-LABEL: func.func @sums(
// CHECK:       gaudi.tpc.cast %arg0 : tensor<4xi1> -> tensor<4xi64>
// CHECK:       gaudi.tpc.reduce <sum> {{.*}} -> tensor<i64>
func.func @sums(%b: !torch.vtensor<[4],i1>) -> !torch.vtensor<[],si64> {
  %none = torch.constant.none
  %0 = torch.aten.sum %b, %none : !torch.vtensor<[4],i1>, !torch.none -> !torch.vtensor<[],si64>
  return %0 : !torch.vtensor<[],si64>
}

// A bias is added before the product is rounded.
// CHECK-LABEL: func.func @linear(
// CHECK:       gaudi.mme.gemm {{.*}} : tensor<2x4xbf16>, tensor<3x4xbf16> -> tensor<2x3xf32>
// CHECK:       gaudi.tpc.add {{.*}} -> tensor<2x3xf32>
// CHECK:       gaudi.tpc.cast {{.*}} -> tensor<2x3xbf16>
func.func @linear(%x: !torch.vtensor<[2,4],bf16>, %w: !torch.vtensor<[3,4],bf16>, %b: !torch.vtensor<[3],bf16>) -> !torch.vtensor<[2,3],bf16> {
  %0 = torch.aten.linear %x, %w, %b : !torch.vtensor<[2,4],bf16>, !torch.vtensor<[3,4],bf16>, !torch.vtensor<[3],bf16> -> !torch.vtensor<[2,3],bf16>
  return %0 : !torch.vtensor<[2,3],bf16>
}

// A softmax is of its operand in the type that is asked for, and is computed in
// f32.
// CHECK-LABEL: func.func @softmax_typed(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xi64>)
// CHECK:       %[[B:.*]] = gaudi.tpc.cast %[[X]] : tensor<2x3xi64> -> tensor<2x3xbf16>
// CHECK:       %[[F:.*]] = gaudi.tpc.cast %[[B]] : tensor<2x3xbf16> -> tensor<2x3xf32>
// CHECK:       gaudi.tpc.reduce <max> %[[F]]
func.func @softmax_typed(%x: !torch.vtensor<[2,3],si64>) -> !torch.vtensor<[2,3],bf16> {
  %int1 = torch.constant.int 1
  %bf16 = torch.constant.int 15
  %0 = torch.aten.softmax.int %x, %int1, %bf16 : !torch.vtensor<[2,3],si64>, !torch.int, !torch.int -> !torch.vtensor<[2,3],bf16>
  return %0 : !torch.vtensor<[2,3],bf16>
}
