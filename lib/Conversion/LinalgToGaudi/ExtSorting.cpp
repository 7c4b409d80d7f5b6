// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sort and top-k with any comparator.
//
// A comparator that compares one key is the library's sort, which moves the
// other operands by the positions that it gives; any other is a merge sort of
// kernels.
#include "../Common/MergeSort.h"
#include "ExtOps.h"
#include "ScalarBody.h"
#include "mlir/IR/Matchers.h"
#include <array>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
/// A comparator that orders by one operand.
struct SortKey {
  unsigned operand;
  bool descending;
};
} // namespace

/// 1 if the comparison holds for a smaller left side, -1 for a larger, 0 if it
/// is of another kind. Signless integers of the device are signed. Less and
/// less-or-equal sort alike.
static int direction(Operation *compare) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  auto among = [](auto predicate, auto less, auto more) {
    return llvm::is_contained(less, predicate)   ? 1
           : llvm::is_contained(more, predicate) ? -1
                                                 : 0;
  };
  if (auto floats = dyn_cast<arith::CmpFOp>(compare))
    return among(floats.getPredicate(),
                 std::array{F::OLT, F::OLE, F::ULT, F::ULE},
                 std::array{F::OGT, F::OGE, F::UGT, F::UGE});
  if (auto integers = dyn_cast<arith::CmpIOp>(compare))
    return among(integers.getPredicate(), std::array{I::slt, I::sle},
                 std::array{I::sgt, I::sge});
  return 0;
}

/// The comparator has arguments (a0, b0, a1, b1, ...).
static std::optional<SortKey> sortKey(Region &region) {
  Operation *compare =
      region.front().getTerminator()->getOperand(0).getDefiningOp();
  if (!compare || compare->getNumOperands() != 2)
    return std::nullopt;
  auto lhs = dyn_cast<BlockArgument>(compare->getOperand(0));
  auto rhs = dyn_cast<BlockArgument>(compare->getOperand(1));
  const int sign = direction(compare);
  // The library has no order of single bits.
  if (sign == 0 || !lhs || !rhs || lhs == rhs ||
      lhs.getOwner() != &region.front() || rhs.getOwner() != &region.front() ||
      lhs.getArgNumber() / 2 != rhs.getArgNumber() / 2 ||
      lhs.getType().isInteger(1))
    return std::nullopt;
  const bool isSwapped = lhs.getArgNumber() > rhs.getArgNumber();
  return SortKey{lhs.getArgNumber() / 2, (sign < 0) != isSwapped};
}

Value fromlinalg::createIota(OpBuilder &b, Location loc, RankedTensorType type,
                             int64_t dim) {
  return createNest(b, loc, type, [&](IndexBuilder &inner) {
    return arith::IndexCastOp::create(inner.b, inner.loc, type.getElementType(),
                                      inner.loop(dim))
        .getResult();
  });
}

/// True if every element of `value` is its position along `dim`.
static bool isIota(Value value, int64_t dim) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInits() != 1 ||
      !generic.getMatchingIndexingMap(generic.getDpsInitOperand(0))
           .isIdentity())
    return false;
  auto cast = generic.getBody()
                  ->getTerminator()
                  ->getOperand(0)
                  .getDefiningOp<arith::IndexCastOp>();
  auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
  return index && int64_t(index.getDim()) == dim;
}

/// Elements of `value` at the positions along `dim`.
static Value pick(OpBuilder &b, Location loc, Value value, Value positions,
                  int64_t dim) {
  Type element = tensorType(value).getElementType();
  auto type = tensorType(positions).clone(element);
  // Positions as i64 or i32 fit in those types.
  if (isIota(value, dim) && (element.isInteger(64) || element.isInteger(32)))
    return castTo(b, loc, positions, element);
  return GatherElementsOp::create(b, loc, type, value, positions, dim);
}

