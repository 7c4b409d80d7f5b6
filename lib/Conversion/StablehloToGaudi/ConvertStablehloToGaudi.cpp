// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass: converts every StableHLO op it can and reports every one it cannot.
#include "../Common/Demote.h"
#include "Converter.h"
#include "Expand.h"
#include "Gaudi/Conversion/Passes.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Verifier.h"

namespace gaudi {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOGAUDI
#include "Gaudi/Conversion/Passes.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;

namespace {
class Converter {
public:
  explicit Converter(MLIRContext *context) : builder(context) {}

  /// Converts what it can; fails with one error for each op that it cannot.
  LogicalResult run(ModuleOp module, uint64_t maxExpandedOps);

  unsigned numConverted = 0;
  HloBuilder builder;

private:
  void convert(Operation *op);

  ConversionReport report;
};

struct ConvertStablehloToGaudi
    : public gaudi::impl::ConvertStablehloToGaudiBase<ConvertStablehloToGaudi> {
  using ConvertStablehloToGaudiBase::ConvertStablehloToGaudiBase;

  /// An op of CHLO may become one of StableHLO on the way.
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertStablehloToGaudiBase::getDependentDialects(registry);
    registerStablehloDialects(registry);
  }
  void runOnOperation() override {
    Converter converter(&getContext());
    if (failed(converter.run(getOperation(), maxExpandedOps)))
      return signalPassFailure();
    numConverted += converter.numConverted;
    numKernels += converter.builder.numKernels;
    if (converter.numConverted == 0)
      markAllAnalysesPreserved();
  }
};
} // namespace

/// True if `op` returns from a region of another op of the dialect, which reads
/// it when that op is converted.
static bool isRegionEnd(Operation *op) {
  return isHlo(op, Hlo::Return) && op->getNumResults() == 0 &&
         isStablehlo(op->getParentOp()->getName());
}

/// Constants for the results of `op` if none of them has an element to compute.
static std::optional<SmallVector<Value>> resultsWithoutElements(HloBuilder &b,
                                                                Operation *op) {
  auto isEmpty = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::is_contained(tensor.getShape(), 0);
  };
  if (op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isEmpty))
    return std::nullopt;
  return llvm::map_to_vector(op->getResultTypes(),
                             [&](Type type) { return b.empty(type); });
}

void Converter::convert(Operation *op) {
  // An op whose region has been refused adds nothing to that error.
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (report.contains(&inner))
        return;
  HloMatcher matcher(op, report);
  HloMatch build = matchHlo(op, matcher);
  if (failed(build))
    return matcher.reportTo(report);
  builder.moveTo(op);
  auto given = resultsWithoutElements(builder, op);
  SmallVector<Value> values = given ? *given : (*build)(builder);
  assert(values.size() == op->getNumResults() && "one value per result");
  for (auto [i, value] : llvm::enumerate(values))
    if (value.getType() != op->getResult(i).getType())
      return (void)report.add(op, "result " + Twine(i) + " has type '" +
                                      spelled(op->getResult(i).getType()) +
                                      "' but the operands make it '" +
                                      spelled(value.getType()) + "'");
  op->replaceAllUsesWith(values);
  op->erase();
  ++numConverted;
}

/// Regions of unregistered ops may be graphs, in which any order is valid.
/// Those of StableHLO are not, and what reads them relies on it.
static void checkOrder(ModuleOp module, ConversionReport &report) {
  module.walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      Operation *definition = operand.getDefiningOp();
      if (!definition)
        continue;
      Operation *user = definition->getBlock()->findAncestorOpInBlock(*op);
      if (user && definition->isBeforeInBlock(user))
        continue;
      // Between the blocks of a region MLIR checks dominance.
      if (!user &&
          definition->getParentRegion()->isAncestor(op->getParentRegion()))
        continue;
      (void)report.add(op, "it reads a value that is defined after it",
                       ConversionReport::Note{operand.getLoc(), "the value"});
      return;
    }
  });
}

LogicalResult Converter::run(ModuleOp module, uint64_t maxExpandedOps) {
  // Models of other dialects pay for this walk only.
  auto isOurs = [](Operation *op) {
    return isStablehlo(op->getName()) ? WalkResult::interrupt()
                                      : WalkResult::advance();
  };
  if (!module.walk(isOurs).wasInterrupted())
    return success();
  checkOrder(module, report);
  if (failed(report.emit()))
    return failure();
  flattenTuples(module);
  writeStaticForms(module);
  if (failed(expandStablehlo(module, report, maxExpandedOps)))
    return report.emit();
  copyConstantsIntoRegions(module);
  retypeUnsigned64(module, report);
  // Ops that computed a size, which types say now, would need their f64.
  module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isDeadHlo(op) && touchesDouble(op) && !report.contains(op))
      op->erase();
  });
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      demoteDoubles(function, "convert-stablehlo-to-gaudi");
  SmallVector<Operation *> ops;
  // Regions come before the op that has them: its pattern reads gaudi ops.
  module.walk([&](Operation *op) {
    if (isStablehlo(op->getName()) && !isRegionEnd(op) && !report.contains(op))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    convert(op);
  if (failed(report.emit()))
    return failure();
  // The source has no verifier, so its errors show here, at its locations.
  return verify(module);
}
