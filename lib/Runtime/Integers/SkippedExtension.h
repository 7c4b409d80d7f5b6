// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose results nothing reads, because products read the constants that
// these extend.
#ifndef GAUDI_LIB_RUNTIME_INTEGERS_SKIPPEDEXTENSION_H
#define GAUDI_LIB_RUNTIME_INTEGERS_SKIPPEDEXTENSION_H

#include "../LoadedRecipe.h"

namespace gaudi::runtime {

/// Sets LoadedCommand::skippedFor. Commands must be prepared and pipelined.
/// Only looks at recipes of one entry, whose workspace no other one reads.
void skipExtensions(LoadedRecipe &loaded);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_INTEGERS_SKIPPEDEXTENSION_H
