// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers of unverified attributes, and the builders of the StableHLO patterns.
#include "Converter.h"
#include "../Common/Elements.h"
#include "../Common/PointKernel.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

// Why ops have no form on one card with static shapes.
static constexpr StringLiteral ofComplex =
    "the device has no complex numbers; write real and imaginary parts as two "
    "tensors";
static constexpr StringLiteral ofHost =
    "it exchanges data with the host during a launch; pass an argument or "
    "return a result";
static constexpr StringLiteral ofShape =
    "its shape is known only when it runs; static shapes only";
static constexpr StringLiteral ofQuantized =
    "quantized types are not supported; write scales and zero points as ops";

/// "; did you mean stablehlo.tanh?" of an op that StableHLO does not have.
static std::string meantBy(Operation *op) {
  const auto [dialect, name] = op->getName().getStringRef().split('.');
  StringRef nearest;
  unsigned best = 2; // edits: too many
  for (const StringRef known : {
#define HLO_OP(kind, name, rule, traits) StringRef(name),
#include "Gaudi/Conversion/StablehloOps.def"
       })
    if (const unsigned edits = name.edit_distance(known); edits < best) {
      best = edits;
      nearest = known;
    }
  return nearest.empty()
             ? ""
             : ("; did you mean " + dialect + "." + nearest + "?").str();
}

HloMatch gaudi::matchHlo(Operation *op, HloMatcher &m) {
  constexpr int any = -1;
  auto match = [&](int operands, HloPattern pattern) -> HloMatch {
    if (failed(m.checkTypes()) ||
        (operands != any && failed(m.checkOperands(size_t(operands)))))
      return failure();
    return pattern(op, m);
  };
  switch (hloOf(op)) {
#define HLO_UNARY(kind, name, elements, traits)                                \
  case Hlo::kind:                                                              \
    return match(1, matchElementwise);
#define HLO_BINARY(kind, name, elements, ofBool, traits)                       \
  case Hlo::kind:                                                              \
    return match(2, matchElementwise);
#define HLO_MATCHED(kind, name, operands, pattern, rule, traits)               \
  case Hlo::kind:                                                              \
    return match(operands, match##pattern);
#define HLO_REFUSED(kind, name, why, rule, traits)                             \
  case Hlo::kind:                                                              \
    return m.refuse(why);
#include "Gaudi/Conversion/StablehloOps.def"
  default:
    return m.refuse("the op is not supported" + meantBy(op));
  }
}

//===----------------------------------------------------------------------===//
// Matcher
//===----------------------------------------------------------------------===//

static std::string whyNoDeviceType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return "is not a ranked tensor";
  for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
    if (ShapedType::isDynamic(size))
      return ("has the dynamic dimension " + Twine(dim) +
              "; static shapes only")
          .str();
  if (tensor.getRank() > int64_t(gaudi::kernel::maxRank))
    return ("has more than " + Twine(gaudi::kernel::maxRank) + " dimensions")
        .str();
  if (isa<ComplexType>(tensor.getElementType()))
    return "is complex; the device has no complex numbers: write real and "
           "imaginary parts as two tensors";
  if (tensor.getElementType().isF64())
    return "is of f64, " + whyNoElement(tensor.getElementType());
  int64_t count = 1;
  for (int64_t size : tensor.getShape())
    if (llvm::MulOverflow(count, size, count) ||
        count > gaudi::kernel::maxTensorElements)
      return ("has more than " + Twine(gaudi::kernel::maxTensorElements) +
              " elements")
          .str();
  if (!isDeviceElement(tensor.getElementType()))
    return ("has an element type that is not one of the device (" +
            deviceElements + ")")
        .str();
  return "";
}

LogicalResult HloMatcher::checkTypes() {
  auto check = [&](TypeRange types, StringRef what) {
    for (auto [i, type] : llvm::enumerate(types))
      if (std::string why = whyNoDeviceType(type); !why.empty())
        return refuse(what + " " + Twine(i) + " of type '" + spelled(type) +
                      "' " + why);
    return success();
  };
  if (failed(check(getOperation()->getOperandTypes(), "operand")))
    return failure();
  return check(getOperation()->getResultTypes(), "result");
}

