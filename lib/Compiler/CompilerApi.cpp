// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of the compiler library.
#include "Gaudi/Compiler/CompilerApi.h"
#include "Gaudi/Torch/Operators.h"
#include "Session.h"
#include <new>

using namespace mlir;
using gaudi::Session;

struct GaudiSession : Session {
  using Session::Session;
};

/// Runs one step of a session; nothing may be thrown across the interface.
template <typename Step>
static int32_t guarded(GaudiSession *session, Step step) {
  session->error.clear();
  session->isOptionError = false;
  session->optionProblem.clear();
  try {
    if (succeeded(step()))
      return 0;
    return session->isOptionError ? GAUDI_STATUS_OPTION : GAUDI_STATUS_MODEL;
  } catch (const std::bad_alloc &) {
    session->error = "not enough host memory";
  } catch (const std::exception &problem) {
    session->error = problem.what();
  }
  return GAUDI_STATUS_MODEL;
}

static GaudiSession *create(const GaudiSessionOptions *options) {
  try {
    return new GaudiSession(*options);
  } catch (const std::exception &) {
    return nullptr;
  }
}

static void destroy(GaudiSession *session) { delete session; }

static const char *error(const GaudiSession *session) {
  return session->error.c_str();
}

static int32_t parse(GaudiSession *session, const char *name,
                     GaudiBytes source) {
  return guarded(session, [&] { return session->parse(name, source); });
}

static const char *entryName(const GaudiSession *session) {
  return session->getEntryName().c_str();
}

static int32_t import(GaudiSession *session) {
  return guarded(session, [&] { return session->import(); });
}

static uint32_t numInputs(const GaudiSession *session) {
  return session->getInputs().size();
}
static uint32_t numOutputs(const GaudiSession *session) {
  return session->getOutputs().size();
}
static GaudiTensorType input(const GaudiSession *session, uint32_t index) {
  return session->getInputs()[index].abi;
}
static GaudiTensorType output(const GaudiSession *session, uint32_t index) {
  return session->getOutputs()[index].abi;
}

static uint32_t numSymbols(const GaudiSession *session) {
  return session->getSymbols().size();
}
static GaudiSymbol symbol(const GaudiSession *session, uint32_t index) {
  const gaudi::Symbol &symbol = session->getSymbols()[index];
  return {symbol.name.c_str(), symbol.min, symbol.max, symbol.multiple};
}
static int32_t select(GaudiSession *session, const int64_t *sizes,
                      uint32_t count) {
  return guarded(session, [&] { return session->select({sizes, count}); });
}

static int32_t describe(GaudiSession *session, GaudiSourceSummary *summary) {
  return guarded(session, [&] {
    if (failed(session->describe()))
      return failure();
    const gaudi::shapes::Signature &signature = session->getSignature();
    *summary = {signature.compiler.c_str(), uint32_t(signature.inputs.size()),
                uint32_t(signature.outputs), uint32_t(signature.ops.size()),
                uint32_t(signature.constants.size())};
    return success();
  });
}
static GaudiSourceInput sourceInput(const GaudiSession *session,
                                    uint32_t index) {
  const auto &input = session->getSignature().inputs[index];
  return {input.name.c_str(), input.element.c_str(), input.attributes.c_str(),
          uint32_t(input.sizes.size()), input.sizes.data()};
}
static GaudiSourceOp sourceOp(const GaudiSession *session, uint32_t index) {
  const auto &op = session->getSignature().ops[index];
  return {op.name.c_str(), op.location.c_str(), uint32_t(op.fields.size())};
}
static GaudiSourceField sourceField(const GaudiSession *session, uint32_t op,
                                    uint32_t index) {
  const auto &field = session->getSignature().ops[op].fields[index];
  return {field.label.c_str(), field.text.c_str(), uint32_t(field.sizes.size()),
          field.sizes.data()};
}
static GaudiSourceConstant sourceConstant(const GaudiSession *session,
                                          uint32_t index) {
  const auto &constant = session->getSignature().constants[index];
  return {constant.name.c_str(),
          constant.location.c_str(),
          constant.element.c_str(),
          uint32_t(constant.sizes.size()),
          constant.sizes.data(),
          constant.hash,
          uint32_t(constant.values.size()),
          constant.values.data()};
}

static int32_t compile(GaudiSession *session, GaudiBytes *recipe) {
  return guarded(session, [&] { return session->compile(*recipe); });
}
static void releaseRecipe(GaudiSession *session) { session->releaseRecipe(); }

static const char *passes(const GaudiSession *session) {
  return session->getPasses().c_str();
}

