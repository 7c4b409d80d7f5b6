// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of the imported model by the reference.
#include "Gaudi/Compiler/Pipeline.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/Samples.h"
#include "Session.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Threading.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gaudi;

FailureOr<ReferenceTensor> Session::readInput(GaudiBytes bytes,
                                              const Parameter &parameter) {
  auto tensor = ReferenceTensor::fromBytes(
      parameter.type,
      {reinterpret_cast<const char *>(bytes.data), size_t(bytes.size)});
  if (failed(tensor))
    return fail("input '" + Twine(parameter.name) + "' has " +
                Twine(bytes.size) +
                " bytes, which is not the size of its type");
  return tensor;
}

/// Pairs of draws, and for functions of how much work there are many: then
/// draws tell of each element, not only of all elements together.
constexpr uint32_t fewPairs = 2, manyPairs = 8;
constexpr double smallWork = 1 << 22;

FailureOr<std::vector<ReferenceTensor>>
Session::readInputs(ArrayRef<GaudiBytes> given) {
  if (!imported)
    return fail("no model has been imported");
  if (given.size() != inputs.size())
    return fail("expected " + Twine(inputs.size()) + " inputs but got " +
                Twine(given.size()));
  std::vector<ReferenceTensor> values;
  for (auto [bytes, input] : llvm::zip_equal(given, inputs)) {
    FailureOr<ReferenceTensor> value = readInput(bytes, input);
    if (failed(value))
      return failure();
    values.push_back(std::move(*value));
  }
  return values;
}

/// The values of a variable before the first launch.
static FailureOr<ReferenceTensor> initialValue(func::FuncOp function,
                                               unsigned argument) {
  auto type = cast<RankedTensorType>(callersArgumentType(function, argument));
  auto initial =
      function.getArgAttrOfType<ElementsAttr>(argument, initialAttrName);
  if (!initial)
    return ReferenceTensor(type);
  return ReferenceTensor::fromAttribute(initial,
                                        [&] { return function.emitError(); });
}

/// The value of a map with one result for the sizes of the symbols.
static int64_t evaluateMap(AffineMap map, ArrayRef<int64_t> sizes) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> values;
  for (int64_t size : sizes)
    values.push_back(getAffineConstantExpr(size, context));
  AffineExpr value = simplifyAffineExpr(map.getResult(0).replaceSymbols(values),
                                        map.getNumDims(), 0);
  return cast<AffineConstantExpr>(value).getValue();
}

FailureOr<ReferenceTensor> Session::extentValue(func::FuncOp function,
                                                unsigned argument,
                                                AffineMapAttr extent) const {
  auto type = cast<RankedTensorType>(function.getArgumentTypes()[argument]);
  const auto value = int32_t(evaluateMap(extent.getValue(), selected));
  return ReferenceTensor::fromBytes(
      type, {reinterpret_cast<const char *>(&value), sizeof(value)});
}

FailureOr<SmallVector<ReferenceTensor>>
Session::argumentsOf(func::FuncOp function, Evaluation &evaluation) {
  SmallVector<ReferenceTensor> arguments;
  const auto numbers = parameterNumbers(function);
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (auto extent =
            function.getArgAttrOfType<AffineMapAttr>(i, extentAttrName)) {
      FailureOr<ReferenceTensor> value = extentValue(function, i, extent);
      if (failed(value))
        return failure();
      arguments.push_back(std::move(*value));
    } else if (StringAttr name = variableOf(function, i)) {
      auto known = evaluation.variables.find(name);
      if (known == evaluation.variables.end()) {
        FailureOr<ReferenceTensor> value = initialValue(function, i);
        if (failed(value))
          return failure();
        known = evaluation.variables.try_emplace(name, std::move(*value)).first;
      }
      arguments.push_back(known->second);
    } else {
      arguments.push_back(evaluation.parameters[*numbers[i]]);
    }
  }
  return arguments;
}

LogicalResult Session::launch(Evaluation &evaluation, func::FuncOp function) {
  auto arguments = argumentsOf(function, evaluation);
  if (failed(arguments))
    return failure();
  const auto numbers = parameterNumbers(function);
  const uint64_t total = function.getBody().front().getOperations().size();
  uint64_t done = 0;
  auto values = evaluateForCallers(
      function, *arguments,
      [&](Operation *, ArrayRef<ReferenceTensor>) {
        // Draws run in parallel.
        if (options.progress && !evaluation.noise)
          options.progress(options.context, ++done, total);
      },
      evaluation.noise ? &*evaluation.noise : nullptr);
  if (failed(values))
    return failure();
  // The next launch reads what this one wrote: states by name or by their
  // parameter.
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto result = stateResult(function, i)) {
      if (StringAttr name = variableOf(function, i))
        evaluation.variables[name] = (*values)[*result];
      else
        evaluation.parameters[*numbers[i]] = (*values)[*result];
    }
  // Results of a part go to those of the entry.
  for (auto [output, value] : llvm::zip_equal(outputNumbers(function), *values))
    if (output)
      evaluation.results[*output] = value;
  return success();
}

