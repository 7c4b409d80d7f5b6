// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module after each pass.
#include "Bisection.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Reference/Evaluator.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// Keeps the module after each pass that changed it; `afterImport`: from the
/// end of the import on, which then rounds on purpose.
class FormRecorder : public PassInstrumentation {
public:
  using Keep = std::function<void(StringRef, ModuleOp)>;
  FormRecorder(bool afterImport, Keep keep)
      : isOpen(!afterImport), keep(std::move(keep)) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module || module->getParentOp())
      return;
    const StringRef name =
        pass->getArgument().empty() ? pass->getName() : pass->getArgument();
    // The first phase that is verified is the import.
    isOpen |= name == "gaudi-verify-phase";
    if (!isOpen)
      return;
    const OperationFingerPrint now(module);
    if (last && *last == now)
      return;
    last.emplace(now);
    keep(name, module);
  }

private:
  bool isOpen;
  Keep keep;
  std::optional<OperationFingerPrint> last;
};

} // namespace

void Session::recordForms(PassManager &manager) {
  if (!recordedForms)
    return;
  manager.addInstrumentation(std::make_unique<FormRecorder>(
      !autocast.empty() && !recordsAllForms,
      [this](StringRef pass, ModuleOp module) {
        recordedForms->push_back({pass.str(), module.clone()});
      }));
}

FailureOr<std::vector<Session::Form>>
Session::formsOf(OwningOpRef<ModuleOp> module, const Twine &doing, bool all) {
  std::vector<Form> forms;
  const llvm::SaveAndRestore recording(recordedForms, &forms);
  const llvm::SaveAndRestore fromStart(recordsAllForms, all);
  const llvm::SaveAndRestore silent(isSilent, true);
  auto last = runPasses(std::move(module), {"memory"}, doing);
  if (failed(last))
    return failure();
  // Those that the reference knows: no other dialects. An entry with variants
  // only says which there are.
  const auto isUnknown = [](Form &form) {
    return llvm::any_of(form.module->getOps<func::FuncOp>(),
                        [](func::FuncOp function) {
                          return !function.isExternal() &&
                                 !function->hasAttr(bucketsAttrName) &&
                                 findNotEvaluable(function) != nullptr;
                        });
  };
  while (!forms.empty() && isUnknown(forms.front()))
    forms.erase(forms.begin());
  if (forms.empty() || llvm::any_of(forms, isUnknown))
    return fail("the reference evaluator knows no form of the model");
  forms.front().pass = "";
  return forms;
}

FailureOr<std::vector<Session::Form>> Session::formsOfSource(bool all) {
  if (!source && failed(readSource()))
    return failure();
  const std::string doing = "cannot compile " + entryNames();
  return selected.empty() ? formsOf(std::move(source), doing, all)
                          : formsOf(sourceAt(selected), doing, all);
}

func::FuncOp Session::functionIn(ModuleOp form) const {
  if (auto named = form.lookupSymbol<func::FuncOp>(evaluatedName))
    return named;
  for (auto function : form.getOps<func::FuncOp>())
    if (function.isPublic())
      return function;
  return nullptr;
}

FailureOr<SmallVector<ReferenceTensor>>
Session::firstArguments(ArrayRef<GaudiBytes> given, StringRef why) {
  auto values = readInputs(given);
  if (failed(values))
    return failure();
  auto function = imported->lookupSymbol<func::FuncOp>(evaluatedName);
  if (programOf(function))
    return fail("'" + Twine(entryName) + "' has loops that the host runs; " +
                why);
  Evaluation plain;
  plain.parameters = std::move(*values);
  auto arguments = argumentsOf(function, plain);
  if (failed(arguments))
    return failure();
  SmallVector<ReferenceTensor> found;
  for (auto [i, value] : llvm::enumerate(*arguments))
    if (!function.getArgAttr(unsigned(i), extentAttrName))
      found.push_back(std::move(value));
  return found;
}

FailureOr<SmallVector<ReferenceTensor>>
Session::withExtents(func::FuncOp form,
                     ArrayRef<ReferenceTensor> arguments) const {
  SmallVector<ReferenceTensor> found;
  size_t next = 0;
  for (unsigned i = 0; i < form.getNumArguments(); ++i) {
    auto extent = form.getArgAttrOfType<AffineMapAttr>(i, extentAttrName);
    if (!extent && next == arguments.size())
      return failure();
    auto value = extent ? extentValue(form, i, extent)
                        : FailureOr<ReferenceTensor>(arguments[next++]);
    if (failed(value) || value->getType() != callersArgumentType(form, i))
      return failure();
    found.push_back(std::move(*value));
  }
  if (next != arguments.size())
    return failure();
  return found;
}

FailureOr<OwningOpRef<ModuleOp>> Session::parseGiven(StringRef name,
                                                     GaudiBytes text) {
  auto &other =
      bisection->sources.emplace_back(std::make_shared<llvm::SourceMgr>());
  other->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(
          {reinterpret_cast<const char *>(text.data), size_t(text.size)}, name,
          /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  errorCount = 0;
  auto module = parseSourceFile<ModuleOp>(other, ParserConfig(&context));
  if (!module)
    return fail("cannot parse '" + name + "'" + errorCountText());
  return module;
}
