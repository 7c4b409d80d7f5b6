// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing, import and compilation behind the C interface.
#include "Session.h"
#include "Gaudi/Compiler/LiftElided.h"
#include "Gaudi/Compiler/PackBooleans.h"
#include "Gaudi/Compiler/ParserHints.h"
#include "Gaudi/Compiler/Pipeline.h"
#include "Gaudi/Compiler/SourceGuards.h"
#include "Gaudi/Conversion/GaudiToRecipe/GaudiToRecipe.h"
#include "Gaudi/Conversion/Inlining.h"
#include "Gaudi/Conversion/Torch.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Writer.h"
#include "Gaudi/Support/Spelling.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "PlayLaunch.h"
#include "SourceSignature.h"
#include "StateOption.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <mutex>

using namespace mlir;
using namespace gaudi;

namespace {
/// Hands remarks to the caller of the session. The engine prints them through
/// diagnostics besides, if they are to be printed.
class RemarkStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  RemarkStreamer(const GaudiSessionOptions &options, const bool &isSilent,
                 const std::unique_ptr<GraphDumper> &dumper)
      : options(options), isSilent(isSilent), dumper(dumper) {}

  void streamOptimizationRemark(const remark::detail::Remark &given) override {
    if ((!options.remark && !dumper) || isSilent)
      return;
    const std::string pass = given.getCombinedCategoryName().str(),
                      kind = given.getRemarkTypeString().lower(),
                      location = locationText(given.getLocation());
    const std::string name = given.getRemarkName().str();
    std::string text;
    int64_t lostPicoseconds = -1, lostBytes = -1;
    // Costs are arguments with names of their own; the others are text.
    for (const remark::detail::Remark::Arg &part : given.getArgs()) {
      if (part.key == "LostPicoseconds" || part.key == "LostBytes") {
        int64_t &lost = part.key == "LostBytes" ? lostBytes : lostPicoseconds;
        (void)StringRef(part.val).getAsInteger(10, lost);
        continue;
      }
      text += text.empty() ? "" : "; ";
      if (part.key != "Remark" && part.key != "Reason")
        text += part.key + " ";
      text += part.val;
    }
    // The strings must outlive the call.
    const GaudiRemark remark = {pass.c_str(), kind.c_str(), location.c_str(),
                                text.c_str(), name.c_str(), lostPicoseconds,
                                lostBytes};
    // Passes run on several threads.
    const std::lock_guard<std::mutex> guard(lock);
    if (dumper)
      dumper->addRemark(kind, location, text);
    if (options.remark)
      options.remark(options.context, &remark);
  }

private:
  const GaudiSessionOptions options;
  const bool &isSilent;
  const std::unique_ptr<GraphDumper> &dumper;
  std::mutex lock;
};
} // namespace

/// "--shape: ..." of a pass's "option 'shape': ..."; "": it is of the model.
static std::string optionProblemIn(StringRef text) {
  if (!text.consume_front("option '"))
    return "";
  const auto [name, problem] = text.split("': ");
  return ("--" + name + ": " + problem).str();
}

Session::Session(const GaudiSessionOptions &given)
    : options(given), device(given.device ? given.device : "gaudi2"),
      wantedEntries(given.entry ? given.entry : ""),
      states(given.state ? given.state : ""),
      permutable(given.allowPermutation ? given.allowPermutation : ""),
      disabledFusions(given.disableFusion ? given.disableFusion : ""),
      requiredFusions(given.requireFusion ? given.requireFusion : ""),
      autocast(given.autocast ? given.autocast : ""),
      shape(given.shape ? given.shape : ""),
      buckets(given.buckets ? given.buckets : ""),
      bucketHistogram(given.bucketHistogram ? given.bucketHistogram : ""),
      bucketCost(given.bucketCost && *given.bucketCost ? given.bucketCost
                                                       : "device-time"),
      dumpFolder(given.dumpGraphs ? given.dumpGraphs : ""),
      lease(/*isThreaded=*/given.threads != 1 && !dumpsGraphs()),
      context(*lease), sources(std::make_shared<llvm::SourceMgr>()),
      stream(options) {
  context.printOpOnDiagnostic(false);
  printer =
      std::make_unique<SourceMgrDiagnosticHandler>(*sources, &context, stream);
  // Called before the printer: counts errors, drops unwanted remarks.
  filter = std::make_unique<ScopedDiagnosticHandler>(
      &context, [this](Diagnostic &diagnostic) {
        // An error of the parser is replaced by a hint that says what to do.
        if (explainParserError(diagnostic, sourceText))
          return success();
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
          ++errorCount;
          if (std::string problem = optionProblemIn(diagnostic.str());
              !problem.empty()) {
            if (optionProblem.empty())
              optionProblem = std::move(problem);
            return success();
          }
        }
        return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark &&
                       !options.remarks);
      });
  if (!options.remarks && !options.remark && !dumpsGraphs())
    return;
  // All kinds of all passes; callers filter.
  remark::RemarkCategories everything;
  everything.passed = everything.missed = everything.analysis =
      everything.failed = ".*";
  if (failed(remark::enableOptimizationRemarks(
          context, std::make_unique<RemarkStreamer>(options, isSilent, dumper),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), everything,
          /*printAsEmitRemarks=*/options.remarks != 0)))
    stream << "warning: remarks cannot be enabled\n";
}

