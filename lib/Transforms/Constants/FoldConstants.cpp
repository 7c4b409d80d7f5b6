// Computes small constant subexpressions: gaudi-fold-constants.
//
// What a front end leaves of per-channel parameters (variance + epsilon, its
// root, a reshape) is one constant afterwards. Rounding follows
// docs/kernel-semantics.md: every operation to f32, every tensor to its type.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include <cmath>

namespace mlir::gaudi {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
/// Most elements of a tensor computed at compile time.
constexpr int64_t maxElements = 1 << 16;

using Formula = float (*)(float, float);

/// The exactly rounded ops; functions stay with the engine that has them.
Formula formulaOf(Operation *op) {
  static const llvm::StringMap<Formula> table = {
      {"gaudi.tpc.add", [](float a, float b) { return a + b; }},
      {"gaudi.tpc.sub", [](float a, float b) { return a - b; }},
      {"gaudi.tpc.mul", [](float a, float b) { return a * b; }},
      {"gaudi.tpc.div", [](float a, float b) { return a / b; }},
      {"gaudi.tpc.neg", [](float a, float) { return -a; }},
      {"gaudi.tpc.abs", [](float a, float) { return std::fabs(a); }},
      {"gaudi.tpc.sqrt", [](float a, float) { return std::sqrt(a); }},
      {"gaudi.tpc.rsqrt", [](float a, float) { return 1 / std::sqrt(a); }},
      {"gaudi.tpc.reciprocal", [](float a, float) { return 1 / a; }},
      {"gaudi.tpc.cast", [](float a, float) { return a; }},
  };
  auto it = table.find(op->getName().getStringRef());
  return it == table.end() ? nullptr : it->second;
}

bool isSmallFloat(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return isa<Float32Type, BFloat16Type, Float16Type>(tensor.getElementType()) &&
         tensor.getNumElements() > 0 && tensor.getNumElements() <= maxElements;
}

/// A number of a narrower format, exactly.
float widened(APFloat number) {
  bool inexact = false;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToFloat();
}

/// The values of a small constant.
std::optional<SmallVector<float>> valuesOf(Value tensor) {
  auto constant = tensor.getDefiningOp<ConstantOp>();
  if (!constant || !isSmallFloat(tensor.getType()))
    return std::nullopt;
  SmallVector<float> values;
  if (auto resource =
          dyn_cast<DenseResourceElementsAttr>(constant.getValue())) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    auto type = cast<RankedTensorType>(tensor.getType());
    auto element = cast<FloatType>(type.getElementType());
    const size_t size = element.getWidth() / 8;
    if (!blob || blob->getData().size() != size_t(type.getNumElements()) * size)
      return std::nullopt;
    const char *bytes = blob->getData().data();
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      uint64_t bits = 0; // of the element; hosts are little-endian
      std::memcpy(&bits, bytes + size_t(i) * size, size);
      values.push_back(widened(APFloat(element.getFloatSemantics(),
                                       APInt(element.getWidth(), bits))));
    }
    return values;
  }
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!dense)
    return std::nullopt;
  for (const APFloat &value : dense.getValues<APFloat>())
    values.push_back(widened(value));
  return values;
}

DenseElementsAttr attributeOf(RankedTensorType type, ArrayRef<float> values) {
  if (type.getElementType().isF32())
    return DenseElementsAttr::get(type, values);
  SmallVector<APFloat> rounded;
  auto element = cast<FloatType>(type.getElementType());
  for (float value : values) {
    APFloat number(value);
    bool inexact = false;
    number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &inexact);
    rounded.push_back(number);
  }
  return DenseElementsAttr::get(type, rounded);
}

/// Row-major strides; 0 along dimensions of size 1, which repeat.
SmallVector<int64_t> repeatingStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 0);
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
    if (shape[i] != 1)
      strides[i] = stride;
  return strides;
}

/// values[i] for every element of `shape` in order, read with `strides`.
SmallVector<float> gathered(ArrayRef<float> values, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> strides) {
  SmallVector<float> result;
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t count = 1, at = 0;
  for (int64_t size : shape)
    count *= size;
  for (int64_t i = 0; i < count; ++i) {
    result.push_back(values[at]);
    for (size_t d = shape.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] < shape[d])
        break;
      at -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return result;
}

struct FoldConstants : impl::FoldConstantsBase<FoldConstants> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() == 1 && op->getNumOperands() >= 1 &&
          (isa<ReshapeOp, TransposeOp, BroadcastOp>(op) || formulaOf(op)))
        ops.push_back(op);
    });
    SmallVector<Operation *> operands;
    for (Operation *op : ops) {
      std::optional<SmallVector<float>> values = evaluate(op);
      if (!values)
        continue;
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      OpBuilder builder(op);
      Value constant =
          ConstantOp::create(builder, op->getLoc(), attributeOf(type, *values));
      remark::passed(op->getLoc(), remark::RemarkOpts::name("fold").category(
                                       "gaudi-fold-constants"))
          << remark::add("'{0}' of constants is a constant",
                         op->getName().getStringRef());
      op->getResult(0).replaceAllUsesWith(constant);
      for (Value operand : op->getOperands())
        operands.push_back(operand.getDefiningOp());
      op->erase();
      ++numFolded;
    }
    llvm::SmallPtrSet<Operation *, 8> erased;
    for (Operation *op : operands)
      if (!erased.contains(op) && op->use_empty()) {
        erased.insert(op);
        op->erase();
      }
  }

  static std::optional<SmallVector<float>> evaluate(Operation *op) {
    Type result = op->getResult(0).getType();
    if (!isSmallFloat(result))
      return std::nullopt;
    // Constants first: most ops have none.
    for (Value operand : op->getOperands())
      if (!operand.getDefiningOp<ConstantOp>())
        return std::nullopt;
    SmallVector<SmallVector<float>, 2> operands;
    for (Value operand : op->getOperands()) {
      std::optional<SmallVector<float>> values = valuesOf(operand);
      if (!values)
        return std::nullopt;
      operands.push_back(std::move(*values));
    }
    auto shape = cast<RankedTensorType>(result).getShape();
    auto from = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    if (isa<ReshapeOp>(op))
      return operands[0];
    SmallVector<int64_t> strides = repeatingStrides(from);
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      SmallVector<int64_t> permuted;
      for (int64_t dim : transpose.getPermutation())
        permuted.push_back(strides[dim]);
      return gathered(operands[0], shape, permuted);
    }
    if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
      SmallVector<int64_t> placed(shape.size(), 0);
      for (auto [i, dim] : llvm::enumerate(broadcast.getDims()))
        placed[dim] = strides[i];
      return gathered(operands[0], shape, placed);
    }
    Formula formula = formulaOf(op);
    SmallVector<float> a = gathered(operands[0], shape, strides), b = a;
    if (operands.size() > 1)
      b = gathered(
          operands[1], shape,
          repeatingStrides(
              cast<RankedTensorType>(op->getOperand(1).getType()).getShape()));
    for (auto [x, y] : llvm::zip(a, b))
      x = formula(x, y);
    return a;
  }
};
} // namespace
} // namespace mlir::gaudi
