// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of ops and transposes under given orders, and the ways to place an op:
// combinations of candidates that it has a form for.
#include "LayoutCosts.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "LaneOrders.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// A copy of an op in a block of its own. What it reads are arguments of that
/// block, but for splat constants, whose strides the time model looks at.
class LayoutCosts::Trial {
public:
  Trial(Block &block, Operation *op) : block(block), builder(op->getContext()) {
    builder.setInsertionPointToEnd(&block);
    this->op = builder.clone(*op);
    for (OpOperand &operand : this->op->getOpOperands())
      operand.set(standInFor(operand.get(), tensorType(operand.get())));
  }
  ~Trial() {
    op->erase();
    while (!block.empty())
      block.back().erase();
    block.eraseArguments(0, block.getNumArguments());
  }
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;

  /// Replaces the op by the kernel that it builds; false if that is not one
  /// kernel with the tensors of the op.
  bool becomeKernel() {
    builder.setInsertionPoint(op);
    const size_t ops = block.getOperations().size();
    FailureOr<Operation *> kernel =
        cast<KernelBodyOpInterface>(op).buildKernel(builder);
    if (failed(kernel) || !isa<KernelOp>(*kernel) ||
        block.getOperations().size() != ops + 1 ||
        !llvm::equal((*kernel)->getOperands(), op->getOperands()) ||
        !llvm::equal((*kernel)->getResultTypes(), op->getResultTypes()))
      return false;
    op->erase();
    op = *kernel;
    return true;
  }

  /// Makes the op one of tensors stored in `orders`; false if it has no such
  /// form.
  bool apply(const Orders &orders) {
    auto layouts = dyn_cast<LayoutOpInterface>(op);
    if (!layouts || !layouts.acceptsOrders(orders))
      return false;
    builder.setInsertionPoint(op);
    SmallVector<Type> results;
    for (auto [tensor, order] : llvm::enumerate(orders)) {
      RankedTensorType stored =
          storedType(tensorType(tensorOf(op, tensor)), order);
      if (tensor >= op->getNumOperands()) {
        results.push_back(stored);
        continue;
      }
      OpOperand &operand = op->getOpOperand(tensor);
      if (operand.get().getType() != stored || !isIdentityOrder(order))
        operand.set(standInFor(operand.get(), stored));
    }
    layouts.applyOrders(orders);
    return llvm::equal(op->getResultTypes(), results) && succeeded(verify(op));
  }

  Operation *op;

private:
  /// What stands for `value` in another type. Equal operands stay equal: the
  /// model may count them once.
  Value standInFor(Value value, RankedTensorType type) {
    Value &standIn = standIns[{value, type}];
    if (standIn)
      return standIn;
    // A splat that is transposed will be folded.
    auto constant = joinedFrom(value).getDefiningOp<ConstantOp>();
    if (constant && isa<SplatElementsAttr>(constant.getValue())) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&block);
      standIn = ConstantOp::create(
          builder, value.getLoc(),
          cast<SplatElementsAttr>(constant.getValue()).resizeSplat(type));
    } else {
      standIn = block.addArgument(type, value.getLoc());
    }
    return standIn;
  }

  Block &block;
  DenseMap<std::pair<Value, Type>, Value> standIns;
  OpBuilder builder;
};

Picoseconds LayoutCosts::ofOp(Operation *op) {
  Trial trial(scratch, op);
  return time.of(trial.op);
}

std::optional<Picoseconds>
LayoutCosts::ofOrders(Operation *op, const Orders &orders, bool asKernel) {
  // What a trial has against these orders is no error of the program.
  const QuietDiagnostics silent(op->getContext());
  Trial trial(scratch, op);
  if ((asKernel && !trial.becomeKernel()) || !trial.apply(orders))
    return std::nullopt;
  return time.of(trial.op);
}

