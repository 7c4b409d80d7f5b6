// What has no expression over the symbols in tensor, linalg, control flow and
// TOSA.
// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-infer-symbols

func.func @unknown_dim(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}, %i: index) -> index {
  // expected-error @+1 {{the number of its dimension is not a constant}}
  %0 = tensor.dim %x, %i : tensor<?x4xf32>
  return %0 : index
}

// -----

func.func @no_such_dim(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}) -> index {
  %c2 = arith.constant 2 : index
  // expected-error @+1 {{its dimension 2 is none of type 'tensor<?x4xf32>'}}
  %0 = tensor.dim %x, %c2 : tensor<?x4xf32>
  return %0 : index
}

// -----

func.func @cast(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<8x4xf32> {
  // expected-error @+1 {{dimension 0 of its result is 8 by its type but n by its operands; the model has it fixed at 8: if that was the size of an example, export the model with another example size there, or bound it as n=8}}
  %0 = tensor.cast %x : tensor<?x4xf32> to tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @data_as_size(%x: tensor<?xf32> {gaudi.dims = ["n=1..64"]}, %i: tensor<1xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %i[%c0] : tensor<1xi64>
  %size = arith.index_cast %e : i64 to index
  // expected-error @+1 {{dimension 0 of its result of type 'tensor<?xf32>' is not known}}
  %0 = tensor.extract_slice %x[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The view has a dimension of size 1 where its operand has one of any size.
// expected-note @+1 {{the operand of size seq}}
func.func @loops(%x: tensor<?x?x16xf32> {gaudi.dims = ["batch=1..64", "seq=3..128", ""]}) -> tensor<?x1x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x16xf32>
  // expected-note @+1 {{the operand of size 1}}
  %to = tensor.empty(%n) : tensor<?x1x16xf32>
  // expected-error @+1 {{its operands have the sizes seq and 1 where they must be equal; the model has it fixed at 1: if that was the size of an example, export the model with another example size there, or bound it as seq=1; torch-mlir also writes 1 where a view collapses two dynamic dimensions: export without the decomposition of aten.linear}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x?x16xf32>) outs(%to : tensor<?x1x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x1x16xf32>
  return %0 : tensor<?x1x16xf32>
}

// -----

func.func @assertion(%x: tensor<?x?xf32> {gaudi.dims = ["n=1..64", "m=2..8"]}) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %rest = arith.remsi %n, %c3 : index
  %holds = arith.cmpi ne, %rest, %c1 : index
  // expected-error @+1 {{an assertion on sizes does not hold for n = 1, m = 2; give bounds or multiples that make it true: blocks of three}}
  cf.assert %holds, "blocks of three"
  return
}

// -----

func.func @loop(%x: tensor<?xf32> {gaudi.dims = ["n=1..64"]}, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{it carries a value of type 'tensor<?xf32>'; values of dynamic shape in control flow are not supported; unroll it or give the model a static size there}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<?xf32> {
    %1 = math.exp %y : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
