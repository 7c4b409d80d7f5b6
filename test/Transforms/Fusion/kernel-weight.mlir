// RUN: gaudi-opt %s --gaudi-expand-kernels --gaudi-fuse-tpc | FileCheck %s

// Powers weigh 512 each, and a kernel at most 16384: a chain of 40 powers is cut
// where the next one would be too much.
// CHECK-COUNT-2: gaudi.tpc.kernel
// CHECK-NOT: gaudi.tpc.kernel
module attributes {gaudi.device = "gaudi2"} {
func.func @main(%x: tensor<65536xf32>, %y: tensor<65536xf32>) -> tensor<65536xf32> {
  %0 = gaudi.tpc.pow %x, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %1 = gaudi.tpc.pow %0, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %2 = gaudi.tpc.pow %1, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %3 = gaudi.tpc.pow %2, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %4 = gaudi.tpc.pow %3, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %5 = gaudi.tpc.pow %4, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %6 = gaudi.tpc.pow %5, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %7 = gaudi.tpc.pow %6, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %8 = gaudi.tpc.pow %7, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %9 = gaudi.tpc.pow %8, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %10 = gaudi.tpc.pow %9, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %11 = gaudi.tpc.pow %10, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %12 = gaudi.tpc.pow %11, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %13 = gaudi.tpc.pow %12, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %14 = gaudi.tpc.pow %13, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %15 = gaudi.tpc.pow %14, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %16 = gaudi.tpc.pow %15, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %17 = gaudi.tpc.pow %16, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %18 = gaudi.tpc.pow %17, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %19 = gaudi.tpc.pow %18, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %20 = gaudi.tpc.pow %19, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %21 = gaudi.tpc.pow %20, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %22 = gaudi.tpc.pow %21, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %23 = gaudi.tpc.pow %22, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %24 = gaudi.tpc.pow %23, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %25 = gaudi.tpc.pow %24, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %26 = gaudi.tpc.pow %25, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %27 = gaudi.tpc.pow %26, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %28 = gaudi.tpc.pow %27, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %29 = gaudi.tpc.pow %28, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %30 = gaudi.tpc.pow %29, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %31 = gaudi.tpc.pow %30, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %32 = gaudi.tpc.pow %31, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %33 = gaudi.tpc.pow %32, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %34 = gaudi.tpc.pow %33, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %35 = gaudi.tpc.pow %34, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %36 = gaudi.tpc.pow %35, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %37 = gaudi.tpc.pow %36, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %38 = gaudi.tpc.pow %37, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  %39 = gaudi.tpc.pow %38, %y : tensor<65536xf32>, tensor<65536xf32> -> tensor<65536xf32>
  return %39 : tensor<65536xf32>
}
}
