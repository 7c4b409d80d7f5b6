// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares placements by what their kernels take once they are fused.
//
// An objective that is a sum over ops cannot know which kernels become one, and
// what the merged kernel takes: it computes as much as all of them, in the
// index space of one. So the placements of both objectives are made on copies
// of the function, fused there by the pass that will do so, and timed.
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Passes.h"
#include "LayoutProblem.h"
#include "SplitGemm.h"
#include "SplitReductions.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

/// Functions with more ops are not copied, as compilation would take too long.
static constexpr unsigned maxOpsToFuse = 2000;

/// Counts no further than it needs to.
static bool isSmall(func::FuncOp function) {
  Block &block = function.front();
  return !llvm::hasNItemsOrMore(block, maxOpsToFuse + 1);
}

static bool isSame(const Placement &a, const Placement &b) {
  const auto isSameOp = [&](const auto &entry) {
    const auto *other = b.ops.find(entry.first);
    return other != b.ops.end() &&
           other->second.orders == entry.second.orders &&
           other->second.asKernel == entry.second.asKernel;
  };
  return a.ops.size() == b.ops.size() && llvm::all_of(a.ops, isSameOp) &&
         llvm::equal(a.arguments, b.arguments) &&
         llvm::equal(a.results, b.results);
}

/// The placement for a copy of its function.
static Placement mapped(const Placement &placement, const IRMapping &mapping) {
  Placement copy;
  for (const auto &[op, how] : placement.ops)
    copy.ops[mapping.lookup(op)] = how;
  copy.arguments = placement.arguments;
  copy.results = placement.results;
  for (const layout::Region &region : placement.regions) {
    layout::Region &moved = copy.regions.emplace_back();
    for (Transposition transposition : region.transposes) {
      transposition.root = mapping.lookup(transposition.root);
      moved.transposes.push_back(std::move(transposition));
    }
  }
  return copy;
}

/// What all ops of the function take, one after the other, once it is placed
/// and its kernels are fused; nothing if a pass fails.
static std::optional<Picoseconds> timeAfterFusion(func::FuncOp function,
                                                  const Placement &placement,
                                                  const DeviceTime &time) {
  MLIRContext *context = function.getContext();
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  (*module)->setAttr(deviceAttrName, StringAttr::get(context, time.spec.name));
  (*module)->setAttr(trialAttrName, UnitAttr::get(context));
  IRMapping mapping;
  auto copy = cast<func::FuncOp>(function->clone(mapping));
  module->push_back(copy);
  applyPlacement(copy, mapped(placement, mapping));

  lowerSplitGemms(copy.front());
  mergeReductions(copy, time);
  const QuietDiagnostics ignored(context);
  PassManager passes(context);
  passes.enableVerifier(false); // it knows not all that the function refers to
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  passes.addPass(createCanonicalizerPass(config)); // splats are no tensors
  passes.addPass(createExpandKernels());
  passes.addPass(createFuseTpc());
  if (failed(passes.run(*module)))
    return std::nullopt;
  Picoseconds sum = 0;
  for (Operation &op : copy.front())
    if (!isa<TransposeOp>(op) || !constantTimeOf(joinedFrom(op.getResult(0))))
      sum += time.of(&op);
  return sum;
}

Placement layout::chooseAfterFusion(
    func::FuncOp function, const DeviceTime &time,
    function_ref<bool(const Placement &, const Placement &)> isEither) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return Placement(); // a program of the host has no tensors to place
  LayoutProblem problem(function, time);
  Placement alone = problem.solve(Objective::Alone);
  // Two copies of a large function take too long to fuse.
  if (!isSmall(function))
    return alone;
  Placement fused = problem.solve(Objective::Fused);
  if (isSame(alone, fused) || (!explains(function) && isEither(alone, fused)))
    return alone;
  const std::optional<Picoseconds> ofAlone =
                                       timeAfterFusion(function, alone, time),
                                   ofFused =
                                       timeAfterFusion(function, fused, time);
  // A copy that cannot be fused and timed says nothing.
  if (!ofAlone || !ofFused)
    return alone;
  const bool isBetter = *ofFused < *ofAlone;
  if (explains(function))
    remark::analysis(function.getLoc(),
                     remark::RemarkOpts::name("objective")
                         .category("gaudi-place-permutations")
                         .function(function.getName()))
        << remark::add("counted what kernels {0}: once they are fused, all ops "
                       "take {1}, {2} otherwise",
                       isBetter ? "lose by orders, not what they gain alone"
                                : "lose and gain by orders",
                       time.text(isBetter ? *ofFused : *ofAlone),
                       time.text(isBetter ? *ofAlone : *ofFused));
  return isBetter ? fused : alone;
}
