// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records which sides of piecewise ops are taken.
#include "Gaudi/Reference/Branches.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Indexing.h"
#include "KernelProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include <mutex>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

/// One outcome of a piecewise op.
struct Side {
  std::string text;
  bool wasTaken = false;
  double margin = -infinity; ///< largest since `start`; at most 0: not taken
};

/// What decides: the order of two operands, or a condition.
enum class Decision {
  Order,     ///< of two values: below, above
  Equality,  ///< of two values: equal, different
  Condition, ///< true, false
  Sign,      ///< of one value: negative, positive
  Bounds,    ///< of one value: below, above, between
};

struct Branch {
  Operation *op;
  Decision decision;
  double low = 0, high = 0; ///< of Bounds
  SmallVector<Side, 3> sides;

  void mark(unsigned side, double margin) {
    Side &seen = sides[side];
    seen.margin = std::max(seen.margin, margin);
    seen.wasTaken |= margin > 0;
  }
  void see(double a, double b) {
    switch (decision) {
    case Decision::Order:
      mark(0, b - a);
      mark(1, a - b);
      break;
    case Decision::Equality:
      // If it is never taken, the side keeps how near the numbers came.
      mark(0, a == b ? 1 : -std::fabs(a - b));
      mark(1, a != b);
      break;
    case Decision::Condition:
      mark(0, a != 0);
      mark(1, a == 0);
      break;
    case Decision::Sign:
      mark(0, -a);
      mark(1, a);
      break;
    case Decision::Bounds:
      mark(0, low - a);
      mark(1, a - high);
      mark(2, std::min(a - low, high - a));
      break;
    }
  }
};

std::optional<double> thresholdOf(Value value) {
  if (FloatAttr number; matchPattern(value, m_Constant(&number)))
    return number.getValueAsDouble();
  if (!isa<RankedTensorType>(value.getType()))
    return std::nullopt;
  // Broadcasts of constants, as front ends write them.
  while (Operation *op = value.getDefiningOp())
    if (isa<BroadcastOp, ReshapeOp>(op))
      value = op->getOperand(0);
    else
      break;
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || !isa<FloatType>(getElementTypeOrSelf(value)))
    return std::nullopt;
  auto values = ConstantValues::of(constant.getValue());
  if (!values || values->size() == 0 ||
      !(values->isSplat() || values->size() == 1))
    return std::nullopt;
  return values->number(0);
}

std::optional<Decision> decisionOf(Operation *op) {
  if (isa<MaxOp, MinOp, MaxNumOp, MinNumOp>(op))
    return Decision::Order;
  if (auto compare = dyn_cast<CompareOp>(op))
    return compare.getPredicate() == ComparePredicate::EQ ||
                   compare.getPredicate() == ComparePredicate::NE
               ? Decision::Equality
               : Decision::Order;
  if (isa<SelectOp, arith::SelectOp>(op))
    return Decision::Condition;
  if (isa<AbsOp, SignOp, math::AbsFOp, math::AbsIOp>(op))
    return Decision::Sign;
  if (isa<ClampOp>(op))
    return Decision::Bounds;
  // Kernels have the same decisions in ops of arith.
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getPredicate() == arith::CmpIPredicate::eq ||
                   compare.getPredicate() == arith::CmpIPredicate::ne
               ? Decision::Equality
               : Decision::Order;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    switch (compare.getPredicate()) {
    case arith::CmpFPredicate::OEQ:
    case arith::CmpFPredicate::UEQ:
    case arith::CmpFPredicate::ONE:
    case arith::CmpFPredicate::UNE:
    case arith::CmpFPredicate::ORD:
    case arith::CmpFPredicate::UNO:
      return Decision::Equality;
    default:
      return Decision::Order;
    }
  if (isPiecewise(op))
    return Decision::Order;
  return std::nullopt;
}

double numberOf(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  return double(cast<IntegerAttr>(attribute).getValue().getSExtValue());
}

