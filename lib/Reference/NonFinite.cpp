// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where NaN or an infinity of a function's outputs begins.
#include "Gaudi/Reference/NonFinite.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/Evaluator.h"
#include "ValueFile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;

/// Takes the place of elements that are not finite, in trials of an op. All
/// float types have it, and few functions are not finite there.
static constexpr double finiteNumber = 0.5;

namespace {
/// An element that is not finite.
struct Place {
  Value value;
  int64_t element;
  double number;
};

bool isWanted(double number, bool isNaN) {
  return isNaN ? std::isnan(number) : std::isinf(number);
}

/// The first element of that kind.
std::optional<int64_t> firstOf(const ReferenceTensor &tensor, bool isNaN) {
  if (tensor.isFloat())
    for (auto [i, number] : llvm::enumerate(tensor.floats()))
      if (isWanted(number, isNaN))
        return int64_t(i);
  return std::nullopt;
}

/// The element that position `at` of a result with these sizes reads, where
/// dimensions of size 1 are repeated.
std::optional<int64_t> broadcastElement(const ReferenceTensor &operand,
                                        ArrayRef<int64_t> sizes, int64_t at) {
  if (operand.getRank() != int64_t(sizes.size()) || !operand.getCount())
    return std::nullopt;
  int64_t element = 0, stride = 1;
  for (int64_t d = operand.getRank(); d-- > 0;) {
    const int64_t size = operand.getDim(d), position = at % sizes[d];
    if (size != 1 && size != sizes[d])
      return std::nullopt;
    element += (size == 1 ? 0 : position) * stride;
    stride *= size;
    at /= sizes[d];
  }
  return element;
}

/// What an op computes of operands without some of what is not finite.
class Trials {
public:
  Trials(OpResult result, int64_t element, bool isNaN,
         ArrayRef<ReferenceTensor> operands)
      : result(result), element(element), isNaN(isNaN), operands(operands),
        finite(operands) {
    for (auto [k, tensor] : llvm::enumerate(finite))
      if (firstOf(tensor, isNaN)) {
        candidates.push_back(k);
        for (double &number : tensor.mutableFloats())
          if (isWanted(number, isNaN))
            number = finiteNumber;
      }
  }

  /// Operand and element that the result's element is not finite of; none if
  /// it is so without them.
  std::optional<std::pair<size_t, int64_t>> cause() const {
    if (candidates.empty() || reaches(finite))
      return std::nullopt;
    for (size_t k : candidates) {
      SmallVector<ReferenceTensor> alone = finite;
      alone[k] = operands[k];
      if (reaches(alone))
        return {{k, elementOf(k, finite)}};
    }
    // It takes several, as the smallest of infinities does.
    return {{candidates[0], elementOf(candidates[0], operands)}};
  }

private:
  bool reaches(ArrayRef<ReferenceTensor> given) const {
    const QuietDiagnostics silent(result.getContext());
    SmallVector<ReferenceTensor> results;
    auto model = cast<ReferenceEvalOpInterface>(result.getOwner());
    if (failed(model.evaluate(given, nullptr, results)))
      return false;
    const double number = results[result.getResultNumber()].floats()[element];
    return isNaN ? std::isnan(number) : !std::isfinite(number);
  }

  /// The one at the same position if it is enough, else the last of the fewest
  /// first ones that are.
  int64_t elementOf(size_t k, ArrayRef<ReferenceTensor> others) const {
    SmallVector<ReferenceTensor> given(others);
    const ArrayRef<double> numbers = operands[k].floats();
    SmallVector<int64_t> wanted;
    for (auto [i, number] : llvm::enumerate(numbers))
      if (isWanted(number, isNaN))
        wanted.push_back(int64_t(i));
    const auto isEnough = [&](ArrayRef<int64_t> elements) {
      given[k] = finite[k];
      for (int64_t i : elements)
        given[k].mutableFloats()[i] = numbers[i];
      return reaches(given);
    };
    const auto same = broadcastElement(
        operands[k], cast<RankedTensorType>(result.getType()).getShape(),
        element);
    if (same && isWanted(numbers[*same], isNaN) && isEnough(*same))
      return *same;
    size_t few = 0, enough = wanted.size();
    while (enough - few > 1) {
      const size_t half = few + (enough - few) / 2;
      (isEnough(ArrayRef(wanted).take_front(half)) ? enough : few) = half;
    }
    return wanted[enough - 1];
  }

