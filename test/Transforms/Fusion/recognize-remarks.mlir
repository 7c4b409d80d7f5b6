// RUN: gaudi-opt %s --split-input-file --gaudi-expand-kernels --gaudi-fuse-tpc --remarks-filter="gaudi-fuse-tpc" --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s

// CHECK:       recognize-remarks.mlir:[[@LINE+5]]:8: remark: [Passed] merge
// CHECK-SAME:  fused 'tpc.sigmoid' into 'tpc.mul', saving {{[0-9.]+ [num]?s}} on gaudi2 and 98304 bytes of memory traffic
module attributes {gaudi.device = "gaudi2"} {
func.func @silu(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %s = gaudi.tpc.sigmoid %x : tensor<64x128xf32>
  %y = gaudi.tpc.mul %s, %x : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  // CHECK: recognize-remarks.mlir:[[@LINE-1]]:8: remark: [Passed] recognize
  // CHECK-SAME: recognised silu in 'tpc.silu'
  return %y : tensor<64x128xf32>
}
}

// -----

// The maximum and the sum run over different dimensions.
module attributes {gaudi.device = "gaudi2"} {
func.func @other_axis(%x: tensor<32x64x128xf32>) -> tensor<32x64x128xf32> {
  %m = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<32x64x128xf32> -> tensor<32x1x128xf32>
  %s = gaudi.tpc.sub %x, %m : tensor<32x64x128xf32>, tensor<32x1x128xf32> -> tensor<32x64x128xf32>
  %e = gaudi.tpc.exp %s : tensor<32x64x128xf32>
  %t = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : tensor<32x64x128xf32> -> tensor<32x64x1xf32>
  %y = gaudi.tpc.div %e, %t : tensor<32x64x128xf32>, tensor<32x64x1xf32> -> tensor<32x64x128xf32>
  // CHECK: recognize-remarks.mlir:[[@LINE-1]]:8: remark: [Missed] keep-apart
  // CHECK-SAME: not fused 'tpc.reduce+sub+exp' into 'tpc.reduce+div': a loop would have to be nested in another loop
  // CHECK: recognize-remarks.mlir:[[@LINE-3]]:8: remark: [Missed] recognize
  // CHECK-SAME: not recognised softmax in 'tpc.reduce+div', the rest of which is in 'tpc.reduce+sub+exp': a loop would have to be nested in another loop
  return %y : tensor<32x64x128xf32>
}
}

// -----

// The divisor is the variance.
module attributes {gaudi.device = "gaudi2"} {
func.func @no_root(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %eps = gaudi.constant dense<1.0e-5> : tensor<1x1xf32>
  %m = gaudi.tpc.reduce <mean> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %c = gaudi.tpc.sub %x, %m : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %q = gaudi.tpc.mul %c, %c : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x128xf32>
  %v = gaudi.tpc.reduce <mean> %q dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %e = gaudi.tpc.add %v, %eps : tensor<64x1xf32>, tensor<1x1xf32> -> tensor<64x1xf32>
  %y = gaudi.tpc.div %c, %e : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  // CHECK: recognize-remarks.mlir:[[@LINE-1]]:8: remark: [Missed] recognize
  // CHECK-SAME: not recognised layer_norm in 'tpc.reduce+sub+mul+reduce+add+div': it divides by the variance, not by its root
  return %y : tensor<64x128xf32>
}
}

// -----

// The exponential is needed outside.
module attributes {gaudi.device = "gaudi2"} {
func.func @escapes(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %m = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %s = gaudi.tpc.sub %x, %m : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  %e = gaudi.tpc.exp %s : tensor<64x128xf32>
  %t = gaudi.tpc.reduce <sum> %e dims [1] keep_dims : tensor<64x128xf32> -> tensor<64x1xf32>
  %y = gaudi.tpc.div %e, %t : tensor<64x128xf32>, tensor<64x1xf32> -> tensor<64x128xf32>
  // CHECK: recognize-remarks.mlir:[[@LINE-1]]:8: remark: [Missed] recognize
  // CHECK-SAME: not recognised softmax in 'tpc.reduce+sub+exp+reduce+div': its exponential is also a result of the kernel
  return %y, %e : tensor<64x128xf32>, tensor<64x128xf32>
}
}
