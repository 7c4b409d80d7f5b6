// Finds the values that are computed straight into a slice.
#include "SlicePlacement.h"
#include "LiveProfile.h"

#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::gaudi {
namespace {

int64_t bytesOf(Value value) {
  return elementCount(value) * elementBytes(tensorType(value).getElementType());
}

/// A value with a buffer of its own unless something places it in another.
bool isComputed(OpResult result, const ValueUses &uses) {
  return !isa<ConstantOp>(result.getOwner()) && uses.computed(result) == result;
}
} // namespace

SlicePlacer::SlicePlacer(func::FuncOp function, const ValueUses &uses)
    : uses(uses) {
  Block &block = function.getBody().front();
  LiveProfile live(uses.lastStep() + 1);
  profile = &live;
  for (Operation &op : block)
    for (OpResult result : op.getResults())
      if (isComputed(result, uses) && inWorkspace(result))
        live.add(uses.stepOf(&op), uses.lastUse(result), bytesOf(result));
  peak = live.peak();
  for (Operation &op : llvm::reverse(block)) {
    if (isa<ConcatOp>(op)) {
      // Those computed last extend the buffer's lifetime least.
      SmallVector<OpOperand *> operands;
      for (OpOperand &operand : op.getOpOperands())
        if (elementCount(operand.get()) != 0)
          operands.push_back(&operand);
      llvm::sort(operands, [&](OpOperand *a, OpOperand *b) {
        const uint64_t one = uses.stepOfValue(uses.computed(a->get())),
                       other = uses.stepOfValue(uses.computed(b->get()));
        return one != other ? one > other
                            : a->getOperandNumber() < b->getOperandNumber();
      });
      // One that would raise the peak by itself may not beside others: the
      // buffer is alive from the first of them on.
      constexpr unsigned mostRounds = 4;
      const OperandSlices inResult(&op);
      bool placesMore = true;
      for (unsigned round = 0; placesMore && round < mostRounds; ++round) {
        placesMore = false;
        llvm::erase_if(operands, [&](OpOperand *operand) {
          const bool isPlaced = place(*operand, inResult);
          placesMore |= isPlaced;
          return isPlaced || !refusals.lookup(operand).isOfPeak;
        });
      }
    } else if (OpOperand *updated = updatedOperand(&op)) {
      if (elementCount(updated->get()) != 0)
        place(*updated, OperandSlices(&op));
    }
  }
  profile = nullptr;
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
  return {result,
          {0, denseStrides(tensorType(result).getShape())},
          std::numeric_limits<uint64_t>::max()};
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
  if (last < step)
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

bool SlicePlacer::place(OpOperand &operand, const OperandSlices &inResult) {
  Operation *op = operand.getOwner();
  Slice slice = sliceOfResult(op->getResult(0));
  slice.layout = *inResult.layoutOf(operand, slice.layout);
  if (&operand == updatedOperand(op))
    slice.deadline = std::min(slice.deadline, uses.stepOf(op));
  Value value = operand.get();
  auto refuse = [&](CopyReason reason) {
    refusals[&operand] = std::move(reason);
    return false;
  };
  // Back to the op that computes the elements, in the shape that it computes.
  while (Operation *view = value.getDefiningOp<ViewOpInterface>()) {
    if (uses.computed(value) == value)
      return refuse({"it is the copy of a view", nullptr, ""});
    Value source = view->getOperand(0);
    if (isa<ReshapeOp>(view)) {
      auto strides =
          reshapeStrides(tensorType(value).getShape(), slice.layout.strides,
                         tensorType(source).getShape());
      if (!strides)
        return refuse({"its elements are not evenly spaced in the slice in the "
                       "shape in which they are computed",
                       nullptr, ""});
      slice.layout.strides = *strides;
    } else if (!isa<BitcastOp>(view)) {
      return refuse({"it is a window on a larger tensor", nullptr, ""});
    }
    value = source;
  }
  if (isa<BlockArgument>(value))
    return refuse({"it is an argument", nullptr, "donate the argument"});
  if (value.getDefiningOp<ConstantOp>())
    return refuse({"it is a constant", nullptr, ""});
  if (auto reason = reasonToCopy(operand, value, slice))
    return refuse(*reason);
  const uint64_t step = uses.stepOfValue(value),
                 first = firstWrite(slice.target);
  const bool isCounted = inWorkspace(slice.target);
  const int64_t more = (isCounted ? bytesOf(slice.target) : 0) - bytesOf(value);
  if (isCounted && step < first) {
    const int64_t raised = profile->peak(step, first - 1) + more;
    if (raised > peak)
      return refuse({llvm::formatv("the whole result would be alive from there "
                                   "on, raising the peak by {0} bytes",
                                   raised - peak),
                     nullptr, "compute the operand later", true});
    profile->add(step, first - 1, bytesOf(slice.target));
  }
  profile->add(step, uses.lastUse(value), -bytesOf(value));
  if (step < first)
    firsts[slice.target] = step;
  slices[value] = std::move(slice);
  refusals.erase(&operand);
  return true;
}
} // namespace mlir::gaudi
