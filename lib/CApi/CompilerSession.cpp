// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the compiler's library.
#include "Gaudi/CApi/CompilerSession.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Views.h"

#include <cassert>
#include <fmt/format.h>

namespace gaudi::capi {

static std::vector<GaudiBytes>
bytesOf(const std::vector<recipe::HostTensor> &tensors) {
  std::vector<GaudiBytes> bytes;
  for (const recipe::HostTensor &tensor : tensors)
    bytes.push_back({tensor.bytes.data(), tensor.bytes.size()});
  return bytes;
}

static recipe::Parameter parameterOf(const GaudiTensorType &type) {
  recipe::Parameter parameter;
  parameter.name = type.name;
  parameter.type.element = recipe::ElementType(type.elementType);
  parameter.type.shape.assign(type.shape, type.shape + type.rank);
  return parameter;
}

CompilerSession::~CompilerSession() {
  if (session)
    api->destroy(session);
}

Status CompilerSession::open(const GaudiCompilerApi &compiler,
                             const GaudiSessionOptions &options) {
  api = &compiler;
  session = api->create(&options);
  if (!session)
    return fail("the compiler could not start; it needs more host memory");
  return {};
}

Status CompilerSession::statusOf(int32_t code) {
  if (code == 0)
    return {};
  lastStatus = code;
  return fail(std::string(api->error(session)));
}

Status CompilerSession::parse(const std::string &name,
                              std::string_view source) {
  const GaudiBytes bytes = {reinterpret_cast<const uint8_t *>(source.data()),
                            source.size()};
  return statusOf(api->parse(session, name.c_str(), bytes));
}

std::string CompilerSession::entryName() const {
  return api->entryName(session);
}

Status CompilerSession::import() { return statusOf(api->import(session)); }

std::vector<shapes::Symbol> CompilerSession::symbols() const {
  std::vector<shapes::Symbol> symbols;
  for (uint32_t i = 0, count = api->numSymbols(session); i < count; ++i) {
    const GaudiSymbol symbol = api->symbol(session, i);
    symbols.push_back({symbol.name, symbol.min, symbol.max, symbol.multiple});
  }
  return symbols;
}

Result<shapes::Signature> CompilerSession::describe(std::string device) {
  GaudiSourceSummary summary = {};
  GAUDI_TRY(statusOf(api->describe(session, &summary)));
  shapes::Signature signature;
  signature.device = std::move(device);
  signature.compiler = summary.compiler;
  signature.outputs = summary.numOutputs;
  for (uint32_t i = 0; i < summary.numInputs; ++i) {
    const GaudiSourceInput input = api->sourceInput(session, i);
    signature.inputs.push_back({input.name,
                                input.elementType,
                                {input.shape, input.shape + input.rank},
                                input.attributes});
  }
  for (uint32_t i = 0; i < summary.numOps; ++i) {
    const GaudiSourceOp op = api->sourceOp(session, i);
    signature.ops.push_back({op.name, op.location, {}});
    for (uint32_t f = 0; f < op.numFields; ++f) {
      const GaudiSourceField field = api->sourceField(session, i, f);
      signature.ops.back().fields.push_back(
          {field.label,
           field.text,
           {field.sizes, field.sizes + field.numSizes}});
    }
  }
  for (uint32_t i = 0; i < summary.numConstants; ++i) {
    const GaudiSourceConstant constant = api->sourceConstant(session, i);
    signature.constants.push_back(
        {constant.name,
         constant.location,
         constant.elementType,
         {constant.shape, constant.shape + constant.rank},
         constant.hash,
         {constant.values, constant.values + constant.numValues}});
  }
  for (const shapes::Symbol &symbol : symbols())
    signature.options.push_back(
        {"the range of " + symbol.name,
         fmt::format("{} to {} in multiples of {}", symbol.min, symbol.max,
                     symbol.multiple)});
  return signature;
}

Status CompilerSession::select(const std::vector<int64_t> &sizes) {
  return statusOf(api->select(session, sizes.data(), uint32_t(sizes.size())));
}

std::vector<recipe::Parameter> CompilerSession::inputs() const {
  std::vector<recipe::Parameter> parameters;
  for (uint32_t i = 0, count = api->numInputs(session); i < count; ++i)
    parameters.push_back(parameterOf(api->input(session, i)));
  return parameters;
}

std::vector<recipe::Parameter> CompilerSession::outputs() const {
  std::vector<recipe::Parameter> parameters;
  for (uint32_t i = 0, count = api->numOutputs(session); i < count; ++i)
    parameters.push_back(parameterOf(api->output(session, i)));
  return parameters;
}

Result<GaudiBytes> CompilerSession::compile() {
  GaudiBytes bytes = {};
  GAUDI_TRY(statusOf(api->compile(session, &bytes)));
  return bytes;
}

Result<analysis::BatchPlan>
CompilerSession::findBatch(const std::string &input) {
  GaudiBatch found = {};
  GAUDI_TRY(statusOf(api->findBatch(
      session, input.empty() ? nullptr : input.c_str(), &found)));
  analysis::BatchPlan batch;
  batch.size = found.size;
  batch.step = found.step;
  const std::vector<recipe::Parameter> all = inputs();
  for (uint32_t i = 0; i < found.numInputs; ++i) {
    const recipe::Parameter &grows = all[found.inputs[i]];
    batch.inputs.push_back({grows.name, grows.type.text()});
  }
  return batch;
}

Result<GaudiBytes> CompilerSession::compileBatch(int64_t size) {
  GaudiBytes bytes = {};
  GAUDI_TRY(statusOf(api->compileBatch(session, size, &bytes)));
  return bytes;
}

BucketPlan CompilerSession::bucketPlan() const {
  const GaudiBucketPlan given = api->bucketPlan(session);
  BucketPlan plan;
  plan.costs = given.costs;
  plan.curveText = given.curve;
  for (uint32_t i = 0; i < given.numPoints; ++i) {
    const GaudiCurvePoint &point = given.points[i];
    plan.curve.push_back({point.strategy, point.maxBuckets, point.buckets,
                          point.waste, point.leastWaste});
  }
  return plan;
}

analysis::CompileTimes CompilerSession::compileTimes() const {
  const GaudiCompileTimes given = api->compileTimes(session);
  return {given.plan,
          given.structure,
          given.derivation,
          given.emission,
          {given.variants, given.variants + given.numVariants},
          given.areDerived != 0,
          given.threads};
}

void CompilerSession::releaseRecipe() { api->releaseRecipe(session); }

Result<std::vector<CompilerSession::Sample>>
CompilerSession::drawInputs(const std::vector<recipe::HostTensor> &inputs,
                            const std::vector<size_t> &seeded, uint32_t seed,
                            double work) {
  const std::vector<GaudiBytes> bytes = bytesOf(inputs);
  std::vector<uint8_t> varies(inputs.size());
  for (size_t i : seeded)
    varies[i] = 1;
  uint32_t count = 0;
  GAUDI_TRY(
      statusOf(api->drawInputs(session, bytes.data(), varies.data(),
                               uint32_t(inputs.size()), seed, work, &count)));
  std::vector<Sample> samples;
  for (uint32_t i = 0; i < count; ++i) {
    const GaudiSample drawn = api->drawnInputs(session, i);
    samples.push_back({drawn.regime, inputs});
    for (size_t input : seeded) {
      const GaudiBytes &given = drawn.inputs[input];
      samples.back().inputs[input].bytes.assign(given.data,
                                                given.data + given.size);
    }
  }
  return samples;
}

Result<std::string>
CompilerSession::bisect(const std::vector<recipe::HostTensor> &inputs,
                        const Bisection &bisection) {
  const std::vector<GaudiBytes> bytes = bytesOf(inputs);
  std::vector<std::vector<GaudiTensorType>> types;
  for (const TracedCommand &command : bisection.commands) {
    types.emplace_back();
    for (const recipe::TensorType &type : command.results)
      types.back().push_back({"", uint8_t(type.element),
                              uint32_t(type.shape.size()), type.shape.data()});
  }
  std::vector<GaudiTracedCommand> commands;
  for (size_t c = 0; c < types.size(); ++c) {
    const TracedCommand &command = bisection.commands[c];
    commands.push_back({command.name.c_str(), command.location.c_str(),
                        uint32_t(command.producers.size()),
                        command.producers.data(), uint32_t(types[c].size()),
                        types[c].data()});
  }
  std::vector<std::vector<GaudiTensorType>> variables;
  std::vector<GaudiTracedLaunch> launches;
  for (const TracedLaunch &launch : bisection.launches) {
    variables.emplace_back();
    for (const recipe::Parameter &variable : launch.variables)
      variables.back().push_back(
          {variable.name.c_str(), uint8_t(variable.type.element),
           uint32_t(variable.type.shape.size()), variable.type.shape.data()});
  }
  for (size_t l = 0; l < variables.size(); ++l) {
    const TracedLaunch &launch = bisection.launches[l];
    launches.push_back({launch.function.c_str(), launch.firstCommand,
                        launch.numCommands, uint32_t(variables[l].size()),
                        variables[l].data()});
  }
  const auto bytesIn = [](std::string_view text) {
    return GaudiBytes{reinterpret_cast<const uint8_t *>(text.data()),
                      text.size()};
  };
  std::vector<GaudiForm> forms;
  for (const auto &[name, text] : bisection.forms)
    forms.push_back({name.c_str(), bytesIn(text)});
  std::vector<GaudiGolden> golden;
  for (const recipe::HostTensor &value : bisection.golden)
    golden.push_back(
        {value.name.c_str(),
         {"", uint8_t(value.type.element), uint32_t(value.type.shape.size()),
          value.type.shape.data()},
         {value.bytes.data(), value.bytes.size()}});
  std::vector<const char *> places;
  for (const std::string &place : bisection.places)
    places.push_back(place.c_str());
  GaudiBisection request = {};
  request.golden = golden.data();
  request.numGolden = uint32_t(golden.size());
  request.places = places.data();
  request.numPlaces = uint32_t(places.size());
  request.inputs = bytes.data();
  request.numInputs = uint32_t(bytes.size());
  request.suspectName = bisection.suspectName.c_str();
  request.suspect = bytesIn(bisection.suspect);
  request.forms = forms.data();
  request.numForms = uint32_t(forms.size());
  request.commands = commands.data();
  request.numCommands = uint32_t(commands.size());
  request.context = const_cast<Bisection *>(&bisection);
  request.read = [](void *context, uint32_t command, uint32_t result,
                    uint8_t *data, uint64_t size) -> int32_t {
    return static_cast<Bisection *>(context)->read(command, result, data, size)
               ? 0
               : 1;
  };
  request.launches = launches.data();
  request.numLaunches = uint32_t(launches.size());
  request.readVariable = [](void *context, uint32_t launch, uint32_t variable,
                            uint8_t *data, uint64_t size) -> int32_t {
    return static_cast<Bisection *>(context)->readVariable(launch, variable,
                                                           data, size)
               ? 0
               : 1;
  };
  const char *report = nullptr;
  GAUDI_TRY(statusOf(api->bisect(session, &request, &report)));
  return std::string(report);
}

Result<std::string>
CompilerSession::findNonFinite(const std::vector<recipe::HostTensor> &inputs) {
  const std::vector<GaudiBytes> bytes = bytesOf(inputs);
  const char *report = nullptr;
  GAUDI_TRY(statusOf(api->findNonFinite(session, bytes.data(),
                                        uint32_t(bytes.size()), &report)));
  return std::string(report);
}

Result<CompilerSession::Slice>
CompilerSession::slice(uint32_t depth, bool ofImport,
                       const std::vector<uint8_t> &removed) {
  GaudiSlice found = {};
  GAUDI_TRY(
      statusOf(api->slice(session, depth, ofImport,
                          removed.empty() ? nullptr : removed.data(), &found)));
  Slice slice{found.model, found.suspect, {}, found.isWhole != 0, found.numOps};
  for (uint32_t i = 0; i < found.numInputs; ++i) {
    const GaudiTensorType &type = found.types[i];
    const GaudiBytes &bytes = found.inputs[i];
    slice.inputs.push_back({"",
                            {recipe::ElementType(type.elementType),
                             {type.shape, type.shape + type.rank}},
                            {bytes.data, bytes.data + bytes.size}});
  }
  return slice;
}

Status CompilerSession::explainPrecision(
    const std::vector<recipe::HostTensor> &inputs, const std::string &before,
    const std::string &after, double work, analysis::PrecisionReport &report) {
  const std::vector<GaudiBytes> bytes = bytesOf(inputs);
  GaudiPrecision found = {};
  GAUDI_TRY(statusOf(
      api->explainPrecision(session, bytes.data(), uint32_t(bytes.size()),
                            before.c_str(), after.c_str(), work, &found)));
  report.error = found.error;
  report.evaluations = found.evaluations;
  const std::vector<recipe::Parameter> parameters = outputs();
  for (uint32_t i = 0; i < found.numOutputs; ++i) {
    const GaudiPrecisionOutput &output = found.outputs[i];
    report.outputs.push_back({parameters[i].name, output.error, output.norm,
                              output.largest, output.notFinite,
                              output.notFiniteBefore});
  }
  for (uint32_t i = 0; i < found.numOps; ++i) {
    const GaudiPrecisionOp &op = found.ops[i];
    report.ops.push_back({op.name, op.location, op.rule, op.before, op.after,
                          op.reason, op.alone, op.back, op.share, op.group});
  }
  return {};
}

Status CompilerSession::evaluate(const std::vector<recipe::HostTensor> &inputs,
                                 bool continues, uint32_t drawPairs) {
  const std::vector<GaudiBytes> bytes = bytesOf(inputs);
  return statusOf(api->evaluate(session, bytes.data(), uint32_t(bytes.size()),
                                continues, drawPairs));
}

ExpectedNoise CompilerSession::noise(size_t output) const {
  const GaudiNoise found = api->noise(session, uint32_t(output));
  return {found.noise,   found.allowed, found.seen,      found.reach,
          found.squares, found.strays,  found.strayError};
}

analysis::ExpectedValues CompilerSession::result(size_t output) const {
  const GaudiValues values = api->result(session, uint32_t(output));
  return {values.floats, values.integers};
}

recipe::HostTensor CompilerSession::roundedResult(size_t output) const {
  const recipe::Parameter parameter =
      parameterOf(api->output(session, uint32_t(output)));
  recipe::HostTensor tensor{parameter.name, parameter.type,
                            std::vector<uint8_t>(parameter.type.bytes())};
  const analysis::ExpectedValues values = result(output);
  assert((values.floats != nullptr) != (values.integers != nullptr) &&
         "exactly one kind of values");
  for (uint64_t i = 0, count = parameter.type.count(); i < count; ++i) {
    if (values.floats)
      tensor.setFloat(i, values.floats[i]);
    else
      tensor.setInt(i, values.integers[i]);
  }
  return tensor;
}

/// Bytes of all sections of a recipe.
static uint64_t bytesNeeded(const recipe::RecipeFile &file) {
  uint64_t bytes = 0;
  for (const recipe::Section *section : recipe::items(file->sections()))
    bytes += section->size();
  return bytes;
}

/// Microseconds of a launch of an entry that has at most one variant.
static Result<double> timeOf(const recipe::RecipeFile &file,
                             const std::string &name) {
  uint32_t entry = GAUDI_TRY(analysis::chooseEntry(file.recipe(), name, name));
  if (const recipe::Dispatch *dispatch =
          recipe::items(file->entries())[entry]->dispatch()) {
    const auto table = GAUDI_TRY(analysis::SymbolTable::of(*dispatch));
    entry =
        GAUDI_TRY(table.entryFor(shapes::Sizes(table.symbols().size(), -1)));
  }
  const auto predicted = GAUDI_TRY(prediction::predict(file, entry));
  return double(predicted.time()) / 1e6;
}

Result<analysis::BatchPlan>
planBatches(CompilerSession &session, const std::string &input, uint64_t limit,
            analysis::BatchSizes sizes,
            const std::function<Result<GaudiBytes>(int64_t)> &compile) {
  analysis::BatchPlan batch = GAUDI_TRY(session.findBatch(input));
  const auto plan = [&](int64_t size) -> Result<uint64_t> {
    const GaudiBytes bytes = GAUDI_TRY(compile(size));
    const auto file =
        GAUDI_TRY(recipe::RecipeFile::fromBuffer({bytes.data, bytes.size}));
    const uint64_t needed = bytesNeeded(file);
    if (sizes == analysis::BatchSizes::Sweep)
      batch.times[size] = GAUDI_TRY(timeOf(file, session.entryName()));
    session.releaseRecipe();
    return needed;
  };
  GAUDI_TRY(analysis::searchBatch(batch, limit, plan, sizes));
  return batch;
}

} // namespace gaudi::capi
