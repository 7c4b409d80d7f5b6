// What looks like a mask or a softmax of attention but has other numbers.
// RUN: gaudi-opt %s --split-input-file --gaudi-fuse-sdpa | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-fuse-sdpa --remarks-filter=gaudi-fuse-sdpa --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Positions that wrap around in i8 are no causal mask.
// CHECK-LABEL: func @wrapping_positions
// CHECK: gaudi.sdpa {{.*}} mask %{{[0-9]+}} scale 1.000000e+00 :
func.func @wrapping_positions(%q: tensor<1x1x512x32xf32>, %k: tensor<1x1x512x32xf32>, %v: tensor<1x1x512x32xf32>) -> tensor<1x1x512x32xf32> {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x1x512x32xf32>, tensor<1x1x512x32xf32> -> tensor<1x1x512x512xf32>
  %low = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %i = gaudi.tpc.iota dim 2 : tensor<1x1x512x512xi32>
  %j = gaudi.tpc.iota dim 3 : tensor<1x1x512x512xi32>
  %in = gaudi.tpc.cast %i : tensor<1x1x512x512xi32> -> tensor<1x1x512x512xi8>
  %jn = gaudi.tpc.cast %j : tensor<1x1x512x512xi32> -> tensor<1x1x512x512xi8>
  %c = gaudi.tpc.compare <le> %jn, %in : tensor<1x1x512x512xi8>, tensor<1x1x512x512xi8> -> tensor<1x1x512x512xi1>
  %s1 = gaudi.tpc.select %c, %s, %low : tensor<1x1x512x512xi1>, tensor<1x1x512x512xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x512x512xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x1x512x512xf32> -> tensor<1x1x512x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x1x512x512xf32>, tensor<1x1x512x1xf32> -> tensor<1x1x512x512xf32>
  %e = gaudi.tpc.exp %d : tensor<1x1x512x512xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x1x512x512xf32> -> tensor<1x1x512x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x1x512x512xf32>, tensor<1x1x512x1xf32> -> tensor<1x1x512x512xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x1x512x512xf32>, tensor<1x1x512x32xf32> -> tensor<1x1x512x32xf32>
  return %o : tensor<1x1x512x32xf32>
}

// -----

// Nor are positions that bf16 rounds.
// CHECK-LABEL: func @rounded_positions
// CHECK: gaudi.sdpa {{.*}} mask %{{[0-9]+}} scale 1.000000e+00 :
func.func @rounded_positions(%q: tensor<1x1x512x32xf32>, %k: tensor<1x1x512x32xf32>, %v: tensor<1x1x512x32xf32>) -> tensor<1x1x512x32xf32> {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x1x512x32xf32>, tensor<1x1x512x32xf32> -> tensor<1x1x512x512xf32>
  %low = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %i = gaudi.tpc.iota dim 2 : tensor<1x1x512x512xi32>
  %j = gaudi.tpc.iota dim 3 : tensor<1x1x512x512xi32>
  %in = gaudi.tpc.cast %i : tensor<1x1x512x512xi32> -> tensor<1x1x512x512xbf16>
  %jn = gaudi.tpc.cast %j : tensor<1x1x512x512xi32> -> tensor<1x1x512x512xbf16>
  %c = gaudi.tpc.compare <le> %jn, %in : tensor<1x1x512x512xbf16>, tensor<1x1x512x512xbf16> -> tensor<1x1x512x512xi1>
  %s1 = gaudi.tpc.select %c, %s, %low : tensor<1x1x512x512xi1>, tensor<1x1x512x512xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x512x512xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x1x512x512xf32> -> tensor<1x1x512x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x1x512x512xf32>, tensor<1x1x512x1xf32> -> tensor<1x1x512x512xf32>
  %e = gaudi.tpc.exp %d : tensor<1x1x512x512xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x1x512x512xf32> -> tensor<1x1x512x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x1x512x512xf32>, tensor<1x1x512x1xf32> -> tensor<1x1x512x512xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x1x512x512xf32>, tensor<1x1x512x32xf32> -> tensor<1x1x512x32xf32>
  return %o : tensor<1x1x512x32xf32>
}

// -----

