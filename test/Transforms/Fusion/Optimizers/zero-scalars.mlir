// A divisor leaves the sum root + eps only where the step stays the same for
// all arguments: m' / (root / d + eps / P) has the step 0 for P = 0, where
// d * eps / P is no number.
//
// RUN: split-file %s %t
// RUN: gaudi-opt %t/rate.mlir --gaudi-fuse-optimizers | FileCheck %s --check-prefix=RATE
// RUN: gaudi-opt %t/constant.mlir --gaudi-fuse-optimizers | FileCheck %s --check-prefix=CONSTANT
// RUN: not gaudi-run %t/inverse.mlir --require-fusion=adamw:1 -o %t/r 2>&1 | FileCheck %s --check-prefix=INVERSE
// RUN: gaudi-run %t/rate.mlir --require-fusion=adamw:1 --verify-fusion --seed-inputs=1 -i arg4=3 -i arg5=0 --check | FileCheck %s --check-prefix=CHECK
// RUN: gaudi-run %t/rate.mlir --require-fusion=adamw:1 --seed-inputs=1 -i arg4=3 -i arg5=0.5 --check | FileCheck %s --check-prefix=CHECK
// RUN: gaudi-run %t/decay.mlir --require-fusion=adamw:1 --seed-inputs=1 -i arg4=500 --check | FileCheck %s --check-prefix=CHECK
// RUN: not gaudi-run %t/both.mlir --require-fusion=adamw:1 -o %t/r 2>&1 | FileCheck %s --check-prefix=INVERSE

// RATE: %[[ZERO:.*]] = gaudi.tpc.compare <eq>
// RATE: %[[EPS:.*]] = gaudi.tpc.select %[[ZERO]]
// RATE: gaudi.fused_adamw {{.*}} eps %[[EPS]]
// CONSTANT-NOT: select
// CONSTANT: gaudi.fused_adamw
// INVERSE: not fused AdamW of 1 parameter: nothing proves that the scalar by which the root of the second moment is divided is no infinity: where it is one, the step is m' / eps, and that of gaudi.fused_adamw is not
// CHECK: --check passed

