// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of a graph as formulas of their elements.
#include "Elements.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Reference/Scalars.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// Questions about a value look at what computes it this deep.
static constexpr unsigned maxDepth = 64;

bool ElementRange::isWhole() const { return elementCount(tensor) == size; }

//===-- ranges through views ----------------------------------------------===//

/// Elements in one step along dimension `axis`, which no larger one precedes;
/// nothing if one does: the elements are not consecutive then.
static std::optional<int64_t> elementsPerStep(RankedTensorType type,
                                              int64_t axis) {
  ArrayRef<int64_t> shape = type.getShape();
  if (llvm::any_of(shape.take_front(axis), [](int64_t n) { return n != 1; }))
    return std::nullopt;
  return ShapedType::getNumElements(shape.drop_front(axis + 1));
}

/// The first element of a slice in its operand if the slice has consecutive
/// ones.
static std::optional<int64_t> firstElement(SliceOp slice) {
  ArrayRef<int64_t> from = tensorType(slice.getOperand()).getShape();
  ArrayRef<int64_t> to = tensorType(slice.getResult()).getShape();
  int64_t first = 0, step = 1;
  bool isPart = false; // some inner dimension is cut
  for (size_t d = from.size(); d-- > 0; step *= from[d]) {
    if (to[d] != 1 && (slice.getStrides()[d] != 1 || isPart))
      return std::nullopt;
    first += slice.getOffsets()[d] * step;
    isPart |= to[d] != from[d];
  }
  return first;
}

/// True if the transpose moves dimensions of size 1 only.
static bool keepsOrder(TransposeOp transpose) {
  int64_t last = -1;
  for (int64_t d : transpose.getPermutation()) {
    if (tensorType(transpose.getOperand()).getDimSize(d) == 1)
      continue;
    if (d < last)
      return false;
    last = d;
  }
  return true;
}

static bool isWidening(CastOp cast) {
  Type from = getElementTypeOrSelf(cast.getOperand());
  Type to = getElementTypeOrSelf(cast.getResult());
  return isa<FloatType>(from) && isa<FloatType>(to) &&
         from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
}

/// Moves the range to the operand of a concatenation that has all of it.
static bool intoConcat(ConcatOp concat, ElementRange &range) {
  int64_t first = 0;
  if (!elementsPerStep(tensorType(concat.getResult()), concat.getAxis()))
    return false;
  for (Value part : concat->getOperands()) {
    const int64_t count = elementCount(part);
    if (first <= range.first && range.first + range.size <= first + count) {
      range = {part, range.first - first, range.size};
      return true;
    }
    first += count;
  }
  return false;
}

/// Moves the range to the operand of a view, copy or cast that has its
/// elements, exactly, in the same order.
static bool intoView(ElementRange &range) {
  Operation *op = range.tensor.getDefiningOp();
  auto shift = [&](Value source, std::optional<int64_t> by) {
    if (by)
      range = {source, range.first + *by, range.size};
    return by.has_value();
  };
  // A narrowing cast changes elements.
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ReshapeOp, CopyOp>(
          [&](auto view) { return shift(view.getOperand(), 0); })
      .Case([&](CastOp cast) {
        return isWidening(cast) && shift(cast.getOperand(), 0);
      })
      .Case([&](TransposeOp transpose) {
        return keepsOrder(transpose) && shift(transpose.getOperand(), 0);
      })
      .Case([&](BroadcastOp broadcast) {
        Value source = broadcast.getOperand();
        if (elementCount(source) == 1) {
          range = {source, 0, 1};
          return true;
        }
        return elementCount(source) == elementCount(broadcast.getResult()) &&
               llvm::is_sorted(broadcast.getDims()) && shift(source, 0);
      })
      .Case([&](SliceOp slice) {
        return shift(slice.getOperand(), firstElement(slice));
      })
      .Case([&](SplitOp split) {
        auto step =
            elementsPerStep(tensorType(split.getOperand()), split.getAxis());
        int64_t first = 0;
        // Results of a split follow each other in the operand, if the axis is
        // the outermost that varies.
        for (Value result : split.getResults()) {
          if (result == range.tensor)
            break;
          first += elementCount(result);
        }
        return step && shift(split.getOperand(), first);
      })
      .Case([&](ConcatOp concat) { return intoConcat(concat, range); })
      .Default(false);
}

//===-- nodes -------------------------------------------------------------===//

ElementId Elements::add(Element element) {
  nodes.push_back(std::move(element));
  return nodes.size() - 1;
}

