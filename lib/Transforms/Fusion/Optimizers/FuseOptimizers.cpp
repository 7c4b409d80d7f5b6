// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds steps of optimizers and makes each one op: gaudi-fuse-optimizers.
//
// Candidates are results of an entry that depend on other results which
// accumulate: docs/fusion.md defines them. Each is matched by itself; those
// that one op can make are made together.
#include "ClipNorm.h"
#include "FlatParameters.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Transforms/Passes.h"
#include "Rewrite.h"
#include "RunFinder.h"
#include "Steps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

namespace gaudi {
#define GEN_PASS_DEF_FUSEOPTIMIZERS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
using namespace fusion;

constexpr StringLiteral fuseOptimizersCategory = "gaudi-fuse-optimizers";

StringRef kindName(OptimizerStep::Kind kind) {
  return kind == OptimizerStep::AdamW ? "adamw" : "sgd";
}
StringRef title(OptimizerStep::Kind kind) {
  return kind == OptimizerStep::AdamW ? "AdamW" : "SGD";
}

/// A step with the values of the graph that it replaces.
struct Member {
  OptimizerStep step;
  SmallVector<Value, 3> replaced; // parameter, then states
};

class StepFinder {
public:
  StepFinder(func::FuncOp function, const DeviceTime &time, bool adamw,
             bool sgd)
      : function(function), block(function.getBody().front()), time(time),
        algebra(elements), isEnabled{adamw, sgd} {}

  void run() {
    countNamed<FusedAdamWOp>(OptimizerStep::AdamW);
    countNamed<FusedSGDOp>(OptimizerStep::Sgd);
    gatherFlatParameters(block);
    findRoots();
    SmallVector<ElementId> others;
    for (ElementId root : roots)
      if (!considerStates(root))
        others.push_back(root);
    if (isEnabled[OptimizerStep::Sgd])
      for (ElementId root : others)
        considerPlain(root);
    for (auto &[key, members] : groups) {
      // One parameter without state: the kernel that computes the gradient may
      // as well subtract it.
      if (members.front().step.states.empty() && members.size() == 1)
        continue;
      commit(members);
    }
    scaleWhereRead(block);
    reportMisses();
  }

  SmallVector<FusionRecord> records;
  unsigned fused = 0;

private:
  /// Steps that the source names are ops already.
  template <typename Op> void countNamed(OptimizerStep::Kind kind) {
    for (auto named : block.getOps<Op>())
      records.push_back(
          {kindName(kind), named.getLoc(), true,
           unsigned(named.getParameters().size()), 0, 0,
           llvm::formatv("fused {0} step: the source names it", title(kind))});
  }

  //===-- candidates ------------------------------------------------------===//

  /// The nodes of results: floats that elementwise ops compute.
  void findRoots() {
    Operation *terminator = block.getTerminator();
    for (Value result : terminator->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type || !isa<FloatType>(type.getElementType()) ||
          type.getNumElements() == 0)
        continue;
      ElementId root = elements.beforeRounding(elements.of(result));
      // Slices of one tensor have it as their root.
      if (Value tensor = elements.at(root).range.tensor)
        root = elements.beforeRounding(elements.of(tensor));
      const Element &node = elements.at(root);
      if (!node.operands.empty() && node.kind != Element::SumAll &&
          node.range.tensor && node.range.isWhole())
        roots.insert(root);
    }
    // Those with roundings inside are candidates, too.
    llvm::SaveAndRestore ignores(algebra.ignoresRoundings, true);
    for (ElementId root : roots) {
      results.insert(elements.at(root).range.tensor);
      if (!accumulationsOf(algebra, root).empty())
        accumulated.push_back(root);
    }
  }

