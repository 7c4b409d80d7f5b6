// Assigns every value a buffer: gaudi-assign-buffers.
//
// Six steps, each linear or n log n in the number of ops. `collect` gives each
// value a root, the value whose bytes it is a window on. `updateStates` writes
// next values of states over the old ones. `reuseOperands` lets results of
// kernels reuse the buffers of operands at their last use.
// `extendForTiles` lengthens lifetimes where that costs no memory.
// `packWorkspace` assigns offsets. `attach` writes the attributes.
#include "BufferTable.h"
#include "InPlace.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "Gaudi/Transforms/Memory/Packing.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_ASSIGNBUFFERS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral category = "gaudi-assign-buffers";
/// Steps of the exact search for a smaller workspace, some 10 ms.
constexpr uint64_t searchSteps = 4'000'000;

class BufferAssignment : BufferTable {
public:
  using BufferTable::BufferTable;

  LogicalResult run() {
    collect();
    updateStates(*this, updates);
    reuseOperands();
    extendForTiles(*this);
    if (failed(packWorkspace()))
      return failure();
    attach();
    return success();
  }

private:
  /// True if a splat constant may be one element with strides of 0: its readers
  /// are kernels, data movement and scatters of rows, which take any strides.
  bool canBroadcast(ConstantOp op) {
    return isa<SplatElementsAttr>(op.getValue()) &&
           llvm::all_of(op->getUsers(), [](Operation *user) {
             return isa<KernelOp, ScatterRowsOp, PlaceableOpInterface>(user);
           });
  }

  void addConstant(ConstantOp op, uint64_t step) {
    Value value = op.getResult();
    bool broadcast = canBroadcast(op);
    // Equal constants in one form share a buffer.
    auto key = std::make_pair(Attribute(op.getValue()), unsigned(broadcast));
    if (auto it = constants.find(key); it != constants.end()) {
      BufferWindow shared = windows[it->second];
      windows[value] = std::move(shared);
      return;
    }
    constants[key] = value;
    SmallVector<int64_t> strides =
        broadcast ? SmallVector<int64_t>(tensorType(value).getRank(), 0)
                  : denseStrides(tensorType(value).getShape());
    addRoot(value, SectionKind::Const, std::move(strides), step);
  }

  bool addView(OpResult value, ViewOpInterface view) {
    const BufferWindow source = windows[view.getViewSource(value)];
    std::optional<StridedLayout> layout =
        view.getViewLayout(value, {0, source.strides});
    if (!layout) {
      if (explains(view.getContext()))
        remark::missed(
            view.getLoc(),
            remark::RemarkOpts::name("view-copied").category(category))
            << remark::reason(
                   "copied '{0}': its elements are not evenly "
                   "spaced in the buffer of its "
                   "operand; the copy takes {1}",
                   view->getName().getStringRef(),
                   time.text(time.ofCopy(view.getViewSource(value))));
      return false;
    }
    int64_t bytes = elementBytes(tensorType(value).getElementType());
    windows[value] = {source.root, source.byteOffset + layout->offset * bytes,
                      layout->strides};
    return true;
  }

