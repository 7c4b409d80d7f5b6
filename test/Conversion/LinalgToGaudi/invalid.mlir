// RUN: gaudi-opt %s --convert-linalg-to-gaudi -split-input-file -verify-diagnostics -allow-unregistered-dialect

// Types.

// expected-error @+1 {{cannot convert func.func: argument 0 has element type 'f64', which the device does not have}}
func.func @f64(%x: tensor<4xf64>) -> tensor<4xf64> {
  return %x : tensor<4xf64>
}

// -----

// expected-error @+1 {{cannot convert func.func: argument 0 has type 'memref<4xf32>'; expected a tensor (bufferize after this conversion, not before)}}
func.func @memref(%x: memref<4xf32>, %z: f32) {
  // expected-error @+1 {{cannot convert linalg.fill: operand 1 has type 'memref<4xf32>'; expected a tensor}}
  linalg.fill ins(%z : f32) outs(%x : memref<4xf32>)
  return
}

// -----

// expected-error @+1 {{cannot convert func.func: argument 0 has type 'tensor<*xf32>': expected a static shape}}
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}

// -----

// Every op that cannot be converted is listed, not only the first.
// expected-error @+1 {{cannot convert func.func: argument 0 has type 'tensor<?xf32>': expected a static shape; export the model with inputs of fixed sizes and without sizes that depend on data}}
func.func @dynamic(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @+1 {{cannot convert tensor.extract_slice: operand 0 has type 'tensor<?xf32>': expected a static shape}}
  %0 = tensor.extract_slice %x[1] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.empty(%n) : tensor<?xf32>
  // expected-error @+1 {{cannot convert linalg.exp: operand 0 has type 'tensor<?xf32>': expected a static shape}}
  %2 = linalg.exp ins(%0 : tensor<?xf32>) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// expected-error @+1 {{cannot convert func.func: argument 0 has type 'complex<f32>'; expected a tensor}}
func.func @complex(%x: complex<f32>) {
  return
}

// -----

func.func @narrow(%x: tensor<8xi4>, %y: tensor<8xf32>) -> (tensor<8xi4>, tensor<8xi4>) {
  // expected-error @+1 {{cannot convert arith.constant: its elements of a width that the device does not have are not in the text; print the model with all its constants}}
  %c = arith.constant dense_resource<narrow> : tensor<8xi4>
  %e = tensor.empty() : tensor<8xi4>
  %0 = linalg.map ins(%x, %c : tensor<8xi4>, tensor<8xi4>) outs(%e : tensor<8xi4>) (%v: i4, %w: i4, %o: i4) {
    // expected-error @+1 {{cannot convert math.ctlz: it computes on an integer of a width that the device does not have, and it cannot be widened; cast to i8, i16, i32 or i64 first}}
    %r = math.ctlz %v : i4
    linalg.yield %r : i4
  }
  return %0, %c : tensor<8xi4>, tensor<8xi4>
}

// -----

// expected-error @+1 {{cannot convert func.func: result 0 has element type 'f8E5M2FNUZ', which the device does not have}}
func.func @fnuz(%x: tensor<8xf32>) -> tensor<8xf8E5M2FNUZ> {
  // expected-error @+1 {{cannot convert linalg.generic: operand 1 has element type 'f8E5M2FNUZ', which the device does not have}}
  %0 = arith.truncf %x : tensor<8xf32> to tensor<8xf8E5M2FNUZ>
  return %0 : tensor<8xf8E5M2FNUZ>
}

// -----

// Functions.

// expected-error @+1 {{cannot convert func.func: it has no body}}
func.func private @external(tensor<4xf32>) -> tensor<4xf32>
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot convert func.call: it calls '@external', which cannot be inlined (no body, or recursive)}}
  %0 = call @external(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{cannot convert func.func: it has 3 blocks; branches have no place in a graph (use arith.select)}}
func.func @branches(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : tensor<4xf32>
^b:
  return %y : tensor<4xf32>
}

// -----

func.func @recursive(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot convert func.call: it calls '@recursive', which cannot be inlined (no body, or recursive)}}
  %0 = call @recursive(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{cannot convert ml_program.global: no conversion from dialect 'ml_program'}}
ml_program.global private @seed(dense<0> : tensor<i64>) : tensor<i64>

// -----

