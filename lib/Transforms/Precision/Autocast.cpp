// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives a model of f32 mixed precision: gaudi-autocast.
//
// Values that are rounded are cast to the lower type and back, so that ops stay
// as they are; then ops that read and give nothing but such values lose the
// casts around them.
#include "Gaudi/Device/AutocastTypes.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/SourceOp.h"
#include "Gaudi/Kernel/MatrixKinds.h"
#include "Gaudi/Support/Spelling.h"
#include "Gaudi/Transforms/AutocastPlan.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/PrecisionPasses.h"
#include "NarrowValues.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include <set>

#include <cmath>
#include <limits>

namespace gaudi {
#define GEN_PASS_DEF_AUTOCAST
#include "Gaudi/Transforms/PrecisionPasses.h.inc"

namespace {
constexpr StringLiteral autocastCategory = "gaudi-autocast";
/// Enough for the engines of a device.
constexpr int64_t leastRows = 64;

/// Casts of the values of one function.
class Casts {
public:
  explicit Casts(FloatType lower)
      : lower(lower), wide(Float32Type::get(lower.getContext())),
        builder(lower.getContext()) {}

  /// The value rounded to the lower type, in f32. `reader`: what asks first.
  Value rounded(Value value, Location reader) {
    Value &known = roundedValues[value];
    if (known)
      return known;
    // The time of casting a parameter is that of the layer that has it.
    auto constant = value.getDefiningOp<ConstantOp>();
    const bool isGiven = constant || isa<BlockArgument>(value);
    const Location loc = isGiven ? reader : value.getLoc();
    builder.setInsertionPointAfterValue(value);
    // Weights are stored as they are multiplied.
    auto values = constant ? ConstantValues::of(value) : std::nullopt;
    Value narrow = values ? ConstantOp::create(builder, value.getLoc(),
                                               gaudi::narrowed(*values, lower))
                                .getResult()
                          : cast(value, lower, loc);
    return known = cast(narrow, wide, loc);
  }

  /// A value in 8 bits.
  struct Scaled {
    Value value;   ///< times its scale, rounded, in f32
    Value inverse; ///< the reciprocal of the scale: one element, of its rank
  };
  Scaled scaled(Value value, const AutocastScaling &scaling, Location reader) {
    Scaled &known = scaledValues[{value, scaling.type}];
    if (!known.value)
      known = makeScaled(value, scaling, reader);
    return known;
  }

  /// The value before it was widened; null if it was not.
  Value narrowed(Value value) const {
    auto widening = value.getDefiningOp<CastOp>();
    return widening && isF32(value) && isNarrowFloat(widening.getOperand())
               ? widening.getOperand()
               : Value();
  }

  Value cast(Value value, FloatType type, Location loc) {
    return CastOp::create(builder, loc, tensorType(value).clone(type), value);
  }

  /// One number that broadcasts to tensors of a rank.
  RankedTensorType oneType(int64_t rank) const {
    return RankedTensorType::get(SmallVector<int64_t>(rank, 1), wide);
  }

  const FloatType lower, wide;
  OpBuilder builder;

private:
  static bool isNarrowFloat(Value value) {
    Type type = getElementTypeOrSelf(value);
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
  }

