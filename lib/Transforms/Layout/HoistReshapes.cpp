// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on parts of dimensions, where transposes move the parts.
#include "HoistReshapes.h"
#include "../Fusion/Merge/KernelReader.h"
#include "../Fusion/Merge/KernelWriter.h"
#include "../Fusion/Merge/Views.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Gaudi/Kernel/Limits.h"
#include "LayoutCosts.h"
#include "SplitGemm.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

/// Ops that one reshape passes. The nearest one can read or write the moved
/// parts; more only let an order live for longer.
constexpr unsigned maxDepth = 4;
/// Readers of a merged tensor that are looked at.
constexpr size_t maxReaders = 16;
/// Each round finds the orders that ops refined in the one before can have.
constexpr unsigned maxRounds = 3;

/// True if the reshape has no answer to an order of its operand (0) or its
/// result (1): the order moves parts of dimensions.
static bool separates(ReshapeOp reshape, unsigned tensor,
                      ArrayRef<int64_t> order) {
  auto model = dyn_cast<LayoutOpInterface>(reshape.getOperation());
  return model && !isIdentityOrder(order) &&
         !model.getOrdersWith(tensor, order);
}

HoistedReshapes::HoistedReshapes(func::FuncOp function, const DeviceTime &time)
    : function(function) {
  for (unsigned round = 0; round < maxRounds; ++round) {
    const bool isRefined = refineAroundReshapes(time);
    eraseUnused();
    if (!isRefined)
      return;
  }
}

HoistedReshapes::~HoistedReshapes() {
  for (const Refined &entry : refined)
    if (entry.before)
      entry.before->destroy();
}

/// Reshapes stop the candidates of one of their tensors: there the ops on the
/// other one are put on parts of dimensions. True if some were.
bool HoistedReshapes::refineAroundReshapes(const DeviceTime &time) {
  struct Stop {
    ReshapeOp reshape;
    unsigned tensor;
    Order order;
  };
  SmallVector<Stop> stops;
  // The graph must be gone before ops change: it points at their tensors.
  {
    LayoutCosts costs(time);
    const LayoutGraph graph(function, costs);
    // A reshape that is like a transpose has the candidates on both sides.
    for (auto reshape : function.front().getOps<ReshapeOp>())
      if (!joiningOrder(reshape))
        for (unsigned tensor : {0, 1})
          for (Order &order : graph.ordersOf(tensorOf(reshape, tensor)))
            if (separates(reshape, tensor, order))
              stops.push_back({reshape, tensor, std::move(order)});
  }
  const size_t before = refined.size();
  // Reshapes come, and those that nobody needs stay until eraseUnused().
  for (const Stop &stop : stops)
    if (stop.tensor == 0)
      sink(stop.reshape, stop.order, 0);
    else
      hoist(stop.reshape, stop.order, 0);
  return refined.size() != before;
}

/// `order` is what the reshape's result is wanted in.
void HoistedReshapes::hoist(ReshapeOp split, ArrayRef<int64_t> order,
                            unsigned depth) {
  Operation *producer = split.getOperand().getDefiningOp();
  if (!producer || depth == maxDepth || split->use_empty())
    return;
  if (auto kernel = dyn_cast<KernelOp>(producer)) {
    stripMine(kernel, split);
    return;
  }
  const auto parts = partsOf(tensorType(split.getOperand()).getShape(),
                             split.getType().getShape());
  const unsigned result = producer->getNumOperands();
  if (!parts || producer->getNumResults() != 1)
    return;
  if (Operation *op = refine(producer, result, *parts, order))
    follow(op, result, order, depth);
}

/// `order` is what the reshape's operand is wanted in.
void HoistedReshapes::sink(ReshapeOp merge, ArrayRef<int64_t> order,
                           unsigned depth) {
  const auto parts = partsOf(merge.getType().getShape(),
                             tensorType(merge.getOperand()).getShape());
  if (!parts || depth == maxDepth ||
      merge.getResult().hasNUsesOrMore(maxReaders + 1))
    return;
  SmallVector<std::pair<Operation *, unsigned>> uses;
  for (OpOperand &use : merge.getResult().getUses())
    uses.emplace_back(use.getOwner(), use.getOperandNumber());
  for (auto [user, tensor] : uses) {
    // A product that was refined in the meantime is another op.
    if (!user->getBlock() || user->getOperand(tensor) != merge.getResult())
      continue;
    if (Operation *op = refine(user, tensor, *parts, order))
      follow(op, tensor, order, depth);
  }
}