LogicalResult HloMatcher::checkOperands(size_t count) {
  size_t got = getOperation()->getNumOperands();
  if (got == count)
    return checkResults(1);
  return refuse("expected " + Twine(count) + " operands but got " + Twine(got));
}

LogicalResult HloMatcher::checkResults(size_t count) {
  size_t got = getOperation()->getNumResults();
  if (got == count)
    return success();
  return refuse("expected " + Twine(count) + " results but got " + Twine(got));
}

LogicalResult HloMatcher::checkSameShapes(size_t first) {
  RankedTensorType result = tensorType(getOperation()->getResult(0));
  for (Value operand : getOperation()->getOperands().drop_front(first))
    if (tensorType(operand).getShape() != result.getShape())
      return refuse("the result of type '" + spelled(result) +
                        "' has another shape than the operand of type '" +
                        spelled(operand.getType()) + "'",
                    operand.getLoc(), "the operand");
  return success();
}

LogicalResult HloMatcher::checkKernelDims(ArrayRef<int64_t> shape,
                                          size_t loops) {
  const size_t count = shape.size() + loops;
  if (count > maxKernelDims)
    return refuse("it needs a TPC kernel of " + Twine(count) +
                  " dimensions; there are at most " + Twine(maxKernelDims));
  // Dimensions that are not parallel are a loop, and loops do not nest.
  if (loops > 0 && llvm::is_contained(parallelDims(shape), false))
    return refuse("it needs a TPC kernel with a loop and " +
                  Twine(shape.size()) +
                  " parallel dimensions; there are at "
                  "most " +
                  Twine(maxParallelDims));
  return success();
}

Attribute HloMatcher::attribute(StringRef name) const {
  return dictionary ? dictionary.get(name) : getOperation()->getAttr(name);
}

FailureOr<SmallVector<int64_t>> HloMatcher::ints(StringRef name) {
  Attribute given = attribute(name);
  if (!given)
    return refuse("attribute '" + name + "' is missing");
  // Padding has the longest list, two numbers per dimension. A splat of any
  // size is a few bytes of text.
  if (auto dense = dyn_cast<DenseIntElementsAttr>(given);
      dense && dense.getNumElements() > 2 * int64_t(gaudi::kernel::maxRank))
    return refuse("attribute '" + name + "' has " +
                  Twine(dense.getNumElements()) + " entries");
  if (auto numbers = integersOf(given))
    return *numbers;
  return refuse("attribute '" + name +
                (isa<ArrayAttr>(given) ? "' has an entry that is no integer"
                                       : "' is not a list of integers"));
}

FailureOr<SmallVector<int64_t>> HloMatcher::ints(StringRef name,
                                                 ArrayRef<int64_t> absent) {
  if (!attribute(name))
    return SmallVector<int64_t>(absent);
  return ints(name);
}

FailureOr<SmallVector<int64_t>>
HloMatcher::intsPerDim(StringRef name, size_t count, int64_t absent) {
  auto numbers = ints(name, SmallVector<int64_t>(count, absent));
  if (succeeded(numbers) && numbers->size() != count)
    return refuse("attribute '" + name + "' has " + Twine(numbers->size()) +
                  " entries; expected " + Twine(count));
  return numbers;
}

FailureOr<int64_t> HloMatcher::integer(StringRef name, int64_t low,
                                       int64_t high) {
  auto numbers = ints(name);
  if (failed(numbers))
    return failure();
  if (low >= high)
    return refuse("attribute '" + name + "' names a dimension of a scalar");
  if (numbers->size() != 1 || numbers->front() < low ||
      numbers->front() >= high)
    return refuse("attribute '" + name + "' must be one number from " +
                  Twine(low) + " to " + Twine(high - 1));
  return numbers->front();
}

