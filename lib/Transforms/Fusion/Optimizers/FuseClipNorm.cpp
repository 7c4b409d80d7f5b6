// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds gradients that are scaled so that their common norm is bounded:
// gaudi-fuse-clip-norm.
#include "ClipNorm.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Transforms/Passes.h"
#include "Rewrite.h"
#include "RunFinder.h"
#include "Steps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

namespace gaudi {
#define GEN_PASS_DEF_FUSECLIPNORM
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
using namespace fusion;

constexpr StringLiteral fuseClipNormCategory = "gaudi-fuse-clip-norm";

/// Ops between a gradient and its scaled value.
constexpr unsigned maxSteps = 6;

/// A norm, the tensors that it is of, and their scaled values.
struct Clip {
  ElementId sum;
  SmallVector<ElementId> gradients, sums;
  SmallVector<SmallVector<Value, 1>> clipped; // of each gradient
  std::optional<ClipScale> scale;
  std::string reason; // why it is no clipping; empty: not even near
  Location loc;
};

class ClipFinder {
public:
  ClipFinder(func::FuncOp function, const DeviceTime &time)
      : function(function), block(function.getBody().front()), time(time) {}

  void run() {
    for (auto named : block.getOps<FusedClipNormOp>())
      records.push_back({"clip_norm", named.getLoc(), true,
                         unsigned(named.getGradients().size()), 0, 0,
                         "fused clip norm: the source names it"});
    // Nodes refer to ops: they are read anew once some of these are gone.
    while (fuseOne())
      ++fused;
    for (const Clip &clip : missed)
      miss(clip);
  }

  SmallVector<FusionRecord> records;
  unsigned fused = 0;

private:
  bool fuseOne() {
    missed.clear();
    graph = std::make_unique<Graph>();
    for (ElementId sum : candidateSums())
      if (consider(sum))
        return true;
    return false;
  }

  /// Single elements whose root is taken.
  SmallVector<ElementId> candidateSums() {
    llvm::SetVector<ElementId> sums;
    for (Operation &op : block)
      if (isa<SqrtOp, RsqrtOp, PowOp, KernelOp>(op))
        for (Value result : op.getResults())
          if (elementCount(result) == 1 &&
              isFloatElement(getElementTypeOrSelf(result)))
            addRoots(graph->elements.of(result), sums);
    return sums.takeVector();
  }

  /// The roots that the op of a node takes: a kernel may go on with them.
  void addRoots(ElementId id, llvm::SetVector<ElementId> &sums) {
    Elements &elements = graph->elements;
    SmallVector<ElementId> pending = {id};
    while (!pending.empty()) {
      const Element &node = elements.at(pending.pop_back_val());
      const bool isRoot = node.kind == Element::Sqrt ||
                          (node.kind == Element::Pow &&
                           elements.constantOf(node.operands[1]) == -0.5);
      if (isRoot && node.size == 1)
        sums.insert(elements.beforeRounding(node.operands[0]));
      for (ElementId operand : node.operands)
        if (elements.at(operand).op == node.op)
          pending.push_back(operand);
    }
  }

  /// Fuses the clipping by the root of the sum, if it is one.
  bool consider(ElementId sum) {
    Clip clip{sum,
              {},
              {},
              {},
              std::nullopt,
              "",
              graph->elements.locOf(sum, function.getLoc())};
    SmallVector<ElementId> rounded;
    // Each sum of squares of gradients may be the square of a norm.
    clip.gradients = squaresIn(graph->elements, sum, clip.sums, rounded);
    if (clip.gradients.empty())
      return false;
    // The loose matcher only explains what a rounding prevents.
    ClipMatcher matcher(graph->algebra, sum);
    ClipMatcher loose(graph->algebra, sum);
    bool isScaled = false;
    for (ElementId gradient : clip.gradients) {
      clip.clipped.push_back(clippedOf(gradient, matcher, loose, clip));
      isScaled |= !clip.clipped.back().empty();
    }
    // Found but for a rounding on the way: refused, with the reason.
    if (isScaled && clip.reason.empty() && !rounded.empty()) {
      graph->algebra.ignored = rounded.front();
      missRounding(clip);
    }
    if (isScaled && clip.reason.empty() && isLegal(clip) && commit(clip))
      return true;
    if (!clip.reason.empty())
      missed.push_back(std::move(clip));
    return false;
  }

