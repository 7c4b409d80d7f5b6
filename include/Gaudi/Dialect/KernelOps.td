// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generic TPC kernel and the ops of its body.
#ifndef GAUDI_DIALECT_KERNELOPS_TD
#define GAUDI_DIALECT_KERNELOPS_TD

include "Gaudi/Dialect/Attributes.td"

def Gaudi_Scalar : AnyTypeOf<[F32, I64, I32, I16, I8, I1], "f32, i64, i32, i16, i8 or i1">;

def Gaudi_KernelOp : Gaudi_GraphOp<"tpc.kernel", [IsolatedFromAbove, SingleBlock, NoTerminator,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>], Gaudi_MayStop, ["getWork"]> {
  let summary = "a TPC kernel as data";
  let description = [{
    Computes its results point by point over `index_space`. A dimension is
    parallel (at most 5, any order of execution) or sequential (`parallel`
    false; walked by gaudi.kernel.loop inside a point; at most 10 dimensions in
    all). The body runs once per parallel point; it is made of gaudi.kernel ops
    and of arith and math ops on f32, i64, i32, i16, i8 and i1.

    The arguments of the body are the inputs, then the results. Inputs are read
    by gaudi.kernel.load, results are written by gaudi.kernel.store; nothing
    else uses them. Floats are f32 inside; `arith.truncf` to a narrow type
    followed by `arith.extf` rounds in between. `ui` tensors load as signless
    integers; the op says how they are read. `label` is the op the kernel stands
    for, for people.

    Every element of a result must be stored exactly once. An input that the
    body does not read is dropped by canonicalization, an input that is given
    twice is read through its first argument. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4xf32>):
      %zero = arith.constant 0.0 : f32
      %sum = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%zero) : f32 {
      ^bb0(%accumulator: f32):
        %v = gaudi.kernel.load %in0[d0, d1] : tensor<4x8xf32>
        gaudi.kernel.yield %v : f32
      }
      gaudi.kernel.store %sum, %out0[d0] : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Gaudi_Tensor>:$inputs, DenseI64ArrayAttr:$index_space,
      DenseBoolArrayAttr:$parallel, OptionalAttr<StrAttr>:$label);
  let results = (outs Variadic<Gaudi_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`label` $label^)? `(` $inputs `)` `index_space` $index_space `parallel` $parallel
    attr-dict `:` functional-type($inputs, $outputs) custom<KernelBody>($body, ref($index_space))
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$outputs, "::mlir::ValueRange":$inputs,
      "::llvm::ArrayRef<int64_t>":$indexSpace, "::llvm::ArrayRef<bool>":$parallel, "::llvm::StringRef":$label)>];
  let extraClassDeclaration = [{
    /// The arguments of the body that stand for the inputs.
    ::mlir::Block::BlockArgListType getInputArguments() {
      return getBody().getArguments().take_front(getInputs().size());
    }
    /// The arguments of the body that stand for the results.
    ::mlir::Block::BlockArgListType getOutputArguments() {
      return getBody().getArguments().drop_front(getInputs().size());
    }
    /// Empties the body and gives it arguments of the present types of the
    /// inputs and results.
    void clearBody();
  }];
}

class Gaudi_KernelBodyOp<string mnemonic, list<Trait> traits = []>
    : Gaudi_Op<"kernel." # mnemonic, traits>;

