// Attention becomes gaudi.sdpa; both sides are evaluated.
// RUN: gaudi-opt %s --split-input-file --gaudi-fuse-sdpa="verify=true" | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-fuse-sdpa --remarks-filter=gaudi-fuse-sdpa --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// The form of BERT: heads split and merged by views, a scale and an added mask.
// CHECK-LABEL: func @encoder
// CHECK-SAME: (%[[Q:.*]]: tensor<1x64x256xf32>, %[[K:.*]]: tensor<1x64x256xf32>, %[[V:.*]]: tensor<1x64x256xf32>, %[[M:.*]]: tensor<1x1x1x64xf32>)
// CHECK-DAG: %[[QH:.*]] = gaudi.reshape %[[Q]] : tensor<1x64x256xf32> -> tensor<1x64x4x64xf32>
// CHECK-DAG: %[[KH:.*]] = gaudi.reshape %[[K]] : tensor<1x64x256xf32> -> tensor<1x64x4x64xf32>
// CHECK-DAG: %[[VH:.*]] = gaudi.reshape %[[V]] : tensor<1x64x256xf32> -> tensor<1x64x4x64xf32>
// CHECK: %[[O:.*]] = gaudi.sdpa %[[QH]], %[[KH]], %[[VH]] mask %[[M]] scale 1.250000e-01
// CHECK-SAME: key_layout = "NLHD", output_layout = "NLHD", query_layout = "NLHD", value_layout = "NLHD"
// CHECK: gaudi.reshape %[[O]] : tensor<1x64x4x64xf32> -> tensor<1x64x256xf32>
// CHECK-NOT: gaudi.mme.gemm
// REMARK: remark: [Passed] fuse | Category:gaudi-fuse-sdpa | {{.*}}fused attention: 1 x 4 heads, 64 queries, 64 keys of 64, masked; saving
func.func @encoder(%q: tensor<1x64x256xf32>, %k: tensor<1x64x256xf32>, %v: tensor<1x64x256xf32>, %m: tensor<1x1x1x64xf32>) -> tensor<1x64x256xf32> {
  %scale = gaudi.constant dense<0.125> : tensor<1x1x1x1xf32>
  %q0 = gaudi.reshape %q : tensor<1x64x256xf32> -> tensor<1x64x4x64xf32>
  %q1 = gaudi.transpose %q0 permutation [0, 2, 1, 3] : tensor<1x64x4x64xf32> -> tensor<1x4x64x64xf32>
  %q2 = gaudi.reshape %q1 : tensor<1x4x64x64xf32> -> tensor<4x64x64xf32>
  %k0 = gaudi.reshape %k : tensor<1x64x256xf32> -> tensor<1x64x4x64xf32>
  %k1 = gaudi.transpose %k0 permutation [0, 2, 3, 1] : tensor<1x64x4x64xf32> -> tensor<1x4x64x64xf32>
  %k2 = gaudi.reshape %k1 : tensor<1x4x64x64xf32> -> tensor<4x64x64xf32>
  %v0 = gaudi.reshape %v : tensor<1x64x256xf32> -> tensor<1x64x4x64xf32>
  %v1 = gaudi.transpose %v0 permutation [0, 2, 1, 3] : tensor<1x64x4x64xf32> -> tensor<1x4x64x64xf32>
  %v2 = gaudi.reshape %v1 : tensor<1x4x64x64xf32> -> tensor<4x64x64xf32>
  %s = gaudi.mme.gemm %q2, %k2 : tensor<4x64x64xf32>, tensor<4x64x64xf32> -> tensor<4x64x64xf32>
  %s0 = gaudi.reshape %s : tensor<4x64x64xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.mul %s0, %scale : tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %s2 = gaudi.tpc.add %s1, %m : tensor<1x4x64x64xf32>, tensor<1x1x1x64xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s2 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s2, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %r = gaudi.tpc.reciprocal %l : tensor<1x4x64x1xf32>
  %p = gaudi.tpc.mul %e, %r : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %p0 = gaudi.reshape %p : tensor<1x4x64x64xf32> -> tensor<4x64x64xf32>
  %o = gaudi.mme.gemm %p0, %v2 : tensor<4x64x64xf32>, tensor<4x64x64xf32> -> tensor<4x64x64xf32>
  %o0 = gaudi.reshape %o : tensor<4x64x64xf32> -> tensor<1x4x64x64xf32>
  %o1 = gaudi.transpose %o0 permutation [0, 2, 1, 3] : tensor<1x4x64x64xf32> -> tensor<1x64x4x64xf32>
  %o2 = gaudi.reshape %o1 : tensor<1x64x4x64xf32> -> tensor<1x64x256xf32>
  return %o2 : tensor<1x64x256xf32>
}

// -----

