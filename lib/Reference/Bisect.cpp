// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two forms of a computation, op by op.
#include "Gaudi/Reference/Bisect.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/Evaluator.h"
#include "ValueFile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/DebugStringHelper.h"
#include <map>
#include <numeric>

using namespace mlir;
using namespace gaudi;

/// Differences whose expected values are kept, for trials.
static constexpr size_t mostKept = 16;
/// Elements of a result whose noise takes long to estimate.
static constexpr int64_t muchToJudge = 1 << 14;
/// Longest text of an attribute in a report.
static constexpr size_t longestText = 60;

std::string gaudi::opName(Operation &op) {
  if (auto kernel = dyn_cast<KernelOp>(op))
    if (auto label = kernel.getLabel(); label && !label->empty())
      return label->str();
  StringRef name = op.getName().getStringRef();
  name.consume_front("gaudi.");
  return name.str();
}

std::vector<TracedOp> gaudi::opsOf(func::FuncOp function) {
  std::vector<TracedOp> ops;
  DenseMap<Value, unsigned> makers;
  for (Operation &op : function.getBody().front().without_terminator()) {
    TracedOp traced;
    traced.name = opName(op);
    traced.location = locationText(op.getLoc());
    traced.op = &op;
    for (Value operand : op.getOperands())
      if (auto maker = makers.find(operand); maker != makers.end())
        traced.producers.push_back(maker->second);
    for (Value result : op.getResults()) {
      makers[result] = unsigned(ops.size());
      traced.results.push_back(cast<RankedTensorType>(result.getType()));
    }
    ops.push_back(std::move(traced));
  }
  return ops;
}

FailureOr<Trace>
gaudi::traceFunction(func::FuncOp function, ArrayRef<ReferenceTensor> inputs,
                     SmallVectorImpl<ReferenceTensor> &results) {
  Trace trace;
  trace.ops = opsOf(function);
  auto file = std::make_shared<reference::ValueFile>();
  DenseMap<Operation *, size_t> first; // of its results in the file
  auto given = evaluateForCallers(
      function, inputs, [&](Operation *op, ArrayRef<ReferenceTensor> values) {
        if (!file->isComplete() || first.contains(op))
          return;
        for (const ReferenceTensor &value : values) {
          const size_t number = file->add(value);
          first.try_emplace(op, number);
        }
      });
  if (failed(given))
    return failure();
  if (!file->isComplete())
    return reference::ValueFile::reportIncomplete(function);
  results.assign(given->begin(), given->end());
  std::vector<std::optional<size_t>> places;
  for (const TracedOp &traced : trace.ops) {
    auto found = first.find(traced.op);
    places.push_back(found == first.end() ? std::nullopt
                                          : std::optional(found->second));
  }
  // Constants that nothing reads are not evaluated.
  trace.value = [file, places = std::move(places), ops = trace.ops](
                    size_t op, size_t result) -> FailureOr<ReferenceTensor> {
    if (places[op])
      return file->read(*places[op] + result);
    return failure();
  };
  return trace;
}

namespace {
/// "tpc" of "tpc.add".
StringRef engineOf(StringRef name) { return name.split('.').first; }

/// How equal two ops are; 0: they cannot be the same.
unsigned scoreOf(const TracedOp &op, const TracedOp &trusted, bool isStrict) {
  if (op.results != trusted.results)
    return 0;
  auto constant = dyn_cast_or_null<ConstantOp>(op.op);
  auto other = dyn_cast_or_null<ConstantOp>(trusted.op);
  if (bool(constant) != bool(other))
    return 0;
  if (constant)
    return constant.getValue() == other.getValue() ? 6 : 1;
  const bool sameName = op.name == trusted.name;
  const bool sameLocation =
      !op.location.empty() && op.location == trusted.location;
  // What has no command, and what runs on another engine.
  if (isStrict && !sameName && !sameLocation &&
      (isa<ViewOpInterface>(trusted.op) ||
       engineOf(op.name) != engineOf(trusted.name)))
    return 0;
  return 1 + (sameName ? 4 : 0) + (sameLocation ? 3 : 0);
}

bool isSame(const TracedOp &op, const TracedOp &trusted) {
  return scoreOf(op, trusted, true) >= 5;
}
} // namespace