Picoseconds LayoutCosts::ofTranspose(RankedTensorType type,
                                     ArrayRef<int64_t> order) {
  if (isFreeOrder(type.getShape(), order))
    return 0;
  const auto key = std::make_pair(
      Type(type), Attribute(DenseI64ArrayAttr::get(type.getContext(), order)));
  auto [slot, isNew] = transposes.try_emplace(key, 0);
  if (isNew) {
    OpBuilder builder(type.getContext());
    builder.setInsertionPointToEnd(&scratch);
    const Location loc = builder.getUnknownLoc();
    auto op = TransposeOp::create(builder, loc, storedType(type, order),
                                  scratch.addArgument(type, loc), order);
    slot->second = time.of(op);
    op->erase();
    scratch.eraseArguments(0, scratch.getNumArguments());
  }
  return slot->second;
}

Picoseconds LayoutCosts::ofCopy(RankedTensorType type,
                                std::optional<Picoseconds> constantTime,
                                ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  // The transpose is asked about in its normal form, so that orders that differ
  // in unit dimensions are one.
  const RankedTensorType source = storedType(type, from);
  const Order order = normalOrder(source.getShape(), orderBetween(from, to));
  if (isFreeOrder(source.getShape(), order))
    return 0;
  return constantTime ? *constantTime : ofTranspose(source, order);
}

void LayoutCosts::addLabel(Operation *op, ArrayRef<TensorOrders> tensors,
                           Orders orders, bool asKernel, LabelSet &set) {
  Label label;
  for (auto [tensor, order] : llvm::enumerate(orders)) {
    const SmallVector<Order, 2> &candidates = tensors[tensor].orders;
    const auto *found = llvm::find(
        candidates,
        normalOrder(tensorType(tensorOf(op, tensor)).getShape(), order));
    if (found == candidates.end()) {
      set.isComplete = false; // one of those that the cap left out
      return;
    }
    label.choices.push_back(uint8_t(found - candidates.begin()));
  }
  for (const Label &other : set.labels)
    if (other.choices == label.choices)
      return; // the op itself goes before its kernel
  const bool isWritten = !asKernel && llvm::all_of(orders, [](const Order &o) {
    return isIdentityOrder(o);
  });
  if (isWritten) {
    label.time = set.timeAsWritten;
    set.written = set.labels.size();
  } else {
    const std::optional<Picoseconds> known = ofOrders(op, orders, asKernel);
    if (!known)
      return;
    label.time = *known;
  }
  label.placement = {std::move(orders), asKernel};
  set.labels.push_back(std::move(label));
}

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

/// Combinations of candidates that are tried for one op: fewer if it has very
/// many tensors, so that time is linear in them.
static size_t maxLabels(size_t tensors) {
  return std::clamp<size_t>(4096 / std::max<size_t>(tensors, 1), 4, 256);
}

/// Candidate number `digit` of the tensor, counted from the one as written:
/// that is what stays where others are left out.
static const Order &candidateOf(const TensorOrders &tensor, size_t digit) {
  const size_t written =
      llvm::find_if(tensor.orders, isIdentityOrder) - tensor.orders.begin();
  if (written == tensor.orders.size() || digit > written)
    return tensor.orders[digit];
  return tensor.orders[digit == 0 ? written : digit - 1];
}

