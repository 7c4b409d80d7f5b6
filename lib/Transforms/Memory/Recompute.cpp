// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs cheap ops again where keeping their results makes the peak.
//
// At the op with the peak, a buffer that was written before and is read again
// only later can be dropped, if its producer runs again before that reader.
// Candidates are tried by the bytes that they free there per time that they
// take; each one that lowers the peak, or the bytes at the first op that has
// it, without raising another to the peak, stays.
#include "Recompute.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace gaudi {
namespace {
/// Ops of one chain that runs again, and candidates that are tried at a peak.
constexpr size_t longestChain = 6, mostTried = 24;
/// Ops that are visited in all: keeps compile time linear in long functions.
constexpr uint64_t mostVisits = 20'000'000;

class Recomputer {
public:
  Recomputer(func::FuncOp function, const DeviceTime &time, uint64_t budget)
      : function(function), time(time), budget(budget) {}

  SmallVector<Recomputed> run() {
    refresh();
    while (profile.peak > budget && isOver() && visits < mostVisits &&
           lowerPeak()) {
    }
    return std::move(done);
  }

private:
  /// A buffer at the peak and the ops that make it again, operands first.
  struct Candidate {
    Value value;
    size_t number;     // of its buffer
    Operation *reader; // the first one after the peak
    SmallVector<Operation *> chain;
    int64_t freed = 0; // bytes at the peak
    Picoseconds cost = 0;
  };

  /// Whether the workspace exceeds the budget also if operands are computed in
  /// slices of results.
  bool isOver() {
    const ScheduleGraph planned = scheduleGraphOf(function, time.spec);
    visits += planned.graph.ops;
    return planned.profile().peak > budget;
  }

  /// What runs again must be distinguished from what is in the same buffer.
  void refresh() {
    schedule = scheduleGraphOf(function, time.spec, Slices::OnTheirOwn);
    visits += schedule.graph.ops;
    profile = schedule.profile();
    position.clear();
    for (auto [p, op] : llvm::enumerate(schedule.nodes))
      position[op] = uint32_t(p);
    buffer.clear();
    for (auto [b, value] : llvm::enumerate(schedule.buffers))
      buffer[value] = uint32_t(b);
    updated.clear();
    Operation *exit = schedule.nodes.back();
    for (BlockArgument argument : function.getArguments())
      if (auto result = stateResult(function, argument.getArgNumber()))
        if (Operation *writer =
                returnedRoot(exit->getOperand(*result)).getDefiningOp())
          if (auto it = position.find(writer); it != position.end())
            updated[argument] = it->second;
  }