FailureOr<int64_t> HloMatcher::integer(StringRef name, int64_t low,
                                       int64_t high, int64_t absent) {
  if (!attribute(name))
    return absent;
  return integer(name, low, high);
}

FailureOr<SmallVector<int64_t>> HloMatcher::dims(StringRef name, size_t rank) {
  auto numbers = ints(name, {});
  if (failed(numbers))
    return failure();
  SmallVector<bool> seen(rank);
  for (int64_t dim : *numbers) {
    if (dim < 0 || dim >= int64_t(rank) || seen[dim])
      return refuse("attribute '" + name + "' has entry " + Twine(dim) +
                    "; expected distinct dimensions of a tensor of rank " +
                    Twine(rank));
    seen[dim] = true;
  }
  return numbers;
}

LogicalResult HloMatcher::checkPositions(int64_t dim, int64_t positions,
                                         const SlidingWindow &w) {
  // Both saturate; a tensor or a window of that size is refused.
  const int64_t size = w.size > 0 ? lastPosition(1, w.size, w.dilation) : 0;
  const int64_t reach =
      w.window > 0 ? lastPosition(1, w.window, w.windowDilation) : 1;
  if (size > gaudi::kernel::maxTensorElements)
    return refuse("dimension " + Twine(dim) + " of size " + Twine(w.size) +
                  " cannot be dilated by " + Twine(w.dilation));
  if (reach > gaudi::kernel::maxIndex)
    return refuse("the window of dimension " + Twine(dim) + " is too large");
  const int64_t room = size + w.low + w.high - reach;
  const int64_t expected = room < 0 ? 0 : room / w.stride + 1;
  if (positions == expected)
    return success();
  return refuse("dimension " + Twine(dim) + " has " + Twine(positions) +
                " window positions; expected " + Twine(expected));
}

