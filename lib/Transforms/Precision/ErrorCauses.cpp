// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates a function with roundings around its units, and finds which of them
// cause the error of its results.
//
// Two numbers are measured of each unit because either alone may hide it: an op
// that is switched back gains nothing where its reader rounds the same value
// again, and one that is alone in the new types has no neighbours that make its
// error larger.
#include "Gaudi/Transforms/ErrorCauses.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Reference/Evaluator.h"
#include "NarrowValues.h"

#include <cmath>
#include <limits>
#include <queue>

using namespace mlir;
using namespace gaudi;

namespace {
/// Elements of constants that are kept from one evaluation to the next.
constexpr int64_t maxKeptConstants = int64_t(1) << 26;
/// What stands for the error of an element that is not finite any more,
/// relative to the largest one that was: for ranking alone, nobody is shown it.
constexpr double notFiniteError = 1e6;

using Values = llvm::DenseMap<Value, ReferenceTensor>;
using TypesOfUnits = SmallVector<const AutocastTypes *>;

ReferenceTensor rounded(ReferenceTensor tensor, FloatType type) {
  if (!type || !tensor.isFloat() || tensor.getElementType() == type)
    return tensor;
  for (double &value : tensor.mutableFloats())
    value = roundTo(type, value);
  return tensor;
}

/// What a product reads of a tensor in 8 bits, divided by the scale again: the
/// scale is a power of two, which changes no digit of the product.
ReferenceTensor rounded(ReferenceTensor tensor,
                        const AutocastScaling &scaling) {
  double amax = 0;
  for (double value : tensor.floats())
    amax = largerOf(amax, value);
  const double scale = scaling.scaleFor(amax), most = scaling.largest;
  for (double &value : tensor.mutableFloats())
    value = roundTo(scaling.type, std::fabs(value * scale) > most
                                      ? std::copysign(most, value)
                                      : value * scale) /
            scale;
  return tensor;
}

bool areEqual(const ReferenceTensor &a, const ReferenceTensor &b) {
  if (!a.isFloat())
    return a.ints() == b.ints();
  auto bits = [](const ReferenceTensor &tensor) {
    return ArrayRef(reinterpret_cast<const char *>(tensor.floats().data()),
                    tensor.floats().size() * sizeof(double));
  };
  return bits(a) == bits(b);
}

class Trials {
public:
  Trials(func::FuncOp function, ArrayRef<ReferenceTensor> arguments,
         ArrayRef<AutocastUnit> units)
      : function(function), arguments(arguments), units(units) {
    for (auto [number, unit] : llvm::enumerate(units))
      for (Operation *op : unit.ops)
        unitOf[op] = number;
    for (Operation &op : block()) {
      auto cost = dyn_cast<CostOpInterface>(op);
      int64_t elements = 0;
      for (Value result : op.getResults())
        elements += cast<RankedTensorType>(result.getType()).getNumElements();
      workOf[&op] =
          double(elements) + (cost ? double(cost.getArithmeticOps()) : 0.0);
    }
  }

  /// All values of the function, before what reads them rounds them.
  FailureOr<Values> evaluateAll(const TypesOfUnits &types) {
    Values values;
    for (auto [argument, tensor] :
         llvm::zip_equal(function.getArguments(), arguments))
      values[argument] = tensor;
    for (Operation &op : block().without_terminator()) {
      if (isa<ConstantOp>(op))
        continue;
      auto results = evaluate(
          op, types, [&](Value value) { return values.lookup(value); });
      if (failed(results))
        return failure();
      for (auto [value, tensor] : llvm::zip_equal(op.getResults(), *results))
        values[value] = std::move(tensor);
    }
    ++evaluations;
    return values;
  }

  /// The results of a function with those values.
  FailureOr<SmallVector<ReferenceTensor>>
  resultsOf(const TypesOfUnits &types,
            llvm::function_ref<ReferenceTensor(Value)> valueOf) {
    return operandsOf(*block().getTerminator(), types, valueOf);
  }

