// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on dynamic dimensions of source dialects.
#ifndef GAUDI_TRANSFORMS_SHAPES_SHAPEPASSES_TD
#define GAUDI_TRANSFORMS_SHAPES_SHAPEPASSES_TD

include "mlir/Pass/PassBase.td"

def InferSymbols : Pass<"gaudi-infer-symbols", "::mlir::ModuleOp"> {
  let summary = "Computes dynamic dimensions as expressions over symbols";
  let description = [{
    A function whose arguments have dynamic dimensions gets the attribute
    `gaudi.symbols`, and each of its arguments and results `gaudi.shape`: the
    size of each dimension as an affine map over the symbols, in which symbols
    may be multiplied. Bounds of the symbols come from the option `shape`, or
    from the attribute `gaudi.dims` of arguments, one string per dimension:
    `NAME=MIN..MAX/MULTIPLE`, where `/MULTIPLE` may be left out. One entry of
    a symbol gives its bounds; others may be the name alone, or a sum of
    products of names and numbers such as `past + seq`. `NAME=N` is a size that
    does not vary.

    Sizes go through the function op by op: the ops' rules say which dimension
    of a result is which expression. Integer scalars and small tensors that are
    computed of sizes are followed, too, so that shape operands are known.
    Calls are inlined first. Functions without dynamic arguments stay as they
    are.

    Errors: a dynamic dimension of an argument without bounds, an op whose
    result's size is no expression over the symbols, operands whose sizes are
    different symbols but must be equal.

    Before:
    ```mlir
    func.func @main(%x: tensor<?x8xf32> {gaudi.dims = ["batch=1..64", ""]}) -> tensor<?x8xf32>
    ```
    After:
    ```mlir
    func.func @main(%x: tensor<?x8xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 8)>})
        -> (tensor<?x8xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 8)>})
        attributes {gaudi.symbols = [{max = 64 : i64, min = 1 : i64, multiple = 1 : i64, name = "batch"} ]}
    ```
  }];
  let options = [
    Option<"shape", "shape", "std::string", "\"\"",
           "bounds of dynamic dimensions: \"x:batch=1..64,seq=16..4096/16;y:batch\"">];
}

def BucketShapes : Pass<"gaudi-bucket-shapes", "::mlir::ModuleOp"> {
  let summary = "Clones a function with symbols for each bucket, with static shapes";
  let description = [{
    Runs after gaudi-infer-symbols. A bucket is one size for each symbol. The
    variant of a bucket has static types: each dimension is the largest value
    of its expression for sizes up to those of the bucket. Sizes that say a
    shape become constants. Sizes that are data (the divisor of a mean, the
    offset of the last token) become arguments `tensor<i32>` with the attribute
    `gaudi.extent`, one for each distinct expression, which the launch sets.

    Elements at or past the extent are padding. Where the real elements of a
    padded tensor would not come first, they are moved: the operands of a
    concatenation along a dynamic dimension are written at their real offsets.

    The function itself becomes a declaration with the attribute
    `gaudi.buckets`.

    Before:
    ```mlir
    func.func @main(%x: tensor<?x8xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 8)>}) ...
        attributes {gaudi.symbols = [...], gaudi.boxes = [array<i64: 8>, array<i64: 64>]}
    ```
    After:
    ```mlir
    func.func private @main(tensor<?x8xf32> {...}) attributes {gaudi.symbols = [...], gaudi.buckets = [@main.0, @main.1]}
    func.func @main.0(%x: tensor<8x8xf32> {...}) attributes {gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @main, ...}
    func.func @main.1(%x: tensor<64x8xf32> {...}) ...
    ```
  }];
  let options = [
    Option<"buckets", "buckets", "std::string", "\"\"",
           "the sizes of each bucket, in the order of the symbols: \"8,64;16,64\"; "
           "without it the attribute gaudi.boxes says them">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
                           "gaudi::GaudiDialect"];
}

#endif // GAUDI_TRANSFORMS_SHAPES_SHAPEPASSES_TD
