// Gives every value its place in device memory.
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

/// Bytes that one value owns; views point into them.
struct Root {
  Value value;
  SectionKind section;
  int64_t size = 0;
  int64_t offset = 0;
  uint64_t first = 0, last = 0;
  uint64_t taken = 0;          // the step at which a result took its place
  std::optional<size_t> owner; // the root whose bytes it has, if not its own
};

/// Where a value lives relative to its root.
struct Place {
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
    shareBytes();
    keepForTiles();
    packWorkspace();
    attach();
  }

private:
  RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }

  int64_t aligned(int64_t bytes) { return llvm::alignTo(bytes, alignment); }

  void addRoot(Value value, SectionKind section, SmallVector<int64_t> strides,
               uint64_t step) {
    Root root{value, section,     extentBytes(typeOf(value), strides),
              0,     step,        step,
              0,     std::nullopt};
    if (section != SectionKind::Workspace) {
      int64_t &end = section == SectionKind::Const ? constEnd : persistentEnd;
      // An empty tensor has an address of its own, too.
      root.offset = end;
      end += aligned(std::max<int64_t>(root.size, 1));
    }
    places[value] = {roots.size(), 0, std::move(strides)};
    roots.push_back(root);
  }

  /// A splat constant is one element with strides of 0 where every reader
  /// takes any strides (kernels and data movement).
  bool canRepeat(ConstantOp op) {
    return isa<SplatElementsAttr>(op.getValue()) &&
           llvm::all_of(op->getUsers(), [](Operation *user) {
             return isa<KernelOp, PlaceableOpInterface>(user);
           });
  }

  void addConstant(ConstantOp op, uint64_t step) {
    Value value = op.getResult();
    bool repeat = canRepeat(op);
    // Equal constants in one form share their bytes.
    auto key = std::make_pair(Attribute(op.getValue()), unsigned(repeat));
    if (auto it = constants.find(key); it != constants.end()) {
      Place shared = places[it->second];
      places[value] = std::move(shared);
      return;
    }
    constants[key] = value;
    SmallVector<int64_t> strides =
        repeat ? SmallVector<int64_t>(typeOf(value).getRank(), 0)
               : denseStrides(typeOf(value).getShape());
    addRoot(value, SectionKind::Const, std::move(strides), step);
  }

  bool addView(OpResult value, ViewOpInterface view) {
    const Place source = places[view.getViewSource(value)];
    std::optional<StridedLayout> layout =
        view.getViewLayout(value, {0, source.strides});
    if (!layout) {
      remark::missed(view.getLoc(),
                     remark::RemarkOpts::name("view-copied").category(category))
          << remark::reason("'{0}' is a copy: its elements are not evenly "
                            "spaced in the bytes of its operand",
                            view->getName().getStringRef());
      return false;
    }
    int64_t bytes = elementBytes(typeOf(value).getElementType());
    places[value] = {source.root, source.byteOffset + layout->offset * bytes,
                     layout->strides};
    return true;
  }

  void collect() {
    Block &block = function.getBody().front();
    const DenseSet<Value> outputs(block.getTerminator()->operand_begin(),
                                  block.getTerminator()->operand_end());
    for (Value argument : block.getArguments())
      addRoot(argument, SectionKind::Persistent,
              denseStrides(typeOf(argument).getShape()), 0);
    uint64_t step = 0;
    for (Operation &op : block) {
      ++step;
      for (Value operand : op.getOperands()) {
        Root &root = roots[places[operand].root];
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
                denseStrides(typeOf(result).getShape()), step);
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Results in the place of operands
  //===--------------------------------------------------------------------===//

  size_t ownerOf(size_t root) {
    while (roots[root].owner)
      root = *roots[root].owner;
    return root;
  }

  /// Why result `result` of `kernel` cannot have the bytes of operand
  /// `operand`; empty if it can. None for operands that do not come into
  /// question.
  std::optional<StringRef> refusal(KernelOp kernel, unsigned result,
                                   unsigned operand, uint64_t step) {
    Value from = kernel->getOperand(operand), to = kernel->getResult(result);
    const Place &source = places[from], &target = places[to];
    const size_t owner = ownerOf(source.root);
    auto alike = [&](Value value) {
      return places[value].byteOffset == 0 &&
             elementBytes(typeOf(value).getElementType()) ==
                 elementBytes(typeOf(to).getElementType());
    };
    if (roots[owner].section != SectionKind::Workspace || !alike(from) ||
        roots[owner].size != roots[target.root].size)
      return std::nullopt;
    if (roots[owner].taken == step)
      return "gives its place to another result";
    if (roots[owner].last > step)
      return "is read again later";
    for (auto [i, other] : llvm::enumerate(kernel->getOperands()))
      if (ownerOf(places[other].root) == owner &&
          (!alike(other) || !mayWriteInPlace(kernel, i, places[other].strides,
                                             result, target.strides)))
        return "is read at other points than those that write its bytes";
    return "";
  }

  /// Operands in the order in which they are asked. What a matrix op made comes
  /// first: its other operands stay intact then, and the kernel can follow it
  /// tile by tile.
  SmallVector<unsigned> candidates(KernelOp kernel) {
    SmallVector<unsigned> order, others;
    for (unsigned i = 0; i < kernel->getNumOperands(); ++i) {
      const Root &owner = roots[ownerOf(places[kernel->getOperand(i)].root)];
      auto maker = owner.value.getDefiningOp<EngineOpInterface>();
      bool first = maker && maker.getEngine() == Engine::MME;
      (first ? order : others).push_back(i);
    }
    llvm::append_range(order, others);
    return order;
  }

  /// A result takes the place of an operand that ends with the op.
  void shareBytes() {
    uint64_t step = 0;
    for (Operation &op : function.getBody().front()) {
      ++step;
      auto kernel = dyn_cast<KernelOp>(op);
      if (!kernel)
        continue;
      for (OpResult result : op.getResults()) {
        const size_t root = places[result].root;
        if (roots[root].section == SectionKind::Workspace)
          takePlace(kernel, result.getResultNumber(), root, step);
      }
    }
  }

  void takePlace(KernelOp kernel, unsigned result, size_t root, uint64_t step) {
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
      const size_t owner = ownerOf(places[kernel->getOperand(operand)].root);
      roots[owner].last = std::max(roots[owner].last, roots[root].last);
      roots[owner].taken = step;
      roots[root].owner = owner;
      remark::passed(kernel.getLoc(),
                     remark::RemarkOpts::name("in-place").category(category))
          << remark::add("result {0} has the bytes of operand {1}, which ends "
                         "here",
                         result, operand);
      return;
    }
    if (refused)
      remark::missed(kernel.getLoc(),
                     remark::RemarkOpts::name("in-place").category(category))
          << remark::reason("result {0} has bytes of its own: operand {1} {2}",
                            result, refused->first, refused->second);
  }

  //===--------------------------------------------------------------------===//
  // Kernels on parts of a product
  //===--------------------------------------------------------------------===//

  /// Bytes of the workspace alive at each step.
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

  /// A kernel right after a matrix op can work on parts of the product while
  /// the rest is made, if what the matrix op reads stays until then. It does
  /// where that raises no peak.
  void keepForTiles() {
    std::vector<int64_t> live = liveBytes();
    const int64_t peak = *llvm::max_element(live);
    uint64_t step = 0;
    Operation *previous = nullptr; // the last op that is a command
    for (Operation &op : function.getBody().front()) {
      ++step;
      if (auto kernel = dyn_cast<KernelOp>(op); kernel && previous)
        keepOperands(previous, kernel, step, peak, live);
      bool isView = isa<ViewOpInterface>(op) &&
                    llvm::all_of(op.getResults(), [&](Value result) {
                      return roots[places[result].root].value != result;
                    });
      if (!isView && !isa<ConstantOp>(op))
        previous = &op;
    }
  }

  void keepOperands(Operation *matrix, KernelOp kernel, uint64_t step,
                    int64_t peak, std::vector<int64_t> &live) {
    auto engine = dyn_cast<EngineOpInterface>(matrix);
    if (!engine || engine.getEngine() != Engine::MME)
      return;
    const size_t product = ownerOf(places[matrix->getResult(0)].root);
    bool follows = false;
    for (auto [i, operand] : llvm::enumerate(kernel->getOperands())) {
      const Place &place = places[operand];
      if (ownerOf(place.root) != product)
        continue;
      if (place.byteOffset != 0 ||
          !readsInOrder(kernel, i, place.strides,
                        places[kernel->getResult(0)].strides))
        return;
      follows = true;
    }
    if (!follows)
      return;
    SmallVector<Root *> kept;
    for (Value operand : matrix->getOperands()) {
      Root &root = roots[ownerOf(places[operand].root)];
      if (root.section == SectionKind::Workspace && root.last < step &&
          !llvm::is_contained(kept, &root))
        kept.push_back(&root);
    }
    if (kept.empty())
      return;
    uint64_t begin = step;
    for (Root *root : kept)
      begin = std::min(begin, root->last + 1);
    auto from = live.begin() + begin;
    std::vector<int64_t> extended(from, live.begin() + step + 1);
    for (Root *root : kept)
      for (uint64_t s = root->last + 1; s <= step; ++s)
        extended[s - begin] += root->size;
    const bool fits = *llvm::max_element(extended) <= peak;
    if (fits) {
      llvm::copy(extended, from);
      for (Root *root : kept)
        root->last = step;
    }
    auto name = remark::RemarkOpts::name("keep-operands").category(category);
    StringRef what = matrix->getName().getStringRef();
    if (fits)
      remark::passed(kernel.getLoc(), name)
          << remark::add("operands of '{0}' stay until this kernel ends, which "
                         "can work on parts of the product",
                         what);
    else
      remark::missed(kernel.getLoc(), name)
          << remark::reason("operands of '{0}' may be overwritten by this "
                            "kernel, which then needs all of the product: "
                            "keeping them would raise the peak",
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
    const Place &place = places[value];
    const Root &root = roots[ownerOf(place.root)];
    return BufferAttr::get(value.getContext(), root.section,
                           root.offset + place.byteOffset, place.strides);
  }

  void attach() {
    Block &block = function.getBody().front();
    Builder builder(function.getContext());
    // At once: setting one after the other makes as many lists of them all.
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
  DenseMap<Value, Place> places;
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