//--- rate.mlir
func.func @step(%w: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %t: tensor<1xf32>, %lr: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = gaudi.constant dense<1.0> : tensor<1xf32>
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %a1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.999> : tensor<1xf32>
  %a2 = gaudi.constant dense<0.001> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-8> : tensor<1xf32>
  %m0 = gaudi.tpc.mul %m, %b1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m1 = gaudi.tpc.mul %g, %a1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m2 = gaudi.tpc.add %m0, %m1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v0 = gaudi.tpc.mul %v, %b2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %g2 = gaudi.tpc.mul %g, %g : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v1 = gaudi.tpc.mul %g2, %a2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %v2 = gaudi.tpc.add %v0, %v1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %p1 = gaudi.tpc.pow %b1, %t : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %c1 = gaudi.tpc.sub %one, %p1 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %p2 = gaudi.tpc.pow %b2, %t : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %c2 = gaudi.tpc.sub %one, %p2 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %P = gaudi.tpc.div %lr, %c1 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %r2 = gaudi.tpc.sqrt %c2 : tensor<1xf32>
  %d = gaudi.tpc.mul %P, %r2 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %e = gaudi.tpc.div %eps, %P : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %root = gaudi.tpc.sqrt %v2 : tensor<4xf32>
  %scaled = gaudi.tpc.div %root, %d : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %sum = gaudi.tpc.add %scaled, %e : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %u = gaudi.tpc.div %m2, %sum : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %new = gaudi.tpc.sub %w, %u : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %new, %m2, %v2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//--- constant.mlir
func.func @step(%w: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %t: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %lr = gaudi.constant dense<0.01> : tensor<1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1xf32>
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %a1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.999> : tensor<1xf32>
  %a2 = gaudi.constant dense<0.001> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-8> : tensor<1xf32>
  %m0 = gaudi.tpc.mul %m, %b1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m1 = gaudi.tpc.mul %g, %a1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m2 = gaudi.tpc.add %m0, %m1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v0 = gaudi.tpc.mul %v, %b2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %g2 = gaudi.tpc.mul %g, %g : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v1 = gaudi.tpc.mul %g2, %a2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %v2 = gaudi.tpc.add %v0, %v1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %p1 = gaudi.tpc.pow %b1, %t : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %c1 = gaudi.tpc.sub %one, %p1 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %p2 = gaudi.tpc.pow %b2, %t : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %c2 = gaudi.tpc.sub %one, %p2 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %P = gaudi.tpc.div %lr, %c1 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %r2 = gaudi.tpc.sqrt %c2 : tensor<1xf32>
  %d = gaudi.tpc.mul %P, %r2 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %e = gaudi.tpc.div %eps, %P : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %root = gaudi.tpc.sqrt %v2 : tensor<4xf32>
  %scaled = gaudi.tpc.div %root, %d : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %sum = gaudi.tpc.add %scaled, %e : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %u = gaudi.tpc.div %m2, %sum : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %new = gaudi.tpc.sub %w, %u : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %new, %m2, %v2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//--- inverse.mlir
// root * c: 0 for c = 0, where the step is m' / eps.
func.func @step(%w: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %c: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %a1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.999> : tensor<1xf32>
  %a2 = gaudi.constant dense<0.001> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-8> : tensor<1xf32>
  %m0 = gaudi.tpc.mul %m, %b1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m1 = gaudi.tpc.mul %g, %a1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m2 = gaudi.tpc.add %m0, %m1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v0 = gaudi.tpc.mul %v, %b2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %g2 = gaudi.tpc.mul %g, %g : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v1 = gaudi.tpc.mul %g2, %a2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %v2 = gaudi.tpc.add %v0, %v1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %root = gaudi.tpc.sqrt %v2 : tensor<4xf32>
  %scaled = gaudi.tpc.mul %root, %c : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %sum = gaudi.tpc.add %scaled, %eps : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %u = gaudi.tpc.div %m2, %sum : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %new = gaudi.tpc.sub %w, %u : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %new, %m2, %v2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//--- decay.mlir
// A schedule that is 0 in f32 after some hundred steps.
func.func @step(%w: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %t: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %half = gaudi.constant dense<0.5> : tensor<1xf32>
  %base = gaudi.constant dense<0.01> : tensor<1xf32>
  %pw = gaudi.tpc.pow %half, %t : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %lr = gaudi.tpc.mul %base, %pw : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1xf32>
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %a1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.999> : tensor<1xf32>
  %a2 = gaudi.constant dense<0.001> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-8> : tensor<1xf32>
  %m0 = gaudi.tpc.mul %m, %b1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m1 = gaudi.tpc.mul %g, %a1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m2 = gaudi.tpc.add %m0, %m1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v0 = gaudi.tpc.mul %v, %b2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %g2 = gaudi.tpc.mul %g, %g : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v1 = gaudi.tpc.mul %g2, %a2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %v2 = gaudi.tpc.add %v0, %v1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %p1 = gaudi.tpc.pow %b1, %t : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %c1 = gaudi.tpc.sub %one, %p1 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %p2 = gaudi.tpc.pow %b2, %t : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %c2 = gaudi.tpc.sub %one, %p2 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %P = gaudi.tpc.div %lr, %c1 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %r2 = gaudi.tpc.sqrt %c2 : tensor<1xf32>
  %d = gaudi.tpc.mul %P, %r2 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %e = gaudi.tpc.div %eps, %P : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %root = gaudi.tpc.sqrt %v2 : tensor<4xf32>
  %scaled = gaudi.tpc.div %root, %d : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %sum = gaudi.tpc.add %scaled, %e : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %u = gaudi.tpc.div %m2, %sum : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %new = gaudi.tpc.sub %w, %u : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %new, %m2, %v2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//--- both.mlir
// root * c + eps / c is infinite for c = 0, and the step 0.
// root * c: 0 for c = 0, where the step is m' / eps.
func.func @step(%w: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %c: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %a1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.999> : tensor<1xf32>
  %a2 = gaudi.constant dense<0.001> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-8> : tensor<1xf32>
  %m0 = gaudi.tpc.mul %m, %b1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m1 = gaudi.tpc.mul %g, %a1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m2 = gaudi.tpc.add %m0, %m1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v0 = gaudi.tpc.mul %v, %b2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %g2 = gaudi.tpc.mul %g, %g : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v1 = gaudi.tpc.mul %g2, %a2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %v2 = gaudi.tpc.add %v0, %v1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %root = gaudi.tpc.sqrt %v2 : tensor<4xf32>
  %scaled = gaudi.tpc.mul %root, %c : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %e = gaudi.tpc.div %eps, %c : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %sum = gaudi.tpc.add %scaled, %e : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %u = gaudi.tpc.div %m2, %sum : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %new = gaudi.tpc.sub %w, %u : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %new, %m2, %v2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
