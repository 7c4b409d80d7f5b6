// Other sizes of the model: its variants, and its batch.
#include "Batch.h"
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Session.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::gaudi;

bool Session::hasSymbols(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return !function.isExternal() && function->hasAttr(symbolsAttrName) &&
           !function->hasAttr(bucketOfAttrName);
  });
}

std::string Session::symbolNames() const {
  std::string names;
  for (const Symbol &symbol : symbols)
    names += (Twine(names.empty() ? "" : ", ") + symbol.name + " from " +
              Twine(symbol.min) + " to " + Twine(symbol.max))
                 .str();
  return names;
}

/// True if the function has a dynamic dimension, or says bounds of one.
static bool isDynamic(func::FuncOp function) {
  auto hasDynamicShape = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.hasRank() && !shaped.hasStaticShape();
  };
  return function.isPublic() && !function.isExternal() &&
         llvm::any_of(function.getArgumentTypes(), hasDynamicShape);
}

LogicalResult Session::inferSymbols() {
  symbols.clear();
  const bool any = llvm::any_of(source->getOps<func::FuncOp>(), isDynamic);
  if (!any && !shape.empty())
    return fail("--shape: " + entryNames() +
                " has no dynamic dimension; remove the option");
  if (!any)
    return success();
  PassManager inference(&context);
  inference.addPass(createInferSymbols({shape}));
  errorCount = 0;
  if (failed(inference.run(*source)))
    return fail("cannot tell the dynamic dimensions of " + entryNames() +
                errorCountText());
  if (auto entry = source->lookupSymbol<func::FuncOp>(entryName))
    symbols = symbolsOf(entry);
  return success();
}

LogicalResult Session::select(ArrayRef<int64_t> sizes) {
  if (!parsed)
    return fail("no model has been parsed");
  if (!source && failed(readSource()))
    return failure();
  if (symbols.empty())
    return fail("'" + Twine(entryName) + "' has no dynamic dimension");
  if (sizes.size() != symbols.size())
    return fail("'" + Twine(entryName) + "' has " + Twine(symbols.size()) +
                " dynamic size" + (symbols.size() == 1 ? "" : "s") + " but " +
                Twine(sizes.size()) + " are given");
  OwningOpRef<ModuleOp> module = source->clone();
  Builder builder(&context);
  std::string text;
  for (auto [symbol, size] : llvm::zip_equal(symbols, sizes))
    text += (Twine(text.empty() ? "" : ", ") + symbol.name + "=" + Twine(size))
                .str();
  for (auto function :
       llvm::make_early_inc_range(module->getOps<func::FuncOp>()))
    if (function.getName() != entryName)
      function.erase(); // their sizes are not said
  auto entry = module->lookupSymbol<func::FuncOp>(entryName);
  entry->setAttr(boxesAttrName,
                 builder.getArrayAttr(builder.getDenseI64ArrayAttr(sizes)));
  auto selectedModule = runPasses(std::move(module), {"import"},
                                  "cannot bring '" + Twine(entryName) +
                                      "' with " + text + " to the device");
  if (failed(selectedModule))
    return failure();
  imported = std::move(*selectedModule);
  selected.assign(sizes.begin(), sizes.end());
  entry = imported->lookupSymbol<func::FuncOp>(entryName);
  auto variants = entry->getAttrOfType<ArrayAttr>(bucketsAttrName);
  assert(variants && variants.size() == 1 && "one bucket, one variant");
  evaluatedName = cast<FlatSymbolRefAttr>(variants[0]).getValue().str();
  return describeSignature(imported->lookupSymbol<func::FuncOp>(evaluatedName));
}

/// Whether an entry has the attribute.
static bool hasEntry(ModuleOp module, StringRef attribute) {
  return llvm::any_of(
      module.getOps<func::FuncOp>(), [&](func::FuncOp function) {
        return function.isExternal() && function->hasAttr(attribute);
      });
}

