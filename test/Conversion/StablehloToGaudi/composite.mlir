// RUN: gaudi-run %s --check "--input=3xf32=0.5 -1 0" | FileCheck %s

// The only use of the decomposition is a property of the op.
// CHECK: output 'out0': 3xf32 = [0.46211{{[0-9]*}}, -0.76159{{[0-9]*}}, 0]
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.composite"(%x) <{composite_attributes = {}, decomposition = @my.cap, name = "my.cap", version = 0 : i32}> : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func private @my.cap(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.tanh"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
