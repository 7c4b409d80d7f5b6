// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuses attention into one op: gaudi-fuse-sdpa.
#include "../Merge/Profit.h"
#include "AttentionPlan.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/FusionRecord.h"
#include "Gaudi/Transforms/Passes.h"
#include "Gaudi/Transforms/VerifyFusion.h"
#include "MatchGradient.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace gaudi {
#define GEN_PASS_DEF_FUSESDPA
#include "Gaudi/Transforms/Passes.h.inc"

using namespace fusion;

namespace {
constexpr StringLiteral fuseSdpaCategory = "gaudi-fuse-sdpa";

class AttentionFuser {
public:
  AttentionFuser(Block &block, const device::DeviceSpec &spec)
      : block(block), time(spec) {}

  void run() {
    // Attention that the source names is an op already.
    for (auto named : block.getOps<SdpaOp>())
      records.push_back({"sdpa", named.getLoc(), true, 0, 0, 0,
                         "fused attention: the source names it"});
    for (auto named : block.getOps<SdpaGradOp>())
      records.push_back({"sdpa_grad", named.getLoc(), true, 0, 0, 0,
                         "fused attention gradient: the source names it"});
    SmallVector<AttentionCandidate> candidates = findCandidates(block);
    for (const AttentionCandidate &candidate : candidates)
      alive.insert(candidate.product);
    for (const AttentionCandidate &candidate : candidates)
      if (alive.contains(candidate.product))
        fuse(candidate);
    // The gradient of the values sums over queries; it is no attention.
    for (const auto &[product, refusal] : otherAxes)
      if (alive.contains(product) && !attended.contains(refusal.otherAxisOf))
        explainMiss(product, refusal);
    if (!records.empty())
      record(block.getParentOp()->getParentOfType<ModuleOp>(), records);
  }

  unsigned fused = 0;

private:
  void fuse(const AttentionCandidate &candidate) {
    Refusal refusal;
    bool isAttention = false;
    FailureOr<AttentionMatch> match =
        matchAttention(candidate, kernels, refusal, isAttention);
    if (mlir::failed(match)) {
      // A product that is no attention is no near miss either.
      if (isAttention)
        miss(candidate.product, refusal);
      else if (refusal.otherAxisOf)
        otherAxes.push_back({candidate.product, refusal});
      return;
    }
    attended.insert(match->scores);
    FailureOr<AttentionPlan> plan = planAttention(*match, refusal);
    if (mlir::failed(plan))
      return miss(candidate.product, refusal);
    findCone(*match);
    // The readers may be the gradient. Both become ops at once, as the kernels
    // of the gradient read what the fused op does not store.
    const bool hasReaders = readOutside(match->output.tensor.getDefiningOp());
    const bool done = (hasReaders && commitWithGradient(*match, *plan)) ||
                      (readersAllow(*match, *plan, refusal) &&
                       commit(*match, *plan, refusal));
    if (!done)
      return miss(candidate.product, refusal);
    ++fused;
  }

  //===--------------------------------------------------------------------===//
  // Legality
  //===--------------------------------------------------------------------===//

  /// The ops between the scores and the output, both included, in an order in
  /// which operands come first.
  void findCone(AttentionMatch &match) {
    cone.clear();
    DenseMap<Operation *, bool> reaches;
    Operation *first = match.scores;
    cone.insert(first);
    // Depth first over operands; ops before the first product do not reach it.
    auto visit = [&](auto &self, Operation *op) -> bool {
      if (op == first)
        return true;
      auto [it, isNew] = reaches.try_emplace(op, false);
      if (!isNew)
        return it->second;
      bool found = false;
      if (op->getBlock() == &block && first->isBeforeInBlock(op))
        for (Value operand : op->getOperands())
          if (Operation *before = operand.getDefiningOp())
            found |= self(self, before);
      if (found)
        cone.insert(op);
      return reaches[op] = found;
    };
    visit(visit, match.output.tensor.getDefiningOp());
  }

  /// The op outside the cone that reads a result of `op`, or null.
  Operation *readerOf(Operation *op) const {
    for (Operation *user : op->getUsers())
      if (!cone.contains(user))
        return user;
    return nullptr;
  }
  bool readOutside(Operation *output) const {
    return llvm::any_of(
        cone, [&](Operation *op) { return op != output && readerOf(op); });
  }

