// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom calls whose meaning is known: normalisations that exporters keep
// whole, marks, and a generator.
#include "Attention.h"
#include "Converter.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gaudi;

/// A float attribute of the call's own dictionary, as ByteIR writes it.
static std::optional<double> numberOf(Operation *op, StringRef name) {
  auto attributes = op->getAttrOfType<DictionaryAttr>("byteir_attrs");
  auto number = attributes ? attributes.getAs<FloatAttr>(name) : FloatAttr();
  if (!number)
    return std::nullopt;
  return number.getValueAsDouble();
}

/// Its axes, one integer or a list; empty if there is none.
static SmallVector<int64_t> axesOf(Operation *op, int64_t rank) {
  auto attributes = op->getAttrOfType<DictionaryAttr>("byteir_attrs");
  Attribute given = attributes ? attributes.get("axis") : Attribute();
  SmallVector<int64_t> axes;
  auto add = [&](Attribute entry) {
    if (auto number = dyn_cast<IntegerAttr>(entry))
      axes.push_back(number.getInt() < 0 ? number.getInt() + rank
                                         : number.getInt());
  };
  if (auto list = dyn_cast_or_null<ArrayAttr>(given))
    llvm::for_each(list, add);
  else if (given)
    add(given);
  llvm::sort(axes);
  for (int64_t axis : axes)
    if (axis < 0 || axis >= rank)
      return {};
  return axes;
}

static HloMatch matchSoftmax(Operation *op, HloMatcher &m) {
  if (failed(m.checkOperands(1)) || failed(m.checkSameShapes()))
    return failure();
  RankedTensorType type = tensorType(op->getOperand(0));
  SmallVector<int64_t> axes = axesOf(op, type.getRank());
  if (axes.size() != 1 || !isFloatElement(type.getElementType()))
    return m.refuse("a softmax needs floats and one 'axis' inside them");
  return build([op, axes](HloBuilder &b) {
    Value x = b.cast(op->getOperand(0), b.getF32Type());
    Value power =
        b.unary<ExpOp>(b.binary<SubOp>(x, b.reduce(ReduceKind::Max, x, axes)));
    Value share =
        b.binary<DivOp>(power, b.reduce(ReduceKind::Sum, power, axes));
    return b.cast(share, getElementTypeOrSelf(op->getResult(0)));
  });
}

/// Results: the normalised tensor and, if the call has three, the mean and the
/// reciprocal of the standard deviation.
static HloMatch matchLayerNorm(Operation *op, HloMatcher &m) {
  const size_t results = op->getNumResults();
  if (op->getNumOperands() != 3 || (results != 1 && results != 3))
    return m.refuse("a layer norm takes 3 operands and has 1 or 3 results");
  RankedTensorType type = tensorType(op->getOperand(0));
  SmallVector<int64_t> axes = axesOf(op, type.getRank());
  auto epsilon = numberOf(op, "epsilon");
  SmallVector<int64_t> inner;
  for (int64_t axis : axes)
    inner.push_back(type.getDimSize(axis));
  for (Value affine : op->getOperands().drop_front())
    if (tensorType(affine).getShape() != ArrayRef<int64_t>(inner))
      return m.refuse("scale and offset of a layer norm must have the shape of "
                      "its axes",
                      affine.getLoc(), "this operand");
  if (axes.empty() || !epsilon || !isFloatElement(type.getElementType()))
    return m.refuse("a layer norm needs floats, 'axis' and 'epsilon'");
  return build([op, axes, type, epsilon = *epsilon](HloBuilder &b) {
    Type f32 = b.getF32Type();
    Value x = b.cast(op->getOperand(0), f32);
    Value mean = b.reduce(ReduceKind::Mean, x, axes);
    Value centred = b.binary<SubOp>(x, mean);
    Value variance =
        b.reduce(ReduceKind::Mean, b.binary<MulOp>(centred, centred), axes);
    Value scale = b.unary<RsqrtOp>(
        b.binary<AddOp>(variance, b.number(epsilon, variance)));
    // Scale and offset along the axes, the same everywhere else.
    SmallVector<int64_t> shape(type.getRank(), 1);
    for (int64_t axis : axes)
      shape[axis] = type.getDimSize(axis);
    auto affine = [&](unsigned i) {
      return b.cast(b.reshape(op->getOperand(i), shape), f32);
    };
    Value y = b.binary<AddOp>(
        b.binary<MulOp>(b.binary<MulOp>(centred, scale), affine(1)), affine(2));
    // One rounding per result, at its end.
    SmallVector<Value> values{y, mean, scale};
    values.resize(op->getNumResults());
    for (auto [value, result] : llvm::zip_equal(values, op->getResults())) {
      value = b.cast(value, getElementTypeOrSelf(result));
      if (tensorType(value).getNumElements() ==
          tensorType(result).getNumElements())
        value = b.reshape(value, tensorType(result).getShape());
    }
    return values;
  });
}