  /// The rounding that was ignored is the reason.
  void missRounding(Clip &clip) {
    clip.reason = graph->algebra.roundingText();
    clip.loc = graph->elements.locOf(*graph->algebra.ignored, clip.loc);
  }

  /// True if the node would be the scaled gradient without roundings inside.
  bool isNear(ElementId node, ElementId gradient, ClipMatcher &loose) {
    Algebra &algebra = graph->algebra;
    llvm::SaveAndRestore ignores(algebra.ignoresRoundings, true);
    algebra.ignored.reset();
    std::string reason;
    return loose.scaleOf(node, gradient, reason) && algebra.ignored;
  }

  /// The values that scale the gradient by the clip's scale, which the first
  /// one sets. `loose` looks into what is rounded.
  SmallVector<Value, 1> clippedOf(ElementId gradient, ClipMatcher &matcher,
                                  ClipMatcher &loose, Clip &clip) {
    SmallVector<Value, 1> found;
    Clip near = clip;
    SmallVector<std::pair<Value, unsigned>> pending = {
        {graph->elements.at(gradient).range.tensor, 0}};
    DenseSet<Value> seen;
    const int64_t size = graph->elements.at(gradient).size;
    // From the gradient forwards, a few ops deep.
    while (!pending.empty()) {
      auto [value, steps] = pending.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      for (Operation *user : value.getUsers())
        for (Value result : user->getResults()) {
          if (elementCount(result) != size ||
              !isFloatElement(getElementTypeOrSelf(result)))
            continue;
          const ElementId node = graph->elements.of(result);
          std::string reason;
          auto scale = node == gradient
                           ? std::nullopt
                           : matcher.scaleOf(node, gradient, reason);
          if (!scale && node != gradient && isNear(node, gradient, loose)) {
            missRounding(near);
            continue;
          }
          if (!reason.empty()) {
            clip.reason = reason;
            clip.loc = user->getLoc();
            return {};
          }
          if (scale && agrees(clip, *scale, user))
            found.push_back(result);
          else if (!scale && steps < maxSteps)
            pending.push_back({result, steps + (node != gradient)});
        }
    }
    // A near miss is reported only if nothing was found.
    if (found.empty() && !near.reason.empty()) {
      clip.reason = near.reason;
      clip.loc = near.loc;
    }
    return found;
  }

  bool agrees(Clip &clip, const ClipScale &scale, Operation *user) {
    if (!clip.scale)
      clip.scale = scale;
    if (isClose(clip.scale->maxNorm, scale.maxNorm) &&
        clip.scale->eps == scale.eps && clip.scale->isSelect == scale.isSelect)
      return true;
    clip.reason = "gradients are scaled for different bounds of one norm";
    clip.loc = user->getLoc();
    return false;
  }

  /// The values that are the norm.
  SmallVector<Value> normsOf(const Clip &clip) {
    SmallVector<Value> norms;
    for (Operation &op : block)
      if (isa<SqrtOp, PowOp, KernelOp>(op))
        for (Value result : op.getResults()) {
          if (elementCount(result) != 1 ||
              !isFloatElement(getElementTypeOrSelf(result)))
            continue;
          Elements &elements = graph->elements;
          const Element &node = elements.at(elements.beforeCopies(
              elements.of(result), getElementTypeOrSelf(result)));
          if (node.kind == Element::Sqrt &&
              elements.beforeCopies(node.operands[0]) == clip.sum)
            norms.push_back(result);
        }
    return norms;
  }

  /// What the op's results replace.
  SmallVector<Value> replacedBy(const Clip &clip) {
    SmallVector<Value> replaced = normsOf(clip);
    for (const auto &values : clip.clipped)
      llvm::append_range(replaced, values);
    return replaced;
  }

  std::optional<SmallVector<Value>> operandsOf(const Clip &clip) {
    auto operands = scalarsOf(graph->algebra, clip.scale->maxNorm);
    if (operands)
      for (ElementId gradient : clip.gradients)
        operands->push_back(graph->elements.at(gradient).range.tensor);
    return operands;
  }

  bool isLegal(Clip &clip) {
    auto operands = operandsOf(clip);
    if (!operands) {
      clip.reason = "the bound is computed inside a kernel of others";
      return false;
    }
    const DyingOps dying(replacedBy(clip), *operands);
    for (ElementId sum : clip.sums)
      if (Operation *op = graph->elements.at(sum).op;
          op && !dying.contains(op)) {
        clip.reason = "the sum of squares '" +
                      op->getName().getStringRef().str() +
                      "' is also read by others; it would be computed twice";
        clip.loc = op->getLoc();
        return false;
      }
    if (!placementOf(*operands, replacedBy(clip), dying, block)) {
      clip.reason = "the bound depends on the clipped gradients";
      return false;
    }
    return true;
  }