  /// True if nothing is read outside the cone but the output, and
  /// probabilities that the op can save.
  bool readersAllow(AttentionMatch &match, AttentionPlan &plan,
                    Refusal &refusal) {
    Operation *output = match.output.tensor.getDefiningOp();
    for (Operation *op : cone) {
      Operation *reader = op == output ? nullptr : readerOf(op);
      if (!reader)
        continue;
      if (std::optional<TensorPlacement> saved =
              placeSaved(match, plan, op->getResult(0))) {
        plan.saved.push_back(*saved);
        continue;
      }
      StringRef what = op == match.scores.getOperation()
                           ? "scores"
                           : "values between the matrix products";
      refusal = {reader, nullptr,
                 llvm::formatv("'{0}' also reads the {1}{2}",
                               reader->getName().getStringRef(), what,
                               noGradient)
                     .str()};
      return false;
    }
    return true;
  }

  /// A tensor of the probabilities as the op saves them: of the queries' type
  /// or narrower, and not changed after the softmax.
  std::optional<TensorPlacement>
  placeSaved(AttentionMatch &match, const AttentionPlan &plan, Value tensor) {
    if (match.candidate.division || match.dropout || match.factor != 1)
      return std::nullopt;
    Type type = getElementTypeOrSelf(tensor);
    Type saved = getElementTypeOrSelf(plan.query.tensor);
    if (type != saved &&
        type.getIntOrFloatBitWidth() >= saved.getIntOrFloatBitWidth())
      return std::nullopt;
    for (NodeId value : {match.probabilities, match.readValue})
      for (const TensorElement &element : match.graph->elementsOf(value))
        if (element.tensor == tensor)
          return placeOf(*match.graph, element, scoreGroups(match, plan));
    return std::nullopt;
  }

  //===--------------------------------------------------------------------===//
  // Cost
  //===--------------------------------------------------------------------===//

  /// Both products, one kernel for all that is between them, at best, and the
  /// transposes that layouts replace.
  Picoseconds timeUnfused(AttentionMatch &match, const AttentionPlan &plan) {
    KernelDag kernel = match.graph->dag;
    kernel.stores.push_back(
        {match.read.tensor, match.read.position, match.readValue});
    Picoseconds sum = time.of(match.scores) + time.of(match.candidate.product) +
                      time.of(workOf(kernel));
    const std::pair<ArrayRef<Link>, const TensorPlacement *> operands[] = {
        {match.query, &plan.query},
        {match.key, &plan.key},
        {match.value, &plan.value}};
    for (auto [chain, place] : operands)
      for (const Link &link : chain) {
        if (link.element.tensor == place->tensor)
          break;
        sum += timeOfTranspose(link.element.tensor.getDefiningOp());
      }
    for (Value tensor = match.output.tensor; tensor != plan.output.tensor;) {
      Operation *user = *tensor.getUsers().begin();
      sum += timeOfTranspose(user);
      tensor = user->getResult(0);
    }
    return sum;
  }

  /// Time of a transpose that nothing else reads, and that a product does not
  /// do itself by exchanging its last two dimensions.
  Picoseconds timeOfTranspose(Operation *op) {
    auto transpose = dyn_cast_or_null<TransposeOp>(op);
    if (!transpose || !transpose->hasOneUse())
      return 0;
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    for (auto [i, from] : llvm::enumerate(permutation.drop_back(2)))
      if (int64_t(i) != from)
        return time.of(op);
    return 0;
  }

  /// Time of what was created. Masks depend on no product: their kernels run
  /// beside the products that make the operands, once for all layers.
  Picoseconds timeFused(ArrayRef<Operation *> created) {
    Picoseconds sum = 0;
    for (Operation *made : created)
      if (!isa<KernelOp>(made))
        sum += time.of(made);
    return sum;
  }

  /// The op that computes the output, or what reads saved probabilities before
  /// it.
  Operation *insertionPoint(AttentionMatch &match, const AttentionPlan &plan) {
    Operation *first = match.output.tensor.getDefiningOp();
    for (const TensorPlacement &saved : plan.saved)
      for (Operation *user : saved.tensor.getUsers())
        if (!cone.contains(user) && user->isBeforeInBlock(first))
          first = user;
    return first;
  }