  /// Applies the best candidate at the peak that helps; false if none does.
  bool lowerPeak() {
    SmallVector<Candidate> candidates = findCandidates();
    llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
      // freed / cost, without division by a cost of 0.
      const double x = double(a.freed) * double(b.cost + 1),
                   y = double(b.freed) * double(a.cost + 1);
      return x != y ? x > y : a.number < b.number;
    });
    if (candidates.size() > mostTried)
      candidates.truncate(mostTried);
    for (const Candidate &candidate : candidates)
      if (apply(candidate))
        return true;
    return false;
  }

  SmallVector<Candidate> findCandidates() {
    SmallVector<Candidate> candidates;
    const uint32_t peak = profile.peakPosition;
    for (auto [b, info] : llvm::enumerate(schedule.graph.buffers)) {
      const auto &ops = info.ops;
      if (ops.front() >= peak || ops.back() <= peak ||
          llvm::is_contained(ops, peak))
        continue;
      const uint32_t next = *llvm::lower_bound(ops, peak);
      if (next + 1 == schedule.graph.ops)
        continue; // the next value of a state, kept for the return
      Candidate candidate{
          schedule.buffers[b], b, schedule.nodes[next], {}, 0, 0};
      candidate.freed = int64_t(info.bytes);
      if (addChain(candidate.value, next, candidate) && candidate.freed > 0)
        candidates.push_back(std::move(candidate));
    }
    return candidates;
  }

  /// Adds the producer of `value` to what runs again before position `at`, and
  /// the producers of its operands that are gone by then.
  bool addChain(Value value, uint32_t at, Candidate &candidate) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumResults() != 1 || !isMemoryEffectFree(op) ||
        isa<ViewOpInterface>(op))
      return false;
    if (llvm::is_contained(candidate.chain, op))
      return true;
    if (candidate.chain.size() == longestChain)
      return false;
    candidate.cost += time.of(op);
    for (Value operand : op->getOperands()) {
      const Value source = sourceOf(operand);
      if (auto writer = updated.find(source);
          writer != updated.end() && writer->second <= at)
        return false; // overwritten by then
      auto it = buffer.find(source);
      if (it == buffer.end())
        continue; // an argument, a constant or an output
      const auto &info = schedule.graph.buffers[it->second];
      if (info.ops.back() >= at)
        continue; // alive anyway
      // Either it runs again, too, or it is kept. One that is alive at the peak
      // anyway is kept for nothing.
      Candidate longer = candidate;
      if (info.ops.back() > profile.peakPosition) {
        continue;
      } else if (addChain(source, at, longer)) {
        candidate = std::move(longer);
      } else {
        candidate.freed -= int64_t(info.bytes);
      }
    }
    candidate.chain.push_back(op);
    return true;
  }

  /// Lets all readers of the value from `reader` on read what runs again.
  bool apply(const Candidate &candidate) {
    // The chain runs right before the reader.
    OpBuilder builder(candidate.reader);
    IRMapping copies;
    SmallVector<Operation *> made;
    const auto copy = [&](Operation *op) {
      made.push_back(builder.clone(*op, copies));
    };
    // Views between the ops of the chain run again with them.
    const auto copyViews = [&](Value operand) {
      SmallVector<Operation *> views;
      for (Value value = operand; !copies.contains(value);) {
        auto view = value.getDefiningOp<ViewOpInterface>();
        if (!view)
          return;
        views.push_back(view);
        value = view.getViewSource(cast<OpResult>(value));
      }
      for (Operation *view : llvm::reverse(views))
        copy(view);
    };
    for (Operation *op : candidate.chain) {
      for (Value operand : op->getOperands())
        copyViews(operand);
      copy(op);
    }
    SmallVector<std::pair<OpOperand *, Value>> changed;
    // Readers before that one still read the first result.
    const uint32_t from = position[candidate.reader];
    const auto &readers = schedule.graph.buffers[buffer[candidate.value]].ops;
    for (uint32_t reader : readers) {
      if (reader < from)
        continue;
      for (OpOperand &operand : schedule.nodes[reader]->getOpOperands()) {
        if (sourceOf(operand.get()) != candidate.value)
          continue;
        copyViews(operand.get());
        changed.push_back({&operand, operand.get()});
      }
    }
    for (auto &[operand, old] : changed)
      operand->set(copies.lookup(old));
    // Judged by the profile of the whole: the chain also lengthens the
    // lifetimes of its operands.
    const uint64_t peak = profile.peak,
                   atPeak = profile.during[profile.peakPosition];
    Operation *top = schedule.nodes[profile.peakPosition];
    refresh();
    if (profile.peak < peak ||
        (profile.peak == peak && profile.during[position[top]] < atPeak)) {
      dropDeadViews(changed);
      done.push_back({candidate.chain.back(), candidate.freed, candidate.cost,
                      unsigned(candidate.chain.size())});
      return true;
    }
    // Undone in reverse order, so that no op is erased before its users.
    for (auto &[operand, old] : changed)
      operand->set(old);
    for (Operation *op : llvm::reverse(made))
      op->erase();
    refresh();
    return false;
  }

  /// Views of the first computation that nothing reads any more.
  static void dropDeadViews(ArrayRef<std::pair<OpOperand *, Value>> changed) {
    llvm::SmallSetVector<Operation *, 4> unused;
    for (const auto &[operand, old] : changed)
      unused.insert(old.getDefiningOp());
    while (!unused.empty()) {
      Operation *op = unused.pop_back_val();
      if (!isa_and_nonnull<ViewOpInterface>(op) || !op->use_empty())
        continue;
      for (Value operand : op->getOperands())
        if (Operation *def = operand.getDefiningOp())
          unused.insert(def);
      op->erase();
    }
  }

  func::FuncOp function;
  const DeviceTime &time;
  const uint64_t budget;
  ScheduleGraph schedule;
  memory::OrderProfile profile;
  DenseMap<Operation *, uint32_t> position;
  DenseMap<Value, uint32_t> buffer;
  DenseMap<Value, uint32_t> updated; // states, and where they are
  uint64_t visits = 0;
  SmallVector<Recomputed> done;
};
} // namespace

SmallVector<Recomputed> recomputeWithin(func::FuncOp function,
                                        const DeviceTime &time,
                                        uint64_t budget) {
  return Recomputer(function, time, budget).run();
}
} // namespace gaudi
