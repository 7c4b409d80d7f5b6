// RUN: gaudi-opt %s --gaudi-fuse-optimizers | FileCheck %s
// RUN: gaudi-opt %s --gaudi-fuse-optimizers --remarks-filter=gaudi-fuse-optimizers --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Under the root, eps is another formula.
// CHECK-LABEL: @eps_inside
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: eps is added inside the root of the second moment"
func.func @eps_inside(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.mul %g, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %5 = gaudi.tpc.add %v1, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %6 = gaudi.tpc.sqrt %5 : tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %7, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A negative eps.
// CHECK-LABEL: @eps_subtracted
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: eps is subtracted"
func.func @eps_subtracted(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.mul %g, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %5 = gaudi.tpc.sqrt %v1 : tensor<8xf32>
  %6 = gaudi.tpc.sub %5, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %7, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The second moment divides without its root.
// CHECK-LABEL: @no_root
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: the first moment is not divided by the root of the second"
func.func @no_root(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.mul %g, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %6 = gaudi.tpc.add %v1, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %7, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// 0.99 and 0.02 are no average.
// CHECK-LABEL: @betas
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: the factors of the moments, 0.9 and 0.1, 0.99 and 0.02, do not add up to 1"
func.func @betas(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.02> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.mul %g, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %5 = gaudi.tpc.sqrt %v1 : tensor<8xf32>
  %6 = gaudi.tpc.add %5, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %7, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The second moment adds the gradient's magnitude.
// CHECK-LABEL: @no_square
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: the second moment, 'gaudi.tpc.add', does not add a square to a constant times its old value"
func.func @no_square(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.abs %g : tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %5 = gaudi.tpc.sqrt %v1 : tensor<8xf32>
  %6 = gaudi.tpc.add %5, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %7, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The moments are of two gradients.
// CHECK-LABEL: @two_gradients
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: the second moment does not add the square of what the first moment, 'gaudi.tpc.add', adds"
func.func @two_gradients(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %h = gaudi.tpc.tanh %w : tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.mul %h, %h : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %5 = gaudi.tpc.sqrt %v1 : tensor<8xf32>
  %6 = gaudi.tpc.add %5, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %7, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// AMSGrad divides by the largest root.
// CHECK-LABEL: @maximum
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: the step depends on the moments through 'gaudi.tpc.max'"
func.func @maximum(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.mul %g, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %x = gaudi.tpc.max %v1, %v : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %5 = gaudi.tpc.sqrt %x : tensor<8xf32>
  %6 = gaudi.tpc.add %5, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %7, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// NAdam adds the gradient.
// CHECK-LABEL: @nesterov
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: the parameter also gets terms other than its old value and the first moment divided by the root of the second"
func.func @nesterov(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.mul %g, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %5 = gaudi.tpc.sqrt %v1 : tensor<8xf32>
  %6 = gaudi.tpc.add %5, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %n = gaudi.tpc.add %7, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %n, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The step size is a tensor.
// CHECK-LABEL: @rate_per_element
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: the step size or eps is not one number for all elements"
func.func @rate_per_element(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.mul %g, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %5 = gaudi.tpc.sqrt %v1 : tensor<8xf32>
  %6 = gaudi.tpc.add %5, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %r = gaudi.tpc.mul %g, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %7, %r : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The update is a result, too.
// CHECK-LABEL: @update_is_read
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused AdamW of 1 parameter: 'gaudi.tpc.div', a part of the step, is also read by 'func.return'; compute it there from the new states"
func.func @update_is_read(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.mul %v, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %3 = gaudi.tpc.mul %g, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %4 = gaudi.tpc.mul %3, %c2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %v1 = gaudi.tpc.add %2, %4 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %5 = gaudi.tpc.sqrt %v1 : tensor<8xf32>
  %6 = gaudi.tpc.add %5, %eps : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %7 = gaudi.tpc.div %m1, %6 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %7, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %w, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1, %v1, %7 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// SGD with weight decay outside the gradient.
// CHECK-LABEL: @decoupled
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused SGD of 1 parameter: weight decay is not part of the gradient"
func.func @decoupled(%w: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %lr: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %c1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.99> : tensor<1xf32>
  %c2 = gaudi.constant dense<0.01> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-6> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %g, %c1 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %8 = gaudi.tpc.mul %m1, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %k = gaudi.tpc.mul %w, %b2 : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %k, %8 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1 : tensor<8xf32>, tensor<8xf32>
}

// c reads a step of the op of a and b, which reads c's new state: c stays.
// CHECK-LABEL: @cycle
// CHECK-COUNT-1: gaudi.fused_sgd
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused SGD of 1 parameter: a fused step that it depends on reads its new states"
func.func @cycle(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>, %ma: tensor<64x64xf32>, %mb: tensor<64x64xf32>, %mc: tensor<64x64xf32>, %xa: tensor<64x64xf32>, %gb: tensor<64x64xf32>, %xc: tensor<64x64xf32>, %lr: tensor<1x1xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %ga = gaudi.tpc.abs %xa : tensor<64x64xf32>
  %gc = gaudi.tpc.abs %xc : tensor<64x64xf32>
  %m = gaudi.constant dense<0.9> : tensor<1x1xf32>
  %a0 = gaudi.tpc.mul %ma, %m : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %ma1 = gaudi.tpc.add %a0, %ga : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %a1 = gaudi.tpc.mul %ma1, %lr : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %a2 = gaudi.tpc.sub %a, %a1 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %c0 = gaudi.tpc.mul %mc, %m : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %mc1 = gaudi.tpc.add %c0, %gc : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %r = gaudi.tpc.reduce <sum> %mc1 dims [0, 1] keep_dims : tensor<64x64xf32> -> tensor<1x1xf32>
  %h = gaudi.tpc.add %gb, %r : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %b0 = gaudi.tpc.mul %mb, %m : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %mb1 = gaudi.tpc.add %b0, %h : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %b1 = gaudi.tpc.mul %mb1, %lr : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %b2 = gaudi.tpc.sub %b, %b1 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %s = gaudi.tpc.reduce <max> %a2 dims [0, 1] keep_dims : tensor<64x64xf32> -> tensor<1x1xf32>
  %c1 = gaudi.tpc.mul %mc1, %s : tensor<64x64xf32>, tensor<1x1xf32> -> tensor<64x64xf32>
  %c2 = gaudi.tpc.sub %c, %c1 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %a2, %ma1, %b2, %mb1, %c2, %mc1 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// The program keeps the new parameter as f32, the old one is bf16.
// CHECK-LABEL: @wide_result
// CHECK-NOT: gaudi.fused_
// REMARK: remark: [Missed] keep | Category:gaudi-fuse-optimizers | Remark="not fused SGD of 1 parameter: its new value has another element type than the old one"
func.func @wide_result(%w: tensor<8xbf16>, %g: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %b = gaudi.constant dense<0.9> : tensor<1xf32>
  %lr = gaudi.constant dense<0.1> : tensor<1xf32>
  %0 = gaudi.tpc.mul %m, %b : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %m1 = gaudi.tpc.add %0, %g : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %1 = gaudi.tpc.mul %m1, %lr : tensor<8xf32>, tensor<1xf32> -> tensor<8xf32>
  %2 = gaudi.tpc.cast %w : tensor<8xbf16> -> tensor<8xf32>
  %w1 = gaudi.tpc.sub %2, %1 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %w1, %m1 : tensor<8xf32>, tensor<8xf32>
}
