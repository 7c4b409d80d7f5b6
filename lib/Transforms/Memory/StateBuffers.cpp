// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which next values are written over the old ones.
#include "StateBuffers.h"
#include "Donation.h"
#include "InPlace.h"
#include "SeparateOutputs.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "llvm/Support/FormatVariadic.h"

namespace gaudi {

void StateBuffers::replace(const StateUpdate &update, size_t root,
                           OpResult writer, uint64_t step) {
  const size_t owner = table.ownerOf(table.windows[update.state].root);
  auto next = cast<OpResult>(table.roots[root].value);
  // Where sources of insertions are written first, those alone read the state.
  const bool isSure = slices.isChangedInSlices(update.state);
  if (auto reason =
          isSure ? std::nullopt : reasonToCopy(owner, writer, next, step)) {
    pending[update.state] = {update, std::move(*reason)};
    return;
  }
  BufferRoot &old = table.roots[owner];
  assert((isSure || old.last <= step) &&
         "nothing reads the old value after that");
  assert(old.size == table.roots[root].size && "one layout");
  old.last = std::max(old.last, table.roots[root].last);
  table.roots[root].owner = owner;
  report.state(update, next);
}

/// Why the op that computes `writer`, which is `next` or the first that is in a
/// slice of it, cannot write it to the buffer of the state's root `owner`.
std::optional<CopyReason> StateBuffers::reasonToCopy(size_t owner,
                                                     OpResult writer,
                                                     OpResult next,
                                                     uint64_t step) {
  Operation *op = writer.getOwner();
  const BufferRoot &old = table.roots[owner];
  if (old.last > step) {
    // Copies of old values to other states come last if states are exchanged.
    Operation *reader = uses.readerAfter(old.value, step);
    if (auto copy = dyn_cast_or_null<CopyOp>(reader))
      if (auto other = uses.updates.find(copy.getResult());
          other != uses.updates.end() &&
          (isa<CopyOp>(op) || llvm::any_of(op->getOperands(), [&](Value value) {
             return uses.computed(value) == other->second.state;
           })))
        return CopyReason{
            llvm::formatv("the old value becomes that of state {0}, and states "
                          "are exchanged",
                          other->second.state.getArgNumber()),
            nullptr, "let the caller exchange their buffers between launches"};
    return CopyReason{"the old value is read after the new one is computed",
                      reader,
                      "let the last reader of the old value come first"};
  }
  if (old.last < step)
    return std::nullopt; // nobody reads it any more
  // The op that writes the new value is the last one that reads the old one. Of
  // a kernel the accesses tell which point reads what, an update reads nothing
  // of the operand; all other ops may read any element after they have written
  // it.
  OpOperand *updated = updatedOperand(op);
  auto kernel = dyn_cast<KernelOp>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    const BufferWindow &from = table.windows[operand.get()];
    if (table.ownerOf(from.root) != owner ||
        (&operand == updated && isWhereUpdated(from, writer)))
      continue;
    if (!kernel)
      return CopyReason{
          "the op that computes the new value reads the old one meanwhile", op,
          ""};
    if (writer != next || !table.startsLike(operand.get(), next) ||
        !mayWriteInPlace(kernel, operand.getOperandNumber(), from.strides,
                         next.getResultNumber(), table.windows[next].strides))
      return CopyReason{"the old value is read at points other than the one "
                        "that overwrites it",
                        op, ""};
  }
  return std::nullopt;
}

/// True if the window has the place that `result` has, or will have, in the
/// buffer of the state.
bool StateBuffers::isWhereUpdated(const BufferWindow &window, OpResult result) {
  StridedLayout place = {0, denseStrides(tensorType(result).getShape())};
  if (const Slice *slice = slices.find(result))
    place = slice->layout;
  const int64_t bytes = elementBytes(tensorType(result).getElementType());
  // Strides of dimensions of size 1 do not matter.
  for (auto [size, mine, theirs] : llvm::zip_equal(
           tensorType(result).getShape(), place.strides, window.strides))
    if (size > 1 && mine != theirs)
      return false;
  return window.byteOffset == place.offset * bytes;
}

bool StateBuffers::updateInPlace(OpResult result, uint64_t step) {
  OpOperand *updated = updatedOperand(result.getOwner());
  if (!updated || uses.outputs.contains(result) ||
      uses.updates.contains(result))
    return false;
  const BufferWindow from = table.windows[updated->get()];
  const size_t owner = table.ownerOf(from.root);
  auto state = dyn_cast<BlockArgument>(table.roots[owner].value);
  auto number =
      state ? stateResult(table.function, state.getArgNumber()) : std::nullopt;
  if (!number)
    return false;
  Value next =
      table.function.getBody().front().getTerminator()->getOperand(*number);
  // Not if the next value is written before the last reader of this one, or the
  // old one is read later.
  if (next == state ||
      uses.lastUse(result) > slices.firstWrite(returnedRoot(next)) ||
      table.roots[owner].last > step || !isWhereUpdated(from, result))
    return false;
  // No other operand may see the bytes change.
  for (OpOperand &other : result.getOwner()->getOpOperands())
    if (&other != updated &&
        table.ownerOf(table.windows[other.get()].root) == owner)
      return false;
  table.windows[result] = from;
  return true;
}

/// A donation that must be honoured is not worth a copy.
LogicalResult StateBuffers::refuseCopy(const StateUpdate &update,
                                       const CopyReason &reason) {
  InFlightDiagnostic diag = table.function.emitError("argument ");
  diag << update.state.getArgNumber() << " has '" << donatedAttrName
       << "', but result " << update.result
       << " cannot be written to its buffer of "
       << table.rootOf(update.state).size
       << " bytes without a copy: " << reason.text;
  if (!reason.remedy.empty())
    diag << "; " << reason.remedy;
  if (reason.reader)
    diag.attachNote(reason.reader->getLoc())
        << "'" << reason.reader->getName().getStringRef() << "' reads it";
  return failure();
}

LogicalResult StateBuffers::copyOthers() {
  Operation *exit = table.function.getBody().front().getTerminator();
  uint64_t step = uses.lastStep();
  for (BlockArgument state : table.function.getArguments()) {
    auto it = pending.find(state);
    if (it == pending.end())
      continue;
    auto &[update, reason] = it->second;
    if (table.function.getArgAttr(state.getArgNumber(), donatedAttrName))
      return refuseCopy(update, reason);
    Value value = exit->getOperand(update.result);
    report.copiedState(update, cast<OpResult>(returnedRoot(value)), reason);
    OpBuilder builder(exit);
    Value copy = createCopy(builder, value, table.time)->getResult(0);
    exit->setOperand(update.result, copy);
    BufferRoot &source = table.rootOf(value);
    source.last = std::max(source.last, step);
    const size_t root =
        table.addRoot(copy, SectionKind::Workspace,
                      denseStrides(tensorType(copy).getShape()), step++);
    table.roots[root].owner = table.ownerOf(table.windows[state].root);
  }
  return success();
}
} // namespace gaudi
