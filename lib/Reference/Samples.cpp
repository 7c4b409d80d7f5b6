// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws samples of every regime and searches for those that take all branches.
#include "Gaudi/Reference/Samples.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Reference/Branches.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gaudi;

double gaudi::workOf(func::FuncOp function) {
  double work = 0;
  for (Operation &op : function.getBody().front())
    if (auto cost = dyn_cast<CostOpInterface>(op))
      work += double(cost.getArithmeticOps());
  return work;
}

static FailureOr<SmallVector<ReferenceTensor>>
evaluateQuietly(func::FuncOp function, ArrayRef<ReferenceTensor> inputs,
                std::string &why, EvaluationObserver observer) {
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          why = diagnostic.str();
        return success();
      });
  return evaluateForCallers(function, inputs, observer);
}

FailureOr<SmallVector<ReferenceTensor>>
gaudi::evaluateQuietly(func::FuncOp function, ArrayRef<ReferenceTensor> inputs,
                       std::string &why) {
  return ::evaluateQuietly(function, inputs, why, nullptr);
}

/// True for a single integer from which a float is computed, and for a single
/// float that is an exponent: a step that is counted. Optimizers assume that it
/// is not negative (docs/fusion.md).
static bool isCounter(BlockArgument argument) {
  auto isSingle = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getNumElements() == 1;
  };
  if (!isSingle(argument.getType()))
    return false;
  const bool isInteger = getElementTypeOrSelf(argument).isInteger();
  // Forwards through values of one element.
  DenseSet<Operation *> seen;
  SmallVector<Value> pending = {argument};
  while (!pending.empty()) {
    const Value value = pending.pop_back_val();
    for (Operation *user : value.getUsers()) {
      // A power with the value as exponent counts steps.
      auto power = dyn_cast<PowOp>(user);
      if (power && power.getRhs() == value)
        return true;
      if (!seen.insert(user).second)
        continue;
      for (Value result : user->getResults()) {
        if (!isSingle(result.getType()))
          continue;
        if (isInteger && isa<FloatType>(getElementTypeOrSelf(result)))
          return true;
        pending.push_back(result);
      }
    }
  }
  return false;
}

namespace {
/// Searches for inputs of one function.
class Drawing {
public:
  Drawing(func::FuncOp function, ArrayRef<Regime> regimes,
          ArrayRef<ReferenceTensor> seeded, const BitVector &varies,
          uint32_t seed, double budget)
      : function(function), regimes(regimes), seeded(seeded), varies(varies),
        seed(seed), coverage(function),
        left(int64_t(std::min(maxEvaluations,
                              budget / std::max(workOf(function), 1.0)))) {
    for (BlockArgument argument : function.getArguments())
      if (isCounter(argument))
        counters.push_back(argument.getArgNumber());
  }

  FailureOr<Samples> draw(unsigned rounds, std::string &why) {
    if (!take(Regime::Seeded, seeded, /*isKept=*/true)) {
      why = error;
      return failure();
    }
    drawRegimes(seed, Integers::Indices);
    direct();
    for (unsigned round = 1; round < rounds; ++round)
      drawRegimes(seed + round,
                  round % 2 ? Integers::Small : Integers::Indices);
    found.branches = coverage.count();
    found.missed = coverage.missed();
    return std::move(found);
  }

private:
  using Inputs = SmallVector<ReferenceTensor>;
  static constexpr double maxEvaluations = 160;
  static constexpr size_t maxDirected = 12;

  void drawRegimes(uint32_t from, Integers integers) {
    for (Regime regime : regimes) {
      if (regime == Regime::Seeded)
        continue;
      auto attempt = [&](Integers range) {
        Inputs inputs = regimeInputs(regime, seeded, from, range);
        for (unsigned counter : counters) {
          ReferenceTensor &x = inputs[counter];
          if (x.isFloat())
            x.mutableFloats()[0] = std::fabs(x.mutableFloats()[0]);
          else
            x.mutableInts()[0] = std::abs(x.mutableInts()[0]);
        }
        return left > 0 && take(regime, std::move(inputs), /*isKept=*/true);
      };
      // An index that is outside has no value in some ops.
      if (!attempt(integers) && integers == Integers::Small)
        attempt(Integers::Indices);
    }
  }

  /// Evaluates the inputs. They become a sample if they are to be kept or take
  /// a branch that none took before.
  bool take(Regime regime, Inputs inputs, bool isKept) {
    --left;
    for (unsigned i = 0; i < inputs.size(); ++i)
      if (!varies[i])
        inputs[i] = seeded[i];
    const unsigned before = coverage.countMissed();
    coverage.start(inputs);
    auto results = ::evaluateQuietly(
        function, inputs, error,
        [&](Operation *op, MutableArrayRef<ReferenceTensor> values) {
          coverage.observe(op, values);
        });
    if (failed(results))
      return false;
    if (isKept || coverage.countMissed() < before)
      found.samples.push_back({regime, std::move(inputs), std::move(*results)});
    return true;
  }