def Gaudi_KernelIndexOp : Gaudi_KernelBodyOp<"index", [Pure]> {
  let summary = "index of a kernel dimension";
  let description = [{
    The current index along dimension `dim` as i64. A sequential dimension has
    an index only inside a loop over it.

    Example: `%i = gaudi.kernel.index 0`
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs I64:$result);
  let assemblyFormat = "$dim attr-dict";
  let hasVerifier = 1;
}

def Gaudi_KernelLoadOp : Gaudi_KernelBodyOp<"load", !listconcat([NoMemoryEffect], Gaudi_MayStop)> {
  let summary = "read of one element of an input";
  let description = [{
    Reads the input of the kernel that the argument `input` stands for. The
    position has one entry per dimension of the tensor: a constant plus a sum of
    kernel dimensions (d0, d1, ...) times constants, or an i64 value. In the
    generic form, `map` holds the sums (0 in place of a value), `indices` the
    values and `dynamic_dims` the dimensions that they index, in ascending order.

    `boundary` has one rule per tensor dimension: inside (proven by the
    verifier; the default), clamp, pad (the load gives `pad`), checked (the
    launch stops with an error). A dimension that a value indexes cannot be
    inside. The result has the type that elements have in kernels: f32 for
    every float, else a signless integer.

    Example: `%v = gaudi.kernel.load %in0[%i, d1] boundary [#gaudi.boundary<checked>, #gaudi.boundary<inside>] : tensor<4x8xf32>`
  }];
  let arguments = (ins Gaudi_Tensor:$input, AffineMapAttr:$map, Variadic<I64>:$indices,
      OptionalAttr<DenseI64ArrayAttr>:$dynamic_dims, OptionalAttr<Gaudi_BoundaryArrayAttr>:$boundary,
      OptionalAttr<TypedAttrInterface>:$pad);
  let results = (outs Gaudi_Scalar:$result);
  let assemblyFormat = [{
    $input `` custom<Position>($map, $indices, $dynamic_dims) (`boundary` $boundary^)? (`pad` $pad^)?
    attr-dict `:` custom<TensorOfScalar>(type($input), type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of the input among those of the kernel.
    unsigned getInputNumber();
    /// The rule of one tensor dimension.
    gaudi::Boundary getBoundaryOf(unsigned tensorDim);
    /// The value that indexes `tensorDim`, or null when the map does.
    ::mlir::Value getDynamicIndex(unsigned tensorDim);
  }];
}

def Gaudi_KernelStoreOp : Gaudi_KernelBodyOp<"store"> {
  let summary = "write of one element of a result";
  let description = [{
    Writes `value` to the result of the kernel that the argument `output` stands
    for, converted to its element type with one rounding. Every position must be
    inside, and no two points may write one element.

    Example: `gaudi.kernel.store %v, %out0[d0] : tensor<4xf32>`
  }];
  let arguments = (ins Gaudi_Scalar:$value, Gaudi_Tensor:$output, AffineMapAttr:$map);
  let assemblyFormat = [{
    $value `,` $output `` custom<Position>($map) attr-dict `:` custom<TensorOfScalar>(type($output), type($value))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of the result among those of the kernel.
    unsigned getOutputNumber();
  }];
}

def Gaudi_KernelRoundToOp : Gaudi_KernelBodyOp<"round_to", [Pure]> {
  let summary = "rounding to a narrow float format by a rule";
  let description = [{
    `value` rounded to `format`, as an f32, by the rules of gaudi.tpc.round_to.
    `word` is there if the rule is a stochastic one.

    Example: `%r = gaudi.kernel.round_to %v random %word f8E5M2 <stochastic>`
  }];
  let arguments = (ins F32:$value, Optional<I32>:$word, TypeAttr:$format,
      Gaudi_FloatRoundingAttr:$rounding, UnitAttr:$flush);
  let results = (outs F32:$result);
  let assemblyFormat = "$value (`random` $word^)? $format $rounding (`flush` $flush^)? attr-dict";
  let hasVerifier = 1;
}

def Gaudi_KernelLoopOp : Gaudi_KernelBodyOp<"loop", [SingleBlock]> {
  let summary = "reductions over sequential dimensions";
  let description = [{
    Runs its body over the sequential dimensions `dims`, outermost first, and
    keeps one accumulator per entry of `reduce`, starting from `inits`. The
    accumulators are the arguments of the block; only `custom` may use its own.
    gaudi.kernel.yield gives, per reduction, the value to combine (custom: the
    next accumulator); argmax and argmin also give the i64 position. Integers of
    one bit reduce by and, or, xor and custom.

    Results: one per reduction; argmax and argmin two, value and position
    (the first position among equals; a NaN wins; 0 if nothing beats the init).
    Values of a body are not visible outside; loops do not nest.

    Example:
    ```mlir
    %m, %p = gaudi.kernel.loop [1] reduce [#gaudi.reduce<argmax>] init(%low) : f32, i64 {
    ^bb0(%accumulator: f32):
      %v = gaudi.kernel.load %in0[d0, d1] : tensor<4x8xf32>
      %i = gaudi.kernel.index 1
      gaudi.kernel.yield %v, %i : f32, i64
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$dims, Gaudi_KernelReduceArrayAttr:$reduce, Variadic<Gaudi_Scalar>:$inits);
  let results = (outs Variadic<Gaudi_Scalar>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::ArrayRef<int64_t>":$dims,
      "::llvm::ArrayRef<gaudi::KernelReduce>":$reduce, "::mlir::ValueRange":$inits)>];
  let extraClassDeclaration = [{
    gaudi::KernelReduce getReduceKind(unsigned reduction) {
      return ::llvm::cast<gaudi::KernelReduceAttr>(getReduce()[reduction]).getValue();
    }
  }];
}

def Gaudi_KernelYieldOp : Gaudi_KernelBodyOp<"yield", [Pure, Terminator, HasParent<"gaudi::KernelLoopOp">]> {
  let summary = "values of one step of a loop";
  let description = [{
    One value per reduction of the loop; argmax and argmin two.

    Example: `gaudi.kernel.yield %v : f32`
  }];
  let arguments = (ins Variadic<Gaudi_Scalar>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), "">];
}

#endif // GAUDI_DIALECT_KERNELOPS_TD