ElementId Elements::constantNode(double value) {
  Element element;
  element.kind = Element::Constant;
  element.size = 1;
  element.constant = value;
  return add(std::move(element));
}

ElementId Elements::of(Value tensor) {
  return of(ElementRange{tensor, 0, elementCount(tensor)});
}

ElementId Elements::of(ElementRange range) {
  while (range.tensor.getDefiningOp() && intoView(range))
    ;
  auto [it, isNew] =
      known.try_emplace({range.tensor, {range.first, range.size}}, 0);
  if (isNew) {
    Element element;
    element.range = range;
    element.size = range.size;
    element.op = range.tensor.getDefiningOp();
    it->second = add(std::move(element));
  }
  return it->second;
}

Type Elements::narrowType(Type type) {
  auto number = dyn_cast<FloatType>(type);
  return number && number.getWidth() < 32 ? type : Type();
}

/// True if results of operands of one type are numbers of this type.
static bool isExact(Element::Kind kind) {
  switch (kind) {
  case Element::Leaf:
  case Element::Constant:
  case Element::Neg:
  case Element::Abs:
  case Element::Min:
  case Element::Max:
  case Element::Select:
  case Element::Compare:
    return true;
  default:
    return false;
  }
}

static std::optional<double> numberOf(const ElementRange &range) {
  if (auto fill = range.tensor.getDefiningOp<FillOp>()) {
    if (auto value = dyn_cast<FloatAttr>(fill.getValue()))
      return value.getValueAsDouble();
    return std::nullopt;
  }
  std::optional<ConstantValues> values = ConstantValues::of(range.tensor);
  if (!values || values->size() == 0 || (!values->isSplat() && range.size != 1))
    return std::nullopt;
  return isFloatElement(values->getType().getElementType())
             ? double(values->number(range.first))
             : double(values->integer(range.first));
}

Element &Elements::read(ElementId id) {
  Element &element = nodes[id];
  if (element.kind != Element::Unread)
    return element;
  element.kind = Element::Leaf;
  if (!element.op)
    return element;
  if (isa<ConstantOp, FillOp>(element.op)) {
    if (auto number = numberOf(element.range)) {
      element.kind = Element::Constant;
      element.constant = *number;
    }
  } else if (auto kernel = dyn_cast<KernelOp>(element.op)) {
    readKernel(id, kernel);
  } else if (isa<ReduceOp>(element.op)) {
    readReduction(id, element.op);
  } else if (isa<ElementwiseOpInterface>(element.op)) {
    readOp(id, element.op);
  }
  // What an op chooses or negates has the type already.
  if (!isExact(element.kind) && element.range.tensor)
    element.rounded = narrowType(getElementTypeOrSelf(element.range.tensor));
  simplify(element);
  return element;
}

void Elements::simplify(Element &element) {
  // A condition that exporters leave to constants.
  if (element.kind == Element::Select)
    if (auto condition = constantOf(element.operands[0])) {
      const ElementId chosen = element.operands[*condition != 0 ? 1 : 2];
      element.kind = Element::Round;
      element.operands = {chosen};
    }
  if (element.kind != Element::Pow)
    return;
  const std::optional<double> exponent = constantOf(element.operands[1]);
  const ElementId base = element.operands[0];
  if (exponent == 2.0) {
    element.kind = Element::Mul;
    element.operands = {base, base};
  } else if (exponent == 0.5) {
    element.kind = Element::Sqrt;
    element.operands = {base};
  }
}

std::optional<ElementId> Elements::operandOf(Value operand,
                                             const ElementRange &result) {
  if (elementCount(operand) == 1)
    return of(operand);
  if (elementCount(operand) != elementCount(result.tensor))
    return std::nullopt;
  return of({operand, result.first, result.size});
}

void Elements::readReduction(ElementId id, Operation *op) {
  auto reduce = cast<ReduceOp>(op);
  if (reduce.getKind() != ReduceKind::Sum || nodes[id].size != 1 ||
      elementCount(reduce.getResult()) != 1)
    return;
  const ElementId added = of(reduce.getOperand());
  // One element that is broadcast is added as often.
  if (nodes[added].size != elementCount(reduce.getOperand()))
    return;
  nodes[id].operands = {added};
  nodes[id].kind = Element::SumAll;
}

