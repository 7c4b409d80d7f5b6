// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replay files of launches that a program made.
#include "gaudi-c/Replay.h"

#include "Error.h"
#include "Gaudi/Analysis/ReplayOptions.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Recipe/Views.h"
#include "Recipe.h"

#include <vector>

using namespace gaudi;
using namespace gaudi::capi;

namespace {

/// Copies the elements of dimensions `dim` and later, in order.
void appendElements(const GaudiBuffer &buffer, const uint8_t *from,
                    uint32_t dim, size_t size, std::vector<uint8_t> &to) {
  if (dim == buffer.rank) {
    to.insert(to.end(), from, from + size);
    return;
  }
  for (int64_t i = 0; i < buffer.shape[dim]; ++i)
    appendElements(buffer, from + buffer.strides[dim] * i * int64_t(size),
                   dim + 1, size, to);
}

/// The bytes of a tensor, dense; none without data.
Result<recipe::HostTensor> denseTensor(const HostTensor &expected,
                                       const GaudiBuffer &buffer) {
  recipe::HostTensor tensor{expected.name, {expected.type, {}}, {}};
  bool fits = int(buffer.type) == int(expected.type) &&
              buffer.rank == expected.shape.size();
  for (uint32_t i = 0; fits && i < buffer.rank; ++i)
    fits = buffer.shape[i] >= 0 &&
           (expected.shape[i] < 0 || buffer.shape[i] == expected.shape[i]);
  if (!fits)
    return fail("'{}' has not the type and shape that the entry says",
                expected.name);
  tensor.type.shape.assign(buffer.shape, buffer.shape + buffer.rank);
  if (!buffer.data)
    return tensor;
  const auto *data = static_cast<const uint8_t *>(buffer.data);
  const uint64_t bytes = tensor.type.bytes();
  tensor.bytes.reserve(bytes);
  if (buffer.strides)
    appendElements(buffer, data, 0, recipe::elementSize(expected.type),
                   tensor.bytes);
  else
    tensor.bytes.assign(data, data + bytes);
  return tensor;
}

Result<std::vector<recipe::HostTensor>>
tensorsOf(const HostEntry &entry, const char *role,
          const std::vector<HostTensor> &expected, const GaudiBuffer *buffers,
          size_t count) {
  if (count != expected.size())
    return fail("{}", wrongCount(entry, role, expected, count));
  std::vector<recipe::HostTensor> tensors;
  for (size_t i = 0; i < count; ++i)
    tensors.push_back(GAUDI_TRY(denseTensor(expected[i], buffers[i])));
  return tensors;
}

/// "batch=3,seq=7" of the symbols that are sizes of inputs; with those the
/// launch is the same.
std::string sizesText(const HostEntry &entry,
                      const std::vector<recipe::HostTensor> &inputs) {
  std::string text;
  for (const shapes::Symbol &symbol : entry.symbols)
    for (size_t i = 0; i < inputs.size(); ++i) {
      // The symbolic shape has a plain name where the size is the symbol.
      const std::vector<int64_t> &shape = inputs[i].type.shape;
      std::string_view rest = entry.inputs[i].symbolicShape;
      size_t dim = 0;
      bool isFound = false;
      for (; dim < shape.size() && !rest.empty() && !isFound; ++dim) {
        const size_t end = rest.find(" x ");
        isFound = rest.substr(0, end) == symbol.name;
        rest = end == rest.npos ? "" : rest.substr(end + 3);
      }
      if (!isFound)
        continue;
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", symbol.name,
                          shape[dim - 1]);
      break;
    }
  return text;
}

} // namespace

