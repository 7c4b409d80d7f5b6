// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which narrow float types hold all elements of a tensor exactly.
#include "NarrowValues.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Support/FloatFormats.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;
using gaudi::FloatFormat;

SmallVector<FloatType, 4> gaudi::narrowTypes(MLIRContext *context) {
  return {Float8E4M3FNType::get(context), Float8E5M2Type::get(context),
          BFloat16Type::get(context), Float16Type::get(context)};
}

namespace {
// Bits of sets, in the order of narrowTypes().
enum : unsigned { E4M3 = 1, E5M2 = 2, BF16 = 4, F16 = 8, All = 15 };

/// The format of each bit.
constexpr FloatFormat formats[] = {gaudi::formatF8E4M3FN, gaudi::formatF8E5M2,
                                   gaudi::formatBF16, gaudi::formatF16};
} // namespace

/// The narrow types that hold all numbers of `type`: bf16 and f16 have the
/// exponents and digits of both 8-bit formats; neither has those of the other.
/// Of small integers, all digits count: 8 for bf16, 11 for f16.
static unsigned typesHolding(Type type) {
  return llvm::TypeSwitch<Type, unsigned>(type)
      .Case([](Float8E4M3FNType) { return E4M3 | BF16 | F16; })
      .Case([](Float8E5M2Type) { return E5M2 | BF16 | F16; })
      .Case([](BFloat16Type) { return BF16; })
      .Case([](Float16Type) { return F16; })
      .Case([](IntegerType integer) -> unsigned {
        return integer.getWidth() == 1   ? All
               : integer.getWidth() <= 8 ? BF16 | F16
                                         : 0;
      })
      .Default(0u);
}

/// The bit of a narrow type.
static unsigned bitOf(Type type) {
  return isa<Float8E4M3FNType>(type) ? E4M3
         : isa<Float8E5M2Type>(type) ? E5M2
         : type.isBF16()             ? BF16
                                     : F16;
}

static bool isNarrow(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
}

/// True if `format` has the number with these bits of f32: an odd significand
/// times a power of two, whose highest and lowest digit must both be in range.
static bool holds(FloatFormat format, uint32_t bits) {
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude == 0 || magnitude > 0x7f800000u)
    return true; // a zero or NaN
  if (magnitude == 0x7f800000u)
    return !format.finiteOnly;
  const uint32_t fraction = magnitude & 0x7fffffu;
  const bool isNormal = magnitude >> 23 != 0;
  const uint32_t digits = isNormal ? fraction | 1u << 23 : fraction;
  const int unit = (isNormal ? int(magnitude >> 23) : 1) - 150;
  const int zeros = llvm::countr_zero(digits);
  const int highest = unit + int(llvm::Log2_32(digits));
  const int largest =
      (1 << format.exponentBits) - 1 - format.bias() - !format.finiteOnly;
  if (highest > largest)
    return false;
  const int last =
      std::max(highest, 1 - format.bias()) - int(format.mantissaBits);
  if (unit + zeros < last)
    return false;
  // All ones are NaN there.
  return !format.finiteOnly || highest < largest ||
         digits >> zeros != (2u << format.mantissaBits) - 1;
}

/// Stops at the first number that no type holds, so long constants of f32 cost
/// little.
static unsigned typesHolding(const ConstantValues &values) {
  if (!values.getType().getElementType().isF32())
    return typesHolding(values.getType().getElementType());
  unsigned types = All;
  const int64_t count =
      values.isSplat() ? std::min<int64_t>(1, values.size()) : values.size();
  for (int64_t i = 0; i < count && types; ++i)
    for (auto [type, format] : llvm::enumerate(formats))
      if (types >> type & 1 && !holds(format, values.get<uint32_t>(i)))
        types &= ~(1u << type);
  return types;
}

bool gaudi::picks(Operation *op) {
  return isa<TransposeOp, ReshapeOp, BroadcastOp, SliceOp, SplitOp, CopyOp,
             ConcatOp, InsertSliceOp, PadOp, GatherOp, GatherElementsOp,
             ReverseOp, NegOp, AbsOp, MaxOp, MinOp, SelectOp>(op);
}

