// The command Attention of recipes on each kernel of the runtime, and what
// reports call it. The checks compare with the reference evaluator.

// RUN: gaudi-run %s --entry=blocks --seed-inputs=1 --check --report=text | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: attention:{{.*}} keys at a time, packed

// RUN: gaudi-run %s --entry=decode --seed-inputs=1 --check --report=text | FileCheck %s --check-prefix=DECODE
// DECODE: attention:{{.*}}:thin, keys in 2 parts

// RUN: gaudi-run %s --entry=training --seed-inputs=1 --check --report=text | FileCheck %s --check-prefix=TRAINING
// TRAINING: attention gradient:{{.*}}9 chunks, two passes

// RUN: gaudi-run %s --entry=saved --seed-inputs=1 --check --report=text | FileCheck %s --check-prefix=SAVED
// SAVED: attention:{{.*}}, two passes

// RUN: gaudi-run %s --device=gaudi2 --entry=saved_f8 --seed-inputs=1 --check | FileCheck %s --check-prefix=SAVED-F8
// SAVED-F8: output 'out1': {{.*}} max 96)
// SAVED-F8: output 'out3': f32 = 2
// SAVED-F8: output 'out1' matches the reference: all 16000 elements are equal

// RUN: env GAUDI_MME=portable gaudi-run %s --entry=blocks --seed-inputs=1 --check --report=text | FileCheck %s --check-prefix=PORTABLE
// PORTABLE: attention:portablebf16:12x16:bf16
// RUN: env GAUDI_MME=vector128 gaudi-run %s --entry=blocks --seed-inputs=1 --check --report=text | FileCheck %s --check-prefix=ANY-HOST
// ANY-HOST: attention:vector128:{{.*}}:f32

// RUN: env GAUDI_MME=portable gaudi-run %s --entry=training --seed-inputs=1 --check --report=text | FileCheck %s --check-prefix=GRADIENT
// GRADIENT: attention gradient:portable:14x32:f32

func.func @blocks(%q: tensor<2x50x4x40xbf16>, %k: tensor<2x2x40x70xbf16>, %v: tensor<2x2x70x24xbf16>, %mask: tensor<2x1x1x70xf32>) -> tensor<2x50x4x24xbf16> {
  %o = gaudi.sdpa %q, %k, %v mask %mask scale 0.125 causal {query_layout = "NLHD", key_layout = "NHDL", output_layout = "NLHD"} : (tensor<2x50x4x40xbf16>, tensor<2x2x40x70xbf16>, tensor<2x2x70x24xbf16>, tensor<2x1x1x70xf32>) -> tensor<2x50x4x24xbf16>
  return %o : tensor<2x50x4x24xbf16>
}

func.func @decode(%q: tensor<1x8x1x64xf32>, %k: tensor<1x2x400x64xf32>, %v: tensor<1x2x400x64xf32>) -> tensor<1x8x1x64xf32> {
  %o = gaudi.sdpa %q, %k, %v scale 0.125 : (tensor<1x8x1x64xf32>, tensor<1x2x400x64xf32>, tensor<1x2x400x64xf32>) -> tensor<1x8x1x64xf32>
  return %o : tensor<1x8x1x64xf32>
}

func.func @training(%q: tensor<1x90x32xf32>, %k: tensor<1x2050x32xf32>, %v: tensor<1x2050x48xf32>, %do: tensor<1x90x48xf32>, %seed: tensor<i32>) -> (tensor<1x90x48xf32>, tensor<1x90x32xf32>, tensor<1x2050x32xf32>, tensor<1x2050x48xf32>) {
  %o:4 = gaudi.sdpa %q, %k, %v seed %seed scale 0.125 dropout 0.1 saves <statistics> : (tensor<1x90x32xf32>, tensor<1x2050x32xf32>, tensor<1x2050x48xf32>, tensor<i32>) -> (tensor<1x90x48xf32>, tensor<1x90x1xf32>, tensor<1x90x1xf32>, tensor<1xi32>)
  %g:3 = gaudi.sdpa_grad %do, %q, %k, %v seed %o#3 m %o#1 linv %o#2 scale 0.125 dropout 0.1 : (tensor<1x90x48xf32>, tensor<1x90x32xf32>, tensor<1x2050x32xf32>, tensor<1x2050x48xf32>, tensor<1xi32>, tensor<1x90x1xf32>, tensor<1x90x1xf32>) -> (tensor<1x90x32xf32>, tensor<1x2050x32xf32>, tensor<1x2050x48xf32>)
  return %o#0, %g#0, %g#1, %g#2 : tensor<1x90x48xf32>, tensor<1x90x32xf32>, tensor<1x2050x32xf32>, tensor<1x2050x48xf32>
}