Alignment gaudi::align(ArrayRef<TracedOp> ops, ArrayRef<TracedOp> trusted,
                       bool isStrict) {
  Alignment result;
  result.partners.assign(ops.size(), -1);
  size_t head = 0, tail = 0;
  const size_t shorter = std::min(ops.size(), trusted.size());
  while (head < shorter && isSame(ops[head], trusted[head]))
    ++head;
  while (tail < shorter - head &&
         isSame(ops[ops.size() - 1 - tail], trusted[trusted.size() - 1 - tail]))
    ++tail;
  const auto pair = [&](size_t i, size_t j) {
    result.partners[i] = int(j);
    result.score += scoreOf(ops[i], trusted[j], isStrict);
  };
  for (size_t k = 0; k < head; ++k)
    pair(k, k);
  for (size_t k = 1; k <= tail; ++k)
    pair(ops.size() - k, trusted.size() - k);
  const size_t rows = ops.size() - head - tail,
               columns = trusted.size() - head - tail;
  // The best score of what follows, and the first step to it.
  enum : uint8_t { SkipOp, SkipTrusted, Pair };
  std::vector<uint64_t> below(columns + 1), here(columns + 1);
  std::vector<uint8_t> steps(rows * columns);
  for (size_t i = rows; i-- > 0;) {
    here[columns] = 0;
    for (size_t j = columns; j-- > 0;) {
      uint64_t best = below[j];
      uint8_t step = SkipOp;
      if (here[j + 1] > best) {
        best = here[j + 1];
        step = SkipTrusted;
      }
      const unsigned score =
          scoreOf(ops[head + i], trusted[head + j], isStrict);
      if (score && below[j + 1] + score > best) {
        best = below[j + 1] + score;
        step = Pair;
      }
      here[j] = best;
      steps[i * columns + j] = step;
    }
    std::swap(below, here);
  }
  for (size_t i = 0, j = 0; i < rows && j < columns;) {
    const uint8_t step = steps[i * columns + j];
    if (step == Pair)
      pair(head + i, head + j);
    i += step != SkipTrusted;
    j += step != SkipOp;
  }
  return result;
}

namespace {
/// Compares what the function's ops give with the values of a trace.
class Comparer {
public:
  Comparer(const Trace &trace, func::FuncOp function, bool isRewritten,
           Alignment alignment)
      : trace(trace), trusted(opsOf(function)), isRewritten(isRewritten) {
    found.alignment = std::move(alignment);
    found.states.assign(trace.ops.size(), TraceState::Unknown);
    for (auto [i, partner] : llvm::enumerate(found.alignment.partners))
      if (partner >= 0)
        tracedOf[trusted[partner].op].push_back(i);
  }

  void constants() {
    for (size_t i = 0; i < trace.ops.size(); ++i) {
      auto constant = dyn_cast_or_null<ConstantOp>(trace.ops[i].op);
      const int partner = found.alignment.partners[i];
      if (!constant || partner < 0)
        continue;
      auto other = cast<ConstantOp>(trusted[partner].op);
      if (constant.getValue() == other.getValue()) {
        found.states[i] = TraceState::Within;
        continue;
      }
      auto read = [](ConstantOp op) {
        return ReferenceTensor::fromAttribute(op.getValue(),
                                              [&] { return op.emitError(); });
      };
      auto actual = read(constant), expected = read(other);
      if (failed(actual) || failed(expected))
        continue;
      Deviation deviation = compareElements(*actual, *expected, Tolerance{});
      note(i, 0, deviation, *expected);
    }
  }