  OpResult result;
  int64_t element;
  bool isNaN;
  ArrayRef<ReferenceTensor> operands;
  SmallVector<ReferenceTensor> finite; // the operands
  SmallVector<size_t> candidates;
};

/// One evaluation.
class Search {
public:
  FailureOr<std::optional<NonFiniteBirth>>
  run(func::FuncOp function, ArrayRef<ReferenceTensor> inputs) {
    auto stored = storedArguments(function, inputs);
    if (failed(stored))
      return failure();
    arguments = *stored;
    Operation *end = function.getBody().front().getTerminator();
    const auto observe = [&](Operation *op, ArrayRef<ReferenceTensor> operands,
                             ArrayRef<ReferenceTensor> results, auto) {
      bool isFinite = true;
      for (auto [value, tensor] : llvm::zip_equal(op->getResults(), results)) {
        if (!firstOf(tensor, true) && !firstOf(tensor, false))
          continue;
        isFinite = false;
        if (llvm::is_contained(end->getOperands(), value))
          keep(value, tensor);
      }
      if (!isFinite)
        for (auto [value, tensor] :
             llvm::zip_equal(op->getOperands(), operands))
          keep(value, tensor);
    };
    if (failed(evaluateWithDraws(function, *stored, {}, observe)))
      return failure();
    if (!file.isComplete())
      return reference::ValueFile::reportIncomplete(function);
    for (auto [value, output] :
         llvm::zip_equal(end->getOperands(), outputNumbers(function))) {
      // Outputs that are not kept are finite.
      auto made = dyn_cast<OpResult>(value);
      if (!output || (made && !isa<ConstantOp>(made.getOwner()) &&
                      !places.contains(value)))
        continue;
      auto tensor = read(value);
      if (failed(tensor))
        return failure();
      for (const bool isNaN : {true, false})
        if (auto element = firstOf(*tensor, isNaN)) {
          auto birth =
              begin({value, *element, tensor->floats()[*element]}, isNaN);
          if (failed(birth))
            return reference::ValueFile::reportIncomplete(function);
          return std::optional<NonFiniteBirth>(std::in_place,
                                               std::move(*birth));
        }
    }
    return std::optional<NonFiniteBirth>();
  }

private:
  /// Constants and arguments are there anyway.
  void keep(Value value, const ReferenceTensor &tensor) {
    Operation *op = value.getDefiningOp();
    if (op && !isa<ConstantOp>(op) && !places.contains(value))
      places[value] = file.add(tensor);
  }

  FailureOr<ReferenceTensor> read(Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return arguments[argument.getArgNumber()];
    if (auto constant = value.getDefiningOp<ConstantOp>())
      return ReferenceTensor::fromAttribute(
          constant.getValueAttr(), [&] { return constant.emitError(); });
    return file.read(places.at(value));
  }

  FailureOr<SmallVector<ReferenceTensor>> operandsOf(Operation *op) const {
    SmallVector<ReferenceTensor> operands;
    for (Value value : op->getOperands()) {
      auto tensor = read(value);
      if (failed(tensor))
        return failure();
      operands.push_back(std::move(*tensor));
    }
    return operands;
  }

  /// What an element is not finite of.
  FailureOr<std::optional<Place>> before(const Place &place, bool isNaN) const {
    auto result = dyn_cast<OpResult>(place.value);
    if (!result || isa<ConstantOp>(result.getOwner()))
      return std::optional<Place>();
    auto operands = operandsOf(result.getOwner());
    if (failed(operands))
      return failure();
    const auto cause = Trials(result, place.element, isNaN, *operands).cause();
    if (!cause)
      return std::optional<Place>();
    const auto [operand, element] = *cause;
    return std::optional(Place{result.getOwner()->getOperand(operand), element,
                               (*operands)[operand].floats()[element]});
  }

  FailureOr<Place> follow(Place place, bool isNaN) const {
    for (;;) {
      auto earlier = before(place, isNaN);
      if (failed(earlier))
        return failure();
      if (!*earlier)
        return place;
      place = **earlier;
    }
  }

  FailureOr<NonFiniteBirth> birthAt(const Place &place) const {
    NonFiniteBirth birth;
    birth.element = place.element;
    birth.value = std::isnan(place.number) ? NAN : place.number;
    if (auto argument = dyn_cast<BlockArgument>(place.value)) {
      birth.number = argument.getArgNumber();
      return birth;
    }
    birth.op = place.value.getDefiningOp();
    birth.number = cast<OpResult>(place.value).getResultNumber();
    auto operands = operandsOf(birth.op);
    if (failed(operands))
      return failure();
    for (const ReferenceTensor &tensor : *operands) {
      NonFiniteOperand one;
      one.type = tensor.getType();
      bool any = false;
      for (int64_t i = 0, count = tensor.getCount(); i < count; ++i) {
        const double element = tensor.at(i);
        if (std::isnan(element)) {
          one.hasNaN = true;
          continue;
        }
        one.least = any ? std::min(one.least, element) : element;
        one.largest = any ? std::max(one.largest, element) : element;
        any = true;
      }
      if (auto element = broadcastElement(
              tensor, cast<RankedTensorType>(place.value.getType()).getShape(),
              place.element))
        one.there = tensor.at(*element);
      birth.operands.push_back(one);
    }
    return birth;
  }

  FailureOr<NonFiniteBirth> begin(const Place &output, bool isNaN) const {
    auto place = follow(output, isNaN);
    if (failed(place))
      return failure();
    if (isNaN) {
      auto infinite = before(*place, false);
      if (failed(infinite))
        return failure();
      if (*infinite) {
        auto origin = follow(**infinite, false);
        if (failed(origin))
          return failure();
        Operation *op = origin->value.getDefiningOp();
        if (op && !isa<ConstantOp>(op)) {
          auto birth = birthAt(*origin);
          if (succeeded(birth))
            birth->turned = place->value.getDefiningOp();
          return birth;
        }
      }
    }
    return birthAt(*place);
  }

  ArrayRef<ReferenceTensor> arguments;
  reference::ValueFile file;
  DenseMap<Value, size_t> places; // of what led to what is not finite
};
} // namespace

FailureOr<std::optional<NonFiniteBirth>>
gaudi::findNonFinite(func::FuncOp function, ArrayRef<ReferenceTensor> inputs) {
  return Search().run(function, inputs);
}
