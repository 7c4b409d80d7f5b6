// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of what is returned without a buffer of its own.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_SEPARATEOUTPUTS_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_SEPARATEOUTPUTS_H

#include "AliasReport.h"

namespace gaudi {

/// A copy of the value, on the engine that copies.
Operation *createCopy(OpBuilder &builder, Value value, const DeviceTime &time);

/// Gives each output an own buffer: a reshape becomes the last op, so that the
/// op before it writes the output; all other values are copied. Old values of
/// states are copied before the new ones can be written. Fails if a donation
/// that must be honoured needs a copy. Near-linear.
LogicalResult separateOutputs(func::FuncOp function, const DeviceTime &time,
                              AliasReport &report);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_SEPARATEOUTPUTS_H
