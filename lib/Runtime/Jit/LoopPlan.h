// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First stage of a kernel plan: addresses with the operands' strides folded in,
// collapsed loops, and whether points may run in any order.
#ifndef GAUDI_LIB_RUNTIME_JIT_LOOPPLAN_H
#define GAUDI_LIB_RUNTIME_JIT_LOOPPLAN_H

#include "KernelTypes.h"
#include "PlanTypes.h"

namespace gaudi::runtime {

struct LoopPlan {
  std::vector<int64_t> extents; // per kernel dimension
  std::vector<bool> pinned;     // its own index is needed: not collapsed
  std::vector<PlannedAccess> accesses;
  std::vector<LoopGroup> parallel;           // never empty; innermost last
  std::vector<std::vector<LoopGroup>> loops; // per stage
  std::vector<bool> disjoint; // per operand: shares no byte with an output
  /// Operands that share no byte or, in some launches, their address.
  std::vector<OperandPair> inPlace;
  bool independent = true; // points may run in any order
  int64_t points = 1;
  double workPerPoint = 1; // in scalar additions

  void key(KeyWriter &writer) const {
    const auto &[extents, pinned, accesses, parallel, loops, disjoint, inPlace,
                 independent, points, workPerPoint] = *this;
    writer.add(extents, pinned, accesses, parallel, loops, disjoint, inPlace,
               independent, points, workPerPoint);
  }
};

/// True if each point loads of the input only the element of it that is, once
/// both operands have one address, where the point stores of the output; and
/// not after a stage that has stored it. Linear in instructions.
bool readsWhereItWrites(const recipe::Kernel &kernel,
                        const std::vector<KernelOperand> &operands,
                        unsigned input, unsigned output);

/// Quadratic in the number of accesses and operands, else linear.
LoopPlan planLoops(const recipe::Kernel &kernel,
                   const std::vector<KernelOperand> &operands);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_LOOPPLAN_H
