// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other sizes of the model: its variants, and its batch.
#include "Batch.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Support/Spelling.h"
#include "Session.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gaudi;

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

LogicalResult Session::inferSymbols(ModuleOp module, const Twine &name) {
  PassManager inference(&context);
  inference.addPass(createInferSymbols({shape}));
  errorCount = 0;
  return succeeded(inference.run(module))
             ? success()
             : fail("cannot tell the dynamic dimensions of " + name +
                    errorCountText());
}

LogicalResult Session::inferSymbols() {
  symbols.clear();
  const bool any = llvm::any_of(source->getOps<func::FuncOp>(), isDynamic);
  if (!any && !shape.empty())
    return failOption("--shape: " + entryNames() +
                      " has no dynamic dimension; remove the option, or export "
                      "the model with dynamic sizes ('?' in the type of an "
                      "input)");
  if (!any)
    return success();
  if (failed(inferSymbols(*source, entryNames())))
    return failure();
  if (auto entry = source->lookupSymbol<func::FuncOp>(entryName))
    symbols = symbolsOf(entry);
  return success();
}

OwningOpRef<ModuleOp> Session::sourceAt(ArrayRef<int64_t> sizes) {
  return withOneBucket(source->clone(), sizes);
}

OwningOpRef<ModuleOp> Session::withOneBucket(OwningOpRef<ModuleOp> module,
                                             ArrayRef<int64_t> sizes) const {
  Builder builder(&context);
  for (auto function :
       llvm::make_early_inc_range(module->getOps<func::FuncOp>()))
    if (function.getName() != entryName)
      function.erase(); // their sizes are not said
  module->lookupSymbol<func::FuncOp>(entryName)->setAttr(
      boxesAttrName, builder.getArrayAttr(builder.getDenseI64ArrayAttr(sizes)));
  return module;
}

LogicalResult Session::select(ArrayRef<int64_t> sizes) {
  if (!parsed)
    return fail("no model has been parsed");
  if (!source && failed(readSource()))
    return failure();
  if (symbols.empty())
    return fail("'" + Twine(entryName) +
                "' has no dynamic dimension; choose no sizes");
  if (sizes.size() != symbols.size())
    return fail("'" + Twine(entryName) + "' has " + Twine(symbols.size()) +
                " dynamic size" + (symbols.size() == 1 ? "" : "s") + " but " +
                Twine(sizes.size()) +
                " are given; give one of each: " + symbolNames());
  std::string text;
  for (auto [symbol, size] : llvm::zip_equal(symbols, sizes))
    text += (Twine(text.empty() ? "" : ", ") + symbol.name + "=" + Twine(size))
                .str();
  auto selectedModule = runPasses(sourceAt(sizes), {"import"},
                                  "cannot bring '" + Twine(entryName) +
                                      "' with " + text + " to the device");
  if (failed(selectedModule))
    return failure();
  setImported(std::move(*selectedModule));
  selected.assign(sizes.begin(), sizes.end());
  auto entry = imported->lookupSymbol<func::FuncOp>(entryName);
  auto variants = entry->getAttrOfType<ArrayAttr>(bucketsAttrName);
  assert(variants && variants.size() == 1 && "one bucket, one variant");
  evaluatedName = cast<FlatSymbolRefAttr>(variants[0]).getValue().str();
  return describeSignature(imported->lookupSymbol<func::FuncOp>(evaluatedName));
}

LogicalResult Session::failNoInput(func::FuncOp function, StringRef name) {
  std::vector<std::string> names;
  for (unsigned argument : visibleArguments(function))
    names.push_back(argumentName(function, argument));
  return fail("'" + Twine(entryName) + "' has no input '" + name + "'; " +
              meantAmong(name, names) + "it has " +
              (names.empty() ? "none" : "'" + llvm::join(names, "', '") + "'") +
              numberedAdvice(names));
}

