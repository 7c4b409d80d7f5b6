// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiplies widened operands in the type that they were widened from:
// gaudi-narrow-products.
//
// The matrix engine multiplies bf16, f16 and 8-bit floats exactly and adds in
// f32, so a product of widened operands is the product of the narrow ones with
// a result of f32, to the last bit. NarrowValues proves which operands are.
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Kernel/MatrixKinds.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/FusionRecord.h"
#include "Gaudi/Transforms/PrecisionPasses.h"
#include "NarrowValues.h"
#include "Rounding.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace gaudi {
#define GEN_PASS_DEF_NARROWPRODUCTS
#include "Gaudi/Transforms/PrecisionPasses.h.inc"

namespace {
using device::DeviceSpec;

constexpr StringLiteral narrowProductsCategory = "gaudi-narrow-products";

/// Names of the operands that the engine multiplies, which are the first.
SmallVector<StringRef, 4> factorNames(Operation *op) {
  using Names = SmallVector<StringRef, 4>;
  if (auto kind = kernel::matrixKindOf(op->getName().getStringRef()))
    return {kernel::operandName(*kind, 0), kernel::operandName(*kind, 1)};
  return llvm::TypeSwitch<Operation *, Names>(op)
      .Case([](SdpaOp) { return Names{"query", "key", "value"}; })
      .Case([](SdpaGradOp) {
        return Names{"output_grad", "query", "key", "value"};
      })
      .Default(Names());
}

MutableArrayRef<OpOperand> factorsOf(Operation *op) {
  return op->getOpOperands().take_front(factorNames(op).size());
}

Type factorType(Operation *op) {
  return getElementTypeOrSelf(op->getOperand(0));
}

/// Writes the rounded value, and leaves the casts out.
void roundIn(Value product, const Rounding &rounding) {
  auto narrow = [&](Value value) {
    value.setType(tensorType(value).clone(rounding.type));
  };
  narrow(product);
  for (Operation *view : rounding.views)
    narrow(view->getResult(0));
  Value last =
      rounding.views.empty() ? product : rounding.views.back()->getResult(0);
  for (CastOp cast : rounding.casts) {
    cast.getResult().replaceAllUsesWith(last);
    cast.erase();
  }
}

struct NarrowProducts : impl::NarrowProductsBase<NarrowProducts> {
  using NarrowProductsBase::NarrowProductsBase;

  void runOnOperation() override {
    spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    time.emplace(*spec);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration())
        runOn(function);
    record(getOperation(), records);
    records.clear();
  }

private:
  void runOn(func::FuncOp function) {
    SmallVector<Operation *> products;
    for (Operation &op : function.getOps())
      if (!factorNames(&op).empty())
        products.push_back(&op);
    if (products.empty())
      return;
    NarrowValues found(function);
    values = &found;
    if (found.hasWidening()) {
      findDying(function, products);
      for (Operation *op : products)
        narrow(op);
      eraseDead(function);
    }
    for (Operation *op : products)
      roundResult(op);
  }

  /// A narrow product that is rounded at once has the rounded result.
  void roundResult(Operation *op) {
    if (isa<SdpaOp, SdpaGradOp>(op) || factorType(op).isF32())
      return;
    const std::optional<Rounding> rounding = roundingOf(op->getResult(0));
    if (!rounding)
      return;
    Picoseconds before = time->of(op);
    for (CastOp cast : rounding->casts)
      before += time->of(cast);
    roundIn(op->getResult(0), *rounding);
    ++numRounded;
    if (explains(op))
      remark::passed(op->getLoc(), remark::RemarkOpts::name("round-result")
                                       .category(narrowProductsCategory))
          << remark::add("'{0}' rounds its result to {1}, {2}",
                         op->getName().getStringRef(), rounding->type,
                         time->saving(before - time->of(op)));
  }

  /// The narrower types that hold all factors, if one of these was widened.
  SmallVector<FloatType, 4> choicesFor(Operation *op) const {
    unsigned types = ~0u;
    bool isWidened = false;
    for (OpOperand &operand : factorsOf(op)) {
      const Exactness fact = values->of(operand.get());
      types &= fact.types;
      isWidened |= fact.isWidened;
    }
    return isWidened ? typesIn(types, factorType(op))
                     : SmallVector<FloatType, 4>();
  }

  /// The types of a set that are narrower than `now`.
  static SmallVector<FloatType, 4> typesIn(unsigned set, Type now) {
    SmallVector<FloatType, 4> types;
    for (auto [number, type] : llvm::enumerate(narrowTypes(now.getContext())))
      if (set >> number & 1 && type.getWidth() < now.getIntOrFloatBitWidth())
        types.push_back(type);
    return types;
  }

  /// Ops that nothing reads any more once all products are narrow: those of
  /// wider types than their numbers have.
  void findDying(func::FuncOp function, ArrayRef<Operation *> products) {
    llvm::DenseSet<Operation *> readers;
    for (Operation *op : products)
      if (!choicesFor(op).empty())
        readers.insert(op);
    for (Operation &op : llvm::reverse(function.getBody().front())) {
      auto isWide = [&](Value result) {
        return !typesIn(values->of(result).types, getElementTypeOrSelf(result))
                    .empty();
      };
      if (op.use_empty() || !llvm::all_of(op.getResults(), isWide) ||
          !llvm::all_of(op.getUsers(), [&](Operation *user) {
            return readers.contains(user);
          }))
        continue;
      readers.insert(&op);
      dying.insert(&op);
    }
  }

  void eraseDead(func::FuncOp function) {
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
      if (dying.contains(&op) && op.use_empty())
        op.erase();
    dying.clear();
  }

