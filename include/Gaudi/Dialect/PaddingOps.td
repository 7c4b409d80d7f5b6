// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static variants of functions with dynamic dimensions: ops that say which
// elements are padding, and replace them.
#ifndef GAUDI_DIALECT_PADDINGOPS_TD
#define GAUDI_DIALECT_PADDINGOPS_TD

include "Gaudi/Dialect/Attributes.td"

def Gaudi_ExtentTensor : 0DTensorOf<[I32]>;

// No view: patterns that look through views would lose what it says.
def Gaudi_ValidOp : Gaudi_GraphOp<"valid", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "marker of how much of a dimension is real";
  let description = [{
    The result is the operand. Of dimension `dims[i]` the elements before
    `extents[i]` are real, the others padding; a dimension that is not named is
    real as far as the analysis knows from the operand. Any element type: front
    ends put the marker into their own dialects after an op whose static type
    does not tell the size that a launch chooses, as `x[:, :-1]` does not tell
    from `x[:, :63]`. The extents are arguments of the function with the
    attribute `gaudi.extent`. gaudi-mask-padding removes the marker. Engine:
    none.

    Example:
    ```mlir
    %0 = gaudi.valid %x dims [1] extents (%n) : tensor<4x63xf32>, tensor<i32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$operand, DenseI64ArrayAttr:$dims,
      Variadic<Gaudi_ExtentTensor>:$extents);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $operand `dims` $dims `extents` `(` $extents `)` attr-dict `:` type($operand) (`,` type($extents)^)?
  }];
  let hasVerifier = 1;
  let extraClassDefinition = [{
    gaudi::Engine $cppClass::getEngine() { return gaudi::Engine::None; }
    int64_t $cppClass::getArithmeticOps() { return 0; }
  }];
}

def Gaudi_MaskOp : Gaudi_TPCOp<"mask", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "replacement of padding by a value";
  let description = [{
    `result[p] = value` if, for some i,
    `(p[dims[i]] floordiv divisors[i]) mod moduli[i] >= extents[i]`, else
    `operand[p]`. A dimension may be named several times: one that a reshape
    made of a padded batch and a padded sequence has a condition for each of
    them. Without `divisors` and `moduli`, which are at least 1, a condition is
    `p[dims[i]] >= extents[i]`. The value has the element type. Engine: TPC; the
    kernel fuses with those around it.

    Example:
    ```mlir
    %0 = gaudi.tpc.mask %x dims [0, 0] divisors [64, 1] moduli [8, 64] extents (%batch, %length)
           value 0.0 : f32 : tensor<512x16xf32>, tensor<i32>, tensor<i32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand, DenseI64ArrayAttr:$dims,
      OptionalAttr<DenseI64ArrayAttr>:$divisors, OptionalAttr<DenseI64ArrayAttr>:$moduli,
      Variadic<Gaudi_ExtentTensor>:$extents, TypedAttrInterface:$value);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = [{
    $operand `dims` $dims (`divisors` $divisors^)? (`moduli` $moduli^)? `extents` `(` $extents `)`
    `value` $value attr-dict `:` type($operand) (`,` type($extents)^)?
  }];
  let extraClassDeclaration = [{
    /// Condition i compares `(p[dims[i]] floordiv divisor) mod modulus`.
    int64_t getDivisor(size_t i) { return getDivisors() ? (*getDivisors())[i] : 1; }
    /// At least the quotient's range if the op has no `moduli`.
    int64_t getModulus(size_t i) {
      return getModuli() ? (*getModuli())[i] : getType().getDimSize(getDims()[i]);
    }
  }];
}

#endif // GAUDI_DIALECT_PADDINGOPS_TD
