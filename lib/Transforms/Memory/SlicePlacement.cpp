// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the values that are computed straight into a slice.
#include "SlicePlacement.h"
#include "InPlace.h"
#include "LiveProfile.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "llvm/Support/FormatVariadic.h"

namespace gaudi {
namespace {

StridedLayout denseLayout(Value value) {
  return {0, denseStrides(tensorType(value).getShape())};
}

/// The layout of a window on `source`, of which views lead to it; nothing if
/// strides cannot express it.
std::optional<StridedLayout> layoutOnSource(Value window, Value source,
                                            StridedLayout layout) {
  SmallVector<OpResult> views;
  for (; window != source;
       window = cast<ViewOpInterface>(views.back().getOwner())
                    .getViewSource(views.back()))
    views.push_back(cast<OpResult>(window));
  for (OpResult result : llvm::reverse(views)) {
    auto on = cast<ViewOpInterface>(result.getOwner())
                  .getViewLayout(result, {0, layout.strides});
    if (!on)
      return std::nullopt;
    layout = {layout.offset + on->offset, on->strides};
  }
  return layout;
}

/// The bytes of a tensor in its buffer.
kernel::Window windowAt(RankedTensorType type, const StridedLayout &layout) {
  const int64_t bytes = elementBytes(type.getElementType());
  return {uint64_t(layout.offset * bytes),
          {type.getShape().begin(), type.getShape().end()},
          {layout.strides.begin(), layout.strides.end()},
          unsigned(bytes)};
}

/// A value with a buffer of its own unless something places it in another.
bool isComputed(OpResult result, const ValueUses &uses) {
  return !isa<ConstantOp>(result.getOwner()) && uses.computed(result) == result;
}
} // namespace

SlicePlacer::SlicePlacer(func::FuncOp function, const ValueUses &uses,
                         const DenseSet<Operation *> &early)
    : uses(uses) {
  Block &block = function.getBody().front();
  // The profile without slices is the peak that placements must not raise.
  LiveProfile live(uses.lastStep() + 1);
  profile = &live;
  for (Operation &op : block)
    for (OpResult result : op.getResults())
      if (isComputed(result, uses) && inWorkspace(result) &&
          !early.contains(&op))
        live.add(uses.stepOf(&op), uses.lastUse(result), byteCount(result));
  peak = live.peak();
  // Against program order: the place of a result is known before those of its
  // operands.
  for (Operation &op : llvm::reverse(block)) {
    if (isa<ConcatOp>(op)) {
      placeOperands(&op);
    } else if (OpOperand *updated = updatedOperand(&op);
               updated && elementCount(updated->get()) != 0) {
      const OperandSlices inResult(&op);
      auto insert = dyn_cast<InsertSliceOp>(op);
      // The destination is the early copy of a constant: only the source has a
      // place.
      if (insert && early.contains(insert.getDest().getDefiningOp())) {
        placePad(insert, inResult);
        continue;
      }
      const bool isInPlace = place(*updated, inResult);
      if (insert && elementCount(insert.getSource()) != 0)
        placeSource(insert, inResult, isInPlace);
    }
  }
  profile = nullptr;
}

/// The operands of a concatenation. Those computed last extend the buffer's
/// lifetime least, and come first.
void SlicePlacer::placeOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  for (OpOperand &operand : op->getOpOperands())
    if (elementCount(operand.get()) != 0)
      operands.push_back(&operand);
  llvm::sort(operands, [&](OpOperand *a, OpOperand *b) {
    const uint64_t one = uses.stepOfValue(uses.computed(a->get())),
                   other = uses.stepOfValue(uses.computed(b->get()));
    return one != other ? one > other
                        : a->getOperandNumber() < b->getOperandNumber();
  });
  // One that would raise the peak by itself may not beside others: the buffer
  // is alive from the first of them on.
  constexpr unsigned mostRounds = 4;
  const OperandSlices inResult(op);
  bool placesMore = true;
  for (unsigned round = 0; placesMore && round < mostRounds; ++round) {
    placesMore = false;
    llvm::erase_if(operands, [&](OpOperand *operand) {
      const bool isPlaced = place(*operand, inResult);
      placesMore |= isPlaced;
      return isPlaced || !refusals.lookup(operand).isOfPeak;
    });
  }
}

