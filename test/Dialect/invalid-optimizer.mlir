// RUN: gaudi-opt %s --split-input-file --verify-diagnostics

// expected-note @+1 {{parameters defined here}}
func.func @counts(%g: tensor<8xf32>, %w: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_sgd' op has 1 parameters but 2 gradients; give one per parameter}}
  %0 = gaudi.fused_sgd gradients(%g, %g) parameters(%w) lr %s
         : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @none(%s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_sgd' op parameters are empty; give at least one}}
  "gaudi.fused_sgd"(%s) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> : (tensor<f32>) -> ()
  return
}

// -----

// expected-note @+1 {{parameters defined here}}
func.func @shape(%g: tensor<2x4xf32>, %w: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_sgd' op gradients[0] has type 'tensor<2x4xf32>' but parameters[0] has 'tensor<8xf32>'; their shapes must agree}}
  %0 = gaudi.fused_sgd gradients(%g) parameters(%w) lr %s
         : (tensor<2x4xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

// expected-note @+1 {{parameters defined here}}
func.func @type(%g: tensor<8xf32>, %w: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_sgd' op result 0 has type 'tensor<8xbf16>' but replaces parameters[0] of type 'tensor<8xf32>'}}
  %0 = gaudi.fused_sgd gradients(%g) parameters(%w) lr %s
         : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xbf16>
  return
}

// -----

// expected-note @+1 {{parameters defined here}}
func.func @results(%g: tensor<8xf32>, %w: tensor<8xf32>, %b: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_sgd' op has 1 results for 1 parameters; expected 2 for each}}
  %0 = gaudi.fused_sgd gradients(%g) parameters(%w) momentum_buffers(%b) lr %s
         : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

// expected-note @+1 {{parameters defined here}}
func.func @nesterov(%g: tensor<8xf32>, %w: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_sgd' op nesterov has no meaning without momentum_buffers; give one per parameter}}
  %0 = gaudi.fused_sgd gradients(%g) parameters(%w) lr %s nesterov
         : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @dampening(%g: tensor<8xf32>, %w: tensor<8xf32>, %b: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_sgd' op dampening is INF; expected a number}}
  %0:2 = gaudi.fused_sgd gradients(%g) parameters(%w) momentum_buffers(%b) lr %s {dampening = 0x7FF0000000000000 : f64}
         : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// expected-note @+1 {{lr defined here}}
func.func @scalar(%g: tensor<8xf32>, %w: tensor<8xf32>, %s: tensor<2xf32>) {
  // expected-error @+1 {{'gaudi.fused_sgd' op lr has type 'tensor<2xf32>'; expected one element}}
  %0 = gaudi.fused_sgd gradients(%g) parameters(%w) lr %s
         : (tensor<8xf32>, tensor<8xf32>, tensor<2xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @beta(%g: tensor<8xf32>, %w: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_adamw' op beta2 is 1.000000e+00; expected a number in [0, 1)}}
  %0:3 = gaudi.fused_adamw gradients(%g) parameters(%w) exp_avgs(%m) exp_avg_sqs(%v) step_size %s eps %s decay %s
         {beta1 = 0.9 : f64, beta2 = 1.0 : f64}
         : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>, tensor<f32>)
         -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @l2(%g: tensor<8xf32>, %w: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_adamw' op l2 is -1.000000e+00; expected a finite number of at least 0}}
  %0:3 = gaudi.fused_adamw gradients(%g) parameters(%w) exp_avgs(%m) exp_avg_sqs(%v) step_size %s eps %s decay %s
         {beta1 = 0.9 : f64, beta2 = 0.99 : f64, l2 = -1.0 : f64}
         : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>, tensor<f32>)
         -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// expected-note @+1 {{parameters defined here}}
func.func @adamw_results(%g: tensor<8xf32>, %w: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_adamw' op has 6 results for 1 parameters; expected 3 for each}}
  %0:6 = gaudi.fused_adamw gradients(%g) parameters(%w) exp_avgs(%m) exp_avg_sqs(%v) step_size %s eps %s decay %s
         {beta1 = 0.9 : f64, beta2 = 0.99 : f64}
         : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>, tensor<f32>)
         -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// expected-note @+1 {{gradients defined here}}
func.func @clipped(%g: tensor<8xf32>, %n: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_clip_norm' op has 0 clipped gradients for 1 gradients; expected one for each}}
  %0:2 = gaudi.fused_clip_norm gradients(%g) max_norm %n {eps = 1.0e-6 : f64}
         : (tensor<8xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

// expected-note @+1 {{max_norm defined here}}
func.func @norm(%g: tensor<8xf32>, %n: tensor<f32>) {
  // expected-error @+1 {{'gaudi.fused_clip_norm' op scale has type 'tensor<1xf32>' but max_norm has 'tensor<f32>'}}
  %0:3 = gaudi.fused_clip_norm gradients(%g) max_norm %n {eps = 1.0e-6 : f64}
         : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>, tensor<1xf32>)
  return
}
