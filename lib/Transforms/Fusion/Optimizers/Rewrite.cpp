// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replacing values that many ops compute by the results of one.
#include "Rewrite.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

//===-- what dies ---------------------------------------------------------===//

DyingOps::DyingOps(ArrayRef<Value> values, ArrayRef<Value> read)
    : replaced(values.begin(), values.end()), kept(read.begin(), read.end()) {
  // An op is asked again for each of its readers that dies: linear in uses.
  SmallVector<Operation *> pending;
  for (Value value : values)
    pending.push_back(value.getDefiningOp());
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!op || ops.contains(op) || !isMemoryEffectFree(op) ||
        llvm::any_of(op->getResults(),
                     [&](Value result) { return isReadAfterwards(result); }))
      continue;
    ops.insert(op);
    for (Value operand : op->getOperands())
      pending.push_back(operand.getDefiningOp());
  }
}

bool DyingOps::isReadAfterwards(Value value) const {
  if (kept.contains(value))
    return true;
  return !replaced.contains(value) &&
         llvm::any_of(value.getUsers(), [&](Operation *user) {
           return !ops.contains(user) && !isOpTriviallyDead(user);
         });
}

void DyingOps::erase() {
  // Ops that nothing read before die with what they read.
  SmallVector<Operation *> unread;
  for (Operation *op : ops)
    for (Operation *user : op->getUsers())
      if (!ops.contains(user))
        unread.push_back(user);
  ops.insert(unread.begin(), unread.end());
  for (Operation *op : ops)
    op->dropAllReferences();
  for (Operation *op : ops)
    op->erase();
  ops.clear();
}

//===-- where the op goes -------------------------------------------------===//

std::optional<Placement> gaudi::fusion::placementOf(ArrayRef<Value> operands,
                                                    ArrayRef<Value> replaced,
                                                    const DyingOps &dying,
                                                    Block &block) {
  Placement placement;
  DenseSet<Operation *> read;
  // The op comes right after its last operand.
  for (Value operand : operands) {
    Operation *op = operand.getDefiningOp();
    if (!op)
      continue;
    read.insert(op);
    if (!placement.after || placement.after->isBeforeInBlock(op))
      placement.after = op;
  }
  if (!placement.after)
    return placement;
  // Whatever depends on a replaced value and comes before that point.
  SmallVector<Value> pending(replaced.begin(), replaced.end());
  DenseSet<Operation *> dependent;
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (dying.contains(user) || placement.after->isBeforeInBlock(user))
        continue;
      // An operand depends on what the op computes: no place exists.
      if (read.contains(user))
        return std::nullopt;
      if (dependent.insert(user).second)
        llvm::append_range(pending, user->getResults());
    }
  placement.moved.assign(dependent.begin(), dependent.end());
  llvm::sort(placement.moved,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return placement;
}

OpBuilder Placement::builder(Block &block) const {
  OpBuilder builder(block.getParent());
  if (after)
    builder.setInsertionPointAfter(after);
  else
    builder.setInsertionPointToStart(&block);
  return builder;
}

void Placement::moveTo(OpBuilder &builder) const {
  for (Operation *op : moved)
    op->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
}

Value gaudi::fusion::converted(OpBuilder &builder, Value tensor, Type type) {
  auto to = cast<RankedTensorType>(type);
  const Location loc = tensor.getLoc();
  if (getElementTypeOrSelf(tensor) != to.getElementType())
    tensor = CastOp::create(
        builder, loc, tensorType(tensor).clone(to.getElementType()), tensor);
  return tensor.getType() == to ? tensor
                                : ReshapeOp::create(builder, loc, to, tensor);
}

//===-- scalars -----------------------------------------------------------===//

std::optional<SmallVector<Value>>
gaudi::fusion::scalarsOf(Algebra &algebra, const Expression &expression) {
  SmallVector<Value> found;
  for (const Monomial &term : expression.terms)
    for (const Power &power : term.powers) {
      if (power.atom.isSum) {
        auto inner = scalarsOf(algebra, algebra.sum(power.atom));
        if (!inner)
          return std::nullopt;
        llvm::append_range(found, *inner);
        continue;
      }
      if (!algebra.elements.hasTensor(power.atom.number))
        return std::nullopt;
      found.push_back(algebra.elements.at(power.atom.number).range.tensor);
    }
  return found;
}

