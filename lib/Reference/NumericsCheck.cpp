// The per-pass numerics check.
#include "Gaudi/Reference/NumericsCheck.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::gaudi;

/// Values of the functions after the last pass.
struct CheckedPipeline::Record {
  struct Function {
    FunctionType type; // of callers
    /// None if the function could not be evaluated.
    std::optional<SmallVector<ReferenceTensor>> results;
    NumericsSummary summary;
  };
  llvm::StringMap<Function> functions;
  unsigned passes = 0;
};

namespace {

std::string qualifiedName(func::FuncOp function) {
  std::string name = function.getSymName().str();
  for (Operation *parent = function->getParentOp(); parent;
       parent = parent->getParentOp())
    if (auto symbol =
            parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      name = symbol.getValue().str() + "::" + name;
  return name;
}

/// Compares the functions with the record and puts their values into it.
class NumericsCheckPass
    : public PassWrapper<NumericsCheckPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NumericsCheckPass)

  NumericsCheckPass(std::shared_ptr<CheckedPipeline::Record> record,
                    NumericsCheckOptions options, StringRef previousPass)
      : record(std::move(record)), options(options),
        previousPass(previousPass) {}

  StringRef getArgument() const override { return "gaudi-check-numerics"; }
  StringRef getName() const override { return "NumericsCheckPass"; }
  StringRef getDescription() const override {
    return "compare the values of functions before and after a pass";
  }

  void runOnOperation() override {
    if (previousPass.empty())
      *record = {};
    else
      ++record->passes;
    bool failed = false;
    getOperation()->walk([&](func::FuncOp function) {
      failed |= mlir::failed(check(function));
    });
    if (failed)
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  void skip(func::FuncOp function, const Twine &reason) {
    CheckedPipeline::Record::Function &known = functionOf(function);
    known.results.reset();
    if (known.summary.whyNot == reason.str())
      return; // reported
    known.summary.whyNot = reason.str();
    emitRemark(function.getLoc()) << "values of '@" << function.getSymName()
                                  << "' are not checked: " << reason;
  }

  CheckedPipeline::Record::Function &functionOf(func::FuncOp function) {
    return record->functions[qualifiedName(function)];
  }

  /// The results on seeded inputs. Diagnostics of the evaluation go to `why`.
  FailureOr<SmallVector<ReferenceTensor>> evaluate(func::FuncOp function,
                                                   std::string &why) {
    ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        why = diagnostic.str();
      return success();
    });
    return evaluateForCallers(
        function,
        seededInputs(callersType(function).getInputs(), options.seed));
  }

  LogicalResult check(func::FuncOp function) {
    if (function.isExternal())
      return success();
    if (function->hasAttr(bucketAttrName)) {
      skip(function, "its padding may hold other values after a pass; "
                     "gaudi-run --check compares its real elements");
      return success();
    }
    if (Operation *culprit = findNotEvaluable(function)) {
      skip(function,
           culprit == function
               ? Twine("its body is not one block of static device tensors")
           : isa_and_nonnull<GaudiDialect>(culprit->getDialect())
               ? "'" + culprit->getName().getStringRef() +
                     "' has no reference model"
               : "the import was not complete ('" +
                     culprit->getName().getStringRef() +
                     "' was left), and gaudi-run --check compares it");
      return success();
    }
    CheckedPipeline::Record::Function &before = functionOf(function);
    const bool known = before.results.has_value();
    const FunctionType type = callersType(function);
    if (known && before.type != type)
      return function.emitError()
             << "pass '" << previousPass << "' changed the type of '@"
             << function.getSymName() << "' from " << before.type << " to "
             << type << ", so its values cannot be compared";
    std::string why;
    FailureOr<SmallVector<ReferenceTensor>> results = evaluate(function, why);
    if (failed(results)) {
      if (known)
        return function.emitError()
               << "pass '" << previousPass << "' left '@"
               << function.getSymName()
               << "' in a form that cannot be evaluated: " << why;
      skip(function, "its seeded inputs cannot be evaluated: " + why);
      return success();
    }
    if (known && failed(compare(function, *before.results, *results)))
      return failure();
    before.summary.compared += known;
    before.type = type;
    before.results = std::move(*results);
    return success();
  }

  LogicalResult compare(func::FuncOp function, ArrayRef<ReferenceTensor> before,
                        ArrayRef<ReferenceTensor> after) {
    for (auto [number, pair] :
         llvm::enumerate(llvm::zip_equal(before, after))) {
      const ComparisonReport report =
          compareTensors(std::get<1>(pair), std::get<0>(pair), options.scope);
      if (!report.passed)
        return function.emitError()
               << "pass '" << previousPass << "' changed result " << number
               << " of '@" << function.getSymName()
               << "': " << report.describe();
    }
    return success();
  }

  std::shared_ptr<CheckedPipeline::Record> record;
  NumericsCheckOptions options;
  std::string previousPass; ///< empty for the first check
};

/// Reports what the checks before it have compared.
class NumericsReportPass
    : public PassWrapper<NumericsReportPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NumericsReportPass)

  NumericsReportPass(std::shared_ptr<CheckedPipeline::Record> record,
                     NumericsSummary *result)
      : record(std::move(record)), result(result) {}

  StringRef getArgument() const override { return "gaudi-report-numerics"; }
  StringRef getName() const override { return "NumericsReportPass"; }
  StringRef getDescription() const override {
    return "say how many passes kept the values";
  }

  void runOnOperation() override {
    getOperation()->walk([&](func::FuncOp function) {
      if (function.isExternal())
        return;
      NumericsSummary &summary =
          record->functions[qualifiedName(function)].summary;
      summary.passes = record->passes;
      if (summary.compared > 0)
        emitRemark(function.getLoc())
            << "checked the values of '@" << function.getSymName() << "' after "
            << summary.compared << " of " << summary.passes
            << " passes: all are within tolerance";
      if (result &&
          (result->passes == 0 || summary.compared < result->compared))
        *result = summary;
    });
    markAllAnalysesPreserved();
  }

private:
  std::shared_ptr<CheckedPipeline::Record> record;
  NumericsSummary *result;
};
} // namespace

CheckedPipeline::CheckedPipeline(OpPassManager &manager,
                                 std::optional<NumericsCheckOptions> check)
    : manager(manager), check(check), record(std::make_shared<Record>()) {
  addCheck("");
}
CheckedPipeline::~CheckedPipeline() = default;

void CheckedPipeline::addCheck(StringRef passName) {
  if (check)
    manager.addPass(
        std::make_unique<NumericsCheckPass>(record, *check, passName));
}

void CheckedPipeline::finish() {
  if (check)
    manager.addPass(
        std::make_unique<NumericsReportPass>(record, check->summary));
}

void CheckedPipeline::add(std::unique_ptr<Pass> pass) {
  const std::string name =
      (pass->getArgument().empty() ? pass->getName() : pass->getArgument())
          .str();
  manager.addPass(std::move(pass));
  addCheck(name);
}
