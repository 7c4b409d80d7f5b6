// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the compiler for the C interface.
#include "Compilation.h"

#include "Gaudi/CApi/CompilerLibrary.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Recipe/NpyTensor.h"
#include "Gaudi/Support/Environment.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <unistd.h>

namespace gaudi::capi {

GaudiError *readCompileOptions(const GaudiCompileOptions *given,
                               GaudiCompileOptions &options) {
  gaudiCompileOptionsInit(&options);
  GAUDI_C_CHECK(readOptions(given, "gaudiCompileOptions", options));
  if (!options.device)
    options.device = "gaudi2";
  return nullptr;
}

GaudiError *readInputs(const std::vector<recipe::Parameter> &parameters,
                       const GaudiBuffer *given, size_t count, uint64_t seed,
                       std::vector<recipe::HostTensor> &inputs) {
  if (count && count != parameters.size())
    return makeError(GaudiErrorInvalidArgument,
                     "got {}, the model has {}; give one for each, or none "
                     "for seeded ones",
                     countOf(count, "input"), parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    const recipe::Parameter &parameter = parameters[i];
    const GaudiBuffer *buffer = count ? &given[i] : nullptr;
    if (!buffer || !buffer->data) {
      inputs.push_back(
          recipe::seededTensor(uint32_t(seed), uint32_t(i), parameter));
      continue;
    }
    const recipe::TensorType type = {
        recipe::ElementType(uint8_t(buffer->type)),
        {buffer->shape, buffer->shape + buffer->rank}};
    if (!(type == parameter.type) || buffer->strides)
      return makeError(GaudiErrorInvalidArgument,
                       "input '{}' is {}; expected {}, dense: give it in that "
                       "type and shape",
                       parameter.name, type.text(), parameter.type.text());
    const auto *data = static_cast<const uint8_t *>(buffer->data);
    inputs.push_back(
        {parameter.name, type, {data, data + parameter.type.bytes()}});
  }
  return nullptr;
}

GaudiError *Compilation::parse(const char *name, const void *source,
                               size_t bytes) {
  GAUDI_C_TRY(GaudiErrorInvalidArgument,
              device::DeviceSpec::lookup(options.device));
  GAUDI_C_CHECK(begin());
  return errorOf(
      compiler.parse(name, {static_cast<const char *>(source), bytes}));
}

Status Compilation::import() {
  std::vector<int64_t> sizes;
  // Sizes of 1 could broadcast: front ends see the smallest others.
  for (const shapes::Symbol &symbol : compiler.symbols()) {
    const int64_t step = std::max<int64_t>(symbol.multiple, 1);
    const int64_t least = std::max<int64_t>(symbol.min, 2);
    const int64_t most = symbol.max / step * step;
    sizes.push_back(std::min((least - 1) / step * step + step, most));
  }
  return sizes.empty() ? compiler.import() : compiler.select(sizes);
}

/// What may not be null but is; null if there is nothing.
const char *missingOf(const GaudiResource &resource) {
  if (!resource.name)
    return "name";
  if (!resource.data && resource.bytes)
    return "data";
  if (!resource.elementType)
    return "element type";
  return resource.rank && !resource.shape ? "shape" : nullptr;
}

GaudiError *Compilation::readResources() {
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

/// A folder for each compilation of a process whose GRAPH_VISUALIZATION is set,
/// as for Synapse; else "".
static Result<std::string> folderOfEnvironment() {
  static std::atomic<unsigned> compilations{0};
  const auto text = environmentVariable("GRAPH_VISUALIZATION");
  const auto isOn = switchOf(text.value_or(""));
  if (!isOn)
    return fail("GRAPH_VISUALIZATION: {}", isOn.error().message);
  return *isOn ? fmt::format(".graph_dumps/passes-{}-{}", ::getpid(),
                             compilations++)
               : std::string();
}

GaudiError *Compilation::begin() {
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
  given.autocast = options.autocast;
  if (options.dumpGraphs) {
    dumpFolder = options.dumpGraphs;
  } else {
    dumpFolder = GAUDI_C_TRY(GaudiErrorInvalidArgument, folderOfEnvironment());
    given.dumpGraphsWish = "GRAPH_VISUALIZATION";
  }
  given.dumpGraphs = dumpFolder.c_str();
  given.marksSources = marksSources;
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
  const GaudiCompilerApi *api =
      GAUDI_C_TRY(GaudiErrorUnavailable, openCompiler());
  return compiler.open(*api, given) ? nullptr : outOfHostMemory();
}

Error Compilation::firstError(const Error &error) const {
  const FirstError first = firstErrorIn(diagnostics);
  if (first.message.empty())
    return error;
  return {first.location.empty() ? first.message
                                 : first.location + ": " + first.message};
}

GaudiError *Compilation::errorOf(const Status &status) const {
  if (status)
    return nullptr;
  if (compiler.status() == 0) // of what was asked, not of the compiler
    return makeError(GaudiErrorInvalidArgument, status.error());
  std::unique_ptr<GaudiError, decltype(&gaudiErrorDestroy)> error(
      makeError(compiler.status() == GAUDI_STATUS_OPTION
                    ? GaudiErrorInvalidArgument
                    : GaudiErrorInvalidModel,
                status.error()),
      &gaudiErrorDestroy);
  error->details = diagnostics;
  error->location = firstErrorIn(diagnostics).location;
  return error.release();
}

} // namespace gaudi::capi
