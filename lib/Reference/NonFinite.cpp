// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where NaN or an infinity of a function's outputs begins.
#include "Gaudi/Reference/NonFinite.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/Evaluator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;

namespace {
/// The first elements of a tensor that are not finite, or -1.
struct Mark {
  int64_t nan = -1, infinity = -1;
  bool negative = false; // the infinity

  static Mark of(const ReferenceTensor &tensor) {
    Mark mark;
    if (!tensor.isFloat())
      return mark;
    const ArrayRef<double> values = tensor.floats();
    for (int64_t i = 0, count = tensor.getCount(); i < count; ++i)
      if (std::isnan(values[i]) && mark.nan < 0) {
        mark.nan = i;
      } else if (std::isinf(values[i]) && mark.infinity < 0) {
        mark.infinity = i;
        mark.negative = values[i] < 0;
      }
    return mark;
  }
  bool isFinite() const { return nan < 0 && infinity < 0; }
  /// Of that kind, or -1.
  int64_t first(bool isNaN) const { return isNaN ? nan : infinity; }
};

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

/// One evaluation.
class Search {
public:
  FailureOr<std::optional<NonFiniteBirth>>
  run(func::FuncOp function, ArrayRef<ReferenceTensor> inputs) {
    auto stored = storedArguments(function, inputs);
    if (failed(stored))
      return failure();
    for (auto [argument, value] :
         llvm::zip_equal(function.getArguments(), *stored))
      note(argument, value);
    const auto observe = [&](Operation *op, ArrayRef<ReferenceTensor> operands,
                             ArrayRef<ReferenceTensor> results, auto) {
      for (auto [value, tensor] : llvm::zip_equal(op->getResults(), results))
        if (note(value, tensor))
          keep(value, operands);
    };
    if (failed(evaluateWithDraws(function, *stored, {}, observe)))
      return failure();
    Operation *end = function.getBody().front().getTerminator();
    for (auto [value, output] :
         llvm::zip_equal(end->getOperands(), outputNumbers(function))) {
      if (auto constant = value.getDefiningOp<ConstantOp>())
        if (auto tensor = ReferenceTensor::fromAttribute(
                constant.getValueAttr(), [&] { return constant.emitError(); });
            succeeded(tensor))
          note(value, *tensor);
      if (auto mark = marks.find(value); output && mark != marks.end())
        return std::optional(begin(value, mark->second.nan >= 0));
    }
    return std::optional<NonFiniteBirth>();
  }

private:
  /// Whether it is not finite.
  bool note(Value value, const ReferenceTensor &tensor) {
    const Mark mark = Mark::of(tensor);
    return !mark.isFinite() && marks.try_emplace(value, mark).second;
  }

  void keep(Value result, ArrayRef<ReferenceTensor> operands) {
    Operation *op = result.getDefiningOp();
    const Mark &mark = marks.at(result);
    std::vector<NonFiniteOperand> &all = read[result];
    for (auto [value, tensor] : llvm::zip_equal(op->getOperands(), operands)) {
      if (value.getDefiningOp<ConstantOp>())
        note(value, tensor);
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
              tensor, cast<RankedTensorType>(result.getType()).getShape(),
              mark.nan >= 0 ? mark.nan : mark.infinity))
        one.there = tensor.at(*element);
      all.push_back(one);
    }
  }

  NonFiniteBirth birthAt(Value value, bool isNaN) const {
    const Mark &mark = marks.at(value);
    NonFiniteBirth birth;
    birth.element = mark.first(isNaN);
    birth.value = isNaN ? NAN : mark.negative ? -INFINITY : INFINITY;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      birth.number = argument.getArgNumber();
      return birth;
    }
    birth.op = value.getDefiningOp();
    birth.number = cast<OpResult>(value).getResultNumber();
    if (auto operands = read.find(value); operands != read.end())
      birth.operands = operands->second;
    // They were noted for its NaN.
    if (!isNaN && mark.nan >= 0)
      for (NonFiniteOperand &operand : birth.operands)
        operand.there.reset();
    return birth;
  }

  NonFiniteBirth begin(Value value, bool isNaN) const {
    const auto before = [&](Operation *op, bool wanted) {
      for (Value operand : op->getOperands())
        if (auto mark = marks.find(operand);
            mark != marks.end() && mark->second.first(wanted) >= 0)
          return operand;
      return Value();
    };
    Operation *op = value.getDefiningOp();
    for (; op; op = value.getDefiningOp())
      if (Value same = before(op, isNaN))
        value = same;
      else
        break;
    if (Value infinite = op && isNaN ? before(op, false) : Value()) {
      NonFiniteBirth birth = begin(infinite, false);
      if (birth.op && !isa<ConstantOp>(birth.op)) {
        birth.turned = op;
        return birth;
      }
    }
    return birthAt(value, isNaN);
  }

  DenseMap<Value, Mark> marks; // of what is not finite
  DenseMap<Value, std::vector<NonFiniteOperand>> read;
};
} // namespace

FailureOr<std::optional<NonFiniteBirth>>
gaudi::findNonFinite(func::FuncOp function, ArrayRef<ReferenceTensor> inputs) {
  return Search().run(function, inputs);
}