  bool commit(Clip &clip) {
    const SmallVector<Value> operands = *operandsOf(clip);
    const SmallVector<Value> norms = normsOf(clip);
    const SmallVector<Value> replaced = replacedBy(clip);
    const DyingOps dying(replaced, operands);
    // isLegal() has found a place: after all operands, before no reader that
    // cannot move.
    auto placement = placementOf(operands, replaced, dying, block);
    OpBuilder builder = placement->builder(block);
    // Dying ops are those that only what is replaced needs.
    const Traffic before = trafficOf(dying.ops.getArrayRef(), time);
    auto op = build(clip, builder);
    const Traffic after = trafficOf({op}, time);
    if (after.time > before.time) {
      clip.reason = "it would take " + time.change(before.time, after.time);
      op.erase();
      return false;
    }
    builder.setInsertionPointAfter(op);
    auto replace = [&](Value value, Value result) {
      if (!value.use_empty())
        value.replaceAllUsesWith(converted(builder, result, value.getType()));
    };
    // Norms that others read, such as a log, are results as well.
    for (Value norm : norms)
      replace(norm, op.getTotalNorm());
    for (auto [i, values] : llvm::enumerate(clip.clipped))
      for (Value value : values)
        replace(value, op.getClipped()[i]);
    placement->moveTo(builder);
    DyingOps(replaced).erase();
    report(clip, op, dying.ops.size(), before, after);
    return true;
  }

  FusedClipNormOp build(const Clip &clip, OpBuilder &builder) {
    SmallVector<Value> gradients;
    for (ElementId id : clip.gradients) {
      const ElementRange &range = graph->elements.at(id).range;
      gradients.push_back(graph->elements.materialize(
          builder, clip.loc, id,
          range.isWhole() ? tensorType(range.tensor).getShape()
                          : ArrayRef<int64_t>(range.size)));
    }
    Value maxNorm = ScalarWriter(graph->algebra, builder, clip.loc)
                        .write(clip.scale->maxNorm);
    SmallVector<Type> types(ValueRange(gradients).getTypes());
    types.append(2, maxNorm.getType());
    return FusedClipNormOp::create(builder, clip.loc, types, gradients, maxNorm,
                                   clip.scale->isSelect ? builder.getUnitAttr()
                                                        : UnitAttr(),
                                   builder.getF64FloatAttr(clip.scale->eps));
  }

  void report(const Clip &clip, Operation *op, size_t ops,
              const Traffic &before, const Traffic &after) {
    const Picoseconds saved = before.time - after.time;
    const int64_t bytes = before.bytes - after.bytes;
    std::string text = llvm::formatv(
        "fused the clipping of {0} gradient{1} by their norm into '{2}', {3} "
        "and {4} bytes of memory traffic against the {5} ops that it replaces",
        clip.gradients.size(), clip.gradients.size() == 1 ? "" : "s",
        op->getName().getStringRef(), time.saving(saved), bytes, ops);
    records.push_back({"clip_norm", clip.loc, true,
                       unsigned(clip.gradients.size()), bytes, saved,
                       std::move(text)});
    explain(function, records.back(), "fuse", fuseClipNormCategory);
  }

  void miss(const Clip &clip) {
    records.push_back({"clip_norm", clip.loc, false,
                       unsigned(clip.gradients.size()), 0, 0,
                       "not fused the clipping of gradients: " + clip.reason});
    explain(function, records.back(), "keep", fuseClipNormCategory);
  }

  func::FuncOp function;
  Block &block;
  const DeviceTime &time;
  struct Graph {
    Elements elements;
    Algebra algebra{elements};
  };
  std::unique_ptr<Graph> graph;
  std::vector<Clip> missed;
};

struct FuseClipNorm : impl::FuseClipNormBase<FuseClipNorm> {
  using FuseClipNormBase::FuseClipNormBase;

  void runOnOperation() override {
    FailureOr<unsigned> fused = runFinder<ClipFinder>(getOperation(), device);
    if (failed(fused))
      return signalPassFailure();
    numFused += *fused;
  }
};
} // namespace
} // namespace gaudi
