// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit padding that a kernel does without.
#ifndef GAUDI_TRANSFORMS_LAYOUT_KERNELPADDING_H
#define GAUDI_TRANSFORMS_LAYOUT_KERNELPADDING_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

/// True if all that the kernel reads of the operand, which `pad` makes, can be
/// the value of the padding where it is outside what is padded.
bool canAbsorbPadding(KernelOp kernel, unsigned operand, PadOp pad);
/// Makes the kernel read what `pad` reads. Only after canAbsorbPadding; the
/// caller replaces the operand.
void absorbPadding(KernelOp kernel, unsigned operand, PadOp pad);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_LAYOUT_KERNELPADDING_H
