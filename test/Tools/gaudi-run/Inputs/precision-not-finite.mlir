func.func @main(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>) -> (tensor<4x8xf32> {gaudi.name = "zero"}, tensor<4x8xf32> {gaudi.name = "nan"}, tensor<4x8xf32> {gaudi.name = "mixed"}) {
  %two = gaudi.constant dense<2.0> : tensor<1x1xf32>
  %half = gaudi.constant dense<0.5> : tensor<1x1xf32>
  %minus = gaudi.constant dense<-1.0> : tensor<1x1xf32>
  %0 = gaudi.tpc.mul %x, %two : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %1 = gaudi.tpc.mul %0, %half : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %zero = gaudi.tpc.sub %1, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = gaudi.tpc.mul %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %3 = gaudi.tpc.mul %2, %minus : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
  %nan = gaudi.tpc.log %3 : tensor<4x8xf32>
  %4 = gaudi.mme.gemm %x, %a : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %mixed = gaudi.tpc.log %4 : tensor<4x8xf32>
  return %zero, %nan, %mixed : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
