// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assigns every buffer its place: gaudi-assign-buffers.
//
// gaudi-alias-buffers has decided which values share a buffer, and put the
// buffers of the workspace one after the other. `collect` finds them again as
// the ranges that values cover, `extendForTiles` lengthens lifetimes where that
// costs no memory, `packWorkspace` assigns offsets by lifetime.
#include "BufferTable.h"

#include "Gaudi/Transforms/Memory/Packing.h"
#include "Gaudi/Transforms/MemoryRecord.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace gaudi {
#define GEN_PASS_DEF_ASSIGNBUFFERS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral assignBuffersCategory = "gaudi-assign-buffers";
/// Steps of the exact search for a smaller workspace, some 10 ms.
constexpr uint64_t searchSteps = 4'000'000;

class BufferAssignment : BufferTable {
public:
  using BufferTable::BufferTable;

  LogicalResult run() {
    for (auto [end, name] : {std::pair(&persistentEnd, persistentBytesAttrName),
                             std::pair(&constEnd, constBytesAttrName)})
      *end = function->getAttrOfType<IntegerAttr>(name).getInt();
    collect();
    const FailureOr<Packing> packing = extendAndPack();
    if (failed(packing))
      return failure();
    place(*packing);
    attach();
    return success();
  }

private:
  using Packing = memory::Packing;

  /// The bytes of the workspace that one or more values cover without a gap.
  struct Range {
    int64_t start, end;
    size_t root;
  };

