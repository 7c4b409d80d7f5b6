// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --check --print=64 --entry=lgamma "--input=6xf32=0.3 5.5 -2.5 30 -3 inf" | FileCheck %s --check-prefix=LGAMMA
// RUN: gaudi-run %s --check --print=64 --entry=digamma "--input=6xf32=0.3 5.5 -2.5 30 -3 nan" | FileCheck %s --check-prefix=DIGAMMA
// RUN: gaudi-run %s --check --print=64 --entry=bessel_i1e "--input=6xf32=0.5 -3 7.9 8.5 40 0" | FileCheck %s --check-prefix=BESSEL-I1E
// RUN: gaudi-run %s --check --print=64 --entry=zeta "--input=6xf32=2 3.5 1 0.5 2 20" "--input=6xf32=1 2.5 1 1 -3 0.5" | FileCheck %s --check-prefix=ZETA
// RUN: gaudi-run %s --check --print=64 --entry=polygamma "--input=6xf32=0 1 2 5 1.5 -1" "--input=6xf32=2.5 0.5 3 1.5 1 1" | FileCheck %s --check-prefix=POLYGAMMA
// The expected values are those of JAX.

// CHECK-LABEL: @lgamma
// LGAMMA: output 'out0': 6xf32 = [1.0957{{[0-9.]*}}, 3.9578{{[0-9.]*}}, -0.056{{[0-9.]*}}, 71.257{{[0-9.]*}}, inf, inf]
func.func @lgamma(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "chlo.lgamma"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: @digamma
// DIGAMMA: output 'out0': 6xf32 = [-3.502{{[0-9.]*}}, 1.6110{{[0-9.]*}}, 1.1031{{[0-9.]*}}, 3.3844{{[0-9.]*}}, {{-?nan}}, {{-?nan}}]
func.func @digamma(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "chlo.digamma"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: @bessel_i1e
// BESSEL-I1E: output 'out0': 6xf32 = [0.1564{{[0-9.]*}}, -0.196{{[0-9.]*}}, 0.1348{{[0-9.]*}}, 0.1305{{[0-9.]*}}, 0.0624{{[0-9.]*}}, {{-?0}}]
func.func @bessel_i1e(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "chlo.bessel_i1e"(%x) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: @zeta
// ZETA: output 'out0': 6xf32 = [1.6449{{[0-9.]*}}, 0.0651{{[0-9.]*}}, inf, {{-?nan}}, inf, 1048576{{[0-9.]*}}]
func.func @zeta(%x: tensor<6xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "chlo.zeta"(%x, %y) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: @polygamma
// POLYGAMMA: output 'out0': 6xf32 = [0.7031{{[0-9.]*}}, 4.9348{{[0-9.]*}}, -0.154{{[0-9.]*}}, 11.113{{[0-9.]*}}, {{-?nan}}, {{-?nan}}]
func.func @polygamma(%x: tensor<6xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %0 = "chlo.polygamma"(%x, %y) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
