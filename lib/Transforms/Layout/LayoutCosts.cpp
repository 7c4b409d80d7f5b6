// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of ops and transposes under given orders.
#include "LayoutCosts.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

/// A copy of an op in a block of its own. What it reads are arguments of that
/// block, but for splat constants, whose strides the time model looks at.
class LayoutCosts::Trial {
public:
  Trial(Block &block, Operation *op) : block(block), builder(op->getContext()) {
    builder.setInsertionPointToEnd(&block);
    this->op = builder.clone(*op);
    for (OpOperand &operand : this->op->getOpOperands())
      operand.set(standInFor(operand.get(), tensorType(operand.get())));
  }
  ~Trial() {
    op->erase();
    while (!block.empty())
      block.back().erase();
    block.eraseArguments(0, block.getNumArguments());
  }
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;

  /// Replaces the op by the kernel that it builds; false if that is not one
  /// kernel with the tensors of the op.
  bool becomeKernel() {
    builder.setInsertionPoint(op);
    const size_t ops = block.getOperations().size();
    FailureOr<Operation *> kernel =
        cast<KernelBodyOpInterface>(op).buildKernel(builder);
    if (failed(kernel) || !isa<KernelOp>(*kernel) ||
        block.getOperations().size() != ops + 1 ||
        !llvm::equal((*kernel)->getOperands(), op->getOperands()) ||
        !llvm::equal((*kernel)->getResultTypes(), op->getResultTypes()))
      return false;
    op->erase();
    op = *kernel;
    return true;
  }

  /// Makes the op one of tensors stored in `orders`; false if it has no such
  /// form.
  bool apply(const Orders &orders) {
    auto layouts = dyn_cast<LayoutOpInterface>(op);
    if (!layouts || !layouts.acceptsOrders(orders))
      return false;
    builder.setInsertionPoint(op);
    SmallVector<Type> results;
    for (auto [tensor, order] : llvm::enumerate(orders)) {
      RankedTensorType stored =
          storedType(tensorType(tensorOf(op, tensor)), order);
      if (tensor >= op->getNumOperands()) {
        results.push_back(stored);
        continue;
      }
      OpOperand &operand = op->getOpOperand(tensor);
      if (operand.get().getType() != stored || !isIdentityOrder(order))
        operand.set(standInFor(operand.get(), stored));
    }
    layouts.applyOrders(orders);
    return llvm::equal(op->getResultTypes(), results) && succeeded(verify(op));
  }

  Operation *op;

private:
  /// What stands for `value` in another type. Equal operands stay equal: the
  /// model may count them once.
  Value standInFor(Value value, RankedTensorType type) {
    Value &standIn = standIns[{value, type}];
    if (standIn)
      return standIn;
    // A splat that is transposed will be folded.
    auto constant = joinedFrom(value).getDefiningOp<ConstantOp>();
    if (constant && isa<SplatElementsAttr>(constant.getValue())) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&block);
      standIn = ConstantOp::create(
          builder, value.getLoc(),
          cast<SplatElementsAttr>(constant.getValue()).resizeSplat(type));
    } else {
      standIn = block.addArgument(type, value.getLoc());
    }
    return standIn;
  }

  Block &block;
  DenseMap<std::pair<Value, Type>, Value> standIns;
  OpBuilder builder;
};

Picoseconds LayoutCosts::ofOp(Operation *op) {
  Trial trial(scratch, op);
  return time.of(trial.op);
}

std::optional<Picoseconds>
LayoutCosts::ofOrders(Operation *op, const Orders &orders, bool asKernel) {
  // What a trial has against these orders is no error of the program.
  const QuietDiagnostics silent(op->getContext());
  Trial trial(scratch, op);
  if ((asKernel && !trial.becomeKernel()) || !trial.apply(orders))
    return std::nullopt;
  return time.of(trial.op);
}

Picoseconds LayoutCosts::ofTranspose(RankedTensorType type,
                                     ArrayRef<int64_t> order) {
  if (isFreeOrder(type.getShape(), order))
    return 0;
  const auto key = std::make_pair(
      Type(type), Attribute(DenseI64ArrayAttr::get(type.getContext(), order)));
  auto [slot, isNew] = transposes.try_emplace(key, 0);
  if (isNew) {
    OpBuilder builder(type.getContext());
    builder.setInsertionPointToEnd(&scratch);
    const Location loc = builder.getUnknownLoc();
    auto op = TransposeOp::create(builder, loc, storedType(type, order),
                                  scratch.addArgument(type, loc), order);
    slot->second = time.of(op);
    op->erase();
    scratch.eraseArguments(0, scratch.getNumArguments());
  }
  return slot->second;
}

Picoseconds LayoutCosts::ofCopy(RankedTensorType type,
                                std::optional<Picoseconds> constantTime,
                                ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  // The transpose is asked about in its normal form, so that orders that differ
  // in unit dimensions are one.
  const RankedTensorType source = storedType(type, from);
  const Order order = normalOrder(source.getShape(), orderBetween(from, to));
  if (isFreeOrder(source.getShape(), order))
    return 0;
  return constantTime ? *constantTime : ofTranspose(source, order);
}

void LayoutCosts::addLabel(Operation *op, ArrayRef<TensorOrders> tensors,
                           Orders orders, bool asKernel, LabelSet &set) {
  Label label;
  for (auto [tensor, order] : llvm::enumerate(orders)) {
    const SmallVector<Order, 2> &candidates = tensors[tensor].orders;
    const auto *found = llvm::find(
        candidates,
        normalOrder(tensorType(tensorOf(op, tensor)).getShape(), order));
    if (found == candidates.end()) {
      set.isComplete = false; // one of those that the cap left out
      return;
    }
    label.choices.push_back(uint8_t(found - candidates.begin()));
  }
  for (const Label &other : set.labels)
    if (other.choices == label.choices)
      return; // the op itself goes before its kernel
  const bool isWritten = !asKernel && llvm::all_of(orders, [](const Order &o) {
    return isIdentityOrder(o);
  });
  if (isWritten) {
    label.time = set.timeAsWritten;
    set.written = set.labels.size();
  } else {
    const std::optional<Picoseconds> known = ofOrders(op, orders, asKernel);
    if (!known)
      return;
    label.time = *known;
  }
  label.placement = {std::move(orders), asKernel};
  set.labels.push_back(std::move(label));
}