bool SlicePlacer::inWorkspace(Value target) const {
  if (uses.outputs.contains(target))
    return false;
  // The next value of a state goes to the state's buffer if nothing reads the
  // old value after it.
  auto update = uses.updates.find(target);
  return update == uses.updates.end() ||
         uses.lastUse(update->second.state) > uses.stepOfValue(target);
}

Slice SlicePlacer::sliceOfResult(Value result) const {
  if (const Slice *slice = find(result))
    return *slice;
  return {result, denseLayout(result), std::numeric_limits<uint64_t>::max()};
}

/// An update overwrites the value: nothing may read it after that, and the
/// update nothing else of it.
std::optional<CopyReason> SlicePlacer::reasonOfUpdate(OpOperand &operand,
                                                      Value value) const {
  Operation *op = operand.getOwner();
  if (Operation *reader = uses.readerAfter(value, uses.stepOf(op)))
    return CopyReason{"it is read again after the update", reader,
                      "let the last reader come before the update"};
  for (OpOperand &other : op->getOpOperands())
    if (&other != &operand && uses.computed(other.get()) == value)
      return CopyReason{
          llvm::formatv("operand {0} of the op is in the same buffer",
                        other.getOperandNumber()),
          op, ""};
  return std::nullopt;
}

/// A slice of the next value of a state is written while the old value has been
/// read for the last time, if it ever can be in the state's buffer.
std::optional<CopyReason> SlicePlacer::reasonOfState(OpOperand &operand,
                                                     Value value,
                                                     Value target) const {
  auto update = uses.updates.find(target);
  if (update == uses.updates.end() || inWorkspace(target))
    return std::nullopt;
  BlockArgument state = update->second.state;
  const uint64_t step = uses.stepOfValue(value), last = uses.lastUse(state);
  if (last < step || isChangedInSlices(state))
    return std::nullopt;
  // The update that writes the value may be the last reader of the old one.
  OpOperand *updated = updatedOperand(value.getDefiningOp());
  if (last == step && updated && uses.computed(updated->get()) == state)
    return std::nullopt;
  return CopyReason{llvm::formatv("state {0}, in whose buffer the slice is, is "
                                  "read after it is computed",
                                  state.getArgNumber()),
                    uses.readerAfter(state, step - 1), ""};
}

std::optional<CopyReason> SlicePlacer::reasonToCopy(OpOperand &operand,
                                                    Value value,
                                                    const Slice &slice) const {
  if (auto update = uses.updates.find(value); update != uses.updates.end())
    return CopyReason{llvm::formatv("it is the next value of state {0}",
                                    update->second.state.getArgNumber()),
                      nullptr, ""};
  if (uses.outputs.contains(value))
    return CopyReason{"it is an output of its own", nullptr,
                      "return one of the two"};
  if (find(value))
    return CopyReason{"it is in another slice already",
                      slices.find(value)->second.target.getDefiningOp(), ""};
  const bool isUpdated = &operand == updatedOperand(operand.getOwner());
  if (isUpdated)
    if (auto reason = reasonOfUpdate(operand, value))
      return reason;
  // The update reads nothing of what it changes. What else it reads may overlap
  // that.
  if (uses.lastUse(value) > slice.deadline ||
      (!isUpdated && uses.lastUse(value) == slice.deadline))
    return CopyReason{"it is read after an update has changed its slice",
                      uses.readerAfter(value, slice.deadline - 1), ""};
  if (!uses.viewsHold(value, slice.layout.strides))
    return CopyReason{"a view on it would be a copy, because strides of the "
                      "slice cannot express it",
                      nullptr, ""};
  return reasonOfState(operand, value, slice.target);
}

