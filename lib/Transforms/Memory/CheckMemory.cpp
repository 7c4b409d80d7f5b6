// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks memory form.
#include "CheckMemory.h"
#include "CheckUpdates.h"
#include "InPlace.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include <map>

namespace gaudi {
namespace {

struct Range {
  SectionKind section;
  int64_t start, end;
};

Range rangeOf(Value value) {
  BufferAttr buffer = bufferOf(value);
  return {buffer.getSection(), buffer.getOffset(),
          buffer.getOffset() +
              extentBytes(tensorType(value), buffer.getStrides())};
}

class MemoryChecker {
public:
  MemoryChecker(func::FuncOp function,
                llvm::function_ref<InFlightDiagnostic(Operation *)> beginError)
      : function(function), block(function.getBody().front()),
        beginError(beginError) {}

  void run() {
    checkOutputs(cast<func::ReturnOp>(block.getTerminator()));
    // Each step relies on what the ones before it have found to hold.
    if (!failed && checkBounds()) {
      groups.emplace(block);
      findLiveRanges();
      checkSlices();
      checkConflicts();
      if (!failed)
        checkUpdates(function, *groups, beginError);
    }
  }

private:
  InFlightDiagnostic error(Operation *op) {
    failed = true;
    return beginError(op);
  }

  /// The caller gives each output a buffer, which the recipe's commands write:
  /// it can be neither an input nor shared.
  void checkOutputs(func::ReturnOp exit) {
    DenseMap<Value, unsigned> seen;
    for (auto [i, operand] : llvm::enumerate(exit.getOperands())) {
      Value value = returnedRoot(operand);
      Operation *def = value.getDefiningOp();
      // A state that no op changes stays where it is.
      if (isUnchangedState(value, i))
        continue;
      if (!def || isa<ConstantOp, ViewOpInterface>(def)) {
        InFlightDiagnostic diag = error(exit);
        diag << "output " << i << " has no buffer of its own";
        diag.attachNote(value.getLoc())
            << "it is "
            << (!def                   ? "an argument"
                : isa<ConstantOp>(def) ? "a constant"
                                       : "a view");
      } else if (!seen.try_emplace(value, i).second) {
        InFlightDiagnostic diag = error(exit);
        diag << "output " << i << " shares the buffer of output "
             << seen[value];
        diag.attachNote(value.getLoc()) << "both are this value";
      }
    }
  }

  /// Every value has a buffer within its section.
  bool checkBounds() {
    SmallVector<int64_t> sizes; // by SectionKind
    for (StringRef attr : {persistentBytesAttrName, constBytesAttrName,
                           workspaceBytesAttrName}) {
      auto bytes = function->getAttrOfType<IntegerAttr>(attr);
      if (!bytes || bytes.getInt() < 0) {
        error(function) << "function '" << function.getName() << "' has no '"
                        << attr
                        << "', which gaudi-assign-buffers gives; compile the "
                           "model by --gaudi-compile";
        return false;
      }
      sizes.push_back(bytes.getInt());
    }
    for (Value argument : block.getArguments())
      if (!isInBounds(argument, sizes))
        return false;
    for (Operation &op : block)
      for (Value result : op.getResults())
        if (!isInBounds(result, sizes))
          return false;
    return true;
  }

  bool isInBounds(Value value, ArrayRef<int64_t> sectionSizes) {
    Operation *at = value.getDefiningOp() ? value.getDefiningOp() : function;
    BufferAttr buffer = bufferOf(value);
    RankedTensorType type = tensorType(value);
    if (!buffer || int64_t(buffer.getStrides().size()) != type.getRank()) {
      error(at) << "a value of type " << type << " has no buffer";
      return false;
    }
    Range range = rangeOf(value);
    const int64_t size = sectionSizes[unsigned(range.section)];
    if (range.start >= 0 && range.end <= size)
      return true;
    InFlightDiagnostic diag = error(at);
    diag << "bytes " << range.start << " to " << range.end
         << " are outside the " << stringifySectionKind(range.section)
         << " section of " << size << " bytes";
    diag.attachNote(function.getLoc())
        << "the sizes of the sections are given here";
    return false;
  }

  /// The steps at which each buffer is written first and read last, from uses
  /// alone, not from what the planner says. A use of any value in a buffer is a
  /// use of the buffer. Step 0 is before the first op.
  void findLiveRanges() {
    int64_t step = 0;
    auto add = [&](Value value) {
      Value root = groups->rootOf(value);
      if (first.try_emplace(root, step).second)
        buffers.push_back({root, value});
    };
    for (Value argument : block.getArguments())
      add(argument);
    for (Operation &op : block) {
      ++step;
      for (Value operand : op.getOperands())
        last[groups->rootOf(operand)] = step;
      for (Value result : op.getResults())
        add(result);
    }
  }

  /// Links of values to slices form a tree, so that slices are disjoint: a
  /// value is in the slice of one result, and computed there.
  void checkSlices() {
    DenseMap<Value, Operation *> slices;
    for (Operation &op : block) {
      const OperandSlices inResult(&op);
      for (OpOperand &operand : op.getOpOperands()) {
        if (elementCount(operand.get()) == 0 || !inResult.contains(operand))
          continue;
        // Followed through reshapes to the op that computes the value, since
        // that writes the slice.
        Value value = operand.get();
        while (Operation *view = value.getDefiningOp()) {
          if (!isa<ReshapeOp, BitcastOp>(view) ||
              !isWindow(cast<OpResult>(value)))
            break;
          value = view->getOperand(0);
        }
        // An update may change an argument; a slice of a larger result is one
        // place already.
        auto result = dyn_cast<OpResult>(value);
        const bool isUpdate = &operand == updatedOperand(&op);
        const bool isView = result && isa<ViewOpInterface>(result.getOwner()) &&
                            isWindow(result);
        // A value is in one slice only.
        auto [it, isNew] = slices.try_emplace(value, &op);
        if (isNew && (isUpdate || (result && !isView)))
          continue;
        InFlightDiagnostic diag = error(&op);
        diag << "operand " << operand.getOperandNumber()
             << " is in its slice of the result, but ";
        if (isNew)
          diag << "is not computed there";
        else
          diag << "in the slice of another result too";
        diag.attachNote((isNew ? value.getLoc() : it->second->getLoc()))
            << (isNew ? "it comes from here" : "the other one is here");
      }
    }
  }

