// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays a trace of launches with a recipe or a model.
#include "Replay.h"
#include "Gaudi/Analysis/RecipeSignature.h"
#include "Gaudi/Recipe/Views.h"
#include "JsonOutput.h"
#include "LaunchedTrace.h"

#include <nlohmann/json.hpp>

namespace gaudi::run {

template <typename Report>
static void deliver(const Report &report, const Options &options) {
  if (options.report == ReportForm::Json)
    printJsonObject("replay", toJson(report));
  else
    printReport(report);
}

Status replayShapes(std::shared_ptr<const recipe::RecipeFile> file,
                    uint32_t entry, const Options &options,
                    std::optional<double> compileMilliseconds,
                    Progress &progress, Exit &failureCode) {
  const recipe::Recipe &recipe = file->recipe();
  const recipe::Entry &called = *recipe::items(recipe.entries())[entry];
  if (!called.dispatch())
    return replaySignatures(analysis::recipeSignature(*file, entry), options);
  const shapes::Trace trace = GAUDI_TRY(shapes::readTrace(options.shapesFrom));
  LaunchedTrace launcher(file, std::string(recipe::text(called.name())),
                         options, progress, failureCode);
  analysis::ReplayOptions replay;
  replay.trace = options.shapesFrom;
  replay.compileMilliseconds = compileMilliseconds;
  if (options.launchesTrace())
    replay.launcher = &launcher;
  // A recipe that is launched has no model to compile.
  replay.mayCompile =
      !options.strictShapes && (!replay.launcher || compileMilliseconds);
  const auto report = GAUDI_TRY(analysis::replayTrace(
      *called.dispatch(), recipe::text(recipe.target()), trace, replay));
  progress.step("");
  deliver(report, options);
  return {};
}

Status replaySignatures(const shapes::Signature &model,
                        const Options &options) {
  if (options.launchesTrace())
    return fail("--shapes-from launches models with dynamic sizes only; remove "
                "--seed-inputs and --input");
  const shapes::Trace trace = GAUDI_TRY(shapes::readTrace(options.shapesFrom));
  deliver(
      GAUDI_TRY(analysis::replaySignatures(model, trace, options.shapesFrom)),
      options);
  return {};
}

} // namespace gaudi::run
