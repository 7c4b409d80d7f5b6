// Chooses the buckets of functions with dynamic dimensions.
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Shapes/Planner.h"
#include "Gaudi/Transforms/Shapes/ShapePasses.h"
#include "SampleSizes.h"
#include "mlir/IR/Remarks.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_PLANBUCKETS
#include "Gaudi/Compiler/Passes.h.inc"
} // namespace mlir::gaudi

using namespace mlir;
using namespace mlir::gaudi;
using namespace ::gaudi::shapes;

namespace {
struct PlanBuckets : mlir::gaudi::impl::PlanBucketsBase<PlanBuckets> {
  using PlanBucketsBase::PlanBucketsBase;

  void runOnOperation() override {
    bool isChanged = false;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function->hasAttr(symbolsAttrName) ||
          function->hasAttr(bucketOfAttrName) ||
          function->hasAttr(boxesAttrName))
        continue;
      isChanged = true;
      auto planned = plan(symbolsOf(function));
      if (!planned) {
        function.emitError("cannot choose the buckets of '")
            << function.getName() << "': " << planned.error().message;
        return signalPassFailure();
      }
      setBoxes(function, planned->buckets);
      report(function, *planned);
    }
    if (!isChanged)
      markAllAnalysesPreserved();
  }

private:
  ::gaudi::Result<Plan> plan(ArrayRef<Symbol> symbols) const {
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
    request.choice = GAUDI_TRY(parseStrategy(text));
    Histogram observed;
    if (!histogram.empty()) {
      observed = GAUDI_TRY(readHistogram(histogram));
      observed = GAUDI_TRY(observed.columnsOf(names));
      request.histogram = &observed;
    }
    return planBuckets(request);
  }

  /// In ascending order. A size beyond the largest of its symbol, which is no
  /// multiple of the grain, is that one.
  void setBoxes(func::FuncOp function, const Buckets &buckets) const {
    const SmallVector<Symbol> symbols = symbolsOf(function);
    std::vector<Sizes> boxes = buckets.boxes();
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
      own.push_back(missing[largest]);
      missing.erase(missing.begin() + largest);
      function->setAttr(missingBoxesAttrName, builder.getArrayAttr(missing));
    }
    function->setAttr(boxesAttrName, builder.getArrayAttr(own));
  }

  static void report(func::FuncOp function, const Plan &plan) {
    const std::string where = plan.buckets.text();
    const auto options = remark::RemarkOpts::name("plan")
                             .category("gaudi-plan-buckets")
                             .function(function.getName());
    if (plan.real > 0)
      remark::passed(function.getLoc(), options)
          << remark::add("chose {0} buckets with {1:F1} % of padding, at least "
                         "{2:F1} %: {3}",
                         plan.buckets.size(), plan.waste() * 100,
                         plan.leastWaste() * 100, where);
    else
      remark::passed(function.getLoc(), options)
          << remark::add("chose {0} buckets: {1}", plan.buckets.size(), where);
  }
};
} // namespace
