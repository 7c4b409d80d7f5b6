// Decides which values share a buffer: gaudi-alias-buffers.
//
// Each value is a window on the buffer of a root. Three steps, each linear or
// n log n in the number of ops. `separateOutputs` makes the copies explicit
// that outputs need. SlicePlacer goes against program order and finds the
// values that are computed straight into a slice of another one. `run` goes in
// program order: views become windows on their operand, results of kernels
// reuse the buffers of operands at their last use, and next values of states
// are written over the old ones. `layOut` then puts the roots of the workspace
// one behind the other: a plan without a conflict, which gaudi-assign-buffers
// packs.
#include "AliasReport.h"
#include "BufferTable.h"
#include "Donation.h"
#include "InPlace.h"
#include "SlicePlacement.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "Gaudi/Transforms/Passes.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_ALIASBUFFERS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Why a returned value has no buffer of its own, and what would give it one;
/// empty if it has.
std::pair<StringRef, StringRef> reasonToCopy(Value value,
                                             const DenseSet<Value> &returned) {
  value = returnedRoot(value);
  if (returned.contains(value))
    return {"it is returned twice", "return it once"};
  Operation *def = value.getDefiningOp();
  if (!def)
    return {"it is an argument", "donate the argument"};
  if (isa<ConstantOp>(def))
    return {"it is a constant", ""};
  if (isa<ViewOpInterface>(def))
    return {"it is a view of another tensor", "return the whole tensor"};
  return {};
}

/// Gives each output a buffer of its own: a reshape becomes the last op, so
/// that the op before it writes the output; all other values are copied.
void separateOutputs(func::ReturnOp exit, const DeviceTime &time,
                     AliasReport &report) {
  auto function = cast<func::FuncOp>(exit->getParentOp());
  DenseSet<unsigned> ofStates; // results that replace states
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto result = stateResult(function, i))
      ofStates.insert(*result);
  DenseSet<Value> returned;
  SmallVector<Operation *> nextValues;
  OpBuilder builder(exit);
  for (OpOperand &operand : exit->getOpOperands()) {
    Value value = operand.get();
    const unsigned output = operand.getOperandNumber();
    auto [reason, remedy] = reasonToCopy(value, returned);
    Value root = returnedRoot(value);
    if (isUnchangedState(value, output)) {
      report.donated(output, cast<BlockArgument>(value));
    } else if (!reason.empty()) {
      auto copy =
          CopyOp::create(builder, value.getLoc(), value.getType(), value);
      cast<PlaceableOpInterface>(copy.getOperation())
          .setEngine(engineFor(time.spec, Movement::Copy,
                               getElementTypeOrSelf(value.getType())));
      operand.set(copy);
      if (ofStates.contains(output))
        nextValues.push_back(copy);
      report.copiedOutput(output, copy, reason, remedy);
    } else if (root != value) {
      operand.set(
          ReshapeOp::create(builder, value.getLoc(), value.getType(), root));
      while (value != root && value.use_empty()) {
        Operation *unused = value.getDefiningOp();
        value = unused->getOperand(0);
        unused->erase();
      }
    }
    returned.insert(returnedRoot(operand.get()));
  }
  // What overwrites states comes last: all others may read them.
  for (Operation *copy : nextValues)
    copy->moveBefore(exit);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

class BufferAliaser : BufferTable {
public:
  BufferAliaser(func::FuncOp function, const ::gaudi::device::DeviceSpec &spec,
                AliasReport &report)
      : BufferTable(function, spec), report(report), uses(function),
        slices(function, uses) {}

  /// Fails if the buffers do not fit the numbers of a file.
  LogicalResult run() {
    Block &block = function.getBody().front();
    for (BlockArgument argument : block.getArguments()) {
      addRoot(argument, SectionKind::Persistent,
              denseStrides(tensorType(argument).getShape()), 0);
      keepAlive(argument);
    }
    SmallVector<Operation *> ops; // copies are added while they are visited
    for (Operation &op : block.without_terminator())
      ops.push_back(&op);
    for (Operation *op : ops)
      visit(op);
    if (failed(copyStates()))
      return failure();
    reportSlices(ops);
    if (failed(layOut()))
      return failure();
    attach();
    return success();
  }

private:
  void visit(Operation *op) {
    if (auto constant = dyn_cast<ConstantOp>(op))
      return addConstant(constant);
    for (OpResult result : op->getResults()) {
      auto view = dyn_cast<ViewOpInterface>(op);
      if (!view || !addView(result, view))
        addComputed(result);
    }
  }