Session::~Session() = default;

void Session::shareContext() {
  // The engine of remarks and all dialects, which variants load, stay.
  if (!options.remarks && !options.remark && !dumpsGraphs() && symbols.empty())
    lease.allowReuse(sourceText.size());
}

LogicalResult Session::fail(const Twine &message) {
  isOptionError |= !optionProblem.empty();
  error =
      optionProblem.empty() ? message.str() : std::exchange(optionProblem, "");
  return failure();
}

LogicalResult Session::failOption(const Twine &message) {
  isOptionError = true;
  return fail(message);
}

std::string Session::errorCountText() const {
  return errorCount == 0 ? ""
                         : (": " + Twine(errorCount) +
                            (errorCount == 1 ? " error" : " errors"))
                               .str();
}

LogicalResult Session::parse(StringRef name, GaudiBytes bytes) {
  StringRef text(reinterpret_cast<const char *>(bytes.data), bytes.size);
  parsed = false;
  resourceNames.clear();
  parameterNames.clear();
  packedText = packBooleans(text);
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(
          packedText ? StringRef(*packedText) : text, name),
      llvm::SMLoc());
  sourceName = name.str();
  sourceText = text;
  if (std::string why = whyNotParsed(text); !why.empty())
    return fail("cannot parse '" + name + "': " + why);
  parsed = succeeded(readSource());
  return success(parsed);
}

LogicalResult Session::readSource() {
  errorCount = 0;
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  source = parseSourceFile<ModuleOp>(sources, config);
  if (!source || failed(attachWeights(resourceNames)) ||
      failed(verifySource(*source))) {
    const std::string advice = explainFile(sourceName, sourceText);
    return fail("cannot parse '" + Twine(sourceName) + "'" +
                (advice.empty() ? errorCountText() : ": " + advice));
  }
  if (failed(readTorch()))
    return fail("cannot read '" + Twine(sourceName) + "'" + errorCountText());
  if (failed(selectEntries()))
    return failure();
  if (options.liftElided)
    numberElided(*source);
  if (failed(isolateEntries()))
    return failure();
  if (options.liftElided)
    for (const std::string &name : entries)
      liftElided(source->lookupSymbol<func::FuncOp>(name));
  return failed(markStates()) ? failure() : inferSymbols();
}

LogicalResult Session::readTorch() {
  if (!hasTorch(*source))
    return success();
  // Parameters become constants, which have names of their own.
  return failure(failed(lowerTorchTypes(*source)) ||
                 failed(attachWeights(parameterNames)));
}

/// "'f', 'g'", or "none".
static std::string listOf(ArrayRef<func::FuncOp> functions) {
  std::string list;
  for (func::FuncOp function : functions)
    list += (list.empty() ? "'" : ", '") + function.getName().str() + "'";
  return list.empty() ? std::string("none") : list;
}

static bool hasName(ArrayRef<func::FuncOp> functions, StringRef name) {
  return llvm::any_of(functions, [&](func::FuncOp function) {
    return function.getName() == name;
  });
}

