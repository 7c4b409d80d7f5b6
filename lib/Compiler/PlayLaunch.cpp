// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plays a launch of a function that has not been compiled to the end.
#include "PlayLaunch.h"

#include "Gaudi/Conversion/GaudiToRecipe/GaudiToRecipe.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Support/Stopwatch.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace gaudi;
using gaudi::prediction::LaunchTimes;

static std::optional<PlayedLaunch> playLaunch(func::FuncOp function,
                                              LaunchTimes &times) {
  auto module = cast<ModuleOp>(function->getParentOp());
  const QuietDiagnostics silent(module.getContext());
  PassManager memory(module.getContext(), ModuleOp::getOperationName());
  memory.enableVerifier(false); // the phases are checked in the real run
  memory.addPass(createAliasBuffers());
  memory.addPass(createAssignBuffers());
  EmittedRecipe emitted;
  if (failed(memory.run(module)) ||
      failed(emitRecipe(module, emitted, /*isVerified=*/true)))
    return std::nullopt;
  // The metadata alone: constants are not copied.
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(gaudi::recipe::Recipe::Pack(builder, &emitted.recipe));
  const auto *recipe =
      flatbuffers::GetRoot<gaudi::recipe::Recipe>(builder.GetBufferPointer());
  auto time = times.of(*recipe, /*entry=*/0);
  if (!time)
    return std::nullopt;
  const auto workspace = size_t(gaudi::recipe::SectionKind::Workspace);
  return PlayedLaunch{*time, emitted.recipe.sections[workspace]->size};
}

size_t gaudi::threadsOf(MLIRContext *context) {
  return context->isMultithreadingEnabled()
             ? context->getThreadPool().getMaxConcurrency()
             : 1;
}

LaunchPlayer gaudi::launchPlayer() {
  return [times = std::make_shared<LaunchTimes>()](func::FuncOp function) {
    return playLaunch(function, *times);
  };
}

std::map<std::string, double>
gaudi::predictVariants(MLIRContext *context, gaudi::recipe::RecipeT &recipe) {
  std::vector<gaudi::recipe::VariantT *> variants;
  for (const auto &entry : recipe.entries)
    if (entry->dispatch)
      for (const auto &variant : entry->dispatch->variants)
        variants.push_back(variant.get());
  std::map<std::string, double> seconds;
  if (variants.empty())
    return seconds;
  // Packed once; all threads read the same bytes.
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(gaudi::recipe::Recipe::Pack(builder, &recipe));
  const auto *packed =
      flatbuffers::GetRoot<gaudi::recipe::Recipe>(builder.GetBufferPointer());
  std::vector<double> took(variants.size());
  // Lanes share nothing: each has its own tables of times.
  const size_t lanes = std::min(variants.size(), threadsOf(context));
  parallelFor(context, 0, lanes, [&](size_t lane) {
    LaunchTimes times; // of one thread
    for (size_t i = lane; i < variants.size(); i += lanes) {
      const gaudi::Stopwatch watch;
      if (auto time = times.of(*packed, variants[i]->entry))
        variants[i]->picoseconds = *time;
      took[i] = watch.milliseconds() / 1e3;
    }
  });
  for (auto [variant, time] : llvm::zip_equal(variants, took))
    seconds[recipe.entries[variant->entry]->name] = time;
  return seconds;
}
