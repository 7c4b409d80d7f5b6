// A pass of its own sees tensors that the pipeline would have rejected.
// RUN: gaudi-opt %s --gaudi-expand-kernels -split-input-file -verify-diagnostics

// Every op that has no kernel is listed.
func.func @rank_eleven(%x: tensor<1x1x1x1x1x1x1x1x1x1x2xf32>) {
  // expected-error @+1 {{'gaudi.tpc.exp' op has rank 11; a TPC kernel has at most 10 dimensions}}
  %0 = gaudi.tpc.exp %x : tensor<1x1x1x1x1x1x1x1x1x1x2xf32>
  // expected-error @+1 {{'gaudi.tpc.reverse' op has rank 11; a TPC kernel has at most 10 dimensions}}
  %1 = gaudi.tpc.reverse %x dims [10] : tensor<1x1x1x1x1x1x1x1x1x1x2xf32>
  return
}

// -----

func.func @alternating(%x: tensor<2x2x2x2x2x2x2x2x2x2x2xf32>) {
  // expected-error @+1 {{'gaudi.tpc.reduce' op keeps 6 and reduces 5 dimensions; a TPC kernel has at most 5 parallel and 10 dimensions}}
  %0 = gaudi.tpc.reduce <sum> %x dims [1, 3, 5, 7, 9] : tensor<2x2x2x2x2x2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xf32>
  return
}

// -----

// Every index is outside.
// expected-note @+1 {{the tensor is defined here}}
func.func @gather_from_nothing(%x: tensor<0x4xf32>, %i: tensor<3xi64>) -> tensor<3x4xf32> {
  // expected-error @+1 {{'gaudi.kernel.load' op reads 'tensor<0x4xf32>', which has no elements}}
  %0 = gaudi.tpc.gather %x, %i axis 0 batch_dims 0 : tensor<0x4xf32>, tensor<3xi64> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
