// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --bisect: the first pass, op or command whose values leave the noise that the
// reference lets expect.
#ifndef GAUDI_RUN_BISECT_H
#define GAUDI_RUN_BISECT_H

#include "Exit.h"
#include "Options.h"
#include "Progress.h"

namespace gaudi::run {

/// Prints what it found. `failureCode`: of an error.
Result<Exit> bisect(const Options &options, Progress &progress,
                    Exit &failureCode);

} // namespace gaudi::run

#endif // GAUDI_RUN_BISECT_H