/// Calls `visit` with each combination of one candidate per tensor, those as
/// written first. If there are more than `maxLabels`, the last candidates of
/// the tensors that have the most are left out, and the result is false.
/// `tied` says which tensors must have what `tied[i]` has; these come later.
static bool forEachCombination(ArrayRef<TensorOrders> tensors,
                               ArrayRef<unsigned> tied,
                               llvm::function_ref<void(Orders)> visit) {
  SmallVector<size_t, 4> counts;
  // A tied tensor has no choice of its own.
  for (auto [i, tensor] : llvm::enumerate(tensors))
    counts.push_back(tied[i] == i ? tensor.orders.size() : 1);
  bool isComplete = true;
  const size_t most = maxLabels(tensors.size());
  auto product = [&] {
    // Saturated: the product of many candidates would overflow.
    size_t result = 1;
    for (size_t count : counts)
      result = std::min(result * count, most + 1);
    return result;
  };
  while (product() > most) {
    --*llvm::max_element(counts);
    isComplete = false;
  }
  SmallVector<size_t, 4> digits(counts.size(), 0);
  for (size_t i = 0, end = product(); i < end; ++i) {
    Orders orders;
    for (auto [t, leader] : llvm::enumerate(tied))
      orders.push_back(candidateOf(tensors[leader], digits[leader]));
    visit(std::move(orders));
    // Counts in mixed radix, with the first tensor fastest.
    for (size_t t = 0; t < digits.size() && ++digits[t] == counts[t]; ++t)
      digits[t] = 0;
  }
  return isComplete;
}

/// Which tensors of an op with independent orders still have one order, as a
/// tensor and its gradient: the first one of each such set, by tensor. What an
/// op without ties answers is a suggestion, as of kernels.
static SmallVector<unsigned> tiesOf(LayoutOpInterface op,
                                    ArrayRef<TensorOrders> tensors) {
  SmallVector<unsigned> tied =
      llvm::to_vector(llvm::seq<unsigned>(0, tensors.size()));
  for (unsigned t = 0; t < tensors.size(); ++t) {
    if (tied[t] != t)
      continue;
    for (const Order &order : tensors[t].orders) {
      if (isIdentityOrder(order))
        continue;
      std::optional<Orders> orders = op.getOrdersWith(t, order);
      if (!orders)
        continue;
      Orders alone = identityOrders(op);
      alone[t] = order;
      if (op.acceptsOrders(alone))
        continue;
      // What an op needs for itself is in the answer, too, but no tie.
      for (unsigned other = t + 1; other < tensors.size(); ++other)
        if ((*orders)[other] == order && op.getNativeOrder(other).empty())
          tied[other] = t;
    }
  }
  return tied;
}

/// The orders that follow from each candidate of each tensor.
void LayoutCosts::addFollowing(LayoutOpInterface op,
                               ArrayRef<TensorOrders> tensors, LabelSet &set) {
  for (auto [tensor, candidates] : llvm::enumerate(tensors))
    for (const Order &order : candidates.orders) {
      if (isIdentityOrder(order))
        continue;
      std::optional<Orders> orders = op.getOrdersWith(tensor, order);
      if (!orders)
        continue;
      if (set.labels.size() >= maxLabels(tensors.size())) {
        set.isComplete = false;
        return;
      }
      addLabel(op, tensors, std::move(*orders), false, set);
    }
}

void LayoutCosts::addIndependent(LayoutOpInterface op,
                                 ArrayRef<TensorOrders> tensors,
                                 LabelSet &set) {
  SmallVector<Orders, 0> combinations;
  const bool isComplete =
      forEachCombination(tensors, tiesOf(op, tensors), [&](Orders orders) {
        combinations.push_back(std::move(orders));
      });
  set.isComplete &= isComplete;
  // Where some are left out, those in which tensors follow each other are not.
  if (!isComplete)
    addFollowing(op, tensors, set);
  for (Orders &orders : combinations)
    if (op.acceptsOrders(orders))
      addLabel(op, tensors, std::move(orders), false, set);
}

void LayoutCosts::addKernels(Operation *op, ArrayRef<TensorOrders> tensors,
                             LabelSet &set) {
  const SmallVector<unsigned> untied =
      llvm::to_vector(llvm::seq<unsigned>(0, tensors.size()));
  set.isComplete &= forEachCombination(tensors, untied, [&](Orders orders) {
    addLabel(op, tensors, std::move(orders), true, set);
  });
}