// The form of Llama: keys and values repeated over groups of heads, a causal
// select with the lowest number.
// CHECK-LABEL: func @decoder
// CHECK-SAME: (%[[Q:.*]]: tensor<1x4x64x32xf32>, %[[K:.*]]: tensor<1x2x64x32xf32>, %[[V:.*]]: tensor<1x2x64x32xf32>)
// CHECK: gaudi.sdpa %[[Q]], %[[K]], %[[V]] scale 2.500000e-01 causal :
// REMARK: fused attention: 1 x 4 heads, 64 queries, 64 keys of 32, causal; saving
func.func @decoder(%q: tensor<1x4x64x32xf32>, %k: tensor<1x2x64x32xf32>, %v: tensor<1x2x64x32xf32>) -> tensor<1x4x64x32xf32> {
  %low = gaudi.constant dense<-3.40282347E+38> : tensor<1x1x1x1xf32>
  %scale = gaudi.constant dense<4.0> : tensor<1x1x1x1xf32>
  %k0 = gaudi.reshape %k : tensor<1x2x64x32xf32> -> tensor<2x1x64x32xf32>
  %k1 = gaudi.broadcast %k0 dims [0, 1, 2, 3] : tensor<2x1x64x32xf32> -> tensor<2x2x64x32xf32>
  %k2 = gaudi.reshape %k1 : tensor<2x2x64x32xf32> -> tensor<1x4x64x32xf32>
  %v0 = gaudi.reshape %v : tensor<1x2x64x32xf32> -> tensor<1x2x1x64x32xf32>
  %v1 = gaudi.concat %v0, %v0 axis 2 : tensor<1x2x1x64x32xf32>, tensor<1x2x1x64x32xf32> -> tensor<1x2x2x64x32xf32>
  %v2 = gaudi.reshape %v1 : tensor<1x2x2x64x32xf32> -> tensor<1x4x64x32xf32>
  %s = gaudi.mme.gemm %q, %k2 transpose_b : tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x64xf32>
  %s1 = gaudi.tpc.div %s, %scale : tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %i = gaudi.tpc.iota dim 2 : tensor<1x1x64x64xi32>
  %j = gaudi.tpc.iota dim 3 : tensor<1x1x64x64xi32>
  %c = gaudi.tpc.compare <le> %j, %i : tensor<1x1x64x64xi32>, tensor<1x1x64x64xi32> -> tensor<1x1x64x64xi1>
  %s2 = gaudi.tpc.select %c, %s1, %low : tensor<1x1x64x64xi1>, tensor<1x4x64x64xf32>, tensor<1x1x1x1xf32> -> tensor<1x4x64x64xf32>
  %max = gaudi.tpc.reduce <max> %s2 dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %d = gaudi.tpc.sub %s2, %max : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %e = gaudi.tpc.exp %d : tensor<1x4x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [3] keep_dims : tensor<1x4x64x64xf32> -> tensor<1x4x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<1x4x64x64xf32>, tensor<1x4x64x1xf32> -> tensor<1x4x64x64xf32>
  %o = gaudi.mme.gemm %p, %v2 : tensor<1x4x64x64xf32>, tensor<1x4x64x32xf32> -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}

// -----

// The probabilities are a result: the op saves them. Normalised by the product
// of a reciprocal, without a maximum.
// CHECK-LABEL: func @weights
// CHECK: gaudi.sdpa {{.*}} scale 1.000000e+00 saves <probabilities>
// CHECK-NOT: gaudi.mme.gemm
// REMARK: fused attention: {{.*}}, saves probabilities
func.func @weights(%q: tensor<8x64x32xf32>, %k: tensor<8x64x32xf32>, %v: tensor<8x64x32xf32>) -> (tensor<8x64x32xf32>, tensor<8x64x64xf32>) {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<8x64x32xf32>, tensor<8x64x32xf32> -> tensor<8x64x64xf32>
  %e = gaudi.tpc.exp %s : tensor<8x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<8x64x64xf32> -> tensor<8x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<8x64x64xf32>, tensor<8x64x1xf32> -> tensor<8x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<8x64x64xf32>, tensor<8x64x32xf32> -> tensor<8x64x32xf32>
  return %o, %p : tensor<8x64x32xf32>, tensor<8x64x64xf32>
}

// -----

// The scores are a result.
// CHECK-LABEL: func @scores
// CHECK-NOT: gaudi.sdpa
// REMARK: [Missed] keep-apart | Category:gaudi-fuse-sdpa | {{.*}}not fused attention: 'func.return' also reads the scores
// REMARK: [Analysis] keeps-attention-apart | {{.*}}this 'func.return' keeps an attention from being fused
func.func @scores(%q: tensor<8x64x32xf32>, %k: tensor<8x64x32xf32>, %v: tensor<8x64x32xf32>) -> (tensor<8x64x32xf32>, tensor<8x64x64xf32>) {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<8x64x32xf32>, tensor<8x64x32xf32> -> tensor<8x64x64xf32>
  %e = gaudi.tpc.exp %s : tensor<8x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<8x64x64xf32> -> tensor<8x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<8x64x64xf32>, tensor<8x64x1xf32> -> tensor<8x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<8x64x64xf32>, tensor<8x64x32xf32> -> tensor<8x64x32xf32>
  return %o, %s : tensor<8x64x32xf32>, tensor<8x64x64xf32>
}

// -----