LogicalResult Session::runSteps(Evaluation &evaluation, ArrayAttr steps,
                                uint64_t &iterations) {
  for (Attribute step : steps) {
    if (auto part = dyn_cast<FlatSymbolRefAttr>(step)) {
      if (failed(launch(evaluation,
                        imported->lookupSymbol<func::FuncOp>(part.getAttr()))))
        return failure();
      continue;
    }
    auto loop = cast<ArrayAttr>(step);
    // A variable that no part has written yet is false.
    auto goesOn = [&, name = cast<StringAttr>(loop[0])] {
      auto condition = evaluation.variables.find(name);
      return condition != evaluation.variables.end() &&
             condition->second.ints().front() != 0;
    };
    while (goesOn()) {
      if (iterations++ == options.maxIterations)
        return fail("the loops of '" + Twine(entryName) +
                    "' have not ended after " + Twine(options.maxIterations) +
                    " iterations; give other inputs, or allow more: "
                    "--max-iterations=" +
                    Twine(options.maxIterations * 10));
      if (failed(runSteps(evaluation, cast<ArrayAttr>(loop[1]), iterations)))
        return failure();
    }
  }
  return success();
}

/// Whether the op computes in f32 what it was fused from rounded in between.
static bool leavesOutRoundings(Operation &op) {
  return isa<SdpaOp, SdpaGradOp, FusedAdamWOp, FusedSGDOp, FusedAdagradOp,
             FusedLambOp, FusedEmaOp, FusedClipNormOp>(op);
}

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

LogicalResult Session::markFreeRoundings() {
  // Once for each import: every sample of inputs has the same.
  if (isRewritten)
    return success();
  OwningOpRef<ModuleOp> fused = imported->clone();
  CompileOptions compile;
  compile.device = device;
  compile.symbolsKnown = true;
  compile.disableFusion = disabledFusions;
  compile.startAfter = "import";
  compile.stopAfter = "fuse";
  PassManager manager(&context);
  const llvm::SaveAndRestore silent(isSilent, true);
  std::string problem;
  const bool isFused = succeeded(buildCompilePipeline(manager, compile,
                                                      [&](const Twine &text) {
                                                        problem = text.str();
                                                        return failure();
                                                      })) &&
                       succeeded(manager.run(*fused));
  if (!isFused)
    return fail("cannot fuse the model to find its roundings" +
                (problem.empty() ? std::string() : ": " + problem));
  // What is left, and still read, is known by its kind and its location: one op
  // of a model may have become several.
  IRRewriter rewriter(&context);
  (void)runRegionDCE(rewriter, fused->getOperation()->getRegions());
  DenseSet<std::pair<Location, OperationName>> left;
  isRewritten = false;
  const auto free = UnitAttr::get(&context);
  fused->walk([&](Operation *op) {
    if (leavesOutRoundings(*op)) {
      isRewritten = true;
      op->setAttr(freeRoundingAttrName, free);
    } else {
      left.insert({op->getLoc(), op->getName()});
    }
  });
  if (!*isRewritten)
    return success();
  imported->walk([&](Operation *op) {
    if (llvm::any_of(op->getResultTypes(), isFloat) &&
        !left.contains({op->getLoc(), op->getName()}))
      op->setAttr(freeRoundingAttrName, free);
  });
  rewritten = std::move(fused);
  return success();
}

void Session::drawRewritten(ArrayRef<ReferenceTensor> values) {
  auto function = rewritten->lookupSymbol<func::FuncOp>(evaluatedName);
  auto model = imported->lookupSymbol<func::FuncOp>(evaluatedName);
  if (!function || function.getFunctionType() != model.getFunctionType())
    return;
  const QuietDiagnostics silent(&context);
  if (failed(evaluate(rewrittenResults, function, values, false)))
    return;
  for (const Evaluation &draw : draws)
    rewrittenDraws.emplace_back().noise = draw.noise;
  for (const Evaluation &draw : draws)
    rewrittenDraws.emplace_back().noise = draw.noise->ofADevice();
  parallelForEach(&context, rewrittenDraws, [&](Evaluation &draw) {
    const QuietDiagnostics silent(&context);
    draw.hasFailed = failed(evaluate(draw, function, values, false));
  });
}

