// RUN: gaudi-opt %s --gaudi-place-ops="device=gaudi" -split-input-file -verify-diagnostics
// RUN: gaudi-opt %s --gaudi-place-ops="device=gaudi2" -split-input-file -o /dev/null

// Every op with a type that the device lacks is listed.
// expected-note @+1 {{operand defined here}}
func.func @half(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>) {
  // expected-error @+1 {{'gaudi.mme.gemm' op uses 'f16', which the matrix engine of gaudi does not have; cast to bf16 or f32}}
  %0 = gaudi.mme.gemm %a, %b : tensor<4x8xf16>, tensor<8x4xf16> -> tensor<4x4xf32>
  // expected-error @+1 {{'gaudi.tpc.exp' op uses 'f16', which tensors of gaudi do not have; cast to bf16 or f32}}
  %1 = gaudi.tpc.exp %a : tensor<4x8xf16>
  // expected-error @+1 {{'gaudi.transpose' op uses 'f16', which tensors of gaudi do not have; cast to bf16 or f32}}
  %2 = gaudi.transpose %a permutation [1, 0] : tensor<4x8xf16> -> tensor<8x4xf16>
  return
}

// -----

func.func @result(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.cast' op uses 'f8E5M2', which tensors of gaudi do not have; cast to bf16 or f32}}
  %0 = gaudi.tpc.cast %a : tensor<4x8xf32> -> tensor<4x8xf8E5M2>
  return
}

// -----

// Masks and lengths are no numbers of the matrix engine.
// expected-note @+1 {{operand defined here}}
func.func @attention(%q: tensor<1x2x4x8xf8E4M3FN>, %m: tensor<1x1x1x4xi1>, %n: tensor<1xi32>) {
  // expected-error @+1 {{'gaudi.sdpa' op uses 'f8E4M3FN', which the matrix engine of gaudi does not have; cast to bf16 or f32}}
  %0 = gaudi.sdpa %q, %q, %q mask %m lengths %n scale 1.0 : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x4x8xf8E4M3FN>, tensor<1x1x1x4xi1>, tensor<1xi32>) -> tensor<1x2x4x8xbf16>
  return
}
