// Checks what each phase of the pipeline promises to the next.
//
// Promises add up: a phase keeps those of the phases before it. One walk over
// the ops checks all of them; memory needs the whole function.
#include "Memory/InPlace.h"

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Kernel/Limits.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "Gaudi/Transforms/Passes.h"
#include "Gaudi/Transforms/Permutations.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <map>

namespace mlir::gaudi {
#define GEN_PASS_DEF_VERIFYPHASE
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
enum class Phase { Import, Fuse, Graph, Kernels, Schedule, Memory };

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
      if (programOf(function))
        checkProgram(function, module);
      if (function->hasAttr(partOfAttrName))
        checkPart(function, module);
      if (!function.isExternal())
        entries.push_back(function);
    }
    if (entries.empty())
      error(module) << "the module has no function with a body";
    for (func::FuncOp function : entries)
      checkFunction(function);
    failed |= mlir::failed(verifyAllowed(module));
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
    failed |= mlir::failed(verifyStates(function)) ||
              mlir::failed(verifyPermutations(function));
    for (Operation &op : block)
      checkOp(&op);
    // What follows casts terminators and reads types: only of ops that passed.
    if (failed)
      return;
    if (phase >= Phase::Schedule)
      checkOutputs(cast<func::ReturnOp>(block.getTerminator()));
    if (phase >= Phase::Memory && !failed)
      checkMemory(function);
  }

  /// A function that only launches parts has no ops that could be checked.
  void checkProgram(func::FuncOp entry, ModuleOp module) {
    if (!entry.isExternal())
      error(entry) << "'@" << entry.getName() << "' has a body and '"
                   << programAttrName << "'; a function has one of them";
    for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes()))
      checkType(entry, type, "argument", i);
    for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
      checkType(entry, type, "result", i);
    failed |= mlir::failed(verifyStates(entry)) ||
              mlir::failed(verifyPermutations(entry));
    // The variables of the parts, which loops may test.
    DenseMap<StringAttr, Type> variables;
    for (auto part : module.getOps<func::FuncOp>())
      for (unsigned i = 0; i < part.getNumArguments(); ++i)
        if (StringAttr name = variableOf(part, i))
          variables[name] = part.getArgumentTypes()[i];
    SmallVector<ArrayAttr> open{programOf(entry)};
    while (!open.empty())
      for (Attribute step : open.pop_back_val()) {
        if (isPartOf(step, entry, module))
          continue;
        auto loop = dyn_cast<ArrayAttr>(step);
        auto name = loop && loop.size() == 2 ? dyn_cast<StringAttr>(loop[0])
                                             : StringAttr();
        auto body = name ? dyn_cast<ArrayAttr>(loop[1]) : ArrayAttr();
        auto type =
            body ? dyn_cast_or_null<RankedTensorType>(variables.lookup(name))
                 : RankedTensorType();
        if (type && type.hasStaticShape() && type.getNumElements() == 1 &&
            type.getElementType().isInteger(1))
          open.push_back(body);
        else
          error(entry) << "step " << step << " of '" << programAttrName
                       << "' is neither a part of it nor a loop with a "
                          "variable of type i1";
      }
  }

  static bool isPartOf(Attribute step, func::FuncOp entry, ModuleOp module) {
    auto symbol = dyn_cast<FlatSymbolRefAttr>(step);
    auto part = symbol ? module.lookupSymbol<func::FuncOp>(symbol.getAttr())
                       : func::FuncOp();
    return part && !part.isExternal() &&
           part->getAttr(partOfAttrName) == FlatSymbolRefAttr::get(entry);
  }

  /// What a part takes and returns are variables, or what its entry does.
  void checkPart(func::FuncOp part, ModuleOp module) {
    auto symbol = part->getAttrOfType<FlatSymbolRefAttr>(partOfAttrName);
    auto entry = symbol ? module.lookupSymbol<func::FuncOp>(symbol.getAttr())
                        : func::FuncOp();
    if (!entry || !programOf(entry))
      return (void)(error(part) << "'" << partOfAttrName
                                << "' names no function with a program");
    if (!entry->isBeforeInBlock(part)) {
      InFlightDiagnostic diag = error(part);
      diag << "a part is before '@" << entry.getName()
           << "', whose program launches it; move it behind";
      diag.attachNote(entry.getLoc()) << "its program is here";
      return;
    }
    auto refuse = [&](StringRef what, unsigned number) {
      InFlightDiagnostic diag = error(part);
      diag << what << " " << number << " is neither that of a variable nor one "
           << "of '@" << entry.getName() << "'";
      diag.attachNote(entry.getLoc()) << "its program is here";
    };
    auto isOf = [](std::optional<unsigned> number, TypeRange types, Type type) {
      return number && *number < types.size() && types[*number] == type;
    };
    auto checkOrders = [&](StringRef what, unsigned number,
                           ArrayRef<int64_t> mine, ArrayRef<int64_t> whole) {
      if (mine == whole)
        return;
      InFlightDiagnostic diag = error(part);
      diag << what << " " << number << " has another '" << permutationAttrName
           << "' than that of '@" << entry.getName() << "'";
      diag.attachNote(entry.getLoc()) << "its program is here";
    };
    for (auto [i, number] : llvm::enumerate(parameterNumbers(part))) {
      if (variableOf(part, i))
        continue;
      if (isOf(number, entry.getArgumentTypes(), part.getArgumentTypes()[i]))
        checkOrders("argument", i, argumentPermutation(part, i),
                    argumentPermutation(entry, *number));
      else
        refuse("argument", i);
    }
    const auto numbers = outputNumbers(part);
    // Those of variables are not visible, and need no number.
    llvm::SmallDenseSet<unsigned> given;
    for (unsigned i : visibleResults(part))
      if (!isOf(numbers[i], entry.getResultTypes(), part.getResultTypes()[i]) ||
          !given.insert(*numbers[i]).second)
        refuse("result", i);
      else
        checkOrders("result", i, resultPermutation(part, i),
                    resultPermutation(entry, *numbers[i]));
  }

  /// Types are unique and few: one that passed is not looked at again.
  void checkType(Operation *op, Type type, StringRef what, unsigned number) {
    if (checked.contains(type))
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
    else if (tensor.getRank() > int64_t(::gaudi::kernel::maxRank))
      error(op) << what << " " << number << " has rank " << tensor.getRank()
                << "; a device tensor has at most " << ::gaudi::kernel::maxRank
                << " dimensions";
    else
      checked.insert(type);
  }

  /// True if byte offsets within the tensor could overflow.
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
                << "' remains; expected ops of the gaudi dialect only";
      return;
    }
    for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
      checkType(op, type, "result", i);
    if (phase >= Phase::Graph)
      if (auto engine = dyn_cast<EngineOpInterface>(op))
        if (engine.getEngine() == Engine::Unplaced)
          error(op) << "'" << op->getName().getStringRef()
                    << "' has no engine; run gaudi-place-ops first";
    if (phase >= Phase::Kernels && isa<KernelBodyOpInterface>(op))
      error(op) << "'" << op->getName().getStringRef()
                << "' remains; expected its kernel";
  }

  /// The caller gives each output a buffer, which the recipe's commands write:
  /// it can be neither an input nor shared.
  void checkOutputs(func::ReturnOp exit) {
    DenseMap<Value, unsigned> seen;
    for (auto [i, operand] : llvm::enumerate(exit.getOperands())) {
      Value value = returnedRoot(operand);
      Operation *def = value.getDefiningOp();
      if (isUnchangedState(value, i))
        continue;
      if (!def || isa<ConstantOp, ViewOpInterface>(def)) {
        InFlightDiagnostic diag = error(exit);
        diag << "output " << i << " has no buffer of its own";
        diag.attachNote(value.getLoc())
            << "it is "
            << (!def                   ? "an argument"
                : isa<ConstantOp>(def) ? "a constant"
                                       : "a view");
      } else if (!seen.try_emplace(value, i).second) {
        InFlightDiagnostic diag = error(exit);
        diag << "output " << i << " shares the buffer of output "
             << seen[value];
        diag.attachNote(value.getLoc()) << "both are this value";
      }
    }
  }

  struct Range {
    SectionKind section;
    int64_t start, end;
  };

  Range rangeOf(Value value) {
    BufferAttr buffer = bufferOf(value);
    return {buffer.getSection(), buffer.getOffset(),
            buffer.getOffset() +
                extentBytes(tensorType(value), buffer.getStrides())};
  }

  /// True if `value` replaces the argument `other` from launch to launch.
  static bool isNextValue(Value value, BlockArgument other) {
    auto function = cast<func::FuncOp>(other.getOwner()->getParentOp());
    auto result = stateResult(function, other.getArgNumber());
    return result &&
           returnedRoot(function.getBody().front().getTerminator()->getOperand(
               *result)) == value;
  }

  /// True if the op that makes `value` at step `now` may write it over `other`,
  /// whose last use is at step `last`. The planner asks the same
  /// mayWriteInPlace: the recipe verifier is what checks the rule from another
  /// form.
  bool mayReuse(Value value, Value other, int64_t last, int64_t now) {
    Range mine = rangeOf(value), theirs = rangeOf(other);
    if (mine.start != theirs.start || mine.end != theirs.end)
      return false;
    // Bytes of an argument are the caller's, unless a result replaces it.
    if (auto argument = dyn_cast<BlockArgument>(other)) {
      if (!isNextValue(value, argument))
        return false;
      if (last < now)
        return true;
    }
    auto kernel = value.getDefiningOp<KernelOp>();
    if (!kernel || last != now)
      return false;
    auto result = cast<OpResult>(value);
    for (auto [i, operand] : llvm::enumerate(kernel->getOperands())) {
      if (bufferRoot(operand) != other)
        continue;
      if (bufferOf(operand).getOffset() != bufferOf(value).getOffset() ||
          elementBytes(getElementTypeOrSelf(operand)) !=
              elementBytes(getElementTypeOrSelf(value)) ||
          !mayWriteInPlace(kernel, i, bufferOf(operand).getStrides(),
                           result.getResultNumber(),
                           bufferOf(value).getStrides()))
        return false;
    }
    return true;
  }

  /// The steps at which the buffers of a function are written first and read
  /// last. Step 0 is before the first op.
  struct LiveRanges {
    SmallVector<Value> values; // in order of their first step
    DenseMap<Value, int64_t> first, last;
  };

  /// Lifetimes from uses alone, not from what the planner says. A use of a view
  /// is a use of its root.
  static LiveRanges liveRanges(Block &block) {
    LiveRanges live;
    llvm::append_range(live.values, block.getArguments());
    int64_t step = 0;
    for (Operation &op : block) {
      ++step;
      for (Value operand : op.getOperands())
        live.last[bufferRoot(operand)] = step;
      for (Value result : op.getResults()) {
        live.values.push_back(result);
        live.first[result] = step;
      }
    }
    return live;
  }

  /// Every value has a buffer within its section.
  LogicalResult checkBounds(func::FuncOp function, ArrayRef<Value> values,
                            ArrayRef<int64_t> sectionSizes) {
    for (Value value : values) {
      Operation *at = value.getDefiningOp() ? value.getDefiningOp() : function;
      BufferAttr buffer = bufferOf(value);
      RankedTensorType type = tensorType(value);
      if (!buffer || int64_t(buffer.getStrides().size()) != type.getRank()) {
        error(at) << "a value of type " << type << " has no buffer";
        return failure();
      }
      Range range = rangeOf(value);
      const int64_t size = sectionSizes[unsigned(range.section)];
      if (range.start < 0 || range.end > size) {
        InFlightDiagnostic diag = error(at);
        diag << "bytes " << range.start << " to " << range.end
             << " are outside the " << stringifySectionKind(range.section)
             << " section of " << size << " bytes";
        diag.attachNote(function.getLoc())
            << "the sizes of the sections are given here";
        return failure();
      }
    }
    return success();
  }

  /// No two buffers of a section that are alive at once overlap, but for a
  /// kernel's result that reuses the buffer of an operand. One sweep over the
  /// program. The buffers alive are disjoint and ordered by address, so that a
  /// new one can overlap only the next at or after its start and the one before
  /// that. O(n log n).
  void checkConflicts(func::FuncOp function, LiveRanges &live) {
    std::map<std::pair<unsigned, int64_t>, Value> alive; // section, start
    std::multimap<int64_t, Value> ends;                  // by last step
    for (Value value : live.values) {
      Range range = rangeOf(value);
      if (bufferRoot(value) != value || range.start == range.end ||
          range.section == SectionKind::Const)
        continue; // equal constants share bytes, which nothing writes
      const int64_t now = live.first.lookup(value);
      for (; !ends.empty() && ends.begin()->first < now;
           ends.erase(ends.begin())) {
        Range done = rangeOf(ends.begin()->second);
        auto place = alive.find({unsigned(done.section), done.start});
        // A result that reuses a buffer has replaced its entry.
        if (place != alive.end() && place->second == ends.begin()->second)
          alive.erase(place);
      }
      Value other = overlapping(alive, range);
      if (other && !mayReuse(value, other, live.last.lookup(other), now)) {
        Operation *def = value.getDefiningOp();
        InFlightDiagnostic diag = error(def ? def : function);
        diag << "bytes " << range.start << " to " << range.end << " of the "
             << stringifySectionKind(range.section)
             << " section are still in use";
        diag.attachNote(other.getLoc()) << "by this value";
        return;
      }
      alive[{unsigned(range.section), range.start}] = value;
      // Arguments and outputs belong to the caller: they are alive to the end.
      bool isPersistent = range.section == SectionKind::Persistent;
      ends.emplace(isPersistent ? INT64_MAX
                                : std::max(now, live.last.lookup(value)),
                   value);
    }
  }

  /// A buffer alive that has bytes of `range`, or null.
  Value overlapping(const std::map<std::pair<unsigned, int64_t>, Value> &alive,
                    const Range &range) {
    const unsigned section = unsigned(range.section);
    auto next = alive.lower_bound({section, range.start});
    if (next != alive.end() && next->first.first == section &&
        next->first.second < range.end)
      return next->second;
    if (next == alive.begin())
      return {};
    auto previous = std::prev(next);
    bool reaches = previous->first.first == section &&
                   rangeOf(previous->second).end > range.start;
    return reaches ? previous->second : Value();
  }

  void checkMemory(func::FuncOp function) {
    SmallVector<int64_t> sizes; // by SectionKind
    for (StringRef attr : {persistentBytesAttrName, constBytesAttrName,
                           workspaceBytesAttrName}) {
      auto bytes = function->getAttrOfType<IntegerAttr>(attr);
      if (!bytes || bytes.getInt() < 0) {
        error(function) << "function '" << function.getName() << "' has no '"
                        << attr << "'; run gaudi-assign-buffers first";
        return;
      }
      sizes.push_back(bytes.getInt());
    }
    SmallVector<Value> values(function.getArguments());
    for (Operation &op : function.getBody().front())
      llvm::append_range(values, op.getResults());
    // bufferRoot reads the buffers, so their bounds come first.
    if (mlir::failed(checkBounds(function, values, sizes)))
      return;
    LiveRanges live = liveRanges(function.getBody().front());
    checkConflicts(function, live);
  }

  Phase phase;
  StringRef name;
  bool failed = false;
  DenseSet<Type> checked; // types without an error
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
                   .Case("fuse", Phase::Fuse)
                   .Case("graph", Phase::Graph)
                   .Case("kernels", Phase::Kernels)
                   .Case("schedule", Phase::Schedule)
                   .Case("memory", Phase::Memory)
                   .Default(std::nullopt);
  if (!which)
    return module.emitError("unknown phase '")
           << phase
           << "'; expected import, fuse, graph, kernels, schedule or memory";
  return PhaseChecker(*which, phase).check(module);
}
} // namespace mlir::gaudi