// Positions that fit in the narrow type are one.
// CHECK-LABEL: func @narrow_positions
// CHECK: gaudi.sdpa {{.*}}causal
func.func @narrow_positions(%q: tensor<1x1x64x32xf32>, %k: tensor<1x1x64x32xf32>, %v: tensor<1x1x64x32xf32>) -> tensor<1x1x64x32xf32> {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x1x64x32xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x64xf32>
  %low = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %i = gaudi.tpc.iota dim 2 : tensor<1x1x64x64xi32>
  %j = gaudi.tpc.iota dim 3 : tensor<1x1x64x64xi32>
  %in = gaudi.tpc.cast %i : tensor<1x1x64x64xi32> -> tensor<1x1x64x64xbf16>
  %jn = gaudi.tpc.cast %j : tensor<1x1x64x64xi32> -> tensor<1x1x64x64xbf16>
  %c = gaudi.tpc.compare <le> %jn, %in : tensor<1x1x64x64xbf16>, tensor<1x1x64x64xbf16> -> tensor<1x1x64x64xi1>
  %s1 = gaudi.tpc.select %c, %s, %low : tensor<1x1x64x64xi1>, tensor<1x1x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x1x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x1x64x64xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x32xf32>
  return %o : tensor<1x1x64x32xf32>
}

// -----

// So are integers up to 127.
// CHECK-LABEL: func @narrow_integers
// CHECK: gaudi.sdpa {{.*}}causal
func.func @narrow_integers(%q: tensor<1x1x128x32xf32>, %k: tensor<1x1x128x32xf32>, %v: tensor<1x1x128x32xf32>) -> tensor<1x1x128x32xf32> {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x1x128x32xf32>, tensor<1x1x128x32xf32> -> tensor<1x1x128x128xf32>
  %low = gaudi.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  %i = gaudi.tpc.iota dim 2 : tensor<1x1x128x128xi32>
  %j = gaudi.tpc.iota dim 3 : tensor<1x1x128x128xi32>
  %in = gaudi.tpc.cast %i : tensor<1x1x128x128xi32> -> tensor<1x1x128x128xi8>
  %jn = gaudi.tpc.cast %j : tensor<1x1x128x128xi32> -> tensor<1x1x128x128xi8>
  %c = gaudi.tpc.compare <le> %jn, %in : tensor<1x1x128x128xi8>, tensor<1x1x128x128xi8> -> tensor<1x1x128x128xi1>
  %s1 = gaudi.tpc.select %c, %s, %low : tensor<1x1x128x128xi1>, tensor<1x1x128x128xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x128x128xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x1x128x128xf32> -> tensor<1x1x128x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x1x128x128xf32>, tensor<1x1x128x1xf32> -> tensor<1x1x128x128xf32>
  %e = gaudi.tpc.exp %d : tensor<1x1x128x128xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x1x128x128xf32> -> tensor<1x1x128x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x1x128x128xf32>, tensor<1x1x128x1xf32> -> tensor<1x1x128x128xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x1x128x128xf32>, tensor<1x1x128x32xf32> -> tensor<1x1x128x32xf32>
  return %o : tensor<1x1x128x32xf32>
}

// -----

// Scores rounded to 8 bits, which gaudi.sdpa would not do.
// CHECK-LABEL: func @rounded_scores
// CHECK-NOT: gaudi.sdpa
// REMARK: not fused attention: the scores or probabilities are rounded to fewer than 16 bits
func.func @rounded_scores(%q: tensor<1x1x64x32xf32>, %k: tensor<1x1x64x32xf32>, %v: tensor<1x1x64x32xf32>) -> tensor<1x1x64x32xf32> {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x1x64x32xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x64xf32>
  %s0 = gaudi.tpc.cast %s : tensor<1x1x64x64xf32> -> tensor<1x1x64x64xf8E4M3FN>
  %s1 = gaudi.tpc.cast %s0 : tensor<1x1x64x64xf8E4M3FN> -> tensor<1x1x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s1 dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %d = gaudi.tpc.sub %s1, %max : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x1x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x1x64x64xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x32xf32>
  return %o : tensor<1x1x64x32xf32>
}

// -----

// Probabilities rounded to 8 bits.
// CHECK-LABEL: func @rounded_probabilities
// CHECK-NOT: gaudi.sdpa
// REMARK: not fused attention: the scores or probabilities are rounded to fewer than 16 bits
func.func @rounded_probabilities(%q: tensor<1x1x64x32xf32>, %k: tensor<1x1x64x32xf32>, %v: tensor<1x1x64x32xf32>) -> tensor<1x1x64x32xf32> {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x1x64x32xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %d = gaudi.tpc.sub %s, %max : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x1x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %p0 = gaudi.tpc.cast %p : tensor<1x1x64x64xf32> -> tensor<1x1x64x64xf8E4M3FN>
  %p1 = gaudi.tpc.cast %p0 : tensor<1x1x64x64xf8E4M3FN> -> tensor<1x1x64x64xf32>
  %o = gaudi.mme.gemm %p1, %v : tensor<1x1x64x64xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x32xf32>
  return %o : tensor<1x1x64x32xf32>
}

