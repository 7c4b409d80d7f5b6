// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the values that a pass has replaced and compares them.
#include "Gaudi/Transforms/VerifyFusion.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/Samples.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gaudi;

/// A few seconds of the evaluator.
static constexpr double maxVerifiedWork = double(1 << 29);
/// What all samples of one pair of graphs may take: small ones are compared in
/// every regime, the largest in the first.
static constexpr double maxSampledWork = 2 * maxVerifiedWork;
static constexpr uint32_t seed = 7;
static constexpr StringLiteral verifyFusionCategory = "verify-fusion";
/// Numbers the ops before the pass; those that it makes have none.
static constexpr StringLiteral idName = "verify_fusion_id";

namespace {
using Ops = llvm::SetVector<Operation *>;
using Values = llvm::SetVector<Value>;

/// A function before the pass, and how its values are found again after it.
struct Snapshot {
  OwningOpRef<func::FuncOp> before;
  std::vector<Operation *> ops; // of `before`, by number
};

/// What one group of new ops computes, and what was there.
struct Group {
  SmallVector<std::pair<Value, Value>> replaced; // before, after
  Ops created;
};

/// The function that computes `values` by `ops`, of `leaves`.
OwningOpRef<func::FuncOp> functionOf(ArrayRef<Value> values, Ops ops,
                                     ArrayRef<Value> leaves) {
  OpBuilder builder(values.front().getContext());
  Location loc = values.front().getLoc();
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      builder, loc, "side",
      builder.getFunctionType(TypeRange(ValueRange(leaves)),
                              TypeRange(ValueRange(values))));
  IRMapping mapping;
  builder.setInsertionPointToStart(function->addEntryBlock());
  for (auto [leaf, argument] : llvm::zip(leaves, function->getArguments()))
    mapping.map(leaf, argument);
  // In program order, operands are cloned before their users.
  SmallVector<Operation *> sorted = ops.takeVector();
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : sorted)
    builder.clone(*op, mapping)->removeDiscardableAttr(idName);
  SmallVector<Value> results;
  for (Value value : values)
    results.push_back(mapping.lookupOrDefault(value));
  func::ReturnOp::create(builder, loc, results);
  return function;
}

bool isEquivalent(func::FuncOp a, func::FuncOp b) {
  return OperationEquivalence::isEquivalentTo(
      a, b, OperationEquivalence::IgnoreLocations);
}

/// Compares one function after the pass with its snapshot.
class Verifier {
public:
  struct Pair {
    OwningOpRef<func::FuncOp> before, after;
  };

  Verifier(func::FuncOp function, Snapshot &snapshot, std::string pass,
           std::vector<Pair> &known)
      : function(function), snapshot(snapshot), pass(std::move(pass)),
        known(known) {}

  LogicalResult verify() {
    findCreated();
    findReplaced();
    bool failed = false;
    for (const Group &group : groups())
      failed |= mlir::failed(verify(group));
    return failure(failed);
  }

private:
  static std::optional<unsigned> idOf(Operation *op) {
    auto id = op->getAttrOfType<IntegerAttr>(idName);
    return id ? std::optional<unsigned>(id.getInt()) : std::nullopt;
  }

  /// Pairs the ops that stay with those of the snapshot. An op that was changed
  /// in place, or copied with its number, counts as new.
  void findCreated() {
    // A number that occurs twice is that of a copy: the first op has it.
    DenseSet<unsigned> seen;
    for (auto [was, is] :
         llvm::zip(snapshot.before->getArguments(), function.getArguments())) {
      nowOf[was] = is;
      wasOf[is] = was;
    }
    for (Operation &op : function.getBody().front()) {
      std::optional<unsigned> id = idOf(&op);
      if (!id || !seen.insert(*id).second)
        continue;
      Operation *was = snapshot.ops[*id];
      // Equal but for operands, which are compared as values.
      if (op.getName() != was->getName() ||
          op.getAttrDictionary() != was->getAttrDictionary() ||
          op.getNumOperands() != was->getNumOperands() ||
          op.getResultTypes() != was->getResultTypes() ||
          !llvm::all_of(llvm::zip(op.getRegions(), was->getRegions()),
                        [](auto regions) {
                          return OperationEquivalence::isRegionEquivalentTo(
                              &std::get<0>(regions), &std::get<1>(regions),
                              OperationEquivalence::IgnoreLocations);
                        }))
        continue;
      stays[&op] = was;
      for (auto [a, b] : llvm::zip(op.getResults(), was->getResults())) {
        wasOf[a] = b;
        nowOf[b] = a;
      }
    }
  }

