// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of a graph as formulas of their elements.
#include "Elements.h"
#include "../Merge/KernelReader.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Reference/Scalars.h"
#include "Gaudi/Reference/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// Questions about a value look at what computes it this deep.
static constexpr unsigned maxElementDepth = 64;

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

static std::optional<double> numberIn(const ElementRange &range) {
  if (auto fill = range.tensor.getDefiningOp<FillOp>()) {
    if (auto value = dyn_cast<FloatAttr>(fill.getValue()))
      return value.getValueAsDouble();
    return std::nullopt;
  }
  std::optional<ConstantValues> values = ConstantValues::of(range.tensor);
  if (!values || values->size() == 0 || (!values->isSplat() && range.size != 1))
    return std::nullopt;
  return values->at(range.first);
}

Element &Elements::read(ElementId id) {
  Element &element = nodes[id];
  if (element.kind != Element::Unread)
    return element;
  element.kind = Element::Leaf;
  if (!element.op)
    return element;
  if (isa<ConstantOp, FillOp>(element.op)) {
    if (auto number = numberIn(element.range)) {
      element.kind = Element::Constant;
      element.constant = *number;
    }
  } else if (auto kernel = dyn_cast<KernelOp>(element.op)) {
    readKernel(id, kernel);
  } else if (isa<ReduceOp>(element.op)) {
    readReduction(id, element.op);
  } else if (isa<ElementwiseOpInterface>(element.op)) {
    readOp(id, cast<ElementwiseOpInterface>(element.op));
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

static bool isFloatTensor(Value tensor) {
  return isFloatElement(getElementTypeOrSelf(tensor));
}

// An op is read as the kernel of one dimension that it would be.
void Elements::readOp(ElementId id, ElementwiseOpInterface op) {
  Kernel kernel;
  KernelDag &dag = kernel.dag.emplace();
  dag.addDim(nodes[id].size, /*isParallel=*/true);
  SmallVector<NodeId> in;
  SmallVector<ElementId> operands;
  for (Value operand : op->getOperands()) {
    // An operand that has no formula leaves the node a leaf.
    auto element = operandOf(operand, nodes[id].range);
    if (!element)
      return;
    operands.push_back(*element);
    Access access;
    access.tensor = operand;
    if (nodes[*element].size != 1)
      access.position = {Affine::dim(0)};
    in.push_back(dag.load(std::move(access), {},
                          kernelType(getElementTypeOrSelf(operand))));
  }
  std::optional<NodeId> value = readElementwise(op, in, dag);
  if (!value)
    return;
  kernel.nodes.resize(dag.nodes.size());
  for (auto [load, operand] : llvm::zip_equal(in, operands))
    kernel.nodes[load] = operand;
  if (!llvm::is_contained(in, *value)) {
    if (auto made = kernelNode(op, kernel, *value))
      become(id, *made);
  } else if (isFloatTensor(op->getResult(0)) &&
             isFloatTensor(op->getOperand(0))) {
    // A cast to a narrower type.
    nodes[id].kind = Element::Round;
    nodes[id].operands = {*kernel.nodes[*value]};
  }
}

void Elements::become(ElementId id, ElementId made) {
  Element &node = nodes[id];
  const Element &source = nodes[made];
  node.kind = source.kind;
  node.operands = source.operands;
  node.predicate = source.predicate;
  node.constant = source.constant;
  node.rounded = source.rounded;
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
  if (node.kind == Element::Leaf || depth == maxElementDepth)
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
  if (node.kind == Element::Leaf || depth == maxElementDepth)
    return std::nullopt;
  if (auto it = constants.find(id); it != constants.end())
    return it->second;
  ++depth;
  std::optional<double> value = evaluate(id);
  --depth;
  // One rounding per operation, as on the device.
  if (value && node.kind != Element::Compare)
    value = float(*value);
  if (value && node.rounded)
    value = roundTo(node.rounded, *value);
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
  if (node.kind == Element::Compare)
    return reference::holds(node.predicate, in[0], in[1]);
  auto opcode = opcodeOf(node.kind);
  return opcode ? reference::evaluateFloats(*opcode, in) : std::nullopt;
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
