// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launches of recipes and models would take, need and compile, as JSON.
#include "Compilation.h"
#include "Gaudi/Analysis/BatchPage.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Analysis/ExplainRecompile.h"
#include "Gaudi/Analysis/MemoryText.h"
#include "Gaudi/Analysis/RecipeSignature.h"
#include "Gaudi/Analysis/SignatureReplay.h"
#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Analysis/TraceReplay.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Prediction/Advice.h"
#include "Gaudi/Prediction/Json.h"
#include "Gaudi/Prediction/Page.h"
#include "Gaudi/Prediction/Trace.h"
#include "Gaudi/Recipe/Views.h"
#include "GivenText.h"
#include "Recipe.h"

#include <cstdlib>
#include <sstream>

using namespace gaudi;
using namespace gaudi::capi;

namespace {

/// Checks what all functions of a recipe take.
template <typename Result>
GaudiError *checkEntry(const GaudiRecipe *recipe, size_t entry, Result *result,
                       const char *name = "json") {
  GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
  GAUDI_C_CHECK(checkPointer(result, name));
  if (entry < recipe->signature.entries.size())
    return nullptr;
  return makeError(GaudiErrorInvalidArgument,
                   "there is no entry {}, the recipe has {}", entry,
                   recipe->signature.entries.size());
}

/// Null: the entry has no variants.
const recipe::Dispatch *dispatchOf(const GaudiRecipe &recipe,
                                   const HostEntry &entry) {
  return recipe::items(recipe.file->recipe().entries())[entry.index]
      ->dispatch();
}

/// The entry whose commands a launch with such sizes runs; null: the slowest.
Result<uint32_t> launchedEntry(const GaudiRecipe &recipe,
                               const HostEntry &entry, const int64_t *sizes) {
  const recipe::Dispatch *dispatch = dispatchOf(recipe, entry);
  if (!dispatch)
    return entry.index;
  const auto table = GAUDI_TRY(analysis::SymbolTable::of(*dispatch));
  const size_t rank = entry.symbols.size();
  for (size_t s = 0; sizes && s < rank; ++s)
    if (sizes[s] < 0)
      return fail("'sizes' of entry \"{}\": size {} is {}; give 0 or more",
                  entry.name, s, sizes[s]);
  const auto chosen = table.entryFor(sizes ? shapes::Sizes(sizes, sizes + rank)
                                           : shapes::Sizes(rank, -1));
  if (!chosen)
    return fail("'sizes' of entry \"{}\": {}", entry.name,
                chosen.error().message);
  return *chosen;
}

/// What a launch takes, and what would make it faster.
struct Predicted {
  prediction::Prediction prediction;
  std::vector<prediction::Advice> advice;
};

GaudiError *predict(const GaudiRecipe &recipe, size_t entry,
                    const int64_t *sizes, Predicted &predicted) {
  const recipe::RecipeFile &file = *recipe.file;
  const uint32_t launched = GAUDI_C_TRY(
      GaudiErrorInvalidArgument,
      launchedEntry(recipe, recipe.signature.entries[entry], sizes));
  predicted.prediction =
      GAUDI_C_TRY(GaudiErrorInvalidRecipe, prediction::predict(file, launched));
  predicted.advice = prediction::advise(
      predicted.prediction, {}, [&](const prediction::WorkChange &change) {
        return prediction::predict(file, launched, change);
      });
  return nullptr;
}

/// `sizes` as launchedEntry takes them; null: of all variants.
GaudiError *planMemory(const GaudiRecipe &recipe, size_t entry,
                       const int64_t *sizes, uint64_t deviceMemory,
                       analysis::MemoryReport &report) {
  const HostEntry &called = recipe.signature.entries[entry];
  const uint32_t planned =
      sizes ? GAUDI_C_TRY(GaudiErrorInvalidArgument,
                          launchedEntry(recipe, called, sizes))
            : called.index;
  report = GAUDI_C_TRY(
      GaudiErrorInvalidRecipe,
      analysis::planMemory(*recipe.file, planned, nullptr, deviceMemory));
  return nullptr;
}

/// A side of an explanation, and the model that it is.
struct Side {
  std::optional<Compilation> model;
  analysis::RecompileSide side;
};

GaudiError *openSide(const GaudiRecompileSide &given, const char *name,
                     const GaudiCompileOptions &options, Side &opened) {
  if (given.recipe) {
    const auto &entries = given.recipe->signature.entries;
    if (given.entry >= entries.size())
      return makeError(GaudiErrorInvalidArgument,
                       "there is no entry {}, the recipe '{}' has {}",
                       given.entry, name, entries.size());
    opened.side =
        analysis::sideOf(given.name ? given.name : name,
                         {given.recipe->file, entries[given.entry].index});
    return nullptr;
  }
  if (!given.name || !given.source)
    return makeError(GaudiErrorInvalidArgument,
                     "'{}' has neither a recipe nor a name and a source", name);
  Compilation &model = opened.model.emplace(options);
  GAUDI_C_CHECK(model.parse(given.name, given.source, given.bytes));
  auto signature = model.session().describe(model.device());
  if (!signature)
    return model.errorOf(fail(signature.error().message));
  opened.side.name = given.name;
  opened.side.signature = std::move(*signature);
  opened.side.compile = [&model, &given]() -> Result<analysis::RecipeEntry> {
    const GaudiBytes bytes = GAUDI_TRY(model.session().compile());
    auto file = std::make_shared<const recipe::RecipeFile>(GAUDI_TRY(
        recipe::RecipeFile::fromBuffer({bytes.data, bytes.size}, given.name)));
    const std::string name = model.session().entryName();
    model.session().releaseRecipe();
    const uint32_t entry =
        GAUDI_TRY(analysis::chooseEntry(file->recipe(), name, given.name));
    return analysis::RecipeEntry{file, entry};
  };
  return nullptr;
}

} // namespace