func.func @other_dialects(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot convert stablehlo.abs: no conversion from dialect 'stablehlo'}}
  %0 = "stablehlo.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{cannot convert tosa.abs: no conversion from dialect 'tosa' here; run --convert-tosa-to-gaudi first}}
  %1 = tosa.abs %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @no_form(%s: tensor<2x4xindex>, %d: tensor<8x4xindex>, %i: tensor<2x1xi64>) -> tensor<8x4xindex> {
  // expected-error @+1 {{cannot convert tensor.scatter: the device has no form of it}}
  %0 = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<2x4xindex>, tensor<8x4xindex>, tensor<2x1xi64>) -> tensor<8x4xindex>
  return %0 : tensor<8x4xindex>
}

// -----

// Assertions.

func.func @false_assertion(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = arith.constant false
  // expected-error @+1 {{cannot convert cf.assert: its condition is always false ("mismatching size")}}
  cf.assert %f, "mismatching size"
  return %x : tensor<4xf32>
}

// -----

func.func @run_time_assertion(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // expected-error @+1 {{cannot convert cf.assert: data-dependent asserts are not supported, except bounds guards of gathers and guards of a division by zero}}
  cf.assert %c, "not so"
  return %x : tensor<4xf32>
}

// -----

// The guard is not about the divisor.
func.func @guards_dividend(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.map ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %b: f32, %o: f32) {
    %c = arith.cmpf one, %a, %zero : f32
    // expected-error @+1 {{cannot convert cf.assert: data-dependent asserts are not supported}}
    cf.assert %c, "zero"
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  }
  return %0 : tensor<4xf32>
}

// -----

// The guard is stricter than the bounds check.
func.func @strict_guard(%ids: tensor<3xi64>, %table: tensor<100xf32>) -> tensor<3xf32> {
  %c50 = arith.constant 50 : index
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.map ins(%ids : tensor<3xi64>) outs(%e : tensor<3xf32>) (%id: i64, %o: f32) {
    %i = arith.index_cast %id : i64 to index
    %c = arith.cmpi slt, %i, %c50 : index
    // expected-error @+1 {{cannot convert cf.assert: data-dependent asserts are not supported}}
    cf.assert %c, "index must be smaller than 50"
    %v = tensor.extract %table[%i] : tensor<100xf32>
    linalg.yield %v : f32
  }
  return %0 : tensor<3xf32>
}

// -----

// tensor ops.

func.func @insert_at_run_time(%x: tensor<8xf32>, %y: tensor<2xf32>, %n: index) -> tensor<8xf32> {
  // expected-error @+1 {{cannot convert tensor.insert_slice: it has an offset, size or stride that is not constant}}
  %0 = tensor.insert_slice %y into %x[0] [2] [%n] : tensor<2xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @negative_strides(%x: tensor<8xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<8xf32>) {
  // expected-error @+1 {{cannot convert tensor.extract_slice: it has stride -1 in dimension 0; expected 1 or more}}
  %0 = tensor.extract_slice %x[7] [2] [-1] : tensor<8xf32> to tensor<2xf32>
  // expected-error @+1 {{cannot convert tensor.insert_slice: it has stride -1 in dimension 0; expected 1 or more}}
  %1 = tensor.insert_slice %y into %x[7] [2] [-1] : tensor<2xf32> into tensor<8xf32>
  return %0, %1 : tensor<2xf32>, tensor<8xf32>
}

// -----

// expected-note @below {{the index is computed here}}
func.func @scalar_read_at_run_time(%x: tensor<8xf32>, %n: index) -> tensor<4xf32> {
  %v = tensor.extract %x[%n] : tensor<8xf32>
  // expected-error @+1 {{cannot convert tensor.splat: it uses a scalar that is neither a constant nor read from a tensor at constant indices}}
  %0 = tensor.splat %v : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @scalar_out_of_bounds(%x: tensor<8xf32>) -> tensor<4xf32> {
  %nine = arith.constant 9 : index
  %v = tensor.extract %x[%nine] : tensor<8xf32>
  // expected-error @+1 {{cannot convert tensor.splat: it reads index 9 of a dimension of size 8}}
  %0 = tensor.splat %v : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @pads(%x: tensor<8xf32>, %n: index) -> (tensor<10xf32>, tensor<10xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{cannot convert tensor.pad: it has a padding size that is not constant}}
  %0 = tensor.pad %x low[%n] high[%n] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  // expected-error @+1 {{cannot convert tensor.pad: it has a padding value that depends on the position}}
  %2 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    tensor.yield %f : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %0, %2 : tensor<10xf32>, tensor<10xf32>
}

// -----

func.func @elided_wide(%x: tensor<400xi48>) -> tensor<400xi48> {
  // expected-error @+1 {{cannot convert arith.constant: its elements of a width that the device does not have are not in the text; print the model with all its constants}}
  %c = arith.constant dense_resource<__elided__> : tensor<400xi48>
  %e = tensor.empty() : tensor<400xi48>
  %0 = linalg.add ins(%x, %c : tensor<400xi48>, tensor<400xi48>) outs(%e : tensor<400xi48>) -> tensor<400xi48>
  return %0 : tensor<400xi48>
}

// -----

func.func @index_resource() -> tensor<2xindex> {
  // expected-error @+1 {{cannot convert arith.constant: it has index elements that are not in the text of the program}}
  %0 = arith.constant dense_resource<positions> : tensor<2xindex>
  return %0 : tensor<2xindex>
}

// -----

// Bodies.

// An integer made from a number of f64 would be another one.
func.func @decides_in_f64(%x: tensor<8xf32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  // expected-error @+1 {{cannot convert linalg.map: the body computes in 'f64', which the device does not have}}
  %0 = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xi32>) (%v: f32, %o: i32) {
    %w = arith.extf %v : f32 to f64
    %m = arith.mulf %w, %w : f64
    %r = arith.fptosi %m : f64 to i32
    linalg.yield %r : i32
  }
  return %0 : tensor<8xi32>
}

// -----

// So would whole numbers, infinities, and differences of wide integers.
func.func @floor_in_f64(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant 10.0 : f64
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{cannot convert linalg.map: the body computes in 'f64', which the device does not have}}
  %0 = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) (%v: f32, %o: f32) {
    %w = arith.extf %v : f32 to f64
    %m = arith.mulf %w, %c : f64
    %f = math.floor %m : f64
    %r = arith.truncf %f : f64 to f32
    linalg.yield %r : f32
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @isinf_in_f64(%x: tensor<8xf32>) -> tensor<8xi1> {
  %e = tensor.empty() : tensor<8xi1>
  // expected-error @+1 {{cannot convert linalg.map: the body computes in 'f64', which the device does not have}}
  %0 = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xi1>) (%v: f32, %o: i1) {
    %w = arith.extf %v : f32 to f64
    %m = arith.mulf %w, %w : f64
    %r = math.isinf %m : f64
    linalg.yield %r : i1
  }
  return %0 : tensor<8xi1>
}