GaudiError *gaudiReplaySave(const GaudiRecipe *recipe, size_t entry,
                            const GaudiLaunchRecord *given, const char *path) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    GAUDI_C_CHECK(checkPointer(given, "record"));
    GAUDI_C_CHECK(checkPointer(path, "path"));
    GaudiLaunchRecord record;
    gaudiLaunchRecordInit(&record);
    GAUDI_C_CHECK(readOptions(given, "gaudiLaunchRecord", record));
    if (record.numInputs)
      GAUDI_C_CHECK(checkPointer(record.inputs, "inputs"));
    if (record.numOutputs)
      GAUDI_C_CHECK(checkPointer(record.outputs, "outputs"));
    if (record.numOptions)
      GAUDI_C_CHECK(checkPointer(record.options, "options"));
    const auto &entries = recipe->signature.entries;
    if (entry >= entries.size())
      return makeError(GaudiErrorInvalidArgument,
                       "the recipe has {} entries, but entry {} is asked for",
                       entries.size(), entry);
    const HostEntry &host = entries[entry];
    const auto inputs = GAUDI_C_TRY(
        GaudiErrorInvalidArgument,
        tensorsOf(host, "input", host.inputs, record.inputs, record.numInputs));
    std::vector<recipe::HostTensor> outputs;
    if (record.numOutputs)
      outputs = GAUDI_C_TRY(GaudiErrorInvalidArgument,
                            tensorsOf(host, "output", host.outputs,
                                      record.outputs, record.numOutputs));

    analysis::Replay replay;
    replay.versions = {
        {"gaudi-mlir", GAUDI_VERSION},
        {"recipe format",
         fmt::format("{}.{}", recipe::formatMajor, recipe::formatMinor())},
        {"device", std::string(recipe::text(recipe->file->recipe().target()))}};
    replay.file = "model/launch.recipe";
    replay.entry = host.name;
    replay.options.push_back({"entry", {{host.name, false}}});
    replay.environment = analysis::replayedEnvironment();
    for (size_t i = 0; i < record.numOptions; ++i) {
      GAUDI_C_CHECK(
          checkPointer(record.options[2 * i], "the name of an option"));
      GAUDI_C_CHECK(
          checkPointer(record.options[2 * i + 1], "the value of an option"));
      const std::string value = record.options[2 * i + 1];
      replay.options.push_back(
          {record.options[2 * i],
           value.empty()
               ? std::vector<analysis::ReplayOption::Part>()
               : std::vector<analysis::ReplayOption::Part>{{value, false}}});
      GAUDI_C_TRY(GaudiErrorInvalidArgument,
                  analysis::checkReplayOption(replay.options.back()));
    }
    if (const std::string sizes = sizesText(host, inputs); !sizes.empty())
      replay.options.push_back({"sizes", {{sizes, false}}});
    const recipe::ByteSpan bytes = recipe->file->bytes();
    const auto viewOf = [](const void *data, size_t size) {
      return std::string_view(static_cast<const char *>(data), size);
    };
    std::vector<analysis::ZipMember> members = {
        {replay.file, {viewOf(bytes.data, bytes.size)}}};
    if (record.source)
      members.push_back({"source.txt", {record.source}});
    std::vector<analysis::ReplayValues> headers(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      replay.inputs.push_back(analysis::describeTensor(inputs[i]));
      const bool hasValues =
          !inputs[i].bytes.empty() || !inputs[i].type.count();
      if (!hasValues ||
          (!record.withInputs && analysis::isGuessable(inputs[i])))
        replay.inputs.back().hash.clear();
      if (!record.withInputs || !hasValues)
        continue;
      replay.inputs.back().file = fmt::format("inputs/{}.npy", i);
      headers[i] = analysis::valuesOf(inputs[i], replay.inputs.back().file);
      members.push_back({headers[i].file,
                         {headers[i].header, viewOf(inputs[i].bytes.data(),
                                                    inputs[i].bytes.size())}});
    }
    for (const recipe::HostTensor &output : outputs) {
      replay.outputs.push_back(analysis::describeTensor(output));
      if (!record.withInputs && analysis::isGuessable(output))
        replay.outputs.back().hash.clear();
    }
    if (host.symbols.empty())
      if (auto predicted = prediction::predict(*recipe->file, host.index))
        replay.predictedPicoseconds = predicted->time();
    replay.code = int(record.code);
    replay.message = record.message ? record.message : "";
    replay.reason = record.reason ? record.reason : "asked for";
    GAUDI_C_TRY(GaudiErrorIo,
                analysis::writeReplay(path, replay, std::move(members)));
    return nullptr;
  });
}
