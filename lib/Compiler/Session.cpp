// Parsing, import, compilation and evaluation behind the C interface.
#include "Session.h"
#include "Gaudi/Compiler/LiftElided.h"
#include "Gaudi/Compiler/ParserHints.h"
#include "Gaudi/Compiler/Pipeline.h"
#include "Gaudi/Compiler/Register.h"
#include "Gaudi/Compiler/SourceGuards.h"
#include "Gaudi/Conversion/GaudiToRecipe/GaudiToRecipe.h"
#include "Gaudi/Conversion/Inlining.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Writer.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Transforms/Signature.h"
#include "StateOption.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::gaudi;

namespace {
/// The remark engine prints through diagnostics; nothing else is kept.
class NoStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  void streamOptimizationRemark(const remark::detail::Remark &) override {}
};
} // namespace

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerGaudiDialects(registry);
  return registry;
}

Session::Session(const GaudiSessionOptions &given)
    : options(given), device(given.device ? given.device : "gaudi2"),
      entryName(given.entry ? given.entry : ""),
      states(given.state ? given.state : ""),
      context(makeRegistry(), given.threads == 1
                                  ? MLIRContext::Threading::DISABLED
                                  : MLIRContext::Threading::ENABLED),
      sources(std::make_shared<llvm::SourceMgr>()), stream(options) {
  context.printOpOnDiagnostic(false);
  printer =
      std::make_unique<SourceMgrDiagnosticHandler>(*sources, &context, stream);
  // Called before the printer: counts errors, drops unwanted remarks.
  filter = std::make_unique<ScopedDiagnosticHandler>(
      &context, [this](Diagnostic &diagnostic) {
        std::string text = explainParserError(diagnostic, sourceText);
        if (!text.empty()) {
          emitError(diagnostic.getLocation(), text);
          return success();
        }
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          ++errorCount;
        return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark &&
                       !options.remarks);
      });
  if (!options.remarks)
    return;
  remark::RemarkCategories everything;
  everything.passed = everything.missed = everything.analysis =
      everything.failed = ".*";
  if (failed(remark::enableOptimizationRemarks(
          context, std::make_unique<NoStreamer>(),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), everything,
          /*printAsEmitRemarks=*/true)))
    stream << "warning: remarks cannot be enabled\n";
}

Session::~Session() = default;

LogicalResult Session::fail(const Twine &message) {
  error = message.str();
  return failure();
}

/// ": 3 errors" or "".
static std::string countText(unsigned errors) {
  return errors == 0
             ? ""
             : (": " + Twine(errors) + (errors == 1 ? " error" : " errors"))
                   .str();
}

LogicalResult Session::parse(StringRef name, GaudiBytes bytes) {
  StringRef text(reinterpret_cast<const char *>(bytes.data), bytes.size);
  parsed = false;
  sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, name),
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
  if (!source || failed(verifySource(*source))) {
    const std::string advice = explainFile(sourceName, sourceText);
    return fail("cannot parse '" + Twine(sourceName) + "'" +
                (advice.empty() ? countText(errorCount) : ": " + advice));
  }
  if (failed(selectEntry()))
    return failure();
  if (options.liftElided)
    numberElided(*source);
  if (failed(isolateEntry()))
    return failure();
  if (options.liftElided)
    liftElided(source->lookupSymbol<func::FuncOp>(entryName));
  return markStates();
}

LogicalResult Session::selectEntry() {
  SmallVector<func::FuncOp> candidates;
  for (auto function : source->getOps<func::FuncOp>())
    if (!function.isExternal())
      candidates.push_back(function);
  auto names = [&] {
    std::string list;
    for (func::FuncOp function : candidates)
      list += (list.empty() ? "'" : ", '") + function.getName().str() + "'";
    return list.empty() ? std::string("none") : list;
  };
  if (!entryName.empty()) {
    if (llvm::none_of(candidates, [&](func::FuncOp function) {
          return function.getName() == entryName;
        }))
      return fail("the model has no function '" + Twine(entryName) +
                  "'; there are: " + names());
    return success();
  }
  if (llvm::any_of(candidates, [](func::FuncOp function) {
        return function.getName() == "main";
      })) {
    entryName = "main";
    return success();
  }
  SmallVector<func::FuncOp> visible;
  llvm::copy_if(candidates, std::back_inserter(visible),
                [](func::FuncOp function) { return function.isPublic(); });
  if (visible.size() == 1) {
    entryName = visible.front().getName().str();
    return success();
  }
  if (candidates.empty())
    return fail("the model has no function with a body");
  return fail("the model has several functions and none is called 'main'; "
              "choose one with "
              "--entry: " +
              names());
}