/// The types that hold a scalar attribute.
static unsigned typesHolding(TypedAttr value) {
  auto number = dyn_cast_or_null<FloatAttr>(value);
  unsigned types = 0;
  for (auto [type, format] : llvm::enumerate(formats))
    if (number &&
        holds(format, gaudi::bitsOf(float(number.getValueAsDouble()))))
      types |= 1u << type;
  return types;
}

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

Exactness NarrowValues::exactnessOf(Operation *op) const {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto values = ConstantValues::of(constant.getResult());
    return {values ? typesHolding(*values) : 0, false};
  }
  if (auto fill = dyn_cast<FillOp>(op))
    return {typesHolding(fill.getValue()), false};
  // Casts keep what is known, as long as they do not round.
  if (isa<CastOp>(op)) {
    Value from = op->getOperand(0);
    Type to = getElementTypeOrSelf(op->getResult(0));
    if (!isFloat(from))
      return {typesHolding(getElementTypeOrSelf(from)), false};
    // A cast to a narrow type that does not hold all of them rounds.
    const bool isExact =
        to.isF32() || (isNarrow(to) && isHeld(from, cast<FloatType>(to)));
    return isExact ? of(from) : Exactness();
  }
  // Ops that compute have values that no operand has.
  if (!picks(op))
    return {};
  // An op that picks elements has all types that each operand has.
  Exactness result{All, false};
  for (Value operand : op->getOperands()) {
    if (!isFloat(operand))
      continue;
    const Exactness source = of(operand);
    result.types &= source.types;
    result.isWidened |= source.isWidened;
  }
  if (auto pad = dyn_cast<PadOp>(op); pad && pad.getValue())
    result.types &= typesHolding(*pad.getValue());
  return result;
}

bool NarrowValues::isHeld(Value tensor, FloatType type) const {
  return known.lookup(tensor).types & bitOf(type);
}

NarrowValues::NarrowValues(func::FuncOp function) {
  auto casts = function.getOps<CastOp>();
  widens = llvm::any_of(casts, [](CastOp cast) {
    Type from = getElementTypeOrSelf(cast.getOperand());
    Type to = getElementTypeOrSelf(cast.getResult());
    return isNarrow(from) && isa<FloatType>(to) &&
           from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  });
  // Without a widening cast nothing can be narrowed.
  if (!widens)
    return;
  auto learn = [&](Value value, Exactness fact) {
    Type element = getElementTypeOrSelf(value);
    if (!isa<FloatType>(element))
      return;
    // A value of a narrow type holds what it is, whatever computed it.
    fact.types |= typesHolding(element);
    fact.isWidened |= isNarrow(element);
    known[value] = fact;
  };
  for (Value argument : function.getArguments())
    learn(argument, {});
  // One block: operands come first.
  for (Operation &op : function.getOps()) {
    const Exactness fact = exactnessOf(&op);
    for (Value result : op.getResults())
      learn(result, fact);
  }
}

ElementsAttr gaudi::narrowed(const ConstantValues &values, FloatType type,
                             double scale, double most) {
  const FloatFormat format = formats[llvm::Log2_32(bitOf(type))];
  RankedTensorType to = values.getType().clone(type);
  const int64_t count =
      values.isSplat() ? std::min<int64_t>(1, values.size()) : values.size();
  const int64_t width = elementBytes(type);
  auto blob = HeapAsmResourceBlob::allocate(count * width, alignof(int64_t),
                                            /*dataIsMutable=*/true);
  MutableArrayRef<char> bytes = blob.getMutableData();
  for (int64_t i = 0; i < count; ++i) {
    double value = double(values.number(i)) * scale;
    if (std::fabs(value) > most)
      value = std::copysign(most, value);
    const uint32_t bits = gaudi::encodeFloat(value, format);
    std::memcpy(bytes.data() + i * width, &bits, width); // little-endian
  }
  if (count <= maxFoldedElements)
    return DenseElementsAttr::getFromRawBuffer(to, bytes);
  return DenseResourceElementsAttr::get(to, "narrowed", std::move(blob));
}