void LayoutCosts::dropDominated(Operation *op, ArrayRef<TensorOrders> tensors,
                                LabelSet &set) {
  // Label b and transposes do what label a does: a's operands exist, and are
  // transposed to b's; b's results are transposed to a's.
  auto distance = [&](const Label &a, const Label &b) {
    Picoseconds sum = 0;
    for (unsigned tensor = 0; tensor < tensors.size(); ++tensor) {
      if (a.choices[tensor] == b.choices[tensor])
        continue;
      const TensorOrders &orders = tensors[tensor];
      const bool isResult = tensor >= op->getNumOperands();
      const Order &from = orders.orders[(isResult ? b : a).choices[tensor]];
      const Order &to = orders.orders[(isResult ? a : b).choices[tensor]];
      sum += ofCopy(tensorType(tensorOf(op, tensor)), orders.constantTime, from,
                    to);
    }
    return sum;
  };
  // One that is needed by one objective alone stays.
  constexpr Objective objectives[] = {Objective::Alone, Objective::Fused};
  // The op as written goes only if another way takes less. Kernels, which are
  // last, go first.
  SmallVector<bool> dropped(set.labels.size(), false);
  for (unsigned i = set.labels.size(); i-- > 0;)
    for (unsigned j = 0; j < set.labels.size() && !dropped[i]; ++j) {
      if (i == j || dropped[j])
        continue;
      const Label &a = set.labels[i], &b = set.labels[j];
      if (a.time < b.time)
        continue;
      const Picoseconds between = distance(a, b);
      dropped[i] = llvm::all_of(objectives, [&](Objective objective) {
        const Picoseconds through = set.counted(b, objective) + between;
        const Picoseconds direct = set.counted(a, objective);
        return set.written == i ? direct > through : direct >= through;
      });
    }
  SmallVector<Label, 1> kept;
  std::optional<unsigned> written;
  for (auto [i, label] : llvm::enumerate(set.labels)) {
    if (dropped[i])
      continue;
    if (set.written == i)
      written = kept.size();
    kept.push_back(std::move(label));
  }
  set.labels = std::move(kept);
  set.written = written;
}

void LayoutCosts::findLanes(KernelOp kernel, LabelSet &set) {
  const std::optional<Orders> &lanes = fasterLanes(kernel);
  if (!lanes)
    return;
  for (auto [i, label] : llvm::enumerate(set.labels)) {
    bool isSame = true;
    for (auto [tensor, order] : llvm::enumerate(label.placement.orders))
      isSame &= isFreeOrder(
          storedType(tensorType(tensorOf(kernel, tensor)), order).getShape(),
          orderBetween(order, (*lanes)[tensor]));
    if (isSame)
      set.alongWeights = unsigned(i);
  }
}

LabelSet LayoutCosts::makeLabels(Operation *op,
                                 ArrayRef<TensorOrders> tensors) {
  LabelSet set;
  Orders identity = identityOrders(op);
  auto layouts = dyn_cast<LayoutOpInterface>(op);
  const bool hasChoice = llvm::any_of(
      tensors, [](const TensorOrders &t) { return t.orders.size() > 1; });
  if (!hasChoice || !layouts) {
    // Its time is the same in each placement.
    Label label;
    label.placement.orders = std::move(identity);
    for (const TensorOrders &tensor : tensors) {
      const auto *own = llvm::find_if(tensor.orders, [](const Order &order) {
        return isIdentityOrder(order);
      });
      assert(own != tensor.orders.end() && "the program has this order");
      label.choices.push_back(uint8_t(own - tensor.orders.begin()));
    }
    set.labels.push_back(std::move(label));
    set.written = 0;
    return set;
  }
  set.timeAsWritten = ofOp(op);
  set.isKernel = isa<KernelBodyOpInterface, KernelOp>(op);
  // Each tensor has its order by itself; else orders of an op follow from one
  // of its tensors.
  if (layouts.hasIndependentOrders()) {
    addIndependent(layouts, tensors, set);
  } else {
    if (layouts.acceptsOrders(identity))
      addLabel(op, tensors, identity, false, set);
    addFollowing(layouts, tensors, set);
    // An op with a body may become a kernel, which reads any orders.
    if (isa<KernelBodyOpInterface>(op))
      addKernels(op, tensors, set);
  }
  // An op that needs an order which it cannot have stays as it is.
  if (set.labels.empty())
    addLabel(op, tensors, std::move(identity), false, set);
  dropDominated(op, tensors, set);
  if (auto kernel = dyn_cast<KernelOp>(op))
    findLanes(kernel, set);
  return set;
}