  bool isCreated(Operation *op) const {
    return op && !stays.contains(op) && !isa<func::ReturnOp>(op);
  }

  /// Whatever an op that stays reads now and did not read before. (A return
  /// stays even if its types changed.)
  void findReplaced() {
    for (Operation &op : function.getBody().front()) {
      Operation *was = stays.lookup(&op);
      if (isa<func::ReturnOp>(op))
        was = snapshot.before->getBody().front().getTerminator();
      if (!was)
        continue;
      for (auto [now, before] : llvm::zip(op.getOperands(), was->getOperands()))
        if (nowOf.lookup(before) != now && now.getType() == before.getType())
          replaced.insert({before, now});
    }
  }

  /// The new ops that compute `value`, and constants that they read.
  Ops createdFor(Value value) const {
    Ops ops;
    SmallVector<Value> pending = {value};
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val().getDefiningOp();
      if (op && (isCreated(op) || isa<ConstantOp>(op)) && ops.insert(op))
        llvm::append_range(pending, op->getOperands());
    }
    return ops;
  }

  /// Values that share new ops are compared together.
  SmallVector<Group> groups() const {
    SmallVector<Group> found;
    llvm::EquivalenceClasses<unsigned> classes;
    DenseMap<Operation *, unsigned> first;
    SmallVector<Ops> ops;
    for (auto [number, pair] : llvm::enumerate(replaced)) {
      classes.insert(number);
      ops.push_back(createdFor(pair.second));
      // Constants are shared by everything, and join nothing.
      for (Operation *op : ops.back())
        if (!isa<ConstantOp>(op))
          classes.unionSets(first.try_emplace(op, number).first->second,
                            number);
    }
    llvm::MapVector<unsigned, Group> byLeader;
    for (auto [number, pair] : llvm::enumerate(replaced)) {
      Group &group = byLeader[classes.getLeaderValue(number)];
      group.replaced.push_back(pair);
      group.created.insert_range(ops[number]);
    }
    for (auto &[leader, group] : byLeader)
      found.push_back(std::move(group));
    return found;
  }

  /// Both sides as functions of the same values. `leaves`: of the function
  /// after the pass; arguments that only the old side reads are added.
  Pair pairOf(const Group &group, const Ops &created, Values leaves) const {
    Values old; // the leaves as the snapshot has them
    for (Value leaf : leaves)
      old.insert(wasOf.lookup(leaf));
    // All ops of the old function between the leaves and what was replaced.
    Ops upstream;
    SmallVector<Value> pending;
    for (auto [before, after] : group.replaced)
      pending.push_back(before);
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      if (old.contains(value))
        continue;
      Operation *op = value.getDefiningOp();
      // An argument that the new ops do not read: both sides get it.
      if (!op) {
        old.insert(value);
        leaves.insert(nowOf.lookup(value));
      } else if (upstream.insert(op)) {
        llvm::append_range(pending, op->getOperands());
      }
    }
    SmallVector<Value> before, after;
    for (auto [a, b] : group.replaced) {
      before.push_back(a);
      after.push_back(b);
    }
    return {functionOf(before, upstream, old.getArrayRef()),
            functionOf(after, created, leaves.getArrayRef())};
  }

  static Values leavesOf(const Group &group, const Ops &created) {
    Values leaves;
    auto add = [&](Value value) {
      if (!value.getDefiningOp() || !created.contains(value.getDefiningOp()))
        leaves.insert(value);
    };
    for (Operation *op : created)
      for (Value operand : op->getOperands())
        add(operand);
    for (auto [before, after] : group.replaced)
      add(after);
    return leaves;
  }

  /// The new ops, and all that compute what they read: its values then have the
  /// relations that the graph gives them.
  static Ops withUpstream(const Ops &created) {
    Ops ops = created;
    for (unsigned i = 0; i < ops.size(); ++i)
      for (Value operand : ops[i]->getOperands())
        if (Operation *op = operand.getDefiningOp())
          ops.insert(op);
    return ops;
  }

  /// Why a pair cannot be evaluated; empty: it can.
  static std::string obstacle(const Pair &pair) {
    for (func::FuncOp side : {*pair.before, *pair.after}) {
      if (Operation *op = findNotEvaluable(side))
        return "'" + op->getName().getStringRef().str() +
               "' has no reference model";
      if (workOf(side) > maxVerifiedWork)
        return "they take more than 2^29 multiplications";
    }
    return "";
  }

  LogicalResult verify(const Group &group) {
    // A value that did not exist before has no number to compare with.
    if (llvm::any_of(leavesOf(group, group.created),
                     [&](Value leaf) { return !wasOf.contains(leaf); })) {
      remarkNotVerified(group, "it reads what no op before it computes");
      return success();
    }
    Pair pair = pairOf(group, group.created, leavesOf(group, group.created));
    if (std::string why = obstacle(pair); !why.empty()) {
      remarkNotVerified(group, why);
      return success();
    }
    // Layers repeat: an equal pair is compared once.
    for (const Pair &other : known)
      if (isEquivalent(*pair.before, *other.before) &&
          isEquivalent(*pair.after, *other.after))
        return success();
    std::string difference = compare(pair, group, /*reports=*/true);
    if (difference.empty()) {
      known.push_back(std::move(pair));
      return success();
    }
    // What the new ops read may be related: a row's sum, and the row.
    const Ops all = withUpstream(group.created);
    const Pair related = pairOf(group, all, leavesOf(group, all));
    // The first comparison must have failed in a regime that the second one
    // drew, else nothing was learnt.
    const Regime regime = differingRegime;
    if (obstacle(related).empty() &&
        compare(related, group, /*reports=*/false).empty() &&
        llvm::is_contained(comparedRegimes, regime))
      return success();
    auto [before, after] = group.replaced[differing];
    InFlightDiagnostic error = emitError(before.getLoc())
                               << "verify-fusion: pass '" << pass
                               << "' put other numbers in place of "
                               << nameOf(before) << ": " << difference;
    error.attachNote(after.getLoc()) << "as " << nameOf(after);
    return error;
  }

  static std::string nameOf(Value value) {
    if (Operation *op = value.getDefiningOp())
      return "'" + op->getName().getStringRef().str() + "'";
    return "an argument";
  }

  /// The first difference, of the result `differing`; empty: none.
  std::string compare(const Pair &pair, const Group &group, bool reports) {
    std::string why;
    comparedRegimes.clear();
    // Inputs that cannot be drawn leave the fusion unverified, which is no
    // error.
    FailureOr<Samples> samples =
        drawSamples(*pair.before, seed, maxSampledWork, why);
    if (failed(samples)) {
      if (reports)
        remarkNotVerified(group, why);
      return "";
    }
    int64_t undefined = 0, compared = 0;
    SmallVector<StringRef> unverified;
    for (const Sample &sample : samples->samples) {
      auto actual = evaluateQuietly(*pair.after, sample.inputs, why);
      comparedRegimes.push_back(differingRegime = sample.regime);
      if (failed(actual)) {
        differing = 0;
        return "it cannot be evaluated, on inputs of regime '" +
               gaudi::nameOf(sample.regime).str() + "': " + why;
      }
      const SampleReport report =
          compareForms(sample, *pair.before, *pair.after, *actual,
                       NumericsScope::Model, /*allowsNan=*/true);
      if (!report.passed) {
        differing = report.result;
        return report.text;
      }
      compared += report.compared;
      undefined += report.undefined;
      if (!report.isVerified())
        unverified.push_back(gaudi::nameOf(sample.regime));
    }
    if (reports)
      remarkVerified(group, *samples, compared, undefined, unverified);
    return "";
  }

  Location locOf(const Group &group) const {
    return group.replaced.front().second.getLoc();
  }

  void remarkNotVerified(const Group &group, StringRef why) {
    if (explains(function))
      remark::missed(locOf(group), remark::RemarkOpts::name("not-verified")
                                       .category(verifyFusionCategory))
          << remark::reason(
                 "not verified {0} value(s) that '{1}' replaced: {2}",
                 group.replaced.size(), pass, why);
  }

  void remarkVerified(const Group &group, const Samples &samples,
                      int64_t compared, int64_t undefined,
                      ArrayRef<StringRef> unverified) {
    if (!explains(function))
      return;
    remark::passed(
        locOf(group),
        remark::RemarkOpts::name("verified").category(verifyFusionCategory))
        << remark::add(
               "verified {0} value(s) that '{1}' replaced on {2} samples: {3} "
               "elements agree, {4} are undefined",
               group.replaced.size(), pass, samples.samples.size(), compared,
               undefined);
    if (!unverified.empty())
      remark::missed(locOf(group), remark::RemarkOpts::name("not-verified")
                                       .category(verifyFusionCategory))
          << remark::reason("not verified in the regimes {0}: every element is "
                            "undefined there",
                            llvm::join(unverified, ", "));
    for (const auto &[loc, text] : samples.missed)
      remark::analysis(loc, remark::RemarkOpts::name("never-taken")
                                .category(verifyFusionCategory))
          << remark::add("{0}, on {1} samples", text, samples.samples.size());
  }

  func::FuncOp function;
  Snapshot &snapshot;
  std::string pass;
  std::vector<Pair> &known; // that agree
  DenseMap<Operation *, Operation *> stays;
  DenseMap<Value, Value> wasOf, nowOf;
  llvm::SetVector<std::pair<Value, Value>> replaced;
  unsigned differing = 0;                  // result of the last difference
  Regime differingRegime = Regime::Seeded; // its inputs
  SmallVector<Regime> comparedRegimes;     // of the last comparison
};

