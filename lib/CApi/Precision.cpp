// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two precisions of a model, for C.
#include "Gaudi/Analysis/Precision.h"
#include "Compilation.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Recipe/Places.h"
#include "GivenText.h"

using namespace gaudi;
using namespace gaudi::capi;

namespace {

/// The comparison of one model.
class Comparison {
public:
  Comparison(const char *name, const void *source, size_t bytes,
             const GaudiCompileOptions &options,
             const GaudiPrecisionOptions &precision)
      : name(name), source(source), bytes(bytes), options(options),
        given(precision), places(given.places, given.places + given.numPlaces) {
  }

  GaudiError *run(char **json) {
    GAUDI_C_CHECK(predict(given.before, report.before));
    GAUDI_C_CHECK(predict(given.after, report.after));
    GAUDI_C_CHECK(explain());
    for (analysis::PrecisionOp &op : report.ops)
      op.location = recipe::withPlaces(std::move(op.location), name, places);
    give(toJson(report), json);
    return nullptr;
  }

private:
  GaudiError *predict(const char *setting, analysis::PrecisionSide &side) {
    GaudiCompileOptions single = options;
    single.autocast = std::string_view(setting) == "f32" ? nullptr : setting;
    Compilation compilation(single);
    GAUDI_C_CHECK(compilation.parse(name, source, bytes));
    const auto compiled = compilation.session().compile();
    if (!compiled)
      return compilation.errorOf(fail(compiled.error().message));
    const auto file = GAUDI_C_TRY(
        GaudiErrorInternal,
        recipe::RecipeFile::fromBuffer({compiled->data, compiled->size}, name));
    const uint32_t entry = GAUDI_C_TRY(
        GaudiErrorInvalidArgument,
        analysis::chooseEntry(file.recipe(), compilation.session().entryName(),
                              name));
    prediction::Prediction prediction =
        GAUDI_C_TRY(GaudiErrorInvalidRecipe, prediction::predict(file, entry));
    for (prediction::Command &command : prediction.commands)
      command.location =
          recipe::withPlaces(std::move(command.location), name, places);
    side = analysis::precisionSide(setting, prediction);
    return nullptr;
  }

  GaudiError *explain() {
    Compilation compilation(options, /*marksSources=*/true);
    GAUDI_C_CHECK(compilation.parse(name, source, bytes));
    CompilerSession &session = compilation.session();
    GAUDI_C_CHECK(compilation.errorOf(session.import()));
    std::vector<recipe::HostTensor> inputs;
    GAUDI_C_CHECK(readInputs(session.inputs(), given.inputs, given.numInputs,
                             given.seed, inputs));
    return compilation.errorOf(session.explainPrecision(
        inputs, given.before, given.after, analysis::causesWork, report));
  }

  const char *name;
  const void *source;
  size_t bytes;
  const GaudiCompileOptions &options;
  const GaudiPrecisionOptions &given;
  std::vector<std::string> places;
  analysis::PrecisionReport report;
};

} // namespace

GaudiError *gaudiComparePrecision(const char *name, const void *source,
                                  size_t bytes,
                                  const GaudiCompileOptions *given,
                                  const GaudiPrecisionOptions *precision,
                                  char **json) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(name, "name"));
    GAUDI_C_CHECK(checkPointer(source, "source"));
    GAUDI_C_CHECK(checkPointer(json, "json"));
    GaudiCompileOptions options;
    GAUDI_C_CHECK(readCompileOptions(given, options));
    if (options.autocast)
      return makeError(GaudiErrorInvalidArgument,
                       "'autocast' is an option of one compilation; give both "
                       "settings in GaudiPrecisionOptions");
    GaudiPrecisionOptions settings = {};
    GAUDI_C_CHECK(readOptions(precision, "GaudiPrecisionOptions", settings));
    settings.before = settings.before ? settings.before : "f32";
    settings.after = settings.after ? settings.after : "bf16";
    if ((settings.numInputs && !settings.inputs) ||
        (settings.numPlaces && !settings.places))
      return makeError(GaudiErrorInvalidArgument,
                       "'inputs' or 'places' is null");
    return Comparison(name, source, bytes, options, settings).run(json);
  });
}
