// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which values share a buffer: gaudi-alias-buffers.
//
// Each value is a window on the buffer of a root. Three steps, each linear or
// n log n in the number of ops. `separateOutputs` makes the copies explicit
// that outputs need, PadPlacer those of constants that are padded with.
// SlicePlacer goes against program order and finds the values that are computed
// straight into a slice of another one. `run` goes in program order: views
// become windows on their operand, results of kernels reuse the buffers of
// operands at their last use, and next values of states are written over the
// old ones (StateBuffers). `layOut` then puts the roots of the workspace one
// after the other: a plan without a conflict, which gaudi-assign-buffers packs.
#include "InPlace.h"
#include "PlacePads.h"
#include "SeparateOutputs.h"
#include "StateBuffers.h"

#include "Gaudi/Dialect/TrainingOps.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Passes.h"

namespace gaudi {
#define GEN_PASS_DEF_ALIASBUFFERS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
class BufferAliaser : BufferTable {
public:
  BufferAliaser(func::FuncOp function, const device::DeviceSpec &spec,
                AliasReport &report, PadPlacer &pads)
      : BufferTable(function, spec), report(report), pads(pads), uses(function),
        slices(function, uses, pads.copies()),
        states(*this, uses, slices, report) {}

  /// Fails if the buffers do not fit the numbers of a file.
  LogicalResult run() {
    pads.drop(slices);
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
    if (failed(states.copyOthers()))
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
  /// are kernels, data movement and scatters, which take any strides.
  bool canBroadcast(ConstantOp op) {
    return isa<SplatElementsAttr>(op.getValue()) &&
           llvm::all_of(op->getUsers(), [](Operation *user) {
             return isa<KernelOp, ScatterOp, ScatterElementsOp, ScatterRowsOp,
                        PlaceableOpInterface>(user);
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
      report.copiedView(value, source, layout.has_value());
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
    } else if (!states.updateInPlace(result, step)) {
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
      states.replace(update->second, root, writer, step);
    return root;
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
        return "is read at points other than the one that overwrites it";
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
    // The first candidate that may; else the first refusal is reported.
    for (unsigned operand : candidates(kernel)) {
      std::optional<StringRef> reason = refusal(kernel, result, operand, step);
      if (!reason)
        continue;
      if (!reason->empty()) {
        if (!refused)
          refused.emplace(operand, *reason);
        continue;
      }
      // A reused buffer may itself reuse another.
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
      OpOperand *updated = updatedOperand(op);
      for (OpOperand &operand : op->getOpOperands()) {
        // Only concatenations and insertions have slices; other updates have
        // the operand that they change.
        if ((!isa<ConcatOp, InsertSliceOp>(op) && &operand != updated) ||
            elementCount(operand.get()) == 0)
          continue;
        const BufferWindow &own = windows[operand.get()];
        const BufferWindow &result = windows[op->getResult(0)];
        const bool isSame = ownerOf(own.root) == ownerOf(result.root);
        // An argument is updated in place if it is a state.
        const CopyReason *reason = slices.refusal(operand);
        const CopyReason *ofState =
            states.reasonToCopy(uses.computed(operand.get()));
        // Copies that PadPlacer made are no refusals of a slice: their reason
        // is the constant.
        if (pads.copies().contains(operand.get().getDefiningOp()))
          report.copiedSlice(operand, {"it is a constant", nullptr, ""});
        else if (!reason || (isSame && &operand == updated))
          report.slice(operand);
        else
          report.copiedSlice(operand, ofState ? *ofState : *reason);
      }
    }
  }

  /// Each root of the workspace gets an own buffer.
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
  PadPlacer &pads;
  const ValueUses uses;
  const SlicePlacer slices;
  StateBuffers states;
  DenseMap<std::pair<Attribute, unsigned>, Value> constants;
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
    const device::DeviceSpec *spec = deviceOf(getOperation());
    if (!spec || !getAnalysis<ScheduledForm>().isKept)
      return signalPassFailure();
    forgetAliases(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      const DeviceTime time(*spec);
      AliasReport report(function, time);
      if (failed(separateOutputs(function, time, report)))
        return signalPassFailure();
      PadPlacer pads(function, time);
      if (failed(BufferAliaser(function, *spec, report, pads).run()))
        return signalPassFailure();
      report.finish();
    }
  }
};
} // namespace
} // namespace gaudi