  bool commit(AttentionMatch &match, const AttentionPlan &plan,
              Refusal &refusal) {
    Operation *place = insertionPoint(match, plan);
    OpBuilder builder(place);
    SmallVector<Operation *> created;
    // Built first, then timed: a refusal takes all of it back.
    FailureOr<SdpaOp> op =
        emitAttention(match, plan, builder, masks, created, refusal);
    if (mlir::failed(op))
      return discard(created);
    Value result = emitResult(match, plan, *op, builder, created);
    SmallVector<Value> saved;
    for (const TensorPlacement &tensor : plan.saved)
      saved.push_back(emitSaved(tensor, *op, builder, created));
    // The op goes where the first reader needs it, so operands must be there.
    for (Operation *made : created)
      for (Value operand : made->getOperands())
        if (Operation *late = operand.getDefiningOp();
            late && place->isBeforeInBlock(late)) {
          refusal = {late, nullptr,
                     "the probabilities are read before all operands are "
                     "computed"};
          return discard(created);
        }
    explainMask(match);
    const Picoseconds before = timeUnfused(match, plan);
    const Picoseconds after = timeFused(created);
    if (after > before) {
      refusal = {match.candidate.product, nullptr,
                 "it would take " + time.change(before, after)};
      return discard(created);
    }
    pass(*op, bytesOf(match), before - after);
    Value replaced = plan.output.tensor;
    // Readers within the attention go with it; the others read what the op
    // saves.
    for (auto [tensor, value] : llvm::zip(plan.saved, saved))
      Value(tensor.tensor).replaceUsesWithIf(value, [&](OpOperand &use) {
        return !cone.contains(use.getOwner());
      });
    finish(replaced, result, created);
    return true;
  }

  /// Fuses the attention and its gradient, if that is what else reads the
  /// values between the products.
  bool commitWithGradient(AttentionMatch &match, const AttentionPlan &plan) {
    OpBuilder builder(match.output.tensor.getDefiningOp());
    SmallVector<Operation *> created;
    Refusal refusal;
    noGradient.clear();
    FailureOr<SdpaOp> op =
        emitAttention(match, plan, builder, masks, created, refusal);
    if (mlir::failed(op))
      return discard(created);
    std::string why;
    std::optional<Gradient> gradient =
        matchGradient(*op, match.scores, match.candidate.product, why);
    // What the gradient replaces must not be needed for its own operands.
    if (gradient && readsResults(*op, *gradient)) {
      why = "its operands depend on what the gradient would compute";
      gradient.reset();
    }
    const Picoseconds before = timeUnfused(match, plan);
    const Picoseconds after = timeFused(created);
    if (gradient && after > before)
      why = "the attention alone would take " + time.change(before, after);
    if (!gradient || after > before) {
      noGradient = ", which is not its gradient: " + why;
      if (explains(block.getParentOp()))
        remark::analysis(
            op->getLoc(),
            remark::RemarkOpts::name("no-gradient").category(fuseSdpaCategory))
            << remark::add("what else reads the values of this attention is no "
                           "gradient: {0}",
                           why);
      return discard(created);
    }
    explainMask(match);
    Value replaced = plan.output.tensor;
    created.pop_back(); // replaced by the op that saves statistics
    SdpaOp forward = emitGradient(*op, *gradient, &time);
    pass(forward, bytesOf(match), before - after);
    builder.setInsertionPointAfter(forward);
    Value result = emitResult(match, plan, forward, builder, created);
    SmallVector<Operation *> dead = gradient->replaced;
    finish(replaced, result, created);
    // Users come after what they use.
    for (Operation *last : llvm::reverse(dead))
      if (!erased.contains(last))
        erase(last);
    return true;
  }

  /// True if attention or gradient read what depends on the gradient's results:
  /// a softmax over queries is one over keys of the products that make dV.
  static bool readsResults(SdpaOp forward, const Gradient &gradient) {
    DenseSet<Value> dependent = {gradient.query.tensor, gradient.key.tensor,
                                 gradient.value.tensor};
    SmallVector<Value> pending(dependent.begin(), dependent.end());
    while (!pending.empty())
      for (Operation *user : pending.pop_back_val().getUsers())
        for (Value result : user->getResults())
          if (dependent.insert(result).second)
            pending.push_back(result);
    return dependent.contains(gradient.outputGrad) ||
           llvm::any_of(forward->getOperands(), [&](Value operand) {
             return dependent.contains(operand);
           });
  }

  bool discard(ArrayRef<Operation *> created) {
    for (Operation *made : llvm::reverse(created))
      made->erase();
    return false;
  }

  void finish(Value replaced, Value result, ArrayRef<Operation *> created) {
    for (Operation *made : created)
      if (isa<KernelOp>(made))
        masks.push_back(made);
    erased.clear();
    replaced.replaceAllUsesWith(result);
    erase(replaced.getDefiningOp());
  }

