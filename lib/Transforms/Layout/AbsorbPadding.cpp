// Folds explicit padding into ops that pad by themselves.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include <cstring>

namespace mlir::gaudi {
#define GEN_PASS_DEF_ABSORBPADDING
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral category = "gaudi-absorb-padding";

/// True if a word of `bytes` has all bits of `mask`.
template <typename Word> bool anyHasAll(ArrayRef<char> bytes, uint64_t mask) {
  bool found = false;
  for (size_t i = 0; i + sizeof(Word) <= bytes.size(); i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, bytes.data() + i, sizeof(word));
    found |= (word & mask) == mask;
  }
  return found;
}

/// Whether a float constant, seen through views and transposes, holds an
/// infinity or a NaN; nothing if `value` is not a constant. Time is linear in
/// its bytes.
std::optional<bool> holdsNonFinite(Value value) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value));
  while (auto view = value.getDefiningOp<ReindexOpInterface>())
    value = view.getViewSource(cast<OpResult>(value));
  std::optional<ConstantValues> values = ConstantValues::of(value);
  if (!values || !type || getElementTypeOrSelf(value) != type)
    return std::nullopt; // not known, or other bits (a bitcast)
  // The bits that every infinity and NaN has: the exponent. f8E4M3FN, which
  // has no infinity, has one pattern for NaN beside the sign.
  const llvm::fltSemantics &format = type.getFloatSemantics();
  const uint64_t mask =
      (APFloat::semanticsHasInf(format) ? APFloat::getInf(format)
                                        : APFloat::getNaN(format))
          .bitcastToAPInt()
          .getZExtValue();
  switch (type.getWidth()) {
  case 8:
    return anyHasAll<uint8_t>(values->bytes(), mask);
  case 16:
    return anyHasAll<uint16_t>(values->bytes(), mask);
  case 32:
    return anyHasAll<uint32_t>(values->bytes(), mask);
  default:
    return std::nullopt;
  }
}

class PaddingAbsorber {
public:
  explicit PaddingAbsorber(const ::gaudi::device::DeviceSpec &spec)
      : time(spec) {}

  void absorb(PadOp op) {
    const Picoseconds whole = time.of(op);
    const auto uses = int64_t(llvm::range_size(op->getUses()));
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      std::string why = reasonToKeep(op, use, whole / uses);
      if (why.empty())
        continue;
      if (explains(op.getContext()))
        remark::missed(op.getLoc(),
                       remark::RemarkOpts::name("keep-pad").category(category))
            << remark::reason("not absorbed: {0}; the pad takes {1}", why,
                              time.text(whole));
    }
    if (op->use_empty())
      op->erase();
  }

  unsigned absorbed = 0;

private:
  /// Makes the user of the pad, which takes `share` of the pad's time, read the
  /// operand. Says why not, or nothing.
  std::string reasonToKeep(PadOp op, OpOperand &use, Picoseconds share) {
    Operation *user = use.getOwner();
    const std::string name = user->getName().getStringRef().str();
    auto padding = dyn_cast<PaddingOpInterface>(user);
    // An explicit zero times an infinity is NaN; padding adds nothing.
    const Value factor = padding ? padding.getPaddingFactor(use) : Value();
    const std::optional<bool> nonFinite =
        factor ? holdsNonFinite(factor) : false;
    if (nonFinite == true)
      return "the other operand of '" + name +
             "' holds an infinity or NaN, which zeros turn into NaN and "
             "padding does not";
    if (op.getMode() != PadMode::Constant || !padding ||
        !padding.canAbsorbPadding(use, op.getLow(), op.getHigh(),
                                  op.getValueAttr()))
      return "user '" + name + "' cannot pad its operand";
    auto change = [&, number = use.getOperandNumber()](Operation *reader) {
      OpOperand &operand = reader->getOpOperand(number);
      cast<PaddingOpInterface>(reader).absorbPadding(operand, op.getLow(),
                                                     op.getHigh());
      operand.set(op.getOperand());
    };
    const Picoseconds before = share + time.of(user);
    const Picoseconds after = time.ofChanged(user, change);
    if (after > before)
      return "'" + name + "' would take " + time.change(before, after);
    if (explains(op.getContext()))
      remark::passed(op.getLoc(),
                     remark::RemarkOpts::name("absorb-pad").category(category))
          << remark::add("absorbed into operand {0} of '{1}', {2}{3}",
                         use.getOperandNumber(), name,
                         time.saving(before - after),
                         nonFinite ? "" : "; the other operand must be finite");
    change(user);
    ++absorbed;
    return "";
  }

  const DeviceTime time;
};

struct AbsorbPadding : impl::AbsorbPaddingBase<AbsorbPadding> {
  using AbsorbPaddingBase::AbsorbPaddingBase;

  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    SmallVector<PadOp> pads;
    getOperation()->walk([&](PadOp op) { pads.push_back(op); });
    PaddingAbsorber absorber(*spec);
    for (PadOp op : pads)
      absorber.absorb(op);
    numAbsorbed += absorber.absorbed;
  }
};
} // namespace
} // namespace mlir::gaudi
