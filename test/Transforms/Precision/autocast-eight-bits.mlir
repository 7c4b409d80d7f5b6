// RUN: gaudi-opt %s --split-input-file --gaudi-autocast=dtype=fp8 --canonicalize --cse --remarks-filter=gaudi-autocast --remark-policy=all 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: echo matmul > %t.fp8
// RUN: gaudi-opt %s --split-input-file --gaudi-autocast="dtype=fp8:format=e4m3:margin=3:fp8=%t.fp8 device=gaudi3" | FileCheck %s --check-prefix=KEYS
// RUN: not gaudi-opt %s --split-input-file --gaudi-autocast="dtype=fp8 device=gaudi" 2>&1 | FileCheck %s --check-prefix=GAUDI
// GAUDI: gaudi-autocast: gaudi has no 8-bit floats; choose device gaudi2 or gaudi3
// RUN: not gaudi-opt %s --split-input-file --gaudi-compile="autocast=fp8 device=gaudi" 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: gaudi-opt: error: gaudi-compile: autocast=fp8: gaudi has no 8-bit floats; choose device gaudi2 or gaudi3, or bf16
// RUN: not gaudi-opt %s --split-input-file --gaudi-autocast="dtype=fp8 device=tpu" 2>&1 | FileCheck %s --check-prefix=TPU
// TPU: error: unknown device "tpu", expected one of "gaudi", "gaudi2", "gaudi3"{{$}}
// RUN: not gaudi-opt %s --gaudi-autocast=dtype=fp8:format=e5m2 --split-input-file 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: expected format=hybrid or format=e4m3 but got 'format=e5m2'
// RUN: not gaudi-opt %s --gaudi-autocast=dtype=fp8:margin=1.5 --split-input-file 2>&1 | FileCheck %s --check-prefix=MARGIN
// RUN: not gaudi-opt %s --gaudi-autocast=dtype=fp8:margin=17 --split-input-file 2>&1 | FileCheck %s --check-prefix=MARGIN
// MARGIN: expected a whole margin from -16 to 16 but got 'margin=1
// RUN: not gaudi-opt %s --gaudi-autocast=dtype=fp8:scale=1 --split-input-file 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: expected lower=FILE, fp32=FILE, fp8=FILE, format=FORMAT or margin=N after the type but got 'scale=1'
// RUN: not gaudi-opt %s --gaudi-autocast=dtype=bf16:margin=1 --split-input-file 2>&1 | FileCheck %s --check-prefix=BF16
// BF16: expected lower=FILE or fp32=FILE after the type but got 'margin=1'