  /// True if a splat constant may be one element with strides of 0: its readers
  /// are kernels, data movement and scatters of rows, which take any strides.
  bool canBroadcast(ConstantOp op) {
    return isa<SplatElementsAttr>(op.getValue()) &&
           llvm::all_of(op->getUsers(), [](Operation *user) {
             return isa<KernelOp, ScatterRowsOp, PlaceableOpInterface>(user);
           });
  }

  void addConstant(ConstantOp op) {
    auto value = cast<OpResult>(op.getResult());
    bool broadcast = canBroadcast(op);
    // Equal constants in one form share a buffer.
    auto key = std::make_pair(Attribute(op.getValue()), unsigned(broadcast));
    if (auto it = constants.find(key); it != constants.end()) {
      BufferWindow shared = windows[it->second];
      windows[value] = std::move(shared);
      report.constant(value);
      return;
    }
    constants[key] = value;
    addRoot(value, SectionKind::Const,
            broadcast ? SmallVector<int64_t>(tensorType(value).getRank(), 0)
                      : denseStrides(tensorType(value).getShape()),
            uses.stepOf(op));
  }

  bool addView(OpResult value, ViewOpInterface view) {
    Value source = view.getViewSource(value);
    const BufferWindow from = windows[source];
    std::optional<StridedLayout> layout =
        view.getViewLayout(value, {0, from.strides});
    // A view that would be a copy of a dense operand is one of a window as
    // well: lifetimes and updates have been decided without its readers.
    if (!layout || uses.computed(value) == value) {
      report.copiedView(value, source);
      return false;
    }
    int64_t bytes = elementBytes(tensorType(value).getElementType());
    windows[value] = {from.root, from.byteOffset + layout->offset * bytes,
                      layout->strides};
    report.view(value);
    return true;
  }

  /// The buffer of `value` is alive to its last use.
  void keepAlive(Value value) {
    BufferRoot &root = rootOf(value);
    root.last = std::max(root.last, uses.lastUse(value));
  }

  void addComputed(OpResult result) {
    const uint64_t step = uses.stepOf(result.getOwner());
    if (const Slice *slice = slices.find(result)) {
      const size_t root = rootFor(slice->target, result, step);
      windows[result] = {root,
                         slice->layout.offset *
                             elementBytes(tensorType(result).getElementType()),
                         slice->layout.strides};
    } else if (windows.contains(result)) {
      // Its slices are there already.
    } else if (!updateState(result, step)) {
      const size_t root = rootFor(result, result, step);
      auto kernel = dyn_cast<KernelOp>(result.getOwner());
      if (kernel && roots[root].section == SectionKind::Workspace &&
          !roots[root].owner)
        reuseOperand(kernel, result, root, step);
    }
    keepAlive(result);
  }

  /// The root of `target`, which `writer` is the first to write something to.
  size_t rootFor(Value target, OpResult writer, uint64_t step) {
    if (auto it = windows.find(target); it != windows.end())
      return it->second.root;
    const size_t root =
        addRoot(target,
                uses.outputs.contains(target) ? SectionKind::Persistent
                                              : SectionKind::Workspace,
                denseStrides(tensorType(target).getShape()), step);
    if (auto update = uses.updates.find(target); update != uses.updates.end())
      replaceState(update->second, root, writer, step);
    return root;
  }

  //===--------------------------------------------------------------------===//
  // States
  //===--------------------------------------------------------------------===//