static Element::Kind kindOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Element::Kind>(op)
      .Case([](AddOp) { return Element::Add; })
      .Case([](SubOp) { return Element::Sub; })
      .Case([](MulOp) { return Element::Mul; })
      .Case([](DivOp) { return Element::Div; })
      .Case([](NegOp) { return Element::Neg; })
      .Case([](SqrtOp) { return Element::Sqrt; })
      .Case([](PowOp) { return Element::Pow; })
      .Case([](AbsOp) { return Element::Abs; })
      .Case<MinOp, MinNumOp>([](auto) { return Element::Min; })
      .Case<MaxOp, MaxNumOp>([](auto) { return Element::Max; })
      .Case([](SelectOp) { return Element::Select; })
      .Case([](CompareOp) { return Element::Compare; })
      .Default(Element::Leaf);
}

static bool isFloatTensor(Value tensor) {
  return isFloatElement(getElementTypeOrSelf(tensor));
}

void Elements::readOp(ElementId id, Operation *op) {
  // An operand that has no formula leaves the node a leaf.
  SmallVector<ElementId, 3> operands;
  for (Value operand : op->getOperands()) {
    auto element = operandOf(operand, nodes[id].range);
    if (!element)
      return;
    operands.push_back(*element);
  }
  Element &node = nodes[id];
  if (auto cast = dyn_cast<CastOp>(op)) {
    // Narrowing keeps the value; an integer is one only if it is a constant.
    if (isFloatTensor(cast.getResult()) &&
        (isFloatTensor(cast.getOperand()) || constantOf(operands[0]))) {
      node.operands = operands;
      node.kind = Element::Round;
    }
    return;
  }
  // A clamp is a maximum and a minimum, as exporters also write it.
  if (auto clamp = dyn_cast<ClampOp>(op)) {
    auto low = dyn_cast<FloatAttr>(clamp.getMin());
    auto high = dyn_cast<FloatAttr>(clamp.getMax());
    if (!low || !high)
      return;
    Element bound;
    bound.kind = Element::Max;
    bound.size = node.size;
    bound.op = op;
    bound.operands = {operands[0], constantNode(low.getValueAsDouble())};
    const ElementId lower = add(std::move(bound));
    nodes[id].operands = {lower, constantNode(high.getValueAsDouble())};
    nodes[id].kind = Element::Min;
    return;
  }
  // rsqrt(x) is 1 / sqrt(x).
  if (isa<RsqrtOp>(op)) {
    Element root;
    root.kind = Element::Sqrt;
    root.size = node.size;
    root.op = op;
    root.operands = operands;
    operands = {add(std::move(root))};
  }
  if (isa<RsqrtOp, ReciprocalOp>(op)) {
    nodes[id].operands = {constantNode(1), operands[0]};
    nodes[id].kind = Element::Div;
    return;
  }
  // Arithmetic on integers is not that of numbers: it wraps.
  const bool isNumber = isa<CompareOp>(op) ? isFloatTensor(op->getOperand(0))
                                           : isFloatTensor(op->getResult(0));
  if (const Element::Kind kind = kindOf(op); isNumber) {
    node.operands = operands;
    node.kind = kind;
  }
  // What is no formula keeps no operands: they are not part of its value.
  if (node.kind == Element::Leaf)
    node.operands.clear();
  if (auto compare = dyn_cast<CompareOp>(op))
    node.predicate = compare.getPredicate();
}

//===-- questions ---------------------------------------------------------===//

ElementId Elements::beforeRounding(ElementId id) {
  while (at(id).kind == Element::Round)
    id = at(id).operands[0];
  return id;
}

ElementId Elements::beforeCopies(ElementId id, Type type) {
  while (at(id).kind == Element::Round &&
         (!at(id).rounded || at(id).rounded == type))
    id = at(id).operands[0];
  return id;
}

Type Elements::roundedTo(ElementId id, bool ofLeaf) {
  const Element &node = at(id);
  const bool isStored = ofLeaf && node.kind == Element::Leaf;
  return isStored && storageOf(id) ? narrowType(storageOf(id)) : node.rounded;
}

Type Elements::storageOf(ElementId id) {
  Value tensor = nodes[id].range.tensor;
  return tensor ? getElementTypeOrSelf(tensor) : Type();
}

bool Elements::isUniform(ElementId id) {
  const Element &node = at(id);
  if (node.size == 1 || node.kind == Element::Constant)
    return true;
  if (node.kind == Element::Leaf || depth == maxDepth)
    return false;
  if (auto it = uniform.find(id); it != uniform.end())
    return it->second;
  ++depth;
  const bool all = llvm::all_of(
      node.operands, [&](ElementId operand) { return isUniform(operand); });
  --depth;
  return uniform[id] = all;
}