  void collect() {
    Block &block = function.getBody().front();
    DenseSet<Value> outputs;
    for (Value output : block.getTerminator()->getOperands())
      outputs.insert(returnedRoot(output));
    // The next value of a state needs no buffer of its own beside the state's.
    for (BlockArgument argument : block.getArguments())
      if (auto result = stateResult(function, argument.getArgNumber())) {
        Value next = block.getTerminator()->getOperand(*result);
        outputs.erase(returnedRoot(next));
        if (next != argument)
          updates.push_back({argument, *result});
      }
    for (Value argument : block.getArguments())
      addRoot(argument, SectionKind::Persistent,
              denseStrides(tensorType(argument).getShape()), 0);
    uint64_t step = 0;
    for (Operation &op : block) {
      ++step;
      for (Value operand : op.getOperands()) {
        BufferRoot &root = roots[windows[operand].root];
        root.last = std::max(root.last, step);
      }
      if (auto constant = dyn_cast<ConstantOp>(op)) {
        addConstant(constant, step);
        continue;
      }
      for (OpResult result : op.getResults()) {
        if (auto view = dyn_cast<ViewOpInterface>(op))
          if (addView(result, view))
            continue;
        addRoot(result,
                outputs.contains(result) ? SectionKind::Persistent
                                         : SectionKind::Workspace,
                denseStrides(tensorType(result).getShape()), step);
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Results that reuse buffers of operands
  //===--------------------------------------------------------------------===//

  /// Why result `result` of `kernel` cannot reuse the buffer of operand
  /// `operand`; empty if it can. Nothing for operands whose buffer cannot fit:
  /// of another size, another element size, or not in the workspace.
  std::optional<StringRef> refusal(KernelOp kernel, unsigned result,
                                   unsigned operand, uint64_t step) {
    Value from = kernel->getOperand(operand), to = kernel->getResult(result);
    // The last use must be this op, and every load of the buffer must be at the
    // position that the same point stores to: then no point reads what another
    // has overwritten, in any order of execution.
    const BufferWindow &source = windows[from], &target = windows[to];
    const size_t owner = ownerOf(source.root);
    if (roots[owner].section != SectionKind::Workspace ||
        !startsLike(from, to) || roots[owner].size != roots[target.root].size)
      return std::nullopt;
    if (roots[owner].reusedAt == step)
      return "is already reused by another result";
    if (roots[owner].last > step)
      return "is read again later";
    // Operands may be different windows on the buffer: each must agree.
    for (auto [i, other] : llvm::enumerate(kernel->getOperands()))
      if (ownerOf(windows[other].root) == owner &&
          (!startsLike(other, to) ||
           !mayWriteInPlace(kernel, i, windows[other].strides, result,
                            target.strides)))
        return "is read by other points than those that would overwrite it";
    return "";
  }

  /// Operands in the order in which they are tried. Results of matrix ops come
  /// first: the other operands stay intact then, so that the kernel can follow
  /// the matrix op tile by tile.
  SmallVector<unsigned> candidates(KernelOp kernel) {
    SmallVector<unsigned> order, others;
    for (unsigned i = 0; i < kernel->getNumOperands(); ++i) {
      const BufferRoot &owner =
          roots[ownerOf(windows[kernel->getOperand(i)].root)];
      auto maker = owner.value.getDefiningOp<EngineOpInterface>();
      bool first = maker && maker.getEngine() == Engine::MME;
      (first ? order : others).push_back(i);
    }
    llvm::append_range(order, others);
    return order;
  }

  /// Lets each result of a kernel reuse the buffer of an operand at its last
  /// use.
  void reuseOperands() {
    uint64_t step = 0;
    for (Operation &op : function.getBody().front()) {
      ++step;
      auto kernel = dyn_cast<KernelOp>(op);
      if (!kernel)
        continue;
      for (OpResult result : op.getResults()) {
        const size_t root = windows[result].root;
        if (roots[root].section == SectionKind::Workspace && !roots[root].owner)
          reuseOperand(kernel, result.getResultNumber(), root, step);
      }
    }
  }

  void reuseOperand(KernelOp kernel, unsigned result, size_t root,
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
      roots[owner].last = std::max(roots[owner].last, roots[root].last);
      roots[owner].reusedAt = step;
      roots[root].owner = owner;
      if (explains(kernel.getContext()))
        remark::passed(kernel.getLoc(),
                       remark::RemarkOpts::name("in-place").category(category))
            << remark::add("result {0} reuses the buffer of operand {1} (last "
                           "use), saving {2} bytes of workspace",
                           result, operand, roots[root].size);
      return;
    }
    if (refused && explains(kernel.getContext()))
      remark::missed(kernel.getLoc(),
                     remark::RemarkOpts::name("in-place").category(category))
          << remark::reason("result {0} needs a new buffer of {1} bytes: the "
                            "buffer of operand {2} {3}",
                            result, roots[root].size, refused->first,
                            refused->second);
  }

  LogicalResult packWorkspace() {
    std::vector<::gaudi::memory::Buffer> buffers;
    std::vector<size_t> owners;
    for (auto [i, root] : llvm::enumerate(roots)) {
      if (root.section != SectionKind::Workspace || root.owner)
        continue;
      buffers.push_back({uint64_t(root.size), int64_t(root.first),
                         int64_t(root.last) + 1, uint64_t(alignment)});
      owners.push_back(i);
    }
    ::gaudi::memory::PackingOptions options;
    options.steps = searchSteps;
    auto packing = ::gaudi::memory::pack(buffers, {}, options);
    if (!packing)
      return function.emitError()
             << "the workspace cannot be packed: " << packing.error().message;
    for (auto [owner, offset] : llvm::zip(owners, packing->offsets))
      roots[owner].offset = offset;
    workspaceEnd = packing->peak;
    report(packing->lowerBound, packing->mostAliveTime);
    return success();
  }

  void report(uint64_t lowerBound, uint64_t step) {
    if (!explains(function.getContext()))
      return;
    SmallVector<const BufferRoot *> atPeak;
    for (const BufferRoot &root : roots)
      if (root.section == SectionKind::Workspace && !root.owner &&
          root.first <= step && step <= root.last)
        atPeak.push_back(&root);
    llvm::sort(atPeak, [](const BufferRoot *a, const BufferRoot *b) {
      return a->size != b->size ? a->size > b->size : a->first < b->first;
    });
    std::string largest;
    llvm::raw_string_ostream os(largest);
    for (const BufferRoot *root : ArrayRef(atPeak).take_front(3)) {
      os << (largest.empty() ? "" : ", ");
      Operation *def = root->value.getDefiningOp();
      os << def->getName().getStringRef() << " (" << root->size << " bytes)";
    }
    remark::analysis(function.getLoc(), remark::RemarkOpts::name("workspace")
                                            .category(category)
                                            .function(function.getName()))
        << remark::add("workspace {0} bytes, lower bound {1} bytes; alive at "
                       "the peak: {2}",
                       workspaceEnd, lowerBound,
                       largest.empty() ? "nothing" : StringRef(largest));
  }

  BufferAttr attributeOf(Value value) {
    const BufferWindow &window = windows[value];
    const BufferRoot &root = roots[ownerOf(window.root)];
    return BufferAttr::get(value.getContext(), root.section,
                           root.offset + window.byteOffset, window.strides);
  }

  void attach() {
    Block &block = function.getBody().front();
    Builder builder(function.getContext());
    // All at once: setting them one by one would be quadratic.
    SmallVector<DictionaryAttr> ofArguments;
    function.getAllArgAttrs(ofArguments);
    for (auto [argument, attrs] :
         llvm::zip_equal(block.getArguments(), ofArguments)) {
      NamedAttrList list(attrs);
      list.set(bufferAttrName, attributeOf(argument));
      attrs = list.getDictionary(function.getContext());
    }
    function.setAllArgAttrs(ofArguments);
    for (Operation &op : block) {
      if (op.getNumResults() == 0)
        continue;
      SmallVector<Attribute> buffers;
      for (Value result : op.getResults())
        buffers.push_back(attributeOf(result));
      op.setAttr(buffersAttrName, builder.getArrayAttr(buffers));
    }
    function->setAttr(persistentBytesAttrName,
                      builder.getI64IntegerAttr(persistentEnd));
    function->setAttr(constBytesAttrName, builder.getI64IntegerAttr(constEnd));
    function->setAttr(workspaceBytesAttrName,
                      builder.getI64IntegerAttr(workspaceEnd));
  }

  SmallVector<StateUpdate> updates;
  DenseMap<std::pair<Attribute, unsigned>, Value> constants;
};

struct AssignBuffers : impl::AssignBuffersBase<AssignBuffers> {
  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation());
    auto verified = getCachedAnalysis<VerifiedPhase>();
    const bool isKnown = verified && verified->get().name == "schedule";
    if (!spec || (!isKnown && failed(verifyPhase(getOperation(), "schedule"))))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          failed(BufferAssignment(function, *spec).run()))
        return signalPassFailure();
  }
};
} // namespace
} // namespace mlir::gaudi