LogicalResult Session::isolateEntry() {
  // Other functions live on only where the entry calls them.
  bool alone = true;
  for (auto function : source->getOps<func::FuncOp>()) {
    const bool isEntry = function.getName() == entryName;
    alone &= isEntry;
    function.setVisibility(isEntry ? SymbolTable::Visibility::Public
                                   : SymbolTable::Visibility::Private);
  }
  if (alone)
    return success();
  PassManager removal(&context), inlining(&context);
  removal.addPass(createSymbolDCEPass());
  inlining.addPass(createInlinerPass());
  inlining.addPass(createSymbolDCEPass());
  errorCount = 0;
  if (failed(removal.run(*source)) || failed(checkInlinedSize(*source)) ||
      failed(inlining.run(*source)))
    return fail("cannot inline the functions that '" + Twine(entryName) +
                "' calls" + countText(errorCount));
  return success();
}

LogicalResult Session::markStates() {
  auto entry = source->lookupSymbol<func::FuncOp>(entryName);
  std::string problem = applyStateOption(entry, states);
  return problem.empty() ? success() : fail(problem);
}

FailureOr<OwningOpRef<ModuleOp>> Session::runPipeline(StringRef phase,
                                                      const Twine &doing) {
  if (!parsed)
    return fail("no model has been parsed");
  if (!source && failed(readSource()))
    return failure();
  CompileOptions compile;
  compile.device = device;
  compile.stopAfter = phase.str();
  compile.checkNumerics = options.checkNumerics != 0;
  compile.seed = options.seed;
  compile.numerics = &numerics;
  PassManager manager(&context);
  // The phases check what they promise, and the result is verified below; after
  // every pass is for those who look for a broken one (gaudi-opt).
  manager.enableVerifier(false);
  std::string problem;
  if (failed(buildCompilePipeline(manager, compile, [&](const Twine &text) {
        problem = text.str();
        return failure();
      })))
    return fail(problem);
  OwningOpRef<ModuleOp> module = std::move(source);
  errorCount = 0;
  if (failed(manager.run(*module)) || failed(verify(*module)))
    return fail(doing + countText(errorCount));
  return module;
}

/// The entry of an imported module: its only function with a body.
static func::FuncOp onlyFunction(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      return function;
  return {};
}

LogicalResult Session::import() {
  if (imported)
    return success();
  auto module = runPipeline("import", "cannot bring '" + Twine(entryName) +
                                          "' to the device");
  if (failed(module))
    return failure();
  if (failed(describeSignature(onlyFunction(**module))))
    return failure();
  imported = std::move(*module);
  return success();
}

static std::optional<::gaudi::recipe::ElementType> elementTypeOf(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  // The recipe's names have no separate signed integers.
  StringRef text = name;
  if (text.consume_front("ui"))
    name = ("u" + text).str();
  else if (text.consume_front("si"))
    name = ("i" + text).str();
  return ::gaudi::recipe::parseElementName(name);
}

LogicalResult Session::describeSignature(func::FuncOp function) {
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
  for (BlockArgument argument : function.getArguments())
    if (failed(add(inputs, argumentName(function, argument.getArgNumber()),
                   argument.getType())))
      return failure();
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(add(outputs, resultName(function, index), type)))
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

LogicalResult Session::compile(GaudiBytes &bytes) {
  auto module = runPipeline("memory", "cannot compile '" + Twine(entryName) +
                                          "' for " + device);
  if (failed(module))
    return failure();
  errorCount = 0;
  EmittedRecipe emitted;
  if (failed(emitRecipe(**module, emitted, /*isVerified=*/true)))
    return fail("cannot make a recipe of '" + Twine(entryName) + "'" +
                countText(errorCount));
  auto written =
      ::gaudi::recipe::writeRecipe(emitted.recipe, emitted.constants);
  if (!written)
    return fail("the compiler made an invalid recipe: " +
                Twine(written.error().message));
  recipe = std::move(*written);
  bytes = {recipe.data(), recipe.size()};
  return success();
}

LogicalResult Session::evaluate(ArrayRef<GaudiBytes> given) {
  if (!imported)
    return fail("no model has been imported");
  if (given.size() != inputs.size())
    return fail("expected " + Twine(inputs.size()) + " inputs but got " +
                Twine(given.size()));
  SmallVector<ReferenceTensor> tensors;
  for (auto [bytes, parameter] : llvm::zip_equal(given, inputs)) {
    auto tensor = ReferenceTensor::fromBytes(
        parameter.type,
        {reinterpret_cast<const char *>(bytes.data), size_t(bytes.size)});
    if (failed(tensor))
      return fail("input '" + Twine(parameter.name) + "' has " +
                  Twine(bytes.size) +
                  " bytes, which is not the size of its type");
    tensors.push_back(std::move(*tensor));
  }
  func::FuncOp function = onlyFunction(*imported);
  uint64_t total = 0, done = 0;
  for (Operation &op : function.getBody().front()) {
    (void)op;
    ++total;
  }
  errorCount = 0;
  auto values = evaluateFunction(
      function, tensors, [&](Operation *, ArrayRef<ReferenceTensor>) {
        if (options.progress)
          options.progress(options.context, ++done, total);
      });
  if (failed(values))
    return fail("the reference evaluator failed" + countText(errorCount));
  results.assign(values->begin(), values->end());
  return success();
}