// -----

func.func @wide_integers_in_f64(%x: tensor<8xi64>, %y: tensor<8xi64>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{cannot convert linalg.map: the body computes in 'f64', which the device does not have}}
  %0 = linalg.map ins(%x, %y : tensor<8xi64>, tensor<8xi64>) outs(%e : tensor<8xf32>) (%v: i64, %u: i64, %o: f32) {
    %a = arith.sitofp %v : i64 to f64
    %b = arith.sitofp %u : i64 to f64
    %d = arith.subf %a, %b : f64
    %r = arith.truncf %d : f64 to f32
    linalg.yield %r : f32
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @small_constant_in_f64(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant 1.0e-60 : f64
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{cannot convert linalg.map: the body computes in 'f64', which the device does not have}}
  %0 = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) (%v: f32, %o: f32) {
    %w = arith.extf %v : f32 to f64
    %m = arith.addf %w, %c : f64
    %d = arith.divf %w, %m : f64
    %r = arith.truncf %d : f64 to f32
    linalg.yield %r : f32
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @reads_unsupported(%i: tensor<8xi64>) -> tensor<8xf32> {
  // expected-error @+1 {{cannot convert arith.constant: result 0 has element type 'f64', which the device does not have}}
  %t = arith.constant dense<[1.0, 1.0e+300]> : tensor<2xf64>
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{cannot convert linalg.map: a tensor that the body reads has element type 'f64', which the device does not have}}
  %0 = linalg.map ins(%i : tensor<8xi64>) outs(%e : tensor<8xf32>) (%v: i64, %o: f32) {
    %n = arith.index_cast %v : i64 to index
    %w = tensor.extract %t[%n] : tensor<2xf64>
    %r = arith.truncf %w : f64 to f32
    linalg.yield %r : f32
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @unknown_scalar(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{computed by this op}}
  // expected-error @+1 {{cannot convert test.scalar: no conversion from dialect 'test'}}
  %s:2 = "test.scalar"() : () -> (f32, f32)
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{cannot convert linalg.map: 'test.scalar' in the body has no kernel form}}
  %0 = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) (%v: f32, %o: f32) {
    %r = arith.addf %v, %s#0 : f32
    linalg.yield %r : f32
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @rounds_down(%x: tensor<8xf32>) -> tensor<8xbf16> {
  %e = tensor.empty() : tensor<8xbf16>
  // expected-error @+1 {{cannot convert linalg.map: 'arith.truncf' rounds downward; the device rounds to nearest even}}
  %0 = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xbf16>) (%v: f32, %o: bf16) {
    // expected-note @below {{computed by this op}}
    %r = arith.truncf %v downward : f32 to bf16
    linalg.yield %r : bf16
  }
  return %0 : tensor<8xbf16>
}

