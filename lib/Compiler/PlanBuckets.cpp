// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the buckets of functions with dynamic dimensions.
#include "PlanBuckets.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Transforms/Shapes/ShapePasses.h"
#include "SampleSizes.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include <fmt/format.h>

namespace gaudi {
#define GEN_PASS_DEF_PLANBUCKETS
#include "Gaudi/Compiler/Passes.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;
using namespace gaudi::shapes;

namespace {
struct PlanBuckets : gaudi::impl::PlanBucketsBase<PlanBuckets> {
  using PlanBucketsBase::PlanBucketsBase;

  PlanBuckets(const PlanBucketsOptions &options, const CompileOptions &compile,
              BucketPlanning *planning)
      : PlanBucketsBase(options), planning(planning) {
    compileOptions.copyOptionValuesFrom(compile);
  }
  PlanBuckets(const PlanBuckets &other)
      : PlanBucketsBase(other), planning(other.planning) {
    compileOptions.copyOptionValuesFrom(other.compileOptions);
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    // Those of the probes, which load none while passes run.
    if (cost != deviceTime)
      return;
    CompileOptions compile;
    compile.bucketCost = std::string(elements);
    OpPassManager pipeline(ModuleOp::getOperationName());
    if (succeeded(buildCompilePipeline(
            pipeline, compile, [](const Twine &) { return failure(); })))
      pipeline.getDependentDialects(registry);
  }

  void runOnOperation() override {
    bool isChanged = false;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function->hasAttr(symbolsAttrName) ||
          function->hasAttr(bucketOfAttrName) ||
          function->hasAttr(boxesAttrName))
        continue;
      isChanged = true;
      if (failed(planFor(function)))
        return signalPassFailure();
    }
    if (!isChanged)
      markAllAnalysesPreserved();
  }

private:
  LogicalResult planFor(func::FuncOp function) {
    const auto problem = [&](const gaudi::Error &error) {
      return function.emitError("option '")
             << blamed << "': cannot choose the buckets of '"
             << function.getName() << "': " << error.message;
    };
    BucketPlan result;
    auto request = requestOf(function);
    if (!request)
      return problem(request.error());
    if (observed)
      request->histogram = &*observed;
    // Explicit sizes need no costs.
    if (needsCosts(request->choice)) {
      auto table = costsOf(function, *request);
      if (!table)
        return problem(table.error());
      result.table = std::move(*table);
      if (result.table)
        request->cost = *result.table;
    }
    // The time counts from here: probes have taken theirs.
    if (timeLimit > 0)
      request->mustStop = [limit = timeLimit * 1e3, time = gaudi::Stopwatch()] {
        return time.milliseconds() >= limit;
      };
    auto planned = planBuckets(*request);
    if (!planned)
      return problem(planned.error());
    for (const std::string &doubt : doubtsOf(request->choice, request->axes))
      function.emitWarning("the buckets of '")
          << function.getName() << "': " << doubt;
    if (planning && planning->wantsCurve && observed) {
      auto curve =
          compareStrategies(*request, budgetOf(request->choice, *planned));
      if (!curve)
        return problem(curve.error());
      result.curve = std::move(*curve);
    }
    // The plan becomes an attribute, which the next pass reads.
    setBoxes(function, planned->buckets);
    report(function, *planned, timeLimit, result.table.has_value());
    for (const Axis &axis : request->axes)
      result.symbols.push_back(axis.name);
    if (planning)
      planning->plans[function.getName().str()] = std::move(result);
    return success();
  }

