// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The per-pass numerics check.
#include "Gaudi/Reference/NumericsCheck.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Dialect/TargetDevice.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/Samples.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace mlir;
using namespace gaudi;

/// What the samples of a function may take, in multiplications: the seeded one
/// is always evaluated, the others of what is not large.
static constexpr double maxSampledWork = double(1 << 28);
/// Sides of piecewise ops that one function's report names.
static constexpr size_t maxNamedBranches = 8;

/// Values of the functions after the last pass.
struct CheckedPipeline::Record {
  struct Function {
    FunctionType type; // of callers
    /// None if the function could not be evaluated. Their results are those of
    /// `last`.
    std::optional<Samples> samples;
    /// The function after the last pass.
    OwningOpRef<func::FuncOp> last;
    NumericsSummary summary;
    /// Elements that agreed and that were undefined, of each regime.
    std::map<Regime, std::pair<int64_t, int64_t>> elements;
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

/// While it lives the function names the device that its module will be for,
/// so that clones of it do, too.
class NamedDevice {
public:
  NamedDevice(func::FuncOp function, StringRef device) : function(function) {
    const StringRef named = deviceNameFor(function);
    const StringRef name = named.empty() ? device : named;
    if (!name.empty())
      function->setAttr(deviceAttrName,
                        StringAttr::get(function.getContext(), name));
  }
  NamedDevice(const NamedDevice &) = delete;
  ~NamedDevice() { function->removeAttr(deviceAttrName); }

private:
  func::FuncOp function;
};

/// Compares the functions with the record and puts their values into it.
class NumericsCheckPass
    : public PassWrapper<NumericsCheckPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NumericsCheckPass)

  NumericsCheckPass(std::shared_ptr<CheckedPipeline::Record> record,
                    NumericsCheckOptions options, StringRef previousPass,
                    bool rounds)
      : record(std::move(record)), options(std::move(options)),
        previousPass(previousPass), rounds(rounds) {}

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
    known.samples.reset();
    known.last = {};
    if (known.summary.whyNot == reason.str())
      return; // reported
    known.summary.whyNot = reason.str();
    emitRemark(function.getLoc()) << "values of '@" << function.getSymName()
                                  << "' are not checked: " << reason;
  }

  CheckedPipeline::Record::Function &functionOf(func::FuncOp function) {
    return record->functions[qualifiedName(function)];
  }

  LogicalResult check(func::FuncOp function) {
    if (function.isExternal())
      return success();
    if (rounds) {
      functionOf(function).samples.reset();
      functionOf(function).last = {};
    }
    // Padding holds anything, so only real elements can be compared.
    if (function->hasAttr(bucketAttrName)) {
      skip(function, "its padding may hold other values after a pass; "
                     "gaudi-run --check compares its real elements");
      return success();
    }
    // Before the import is complete there are other dialects.
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
    const NamedDevice named(function, options.device);
    // The first check of a function draws samples, later ones compare.
    CheckedPipeline::Record::Function &before = functionOf(function);
    const FunctionType type = callersType(function);
    if (before.samples && before.type != type)
      return function.emitError()
             << "pass '" << previousPass << "' changed the type of '@"
             << function.getSymName() << "' from " << before.type << " to "
             << type << ", so its values cannot be compared";
    if (before.samples) {
      if (failed(compare(function, before)))
        return failure();
      ++before.summary.compared;
    } else {
      std::string why;
      FailureOr<Samples> samples =
          drawSamples(function, options.seed, maxSampledWork, why);
      if (failed(samples)) {
        skip(function, "its seeded inputs cannot be evaluated: " + why);
        return success();
      }
      before.samples = std::move(*samples);
    }
    before.type = type;
    // The form that the next check compares with.
    before.last = function.clone();
    return success();
  }

  /// Evaluates the function on all samples; its results become theirs.
  LogicalResult compare(func::FuncOp function,
                        CheckedPipeline::Record::Function &before) {
    for (Sample &sample : before.samples->samples) {
      std::string why;
      auto results = evaluateQuietly(function, sample.inputs, why);
      if (failed(results))
        return function.emitError()
               << "pass '" << previousPass << "' left '@"
               << function.getSymName()
               << "' in a form that cannot be evaluated: " << why;
      const SampleReport report =
          compareForms(sample, *before.last, function, *results, options.scope,
                       /*allowsNan=*/false);
      if (!report.passed)
        return function.emitError()
               << "pass '" << previousPass << "' changed result "
               << report.result << " of '@" << function.getSymName()
               << "': " << report.text;
      auto &[compared, undefined] = before.elements[sample.regime];
      compared += report.compared;
      undefined += report.undefined;
      // The next pass is compared with these results: a difference is its own.
      sample.results = std::move(*results);
    }
    return success();
  }

  std::shared_ptr<CheckedPipeline::Record> record;
  NumericsCheckOptions options;
  std::string previousPass; ///< empty for the first check
  bool rounds;              ///< that pass changes values on purpose
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
      CheckedPipeline::Record::Function &known =
          record->functions[qualifiedName(function)];
      NumericsSummary &summary = known.summary;
      summary.passes = record->passes;
      if (summary.compared > 0)
        emitRemark(function.getLoc())
            << "checked the values of '@" << function.getSymName() << "' after "
            << summary.compared << " of " << summary.passes
            << " passes: all are within tolerance";
      reportRegimes(function, known);
      if (result &&
          (result->passes == 0 || summary.compared < result->compared))
        *result = summary;
    });
    markAllAnalysesPreserved();
  }