// -----

// Keys that the scores themselves hide.
// CHECK-LABEL: func @hidden_by_scores
// CHECK-NOT: gaudi.sdpa
// REMARK: not fused attention: the mask depends on the scores
func.func @hidden_by_scores(%q: tensor<1x1x64x32xf32>, %k: tensor<1x1x64x32xf32>, %v: tensor<1x1x64x32xf32>) -> tensor<1x1x64x32xf32> {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x1x64x32xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %d = gaudi.tpc.sub %s, %max : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x1x64x64xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %c = gaudi.tpc.compare <gt> %s, %zero : tensor<1x1x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x64x64xi1>
  %e1 = gaudi.tpc.select %c, %e, %zero : tensor<1x1x64x64xi1>, tensor<1x1x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e1 dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %p = gaudi.tpc.div %e1, %l : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x1x64x64xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x32xf32>
  return %o : tensor<1x1x64x32xf32>
}

// -----

// The same by a factor of 0 or 1.
// CHECK-LABEL: func @multiplied_by_scores
// CHECK-NOT: gaudi.sdpa
// REMARK: not fused attention: the mask depends on the scores
func.func @multiplied_by_scores(%q: tensor<1x1x64x32xf32>, %k: tensor<1x1x64x32xf32>, %v: tensor<1x1x64x32xf32>) -> tensor<1x1x64x32xf32> {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<1x1x64x32xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %d = gaudi.tpc.sub %s, %max : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x1x64x64xf32>
  %zero = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %c = gaudi.tpc.compare <gt> %s, %zero : tensor<1x1x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x64x64xi1>
  %b = gaudi.tpc.cast %c : tensor<1x1x64x64xi1> -> tensor<1x1x64x64xf32>
  %e1 = gaudi.tpc.mul %e, %b : tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32> -> tensor<1x1x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e1 dims [3] keep_dims : tensor<1x1x64x64xf32> -> tensor<1x1x64x1xf32>
  %p = gaudi.tpc.div %e1, %l : tensor<1x1x64x64xf32>, tensor<1x1x64x1xf32> -> tensor<1x1x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<1x1x64x64xf32>, tensor<1x1x64x32xf32> -> tensor<1x1x64x32xf32>
  return %o : tensor<1x1x64x32xf32>
}

// -----

// Dimensions of a product with orders have other meanings: it is no product of
// an attention here, neither the scores nor the output.
// CHECK-LABEL: func @stored_in_order
// CHECK-NOT: gaudi.sdpa
// CHECK: gaudi.mme.gemm {{.*}} order_a [1, 0, 2]
// CHECK-NOT: gaudi.sdpa
// CHECK: gaudi.mme.gemm {{.*}} order_b [1, 0, 2]
// CHECK-NOT: gaudi.sdpa
// CHECK: return
func.func @stored_in_order(%q: tensor<64x64x32xf32>, %k: tensor<64x64x32xf32>, %v: tensor<64x64x32xf32>)
    -> (tensor<64x64x32xf32>, tensor<64x64x32xf32>) {
  %s = gaudi.mme.gemm %q, %k transpose_b order_a [1, 0, 2] : tensor<64x64x32xf32>, tensor<64x64x32xf32> -> tensor<64x64x64xf32>
  %e = gaudi.tpc.exp %s : tensor<64x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<64x64x64xf32> -> tensor<64x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<64x64x64xf32>, tensor<64x64x1xf32> -> tensor<64x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<64x64x64xf32>, tensor<64x64x32xf32> -> tensor<64x64x32xf32>
  %s2 = gaudi.mme.gemm %q, %k transpose_b : tensor<64x64x32xf32>, tensor<64x64x32xf32> -> tensor<64x64x64xf32>
  %e2 = gaudi.tpc.exp %s2 : tensor<64x64x64xf32>
  %l2 = gaudi.tpc.reduce <sum> %e2 dims [2] keep_dims : tensor<64x64x64xf32> -> tensor<64x64x1xf32>
  %p2 = gaudi.tpc.div %e2, %l2 : tensor<64x64x64xf32>, tensor<64x64x1xf32> -> tensor<64x64x64xf32>
  %o2 = gaudi.mme.gemm %p2, %v order_b [1, 0, 2] : tensor<64x64x64xf32>, tensor<64x64x32xf32> -> tensor<64x64x32xf32>
  return %o, %o2 : tensor<64x64x32xf32>, tensor<64x64x32xf32>
}

