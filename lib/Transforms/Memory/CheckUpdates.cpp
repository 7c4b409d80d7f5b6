// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks for reads of what an update in place has overwritten.
//
// An update reads nothing of the operand that it changes, and a concatenation
// nothing of what is in its slice: such reads do not count. Nor do those of
// views, whose readers do. A source that is computed in its slice changes the
// operand when its first element is written, not when the insertion comes.
#include "CheckUpdates.h"
#include "InPlace.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Kernel/Geometry.h"
#include "llvm/Support/MathExtras.h"
#include <map>

namespace gaudi {
namespace {
using kernel::Window;

/// The bytes of the elements of a value that have this layout in its buffer.
Window windowOf(Value value, RankedTensorType type,
                const StridedLayout &layout) {
  const int64_t bytes = elementBytes(type.getElementType());
  return {uint64_t(bufferOf(value).getOffset() + layout.offset * bytes),
          {type.getShape().begin(), type.getShape().end()},
          {layout.strides.begin(), layout.strides.end()},
          unsigned(bytes)};
}

StridedLayout layoutOf(Value value) {
  return {0, SmallVector<int64_t>(bufferOf(value).getStrides())};
}

/// Values of one buffer that are read again, by address.
class LiveValues {
public:
  struct Member {
    Value value;
    uint64_t last; // the step that reads it last
  };

  void add(Value value, uint64_t last) {
    const int64_t bytes =
        extentBytes(tensorType(value), bufferOf(value).getStrides());
    if (bytes != 0)
      classes[llvm::Log2_64(bytes)].emplace(bufferOf(value).getOffset(),
                                            Member{value, last});
  }

  /// A value that is read at `step` or later, and of which `written` may have a
  /// byte, but for those that are `allowed`. Values of similar sizes are in one
  /// class, so that few are looked at in vain; those that are dead are dropped.
  std::optional<Member> find(const Window &written, int64_t bytes,
                             uint64_t step,
                             llvm::function_ref<bool(const Member &)> allowed) {
    const auto begin = int64_t(written.offset), end = begin + bytes;
    for (auto &[log, members] : classes) {
      auto member = members.upper_bound(begin - (int64_t(2) << log));
      while (member != members.end() && member->first < end) {
        const auto [value, last] = member->second;
        if (last < step) {
          member = members.erase(member);
          continue;
        }
        if (!kernel::provablyDisjoint(
                windowOf(value, tensorType(value), layoutOf(value)), written) &&
            !allowed(member->second))
          return member->second;
        ++member;
      }
    }
    return std::nullopt;
  }

private:
  std::map<unsigned, std::multimap<int64_t, Member>> classes; // by log2 of size
};

class UpdateChecker {
public:
  UpdateChecker(func::FuncOp function, const BufferGroups &groups,
                llvm::function_ref<InFlightDiagnostic(Operation *)> beginError)
      : function(function), block(function.getBody().front()), groups(groups),
        beginError(beginError) {}

  void run() {
    if (!findReads())
      return;
    for (BlockArgument argument : block.getArguments())
      add(argument);
    for (Operation &op : block) {
      const uint64_t step = steps.lookup(&op);
      for (Operation *update : updates.lookup(step))
        if (!check(update, step))
          return;
      for (OpResult result : op.getResults())
        if (!isa<ViewOpInterface>(op) || !isWindow(result))
          add(result);
    }
  }

private:
  /// What each value is read by last, the windows on each, and the step of each
  /// update in place. False after an error.
  bool findReads() {
    uint64_t step = 0;
    for (Operation &op : block) {
      steps[&op] = ++step;
      bool isView = false;
      // Views read nothing themselves: their readers do, which come later.
      if (auto view = dyn_cast<ViewOpInterface>(op))
        for (OpResult result : op.getResults())
          if (isWindow(result)) {
            windows[view.getViewSource(result)].push_back(result);
            isView = true;
          }
      const OperandSlices slices(&op);
      uint64_t first = step; // at which something is written to the result
      // What is computed in its slice is written from its first element on,
      // before the op itself.
      for (OpOperand &operand : op.getOpOperands()) {
        if (slices.contains(operand))
          first = std::min(first, firstWrite(operand.get()));
        else if (!isView)
          lastRead[operand.get()] = step;
      }
      if (first < step)
        firsts[op.getResult(0)] = first;
      OpOperand *updated = updatedOperand(&op);
      if (!updated || elementCount(updated->get()) == 0)
        continue;
      auto insert = dyn_cast<InsertSliceOp>(op);
      // An insertion whose source is in its slice changes the operand when the
      // source is computed.
      const bool isInSlice = insert && elementCount(insert.getSource()) != 0 &&
                             slices.contains(insert.getSourceMutable());
      const uint64_t write = isInSlice ? firstWrite(insert.getSource()) : step;
      if (isInSlice && !comesAfter(insert, write, slices))
        return false;
      if (slices.contains(*updated))
        updates[write].push_back(&op);
    }
    return true;
  }