func.func @saved(%q: tensor<2x2x40x16xf32>, %k: tensor<1x2x50x16xf32>, %v: tensor<2x2x50x16xf32>, %do: tensor<2x2x40x16xf32>) -> (tensor<2x2x40x16xf32>, tensor<2x2x40x50xf32>, tensor<2x2x40x16xf32>, tensor<1x2x50x16xf32>, tensor<2x2x50x16xf32>) {
  %o:2 = gaudi.sdpa %q, %k, %v scale 0.25 window 7 saves <probabilities> : (tensor<2x2x40x16xf32>, tensor<1x2x50x16xf32>, tensor<2x2x50x16xf32>) -> (tensor<2x2x40x16xf32>, tensor<2x2x40x50xf32>)
  %g:3 = gaudi.sdpa_grad %do, %q, %k, %v probabilities %o#1 scale 0.25 window 7 : (tensor<2x2x40x16xf32>, tensor<2x2x40x16xf32>, tensor<1x2x50x16xf32>, tensor<2x2x50x16xf32>, tensor<2x2x40x50xf32>) -> (tensor<2x2x40x16xf32>, tensor<1x2x50x16xf32>, tensor<2x2x50x16xf32>)
  return %o#0, %o#1, %g#0, %g#1, %g#2 : tensor<2x2x40x16xf32>, tensor<2x2x40x50xf32>, tensor<2x2x40x16xf32>, tensor<1x2x50x16xf32>, tensor<2x2x50x16xf32>
}

// P of 8-bit floats is saved times q_scale_s, as the second product reads it
// without dropout; amax_s measures it without that scale. Both are rounded once,
// from P: 96 is no power of two, so that rounding P first would show.
func.func @saved_f8(%q: tensor<2x4x40x16xf8E4M3FN>, %k: tensor<2x2x50x16xf8E4M3FN>, %v: tensor<2x2x50x16xf8E4M3FN>, %keep: tensor<2x1x40x50xi8>) -> (tensor<2x4x40x16xbf16>, tensor<2x4x40x50xf8E4M3FN>, tensor<2x4x40x50xi8>, tensor<f32>, tensor<f32>) {
  %q_scale = gaudi.constant dense<96.0> : tensor<f32>
  %d_scale = gaudi.constant dense<0.010416667> : tensor<f32>
  %o:5 = gaudi.sdpa %q, %k, %v dropout_mask %keep q_scale_s %q_scale d_scale_s %d_scale scale 0.25 causal dropout 0.5 saves <probabilities> amax_s amax_o : (tensor<2x4x40x16xf8E4M3FN>, tensor<2x2x50x16xf8E4M3FN>, tensor<2x2x50x16xf8E4M3FN>, tensor<2x1x40x50xi8>, tensor<f32>, tensor<f32>) -> (tensor<2x4x40x16xbf16>, tensor<2x4x40x50xf8E4M3FN>, tensor<2x4x40x50xi8>, tensor<f32>, tensor<f32>)
  return %o#0, %o#1, %o#2, %o#3, %o#4 : tensor<2x4x40x16xbf16>, tensor<2x4x40x50xf8E4M3FN>, tensor<2x4x40x50xi8>, tensor<f32>, tensor<f32>
}
