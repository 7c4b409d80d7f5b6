// P of one key is 1: times a scale that is too large it ends at the largest number of the device. Runtime and reference agree on it and on the output.
// RUN: gaudi-run %s --entry=e4m3 --device=gaudi2 --seed-inputs=1 --check "--expect=out1=2x3x1xf8E4M3FN=240 240 240 240 240 240"
// RUN: gaudi-run %s --entry=e4m3 --device=gaudi3 --seed-inputs=1 --check "--expect=out1=2x3x1xf8E4M3FN=448 448 448 448 448 448"
// RUN: gaudi-run %s --entry=e5m2 --device=gaudi2 --seed-inputs=1 --check "--expect=out1=2x3x1xf8E5M2=57344 57344 57344 57344 57344 57344"

func.func @e4m3(%q: tensor<2x3x4xf8E4M3FN>, %k: tensor<2x1x4xf8E4M3FN>, %v: tensor<2x1x4xf8E4M3FN>) -> (tensor<2x3x4xf8E4M3FN>, tensor<2x3x1xf8E4M3FN>) {
  %s = gaudi.constant dense<1.0e+3> : tensor<f32>
  %o:2 = gaudi.sdpa %q, %k, %v q_scale_s %s q_scale_o %s scale 0.5 saves <probabilities> : (tensor<2x3x4xf8E4M3FN>, tensor<2x1x4xf8E4M3FN>, tensor<2x1x4xf8E4M3FN>, tensor<f32>, tensor<f32>) -> (tensor<2x3x4xf8E4M3FN>, tensor<2x3x1xf8E4M3FN>)
  return %o#0, %o#1 : tensor<2x3x4xf8E4M3FN>, tensor<2x3x1xf8E4M3FN>
}

func.func @e5m2(%q: tensor<2x3x4xf8E5M2>, %k: tensor<2x1x4xf8E5M2>, %v: tensor<2x1x4xf8E5M2>) -> (tensor<2x3x4xf8E5M2>, tensor<2x3x1xf8E5M2>) {
  %s = gaudi.constant dense<1.0e+5> : tensor<f32>
  %o:2 = gaudi.sdpa %q, %k, %v q_scale_s %s q_scale_o %s scale 0.5 saves <probabilities> : (tensor<2x3x4xf8E5M2>, tensor<2x1x4xf8E5M2>, tensor<2x1x4xf8E5M2>, tensor<f32>, tensor<f32>) -> (tensor<2x3x4xf8E5M2>, tensor<2x3x1xf8E5M2>)
  return %o#0, %o#1 : tensor<2x3x4xf8E5M2>, tensor<2x3x1xf8E5M2>
}