Branch branchOf(Operation *op, Decision decision) {
  Branch branch{op, decision, 0, 0, {}};
  auto add = [&](const Twine &text) {
    branch.sides.push_back({text.str(), false, -infinity});
  };
  auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%g", value);
    return std::string(text);
  };
  switch (decision) {
  // A side is named by the constant that it is compared with, if there is one.
  case Decision::Order: {
    std::string other = "its second operand";
    bool swaps = false;
    if (auto constant = thresholdOf(op->getOperand(1)))
      other = number(*constant);
    else if (auto first = thresholdOf(op->getOperand(0)))
      other = number(*first), swaps = true;
    add((swaps ? "above " : "below ") + other);
    add((swaps ? "below " : "above ") + other);
    break;
  }
  case Decision::Equality:
    add("equal");
    add("different");
    break;
  case Decision::Condition:
    add("true");
    add("false");
    break;
  case Decision::Sign:
    add("negative");
    add("positive");
    break;
  case Decision::Bounds: {
    auto clamp = cast<ClampOp>(op);
    branch.low = numberOf(clamp.getMin());
    branch.high = numberOf(clamp.getMax());
    add("below " + number(branch.low));
    add("above " + number(branch.high));
    add("between " + number(branch.low) + " and " + number(branch.high));
    break;
  }
  }
  return branch;
}
} // namespace

struct BranchCoverage::State {
  func::FuncOp function;
  llvm::MapVector<Operation *, Branch> branches;
  DenseMap<Value, ReferenceTensor> values; // operands of what is observed
  DenseSet<Value> needed;
  DenseSet<Operation *> kernels; // that have branches
  std::mutex mutex;

  void add(Operation *op) {
    // Nothing is beyond infinity, as the start of a maximum.
    if (llvm::any_of(op->getOperands(), [](Value operand) {
          auto constant = thresholdOf(operand);
          return constant && std::isinf(*constant);
        }))
      return;
    if (auto decision = decisionOf(op))
      branches.insert({op, branchOf(op, *decision)});
  }

  /// The branches of a kernel that depend on inputs that do.
  void addKernel(KernelOp kernel, const DenseSet<Value> &dependent) {
    // In order, so that what varies is known before it is read.
    DenseSet<Value> varying;
    Block &body = kernel.getBody().front();
    for (auto [input, argument] :
         llvm::zip(kernel->getOperands(), body.getArguments()))
      if (dependent.contains(input))
        varying.insert(argument);
    const size_t before = branches.size();
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool varies = llvm::any_of(op->getOperands(), [&](Value operand) {
        return varying.contains(operand);
      });
      // What a loop carries may vary if anything in it does.
      if (auto loop = dyn_cast<KernelLoopOp>(op)) {
        loop.getBody().walk([&](KernelLoadOp load) {
          varies |= varying.contains(load.getInput());
        });
        if (varies)
          varying.insert_range(loop.getBody().front().getArguments());
      }
      if (!varies)
        return;
      varying.insert_range(op->getResults());
      if (isPiecewise(op))
        add(op);
    });
    if (branches.size() > before)
      kernels.insert(kernel);
  }
};

BranchCoverage::BranchCoverage(func::FuncOp function)
    : state(std::make_unique<State>()) {
  state->function = function;
  DenseSet<Value> dependent;
  Block &body = function.getBody().front();
  dependent.insert_range(body.getArguments());
  for (Operation &op : body) {
    if (llvm::none_of(op.getOperands(), [&](Value operand) {
          return dependent.contains(operand);
        }))
      continue;
    dependent.insert_range(op.getResults());
    if (auto kernel = dyn_cast<KernelOp>(op))
      state->addKernel(kernel, dependent);
    else
      state->add(&op);
    if (state->branches.contains(&op) || state->kernels.contains(&op))
      state->needed.insert_range(op.getOperands());
  }
}
BranchCoverage::~BranchCoverage() = default;
BranchCoverage::BranchCoverage(BranchCoverage &&) noexcept = default;