  /// All but the cost. Reads the histogram.
  gaudi::Result<PlanRequest> requestOf(func::FuncOp function) {
    const SmallVector<Symbol> symbols = symbolsOf(function);
    blamed = "time-limit";
    if (!(timeLimit >= 0 && timeLimit <= 1e9))
      return gaudi::fail("time-limit must be between 0 and 1e9 seconds but "
                         "is {}",
                         double(timeLimit));
    PlanRequest request;
    std::vector<std::string> names;
    for (const Symbol &symbol : symbols) {
      request.axes.push_back(
          {symbol.name, symbol.min, symbol.max, symbol.multiple});
      names.push_back(symbol.name);
    }
    std::string text = strategy;
    if (text.empty())
      text = histogram.empty() ? "exponential:8" : "optimal:8";
    blamed = "buckets";
    request.choice = GAUDI_TRY(parseStrategy(text));
    observed.reset();
    if (!histogram.empty()) {
      blamed = "bucket-histogram";
      Histogram given = GAUDI_TRY(readHistogram(histogram));
      Result<Histogram> columns = given.columnsOf(names);
      if (!columns)
        return fail("{}: {}", printable(histogram), columns.error().message);
      observed = std::move(*columns);
      leaveOutRefused(function, symbols);
      blamed = "buckets";
    }
    return request;
  }

  /// Drops the launches of the histogram whose sizes the function does not
  /// take.
  void leaveOutRefused(func::FuncOp function, ArrayRef<Symbol> symbols) {
    std::string example;
    const auto isRefused = [&](const Observation &launch) {
      for (auto [symbol, size] : llvm::zip_equal(symbols, launch.sizes)) {
        if (symbol.holds(size))
          continue;
        // One example is enough for the message.
        if (!example.empty())
          return true;
        example =
            llvm::formatv("{0} {1} in line {2}, expected {3}", symbol.name,
                          size, launch.line, symbol.boundsText());
        return true;
      }
      return false;
    };
    const uint64_t all = observed->launches();
    llvm::erase_if(observed->observations, isRefused);
    if (!example.empty())
      function.emitWarning("the buckets of '")
          << function.getName() << "' are chosen without "
          << all - observed->launches() << " of "
          << gaudi::countOf(all, "launch", "launches")
          << " of the histogram, whose sizes the model does not take, such as "
          << example;
  }

  /// Whether what launches take decides anything, or shows in a curve.
  bool needsCosts(const BucketChoice &choice) const {
    const bool isGiven =
        llvm::all_of(choice.parts, [](const BucketChoice::Part &part) {
          return part.strategy.kind == Strategy::Kind::Explicit;
        });
    return cost != elements && observed &&
           (!isGiven || (planning && planning->wantsCurve));
  }

  /// None: by elements, because launches cannot be predicted.
  gaudi::Result<std::optional<CostTable>> costsOf(func::FuncOp function,
                                                  const PlanRequest &request) {
    std::vector<Axis> axes = request.axes;
    if (cost != deviceTime) {
      std::vector<std::string> names;
      for (const Axis &axis : axes)
        names.push_back(axis.name);
      blamed = "bucket-cost";
      auto table = CostTable::read(cost, names);
      if (!table)
        return tl::unexpected<gaudi::Error>(table.error());
      blamed = "buckets";
      return std::optional(std::move(*table));
    }
    // Buckets are no smaller than the launches.
    for (auto [i, axis] : llvm::enumerate(axes)) {
      int64_t least = axis.max;
      for (const Observation &observation : observed->observations)
        if (observation.sizes[i] >= axis.min)
          least = std::min(least, observation.sizes[i]);
      axis.min = least;
    }
    const Probes found = probe(function, axes);
    // A function that cannot be probed still gets buckets.
    if (found.picoseconds.empty()) {
      function.emitWarning("the buckets of '")
          << function.getName()
          << "' are chosen by elements, not by device time: " << found.problem;
      return std::optional<CostTable>();
    }
    remark::analysis(function.getLoc(), remarkOf(function, "probes"))
        << remark::add("predicted launches of {0} sizes in {1:F2} s: {2}",
                       found.picoseconds.size(), found.seconds,
                       found.isDerived ? "derived from few that were compiled"
                                       : "each was compiled");
    return std::optional(
        GAUDI_TRY(CostTable::create(found.grid, found.picoseconds)));
  }

  /// Once for each function.
  Probes probe(func::FuncOp function, const std::vector<Axis> &axes) {
    const std::string name = function.getName().str();
    if (planning) {
      const auto known = planning->probes.find(name);
      if (known != planning->probes.end())
        return known->second;
    }
    compileOptions.device = device;
    Probes probes = planning && planning->prober
                        ? planning->prober(function, axes)
                        : compilingProber(compileOptions)(function, axes);
    if (planning)
      planning->probes[name] = probes;
    return probes;
  }