  Scaled makeScaled(Value value, const AutocastScaling &scaling, Location loc) {
    RankedTensorType type = tensorType(value);
    RankedTensorType one = oneType(type.getRank());
    auto number = [&](double scalar) -> Value {
      return ConstantOp::create(builder, loc,
                                DenseElementsAttr::get(one, float(scalar)));
    };
    auto values = value.getDefiningOp<ConstantOp>() ? ConstantValues::of(value)
                                                    : std::nullopt;
    if (values) {
      builder.setInsertionPointAfterValue(value);
      return scaledConstant(*values, scaling, value.getLoc(), number);
    }
    builder.setInsertionPointAfterValue(value);
    const Value amax = largestMagnitude(value, loc);
    Value power =
        DivOp::create(builder, loc, one, number(scaling.largest), amax);
    power = FloorOp::create(builder, loc, one,
                            Log2Op::create(builder, loc, one, power));
    power = SubOp::create(builder, loc, one, power, number(scaling.margin));
    power = MaxOp::create(builder, loc, one, power, number(-126));
    power = MinOp::create(builder, loc, one, power, number(126));
    const Value isFinite = CompareOp::create(
        builder, loc, one.clone(builder.getI1Type()), ComparePredicate::LT,
        amax, number(std::numeric_limits<double>::infinity()));
    const Value zero = number(0);
    auto exp2 = [&](Value exponent) -> Value {
      return Exp2Op::create(builder, loc, one, exponent);
    };
    power = SelectOp::create(builder, loc, one, isFinite, power, zero);
    Value product = MulOp::create(builder, loc, type, value, exp2(power));
    Value narrow = RoundToOp::create(
        builder, loc, type.clone(scaling.type), product, /*words=*/Value(),
        FloatRounding::NearestEven, /*flush=*/false,
        builder.getF32FloatAttr(float(scaling.largest)));
    const Value inverse = exp2(SubOp::create(builder, loc, one, zero, power));
    return {cast(narrow, wide, loc), inverse};
  }

  /// In two steps, as one number is made by one engine: rows, of which many
  /// engines have some each, then those.
  Value largestMagnitude(Value value, Location loc) {
    RankedTensorType type = tensorType(value);
    int64_t kept = type.getRank() - 1;
    while (kept > 1 && ShapedType::getNumElements(
                           type.getShape().take_front(kept - 1)) >= leastRows)
      --kept;
    Value amax = AbsOp::create(builder, loc, type, value);
    SmallVector<int64_t> shape(type.getShape());
    for (auto [from, to] :
         {std::pair(kept, type.getRank()), std::pair(int64_t(0), kept)}) {
      if (from == to)
        continue;
      std::fill(shape.begin() + from, shape.begin() + to, 1);
      amax = ReduceOp::create(builder, loc, RankedTensorType::get(shape, wide),
                              ReduceKind::Max, amax,
                              llvm::to_vector(llvm::seq(from, to)),
                              /*keep_dims=*/true);
    }
    return amax;
  }

  /// Of a weight that is known now.
  Scaled scaledConstant(const ConstantValues &values,
                        const AutocastScaling &scaling, Location loc,
                        llvm::function_ref<Value(double)> number) {
    double amax = 0;
    const int64_t count =
        values.isSplat() ? std::min<int64_t>(1, values.size()) : values.size();
    for (int64_t i = 0; i < count; ++i)
      amax = largerOf(amax, values.number(i));
    const double scale = scaling.scaleFor(amax);
    Value narrow = ConstantOp::create(
        builder, loc,
        gaudi::narrowed(values, scaling.type, scale, scaling.largest));
    return {cast(narrow, wide, loc), number(1 / scale)};
  }

  llvm::DenseMap<Value, Value> roundedValues;
  llvm::DenseMap<std::pair<Value, Type>, Scaled> scaledValues;
};

/// The value of a padding in another type; null if that does not hold it.
FloatAttr paddingIn(PadOp pad, FloatType type) {
  APFloat value = cast<FloatAttr>(*pad.getValue()).getValue();
  bool isInexact = false;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &isInexact);
  return isInexact ? FloatAttr() : FloatAttr::get(type, value);
}

bool isProduct(Operation *op) {
  return kernel::matrixKindOf(op->getName().getStringRef()) ||
         isa<SdpaOp, SdpaGradOp>(op);
}

bool isCastTo(Operation *user, FloatType type) {
  return isa<CastOp>(user) && getElementTypeOrSelf(user->getResult(0)) == type;
}

bool isOnlyRounded(Value value, FloatType type) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(),
                      [&](Operation *user) { return isCastTo(user, type); });
}

