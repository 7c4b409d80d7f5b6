// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first op that differs, for C.
#include "Gaudi/Analysis/Bisect.h"
#include "Compilation.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/CApi/CommandTrace.h"
#include "Gaudi/Recipe/Places.h"
#include "GivenText.h"

using namespace gaudi;
using namespace gaudi::capi;

namespace {

using Json = nlohmann::ordered_json;

/// The search in one model.
class Bisecting {
public:
  Bisecting(const char *name, const void *source, size_t bytes,
            const GaudiCompileOptions &options, const GaudiBisectOptions &given)
      : name(name), source(source), bytes(bytes), options(options),
        given(given), places(given.places, given.places + given.numPlaces) {}

  GaudiError *run(char **text) {
    Compilation model(options);
    GAUDI_C_CHECK(model.parse(name, source, bytes));
    CompilerSession &session = model.session();
    GAUDI_C_CHECK(model.errorOf(session.import()));
    std::vector<recipe::HostTensor> inputs;
    GAUDI_C_CHECK(readInputs(session.inputs(), given.inputs, given.numInputs,
                             given.seed, inputs));
    GAUDI_C_CHECK(model.errorOf(
        session.evaluate(inputs, false, GAUDI_MORE_DRAWS_BY_WORK)));
    CompilerSession::Bisection request;
    request.places = places;
    std::unique_ptr<CommandTrace> trace;
    std::unique_ptr<runtime::Executable> executable;
    if (given.numGolden)
      GAUDI_C_CHECK(readGolden(request));
    else
      GAUDI_C_CHECK(launch(session, inputs, executable, trace, request));
    if (isRight) {
      give({{"entry", session.entryName()},
            {"device", model.device()},
            {"kind", "none"}},
           text);
      return nullptr;
    }
    auto report = session.bisect(inputs, request);
    if (!report)
      return model.errorOf(fail(report.error().message));
    Json json = {{"entry", session.entryName()}, {"device", model.device()}};
    json.update(Json::parse(*report));
    for (const char *key : {"op", "until", "counterpart", "largest"})
      if (json.contains(key))
        withPlace(json[key]);
    if (json.contains("others"))
      for (Json &other : json["others"])
        withPlace(other);
    analysis::addLayers(json);
    give(json, text);
    return nullptr;
  }

private:
  void withPlace(Json &op) const {
    op["location"] =
        recipe::withPlaces(op["location"].get<std::string>(), name, places);
  }

  GaudiError *readGolden(CompilerSession::Bisection &request) const {
    for (size_t i = 0; i < given.numGolden; ++i) {
      const GaudiBuffer &buffer = given.golden[i];
      if (!given.goldenNames[i])
        return makeError(GaudiErrorInvalidArgument,
                         "the name of golden value {} is null", i);
      if (!buffer.data || buffer.strides)
        return makeError(GaudiErrorInvalidArgument,
                         "golden value '{}' has no data, or is not dense",
                         given.goldenNames[i]);
      if (!isTensor(buffer))
        return makeError(GaudiErrorInvalidArgument,
                         "golden value '{}' has no element type, or no shape "
                         "of sizes from 0 up",
                         given.goldenNames[i]);
      const recipe::TensorType type = {
          recipe::ElementType(uint8_t(buffer.type)),
          {buffer.shape, buffer.shape + buffer.rank}};
      const auto *data = static_cast<const uint8_t *>(buffer.data);
      request.golden.push_back(
          {given.goldenNames[i], type, {data, data + type.bytes()}});
    }
    return nullptr;
  }

  /// Whether its type and shape are those of a tensor in memory.
  static bool isTensor(const GaudiBuffer &buffer) {
    uint64_t bytes = gaudiElementTypeSize(buffer.type);
    if (!bytes || (buffer.rank && !buffer.shape))
      return false;
    for (uint32_t d = 0; d < buffer.rank; ++d)
      if (buffer.shape[d] < 0 ||
          __builtin_mul_overflow(bytes, buffer.shape[d], &bytes))
        return false;
    return true;
  }