GaudiError *gaudiRecipePredict(const GaudiRecipe *recipe, size_t entry,
                               const int64_t *sizes, char **json) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkEntry(recipe, entry, json));
    Predicted predicted;
    GAUDI_C_CHECK(predict(*recipe, entry, sizes, predicted));
    give(prediction::toJson(predicted.prediction, predicted.advice), json);
    return nullptr;
  });
}

GaudiError *gaudiRecipeWritePage(const GaudiRecipe *recipe, size_t entry,
                                 const int64_t *sizes, const char *title,
                                 const char *script, const char *path) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkEntry(recipe, entry, path, "path"));
    GAUDI_C_CHECK(checkPointer(title, "title"));
    if (script && !prediction::isScript(script))
      return makeError(GaudiErrorInvalidArgument,
                       "'script' is no JSON object; docs/schema/"
                       "script.schema.json says what it has");
    Predicted predicted;
    GAUDI_C_CHECK(predict(*recipe, entry, sizes, predicted));
    prediction::PageInput page;
    page.title = title;
    page.script = script ? script : "";
    page.devices.push_back(
        {&predicted.prediction, std::move(predicted.advice), std::nullopt});
    OutputFile file = GAUDI_C_TRY(GaudiErrorIo, OutputFile::create(path, 0));
    GAUDI_C_TRY(GaudiErrorIo, prediction::writePage(file, page));
    GAUDI_C_TRY(GaudiErrorIo, file.commit());
    return nullptr;
  });
}

GaudiError *gaudiRecipeWriteTrace(const GaudiRecipe *recipe, size_t entry,
                                  const int64_t *sizes, const char *path) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkEntry(recipe, entry, path, "path"));
    Predicted predicted;
    GAUDI_C_CHECK(predict(*recipe, entry, sizes, predicted));
    OutputFile file = GAUDI_C_TRY(GaudiErrorIo, OutputFile::create(path, 0));
    GAUDI_C_TRY(GaudiErrorIo,
                prediction::writeTrace(file, {&predicted.prediction}, nullptr));
    GAUDI_C_TRY(GaudiErrorIo, file.commit());
    return nullptr;
  });
}

GaudiError *gaudiRecipePlanMemory(const GaudiRecipe *recipe, size_t entry,
                                  const int64_t *sizes, uint64_t deviceMemory,
                                  char **json) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkEntry(recipe, entry, json));
    analysis::MemoryReport report;
    GAUDI_C_CHECK(planMemory(*recipe, entry, sizes, deviceMemory, report));
    give(toJson(report), json);
    return nullptr;
  });
}

GaudiError *gaudiRecipeMemoryText(const GaudiRecipe *recipe, size_t entry,
                                  const int64_t *sizes, uint64_t deviceMemory,
                                  char **text) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkEntry(recipe, entry, text, "text"));
    analysis::MemoryReport report;
    GAUDI_C_CHECK(planMemory(*recipe, entry, sizes, deviceMemory, report));
    std::ostringstream out;
    analysis::printMemory(out, report);
    give(out.str(), text);
    return nullptr;
  });
}