// A softmax over the queries.
// CHECK-LABEL: func @other_axis
// CHECK-NOT: gaudi.sdpa
// REMARK: not fused attention: the softmax is normalised over another dimension than the product sums over
func.func @other_axis(%q: tensor<8x64x32xf32>, %k: tensor<8x64x32xf32>, %v: tensor<8x64x32xf32>) -> tensor<8x64x32xf32> {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<8x64x32xf32>, tensor<8x64x32xf32> -> tensor<8x64x64xf32>
  %e = gaudi.tpc.exp %s : tensor<8x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [1] keep_dims : tensor<8x64x64xf32> -> tensor<8x1x64xf32>
  %p = gaudi.tpc.div %e, %l : tensor<8x64x64xf32>, tensor<8x1x64xf32> -> tensor<8x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<8x64x64xf32>, tensor<8x64x32xf32> -> tensor<8x64x32xf32>
  return %o : tensor<8x64x32xf32>
}

// -----

// A scale per key.
// CHECK-LABEL: func @scale_per_key
// CHECK-NOT: gaudi.sdpa
// REMARK: not fused attention: the scale of the scores varies within a row; fold it into the keys
func.func @scale_per_key(%q: tensor<8x64x32xf32>, %k: tensor<8x64x32xf32>, %v: tensor<8x64x32xf32>, %scale: tensor<1x1x64xf32>) -> tensor<8x64x32xf32> {
  %s0 = gaudi.mme.gemm %q, %k transpose_b : tensor<8x64x32xf32>, tensor<8x64x32xf32> -> tensor<8x64x64xf32>
  %s = gaudi.tpc.mul %s0, %scale : tensor<8x64x64xf32>, tensor<1x1x64xf32> -> tensor<8x64x64xf32>
  %e = gaudi.tpc.exp %s : tensor<8x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<8x64x64xf32> -> tensor<8x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<8x64x64xf32>, tensor<8x64x1xf32> -> tensor<8x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<8x64x64xf32>, tensor<8x64x32xf32> -> tensor<8x64x32xf32>
  return %o : tensor<8x64x32xf32>
}

// -----

// A soft cap.
// CHECK-LABEL: func @soft_cap
// CHECK-NOT: gaudi.sdpa
// REMARK: not fused attention: the scores pass through 'math.tanh' before the softmax
// REMARK: [Analysis] keeps-attention-apart | {{.*}}this 'gaudi.tpc.tanh' keeps an attention from being fused
func.func @soft_cap(%q: tensor<8x64x32xf32>, %k: tensor<8x64x32xf32>, %v: tensor<8x64x32xf32>) -> tensor<8x64x32xf32> {
  %s0 = gaudi.mme.gemm %q, %k transpose_b : tensor<8x64x32xf32>, tensor<8x64x32xf32> -> tensor<8x64x64xf32>
  %s = gaudi.tpc.tanh %s0 : tensor<8x64x64xf32>
  %e = gaudi.tpc.exp %s : tensor<8x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<8x64x64xf32> -> tensor<8x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<8x64x64xf32>, tensor<8x64x1xf32> -> tensor<8x64x64xf32>
  %o = gaudi.mme.gemm %p, %v : tensor<8x64x64xf32>, tensor<8x64x32xf32> -> tensor<8x64x32xf32>
  return %o : tensor<8x64x32xf32>
}

// -----

// A product of exponentials that are no softmax, and a softmax that no product
// reads: no candidates, no remarks.
// CHECK-LABEL: func @no_attention
// CHECK-NOT: gaudi.sdpa
// REMARK-NOT: remark
func.func @no_attention(%q: tensor<8x64x32xf32>, %k: tensor<8x64x32xf32>, %v: tensor<8x64x32xf32>) -> (tensor<8x64x32xf32>, tensor<8x64x64xf32>) {
  %s = gaudi.mme.gemm %q, %k transpose_b : tensor<8x64x32xf32>, tensor<8x64x32xf32> -> tensor<8x64x64xf32>
  %e = gaudi.tpc.exp %s : tensor<8x64x64xf32>
  %l = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<8x64x64xf32> -> tensor<8x64x1xf32>
  %p = gaudi.tpc.div %e, %l : tensor<8x64x64xf32>, tensor<8x64x1xf32> -> tensor<8x64x64xf32>
  %o = gaudi.mme.gemm %e, %v : tensor<8x64x64xf32>, tensor<8x64x32xf32> -> tensor<8x64x32xf32>
  return %o, %p : tensor<8x64x32xf32>, tensor<8x64x64xf32>
}

// -----

// Attention that the source names is recorded.
// CHECK: gaudi.fusions = [{fused = true, kind = "sdpa", {{.*}}text = "fused attention: the source names it"}]
// CHECK-LABEL: func @named
// CHECK: gaudi.sdpa
func.func @named(%q: tensor<1x4x64x32xf32>, %k: tensor<1x4x64x32xf32>, %v: tensor<1x4x64x32xf32>) -> tensor<1x4x64x32xf32> {
  %o = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32>, tensor<1x4x64x32xf32>) -> tensor<1x4x64x32xf32>
  return %o : tensor<1x4x64x32xf32>
}
