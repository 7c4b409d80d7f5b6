// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel bodies that are one operation (with broadcasts and transposes in
// their access maps) to the named elementwise op; copies, broadcasts,
// transposes, fills and counters to the data movements they are.
#include "ElementwiseMatch.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/KernelLanguage.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
/// A value that the body reads, as an operand of an elementwise op: a constant
/// or a tensor with the loop dimension of each of its dimensions.
struct Leaf {
  TypedAttr constant;
  Value tensor;
  DimList dims;
  bool isInit = false; ///< Of an output, whose contents may be undefined.
};

/// One gaudi op on leaves. An empty name forwards the only leaf.
struct ElementwisePlan {
  std::string name;
  SmallVector<Leaf> operands;
  SmallVector<NamedAttribute> attributes;
  Type element; ///< Of the result.
};
} // namespace

/// The tensor of one element that a scalar from outside the body is read
/// from, or null.
static Value sourceOfScalar(Value scalar) {
  auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract.getTensor().getType().getNumElements() != 1)
    return {};
  return extract.getTensor();
}

/// True if the value is an argument, a constant, or a scalar read from a tensor
/// of one element.
static bool isLeaf(Nest &nest, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == nest.body;
  if (constantOf(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op->getBlock() != nest.body && sourceOfScalar(value);
}

static std::optional<Leaf> constantLeaf(TypedAttr value) {
  if (value.getType().isIndex())
    value = IntegerAttr::get(IntegerType::get(value.getContext(), 64),
                             cast<IntegerAttr>(value).getInt());
  if (!isDeviceElement(value.getType()))
    return std::nullopt;
  return Leaf{value, {}, {}, false};
}

/// None if the value is read at other positions than whole dimensions.
static std::optional<Leaf> leafOf(Nest &nest, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    assert(argument.getOwner() == nest.body && "isLeaf");
    unsigned number = argument.getArgNumber();
    bool isInput = number < nest.numInputs();
    unsigned output = number - nest.numInputs();
    Value source = isInput ? nest.input(number) : nest.init(output);
    if (!isa<RankedTensorType>(source.getType()))
      return isLeaf(nest, source) ? leafOf(nest, source) : std::nullopt;
    auto dims = isInput ? nest.inputDims(number) : nest.outputDims(output);
    if (!dims)
      return std::nullopt;
    return Leaf{{}, source, *dims, !isInput};
  }
  if (auto attr = constantOf(value))
    return constantLeaf(*attr);
  if (Value source = sourceOfScalar(value))
    return Leaf{{}, source, {}, false};
  return std::nullopt;
}

/// The leaf of type `narrow` before its widening to f32, or a constant that
/// `narrow` has exactly. Then op(extf(a), extf(b)), rounded to `narrow`, is
/// what the device computes for the op on `narrow` tensors: f32 inside, one
/// rounding at the store.
static std::optional<Leaf> narrowLeafOf(Nest &nest, Value value, Type narrow) {
  if (auto wide = value.getDefiningOp<arith::ExtFOp>();
      wide && wide.getIn().getType() == narrow && isLeaf(nest, wide.getIn()))
    return leafOf(nest, wide.getIn());
  auto constant = constantOf(value);
  auto attr = constant ? dyn_cast<FloatAttr>(*constant) : FloatAttr();
  if (!attr)
    return std::nullopt;
  bool isExact = false;
  const FloatAttr rounded = roundedTo(attr, narrow, &isExact);
  return isExact ? constantLeaf(rounded) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// Matches one operation of a body. `narrow` looks for the operation on the
/// narrow type `element` instead of the f32 to which its operands are widened.
class ElementwiseMatcher {
public:
  ElementwiseMatcher(Nest &nest, Matcher &m, Type element, bool narrow)
      : nest(nest), m(m), element(element), narrow(narrow) {}

  FailureOr<ElementwisePlan> match(Operation *root);
  FailureOr<Leaf> leaf(Value value);

private:
  /// `op` on the leaves `values`.
  FailureOr<ElementwisePlan> plan(StringRef name, ValueRange values,
                                  ArrayRef<NamedAttribute> attributes = {});
  FailureOr<ElementwisePlan> matchCast(Operation *root);
  FailureOr<ElementwisePlan> matchCompare(Operation *root);

  Nest &nest;
  Matcher &m;
  Type element;
  bool narrow;
};
} // namespace

FailureOr<Leaf> ElementwiseMatcher::leaf(Value value) {
  if (narrow) {
    if (auto leaf = narrowLeafOf(nest, value, element))
      return *leaf;
  } else if (isLeaf(nest, value)) {
    if (auto leaf = leafOf(nest, value))
      return *leaf;
    return m.refuse(
        "an operand is read at other positions than whole dimensions");
  }
  return m.refuse("the body is more than one operation");
}

FailureOr<ElementwisePlan>
ElementwiseMatcher::plan(StringRef name, ValueRange values,
                         ArrayRef<NamedAttribute> attributes) {
  ElementwisePlan result{name.str(), {}, llvm::to_vector(attributes), element};
  for (Value value : values) {
    FailureOr<Leaf> operand = leaf(value);
    if (failed(operand))
      return failure();
    result.operands.push_back(*operand);
  }
  return result;
}

FailureOr<ElementwisePlan> ElementwiseMatcher::matchCompare(Operation *root) {
  auto predicate = predicateOf(root);
  if (!predicate || narrow)
    return m.refuse("gaudi.tpc.compare does not have the predicate");
  Builder b(root->getContext());
  auto attr = ComparePredicateAttr::get(b.getContext(), *predicate);
  auto result = plan(CompareOp::getOperationName(), root->getOperands(),
                     b.getNamedAttr("predicate", attr));
  if (succeeded(result))
    result->element = b.getI1Type();
  return result;
}

FailureOr<ElementwisePlan> ElementwiseMatcher::matchCast(Operation *root) {
  Value source = root->getOperand(0);
  auto even = source.getDefiningOp<math::RoundEvenOp>();
  SmallVector<NamedAttribute> attributes;
  if (even && isa<arith::FPToSIOp>(root)) {
    source = even.getOperand();
    Builder b(root->getContext());
    attributes.push_back(b.getNamedAttr(
        "rounding",
        RoundingModeAttr::get(b.getContext(), RoundingMode::NearestEven)));
  }
  auto result = plan(CastOp::getOperationName(), source, attributes);
  if (failed(result))
    return failure();
  // index and i64 are one type here.
  const Leaf &operand = result->operands.front();
  Type from = operand.constant ? operand.constant.getType()
                               : getElementTypeOrSelf(operand.tensor);
  if (from == element)
    result->name.clear();
  return result;
}

FailureOr<ElementwisePlan> ElementwiseMatcher::match(Operation *root) {
  Value x, bound;
  // Compositions first: a root may also be an op of its own.
  if (StringRef name = matchMaxBySelect(root, x, bound); !name.empty())
    return plan(name, {x, bound});
  if (Value operand = matchSigmoid(root))
    return plan(SigmoidOp::getOperationName(), operand);
  if (auto clamp = matchClamp(root)) {
    Builder b(root->getContext());
    SmallVector<NamedAttribute> attributes{b.getNamedAttr("min", clamp->low),
                                           b.getNamedAttr("max", clamp->high)};
    if (clamp->ignoreNan)
      attributes.push_back(b.getNamedAttr("ignore_nan", b.getUnitAttr()));
    return plan(ClampOp::getOperationName(), clamp->operand, attributes);
  }
  if (isa<arith::DivFOp>(root) && isOne(root->getOperand(0)))
    return plan(ReciprocalOp::getOperationName(), root->getOperand(1));
  if (isa<arith::CmpFOp, arith::CmpIOp>(root))
    return matchCompare(root);
  if (isa<arith::SelectOp, arith::BitcastOp>(root)) {
    // A narrow value would be rounded between the ops, which a selection of
    // bits does not do.
    if (narrow)
      return failure();
    return plan(isa<arith::SelectOp>(root) ? SelectOp::getOperationName()
                                           : BitcastOp::getOperationName(),
                root->getOperands());
  }
  if (isPlainCast(root) && !narrow)
    return matchCast(root);
  std::optional<OperationName> name = elementwiseOpOf(root);
  if (!name)
    return m.refuse("'" + root->getName().getStringRef() +
                    "' is not a named op of the device");
  return plan(name->getStringRef(), root->getOperands());
}

/// The operation that a body computes; also truncf(op(extf(a), extf(b))), which
/// is the op on the narrow type.
static FailureOr<ElementwisePlan> matchOperation(Nest &nest, Operation *root,
                                                 Type element, Matcher &m) {
  auto plan =
      ElementwiseMatcher(nest, m, element, /*narrow=*/false).match(root);
  if (succeeded(plan))
    return plan;
  auto truncation = dyn_cast<arith::TruncFOp>(root);
  Operation *inner = truncation ? truncation.getIn().getDefiningOp() : nullptr;
  if (!inner || !isPlainCast(root) || isPlainCast(inner))
    return failure();
  Matcher ignored = m; // the reason of the first attempt says more
  return ElementwiseMatcher(nest, ignored, element, /*narrow=*/true)
      .match(inner);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

namespace {
/// Builds the op of a plan in the smallest shape that its operands broadcast
/// to, then broadcasts the result.
class ElementwiseBuilder {
public:
  ElementwiseBuilder(Conversion &c, Nest &nest)
      : c(c), nest(nest), loc(nest.op.getLoc()), out(*nest.outputDims(0)),
        type(tensorType(nest.init(0))), common(out.size(), 1) {}

  Value build(const ElementwisePlan &plan);

private:
  Value place(const Leaf &leaf);

  Conversion &c;
  Nest &nest;
  Location loc;
  DimList out;
  RankedTensorType type;
  SmallVector<int64_t> common; ///< Of the operands so far.
};
} // namespace

/// The leaf with one dimension per dimension of the result, of size 1 where it
/// does not vary.
Value ElementwiseBuilder::place(const Leaf &leaf) {
  if (leaf.constant)
    return splat(c.rewriter, loc, SmallVector<int64_t>(out.size(), 1),
                 leaf.constant);
  Value tensor =
      leaf.isInit ? definedContents(c, nest.op, leaf.tensor) : leaf.tensor;
  DimList dims = leaf.dims;
  // What is broadcast into a tensor can as well be broadcast by the op, which
  // then reads less. Broadcasts may be nested; each step names fewer
  // dimensions.
  while (auto broadcast = tensor.getDefiningOp<BroadcastOp>()) {
    tensor = broadcast.getOperand();
    DimList narrower;
    for (auto [i, dim] : llvm::enumerate(broadcast.getDims())) {
      bool repeats = tensorType(tensor).getDimSize(i) == 1;
      narrower.push_back(repeats ? unitDim : dims[dim]);
    }
    dims = narrower;
  }
  DimList target;
  SmallVector<int64_t> shape;
  for (auto [i, dim] : llvm::enumerate(out)) {
    bool present = dim != unitDim && llvm::is_contained(dims, dim);
    shape.push_back(present ? nest.extents[dim] : 1);
    common[i] = std::max(common[i], shape.back());
    if (present)
      target.push_back(dim);
  }
  return relayout(c.rewriter, loc, tensor, dims, target, nest.extents, shape);
}

Value ElementwiseBuilder::build(const ElementwisePlan &plan) {
  SmallVector<Value> operands;
  for (const Leaf &leaf : plan.operands)
    operands.push_back(place(leaf));
  // The op runs on the smallest shape: computing once and repeating the result
  // is cheaper than repeating the computation.
  if (plan.name.empty())
    return broadcastTo(c.rewriter, loc, operands.front(), type.getShape());
  OperationState state(loc, plan.name);
  state.addOperands(operands);
  state.addAttributes(plan.attributes);
  state.addTypes(RankedTensorType::get(common, plan.element));
  return broadcastTo(c.rewriter, loc, c.rewriter.create(state)->getResult(0),
                     type.getShape());
}

/// A fill, a copy, or a counter along one dimension; fails without a reason if
/// the body is none of these.
static LinalgMatch matchMovement(Nest &nest, Matcher &m) {
  Value yielded = nest.yielded(0);
  auto type = tensorType(nest.init(0));
  if (auto attr = constantOf(yielded)) {
    TypedAttr fill = *attr;
    // The device counts in i64.
    if (fill.getType().isIndex())
      fill = Builder(fill.getContext())
                 .getI64IntegerAttr(cast<IntegerAttr>(fill).getInt());
    return build([&nest, type, fill](Conversion &c) {
      return FillOp::create(c.rewriter, nest.op.getLoc(), type, fill);
    });
  }
  if (isLeaf(nest, yielded)) {
    ElementwiseMatcher matcher(nest, m, type.getElementType(), false);
    FailureOr<Leaf> leaf = matcher.leaf(yielded);
    if (failed(leaf))
      return failure();
    ElementwisePlan copy{"", {*leaf}, {}, type.getElementType()};
    return build([&nest, copy](Conversion &c) {
      return ElementwiseBuilder(c, nest).build(copy);
    });
  }
  Operation *counter = yielded.getDefiningOp();
  if (isa<arith::IndexCastOp>(counter))
    counter = counter->getOperand(0).getDefiningOp();
  auto index = dyn_cast_if_present<linalg::IndexOp>(counter);
  if (!index)
    return failure();
  // The position along a dimension of the result.
  DimList out = *nest.outputDims(0);
  auto at = llvm::find(out, int64_t(index.getDim()));
  if (at == out.end())
    return failure();
  return build([&nest, type, dim = at - out.begin()](Conversion &c) {
    return IotaOp::create(c.rewriter, nest.op.getLoc(), type, int64_t(dim));
  });
}

LinalgMatch fromlinalg::raiseElementwise(Nest &nest, Matcher &m) {
  // Reductions are raised elsewhere.
  if (llvm::any_of(llvm::seq(nest.numLoops()), [&](unsigned dim) {
        return nest.reduction[dim] && !nest.isUnit(dim);
      }))
    return failure();
  if (nest.numOutputs() != 1)
    return m.refuse("it has several results");
  auto out = nest.outputDims(0);
  // Elements that the nest does not write would have to come from the init.
  if (!out || llvm::any_of(llvm::seq(nest.numLoops()), [&](unsigned dim) {
        return !nest.isUnit(dim) && !llvm::is_contained(*out, int64_t(dim));
      }))
    return m.refuse("the result is not written by whole dimensions");
  Value yielded = nest.yielded(0);
  Operation *root = yielded.getDefiningOp();
  const bool computes = root && root->getBlock() == nest.body;
  if (!computes && !isLeaf(nest, yielded))
    return m.refuse("the result is a scalar from outside that is not a "
                    "constant");
  // Movements before operations: a copy has no op to look up.
  LinalgMatch movement = matchMovement(nest, m);
  if (succeeded(movement) || !computes || isLeaf(nest, yielded))
    return movement;
  Type element = getElementTypeOrSelf(nest.init(0));
  if (element.isIndex())
    element = IntegerType::get(element.getContext(), 64);
  auto plan = matchOperation(nest, root, element, m);
  if (failed(plan))
    return failure();
  return build([&nest, plan = *plan](Conversion &c) {
    return ElementwiseBuilder(c, nest).build(plan);
  });
}
