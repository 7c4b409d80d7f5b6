// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles variants that launches miss, and launches them.
#include "LaunchedTrace.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Values.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace gaudi::run {

Result<CompiledBucket> compileBucket(const Options &options,
                                     const std::string &bucket,
                                     Progress &progress) {
  Options one = options;
  one.buckets = bucket;
  // There is nothing to choose, so that no launch needs to be predicted.
  one.bucketHistogram.clear();
  one.bucketCost.clear();
  one.bucketCurve = false;
  one.save.clear();
  progress.step("compiling a variant for " + bucket);
  const Stopwatch watch;
  auto compiler = GAUDI_TRY(Compiler::ofModel(one, options.file, progress));
  auto file = GAUDI_TRY(compiler->compileRecipe());
  return CompiledBucket{std::move(compiler), std::move(file),
                        watch.milliseconds()};
}

Result<LaunchedTrace::Compiled>
LaunchedTrace::compile(const std::vector<std::string> &names,
                       const shapes::Sizes &box) {
  auto made = make(names, box);
  if (!made)
    failureCode = Exit::CompileError;
  return made;
}

Status LaunchedTrace::launch(const std::vector<std::string> &names,
                             const shapes::Sizes &sizes, size_t made,
                             uint64_t count) {
  Status launched = run(names, sizes, made, count);
  if (!launched)
    failureCode = Exit::RunError;
  return launched;
}

Result<LaunchedTrace::Compiled>
LaunchedTrace::make(const std::vector<std::string> &names,
                    const shapes::Sizes &box) {
  const auto bucket = GAUDI_TRY(shapes::Buckets::create(names, {box}));
  CompiledBucket made =
      GAUDI_TRY(compileBucket(options, bucket.text(), progress));
  const recipe::Recipe &recipe = made.file.recipe();
  const uint32_t number =
      GAUDI_TRY(analysis::chooseEntry(recipe, entry, options.file));
  const auto *dispatch = recipe::items(recipe.entries())[number]->dispatch();
  assert(dispatch && "the model has dynamic sizes");
  const Compiled result = {
      made.milliseconds, recipe::items(dispatch->variants())[0]->picoseconds()};
  files.push_back(
      std::make_shared<const recipe::RecipeFile>(std::move(made.file)));
  return result;
}

Status LaunchedTrace::run(const std::vector<std::string> &names,
                          const shapes::Sizes &sizes, size_t made,
                          uint64_t count) {
  Options one = options;
  for (size_t s = 0; s < names.size(); ++s)
    one.sizes.push_back({names[s], sizes[s]});
  one.repeat =
      uint32_t(std::min<uint64_t>(count, std::numeric_limits<uint32_t>::max()));
  one.report = ReportForm::None;
  devices.resize(files.size());
  std::unique_ptr<Device> &device = devices[made];
  if (device) {
    GAUDI_TRY(device->selectVariant(one));
  } else {
    device = GAUDI_TRY(Device::load(files[made], one));
    GAUDI_TRY(device->selectEntry(entry, one));
  }
  const Inputs inputs = GAUDI_TRY(
      gatherInputs(options.inputs, options.seed, false, device->inputs()));
  GAUDI_TRY(device->launch(inputs.tensors, one, progress,
                           [](uint32_t) { return Status(); }));
  return {};
}

} // namespace gaudi::run
