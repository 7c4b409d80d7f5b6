// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles models through the compiler's library.
#include "Compilation.h"
#include "Gaudi/Monitoring/Events.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Gaudi/Torch/Operators.h"
#include "Recipe.h"

#include <memory>

using namespace gaudi;
using namespace gaudi::capi;

GaudiError *gaudiCompile(const char *name, const void *source, size_t bytes,
                         const GaudiCompileOptions *given,
                         GaudiRecipe **recipe) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(name, "name"));
    GAUDI_C_CHECK(checkPointer(source, "source"));
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    GaudiCompileOptions options;
    GAUDI_C_CHECK(readCompileOptions(given, options));
    const Stopwatch time;
    Compilation compilation(options);
    GAUDI_C_CHECK(compilation.parse(name, source, bytes));
    const auto compiled = compilation.session().compile();
    if (!compiled)
      return compilation.errorOf(fail(compiled.error().message));
    // Constants that have just been written are checked where they are read.
    recipe::OpenOptions open;
    open.verifyConstants = false;
    auto file = GAUDI_C_TRY(GaudiErrorInternal,
                            recipe::RecipeFile::fromBuffer(
                                {compiled->data, compiled->size}, name, open));
    auto made = std::make_unique<GaudiRecipe>(std::move(file));
    compilation.finish();
    monitoring::emitGraphCompile(int64_t(time.milliseconds() * 1e3), name);
    *recipe = made.release();
    return nullptr;
  });
}

GaudiError *gaudiImport(const char *name, const void *source, size_t bytes,
                        const GaudiCompileOptions *given) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(name, "name"));
    GAUDI_C_CHECK(checkPointer(source, "source"));
    GaudiCompileOptions options;
    GAUDI_C_CHECK(readCompileOptions(given, options));
    Compilation compilation(options);
    GAUDI_C_CHECK(compilation.parse(name, source, bytes));
    GAUDI_C_CHECK(compilation.errorOf(compilation.import()));
    compilation.finish();
    return nullptr;
  });
}

GaudiStringRef gaudiTorchOperator(size_t index) {
  const auto operators = torch::operators();
  return index < operators.size() ? refOf(operators[index].schema.name)
                                  : GaudiStringRef{nullptr, 0};
}