/// Computes in a narrow type what reads only values widened from that, if
/// nobody can tell.
void narrowOp(Operation *op, Casts &casts) {
  FloatType narrow;
  for (Value operand : op->getOperands()) {
    if (!isF32(operand))
      continue;
    Value before = casts.narrowed(operand);
    if (!before)
      return;
    auto type = cast<FloatType>(getElementTypeOrSelf(before));
    if (narrow && narrow != type)
      return;
    narrow = type;
  }
  auto results = llvm::make_filter_range(op->getResults(), isF32);
  if (!narrow || results.empty())
    return;
  const bool isMove = picks(op), isFree = isMove || isProduct(op);
  const bool isRounded = llvm::all_of(
      results, [&](Value result) { return isOnlyRounded(result, narrow); });
  if (!isFree && !isRounded)
    return;
  if (!isFree && !isa<ElementwiseOpInterface, ReduceOp, PoolOp>(op))
    return;
  // Attention says its probabilities in the type of its operands.
  if (isa<SdpaGradOp>(op) ||
      (isa<SdpaOp>(op) && (op->getNumResults() > 1 || !isRounded)))
    return;
  if (auto pad = dyn_cast<PadOp>(op); pad && pad.getValue()) {
    FloatAttr value = paddingIn(pad, narrow);
    if (!value)
      return;
    pad.setValueAttr(value);
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isF32(operand.get()))
      operand.set(casts.narrowed(operand.get()));
  // A product may give f32 from operands of the lower type.
  if (isProduct(op) && !isRounded)
    return;
  for (Value result : llvm::make_early_inc_range(op->getResults())) {
    if (!isF32(result))
      continue;
    result.setType(tensorType(result).clone(narrow));
    Value widened;
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      auto rounding = dyn_cast<CastOp>(use.getOwner());
      if (rounding && isCastTo(rounding, narrow)) {
        rounding.getResult().replaceAllUsesWith(result);
        continue;
      }
      if (!widened) {
        casts.builder.setInsertionPointAfterValue(result);
        widened = casts.cast(result, casts.wide, result.getLoc());
      }
      use.set(widened);
    }
  }
}

struct Autocast : impl::AutocastBase<Autocast> {
  using AutocastBase::AutocastBase;

  void runOnOperation() override {
    const auto setting = parseAutocast(dtype.getValue());
    if (!setting)
      return refuse("dtype: " + setting.error().message);
    const device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    if (const auto fits = device::checkAutocast(*setting, *spec); !fits)
      return refuse(fits.error().message);
    std::set<std::string> ops; // sorted, for the warning
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isDeclaration() && setting->type != "f32")
        runOn(function, *setting, spec->name, ops);
      function.walk([](Operation *op) { op->removeAttr(sourceOpAttrName); });
    }
    const AutocastLists::Names &listed =
        setting->lists.names(AutocastRule::Lower);
    if (!ops.empty() && listed != AutocastLists().names(AutocastRule::Lower))
      warnIfNothingIs(listed, ops);
  }

