// Moves transposes behind the ops that commute with them.
#include "CanonicalForm.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::layout;

namespace {
bool areIdentities(const Orders &orders) {
  return llvm::all_of(
      orders, [](const Order &order) { return isIdentityOrder(order); });
}
} // namespace

/// One walk over the copy of a function. Each value that the function as
/// written has is a member of a canonical root: it is that root transposed.
class CanonicalForm::Maker {
public:
  Maker(CanonicalForm &form, func::FuncOp function)
      : form(form), function(function), builder(function.getContext()) {}

  bool run() {
    for (Operation &op : llvm::make_early_inc_range(function.front()))
      if (std::optional<Order> order = joiningOrder(&op)) {
        const Member from = memberOf(op.getOperand(0));
        members[op.getResult(0)] = {from.root,
                                    composeOrders(from.order, *order)};
        moved.push_back(&op);
      } else {
        make(&op);
      }
    for (Operation *op : llvm::reverse(moved))
      op->erase();
    SmallVector<LayoutOpInterface> free;
    for (Operation &op : function.front())
      if (isa<BroadcastOp, IotaOp, FillOp>(op))
        free.push_back(cast<LayoutOpInterface>(op));
    llvm::for_each(free, [&](LayoutOpInterface op) { turnToReader(op); });
    return isChanged;
  }

private:
  Member memberOf(Value value) const {
    auto it = members.find(value);
    return it != members.end()
               ? it->second
               : Member{value, identityOrder(tensorType(value).getRank())};
  }

  /// The order, relative to the operand as written, in which it is its root.
  Order rootOrder(Value operand) const {
    return inverseOrder(memberOf(operand).order);
  }

  void make(Operation *op) {
    if (!llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
        !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      return makeAsWritten(op);
    Orders orders = identityOrders(op);
    if (auto layouts = dyn_cast<LayoutOpInterface>(op);
        layouts && entryCount(op) == 0) {
      if (auto gemm = dyn_cast<GemmOp>(op))
        chooseProduct(gemm, orders);
      else if (!layouts.hasIndependentOrders())
        chooseFollowing(layouts, orders);
    }
    // Operands are read where they are canonical, or transposed.
    SmallVector<Value> operands;
    for (auto [operand, order] : llvm::zip(op->getOperands(), orders)) {
      const Member from = memberOf(operand);
      operands.push_back(
          transposed(from.root, composeOrders(from.order, order), op));
    }
    op->setOperands(operands);
    if (areIdentities(orders))
      return;
    isChanged = true;
    cast<LayoutOpInterface>(op).applyOrders(orders);
    for (OpResult result : op->getResults()) {
      const Order &order =
          orders[op->getNumOperands() + result.getResultNumber()];
      if (!isIdentityOrder(order))
        members[result] = {result, inverseOrder(order)};
    }
    form.shifts[form.writtenOps.lookup(op)] = std::move(orders);
  }

  void makeAsWritten(Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (auto it = members.find(operand.get()); it != members.end())
        operand.set(transposed(it->second.root, it->second.order, op));
  }

  /// A product has its batch in the sequence in which the root of the left
  /// operand has it, and reads rows or columns first as the roots have them.
  /// Where these have other orders, transposes remain: the engine walks
  /// matrices that stay together faster.
  void chooseProduct(GemmOp gemm, Orders &orders) {
    SmallVector<Order, 2> roots; // dimensions of the product
    for (unsigned operand : {0, 1})
      roots.push_back(composeOrders(storageOf(gemm, operand),
                                    rootOrder(gemm->getOperand(operand))));
    const int64_t batch = gemm.getType().getRank() - 2;
    Order sequence;
    llvm::copy_if(roots[0], std::back_inserter(sequence),
                  [&](int64_t dim) { return dim < batch; });
    Orders wanted;
    for (unsigned tensor : {0, 1, 2}) {
      Order order = sequence;
      if (tensor < 2)
        llvm::copy_if(roots[tensor], std::back_inserter(order),
                      [&](int64_t dim) { return dim >= batch; });
      else
        order.append({batch, batch + 1});
      wanted.push_back(orderBetween(storageOf(gemm, tensor), order));
    }
    if (cast<LayoutOpInterface>(gemm.getOperation()).acceptsOrders(wanted))
      orders = std::move(wanted);
  }

  /// The operand of most elements is read as its root, the first of equal ones;
  /// constants and what is broadcast only if there is no other.
  void chooseFollowing(LayoutOpInterface op, Orders &orders) {
    if (auto broadcast = dyn_cast<BroadcastOp>(op.getOperation()))
      return chooseBroadcast(broadcast, orders);
    SmallVector<std::pair<std::pair<bool, int64_t>, unsigned>> anchors;
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *maker = memberOf(operand.get()).root.getDefiningOp();
      anchors.push_back(
          {{isa_and_nonnull<ConstantOp, BroadcastOp, FillOp, IotaOp>(maker),
            -elementCount(operand.get())},
           operand.getOperandNumber()});
    }
    llvm::sort(anchors);
    for (const auto &[key, number] : anchors) {
      const Order order = rootOrder(op->getOperand(number));
      if (isIdentityOrder(order))
        return;
      std::optional<Orders> all = op.getOrdersWith(number, order);
      if (!all || !op.acceptsOrders(*all))
        continue;
      orders = std::move(*all);
      return;
    }
  }

