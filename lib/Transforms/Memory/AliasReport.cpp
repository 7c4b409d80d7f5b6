// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks and records of gaudi-alias-buffers.
#include "AliasReport.h"

#include "mlir/IR/Remarks.h"

namespace gaudi {
namespace {

remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category(AliasReport::category);
}

StringRef nameOf(Operation *op) { return op->getName().getStringRef(); }
} // namespace

void AliasReport::add(MemoryKind kind, Operation *op, Location loc, Value moved,
                      const CopyReason &reason) {
  MemoryRecord::Entry entry{kind, nameOf(op).str(), loc, byteCount(moved),
                            int64_t(time.ofCopy(moved))};
  entry.reason = reason.text;
  entry.remedy = reason.remedy;
  if (reason.reader) {
    entry.reader = nameOf(reason.reader).str();
    entry.readerLoc = reason.reader->getLoc();
  }
  record.entries.push_back(std::move(entry));
}

void AliasReport::view(OpResult result) {
  MemoryRecord::Entry entry{MemoryKind::View, nameOf(result.getOwner()).str(),
                            result.getLoc(), byteCount(result),
                            int64_t(time.ofCopy(result, views))};
  record.entries.push_back(std::move(entry));
}

void AliasReport::copiedView(OpResult result, Value source, bool isLate) {
  Operation *view = result.getOwner();
  const StringRef reason =
      isLate
          ? "its elements would not be evenly spaced in a dense operand, for "
            "which lifetimes were decided"
          : "its elements are not evenly spaced in the buffer of its operand";
  add(MemoryKind::Copy, view, view->getLoc(), source, {reason.str(), view, ""});
  if (isExplained())
    remark::missed(view->getLoc(), named("view-copied"))
        << remark::reason("copied '{0}': {1}; the copy takes {2}", nameOf(view),
                          reason, timeOf(source))
        << lost(time.ofCopy(source, views));
}

void AliasReport::constant(OpResult result) {
  add(MemoryKind::SharedConstant, result.getOwner(), result.getLoc(), result);
}

void AliasReport::inPlace(OpResult result, unsigned operand) {
  Operation *kernel = result.getOwner();
  MemoryRecord::Entry entry{MemoryKind::InPlace, nameOf(kernel).str(),
                            result.getLoc(), byteCount(result)};
  record.entries.push_back(std::move(entry));
  if (isExplained())
    remark::passed(kernel->getLoc(), named("in-place"))
        << remark::add("result {0} reuses the buffer of operand {1} (last "
                       "use), saving {2} bytes of workspace",
                       result.getResultNumber(), operand, byteCount(result));
}

void AliasReport::notInPlace(OpResult result, unsigned operand,
                             StringRef reason) {
  if (isExplained())
    remark::missed(result.getLoc(), named("in-place"))
        << remark::reason("result {0} needs a new buffer of {1} bytes: the "
                          "buffer of operand {2} {3}",
                          result.getResultNumber(), byteCount(result), operand,
                          reason)
        << lostBytes(byteCount(result));
}

void AliasReport::slice(OpOperand &operand) {
  Operation *op = operand.getOwner();
  add(MemoryKind::SliceWrite, op, operand.get().getLoc(), operand.get());
  if (isExplained())
    remark::passed(op->getLoc(), named("slice"))
        << remark::add("wrote operand {0} to its slice of the result, saving "
                       "{1} bytes and a copy of {2}",
                       operand.getOperandNumber(), byteCount(operand.get()),
                       timeOf(operand.get()));
}

void AliasReport::moved(Operation *op, const CopyReason &reason) {
  add(MemoryKind::Copy, op, op->getLoc(), op->getResult(0), reason);
  // Movements that reorder elements are slower than a copy.
  record.entries.back().picoseconds = int64_t(time.of(op));
  if (isExplained())
    remark::missed(op->getLoc(), named("move"))
        << remark::reason("'{0}' writes {1} bytes: {2}; it takes {3}",
                          nameOf(op), byteCount(op->getResult(0)), reason.text,
                          time.text(time.of(op)))
        << lost(time.of(op));
}

void AliasReport::copiedSlice(OpOperand &operand, const CopyReason &reason) {
  Operation *op = operand.getOwner();
  add(MemoryKind::Copy, op, op->getLoc(), operand.get(), reason);
  if (!isExplained())
    return;
  std::string reader;
  if (reason.reader) {
    llvm::raw_string_ostream os(reader);
    os << " ('" << nameOf(reason.reader) << "' at " << reason.reader->getLoc()
       << ")";
  }
  remark::missed(op->getLoc(), named("slice"))
      << remark::reason("copied operand {0} of {1} bytes to its slice: {2}{3}; "
                        "the copy takes "
                        "{4}",
                        operand.getOperandNumber(), byteCount(operand.get()),
                        reason.text, reader, timeOf(operand.get()))
      << lost(time.ofCopy(operand.get(), views));
}

void AliasReport::state(const StateUpdate &update, OpResult next) {
  add(MemoryKind::StateUpdate, next.getOwner(), next.getLoc(), update.state);
  if (isExplained())
    remark::passed(next.getLoc(), named("state"))
        << remark::add("updated state {0} in place: result {1} is written "
                       "over it, saving {2} bytes and a copy of {3}",
                       update.state.getArgNumber(), update.result,
                       byteCount(update.state), timeOf(update.state));
}

void AliasReport::copiedState(const StateUpdate &update, OpResult next,
                              const CopyReason &reason) {
  add(MemoryKind::Copy, next.getOwner(), next.getLoc(), update.state, reason);
  if (isExplained())
    remark::missed(next.getLoc(), named("state"))
        << remark::reason("state {0} not updated in place: {1}; result {2} "
                          "takes {3} bytes of workspace and is copied at the "
                          "end; the copy "
                          "takes {4}",
                          update.state.getArgNumber(), reason.text,
                          update.result, byteCount(update.state),
                          timeOf(update.state))
        << lost(time.ofCopy(update.state, views));
}

void AliasReport::copiedOutput(unsigned output, Operation *copy,
                               StringRef reason, StringRef remedy) {
  Value value = copy->getOperand(0);
  add(MemoryKind::Copy, copy, value.getLoc(), value,
      {reason.str(), nullptr, remedy.str()});
  if (isExplained())
    remark::analysis(value.getLoc(), named("copy-output"))
        << remark::reason("copied output {0}: {1}; the copy takes {2}", output,
                          reason, time.text(time.of(copy)));
}

void AliasReport::donated(unsigned output, BlockArgument argument) {
  MemoryRecord::Entry entry{MemoryKind::Donation, "func.func",
                            argument.getLoc(), byteCount(argument),
                            int64_t(time.ofCopy(argument))};
  record.entries.push_back(std::move(entry));
  if (isExplained())
    remark::passed(function.getLoc(), named("donation")) << remark::add(
        "returned argument {0} as output {1} without a copy, "
        "saving {2} bytes and {3}",
        argument.getArgNumber(), output, byteCount(argument), timeOf(argument));
}

void AliasReport::finish() {
  if (record.entries.empty())
    return;
  record.entry = function.getName().str();
  gaudi::record(function->getParentOfType<ModuleOp>(), record);
}
} // namespace gaudi