bool isVerifiable(func::FuncOp function) {
  return !function.isExternal() && function.getBody().hasOneBlock();
}
} // namespace

struct GraphSnapshot::Functions {
  ModuleOp module;
  llvm::MapVector<Operation *, Snapshot> snapshots;
};

GraphSnapshot::GraphSnapshot(ModuleOp module)
    : functions(std::make_unique<Functions>()) {
  functions->module = module;
  Builder builder(module.getContext());
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isVerifiable(function))
      continue;
    for (auto [number, op] : llvm::enumerate(function.getBody().front()))
      op.setDiscardableAttr(idName, builder.getI32IntegerAttr(number));
    Snapshot &snapshot = functions->snapshots[function];
    snapshot.before = function.clone();
    // The clone has no module, which names the device.
    if (Attribute device = module->getAttr(deviceAttrName))
      (*snapshot.before)->setAttr(deviceAttrName, device);
    for (Operation &op : snapshot.before->getBody().front())
      snapshot.ops.push_back(&op);
  }
}
GraphSnapshot::~GraphSnapshot() = default;

LogicalResult GraphSnapshot::verify(StringRef pass) {
  std::vector<Verifier::Pair> known;
  bool failed = false;
  for (auto function : functions->module.getOps<func::FuncOp>()) {
    auto snapshot = functions->snapshots.find(function);
    if (snapshot == functions->snapshots.end() || !isVerifiable(function))
      continue;
    failed |= mlir::failed(
        Verifier(function, snapshot->second, pass.str(), known).verify());
    for (Operation &op : function.getBody().front())
      op.removeDiscardableAttr(idName);
  }
  return failure(failed);
}

