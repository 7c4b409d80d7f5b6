// Parallel bodies that are one operation (with broadcasts and transposes in
// their access maps) to the named elementwise op; copies, broadcasts,
// transposes, fills and counters to the data movements they are.
#include "ElementwiseMatch.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

namespace {
/// Brings the leaves of a body into the shape of the result.
class Leaves {
public:
  Leaves(Conversion &c, Nest &nest, DimList out)
      : c(c), nest(nest), out(std::move(out)) {}

  /// Null if the value is no leaf: an argument, a constant, or a scalar read
  /// from a tensor of one element.
  Value get(Value value);
  /// The same with a narrow element type instead of the f32 it is widened to.
  Value getNarrow(Value value, Type narrow);
  bool isLeaf(Value value) const;
  /// The smallest shape that all the leaves taken so far repeat into.
  ArrayRef<int64_t> shape() const { return common; }
  /// Starts a new op.
  void reset() { common.assign(out.size(), 1); }
  std::string why;

private:
  Value place(Value tensor, ArrayRef<int64_t> dims);
  Value constant(TypedAttr attr);

  Conversion &c;
  Nest &nest;
  DimList out;
  SmallVector<int64_t> common;
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

bool Leaves::isLeaf(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == nest.body;
  if (constantOf(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op->getBlock() != nest.body && sourceOfScalar(value);
}

Value Leaves::place(Value tensor, ArrayRef<int64_t> tensorDims) {
  DimList dims(tensorDims);
  // What is repeated into a tensor can as well be repeated by the op.
  while (auto broadcast = tensor.getDefiningOp<BroadcastOp>()) {
    tensor = broadcast.getOperand();
    DimList narrower;
    for (auto [i, dim] : llvm::enumerate(broadcast.getDims())) {
      bool repeats =
          cast<RankedTensorType>(tensor.getType()).getDimSize(i) == 1;
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
  return relayout(c.rewriter, nest.op.getLoc(), tensor, dims, target,
                  nest.extents, shape);
}

Value Leaves::constant(TypedAttr attr) {
  Builder &b = c.rewriter;
  if (attr.getType().isIndex())
    attr = b.getI64IntegerAttr(cast<IntegerAttr>(attr).getInt());
  if (!isDeviceElement(attr.getType()))
    return {};
  return splat(c.rewriter, nest.op.getLoc(),
               SmallVector<int64_t>(out.size(), 1), attr);
}

Value Leaves::get(Value value) {
  why = "an operand is read at other positions than whole dimensions";
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned number = argument.getArgNumber();
    if (number < nest.numInputs()) {
      Value source = nest.input(number);
      if (!isa<RankedTensorType>(source.getType()))
        return get(source);
      auto dims = nest.inputDims(number);
      return dims ? place(source, *dims) : Value();
    }
    auto dims = nest.outputDims(number - nest.numInputs());
    if (!dims)
      return {};
    return place(
        definedContents(c, nest.op, nest.init(number - nest.numInputs())),
        *dims);
  }
  if (auto attr = constantOf(value))
    return constant(*attr);
  if (Value source = sourceOfScalar(value))
    return place(source, {});
  return {};
}

Value Leaves::getNarrow(Value value, Type narrow) {
  if (auto wide = value.getDefiningOp<arith::ExtFOp>();
      wide && wide.getIn().getType() == narrow && isLeaf(wide.getIn()))
    return get(wide.getIn());
  auto constantAttr = constantOf(value);
  auto attr = constantAttr ? dyn_cast<FloatAttr>(*constantAttr) : FloatAttr();
  if (!attr)
    return {};
  bool losesInfo = false;
  APFloat rounded = attr.getValue();
  rounded.convert(cast<FloatType>(narrow).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
  return losesInfo ? Value() : constant(FloatAttr::get(narrow, rounded));
}

//===----------------------------------------------------------------------===//
// Raising
//===----------------------------------------------------------------------===//

namespace {
class ElementwiseRaiser {
public:
  ElementwiseRaiser(Conversion &c, Nest &nest, DimList out, std::string &why)
      : c(c), nest(nest), leaves(c, nest, out), why(why),
        type(cast<RankedTensorType>(nest.init(0).getType())) {}

  Value raise();

private:
  Value raiseOp(Operation *root, Type element);
  Value raiseMovement(Value yielded);
  Value create(StringRef name, ValueRange operands, Type element,
               ArrayRef<NamedAttribute> attrs = {});
  /// A leaf as it is, or behind a widening from the narrow type `element`.
  Value leaf(Value value, Type element) {
    Value result = narrow ? leaves.getNarrow(value, element) : Value();
    if (!result && !narrow && leaves.isLeaf(value))
      result = leaves.get(value);
    if (!result)
      why = leaves.isLeaf(value) && !narrow
                ? leaves.why
                : "the body is more than one operation";
    return result;
  }

  Conversion &c;
  Nest &nest;
  Leaves leaves;
  std::string &why;
  RankedTensorType type;
  bool narrow = false;
};
} // namespace

Value ElementwiseRaiser::create(StringRef name, ValueRange operands,
                                Type element, ArrayRef<NamedAttribute> attrs) {
  OperationState state(nest.op.getLoc(), ("gaudi.tpc." + name).str());
  state.addOperands(operands);
  state.addAttributes(attrs);
  state.addTypes(RankedTensorType::get(leaves.shape(), element));
  return c.rewriter.create(state)->getResult(0);
}

Value ElementwiseRaiser::raiseMovement(Value yielded) {
  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  if (auto attr = constantOf(yielded)) {
    if (attr->getType().isIndex())
      attr = b.getI64IntegerAttr(cast<IntegerAttr>(*attr).getInt());
    return FillOp::create(b, loc, type, *attr);
  }
  Value value = leaf(yielded, type.getElementType());
  return value ? broadcastTo(b, loc, value, type.getShape()) : Value();
}

Value ElementwiseRaiser::raiseOp(Operation *root, Type element) {
  OpBuilder &b = c.rewriter;
  SmallVector<Value> operands;
  auto take = [&](ValueRange values) {
    for (Value value : values) {
      Value operand = leaf(value, element);
      if (!operand)
        return false;
      operands.push_back(operand);
    }
    return true;
  };
  Value x, bound;
  if (StringRef name = matchMaxBySelect(root, x, bound); !name.empty())
    return take({x, bound}) ? create(name, operands, element) : Value();
  if (Value operand = matchSigmoid(root))
    return take(operand) ? create("sigmoid", operands, element) : Value();
  if (auto clamp = matchClamp(root)) {
    if (!take(clamp->operand))
      return {};
    SmallVector<NamedAttribute> attrs{b.getNamedAttr("min", clamp->low),
                                      b.getNamedAttr("max", clamp->high)};
    if (clamp->ignoreNan)
      attrs.push_back(b.getNamedAttr("ignore_nan", b.getUnitAttr()));
    return create("clamp", operands, element, attrs);
  }
  if (isa<arith::DivFOp>(root) && isOne(root->getOperand(0)))
    return take(root->getOperand(1)) ? create("reciprocal", operands, element)
                                     : Value();
  if (isa<arith::CmpFOp, arith::CmpIOp>(root)) {
    why = "gaudi.tpc.compare does not have the predicate";
    auto predicate = predicateOf(root);
    if (!predicate || narrow || !take(root->getOperands()))
      return {};
    auto attr = ComparePredicateAttr::get(b.getContext(), *predicate);
    return create("compare", operands, b.getI1Type(),
                  b.getNamedAttr("predicate", attr));
  }
  if (isa<arith::SelectOp>(root)) {
    if (narrow || !take(root->getOperands()))
      return {};
    return create("select", operands, element);
  }
  if (auto bits = dyn_cast<arith::BitcastOp>(root)) {
    if (narrow || !take(bits.getIn()))
      return {};
    return BitcastOp::create(b, root->getLoc(),
                             RankedTensorType::get(leaves.shape(), element),
                             operands.front());
  }
  if (isPlainCast(root) && !narrow) {
    Value source = root->getOperand(0);
    auto even = source.getDefiningOp<math::RoundEvenOp>();
    bool toEven = even && isa<arith::FPToSIOp>(root);
    if (!take(toEven ? even.getOperand() : source))
      return {};
    // index and i64 are one type here.
    if (getElementTypeOrSelf(operands.front()) == element)
      return operands.front();
    SmallVector<NamedAttribute> attrs;
    if (toEven)
      attrs.push_back(b.getNamedAttr(
          "rounding",
          RoundingModeAttr::get(b.getContext(), RoundingMode::NearestEven)));
    return create("cast", operands, element, attrs);
  }
  StringRef name = namedOpFor(root);
  why =
      ("'" + root->getName().getStringRef() + "' is no named op of the device")
          .str();
  if (name.empty() || !take(root->getOperands()))
    return {};
  return create(name, operands, element);
}

Value ElementwiseRaiser::raise() {
  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  Value yielded = nest.yielded(0);
  leaves.reset();
  if (leaves.isLeaf(yielded))
    return raiseMovement(yielded);
  Operation *root = yielded.getDefiningOp();
  if (!root || root->getBlock() != nest.body) {
    why = "the result is a scalar from outside that is not a constant";
    return {};
  }
  // A counter along one dimension.
  Operation *counter = root;
  if (isa<arith::IndexCastOp>(root))
    counter = root->getOperand(0).getDefiningOp();
  if (auto index = dyn_cast_if_present<linalg::IndexOp>(counter)) {
    auto dims = nest.outputDims(0);
    auto at = llvm::find(*dims, int64_t(index.getDim()));
    if (at != dims->end())
      return IotaOp::create(b, loc, type, int64_t(at - dims->begin()));
  }
  Type element = type.getElementType();
  if (element.isIndex())
    element = b.getI64Type();
  Value result = raiseOp(root, element);
  if (!result) {
    // truncf(op(extf(a), extf(b))) on a narrow type is the op on that type.
    auto truncation = dyn_cast<arith::TruncFOp>(root);
    Operation *inner =
        truncation ? truncation.getIn().getDefiningOp() : nullptr;
    if (!inner || !isPlainCast(root) || isPlainCast(inner))
      return {};
    std::string firstWhy = why;
    narrow = true;
    leaves.reset();
    result = raiseOp(inner, element);
    if (!result)
      return why = firstWhy, Value();
  }
  return broadcastTo(b, loc, result, type.getShape());
}

Raised fromlinalg::raiseElementwise(Conversion &c, Nest &nest,
                                    std::string &why) {
  why = "";
  if (llvm::any_of(llvm::seq(nest.numLoops()), [&](unsigned dim) {
        return nest.reduction[dim] && !nest.isUnit(dim);
      }))
    return std::nullopt;
  why = "it has several results";
  if (nest.numOutputs() != 1)
    return std::nullopt;
  why = "the result is not written by whole dimensions";
  auto out = nest.outputDims(0);
  if (!out || llvm::any_of(llvm::seq(nest.numLoops()), [&](unsigned dim) {
        return !nest.isUnit(dim) && !llvm::is_contained(*out, int64_t(dim));
      }))
    return std::nullopt;
  Value result = ElementwiseRaiser(c, nest, *out, why).raise();
  if (!result)
    return std::nullopt;
  return SmallVector<Value>{result};
}
