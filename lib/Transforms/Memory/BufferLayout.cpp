// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the buffer attributes of memory form.
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <tuple>

using namespace mlir;
using namespace gaudi;

BufferAttr gaudi::bufferOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (!function)
      return {};
    return function.getArgAttrOfType<BufferAttr>(argument.getArgNumber(),
                                                 bufferAttrName);
  }
  auto result = cast<OpResult>(value);
  auto buffers = result.getOwner()->getAttrOfType<ArrayAttr>(buffersAttrName);
  if (!buffers || result.getResultNumber() >= buffers.size())
    return {};
  return dyn_cast<BufferAttr>(buffers[result.getResultNumber()]);
}

int64_t gaudi::extentBytes(RankedTensorType type, ArrayRef<int64_t> strides) {
  assert(int64_t(strides.size()) == type.getRank() && "one per dimension");
  if (type.getNumElements() == 0)
    return 0;
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    last += (size - 1) * stride;
  return (last + 1) * elementBytes(type.getElementType());
}

Value gaudi::returnedRoot(Value value) {
  Value root = value;
  while (auto reshape = root.getDefiningOp<ReshapeOp>())
    root = reshape.getOperand();
  Operation *writer = root.getDefiningOp();
  return writer && !isa<ConstantOp, ViewOpInterface>(writer) ? root : value;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

OpOperand *gaudi::updatedOperand(Operation *op) {
  if (auto insert = dyn_cast<InsertSliceOp>(op))
    return &insert.getDestMutable();
  if (isa<ScatterOp, ScatterElementsOp, ScatterRowsOp>(op))
    return &op->getOpOperand(0);
  return nullptr;
}

OperandSlices::OperandSlices(Operation *op) : op(op) {
  auto concat = dyn_cast<ConcatOp>(op);
  if (!concat)
    return;
  int64_t start = 0;
  for (Value operand : op->getOperands()) {
    starts.push_back(start);
    start += tensorType(operand).getDimSize(concat.getAxis());
  }
}

std::optional<StridedLayout>
OperandSlices::layoutOf(OpOperand &operand, const StridedLayout &result) const {
  assert(operand.getOwner() == op && "an operand of this op");
  if (&operand == updatedOperand(op))
    return result;
  StridedLayout slice = result;
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    slice.offset +=
        starts[operand.getOperandNumber()] * result.strides[concat.getAxis()];
    return slice;
  }
  auto insert = dyn_cast<InsertSliceOp>(op);
  if (!insert || &operand != &insert.getSourceMutable())
    return std::nullopt;
  for (auto [i, size] :
       llvm::enumerate(tensorType(insert.getSource()).getShape())) {
    slice.offset += insert.getOffsets()[i] * result.strides[i];
    // Without a second element the stride has no effect, and no bound.
    if (size > 1)
      slice.strides[i] *= insert.getStrides()[i];
  }
  return slice;
}

/// True if a tensor with layout `expected`, whose offset counts from `base`, is
/// in `buffer`. Strides of dimensions of size 1 do not matter.
static bool isAt(BufferAttr buffer, RankedTensorType type, BufferAttr base,
                 const StridedLayout &expected) {
  if (buffer.getSection() != base.getSection() ||
      buffer.getStrides().size() != expected.strides.size() ||
      buffer.getOffset() !=
          base.getOffset() +
              expected.offset * elementBytes(type.getElementType()))
    return false;
  for (auto [size, a, b] :
       llvm::zip_equal(type.getShape(), buffer.getStrides(), expected.strides))
    if (size > 1 && a != b)
      return false;
  return true;
}

bool gaudi::isWindow(OpResult result) {
  auto view = cast<ViewOpInterface>(result.getOwner());
  BufferAttr own = bufferOf(result),
             source = bufferOf(view.getViewSource(result));
  if (!own || !source)
    return false;
  std::optional<StridedLayout> layout = view.getViewLayout(
      result, {0, SmallVector<int64_t>(source.getStrides())});
  return layout && isAt(own, tensorType(result), source, *layout);
}

bool OperandSlices::contains(OpOperand &operand) const {
  if (!isa<ConcatOp, InsertSliceOp>(op) && &operand != updatedOperand(op))
    return false;
  BufferAttr own = bufferOf(operand.get()), result = bufferOf(op->getResult(0));
  if (!own || !result)
    return false;
  const StridedLayout whole{0, SmallVector<int64_t>(result.getStrides())};
  return isAt(own, tensorType(operand.get()), result,
              *layoutOf(operand, whole));
}

bool gaudi::updatesInPlace(Operation *op) {
  OpOperand *updated = updatedOperand(op);
  return updated && OperandSlices(op).contains(*updated);
}

BufferGroups::BufferGroups(Block &block) {
  // All values first: operands of the links below are members by then.
  auto add = [&](Value value) {
    const BufferAttr buffer = bufferOf(value);
    numbers[value] = members.size();
    members.push_back({value, isa<BlockArgument>(value), false,
                       extentBytes(tensorType(value), buffer.getStrides()),
                       members.size()});
  };
  for (Value argument : block.getArguments())
    add(argument);
  for (Operation &op : block)
    for (Value result : op.getResults())
      add(result);
  // Outputs are marked on the root that callers see.
  for (Value returned : block.getTerminator()->getOperands())
    members[numbers.lookup(returnedRoot(returned))].isReturned = true;
  // Views and slices are the only links between values of one buffer; what
  // merely reuses the buffer of a dead operand has its own root.
  for (Operation &op : block) {
    if (auto view = dyn_cast<ViewOpInterface>(op)) {
      for (OpResult result : op.getResults())
        if (isWindow(result))
          join(result, view.getViewSource(result));
      continue;
    }
    const OperandSlices slices(&op);
    // An empty operand has no bytes that could be in a slice.
    for (OpOperand &operand : op.getOpOperands())
      if (elementCount(operand.get()) != 0 && slices.contains(operand))
        join(operand.get(), op.getResult(0));
  }
}

size_t BufferGroups::find(size_t member) const {
  while (members[member].parent != member) {
    members[member].parent = members[members[member].parent].parent;
    member = members[member].parent;
  }
  return member;
}

void BufferGroups::join(Value a, Value b) {
  size_t one = find(numbers.lookup(a)), other = find(numbers.lookup(b));
  auto key = [&](size_t number) {
    const Member &member = members[number];
    return std::make_tuple(member.isArgument, member.isReturned, member.bytes,
                           -int64_t(number));
  };
  if (key(one) < key(other))
    std::swap(one, other);
  members[other].parent = one;
}

Value BufferGroups::rootOf(Value value) const {
  return members[find(numbers.lookup(value))].value;
}