  /// What is new comes first, then the operand as its root is.
  void chooseBroadcast(BroadcastOp op, Orders &orders) {
    Order result;
    for (int64_t dim = 0; dim < op.getType().getRank(); ++dim)
      if (!llvm::is_contained(op.getDims(), dim))
        result.push_back(dim);
    for (int64_t dim : rootOrder(op.getOperand()))
      result.push_back(op.getDims()[dim]);
    auto layouts = cast<LayoutOpInterface>(op.getOperation());
    if (auto all = layouts.getOrdersWith(1, result))
      orders = std::move(*all);
  }

  /// What an op makes of few elements or none is written in the order of its
  /// first reader, as it has none of its own.
  void turnToReader(LayoutOpInterface op) {
    const Value result = op->getResult(0);
    Operation *first = nullptr;
    for (Operation *user : result.getUsers())
      if (!first || user->isBeforeInBlock(first))
        first = user;
    auto wanted = dyn_cast_or_null<TransposeOp>(first);
    if (!wanted)
      return;
    const Order order(wanted.getPermutation());
    const unsigned number = op->getNumOperands();
    const std::optional<Orders> orders = op.getOrdersWith(number, order);
    if (!orders)
      return;
    isChanged = true;
    builder.setInsertionPoint(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Order own = (*orders)[operand.getOperandNumber()];
      Value root = operand.get();
      auto before = root.getDefiningOp<TransposeOp>();
      if (before) {
        root = before.getOperand();
        own = composeOrders(before.getPermutation(), own);
      }
      operand.set(isIdentityOrder(own)
                      ? root
                      : TransposeOp::create(builder, op->getLoc(),
                                            storedType(tensorType(root), own),
                                            root, own)
                            .getResult());
      if (before && before->use_empty())
        before->erase();
    }
    const SmallVector<Operation *> users(result.getUsers());
    const RankedTensorType before = tensorType(result);
    op.applyOrders(*orders);
    TransposeOp back; // for those that read it as it was
    for (Operation *user : users) {
      auto transpose = dyn_cast<TransposeOp>(user);
      if (!transpose) {
        if (!back) {
          builder.setInsertionPointAfter(op);
          back = TransposeOp::create(builder, op->getLoc(), before, result,
                                     inverseOrder(order));
        }
        user->replaceUsesOfWith(result, back);
        continue;
      }
      const Order left = orderBetween(order, transpose.getPermutation());
      if (isIdentityOrder(left)) {
        transpose.getResult().replaceAllUsesWith(result);
        transpose.erase();
      } else {
        transpose.setPermutation(left);
      }
    }
    Operation *own = form.writtenOps.lookup(op);
    Orders &shift =
        form.shifts.try_emplace(own, identityOrders(own)).first->second;
    for (auto [sofar, more] : llvm::zip_equal(shift, *orders))
      sofar = composeOrders(sofar, more);
  }