/// The public functions that no function calls: those that only the host does.
static SmallVector<func::FuncOp> uncalled(ModuleOp module,
                                          ArrayRef<func::FuncOp> functions) {
  llvm::DenseSet<StringAttr> called;
  module.walk([&](CallOpInterface call) {
    if (auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      called.insert(callee.getLeafReference());
  });
  SmallVector<func::FuncOp> result;
  for (func::FuncOp function : functions)
    if (function.isPublic() && !called.contains(function.getNameAttr()))
      result.push_back(function);
  return result;
}

std::string Session::entryNames() const {
  return "'" + llvm::join(entries, "', '") + "'";
}

LogicalResult Session::selectNamed(ArrayRef<func::FuncOp> candidates) {
  std::vector<std::string> known;
  for (func::FuncOp function : candidates)
    known.push_back(function.getName().str());
  SmallVector<StringRef> names;
  // A name may hold a comma.
  if (hasName(candidates, wantedEntries))
    names.push_back(wantedEntries);
  else
    StringRef(wantedEntries).split(names, ',');
  for (StringRef name : names) {
    if (!hasName(candidates, name))
      return failOption("--entry: the model has no function '" + name + "'; " +
                        meantAmong(name, known) +
                        "there are: " + listOf(candidates));
    if (llvm::is_contained(entries, name))
      return failOption("--entry names '" + name + "' twice; name it once");
    entries.push_back(name.str());
  }
  entryName = entries.front();
  return success();
}

LogicalResult Session::selectEntries() {
  SmallVector<func::FuncOp> candidates, visible;
  for (auto function : source->getOps<func::FuncOp>())
    if (!function.isExternal())
      candidates.push_back(function);
  llvm::copy_if(candidates, std::back_inserter(visible),
                [](func::FuncOp function) { return function.isPublic(); });
  entries.clear();
  entryName.clear();
  if (!wantedEntries.empty())
    return selectNamed(candidates);
  if (candidates.empty())
    return fail(
        "the model has no function with a body; expected func.func @main, or "
        "one that --entry names");
  // By the names that exporters give, else the only public function.
  if (hasName(candidates, "main"))
    entryName = "main";
  else if (hasName(candidates, "forward"))
    entryName = "forward";
  else if (visible.size() == 1)
    entryName = visible.front().getName().str();
  if (options.allEntries)
    for (func::FuncOp function : uncalled(*source, visible))
      entries.push_back(function.getName().str());
  // The one to run is an entry, whoever calls it.
  if (!entryName.empty() && !llvm::is_contained(entries, entryName))
    entries.push_back(entryName);
  if (!entries.empty())
    return success();
  return fail("the model has several functions and none is called 'main' or "
              "'forward'; choose one with --entry: " +
              listOf(candidates));
}

LogicalResult Session::isolateEntries() {
  // Other functions live on only where an entry calls them.
  bool alone = true;
  for (auto function : source->getOps<func::FuncOp>()) {
    const bool isEntry = llvm::is_contained(entries, function.getName());
    alone &= isEntry;
    function.setVisibility(isEntry ? SymbolTable::Visibility::Public
                                   : SymbolTable::Visibility::Private);
  }
  if (alone && entries.size() == 1)
    return success();
  PassManager removal(&context), inlining(&context);
  showSymbols(*source);
  removal.addPass(createSymbolDCEPass());
  inlining.addPass(createInlinerPass());
  inlining.addPass(createSymbolDCEPass());
  errorCount = 0;
  if (failed(removal.run(*source)) ||
      failed(checkInlinedSize(*source, expandedOps())) ||
      failed(inlining.run(*source)))
    return fail("cannot inline the functions that " + entryNames() +
                (entries.size() == 1 ? " calls" : " call") + errorCountText());
  return success();
}

LogicalResult Session::markStates() {
  if (states.empty())
    return success();
  if (entryName.empty())
    return failOption(
        "--state: the model has several functions; name the one whose "
        "inputs it speaks of with --entry: " +
        entryNames());
  auto entry = source->lookupSymbol<func::FuncOp>(entryName);
  std::string problem = applyStateOption(entry, states);
  return problem.empty() ? success() : failOption(problem);
}

FailureOr<OwningOpRef<ModuleOp>> Session::runPipeline(StringRef phase,
                                                      const Twine &doing) {
  if (!parsed)
    return fail("no model has been parsed");
  if (!source && failed(readSource()))
    return failure();
  return runPasses(std::move(source), {phase}, doing);
}

LogicalResult Session::addPhases(PassManager &manager, ModuleOp module,
                                 const Phases &phases, std::string &problem) {
  CompileOptions compile;
  compile.device = device;
  compile.symbolsKnown = true; // since the module was read
  compile.buckets = buckets;
  compile.bucketHistogram = bucketHistogram;
  compile.bucketCost = bucketCost;
  compile.allowPermutation = permutable;
  compile.disableFusion = disabledFusions;
  compile.requireFusion = requiredFusions;
  compile.autocast = autocast;
  compile.marksSources = options.marksSources != 0;
  compile.memoryBudget = options.memoryBudget;
  compile.maxExpandedOps = expandedOps();
  compile.verifyFusion = options.verifyFusion != 0;
  compile.checkNumerics = options.checkNumerics != 0;
  compile.seed = options.seed;
  compile.numerics = options.checkNumerics ? &numerics : nullptr;
  compile.stopAfter = phases.stopAfter.str();
  compile.startAfter = phases.startAfter.str();
  if (compile.startAfter.empty() && !hasSymbols(module))
    compile.startAfter = "shapes";
  compile.deriveVariants = phases.derivesVariants;
  compile.planning = phases.planning;
  if (!phases.probes.empty()) {
    compile.buckets = phases.probes.str();
    compile.bucketHistogram = "";
    // What the real compilation checks.
    compile.requireFusion = "";
    compile.verifyFusion = compile.checkNumerics = false;
    compile.numerics = nullptr;
  }
  // The phases check what they promise, and the result is verified below; after
  // every pass is for those who look for a broken one (gaudi-opt).
  manager.enableVerifier(false);
  return buildCompilePipeline(manager, compile, [&](const Twine &text) {
    // Who calls the session gives options, no pipeline.
    const std::string said = text.str();
    StringRef option = said;
    option.consume_front("gaudi-compile: ");
    const bool isNamed = !option.split(':').first.contains(' ');
    problem = (isNamed ? "--" : "") + option.str();
    return failure();
  });
}

LogicalResult Session::runPhases(ModuleOp module, const Phases &phases,
                                 std::string &problem) {
  PassManager manager(&context);
  recordForms(manager);
  if (failed(addPhases(manager, module, phases, problem)))
    return failure();
  if (dumper && phases.probes.empty()) {
    dumper->start(module);
    manager.addInstrumentation(dumper->instrumentation());
  }
  if (failed(manager.run(module)))
    return failure();
  // Derived variants were verified when they were made, and phase memory, which
  // checks itself, changes no type.
  return phases.startAfter == "schedule" ? success() : verify(module);
}

FailureOr<OwningOpRef<ModuleOp>>
Session::runPasses(OwningOpRef<ModuleOp> module, const Phases &phases,
                   const Twine &doing) {
  numerics = {};
  errorCount = 0;
  std::string problem;
  if (failed(runPhases(*module, phases, problem)))
    return problem.empty() ? fail(doing + errorCountText())
                           : failOption(problem);
  return module;
}

LogicalResult Session::import() {
  if (imported)
    return success();
  if (parsed && entryName.empty())
    return fail("the model has several functions; choose one with --entry: " +
                entryNames());
  if (!symbols.empty())
    return fail(
        "'" + Twine(entryName) +
        "' has dynamic dimensions; choose their sizes: " + symbolNames());
  auto module =
      runPipeline("import", "cannot bring " + entryNames() + " to the device");
  shareContext();
  if (failed(module) || failed(describeSignature(
                            (*module)->lookupSymbol<func::FuncOp>(entryName))))
    return failure();
  setImported(std::move(*module));
  evaluatedName = entryName;
  return success();
}

void Session::setImported(OwningOpRef<ModuleOp> module) {
  imported = std::move(module);
  // The reference saturates 8-bit floats as the device does.
  (*imported)->setAttr(deviceAttrName, StringAttr::get(&context, device));
  isRewritten.reset();
  rewritten = nullptr;
}

static std::optional<gaudi::recipe::ElementType> elementTypeOf(Type type) {
  std::string name = debugString(type);
  // The recipe's names have no separate signed integers.
  StringRef text = name;
  if (text.consume_front("ui"))
    name = ("u" + text).str();
  else if (text.consume_front("si"))
    name = ("i" + text).str();
  return gaudi::recipe::parseElementName(name);
}

uint8_t Session::elementNumber(Type type) {
  return uint8_t(*elementTypeOf(type));
}

LogicalResult Session::describeSignature(func::FuncOp function) {
  inputs.clear();
  outputs.clear();
  auto add = [&](std::vector<Parameter> &list, std::string name, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto element = tensor && tensor.hasStaticShape()
                       ? elementTypeOf(tensor.getElementType())
                       : std::nullopt;
    if (!element)
      return fail("'" + Twine(name) + "' of '" + entryName +
                  "' is not a static tensor of a type that the device has");
    list.push_back({std::move(name), tensor, {}});
    list.back().abi.elementType = uint8_t(*element);
    return success();
  };
  for (unsigned index : visibleArguments(function))
    if (failed(add(inputs, argumentName(function, index),
                   callersArgumentType(function, index))))
      return failure();
  for (unsigned index : visibleResults(function))
    if (failed(add(outputs, resultName(function, index),
                   callersResultType(function, index))))
      return failure();
  // Only now do the strings stay where they are.
  for (std::vector<Parameter> *list : {&inputs, &outputs})
    for (Parameter &parameter : *list) {
      parameter.abi.name = parameter.name.c_str();
      parameter.abi.rank = parameter.type.getRank();
      parameter.abi.shape = parameter.type.getShape().data();
    }
  return success();
}

LogicalResult Session::describe() {
  if (!parsed)
    return fail("no model has been parsed");
  if (!source && failed(readSource()))
    return failure();
  if (entryName.empty())
    return fail("the model has several functions; choose one with --entry: " +
                entryNames());
  signature = sourceSignature(source->lookupSymbol<func::FuncOp>(entryName),
                              sourceName, sourceText);
  signature.compiler = "gaudi-mlir " GAUDI_VERSION;
  return success();
}

LogicalResult Session::compile(GaudiBytes &bytes) {
  passes.clear();
  if (dumpsGraphs())
    dumper = std::make_unique<GraphDumper>(
        dumpFolder, llvm::sys::path::filename(sourceName).str());
  const LogicalResult compiled = compileModule(bytes);
  if (!dumper)
    return compiled;
  const std::string problem = dumper->finish();
  if (options.keepPasses)
    passes = dumper->json();
  dumper.reset();
  if (!problem.empty() && options.dumpGraphsWish) {
    static std::atomic<bool> isSaid{false};
    if (!isSaid.exchange(true))
      emitWarning(UnknownLoc::get(&context))
          << options.dumpGraphsWish << ": " << problem;
    return compiled;
  }
  // Of a failure of both, that of the model matters.
  return failed(compiled) || problem.empty()
             ? compiled
             : failOption("--dump-graphs: " + problem);
}

LogicalResult Session::compileModule(GaudiBytes &bytes) {
  if (parsed && !source && failed(readSource()))
    return failure();
  if (parsed && hasSymbols(*source))
    return compileVariants(source->clone(), bytes);
  for (const auto &[given, option] :
       {std::pair(!buckets.empty(), "--buckets"),
        std::pair(!bucketHistogram.empty(), "--bucket-histogram")})
    if (parsed && given)
      return failOption(Twine(option) + ": " + entryNames() +
                        " has no dynamic dimension; remove the option");
  auto module = runPipeline("memory", "cannot compile " + entryNames() +
                                          " for " + device);
  if (failed(module) || failed(emit(**module, bytes)))
    return failure();
  shareContext();
  return success();
}

LogicalResult Session::emit(ModuleOp module, GaudiBytes &bytes) {
  errorCount = 0;
  const gaudi::Stopwatch all;
  EmittedRecipe emitted;
  if (failed(emitRecipe(module, emitted, /*isVerified=*/true)))
    return fail("cannot make a recipe of " + entryNames() + errorCountText());
  const gaudi::Stopwatch watch;
  predictionSeconds = predictVariants(&context, emitted.recipe);
  const double predicted = watch.milliseconds();
  auto written = gaudi::recipe::writeRecipe(emitted.recipe, emitted.constants);
  if (!written)
    return fail("cannot make a recipe of " + entryNames() + ": " +
                written.error().message);
  recipe = std::move(*written);
  bytes = {recipe.data(), recipe.size()};
  bucketReport.emission = (all.milliseconds() - predicted) / 1e3;
  return success();
}
