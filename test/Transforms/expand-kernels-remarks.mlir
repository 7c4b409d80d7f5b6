// RUN: gaudi-opt %s --gaudi-expand-kernels --remarks-filter="gaudi-expand-kernels" --remark-format=emitRemark --verify-diagnostics -o /dev/null

func.func @main(%x: tensor<4x8xf32>, %e: tensor<0x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<0x8xf32>) {
  // expected-remark @+1 {{'gaudi.tpc.reduce' is a kernel of 1 parallel and 1 sequential dimensions}}
  %sum = gaudi.tpc.reduce <sum> %x dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  // expected-remark @+1 {{'gaudi.tpc.sort' runs as library kernel 'sort': the kernel form cannot express it}}
  %v, %i = gaudi.tpc.sort %x axis 1 : tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4x8xi32>
  // expected-remark @+1 {{'gaudi.tpc.exp' has no elements to compute and is a constant}}
  %y = gaudi.tpc.exp %e : tensor<0x8xf32>
  return %sum, %v, %i, %y : tensor<4xf32>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<0x8xf32>
}
