// Times of ops and transposes under given orders.
#include "LayoutCosts.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Trial.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::layout;

Picoseconds LayoutCosts::ofOp(Operation *op) {
  Trial trial(scratch, op);
  return time.of(trial.op);
}

std::optional<Picoseconds>
LayoutCosts::ofPlacement(Operation *op, const OpPlacement &placement) {
  // What a trial has against these orders is no error of the program.
  const QuietDiagnostics silent(op->getContext());
  ++tried;
  Trial trial(scratch, op);
  if (!trial.place(placement))
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

/// Orders in which an op may become the kernel that has `orders`: those that it
/// has, and those that follow from each of its tensors.
static SmallVector<Orders, 4> formsOf(Operation *op, const Orders &orders,
                                      bool asKernel) {
  SmallVector<Orders, 4> forms(1);
  auto layouts = cast<LayoutOpInterface>(op);
  for (unsigned tensor = 0; asKernel && tensor < orders.size(); ++tensor) {
    if (isFreeOrder(tensorType(tensorOf(op, tensor)).getShape(),
                    orders[tensor]))
      continue; // the index space is the same
    std::optional<Orders> form = layouts.getOrdersWith(tensor, orders[tensor]);
    if (form && layouts.acceptsOrders(*form) &&
        !llvm::is_contained(forms, *form))
      forms.push_back(std::move(*form));
  }
  return forms;
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
  if (!asKernel && llvm::all_of(orders, isIdentityOrder)) {
    label.placement.orders = std::move(orders);
    label.time = set.timeAsWritten;
    set.written = set.labels.size();
    set.labels.push_back(std::move(label));
    return;
  }
  bool isPossible = false;
  for (Orders &form : formsOf(op, orders, asKernel)) {
    OpPlacement placement{orders, asKernel, std::move(form)};
    const std::optional<Picoseconds> taken = ofPlacement(op, placement);
    if (!taken || (isPossible && *taken >= label.time))
      continue;
    isPossible = true;
    label.time = *taken;
    label.placement = std::move(placement);
  }
  if (isPossible)
    set.labels.push_back(std::move(label));
}
