// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives a model of f32 mixed precision: gaudi-autocast.
//
// Values that are rounded are cast to the lower type and back, so that ops stay
// as they are; then ops that read and give nothing but such values lose the
// casts around them.
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/SourceOp.h"
#include "Gaudi/Kernel/MatrixKinds.h"
#include "Gaudi/Transforms/AutocastPlan.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/PrecisionPasses.h"
#include "NarrowValues.h"
#include "mlir/IR/Remarks.h"
#include <set>

namespace gaudi {
#define GEN_PASS_DEF_AUTOCAST
#include "Gaudi/Transforms/PrecisionPasses.h.inc"

namespace {
constexpr StringLiteral autocastCategory = "gaudi-autocast";

/// Casts of the values of one function.
class Casts {
public:
  explicit Casts(FloatType lower) : lower(lower), builder(lower.getContext()) {}

  /// The value rounded to the lower type, in f32. `reader`: what asks first.
  Value rounded(Value value, Location reader) {
    Value &known = wide[value];
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
    return known = cast(narrow, Float32Type::get(lower.getContext()), loc);
  }

  /// The value before it was widened; null if it was not.
  Value narrowed(Value value) const {
    auto widening = value.getDefiningOp<CastOp>();
    return widening && isF32(value) && isLower(widening.getOperand())
               ? widening.getOperand()
               : Value();
  }

  bool isLower(Value value) const {
    return getElementTypeOrSelf(value) == lower;
  }

  Value cast(Value value, FloatType type, Location loc) {
    return CastOp::create(builder, loc, tensorType(value).clone(type), value);
  }

  const FloatType lower;
  OpBuilder builder;

private:
  llvm::DenseMap<Value, Value> wide;
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

bool isOnlyRounded(Value value, const Casts &casts) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           return isa<CastOp>(user) && casts.isLower(user->getResult(0));
         });
}

/// Computes in the lower type what reads only widened values, if nobody can
/// tell.
void narrowOp(Operation *op, Casts &casts) {
  bool reads = false;
  for (Value operand : op->getOperands()) {
    reads |= isF32(operand);
    if (isF32(operand) && !casts.narrowed(operand))
      return;
  }
  auto results = llvm::make_filter_range(op->getResults(), isF32);
  if (!reads || results.empty())
    return;
  const bool isMove = picks(op), isFree = isMove || isProduct(op);
  const bool isRounded = llvm::all_of(
      results, [&](Value result) { return isOnlyRounded(result, casts); });
  if (!isFree && !isRounded)
    return;
  if (!isFree && !isa<ElementwiseOpInterface, ReduceOp, PoolOp>(op))
    return;
  // Attention says its probabilities in the type of its operands.
  if (isa<SdpaGradOp>(op) ||
      (isa<SdpaOp>(op) && (op->getNumResults() > 1 || !isRounded)))
    return;
  if (auto pad = dyn_cast<PadOp>(op); pad && pad.getValue()) {
    FloatAttr value = paddingIn(pad, casts.lower);
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
    result.setType(tensorType(result).clone(casts.lower));
    Value widened;
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      auto rounding = dyn_cast<CastOp>(use.getOwner());
      if (rounding && casts.isLower(rounding.getResult())) {
        rounding.getResult().replaceAllUsesWith(result);
        continue;
      }
      if (!widened) {
        casts.builder.setInsertionPointAfterValue(result);
        widened = casts.cast(result, Float32Type::get(casts.lower.getContext()),
                             result.getLoc());
      }
      use.set(widened);
    }
  }
}

struct Autocast : impl::AutocastBase<Autocast> {
  using AutocastBase::AutocastBase;

  void runOnOperation() override {
    AutocastSetting setting;
    for (const auto &[rule, file] :
         {std::pair(AutocastRule::Lower, lower.getValue()),
          std::pair(AutocastRule::Float, fp32.getValue())})
      if (!file.empty())
        if (Status status = setting.lists.read(rule, file); !status)
          return refuse(status.error().message);
    setting.type = dtype;
    const FloatType type = lowerTypeOf(setting, &getContext());
    if (!type && dtype != "f32")
      return refuse("expected dtype bf16, f16 or f32 but got '" + dtype + "'");
    std::set<std::string> ops; // sorted, for the warning
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isDeclaration() && type)
        runOn(function, setting.lists, type, ops);
      function.walk([](Operation *op) { op->removeAttr(sourceOpAttrName); });
    }
    if (!ops.empty() && !lower.empty())
      warnIfNothingIs(setting.lists.names(AutocastRule::Lower), ops);
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
                                 << "gaudi-autocast: no op of '" << lower
                                 << "' is in the model, which has ";
    llvm::interleaveComma(ops, warning);
  }

  void refuse(const std::string &why) {
    getOperation().emitError() << "gaudi-autocast: " << why;
    signalPassFailure();
  }

  void runOn(func::FuncOp function, const AutocastLists &lists, FloatType type,
             std::set<std::string> &ops) {
    const std::vector<AutocastUnit> units = autocastUnits(function);
    const std::vector<AutocastTypes> types = autocastTypes(units, lists, type);
    Casts casts(type);
    // Reads first: a value that is rounded for all is so for each reader.
    for (auto [unit, kind] : llvm::zip_equal(units, types)) {
      explain(unit, kind, type);
      ops.insert(unit.name);
      llvm::SmallPtrSet<Operation *, 8> own(unit.ops.begin(), unit.ops.end());
      for (Value read : unit.reads)
        if (kind.readAs(read)) {
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
    Block &block = function.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
      if (isa_and_present<GaudiDialect>(op.getDialect()) &&
          !isa<CastOp, ConstantOp>(op))
        narrowOp(&op, casts);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isa<CastOp>(op) && op.use_empty())
        op.erase();
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
          "'{0}' runs in {1}: {2}", unit.name, type, types.reason);
    else
      remark::missed(op->getLoc(), options)
          << remark::reason("'{0}' runs in f32: {1}", unit.name, types.reason);
  }
};

} // namespace
} // namespace gaudi
