// Aliases that are asked for and cannot be honoured.
// RUN: gaudi-opt %s --gaudi-alias-buffers -split-input-file -verify-diagnostics

module attributes {gaudi.device = "gaudi2"} {
// expected-error @+1 {{argument 0 has 'gaudi.donated', but result 0 cannot be written to its buffer of 32 bytes without a copy: the old value is read after the new one is computed; let the last reader of the old value come first}}
func.func @later(%c: tensor<2x4xf32> {gaudi.donated, gaudi.state = 0 : i64}, %k: tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = gaudi.insert_slice %k into %c offsets [0, 0] strides [1, 1] {engine = #gaudi.engine<dma>} : tensor<1x4xf32> into tensor<2x4xf32>
  // expected-note @+1 {{'gaudi.tpc.cumulative_sum' reads it}}
  %1 = gaudi.tpc.cumulative_sum %c axis 0 : tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}
}

// -----

module attributes {gaudi.device = "gaudi2"} {
// expected-error @+1 {{argument 0 has 'gaudi.donated', but result 0 cannot be written to its buffer of 32 bytes without a copy: the op that computes the new value reads the old one meanwhile}}
func.func @meanwhile(%c: tensor<2x4xf32> {gaudi.donated, gaudi.state = 0 : i64}) -> tensor<2x4xf32> {
  // expected-note @+1 {{'gaudi.tpc.cumulative_sum' reads it}}
  %0 = gaudi.tpc.cumulative_sum %c axis 0 : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
}

// -----

module attributes {gaudi.device = "gaudi2"} {
// expected-error @+1 {{argument 0 has 'gaudi.donated', but result 0 cannot be written to its buffer of 32 bytes without a copy: the old value becomes that of state 1, and states are exchanged; let the caller exchange their buffers between launches}}
func.func @exchanged(%a: tensor<2x4xf32> {gaudi.donated, gaudi.state = 0 : i64}, %b: tensor<2x4xf32> {gaudi.state = 1 : i64}) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  return %b, %a : tensor<2x4xf32>, tensor<2x4xf32>
}
}

// -----

module attributes {gaudi.device = "gaudi2"} {
// expected-error @+1 {{without a copy: the old value becomes that of state 1, and states are exchanged; let the caller exchange}}
func.func @computed(%a: tensor<2x4xf32> {gaudi.donated, gaudi.state = 0 : i64}, %b: tensor<2x4xf32> {gaudi.state = 1 : i64}) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = gaudi.tpc.cumulative_sum %b axis 0 : tensor<2x4xf32>
  return %0, %a : tensor<2x4xf32>, tensor<2x4xf32>
}
}
