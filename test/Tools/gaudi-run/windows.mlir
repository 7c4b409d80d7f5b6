// Values that share a buffer, on the device: concatenations without a copy,
// updates of a cache in place.

// RUN: gaudi-run %s --entry=columns --seed-inputs=1 --check --check-memory -o %t.columns.recipe | FileCheck %s --check-prefix=COLUMNS
// RUN: gaudi-run %t.columns.recipe --dump | FileCheck %s --check-prefix=COLUMNS-DUMP
// COLUMNS: output 'out0' matches the reference
// The engines write their columns at once: no command waits for another.
// COLUMNS-DUMP: entry "columns"
// COLUMNS-DUMP-NOT: transfer
// COLUMNS-DUMP-NOT: after
func.func @columns(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>, %image: tensor<1x3x2x4xf32>, %filter: tensor<1x1x4x2xf32>) -> tensor<6x15xf32> {
  %0 = gaudi.tpc.exp %x : tensor<6x8xf32>
  %1 = gaudi.mme.gemm %x, %w : tensor<6x8xf32>, tensor<8x5xf32> -> tensor<6x5xf32>
  %2 = gaudi.mme.conv %image, %filter layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x3x2x4xf32>, tensor<1x1x4x2xf32> -> tensor<1x3x2x2xf32>
  %3 = gaudi.reshape %2 : tensor<1x3x2x2xf32> -> tensor<6x2xf32>
  %4 = gaudi.concat %0, %1, %3 axis 1 : tensor<6x8xf32>, tensor<6x5xf32>, tensor<6x2xf32> -> tensor<6x15xf32>
  return %4 : tensor<6x15xf32>
}