// -----

// Operands of bf16, but an output of f32: the rounding of the scores shows.
// CHECK-LABEL: func @rounded_scores_of_f32
// CHECK-NOT: gaudi.sdpa
// REMARK: not fused attention: scores, masks or probabilities are rounded to bf16, and the attention is in f32; round operands and output, too, or nothing
func.func @rounded_scores_of_f32(%q: tensor<2x16x32xbf16>, %k: tensor<2x16x32xbf16>, %v: tensor<2x16x32xbf16>) -> tensor<2x16x32xf32> {
  %qf = gaudi.tpc.cast %q : tensor<2x16x32xbf16> -> tensor<2x16x32xf32>
  %kf = gaudi.tpc.cast %k : tensor<2x16x32xbf16> -> tensor<2x16x32xf32>
  %vf = gaudi.tpc.cast %v : tensor<2x16x32xbf16> -> tensor<2x16x32xf32>
  %s = gaudi.mme.gemm %qf, %kf transpose_b : tensor<2x16x32xf32>, tensor<2x16x32xf32> -> tensor<2x16x16xf32>
  %sb = gaudi.tpc.cast %s : tensor<2x16x16xf32> -> tensor<2x16x16xbf16>
  %sf = gaudi.tpc.cast %sb : tensor<2x16x16xbf16> -> tensor<2x16x16xf32>
  %m = gaudi.tpc.reduce <max> %sf dims [2] keep_dims : tensor<2x16x16xf32> -> tensor<2x16x1xf32>
  %d = gaudi.tpc.sub %sf, %m : tensor<2x16x16xf32>, tensor<2x16x1xf32> -> tensor<2x16x16xf32>
  %e = gaudi.tpc.exp %d : tensor<2x16x16xf32>
  %t = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<2x16x16xf32> -> tensor<2x16x1xf32>
  %p = gaudi.tpc.div %e, %t : tensor<2x16x16xf32>, tensor<2x16x1xf32> -> tensor<2x16x16xf32>
  %o = gaudi.mme.gemm %p, %vf : tensor<2x16x16xf32>, tensor<2x16x32xf32> -> tensor<2x16x32xf32>
  return %o : tensor<2x16x32xf32>
}

// -----

// With an output of bf16 it is an attention of bf16.
// CHECK-LABEL: func @rounded_scores_of_bf16
// CHECK: gaudi.sdpa
func.func @rounded_scores_of_bf16(%q: tensor<2x16x32xbf16>, %k: tensor<2x16x32xbf16>, %v: tensor<2x16x32xbf16>) -> tensor<2x16x32xbf16> {
  %qf = gaudi.tpc.cast %q : tensor<2x16x32xbf16> -> tensor<2x16x32xf32>
  %kf = gaudi.tpc.cast %k : tensor<2x16x32xbf16> -> tensor<2x16x32xf32>
  %vf = gaudi.tpc.cast %v : tensor<2x16x32xbf16> -> tensor<2x16x32xf32>
  %s = gaudi.mme.gemm %qf, %kf transpose_b : tensor<2x16x32xf32>, tensor<2x16x32xf32> -> tensor<2x16x16xf32>
  %sb = gaudi.tpc.cast %s : tensor<2x16x16xf32> -> tensor<2x16x16xbf16>
  %sf = gaudi.tpc.cast %sb : tensor<2x16x16xbf16> -> tensor<2x16x16xf32>
  %m = gaudi.tpc.reduce <max> %sf dims [2] keep_dims : tensor<2x16x16xf32> -> tensor<2x16x1xf32>
  %d = gaudi.tpc.sub %sf, %m : tensor<2x16x16xf32>, tensor<2x16x1xf32> -> tensor<2x16x16xf32>
  %e = gaudi.tpc.exp %d : tensor<2x16x16xf32>
  %t = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<2x16x16xf32> -> tensor<2x16x1xf32>
  %p = gaudi.tpc.div %e, %t : tensor<2x16x16xf32>, tensor<2x16x1xf32> -> tensor<2x16x16xf32>
  %o = gaudi.mme.gemm %p, %vf : tensor<2x16x16xf32>, tensor<2x16x32xf32> -> tensor<2x16x32xf32>
  %r = gaudi.tpc.cast %o : tensor<2x16x32xf32> -> tensor<2x16x32xbf16>
  return %r : tensor<2x16x32xbf16>
}
