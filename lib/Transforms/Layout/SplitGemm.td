// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product whose rows, columns and depth are several dimensions: what
// the placement of permutations makes of gaudi.mme.gemm for as long as it runs.
#ifndef GAUDI_TRANSFORMS_LAYOUT_SPLITGEMM_TD
#define GAUDI_TRANSFORMS_LAYOUT_SPLITGEMM_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Gaudi/Dialect/DimMap.td"
include "Gaudi/Dialect/Interfaces.td"

def Layout_Dialect : Dialect {
  let name = "gaudi_layout";
  let cppNamespace = "gaudi::layout";
  let summary = "ops that live within gaudi-place-permutations";
}

def Layout_SplitGemmOp : Op<Layout_Dialect, "split_gemm", [Pure,
    DeclareOpInterfaceMethods<Gaudi_CostOpInterface, ["getWork"]>,
    DeclareOpInterfaceMethods<Gaudi_DimMapOpInterface>,
    DeclareOpInterfaceMethods<Gaudi_LayoutOpInterface, ["hasIndependentOrders", "acceptsOrders"]>]> {
  let summary = "matrix product over several dimensions";
  let description = [{
    Dimensions are named by numbers. One that all three tensors have is of the
    batch, one of lhs and result counts rows, one of rhs and result columns, and
    one of lhs and rhs is contracted. Of one kind, ascending names are the
    dimensions of gaudi.mme.gemm, outer first.
  }];
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs,
      DenseI64ArrayAttr:$lhs_dims, DenseI64ArrayAttr:$rhs_dims, DenseI64ArrayAttr:$result_dims);
  let results = (outs AnyRankedTensor:$result);
}

#endif // GAUDI_TRANSFORMS_LAYOUT_SPLITGEMM_TD
