// Checks what each phase of the pipeline promises to the next.
#include "Memory/InPlace.h"

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <map>

namespace mlir::gaudi {
#define GEN_PASS_DEF_VERIFYPHASE
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
enum class Phase { Import, Graph, Kernels, Schedule, Memory };

class PhaseChecker {
public:
  PhaseChecker(Phase phase, StringRef name) : phase(phase), name(name) {}

  LogicalResult check(ModuleOp module) {
    SmallVector<func::FuncOp> entries;
    for (Operation &op : *module.getBody()) {
      auto function = dyn_cast<func::FuncOp>(op);
      if (!function) {
        error(&op) << "a module holds functions only";
        continue;
      }
      if (!function.isExternal())
        entries.push_back(function);
    }
    if (entries.empty())
      error(module) << "the module has no function with a body";
    if (entries.size() > 1) {
      InFlightDiagnostic diag = error(entries[1]);
      diag << "the module has " << entries.size()
           << " functions with a body; compile one entry (the others must be "
              "private and inlined)";
      diag.attachNote(entries[0].getLoc()) << "the first one is here";
    }
    for (func::FuncOp function : entries)
      checkFunction(function);
    return failure(failed);
  }

private:
  InFlightDiagnostic error(Operation *op) {
    failed = true;
    return op->emitError("after phase '") << name << "': ";
  }

  void checkFunction(func::FuncOp function) {
    if (!function.getBody().hasOneBlock()) {
      error(function) << "function '" << function.getName() << "' has "
                      << function.getBody().getBlocks().size()
                      << " blocks; expected one (control flow between blocks "
                         "cannot run on the device)";
      return;
    }
    Block &block = function.getBody().front();
    for (BlockArgument argument : block.getArguments())
      checkType(function, argument.getType(), "argument",
                argument.getArgNumber());
    for (Operation &op : block)
      checkOp(&op);
    if (failed)
      return;
    if (phase >= Phase::Schedule)
      checkOutputs(cast<func::ReturnOp>(block.getTerminator()));
    if (phase >= Phase::Memory && !failed)
      checkMemory(function);
  }

  void checkType(Operation *op, Type type, StringRef what, unsigned number) {
    if (good.contains(type))
      return;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !isDeviceElement(tensor.getElementType()))
      error(op) << what << " " << number << " has type " << type
                << "; expected a static tensor of a device type (f32, bf16, "
                   "f16, f8E4M3FN, f8E5M2, i8 to i64, ui8 to ui32, i1)";
    else if (isTooLarge(tensor))
      error(op) << what << " " << number << " has type " << type
                << ", which takes more than 2^47 bytes";
    else if (tensor.getRank() > 8)
      error(op) << what << " " << number << " has rank " << tensor.getRank()
                << "; a device tensor has at most 8 dimensions";
    else
      good.insert(type);
  }

  /// True if byte offsets inside of the tensor could overflow.
  static bool isTooLarge(RankedTensorType type) {
    int64_t bytes = elementBytes(type.getElementType());
    for (int64_t size : type.getShape())
      if (size != 0 && llvm::MulOverflow(bytes, size, bytes))
        return true;
    return bytes > int64_t(1) << 47;
  }

  void checkOp(Operation *op) {
    if (isa<func::ReturnOp>(op))
      return;
    if (!isa_and_nonnull<GaudiDialect>(op->getDialect())) {
      error(op) << "'" << op->getName().getStringRef()
                << "' is left; expected ops of the gaudi dialect only";
      return;
    }
    for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
      checkType(op, type, "result", i);
    if (phase >= Phase::Graph)
      if (auto engine = dyn_cast<EngineOpInterface>(op))
        if (engine.getEngine() == Engine::Unplaced)
          error(op) << "'" << op->getName().getStringRef() << "' has no engine";
    if (phase >= Phase::Kernels && isa<KernelBodyOpInterface>(op))
      error(op) << "'" << op->getName().getStringRef()
                << "' is left; expected its kernel";
  }

  void checkOutputs(func::ReturnOp exit) {
    DenseMap<Value, unsigned> seen;
    for (auto [i, value] : llvm::enumerate(exit.getOperands())) {
      Operation *def = value.getDefiningOp();
      if (!def || isa<ConstantOp, ViewOpInterface>(def))
        error(exit) << "output " << i << " has no bytes of its own";
      else if (!seen.try_emplace(value, i).second)
        error(exit) << "output " << i << " shares the bytes of output "
                    << seen[value];
    }
  }

  struct Range {
    SectionKind section;
    int64_t start, end;
  };

  Range rangeOf(Value value) {
    BufferAttr buffer = bufferOf(value);
    auto type = cast<RankedTensorType>(value.getType());
    return {buffer.getSection(), buffer.getOffset(),
            buffer.getOffset() + extentBytes(type, buffer.getStrides())};
  }

  /// True if the kernel that makes `value` may write it over `other`, which
  /// has no later reader if `ends`.
  bool takesPlaceOf(Value value, Value other, bool ends) {
    auto kernel = value.getDefiningOp<KernelOp>();
    if (!kernel || !ends)
      return false;
    auto result = cast<OpResult>(value);
    for (auto [i, operand] : llvm::enumerate(kernel->getOperands())) {
      if (bufferRoot(operand) != other)
        continue;
      auto from = cast<RankedTensorType>(operand.getType());
      auto to = cast<RankedTensorType>(value.getType());
      if (bufferOf(operand).getOffset() != bufferOf(value).getOffset() ||
          elementBytes(from.getElementType()) !=
              elementBytes(to.getElementType()) ||
          !mayWriteInPlace(kernel, i, bufferOf(operand).getStrides(),
                           result.getResultNumber(),
                           bufferOf(value).getStrides()))
        return false;
    }
    Range mine = rangeOf(value), theirs = rangeOf(other);
    return mine.start == theirs.start && mine.end == theirs.end;
  }

