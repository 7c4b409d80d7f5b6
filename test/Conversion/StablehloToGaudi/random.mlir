// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --check --entry=threefry16 "--input=2xi64=-2 -1" | FileCheck %s --check-prefix=THREEFRY16
// RUN: gaudi-run %s --check --entry=threefry64 "--input=2xi64=-2 -1" | FileCheck %s --check-prefix=THREEFRY64
// RUN: gaudi-run %s --check --entry=philox8 "--input=3xi64=-2 -1 7" | FileCheck %s --check-prefix=PHILOX8
// RUN: gaudi-run %s --check --entry=philox64 "--input=3xi64=-2 -1 7" | FileCheck %s --check-prefix=PHILOX64
// RUN: gaudi-run %s --check --entry=default "--input=2xi64=-2 -1" | FileCheck %s --check-prefix=DEFAULT
// RUN: gaudi-run %s --check --entry=words "--input=4xi32=1 2 3 4" | FileCheck %s --check-prefix=WORDS
// RUN: gaudi-run %s --check --entry=rng --input=f32=-1 --input=f32=2 --input=i32=-5 --input=i32=12 --input=f32=10 --input=f32=0.5 | FileCheck %s --check-prefix=RNG
// RUN: gaudi-run %s --check --entry=call "--input=2xu32=0 4294967295" "--input=2xu32=0 4294967295" | FileCheck %s --check-prefix=CALL
// The expected bits are those of JAX on a CPU; of `words`, those of IREE.

// Words of odd sizes: the last half of a block is cut off.
// CHECK-LABEL: @threefry16
// CHECK-SAME: (%arg0: tensor<2xi64>) -> (tensor<2xi64>, tensor<3x3xui16>)
// CHECK: %[[BITS:.*]]:2 = gaudi.tpc.kernel label "stablehlo.rng_bit_generator"(%arg0) index_space [1, 2, 3]
// CHECK: gaudi.concat
// CHECK: gaudi.slice
// THREEFRY16: output 'out0': 2xi64 = [-2, 5]
// THREEFRY16: output 'out1': 3x3xu16 = [51442, 26026, 48209, 43971, 51795, 46112, 52901, 1684, 63815]
func.func @threefry16(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<3x3xui16>
}

// CHECK-LABEL: @threefry64
// THREEFRY64: output 'out0': 2xi64 = [-2, 1]
// THREEFRY64: output 'out1': 2xi64 = [6451313849210095858, -269430567322753622]
func.func @threefry64(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui64>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<2xui64>
}

// The counter carries into its upper half.
// CHECK-LABEL: @philox8
// PHILOX8: output 'out0': 3xi64 = [-2, 1, 8]
// PHILOX8: output 'out1': 5xu8 = [222, 64, 21, 57, 127]
func.func @philox8(%s: tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui8>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui8>)
  return %0#0, %0#1 : tensor<3xui64>, tensor<5xui8>
}

// CHECK-LABEL: @philox64
// PHILOX64: output 'out0': 3xi64 = [-2, 1, 8]
// PHILOX64: output 'out1': 3xi64 = [5389738106584346078, -9049178360207237355, -4640496760305981569]
func.func @philox64(%s: tensor<3xui64>) -> (tensor<3xui64>, tensor<3xi64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xi64>)
  return %0#0, %0#1 : tensor<3xui64>, tensor<3xi64>
}

// A short state of Philox: the key is the upper half of the counter.
// CHECK-LABEL: @default
// DEFAULT: output 'out0': 2xi64 = [-2, 1]
// DEFAULT: output 'out1': 5xu32 = [2103239624, 440889476, 1658488446, 610196671, 735718870]
func.func @default(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<5xui32>
}

// CHECK-LABEL: @words
// WORDS: output 'out0': 4xi32 = [1, 2, 3, 6]
// WORDS: output 'out1': 8xi32 = [-1788415499, 854201270, -855525523, 2043148971, 110723240, 146396481, -1258660138, -1968502964]
func.func @words(%s: tensor<4xi32>) -> (tensor<4xi32>, tensor<8xi32>) {
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<4xi32>) -> (tensor<4xi32>, tensor<8xi32>)
  return %0#0, %0#1 : tensor<4xi32>, tensor<8xi32>
}

// Each rng has a key of its own: 1, 2, 3. The numbers are what JAX makes of
// Philox with these keys.
// CHECK-LABEL: @rng
// CHECK: gaudi.constant dense<[1, 0, 0]>
// CHECK: gaudi.constant dense<[2, 0, 0]>
// CHECK: gaudi.constant dense<[3, 0, 0]>
// RNG: output 'out0': 6xf32 = [1.67077{{[0-9]*}}, 1.6840{{[0-9]*}}, 0.75717{{[0-9]*}}, 1.1338{{[0-9]*}}, 1.0159{{[0-9]*}}, 1.6223{{[0-9]*}}]
// RNG: output 'out1': 6xf32 = [9.9060{{[0-9]*}}, 9.9965{{[0-9]*}}, 10.9792{{[0-9]*}}, 9.8726{{[0-9]*}}, 9.2759{{[0-9]*}}, 9.6321{{[0-9]*}}]
// RNG: output 'out2': 6xi32 = [-2, 5, 6, 4, -2, 10]
func.func @rng(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>, %m: tensor<f32>, %d: tensor<f32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xi32>) {
  %s = "stablehlo.constant"() <{value = dense<6> : tensor<1xi64>}> : () -> tensor<1xi64>
  %0 = "stablehlo.rng"(%a, %b, %s) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<6xf32>
  %1 = "stablehlo.rng"(%m, %d, %s) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<6xf32>
  %2 = "stablehlo.rng"(%i, %j, %s) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<6xi32>
  return %0, %1, %2 : tensor<6xf32>, tensor<6xf32>, tensor<6xi32>
}

// The known answers of the authors of Threefry.
// CHECK-LABEL: @call
// CALL: output 'out0': 2xu32 = [1797259609, 481924860]
// CALL: output 'out1': 2xu32 = [2579123966, 3137350631]
func.func @call(%k: tensor<2xui32>, %x: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
  %0:2 = "stablehlo.custom_call"(%k, %k, %x, %x) <{call_target_name = "cu_threefry2x32"}> : (tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
  return %0#0, %0#1 : tensor<2xui32>, tensor<2xui32>
}