LogicalResult Session::evaluate(Evaluation &evaluation, func::FuncOp function,
                                ArrayRef<ReferenceTensor> given,
                                bool continues) {
  const SmallVector<unsigned> arguments = visibleArguments(function);
  evaluation.parameters.resize(given.size());
  for (auto [i, value] : llvm::enumerate(given))
    if (!continues || !isState(function, arguments[i]))
      evaluation.parameters[i] = value;
  if (!continues)
    evaluation.variables.clear();
  evaluation.results.assign(outputs.size(), {});
  uint64_t iterations = 0;
  ArrayAttr program = programOf(function);
  return program ? runSteps(evaluation, program, iterations)
                 : launch(evaluation, function);
}

LogicalResult Session::evaluate(ArrayRef<GaudiBytes> given, bool continues,
                                uint32_t drawPairs) {
  auto values = readInputs(given);
  if (failed(values))
    return failure();
  auto function = imported->lookupSymbol<func::FuncOp>(evaluatedName);
  errorCount = 0;
  // The reference first: without it draws have nothing to be compared with.
  if (failed(evaluate(reference, function, *values, continues)))
    return error.empty()
               ? fail("the reference evaluator failed" + errorCountText())
               : failure();
  const bool decides = drawPairs == GAUDI_MORE_DRAWS_BY_WORK;
  // Draws belong to a sequence of launches: they begin with it and continue
  // beside the reference.
  if (!continues) {
    if (drawPairs == GAUDI_DRAWS_BY_WORK ||
        drawPairs == GAUDI_MORE_DRAWS_BY_WORK)
      drawPairs =
          (drawPairs == GAUDI_MORE_DRAWS_BY_WORK ? 4 : 1) *
          (!programOf(function) && workOf(function) < smallWork ? manyPairs
                                                                : fewPairs);
    draws.clear();
    if (drawPairs && failed(markFreeRoundings()))
      return failure();
    // Pairs of opposite noise, see NoiseEstimate.
    for (uint32_t i = 0; i < 2 * drawPairs; ++i)
      draws.emplace_back().noise.emplace(i / 2 + 1, i % 2 != 0);
  }
  // An error may change what a loop or an index depends on, so that a draw has
  // no results although the reference has.
  const auto evaluateDraw = [&](Evaluation &draw) {
    const QuietDiagnostics silent(&context);
    draw.hasFailed =
        draw.hasFailed || failed(evaluate(draw, function, *values, continues));
  };
  // Failures of loops are kept in the session.
  if (programOf(function))
    llvm::for_each(draws, evaluateDraw);
  else
    parallelForEach(&context, draws, evaluateDraw);
  // What is fused may compute a sum of other terms: the gradient of an
  // attention has dO * O in the place of P * dP.
  rewrittenDraws.clear();
  if (decides && rewritten && !continues && !programOf(function))
    drawRewritten(*values);
  error.clear();
  return success();
}

/// `results` of the model, with the error of a draw of the rewritten one.
static ReferenceTensor withErrorOf(const ReferenceTensor &draw,
                                   const ReferenceTensor &rewritten,
                                   ReferenceTensor results) {
  auto move = [](auto &value, auto from, auto to) {
    if (gaudi::distance(from, to) == 0)
      return;
    value += to - from;
  };
  if (results.isFloat())
    for (auto [value, from, to] : llvm::zip_equal(
             results.mutableFloats(), rewritten.floats(), draw.floats()))
      move(value, from, to);
  else
    for (auto [value, from, to] :
         llvm::zip_equal(results.mutableInts(), rewritten.ints(), draw.ints()))
      move(value, from, to);
  return results;
}

const NoiseEstimate &Session::estimateNoise(unsigned result) {
  std::vector<ReferenceTensor> found;
  for (const Evaluation &draw : draws)
    if (!draw.hasFailed)
      found.push_back(draw.results[result]);
  const ReferenceTensor &results = reference.results[result];
  noise = NoiseEstimate::of(results, found, isRewritten.value_or(false));
  for (const bool isOfADevice : {false, true}) {
    found.clear();
    for (const Evaluation &draw : rewrittenDraws)
      if (!draw.hasFailed && draw.noise->isOfADevice() == isOfADevice)
        found.push_back(withErrorOf(draw.results[result],
                                    rewrittenResults.results[result], results));
    if (!found.empty())
      noise.widen(NoiseEstimate::of(results, found, true));
  }
  return noise;
}
