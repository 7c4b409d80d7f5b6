// Orders of kernels that will be fused, and of readers that would wait.
// RUN: gaudi-opt %s --gaudi-place-permutations=device=gaudi2 | FileCheck %s
// RUN: gaudi-opt %s --gaudi-place-permutations=device=gaudi2 --remarks-filter=gaudi-place-permutations --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-opt %s --gaudi-place-permutations="device=gaudi2 print-problem=true" -o /dev/null | FileCheck %s --check-prefix=PROBLEM

// The sums over rows alone would be faster along the lanes. The row kernel, into
// which everything before it is fused, would then have few points.
// REMARK: place-fused.mlir:[[#@LINE+4]]:1: remark: [Analysis] objective | Category:gaudi-place-permutations | Function=rows | Remark="counted what kernels lose by orders, not what they gain alone: once they are fused, all ops take {{[0-9.]+ [num]?s}} on gaudi2, {{[0-9.]+ [num]?s}} on gaudi2 otherwise"
// What is solved is what was counted: cost and bound are equal.
// PROBLEM: placed [[COST:[0-9]+]] [[COST]]{{$}}
// CHECK-LABEL: @rows
func.func @rows(%g: tensor<256x512xf32>, %w: tensor<128x512xf32>, %x: tensor<256x128xf32>) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x256xf32>) {
  // CHECK: gaudi.mme.gemm %arg0, %arg1 transpose_b {{.*}} -> tensor<256x128xf32>
  // CHECK: gaudi.tpc.mul {{.*}} tensor<256x128xf32>
  // CHECK: gaudi.tpc.exp {{.*}} : tensor<256x128xf32>
  // CHECK: gaudi.tpc.reduce <sum> {{.*}} dims [0] : tensor<256x128xf32>
  %v = gaudi.transpose %w permutation [1, 0] : tensor<128x512xf32> -> tensor<512x128xf32>
  %0 = gaudi.mme.gemm %g, %v : tensor<256x512xf32>, tensor<512x128xf32> -> tensor<256x128xf32>
  %e0 = gaudi.tpc.mul %0, %x : tensor<256x128xf32>, tensor<256x128xf32> -> tensor<256x128xf32>
  %e1 = gaudi.tpc.tanh %e0 : tensor<256x128xf32>
  %e2 = gaudi.tpc.exp %e1 : tensor<256x128xf32>
  %2 = gaudi.tpc.reduce <sum> %e2 dims [1] keep_dims : tensor<256x128xf32> -> tensor<256x1xf32>
  %3 = gaudi.tpc.sub %e2, %2 : tensor<256x128xf32>, tensor<256x1xf32> -> tensor<256x128xf32>
  %b = gaudi.tpc.reduce <sum> %3 dims [0] : tensor<256x128xf32> -> tensor<128xf32>
  %c = gaudi.tpc.reduce <sum> %0 dims [0] : tensor<256x128xf32> -> tensor<128xf32>
  %t = gaudi.transpose %3 permutation [1, 0] : tensor<256x128xf32> -> tensor<128x256xf32>
  return %b, %c, %t : tensor<128xf32>, tensor<128xf32>, tensor<128x256xf32>
}

// Here the row kernel has little to compute, and the sums gain more.
// REMARK: place-fused.mlir:[[#@LINE+2]]:1: remark: [Analysis] objective | Category:gaudi-place-permutations | Function=sums | Remark="counted what kernels lose and gain by orders: once they are fused, all ops take {{[0-9.]+ [num]?s}} on gaudi2, {{[0-9.]+ [num]?s}} on gaudi2 otherwise"
// CHECK-LABEL: @sums
func.func @sums(%g: tensor<256x64xf32>, %w: tensor<128x64xf32>, %x: tensor<256x128xf32>) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x256xf32>) {
  // CHECK: gaudi.mme.gemm %arg1, %arg0 transpose_b {{.*}} -> tensor<128x256xf32>
  // CHECK: gaudi.tpc.reduce <sum> {{.*}} dims [1] : tensor<128x256xf32> -> tensor<128xf32>
  // CHECK: gaudi.tpc.reduce <sum> {{.*}} dims [1] : tensor<128x256xf32> -> tensor<128xf32>
  %v = gaudi.transpose %w permutation [1, 0] : tensor<128x64xf32> -> tensor<64x128xf32>
  %0 = gaudi.mme.gemm %g, %v : tensor<256x64xf32>, tensor<64x128xf32> -> tensor<256x128xf32>
  %e0 = gaudi.tpc.mul %0, %x : tensor<256x128xf32>, tensor<256x128xf32> -> tensor<256x128xf32>
  %2 = gaudi.tpc.reduce <sum> %e0 dims [1] keep_dims : tensor<256x128xf32> -> tensor<256x1xf32>
  %3 = gaudi.tpc.sub %e0, %2 : tensor<256x128xf32>, tensor<256x1xf32> -> tensor<256x128xf32>
  %b = gaudi.tpc.reduce <sum> %3 dims [0] : tensor<256x128xf32> -> tensor<128xf32>
  %c = gaudi.tpc.reduce <sum> %0 dims [0] : tensor<256x128xf32> -> tensor<128xf32>
  %t = gaudi.transpose %3 permutation [1, 0] : tensor<256x128xf32> -> tensor<128x256xf32>
  return %b, %c, %t : tensor<128xf32>, tensor<128xf32>, tensor<128x256xf32>
}

// The transpose exists for the caller. The product takes no longer on the weight
// as it is, and need not wait.
// CHECK-LABEL: @weight
func.func @weight(%x: tensor<256x128xf32>, %w: tensor<128x128xf32>) -> (tensor<256x128xf32>, tensor<128x128xf32>) {
  // CHECK: gaudi.transpose %arg1
  // CHECK: gaudi.mme.gemm %arg0, %arg1 transpose_b
  %t = gaudi.transpose %w permutation [1, 0] : tensor<128x128xf32> -> tensor<128x128xf32>
  %y = gaudi.mme.gemm %x, %t : tensor<256x128xf32>, tensor<128x128xf32> -> tensor<256x128xf32>
  return %y, %t : tensor<256x128xf32>, tensor<128x128xf32>
}