void BranchCoverage::start(ArrayRef<ReferenceTensor> arguments) {
  state->values.clear();
  for (auto [argument, tensor] :
       llvm::zip(state->function.getBody().front().getArguments(), arguments))
    if (state->needed.contains(argument) &&
        tensor.getType() == argument.getType())
      state->values[argument] = tensor;
  for (auto &[op, branch] : state->branches)
    for (Side &side : branch.sides)
      side.margin = -infinity;
}

void BranchCoverage::observe(Operation *op, ArrayRef<ReferenceTensor> results) {
  // Only values that a branch compares are kept.
  for (auto [value, tensor] : llvm::zip(op->getResults(), results))
    if (state->needed.contains(value))
      state->values[value] = tensor;
  const bool isKernel = state->kernels.contains(op);
  auto found = state->branches.find(op);
  if (!isKernel && found == state->branches.end())
    return;
  SmallVector<ReferenceTensor> operands;
  for (Value operand : op->getOperands()) {
    auto known = state->values.find(operand);
    if (known == state->values.end())
      return; // an argument that callers have in another order
    operands.push_back(known->second);
  }
  if (isKernel) {
    (void)observeKernel(cast<KernelOp>(op), operands,
                        [&](Operation *scalar, const double *lhs,
                            const double *rhs, int64_t count) {
                          auto branch = state->branches.find(scalar);
                          if (branch == state->branches.end())
                            return;
                          // Kernels run on several threads.
                          const std::lock_guard<std::mutex> lock(state->mutex);
                          for (int64_t i = 0; i < count; ++i)
                            branch->second.see(lhs[i], rhs ? rhs[i] : 0);
                        });
    return;
  }
  Branch &branch = found->second;
  if (branch.decision == Decision::Order ||
      branch.decision == Decision::Equality) {
    const ReferenceTensor &a = operands[0], &b = operands[1];
    walkStrided<2>(
        results[0].getShape(),
        {repeatingStrides(a.getShape()), repeatingStrides(b.getShape())},
        {0, 0}, [&](int64_t, const std::array<int64_t, 2> &at) {
          branch.see(a.at(at[0]), b.at(at[1]));
        });
    return;
  }
  // All other decisions look at one operand.
  for (int64_t i = 0; i < operands[0].getCount(); ++i)
    branch.see(operands[0].at(i), 0);
}

unsigned BranchCoverage::count() const {
  unsigned sum = 0;
  for (const auto &[op, branch] : state->branches)
    sum += branch.sides.size();
  return sum;
}

unsigned BranchCoverage::countMissed() const { return missed().size(); }

double BranchCoverage::distanceToMissed() const {
  for (const auto &[op, branch] : state->branches)
    for (const Side &side : branch.sides)
      if (!side.wasTaken)
        return side.margin;
  return infinity;
}

SmallVector<double> BranchCoverage::thresholds() const {
  SmallVector<double> found;
  for (const auto &[op, branch] : state->branches) {
    if (branch.decision == Decision::Bounds) {
      found.push_back(branch.low);
      found.push_back(branch.high);
    } else if (branch.decision != Decision::Condition) {
      for (Value operand : op->getOperands())
        if (auto constant = thresholdOf(operand))
          found.push_back(*constant);
    }
  }
  llvm::erase_if(found, [](double value) { return !std::isfinite(value); });
  llvm::sort(found, [](double a, double b) {
    return std::make_pair(std::fabs(a), a) > std::make_pair(std::fabs(b), b);
  });
  found.erase(llvm::unique(found), found.end());
  return found;
}

SmallVector<std::pair<Location, std::string>> BranchCoverage::missed() const {
  SmallVector<std::pair<Location, std::string>> lines;
  for (const auto &[op, branch] : state->branches)
    for (const Side &side : branch.sides)
      if (!side.wasTaken)
        lines.push_back({op->getLoc(), ("'" + op->getName().getStringRef() +
                                        "' was never " + side.text)
                                           .str()});
  return lines;
}
