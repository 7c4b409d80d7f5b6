// RUN: gaudi-opt %s --gaudi-narrow-products --remarks-filter=gaudi-narrow-products --remark-policy=all -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: gaudi-opt %t.mlir --gaudi-narrow-products | FileCheck %s
// What runs is what was imported.
// RUN: gaudi-run %s --entry linear --seed-inputs 1 --check
// RUN: gaudi-run %s --entry moved --seed-inputs 1 --check
// RUN: gaudi-run %s --entry picked --seed-inputs 1 --check
// RUN: gaudi-run %s --entry constants --seed-inputs 1 --check
// RUN: gaudi-run %s --entry masks --seed-inputs 1 --check
// RUN: gaudi-run %s --entry eight_bits --seed-inputs 1 --check
// RUN: gaudi-run %s --entry rounded --seed-inputs 1 --check
// RUN: gaudi-run %s --entry two_kinds --seed-inputs 1 --check
// RUN: gaudi-run %s --entry convolutions --seed-inputs 1 --check
// RUN: gaudi-run %s --entry attention --seed-inputs 1 --check
// RUN: gaudi-run %s --entry attention --predict --device=gaudi2 | FileCheck %s --check-prefix=COUNT
// COUNT: narrow product 0/1: {{.*}} its probabilities would be rounded, too

// A Linear with a bias as PyTorch widens it: sums and bias in f32, one rounding.
// CHECK-LABEL: @linear
func.func @linear(%x: tensor<64x32xbf16>, %w: tensor<32x48xbf16>, %b: tensor<48xbf16>) -> tensor<64x48xbf16> {
  // CHECK-NEXT: %[[B:.+]] = gaudi.tpc.cast %arg2 : tensor<48xbf16> -> tensor<48xf32>
  // CHECK-NEXT: %[[R:.+]] = gaudi.reshape %[[B]]
  // CHECK-NEXT: %[[P:.+]] = gaudi.mme.gemm %arg0, %arg1 : tensor<64x32xbf16>, tensor<32x48xbf16> -> tensor<64x48xf32>
  // CHECK-NEXT: %[[S:.+]] = gaudi.tpc.add %[[P]], %[[R]]
  // CHECK-NEXT: %[[Y:.+]] = gaudi.tpc.cast %[[S]] : tensor<64x48xf32> -> tensor<64x48xbf16>
  // CHECK-NEXT: return %[[Y]]
  %xf = gaudi.tpc.cast %x : tensor<64x32xbf16> -> tensor<64x32xf32>
  %wf = gaudi.tpc.cast %w : tensor<32x48xbf16> -> tensor<32x48xf32>
  %bf = gaudi.tpc.cast %b : tensor<48xbf16> -> tensor<48xf32>
  %br = gaudi.reshape %bf : tensor<48xf32> -> tensor<1x48xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:8: remark: [Passed] narrow | Category:gaudi-narrow-products | Remark="'gaudi.mme.gemm' multiplies operands of bf16 in bf16 instead of f32, saving {{[0-9.]+ [num]?s}} on gaudi2"
  %p = gaudi.mme.gemm %xf, %wf : tensor<64x32xf32>, tensor<32x48xf32> -> tensor<64x48xf32>
  %s = gaudi.tpc.add %p, %br : tensor<64x48xf32>, tensor<1x48xf32> -> tensor<64x48xf32>
  %y = gaudi.tpc.cast %s : tensor<64x48xf32> -> tensor<64x48xbf16>
  return %y : tensor<64x48xbf16>
}

