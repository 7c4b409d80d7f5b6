// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles models through the compiler's library.
#include "Error.h"
#include "Gaudi/CApi/CompilerLibrary.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Recipe.h"
#include "gaudi-c/Compiler.h"

#include <algorithm>
#include <memory>

using namespace gaudi;
using namespace gaudi::capi;

namespace {

/// The compiler, opened once; a failure is tried again.
Result<const GaudiCompilerApi *> compilerOnce() {
  static std::mutex lock;
  static const GaudiCompilerApi *api = nullptr;
  const std::lock_guard<std::mutex> guard(lock);
  if (!api)
    api = GAUDI_TRY(openCompiler());
  return api;
}

/// One model on its way.
class Compilation {
public:
  explicit Compilation(const GaudiCompileOptions &options) : options(options) {}
  ~Compilation() {
    if (session)
      api->destroy(session);
  }
  Compilation(const Compilation &) = delete;
  Compilation &operator=(const Compilation &) = delete;

  GaudiError *parse(const char *name, const void *source, size_t bytes) {
    GAUDI_C_TRY(GaudiErrorInvalidArgument,
                device::DeviceSpec::lookup(options.device));
    api = GAUDI_C_TRY(GaudiErrorUnavailable, compilerOnce());
    GAUDI_C_CHECK(begin());
    return errorOf(api->parse(session, name,
                              {static_cast<const uint8_t *>(source), bytes}));
  }
  GaudiError *import() {
    const uint32_t count = api->numSymbols(session);
    if (count == 0)
      return errorOf(api->import(session));
    // Sizes of 1 could broadcast: front ends see the smallest others.
    std::vector<int64_t> sizes;
    for (uint32_t s = 0; s < count; ++s) {
      const GaudiSymbol symbol = api->symbol(session, s);
      const int64_t step = std::max<int64_t>(symbol.multiple, 1);
      const int64_t least = std::max<int64_t>(symbol.min, 2);
      const int64_t most = symbol.max / step * step;
      sizes.push_back(std::min((least - 1) / step * step + step, most));
    }
    return errorOf(api->select(session, sizes.data(), count));
  }
  GaudiError *compile(GaudiBytes &recipe) {
    return errorOf(api->compile(session, &recipe));
  }

  /// Hands warnings to the caller.
  void finish() const {
    if (options.diagnostic && !diagnostics.empty())
      options.diagnostic(options.context, refOf(diagnostics));
  }

private:
  /// What may not be null but is; null if there is nothing.
  static const char *missingOf(const GaudiResource &resource) {
    if (!resource.name)
      return "name";
    if (!resource.data && resource.bytes)
      return "data";
    if (!resource.elementType)
      return "element type";
    return resource.rank && !resource.shape ? "shape" : nullptr;
  }

  GaudiError *readResources() {
    if (options.numResources && !options.resources)
      return makeError(GaudiErrorInvalidArgument,
                       "'resources' is null, but 'numResources' is {}",
                       options.numResources);
    for (size_t i = 0; i < options.numResources; ++i) {
      const GaudiResource &resource = options.resources[i];
      if (const char *missing = missingOf(resource))
        return makeError(GaudiErrorInvalidArgument,
                         "the {} of resource {} is null", missing, i);
      resources.push_back(
          {resource.name,
           {static_cast<const uint8_t *>(resource.data), resource.bytes},
           resource.elementType,
           resource.rank,
           resource.shape});
    }
    return nullptr;
  }

  GaudiError *begin() {
    GAUDI_C_CHECK(readResources());
    GaudiSessionOptions given = {};
    given.device = options.device;
    given.entry = options.entry;
    given.allEntries = options.allEntries;
    given.state = options.state;
    given.allowPermutation = options.allowPermutation;
    given.disableFusion = options.disableFusion;
    given.requireFusion = options.requireFusion;
    given.shape = options.shape;
    given.buckets = options.buckets;
    given.bucketHistogram = options.bucketHistogram;
    given.bucketCost = options.bucketCost;
    given.memoryBudget = options.memoryBudget;
    given.maxExpandedOps = options.maxExpandedOps;
    given.verifyFusion = options.verifyFusion;
    given.seed = 1;
    given.maxIterations = 1000000;
    given.threads = options.threads;
    // Not null even if there are none: see GaudiSessionOptions.
    static const GaudiResourceValue none = {};
    given.resources = resources.empty() ? &none : resources.data();
    given.numResources = uint32_t(resources.size());
    given.context = this;
    given.diagnostic = [](void *context, const char *text, size_t length) {
      static_cast<Compilation *>(context)->diagnostics.append(text, length);
    };
    if (options.remark)
      given.remark = [](void *context, const GaudiRemark *remark) {
        const GaudiCompileOptions &options =
            static_cast<Compilation *>(context)->options;
        const GaudiCompilerRemark passed = {
            refOf(remark->pass), refOf(remark->kind), refOf(remark->location),
            refOf(remark->text), refOf(remark->name), remark->lostPicoseconds,
            remark->lostBytes};
        options.remark(options.context, &passed);
      };
    session = api->create(&given);
    return session ? nullptr : outOfHostMemory();
  }

  GaudiError *errorOf(int32_t code) const {
    if (code == 0)
      return nullptr;
    std::unique_ptr<GaudiError, decltype(&gaudiErrorDestroy)> error(
        makeError(code == GAUDI_STATUS_OPTION ? GaudiErrorInvalidArgument
                                              : GaudiErrorInvalidModel,
                  Error{api->error(session)}),
        &gaudiErrorDestroy);
    error->details = diagnostics;
    error->location = firstErrorIn(diagnostics).location;
    return error.release();
  }

  const GaudiCompileOptions &options;
  const GaudiCompilerApi *api = nullptr;
  GaudiSession *session = nullptr;
  std::string diagnostics;
  std::vector<GaudiResourceValue> resources;
};

GaudiError *readCompileOptions(const GaudiCompileOptions *given,
                               GaudiCompileOptions &options) {
  gaudiCompileOptionsInit(&options);
  GAUDI_C_CHECK(readOptions(given, "gaudiCompileOptions", options));
  if (!options.device)
    options.device = "gaudi2";
  return nullptr;
}

} // namespace

GaudiError *gaudiCompile(const char *name, const void *source, size_t bytes,
                         const GaudiCompileOptions *given,
                         GaudiRecipe **recipe) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(name, "name"));
    GAUDI_C_CHECK(checkPointer(source, "source"));
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    GaudiCompileOptions options;
    GAUDI_C_CHECK(readCompileOptions(given, options));
    Compilation compilation(options);
    GAUDI_C_CHECK(compilation.parse(name, source, bytes));
    GaudiBytes compiled = {};
    GAUDI_C_CHECK(compilation.compile(compiled));
    // Constants that have just been written are checked where they are read.
    recipe::OpenOptions open;
    open.verifyConstants = false;
    auto file = GAUDI_C_TRY(GaudiErrorInternal,
                            recipe::RecipeFile::fromBuffer(
                                {compiled.data, compiled.size}, name, open));
    auto made = std::make_unique<GaudiRecipe>(std::move(file));
    compilation.finish();
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
    GAUDI_C_CHECK(compilation.import());
    compilation.finish();
    return nullptr;
  });
}
