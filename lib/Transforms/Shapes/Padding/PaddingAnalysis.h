// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dataflow analysis of padding in a static variant.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGANALYSIS_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGANALYSIS_H

#include "PaddingRules.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"

namespace gaudi {

using PaddingLattice = dataflow::Lattice<PaddingState>;

/// Forward over the ops of one function, which has no control flow. The states
/// of arguments are those that their attributes `gaudi.shape` say.
class PaddingAnalysis
    : public dataflow::SparseForwardDataFlowAnalysis<PaddingLattice> {
public:
  PaddingAnalysis(DataFlowSolver &solver, const SymbolSizes &sizes)
      : SparseForwardDataFlowAnalysis(solver), sizes(sizes) {}

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const PaddingLattice *> operands,
                               ArrayRef<PaddingLattice *> results) override;

protected:
  void setToEntryState(PaddingLattice *lattice) override;

private:
  const SymbolSizes &sizes;
};

/// The state of an argument by its attribute; nothing after an error on the
/// function if the attribute does not fit the type.
std::optional<PaddingState> stateOfArgument(BlockArgument argument,
                                            const SymbolSizes &sizes);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGANALYSIS_H