  /// Gives the next value of a state the buffer of the old one. Where that
  /// would overwrite what is still read, a copy at the end moves it there: all
  /// reads are before it, and nothing reads states after it.
  void replaceState(const StateUpdate &update, size_t root, OpResult writer,
                    uint64_t step) {
    const size_t owner = ownerOf(windows[update.state].root);
    auto next = cast<OpResult>(roots[root].value);
    if (auto reason = reasonToCopy(owner, writer, next, step)) {
      pending[update.state] = {update, std::move(*reason)};
      return;
    }
    BufferRoot &old = roots[owner];
    assert(old.last <= step && "nothing reads the old value after that");
    assert(old.size == roots[root].size && "one layout");
    old.last = std::max(old.last, roots[root].last);
    roots[root].owner = owner;
    report.state(update, next);
  }

  /// Why the op that computes `writer`, which is `next` or the first that is in
  /// a slice of it, cannot write it to the buffer of the state's root `owner`.
  std::optional<CopyReason> reasonToCopy(size_t owner, OpResult writer,
                                         OpResult next, uint64_t step) {
    Operation *op = writer.getOwner();
    if (roots[owner].last > step)
      return CopyReason{"the old value is read after the new one is computed",
                        uses.readerAfter(roots[owner].value, step),
                        "let the last reader of the old value come first"};
    if (roots[owner].last < step)
      return std::nullopt; // nobody reads it any more
    // The op that writes the new value is the last one that reads the old one.
    // Of a kernel the accesses tell which point reads what, an update reads
    // nothing of the operand; all other ops may read any element after they
    // have written it.
    OpOperand *updated = updatedOperand(op);
    auto kernel = dyn_cast<KernelOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      const BufferWindow &from = windows[operand.get()];
      if (ownerOf(from.root) != owner)
        continue;
      if (&operand == updated && updatesInPlace(from, writer))
        continue;
      if (!kernel)
        return CopyReason{
            "the op that computes the new value reads the old one meanwhile",
            op, ""};
      if (writer != next || !startsLike(operand.get(), next) ||
          !mayWriteInPlace(kernel, operand.getOperandNumber(), from.strides,
                           next.getResultNumber(), windows[next].strides))
        return CopyReason{"the old value is read by other points than those "
                          "that would overwrite it",
                          op, ""};
    }
    return std::nullopt;
  }

  /// True if the window has the place that `result` has, or will have, in the
  /// buffer of the state.
  bool updatesInPlace(const BufferWindow &window, OpResult result) {
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

  /// Lets an update that is neither an output nor the next value of a state
  /// work in the buffer of one, if the next value is computed later: chains of
  /// updates change a state step by step.
  bool updateState(OpResult result, uint64_t step) {
    OpOperand *updated = updatedOperand(result.getOwner());
    if (!updated || uses.outputs.contains(result) ||
        uses.updates.contains(result))
      return false;
    const BufferWindow from = windows[updated->get()];
    const size_t owner = ownerOf(from.root);
    auto state = dyn_cast<BlockArgument>(roots[owner].value);
    auto number =
        state ? stateResult(function, state.getArgNumber()) : std::nullopt;
    if (!number)
      return false;
    Value next =
        function.getBody().front().getTerminator()->getOperand(*number);
    if (next == state ||
        uses.lastUse(result) > slices.firstWrite(returnedRoot(next)) ||
        roots[owner].last > step || !updatesInPlace(from, result))
      return false;
    for (OpOperand &other : result.getOwner()->getOpOperands())
      if (&other != updated && ownerOf(windows[other.get()].root) == owner)
        return false;
    windows[result] = from;
    return true;
  }

  /// A donation that must be honoured is not worth a copy.
  LogicalResult refuseCopy(const StateUpdate &update,
                           const CopyReason &reason) {
    InFlightDiagnostic diag = function.emitError("argument ");
    diag << update.state.getArgNumber() << " has '" << donatedAttrName
         << "', but result " << update.result
         << " cannot be written to its buffer of " << rootOf(update.state).size
         << " bytes without a copy: " << reason.text;
    if (!reason.remedy.empty())
      diag << "; " << reason.remedy;
    if (reason.reader)
      diag.attachNote(reason.reader->getLoc())
          << "'" << reason.reader->getName().getStringRef() << "' reads it";
    return failure();
  }

  /// Copies the next values that are not in the buffers of their states.
  LogicalResult copyStates() {
    Operation *exit = function.getBody().front().getTerminator();
    uint64_t step = uses.lastStep();
    for (BlockArgument state : function.getArguments()) {
      auto it = pending.find(state);
      if (it == pending.end())
        continue;
      auto &[update, reason] = it->second;
      if (function.getArgAttr(state.getArgNumber(), donatedAttrName))
        return refuseCopy(update, reason);
      Value value = exit->getOperand(update.result);
      report.copiedState(update, cast<OpResult>(returnedRoot(value)), reason);
      OpBuilder builder(exit);
      auto copy =
          CopyOp::create(builder, value.getLoc(), value.getType(), value);
      cast<PlaceableOpInterface>(copy.getOperation())
          .setEngine(engineFor(time.spec, Movement::Copy,
                               getElementTypeOrSelf(value.getType())));
      exit->setOperand(update.result, copy);
      BufferRoot &source = rootOf(value);
      source.last = std::max(source.last, step);
      const size_t root =
          addRoot(copy, SectionKind::Workspace,
                  denseStrides(tensorType(copy).getShape()), step++);
      roots[root].owner = ownerOf(windows[state].root);
    }
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Results that reuse buffers of operands
  //===--------------------------------------------------------------------===//

  /// Why result `result` of `kernel` cannot reuse the buffer of operand
  /// `operand`; empty if it can. Nothing for operands whose buffer cannot fit:
  /// of another size, another element size, or not in the workspace.
  std::optional<StringRef> refusal(KernelOp kernel, OpResult result,
                                   unsigned operand, uint64_t step) {
    Value from = kernel->getOperand(operand);
    // The last use must be this op, and every load of the buffer must be at the
    // position that the same point stores to: then no point reads what another
    // has overwritten, in any order of execution.
    const BufferWindow &source = windows[from], &target = windows[result];
    const size_t owner = ownerOf(source.root);
    if (roots[owner].section != SectionKind::Workspace ||
        !startsLike(from, result) ||
        roots[owner].size != roots[target.root].size)
      return std::nullopt;
    if (roots[owner].reusedAt == step)
      return "is already reused by another result";
    if (roots[owner].last > step)
      return "is read again later";
    // Operands may be different windows on the buffer: each must agree.
    for (auto [i, other] : llvm::enumerate(kernel->getOperands()))
      if (ownerOf(windows[other].root) == owner &&
          (!startsLike(other, result) ||
           !mayWriteInPlace(kernel, i, windows[other].strides,
                            result.getResultNumber(), target.strides)))
        return "is read by other points than those that would overwrite it";
    return "";
  }

  /// Operands in the order in which they are tried. Results of matrix ops come
  /// first: the other operands stay intact then, so that the kernel can follow
  /// the matrix op tile by tile.
  SmallVector<unsigned> candidates(KernelOp kernel) {
    SmallVector<unsigned> order, others;
    for (unsigned i = 0; i < kernel->getNumOperands(); ++i) {
      auto maker = rootOf(kernel->getOperand(i))
                       .value.getDefiningOp<EngineOpInterface>();
      bool first = maker && maker.getEngine() == Engine::MME;
      (first ? order : others).push_back(i);
    }
    llvm::append_range(order, others);
    return order;
  }

  void reuseOperand(KernelOp kernel, OpResult result, size_t root,
                    uint64_t step) {
    std::optional<std::pair<unsigned, StringRef>> refused;
    for (unsigned operand : candidates(kernel)) {
      std::optional<StringRef> reason = refusal(kernel, result, operand, step);
      if (!reason)
        continue;
      if (!reason->empty()) {
        if (!refused)
          refused.emplace(operand, *reason);
        continue;
      }
      const size_t owner = ownerOf(windows[kernel->getOperand(operand)].root);
      assert(roots[owner].section == SectionKind::Workspace &&
             roots[owner].first <= step && "alive in the workspace");
      roots[owner].reusedAt = step;
      roots[root].owner = owner;
      report.inPlace(result, operand);
      return;
    }
    if (refused)
      report.notInPlace(result, refused->first, refused->second);
  }

  //===--------------------------------------------------------------------===//
  // The answer
  //===--------------------------------------------------------------------===//

  /// Why a movement remains that could be strides; empty for other ops.
  static StringRef reasonToMove(Operation *op) {
    if (op->getNumResults() == 0 || elementCount(op->getResult(0)) == 0)
      return "";
    return isa<TransposeOp>(op) ? "its elements are needed in this order"
           : isa<BroadcastOp>(op)
               ? "each repetition of its elements is needed in memory"
               : "";
  }

  /// Says of each operand that has a slice of the result whether it is there,
  /// and of each movement why it remains.
  void reportSlices(ArrayRef<Operation *> ops) {
    for (Operation *op : ops) {
      if (StringRef reason = reasonToMove(op); !reason.empty())
        report.moved(op,
                     {reason.str(),
                      uses.readerAfter(op->getResult(0), uses.stepOf(op)), ""});
      if (auto insert = dyn_cast<InsertSliceOp>(op);
          insert && elementCount(insert.getSource()) != 0)
        report.copiedSlice(insert.getSourceMutable(),
                           {"the elements that it replaces are read until then",
                            nullptr, "concatenate what fills the whole"});
      OpOperand *updated = updatedOperand(op);
      for (OpOperand &operand : op->getOpOperands()) {
        if ((!isa<ConcatOp>(op) && &operand != updated) ||
            elementCount(operand.get()) == 0)
          continue;
        const BufferWindow &own = windows[operand.get()];
        const BufferWindow &result = windows[op->getResult(0)];
        const bool isSame = ownerOf(own.root) == ownerOf(result.root);
        // An argument is updated in place if it is a state.
        const CopyReason *reason = slices.refusal(operand);
        const auto state = pending.find(uses.computed(operand.get()));
        if (!reason || (isSame && &operand == updated))
          report.slice(operand);
        else
          report.copiedSlice(
              operand, state == pending.end() ? *reason : state->second.second);
      }
    }
  }

  /// Each root of the workspace gets bytes of its own.
  LogicalResult layOut() {
    constexpr int64_t most = int64_t(1) << 62;
    for (BufferRoot &root : roots) {
      if (root.section != SectionKind::Workspace || root.owner)
        continue;
      root.offset = workspaceEnd;
      workspaceEnd += aligned(root.size);
      if (workspaceEnd > most)
        return root.value.getDefiningOp()->emitError(
                   "the buffers of the ops up to this one have more than 2^62 "
                   "bytes, ")
               << root.size
               << " of them its own; expected tensors that fit a "
                  "device";
    }
    return success();
  }

  AliasReport &report;
  const ValueUses uses;
  const SlicePlacer slices;
  DenseMap<std::pair<Attribute, unsigned>, Value> constants;
  DenseMap<Value, std::pair<StateUpdate, CopyReason>> pending; // by state
};

/// Drops what an earlier run has recorded, but for what other passes have.
void forgetAliases(ModuleOp module) {
  if (!module->hasAttr(memoryAttrName))
    return;
  const auto records = memoryRecords(module);
  module->removeAttr(memoryAttrName);
  for (MemoryRecord kept : records) {
    llvm::erase_if(kept.entries, [](const MemoryRecord::Entry &entry) {
      return entry.kind != MemoryKind::Recompute;
    });
    record(module, kept);
  }
}

struct AliasBuffers : impl::AliasBuffersBase<AliasBuffers> {
  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation());
    auto verified = getCachedAnalysis<VerifiedPhase>();
    const bool isKnown = verified && verified->get().name == "schedule";
    if (!spec || (!isKnown && failed(verifyPhase(getOperation(), "schedule"))))
      return signalPassFailure();
    forgetAliases(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      const DeviceTime time(*spec);
      AliasReport report(function, time);
      separateOutputs(
          cast<func::ReturnOp>(function.getBody().front().getTerminator()),
          time, report);
      if (failed(BufferAliaser(function, *spec, report).run()))
        return signalPassFailure();
      report.finish();
    }
  }
};
} // namespace
} // namespace mlir::gaudi
