// RUN: gaudi-opt %s -split-input-file -verify-diagnostics
// expected-note @+1 {{gradient defined here}}
func.func @pool_grad_operand(%dy: tensor<1x2x1xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op kind max needs the operand of the pooling}}
  %0 = gaudi.tpc.pool_grad <max> %dy layout "NWC" kernel [2] strides [2] pad [0], [0]
         : tensor<1x2x1xf32> -> tensor<1x4x1xf32>
  return
}

// -----

// expected-note @+1 {{gradient defined here}}
func.func @pool_grad_sum_operand(%dy: tensor<1x2x1xf32>, %x: tensor<1x4x1xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op kind sum does not read the operand of the pooling}}
  %0 = gaudi.tpc.pool_grad <sum> %dy of %x layout "NWC" kernel [2] strides [2] pad [0], [0]
         : tensor<1x2x1xf32>, tensor<1x4x1xf32> -> tensor<1x4x1xf32>
  return
}

// -----

func.func @pool_grad_avg(%dy: tensor<1x2x1xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op kind avg has no gradient of its own; divide the gradient by the number of elements of each window and use kind sum}}
  %0 = gaudi.tpc.pool_grad <avg> %dy layout "NWC" kernel [2] strides [2] pad [0], [0]
         : tensor<1x2x1xf32> -> tensor<1x4x1xf32>
  return
}

// -----

func.func @pool_grad_select(%dy: tensor<1x2x1xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op kind sum selects nothing, so select_padding has no meaning}}
  %0 = gaudi.tpc.pool_grad <sum> %dy layout "NWC" kernel [2] strides [2] pad [0], [0] select_padding
         : tensor<1x2x1xf32> -> tensor<1x4x1xf32>
  return
}

// -----

// expected-note @+1 {{gradient defined here}}
func.func @pool_grad_element(%dy: tensor<1x2x1xbf16>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op gradient has element type 'bf16' but the result has 'f32'}}
  %0 = gaudi.tpc.pool_grad <sum> %dy layout "NWC" kernel [2] strides [2] pad [0], [0]
         : tensor<1x2x1xbf16> -> tensor<1x4x1xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pool_grad_type(%dy: tensor<1x2x1xf32>, %x: tensor<1x5x1xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op operand has type 'tensor<1x5x1xf32>' but the result has 'tensor<1x4x1xf32>'}}
  %0 = gaudi.tpc.pool_grad <max> %dy of %x layout "NWC" kernel [2] strides [2] pad [0], [0]
         : tensor<1x2x1xf32>, tensor<1x5x1xf32> -> tensor<1x4x1xf32>
  return
}

// -----

// expected-note @+1 {{gradient defined here}}
func.func @pool_grad_size(%dy: tensor<1x2x3xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op size of C is 1 in the result but 3 in the gradient}}
  %0 = gaudi.tpc.pool_grad <sum> %dy layout "NWC" kernel [2] strides [2] pad [0], [0]
         : tensor<1x2x3xf32> -> tensor<1x4x1xf32>
  return
}

// -----

// expected-note @+1 {{gradient defined here}}
func.func @pool_grad_reach(%dy: tensor<1x3x1xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op window of W reaches 6 but the padded result has 5 elements}}
  %0 = gaudi.tpc.pool_grad <sum> %dy layout "NWC" kernel [2] strides [2] pad [0], [1]
         : tensor<1x3x1xf32> -> tensor<1x4x1xf32>
  return
}

// -----

// expected-note @+1 {{gradient defined here}}
func.func @pool_grad_elements(%dy: tensor<1x1x1x1xf32>, %x: tensor<1x9x9x1xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op selects one of 81 elements of a window; at most 64 are unrolled}}
  %0 = gaudi.tpc.pool_grad <max> %dy of %x layout "NHWC" kernel [9, 9] strides [9, 9] pad [0, 0], [0, 0]
         : tensor<1x1x1x1xf32>, tensor<1x9x9x1xf32> -> tensor<1x9x9x1xf32>
  return
}

// -----

// expected-note @+1 {{gradient defined here}}
func.func @pool_grad_windows(%dy: tensor<1x1x1x1xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op adds up to 81 windows around an element; at most 64 are unrolled}}
  %0 = gaudi.tpc.pool_grad <sum> %dy layout "NHWC" kernel [9, 9] strides [1, 1] pad [0, 0], [0, 0]
         : tensor<1x1x1x1xf32> -> tensor<1x9x9x1xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @rows_type(%x: tensor<1x8x4xi1>, %i: tensor<1x2xi32>, %u: tensor<1x2x4xi1>) {
  // expected-error @+1 {{'gaudi.tpc.scatter_rows' op adds numbers but the data has type 'tensor<1x8x4xi1>'}}
  %0 = gaudi.tpc.scatter_rows %x, %i, %u accumulate : tensor<1x8x4xi1>, tensor<1x2xi32>, tensor<1x2x4xi1> -> tensor<1x8x4xi1>
  return
}

// -----

// expected-note @+1 {{indices defined here}}
func.func @rows_shape(%x: tensor<1x8x4xf32>, %i: tensor<1x2xi32>, %u: tensor<1x3x4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.scatter_rows' op updates has type 'tensor<1x3x4xf32>'; expected shape [1, 2, 4]}}
  %0 = gaudi.tpc.scatter_rows %x, %i, %u accumulate : tensor<1x8x4xf32>, tensor<1x2xi32>, tensor<1x3x4xf32> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{gradient defined here}}
func.func @pool_grad_codes(%dy: tensor<1x3x1xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op has 100000 positions in the windows around a block of its strides; at most 65536 are supported}}
  %0 = gaudi.tpc.pool_grad <sum> %dy layout "NWC" kernel [2] strides [100000] pad [0], [200000]
         : tensor<1x3x1xf32> -> tensor<1x4x1xf32>
  return
}
