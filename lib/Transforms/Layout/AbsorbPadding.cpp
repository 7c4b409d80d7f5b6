// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds explicit padding into ops that pad by themselves.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "KernelPadding.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include <cstring>

namespace gaudi {
#define GEN_PASS_DEF_ABSORBPADDING
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral absorbPaddingCategory = "gaudi-absorb-padding";

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

/// A use of a pad, while the pass decides whether it can do without.
struct Padded {
  OpOperand *use;
  enum Verdict { Absorbs, NonFinite, CannotPad } verdict;
  bool needsFinite; // the other operand is not known to be finite
  Picoseconds before = 0, after = 0; // of the user
};

class PaddingAbsorber {
public:
  explicit PaddingAbsorber(const device::DeviceSpec &spec) : time(spec) {}

  /// The pad goes if every use can do without it: then the sum of times
  /// decides, and its time counts once. A pad that stays saves nothing, so that
  /// each user is compared for itself.
  void absorb(PadOp op) {
    SmallVector<Padded> uses;
    const Picoseconds whole = time.of(op);
    Picoseconds before = whole, after = 0;
    bool goes = !op->use_empty();
    // A pad with one user that needs it stays, and then pays for none of the
    // others.
    for (OpOperand &use : op->getUses()) {
      uses.push_back(consider(op, use));
      goes &= uses.back().verdict == Padded::Absorbs;
      before += uses.back().before;
      after += uses.back().after;
    }
    goes &= after <= before;
    Picoseconds left = goes ? whole : 0; // credit that is not given yet
    for (auto [i, padded] : llvm::enumerate(uses)) {
      // The time of the pad is shared among the remarks, so that they sum to
      // what is saved; the last one gets what division leaves.
      const Picoseconds share = left / int64_t(uses.size() - i);
      left -= share;
      // Asked again: an earlier use of the same op may have changed what it can
      // pad.
      if (padded.verdict == Padded::Absorbs &&
          (goes || padded.after <= padded.before) && canPad(op, *padded.use)) {
        if (explains(op))
          report(op, padded, share + padded.before - padded.after);
        change(op, *padded.use);
        ++absorbed;
      } else if (explains(op)) {
        reportKept(op, padded, whole);
      }
    }
    if (op->use_empty())
      op->erase();
  }

  unsigned absorbed = 0;

private:
  /// An op that reads the pad twice may have no room for the padding twice, so
  /// that this is asked again after each change.
  static bool canPad(PadOp op, OpOperand &use) {
    if (auto kernel = dyn_cast<KernelOp>(use.getOwner()))
      return canAbsorbPadding(kernel, use.getOperandNumber(), op);
    auto padding = dyn_cast<PaddingOpInterface>(use.getOwner());
    return padding && op.getMode() == PadMode::Constant &&
           padding.canAbsorbPadding(use, op.getLow(), op.getHigh(),
                                    op.getValueAttr());
  }

  /// Makes `operand` read the tensor that `op` pads.
  static void change(PadOp op, OpOperand &operand) {
    if (auto kernel = dyn_cast<KernelOp>(operand.getOwner()))
      absorbPadding(kernel, operand.getOperandNumber(), op);
    else
      cast<PaddingOpInterface>(operand.getOwner())
          .absorbPadding(operand, op.getLow(), op.getHigh());
    operand.set(op.getOperand());
  }

  /// Whether the user can pad by itself, and its times.
  Padded consider(PadOp op, OpOperand &use) const {
    Operation *user = use.getOwner();
    auto padding = dyn_cast<PaddingOpInterface>(user);
    // An explicit zero times an infinity is NaN; padding adds nothing.
    const Value factor = padding ? padding.getPaddingFactor(use) : Value();
    const std::optional<bool> nonFinite =
        factor ? holdsNonFinite(factor) : false;
    if (nonFinite == true)
      return {&use, Padded::NonFinite, false};
    if (!canPad(op, use))
      return {&use, Padded::CannotPad, false};
    const Picoseconds after = time.ofChanged(user, [&](Operation *reader) {
      change(op, reader->getOpOperand(use.getOperandNumber()));
    });
    return {&use, Padded::Absorbs, !nonFinite, time.of(user), after};
  }

  void report(PadOp op, const Padded &padded, Picoseconds saved) const {
    remark::passed(
        op.getLoc(),
        remark::RemarkOpts::name("absorb-pad").category(absorbPaddingCategory))
        << remark::add("absorbed into operand {0} of '{1}', {2}{3}",
                       padded.use->getOperandNumber(),
                       padded.use->getOwner()->getName().getStringRef(),
                       time.saving(saved),
                       padded.needsFinite ? "; the other operand must be finite"
                                          : "");
  }

  void reportKept(PadOp op, const Padded &padded, Picoseconds whole) const {
    const std::string user =
        ("'" + padded.use->getOwner()->getName().getStringRef() + "'").str();
    std::string why;
    const bool noRoom =
        padded.verdict == Padded::Absorbs && !canPad(op, *padded.use);
    switch (noRoom ? Padded::CannotPad : padded.verdict) {
    case Padded::Absorbs:
      why = user + " would take " + time.change(padded.before, padded.after);
      break;
    case Padded::NonFinite:
      why = "the other operand of " + user +
            " holds an infinity or NaN, which zeros turn into NaN and padding "
            "does not";
      break;
    case Padded::CannotPad:
      why = "user " + user + " cannot pad its operand";
      break;
    }
    remark::missed(
        op.getLoc(),
        remark::RemarkOpts::name("keep-pad").category(absorbPaddingCategory))
        << remark::reason("not absorbed: {0}; the pad takes {1}", why,
                          time.text(whole))
        << lost(whole);
  }

  const DeviceTime time;
};

struct AbsorbPadding : impl::AbsorbPaddingBase<AbsorbPadding> {
  using AbsorbPaddingBase::AbsorbPaddingBase;

  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation(), device);
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
} // namespace gaudi