/// x / 2 (1 + erf(x / sqrt 2)), or the approximation by tanh of Hendrycks and
/// Gimpel (2016).
static HloMatch matchGelu(Operation *op, HloMatcher &m) {
  if (failed(m.checkOperands(1)) || failed(m.checkSameShapes()))
    return failure();
  if (!isFloatElement(getElementTypeOrSelf(op->getOperand(0))))
    return m.refuse("a GELU needs floats");
  // Without the attribute it is the exact form.
  auto attributes = op->getAttrOfType<DictionaryAttr>("byteir_attrs");
  auto kind =
      attributes ? attributes.getAs<StringAttr>("approximate") : StringAttr();
  const StringRef form = kind ? kind.getValue() : StringRef("erf");
  if (form != "erf" && form != "tanh" && form != "none")
    return m.refuse("a GELU is approximated by 'erf' or 'tanh', not by '" +
                    form + "'");
  return build([op, isTanh = form == "tanh"](HloBuilder &b) {
    Value x = b.cast(op->getOperand(0), b.getF32Type());
    auto scaled = [&](Value value, double factor) {
      return b.binary<MulOp>(value, b.number(factor, value));
    };
    Value curve;
    if (isTanh) {
      Value cube = b.binary<MulOp>(b.binary<MulOp>(x, x), x);
      Value inner = b.binary<AddOp>(x, scaled(cube, 0.044715));
      curve = b.unary<TanhOp>(scaled(inner, 0.79788456080286536));
    } else {
      curve = b.unary<ErfOp>(scaled(x, 0.70710678118654752));
    }
    Value y =
        b.binary<MulOp>(scaled(x, 0.5), b.binary<AddOp>(curve, b.number(1, x)));
    return b.cast(y, getElementTypeOrSelf(op->getResult(0)));
  });
}

/// Where a tensor lies among devices: there is one.
static HloMatch matchMark(Operation *op, HloMatcher &m) {
  if (failed(m.checkOperands(1)) || failed(m.checkSameShapes()))
    return failure();
  return build([op](HloBuilder &) { return op->getOperand(0); });
}

HloMatch gaudi::matchCustomCall(Operation *op, HloMatcher &m) {
  const StringRef target = wordOf(op, "call_target_name");
  using Match = HloMatch (*)(Operation *, HloMatcher &);
  Match match =
      llvm::StringSwitch<Match>(target)
          .Case("byteir.softmax", matchSoftmax)
          .Case("byteir.layer_norm", matchLayerNorm)
          .Case("byteir.gelu", matchGelu)
          .Cases({"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
                  "annotate_device_placement"},
                 matchMark)
          .Cases({"cu_threefry2x32", "cu_threefry2x32_ffi",
                  "hip_threefry2x32_ffi"},
                 matchThreefryCall)
          .Cases({"__cudnn$fmhaSoftmax", "__cudnn$fmhaScaleBiasSoftmax",
                  "__cudnn$fmhaSoftmaxDropout",
                  "__cudnn$fmhaScaleBiasSoftmaxDropout"},
                 matchCudnnAttention)
          .Cases({"__cudnn$fmhaSoftmaxBackward",
                  "__cudnn$fmhaScaleBiasSoftmaxBackward",
                  "__cudnn$fmhaSoftmaxDropoutBackward",
                  "__cudnn$fmhaScaleBiasSoftmaxDropoutBackward"},
                 matchCudnnAttentionGrad)
          .Default(nullptr);
  if (!match)
    return m.refuse("no meaning is known for custom call '" + target +
                    "'; have the exporter write its ops instead");
  return match(op, m);
}
