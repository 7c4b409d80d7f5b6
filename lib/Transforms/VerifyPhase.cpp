// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what each phase of the pipeline promises to the next.
//
// Promises add up: a phase keeps those of the phases before it. One walk over
// the ops checks all of them; memory needs the whole function.
#include "Memory/CheckMemory.h"

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Kernel/Limits.h"
#include "Gaudi/Transforms/Passes.h"
#include "Gaudi/Transforms/Permutations.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace gaudi {
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
    if (phase >= Phase::Memory)
      checkMemory(function, [this](Operation *op) { return error(op); });
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
        // A loop is [variable, [step, ...]].
        auto loop = dyn_cast<ArrayAttr>(step);
        auto name = loop && loop.size() == 2 ? dyn_cast<StringAttr>(loop[0])
                                             : StringAttr();
        auto body = name ? dyn_cast<ArrayAttr>(loop[1]) : ArrayAttr();
        auto type =
            body ? dyn_cast_or_null<RankedTensorType>(variables.lookup(name))
                 : RankedTensorType();
        // What the host tests is one boolean.
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
           << "', whose program launches it; move it after";
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
    // Two results of a part may not be one of the entry.
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
    else if (tensor.getRank() > int64_t(kernel::maxRank))
      error(op) << what << " " << number << " has rank " << tensor.getRank()
                << "; a device tensor has at most " << kernel::maxRank
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

  Phase phase;
  StringRef name;
  bool failed = false;
  DenseSet<Type> checked; // types without an error
};

struct VerifyPhase : impl::VerifyPhaseBase<VerifyPhase> {
  using VerifyPhaseBase::VerifyPhaseBase;

  void runOnOperation() override {
    const bool isKept = phase == "schedule"
                            ? getAnalysis<ScheduledForm>().isKept
                            : succeeded(verifyPhase(getOperation(), phase));
    if (!isKept)
      return signalPassFailure();
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
} // namespace gaudi