  bool isDone() const {
    return left <= 0 || coverage.countMissed() == 0 ||
           found.samples.size() >= regimes.size() + maxDirected;
  }

  /// Tries inputs until every branch is taken: whole regimes of scale and
  /// sign, the constants that ops compare with, then steps of one argument.
  void direct() {
    // Each attempt costs an evaluation: none once all branches are taken.
    auto attempt = [&](Inputs inputs) {
      if (!isDone())
        take(Regime::Directed, std::move(inputs), /*isKept=*/false);
    };
    for (double factor : {1e2, 1e4, 1e-3, 1e8, 1e-6, -1.0})
      attempt(changed(seeded, [&](const ReferenceTensor &x, size_t) {
        return scaled(x, factor);
      }));
    for (double threshold : coverage.thresholds()) {
      // All elements near the constant, on both sides of it and on it.
      const double magnitude = threshold == 0 ? 1 : std::fabs(threshold);
      attempt(changed(seeded, [&](const ReferenceTensor &x, size_t) {
        ReferenceTensor near = x;
        if (x.isFloat())
          for (auto [i, value] : llvm::enumerate(near.mutableFloats()))
            value =
                roundTo(x.getElementType(),
                        i % 3 == 0 ? threshold : threshold + magnitude * value);
        return near;
      }));
      for (double sign : {1.0, -1.0})
        attempt(changed(seeded, [&](const ReferenceTensor &x, size_t) {
          return scaled(x, sign * 4 * magnitude);
        }));
    }
    // All of one sign.
    for (double sign : {1.0, -1.0})
      attempt(changed(seeded, [&](const ReferenceTensor &x, size_t) {
        ReferenceTensor same = x;
        if (x.isFloat())
          for (double &value : same.mutableFloats())
            value = sign * std::fabs(value);
        return same;
      }));
    // One argument against the others, whose sizes decide comparisons between
    // them.
    for (size_t argument = 0; argument < seeded.size(); ++argument)
      for (double factor : {1e3, -1e3, 1e-3, 1e6, 0.0})
        attempt(changed(seeded, [&](const ReferenceTensor &x, size_t number) {
          return number == argument ? scaled(x, factor) : x;
        }));
    climb(seeded);
  }

  /// Steps of one argument at a time towards the first branch that is left.
  void climb(Inputs at) {
    // Greedy: of all steps, the one that comes nearest to the branch is taken.
    double best = -std::numeric_limits<double>::infinity();
    for (bool moved = true; moved && !isDone();) {
      moved = false;
      Inputs next;
      for (size_t argument = 0; argument < at.size() && !isDone(); ++argument)
        for (double factor : {16.0, -1.0, 1.0 / 16}) {
          if (isDone())
            break;
          Inputs inputs =
              changed(at, [&](const ReferenceTensor &x, size_t number) {
                return number == argument ? scaled(x, factor) : x;
              });
          const unsigned before = coverage.countMissed();
          if (!take(Regime::Directed, inputs, /*isKept=*/false))
            continue;
          // Another branch was taken: from there towards the next one.
          if (coverage.countMissed() < before)
            return climb(found.samples.back().inputs);
          const double distance = coverage.distanceToMissed();
          if (distance > best) {
            best = distance;
            next = inputs;
            moved = true;
          }
        }
      if (moved)
        at = std::move(next);
    }
  }

  template <typename F>
  static Inputs changed(ArrayRef<ReferenceTensor> inputs, F f) {
    Inputs result;
    for (auto [number, x] : llvm::enumerate(inputs))
      result.push_back(f(x, number));
    return result;
  }

  func::FuncOp function;
  ArrayRef<Regime> regimes;
  Inputs seeded;
  BitVector varies;
  SmallVector<unsigned> counters; // arguments
  uint32_t seed;
  BranchCoverage coverage;
  int64_t left; // evaluations
  std::string error;
  Samples found;
};
} // namespace

FailureOr<Samples> gaudi::drawSamples(func::FuncOp function, uint32_t seed,
                                      double budget, std::string &why) {
  const SmallVector<ReferenceTensor> seeded =
      seededInputs(callersType(function).getInputs(), seed);
  return drawSamples(function, drawnRegimes(), seeded,
                     BitVector(seeded.size(), true), seed,
                     /*rounds=*/1, budget, why);
}

FailureOr<Samples> gaudi::drawSamples(func::FuncOp function,
                                      ArrayRef<Regime> regimes,
                                      ArrayRef<ReferenceTensor> seeded,
                                      const BitVector &varies, uint32_t seed,
                                      unsigned rounds, double budget,
                                      std::string &why) {
  return Drawing(function, regimes, seeded, varies, seed, budget)
      .draw(rounds, why);
}
