// RUN: gaudi-opt %s -split-input-file -verify-diagnostics
func.func @mask_extents(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'gaudi.tpc.mask' op names 2 dimensions but has 1 extents}}
  %0 = gaudi.tpc.mask %x dims [0, 1] extents (%n) value 0.0 : f32 : tensor<4x8xf32>, tensor<i32>
  return %0 : tensor<4x8xf32>
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @mask_dim(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'gaudi.tpc.mask' op axis 2 is outside [0, 2) of 'tensor<4x8xf32>'}}
  %0 = gaudi.tpc.mask %x dims [2] extents (%n) value 0.0 : f32 : tensor<4x8xf32>, tensor<i32>
  return %0 : tensor<4x8xf32>
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @mask_value(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'gaudi.tpc.mask' op value has type 'i32' but the operand has element type 'f32'}}
  %0 = gaudi.tpc.mask %x dims [0] extents (%n) value 0 : i32 : tensor<4x8xf32>, tensor<i32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @mask_divisors(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'gaudi.tpc.mask' op has 2 divisors for 1 dimensions}}
  %0 = gaudi.tpc.mask %x dims [0] divisors [1, 2] extents (%n) value 0.0 : f32 : tensor<4x8xf32>, tensor<i32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @mask_moduli(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'gaudi.tpc.mask' op has 0 among its moduli; expected 1 or more}}
  %0 = gaudi.tpc.mask %x dims [0] moduli [0] extents (%n) value 0.0 : f32 : tensor<4x8xf32>, tensor<i32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @valid_twice(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'gaudi.valid' op names dimension 1 twice}}
  %0 = gaudi.valid %x dims [1, 1] extents (%n, %n) : tensor<4x8xf32>, tensor<i32>, tensor<i32>
  return %0 : tensor<4x8xf32>
}
