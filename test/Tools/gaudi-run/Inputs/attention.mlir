// Causal attention and its gradient.
func.func @main(%q: tensor<2x16x512x64xbf16>, %k: tensor<2x16x512x64xbf16>, %v: tensor<2x16x512x64xbf16>, %do: tensor<2x16x512x64xbf16>) -> (tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>) {
  %o, %m, %linv = gaudi.sdpa %q, %k, %v scale 0.125 causal saves <statistics> : (tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>) -> (tensor<2x16x512x64xbf16>, tensor<2x16x512x1xbf16>, tensor<2x16x512x1xf32>)
  %dq, %dk, %dv = gaudi.sdpa_grad %do, %q, %k, %v output %o m %m linv %linv scale 0.125 causal
      : (tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x1xbf16>, tensor<2x16x512x1xf32>)
      -> (tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>)
  return %o, %dq, %dk, %dv : tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>, tensor<2x16x512x64xbf16>
}