// Each factor has a scale, of an input computed in the launch; what is between products is bf16. One engine makes one
// number, so rows come first.
// CHECK-LABEL: @forward
// CHECK-DAG: %[[LARGEST:.+]] = gaudi.constant dense<2.400000e+02>
// CHECK: %[[ABS:.+]] = gaudi.tpc.abs %arg0
// CHECK: %[[ROWS:.+]] = gaudi.tpc.reduce <max> %[[ABS]] dims [1] keep_dims : tensor<64x32xf32> -> tensor<64x1xf32>
// CHECK: %[[AMAX:.+]] = gaudi.tpc.reduce <max> %[[ROWS]] dims [0] keep_dims : tensor<64x1xf32> -> tensor<1x1xf32>
// CHECK: gaudi.tpc.div %[[LARGEST]], %[[AMAX]]
// CHECK: gaudi.tpc.log2
// CHECK: gaudi.tpc.floor
// CHECK: %[[SCALE:.+]] = gaudi.tpc.exp2
// CHECK: %[[SCALED:.+]] = gaudi.tpc.mul %arg0, %[[SCALE]]
// CHECK: %[[X:.+]] = gaudi.tpc.round_to %[[SCALED]] <nearest_even> saturate 2.400000e+02 : tensor<64x32xf32> -> tensor<64x32xf8E4M3FN>
// CHECK: %[[P:.+]] = gaudi.mme.gemm %[[X]], %{{.+}} : tensor<64x32xf8E4M3FN>, tensor<32x16xf8E4M3FN> -> tensor<64x16xf32>
// CHECK: %[[ONE:.+]] = gaudi.tpc.mul %[[P]], %{{.+}} : tensor<64x16xf32>, tensor<1x1xf32>
// CHECK: %[[BOTH:.+]] = gaudi.tpc.mul %[[ONE]], %{{.+}} : tensor<64x16xf32>, tensor<1x1xf32>
// CHECK: gaudi.tpc.cast %[[BOTH]] : tensor<64x16xf32> -> tensor<64x16xbf16>
// CHECK: gaudi.tpc.tanh %{{.+}} : tensor<64x16xbf16>
// REMARK-DAG: 'matmul' runs in f8E4M3FN: it is in the list of 8 bits
// REMARK-DAG: 'tanh' runs in bf16: it is in no list, and what it reads is of the lower type
// KEYS-LABEL: @forward
// KEYS-DAG: dense<4.480000e+02>
// KEYS-DAG: dense<3.000000e+00>
// KEYS: gaudi.mme.gemm %{{.+}} : tensor<64x32xf8E4M3FN>
func.func @forward(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> tensor<64x16xf32> {
  %0 = gaudi.mme.gemm %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %1 = gaudi.tpc.tanh %0 : tensor<64x16xf32>
  return %1 : tensor<64x16xf32>
}

// -----

// A weight that is known is scaled now: 240 / 4 is above 2^5.
// CHECK-LABEL: @constant
// CHECK-DAG: dense<{{.*}}[3.200000e+01, -1.280000e+02]{{.*}}> : tensor<2x2xf8E4M3FN>
// CHECK-DAG: dense<3.125000e-02> : tensor<1x1xf32>
func.func @constant(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = gaudi.constant dense<[[1.0, -4.0], [0.5, 2.0]]> : tensor<2x2xf32>
  %0 = gaudi.mme.gemm %x, %w : tensor<3x2xf32>, tensor<2x2xf32> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// Of a training step the product that only a state comes from has E5M2; the input is cast to either type.
// CHECK-LABEL: @step
// CHECK: gaudi.tpc.round_to %{{.+}} <nearest_even> saturate 5.734400e+04 : tensor<4x8xf32> -> tensor<4x8xf8E5M2>
// CHECK: gaudi.mme.gemm %{{.+}} : tensor<4x8xf8E4M3FN>, tensor<8x8xf8E4M3FN> -> tensor<4x8xf32>
// CHECK: gaudi.mme.gemm %{{.+}} transpose_a : tensor<4x8xf8E5M2>, tensor<4x8xf8E5M2> -> tensor<8x8xf32>
// REMARK-DAG: 'matmul' runs in f8E5M2: it is in the list of 8 bits, and of the backward pass
// KEYS-LABEL: @step
// KEYS-NOT: f8E5M2
func.func @step(%w: tensor<8x8xf32> {gaudi.state = 0 : i64}, %x: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<f32>) {
  %rate = gaudi.constant dense<0.1> : tensor<1x1xf32>
  %0 = gaudi.mme.gemm %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %1 = gaudi.tpc.mul %0, %0 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = gaudi.tpc.reduce <mean> %1 dims [0, 1] : tensor<4x8xf32> -> tensor<f32>
  %3 = gaudi.mme.gemm %x, %0 transpose_a : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<8x8xf32>
  %4 = gaudi.tpc.mul %3, %rate : tensor<8x8xf32>, tensor<1x1xf32> -> tensor<8x8xf32>
  %5 = gaudi.tpc.sub %w, %4 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %5, %2 : tensor<8x8xf32>, tensor<f32>
}

// -----

// A convolution is in the default list, not in that of KEYS.
// CHECK-LABEL: @convolution
// CHECK: gaudi.mme.conv %{{.+}} : tensor<1x6x6x2xf8E4M3FN>, tensor<3x3x2x4xf8E4M3FN> -> tensor<1x4x4x4xf32>
// CHECK: gaudi.tpc.mul {{.*}} tensor<1x1x1x1xf32>
// KEYS-LABEL: @convolution
// KEYS: gaudi.mme.conv {{.*}} tensor<1x6x6x2xbf16>, tensor<3x3x2x4xbf16>
func.func @convolution(%x: tensor<1x6x6x2xf32>, %w: tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x6x6x2xf32>, tensor<3x3x2x4xf32> -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// What is multiplied by one number of its own has no tensor to be scaled.
// CHECK-LABEL: @number
// CHECK-NOT: f8E4M3FN
// REMARK-DAG: 'matmul' runs in bf16: it is in the list of the lower type; 8 bits need factors that other ops give
func.func @number(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ones = gaudi.constant dense<1.0> : tensor<8x8xf32>
  %0 = gaudi.mme.gemm %x, %ones : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