  /// Handles a result that depends on accumulated states; false if it does not.
  bool considerStates(ElementId root) {
    SmallVector<ElementId> states;
    bool readsResults = false;
    for (ElementId id : elements.cone(root, accumulated)) {
      const Element &node = elements.at(id);
      if (id == root || (node.size == 1) != (elements.at(root).size == 1))
        continue;
      readsResults |= node.range.tensor && results.contains(node.range.tensor);
      if (llvm::is_contained(accumulated, id) &&
          node.size == elements.at(root).size)
        states.push_back(id);
    }
    // Two accumulated states are moments, one is a momentum.
    if (states.size() >= 2)
      considerAdamW(root, states);
    else if (states.size() == 1)
      considerMomentum(root, states[0]);
    return readsResults;
  }

  void considerAdamW(ElementId root, ArrayRef<ElementId> states) {
    if (!isEnabled[OptimizerStep::AdamW])
      return;
    const bool hasSecond =
        !rootedMoments(elements, root, states).empty() ||
        llvm::any_of(states, [&](ElementId id) { return addsSquare(id); });
    if (!hasSecond)
      return;
    Mismatch mismatch;
    auto match = [&](Mismatch &reason) {
      return matchAdamW(algebra, root, states, reason);
    };
    if (auto step = match(mismatch))
      accept(*step);
    else if (!missRounding(OptimizerStep::AdamW, match))
      miss(OptimizerStep::AdamW, mismatch);
  }

  /// Says that it would be a step if a rounding inside were not there; false if
  /// it would not.
  bool
  missRounding(OptimizerStep::Kind kind,
               function_ref<std::optional<OptimizerStep>(Mismatch &)> match) {
    llvm::SaveAndRestore ignores(algebra.ignoresRoundings, true);
    Mismatch mismatch;
    algebra.ignored.reset();
    if (!match(mismatch) || !algebra.ignored)
      return false;
    miss(kind, {algebra.roundingText(), *algebra.ignored});
    return true;
  }

  bool addsSquare(ElementId id) {
    return llvm::any_of(
        accumulationsOf(algebra, id), [&](const Accumulation &state) {
          const Monomial *single = state.added.single();
          return single && llvm::all_of(algebra.factorsOf(*single).powers,
                                        [](const Power &power) {
                                          return power.halves % 4 == 0;
                                        });
        });
  }

  void considerMomentum(ElementId root, ElementId buffer) {
    if (!isEnabled[OptimizerStep::Sgd] ||
        !rootedMoments(elements, root, {buffer}).empty())
      return;
    Mismatch mismatch;
    bool isCandidate = false;
    if (auto step = matchMomentum(algebra, root, buffer, isCandidate, mismatch))
      accept(*step);
    else if (!missRounding(OptimizerStep::Sgd,
                           [&](Mismatch &reason) {
                             bool isNear = false;
                             return matchMomentum(algebra, root, buffer, isNear,
                                                  reason);
                           }) &&
             isCandidate)
      miss(OptimizerStep::Sgd, mismatch);
  }

  void considerPlain(ElementId root) {
    if (claimed.contains(root))
      return;
    auto step = matchPlainSgd(algebra, root);
    if (!step)
      return;
    // A step replaces an argument by a result of its type.
    Value parameter = elements.at(step->parameter).range.tensor;
    if (isa<BlockArgument>(parameter) &&
        llvm::is_contained(function.getResultTypes(), parameter.getType()))
      accept(*step);
  }

  void miss(OptimizerStep::Kind kind, const Mismatch &mismatch) {
    misses[{kind, mismatch.reason}].push_back(
        elements.locOf(mismatch.at, function.getLoc()));
  }

  //===-- legality --------------------------------------------------------===//

  /// What the op's result replaces: the value of the parameter's type, after
  /// roundings that only the result has.
  Value replacedBy(ElementId node, ElementId old) {
    Value value = elements.at(node).range.tensor;
    const Type type =
        getElementTypeOrSelf(elements.at(old).range.tensor.getType());
    if (getElementTypeOrSelf(value) == type)
      return value;
    for (Operation *user : value.getUsers())
      if (auto cast = dyn_cast<CastOp>(user))
        if (getElementTypeOrSelf(cast.getResult()) == type)
          return cast.getResult();
    return value;
  }

