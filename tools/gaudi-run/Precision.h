// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of two settings of autocast: what the second gains and loses, and
// the losses of training steps with either.
#ifndef GAUDI_RUN_PRECISION_H
#define GAUDI_RUN_PRECISION_H

#include "Exit.h"
#include "Options.h"
#include "Progress.h"

namespace gaudi::run {

/// Prints device time, memory and error of --autocast against --against, and
/// the ops that cause the error. `failureCode` is set to that of a failure.
Result<Exit> comparePrecision(const Options &options, Progress &progress,
                              Exit &failureCode);

/// --loss-curve: prints the loss after each of the steps with either setting.
Result<Exit> compareLosses(const Options &options, Progress &progress,
                           Exit &failureCode);

} // namespace gaudi::run

#endif // GAUDI_RUN_PRECISION_H
