// RUN: gaudi-opt %s --gaudi-fuse-optimizers -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %s --gaudi-fuse-optimizers="adamw=false sgd=false" | FileCheck %s --check-prefix=OFF
// RUN: gaudi-opt %s --gaudi-fuse-optimizers --remarks-filter=gaudi-fuse-optimizers --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// OFF-NOT: gaudi.fused_

// Gaudi's form. The second parameter has no weight decay: an op of its own.
// CHECK-LABEL: @groups
// CHECK: [[B:%.+]], [[BM:%.+]], [[BV:%.+]] = gaudi.fused_adamw gradients(%arg5) parameters(%arg4) exp_avgs(%arg6) exp_avg_sqs(%arg7)
// CHECK: [[DECAY:%.+]] = gaudi.constant dense<9.990000e-01> : tensor<f32>
// CHECK: [[A:%.+]], [[AM:%.+]], [[AV:%.+]] = gaudi.fused_adamw gradients(%arg1) parameters(%arg0) exp_avgs(%arg2) exp_avg_sqs(%arg3)
// CHECK-SAME: step_size %arg8 eps %{{.+}} decay [[DECAY]] {beta1 = 9.000000e-01 : f64, beta2 = 0.98999999999999999 : f64}
// CHECK: return [[A]], [[AM]], [[AV]], [[B]], [[BM]], [[BV]]
// REMARK: remark: [Passed] fuse | Category:gaudi-fuse-optimizers | Remark="fused AdamW of 1 parameter with 32 elements into 'gaudi.fused_adamw', saving {{[0-9.]+ [num]?s}} on gaudi2 and {{[0-9]+}} bytes of memory traffic against the {{[0-9]+}} ops that it replaces"
func.func @groups(%w: tensor<4x8xf32>, %g: tensor<4x8xf32>, %m: tensor<4x8xf32>, %v: tensor<4x8xf32>,
    %x: tensor<8xf32>, %h: tensor<8xf32>, %n: tensor<8xf32>, %u: tensor<8xf32>, %lr: tensor<f32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1x1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1x1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1x1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1x1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1x1xf32>
  %wd = gaudi.constant dense<0.999> : tensor<1x1xf32>
  %r = gaudi.reshape %lr : tensor<f32> -> tensor<1x1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %3 = gaudi.tpc.mul %g, %g : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %5 = gaudi.tpc.sqrt %v1 : tensor<4x8xf32>
  %6 = gaudi.tpc.add %5, %eps : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %8 = gaudi.tpc.mul %7, %r : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %9 = gaudi.tpc.mul %w, %wd : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %w1 = gaudi.tpc.sub %9, %8 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %sb1 = gaudi.constant dense<0.9> : tensor<8xf32>
  %sc1 = gaudi.constant dense<0.1> : tensor<8xf32>
  %sb2 = gaudi.constant dense<0.99> : tensor<8xf32>
  %sc2 = gaudi.constant dense<0.01> : tensor<8xf32>
  %seps = gaudi.constant dense<1.0e-6> : tensor<8xf32>
  %sr = gaudi.broadcast %lr dims [] : tensor<f32> -> tensor<8xf32>
  %10 = gaudi.tpc.mul %n, %sb1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %11 = gaudi.tpc.mul %h, %sc1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %n1 = gaudi.tpc.add %10, %11 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %12 = gaudi.tpc.mul %u, %sb2 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %13 = gaudi.tpc.mul %h, %h : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %14 = gaudi.tpc.mul %13, %sc2 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %u1 = gaudi.tpc.add %12, %14 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %15 = gaudi.tpc.sqrt %u1 : tensor<8xf32>
  %16 = gaudi.tpc.add %15, %seps : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %17 = gaudi.tpc.div %n1, %16 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %18 = gaudi.tpc.mul %17, %sr : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %x1 = gaudi.tpc.sub %x, %18 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1, %x1, %n1, %u1 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Momentum and weight decay; the order of sums and factors does not matter.
// CHECK-LABEL: @momentum
// CHECK: gaudi.fused_sgd gradients(%arg1) parameters(%arg0) momentum_buffers(%arg2) lr %{{.+}} {momentum = 9.000000e-01 : f64, weight_decay = 1.000000e-02 : f64}
func.func @momentum(%w: tensor<16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %lr: tensor<f32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %wd = gaudi.constant dense<0.01> : tensor<1xf32>
  %mo = gaudi.constant dense<0.9> : tensor<1xf32>
  %r = gaudi.reshape %lr : tensor<f32> -> tensor<1xf32>
  %0 = gaudi.tpc.mul %wd, %w : tensor<1xf32>, tensor<16xf32> -> tensor<16xf32>
  %1 = gaudi.tpc.add %0, %g : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  %2 = gaudi.tpc.mul %b, %mo : tensor<16xf32>, tensor<1xf32> -> tensor<16xf32>
  %b1 = gaudi.tpc.add %1, %2 : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  %3 = gaudi.tpc.mul %b1, %r : tensor<16xf32>, tensor<1xf32> -> tensor<16xf32>
  %w1 = gaudi.tpc.sub %w, %3 : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  return %w1, %b1 : tensor<16xf32>, tensor<16xf32>
}

// One parameter without state saves no launch, and may be no optimizer's.
// CHECK-LABEL: @euler
// CHECK-NOT: gaudi.fused_sgd
func.func @euler(%x: tensor<16xf32>, %f: tensor<16xf32>, %h: tensor<f32>) -> tensor<16xf32> {
  %r = gaudi.reshape %h : tensor<f32> -> tensor<1xf32>
  %0 = gaudi.tpc.mul %f, %r : tensor<16xf32>, tensor<1xf32> -> tensor<16xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// Moving averages are no steps.
// CHECK-LABEL: @averages
// CHECK-NOT: gaudi.fused_sgd
func.func @averages(%a: tensor<16xf32>, %x: tensor<16xf32>, %b: tensor<16xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %k = gaudi.constant dense<0.9> : tensor<1xf32>
  %c = gaudi.constant dense<0.1> : tensor<1xf32>
  %0 = gaudi.tpc.mul %a, %k : tensor<16xf32>, tensor<1xf32> -> tensor<16xf32>
  %1 = gaudi.tpc.mul %x, %c : tensor<16xf32>, tensor<1xf32> -> tensor<16xf32>
  %2 = gaudi.tpc.add %0, %1 : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  %3 = gaudi.tpc.mul %b, %k : tensor<16xf32>, tensor<1xf32> -> tensor<16xf32>
  %4 = gaudi.tpc.mul %y, %c : tensor<16xf32>, tensor<1xf32> -> tensor<16xf32>
  %5 = gaudi.tpc.add %3, %4 : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  return %2, %5 : tensor<16xf32>, tensor<16xf32>
}

// The new value of a parameter is the learning rate of another.
// CHECK-LABEL: @learned_rate
// CHECK: [[A:%.+]]:2 = gaudi.fused_sgd gradients(%{{.+}}) parameters(%arg0) momentum_buffers(%arg2)
// CHECK: [[LR:%.+]] = gaudi.reshape [[A]]#0
// CHECK: gaudi.fused_sgd gradients(%{{.+}}) parameters(%arg1) momentum_buffers(%arg3) lr [[LR]]
func.func @learned_rate(%a: tensor<1x1xf32>, %c: tensor<64x64xf32>, %ma: tensor<1x1xf32>, %mc: tensor<64x64xf32>, %xa: tensor<1x1xf32>, %xc: tensor<64x64xf32>, %lr: tensor<1x1xf32>)
    -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %ga = gaudi.tpc.abs %xa : tensor<1x1xf32>
  %gc = gaudi.tpc.abs %xc : tensor<64x64xf32>
  %m = gaudi.constant dense<0.9> : tensor<1x1xf32>
  %a0 = gaudi.tpc.mul %ma, %m : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  %ma1 = gaudi.tpc.add %a0, %ga : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  %a1 = gaudi.tpc.mul %ma1, %lr : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  %a2 = gaudi.tpc.sub %a, %a1 : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>
  %c0 = gaudi.tpc.mul %mc, %m : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %mc1 = gaudi.tpc.add %c0, %gc : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %c1 = gaudi.tpc.mul %mc1, %a2 : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %c2 = gaudi.tpc.sub %c, %c1 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %a2, %ma1, %c2, %mc1 : tensor<1x1xf32>, tensor<1x1xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