  void see(Operation *op, ArrayRef<ReferenceTensor> results,
           ArrayRef<SmallVector<ReferenceTensor>> drawn) {
    const auto &traced = tracedOf[op];
    SmallVector<bool> isWithin(traced.size(), true);
    for (size_t r = 0; r < results.size(); ++r) {
      const ReferenceTensor &result = results[r];
      std::vector<ReferenceTensor> draws;
      for (const SmallVector<ReferenceTensor> &draw : drawn)
        if (!draw.empty())
          draws.push_back(draw[r]);
      std::optional<NoiseEstimate> noise;
      const auto estimate = [&]() -> const NoiseEstimate & {
        if (!noise)
          noise = NoiseEstimate::of(result, draws, isRewritten);
        return *noise;
      };
      for (size_t t = 0; t < traced.size(); ++t)
        if (r < trace.ops[traced[t]].results.size())
          isWithin[t] &= compare(traced[t], unsigned(r), result, estimate);
      searchEqual(result, estimate);
    }
    for (size_t t = 0; t < traced.size(); ++t)
      if (isWithin[t])
        found.states[traced[t]] = TraceState::Within;
  }

  TraceComparison finish() {
    llvm::sort(found.differences, [](const auto &a, const auto &b) {
      return std::pair(a.op, a.result) < std::pair(b.op, b.result);
    });
    // Those that read nothing beyond the noise, however far back.
    for (auto [d, difference] : llvm::enumerate(found.differences)) {
      if (d && found.differences[d - 1].op == difference.op)
        continue;
      size_t first = difference.op;
      if (!readsBeyond(difference.op, first))
        found.first.push_back({d, first});
    }
    return std::move(found);
  }

private:
  template <typename Allowed>
  static Deviation compareElements(const ReferenceTensor &actual,
                                   const ReferenceTensor &expected,
                                   const Allowed &allowed) {
    const auto count = uint64_t(expected.getCount());
    return expected.isFloat()
               ? gaudi::compareElements(
                     count, [&](uint64_t i) { return actual.floats()[i]; },
                     [&](uint64_t i) { return expected.floats()[i]; }, allowed)
               : gaudi::compareElements(
                     count, [&](uint64_t i) { return actual.ints()[i]; },
                     [&](uint64_t i) { return expected.ints()[i]; }, allowed);
  }
  static ExpectedNoise noiseOf(const NoiseEstimate &noise) {
    return {noise.noise.data(), noise.allowed.data(), noise.seen.data(),
            noise.reach.data(), noise.squares,        noise.strays,
            noise.strayError};
  }
  static bool areEqual(const ReferenceTensor &a, const ReferenceTensor &b) {
    return a.isFloat() ? a.floats() == b.floats() : a.ints() == b.ints();
  }

  void note(size_t op, unsigned result, const Deviation &deviation,
            const ReferenceTensor &expected) {
    if (deviation.passed()) {
      found.states[op] = TraceState::Within;
      return;
    }
    found.states[op] = TraceState::Beyond;
    TraceDifference difference{
        op, result, found.alignment.partners[op], deviation, {}};
    if (found.differences.size() < mostKept)
      difference.expected = expected;
    found.differences.push_back(std::move(difference));
  }

  /// Whether the traced result is known, and within the noise of its
  /// counterpart.
  template <typename Estimate>
  bool compare(size_t op, unsigned r, const ReferenceTensor &expected,
               const Estimate &estimate) {
    // What follows from another op is not compared where that takes long.
    size_t first = op;
    if (expected.getCount() >= muchToJudge && readsBeyond(op, first)) {
      if (found.states[op] != TraceState::Beyond)
        found.states[op] = TraceState::Skipped;
      return false;
    }
    auto actual = trace.value(op, r);
    if (failed(actual))
      return false;
    if (areEqual(*actual, expected))
      return true;
    const Deviation deviation =
        compareElements(*actual, expected, noiseOf(estimate()));
    if (!deviation.passed()) {
      note(op, r, deviation, expected);
      return false;
    }
    const double share =
        deviation.allowed > 0 ? deviation.error / deviation.allowed : 0;
    if (share > found.largest) {
      found.largest = share;
      found.largestOp = op;
    }
    return true;
  }

