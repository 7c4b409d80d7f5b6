// Each optimizer op on tensors of the same two shapes.
!a = tensor<3x40xf32>
!b = tensor<17xf32>
!n = tensor<17xbf16>
!s = tensor<f32>
func.func @main(%g0: !a, %g1: !b, %w0: !a {gaudi.state = 0 : i64}, %w1: !b {gaudi.state = 1 : i64},
    %m0: !a {gaudi.state = 2 : i64}, %m1: !n {gaudi.state = 3 : i64},
    %x0: !a {gaudi.state = 4 : i64}, %x1: !b {gaudi.state = 5 : i64},
    %y0: !a {gaudi.state = 6 : i64}, %y1: !b {gaudi.state = 7 : i64},
    %z0: !a {gaudi.state = 8 : i64}, %z1: !b {gaudi.state = 9 : i64},
    %v0: !a {gaudi.state = 10 : i64}, %v1: !n {gaudi.state = 11 : i64},
    %q0: !a {gaudi.state = 12 : i64}, %q1: !b {gaudi.state = 13 : i64},
    %l0: !a {gaudi.state = 14 : i64}, %l1: !b {gaudi.state = 15 : i64},
    %lm0: !a {gaudi.state = 16 : i64}, %lm1: !b {gaudi.state = 17 : i64},
    %rate: !s, %max: tensor<1xf32>, %first: tensor<i32>)
  -> (!a, !b, !a, !n, !a, !b, !a, !b, !a, !b, !a, !n, !a, !b, !a, !b, !a, !b, tensor<1xf32>, tensor<1xf32>) {
  %eps = gaudi.constant dense<1.0e-3> : !s
  %keep = gaudi.constant dense<0.99> : !s
  %c:4 = gaudi.fused_clip_norm gradients(%g0, %g1) max_norm %max select {eps = 0.0 : f64}
    : (!a, !b, tensor<1xf32>) -> (!a, !b, tensor<1xf32>, tensor<1xf32>)
  %o:6 = gaudi.fused_adamw gradients(%g0, %g1) parameters(%w0, %w1) exp_avgs(%m0, %m1) exp_avg_sqs(%v0, %v1)
    step_size %rate eps %eps decay %keep grad_scale %c#3 {beta1 = 0.9 : f64, beta2 = 0.999 : f64, l2 = 0.1 : f64}
    : (!a, !b, !a, !b, !a, !n, !a, !n, !s, !s, !s, tensor<1xf32>) -> (!a, !b, !a, !n, !a, !n)
  %p:4 = gaudi.fused_sgd gradients(%g0, %g1) parameters(%x0, %x1) momentum_buffers(%y0, %y1) lr %rate grad_scale %c#3
    first_step %first nesterov {momentum = 0.9 : f64, dampening = 0.2 : f64, weight_decay = 0.01 : f64}
    : (!a, !b, !a, !b, !a, !b, !s, tensor<1xf32>, tensor<i32>) -> (!a, !b, !a, !b)
  %e:2 = gaudi.fused_ema values(%g0, %g1) averages(%z0, %z1) decay %keep : (!a, !b, !a, !b, !s) -> (!a, !b)
  %r:4 = gaudi.fused_adagrad gradients(%c#0, %c#1) parameters(%l0, %l1) sums(%q0, %q1) lr %rate {eps = 1.0e-10 : f64}
    : (!a, !b, !a, !b, !a, !b, !s) -> (!a, !b, !a, !b)
  %t:6 = gaudi.fused_lamb gradients(%g0, %g1) parameters(%lm0, %lm1) exp_avgs(%e#0, %e#1) exp_avg_sqs(%r#2, %r#3) lr %rate
    {beta1 = 0.9 : f64, beta2 = 0.99 : f64, eps = 1.0e-3 : f64, weight_decay = 0.1 : f64}
    : (!a, !b, !a, !b, !a, !b, !a, !b, !s) -> (!a, !b, !a, !b, !a, !b)
  return %o#0, %o#1, %o#2, %o#3, %p#0, %p#1, %p#2, %p#3, %t#2, %t#3, %o#4, %o#5, %t#4, %t#5, %r#0, %r#1, %t#0, %t#1, %c#2, %c#3
    : !a, !b, !a, !n, !a, !b, !a, !b, !a, !b, !a, !n, !a, !b, !a, !b, !a, !b, tensor<1xf32>, tensor<1xf32>
}