FailureOr<HloMatcher> HloMatcher::fields(StringRef name) {
  auto given = dyn_cast_or_null<DictionaryAttr>(attribute(name));
  if (!given)
    return refuse("attribute '" + name + "' is missing or has no fields");
  HloMatcher inner = *this;
  inner.dictionary = given;
  return inner;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

TypedAttr gaudi::splatConstant(Value value) {
  // Looks through what keeps every element equal.
  while (isa_and_nonnull<BroadcastOp, ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto constant = value.getDefiningOp<gaudi::ConstantOp>();
  if (!constant)
    return {};
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements || !(elements.isSplat() || elements.getNumElements() == 1))
    return {};
  return cast<TypedAttr>(elements.getSplatValue<Attribute>());
}

std::optional<SmallVector<int64_t>> gaudi::constantIntegers(Value value) {
  auto values = ConstantValues::of(value);
  if (!values || !isa<IntegerType>(values->getType().getElementType()))
    return std::nullopt;
  return values->integers();
}

//===----------------------------------------------------------------------===//
// Builder
//===----------------------------------------------------------------------===//

static remark::RemarkOpts remarkOptions(StringRef name) {
  return remark::RemarkOpts::name(name).category("convert-stablehlo-to-gaudi");
}

void HloBuilder::remarkRaised(Operation *op, StringRef name, const Twine &why) {
  remark::passed(op->getLoc(), remarkOptions("raise"))
      << ("raised to " + name + ": " + why).str();
}

void HloBuilder::remarkKernel(Operation *op, const Twine &why) {
  remark::missed(op->getLoc(), remarkOptions("raise"))
      << ("generic kernel: " + why).str();
}

void HloBuilder::remarkWrittenOut(Operation *op, Value written, Value operand) {
  remark::missed(op->getLoc(), remarkOptions("write-out"))
      << ("wrote out " + Twine(elementCount(written)) + " elements, " +
          Twine(elementCount(operand)) +
          " of them the operand's: no op of the device reads a dilated operand")
             .str();
}

Value HloBuilder::broadcast(Value value, ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> dims) {
  RankedTensorType type = tensorType(value);
  // gaudi.broadcast takes ascending dimensions.
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
  SmallVector<int64_t> ascending;
  for (int64_t i : order)
    ascending.push_back(dims[i]);
  value = transpose(value, order);
  RankedTensorType result = type.clone(shape);
  if (result.getNumElements() == type.getNumElements())
    return reshape(value, shape);
  return BroadcastOp::create(*this, result, value, ascending);
}

Value HloBuilder::reverse(Value value, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> left;
  for (int64_t dim : dims)
    if (tensorType(value).getDimSize(dim) != 1)
      left.push_back(dim);
  if (left.empty())
    return value;
  // What is reversed twice is in order.
  if (auto inner = value.getDefiningOp<ReverseOp>()) {
    for (int64_t dim : inner.getDims()) {
      auto *twice = llvm::find(left, dim);
      if (twice == left.end())
        left.push_back(dim);
      else
        left.erase(twice);
    }
    return reverse(inner.getOperand(), left);
  }
  // Before a transpose of a reversal, where it may undo that one.
  if (auto transposed = value.getDefiningOp<TransposeOp>();
      transposed && transposed.getOperand().getDefiningOp<ReverseOp>()) {
    for (int64_t &dim : left)
      dim = transposed.getPermutation()[dim];
    return transpose(reverse(transposed.getOperand(), left),
                     transposed.getPermutation());
  }
  llvm::sort(left);
  return ReverseOp::create(*this, value.getType(), value, left);
}

Value HloBuilder::withRank(Value value, int64_t rank) {
  assert(tensorType(value).getNumElements() == 1 && "a scalar");
  return reshape(value, SmallVector<int64_t>(rank, 1));
}

Value HloBuilder::splat(RankedTensorType type, TypedAttr value) {
  return gaudi::ConstantOp::create(*this, DenseElementsAttr::get(type, value));
}

Value HloBuilder::empty(Type type) {
  return gaudi::ConstantOp::create(*this,
                                   DenseElementsAttr::getFromRawBuffer(
                                       llvm::cast<RankedTensorType>(type), {}));
}

Value HloBuilder::compare(ComparePredicate predicate, Value x, Value y) {
  return CompareOp::create(*this, tensorType(x).clone(getI1Type()), predicate,
                           x, y);
}

Value HloBuilder::select(Value condition, Value x, Value y) {
  Type type = RankedTensorType::get(tensorType(condition).getShape(),
                                    tensorType(x).getElementType());
  return SelectOp::create(*this, type, condition, x, y);
}

Value HloBuilder::reduce(ReduceKind kind, Value x, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape(tensorType(x).getShape());
  for (int64_t axis : axes)
    shape[axis] = 1;
  return ReduceOp::create(*this, tensorType(x).clone(shape), kind, x, axes,
                          /*keep_dims=*/true);
}

Value HloBuilder::number(double value, Value like) {
  SmallVector<int64_t> ones(tensorType(like).getRank(), 1);
  return splat(RankedTensorType::get(ones, getF32Type()),
               FloatAttr::get(getF32Type(), value));
}

Value HloBuilder::integer(int64_t value, Value like) {
  RankedTensorType type = tensorType(like);
  SmallVector<int64_t> ones(type.getRank(), 1);
  return splat(type.clone(ones), getIntegerAttr(type.getElementType(), value));
}

SmallVector<Value> HloBuilder::pointKernel(Operation *op, TypeRange results,
                                           ValueRange inputs,
                                           ArrayRef<int64_t> loops,
                                           PointValues point) {
  return gaudi::pointKernel(*this, op->getName().getStringRef(), results,
                            inputs, loops, point);
}

Value HloBuilder::pointKernel(
    Operation *op, RankedTensorType result, ValueRange inputs,
    ArrayRef<int64_t> loops, llvm::function_ref<Value(KernelBuilder &)> point) {
  auto one = [&](KernelBuilder &k) { return SmallVector<Value>{point(k)}; };
  return pointKernel(op, TypeRange(result), inputs, loops, one).front();
}
