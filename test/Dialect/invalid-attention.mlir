// RUN: gaudi-opt %s -split-input-file -verify-diagnostics

func.func @rank(%q: tensor<8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op query 'tensor<8x16xf32>' must have rank 4 (N, H, L, D) or 3 (N, L, D)}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @ranks(%q: tensor<2x4x8x16xf32>, %k: tensor<2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op key has rank 3 but query has rank 4}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @types(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xbf16>) {
  // expected-error @+1 {{'gaudi.sdpa' op value has element type 'bf16' but query has 'f32'}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xbf16>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @layout(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op key_layout "NHSD" must name each of "NHLD" once}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 {key_layout = "NHSD"} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @layout_of_rank_3(%q: tensor<2x8x16xf32>, %k: tensor<2x6x16xf32>, %v: tensor<2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op output_layout "NHLD" must name each of "NLD" once}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 {output_layout = "NHLD"} : (tensor<2x8x16xf32>, tensor<2x6x16xf32>, tensor<2x6x8xf32>) -> tensor<2x8x8xf32>
  return
}

// -----

// expected-note @+1 {{key defined here}}
func.func @empty(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x0x16xf32>, %v: tensor<2x2x0x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op key has type 'tensor<2x2x0x16xf32>'; expected one element or more in each dimension}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x0x16xf32>, tensor<2x2x0x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @depth(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op key has 8 elements per head but query has 16}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{key defined here}}
func.func @keys(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x5x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op value has 5 keys but key has 6}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x5x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{key defined here}}
func.func @heads(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x4x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op value has 4 heads but key has 2}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{key defined here}}
func.func @groups(%q: tensor<2x4x8x16xf32>, %k: tensor<2x3x6x16xf32>, %v: tensor<2x3x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op query has 4 heads, which the 3 heads of key do not divide}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x3x6x16xf32>, tensor<2x3x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @batch(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<3x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op value has batch 3; expected 1 or the 2 of query}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<3x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @scale(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op scale is INF; expected a number}}
  %0 = gaudi.sdpa %q, %k, %v scale 0x7F800000 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @window(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op window is 0; expected 1 or more}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 window 0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{mask defined here}}
func.func @mask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x1x6x8xi1>) {
  // expected-error @+1 {{'gaudi.sdpa' op mask has type 'tensor<2x1x6x8xi1>'; expected [2, 4, 8, 6], or 1 in its place}}
  %0 = gaudi.sdpa %q, %k, %v mask %m scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x1x6x8xi1>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{mask defined here}}
func.func @mask_rank(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<8x6xi1>) {
  // expected-error @+1 {{'gaudi.sdpa' op mask has type 'tensor<8x6xi1>'; expected [2, 4, 8, 6], or 1 in its place}}
  %0 = gaudi.sdpa %q, %k, %v mask %m scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<8x6xi1>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @mask_value(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x1x8x6xi1>) {
  // expected-error @+1 {{'gaudi.sdpa' op mask_value is nan; expected a number or -infinity}}
  %0 = gaudi.sdpa %q, %k, %v mask %m scale 1.0 {mask_value = 0x7FC00000 : f32} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x1x8x6xi1>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{mask defined here}}
func.func @value_of_added_mask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x1x8x6xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op has mask_value -1.000000e+09, which needs a mask of i1}}
  %0 = gaudi.sdpa %q, %k, %v mask %m scale 1.0 {mask_value = -1.0e9 : f32} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x1x8x6xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @value_without_mask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op has mask_value -1.000000e+09, which needs a mask of i1}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 {mask_value = -1.0e9 : f32} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @lengths(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %n: tensor<6xi32>) {
  // expected-error @+1 {{'gaudi.sdpa' op valid_lengths has type 'tensor<6xi32>'; expected [2], a length for each image of query}}
  %0 = gaudi.sdpa %q, %k, %v lengths %n scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<6xi32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @dropout(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op dropout is 1.000000e+00; expected 0 or more, below 1}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 dropout 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{dropout_mask defined here}}
func.func @dropout_mask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x4x8x8xi1>) {
  // expected-error @+1 {{'gaudi.sdpa' op dropout_mask has type 'tensor<2x4x8x8xi1>'; expected [2, 4, 8, 6], or 1 in its place}}
  %0 = gaudi.sdpa %q, %k, %v dropout_mask %m scale 1.0 dropout 0.5 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x4x8x8xi1>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{seed defined here}}
func.func @seed(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{'gaudi.sdpa' op seed has type 'tensor<2xi32>'; expected one element}}
  %0 = gaudi.sdpa %q, %k, %v seed %s scale 1.0 dropout 0.5 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2xi32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{seed defined here}}
func.func @seed_and_mask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x4x8x6xi1>, %s: tensor<1xi32>) {
  // expected-error @+1 {{'gaudi.sdpa' op has a dropout_mask and a seed; expected one of them}}
  %0 = gaudi.sdpa %q, %k, %v dropout_mask %m seed %s scale 1.0 dropout 0.5 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x4x8x6xi1>, tensor<1xi32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @no_seed(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op has dropout 5.000000e-01 but neither a dropout_mask nor a seed}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 dropout 0.5 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{seed defined here}}
func.func @no_dropout(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %s: tensor<1xi32>) {
  // expected-error @+1 {{'gaudi.sdpa' op has a seed but no dropout}}
  %0 = gaudi.sdpa %q, %k, %v seed %s scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<1xi32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @slice(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op slice is [64]; expected two entries of 1 or more, the queries and the keys}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 {slice = array<i64: 64>} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @wide_scale(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{'gaudi.sdpa' op has d_scale_k but query has element type 'f32'; only f8 operands have scales}}
  %0 = gaudi.sdpa %q, %k, %v d_scale_k %s scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{q_scale_o defined here}}