  /// Made where it is first read.
  Value transposed(Value root, const Order &order, Operation *reader) {
    if (isIdentityOrder(order))
      return root;
    for (const auto &[known, value] : copies[root])
      if (known == order)
        return value;
    builder.setInsertionPoint(reader);
    Value copy =
        TransposeOp::create(builder, reader->getLoc(),
                            storedType(tensorType(root), order), root, order);
    copies[root].emplace_back(order, copy);
    return copy;
  }

  CanonicalForm &form;
  func::FuncOp function;
  OpBuilder builder;
  DenseMap<Value, Member> members;
  DenseMap<Value, SmallVector<std::pair<Order, Value>, 1>> copies; // by root
  SmallVector<Operation *> moved;
  bool isChanged = false;
};

CanonicalForm::CanonicalForm(func::FuncOp written) : written(written) {
  bool hasMoves = false;
  const DenseMap<Value, Member> members = findGroups(written);
  for (Operation &op : written.front())
    if (joiningOrder(&op)) {
      hasMoves = true;
      if (auto transpose = dyn_cast<TransposeOp>(op))
        moves[members.find(transpose.getResult())->second.root].push_back(
            transpose);
    }
  // What is broadcast has no order of its own.
  if (!hasMoves && written.front().getOps<BroadcastOp>().empty())
    return;
  IRMapping mapping;
  canonical = cast<func::FuncOp>(written->clone(mapping));
  for (Operation &op : written.front()) {
    Operation *copy = mapping.lookup(&op);
    writtenOps[copy] = &op;
    canonicalOps[&op] = copy;
  }
  if (Maker(*this, *canonical).run())
    return;
  canonical = nullptr;
  writtenOps.clear();
  canonicalOps.clear();
}

Order CanonicalForm::shiftOf(Operation *op, unsigned tensor) const {
  const auto it = shifts.find(op);
  return it == shifts.end()
             ? identityOrder(tensorType(tensorOf(op, tensor)).getRank())
             : it->second[tensor];
}

Order CanonicalForm::shiftOf(Value root) const {
  auto result = dyn_cast<OpResult>(root);
  if (!result)
    return identityOrder(tensorType(root).getRank());
  Operation *op = result.getOwner();
  return shiftOf(op, op->getNumOperands() + result.getResultNumber());
}

Value CanonicalForm::writtenRootOf(Value value) const {
  value = joinedFrom(value);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return func::FuncOp(written).getArgument(argument.getArgNumber());
  auto result = cast<OpResult>(value);
  return writtenOps.lookup(result.getOwner())
      ->getResult(result.getResultNumber());
}

bool CanonicalForm::hasWrittenMoves(Value root) const {
  const auto *known = moves.find(root);
  return known != moves.end() &&
         llvm::any_of(known->second, [](TransposeOp transpose) {
           return !isFreeOrder(tensorType(transpose.getOperand()).getShape(),
                               transpose.getPermutation());
         });
}

void CanonicalForm::addWrittenMoves(Value root, Region &region,
                                    LayoutCosts &costs) const {
  const auto *known = moves.find(root);
  // No launch rearranges a constant, in no placement.
  if (known == moves.end() || constantTimeOf(root))
    return;
  for (TransposeOp transpose : known->second) {
    const RankedTensorType type = tensorType(transpose.getOperand());
    if (isFreeOrder(type.getShape(), transpose.getPermutation()))
      continue;
    ++region.transposesBefore;
    region.bytesBefore += 2 * byteCount(transpose.getOperand());
    region.before += costs.ofTranspose(type, transpose.getPermutation());
  }
}