  /// True if `value` replaces the argument `other` from launch to launch.
  static bool isNextValue(Value value, BlockArgument other) {
    auto function = cast<func::FuncOp>(other.getOwner()->getParentOp());
    auto result = stateResult(function, other.getArgNumber());
    return result &&
           returnedRoot(function.getBody().front().getTerminator()->getOperand(
               *result)) == value;
  }

  /// True if the op that makes `value`, the first in the buffer `root`, at step
  /// `now` may write it over the buffer `other`. The planner asks the same
  /// mayWriteInPlace: the recipe verifier is what checks the rule from another
  /// form.
  bool mayReuse(Value root, Value value, Value other, int64_t now) {
    Range mine = rangeOf(root), theirs = rangeOf(other);
    // Another range is no reuse: overlap of parts is never allowed.
    if (mine.start != theirs.start || mine.end != theirs.end)
      return false;
    const int64_t end = last.lookup(other);
    // Bytes of an argument are the caller's, unless a result replaces it.
    if (auto argument = dyn_cast<BlockArgument>(other)) {
      if (!isNextValue(root, argument))
        return false;
      // The state is dead before the op writes its next value.
      if (end < now)
        return true;
    }
    // Any other reuse is by a kernel, at the last use of the operand, by the
    // value that owns the buffer.
    auto kernel = value.getDefiningOp<KernelOp>();
    if (!kernel || end != now || value != root)
      return false;
    auto result = cast<OpResult>(value);
    for (auto [i, operand] : llvm::enumerate(kernel->getOperands())) {
      // Every operand in that buffer must allow it, not only the one that dies.
      if (groups->rootOf(operand) != other)
        continue;
      if (bufferOf(operand).getOffset() != bufferOf(value).getOffset() ||
          elementBytes(getElementTypeOrSelf(operand)) !=
              elementBytes(getElementTypeOrSelf(value)) ||
          !mayWriteInPlace(kernel, i, bufferOf(operand).getStrides(),
                           result.getResultNumber(),
                           bufferOf(value).getStrides()))
        return false;
    }
    return true;
  }

  /// No two buffers of a section that are alive at once overlap, but for a
  /// kernel's result that reuses the buffer of an operand. One sweep over the
  /// program. The buffers alive are disjoint and ordered by address, so that a
  /// new one can overlap only the next at or after its start and the one before
  /// that. O(n log n).
  void checkConflicts() {
    std::map<std::pair<unsigned, int64_t>, Value> alive; // section, start
    std::multimap<int64_t, Value> ends;                  // by last step
    for (auto [root, value] : buffers) {
      Range range = rangeOf(root);
      if (range.start == range.end || range.section == SectionKind::Const)
        continue; // equal constants share bytes, which nothing writes
      const int64_t now = first.lookup(root);
      for (; !ends.empty() && ends.begin()->first < now;
           ends.erase(ends.begin())) {
        Range done = rangeOf(ends.begin()->second);
        auto place = alive.find({unsigned(done.section), done.start});
        // A result that reuses a buffer has replaced its entry.
        if (place != alive.end() && place->second == ends.begin()->second)
          alive.erase(place);
      }
      Value other = overlapping(alive, range);
      if (other && !mayReuse(root, value, other, now)) {
        Operation *def = value.getDefiningOp();
        InFlightDiagnostic diag = error(def ? def : function);
        diag << "bytes " << range.start << " to " << range.end << " of the "
             << stringifySectionKind(range.section)
             << " section are still in use";
        diag.attachNote(other.getLoc()) << "by this value";
        return;
      }
      alive[{unsigned(range.section), range.start}] = root;
      // Arguments and outputs belong to the caller: they are alive to the end.
      bool isPersistent = range.section == SectionKind::Persistent;
      ends.emplace(isPersistent ? INT64_MAX : std::max(now, last.lookup(root)),
                   root);
    }
  }

  /// A buffer alive that has bytes of `range`, or null.
  Value overlapping(const std::map<std::pair<unsigned, int64_t>, Value> &alive,
                    const Range &range) {
    const unsigned section = unsigned(range.section);
    auto next = alive.lower_bound({section, range.start});
    if (next != alive.end() && next->first.first == section &&
        next->first.second < range.end)
      return next->second;
    if (next == alive.begin())
      return {};
    auto previous = std::prev(next);
    bool reaches = previous->first.first == section &&
                   rangeOf(previous->second).end > range.start;
    return reaches ? previous->second : Value();
  }

  func::FuncOp function;
  Block &block;
  llvm::function_ref<InFlightDiagnostic(Operation *)> beginError;
  bool failed = false;
  std::optional<BufferGroups> groups;
  /// Roots of buffers in order of their first step, and the first value there.
  SmallVector<std::pair<Value, Value>> buffers;
  DenseMap<Value, int64_t> first, last; // by root
};
} // namespace

void checkMemory(func::FuncOp function,
                 llvm::function_ref<InFlightDiagnostic(Operation *)> error) {
  MemoryChecker(function, error).run();
}
} // namespace gaudi
