// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourth stage of a kernel plan: values that depend on the column alone (the
// index in the last parallel group), which all rows share.
#ifndef GAUDI_LIB_RUNTIME_JIT_COLUMNPLAN_H
#define GAUDI_LIB_RUNTIME_JIT_COLUMNPLAN_H

#include "LanePlan.h"

namespace gaudi::runtime {

struct ColumnPlan {
  /// Rows of a call from which it computes these values once, into a buffer.
  /// Calls with fewer points, such as those on the tiles of a matrix product,
  /// run code without a buffer.
  static constexpr int64_t fewestRows = 4;

  std::vector<uint32_t> columns; // value numbers, ascending; float32
  int64_t columnLength = 0;      // elements of a value's buffer: whole vectors

  void key(KeyWriter &writer) const {
    const auto &[columns, columnLength] = *this;
    writer.add(columns, columnLength);
  }
};

/// Empty unless the lanes are points and the outputs are large. Linear in the
/// size of the kernel.
ColumnPlan planColumns(const recipe::Kernel &kernel,
                       const std::vector<KernelOperand> &operands,
                       const LoopPlan &loops, const LanePlan &lanes);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_COLUMNPLAN_H
