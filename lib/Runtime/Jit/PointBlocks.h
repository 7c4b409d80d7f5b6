// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of an operand a point of a kernel touches.
#ifndef GAUDI_LIB_RUNTIME_JIT_POINTBLOCKS_H
#define GAUDI_LIB_RUNTIME_JIT_POINTBLOCKS_H

#include "LoopPlan.h"

namespace gaudi::runtime {

/// Per operand: n > 0 if point p of the flattened parallel space touches only
/// the elements [p * n, (p + 1) * n) behind the operand's address, for every p;
/// else 0. An operand that no point touches has 0, too.
std::vector<int64_t> pointBlocks(const recipe::Kernel &kernel,
                                 const LoopPlan &plan, size_t operands);

/// True if a launch can stop with an index out of range.
bool mayFault(const LoopPlan &plan);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_POINTBLOCKS_H