  /// True if the source, which is first written at step `write`, is computed in
  /// the operand that it changes, after that.
  bool comesAfter(InsertSliceOp insert, uint64_t write,
                  const OperandSlices &slices) {
    const bool isChanged = slices.contains(insert.getDestMutable());
    Operation *def = computed(insert.getDest()).getDefiningOp();
    if (isChanged && (!def || steps.lookup(def) < write))
      return true;
    InFlightDiagnostic diag = beginError(insert);
    diag << "operand 0 is in its slice of the result, but operand 1 is "
         << (isChanged ? "computed" : "copied") << " there later";
    diag.attachNote(insert.getSource().getLoc()) << "operand 0 comes from here";
    return false;
  }

  /// The value that an op computes, of which `value` is a window.
  static Value computed(Value value) {
    while (auto view = value.getDefiningOp<ViewOpInterface>()) {
      if (!isWindow(cast<OpResult>(value)))
        break;
      value = view.getViewSource(cast<OpResult>(value));
    }
    return value;
  }

  /// The step that writes the first element of a value, maybe in a slice of it.
  uint64_t firstWrite(Value value) const {
    value = computed(value);
    auto known = firsts.find(value);
    Operation *def = value.getDefiningOp();
    return known != firsts.end() ? known->second : def ? steps.lookup(def) : 0;
  }

  /// A value and the windows on it, which have its bytes as soon as it has.
  void add(Value computed) {
    SmallVector<Value> values = {computed};
    while (!values.empty()) {
      const Value value = values.pop_back_val();
      if (const uint64_t last = lastRead.lookup(value))
        live[groups.rootOf(value)].add(value, last);
      if (auto known = windows.find(value); known != windows.end())
        llvm::append_range(values, known->second);
    }
  }

  /// False after an error.
  bool check(Operation *op, uint64_t step) {
    const Value result = op->getResult(0), root = groups.rootOf(result);
    // Callers own arguments that are no state, and every launch reads the same
    // constants.
    auto argument = dyn_cast<BlockArgument>(root);
    if (bufferOf(root).getSection() == SectionKind::Const ||
        (argument && !stateResult(function, argument.getArgNumber()))) {
      InFlightDiagnostic diag = beginError(op);
      diag << "the update changes " << (argument ? "an argument" : "a constant")
           << " in place; expected a state or a value of the launch";
      diag.attachNote(root.getLoc()) << "it is here";
      return false;
    }
    auto insert = dyn_cast<InsertSliceOp>(op);
    RankedTensorType type = tensorType(insert ? insert.getSource() : result);
    StridedLayout changed = layoutOf(result);
    // An insertion changes the slice alone.
    if (insert)
      changed = *OperandSlices(op).layoutOf(insert.getSourceMutable(), changed);
    if (type.getNumElements() == 0)
      return true;
    const auto reader = live[root].find(
        windowOf(result, type, changed), extentBytes(type, changed.strides),
        step, [&](const LiveValues::Member &member) {
          return member.last == step &&
                 isOverwritten(insert, step, member.value);
        });
    if (!reader)
      return true;
    const int64_t start = bufferOf(reader->value).getOffset();
    InFlightDiagnostic diag = beginError(op);
    diag << "the update overwrites bytes " << start << " to "
         << start + extentBytes(tensorType(reader->value),
                                bufferOf(reader->value).getStrides())
         << " of the "
         << stringifySectionKind(bufferOf(reader->value).getSection())
         << " section, which are read "
         << (reader->last == step ? "by the same op" : "again later");
    diag.attachNote(reader->value.getLoc()) << "as this value";
    return false;
  }

  /// True if the kernel that computes the source of the insertion at this step
  /// reads the elements of `read` by the points that overwrite them.
  bool isOverwritten(InsertSliceOp insert, uint64_t step, Value read) {
    auto result =
        insert ? dyn_cast<OpResult>(computed(insert.getSource())) : OpResult();
    auto kernel = result ? dyn_cast<KernelOp>(result.getOwner()) : KernelOp();
    if (!kernel || steps.lookup(kernel) != step)
      return false;
    for (auto [i, operand] : llvm::enumerate(kernel->getOperands()))
      if (operand == read &&
          (bufferOf(read).getOffset() != bufferOf(result).getOffset() ||
           elementBytes(getElementTypeOrSelf(read)) !=
               elementBytes(getElementTypeOrSelf(result)) ||
           !mayWriteInPlace(kernel, i, bufferOf(read).getStrides(),
                            result.getResultNumber(),
                            bufferOf(result).getStrides())))
        return false;
    return true;
  }

  func::FuncOp function;
  Block &block;
  const BufferGroups &groups;
  llvm::function_ref<InFlightDiagnostic(Operation *)> beginError;
  DenseMap<Operation *, uint64_t> steps; // from 1
  DenseMap<Value, uint64_t> lastRead;    // 0: by nothing that counts
  DenseMap<Value, uint64_t> firsts;      // of values with slices
  DenseMap<Value, SmallVector<Value, 2>> windows;
  DenseMap<uint64_t, SmallVector<Operation *, 1>> updates; // by step
  DenseMap<Value, LiveValues> live;                        // by root
};
} // namespace

void checkUpdates(
    func::FuncOp function, const BufferGroups &groups,
    llvm::function_ref<InFlightDiagnostic(Operation *)> beginError) {
  UpdateChecker(function, groups, beginError).run();
}
} // namespace gaudi