  /// The results of `types` where values differ from `base` only by what the
  /// units in `switched` do otherwise.
  FailureOr<SmallVector<ReferenceTensor>>
  resultsFrom(const Values &base, const TypesOfUnits &types,
              const llvm::SmallDenseSet<size_t> &switched) {
    Values changed;
    auto valueOf = [&](Value value) {
      auto found = changed.find(value);
      return found != changed.end() ? found->second : base.lookup(value);
    };
    auto isSwitched = [&](Operation *op) {
      auto found = op ? unitOf.find(op) : unitOf.end();
      return found != unitOf.end() && switched.contains(found->second);
    };
    for (Operation &op : block().without_terminator()) {
      if (isa<ConstantOp>(op) ||
          (!isSwitched(&op) && llvm::none_of(op.getOperands(), [&](Value read) {
            return changed.contains(read) || isSwitched(read.getDefiningOp());
          })))
        continue;
      auto results = evaluate(op, types, valueOf);
      if (failed(results))
        return failure();
      for (auto [value, tensor] : llvm::zip_equal(op.getResults(), *results))
        if (!areEqual(tensor, base.find(value)->second))
          changed[value] = std::move(tensor);
    }
    ++evaluations;
    return resultsOf(types, valueOf);
  }

  double work = 0; ///< that has been done
  uint64_t evaluations = 0;

private:
  Block &block() { return function.getBody().front(); }

  FailureOr<SmallVector<ReferenceTensor>>
  operandsOf(Operation &op, const TypesOfUnits &types,
             llvm::function_ref<ReferenceTensor(Value)> valueOf) {
    auto own = unitOf.find(&op);
    SmallVector<ReferenceTensor> operands;
    for (Value operand : op.getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (auto constant = dyn_cast_or_null<ConstantOp>(source)) {
        auto tensor = constantOf(constant);
        if (failed(tensor))
          return failure();
        operands.push_back(std::move(*tensor));
      } else {
        operands.push_back(valueOf(operand));
      }
      auto other = source ? unitOf.find(source) : unitOf.end();
      if (own != unitOf.end() && other != unitOf.end() &&
          own->second == other->second)
        continue;
      ReferenceTensor &tensor = operands.back();
      if (other != unitOf.end() && isF32(operand))
        tensor =
            rounded(std::move(tensor), types[other->second]->givenAs(operand));
      if (own == unitOf.end() ||
          !llvm::is_contained(units[own->second].reads, operand))
        continue;
      const AutocastTypes &type = *types[own->second];
      tensor = type.isScaled(operand)
                   ? rounded(std::move(tensor), type.scaling)
                   : rounded(std::move(tensor), type.readAs(operand));
    }
    return operands;
  }

  FailureOr<SmallVector<ReferenceTensor>>
  evaluate(Operation &op, const TypesOfUnits &types,
           llvm::function_ref<ReferenceTensor(Value)> valueOf) {
    auto model = dyn_cast<ReferenceEvalOpInterface>(op);
    if (!model)
      return op.emitError() << "'" << op.getName()
                            << "' cannot be evaluated: its error is not known";
    auto operands = operandsOf(op, types, valueOf);
    if (failed(operands))
      return failure();
    work += workOf.lookup(&op);
    SmallVector<ReferenceTensor> results;
    if (failed(model.evaluate(*operands, nullptr, results)))
      return failure();
    return results;
  }

  FailureOr<ReferenceTensor> constantOf(ConstantOp constant) {
    auto known = constants.find(constant);
    if (known != constants.end())
      return known->second;
    auto tensor = ReferenceTensor::fromAttribute(
        constant.getValue(), [&] { return constant.emitError(); });
    if (succeeded(tensor) &&
        keptElements + tensor->getCount() <= maxKeptConstants) {
      keptElements += tensor->getCount();
      constants[constant] = *tensor;
    }
    return tensor;
  }