  /// Traced ops without a counterpart may give the same value by another
  /// computation, or in another order of its dimensions.
  template <typename Estimate>
  void searchEqual(const ReferenceTensor &value, const Estimate &estimate) {
    if (open.empty() && !isCollected) {
      isCollected = true;
      for (size_t i = 0; i < trace.ops.size(); ++i)
        if (found.alignment.partners[i] < 0 && trace.ops[i].results.size() == 1)
          open[trace.ops[i].results[0].getNumElements()].push_back(i);
    }
    auto same = open.find(value.getCount());
    if (same == open.end() || value.getCount() < 2)
      return;
    for (size_t i : same->second) {
      if (found.states[i] != TraceState::Unknown ||
          trace.ops[i].results[0].getElementType() != value.getElementType())
        continue;
      auto actual = trace.value(i, 0);
      if (succeeded(actual) && agree(*actual, value, estimate))
        found.states[i] = TraceState::Within;
    }
  }

  template <typename Estimate>
  static bool agree(const ReferenceTensor &actual, const ReferenceTensor &value,
                    const Estimate &estimate) {
    if (areEqual(actual, value))
      return true;
    SmallVector<int64_t> sizes(actual.getShape()), sorted(value.getShape());
    llvm::sort(sizes);
    llvm::sort(sorted);
    if (!actual.isFloat() || sizes != sorted || actual.getRank() > 4)
      return actual.isFloat() && nearlyEqual(actual, value) &&
             compareElements(actual, value, noiseOf(estimate())).passed();
    SmallVector<int64_t> order(actual.getRank());
    std::iota(order.begin(), order.end(), 0);
    do {
      bool fits = true;
      for (size_t d = 0; d < order.size(); ++d)
        fits &= actual.getDim(order[d]) == value.getDim(int64_t(d));
      if (!fits)
        continue;
      const ReferenceTensor moved = transposed(actual, order);
      if (nearlyEqual(moved, value) &&
          compareElements(moved, value, noiseOf(estimate())).passed())
        return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

  /// A cheap condition before that on noise: most values are others.
  static bool nearlyEqual(const ReferenceTensor &a, const ReferenceTensor &b) {
    double largest = 0;
    for (double value : b.floats())
      if (std::isfinite(value))
        largest = std::max(largest, std::fabs(value));
    const int64_t step = std::max<int64_t>(1, b.getCount() / 64);
    int64_t off = 0;
    for (int64_t i = 0; i < b.getCount(); i += step)
      off += !(distance(a.floats()[i], b.floats()[i]) <= 0.1 * largest);
    return off <= 8;
  }

  static ReferenceTensor transposed(const ReferenceTensor &x,
                                    ArrayRef<int64_t> order) {
    SmallVector<int64_t> strides(x.getRank(), 1), shape;
    for (int64_t d = x.getRank() - 1; d-- > 0;)
      strides[d] = strides[d + 1] * x.getDim(d + 1);
    for (int64_t dim : order)
      shape.push_back(x.getDim(dim));
    return x.gathered(shape, [&](int64_t element) {
      int64_t source = 0;
      for (size_t d = shape.size(); d-- > 0;) {
        source += element % shape[d] * strides[order[d]];
        element /= shape[d];
      }
      return source;
    });
  }

  /// Whether an op before `op` is beyond the noise or computed from one that
  /// is, on a way whose states are not known; else `first` is the first op of
  /// those ways.
  bool readsBeyond(size_t op, size_t &first) const {
    SmallVector<size_t> left{op};
    llvm::SmallDenseSet<size_t> seen;
    while (!left.empty())
      for (unsigned producer : trace.ops[left.pop_back_val()].producers) {
        if (found.states[producer] == TraceState::Within ||
            !seen.insert(producer).second)
          continue;
        if (found.states[producer] != TraceState::Unknown)
          return true;
        // What moves nothing is not to blame.
        if (!isa_and_nonnull<ViewOpInterface>(trace.ops[producer].op))
          first = std::min<size_t>(first, producer);
        left.push_back(producer);
      }
    return false;
  }

  const Trace &trace;
  std::vector<TracedOp> trusted;
  bool isRewritten;
  bool isCollected = false;
  TraceComparison found;
  DenseMap<Operation *, SmallVector<size_t>> tracedOf;
  /// Ops without a counterpart, by the number of their elements.
  std::map<int64_t, SmallVector<size_t>> open;
};
} // namespace

FailureOr<TraceComparison>
gaudi::compareTrace(const Trace &trace, func::FuncOp function,
                    ArrayRef<ReferenceTensor> inputs, ArrayRef<Noise> draws,
                    bool isRewritten, Alignment alignment) {
  auto stored = storedArguments(function, inputs);
  if (failed(stored))
    return failure();
  Comparer comparer(trace, function, isRewritten, std::move(alignment));
  comparer.constants();
  if (failed(
          evaluateWithDraws(function, *stored, draws,
                            [&](Operation *op, ArrayRef<ReferenceTensor>,
                                ArrayRef<ReferenceTensor> results,
                                ArrayRef<SmallVector<ReferenceTensor>> drawn) {
                              comparer.see(op, results, drawn);
                            })))
    return failure();
  return comparer.finish();
}

/// The text of an attribute, cut.
static std::string textOf(Attribute attribute) {
  std::string text = attribute ? debugString(attribute) : "absent";
  if (text.size() > longestText)
    text = text.substr(0, longestText) + "...";
  return text;
}

static std::string differenceOf(Operation *op, Operation *trusted) {
  const std::string name = op->getName().getStringRef().str();
  if (op->getName() != trusted->getName())
    return "'" + name + "' where the model has '" +
           trusted->getName().getStringRef().str() + "'";
  const DictionaryAttr here = op->getAttrDictionary(),
                       there = trusted->getAttrDictionary();
  for (DictionaryAttr attributes : {here, there})
    for (NamedAttribute attribute : attributes) {
      // What later phases note of it.
      const StringRef key = attribute.getName();
      if (key.starts_with("gaudi.") || here.get(key) == there.get(key))
        continue;
      return "'" + name + "' with " + key.str() + " = " +
             textOf(here.get(key)) + " where the model has " +
             textOf(there.get(key));
    }
  return "";
}

std::string gaudi::howTheyDiffer(Operation *op, Operation *trusted,
                                 function_ref<bool(unsigned)> isSameOperand) {
  if (std::string text = differenceOf(op, trusted); !text.empty())
    return text;
  if (op->getNumOperands() != trusted->getNumOperands())
    return "other operands than in the model";
  for (unsigned k = 0; k < op->getNumOperands(); ++k)
    if (!isSameOperand(k))
      return "operand " + std::to_string(k) +
             " is another value than in the "
             "model";
  // Bodies of kernels, in order: values have the numbers of their definition.
  SmallVector<Operation *> inner, others;
  op->walk<WalkOrder::PreOrder>([&](Operation *o) { inner.push_back(o); });
  trusted->walk<WalkOrder::PreOrder>(
      [&](Operation *o) { others.push_back(o); });
  DenseMap<Value, Value> same;
  for (auto [mine, theirs] : llvm::zip(inner, others)) {
    for (auto [a, b] : llvm::zip(mine->getRegions(), theirs->getRegions()))
      for (auto [x, y] : llvm::zip(a, b))
        for (auto [v, w] : llvm::zip(x.getArguments(), y.getArguments()))
          same[v] = w;
    for (auto [v, w] : llvm::zip(mine->getResults(), theirs->getResults()))
      same[v] = w;
    if (mine == op)
      continue;
    std::string text = differenceOf(mine, theirs);
    for (unsigned k = 0; text.empty() && k < std::min(mine->getNumOperands(),
                                                      theirs->getNumOperands());
         ++k)
      if (same.lookup(mine->getOperand(k)) != theirs->getOperand(k))
        text = "'" + mine->getName().getStringRef().str() +
               "' with another operand " + std::to_string(k) +
               " than in the model";
    if (!text.empty())
      return text + " at " + locationText(mine->getLoc());
  }
  return inner.size() != others.size() ? "another number of ops in its body"
                                       : "";
}
