// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads libGaudiCompiler.so and calls it.
#include "Compiler.h"
#include "Console.h"
#include "Gaudi/CApi/CompilerLibrary.h"
#include "Gaudi/Support/Units.h"
#include "RemarkText.h"

#include <cassert>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>

namespace gaudi::run {
namespace {

Parameter parameterOf(const GaudiTensorType &type) {
  Parameter parameter;
  parameter.name = type.name;
  parameter.type.element = recipe::ElementType(type.elementType);
  parameter.type.shape.assign(type.shape, type.shape + type.rank);
  return parameter;
}

} // namespace

Result<std::unique_ptr<Compiler>> Compiler::create(const Options &options,
                                                   Progress &progress) {
  const GaudiCompilerApi *api = GAUDI_TRY(capi::openCompiler());
  std::unique_ptr<Compiler> compiler(new Compiler(api, progress));
  // What one of several devices refuses is printed with its prediction.
  compiler->holdsBack =
      !options.devices.empty() && options.remarks == RemarkLevel::None;
  const bool isJson = options.report == ReportForm::Json;
  compiler->printedRemarks = isJson ? RemarkLevel::None : options.remarks;
  GaudiSessionOptions session = {};
  const std::string device = options.device.value_or("gaudi2");
  session.device = device.c_str();
  session.entry = options.entry.empty() ? nullptr : options.entry.c_str();
  // A run needs one entry; a recipe is for all that the host may call.
  session.allEntries = !options.save.empty();
  const std::string states = fmt::format("{}", fmt::join(options.states, ","));
  session.state = states.c_str();
  const std::string permutable =
      fmt::format("{}", fmt::join(options.allowPermutation, ","));
  session.allowPermutation = permutable.c_str();
  const std::string shapes = fmt::format("{}", fmt::join(options.shapes, ";"));
  session.shape = shapes.c_str();
  session.buckets = options.buckets.c_str();
  session.bucketHistogram = options.bucketHistogram.c_str();
  session.bucketCost = options.bucketCost.c_str();
  // A page shows the curve if there is one.
  session.bucketCurve =
      options.bucketCurve ||
      (!options.html.empty() && !options.bucketHistogram.empty());
  session.disableFusion = options.disableFusion.c_str();
  session.requireFusion = options.requireFusion.c_str();
  session.memoryBudget = options.memoryBudget;
  session.maxExpandedOps = options.maxExpandedOps;
  session.verifyFusion = options.verifyFusion;
  session.checkNumerics = options.checkNumerics;
  session.seed = options.seed.value_or(1);
  session.liftElided = options.liftElided;
  // The compiler knows the lines of the model.
  session.remarks = compiler->printedRemarks == RemarkLevel::All;
  session.maxIterations = options.maxIterations;
  session.threads = options.threads;
  session.context = compiler.get();
  session.diagnostic = [](void *context, const char *text, size_t length) {
    static_cast<Compiler *>(context)->print({text, length});
  };
  const bool prints = options.remarks != RemarkLevel::None && !session.remarks;
  if (prints || !options.html.empty() || options.mode == Mode::Predict)
    session.remark = [](void *context, const GaudiRemark *remark) {
      static_cast<Compiler *>(context)->remarks.push_back(
          {remark->pass, remark->kind, remark->location, remark->text,
           remark->name, remark->lostPicoseconds, remark->lostBytes});
    };
  session.progress = [](void *context, uint64_t done, uint64_t total) {
    static_cast<Compiler *>(context)->progress.advance(done, total);
  };
  compiler->session = api->create(&session);
  if (!compiler->session)
    return fail("the compiler could not start; it needs more host memory");
  return compiler;
}

Compiler::~Compiler() {
  if (session)
    api->destroy(session);
}

void Compiler::print(std::string_view diagnostic) {
  // A diagnostic comes in several pieces, down to single bytes.
  printed += diagnostic;
  const size_t end = printed.rfind('\n');
  if (end == std::string::npos)
    return;
  for (size_t begin = 0; begin <= end;) {
    const size_t next = printed.find('\n', begin);
    printLine(std::string_view(printed).substr(begin, next - begin));
    begin = next + 1;
  }
  const capi::FirstError error =
      capi::firstErrorIn(std::string_view(printed).substr(0, end));
  if (firstErrorText.empty() && !error.message.empty())
    firstErrorText = error.location.empty()
                         ? error.message
                         : error.location + ": " + error.message;
  printed.erase(0, end + 1);
}

void Compiler::printLine(std::string_view line) {
  if (holdsBack)
    return;
  if (line.find("error: ") != std::string_view::npos)
    keepDiagnostic(line);
  progress.clear();
  const std::string shown = diagnosticLine(line) + "\n";
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

Status Compiler::statusOf(int code) const {
  return code == 0 ? Status() : fail(std::string(api->error(session)));
}

Status Compiler::parse(const std::string &name, std::string_view source) {
  const GaudiBytes bytes = {reinterpret_cast<const uint8_t *>(source.data()),
                            source.size()};
  return statusOf(
      api->parse(session, name == "-" ? "<stdin>" : name.c_str(), bytes));
}

std::string Compiler::entryName() const { return api->entryName(session); }

Status Compiler::import() { return statusOf(api->import(session)); }

std::vector<Compiler::Symbol> Compiler::symbols() const {
  std::vector<Symbol> symbols;
  for (uint32_t i = 0, count = api->numSymbols(session); i < count; ++i) {
    const GaudiSymbol symbol = api->symbol(session, i);
    symbols.push_back({symbol.name, symbol.min, symbol.max, symbol.multiple});
  }
  return symbols;
}

Result<shapes::Signature> Compiler::describe() {
  GaudiSourceSummary summary = {};
  GAUDI_TRY(statusOf(api->describe(session, &summary)));
  shapes::Signature signature;
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
  return signature;
}

Status Compiler::select(const std::vector<int64_t> &sizes) {
  return statusOf(api->select(session, sizes.data(), uint32_t(sizes.size())));
}

std::vector<Parameter> Compiler::inputs() const {
  std::vector<Parameter> parameters;
  for (uint32_t i = 0, count = api->numInputs(session); i < count; ++i)
    parameters.push_back(parameterOf(api->input(session, i)));
  return parameters;
}

std::vector<Parameter> Compiler::outputs() const {
  std::vector<Parameter> parameters;
  for (uint32_t i = 0, count = api->numOutputs(session); i < count; ++i)
    parameters.push_back(parameterOf(api->output(session, i)));
  return parameters;
}

Result<GaudiBytes> Compiler::compile() {
  GaudiBytes bytes = {};
  Status compiled = statusOf(api->compile(session, &bytes));
  if (printedRemarks != RemarkLevel::None &&
      printedRemarks != RemarkLevel::All) {
    progress.clear();
    printRemarks(std::cerr, remarks, printedRemarks);
  }
  GAUDI_TRY(std::move(compiled));
  return bytes;
}

Result<GaudiBatch> Compiler::findBatch(const std::string &input) {
  GaudiBatch batch = {};
  GAUDI_TRY(statusOf(api->findBatch(
      session, input.empty() ? nullptr : input.c_str(), &batch)));
  return batch;
}

Result<GaudiBytes> Compiler::compileBatch(int64_t size) {
  GaudiBytes bytes = {};
  GAUDI_TRY(statusOf(api->compileBatch(session, size, &bytes)));
  return bytes;
}

BucketPlan Compiler::bucketPlan() const {
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

CompileTimes Compiler::compileTimes() const {
  const GaudiCompileTimes given = api->compileTimes(session);
  return {given.plan,
          given.structure,
          given.derivation,
          given.emission,
          {given.variants, given.variants + given.numVariants},
          given.areDerived != 0,
          given.threads};
}

void Compiler::releaseRecipe() { api->releaseRecipe(session); }

Result<std::vector<Compiler::Sample>>
Compiler::drawInputs(const std::vector<HostTensor> &inputs,
                     const std::vector<size_t> &seeded, uint32_t seed,
                     double work) {
  std::vector<GaudiBytes> bytes;
  for (const HostTensor &input : inputs)
    bytes.push_back({input.bytes.data(), input.bytes.size()});
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

Status Compiler::evaluate(const std::vector<HostTensor> &inputs, bool continues,
                          uint32_t drawPairs) {
  std::vector<GaudiBytes> bytes;
  for (const HostTensor &input : inputs)
    bytes.push_back({input.bytes.data(), input.bytes.size()});
  return statusOf(api->evaluate(session, bytes.data(), uint32_t(bytes.size()),
                                continues, drawPairs));
}

ExpectedNoise Compiler::noise(size_t output) const {
  const GaudiNoise found = api->noise(session, uint32_t(output));
  return {found.noise,   found.allowed, found.seen,      found.reach,
          found.squares, found.strays,  found.strayError};
}

ExpectedValues Compiler::result(size_t output) const {
  const GaudiValues values = api->result(session, uint32_t(output));
  return {values.floats, values.integers};
}

HostTensor Compiler::roundedResult(size_t output) const {
  const Parameter parameter =
      parameterOf(api->output(session, uint32_t(output)));
  HostTensor tensor{parameter.name, parameter.type,
                    std::vector<uint8_t>(parameter.type.bytes())};
  const ExpectedValues values = result(output);
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

std::string textOf(const GaudiNumerics &numerics) {
  std::string text = fmt::format("--check-numerics passed: {} of {} kept all "
                                 "results within tolerance",
                                 numerics.compared,
                                 countOf(numerics.passes, "pass", "passes"));
  if (numerics.compared < numerics.passes)
    text += fmt::format("; the others were not checked: {}", numerics.whyNot);
  return text;
}

} // namespace gaudi::run
