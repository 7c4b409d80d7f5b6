// Makes the copies explicit that outputs need.
#include "SeparateOutputs.h"
#include "ScheduleGraph.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::gaudi {
namespace {

class OutputSeparator {
public:
  OutputSeparator(func::FuncOp function, const DeviceTime &time,
                  AliasReport &report)
      : function(function),
        exit(cast<func::ReturnOp>(function.getBody().front().getTerminator())),
        time(time), report(report) {}

  void run() {
    for (BlockArgument argument : function.getArguments())
      if (auto result = stateResult(function, argument.getArgNumber())) {
        replaced[*result] = argument;
        if (exit->getOperand(*result) != argument)
          changed.insert(argument);
      }
    DenseSet<Value> returned;
    for (OpOperand &output : exit->getOpOperands()) {
      separate(output, returned);
      returned.insert(returnedRoot(output.get()));
    }
    // What overwrites states comes last: all others may read them.
    for (const OldValue &next : nextValues)
      next.copy->moveBefore(exit);
    hoist();
  }

private:
  /// A copy of the old value of a state that changes.
  struct OldValue {
    Operation *copy;
    BlockArgument source; // null for copies of other values
    BlockArgument target; // the state that it replaces; null for an output
  };

  struct Reason {
    std::string text, remedy;
  };

  /// Why a returned value has no buffer of its own, and what would give it one;
  /// nothing if it has.
  std::optional<Reason> reasonToCopy(Value value,
                                     const DenseSet<Value> &returned) const {
    value = returnedRoot(value);
    if (returned.contains(value))
      return Reason{"it is returned twice", "return it once"};
    Operation *def = value.getDefiningOp();
    if (!def && changed.contains(value))
      return Reason{llvm::formatv("it is the old value of state {0}",
                                  cast<BlockArgument>(value).getArgNumber()),
                    ""};
    if (!def)
      return Reason{"it is an argument", "donate the argument"};
    if (isa<ConstantOp>(def))
      return Reason{"it is a constant", ""};
    if (isa<ViewOpInterface>(def))
      return Reason{"it is a view of another tensor",
                    "return the whole tensor"};
    return std::nullopt;
  }

  void separate(OpOperand &output, const DenseSet<Value> &returned) {
    Value value = output.get();
    const unsigned number = output.getOperandNumber();
    const auto reason = reasonToCopy(value, returned);
    const Value root = returnedRoot(value);
    OpBuilder builder(exit);
    if (isUnchangedState(value, number)) {
      report.donated(number, cast<BlockArgument>(value));
    } else if (reason) {
      Operation *copy = createCopy(builder, value, time);
      output.set(copy->getResult(0));
      report.copiedOutput(number, copy, reason->text, reason->remedy);
      Value source = value;
      while (auto view = source.getDefiningOp<ViewOpInterface>())
        source = view.getViewSource(cast<OpResult>(source));
      const OldValue old = {copy,
                            changed.contains(source)
                                ? cast<BlockArgument>(source)
                                : BlockArgument(),
                            replaced.lookup(number)};
      if (old.target)
        nextValues.push_back(old);
      if (old.source)
        oldValues.push_back(old);
    } else if (root != value) {
      output.set(
          ReshapeOp::create(builder, value.getLoc(), value.getType(), root));
      while (value != root && value.use_empty()) {
        Operation *unused = value.getDefiningOp();
        value = unused->getOperand(0);
        unused->erase();
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Old values of states
  //===--------------------------------------------------------------------===//

  /// Moves the copies of old values before the ops that write the new ones,
  /// which need no copy then. A copy that is the next value of another state
  /// stays after the last reader of that one. Kahn's algorithm: it is moved
  /// when all copies that read the state it overwrites have been; the copies of
  /// states that are exchanged stay at the end.
  void hoist() {
    DenseMap<Value, SmallVector<size_t, 1>> writers; // by target
    DenseMap<Value, unsigned> readers;               // copies, not yet moved
    SmallVector<size_t> ready;
    for (auto [i, old] : llvm::enumerate(oldValues)) {
      if (old.target)
        writers[old.target].push_back(i);
      ++readers[old.source];
    }
    for (auto [i, old] : llvm::enumerate(oldValues))
      if (!old.target || readers.lookup(old.target) == 0)
        ready.push_back(i);
    if (ready.empty())
      return;
    for (Operation &op : function.getBody().front()) {
      ops.push_back(&op);
      steps[&op] = ops.size();
    }
    for (size_t next = 0; next < ready.size(); ++next) {
      const OldValue &old = oldValues[ready[next]];
      hoist(old);
      if (--readers[old.source] == 0)
        llvm::append_range(ready, writers.lookup(old.source));
    }
  }

  /// To the start, or after the last reader of the state that it overwrites,
  /// together with the views that it reads.
  void hoist(const OldValue &old) {
    assert(old.source != old.target && "it would wait for itself");
    uint64_t at = 0;
    if (old.target)
      forEachReader(old.target, [&](Operation *reader) {
        at = std::max(at, steps.lookup(reader));
      });
    SmallVector<Operation *> chain = {old.copy};
    while (auto view =
               chain.back()->getOperand(0).getDefiningOp<ViewOpInterface>())
      chain.push_back(view);
    for (Operation *op : llvm::reverse(chain)) {
      if (steps.lookup(op) <= at)
        continue;
      Operation *&last = tails[at];
      if (last)
        op->moveAfter(last);
      else if (at != 0)
        op->moveAfter(ops[at - 1]);
      else
        op->moveBefore(ops.front());
      last = op;
      steps[op] = at;
    }
  }

  func::FuncOp function;
  func::ReturnOp exit;
  const DeviceTime &time;
  AliasReport &report;
  DenseMap<unsigned, BlockArgument> replaced; // states, by result
  DenseSet<Value> changed;                    // states
  SmallVector<OldValue> nextValues;           // of states, that are copies
  SmallVector<OldValue> oldValues;            // of states, that are copied
  // While copies are moved: steps count ops from 1; what is moved has the step
  // of the op that it now follows, 0 at the start.
  SmallVector<Operation *> ops;
  DenseMap<Operation *, uint64_t> steps;
  DenseMap<uint64_t, Operation *> tails; // moved last, by step
};
} // namespace

Operation *createCopy(OpBuilder &builder, Value value, const DeviceTime &time) {
  auto copy = CopyOp::create(builder, value.getLoc(), value.getType(), value);
  cast<PlaceableOpInterface>(copy.getOperation())
      .setEngine(engineFor(time.spec, Movement::Copy,
                           getElementTypeOrSelf(value.getType())));
  return copy;
}

void separateOutputs(func::FuncOp function, const DeviceTime &time,
                     AliasReport &report) {
  OutputSeparator(function, time, report).run();
}
} // namespace mlir::gaudi
