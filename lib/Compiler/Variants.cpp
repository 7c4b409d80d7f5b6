// Other sizes of the model: its variants, and its batch.
#include "Batch.h"
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Session.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
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

static bool hasMissingBoxes(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return function.isExternal() && function->hasAttr(missingBoxesAttrName);
  });
}

/// All variants, as far as they can be compiled together; `phase` becomes the
/// last one that they have seen. Each is derived from the kernels of one, or
/// has been through no phase yet.
FailureOr<OwningOpRef<ModuleOp>> Session::variantsUpTo(StringRef &phase,
                                                       const Twine &doing) {
  // Numerics are checked pass by pass, which sees what is compiled only.
  if (!options.checkNumerics) {
    phase = "schedule";
    auto module = runPasses(source->clone(), {phase, "", true}, doing);
    if (failed(module) || !hasMissingBoxes(**module))
      return module;
  }
  phase = "shapes";
  return runPasses(source->clone(), {phase}, doing);
}

/// Variants as modules of their own, so that passes may run on several at a
/// time.
static SmallVector<OwningOpRef<ModuleOp>, 0> takeVariants(ModuleOp module) {
  SmallVector<OwningOpRef<ModuleOp>, 0> parts;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (!function->hasAttr(bucketOfAttrName))
      continue;
    parts.push_back(ModuleOp::create(module.getLoc()));
    (*parts.back())->setAttrs(module->getAttrDictionary());
    function->moveBefore(parts.back()->getBody(),
                         parts.back()->getBody()->end());
  }
  return parts;
}

/// Puts the functions back. Records of what passes did are those of the largest
/// variant, the last: hundreds of variants have hundreds of equal ones.
static void joinVariants(ModuleOp module,
                         MutableArrayRef<OwningOpRef<ModuleOp>> parts) {
  for (OwningOpRef<ModuleOp> &part : parts) {
    for (NamedAttribute attribute : (*part)->getAttrs())
      module->setAttr(attribute.getName(), attribute.getValue());
    for (Operation &op : llvm::make_early_inc_range(*part->getBody()))
      op.moveBefore(module.getBody(), module.getBody()->end());
  }
}

LogicalResult Session::compileVariants(GaudiBytes &bytes) {
  const std::string doing = "cannot compile " + entryNames() + " for " + device;
  StringRef phase;
  auto module = variantsUpTo(phase, doing);
  if (failed(module))
    return failure();
  SmallVector<OwningOpRef<ModuleOp>, 0> parts = takeVariants(**module);
  // Functions of static shapes beside them.
  const bool hasOthers = llvm::any_of(
      (*module)->getOps<func::FuncOp>(),
      [](func::FuncOp function) { return !function.isExternal(); });
  std::vector<std::string> problems(parts.size() + 1);
  std::vector<char> isDone(parts.size() + 1, true);
  auto compilePart = [&](size_t i) {
    ModuleOp part = i < parts.size() ? *parts[i] : **module;
    isDone[i] = succeeded(runPhases(part, {"memory", phase}, problems[i]));
  };
  const size_t count = parts.size() + hasOthers;
  // What passes say has an order only if they run one after the other.
  if (options.remarks || options.remark || options.checkNumerics) {
    for (size_t i = 0; i < count; ++i)
      compilePart(i);
  } else {
    ParallelDiagnosticHandler order(&context);
    parallelFor(&context, 0, count, [&](size_t i) {
      order.setOrderIDForThread(i);
      compilePart(i);
      order.eraseOrderIDForThread();
    });
  }
  for (size_t i = 0; i < count; ++i)
    if (!isDone[i])
      return fail(problems[i].empty() ? doing + errorCountText() : problems[i]);
  joinVariants(**module, parts);
  return emit(**module, bytes);
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