  func::FuncOp function;
  ArrayRef<ReferenceTensor> arguments;
  ArrayRef<AutocastUnit> units;
  llvm::DenseMap<Operation *, size_t> unitOf;
  llvm::DenseMap<Operation *, double> workOf;
  llvm::DenseMap<Operation *, ReferenceTensor> constants;
  int64_t keptElements = 0;
};

/// Errors of all results.
struct Errors {
  std::vector<ResultError> results;
  double ranked = 0; ///< what ranges of units are compared by, always finite
  bool isFinite = true;

  double shown() const {
    return isFinite ? ranked : std::numeric_limits<double>::infinity();
  }
};

/// The error of one result, and its square for ranking.
std::pair<ResultError, double> errorOf(const ReferenceTensor &got,
                                       const ReferenceTensor &was) {
  ResultError error;
  double squares = 0, norm = 0, largest = 0;
  for (double value : was.floats()) {
    if (!std::isfinite(value)) {
      ++error.notFiniteBefore;
      continue;
    }
    norm += value * value;
    largest = std::max(largest, std::fabs(value));
  }
  for (auto [value, old] : llvm::zip_equal(got.floats(), was.floats())) {
    if (!std::isfinite(old))
      continue;
    double difference = std::max(largest, 1.0) * notFiniteError;
    if (std::isfinite(value)) {
      difference = std::fabs(value - old);
      error.largest = std::max(error.largest, difference);
    } else {
      ++error.notFinite;
    }
    squares += difference * difference;
  }
  error.norm = std::sqrt(norm);
  const double square = squares / (norm > 0 ? norm : 1.0);
  error.error = error.notFinite ? std::numeric_limits<double>::infinity()
                                : std::sqrt(square);
  return {error, square};
}

Errors errorsOf(ArrayRef<ReferenceTensor> got, ArrayRef<ReferenceTensor> was) {
  Errors errors;
  double squares = 0;
  int64_t floats = 0;
  for (auto [one, other] : llvm::zip_equal(got, was)) {
    ResultError &result = errors.results.emplace_back();
    if (!other.isFloat())
      continue;
    double square = 0;
    std::tie(result, square) = errorOf(one, other);
    errors.isFinite &= result.notFinite == 0;
    squares += square;
    ++floats;
  }
  errors.ranked = floats ? std::sqrt(squares / double(floats)) : 0;
  return errors;
}

TypesOfUnits pointersTo(ArrayRef<AutocastTypes> types) {
  TypesOfUnits result;
  for (const AutocastTypes &type : types)
    result.push_back(&type);
  return result;
}

/// Units that are switched together.
struct Range {
  SmallVector<size_t> units;
  double alone = 0, back = 0; ///< infinite if a result is
  double square = 0;          ///< finite
  bool operator<(const Range &other) const { return square < other.square; }
};

class Search {
public:
  Search(Trials &trials, ArrayRef<AutocastTypes> before,
         ArrayRef<AutocastTypes> after)
      : trials(trials), before(pointersTo(before)), after(pointersTo(after)) {}