  void accept(const OptimizerStep &found) {
    Member member{found, {}};
    OptimizerStep &step = member.step;
    claimed.insert(step.newStates.begin(), step.newStates.end());
    claimed.insert(step.newParameter);
    member.replaced.push_back(replacedBy(step.newParameter, step.parameter));
    for (auto [node, old] : llvm::zip(step.newStates, step.states))
      member.replaced.push_back(replacedBy(node, old));
    takeClipScale(member);
    Mismatch mismatch;
    if (!isLegal(member, mismatch))
      return miss(step.kind, mismatch);
    made.insert(member.replaced.begin(), member.replaced.end());
    groups[step.groupKey(algebra)].push_back(std::move(member));
  }

  /// A clipped gradient that nothing else reads is the raw one times the scale.
  void takeClipScale(Member &member) {
    OptimizerStep &step = member.step;
    const ElementRange &range = elements.at(step.gradient).range;
    auto clip = range.tensor.getDefiningOp<FusedClipNormOp>();
    auto result = dyn_cast<OpResult>(range.tensor);
    if (!clip || !range.isWhole() ||
        result.getResultNumber() >= clip.getGradients().size())
      return;
    const DyingOps dying(member.replaced);
    if (dying.isReadAfterwards(range.tensor))
      return;
    const ElementId scale = elements.of(clip.getScale());
    step.gradScale = step.gradScale * Monomial{1, {{{false, scale}, 2}}};
    step.gradient = elements.of(clip.getGradients()[result.getResultNumber()]);
  }

  /// The values that the step reads; nothing if a scalar is in no tensor.
  std::optional<SmallVector<Value>> operandsOf(const OptimizerStep &step) {
    SmallVector<Value> values;
    for (ElementId id : step.states)
      values.push_back(elements.at(id).range.tensor);
    values.push_back(elements.at(step.parameter).range.tensor);
    values.push_back(elements.at(step.gradient).range.tensor);
    SmallVector<Expression> scalars(step.scalars.begin(), step.scalars.end());
    scalars.push_back(step.gradScale);
    if (step.epsGuard)
      scalars.push_back(*step.epsGuard);
    for (const Expression &scalar : scalars) {
      auto read = scalarsOf(algebra, scalar);
      if (!read)
        return std::nullopt;
      llvm::append_range(values, *read);
    }
    return values;
  }

  bool isLegal(const Member &member, Mismatch &mismatch) {
    const OptimizerStep &step = member.step;
    if (llvm::any_of(member.replaced,
                     [&](Value value) { return made.contains(value); })) {
      mismatch = {"another fused step computes one of its new states",
                  step.newParameter};
      return false;
    }
    // A result has the type of what it replaces in the next step. Where the
    // program keeps another one, the result would round it.
    SmallVector<ElementId> olds(1, step.parameter);
    llvm::append_range(olds, step.states);
    for (auto [value, old] : llvm::zip_equal(member.replaced, olds))
      if (getElementTypeOrSelf(value) !=
          getElementTypeOrSelf(elements.at(old).range.tensor.getType())) {
        mismatch = {"its new value has another element type than the old one",
                    old};
        return false;
      }
    if (step.kind == OptimizerStep::Sgd && step.momentum < 0) {
      mismatch = {"its momentum is negative", step.newParameter};
      return false;
    }
    auto operands = operandsOf(step);
    if (!operands) {
      mismatch = {"a scalar of the step is computed inside a kernel of others",
                  step.newParameter};
      return false;
    }
    const DyingOps dying(member.replaced, *operands);
    if (!placementOf(*operands, member.replaced, dying, block)) {
      mismatch = {"the step size depends on the new moments, as in LAMB; "
                  "gaudi.fused_lamb computes such steps",
                  step.newParameter};
      return false;
    }
    // What depends on states and stays would be computed twice.
    Formula formula(algebra, step.newStates);
    // Everything between the old and the new states.
    SmallVector<ElementId> nodes =
        elements.cone(step.newParameter, step.newStates);
    for (ElementId id : nodes) {
      const Element &node = elements.at(id);
      // Ops on gradients alone are not part of the step.
      if (!node.op || id == step.newParameter ||
          llvm::is_contained(step.newStates, id) || dying.contains(node.op) ||
          !formula.dependsOnKeys(id) || !node.range.tensor)
        continue;
      for (Operation *user : node.range.tensor.getUsers())
        if (!dying.contains(user)) {
          mismatch = {"'" + node.op->getName().getStringRef().str() +
                          "', a part of the step, is also read by '" +
                          user->getName().getStringRef().str() +
                          "'; compute it there from the new states",
                      id};
          return false;
        }
    }
    return true;
  }