/// Goes on with the reshapes around a refined op that its orders reach.
void HoistedReshapes::follow(Operation *op, unsigned tensor,
                             ArrayRef<int64_t> order, unsigned depth) {
  const auto orders = cast<LayoutOpInterface>(op).getOrdersWith(tensor, order);
  if (!orders)
    return;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    if (auto next = op->getOperand(operand).getDefiningOp<ReshapeOp>())
      if (separates(next, 1, (*orders)[operand]))
        hoist(next, (*orders)[operand], depth + 1);
  for (Operation *user : SmallVector<Operation *>(op->getUsers()))
    if (auto next = dyn_cast<ReshapeOp>(user))
      if (separates(next, 0, orders->back()))
        sink(next, orders->back(), depth + 1);
}

/// A product takes several dimensions as its rows, columns or depth only if it
/// can have the order that is asked for: the parts stay together.
Operation *HoistedReshapes::refineGemm(GemmOp gemm, unsigned tensor,
                                       const Parts &parts,
                                       ArrayRef<int64_t> order) {
  const auto splits = splitsWith(gemm, tensor, parts);
  if (!splits || llvm::any_of(*splits, [](const Parts &own) {
        return shapeOf(own).size() > gaudi::kernel::maxRank;
      }))
    return nullptr;
  const ProductDims fine = ProductDims::of(gemm).split(*splits);
  if (!fine.stored(fine.ordersWith(tensor, order)).matrices())
    return nullptr;
  Refined before;
  before.result = gemm.getType();
  for (Value operand : gemm->getOperands())
    before.operands.push_back(tensorType(operand));
  before.before = gemm;
  before.op = makeSplitGemm(gemm);
  Operation *op = before.op;
  remember(std::move(before));
  return op;
}

/// Puts the op on tensors of which number `tensor` has these parts. The op that
/// is refined, or null if there is none.
Operation *HoistedReshapes::refine(Operation *op, unsigned tensor,
                                   const Parts &parts,
                                   ArrayRef<int64_t> order) {
  if (auto gemm = dyn_cast<GemmOp>(op)) {
    op = refineGemm(gemm, tensor, parts, order);
    if (!op)
      return nullptr;
  }
  const auto splits = splitsWith(op, tensor, parts);
  // Parts of several tensors may need more dimensions than a tensor can have.
  if (!splits || llvm::any_of(*splits, [](const Parts &own) {
        return shapeOf(own).size() > gaudi::kernel::maxRank;
      }))
    return nullptr;
  Refined before;
  before.op = op;
  before.result = tensorType(op->getResult(0));
  SmallVector<RankedTensorType, 3> operands;
  for (auto [operand, own] : llvm::zip(op->getOperands(), *splits)) {
    before.operands.push_back(tensorType(operand));
    operands.push_back(before.operands.back().clone(shapeOf(own)));
  }
  // What it was is kept, to undo a refinement that no placement uses.
  if (!ops.contains(op)) {
    before.before = op->clone();
    before.before->setOperands({});
    remember(std::move(before));
  }
  applySplits(op, *splits);
  setTypes(op, operands,
           tensorType(op->getResult(0)).clone(shapeOf(splits->back())));
  return op;
}

/// An op that is refined twice goes back to what it was at first.
void HoistedReshapes::remember(Refined before) {
  [[maybe_unused]] const bool isNew = ops.insert(before.op).second;
  assert(isNew && "remembered as it was at first");
  refined.push_back(std::move(before));
}

/// Makes the kernel write the split tensor; false if its loops cannot be
/// strip-mined so. Each attempt adds a dimension, so there are few.
bool HoistedReshapes::stripMine(KernelOp kernel, ReshapeOp split) {
  const RankedTensorType type = split.getType();
  if (kernel->getNumResults() != 1 ||
      type == tensorType(kernel->getResult(0)) ||
      type.getRank() > int64_t(gaudi::kernel::maxRank))
    return false;
  // Only the first form can be undone.
  if (ops.contains(kernel))
    return false;
  FailureOr<fusion::KernelDag> dag = fusion::readKernel(kernel);
  if (failed(dag) || dag->stores.size() != 1)
    return false;
  SmallVector<fusion::Affine, 4> position;
  while (true) {
    position.clear();
    const fusion::Reindexed moved = fusion::positionInResult(
        split, dag->stores.front().position, dag->extents, position);
    if (moved.ok)
      break;
    if (!moved.stripMine || dag->extents.size() >= gaudi::kernel::maxKernelDims)
      return false;
    dag = dag->stripMined(*moved.stripMine, kernel->getContext());
  }
  if (dag->countParallel() > gaudi::kernel::maxParallelDims)
    return false;
  // Canonicalization drops an operand that nothing reads.
  const SmallVector<Value> tensors = dag->tensors();
  if (!llvm::all_of(kernel->getOperands(), [&](Value operand) {
        return llvm::is_contained(tensors, operand);
      }))
    return false;
  Refined before;
  before.op = kernel;
  before.result = tensorType(kernel->getResult(0));
  // The copy reads nothing: what the kernel reads may be erased before undo().
  before.before = kernel->clone();
  before.before->setOperands({});
  for (Value operand : kernel->getOperands()) {
    before.operands.push_back(tensorType(operand));
    before.operandOf.push_back(llvm::find(tensors, operand) - tensors.begin());
  }
  setTypes(kernel, before.operands, type);
  dag->stores.front().position = position;
  dag->stores.front().result = kernel->getResult(0);
  kernel->setOperands(tensors);
  fusion::writeKernel(*dag, kernel);
  remember(std::move(before));
  return true;
}