/// True if two ops and the candidates of their tensors have the same labels.
static bool isSameKind(Operation *a, Operation *b) {
  const auto flags = OperationEquivalence::IgnoreLocations |
                     OperationEquivalence::IgnoreDiscardableAttrs;
  // Which value an op in a region reads does count.
  return a->getOperandTypes() == b->getOperandTypes() &&
         OperationEquivalence::isEquivalentTo(
             a, b, OperationEquivalence::ignoreValueEquivalence,
             /*markEquivalent=*/nullptr, flags) &&
         llvm::all_of_zip(a->getRegions(), b->getRegions(),
                          [&](mlir::Region &x, mlir::Region &y) {
                            return OperationEquivalence::isRegionEquivalentTo(
                                &x, &y, flags);
                          }) &&
         llvm::all_of_zip(a->getOperands(), b->getOperands(),
                          [](Value x, Value y) {
                            // Only a splat has every order for nothing.
                            return (constantTimeOf(x) == Picoseconds(0)) ==
                                   (constantTimeOf(y) == Picoseconds(0));
                          });
}

/// Equal for ops of one kind.
static llvm::hash_code hashOf(Operation *op) {
  llvm::hash_code hash = OperationEquivalence::computeHash(
      op, OperationEquivalence::ignoreHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations |
          OperationEquivalence::IgnoreDiscardableAttrs);
  for (Type type : op->getOperandTypes())
    hash = llvm::hash_combine(hash, type);
  return hash;
}

const LabelSet &LayoutCosts::labelsOf(Operation *op,
                                      ArrayRef<TensorOrders> tensors) {
  llvm::hash_code hash = hashOf(op);
  for (const TensorOrders &tensor : tensors) {
    hash = llvm::hash_combine(hash, tensor.constantTime.value_or(-1));
    for (const Order &order : tensor.orders)
      hash = llvm::hash_combine(
          hash, llvm::hash_combine_range(order.begin(), order.end()));
  }
  SmallVector<Entry, 1> &bucket = entries[hash];
  for (const Entry &entry : bucket)
    if (ArrayRef(entry.tensors) == tensors && isSameKind(entry.op, op))
      return *entry.labels;
  bucket.push_back({op, SmallVector<TensorOrders, 4>(tensors),
                    std::make_unique<LabelSet>(makeLabels(op, tensors))});
  return *bucket.back().labels;
}

const std::optional<Orders> &LayoutCosts::fasterLanes(KernelOp kernel) {
  // Kernels of one kind differ in what is a constant.
  SmallVector<Orders, 2> offered = laneOrders(kernel);
  SmallVector<LaneEntry, 1> &bucket = lanes[hashOf(kernel)];
  for (const LaneEntry &entry : bucket)
    if (entry.offered == offered && isSameKind(entry.op, kernel))
      return *entry.fastest;
  auto fastest = std::make_unique<std::optional<Orders>>();
  if (!offered.empty()) {
    Picoseconds least = ofOp(kernel);
    for (const Orders &orders : offered)
      if (const auto taken = ofOrders(kernel, orders);
          taken && *taken < least) {
        least = *taken;
        *fastest = orders;
      }
  }
  bucket.push_back({kernel, std::move(offered), std::move(fastest)});
  return *bucket.back().fastest;
}
