// RUN: gaudi-opt %s --convert-tosa-to-gaudi | FileCheck %s
// RUN: gaudi-opt %s --convert-tosa-to-gaudi --remarks-filter=convert-tosa-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-run %s --entry=products "--input=1x1x4xi16=30000" "--input=1x4x2xi16=30000 -1 30000 0 30000 0 30000 0" | FileCheck %s --check-prefix=PRODUCTS
// RUN: gaudi-run %s --entry=scaled "--input=3xi64=70368744177664 -70368744177665 5" | FileCheck %s --check-prefix=SCALED
// RUN: gaudi-run %s --entry=weights "--input=1x1x1x3xi8=127 -128 1" | FileCheck %s --check-prefix=WEIGHTS
// RUN: gaudi-run %s --entry=moved --input=4xi8=-8 "--input=i1=1" | FileCheck %s --check-prefix=MOVED
// RUN: gaudi-run %s --entry=resized "--input=1x2x2x1xi16=30000 20000 10000 0" | FileCheck %s --check-prefix=RESIZED

// Interpolation scales by 4 * 4 and leaves 16 bits.
// RESIZED: 1x2x2x1xi64 = [480000, 320000, 160000, 0]
func.func @resized(%x: tensor<1x2x2x1xi16>) -> tensor<1x2x2x1xi48> {
  %s = tosa.const_shape {values = dense<[4, 4, 4, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x2x2x1xi16>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x2x2x1xi48>
  return %0 : tensor<1x2x2x1xi48>
}

// The sums leave 32 bits.
// CHECK-LABEL: func.func @products(
// CHECK-SAME: -> tensor<1x1x2xi64>
// PRODUCTS: 1x1x2xi64 = [3600000000, -30000]
// REMARK: widen-integers.mlir:[[#@LINE+1]]:{{.*}}stored i48 as i64 and i4 as i8, which hold their numbers; arguments and results have these types
func.func @products(%a: tensor<1x1x4xi16>, %b: tensor<1x4x2xi16>) -> tensor<1x1x2xi48> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x1x4xi16>, tensor<1x4x2xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<1x1x2xi48>
  return %0 : tensor<1x1x2xi48>
}

// 2^46 * 2^14 >> 45 = 2^15, saturated; the next number below gives -2^15.
// CHECK-LABEL: func.func @scaled(
// CHECK-SAME: tensor<3xi64>
// SCALED: 3xi16 = [32767, -32768, 0]
func.func @scaled(%x: tensor<3xi48>) -> tensor<3xi16> {
  %m = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %s = "tosa.const"() <{values = dense<45> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %oz = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %0 = tosa.rescale %x, %m, %s, %iz, %oz {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<3xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<3xi16>
  return %0 : tensor<3xi16>
}

// 127 * 7 - 128 * -8 + 1 * -1 + 100, and 0 + 0 + 1 * 1 - 3. The signature has
// no narrow type.
// CHECK-LABEL: func.func @weights(
// CHECK: gaudi.constant dense<{{.*}}> : tensor<2x1x1x3xi8>
// WEIGHTS: 1x1x1x2xi32 = [2012, -2]
// REMARK: widen-integers.mlir:[[#@LINE+1]]:{{.*}}stored i48 as i64 and i4 as i8, which hold their numbers"
func.func @weights(%x: tensor<1x1x1x3xi8>) -> tensor<1x1x1x2xi32> {
  %w = "tosa.const"() <{values = dense<[[[[7, -8, -1]]], [[[0, 0, 1]]]]> : tensor<2x1x1x3xi4>}> : () -> tensor<2x1x1x3xi4>
  %b = "tosa.const"() <{values = dense<[100, -3]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi4>}> : () -> tensor<1xi4>
  %0 = tosa.conv2d %x, %w, %b, %z, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x3xi8>, tensor<2x1x1x3xi4>, tensor<2xi32>, tensor<1xi8>, tensor<1xi4>) -> tensor<1x1x1x2xi32>
  return %0 : tensor<1x1x1x2xi32>
}

// Through a branch and movements.
// MOVED: 8xi8 = [-8, -8, -8, -8, -8, -8, -8, -8]
func.func @moved(%x: tensor<4xi4>, %c: tensor<i1>) -> tensor<8xi4> {
  %0 = tosa.concat %x, %x {axis = 0 : i32} : (tensor<4xi4>, tensor<4xi4>) -> tensor<8xi4>
  %1 = tosa.cond_if %c (%a = %0) : tensor<i1> (tensor<8xi4>) -> tensor<8xi4> {
  ^bb0(%a: tensor<8xi4>):
    tosa.yield %a : tensor<8xi4>
  } else {
  ^bb0(%a: tensor<8xi4>):
    %2 = tosa.reverse %a {axis = 0 : i32} : (tensor<8xi4>) -> tensor<8xi4>
    tosa.yield %2 : tensor<8xi4>
  }
  return %1 : tensor<8xi4>
}