/// By any comparator. Of elements that it holds for equal the first comes
/// first, whether it is strict (<) or not (<=).
static SmallVector<Value> sortByRegion(OpBuilder &b, const ExtOp &op,
                                       ValueRange operands, int64_t dim) {
  Value result = op.body->front().getTerminator()->getOperand(0);
  const unsigned compared = op.body->getNumArguments() / 2;
  // whyNotSorted has shown that the region reads its arguments only.
  auto noTensor = [](Value) -> unsigned {
    llvm_unreachable("a comparator reads no tensor");
  };
  auto noLoop = [](int64_t) -> Value {
    llvm_unreachable("a comparator has no loops");
  };
  auto holds = [&](KernelBuilder &k, ValueRange x, ValueRange y) {
    ScalarBody body(k, noTensor, noLoop);
    for (unsigned i = 0; i < compared; ++i) {
      body.map(op.body->getArgument(2 * i), x[i]);
      body.map(op.body->getArgument(2 * i + 1), y[i]);
    }
    return body.get(result);
  };
  auto comesBefore = [&](KernelBuilder &k, ValueRange x, ValueRange y) {
    Value isAfter = k.binary<arith::XOrIOp>(
        holds(k, y, x), k.intConstant(1, k.getBuilder().getI1Type()));
    return k.binary<arith::AndIOp>(holds(k, x, y), isAfter);
  };
  remarkMissed(op.op, "raise",
               "generic kernels: no sort of the device has this comparator");
  unsigned numKernels = 0;
  return mergeSort(b, op.loc(), operands, dim, comesBefore,
                   op.op->getName().getStringRef(), numKernels);
}

std::string fromlinalg::whyNotSorted(Operation *op, Region &region) {
  if (sortKey(region))
    return "";
  ConversionReport report;
  Matcher m(op, report);
  llvm::DenseSet<Value> checked;
  Value result = region.front().getTerminator()->getOperand(0);
  if (failed(ScalarBody::check(result, m, checked)))
    return m.getReason();
  for (Operation &inner : region.front())
    for (Value operand : inner.getOperands())
      if (isa<tensor::ExtractOp>(inner) ||
          (operand.getParentRegion() != &region && !constantOf(operand)))
        return "its comparator reads more than its arguments and constants";
  return "";
}

/// The size along `dim` of the slices from the start of the results, if they
/// are all that is used: the best elements.
static std::optional<int64_t> usedPrefix(Operation *op, int64_t dim) {
  std::optional<int64_t> prefix;
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || slice.getType().getRank() != slice.getSourceType().getRank())
      return std::nullopt;
    auto offsets = getConstantIntValues(slice.getMixedOffsets());
    auto strides = getConstantIntValues(slice.getMixedStrides());
    if (!offsets || !strides || !slice.getType().hasStaticShape() ||
        llvm::any_of(*offsets, [](int64_t at) { return at != 0; }) ||
        llvm::any_of(*strides, [](int64_t stride) { return stride != 1; }))
      return std::nullopt;
    for (auto [i, size] : llvm::enumerate(slice.getType().getShape()))
      if (int64_t(i) != dim && size != slice.getSourceType().getDimSize(i))
        return std::nullopt;
    prefix = std::max(prefix.value_or(0), slice.getType().getDimSize(dim));
  }
  return prefix;
}

/// The whole of `best` as if it had the size of `type`: what is beyond is not
/// used.
static Value extended(OpBuilder &b, Location loc, Value best,
                      RankedTensorType type) {
  auto all = [&](int64_t number) {
    return SmallVector<OpFoldResult>(type.getRank(), b.getIndexAttr(number));
  };
  Value empty = tensor::EmptyOp::create(b, loc, type, ValueRange());
  return tensor::InsertSliceOp::create(
      b, loc, best, empty, all(0),
      getAsIndexOpFoldResult(b.getContext(), tensorType(best).getShape()),
      all(1));
}

/// A sort of which only the first elements are used, as torch-mlir writes
/// torch.topk.
static SmallVector<Value> expandFirst(OpBuilder &b, const ExtOp &op,
                                      ValueRange operands, const SortKey &key,
                                      int64_t dim, int64_t count) {
  Location loc = op.loc();
  Value keys = operands[key.operand];
  assert(count < tensorType(keys).getDimSize(dim) && "a part of the elements");
  SmallVector<int64_t> shape(tensorType(keys).getShape());
  shape[dim] = count;
  auto type = tensorType(keys).clone(shape);
  auto top =
      TopKOp::create(b, loc, type, RankedTensorType::get(shape, b.getI64Type()),
                     keys, dim, /*smallest=*/!key.descending);
  SmallVector<Value> results;
  // The other operands follow by position; the elements behind the first are
  // not read, so anything may be there.
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Value best = i == key.operand
                     ? top.getValues()
                     : pick(b, loc, operand, top.getIndices(), dim);
    results.push_back(extended(b, loc, best, tensorType(operand)));
  }
  remarkPassed(op.op, "raise",
               "raised to gaudi.tpc.top_k: only the first " + Twine(count) +
                   " of " + Twine(tensorType(keys).getDimSize(dim)) +
                   " elements are used");
  return results;
}