  /// The traffic of scores and probabilities, each written and read once.
  static int64_t bytesOf(AttentionMatch &match) {
    return 2 *
           (byteCount(match.scores.getResult()) + byteCount(match.read.tensor));
  }

  /// Erases ops that nothing reads any more, from `op` upwards.
  void erase(Operation *op) {
    SetVector<Operation *> pending;
    pending.insert(op);
    while (!pending.empty()) {
      Operation *next = pending.pop_back_val();
      if (next->getBlock() != &block || !isOpTriviallyDead(next))
        continue;
      for (Value operand : next->getOperands())
        if (Operation *before = operand.getDefiningOp())
          pending.insert(before);
      kernels.erase(next);
      alive.erase(next);
      erased.insert(next);
      next->erase();
    }
  }

  //===--------------------------------------------------------------------===//
  // Remarks
  //===--------------------------------------------------------------------===//

  void pass(SdpaOp op, int64_t bytes, Picoseconds saved) {
    AttentionSizes sizes = attentionSizes(op);
    std::string text =
        llvm::formatv("fused attention: {0} x {1} heads, {2} queries, {3} keys "
                      "of {4}{5}{6}{7}{8}{9}",
                      sizes.batch, sizes.heads, sizes.queries, sizes.keys,
                      sizes.depth, op.getCausal() ? ", causal" : "",
                      op.getWindow() ? ", windowed" : "",
                      op.getMask() ? ", masked" : "",
                      op.getDropoutMask() ? ", with dropout" : "",
                      op.getProbabilities() ? ", saves probabilities" : "")
            .str();
    text += "; " + time.saving(saved);
    if (explains(block.getParentOp()))
      remark::passed(op.getLoc(), remark::RemarkOpts::name("fuse").category(
                                      fuseSdpaCategory))
          << remark::add("{0}", text);
    records.push_back({"sdpa", op.getLoc(), true, 0, bytes, saved, text});
  }

  /// Why an attention that looks causal reads a mask instead.
  void explainMask(AttentionMatch &match) {
    if (match.tooHigh && explains(block.getParentOp()))
      remark::analysis(
          match.candidate.product.getLoc(),
          remark::RemarkOpts::name("mask-stays").category(fuseSdpaCategory))
          << remark::add("the mask is read although it is that of a causal "
                         "attention or a window: a hidden score of {0} may be "
                         "above a visible one; -infinity or the lowest number "
                         "of f32 is not",
                         llvm::formatv("{0:g}", *match.tooHigh).str());
  }

  void miss(GemmOp product, const Refusal &refusal) {
    explainMiss(product, refusal);
    records.push_back({"sdpa", product.getLoc(), false, 0, 0, 0,
                       "not fused attention: " + refusal.reason});
  }

  void explainMiss(GemmOp product, const Refusal &refusal) {
    std::string text = "not fused attention: " + refusal.reason;
    if (explains(block.getParentOp())) {
      remark::missed(
          product.getLoc(),
          remark::RemarkOpts::name("keep-apart").category(fuseSdpaCategory))
          << remark::reason("{0}", text);
      if (refusal.culprit != product.getOperation())
        remark::analysis(refusal.culprit->getLoc(),
                         remark::RemarkOpts::name("keeps-attention-apart")
                             .category(fuseSdpaCategory))
            << remark::add("this '{0}' keeps an attention from being fused",
                           refusal.culprit->getName().getStringRef());
    }
  }

  Block &block;
  DeviceTime time;
  KernelGraphs kernels;
  DenseSet<Operation *> alive;    // products of candidates
  DenseSet<Operation *> attended; // products of scores
  SmallVector<std::pair<GemmOp, Refusal>> otherAxes;
  DenseSet<Operation *> erased; // by the last fusion
  SetVector<Operation *> cone;
  SmallVector<Operation *> masks; // kernels that earlier fusions made
  std::string noGradient;         // why other readers are no gradient
  SmallVector<FusionRecord> records;
};

struct FuseSdpa : impl::FuseSdpaBase<FuseSdpa> {
  using FuseSdpaBase::FuseSdpaBase;

  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    std::optional<GraphSnapshot> snapshot;
    if (verify)
      snapshot.emplace(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && function.getBody().hasOneBlock()) {
        AttentionFuser fuser(function.getBody().front(), *spec);
        fuser.run();
        numFused += fuser.fused;
      }
    if (snapshot && failed(snapshot->verify(getArgument())))
      signalPassFailure();
  }
};
} // namespace
} // namespace gaudi
