// RUN: gaudi-opt %s --split-input-file --gaudi-expand-kernels --remarks-filter="gaudi-expand-kernels" --remark-format=emitRemark --verify-diagnostics -o /dev/null

module attributes {gaudi.device = "gaudi2"} {
func.func @main(%x: tensor<4x8xf32>, %e: tensor<0x8xf32>, %none: tensor<0x8xi64>, %u: tensor<0x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<0x8xf32>, tensor<4x8xf32>) {
  // expected-remark-re @+1 {{expanded 'gaudi.tpc.reduce' to a kernel of 1 parallel and 1 sequential dimensions, which takes {{[0-9.]+ [num]?s}} on gaudi2}}
  %sum = gaudi.tpc.reduce <sum> %x dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  // expected-remark-re @+1 {{not expanded: 'gaudi.tpc.sort' runs as library kernel 'sort', which takes {{[0-9.]+ [num]?s}} on gaudi2, because the kernel form cannot express it}}
  %v, %i = gaudi.tpc.sort %x axis 1 : tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4x8xi32>
  // expected-remark @+1 {{replaced 'gaudi.tpc.exp', which has no elements to compute, by a constant}}
  %y = gaudi.tpc.exp %e : tensor<0x8xf32>
  // expected-remark @+1 {{replaced 'gaudi.tpc.scatter_elements', which updates no elements, by its operand}}
  %s = gaudi.tpc.scatter_elements %x, %none, %u axis 0 : tensor<4x8xf32>, tensor<0x8xi64>, tensor<0x8xf32> -> tensor<4x8xf32>
  return %sum, %v, %i, %y, %s : tensor<4xf32>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<0x8xf32>, tensor<4x8xf32>
}
}

// -----

// Without a device there is no time.
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-remark @+1 {{expanded 'gaudi.tpc.exp' to a kernel of 2 parallel and 0 sequential dimensions"}}
  %0 = gaudi.tpc.exp %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