// Without one, the engine rounds the result, also before views.
// CHECK-LABEL: @moved
func.func @moved(%x: tensor<4x8x16xbf16>, %w: tensor<12x16xbf16>) -> tensor<8x48xbf16> {
  // CHECK-NEXT: %[[N:.+]] = gaudi.transpose %arg0 permutation [1, 0, 2] : tensor<4x8x16xbf16> -> tensor<8x4x16xbf16>
  // CHECK-NEXT: %[[W:.+]] = gaudi.transpose %arg1 permutation [1, 0] : tensor<12x16xbf16> -> tensor<16x12xbf16>
  // CHECK-NEXT: %[[V:.+]] = gaudi.broadcast %[[W]] dims [1, 2] : tensor<16x12xbf16> -> tensor<8x16x12xbf16>
  // CHECK-NEXT: %[[P:.+]] = gaudi.mme.gemm %[[N]], %[[V]] : tensor<8x4x16xbf16>, tensor<8x16x12xbf16> -> tensor<8x4x12xbf16>
  // CHECK-NEXT: %[[Y:.+]] = gaudi.reshape %[[P]] : tensor<8x4x12xbf16> -> tensor<8x48xbf16>
  // CHECK-NEXT: return %[[Y]]
  %xf = gaudi.tpc.cast %x : tensor<4x8x16xbf16> -> tensor<4x8x16xf32>
  %wf = gaudi.tpc.cast %w : tensor<12x16xbf16> -> tensor<12x16xf32>
  %xt = gaudi.transpose %xf permutation [1, 0, 2] : tensor<4x8x16xf32> -> tensor<8x4x16xf32>
  %wt = gaudi.transpose %wf permutation [1, 0] : tensor<12x16xf32> -> tensor<16x12xf32>
  %wb = gaudi.broadcast %wt dims [1, 2] : tensor<16x12xf32> -> tensor<8x16x12xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+2]]:8: remark: [Passed] narrow | {{.*}}in bf16 instead of f32, saving
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:8: remark: [Passed] round-result | Category:gaudi-narrow-products | Remark="'gaudi.mme.gemm' rounds its result to bf16, saving {{[0-9.]+ [num]?s}} on gaudi2"
  %p = gaudi.mme.gemm %xt, %wb : tensor<8x4x16xf32>, tensor<8x16x12xf32> -> tensor<8x4x12xf32>
  %r = gaudi.reshape %p : tensor<8x4x12xf32> -> tensor<8x48xf32>
  %y = gaudi.tpc.cast %r : tensor<8x48xf32> -> tensor<8x48xbf16>
  return %y : tensor<8x48xbf16>
}

