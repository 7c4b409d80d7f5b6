// Rotary position embeddings are one kernel, however pairs and tables are laid
// out; other concatenations stay what they are.
// RUN: gaudi-opt %s --gaudi-compile=stop-after=kernels | FileCheck %s
// RUN: gaudi-opt %s --gaudi-compile=stop-after=kernels --remarks-filter=gaudi-report-fusions --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: gaudi-run %s --entry=halves --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=neighbours --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=pairs --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=stacked --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=narrow --seed-inputs=1 --check
// RUN: gaudi-run %s --entry=others --seed-inputs=1 --check

// COUNT: rope 5/5

// x * cos + concat(-x[32:], x[:32]) * sin
// CHECK-LABEL: @halves
// CHECK-NEXT: %[[R:.*]] = gaudi.tpc.kernel label "tpc.rope"
// CHECK-NOT: gaudi.concat
// CHECK: return %[[R]]
func.func @halves(%x: tensor<2x8x4x64xf32>, %c: tensor<1x8x1x64xf32>, %s: tensor<1x8x1x64xf32>) -> tensor<2x8x4x64xf32> {
  %lo = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<2x8x4x64xf32> -> tensor<2x8x4x32xf32>
  %hi = gaudi.slice %x offsets [0, 0, 0, 32] strides [1, 1, 1, 1] : tensor<2x8x4x64xf32> -> tensor<2x8x4x32xf32>
  %n = gaudi.tpc.neg %hi : tensor<2x8x4x32xf32>
  %r = gaudi.concat %n, %lo axis 3 : tensor<2x8x4x32xf32>, tensor<2x8x4x32xf32> -> tensor<2x8x4x64xf32>
  %xc = gaudi.tpc.mul %x, %c : tensor<2x8x4x64xf32>, tensor<1x8x1x64xf32> -> tensor<2x8x4x64xf32>
  %rs = gaudi.tpc.mul %r, %s : tensor<2x8x4x64xf32>, tensor<1x8x1x64xf32> -> tensor<2x8x4x64xf32>
  %y = gaudi.tpc.add %xc, %rs : tensor<2x8x4x64xf32>, tensor<2x8x4x64xf32> -> tensor<2x8x4x64xf32>
  return %y : tensor<2x8x4x64xf32>
}

// The same of even and odd elements.
// CHECK-LABEL: @neighbours
// CHECK-NEXT: %[[R:.*]] = gaudi.tpc.kernel label "tpc.rope"
// CHECK-NOT: gaudi.concat
// CHECK: return %[[R]]
func.func @neighbours(%x: tensor<16x64xf32>, %c: tensor<16x64xf32>, %s: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %even = gaudi.slice %x offsets [0, 0] strides [1, 2] : tensor<16x64xf32> -> tensor<16x32xf32>
  %odd = gaudi.slice %x offsets [0, 1] strides [1, 2] : tensor<16x64xf32> -> tensor<16x32xf32>
  %n = gaudi.tpc.neg %odd : tensor<16x32xf32>
  %n1 = gaudi.reshape %n : tensor<16x32xf32> -> tensor<16x32x1xf32>
  %e1 = gaudi.reshape %even : tensor<16x32xf32> -> tensor<16x32x1xf32>
  %r2 = gaudi.concat %n1, %e1 axis 2 : tensor<16x32x1xf32>, tensor<16x32x1xf32> -> tensor<16x32x2xf32>
  %r = gaudi.reshape %r2 : tensor<16x32x2xf32> -> tensor<16x64xf32>
  %xc = gaudi.tpc.mul %x, %c : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
  %rs = gaudi.tpc.mul %r, %s : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
  %y = gaudi.tpc.add %xc, %rs : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
  return %y : tensor<16x64xf32>
}

// concat(a cos - b sin, a sin + b cos) of the halves.
// CHECK-LABEL: @pairs
// CHECK-NEXT: %[[R:.*]] = gaudi.tpc.kernel label "tpc.rope+abs"
// CHECK-NOT: gaudi.concat
// CHECK: return %[[R]]
func.func @pairs(%x: tensor<16x64xf32>, %c: tensor<16x32xf32>, %s: tensor<16x32xf32>) -> tensor<16x64xf32> {
  %a = gaudi.slice %x offsets [0, 0] strides [1, 1] : tensor<16x64xf32> -> tensor<16x32xf32>
  %b = gaudi.slice %x offsets [0, 32] strides [1, 1] : tensor<16x64xf32> -> tensor<16x32xf32>
  %ac = gaudi.tpc.mul %a, %c : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %bs = gaudi.tpc.mul %b, %s : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %as = gaudi.tpc.mul %a, %s : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %bc = gaudi.tpc.mul %b, %c : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %first = gaudi.tpc.sub %ac, %bs : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %second = gaudi.tpc.add %bc, %as : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %r = gaudi.concat %first, %second axis 1 : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x64xf32>
  %scaled = gaudi.tpc.abs %r : tensor<16x64xf32>
  return %scaled : tensor<16x64xf32>
}

