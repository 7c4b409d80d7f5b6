// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --shapes-from: replays a trace of launches, simulated or launched.
#ifndef GAUDI_RUN_REPLAY_H
#define GAUDI_RUN_REPLAY_H

#include "Exit.h"
#include "Gaudi/Analysis/SignatureReplay.h"
#include "Gaudi/Analysis/TraceReplay.h"
#include "Gaudi/Recipe/Reader.h"
#include "Options.h"
#include "Progress.h"

#include <memory>

namespace gaudi::run {

/// Prints which variant each launch of the trace of --shapes-from would take,
/// per variant hits, padding and predicted device time; then the variants that
/// launches would compile, each with its reason and what would have avoided it,
/// and the launches that are refused. `compileMilliseconds`: what the compiler
/// took for the variants of the recipe; none: nobody knows. An entry without
/// variants is replayed as below. With --seed-inputs or --input each line is
/// launched, too, and what no variant takes is compiled; all lines are read
/// before the first launch. `failureCode` changes if an error is one of a
/// launch or of the compiler, not of the trace.
Status replayShapes(std::shared_ptr<const recipe::RecipeFile> file,
                    uint32_t entry, const Options &options,
                    std::optional<double> compileMilliseconds,
                    Progress &progress, Exit &failureCode);

/// The same of a model whose sizes are static: each line with another signature
/// than all before it is a compilation.
Status replaySignatures(const shapes::Signature &model, const Options &options);

void printReport(const analysis::TraceReport &report);
void printReport(const analysis::SignatureReport &report);

} // namespace gaudi::run

#endif // GAUDI_RUN_REPLAY_H