// RUN: gaudi-run %s --entry=cache --seed-inputs=1 --input=position=5 --check --check-memory -o %t.cache.recipe | FileCheck %s --check-prefix=CACHE
// RUN: gaudi-run %t.cache.recipe --dump | FileCheck %s --check-prefix=CACHE-DUMP
// CACHE: output 'out0' matches the reference
// CACHE-DUMP-NOT: transfer
func.func @cache(%cache: tensor<4x128x32xf32> {gaudi.donated}, %position: tensor<i32> {gaudi.name = "position"}, %keys: tensor<4x1x32xf32>, %query: tensor<4x1x32xf32>) -> (tensor<4x128x32xf32>, tensor<4x1x128xf32>) {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = "stablehlo.dynamic_update_slice"(%cache, %keys, %zero, %position, %zero) : (tensor<4x128x32xf32>, tensor<4x1x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x128x32xf32>
  %1 = gaudi.mme.gemm %query, %0 transpose_b : tensor<4x1x32xf32>, tensor<4x128x32xf32> -> tensor<4x1x128xf32>
  return %0, %1 : tensor<4x128x32xf32>, tensor<4x1x128xf32>
}

// Indices are moved so that the window is inside, in all dimensions that it
// does not fill.
// RUN: gaudi-run %s --entry=windows --seed-inputs=1 --input=i=-3 --input=j=1000 --check --check-memory | FileCheck %s --check-prefix=WINDOWS
// RUN: gaudi-run %s --entry=windows --seed-inputs=2 --input=i=2 --input=j=7 --check --check-memory | FileCheck %s --check-prefix=WINDOWS
// WINDOWS: output 'out0' matches the reference
func.func @windows(%x: tensor<2x6x5x40x8xf32>, %update: tensor<2x2x5x3x8xf32>, %i: tensor<i32> {gaudi.name = "i"}, %j: tensor<i32> {gaudi.name = "j"}) -> tensor<2x6x5x40x8xf32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = gaudi.tpc.exp %x : tensor<2x6x5x40x8xf32>
  %1 = "stablehlo.dynamic_update_slice"(%0, %update, %zero, %i, %zero, %j, %zero) : (tensor<2x6x5x40x8xf32>, tensor<2x2x5x3x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x6x5x40x8xf32>
  return %1 : tensor<2x6x5x40x8xf32>
}

// The old value of a donated argument, and states that shift: one copy each.
// RUN: gaudi-run %s --entry=shift --seed-inputs=1 --check --check-memory -o %t.shift.recipe | FileCheck %s --check-prefix=SHIFT
// RUN: gaudi-run %t.shift.recipe --dump | grep -c transfer | FileCheck %s --check-prefix=SHIFT-COPIES
// SHIFT: output 'out3' matches the reference
// SHIFT-COPIES: {{^3$}}
func.func @shift(%a: tensor<4x32xf32> {gaudi.donated = 2 : i64}, %b: tensor<4x32xf32> {gaudi.donated = 1 : i64}, %c: tensor<4x32xf32> {gaudi.donated = 0 : i64}, %x: tensor<4x32xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
  %0 = "stablehlo.add"(%x, %a) : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  return %b, %a, %0, %c : tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>
}

// What is inserted is computed in the cache: by a product, and in slices.
// RUN: gaudi-run %s --entry=rows --seed-inputs=1 --check --check-memory -o %t.rows.recipe | FileCheck %s --check-prefix=ROWS
// RUN: gaudi-run %t.rows.recipe --dump | FileCheck %s --check-prefix=ROWS-DUMP
// ROWS: output 'out1' matches the reference
// ROWS-DUMP-NOT: transfer
func.func @rows(%cache: tensor<2x16x32xf32> {gaudi.donated = 0 : i64}, %x: tensor<2x32xf32>, %w: tensor<32x32xf32>, %query: tensor<2x1x32xf32>) -> (tensor<2x16x32xf32>, tensor<2x1x16xf32>) {
  %0 = gaudi.mme.gemm %x, %w : tensor<2x32xf32>, tensor<32x32xf32> -> tensor<2x32xf32>
  %1 = gaudi.reshape %0 : tensor<2x32xf32> -> tensor<2x1x32xf32>
  %2 = gaudi.insert_slice %1 into %cache offsets [0, 5, 0] strides [1, 1, 1] : tensor<2x1x32xf32> into tensor<2x16x32xf32>
  %3 = gaudi.mme.gemm %x, %w transpose_b : tensor<2x32xf32>, tensor<32x32xf32> -> tensor<2x32xf32>
  %4 = gaudi.tpc.exp %3 : tensor<2x32xf32>
  %5 = gaudi.reshape %4 : tensor<2x32xf32> -> tensor<2x1x32xf32>
  %6 = gaudi.tpc.abs %query : tensor<2x1x32xf32>
  %7 = gaudi.concat %5, %6 axis 1 : tensor<2x1x32xf32>, tensor<2x1x32xf32> -> tensor<2x2x32xf32>
  %8 = gaudi.insert_slice %7 into %2 offsets [0, 3, 0] strides [1, 9, 1] : tensor<2x2x32xf32> into tensor<2x16x32xf32>
  %9 = gaudi.mme.gemm %query, %8 transpose_b : tensor<2x1x32xf32>, tensor<2x16x32xf32> -> tensor<2x1x16xf32>
  return %8, %9 : tensor<2x16x32xf32>, tensor<2x1x16xf32>
}

// Padding: only the constants are copied.
// RUN: gaudi-run %s --entry=padded --seed-inputs=1 --check --check-memory -o %t.padded.recipe | FileCheck %s --check-prefix=PADDED
// RUN: gaudi-run %t.padded.recipe --dump | grep -c transfer | FileCheck %s --check-prefix=PADDED-COPIES
// PADDED: output 'out1' matches the reference
// PADDED-COPIES: {{^2$}}
func.func @padded(%x: tensor<6x32xf32>, %w: tensor<32x16xf32>) -> (tensor<8x18xf32>, tensor<9x16xf32>) {
  %c = gaudi.constant dense<2.0> : tensor<8x18xf32>
  %d = gaudi.constant dense<-1.0> : tensor<9x16xf32>
  %0 = gaudi.mme.gemm %x, %w : tensor<6x32xf32>, tensor<32x16xf32> -> tensor<6x16xf32>
  %1 = gaudi.insert_slice %0 into %c offsets [1, 1] strides [1, 1] : tensor<6x16xf32> into tensor<8x18xf32>
  %3 = gaudi.tpc.exp %0 : tensor<6x16xf32>
  %4 = gaudi.insert_slice %3 into %d offsets [1, 0] strides [1, 1] : tensor<6x16xf32> into tensor<9x16xf32>
  return %1, %4 : tensor<8x18xf32>, tensor<9x16xf32>
}

// Rows that are computed from what they replace, and from rows beside them.
// RUN: gaudi-run %s --entry=own --seed-inputs=1 --check --check-memory -o %t.own.recipe | FileCheck %s --check-prefix=OWN
// RUN: gaudi-run %t.own.recipe --dump | FileCheck %s --check-prefix=OWN-DUMP
// OWN: output 'out0' matches the reference
// OWN-DUMP-NOT: transfer
func.func @own(%c: tensor<4x64xf32> {gaudi.donated = 0 : i64}, %x: tensor<1x64xf32>, %w: tensor<64x64xf32>) -> tensor<4x64xf32> {
  %0 = gaudi.slice %c offsets [2, 0] strides [1, 1] : tensor<4x64xf32> -> tensor<1x64xf32>
  %1 = "stablehlo.add"(%0, %x) : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<1x64xf32>
  %2 = gaudi.insert_slice %1 into %c offsets [2, 0] strides [1, 1] : tensor<1x64xf32> into tensor<4x64xf32>
  %3 = gaudi.slice %2 offsets [1, 0] strides [1, 1] : tensor<4x64xf32> -> tensor<2x64xf32>
  %4 = gaudi.mme.gemm %3, %w : tensor<2x64xf32>, tensor<64x64xf32> -> tensor<2x64xf32>
  %5 = gaudi.insert_slice %4 into %2 offsets [0, 0] strides [3, 1] : tensor<2x64xf32> into tensor<4x64xf32>
  return %5 : tensor<4x64xf32>
}
