// Assigns every value a buffer: gaudi-assign-buffers.
//
// Five steps, each linear or n log n in the number of ops. `collect` gives each
// value a root, the value whose bytes it is a window on. `reuseOperands` lets
// results of kernels reuse the buffers of operands at their last use.
// `extendForTiles` lengthens lifetimes where that costs no memory.
// `packWorkspace` assigns offsets. `attach` writes the attributes.
#include "InPlace.h"

#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "Gaudi/Transforms/Memory/Packing.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace mlir::gaudi {
#define GEN_PASS_DEF_ASSIGNBUFFERS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral category = "gaudi-assign-buffers";

/// A value with a buffer of its own, on which views are windows.
struct Root {
  Value value;
  SectionKind section;
  int64_t size = 0;
  int64_t offset = 0;
  uint64_t first = 0, last = 0; // steps, both included
  uint64_t reusedAt = 0;        // the step at which a result reused it last
  std::optional<size_t> owner;  // the root whose buffer it reuses, if any
};

/// The window of a value on the buffer of its root.
struct Window {
  size_t root;
  int64_t byteOffset;
  SmallVector<int64_t> strides;
};

class BufferAssignment {
public:
  BufferAssignment(func::FuncOp function, int64_t alignment)
      : function(function), alignment(alignment) {}

  void run() {
    collect();
    reuseOperands();
    extendForTiles();
    packWorkspace();
    attach();
  }

private:
  int64_t aligned(int64_t bytes) { return llvm::alignTo(bytes, alignment); }

  void addRoot(Value value, SectionKind section, SmallVector<int64_t> strides,
               uint64_t step) {
    Root root{value, section,     extentBytes(tensorType(value), strides),
              0,     step,        step,
              0,     std::nullopt};
    if (section != SectionKind::Workspace) {
      int64_t &end = section == SectionKind::Const ? constEnd : persistentEnd;
      // Empty tensors have distinct addresses, too.
      root.offset = end;
      end += aligned(std::max<int64_t>(root.size, 1));
    }
    windows[value] = {roots.size(), 0, std::move(strides)};
    roots.push_back(root);
  }

  /// True if a splat constant may be one element with strides of 0: its readers
  /// are kernels and data movement, which take any strides.
  bool canBroadcast(ConstantOp op) {
    return isa<SplatElementsAttr>(op.getValue()) &&
           llvm::all_of(op->getUsers(), [](Operation *user) {
             return isa<KernelOp, PlaceableOpInterface>(user);
           });
  }

