// Attention as commands: every optional tensor and field, and the head split,
// the key's transpose and the head merge, which cost nothing.
// RUN: gaudi-opt %s --gaudi-compile --gaudi-emit-recipe="output=%t.recipe" -o /dev/null
// RUN: gaudi-run --dump %t.recipe | FileCheck %s
// RUN: gaudi-opt %s --gaudi-compile="check-numerics" -o /dev/null

// CHECK: recipe 1.5 target "gaudi2"

// CHECK-LABEL: entry "inference"
// CHECK-NEXT: #0 mme "sdpa" attention with [mask] q "NLHD" k "NLHD" v "NLHD" o "NLHD" scale 0.25 causal (%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}) -> (%{{[0-9]+}}) flops 18432
// CHECK-NEXT: }
func.func @inference(%q: tensor<2x6x64xf32>, %k: tensor<2x6x64xf32>, %v: tensor<2x6x64xf32>,
                     %mask: tensor<2x1x1x6xi1>) -> tensor<2x6x64xf32> {
  %q4 = gaudi.reshape %q : tensor<2x6x64xf32> -> tensor<2x6x4x16xf32>
  %k4 = gaudi.reshape %k : tensor<2x6x64xf32> -> tensor<2x6x4x16xf32>
  %v4 = gaudi.reshape %v : tensor<2x6x64xf32> -> tensor<2x6x4x16xf32>
  %qh = gaudi.transpose %q4 permutation [0, 2, 1, 3] : tensor<2x6x4x16xf32> -> tensor<2x4x6x16xf32>
  %kt = gaudi.transpose %k4 permutation [0, 2, 3, 1] : tensor<2x6x4x16xf32> -> tensor<2x4x16x6xf32>
  %vh = gaudi.transpose %v4 permutation [0, 2, 1, 3] : tensor<2x6x4x16xf32> -> tensor<2x4x6x16xf32>
  %o = gaudi.sdpa %qh, %kt, %vh mask %mask scale 0.25 causal {key_layout = "NHDL"}
      : (tensor<2x4x6x16xf32>, tensor<2x4x16x6xf32>, tensor<2x4x6x16xf32>, tensor<2x1x1x6xi1>) -> tensor<2x4x6x16xf32>
  %ot = gaudi.transpose %o permutation [0, 2, 1, 3] : tensor<2x4x6x16xf32> -> tensor<2x6x4x16xf32>
  %merged = gaudi.reshape %ot : tensor<2x6x4x16xf32> -> tensor<2x6x64xf32>
  return %merged : tensor<2x6x64xf32>
}

// CHECK-LABEL: entry "training"
// CHECK-NEXT: attention with [mask, valid_lengths, seed] makes [m, linv, seed] q "NHLD" k "NHLD" v "NHLD" o "NHLD" scale 0.5 mask_value -1e+09 dropout 0.25 window 3 padding_left softmax_mode fast slice [4, 2]
// CHECK-NEXT: attention_grad with [output, mask, valid_lengths, seed, m, linv] q "NHLD" k "NHLD" v "NHLD" o "NHLD" scale 0.5 mask_value -1e+09 dropout 0.25 window 3 padding_left (
func.func @training(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x4xf32>, %mask: tensor<1x1x5x6xi1>,
                    %n: tensor<2xi32>, %seed: tensor<1xi32>, %do: tensor<2x4x5x4xf32>)
    -> (tensor<2x4x5x4xf32>, tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x4xf32>) {
  %o:4 = gaudi.sdpa %q, %k, %v mask %mask lengths %n seed %seed scale 0.5 window 3 padding <left> dropout 0.25
           softmax_mode <fast> saves <statistics> {mask_value = -1.0e9 : f32, slice = array<i64: 4, 2>}
      : (tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x4xf32>, tensor<1x1x5x6xi1>, tensor<2xi32>, tensor<1xi32>)
      -> (tensor<2x4x5x4xf32>, tensor<2x4x5x1xf32>, tensor<2x4x5x1xf32>, tensor<1xi32>)
  %g:3 = gaudi.sdpa_grad %do, %q, %k, %v output %o#0 mask %mask lengths %n seed %o#3 m %o#1 linv %o#2
           scale 0.5 window 3 padding <left> dropout 0.25 {mask_value = -1.0e9 : f32}
      : (tensor<2x4x5x4xf32>, tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x4xf32>, tensor<2x4x5x4xf32>,
         tensor<1x1x5x6xi1>, tensor<2xi32>, tensor<1xi32>, tensor<2x4x5x1xf32>, tensor<2x4x5x1xf32>)
      -> (tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x4xf32>)
  return %o#0, %g#0, %g#1, %g#2 : tensor<2x4x5x4xf32>, tensor<2x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x4xf32>
}