static RankedTensorType scalarType(OpBuilder &builder) {
  return RankedTensorType::get({}, builder.getF32Type());
}

Value ScalarWriter::constant(double value) {
  return ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(scalarType(builder), ArrayRef<float>(value)));
}

template <typename Op> Value ScalarWriter::combine(Value a, Value b) {
  return Op::create(builder, loc, scalarType(builder), a, b);
}

Value ScalarWriter::atom(Atom atom) {
  Value &value = atoms[atom];
  if (value)
    return value;
  if (atom.isSum)
    return value = write(algebra.sum(atom));
  Value made = algebra.elements.materializeOne(builder, loc, atom.number);
  if (!getElementTypeOrSelf(made).isF32())
    made = CastOp::create(builder, loc, scalarType(builder), made);
  return atoms[atom] = made;
}

/// The atom to the absolute value of the power.
Value ScalarWriter::power(const Power &power) {
  Value base = atom(power.atom);
  const int halves = std::abs(power.halves);
  Value result;
  if (halves % 2)
    result = SqrtOp::create(builder, loc, scalarType(builder), base);
  for (int i = 0; i < halves / 2; ++i)
    result = result ? combine<MulOp>(result, base) : base;
  return result;
}

Value ScalarWriter::write(const Expression &expression) {
  if (auto number = expression.constant())
    return constant(*number);
  Value sum;
  for (const Monomial &term : expression.terms) {
    // Divisors together: one division per term.
    Value numerator, denominator;
    for (const Power &factor : term.powers) {
      Value value = power(factor);
      Value &side = factor.halves > 0 ? numerator : denominator;
      side = side ? combine<MulOp>(side, value) : value;
    }
    if (!numerator)
      numerator = constant(term.coefficient);
    else if (term.coefficient != 1)
      numerator = combine<MulOp>(numerator, constant(term.coefficient));
    if (denominator)
      numerator = combine<DivOp>(numerator, denominator);
    sum = sum ? combine<AddOp>(sum, numerator) : numerator;
  }
  return sum;
}

Value ScalarWriter::zeroWhereZero(Value value, const Expression &expression) {
  const Value zero = constant(0);
  const Value isZero = CompareOp::create(
      builder, loc, scalarType(builder).clone(builder.getI1Type()),
      ComparePredicate::EQ, write(expression), zero);
  return SelectOp::create(builder, loc, scalarType(builder), isZero, zero,
                          value);
}

//===-- cost --------------------------------------------------------------===//

Traffic gaudi::fusion::trafficOf(ArrayRef<Operation *> ops,
                                 const DeviceTime &time) {
  Traffic sum;
  // Of elementwise ops, types tell the cost.
  std::map<std::pair<const void *, std::vector<const void *>>, Traffic> known;
  for (Operation *op : ops) {
    auto cost = dyn_cast<CostOpInterface>(op);
    if (!cost || isa<ViewOpInterface, ConstantOp>(op))
      continue;
    Traffic traffic;
    // An optimizer has many equal ops: each kind is timed once. A constant
    // operand costs no loads.
    if (isa<ElementwiseOpInterface>(op)) {
      std::vector<const void *> types;
      for (Value operand : op->getOperands()) {
        types.push_back(operand.getType().getAsOpaquePointer());
        types.push_back(operand.getDefiningOp<ConstantOp>() ? &known : nullptr);
      }
      types.push_back(op->getResult(0).getType().getAsOpaquePointer());
      auto [it, isNew] = known.try_emplace(
          {op->getName().getAsOpaquePointer(), std::move(types)}, Traffic());
      if (isNew)
        it->second = {time.of(op), cost.getBytes()};
      traffic = it->second;
    } else {
      traffic = {time.of(op), cost.getBytes()};
    }
    sum.time += traffic.time;
    sum.bytes += traffic.bytes;
  }
  return sum;
}
