// Updates that follow matrix products tile by tile: a' = a - x y writes over a
// state that no product reads, b' = b - b y over one that the product before it
// reads.
func.func @main(%a: tensor<256x256xf32> {gaudi.state = 0 : i64}, %b: tensor<256x256xf32> {gaudi.state = 1 : i64},
                %x: tensor<256x256xf32>, %y: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {
  %p = gaudi.mme.gemm %x, %y : tensor<256x256xf32>, tensor<256x256xf32> -> tensor<256x256xf32>
  %0 = gaudi.tpc.sub %a, %p : tensor<256x256xf32>, tensor<256x256xf32> -> tensor<256x256xf32>
  %q = gaudi.mme.gemm %b, %y : tensor<256x256xf32>, tensor<256x256xf32> -> tensor<256x256xf32>
  %1 = gaudi.tpc.sub %b, %q : tensor<256x256xf32>, tensor<256x256xf32> -> tensor<256x256xf32>
  return %0, %1 : tensor<256x256xf32>, tensor<256x256xf32>
}
