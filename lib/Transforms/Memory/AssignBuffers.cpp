// Gives every value its place in device memory.
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "Gaudi/Transforms/Memory/Packing.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

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
    Root root{value, section, extentBytes(typeOf(value), strides),
              0,     step,    step};
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
    Operation *exit = block.getTerminator();
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
        bool isOutput = llvm::is_contained(exit->getOperands(), result);
        addRoot(result,
                isOutput ? SectionKind::Persistent : SectionKind::Workspace,
                denseStrides(typeOf(result).getShape()), step);
      }
    }
  }

  void packWorkspace() {
    std::vector<::gaudi::memory::Lifetime> lifetimes;
    std::vector<size_t> owners;
    for (auto [i, root] : llvm::enumerate(roots)) {
      if (root.section != SectionKind::Workspace)
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
      if (root.section == SectionKind::Workspace && root.first <= step &&
          step <= root.last)
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
    const Root &root = roots[place.root];
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
    if (!spec || failed(verifyPhase(getOperation(), "schedule")))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        BufferAssignment(function, spec->memory.addressAlignment).run();
  }
};
} // namespace
} // namespace mlir::gaudi