/// Back from `value` to what an op computes, in the shape that it computes;
/// `slice` follows. Why that is not possible, if so.
std::optional<CopyReason> SlicePlacer::follow(Value &value,
                                              Slice &slice) const {
  while (Operation *view = value.getDefiningOp<ViewOpInterface>()) {
    if (uses.computed(value) == value)
      return CopyReason{"it is the copy of a view", nullptr, ""};
    Value source = view->getOperand(0);
    if (isa<ReshapeOp>(view)) {
      auto strides =
          reshapeStrides(tensorType(value).getShape(), slice.layout.strides,
                         tensorType(source).getShape());
      if (!strides)
        return CopyReason{"its elements are not evenly spaced in the slice in "
                          "the shape in which they are computed",
                          nullptr, ""};
      slice.layout.strides = *strides;
    } else if (!isa<BitcastOp>(view)) {
      return CopyReason{"it is a window on a larger tensor", nullptr, ""};
    }
    value = source;
  }
  return std::nullopt;
}

bool SlicePlacer::refuse(OpOperand &operand, CopyReason reason) {
  refusals[&operand] = std::move(reason);
  return false;
}

bool SlicePlacer::place(OpOperand &operand, const OperandSlices &inResult) {
  Operation *op = operand.getOwner();
  Slice slice = sliceOfResult(op->getResult(0));
  slice.layout = *inResult.layoutOf(operand, slice.layout);
  if (&operand == updatedOperand(op))
    slice.deadline = std::min(slice.deadline, uses.stepOf(op));
  return placeAt(operand, std::move(slice));
}

bool SlicePlacer::placeAt(OpOperand &operand, Slice slice) {
  Value value = operand.get();
  // From here on the value that is computed, not a view of it.
  if (auto reason = follow(value, slice))
    return refuse(operand, *reason);
  if (isa<BlockArgument>(value))
    return refuse(operand,
                  {"it is an argument", nullptr, "donate the argument"});
  if (value.getDefiningOp<ConstantOp>())
    return refuse(operand, {"it is a constant", nullptr, ""});
  const uint64_t step = uses.stepOfValue(value),
                 first = firstWrite(slice.target);
  // The op must run after the last read of what its result replaces.
  if (step <= slice.begin)
    return refuse(operand, {"the elements that it replaces are read until then",
                            nullptr, "concatenate what fills the whole"});
  if (auto reason = reasonToCopy(operand, value, slice))
    return refuse(operand, *reason);
  const bool isCounted = inWorkspace(slice.target);
  // The operand's own buffer goes away, the whole result comes earlier.
  const int64_t more =
      (isCounted ? byteCount(slice.target) : 0) - byteCount(value);
  if (isCounted && step < first) {
    const int64_t raised = profile->peak(step, first - 1) + more;
    if (raised > peak)
      return refuse(
          operand,
          {llvm::formatv("the whole result would be alive from there on, "
                         "raising the peak by {0} bytes",
                         raised - peak),
           nullptr, "compute the operand later", true});
    profile->add(step, first - 1, byteCount(slice.target));
  }
  profile->add(step, uses.lastUse(value), -byteCount(value));
  // The result begins with its first element.
  if (step < first)
    firsts[slice.target] = step;
  slices[value] = std::move(slice);
  refusals.erase(&operand);
  return true;
}

/// The source of an insertion into a copy of a constant, and then the copy,
/// which comes right before the op that computes the source.
void SlicePlacer::placePad(InsertSliceOp insert,
                           const OperandSlices &inResult) {
  OpOperand &source = insert.getSourceMutable();
  const uint64_t step = uses.stepOfValue(insert.getDest());
  Slice whole = sliceOfResult(insert.getResult()), inner = whole;
  inner.layout = *inResult.layoutOf(source, whole.layout);
  inner.begin = std::max(whole.begin, step);
  if (step <= whole.begin || !placeAt(source, std::move(inner))) {
    refuse(insert.getDestMutable(), {"it is a constant", nullptr, ""});
    if (!refusal(source))
      refuse(source, {"the elements that it replaces are read until then",
                      nullptr, ""});
    return;
  }
  firsts[whole.target] = std::min(firstWrite(whole.target), step);
  slices[insert.getDest()] = std::move(whole);
}

