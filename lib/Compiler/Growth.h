// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another size for the dimensions of a function that grow together.
#ifndef GAUDI_LIB_COMPILER_GROWTH_H
#define GAUDI_LIB_COMPILER_GROWTH_H

#include "BatchTies.h"

namespace gaudi {

/// Gives all dimensions whose nodes are true in `growing`, by node of `ties`,
/// `to` / `from` times their size. What grows must follow from the function
/// (BatchTies::reach); here it is only applied. Fails without a diagnostic, the
/// function half changed, if a dimension would exceed maxWindowEntry or is no
/// multiple.
LogicalResult grow(func::FuncOp function, const BatchTies &ties,
                   const std::vector<bool> &growing, int64_t from, int64_t to);

/// All values of a function that is one block, arguments first.
SmallVector<Value, 0> valuesOf(func::FuncOp function);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_GROWTH_H
