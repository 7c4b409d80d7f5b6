// Buffers are packed after it is decided which values share one.
// RUN: gaudi-opt %s --gaudi-assign-buffers -split-input-file -verify-diagnostics

module attributes {gaudi.device = "gaudi2"} {
// expected-error @+1 {{'func.func' has no buffers yet; run gaudi-alias-buffers first}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
}

// -----

module attributes {gaudi.device = "gaudi2"} {
func.func @main(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<persistent, 0, [1]>}) -> tensor<4xf32>
    attributes {gaudi.const_bytes = 0 : i64, gaudi.persistent_bytes = 256 : i64} {
  // expected-error @+1 {{'gaudi.tpc.cumulative_sum' has no buffers yet; run gaudi-alias-buffers first}}
  %0 = gaudi.tpc.cumulative_sum %x axis 0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}