  /// The narrowest types of the factors: "bf16", "bf16 and f16", and f32 for
  /// one that no narrower type holds.
  std::string namesOf(Operation *op) const {
    llvm::SmallSetVector<Type, 4> types;
    for (OpOperand &operand : factorsOf(op)) {
      const auto narrower =
          typesIn(values->of(operand.get()).types, factorType(op));
      types.insert(narrower.empty() ? getElementTypeOrSelf(operand.get())
                                    : Type(narrower.front()));
    }
    std::string text;
    llvm::raw_string_ostream out(text);
    llvm::interleave(types, out, " and ");
    return text;
  }

  /// A product that could have been narrow.
  void keep(Operation *op, const std::string &why) {
    const std::string text =
        llvm::formatv("'{0}' is not narrow: in {2} although its operands are "
                      "{1}: {3}",
                      op->getName().getStringRef(), namesOf(op), factorType(op),
                      why)
            .str();
    records.push_back({"narrow_product", op->getLoc(), false, 0, 0, 0, text});
    if (explains(op))
      remark::missed(op->getLoc(), remark::RemarkOpts::name("keep-wide")
                                       .category(narrowProductsCategory))
          << remark::reason("{0}", text) << lost(time->of(op));
  }

  /// Says why a product stays of which some factors, but not all, are narrow.
  void explainWide(Operation *op) {
    StringRef wide;
    bool isWidened = false;
    for (auto [operand, name] :
         llvm::zip_equal(factorsOf(op), factorNames(op))) {
      const Exactness fact = values->of(operand.get());
      const bool isNarrower = !typesIn(fact.types, factorType(op)).empty();
      isWidened |= isNarrower && fact.isWidened;
      if (!isNarrower)
        wide = name;
    }
    // Wide factors that nobody widened are what the model says.
    if (!isWidened)
      return;
    if (wide.empty())
      return keep(op, "no narrow type has the numbers of both");
    if (explains(op))
      remark::missed(op->getLoc(), remark::RemarkOpts::name("wide-operand")
                                       .category(narrowProductsCategory))
          << remark::reason("'{0}' is not narrow: its {2} has numbers of {1} "
                            "that no narrower type has",
                            op->getName().getStringRef(), factorType(op), wide)
          << lost(time->of(op));
  }

  /// Time of the ops before a product that nothing reads once it, and what else
  /// reads them, is narrow.
  Picoseconds timeOfDying(Operation *op) const {
    llvm::SmallSetVector<Operation *, 8> ops;
    auto add = [&](ValueRange operands) {
      for (Value operand : operands)
        if (dying.contains(operand.getDefiningOp()))
          ops.insert(operand.getDefiningOp());
    };
    add(op->getOperands());
    Picoseconds total = 0;
    for (size_t i = 0; i < ops.size(); ++i) { // it grows
      total += time->of(ops[i]);
      add(ops[i]->getOperands());
    }
    return total;
  }

  /// Time of the product in a type, with what must be made for it.
  Picoseconds timeIn(Operation *op, FloatType type) {
    const size_t mark = values->made().size();
    Picoseconds total = time->ofChanged(op, [&](Operation *copy) {
      for (OpOperand &operand : factorsOf(copy))
        operand.set(values->in(operand.get(), type));
    });
    for (const NarrowValues::Made &made : values->made().drop_front(mark))
      if (made.op)
        total += time->of(made.op);
    values->undo(mark);
    return total;
  }

  void narrow(Operation *op) {
    SmallVector<FloatType, 4> choices = choicesFor(op);
    if (choices.empty())
      return explainWide(op);
    // Exact is not enough: the device must multiply and store the type.
    llvm::erase_if(choices, [&](FloatType type) {
      return !spec->mme.types.contains(elementTypeOf(type)) ||
             !spec->tensorTypes.contains(elementTypeOf(type));
    });
    if (choices.empty())
      return keep(op, llvm::formatv("the matrix engine of {0} does not have it",
                                    StringRef(spec->name)));
    // Attention rounds its probabilities to the type of its operands.
    if (isa<SdpaOp, SdpaGradOp>(op))
      return keep(op, "its probabilities would be rounded, too");
    FloatType best;
    Picoseconds after = 0;
    // Of several types that hold all operands, the fastest.
    for (FloatType type : choices)
      if (const Picoseconds total = timeIn(op, type); !best || total < after)
        std::tie(best, after) = std::pair(type, total);
    // With what the wide operands took, if nothing else reads them.
    const Picoseconds before = time->of(op) + timeOfDying(op);
    if (after > before)
      return keep(op, "it would take " + time->change(before, after));
    const std::string names = namesOf(op);
    for (OpOperand &operand : factorsOf(op))
      operand.set(values->in(operand.get(), best));
    ++numNarrowed;
    const Picoseconds saved = before - after;
    const std::string text =
        llvm::formatv("'{0}' multiplies operands of {1} in {2} instead of f32, "
                      "{3}",
                      op->getName().getStringRef(), names, best,
                      time->saving(saved))
            .str();
    records.push_back(
        {"narrow_product", op->getLoc(), true, 0, 0, saved, text});
    if (explains(op))
      remark::passed(op->getLoc(), remark::RemarkOpts::name("narrow").category(
                                       narrowProductsCategory))
          << remark::add("{0}", text);
  }

  const DeviceSpec *spec = nullptr;
  std::optional<DeviceTime> time;
  NarrowValues *values = nullptr;
  llvm::DenseSet<Operation *> dying;
  SmallVector<FusionRecord> records;
};
} // namespace
} // namespace gaudi