static GaudiBucketPlan bucketPlan(const GaudiSession *session) {
  const gaudi::BucketReport &report = session->getBucketReport();
  return {report.costs.c_str(), uint32_t(report.points.size()),
          report.points.data(), report.curve.c_str()};
}
static GaudiCompileTimes compileTimes(const GaudiSession *session) {
  const gaudi::BucketReport &report = session->getBucketReport();
  return {report.plan,
          report.structure,
          report.derivation,
          report.emission,
          uint32_t(report.variants.size()),
          report.variants.data(),
          report.areDerived,
          report.threads};
}

static GaudiNumerics numerics(const GaudiSession *session) {
  const gaudi::NumericsSummary &summary = session->getNumerics();
  return {summary.compared, summary.passes, summary.whyNot.c_str()};
}

static int32_t evaluate(GaudiSession *session, const GaudiBytes *inputs,
                        uint32_t count, int32_t continues, uint32_t drawPairs) {
  return guarded(session, [&] {
    return session->evaluate({inputs, count}, continues != 0, drawPairs);
  });
}

static GaudiValues result(const GaudiSession *session, uint32_t index) {
  // A tensor without elements still says which kind it is.
  static const double noFloats = 0;
  static const int64_t noIntegers = 0;
  const gaudi::ReferenceTensor &tensor = session->getResults()[index];
  GaudiValues values = {};
  values.count = uint64_t(tensor.getCount());
  if (tensor.isFloat())
    values.floats = values.count ? tensor.floats().data() : &noFloats;
  else
    values.integers = values.count ? tensor.ints().data() : &noIntegers;
  return values;
}

static int32_t drawInputs(GaudiSession *session, const GaudiBytes *inputs,
                          const uint8_t *varies, uint32_t numInputs,
                          uint32_t seed, double work, uint32_t *count) {
  return guarded(session, [&] {
    if (failed(session->drawInputs({inputs, numInputs}, {varies, numInputs},
                                   seed, work)))
      return failure();
    *count = uint32_t(session->getDrawnInputs().size());
    return success();
  });
}
static GaudiSample drawnInputs(const GaudiSession *session, uint32_t sample) {
  const auto &drawn = session->getDrawnInputs()[sample];
  return {drawn.regime.c_str(), drawn.inputs.data()};
}

static GaudiNoise noise(GaudiSession *session, uint32_t index) {
  const gaudi::NoiseEstimate &found = session->estimateNoise(index);
  return {found.noise.data(), found.allowed.data(), found.seen.data(),
          found.reach.data(), found.squares,        found.strays,
          found.strayError};
}

static int32_t explainPrecision(GaudiSession *session, const GaudiBytes *inputs,
                                uint32_t count, const char *before,
                                const char *after, double work,
                                GaudiPrecision *report) {
  return guarded(session, [&] {
    return session->explainPrecision({inputs, count}, before, after, work,
                                     *report);
  });
}

static int32_t bisect(GaudiSession *session, const GaudiBisection *request,
                      const char **report) {
  return guarded(session, [&] { return session->bisect(*request, *report); });
}
static int32_t slice(GaudiSession *session, uint32_t depth, int32_t ofImport,
                     const uint8_t *removed, GaudiSlice *slice) {
  return guarded(session, [&] {
    return session->slice(depth, ofImport != 0, removed, *slice);
  });
}
static int32_t findNonFinite(GaudiSession *session, const GaudiBytes *inputs,
                             uint32_t numInputs, const char **report) {
  return guarded(session, [&] {
    return session->findNonFinite({inputs, numInputs}, *report);
  });
}

static int32_t findBatch(GaudiSession *session, const char *input,
                         GaudiBatch *batch) {
  return guarded(
      session, [&] { return session->findBatch(input ? input : "", *batch); });
}
static int32_t compileBatch(GaudiSession *session, int64_t size,
                            GaudiBytes *recipe) {
  return guarded(session, [&] { return session->compileBatch(size, *recipe); });
}

extern "C" const GaudiCompilerApi *gaudiCompilerApi(uint32_t version) {
  static const GaudiCompilerApi api = {
      GAUDI_COMPILER_API_VERSION,
      gaudi::torch::tableFingerprint(),
      create,
      destroy,
      error,
      parse,
      entryName,
      import,
      numInputs,
      numOutputs,
      input,
      output,
      numSymbols,
      symbol,
      select,
      describe,
      sourceInput,
      sourceOp,
      sourceField,
      sourceConstant,
      compile,
      releaseRecipe,
      passes,
      bucketPlan,
      compileTimes,
      numerics,
      evaluate,
      result,
      drawInputs,
      drawnInputs,
      noise,
      explainPrecision,
      bisect,
      slice,
      findNonFinite,
      findBatch,
      compileBatch,
  };
  return version == GAUDI_COMPILER_API_VERSION ? &api : nullptr;
}