namespace {
/// Variants as modules of their own, so that passes may run on several at a
/// time.
struct Parts {
  explicit Parts(ModuleOp module) {
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!function->hasAttr(bucketOfAttrName))
        continue;
      owned.push_back(ModuleOp::create(module.getLoc()));
      modules.push_back(*owned.back());
      modules.back()->setAttrs(module->getAttrDictionary());
      function->moveBefore(modules.back().getBody(),
                           modules.back().getBody()->end());
    }
    // Functions of static shapes beside them.
    if (llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
          return !function.isExternal();
        }))
      modules.push_back(module);
  }

  /// Puts the functions back. Records of what passes did are those of the
  /// largest variant, the last: hundreds of variants have hundreds of equal
  /// ones.
  void join(ModuleOp module) {
    for (OwningOpRef<ModuleOp> &part : owned) {
      for (NamedAttribute attribute : (*part)->getAttrs())
        module->setAttr(attribute.getName(), attribute.getValue());
      for (Operation &op : llvm::make_early_inc_range(*part->getBody()))
        op.moveBefore(module.getBody(), module.getBody()->end());
    }
  }

  SmallVector<OwningOpRef<ModuleOp>, 0> owned;
  SmallVector<ModuleOp> modules;
};
} // namespace

/// Runs the phases on each module, several at a time; `isSample(i)`: nobody
/// hears of it. True for each that has no error.
std::vector<char> Session::runParts(ArrayRef<ModuleOp> parts,
                                    const Phases &phases,
                                    llvm::function_ref<bool(size_t)> isSample,
                                    std::string &problem) {
  std::vector<std::string> problems(parts.size());
  std::vector<char> isDone(parts.size(), true);
  auto run = [&](size_t i) {
    const SilentDiagnostics silent(isSample(i));
    isDone[i] = succeeded(runPhases(parts[i], phases, problems[i]));
  };
  // What passes say has an order only if they run one after the other.
  if (options.remarks || options.remark || options.checkNumerics) {
    for (size_t i = 0; i < parts.size(); ++i)
      run(i);
  } else {
    // Pass managers load what their passes need, which is for one thread only.
    context.loadAllAvailableDialects();
    ParallelDiagnosticHandler order(&context);
    parallelFor(&context, 0, parts.size(), [&](size_t i) {
      if (isSample(i))
        return run(i);
      order.setOrderIDForThread(i);
      run(i);
      order.eraseOrderIDForThread();
    });
  }
  for (size_t i = 0; i < parts.size(); ++i)
    if (problem.empty() && !isSample(i))
      problem = std::move(problems[i]);
  return isDone;
}

static LogicalResult runOn(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addPass(std::move(pass));
  return manager.run(module);
}

/// All variants, as far as they can be compiled together; `phase` becomes the
/// last one that they have seen. Each is derived from the kernels of a few, or
/// has been through no phase yet.
FailureOr<OwningOpRef<ModuleOp>> Session::variantsUpTo(StringRef &phase,
                                                       const Twine &doing) {
  // Numerics are checked pass by pass, which sees what is compiled only.
  const bool derives = !options.checkNumerics;
  phase = "shapes";
  auto module = runPasses(source->clone(), {phase, "", derives}, doing);
  if (failed(module) || !hasEntry(**module, missingBoxesAttrName))
    return module;
  auto compileAll = [&] { return runPasses(source->clone(), {phase}, doing); };
  if (failed(runOn(**module, createCheckSamples())) ||
      hasEntry(**module, sourceSamplesAttrName))
    return compileAll();
  // The last one of an entry with missing boxes is the largest.
  DenseSet<StringAttr> samples;
  for (auto function : (*module)->getOps<func::FuncOp>())
    if (function.isExternal() && function->hasAttr(missingBoxesAttrName))
      for (Attribute name : function->getAttrOfType<ArrayAttr>(bucketsAttrName)
                                .getValue()
                                .drop_back())
        samples.insert(cast<FlatSymbolRefAttr>(name).getAttr());
  Parts parts(**module);
  std::vector<char> isSample;
  for (ModuleOp part : parts.modules)
    isSample.push_back(
        llvm::any_of(part.getOps<func::FuncOp>(), [&](func::FuncOp function) {
          return samples.contains(function.getNameAttr());
        }));
  std::string problem;
  const std::vector<char> isDone = runParts(
      parts.modules, {"schedule", "shapes"},
      [&](size_t i) { return isSample[i]; }, problem);
  for (auto [done, sample] : llvm::zip(isDone, isSample))
    if (!done && !sample)
      return fail(problem.empty() ? doing + errorCountText() : problem);
  parts.join(**module);
  if (llvm::is_contained(isDone, false) ||
      failed(runOn(**module, createDeriveVariants())) ||
      hasEntry(**module, missingBoxesAttrName))
    return compileAll();
  phase = "schedule";
  return module;
}