// -----

func.func @bits_of_f16(%x: tensor<8xf16>) -> tensor<8xi16> {
  %c = arith.constant 3 : i16
  %e = tensor.empty() : tensor<8xi16>
  // expected-error @+1 {{cannot convert linalg.map: the body reinterprets the bits of 'f16' as 'i16'; expected f32 or bf16}}
  %0 = linalg.map ins(%x : tensor<8xf16>) outs(%e : tensor<8xi16>) (%v: f16, %o: i16) {
    // expected-note @below {{computed by this op}}
    %b = arith.bitcast %v : f16 to i16
    %r = arith.andi %b, %c : i16
    linalg.yield %r : i16
  }
  return %0 : tensor<8xi16>
}

// -----

func.func @integer_power(%x: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  // expected-error @+1 {{cannot convert linalg.map: 'math.ipowi' has an exponent that is not constant}}
  %0 = linalg.map ins(%x : tensor<8xi32>) outs(%e : tensor<8xi32>) (%v: i32, %o: i32) {
    // expected-note @below {{computed by this op}}
    %r = math.ipowi %v, %v : i32
    linalg.yield %r : i32
  }
  return %0 : tensor<8xi32>
}

// -----

func.func @control_flow(%x: tensor<8xf32>, %c: tensor<8xi1>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{cannot convert linalg.map: 'scf.execute_region' in the body has no kernel form}}
  %0 = linalg.map ins(%x, %c : tensor<8xf32>, tensor<8xi1>) outs(%e : tensor<8xf32>) (%v: f32, %p: i1, %o: f32) {
    // expected-note @below {{computed by this op}}
    %r = scf.execute_region -> f32 {
      %s = math.exp %v : f32
      scf.yield %s : f32
    }
    linalg.yield %r : f32
  }
  return %0 : tensor<8xf32>
}

// -----

// Loops.

#in = affine_map<(a, b, c, d, e, f, g, h, i, j, k) -> (a, b, c, d, e, f, g, h, i, j, k)>
#out = affine_map<(a, b, c, d, e, f, g, h, i, j, k) -> (k, j, i, h, g, f, e, d, c, b, a)>
func.func @eleven(%x: tensor<2x2x2x2x2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2x2x2x2x2xf32> {
  %y = tensor.empty() : tensor<2x2x2x2x2x2x2x2x2x2x2xf32>
  // expected-error @+1 {{cannot convert linalg.generic: it has 11 dimensions of a size other than 1; a TPC kernel has at most 10}}
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x2x2x2x2x2x2x2x2x2x2xf32>) outs(%y : tensor<2x2x2x2x2x2x2x2x2x2x2xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.mulf %v, %v : f32
    %r = arith.addf %s, %v : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x2x2x2x2x2x2x2x2xf32>
  return %0 : tensor<2x2x2x2x2x2x2x2x2x2x2xf32>
}

// -----

func.func @six_and_reduction(%x: tensor<2x2x2x2x2x2x2xf32>, %y: tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: it has 6 parallel dimensions of a size other than 1 beside a reduction; a TPC kernel has at most 5}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f, g)>, affine_map<(a, b, c, d, e, f, g) -> (f, e, d, c, b, a)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x2x2x2x2x2x2xf32>) outs(%y : tensor<2x2x2x2x2x2xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.mulf %v, %v : f32
    %r = arith.addf %s, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x2x2x2xf32>
  return %0 : tensor<2x2x2x2x2x2xf32>
}

// -----

func.func @strided_result(%x: tensor<4xf32>, %y: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: result 0 is not written by distinct whole dimensions, so elements could be missed or written twice}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 * 2)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<7xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @written_twice(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: result 0 does not vary along parallel dimension 1, so its elements would be written more than once}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @partly_reduced(%x: tensor<4x8xf32>, %y: tensor<4xf32>, %z: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  // expected-error @+1 {{cannot convert linalg.generic: result 0 varies along some of the reduced dimensions but not all}}
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%y, %z : tensor<4xf32>, tensor<f32>) {
  ^bb0(%v: f32, %o: f32, %p: f32):
    %r = arith.addf %v, %o : f32
    %s = arith.addf %v, %p : f32
    linalg.yield %r, %s : f32, f32
  } -> (tensor<4xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
}