  /// Up to how many buckets a curve goes.
  static size_t budgetOf(const BucketChoice &choice, const Plan &plan) {
    size_t most = plan.buckets.size();
    for (const BucketChoice::Part &part : choice.parts)
      if (part.symbol.empty())
        most = std::max(most, part.strategy.maxBuckets);
    return most;
  }

  /// In ascending order. A size beyond the largest of its symbol, which is no
  /// multiple of the grain, is that one.
  void setBoxes(func::FuncOp function, const Buckets &buckets) const {
    const SmallVector<Symbol> symbols = symbolsOf(function);
    std::vector<Sizes> boxes = buckets.boxes();
    // Clamping may make two boxes equal.
    for (Sizes &box : boxes)
      for (auto [size, symbol] : llvm::zip_equal(box, symbols))
        size = std::clamp(size, std::max<int64_t>(symbol.min, 1), symbol.max);
    llvm::sort(boxes);
    boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
    Builder builder(function.getContext());
    SmallVector<Attribute> own, missing;
    for (const Sizes &box : boxes)
      own.push_back(builder.getDenseI64ArrayAttr(box));
    const auto isLarger = [](const Sizes &a, const Sizes &b) {
      double elements[2] = {1, 1};
      for (auto [first, second] : llvm::zip_equal(a, b)) {
        elements[0] *= double(first);
        elements[1] *= double(second);
      }
      return elements[0] < elements[1];
    };
    // Few buckets compile faster than samples; many are derived: samples and
    // the largest one are compiled, the others are missing.
    if (pattern && boxes.size() > fewBuckets) {
      const size_t largest =
          std::max_element(boxes.begin(), boxes.end(), isLarger) -
          boxes.begin();
      missing = own;
      own.clear();
      const SampleSizes samples = sampleSizes(symbols, boxes, boxes[largest]);
      for (const auto *list : {&samples.source, &samples.compiled})
        for (const Sizes &sample : *list)
          own.push_back(builder.getDenseI64ArrayAttr(sample));
      function->setAttr(sourceSamplesAttrName,
                        builder.getI64IntegerAttr(samples.source.size()));
      // The largest is the last one, which derivation takes as the pattern.
      own.push_back(missing[largest]);
      missing.erase(missing.begin() + largest);
      function->setAttr(missingBoxesAttrName, builder.getArrayAttr(missing));
    }
    function->setAttr(boxesAttrName, builder.getArrayAttr(own));
  }

  static remark::RemarkOpts remarkOf(func::FuncOp function, StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("gaudi-plan-buckets")
        .function(function.getName());
  }

  static void report(func::FuncOp function, const Plan &plan, double limit,
                     bool isTimed) {
    std::string where = plan.buckets.text();
    if (plan.isCut)
      where += fmt::format("; the time limit of {} s ended the search", limit);
    if (plan.real > 0)
      remark::passed(function.getLoc(), remarkOf(function, "plan"))
          << remark::add("chose {0} buckets with {1:F1} % of {2}padding, at "
                         "least {3:F1} %: {4}",
                         plan.buckets.size(), plan.waste() * 100,
                         isTimed ? "device time for " : "",
                         plan.leastWaste() * 100, where);
    else
      remark::passed(function.getLoc(), remarkOf(function, "plan"))
          << remark::add("chose {0} buckets: {1}", plan.buckets.size(), where);
  }

  static constexpr StringLiteral deviceTime = "device-time",
                                 elements = "elements";
  CompileOptions compileOptions;
  BucketPlanning *planning = nullptr;
  std::optional<Histogram> observed; // its columns are the symbols
  const char *blamed = "buckets";    ///< the option that an error is of
};
} // namespace

std::unique_ptr<Pass>
gaudi::createPlanBuckets(const PlanBucketsOptions &options,
                         const CompileOptions &compile,
                         BucketPlanning *planning) {
  return std::make_unique<PlanBuckets>(options, compile, planning);
}