  void addConstant(ConstantOp op, uint64_t step) {
    Value value = op.getResult();
    bool broadcast = canBroadcast(op);
    // Equal constants in one form share a buffer.
    auto key = std::make_pair(Attribute(op.getValue()), unsigned(broadcast));
    if (auto it = constants.find(key); it != constants.end()) {
      Window shared = windows[it->second];
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
    const Window source = windows[view.getViewSource(value)];
    std::optional<StridedLayout> layout =
        view.getViewLayout(value, {0, source.strides});
    if (!layout) {
      remark::missed(view.getLoc(),
                     remark::RemarkOpts::name("view-copied").category(category))
          << remark::reason("copied '{0}': its elements are not evenly spaced "
                            "in the buffer of its operand",
                            view->getName().getStringRef());
      return false;
    }
    int64_t bytes = elementBytes(tensorType(value).getElementType());
    windows[value] = {source.root, source.byteOffset + layout->offset * bytes,
                      layout->strides};
    return true;
  }

  void collect() {
    Block &block = function.getBody().front();
    const DenseSet<Value> outputs(block.getTerminator()->operand_begin(),
                                  block.getTerminator()->operand_end());
    for (Value argument : block.getArguments())
      addRoot(argument, SectionKind::Persistent,
              denseStrides(tensorType(argument).getShape()), 0);
    uint64_t step = 0;
    for (Operation &op : block) {
      ++step;
      for (Value operand : op.getOperands()) {
        Root &root = roots[windows[operand].root];
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

  size_t ownerOf(size_t root) {
    while (roots[root].owner)
      root = *roots[root].owner;
    return root;
  }

  /// Why result `result` of `kernel` cannot reuse the buffer of operand
  /// `operand`; empty if it can. Nothing for operands whose buffer cannot fit:
  /// of another size, another element size, or not in the workspace.
  std::optional<StringRef> refusal(KernelOp kernel, unsigned result,
                                   unsigned operand, uint64_t step) {
    Value from = kernel->getOperand(operand), to = kernel->getResult(result);
    // The last use must be this op, and every load of the buffer must be at the
    // position that the same point stores to: then no point reads what another
    // has overwritten, in any order of execution.
    const Window &source = windows[from], &target = windows[to];
    const size_t owner = ownerOf(source.root);
    auto fits = [&](Value value) {
      return windows[value].byteOffset == 0 &&
             elementBytes(tensorType(value).getElementType()) ==
                 elementBytes(tensorType(to).getElementType());
    };
    if (roots[owner].section != SectionKind::Workspace || !fits(from) ||
        roots[owner].size != roots[target.root].size)
      return std::nullopt;
    if (roots[owner].reusedAt == step)
      return "is already reused by another result";
    if (roots[owner].last > step)
      return "is read again later";
    // Operands may be different windows on the buffer: each must agree.
    for (auto [i, other] : llvm::enumerate(kernel->getOperands()))
      if (ownerOf(windows[other].root) == owner &&
          (!fits(other) || !mayWriteInPlace(kernel, i, windows[other].strides,
                                            result, target.strides)))
        return "is read by other points than those that would overwrite it";
    return "";
  }

  /// Operands in the order in which they are tried. Results of matrix ops come
  /// first: the other operands stay intact then, so that the kernel can follow
  /// the matrix op tile by tile.
  SmallVector<unsigned> candidates(KernelOp kernel) {
    SmallVector<unsigned> order, others;
    for (unsigned i = 0; i < kernel->getNumOperands(); ++i) {
      const Root &owner = roots[ownerOf(windows[kernel->getOperand(i)].root)];
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
        if (roots[root].section == SectionKind::Workspace)
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
      remark::passed(kernel.getLoc(),
                     remark::RemarkOpts::name("in-place").category(category))
          << remark::add("result {0} reuses the buffer of operand {1} (last "
                         "use)",
                         result, operand);
      return;
    }
    if (refused)
      remark::missed(kernel.getLoc(),
                     remark::RemarkOpts::name("in-place").category(category))
          << remark::reason("result {0} needs a new buffer: the buffer of "
                            "operand {1} {2}",
                            result, refused->first, refused->second);
  }

  //===--------------------------------------------------------------------===//
  // Kernels that follow a matrix op tile by tile
  //===--------------------------------------------------------------------===//

  /// Bytes of the workspace alive at each step: a prefix sum over the steps at
  /// which buffers begin and end.
  std::vector<int64_t> liveBytes() {
    const size_t steps = function.getBody().front().getOperations().size() + 2;
    std::vector<int64_t> live(steps, 0);
    for (const Root &root : roots)
      if (root.section == SectionKind::Workspace && !root.owner) {
        live[root.first] += root.size;
        live[root.last + 1] -= root.size;
      }
    std::partial_sum(live.begin(), live.end(), live.begin());
    return live;
  }

  /// A kernel right after a matrix op can work on the first tiles of the
  /// product while the others are computed, if the operands of the matrix op
  /// are not overwritten before the kernel has ended. Extends their lifetimes
  /// by that kernel where it does not raise the peak of the workspace.
  void extendForTiles() {
    std::vector<int64_t> live = liveBytes();
    const int64_t peak = *llvm::max_element(live);
    uint64_t step = 0;
    Operation *previous = nullptr; // the last op that becomes a command
    for (Operation &op : function.getBody().front()) {
      ++step;
      if (auto kernel = dyn_cast<KernelOp>(op); kernel && previous)
        extendOperands(previous, kernel, step, peak, live);
      bool isView = isa<ViewOpInterface>(op) &&
                    llvm::all_of(op.getResults(), [&](Value result) {
                      return roots[windows[result].root].value != result;
                    });
      if (!isView && !isa<ConstantOp>(op))
        previous = &op;
    }
  }

  void extendOperands(Operation *matrix, KernelOp kernel, uint64_t step,
                      int64_t peak, std::vector<int64_t> &live) {
    auto engine = dyn_cast<EngineOpInterface>(matrix);
    if (!engine || engine.getEngine() != Engine::MME)
      return;
    const size_t product = ownerOf(windows[matrix->getResult(0)].root);
    bool follows = false;
    for (auto [i, operand] : llvm::enumerate(kernel->getOperands())) {
      const Window &window = windows[operand];
      if (ownerOf(window.root) != product)
        continue;
      if (window.byteOffset != 0 ||
          !readsInOrder(kernel, i, window.strides,
                        windows[kernel->getResult(0)].strides))
        return;
      follows = true;
    }
    if (!follows)
      return;
    SmallVector<Root *> extended; // lifetimes that would end too early
    for (Value operand : matrix->getOperands()) {
      Root &root = roots[ownerOf(windows[operand].root)];
      if (root.section == SectionKind::Workspace && root.last < step &&
          !llvm::is_contained(extended, &root))
        extended.push_back(&root);
    }
    if (extended.empty())
      return;
    // Only steps after the last use of each operand gain its bytes; compare the
    // peak over those steps. O(extended steps * operands).
    uint64_t begin = step;
    for (Root *root : extended)
      begin = std::min(begin, root->last + 1);
    auto from = live.begin() + begin;
    // `live` from `begin` to `step` if the lifetimes were extended.
    std::vector<int64_t> bytes(from, live.begin() + step + 1);
    for (Root *root : extended)
      for (uint64_t s = root->last + 1; s <= step; ++s)
        bytes[s - begin] += root->size;
    const bool fits = *llvm::max_element(bytes) <= peak;
    if (fits) {
      llvm::copy(bytes, from);
      for (Root *root : extended)
        root->last = step;
    }
    auto name = remark::RemarkOpts::name("keep-operands").category(category);
    StringRef what = matrix->getName().getStringRef();
    if (fits)
      remark::passed(kernel.getLoc(), name)
          << remark::add("kept the operands of '{0}' alive until this kernel "
                         "ends, so that it can work tile by tile",
                         what);
    else
      remark::missed(kernel.getLoc(), name)
          << remark::reason("not kept: operands of '{0}' may be overwritten by "
                            "this kernel, which then waits for all of the "
                            "product; keeping them would raise the peak",
                            what);
  }

  void packWorkspace() {
    std::vector<::gaudi::memory::Lifetime> lifetimes;
    std::vector<size_t> owners;
    for (auto [i, root] : llvm::enumerate(roots)) {
      if (root.section != SectionKind::Workspace || root.owner)
        continue;
      lifetimes.push_back({uint64_t(root.size), root.first, root.last});
      owners.push_back(i);
    }
    // Roots are collected in program order: sorted by first step, as packing
    // requires.
    auto packing = ::gaudi::memory::packFirstFit(lifetimes, alignment);
    for (auto [owner, offset] : llvm::zip(owners, packing.offsets))
      roots[owner].offset = offset;
    workspaceEnd = packing.peak;
    report(packing.lowerBound, packing.lowerBoundStep);
  }

  void report(uint64_t lowerBound, uint64_t step) {
    SmallVector<const Root *> atPeak;
    for (const Root &root : roots)
      if (root.section == SectionKind::Workspace && !root.owner &&
          root.first <= step && step <= root.last)
        atPeak.push_back(&root);
    llvm::sort(atPeak, [](const Root *a, const Root *b) {
      return a->size != b->size ? a->size > b->size : a->first < b->first;
    });
    std::string largest;
    llvm::raw_string_ostream os(largest);
    for (const Root *root : ArrayRef(atPeak).take_front(3)) {
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
    const Window &window = windows[value];
    const Root &root = roots[ownerOf(window.root)];
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

  func::FuncOp function;
  int64_t alignment;
  SmallVector<Root> roots;
  DenseMap<Value, Window> windows;
  DenseMap<std::pair<Attribute, unsigned>, Value> constants;
  int64_t persistentEnd = 0, constEnd = 0, workspaceEnd = 0;
};

struct AssignBuffers : impl::AssignBuffersBase<AssignBuffers> {
  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation());
    auto verified = getCachedAnalysis<VerifiedPhase>();
    const bool isKnown = verified && verified->get().name == "schedule";
    if (!spec || (!isKnown && failed(verifyPhase(getOperation(), "schedule"))))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        BufferAssignment(function, spec->memory.addressAlignment).run();
  }
};
} // namespace
} // namespace mlir::gaudi
