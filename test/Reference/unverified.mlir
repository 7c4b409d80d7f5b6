// The interpreter names what it cannot run even where nobody verified the IR:
// with the verifier off its own messages must come out, not a crash.
// RUN: gaudi-opt %s --split-input-file --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --gaudi-compile="check-numerics=true" -o /dev/null 2>&1 | FileCheck %s

// CHECK: values of '@load_map' are not checked: its seeded inputs cannot be evaluated: expected affine sums in the map but got affine_map<(d0) -> (d0 mod 4)>
func.func @load_map(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0 mod 4] : tensor<4xf32>
    gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// CHECK: values of '@store_map' are not checked: its seeded inputs cannot be evaluated: expected affine sums in the map but got affine_map<(d0) -> (d0 floordiv 2)>
func.func @store_map(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in0: tensor<4xf32>, %out0: tensor<4xf32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xf32>
    gaudi.kernel.store %v, %out0[d0 floordiv 2] : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// CHECK: values of '@foreign_op' are not checked: its seeded inputs cannot be evaluated: 'arith.ceildivsi' is not an operation of a TPC kernel
func.func @foreign_op(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = gaudi.tpc.kernel (%x) index_space [4] parallel [true] : (tensor<4xi32>) -> tensor<4xi32> {
  ^bb0(%in0: tensor<4xi32>, %out0: tensor<4xi32>):
    %v = gaudi.kernel.load %in0[d0] : tensor<4xi32>
    %q = arith.ceildivsi %v, %v : i32
    gaudi.kernel.store %q, %out0[d0] : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

// -----

// CHECK: values of '@float_reduction' are not checked: its seeded inputs cannot be evaluated: expected a reduction of floats but got 'xor'
func.func @float_reduction(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %r = gaudi.tpc.kernel (%x) index_space [2, 3] parallel [true, false] : (tensor<2x3xf32>) -> tensor<2xf32> {
  ^bb0(%in0: tensor<2x3xf32>, %out0: tensor<2xf32>):
    %zero = arith.constant 0.0 : f32
    %s = gaudi.kernel.loop [1] reduce [#gaudi.reduce<xor>] init(%zero) : f32 {
    ^bb0(%running: f32):
      %v = gaudi.kernel.load %in0[d0, d1] : tensor<2x3xf32>
      gaudi.kernel.yield %v : f32
    }
    gaudi.kernel.store %s, %out0[d0] : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