  //===-- rewriting -------------------------------------------------------===//

  void commit(ArrayRef<Member> members) {
    SmallVector<Value> operands, replaced;
    for (const Member &member : members) {
      llvm::append_range(operands, *operandsOf(member.step));
      llvm::append_range(replaced, member.replaced);
    }
    const DyingOps dying(replaced, operands);
    auto placement = placementOf(operands, replaced, dying, block);
    if (!placement && members.size() == 1) {
      // Its scalars need a step of an op that was made for other steps, too,
      // one of which needs its new states.
      miss(members.front().step.kind,
           {"a fused step that it depends on reads its new states",
            members.front().step.newParameter});
      return;
    }
    if (!placement) {
      // A later gradient needs an earlier new parameter: steps in turn.
      const size_t half = members.size() / 2;
      commit(members.take_front(half));
      commit(members.drop_front(half));
      return;
    }
    OpBuilder builder = placement->builder(block);
    const Traffic before = trafficOf(dying.ops.getArrayRef(), time);
    Operation *op = build(members, builder);
    const Traffic after = trafficOf({op}, time);
    if (after.time > before.time) {
      op->erase();
      for (const Member &member : members)
        miss(member.step.kind,
             {"it would take " + time.change(before.time, after.time),
              member.step.newParameter});
      return;
    }
    replace(members, op, builder);
    placement->moveTo(builder);
    DyingOps(replaced).erase();
    ++fused;
    report(members, op, dying.ops.size(), before, after);
  }

  SmallVector<int64_t> shapeOf(ElementId node) {
    const ElementRange &range = elements.at(node).range;
    if (!range.isWhole())
      return {range.size};
    return llvm::to_vector(tensorType(range.tensor).getShape());
  }

  Operation *build(ArrayRef<Member> members, OpBuilder &builder) {
    // Members agree in their scalars: those of the first are of all.
    const OptimizerStep &first = members.front().step;
    const Location loc = elements.locOf(first.newParameter, function.getLoc());
    SmallVector<Value> gradients, parameters;
    SmallVector<SmallVector<Value>, 2> states(first.states.size());
    for (const Member &member : members) {
      const SmallVector<int64_t> shape = shapeOf(member.step.parameter);
      auto tensor = [&](ElementId id) {
        return elements.materialize(builder, loc, id, shape);
      };
      gradients.push_back(tensor(member.step.gradient));
      parameters.push_back(tensor(member.step.parameter));
      for (auto [list, id] : llvm::zip(states, member.step.states))
        list.push_back(tensor(id));
    }
    ScalarWriter writer(algebra, builder, loc);
    SmallVector<Value, 3> scalars;
    for (const Expression &scalar : first.scalars)
      scalars.push_back(writer.write(scalar));
    // AdamW's eps is its second scalar.
    if (first.epsGuard)
      scalars[1] = writer.zeroWhereZero(scalars[1], *first.epsGuard);
    Value gradScale;
    // A scale of 1 would be a multiplication per element.
    if (first.gradScale.constant() != 1.0)
      gradScale = writer.write(first.gradScale);
    SmallVector<Type> types(ValueRange(parameters).getTypes());
    for (const SmallVector<Value> &list : states)
      llvm::append_range(types, ValueRange(list).getTypes());
    if (first.kind == OptimizerStep::AdamW)
      return FusedAdamWOp::create(builder, loc, types, gradients, parameters,
                                  states[0], states[1], scalars[0], scalars[1],
                                  scalars[2], gradScale,
                                  builder.getF64FloatAttr(first.beta1),
                                  builder.getF64FloatAttr(first.beta2),
                                  builder.getF64FloatAttr(first.l2));
    return FusedSGDOp::create(
        builder, loc, types, gradients, parameters,
        states.empty() ? ValueRange() : ValueRange(states[0]), scalars[0],
        gradScale, Value(), builder.getF64FloatAttr(first.momentum),
        builder.getF64FloatAttr(first.dampening),
        builder.getF64FloatAttr(first.weightDecay),
        first.isNesterov ? builder.getUnitAttr() : UnitAttr());
  }