LogicalResult Session::compileVariants(GaudiBytes &bytes) {
  const std::string doing = "cannot compile " + entryNames() + " for " + device;
  StringRef phase;
  auto module = variantsUpTo(phase, doing);
  if (failed(module))
    return failure();
  Parts parts(**module);
  std::string problem;
  const std::vector<char> isDone = runParts(
      parts.modules, {"memory", phase}, [](size_t) { return false; }, problem);
  if (llvm::is_contained(isDone, false))
    return fail(problem.empty() ? doing + errorCountText() : problem);
  parts.join(**module);
  const LogicalResult emitted = emit(**module, bytes);
  // To free hundreds of functions takes as long as to make a few.
  SmallVector<func::FuncOp> variants((*module)->getOps<func::FuncOp>());
  parallelFor(&context, 0, variants.size(), [&](size_t i) {
    variants[i].getBody().dropAllReferences();
    variants[i].getBody().getBlocks().clear();
  });
  return emitted;
}

LogicalResult Session::findBatch(StringRef input, GaudiBatch &found) {
  if (failed(import()))
    return failure();
  auto function = imported->lookupSymbol<func::FuncOp>(entryName);
  if (function.isExternal())
    return fail("'" + Twine(entryName) +
                "' has loops that the host runs; only one graph of static "
                "shapes has another batch size");
  const SmallVector<unsigned> visible = visibleArguments(function);
  batchArgument.reset();
  for (auto [number, parameter] : llvm::enumerate(inputs))
    if (parameter.name == input)
      batchArgument = visible[number];
  if (!input.empty() && !batchArgument)
    return fail("'" + Twine(entryName) + "' has no input '" + input + "'");
  std::string problem;
  // The search takes kernels in and out again, which the graph does not keep.
  FailureOr<Batch> batch = Batch::find(function, batchArgument, problem);
  if (failed(batch))
    return fail(problem);
  batchInputs.clear();
  for (auto [number, argument] : llvm::enumerate(visible))
    if (llvm::is_contained(batch->arguments(), argument))
      batchInputs.push_back(number);
  batchArgument = batch->argument();
  found = {batch->size(), batch->step(), uint32_t(batchInputs.size()),
           batchInputs.data()};
  return success();
}

LogicalResult Session::compileBatch(int64_t size, GaudiBytes &bytes) {
  assert(imported && batchArgument && "after findBatch");
  OwningOpRef<ModuleOp> module = imported->clone();
  auto function = module->lookupSymbol<func::FuncOp>(entryName);
  std::string problem;
  FailureOr<Batch> batch = Batch::find(function, batchArgument, problem);
  assert(succeeded(batch) && "found before");
  if (size <= 0 || size % batch->step())
    return fail("a batch of " + Twine(size) + " is no multiple of " +
                Twine(batch->step()));
  errorCount = 0;
  const std::string doing = "cannot compile " + entryNames() +
                            " for a batch of " + std::to_string(size);
  if (failed(batch->resize(size)))
    return fail(doing + ": a dimension exceeds 2^31 - 1");
  if (failed(verify(*module)))
    return fail(doing + errorCountText());
  auto compiled = runPasses(std::move(module), {"memory"}, doing);
  return failed(compiled) ? failure() : emit(**compiled, bytes);
}
