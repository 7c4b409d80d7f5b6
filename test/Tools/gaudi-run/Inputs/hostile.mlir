// Names and locations that would break out of a page or a trace.
func.func @"</script><img src=x onerror=hit()>"(
    %a: tensor<64x64xf32> {gaudi.name = "</script><script>window.hit = 1</script>"},
    %b: tensor<64x64xf32> {gaudi.name = "b\22}]<!--"}) -> tensor<64x64xf32> {
  %0 = "tosa.add"(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("</ScRiPt><script>window.hit = 2</script>")
  %1 = "tosa.exp"(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32> loc("bytes \FF\FE\C3 \22quotes\22 'and' \\ \E2\80\A8 <b onmouseover=hit()>":3:5)
  %2 = "tosa.transpose"(%1) <{perms = array<i32: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32> loc("${window.hit = 3}"("<svg onload=hit()>.mlir":7:1))
  return %2 : tensor<64x64xf32>
}
