// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an op says what it computes, for the reference evaluator.
#ifndef GAUDI_REFERENCE_REFERENCEEVAL_TD
#define GAUDI_REFERENCE_REFERENCEEVAL_TD

include "mlir/IR/OpBase.td"

def Gaudi_ReferenceEvalOpInterface : OpInterface<"ReferenceEvalOpInterface"> {
  let cppNamespace = "gaudi";
  let description = [{
    The value of an op in float64 from the rounded values of its operands. The
    models live in lib/Reference, apart from the dialect and from the kernel
    lowering that they are the judge of.
  }];
  let methods = [
    InterfaceMethod<[{
      Appends one tensor per result, each rounded once to its element type.
      `operands` has one tensor per operand, of the operand's type. With `noise`
      the op makes the errors of that draw, as a device may make others; null:
      none. Fails with an error on the op (an index outside its tensor, for
      example).
    }], "::llvm::LogicalResult", "evaluate",
      (ins "::llvm::ArrayRef<gaudi::ReferenceTensor>":$operands,
           "const gaudi::Noise *":$noise,
           "::llvm::SmallVectorImpl<gaudi::ReferenceTensor> &":$results)>,
  ];
}

#endif // GAUDI_REFERENCE_REFERENCEEVAL_TD