  /// Independent of the planner: recomputes lifetimes from uses and checks
  /// every moment of the program.
  void checkMemory(func::FuncOp function) {
    Block &block = function.getBody().front();
    auto bytes = [&](StringRef attr) {
      auto value = function->getAttrOfType<IntegerAttr>(attr);
      return value ? value.getInt() : -1;
    };
    for (StringRef attr :
         {persistentBytesAttrName, constBytesAttrName, workspaceBytesAttrName})
      if (bytes(attr) < 0) {
        error(function) << "function '" << function.getName() << "' has no '"
                        << attr << "'; run gaudi-assign-buffers first";
        return;
      }
    const int64_t sizes[] = {bytes(persistentBytesAttrName),
                             bytes(constBytesAttrName),
                             bytes(workspaceBytesAttrName)};
    DenseMap<Value, int64_t> lastUse;
    SmallVector<Value> values(block.getArguments().begin(),
                              block.getArguments().end());
    DenseMap<Value, int64_t> firstStep;
    int64_t step = 0;
    for (Operation &op : block) {
      ++step;
      for (Value result : op.getResults()) {
        values.push_back(result);
        firstStep[result] = step;
      }
    }
    for (Value value : values) {
      Operation *at = value.getDefiningOp() ? value.getDefiningOp() : function;
      BufferAttr buffer = bufferOf(value);
      auto type = cast<RankedTensorType>(value.getType());
      if (!buffer || int64_t(buffer.getStrides().size()) != type.getRank()) {
        error(at) << "a value of type " << type << " has no buffer";
        return;
      }
      Range range = rangeOf(value);
      if (range.start < 0 || range.end > sizes[unsigned(range.section)]) {
        error(at) << "bytes " << range.start << " to " << range.end
                  << " leave the " << stringifySectionKind(range.section)
                  << " section of " << sizes[unsigned(range.section)]
                  << " bytes";
        return;
      }
    }
    step = 0;
    for (Operation &op : block) {
      ++step;
      for (Value operand : op.getOperands())
        lastUse[bufferRoot(operand)] = step;
    }
    // Sweep the program with the ranges that are alive, in address order.
    std::map<std::pair<unsigned, int64_t>, Value> alive;
    std::multimap<int64_t, Value> ends;
    for (Value value : values) {
      if (bufferRoot(value) != value)
        continue;
      Range range = rangeOf(value);
      if (range.start == range.end || range.section == SectionKind::Const)
        continue;
      int64_t now = firstStep.lookup(value);
      while (!ends.empty() && ends.begin()->first < now) {
        Range done = rangeOf(ends.begin()->second);
        auto place = alive.find({unsigned(done.section), done.start});
        if (place != alive.end() && place->second == ends.begin()->second)
          alive.erase(place);
        ends.erase(ends.begin());
      }
      std::pair<unsigned, int64_t> key(unsigned(range.section), range.start);
      auto next = alive.lower_bound(key);
      Value other;
      if (next != alive.end() && next->first.first == key.first &&
          next->first.second < range.end)
        other = next->second;
      if (next != alive.begin() && !other) {
        auto previous = std::prev(next);
        if (previous->first.first == key.first &&
            rangeOf(previous->second).end > range.start)
          other = previous->second;
      }
      if (other && takesPlaceOf(value, other, lastUse.lookup(other) == now))
        other = nullptr;
      if (other) {
        Operation *at =
            value.getDefiningOp() ? value.getDefiningOp() : function;
        InFlightDiagnostic diag = error(at);
        diag << "bytes " << range.start << " to " << range.end << " of the "
             << stringifySectionKind(range.section)
             << " section are still in use";
        diag.attachNote(other.getLoc()) << "by this value";
        return;
      }
      alive[key] = value;
      bool persistent = range.section == SectionKind::Persistent;
      ends.emplace(
          persistent ? INT64_MAX : std::max(now, lastUse.lookup(value)), value);
    }
  }

  Phase phase;
  StringRef name;
  bool failed = false;
  DenseSet<Type> good; // types that passed
};

struct VerifyPhase : impl::VerifyPhaseBase<VerifyPhase> {
  using VerifyPhaseBase::VerifyPhaseBase;

  void runOnOperation() override {
    if (failed(verifyPhase(getOperation(), phase)))
      return signalPassFailure();
    getAnalysis<VerifiedPhase>().name = phase;
    markAllAnalysesPreserved();
  }
};
} // namespace

LogicalResult verifyPhase(ModuleOp module, StringRef phase) {
  auto which = llvm::StringSwitch<std::optional<Phase>>(phase)
                   .Case("import", Phase::Import)
                   .Case("graph", Phase::Graph)
                   .Case("kernels", Phase::Kernels)
                   .Case("schedule", Phase::Schedule)
                   .Case("memory", Phase::Memory)
                   .Default(std::nullopt);
  if (!which)
    return module.emitError("unknown phase '")
           << phase << "'; expected import, graph, kernels, schedule or memory";
  return PhaseChecker(*which, phase).check(module);
}
} // namespace mlir::gaudi