namespace {
/// Between the two passes around a verified one.
using Shared = std::shared_ptr<std::unique_ptr<GraphSnapshot>>;

struct SnapshotPass : PassWrapper<SnapshotPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SnapshotPass)
  explicit SnapshotPass(Shared shared) : shared(std::move(shared)) {}
  StringRef getArgument() const override { return "gaudi-snapshot-graph"; }
  StringRef getDescription() const override {
    return "remember the graph before a fusion";
  }
  void runOnOperation() override {
    *shared = std::make_unique<GraphSnapshot>(getOperation());
  }

private:
  Shared shared;
};

struct VerifyPass : PassWrapper<VerifyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyPass)
  VerifyPass(Shared shared, std::string pass)
      : shared(std::move(shared)), pass(std::move(pass)) {}
  StringRef getArgument() const override { return "gaudi-verify-fusion"; }
  StringRef getDescription() const override {
    return "compare the values that a fusion replaced";
  }
  void runOnOperation() override {
    if (failed((*shared)->verify(pass)))
      signalPassFailure();
    shared->reset();
  }

private:
  Shared shared;
  std::string pass;
};
} // namespace

void gaudi::addVerifiedPass(OpPassManager &manager,
                            std::unique_ptr<Pass> pass) {
  auto shared = std::make_shared<std::unique_ptr<GraphSnapshot>>();
  const std::string name = pass->getArgument().str();
  manager.addPass(std::make_unique<SnapshotPass>(shared));
  manager.addPass(std::move(pass));
  manager.addPass(std::make_unique<VerifyPass>(shared, name));
}
