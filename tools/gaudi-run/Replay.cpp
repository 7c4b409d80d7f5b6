// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays a trace of launches with a recipe: simulated, or launched.
#include "Replay.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Shapes/Trace.h"
#include "RecipeSignature.h"
#include "TraceReplay.h"

namespace gaudi::run {

Status replayShapes(std::shared_ptr<const recipe::RecipeFile> file,
                    uint32_t entry, const Options &options,
                    std::optional<double> compileMilliseconds,
                    Progress &progress, Exit &failureCode) {
  const recipe::Recipe &recipe = file->recipe();
  const recipe::Entry &called = *recipe::items(recipe.entries())[entry];
  if (!called.dispatch())
    return replaySignatures(recipeSignature(*file, entry), options);
  const shapes::Trace trace = GAUDI_TRY(shapes::readTrace(options.shapesFrom));
  TraceLauncher launcher(file, std::string(recipe::text(called.name())),
                         options, progress);
  Replay replay(GAUDI_TRY(SymbolTable::of(*called.dispatch())),
                std::string(recipe::text(recipe.target())), options,
                compileMilliseconds,
                options.launchesTrace() ? &launcher : nullptr, failureCode);
  GAUDI_TRY(replay.run(trace));
  progress.step("");
  if (options.report == ReportForm::Json)
    replay.printJson();
  else
    replay.printText();
  return {};
}

} // namespace gaudi::run
