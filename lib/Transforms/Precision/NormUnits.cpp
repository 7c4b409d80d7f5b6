// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds norms and softmax: a tensor meets a statistic of itself.
#include "NormUnits.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/SourceOp.h"
#include "NarrowValues.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// Ops that are followed from one reduction, each way.
constexpr size_t maxFollowed = 24;

using Ops = llvm::SmallSetVector<Operation *, 16>;

bool isReduction(Operation *op) {
  return isa<ReduceOp>(op) && !sourceOpOf(op) &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
}

bool isElementwise(Operation *op) {
  return isa<ElementwiseOpInterface>(op) && !sourceOpOf(op);
}

/// Elementwise, or of another shape alone.
bool isFollowed(Operation *op) {
  return isElementwise(op) ||
         (isa<BroadcastOp, ReshapeOp, TransposeOp>(op) && !sourceOpOf(op));
}

class Finder {
public:
  explicit Finder(Block &block) : block(block) {}

  std::vector<NormUnit> run() {
    for (Operation &op : block.without_terminator())
      if (isReduction(&op))
        follow(&op);
    absorb();
    return collect();
  }

private:
  /// The ops that compute a value elementwise from others, itself included.
  static Ops before(Value value) {
    Ops ops;
    auto add = [&](Value operand) {
      Operation *op = operand.getDefiningOp();
      if (op && isFollowed(op) && ops.size() < maxFollowed)
        ops.insert(op);
    };
    add(value);
    for (size_t i = 0; i < ops.size(); ++i) // it grows
      for (Value operand : ops[i]->getOperands())
        add(operand);
    return ops;
  }

  /// Values of full size from which `ops` compute, and all that they compute.
  static llvm::SmallDenseSet<Value> valuesOf(const Ops &ops, Value last) {
    llvm::SmallDenseSet<Value> values = {last};
    for (Operation *op : ops) {
      for (Value operand : op->getOperands())
        if (countOf(operand) == countOf(last))
          values.insert(operand);
      values.insert(op->result_begin(), op->result_end());
    }
    return values;
  }

  /// Follows a statistic to where it meets the tensor that it is of.
  void follow(Operation *reduction) {
    Value reduced = reduction->getOperand(0);
    const int64_t full = countOf(reduced);
    if (full == countOf(reduction->getResult(0)))
      return;
    const Ops inputs = before(reduced);
    const llvm::SmallDenseSet<Value> own = valuesOf(inputs, reduced);
    Ops statistics;
    statistics.insert(reduction);
    for (size_t i = 0; i < statistics.size(); ++i) // it grows
      for (Operation *user : statistics[i]->getUsers()) {
        if (!isFollowed(user) || statistics.contains(user))
          continue;
        Value other = tensorBeside(user, statistics, full);
        if (!other) {
          if (statistics.size() < maxFollowed)
            statistics.insert(user);
          continue;
        }
        const Ops others = before(other);
        if (!own.contains(other) &&
            llvm::none_of(valuesOf(others, other),
                          [&](Value value) { return own.contains(value); }))
          continue;
        meet(reduction, user, statistics, inputs, other);
      }
  }

  /// The operand of full size beside statistics; null: there is none.
  static Value tensorBeside(Operation *op, const Ops &statistics,
                            int64_t full) {
    if (!isElementwise(op) || countOf(op->getResult(0)) != full)
      return {};
    for (Value operand : op->getOperands())
      if (countOf(operand) == full &&
          !statistics.contains(operand.getDefiningOp()))
        return operand;
    return {};
  }

  /// Joins all between the tensor and where it meets its statistic.
  void meet(Operation *reduction, Operation *user, const Ops &statistics,
            const Ops &inputs, Value tensor) {
    auto join = [&](Operation *op) {
      classes.unionSets(reduction, op);
      members.insert(op);
    };
    members.insert(reduction);
    join(user);
    for (Operation *op : statistics)
      if (reaches(op, user, statistics))
        join(op);
    // A square is between; what computes the tensor is not.
    for (Operation *op : inputs)
      if (op->getResult(0) != tensor && reads(op, tensor))
        join(op);
  }

