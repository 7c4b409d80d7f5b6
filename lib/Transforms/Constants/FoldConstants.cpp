// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces ops on small constants by their result: gaudi-fold-constants.
//
// What a front end leaves of per-channel parameters (variance + epsilon, its
// root, a reshape) is one constant afterwards. The ops fold themselves; only
// transposes and broadcasts of constants are read here, because the
// canonicalizer must not do that: it would enlarge the constants of broadcasts
// and rearrange weights that a convolution reads in any order.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

namespace gaudi {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
/// Values of broadcasts that are folded only where a reader needs it.
using Broadcasts = llvm::MapVector<Operation *, Attribute>;

/// The constant that the transpose equals, or null. Of any size: it would move
/// the same bytes in each launch.
Attribute foldedTo(TransposeOp op) {
  auto values = ConstantValues::of(op.getOperand());
  return values ? values->rearranged(op.getType().getShape(),
                                     *op.getIndexMap(op->getOpResult(0)))
                : Attribute();
}

/// The constant that the op equals, or null.
Attribute foldedTo(Operation *op, const Broadcasts &broadcasts) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    // A broadcast of a constant is read as the constant that it would be; it is
    // not made.
    if (Attribute value = broadcasts.lookup(operand.getDefiningOp())) {
      operands.push_back(value);
      continue;
    }
    auto constant = operand.getDefiningOp<ConstantOp>();
    if (!constant || !isFoldable(tensorType(operand)))
      return {};
    operands.push_back(constant.getValue());
  }
  RankedTensorType type = tensorType(op->getResult(0));
  if (!isFoldable(type))
    return {};
  SmallVector<OpFoldResult> results;
  if (succeeded(op->fold(operands, results)) && results.size() == 1) {
    if (auto folded = dyn_cast<Attribute>(results.front()))
      return folded;
    // An identity: the op is one of its operands, which are constants.
    Value same = cast<Value>(results.front());
    if (auto constant = same.getDefiningOp<ConstantOp>())
      return constant.getValue();
  }
  // Transposes and broadcasts are read here only, see above.
  auto broadcast = dyn_cast<BroadcastOp>(op);
  auto values = ConstantValues::of(operands.front());
  if (!broadcast || !values)
    return {};
  return values->rearranged(type.getShape(),
                            *broadcast.getIndexMap(op->getResult(0)));
}

/// The number that all elements of a constant, or of a broadcast of one, are;
/// as a tensor of `ones`.
Attribute numberOf(Value tensor, ArrayRef<int64_t> ones) {
  if (auto broadcast = tensor.getDefiningOp<BroadcastOp>())
    tensor = broadcast.getOperand();
  auto constant = tensor.getDefiningOp<ConstantOp>();
  auto value = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                        : SplatElementsAttr();
  if (!value || !isa<FloatType>(value.getElementType()))
    return {};
  return value.resizeSplat(tensorType(tensor).clone(ones));
}

/// The constant that an elementwise op of such numbers equals, or null. It is
/// one number however large the tensor is: the reciprocal root of 2 in a GELU.
Attribute foldedNumber(Operation *op) {
  RankedTensorType type = tensorType(op->getResult(0));
  if (!isa<ElementwiseOpInterface>(op) || isFoldable(type) ||
      !type.hasStaticShape() || type.getNumElements() == 0)
    return {};
  const SmallVector<int64_t> ones(type.getRank(), 1);
  OpBuilder builder(op);
  SmallVector<Attribute> numbers;
  for (Value operand : op->getOperands())
    if (Attribute number = numberOf(operand, ones))
      numbers.push_back(number);
  if (numbers.size() != op->getNumOperands())
    return {};
  // The op is folded on tensors of one element, and the number resized.
  Operation *small = op->clone();
  SmallVector<Operation *> constants;
  for (auto [operand, number] :
       llvm::zip_equal(small->getOpOperands(), numbers)) {
    constants.push_back(
        ConstantOp::create(builder, op->getLoc(), cast<ElementsAttr>(number)));
    operand.set(constants.back()->getResult(0));
  }
  small->getResult(0).setType(type.clone(ones));
  SmallVector<OpFoldResult> results;
  Attribute folded;
  if (succeeded(small->fold(numbers, results)) && results.size() == 1)
    if (auto splat = dyn_cast_or_null<SplatElementsAttr>(
            dyn_cast<Attribute>(results.front())))
      folded = splat.resizeSplat(type);
  small->destroy();
  for (Operation *constant : constants)
    constant->erase();
  return folded;
}

struct FoldConstants : impl::FoldConstantsBase<FoldConstants> {
  using FoldConstantsBase::FoldConstantsBase;

  void replace(Operation *op, Attribute value,
               llvm::function_ref<bool(OpOperand &)> where) {
    OpBuilder builder(op);
    Value constant =
        ConstantOp::create(builder, op->getLoc(), cast<ElementsAttr>(value));
    if (explains(op))
      remark::passed(op->getLoc(), remark::RemarkOpts::name("fold").category(
                                       "gaudi-fold-constants"))
          << remark::add("folded '{0}' of constants, {1}",
                         op->getName().getStringRef(),
                         time->saving(time->of(op)));
    op->getResult(0).replaceUsesWithIf(constant, where);
    ++numFolded;
  }

  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    time.emplace(*spec);
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() == 1 && op->getNumOperands() >= 1 &&
          isa<ElementwiseOpInterface, ReindexOpInterface>(op) &&
          (transposes || !isa<TransposeOp>(op)))
        ops.push_back(op);
    });
    // The operands of folded ops may be dead afterwards.
    llvm::SmallSetVector<Operation *, 8> operands;
    auto erase = [&](Operation *op) {
      for (Value operand : op->getOperands())
        operands.insert(operand.getDefiningOp());
      operands.remove(op);
      op->erase();
    };
    Broadcasts broadcasts;
    for (Operation *op : ops) {
      auto transpose = dyn_cast<TransposeOp>(op);
      Attribute value =
          transpose ? foldedTo(transpose) : foldedTo(op, broadcasts);
      if (!value && !transpose)
        value = foldedNumber(op);
      if (!value)
        continue;
      if (isa<BroadcastOp>(op)) {
        broadcasts[op] = value;
        continue;
      }
      replace(op, value, [](OpOperand &) { return true; });
      erase(op);
    }
    // An elementwise op reads a broadcast where it is: a constant of the size
    // of the result would be memory, and an operand that no transpose passes
    // for free. Backwards, because broadcasts may read broadcasts.
    for (auto &[op, value] : llvm::reverse(broadcasts)) {
      auto needsTensor = [](OpOperand &use) {
        return !isa<ElementwiseOpInterface>(use.getOwner());
      };
      if (llvm::any_of(op->getUses(), needsTensor))
        replace(op, value, needsTensor);
      if (op->use_empty())
        erase(op);
    }
    for (Operation *op : operands)
      if (op->use_empty())
        op->erase();
  }

  std::optional<DeviceTime> time;
};
} // namespace
} // namespace gaudi
