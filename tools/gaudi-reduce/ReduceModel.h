// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reducer behind gaudi-reduce --test.
#ifndef GAUDI_TOOLS_GAUDIREDUCE_REDUCEMODEL_H
#define GAUDI_TOOLS_GAUDIREDUCE_REDUCEMODEL_H

namespace gaudi {

/// Registers the pass `reduce-model`: removes what a test does not need, and
/// keeps every module valid on the way. MLIR's own `reduction-tree` erases ops
/// whose results others use, so that little of a graph ever goes.
void registerReduceModelPass();

} // namespace gaudi

#endif // GAUDI_TOOLS_GAUDIREDUCE_REDUCEMODEL_H