/// The tensor with the same elements in another shape.
Value HoistedReshapes::reshaped(Value value, RankedTensorType type) {
  auto original = [&](Value made) {
    const Value found = originals.lookup(made);
    return found ? found : made;
  };
  value = original(value);
  while (value.getType() != type) {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    if (!reshape)
      break;
    value = original(reshape.getOperand());
  }
  if (value.getType() == type)
    return value;
  Value &view = views[{value, type}];
  if (!view)
    view = makeReshaped(value, type);
  return view;
}

/// Constants stay constants, and transposes of split dimensions transposes, so
/// that all orders of a tensor stay one group.
Value HoistedReshapes::makeReshaped(Value value, RankedTensorType type) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  const Location loc = value.getLoc();
  auto constant = value.getDefiningOp<ConstantOp>();
  auto data = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                       : DenseElementsAttr();
  if (data) {
    auto made = ConstantOp::create(builder, loc, type, data.reshape(type));
    originals[made] = value;
    return made;
  }
  auto transpose = value.getDefiningOp<TransposeOp>();
  const auto parts =
      transpose ? partsOf(transpose.getType().getShape(), type.getShape())
                : std::nullopt;
  if (!parts)
    return ReshapeOp::create(builder, loc, type, value);
  // A transpose of whole dimensions moves their parts together.
  Parts before(parts->size());
  for (auto [slot, dim] : llvm::enumerate(transpose.getPermutation()))
    before[dim] = (*parts)[slot];
  const SmallVector<int64_t> first = firstParts(before);
  Order permutation;
  for (int64_t dim : transpose.getPermutation())
    llvm::append_range(permutation, llvm::seq(first[dim], first[dim + 1]));
  // Through the cache of reshapes, so that the source is reshaped once.
  const Value source =
      reshaped(transpose.getOperand(), type.clone(shapeOf(before)));
  builder.setInsertionPoint(transpose);
  auto made = TransposeOp::create(builder, loc, type, source, permutation);
  originals[made] = value;
  return made;
}

/// Readers of the result get it back in its shape; reshapes among them read it
/// directly.
void HoistedReshapes::setTypes(Operation *op,
                               ArrayRef<RankedTensorType> operands,
                               RankedTensorType result) {
  assert(op->getNumResults() == 1 && operands.size() == op->getNumOperands() &&
         "one type per tensor");
  // Reshapes that were before or after the op cancel with the new ones.
  for (auto [i, type] : llvm::enumerate(operands)) {
    if (auto before = op->getOperand(i).getDefiningOp<ReshapeOp>())
      replaced.insert(before);
    op->setOperand(i, reshaped(op->getOperand(i), type));
  }
  Value value = op->getResult(0);
  const RankedTensorType before = tensorType(value);
  value.setType(result);
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto back = ReshapeOp::create(builder, op->getLoc(), before, value);
  replaced.insert(back);
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    auto reshape = dyn_cast<ReshapeOp>(use.getOwner());
    if (reshape == back)
      continue;
    if (!reshape) {
      use.set(back.getResult());
    } else if (reshape.getType() == result) {
      // This reader wanted the parts: it has the result itself.
      reshape.getResult().replaceAllUsesWith(value);
      replaced.insert(reshape);
    }
  }
}

/// An op is looked at again when one that reads it has gone: linear time.
void HoistedReshapes::eraseUnused() {
  for (auto [made, original] : originals)
    replaced.insert(made.getDefiningOp());
  while (!replaced.empty()) {
    Operation *op = replaced.pop_back_val();
    if (!op->use_empty())
      continue;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp();
          isa_and_nonnull<ReshapeOp>(source) || originals.contains(operand))
        replaced.insert(source);
    originals.erase(op->getResult(0));
    op->erase();
  }
  views.clear();
}