  LogicalResult run(double most, ErrorCauses &found) {
    if (failed(evaluateBoth(found)))
      return failure();
    Range all;
    for (size_t i = 0; i < before.size(); ++i)
      if (!before[i]->computesAs(*after[i]))
        all.units.push_back(i);
    if (all.units.empty() || found.error == 0)
      return success();
    all.square = error * error;
    all.alone = found.error;
    // The range that causes most is halved first; ranges of one unit are done.
    std::priority_queue<Range> open;
    std::vector<Range> done;
    open.push(all);
    double dearest = 0;
    while (!open.empty()) {
      Range range = open.top();
      open.pop();
      if (range.units.size() == 1 || trials.work + 4 * dearest > most) {
        done.push_back(std::move(range));
        continue;
      }
      const size_t middle = range.units.size() / 2;
      for (bool isFirst : {true, false}) {
        Range half;
        half.units.assign(
            isFirst ? range.units.begin() : range.units.begin() + middle,
            isFirst ? range.units.begin() + middle : range.units.end());
        const double start = trials.work;
        if (failed(measure(half)))
          return failure();
        dearest = std::max(dearest, (trials.work - start) / 2);
        open.push(std::move(half));
      }
    }
    double total = 0;
    for (const Range &range : done)
      total += range.square;
    for (auto [number, range] : llvm::enumerate(done))
      for (size_t unit : range.units)
        found.causes[unit] = {
            range.alone, range.back,
            total > 0 ? range.square / total / double(range.units.size()) : 0,
            uint32_t(number + 1)};
    return success();
  }

private:
  LogicalResult evaluateBoth(ErrorCauses &found) {
    for (auto [types, values, results] :
         {std::tuple(&before, &valuesBefore, &resultsBefore),
          std::tuple(&after, &valuesAfter, &resultsAfter)}) {
      auto all = trials.evaluateAll(*types);
      if (failed(all))
        return failure();
      *values = std::move(*all);
      auto last = trials.resultsOf(*types, [values = values](Value value) {
        return values->lookup(value);
      });
      if (failed(last))
        return failure();
      *results = std::move(*last);
    }
    found.causes.resize(before.size());
    Errors errors = errorsOf(resultsAfter, resultsBefore);
    found.results = std::move(errors.results);
    found.error = errors.shown();
    error = errors.ranked;
    return success();
  }

  LogicalResult measure(Range &range) {
    const llvm::SmallDenseSet<size_t> switched(range.units.begin(),
                                               range.units.end());
    auto switchedIn = [&](TypesOfUnits types, const TypesOfUnits &other) {
      for (size_t unit : range.units)
        types[unit] = other[unit];
      return types;
    };
    auto alone =
        trials.resultsFrom(valuesBefore, switchedIn(before, after), switched);
    if (failed(alone))
      return failure();
    auto back =
        trials.resultsFrom(valuesAfter, switchedIn(after, before), switched);
    if (failed(back))
      return failure();
    const Errors ofAlone = errorsOf(*alone, resultsBefore);
    const Errors ofBack = errorsOf(*back, resultsBefore);
    range.alone = ofAlone.shown();
    range.back = ofBack.shown();
    const double gained = error * error - ofBack.ranked * ofBack.ranked;
    range.square =
        (ofAlone.ranked * ofAlone.ranked + std::max(gained, 0.0)) / 2;
    return success();
  }

  Trials &trials;
  const TypesOfUnits before, after;
  Values valuesBefore, valuesAfter;
  SmallVector<ReferenceTensor> resultsBefore, resultsAfter;
  double error = 0; ///< of all units, finite
};
} // namespace

FailureOr<ErrorCauses> gaudi::findErrorCauses(
    func::FuncOp function, ArrayRef<ReferenceTensor> arguments,
    ArrayRef<AutocastUnit> units, ArrayRef<AutocastTypes> before,
    ArrayRef<AutocastTypes> after, double work) {
  Trials trials(function, arguments, units);
  ErrorCauses found;
  if (failed(Search(trials, before, after).run(work, found)))
    return failure();
  found.evaluations = trials.evaluations;
  return found;
}

FailureOr<SmallVector<ReferenceTensor>> gaudi::evaluateInTypes(
    func::FuncOp function, ArrayRef<ReferenceTensor> arguments,
    ArrayRef<AutocastUnit> units, ArrayRef<AutocastTypes> types) {
  Trials trials(function, arguments, units);
  const TypesOfUnits pointers = pointersTo(types);
  auto values = trials.evaluateAll(pointers);
  if (failed(values))
    return failure();
  return trials.resultsOf(pointers,
                          [&](Value value) { return values->lookup(value); });
}
