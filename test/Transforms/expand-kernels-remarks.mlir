// RUN: gaudi-opt %s --gaudi-expand-kernels --remarks-filter="gaudi-expand-kernels" --remark-format=emitRemark --verify-diagnostics -o /dev/null

func.func @main(%x: tensor<4x8xf32>, %e: tensor<0x8xf32>, %none: tensor<0x8xi64>, %u: tensor<0x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<0x8xf32>, tensor<4x8xf32>) {
  // expected-remark @+1 {{expanded 'gaudi.tpc.reduce' to a kernel of 1 parallel and 1 sequential dimensions}}
  %sum = gaudi.tpc.reduce <sum> %x dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  // expected-remark @+1 {{not expanded: 'gaudi.tpc.sort' runs as library kernel 'sort', because the kernel form cannot express it}}
  %v, %i = gaudi.tpc.sort %x axis 1 : tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4x8xi32>
  // expected-remark @+1 {{replaced 'gaudi.tpc.exp', which has no elements to compute, by a constant}}
  %y = gaudi.tpc.exp %e : tensor<0x8xf32>
  // expected-remark @+1 {{replaced 'gaudi.tpc.scatter_elements', which updates no elements, by its operand}}
  %s = gaudi.tpc.scatter_elements %x, %none, %u axis 0 : tensor<4x8xf32>, tensor<0x8xi64>, tensor<0x8xf32> -> tensor<4x8xf32>
  return %sum, %v, %i, %y, %s : tensor<4xf32>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<0x8xf32>, tensor<4x8xf32>
}