func.func @scales(%q: tensor<2x4x8x16xf8E4M3FN>, %k: tensor<2x2x6x16xf8E4M3FN>, %v: tensor<2x2x6x8xf8E4M3FN>, %s: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op q_scale_o has type 'tensor<4xf32>'; expected one element}}
  %0 = gaudi.sdpa %q, %k, %v q_scale_o %s scale 1.0 : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>, tensor<2x2x6x8xf8E4M3FN>, tensor<4xf32>) -> tensor<2x4x8x8xf8E4M3FN>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @wide_amax(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op has amax_o but query has element type 'f32'; only attention of f8 measures magnitudes}}
  %0:2 = gaudi.sdpa %q, %k, %v scale 1.0 amax_o : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> (tensor<2x4x8x8xf32>, tensor<f32>)
  return
}

// -----

func.func @results(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op has 1 results; expected 3 of 'tensor<2x4x8x8xf32>', 'tensor<2x4x8x1xf32>', 'tensor<2x4x8x1xf32>'}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 saves <statistics> : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @output(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa' op result 0 has type 'tensor<2x4x8x8xf32>'; expected 'tensor<2x8x4x8xf32>'}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 {output_layout = "NLHD"} : (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @f8_output(%q: tensor<2x4x8x16xf8E4M3FN>, %k: tensor<2x2x6x16xf8E4M3FN>, %v: tensor<2x2x6x8xf8E4M3FN>) {
  // expected-error @+1 {{'gaudi.sdpa' op result 0 has type 'tensor<2x4x8x8xf8E4M3FN>'; expected 'tensor<2x4x8x8xbf16>'}}
  %0 = gaudi.sdpa %q, %k, %v scale 1.0 : (tensor<2x4x8x16xf8E4M3FN>, tensor<2x2x6x16xf8E4M3FN>, tensor<2x2x6x8xf8E4M3FN>) -> tensor<2x4x8x8xf8E4M3FN>
  return
}

// -----

func.func @grad_window(%do: tensor<2x4x8x8xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x4x8x1xf32>, %l: tensor<2x4x8x1xf32>) {
  // expected-error @+1 {{'gaudi.sdpa_grad' op window is -1; expected 1 or more}}
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v m %m linv %l scale 1.0 window -1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>)
  return
}

// -----

// expected-note @+1 {{m defined here}}
func.func @grad_linv(%do: tensor<2x4x8x8xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x4x8x1xf32>) {
  // expected-error @+1 {{'gaudi.sdpa_grad' op has m but no linv}}
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v m %m scale 1.0 : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x4x8x1xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>)
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @grad_nothing_saved(%do: tensor<2x4x8x8xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>) {
  // expected-error @+1 {{'gaudi.sdpa_grad' op has neither m and linv nor probabilities; expected one of the two}}
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v scale 1.0 : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>)
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @grad_all_saved(%do: tensor<2x4x8x8xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x4x8x1xf32>, %l: tensor<2x4x8x1xf32>, %p: tensor<2x4x8x6xf32>) {
  // expected-error @+1 {{'gaudi.sdpa_grad' op has both m and linv and probabilities; expected one of the two}}
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v m %m linv %l probabilities %p scale 1.0 : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x6xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>)
  return
}

// -----

// expected-note @+1 {{mask defined here}}
func.func @grad_mask(%do: tensor<2x4x8x8xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %x: tensor<2x4x8x6xf32>, %p: tensor<2x4x8x6xf32>) {
  // expected-error @+1 {{'gaudi.sdpa_grad' op has a mask of floats beside probabilities, which hold it}}
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v mask %x probabilities %p scale 1.0 : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x4x8x6xf32>, tensor<2x4x8x6xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>)
  return
}

// -----

// expected-note @+1 {{valid_lengths defined here}}
func.func @grad_lengths(%do: tensor<2x4x8x8xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %n: tensor<2xi32>, %p: tensor<2x4x8x6xf32>) {
  // expected-error @+1 {{'gaudi.sdpa_grad' op has valid_lengths beside probabilities, which hold them}}
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v lengths %n probabilities %p scale 1.0 : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2xi32>, tensor<2x4x8x6xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>)
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @grad_of_output(%do: tensor<2x4x8x16xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x4x8x1xf32>, %l: tensor<2x4x8x1xf32>) {
  // expected-error @+1 {{'gaudi.sdpa_grad' op output_grad has type 'tensor<2x4x8x16xf32>'; expected 'tensor<2x4x8x8xf32>'}}
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v m %m linv %l scale 1.0 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>)
  return
}

// -----

// expected-note @+1 {{query defined here}}
func.func @grad_m(%do: tensor<2x4x8x8xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x4x8x6xf32>, %l: tensor<2x4x8x1xf32>) {
  // expected-error @+1 {{'gaudi.sdpa_grad' op m has type 'tensor<2x4x8x6xf32>'; expected 'tensor<2x4x8x1xf32>'}}
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v m %m linv %l scale 1.0 : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x4x8x6xf32>, tensor<2x4x8x1xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>)
  return
}

// -----

// expected-note @+1 {{key defined here}}
func.func @grad_result(%do: tensor<2x4x8x8xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x2x6x16xf32>, %v: tensor<2x2x6x8xf32>, %m: tensor<2x4x8x1xf32>, %l: tensor<2x4x8x1xf32>) {
  // expected-error @+1 {{'gaudi.sdpa_grad' op gradient of key has type 'tensor<2x4x8x16xf32>'; expected 'tensor<2x2x6x16xf32>', or the same of f32}}
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v m %m linv %l scale 1.0 : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x16xf32>, tensor<2x2x6x8xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x2x6x8xf32>)
  return
}