GaudiError *gaudiRecipeReplayTrace(const GaudiRecipe *recipe, size_t entry,
                                   const char *trace, int32_t strictShapes,
                                   char **json) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkEntry(recipe, entry, json));
    GAUDI_C_CHECK(checkPointer(trace, "trace"));
    const shapes::Trace launches =
        GAUDI_C_TRY(GaudiErrorInvalidArgument, shapes::parseTrace(trace));
    const HostEntry &called = recipe->signature.entries[entry];
    const char *const name = "trace.csv"; // in advice, as a file's
    if (const recipe::Dispatch *dispatch = dispatchOf(*recipe, called)) {
      analysis::ReplayOptions options;
      options.trace = name;
      options.mayCompile = strictShapes == 0;
      const std::string_view device =
          recipe::text(recipe->file->recipe().target());
      give(toJson(GAUDI_C_TRY(
               GaudiErrorInvalidArgument,
               analysis::replayTrace(*dispatch, device, launches, options))),
           json);
      return nullptr;
    }
    const auto signature =
        analysis::recipeSignature(*recipe->file, called.index);
    give(toJson(GAUDI_C_TRY(
             GaudiErrorInvalidArgument,
             analysis::replaySignatures(signature, launches, name))),
         json);
    return nullptr;
  });
}

void gaudiTextDestroy(char *text) { std::free(text); }

static GaudiError *planOtherBatches(const char *name, const void *source,
                                    size_t bytes,
                                    const GaudiCompileOptions *given,
                                    const char *input, uint64_t deviceMemory,
                                    analysis::BatchSizes sizes,
                                    const char *page, char **json) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(name, "name"));
    GAUDI_C_CHECK(checkPointer(source, "source"));
    GAUDI_C_CHECK(checkPointer(json, "json"));
    GaudiCompileOptions options;
    GAUDI_C_CHECK(readCompileOptions(given, options));
    const device::DeviceSpec *device = GAUDI_C_TRY(
        GaudiErrorInvalidArgument, device::DeviceSpec::lookup(options.device));
    const uint64_t limit =
        deviceMemory ? deviceMemory : device->memory.dramBytes;
    Compilation compilation(options);
    GAUDI_C_CHECK(compilation.parse(name, source, bytes));
    const auto plan = [&](int64_t size) -> Result<GaudiBytes> {
      auto compiled = compilation.session().compileBatch(size);
      if (!compiled)
        return fail(compilation.firstError(compiled.error()).message);
      return compiled;
    };
    const auto batch = planBatches(compilation.session(), input ? input : "",
                                   limit, sizes, plan);
    if (!batch)
      return compilation.errorOf(fail(batch.error().message));
    compilation.finish();
    if (page) {
      OutputFile file = GAUDI_C_TRY(GaudiErrorIo, OutputFile::create(page, 0));
      GAUDI_C_TRY(GaudiErrorIo,
                  analysis::writeBatchPage(
                      file, {name, std::string(device->name), *batch, limit}));
      GAUDI_C_TRY(GaudiErrorIo, file.commit());
    }
    give({{"device", device->name}, {"batch", toJson(*batch, limit)}}, json);
    return nullptr;
  });
}

GaudiError *gaudiFindMaxBatch(const char *name, const void *source,
                              size_t bytes, const GaudiCompileOptions *options,
                              const char *input, uint64_t deviceMemory,
                              char **json) {
  return planOtherBatches(name, source, bytes, options, input, deviceMemory,
                          analysis::BatchSizes::Largest, nullptr, json);
}

GaudiError *gaudiSweepBatch(const char *name, const void *source, size_t bytes,
                            const GaudiCompileOptions *options,
                            const char *input, uint64_t deviceMemory,
                            const char *page, char **json) {
  return planOtherBatches(name, source, bytes, options, input, deviceMemory,
                          analysis::BatchSizes::Sweep, page, json);
}

GaudiError *gaudiExplainRecompile(const GaudiRecompileSide *was,
                                  const GaudiRecompileSide *is,
                                  const GaudiCompileOptions *given,
                                  char **json) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(was, "was"));
    GAUDI_C_CHECK(checkPointer(is, "is"));
    GAUDI_C_CHECK(checkPointer(json, "json"));
    GaudiCompileOptions options;
    GAUDI_C_CHECK(readCompileOptions(given, options));
    Side before, after;
    GAUDI_C_CHECK(openSide(*was, "was", options, before));
    GAUDI_C_CHECK(openSide(*is, "is", options, after));
    const auto answer = analysis::explainRecompile(std::move(before.side),
                                                   std::move(after.side));
    if (!answer) {
      // Of the model that did not compile.
      const Side &failed =
          after.model && after.model->session().status() ? after : before;
      const Status status = fail(answer.error().message);
      return failed.model ? failed.model->errorOf(status)
                          : makeError(GaudiErrorInvalidRecipe, answer.error());
    }
    for (const Side *side : {&before, &after})
      if (side->model)
        side->model->finish();
    give(toJson(*answer), json);
    return nullptr;
  });
}