private:
  /// Names that no op of the model has leave all of it as it was.
  void warnIfNothingIs(const AutocastLists::Names &listed,
                       const std::set<std::string> &ops) {
    if (llvm::any_of(ops, [&](const std::string &name) {
          return listed.find(name) != listed.end();
        }))
      return;
    InFlightDiagnostic warning = getOperation().emitWarning()
                                 << "gaudi-autocast: no op of the list "
                                    "'lower' is in the model, which has ";
    llvm::interleaveComma(ops, warning);
    const std::vector<std::string> there(ops.begin(), ops.end());
    for (const std::string &name : listed)
      if (const std::string meant = nearestName(name, there); !meant.empty())
        warning << "; did you mean '" << meant << "' where the list has '"
                << name << "'?";
  }

  void refuse(const std::string &why) {
    getOperation().emitError() << "gaudi-autocast: " << why;
    signalPassFailure();
  }

  void runOn(func::FuncOp function, const AutocastSetting &setting,
             StringRef deviceName, std::set<std::string> &ops) {
    const std::vector<AutocastUnit> units = autocastUnits(function);
    const std::vector<AutocastTypes> types =
        autocastTypes(function, units, setting, deviceName);
    const FloatType type = lowerTypeOf(setting, &getContext());
    Casts casts(type);
    // Reads first: a value that is rounded for all is so for each reader.
    for (auto [unit, kind] : llvm::zip_equal(units, types)) {
      explain(unit, kind, type);
      ops.insert(unit.name);
      llvm::SmallPtrSet<Operation *, 8> own(unit.ops.begin(), unit.ops.end());
      for (Value read : unit.reads)
        if (kind.readAs(read) && !kind.isScaled(read)) {
          Value rounded = casts.rounded(read, unit.ops.back()->getLoc());
          read.replaceUsesWithIf(rounded, [&](OpOperand &use) {
            return own.contains(use.getOwner());
          });
        }
      for (Value result : unit.results)
        if (kind.givenAs(result)) {
          Value rounded = casts.rounded(result, result.getLoc());
          Operation *narrow =
              rounded.getDefiningOp()->getOperand(0).getDefiningOp();
          result.replaceUsesWithIf(rounded, [&](OpOperand &use) {
            return use.getOwner() != narrow && !own.contains(use.getOwner());
          });
        }
    }
    for (auto [unit, kind] : llvm::zip_equal(units, types))
      if (kind.scaling.type)
        scaleProducts(unit, kind.scaling, casts);
    Block &block = function.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
      if (isa_and_present<GaudiDialect>(op.getDialect()) &&
          !isa<CastOp, ConstantOp>(op))
        narrowOp(&op, casts);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<CastOp>(op) && op.use_empty())
        op.erase();
  }

  /// Gives the products of a unit factors of 8 bits.
  void scaleProducts(const AutocastUnit &unit, const AutocastScaling &scaling,
                     Casts &casts) {
    OpBuilder &builder = casts.builder;
    for (Operation *op : unit.ops) {
      if (!isScalable(op))
        continue;
      SmallVector<Value> inverses;
      for (OpOperand &factor : op->getOpOperands()) {
        // Moves are made again, of the scaled tensor.
        SmallVector<Operation *> moves;
        Value source = factor.get();
        while (Operation *move = source.getDefiningOp()) {
          Value moved =
              llvm::is_contained(unit.ops, move) ? movedBy(move) : Value();
          if (!moved)
            break;
          moves.push_back(move);
          source = moved;
        }
        const Casts::Scaled scaled =
            casts.scaled(source, scaling, op->getLoc());
        IRMapping mapping;
        mapping.map(source, scaled.value);
        builder.setInsertionPoint(op);
        for (Operation *move : llvm::reverse(moves))
          builder.clone(*move, mapping);
        factor.set(mapping.lookup(factor.get()));
        inverses.push_back(scaled.inverse);
      }
      Value result = op->getResult(0);
      SmallVector<OpOperand *> uses =
          llvm::to_vector(llvm::make_pointer_range(result.getUses()));
      builder.setInsertionPointAfter(op);
      const RankedTensorType one = casts.oneType(tensorType(result).getRank());
      Value product = result;
      for (Value inverse : inverses) {
        if (inverse.getType() != one)
          inverse = ReshapeOp::create(builder, op->getLoc(), one, inverse);
        product = MulOp::create(builder, op->getLoc(), result.getType(),
                                product, inverse);
      }
      for (OpOperand *use : uses)
        use->set(product);
    }
  }

  void explain(const AutocastUnit &unit, const AutocastTypes &types,
               FloatType type) {
    ++(types.results ? numLower : numFloat);
    Operation *op = unit.ops.back();
    if (!explains(op))
      return;
    const auto options =
        remark::RemarkOpts::name(types.results ? "lower" : "keep-f32")
            .category(autocastCategory);
    if (types.results)
      remark::passed(op->getLoc(), options) << remark::add(
          "'{0}' runs in {1}: {2}", unit.name,
          types.scaling.type ? types.scaling.type : type, types.reason);
    else
      remark::missed(op->getLoc(), options)
          << remark::reason("'{0}' runs in f32: {1}", unit.name, types.reason);
  }
};

} // namespace
} // namespace gaudi
