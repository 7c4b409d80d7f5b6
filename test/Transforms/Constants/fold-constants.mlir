// RUN: gaudi-opt %s --gaudi-fold-constants | FileCheck %s

// What a bf16 model leaves of a batch norm's parameters, in each form a
// constant can have.
// CHECK-LABEL: @parameters
func.func @parameters(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xbf16>) {
  %bf16 = gaudi.constant dense_resource<in_bf16> : tensor<2xbf16>
  %f16 = gaudi.constant dense_resource<in_f16> : tensor<2xf16>
  %epsilon = gaudi.constant dense<0.25> : tensor<1xf32>
  %0 = gaudi.tpc.cast %bf16 : tensor<2xbf16> -> tensor<2xf32>
  %1 = gaudi.tpc.add %0, %epsilon : tensor<2xf32>, tensor<1xf32> -> tensor<2xf32>
  // CHECK: %[[R:.*]] = gaudi.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
  %2 = gaudi.tpc.rsqrt %1 : tensor<2xf32>
  // CHECK: %[[A:.*]] = gaudi.tpc.mul %{{.*}}, %[[R]]
  %3 = gaudi.tpc.mul %x, %2 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  // CHECK: %[[H:.*]] = gaudi.constant dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf32>
  %4 = gaudi.tpc.cast %f16 : tensor<2xf16> -> tensor<2xf32>
  // CHECK: %[[B:.*]] = gaudi.tpc.mul %{{.*}}, %[[H]]
  %5 = gaudi.tpc.mul %x, %4 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  // 3.75 + 3.75 and 15.75 + 15.75: bf16 has eight bits of them.
  // CHECK: %[[S:.*]] = gaudi.constant dense<[7.500000e+00, 3.150000e+01]> : tensor<2xbf16>
  %6 = gaudi.tpc.add %bf16, %bf16 : tensor<2xbf16>, tensor<2xbf16> -> tensor<2xbf16>
  // CHECK: return %[[A]], %[[B]], %[[S]]
  return %3, %5, %6 : tensor<2xf32>, tensor<2xf32>, tensor<2xbf16>
}

// An elementwise op reads the broadcast; a constant of its size would be memory.
// What is computed of broadcasts, and what other ops read, is a constant.
// CHECK-LABEL: @broadcasts
func.func @broadcasts(%x: tensor<3x2xf32>, %w: tensor<2x3xf32>)
    -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>) {
  %c = gaudi.constant dense<[1.0, 4.0]> : tensor<2xf32>
  // CHECK-DAG: %[[C:.*]] = gaudi.constant dense<[1.000000e+00, 4.000000e+00]> : tensor<2xf32>
  // CHECK-DAG: %[[B:.*]] = gaudi.broadcast %[[C]] dims [1]
  // CHECK-DAG: %[[W:.*]] = gaudi.constant dense<{{\[}}[1.000000e+00, 4.000000e+00], [1.000000e+00, 4.000000e+00], [1.000000e+00, 4.000000e+00]]>
  %b = gaudi.broadcast %c dims [1] : tensor<2xf32> -> tensor<3x2xf32>
  // CHECK: gaudi.tpc.add %{{.*}}, %[[B]]
  %0 = gaudi.tpc.add %x, %b : tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x2xf32>
  %root = gaudi.tpc.sqrt %b : tensor<3x2xf32>
  // CHECK: %[[S:.*]] = gaudi.constant dense<{{\[}}[1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]>
  // CHECK: gaudi.tpc.mul %{{.*}}, %[[S]]
  %1 = gaudi.tpc.mul %x, %root : tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x2xf32>
  // CHECK: gaudi.mme.gemm %[[W]], %{{.*}}
  %2 = gaudi.mme.gemm %b, %w : tensor<3x2xf32>, tensor<2x3xf32> -> tensor<3x3xf32>
  return %0, %1, %2 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>
}

// A splat is one element in any order: it does not become bytes.
// CHECK-LABEL: @splat
func.func @splat() -> (tensor<64x32x32x32xf32>, tensor<3x2xi1>) {
  // CHECK-DAG: gaudi.constant dense<0.000000e+00> : tensor<64x32x32x32xf32>
  // CHECK-DAG: gaudi.constant dense<true> : tensor<3x2xi1>
  // CHECK-NOT: gaudi.transpose
  // CHECK: return
  %c = gaudi.constant dense<0.0> : tensor<64x32x32x32xf32>
  %0 = gaudi.transpose %c permutation [0, 2, 3, 1] : tensor<64x32x32x32xf32> -> tensor<64x32x32x32xf32>
  %b = gaudi.constant dense<true> : tensor<2x3xi1>
  %1 = gaudi.transpose %b permutation [1, 0] : tensor<2x3xi1> -> tensor<3x2xi1>
  return %0, %1 : tensor<64x32x32x32xf32>, tensor<3x2xi1>
}

// What is computed of one number is one number, whatever the size; not of a row.
// CHECK-LABEL: @number
func.func @number(%x: tensor<300x300xf32>) -> (tensor<300x300xf32>, tensor<300x300xf32>) {
  // CHECK: %[[H:.*]] = gaudi.constant dense<5.000000e-01> : tensor<300x300xf32>
  // CHECK: gaudi.tpc.mul %arg0, %[[H]]
  // CHECK: gaudi.tpc.rsqrt
  %c = gaudi.constant dense<4.0> : tensor<f32>
  %b = gaudi.broadcast %c dims [] : tensor<f32> -> tensor<300x300xf32>
  %r = gaudi.tpc.rsqrt %b : tensor<300x300xf32>
  %0 = gaudi.tpc.mul %x, %r : tensor<300x300xf32>, tensor<300x300xf32> -> tensor<300x300xf32>
  %row = gaudi.constant dense_resource<in_row> : tensor<2xf32>
  %rows = gaudi.broadcast %row dims [1] : tensor<2xf32> -> tensor<45000x2xf32>
  %q = gaudi.tpc.rsqrt %rows : tensor<45000x2xf32>
  %s = gaudi.reshape %q : tensor<45000x2xf32> -> tensor<300x300xf32>
  %1 = gaudi.tpc.mul %x, %s : tensor<300x300xf32>, tensor<300x300xf32> -> tensor<300x300xf32>
  return %0, %1 : tensor<300x300xf32>, tensor<300x300xf32>
}

{-#
  dialect_resources: {
    builtin: {
      in_bf16: "0x0200000070407C41",
      in_f16: "0x02000000003E00C0",
      in_row: "0x040000000000803F00008040"
    }
  }
#-}