  /// Replaces what the members replace by the results, in their types.
  void replace(ArrayRef<Member> members, Operation *op, OpBuilder &builder) {
    builder.setInsertionPointAfter(op);
    const size_t count = members.size();
    DenseMap<Value, Value> results;
    for (auto [i, member] : llvm::enumerate(members))
      for (auto [list, value] : llvm::enumerate(member.replaced)) {
        const Value result = converted(builder, op->getResult(list * count + i),
                                       value.getType());
        Value(value).replaceAllUsesWith(result);
        results[value] = result;
      }
    // Steps of other ops may read them, as the learning rate, say.
    elements.replace(results);
  }

  //===-- reports ---------------------------------------------------------===//

  static std::string counted(size_t count, StringRef noun) {
    return llvm::formatv("{0} {1}{2}", count, noun, count == 1 ? "" : "s");
  }

  void report(ArrayRef<Member> members, Operation *op, size_t ops,
              const Traffic &before, const Traffic &after) {
    const OptimizerStep &step = members.front().step;
    int64_t count = 0;
    for (const Member &member : members)
      count += elements.at(member.step.parameter).size;
    const Picoseconds saved = before.time - after.time;
    const int64_t bytes = before.bytes - after.bytes;
    std::string text = llvm::formatv(
        "fused {0} of {1} with {2} into '{3}', {4} and {5} bytes of memory "
        "traffic against the {6} that it replaces",
        title(step.kind), counted(members.size(), "parameter"),
        counted(count, "element"), op->getName().getStringRef(),
        time.saving(saved), bytes, counted(ops, "op"));
    records.push_back({kindName(step.kind), op->getLoc(), true,
                       unsigned(members.size()), bytes, saved,
                       std::move(text)});
    explain(function, records.back(), "fuse", fuseOptimizersCategory);
  }

  void reportMisses() {
    for (auto &[key, places] : misses) {
      const auto kind = OptimizerStep::Kind(key.first);
      std::string text =
          llvm::formatv("not fused {0} of {1}: {2}", title(kind),
                        counted(places.size(), "parameter"), key.second);
      records.push_back({kindName(kind), places.front(), false,
                         unsigned(places.size()), 0, 0, std::move(text)});
      explain(function, records.back(), "keep", fuseOptimizersCategory);
    }
  }

  func::FuncOp function;
  Block &block;
  const DeviceTime &time;
  Elements elements;
  Algebra algebra;
  const bool isEnabled[2];
  llvm::SetVector<ElementId> roots;
  DenseSet<Value> results;            // of the roots
  SmallVector<ElementId> accumulated; // roots that add to an old value
  DenseSet<ElementId> claimed;        // results that a step makes
  DenseSet<Value> made;               // what steps to be fused replace
  llvm::MapVector<std::string, std::vector<Member>,
                  std::map<std::string, unsigned>>
      groups;
  llvm::MapVector<std::pair<unsigned, std::string>, std::vector<Location>,
                  std::map<std::pair<unsigned, std::string>, unsigned>>
      misses;
};

struct FuseOptimizers : impl::FuseOptimizersBase<FuseOptimizers> {
  using FuseOptimizersBase::FuseOptimizersBase;

  void runOnOperation() override {
    FailureOr<unsigned> fused =
        runFinder<StepFinder>(getOperation(), device, bool(adamw), bool(sgd));
    if (failed(fused))
      return signalPassFailure();
    numFused += *fused;
  }
};
} // namespace
} // namespace gaudi