std::optional<double> Elements::constantOf(ElementId id) {
  const Element &node = at(id);
  if (node.kind == Element::Constant)
    return node.constant;
  if (node.kind == Element::Leaf || depth == maxDepth)
    return std::nullopt;
  if (auto it = constants.find(id); it != constants.end())
    return it->second;
  ++depth;
  std::optional<double> value = evaluate(id);
  --depth;
  // One rounding per operation, as on the device.
  if (value && node.kind != Element::Compare)
    value = float(*value);
  if (value && node.rounded) {
    llvm::APFloat rounded(*value);
    bool losesInfo;
    rounded.convert(cast<FloatType>(node.rounded).getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    value = rounded.convertToDouble();
  }
  return constants[id] = value;
}

std::optional<double> Elements::evaluate(ElementId id) {
  const Element &node = at(id);
  SmallVector<double, 3> in;
  for (ElementId operand : node.operands) {
    std::optional<double> value = constantOf(operand);
    if (!value)
      return std::nullopt;
    in.push_back(*value);
  }
  // These have operands of many elements, or none.
  switch (node.kind) {
  case Element::Unread:
  case Element::Leaf:
  case Element::Constant:
  case Element::SumAll:
    return std::nullopt;
  case Element::Add:
    return in[0] + in[1];
  case Element::Sub:
    return in[0] - in[1];
  case Element::Mul:
    return in[0] * in[1];
  case Element::Div:
    return in[0] / in[1];
  case Element::Neg:
    return -in[0];
  case Element::Sqrt:
    return std::sqrt(in[0]);
  case Element::Pow:
    return std::pow(in[0], in[1]);
  case Element::Abs:
    return std::fabs(in[0]);
  case Element::Min:
    return std::fmin(in[0], in[1]);
  case Element::Max:
    return std::fmax(in[0], in[1]);
  case Element::Select:
    return in[0] != 0 ? in[1] : in[2];
  case Element::Compare:
    return reference::holds(node.predicate, in[0], in[1]);
  case Element::Round:
    return in[0];
  }
  llvm_unreachable("a kind of node");
}

SmallVector<ElementId> Elements::cone(ElementId root, ArrayRef<ElementId> stops,
                                      unsigned limit) {
  SmallVector<ElementId> found = {root};
  llvm::SmallDenseSet<ElementId> seen = {root};
  const bool isSingle = at(root).size == 1;
  for (size_t next = 0; next < found.size(); ++next) {
    const ElementId id = found[next];
    const Element &node = at(id);
    if ((id != root && llvm::is_contained(stops, id)) ||
        node.kind == Element::SumAll || (node.size == 1 && !isSingle))
      continue;
    for (ElementId operand : node.operands)
      if (seen.insert(operand).second)
        found.push_back(operand);
    if (found.size() > limit)
      return {};
  }
  return found;
}

void Elements::replace(const DenseMap<Value, Value> &tensors) {
  for (Element &node : nodes)
    if (Value tensor = tensors.lookup(node.range.tensor))
      node.range.tensor = tensor;
}

Location Elements::locOf(ElementId id, Location otherwise) {
  const Element &node = at(id);
  if (node.op)
    return node.op->getLoc();
  return node.range.tensor ? node.range.tensor.getLoc() : otherwise;
}

Value Elements::materializeOne(OpBuilder &builder, Location loc, ElementId id) {
  ElementRange range = nodes[id].range;
  range.size = 1;
  return rangeOf(builder, loc, range, {});
}

Value Elements::materialize(OpBuilder &builder, Location loc, ElementId id,
                            ArrayRef<int64_t> shape) {
  return rangeOf(builder, loc, nodes[id].range, shape);
}

Value Elements::rangeOf(OpBuilder &builder, Location loc,
                        const ElementRange &range, ArrayRef<int64_t> shape) {
  assert(range.tensor && ShapedType::getNumElements(shape) == range.size &&
         "a tensor with these elements");
  Value tensor = range.tensor;
  RankedTensorType type = tensorType(tensor);
  if (!range.isWhole()) {
    const int64_t count = type.getNumElements();
    auto flat = RankedTensorType::get({count}, type.getElementType());
    if (type != flat)
      tensor = ReshapeOp::create(builder, loc, flat, tensor);
    type = RankedTensorType::get({range.size}, type.getElementType());
    tensor =
        SliceOp::create(builder, loc, type, tensor,
                        ArrayRef<int64_t>{range.first}, ArrayRef<int64_t>{1});
  }
  if (type.getShape() == shape)
    return tensor;
  return ReshapeOp::create(builder, loc,
                           RankedTensorType::get(shape, type.getElementType()),
                           tensor);
}
