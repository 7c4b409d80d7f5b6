// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions on sizes, which hold for all sizes within the bounds or are
// errors.
#include "SourceShapes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;

bool gaudi::isOfSizes(Value value, const SymbolicShapes &shapes,
                      bool withCounters) {
  SmallVector<Value> worklist{value};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    const Value next = worklist.pop_back_val();
    if (!seen.insert(next).second || shapes.isKnown(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (withCounters && isa_and_nonnull<linalg::IndexOp>(op))
      continue;
    if (!op || !isPure(op) || op->getNumRegions() != 0 ||
        isa<ShapedType>(next.getType()) || op->getNumOperands() == 0)
      if (!op || !op->hasTrait<OpTrait::ConstantLike>())
        return false;
    llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

bool gaudi::guardsExtract(Operation *assertion, Value condition,
                          const SymbolicShapes &shapes) {
  auto cmp = condition.getDefiningOp<arith::CmpIOp>();
  if (!cmp || (cmp.getPredicate() != arith::CmpIPredicate::slt &&
               cmp.getPredicate() != arith::CmpIPredicate::ult))
    return false;
  const AffineExpr limit = shapes.element(cmp.getRhs());
  const Value index = withoutIndexCasts(cmp.getLhs());
  for (auto extract : assertion->getBlock()->getOps<tensor::ExtractOp>())
    for (auto [dim, used] : llvm::enumerate(extract.getIndices()))
      if (limit && withoutIndexCasts(used) == index &&
          shapes.dim(extract.getTensor(), dim) == limit)
        return true;
  return false;
}

namespace {
/// Computes scalars for given sizes by the folders of the ops.
class Evaluation {
public:
  Evaluation(const SymbolicShapes &shapes, ArrayRef<int64_t> given)
      : shapes(shapes), given(given) {}

  Attribute value(Value of) {
    auto [it, isNew] = values.try_emplace(of);
    if (!isNew)
      return it->second;
    // Computing operands may move the map's entries.
    Attribute result = compute(of);
    return values[of] = result;
  }

private:
  Attribute compute(Value of) {
    if (AffineExpr size = shapes.element(of)) {
      auto number = SizeExprs::valueAt(size, given);
      return number ? Builder(of.getContext())
                          .getIntegerAttr(getElementTypeOrSelf(of), *number)
                    : IntegerAttr();
    }
    auto result = dyn_cast<OpResult>(of);
    if (!result)
      return {};
    Operation *op = result.getOwner();
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      operands.push_back(value(operand));
    SmallVector<OpFoldResult> folded;
    // Folders may change the op in place, unless it is a copy.
    Operation *copy = op->clone();
    const bool isFolded = succeeded(copy->fold(operands, folded));
    Attribute answer;
    if (isFolded && result.getResultNumber() < folded.size()) {
      OpFoldResult one = folded[result.getResultNumber()];
      answer = dyn_cast<Attribute>(one);
      if (auto same = dyn_cast<Value>(one))
        answer = value(same);
    }
    copy->destroy();
    return answer;
  }

  const SymbolicShapes &shapes;
  ArrayRef<int64_t> given;
  llvm::DenseMap<Value, Attribute> values;
};
} // namespace

/// Advances to the next sizes of those symbols; false after the last ones.
static bool advance(SmallVector<int64_t> &at, ArrayRef<Symbol> symbols,
                    ArrayRef<int64_t> steps) {
  for (size_t i = 0; i < at.size(); ++i) {
    if (at[i] + steps[i] <= symbols[i].max) {
      at[i] += steps[i];
      return true;
    }
    at[i] = symbols[i].min;
  }
  return false;
}

/// The symbols that a scalar depends on.
static llvm::SmallBitVector symbolsIn(Value value,
                                      const SymbolicShapes &shapes) {
  llvm::SmallBitVector used(shapes.sizes.getSymbols().size());
  SmallVector<Value> worklist{value};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    const Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (AffineExpr size = shapes.element(next))
      size.walk([&](AffineExpr part) {
        if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
          used.set(symbol.getPosition());
      });
    else if (Operation *op = next.getDefiningOp())
      llvm::append_range(worklist, op->getOperands());
  }
  return used;
}

LogicalResult gaudi::checkAssertion(Operation *op, Value condition,
                                    StringRef message,
                                    const SymbolicShapes &shapes) {
  const SizeExprs &sizes = shapes.sizes;
  if (AffineExpr known = shapes.element(condition);
      known && known == sizes.constant(1))
    return success();
  // It depends on data: another pass decides about it.
  if (!isOfSizes(condition, shapes))
    return success();
  // All sizes are tried as far as they are few enough, otherwise some of them,
  // the smallest ones among them.
  constexpr int64_t maxTried = 1 << 12;
  const ArrayRef<Symbol> symbols = sizes.getSymbols();
  const llvm::SmallBitVector used = symbolsIn(condition, shapes);
  // The steps per symbol, so that all together are at most maxTried.
  const double share =
      std::pow(double(maxTried), 1.0 / std::max<size_t>(used.count(), 1));
  SmallVector<int64_t> at, steps;
  bool isProved = true;
  for (auto [i, symbol] : llvm::enumerate(symbols)) {
    at.push_back(symbol.min);
    const int64_t count = (symbol.max - symbol.min) / symbol.multiple + 1;
    const int64_t jump = llvm::divideCeil(count, std::max<int64_t>(share, 1));
    isProved &= !used.test(i) || jump <= 1;
    // Symbols that the condition does not have stay at their least size.
    steps.push_back(used.test(i) ? std::max<int64_t>(jump, 1) * symbol.multiple
                                 : symbol.max + 1);
  }
  do {
    // Not all ops can be evaluated.
    auto holds =
        dyn_cast_or_null<IntegerAttr>(Evaluation(shapes, at).value(condition));
    if (!holds) {
      isProved = false;
      break;
    }
    if (!holds.getValue().isZero())
      continue;
    std::string where;
    for (auto [symbol, size] : llvm::zip_equal(symbols, at))
      where += (where.empty() ? "" : ", ") + symbol.name + " = " +
               std::to_string(size);
    return op->emitError("an assertion on sizes does not hold for ")
           << where
           << "; give bounds or multiples that make it true: " << message;
  } while (advance(at, symbols, steps));
  if (!isProved)
    remark::missed(
        op->getLoc(),
        remark::RemarkOpts::name("assertion").category("gaudi-infer-symbols"))
        << "left out an assertion on sizes that was not tried for all of them: "
        << message.str();
  return success();
}