LogicalResult Session::findSymbolicBatch(StringRef input, GaudiBatch &found) {
  auto function = source->lookupSymbol<func::FuncOp>(entryName);
  // By visible argument: the symbol that is its leading dimension.
  SmallVector<std::optional<unsigned>> leading;
  SmallVector<unsigned> counts(symbols.size());
  batchSymbol.reset();
  bool isKnown = input.empty();
  for (unsigned argument : visibleArguments(function)) {
    const bool isWanted = argumentName(function, argument) == input;
    isKnown |= isWanted;
    auto &symbol = leading.emplace_back();
    if (auto shape =
            function.getArgAttrOfType<AffineMapAttr>(argument, shapeAttrName);
        shape && shape.getValue().getNumResults())
      if (auto lone = dyn_cast<AffineSymbolExpr>(shape.getValue().getResult(0)))
        symbol = lone.getPosition();
    if (symbol)
      ++counts[*symbol];
    if (isWanted)
      batchSymbol = symbol;
  }
  if (!isKnown)
    return failNoInput(function, input);
  const auto most = llvm::max_element(counts);
  if (input.empty() && *most)
    batchSymbol = unsigned(most - counts.begin());
  if (!batchSymbol)
    return fail((input.empty() ? "no input of '" + Twine(entryName) + "' has a"
                               : "input '" + Twine(input) + "' has no") +
                " dynamic leading dimension; dynamic are " + symbolNames() +
                "; export the model with a dynamic batch");
  if (selected.empty()) {
    SmallVector<int64_t> largest;
    for (const Symbol &symbol : symbols)
      largest.push_back(symbol.max);
    if (failed(select(largest)))
      return failure();
  }
  batchInputs.clear();
  for (auto [number, symbol] : llvm::enumerate(leading))
    if (symbol == batchSymbol)
      batchInputs.push_back(number);
  const Symbol &batch = symbols[*batchSymbol];
  found = {batch.max, batch.multiple, uint32_t(batchInputs.size()),
           batchInputs.data()};
  return success();
}

LogicalResult Session::compileSymbolicBatch(int64_t size, GaudiBytes &bytes) {
  const Symbol &symbol = symbols[*batchSymbol];
  if (size < symbol.min || size > symbol.max || size % symbol.multiple)
    return fail("'" + Twine(symbol.name) + "' is a size from " +
                Twine(symbol.min) + " to " + Twine(symbol.max) +
                (symbol.multiple == 1
                     ? Twine("")
                     : " in multiples of " + Twine(symbol.multiple)) +
                ", not " + Twine(size) + "; --shape gives it other bounds");
  SmallVector<int64_t> sizes = selected;
  sizes[*batchSymbol] = size;
  return compileVariants(sourceAt(sizes), bytes);
}

LogicalResult Session::findBatch(StringRef input, GaudiBatch &found) {
  if (parsed && !source && failed(readSource()))
    return failure();
  if (!symbols.empty())
    return findSymbolicBatch(input, found);
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
    return failNoInput(function, input);
  std::string problem;
  // The search takes kernels in and out again, which the graph does not keep.
  FailureOr<Batch> batch = Batch::find(function, batchArgument, problem);
  if (failed(batch))
    return fail(problem);
  batchInputs.clear();
  for (auto [number, argument] : llvm::enumerate(visible))
    if (llvm::is_contained(batch->arguments, argument))
      batchInputs.push_back(number);
  batchArgument = batch->argument;
  found = {batch->size, batch->step, uint32_t(batchInputs.size()),
           batchInputs.data()};
  return success();
}

LogicalResult Session::compileBatch(int64_t size, GaudiBytes &bytes) {
  if (batchSymbol)
    return compileSymbolicBatch(size, bytes);
  assert(imported && batchArgument && "after findBatch");
  OwningOpRef<ModuleOp> module = imported->clone();
  auto function = module->lookupSymbol<func::FuncOp>(entryName);
  std::string problem;
  FailureOr<Batch> batch = Batch::find(function, batchArgument, problem);
  assert(succeeded(batch) && "found before");
  if (size <= 0 || size % batch->step)
    return fail("a batch of " + Twine(size) + " is no multiple of " +
                Twine(batch->step) + "; choose a multiple");
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
