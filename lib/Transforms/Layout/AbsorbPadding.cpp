// Folds explicit padding into ops that pad by themselves.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
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

struct AbsorbPadding : impl::AbsorbPaddingBase<AbsorbPadding> {
  void runOnOperation() override {
    SmallVector<PadOp> pads;
    getOperation()->walk([&](PadOp op) { pads.push_back(op); });
    for (PadOp op : pads)
      absorb(op);
  }

  void absorb(PadOp op) {
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      Operation *user = use.getOwner();
      auto padding = dyn_cast<PaddingOpInterface>(user);
      // An explicit zero times an infinity is NaN; padding adds nothing.
      const Value factor = padding ? padding.getPaddingFactor(use) : Value();
      const std::optional<bool> nonFinite =
          factor ? holdsNonFinite(factor) : false;
      if (nonFinite == true) {
        remark::missed(op.getLoc(),
                       remark::RemarkOpts::name("keep-pad").category(category))
            << remark::reason("not absorbed: the other operand of '{0}' holds "
                              "an infinity or NaN, which zeros turn into NaN "
                              "and padding does not",
                              user->getName().getStringRef());
        continue;
      }
      if (op.getMode() != PadMode::Constant || !padding ||
          !padding.canAbsorbPadding(use, op.getLow(), op.getHigh(),
                                    op.getValueAttr())) {
        remark::missed(op.getLoc(),
                       remark::RemarkOpts::name("keep-pad").category(category))
            << remark::reason("not absorbed: user '{0}' cannot pad its operand",
                              user->getName().getStringRef());
        continue;
      }
      padding.absorbPadding(use, op.getLow(), op.getHigh());
      use.set(op.getOperand());
      ++numAbsorbed;
      remark::passed(op.getLoc(),
                     remark::RemarkOpts::name("absorb-pad").category(category))
          << remark::add("absorbed into operand {1} of '{0}'{2}",
                         user->getName().getStringRef(), use.getOperandNumber(),
                         nonFinite ? ""
                                   : ", whose other operand must be finite");
    }
    if (op->use_empty())
      op->erase();
  }
};
} // namespace
} // namespace mlir::gaudi