// A transpose that stays for another reader would be made twice, and no cast
// goes.
// CHECK-LABEL: @beside
func.func @beside(%x: tensor<8x16xbf16>, %w: tensor<8x8xbf16>) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x8xf32>) {
  // CHECK: gaudi.mme.gemm {{.*}} : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
  %xf = gaudi.tpc.cast %x : tensor<8x16xbf16> -> tensor<8x16xf32>
  %wf = gaudi.tpc.cast %w : tensor<8x8xbf16> -> tensor<8x8xf32>
  %xt = gaudi.transpose %xf permutation [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-wide | {{.*}}although its operands are bf16: it would take {{.*}} instead of
  %p = gaudi.mme.gemm %xt, %wf : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
  return %p, %xt, %wf : tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x8xf32>
}

// Ops whose elements are some of their operands', or minus one.
// CHECK-LABEL: @picked
func.func @picked(%x: tensor<4x8xbf16>, %z: tensor<4x8xbf16>, %t: tensor<32x16xbf16>, %i: tensor<16xi32>, %c: tensor<4x8xi1>) -> tensor<6x16xf32> {
  // CHECK-NOT: gaudi.tpc.cast
  // CHECK: gaudi.concat {{.*}}xbf16>
  // CHECK: gaudi.tpc.pad <constant> {{.*}} value 5.000000e-01 : bf16 {{.*}} -> tensor<6x16xbf16>
  // CHECK: gaudi.tpc.gather %arg2, %arg3 {{.*}} -> tensor<16x16xbf16>
  // CHECK: gaudi.mme.gemm {{.*}} : tensor<6x16xbf16>, tensor<16x16xbf16> -> tensor<6x16xf32>
  %xf = gaudi.tpc.cast %x : tensor<4x8xbf16> -> tensor<4x8xf32>
  %zf = gaudi.tpc.cast %z : tensor<4x8xbf16> -> tensor<4x8xf32>
  %n = gaudi.tpc.neg %zf : tensor<4x8xf32>
  %m = gaudi.tpc.max %xf, %n : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %s = gaudi.tpc.select %c, %m, %zf : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %j = gaudi.concat %s, %m axis 1 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x16xf32>
  %p = gaudi.tpc.pad <constant> %j low [1, 0] high [1, 0] value 0.5 : f32 : tensor<4x16xf32> -> tensor<6x16xf32>
  %tf = gaudi.tpc.cast %t : tensor<32x16xbf16> -> tensor<32x16xf32>
  %g = gaudi.tpc.gather %tf, %i axis 0 batch_dims 0 : tensor<32x16xf32>, tensor<16xi32> -> tensor<16x16xf32>
  %y = gaudi.mme.gemm %p, %g : tensor<6x16xf32>, tensor<16x16xf32> -> tensor<6x16xf32>
  return %y : tensor<6x16xf32>
}

// A padding value or constant that bf16 does not have keeps the product wide.
// CHECK-LABEL: @constants
func.func @constants(%x: tensor<4x4xbf16>, %v: tensor<4x2xbf16>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<6x2xf32>) {
  // CHECK-DAG: %[[W:.+]] = gaudi.constant dense<{{.*}}1.500000e+00, -2.500000e-01{{.*}}> : tensor<4x2xbf16>
  // CHECK-DAG: %[[F:.+]] = gaudi.tpc.cast %arg0
  // CHECK-DAG: gaudi.mme.gemm %arg0, %[[W]] : tensor<4x4xbf16>, tensor<4x2xbf16> -> tensor<4x2xf32>
  // CHECK-DAG: gaudi.mme.gemm %[[F]], %{{.*}} : tensor<4x4xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  // CHECK-DAG: gaudi.mme.gemm %{{.*}} : tensor<6x4xf32>, tensor<4x2xf32> -> tensor<6x2xf32>
  %xf = gaudi.tpc.cast %x : tensor<4x4xbf16> -> tensor<4x4xf32>
  %short = gaudi.constant dense<[[1.5, -0.25], [3.0, 0.0], [0xFF800000, 96.0], [0x7FC00000, 1.0e-3]]> : tensor<4x2xf32>
  %exact = gaudi.constant dense<[[1.5, -0.25], [3.0, 0.0], [-7.5, 96.0], [1.0, 2.0]]> : tensor<4x2xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:8: remark: [Missed] wide-operand | Category:gaudi-narrow-products | LostPicoseconds={{[0-9]+}}, Reason="'gaudi.mme.gemm' is not narrow: its rhs has numbers of f32 that no narrower type has"
  %a = gaudi.mme.gemm %xf, %short : tensor<4x4xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  %b = gaudi.mme.gemm %xf, %exact : tensor<4x4xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  %vf = gaudi.tpc.cast %v : tensor<4x2xbf16> -> tensor<4x2xf32>
  %p = gaudi.tpc.pad <constant> %xf low [1, 0] high [1, 0] value 0.1 : f32 : tensor<4x4xf32> -> tensor<6x4xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:8: remark: [Missed] wide-operand | {{.*}}its lhs has numbers of f32
  %c = gaudi.mme.gemm %p, %vf : tensor<6x4xf32>, tensor<4x2xf32> -> tensor<6x2xf32>
  return %a, %b, %c : tensor<4x2xf32>, tensor<4x2xf32>, tensor<6x2xf32>
}

// Truth values and 8-bit integers are numbers of bf16, those of 32 bits are not.
// A product of f32 without any operand of a narrow float type stays.
// CHECK-LABEL: @masks
func.func @masks(%x: tensor<8x4xbf16>, %m: tensor<4x8xi1>, %q: tensor<4x8xi8>, %k: tensor<4x8xi32>, %n: tensor<4x8xi1>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK-DAG: gaudi.tpc.cast %arg1 : tensor<4x8xi1> -> tensor<4x8xbf16>
  // CHECK-DAG: gaudi.tpc.cast %arg2 : tensor<4x8xi8> -> tensor<4x8xbf16>
  // CHECK-DAG: gaudi.tpc.cast %arg3 : tensor<4x8xi32> -> tensor<4x8xf32>
  // CHECK-DAG: gaudi.mme.gemm {{.*}} transpose_b : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x4xf32>
  %xf = gaudi.tpc.cast %x : tensor<8x4xbf16> -> tensor<8x4xf32>
  %mf = gaudi.tpc.cast %m : tensor<4x8xi1> -> tensor<4x8xf32>
  %qf = gaudi.tpc.cast %q : tensor<4x8xi8> -> tensor<4x8xf32>
  %kf = gaudi.tpc.cast %k : tensor<4x8xi32> -> tensor<4x8xf32>
  %a = gaudi.mme.gemm %mf, %xf : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  %b = gaudi.mme.gemm %qf, %xf : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:8: remark: [Missed] wide-operand | {{.*}}its lhs has numbers of f32
  %c = gaudi.mme.gemm %kf, %xf : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  %nf = gaudi.tpc.cast %n : tensor<4x8xi1> -> tensor<4x8xf32>
  %d = gaudi.mme.gemm %nf, %nf transpose_b : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x4xf32>
  return %a, %b, %c, %d : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// One 8-bit format is multiplied as it is; bf16 has the numbers of both.
// CHECK-LABEL: @eight_bits
func.func @eight_bits(%x: tensor<64x64xf8E4M3FN>, %y: tensor<64x64xf8E4M3FN>, %z: tensor<64x64xf8E5M2>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  // CHECK-DAG: gaudi.mme.gemm %arg0, %arg1 : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  // CHECK-DAG: gaudi.mme.gemm %{{.*}}, %{{.*}} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
  %xf = gaudi.tpc.cast %x : tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  %yf = gaudi.tpc.cast %y : tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  %zf = gaudi.tpc.cast %z : tensor<64x64xf8E5M2> -> tensor<64x64xf32>
  %a = gaudi.mme.gemm %xf, %yf : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %b = gaudi.mme.gemm %xf, %zf : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// A product that is narrow already rounds its result if nothing else reads it.
// Two roundings are not one.
// CHECK-LABEL: @rounded
func.func @rounded(%x: tensor<8x4xbf16>, %w: tensor<4x8xbf16>) -> (tensor<64xbf16>, tensor<8x8xf32>, tensor<8x8xbf16>, tensor<8x8xf8E5M2>) {
  // CHECK-NEXT: %[[A:.+]] = gaudi.mme.gemm %arg0, %arg1 : tensor<8x4xbf16>, tensor<4x8xbf16> -> tensor<8x8xbf16>
  // CHECK-NEXT: %[[R:.+]] = gaudi.reshape %[[A]] : tensor<8x8xbf16> -> tensor<64xbf16>
  // CHECK-NEXT: %[[B:.+]] = gaudi.mme.gemm %arg0, %arg1 : tensor<8x4xbf16>, tensor<4x8xbf16> -> tensor<8x8xf32>
  // CHECK-NEXT: %[[C:.+]] = gaudi.tpc.cast %[[B]]
  // CHECK-NEXT: %[[D:.+]] = gaudi.mme.gemm %arg0, %arg1 : tensor<8x4xbf16>, tensor<4x8xbf16> -> tensor<8x8xbf16>
  // CHECK-NEXT: %[[E:.+]] = gaudi.tpc.cast %[[D]] : tensor<8x8xbf16> -> tensor<8x8xf8E5M2>
  // CHECK-NEXT: return %[[R]], %[[B]], %[[C]], %[[E]]
  %a = gaudi.mme.gemm %x, %w : tensor<8x4xbf16>, tensor<4x8xbf16> -> tensor<8x8xf32>
  %ar = gaudi.reshape %a : tensor<8x8xf32> -> tensor<64xf32>
  %ab = gaudi.tpc.cast %ar : tensor<64xf32> -> tensor<64xbf16>
  %b = gaudi.mme.gemm %x, %w : tensor<8x4xbf16>, tensor<4x8xbf16> -> tensor<8x8xf32>
  %bb = gaudi.tpc.cast %b : tensor<8x8xf32> -> tensor<8x8xbf16>
  %d = gaudi.mme.gemm %x, %w : tensor<8x4xbf16>, tensor<4x8xbf16> -> tensor<8x8xbf16>
  %e = gaudi.tpc.cast %d : tensor<8x8xbf16> -> tensor<8x8xf8E5M2>
  return %ab, %b, %bb, %e : tensor<64xbf16>, tensor<8x8xf32>, tensor<8x8xbf16>, tensor<8x8xf8E5M2>
}

// CHECK-LABEL: @two_kinds
func.func @two_kinds(%x: tensor<4x8xbf16>, %w: tensor<8x4xf16>) -> tensor<4x4xf32> {
  // CHECK: gaudi.mme.gemm {{.*}} : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  %xf = gaudi.tpc.cast %x : tensor<4x8xbf16> -> tensor<4x8xf32>
  %wf = gaudi.tpc.cast %w : tensor<8x4xf16> -> tensor<8x4xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-wide | Category:gaudi-narrow-products | LostPicoseconds={{[0-9]+}}, Reason="'gaudi.mme.gemm' is not narrow: in f32 although its operands are bf16 and f16: no narrow type has the numbers of both"
  %y = gaudi.mme.gemm %xf, %wf : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// The forward convolution and its gradients.
// CHECK-LABEL: @convolutions
func.func @convolutions(%x: tensor<1x8x8x4xbf16>, %w: tensor<3x3x4x8xbf16>, %g: tensor<1x8x8x8xbf16>) -> (tensor<1x8x8x8xf32>, tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) {
  // CHECK-NOT: gaudi.tpc.cast
  // CHECK-DAG: gaudi.mme.conv %arg0, %arg1 {{.*}} : tensor<1x8x8x4xbf16>, tensor<3x3x4x8xbf16> -> tensor<1x8x8x8xf32>
  // CHECK-DAG: gaudi.mme.conv_input_grad %arg2, %arg1 {{.*}} : tensor<1x8x8x8xbf16>, tensor<3x3x4x8xbf16> -> tensor<1x8x8x4xf32>
  // CHECK-DAG: gaudi.mme.conv_weight_grad %arg0, %arg2 {{.*}} : tensor<1x8x8x4xbf16>, tensor<1x8x8x8xbf16> -> tensor<3x3x4x8xf32>
  %xf = gaudi.tpc.cast %x : tensor<1x8x8x4xbf16> -> tensor<1x8x8x4xf32>
  %wf = gaudi.tpc.cast %w : tensor<3x3x4x8xbf16> -> tensor<3x3x4x8xf32>
  %gf = gaudi.tpc.cast %g : tensor<1x8x8x8xbf16> -> tensor<1x8x8x8xf32>
  %y = gaudi.mme.conv %xf, %wf layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32> -> tensor<1x8x8x8xf32>
  %d = gaudi.mme.conv_input_grad %gf, %wf layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x8xf32>, tensor<3x3x4x8xf32> -> tensor<1x8x8x4xf32>
  %e = gaudi.mme.conv_weight_grad %xf, %gf layout "NHWC", "NHWC", "HWIO" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x4xf32>, tensor<1x8x8x8xf32> -> tensor<3x3x4x8xf32>
  return %y, %d, %e : tensor<1x8x8x8xf32>, tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>
}

// Probabilities of f32 are not narrow, however the output is rounded.
// CHECK-LABEL: @attention
func.func @attention(%q: tensor<2x4x16x8xbf16>, %k: tensor<2x4x16x8xbf16>, %v: tensor<2x4x16x8xbf16>) -> tensor<2x4x16x8xbf16> {
  // CHECK: gaudi.sdpa {{.*}} -> tensor<2x4x16x8xf32>
  %qf = gaudi.tpc.cast %q : tensor<2x4x16x8xbf16> -> tensor<2x4x16x8xf32>
  %kf = gaudi.tpc.cast %k : tensor<2x4x16x8xbf16> -> tensor<2x4x16x8xf32>
  %vf = gaudi.tpc.cast %v : tensor<2x4x16x8xbf16> -> tensor<2x4x16x8xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-wide | {{.*}}although its operands are bf16: its probabilities would be rounded, too
  %o = gaudi.sdpa %qf, %kf, %vf scale 0.25 causal : (tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %y = gaudi.tpc.cast %o : tensor<2x4x16x8xf32> -> tensor<2x4x16x8xbf16>
  return %y : tensor<2x4x16x8xbf16>
}

// Nor are those of attention with statistics, and of gradients.
// CHECK-LABEL: @wide_attention
func.func @wide_attention(%q: tensor<2x16x8xbf16>, %k: tensor<2x16x8xbf16>, %v: tensor<2x16x8xbf16>, %g: tensor<2x16x8xbf16>) -> (tensor<2x16x8xf32>, tensor<2x16x8xbf16>, tensor<2x16x8xbf16>, tensor<2x16x8xbf16>, tensor<2x16x8xbf16>) {
  // CHECK: gaudi.sdpa {{.*}} -> tensor<2x16x8xf32>
  // CHECK: gaudi.sdpa {{.*}} -> (tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>)
  // CHECK: gaudi.sdpa_grad {{.*}} -> (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>)
  %qf = gaudi.tpc.cast %q : tensor<2x16x8xbf16> -> tensor<2x16x8xf32>
  %kf = gaudi.tpc.cast %k : tensor<2x16x8xbf16> -> tensor<2x16x8xf32>
  %vf = gaudi.tpc.cast %v : tensor<2x16x8xbf16> -> tensor<2x16x8xf32>
  %gf = gaudi.tpc.cast %g : tensor<2x16x8xbf16> -> tensor<2x16x8xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:8: remark: [Missed] keep-wide | {{.*}}although its operands are bf16: its probabilities would be rounded, too
  %o = gaudi.sdpa %qf, %kf, %vf scale 0.25 : (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:19: remark: [Missed] keep-wide | {{.*}}although its operands are bf16: its probabilities would be rounded, too
  %p, %m, %linv = gaudi.sdpa %qf, %kf, %vf scale 0.25 saves <statistics> : (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>) -> (tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>)
  // REMARK-DAG: narrow-products.mlir:[[#@LINE+1]]:19: remark: [Missed] keep-wide | {{.*}}although its operands are bf16: its probabilities would be rounded, too
  %dq, %dk, %dv = gaudi.sdpa_grad %gf, %qf, %kf, %vf m %m linv %linv scale 0.25 : (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>) -> (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>)
  %pb = gaudi.tpc.cast %p : tensor<2x16x8xf32> -> tensor<2x16x8xbf16>
  %dqb = gaudi.tpc.cast %dq : tensor<2x16x8xf32> -> tensor<2x16x8xbf16>
  %dkb = gaudi.tpc.cast %dk : tensor<2x16x8xf32> -> tensor<2x16x8xbf16>
  %dvb = gaudi.tpc.cast %dv : tensor<2x16x8xf32> -> tensor<2x16x8xbf16>
  return %o, %pb, %dqb, %dkb, %dvb : tensor<2x16x8xf32>, tensor<2x16x8xbf16>, tensor<2x16x8xbf16>, tensor<2x16x8xbf16>, tensor<2x16x8xbf16>
}