private:
  /// Says what the samples could not show.
  void reportRegimes(func::FuncOp function,
                     CheckedPipeline::Record::Function &known) {
    SmallVector<StringRef> unverified;
    for (const auto &[regime, elements] : known.elements)
      if (elements.first == 0 && elements.second > 0)
        unverified.push_back(nameOf(regime));
    if (!unverified.empty())
      emitRemark(function.getLoc())
          << "nothing of '@" << function.getSymName()
          << "' is checked in the regimes " << llvm::join(unverified, ", ")
          << ": every element is undefined there";
    if (!known.samples || known.samples->missed.empty())
      return;
    const auto &missed = known.samples->missed;
    auto remark = emitRemark(function.getLoc())
                  << missed.size() << " of " << known.samples->branches
                  << " branches of '@" << function.getSymName()
                  << "' are taken by none of " << known.samples->samples.size()
                  << " samples";
    for (const auto &[loc, text] :
         ArrayRef(missed).take_front(maxNamedBranches))
      remark.attachNote(loc) << text;
  }

  std::shared_ptr<CheckedPipeline::Record> record;
  NumericsSummary *result;
};
} // namespace

CheckedPipeline::CheckedPipeline(OpPassManager &manager,
                                 std::optional<NumericsCheckOptions> check)
    : manager(manager), check(std::move(check)),
      record(std::make_shared<Record>()) {
  addCheck("");
}
CheckedPipeline::~CheckedPipeline() = default;

void CheckedPipeline::addCheck(StringRef passName, bool rounds) {
  if (check)
    manager.addPass(
        std::make_unique<NumericsCheckPass>(record, *check, passName, rounds));
}

void CheckedPipeline::addRounding(std::unique_ptr<Pass> pass) {
  const std::string name = pass->getArgument().str();
  manager.addPass(std::move(pass));
  addCheck(name, /*rounds=*/true);
}

void CheckedPipeline::finish() {
  if (check)
    manager.addPass(
        std::make_unique<NumericsReportPass>(record, check->summary));
}

void CheckedPipeline::add(std::unique_ptr<Pass> pass) {
  add(std::move(pass), [](OpPassManager &to, std::unique_ptr<Pass> added) {
    to.addPass(std::move(added));
  });
}

void CheckedPipeline::add(
    std::unique_ptr<Pass> pass,
    function_ref<void(OpPassManager &, std::unique_ptr<Pass>)> how) {
  const std::string name =
      (pass->getArgument().empty() ? pass->getName() : pass->getArgument())
          .str();
  how(manager, std::move(pass));
  addCheck(name);
}