  static bool reads(Operation *op, Value tensor) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return operand == tensor || countOf(operand) == 1;
    });
  }

  /// Whether `op` is read by `last`, by way of statistics.
  static bool reaches(Operation *op, Operation *last, const Ops &statistics) {
    Ops ops;
    ops.insert(op);
    for (size_t i = 0; i < ops.size(); ++i)
      for (Operation *user : ops[i]->getUsers()) {
        if (user == last)
          return true;
        if (statistics.contains(user))
          ops.insert(user);
      }
    return false;
  }

  bool isMember(Operation *op) const { return members.contains(op); }

  /// Ops of one operand that only a unit reads become part of it, and units
  /// that only one other reads do: the exponential of a softmax, and the
  /// difference before that.
  void absorb() {
    for (Operation &op : llvm::reverse(block.without_terminator())) {
      if (op.use_empty() || op.getNumResults() != 1)
        continue;
      const bool isUnary = isElementwise(&op) && op.getNumOperands() == 1;
      if (!isUnary && !isMember(&op))
        continue;
      Operation *first = *op.user_begin();
      if (!llvm::all_of(op.getUsers(), [&](Operation *user) {
            return isMember(user) &&
                   (user == first || classes.isEquivalent(user, first));
          }))
        continue;
      if (op.getResult(0).getType() != first->getResult(0).getType() &&
          !isReduction(first))
        continue;
      classes.unionSets(first, &op);
      members.insert(&op);
    }
  }

  /// The ops from a log-softmax to a loss, a single number; empty: to none.
  Ops toLoss(ArrayRef<Operation *> unit) const {
    Ops path;
    llvm::SmallPtrSet<Operation *, 16> own(unit.begin(), unit.end());
    auto add = [&](Operation *op) {
      for (Operation *user : op->getUsers())
        if (!own.contains(user) && path.size() < maxFollowed &&
            (isFollowed(user) || isReduction(user) ||
             (isa<GatherOp, GatherElementsOp>(user) && !sourceOpOf(user))))
          path.insert(user);
    };
    bool isLoss = false;
    for (Operation *op : unit)
      add(op);
    for (size_t i = 0; i < path.size(); ++i) { // it grows
      isLoss |= isReduction(path[i]) && countOf(path[i]->getResult(0)) == 1;
      if (!isReduction(path[i]))
        add(path[i]);
    }
    if (!isLoss)
      path.clear();
    return path;
  }

  std::vector<NormUnit> collect() const {
    llvm::MapVector<Operation *, NormUnit> units;
    for (Operation &op : block.without_terminator())
      if (isMember(&op))
        units[classes.getLeaderValue(&op)].ops.push_back(&op);
    std::vector<NormUnit> result;
    for (auto &[leader, unit] : units) {
      auto has = [&, &ops = unit.ops](auto test) {
        return llvm::any_of(ops, test);
      };
      const bool exponential =
          has([](Operation *op) { return isa<ExpOp, Exp2Op>(op); });
      const bool logarithm =
          has([](Operation *op) { return isa<LogOp, Log2Op>(op); });
      unit.name = exponential && logarithm ? "log_softmax"
                  : exponential            ? "softmax"
                                           : "layer_norm";
      if (unit.name == "log_softmax") {
        const Ops path = toLoss(unit.ops);
        if (!path.empty())
          unit.name = "cross_entropy_loss";
        for (Operation *op : path)
          if (!isMember(op))
            unit.ops.push_back(op);
        llvm::sort(unit.ops, [](Operation *a, Operation *b) {
          return a->isBeforeInBlock(b);
        });
      }
      result.push_back(std::move(unit));
    }
    llvm::SmallPtrSet<Operation *, 16> known;
    for (const NormUnit &unit : result)
      known.insert(unit.ops.begin(), unit.ops.end());
    for (Operation &op : block.without_terminator())
      if (isReduction(&op) && countOf(op.getResult(0)) == 1 &&
          countOf(op.getOperand(0)) > 1 && !known.contains(&op))
        if (NormUnit loss = lossAt(&op); !loss.name.empty())
          result.push_back(std::move(loss));
    return result;
  }

  /// The mean or sum of squares or of magnitudes, with what only it reads; no
  /// name: of anything else.
  static NormUnit lossAt(Operation *reduction) {
    Ops ops;
    ops.insert(reduction);
    NormUnit unit;
    for (size_t i = 0; i < ops.size(); ++i) { // it grows
      Operation *op = ops[i];
      if (isa<MulOp>(op) && op->getOperand(0) == op->getOperand(1))
        unit.name = "mse_loss";
      else if (isa<AbsOp>(op) && unit.name.empty())
        unit.name = "l1_loss";
      for (Value operand : op->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && isElementwise(source) && ops.size() < maxFollowed &&
            llvm::all_of(source->getUsers(),
                         [&](Operation *user) { return ops.contains(user); }))
          ops.insert(source);
    }
    unit.ops.assign(ops.begin(), ops.end());
    return unit;
  }

  Block &block;
  llvm::EquivalenceClasses<Operation *> classes;
  llvm::DenseSet<Operation *> members;
};
} // namespace

std::vector<NormUnit> gaudi::findNormUnits(Block &block) {
  return Finder(block).run();
}