SmallVector<Value> fromlinalg::expandSort(OpBuilder &b, const ExtOp &op,
                                          int64_t dim) {
  Location loc = op.loc();
  ArrayRef<Value> operands = op.inputs.empty() ? op.outputs : op.inputs;
  assert(operands.size() == op.op->getNumResults() && "verified");
  auto key = sortKey(*op.body);
  if (!key)
    return sortByRegion(b, op, operands, dim);
  Value keys = operands[key->operand];
  // Where only the first are used, top-k does less than a sort.
  if (auto count = usedPrefix(op.op, dim);
      count && *count > 0 && *count < tensorType(keys).getDimSize(dim))
    return expandFirst(b, op, operands, *key, dim, *count);
  auto sorted = SortOp::create(b, loc, keys.getType(),
                               tensorType(keys).clone(b.getI64Type()), keys,
                               dim, key->descending);
  SmallVector<Value> results;
  for (auto [i, operand] : llvm::enumerate(operands))
    results.push_back(i == key->operand
                          ? sorted.getValues()
                          : pick(b, loc, operand, sorted.getIndices(), dim));
  remarkPassed(op.op, "raise", "raised to gaudi.tpc.sort");
  return results;
}

/// True if no element can come after the init: its contents do not matter.
static bool isLast(Value init, bool descending) {
  if (isUndefined(init))
    return true;
  TypedAttr fill = fillOf(init);
  if (auto number = dyn_cast_or_null<FloatAttr>(fill)) {
    const APFloat value = number.getValue();
    return value.isNegative() == descending &&
           (APFloat::semanticsHasInf(value.getSemantics()) ? value.isInfinity()
                                                           : value.isLargest());
  }
  auto number = dyn_cast_or_null<IntegerAttr>(fill);
  return number && (descending ? number.getValue().isMinSignedValue()
                               : number.getValue().isMaxSignedValue());
}

/// The inits take part: what they hold stays unless something better comes. The
/// comparator asks whether an element takes the place of one that is held.
SmallVector<Value> fromlinalg::expandTopK(OpBuilder &b, const ExtOp &op,
                                          int64_t dim) {
  Location loc = op.loc();
  auto result = op.resultType(0);
  const bool hasIndices = op.outputs.size() == 2;
  Type indexElement =
      hasIndices ? op.resultType(1).getElementType() : Type(b.getI64Type());
  Value values = op.inputs[0], held = op.outputs[0];
  // Without indices, those along the dimension.
  Value indices =
      op.inputs.size() == 2
          ? castTo(b, loc, op.inputs[1], indexElement)
          : createIota(b, loc, tensorType(values).clone(indexElement), dim);
  auto key = sortKey(*op.body);
  // What is held counts, unless it comes after everything: then concatenation
  // is saved.
  if (result.getDimSize(dim) > tensorType(values).getDimSize(dim) ||
      !(key ? isLast(held, key->descending) : isUndefined(held))) {
    // Held ones first: of equal values, an earlier one stays.
    if (hasIndices)
      indices = tensor::ConcatOp::create(b, loc, dim,
                                         ValueRange{op.outputs[1], indices});
    values = tensor::ConcatOp::create(b, loc, dim, ValueRange{held, values});
  }
  if (key) {
    auto at = result.clone(b.getI64Type());
    auto top = TopKOp::create(b, loc, result, at, values, dim,
                              /*smallest=*/!key->descending);
    remarkPassed(op.op, "raise", "raised to gaudi.tpc.top_k");
    SmallVector<Value> results{top.getValues()};
    if (hasIndices)
      results.push_back(pick(b, loc, indices, top.getIndices(), dim));
    return results;
  }
  // Another comparator: sort all, then take the first.
  SmallVector<Value> sorted{values};
  if (hasIndices)
    sorted.push_back(indices);
  sorted = sortByRegion(b, op, sorted, dim);
  for (auto [value, output] : llvm::zip_equal(sorted, op.outputs))
    value = createSlice(b, loc, tensorType(output), value,
                        SmallVector<int64_t>(result.getRank(), 0),
                        result.getShape());
  return sorted;
}
