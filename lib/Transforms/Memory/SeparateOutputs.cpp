// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the copies explicit that outputs need.
#include "SeparateOutputs.h"
#include "Donation.h"
#include "ScheduleGraph.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "llvm/Support/FormatVariadic.h"

namespace gaudi {
namespace {

/// The part that runs one iteration of the loop whose value the variable
/// `argument` is, or whose ends the value lives across; null for other
/// arguments. Names of such variables begin with that of the part.
func::FuncOp loopOf(func::FuncOp function, BlockArgument argument) {
  StringAttr name = variableOf(function, argument.getArgNumber());
  Attribute entry = function->getAttr(partOfAttrName);
  if (!name || !entry)
    return nullptr;
  auto part = function->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
      name.getValue().rsplit('.').first);
  return part && part->getAttr(partOfAttrName) == entry ? part : nullptr;
}

class OutputSeparator {
public:
  OutputSeparator(func::FuncOp function, const DeviceTime &time,
                  AliasReport &report)
      : function(function),
        exit(cast<func::ReturnOp>(function.getBody().front().getTerminator())),
        time(time), report(report) {}

  LogicalResult run() {
    for (BlockArgument argument : function.getArguments())
      if (auto result = stateResult(function, argument.getArgNumber())) {
        replaced[*result] = argument;
        if (exit->getOperand(*result) != argument)
          changed.insert(argument);
      }
    DenseSet<Value> returned;
    for (OpOperand &output : exit->getOpOperands()) {
      if (failed(separate(output, returned)))
        return failure();
      returned.insert(returnedRoot(output.get()));
    }
    // What overwrites states comes last: all others may read them.
    for (const OldValue &next : nextValues)
      next.copy->moveBefore(exit);
    hoist();
    return success();
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

  /// Why an argument is copied that replaces the state `target`, or is an
  /// output if that is null. What a loop changes keeps its own buffer, donated
  /// or not.
  Reason reasonToCopy(BlockArgument argument, BlockArgument target) const {
    constexpr StringLiteral unroll =
        "give the loop a constant trip count, with which it is unrolled";
    if (loopOf(function, argument))
      return {"it lives across a loop that the host runs", unroll.str()};
    if (target && loopOf(function, target))
      return {"a loop that the host runs begins with it", unroll.str()};
    return {"it is an argument", isState(function, argument.getArgNumber())
                                     ? ""
                                     : "donate the argument"};
  }

  /// Why an output has no buffer of its own, and what would give it one;
  /// nothing if it has.
  std::optional<Reason> reasonToCopy(unsigned output,
                                     const DenseSet<Value> &returned) const {
    Value value = returnedRoot(exit->getOperand(output));
    if (returned.contains(value))
      return Reason{"it is returned twice", "return it once"};
    Operation *def = value.getDefiningOp();
    if (!def && changed.contains(value))
      return Reason{llvm::formatv("it is the old value of state {0}",
                                  cast<BlockArgument>(value).getArgNumber()),
                    ""};
    if (auto argument = dyn_cast<BlockArgument>(value))
      return reasonToCopy(argument, replaced.lookup(output));
    if (isa<ConstantOp>(def))
      return Reason{"it is a constant", ""};
    if (isa<ViewOpInterface>(def))
      return Reason{"it is a view of another tensor",
                    "return the whole tensor"};
    return std::nullopt;
  }

  /// A donation that must be honoured is not worth a copy: the next value of
  /// `state` is a variable of a loop, which has a buffer of its own.
  LogicalResult refuseCopy(BlockArgument state, unsigned result,
                           func::FuncOp part) {
    const auto argument = parameterNumbers(function)[state.getArgNumber()];
    const auto output = outputNumbers(function)[result];
    RankedTensorType type = tensorType(state);
    InFlightDiagnostic diag = part.emitError("argument ");
    diag << argument.value_or(state.getArgNumber()) << " has '"
         << donatedAttrName << "', but result " << output.value_or(result)
         << " cannot be written to its buffer of "
         << elementCount(state) * elementBytes(type.getElementType())
         << " bytes without a copy: the host runs this loop, across whose ends "
            "the result lives in a buffer of its own; give the loop a constant "
            "trip count, with which it is unrolled, or donate with '"
         << stateAttrName << "', which accepts a copy";
    return failure();
  }

  LogicalResult separate(OpOperand &output, const DenseSet<Value> &returned) {
    Value value = output.get();
    const unsigned number = output.getOperandNumber();
    const auto reason = reasonToCopy(number, returned);
    const Value root = returnedRoot(value);
    OpBuilder builder(exit);
    if (isUnchangedState(value, number)) {
      report.donated(number, cast<BlockArgument>(value));
    } else if (reason) {
      // What a copy reads in the end, under all views.
      Value source = value;
      while (auto view = source.getDefiningOp<ViewOpInterface>())
        source = view.getViewSource(cast<OpResult>(source));
      BlockArgument target = replaced.lookup(number);
      auto variable = dyn_cast<BlockArgument>(source);
      // The next value of a donated state is a variable of a loop, which has a
      // buffer of its own: the copy breaks the donation.
      if (target && variable &&
          function.getArgAttr(target.getArgNumber(), donatedAttrName))
        if (func::FuncOp part = loopOf(function, variable))
          return refuseCopy(target, number, part);
      Operation *copy = createCopy(builder, value, time);
      output.set(copy->getResult(0));
      report.copiedOutput(number, copy, reason->text, reason->remedy);
      // Remembered: the copy of an old value must come before the new one is
      // written.
      const OldValue old = {copy,
                            changed.contains(source)
                                ? cast<BlockArgument>(source)
                                : BlockArgument(),
                            target};
      if (old.target)
        nextValues.push_back(old);
      if (old.source)
        oldValues.push_back(old);
    } else if (root != value) {
      // No copy, but an output is a reshape of a root, not a chain of views.
      output.set(
          ReshapeOp::create(builder, value.getLoc(), value.getType(), root));
      while (value != root && value.use_empty()) {
        Operation *unused = value.getDefiningOp();
        value = unused->getOperand(0);
        unused->erase();
      }
    }
    return success();
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
    // The views that the copy reads go with it, the source's first.
    SmallVector<Operation *> chain = {old.copy};
    while (auto view =
               chain.back()->getOperand(0).getDefiningOp<ViewOpInterface>())
      chain.push_back(view);
    for (Operation *op : llvm::reverse(chain)) {
      if (steps.lookup(op) <= at)
        continue;
      // After what was moved there before: the order of copies stays.
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

LogicalResult separateOutputs(func::FuncOp function, const DeviceTime &time,
                              AliasReport &report) {
  return OutputSeparator(function, time, report).run();
}
} // namespace gaudi