  /// The ranges in order of address. Values of one buffer overlap: its root
  /// covers all of them. Those of different ones do not.
  SmallVector<Range> workspaceRanges() {
    SmallVector<Range> ranges;
    for (Operation &op : function.getBody().front())
      for (Value result : op.getResults())
        if (BufferAttr buffer = bufferOf(result);
            buffer.getSection() == SectionKind::Workspace)
          ranges.push_back(
              {buffer.getOffset(),
               buffer.getOffset() +
                   extentBytes(tensorType(result), buffer.getStrides()),
               0});
    // The longest first where ranges begin together: it is the root.
    llvm::sort(ranges, [](const Range &a, const Range &b) {
      return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    size_t count = 0;
    for (const Range &range : ranges)
      if (count != 0 && range.start < ranges[count - 1].end)
        ranges[count - 1].end = std::max(ranges[count - 1].end, range.end);
      else if (range.start != range.end)
        ranges[count++] = range;
    ranges.resize(count);
    return ranges;
  }

  void collect() {
    Block &block = function.getBody().front();
    SmallVector<Range> ranges = workspaceRanges();
    // The ranges are disjoint and sorted; each gets its root when the first
    // value in it is met.
    constexpr size_t none = SIZE_MAX;
    for (Range &range : ranges)
      range.root = none;
    auto add = [&](Value value, uint64_t step) {
      // A view has the root of its source, wherever that is; the difference of
      // offsets is that within it.
      BufferAttr buffer = bufferOf(value);
      SmallVector<int64_t> strides(buffer.getStrides());
      const int64_t offset = buffer.getOffset();
      if (auto view = value.getDefiningOp<ViewOpInterface>();
          view && isWindow(cast<OpResult>(value))) {
        Value source = view.getViewSource(cast<OpResult>(value));
        const BufferWindow from = windows[source];
        windows[value] = {
            from.root, from.byteOffset + offset - bufferOf(source).getOffset(),
            std::move(strides)};
        return;
      }
      // The last range that starts at or before the offset.
      auto it =
          llvm::upper_bound(ranges, offset, [](int64_t at, const Range &range) {
            return at < range.start;
          });
      const bool isPlanned = buffer.getSection() == SectionKind::Workspace &&
                             elementCount(value) != 0;
      assert((!isPlanned ||
              (it != ranges.begin() && offset < std::prev(it)->end)) &&
             "its bytes are in a range");
      // Arguments, constants and empty values are not packed.
      if (!isPlanned) {
        windows[value] = {addFixed(value, buffer, step), 0, std::move(strides)};
        return;
      }
      Range &range = *std::prev(it);
      if (range.root == none) {
        range.root = roots.size();
        roots.push_back({value, SectionKind::Workspace, range.end - range.start,
                         0, step, step, 0, std::nullopt});
      }
      windows[value] = {range.root, offset - range.start, std::move(strides)};
    };
    // Arguments are alive from the start, before the first op.
    for (Value argument : block.getArguments())
      add(argument, 0);
    uint64_t step = 0;
    for (Operation &op : block) {
      // Steps count from 1, so that the arguments' is 0.
      ++step;
      // Operands before results: a buffer that an op reads is alive while it
      // runs.
      for (Value operand : op.getOperands()) {
        BufferRoot &root = rootOf(operand);
        root.last = std::max(root.last, step);
      }
      for (Value result : op.getResults())
        add(result, step);
    }
  }

  /// A root that keeps its place: in another section, or without bytes.
  size_t addFixed(Value value, BufferAttr buffer, uint64_t step) {
    auto section = buffer.getSection();
    roots.push_back({value, section, 0,
                     section == SectionKind::Workspace ? 0 : buffer.getOffset(),
                     step, step, 0, std::nullopt});
    return roots.size() - 1;
  }

  /// Lengthens lifetimes, which leaves the bytes alive at the peak, unless the
  /// buffers then fit together less well.
  FailureOr<Packing> extendAndPack() {
    // Of the roots as they are without tiles, to go back to.
    SmallVector<uint64_t> last;
    for (const BufferRoot &root : roots)
      last.push_back(root.last);
    auto restore = [&] {
      for (auto [root, step] : llvm::zip_equal(roots, last))
        root.last = step;
    };
    extendForTiles(*this, /*isTrial=*/true); // the lifetimes may not stay
    FailureOr<Packing> packing = packWorkspace();
    if (failed(packing))
      return failure();
    // A packing at its lower bound cannot be lower with shorter lifetimes
    // either, which leave the bytes alive at the peak as they are.
    if (packing->peak > packing->lowerBound) {
      restore();
      const uint64_t extended = packing->peak;
      FailureOr<Packing> shorter = packWorkspace();
      if (failed(shorter) || shorter->peak < extended) {
        if (succeeded(shorter) && explains(function))
          remark::missed(function.getLoc(),
                         remark::RemarkOpts::name("keep-lifetimes")
                             .category(assignBuffersCategory)
                             .function(function.getName()))
              << remark::reason("lifetimes not lengthened for engines that "
                                "overlap: the workspace would take {0} bytes "
                                "instead of {1}",
                                extended, shorter->peak);
        return shorter;
      }
    }
    // From here on only remarks read lifetimes.
    if (explains(function)) {
      restore();
      extendForTiles(*this, /*isTrial=*/false);
    }
    return packing;
  }

  /// The buffers of the workspace, in the order of their roots.
  SmallVector<size_t> workspaceRoots() const {
    SmallVector<size_t> owners;
    for (auto [i, root] : llvm::enumerate(roots))
      if (root.section == SectionKind::Workspace && !root.owner)
        owners.push_back(i);
    return owners;
  }

  FailureOr<Packing> packWorkspace() {
    std::vector<gaudi::memory::Buffer> buffers;
    for (size_t i : workspaceRoots())
      buffers.push_back({uint64_t(roots[i].size), int64_t(roots[i].first),
                         int64_t(roots[i].last) + 1, uint64_t(alignment)});
    memory::PackingOptions options;
    options.steps = searchSteps;
    auto packing = memory::pack(buffers, {}, options);
    if (!packing)
      return function.emitError()
             << "the workspace cannot be packed: " << packing.error().message;
    return std::move(*packing);
  }

  void place(const Packing &packing) {
    for (auto [owner, offset] :
         llvm::zip_equal(workspaceRoots(), packing.offsets))
      roots[owner].offset = offset;
    workspaceEnd = packing.peak;
    if (workspaceEnd != 0) {
      MemoryRecord planned;
      planned.entry = function.getName().str();
      planned.peaks.planned = workspaceEnd;
      planned.peaks.plannedBound = packing.lowerBound;
      record(function->getParentOfType<ModuleOp>(), planned);
    }
    report(packing.lowerBound, packing.mostAliveTime);
  }

  void report(uint64_t lowerBound, uint64_t step) {
    if (!explains(function))
      return;
    // Owned roots are within another root, whose size counts them.
    SmallVector<const BufferRoot *> atPeak;
    for (const BufferRoot &root : roots)
      if (root.section == SectionKind::Workspace && !root.owner &&
          root.first <= step && step <= root.last)
        atPeak.push_back(&root);
    // Ties by time, so that the text is the same on every host.
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
                                            .category(assignBuffersCategory)
                                            .function(function.getName()))
        << remark::add("workspace {0} bytes, lower bound {1} bytes; alive at "
                       "the peak: {2}",
                       workspaceEnd, lowerBound,
                       largest.empty() ? "nothing" : StringRef(largest));
  }
};

/// True if each value has a buffer, as gaudi-alias-buffers gives it.
LogicalResult verifyBuffers(func::FuncOp function) {
  auto fail = [](Operation *op) {
    return op->emitError("'")
           << op->getName().getStringRef()
           << "' has no buffers yet; run gaudi-alias-buffers first";
  };
  for (StringRef name : {persistentBytesAttrName, constBytesAttrName})
    if (!function->getAttrOfType<IntegerAttr>(name))
      return fail(function);
  auto hasBuffer = [](Value value) {
    BufferAttr buffer = bufferOf(value);
    return buffer &&
           int64_t(buffer.getStrides().size()) == tensorType(value).getRank();
  };
  if (!llvm::all_of(function.getArguments(), hasBuffer))
    return fail(function);
  for (Operation &op : function.getBody().front())
    if (!llvm::all_of(op.getResults(), hasBuffer))
      return fail(&op);
  return success();
}

struct AssignBuffers : impl::AssignBuffersBase<AssignBuffers> {
  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation());
    if (!spec || !getAnalysis<ScheduledForm>().isKept)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (failed(verifyBuffers(function)) ||
          failed(BufferAssignment(function, *spec).run()))
        return signalPassFailure();
    }
  }
};
} // namespace
} // namespace gaudi