  /// Compiles the suspect, or the model, and launches it command by command.
  GaudiError *launch(const CompilerSession &session,
                     const std::vector<recipe::HostTensor> &inputs,
                     std::unique_ptr<runtime::Executable> &executable,
                     std::unique_ptr<CommandTrace> &trace,
                     CompilerSession::Bisection &request) {
    Compilation compilation(options);
    GAUDI_C_CHECK(given.suspect
                      ? compilation.parse(given.suspectName, given.suspect,
                                          given.suspectBytes)
                      : compilation.parse(name, source, bytes));
    const auto compiled = compilation.session().compile();
    if (!compiled)
      return compilation.errorOf(fail(compiled.error().message));
    const auto file = std::make_shared<const recipe::RecipeFile>(GAUDI_C_TRY(
        GaudiErrorInternal, recipe::RecipeFile::fromBuffer(
                                {compiled->data, compiled->size}, name)));
    const uint32_t entry = GAUDI_C_TRY(
        GaudiErrorInvalidArgument,
        analysis::chooseEntry(file->recipe(), compilation.session().entryName(),
                              name));
    runtime::LoadOptions load;
    load.pipelined = false; // every command is seen on its own
    executable = GAUDI_C_TRY(GaudiErrorOutOfMemory,
                             runtime::Executable::load(file, load));
    if (const size_t count = executable->inputs(entry).size();
        count != inputs.size())
      return makeError(GaudiErrorInvalidArgument,
                       "suspect '{}' has {} inputs, the model has {}; give "
                       "another form of the same model",
                       given.suspectName ? given.suspectName : name, count,
                       inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i)
      GAUDI_C_TRY(GaudiErrorInvalidArgument,
                  executable->setInput(i, inputs[i].bytes.data(),
                                       inputs[i].bytes.size(), entry));
    trace = std::make_unique<CommandTrace>(*executable, file->recipe(), entry);
    executable->setObserver(trace.get());
    const auto launched = executable->launch(entry);
    executable->setObserver(nullptr);
    if (!launched)
      return makeError(GaudiErrorLaunch, launched.error());
    if (!trace->isComplete())
      return makeError(GaudiErrorIo,
                       "cannot keep what the commands give in a file of '{}'; "
                       "set TMPDIR to a folder with more space",
                       temporaryFolder());
    GAUDI_C_CHECK(compare(session, *executable, entry));
    trace->fill(request);
    if (given.suspect) {
      request.suspectName = given.suspectName;
      request.suspect = {static_cast<const char *>(given.suspect),
                         given.suspectBytes};
    }
    return nullptr;
  }

  /// Whether the outputs are within the noise.
  GaudiError *compare(const CompilerSession &session,
                      const runtime::Executable &executable, uint32_t entry) {
    const std::vector<recipe::Parameter> outputs = session.outputs();
    const std::vector<runtime::TensorInfo> &infos = executable.outputs(entry);
    isRight = infos.size() == outputs.size();
    for (size_t i = 0; isRight && i < outputs.size(); ++i) {
      recipe::HostTensor output{outputs[i].name, outputs[i].type, {}};
      isRight = infos[i].type == output.type.element &&
                infos[i].shape == output.type.shape;
      if (!isRight)
        break;
      output.bytes.resize(output.type.bytes());
      GAUDI_C_TRY(GaudiErrorInternal,
                  executable.getOutput(i, output.bytes.data(),
                                       output.bytes.size(), entry));
      isRight = analysis::compare(output, session.result(i), session.noise(i),
                                  "the reference")
                    .passed();
    }
    return nullptr;
  }

  const char *name;
  const void *source;
  size_t bytes;
  const GaudiCompileOptions &options;
  const GaudiBisectOptions &given;
  std::vector<std::string> places;
  bool isRight = false; ///< what was launched
};

} // namespace

GaudiError *gaudiBisect(const char *name, const void *source, size_t bytes,
                        const GaudiCompileOptions *given,
                        const GaudiBisectOptions *bisection, char **json) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(name, "name"));
    GAUDI_C_CHECK(checkPointer(source, "source"));
    GAUDI_C_CHECK(checkPointer(json, "json"));
    GaudiCompileOptions options;
    GAUDI_C_CHECK(readCompileOptions(given, options));
    GaudiBisectOptions what = {};
    GAUDI_C_CHECK(readOptions(bisection, "GaudiBisectOptions", what));
    if ((what.numInputs && !what.inputs) || (what.numPlaces && !what.places) ||
        (what.numGolden && !(what.golden && what.goldenNames)) ||
        (what.suspect && !what.suspectName))
      return makeError(GaudiErrorInvalidArgument,
                       "'inputs', 'places', 'golden', 'goldenNames' or "
                       "'suspectName' is null");
    return Bisecting(name, source, bytes, options, what).run(json);
  });
}