// The same of neighbours, read by a product of matrices after a scaling.
// CHECK-LABEL: @stacked
// CHECK-NEXT: gaudi.tpc.kernel label "tpc.rope+neg"
// CHECK-NOT: gaudi.concat
// CHECK: gaudi.mme.gemm
func.func @stacked(%x: tensor<16x64xf32>, %c: tensor<16x32xf32>, %s: tensor<16x32xf32>, %w: tensor<64x8xf32>) -> tensor<16x8xf32> {
  %a = gaudi.slice %x offsets [0, 0] strides [1, 2] : tensor<16x64xf32> -> tensor<16x32xf32>
  %b = gaudi.slice %x offsets [0, 1] strides [1, 2] : tensor<16x64xf32> -> tensor<16x32xf32>
  %ac = gaudi.tpc.mul %a, %c : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %bs = gaudi.tpc.mul %b, %s : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %as = gaudi.tpc.mul %a, %s : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %bc = gaudi.tpc.mul %b, %c : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %first = gaudi.tpc.sub %ac, %bs : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %second = gaudi.tpc.add %as, %bc : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %f1 = gaudi.reshape %first : tensor<16x32xf32> -> tensor<16x32x1xf32>
  %s1 = gaudi.reshape %second : tensor<16x32xf32> -> tensor<16x32x1xf32>
  %r2 = gaudi.concat %f1, %s1 axis 2 : tensor<16x32x1xf32>, tensor<16x32x1xf32> -> tensor<16x32x2xf32>
  %r = gaudi.reshape %r2 : tensor<16x32x2xf32> -> tensor<16x64xf32>
  %q = gaudi.tpc.neg %r : tensor<16x64xf32>
  %y = gaudi.mme.gemm %q, %w : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// Computed in f32 and rounded once.
// CHECK-LABEL: @narrow
// CHECK-NEXT: %[[R:.*]] = gaudi.tpc.kernel label "tpc.{{.*}}rope{{.*}}"
// CHECK-NOT: gaudi.concat
// CHECK: return %[[R]]
func.func @narrow(%x: tensor<16x64xbf16>, %c: tensor<16x64xf32>, %s: tensor<16x64xf32>) -> tensor<16x64xbf16> {
  %f = gaudi.tpc.cast %x : tensor<16x64xbf16> -> tensor<16x64xf32>
  %lo = gaudi.slice %f offsets [0, 0] strides [1, 1] : tensor<16x64xf32> -> tensor<16x32xf32>
  %hi = gaudi.slice %f offsets [0, 32] strides [1, 1] : tensor<16x64xf32> -> tensor<16x32xf32>
  %n = gaudi.tpc.neg %hi : tensor<16x32xf32>
  %r = gaudi.concat %n, %lo axis 1 : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x64xf32>
  %xc = gaudi.tpc.mul %f, %c : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
  %rs = gaudi.tpc.mul %r, %s : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
  %y = gaudi.tpc.add %xc, %rs : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x64xf32>
  %z = gaudi.tpc.cast %y : tensor<16x64xf32> -> tensor<16x64xbf16>
  return %z : tensor<16x64xbf16>
}

// Pieces of different tensors, of different sizes, five of them, one that the
// host reads, and one that is moved only.
// CHECK-LABEL: @others
// CHECK-COUNT-5: gaudi.concat
func.func @others(%x: tensor<16x64xf32>, %z: tensor<16x64xf32>)
    -> (tensor<16x128xf32>, tensor<16x96xf32>, tensor<16x320xf32>, tensor<16x128xf32>, tensor<16x128xf32>) {
  %half = gaudi.slice %x offsets [0, 0] strides [1, 1] : tensor<16x64xf32> -> tensor<16x32xf32>
  %n = gaudi.tpc.neg %x : tensor<16x64xf32>
  %a = gaudi.concat %n, %z axis 1 : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x128xf32>
  %b = gaudi.concat %n, %half axis 1 : tensor<16x64xf32>, tensor<16x32xf32> -> tensor<16x96xf32>
  %c = gaudi.concat %n, %x, %n, %x, %n axis 1 : tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x320xf32>
  %d = gaudi.concat %n, %x axis 1 : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x128xf32>
  %e = gaudi.concat %x, %x axis 1 : tensor<16x64xf32>, tensor<16x64xf32> -> tensor<16x128xf32>
  %ea = gaudi.tpc.exp %a : tensor<16x128xf32>
  %eb = gaudi.tpc.exp %b : tensor<16x96xf32>
  %ec = gaudi.tpc.exp %c : tensor<16x320xf32>
  %ee = gaudi.tpc.exp %e : tensor<16x128xf32>
  return %ea, %eb, %ec, %d, %ee : tensor<16x128xf32>, tensor<16x96xf32>, tensor<16x320xf32>, tensor<16x128xf32>, tensor<16x128xf32>
}
