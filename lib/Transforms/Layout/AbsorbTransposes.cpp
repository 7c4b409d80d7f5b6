// Folds transposes into ops that read another order for free.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_ABSORBTRANSPOSES
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral category = "gaudi-absorb-transposes";

struct AbsorbTransposes : impl::AbsorbTransposesBase<AbsorbTransposes> {
  void runOnOperation() override {
    SmallVector<TransposeOp> transposes;
    getOperation()->walk([&](TransposeOp op) { transposes.push_back(op); });
    // A transpose made below a reshape may have another reshape below itself.
    for (size_t i = 0; i < transposes.size(); ++i)
      for (Operation *user :
           llvm::make_early_inc_range(transposes[i]->getUsers()))
        if (auto reshape = dyn_cast<ReshapeOp>(user))
          if (TransposeOp below = sinkBelow(reshape, transposes[i]))
            transposes.push_back(below);
    for (TransposeOp op : transposes)
      absorb(op);
  }

  /// reshape(transpose(x)) as transpose(reshape(x)) where the reshape only adds
  /// or drops dimensions of size 1; null where it does more.
  static TransposeOp sinkBelow(ReshapeOp reshape, TransposeOp transpose) {
    auto kept = [](RankedTensorType type) {
      SmallVector<int64_t> dims;
      for (int64_t d = 0; d < type.getRank(); ++d)
        if (type.getDimSize(d) != 1)
          dims.push_back(d);
      return dims;
    };
    const auto type = cast<RankedTensorType>(reshape.getType());
    const auto between = cast<RankedTensorType>(transpose.getType());
    const SmallVector<int64_t> places = kept(type), dims = kept(between);
    if (places.size() != dims.size())
      return {};
    for (auto [place, dim] : llvm::zip_equal(places, dims))
      if (type.getDimSize(place) != between.getDimSize(dim))
        return {};
    // Dimensions of the source in its own order take the places in theirs.
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
    llvm::sort(order, [&](int64_t x, int64_t y) {
      return permutation[dims[x]] < permutation[dims[y]];
    });
    auto moved = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    SmallVector<int64_t> shape(type.getRank(), 1);
    for (auto [k, i] : llvm::enumerate(order)) {
      moved[places[i]] = places[k];
      shape[places[k]] = between.getDimSize(dims[i]);
    }
    OpBuilder builder(reshape);
    Value source =
        ReshapeOp::create(builder, reshape.getLoc(),
                          RankedTensorType::get(shape, type.getElementType()),
                          transpose.getOperand());
    auto below = TransposeOp::create(builder, transpose.getLoc(), type, source,
                                     builder.getDenseI64ArrayAttr(moved));
    reshape->replaceAllUsesWith(below);
    reshape->erase();
    return below;
  }

  void absorb(TransposeOp op) {
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      Operation *user = use.getOwner();
      auto layout = dyn_cast<LayoutOpInterface>(user);
      if (!layout || !layout.canAbsorbPermutation(use, op.getPermutation())) {
        remark::missed(
            op.getLoc(),
            remark::RemarkOpts::name("keep-transpose").category(category))
            << remark::reason(
                   "user '{0}' does not read the unpermuted operand for free",
                   user->getName().getStringRef());
        continue;
      }
      layout.absorbPermutation(use, op.getPermutation());
      use.set(op.getOperand());
      ++numAbsorbed;
      remark::passed(
          op.getLoc(),
          remark::RemarkOpts::name("absorb-transpose").category(category))
          << remark::add("'{0}' reads operand {1} unpermuted",
                         user->getName().getStringRef(),
                         use.getOperandNumber());
    }
    if (op->use_empty())
      op->erase();
  }
};
} // namespace
} // namespace mlir::gaudi
