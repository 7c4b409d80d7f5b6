// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface that says which dimensions of an op's tensors belong together.
#ifndef GAUDI_DIALECT_DIMMAP_TD
#define GAUDI_DIALECT_DIMMAP_TD

include "mlir/IR/OpBase.td"

def Gaudi_DimMapOpInterface : OpInterface<"DimMapOpInterface"> {
  let cppNamespace = "gaudi";
  let description = [{
    An op that knows which dimension of an operand is which of a result. The
    models are in lib/Dialect/DimMaps, one place for all ops; what a dimension
    means to batches, splits, padding and orders is derived from them.
  }];
  let methods = [
    InterfaceMethod<[{
      The map of the op as it is: of static shapes, operands before results.
    }], "gaudi::DimMap", "getDimMap">,
  ];
}

#endif // GAUDI_DIALECT_DIMMAP_TD