/// A tensor of the op before and now, whose parts of dimensions the placement
/// moves; nothing if it moves none.
auto HoistedReshapes::movedTensor(const Refined &entry,
                                  const Placement &placement) const
    -> std::optional<std::pair<RankedTensorType, RankedTensorType>> {
  const auto at = placement.ops.find(entry.op);
  if (at == placement.ops.end())
    return std::nullopt;
  // A kernel has the operands that it had, but for their sequence.
  const unsigned operands =
      isa<KernelOp>(entry.op) ? 0 : entry.op->getNumOperands();
  const unsigned result = entry.op->getNumOperands();
  for (unsigned tensor = 0; tensor <= result; ++tensor) {
    if (tensor >= operands && tensor != result)
      continue;
    const RankedTensorType before =
        tensor == result ? entry.result : entry.operands[tensor];
    const RankedTensorType now = tensorType(tensorOf(entry.op, tensor));
    const auto parts = partsOf(before.getShape(), now.getShape());
    if (parts && !keepsParts(*parts, at->second.orders[tensor]))
      return std::pair(before, now);
  }
  return std::nullopt;
}

remark::RemarkOpts HoistedReshapes::remarkOptions() {
  return remark::RemarkOpts::name("split-dimensions")
      .category("gaudi-place-permutations")
      .function(function.getName());
}

void HoistedReshapes::explainUndo(const Refined &entry) {
  // The first tensor that has parts; there is one.
  RankedTensorType before = entry.result,
                   now = tensorType(entry.op->getResult(0));
  for (auto [i, type] : llvm::enumerate(entry.operands))
    if (before == now && !isa<KernelOp>(entry.op))
      std::tie(before, now) =
          std::pair(type, tensorType(entry.op->getOperand(i)));
  remark::analysis(entry.op->getLoc(), remarkOptions())
      << remark::add("not split dimensions of {0}: no other order of {1} "
                     "takes less time",
                     before, now);
}

void HoistedReshapes::explain(const Placement &placement) {
  for (const Refined &entry : refined)
    if (auto moved = movedTensor(entry, placement))
      remark::passed(entry.op->getLoc(), remarkOptions()) << remark::add(
          "split dimensions of {0}: {1} has an order that moves parts of them",
          moved->first, moved->second);
}

void HoistedReshapes::undo(Refined &entry) {
  Operation *before = std::exchange(entry.before, nullptr);
  SmallVector<Value> operands;
  for (auto [i, type] : llvm::enumerate(entry.operands))
    operands.push_back(reshaped(
        entry.op->getOperand(entry.operandOf.empty() ? i : entry.operandOf[i]),
        type));
  // What only served the refined op is erased later, if nothing else reads it.
  for (Value operand : entry.op->getOperands())
    if (auto reshape = operand.getDefiningOp<ReshapeOp>())
      replaced.insert(reshape);
  before->setOperands(operands);
  OpBuilder(entry.op).insert(before);
  // Readers get the result in the shape that they read, one of the op directly.
  const Value result = before->getResult(0);
  OpBuilder builder(entry.op);
  auto fine = ReshapeOp::create(builder, before->getLoc(),
                                entry.op->getResult(0).getType(), result);
  // A copy of the users: replacing a reshape changes the list.
  for (Operation *user :
       SmallVector<Operation *>(entry.op->getResult(0).getUsers()))
    if (auto reshape = dyn_cast<ReshapeOp>(user))
      if (reshape.getType() == entry.result) {
        reshape.getResult().replaceAllUsesWith(result);
        replaced.insert(reshape);
      }
  entry.op->getResult(0).replaceAllUsesWith(fine.getResult());
  replaced.insert(fine);
  ops.erase(entry.op);
  entry.op->erase();
}

/// Per refined op.
SmallVector<bool> HoistedReshapes::findUsed(const Placement &placement) const {
  SmallVector<bool> used;
  for (const Refined &entry : refined)
    used.push_back(movedTensor(entry, placement).has_value());
  return used;
}

bool HoistedReshapes::undoesSame(const Placement &a, const Placement &b) const {
  const SmallVector<bool> used = findUsed(a);
  return llvm::is_contained(used, false) && used == findUsed(b);
}

bool HoistedReshapes::undoUnused(const Placement &placement) {
  const SmallVector<bool> used = findUsed(placement);
  if (!llvm::is_contained(used, false))
    return false;
  std::vector<Refined> kept;
  for (auto [entry, is] : llvm::zip_equal(refined, used)) {
    if (is) {
      kept.push_back(std::move(entry));
      continue;
    }
    explainUndo(entry);
    undo(entry);
  }
  refined = std::move(kept);
  eraseUnused();
  return true;
}

void HoistedReshapes::lower() { lowerSplitGemms(function.front()); }
