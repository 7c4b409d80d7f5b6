// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of what commands ask, for headers that only pass it on.
#ifndef GAUDI_TIMING_FORWARD_H
#define GAUDI_TIMING_FORWARD_H

#include <variant>

namespace gaudi::timing {

struct Operand;
struct MatrixWork;
struct KernelWork;
struct TransferWork;
struct FillWork;
struct LibraryWork;
struct AttentionWork;

/// A command of any kind (Work.h).
using Work = std::variant<MatrixWork, KernelWork, TransferWork, FillWork,
                          LibraryWork, AttentionWork>;

} // namespace gaudi::timing

#endif // GAUDI_TIMING_FORWARD_H