void CanonicalForm::translate(Region &region, LayoutCosts &costs) const {
  region.before -= region.timeOfTransposesBefore;
  region.transposesBefore = 0;
  region.bytesBefore = 0;
  for (Operation *&op : region.ops) {
    Operation *own = writtenOps.lookup(op);
    if (shifts.contains(own))
      region.before += costs.ofOp(own) - costs.ofOp(op);
    op = own;
  }
  llvm::SmallSetVector<Value, 8> roots;
  for (Value root : region.roots)
    roots.insert(writtenRootOf(root));
  region.roots.assign(roots.begin(), roots.end());
  for (Value root : region.roots)
    addWrittenMoves(root, region, costs);
  for (Transposition &transpose : region.transposes) {
    transpose.root = writtenRootOf(transpose.root);
    const Order shift = shiftOf(transpose.root);
    transpose.from = composeOrders(shift, transpose.from);
    transpose.to = composeOrders(shift, transpose.to);
  }
}

/// Ops that the canonical form has in another order, and transposes that it
/// does not have, in none of the regions: there was nothing to choose.
std::optional<layout::Region>
CanonicalForm::withoutChoice(ArrayRef<Region> regions,
                             LayoutCosts &costs) const {
  DenseSet<Operation *> ops;
  DenseSet<Value> roots;
  for (const Region &region : regions) {
    ops.insert(region.ops.begin(), region.ops.end());
    roots.insert(region.roots.begin(), region.roots.end());
  }
  Region rest;
  for (const auto &[root, transposes] : moves)
    if (!roots.contains(root) && hasWrittenMoves(root)) {
      rest.roots.push_back(root);
      addWrittenMoves(root, rest, costs);
    }
  for (Operation &op : func::FuncOp(written).front())
    if (shifts.contains(&op) && !ops.contains(&op)) {
      rest.ops.push_back(&op);
      rest.before += costs.ofOp(&op);
      rest.after += costs.ofOp(canonicalOps.lookup(&op));
    }
  rest.lowerBound = rest.after;
  if (rest.roots.empty() && rest.before == rest.after)
    return std::nullopt;
  return rest;
}

Placement CanonicalForm::withoutIdleRegions(Placement placement) const {
  llvm::erase_if(placement.regions, [&](const Region &region) {
    return region.before == region.after && region.transposes.empty() &&
           llvm::none_of(region.roots,
                         [&](Value root) { return hasWrittenMoves(root); });
  });
  return placement;
}

Placement CanonicalForm::translated(Placement placement,
                                    LayoutCosts &costs) const {
  for (Region &region : placement.regions)
    translate(region, costs);
  if (std::optional<Region> rest = withoutChoice(placement.regions, costs))
    placement.regions.push_back(std::move(*rest));
  Placement own = withoutIdleRegions(std::move(placement));
  own.isCanonical = true;
  auto ofCanonical = std::exchange(own.ops, {});
  for (Operation &op : func::FuncOp(written).front()) {
    auto *placed = ofCanonical.find(canonicalOps.lookup(&op));
    const auto shift = shifts.find(&op);
    if (placed == ofCanonical.end() && shift == shifts.end())
      continue;
    OpPlacement &how = own.ops[&op];
    if (placed == ofCanonical.end()) {
      how.orders = shift->second;
      continue;
    }
    how = std::move(placed->second);
    if (shift != shifts.end()) {
      for (auto [order, before] : llvm::zip_equal(how.orders, shift->second))
        order = composeOrders(before, order);
      if (how.asKernel && how.form.empty())
        how.form = shift->second;
      else
        for (auto [order, before] : llvm::zip(how.form, shift->second))
          order = composeOrders(before, order);
    }
    if (!how.asKernel && areIdentities(how.orders))
      own.ops.erase(&op);
  }
  return own;
}

Picoseconds Placement::saved() const {
  Picoseconds sum = 0;
  for (const Region &region : regions)
    sum += region.before - region.after;
  return sum;
}

BothProblems::BothProblems(func::FuncOp function, const DeviceTime &time)
    : costs(time), form(function), written(function, costs) {
  if (func::FuncOp other = form.function())
    canonical.emplace(other, costs);
}

SmallVector<Placement, 2> BothProblems::solve(Objective objective) {
  SmallVector<Placement, 2> placements;
  placements.push_back(form.withoutIdleRegions(written.solve(objective)));
  if (!canonical)
    return placements;
  Placement other = form.translated(canonical->solve(objective), costs);
  if (other.saved() > placements.front().saved())
    placements.push_back(std::move(other));
  return placements;
}