// CHECK-LABEL: entry "probabilities"
// CHECK-NEXT: attention with [dropout_mask] makes [probabilities, kept] q "NLD" k "NLD" v "NLD" o "NLD" scale 0.5 dropout 0.5
// CHECK-NEXT: attention_grad with [dropout_mask, probabilities] q "NLD" k "NLD" v "NLD" o "NLD" scale 0.5 dropout 0.5 (
func.func @probabilities(%q: tensor<2x3x4xbf16>, %dm: tensor<2x3x3xi8>, %do: tensor<2x3x4xbf16>)
    -> (tensor<2x3x4xf32>, tensor<2x3x4xbf16>, tensor<2x3x4xbf16>) {
  %o:3 = gaudi.sdpa %q, %q, %q dropout_mask %dm scale 0.5 dropout 0.5 saves <probabilities>
      : (tensor<2x3x4xbf16>, tensor<2x3x4xbf16>, tensor<2x3x4xbf16>, tensor<2x3x3xi8>)
      -> (tensor<2x3x4xbf16>, tensor<2x3x3xbf16>, tensor<2x3x3xi8>)
  %g:3 = gaudi.sdpa_grad %do, %q, %q, %q dropout_mask %o#2 probabilities %o#1 scale 0.5 dropout 0.5
      : (tensor<2x3x4xbf16>, tensor<2x3x4xbf16>, tensor<2x3x4xbf16>, tensor<2x3x4xbf16>, tensor<2x3x3xi8>, tensor<2x3x3xbf16>)
      -> (tensor<2x3x4xf32>, tensor<2x3x4xbf16>, tensor<2x3x4xbf16>)
  return %g#0, %g#1, %g#2 : tensor<2x3x4xf32>, tensor<2x3x4xbf16>, tensor<2x3x4xbf16>
}

// CHECK-LABEL: entry "eight_bits"
// CHECK-NEXT: attention with [d_scale_q, d_scale_k, d_scale_v, q_scale_s, q_scale_o, d_scale_s] makes [amax_s, amax_o] q "NHLD" k "NHLD" v "NHLD" o "NHLD" scale 1.0 (
func.func @eight_bits(%q: tensor<1x2x4x8xf8E4M3FN>, %a: tensor<f32>, %b: tensor<1xf32>)
    -> (tensor<1x2x4x8xf8E4M3FN>, tensor<f32>, tensor<f32>) {
  %o:3 = gaudi.sdpa %q, %q, %q d_scale_q %a d_scale_k %a d_scale_v %a q_scale_s %b q_scale_o %b d_scale_s %a scale 1.0
           amax_s amax_o
      : (tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x4x8xf8E4M3FN>, tensor<1x2x4x8xf8E4M3FN>, tensor<f32>, tensor<f32>, tensor<f32>,
         tensor<1xf32>, tensor<1xf32>, tensor<f32>) -> (tensor<1x2x4x8xf8E4M3FN>, tensor<f32>, tensor<f32>)
  return %o#0, %o#1, %o#2 : tensor<1x2x4x8xf8E4M3FN>, tensor<f32>, tensor<f32>
}