/// A new tensor is made of `tensor` itself: it is no result of an op that is
/// followed, or its type is one that `type` holds.
static bool isSource(Value tensor, unsigned ofType) {
  Operation *op = tensor.getDefiningOp();
  const bool isFollowed =
      op && (picks(op) || isa<CastOp, ConstantOp, FillOp>(op));
  return !isFollowed || typesHolding(getElementTypeOrSelf(tensor)) & ofType;
}

SmallVector<Value> NarrowValues::needs(Value tensor, FloatType type) const {
  SmallVector<Value> operands;
  if (!isSource(tensor, bitOf(type)))
    for (Value operand : tensor.getDefiningOp()->getOperands())
      if (isFloat(operand) && getElementTypeOrSelf(operand) != type)
        operands.push_back(operand);
  return operands;
}

// Each op is made after its original, so what reads that may read the op.
void NarrowValues::make(Value tensor, FloatType type) {
  OpBuilder b(type.getContext());
  b.setInsertionPointAfterValue(tensor);
  auto inType = [&](Value value) {
    return getElementTypeOrSelf(value) == type ? value
                                               : narrow.lookup({value, type});
  };
  auto add = [&](Value from, Value to) {
    narrow[{from, type}] = to;
    known[to] = known.lookup(from);
  };
  const RankedTensorType result = tensorType(tensor).clone(type);
  Operation *original = tensor.getDefiningOp(), *op = nullptr;
  const bool isCast = isSource(tensor, bitOf(type));
  if (isCast) {
    op = CastOp::create(b, tensor.getLoc(), result, tensor);
  } else if (isa<CastOp>(original) && isFloat(original->getOperand(0))) {
    // The cast from a narrow tensor: its source is what was asked for.
    log.push_back({tensor, nullptr, false, type});
    return add(tensor, inType(original->getOperand(0)));
  } else if (auto constant = dyn_cast<ConstantOp>(original)) {
    op = ConstantOp::create(b, constant.getLoc(),
                            narrowed(*ConstantValues::of(tensor), type));
  } else {
    // All others pick elements: the same op on narrow operands.
    IRMapping map;
    for (Value operand : original->getOperands())
      if (isFloat(operand))
        map.map(operand, inType(operand));
    op = b.clone(*original, map);
    for (Value made : op->getResults())
      made.setType(tensorType(made).clone(type));
    auto convert = [&](TypedAttr value) {
      return FloatAttr::get(type, cast<FloatAttr>(value).getValueAsDouble());
    };
    if (auto pad = dyn_cast<PadOp>(op); pad && pad.getValue())
      pad.setValueAttr(convert(*pad.getValue()));
    if (auto fill = dyn_cast<FillOp>(op))
      fill.setValueAttr(convert(fill.getValue()));
  }
  log.push_back({tensor, op, isCast, type});
  if (op->getNumResults() == 1)
    return add(tensor, op->getResult(0));
  for (auto [from, to] :
       llvm::zip_equal(original->getResults(), op->getResults()))
    add(from, to);
}

// Chains may be long, so no recursion.
Value NarrowValues::in(Value tensor, FloatType type) {
  assert(isHeld(tensor, type) && "the type holds all elements");
  if (getElementTypeOrSelf(tensor) == type)
    return tensor;
  SmallVector<Value> stack = {tensor};
  while (!stack.empty()) {
    Value value = stack.back();
    if (narrow.contains({value, type})) {
      stack.pop_back();
      continue;
    }
    const size_t depth = stack.size();
    for (Value operand : needs(value, type))
      if (!narrow.contains({operand, type}))
        stack.push_back(operand);
    if (stack.size() == depth)
      make(value, type);
  }
  return narrow.lookup({tensor, type});
}

void NarrowValues::undo(size_t count) {
  while (log.size() > count) {
    const Made last = log.pop_back_val();
    narrow.erase({last.of, last.type});
    if (!last.op)
      continue;
    if (!last.isCast)
      for (Value sibling : last.of.getDefiningOp()->getResults())
        narrow.erase({sibling, last.type});
    for (Value result : last.op->getResults())
      known.erase(result);
    last.op->erase();
  }
}
