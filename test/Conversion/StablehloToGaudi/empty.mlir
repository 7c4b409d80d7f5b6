// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --check --print=64 --entry=reduce "--input=2x0xf32=" "--input=f32=7" "--input=2x0xi32=" "--input=i32=5" | FileCheck %s --check-prefix=REDUCE
// RUN: gaudi-run %s --check --print=64 --entry=product "--input=2x0xi8=" "--input=0x3xi8=" "--input=0x2xi8=" | FileCheck %s --check-prefix=PRODUCT
// RUN: gaudi-run %s --check --print=64 --entry=kernels "--input=0x2xi32=" "--input=2xi64=3 4" | FileCheck %s --check-prefix=KERNELS
// Tensors without elements. The expected values are those of JAX.

// Of no elements, the initial values are left.
// CHECK-LABEL: @reduce
// REDUCE: output 'out0': 2xf32 = [7, 7]
// REDUCE: output 'out1': 0xf32 = []
// REDUCE: output 'out2': 2xf32 = [7, 7]
// REDUCE: output 'out3': 2xi32 = [5, 5]
func.func @reduce(%x: tensor<2x0xf32>, %i: tensor<f32>, %n: tensor<2x0xi32>, %j: tensor<i32>) -> (tensor<2xf32>, tensor<0xf32>, tensor<2xf32>, tensor<2xi32>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x0xf32>, tensor<f32>) -> tensor<0xf32>
  %2:2 = "stablehlo.reduce"(%x, %n, %i, %j) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    "stablehlo.return"(%c, %d) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x0xf32>, tensor<2x0xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0, %1, %2#0, %2#1 : tensor<2xf32>, tensor<0xf32>, tensor<2xf32>, tensor<2xi32>
}

// CHECK-LABEL: @product
// PRODUCT: output 'out0': 2x3xi32 = [0, 0, 0, 0, 0, 0]
// PRODUCT: output 'out1': 0x0xi32 = []
func.func @product(%x: tensor<2x0xi8>, %y: tensor<0x3xi8>, %z: tensor<0x2xi8>) -> (tensor<2x3xi32>, tensor<0x0xi32>) {
  %0 = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x0xi8>, tensor<0x3xi8>) -> tensor<2x3xi32>
  %1 = "stablehlo.dot_general"(%z, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<0x2xi8>, tensor<2x0xi8>) -> tensor<0x0xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<0x0xi32>
}

// CHECK-LABEL: @kernels
// KERNELS: output 'out0': 0x2xi32 = []
// KERNELS: output 'out1': 0x2x4xi8 = []
// KERNELS: output 'out2': 0x2xi32 = []
// KERNELS: output 'out3': 2xi64 = [3, 4]
// KERNELS: output 'out4': 0x3xu32 = []
func.func @kernels(%x: tensor<0x2xi32>, %s: tensor<2xui64>) -> (tensor<0x2xi32>, tensor<0x2x4xi8>, tensor<0x2xi32>, tensor<2xui64>, tensor<0x3xui32>) {
  %0 = "stablehlo.power"(%x, %x) : (tensor<0x2xi32>, tensor<0x2xi32>) -> tensor<0x2xi32>
  %1 = "stablehlo.bitcast_convert"(%x) : (tensor<0x2xi32>) -> tensor<0x2x4xi8>
  %2 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.multiply"(%a, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %d = "stablehlo.compare"(%c, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%d) : (tensor<i1>) -> ()
  }) : (tensor<0x2xi32>) -> tensor<0x2xi32>
  %3:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0x3xui32>)
  return %0, %1, %2, %3#0, %3#1 : tensor<0x2xi32>, tensor<0x2x4xi8>, tensor<0x2xi32>, tensor<2xui64>, tensor<0x3xui32>
}

// A scatter of no updates is its operand.
// CHECK-LABEL: @no_updates
func.func @no_updates(%x: tensor<5x3xf32>, %i: tensor<0x1xi32>, %u: tensor<0x3xf32>) -> tensor<5x3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<5x3xf32>, tensor<0x1xi32>, tensor<0x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