/// The source of an insertion, once the updated operand has been looked at. The
/// slice has old elements until the updated operand and its parts are read for
/// the last time before the insertion; nothing may be placed in the updated
/// operand that is read after that.
void SlicePlacer::placeSource(InsertSliceOp insert,
                              const OperandSlices &inResult, bool isInPlace) {
  OpOperand &source = insert.getSourceMutable();
  Slice slice = sliceOfResult(insert.getResult());
  const Value updated = uses.computed(insert.getDest());
  const bool isState =
      !isInPlace && isStateInPlace(insert, slice, inResult, updated);
  if (!isInPlace && !isState) {
    refuse(source, {"what it is inserted into is copied before", nullptr, ""});
    return;
  }
  slice.layout = *inResult.layoutOf(source, slice.layout);
  const uint64_t step = uses.stepOf(insert);
  uint64_t begin = uses.stepOfValue(updated);
  Operation *reader = uses.readerBefore(updated, step);
  // The op that computes the source may read what it does not overwrite, or
  // overwrites where it has read it.
  Slice own = slice;
  Value value = source.get();
  if (reader && !follow(value, own) && value.getDefiningOp() == reader &&
      mayOverwrite(value, own.layout, updated,
                   isInPlace ? find(updated)->layout : denseLayout(updated)))
    reader = uses.readerBefore(updated, uses.stepOf(reader));
  if (reader)
    begin = std::max(begin, uses.stepOf(reader));
  if (Operation *op = updated.getDefiningOp();
      op && (isa<ConcatOp>(op) || updatedOperand(op)))
    for (Value operand : op->getOperands())
      if (const uint64_t last = uses.lastUse(uses.computed(operand));
          last < step)
        begin = std::max(begin, last);
  slice.begin = std::max(slice.begin, begin);
  // While it is placed, nothing else counts as a reader of the state.
  if (isState)
    changedInSlices.insert(updated);
  if (!placeAt(source, std::move(slice))) {
    changedInSlices.erase(updated);
    return;
  }
  if (isInPlace)
    slices[updated].deadline = std::min(slices[updated].deadline, begin + 1);
}

/// True if the op that computes `value` may write it to `slice` in the buffer
/// in which `updated` has `layout`: what it reads there is disjoint, or read by
/// the points that overwrite it.
bool SlicePlacer::mayOverwrite(Value value, const StridedLayout &slice,
                               Value updated,
                               const StridedLayout &layout) const {
  auto result = cast<OpResult>(value);
  auto kernel = dyn_cast<KernelOp>(result.getOwner());
  const int64_t bytes = elementBytes(tensorType(value).getElementType());
  for (OpOperand &operand : result.getOwner()->getOpOperands()) {
    if (uses.computed(operand.get()) != updated)
      continue;
    const auto read = layoutOnSource(operand.get(), updated, layout);
    if (!read || elementBytes(tensorType(operand.get()).getElementType()) !=
                     elementBytes(tensorType(updated).getElementType()))
      return false;
    if (kernel::provablyDisjoint(windowAt(tensorType(operand.get()), *read),
                                 windowAt(tensorType(value), slice)))
      continue;
    // Overlapping reads are safe element by element only: equal places, equal
    // widths, and a kernel that reads a point before it writes it.
    if (!kernel || read->offset != slice.offset ||
        bytes != elementBytes(tensorType(operand.get()).getElementType()) ||
        !mayWriteInPlace(kernel, operand.getOperandNumber(), read->strides,
                         result.getResultNumber(), slice.strides))
      return false;
  }
  return true;
}

/// True if the insertion, whose result has the slice, changes the state where
/// that is, and nothing reads the old value after it.
bool SlicePlacer::isStateInPlace(InsertSliceOp insert, Slice slice,
                                 const OperandSlices &inResult, Value state) {
  auto update = uses.updates.find(slice.target);
  if (update == uses.updates.end() || update->second.state != state ||
      uses.lastUse(state) != uses.stepOf(insert) || inWorkspace(slice.target))
    return false;
  OpOperand &operand = insert.getDestMutable();
  slice.layout = *inResult.layoutOf(operand, slice.layout);
  Value value = operand.get();
  if (follow(value, slice) || value != state || slice.layout.offset != 0)
    return false;
  ArrayRef<int64_t> shape = tensorType(state).getShape();
  // Strides of dimensions of size 1 do not matter.
  for (auto [size, mine, dense] :
       llvm::zip_equal(shape, slice.layout.strides, denseStrides(shape)))
    if (size > 1 && mine != dense)
      return false;
  return true;
}
} // namespace gaudi
