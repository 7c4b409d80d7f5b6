// Folds transposes into ops that read another order in less time.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_ABSORBTRANSPOSES
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral category = "gaudi-absorb-transposes";

/// A reshape and a transpose after it, instead of a transpose and a reshape.
struct Exchanged {
  SmallVector<int64_t> shape, permutation;
};

/// `target` is a reshape of `source` transposed by `permutation`. The exchange
/// exists if no dimension of the target collapses dimensions that the transpose
/// separates. O(rank log rank).
std::optional<Exchanged> exchange(ArrayRef<int64_t> source,
                                  ArrayRef<int64_t> permutation,
                                  ArrayRef<int64_t> target) {
  // Dimensions of size 1 do not affect the order of the elements.
  SmallVector<int64_t> position(source.size(), 0); // among the others
  int64_t others = 0;
  for (auto [i, size] : llvm::enumerate(source)) {
    if (size == 0)
      return std::nullopt;
    position[i] = others;
    others += size != 1;
  }
  SmallVector<int64_t> from, to; // dimensions of the two shapes, without ones
  for (int64_t dim : permutation)
    if (source[dim] != 1)
      from.push_back(dim);
  for (auto [i, size] : llvm::enumerate(target))
    if (size != 1)
      to.push_back(int64_t(i));

  // The target's dimensions in stored order are runs of the source's: two
  // pointers walk both lists, the smaller product advances until they agree.
  // The smallest groups of dimensions of equal size in `from` and `to`. The
  // dimensions of a group must be adjacent and in order in the source.
  SmallVector<std::pair<int64_t, int64_t>> order; // position, target dimension
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    const int64_t first = position[from[i]];
    int64_t left = source[from[i++]], right = 1, last = first;
    while (left != right) {
      if (right < left) {
        if (j == to.size())
          return std::nullopt;
        order.push_back({first, to[j]});
        right *= target[to[j++]];
        continue;
      }
      if (i == from.size() || position[from[i]] != last + 1)
        return std::nullopt;
      last = position[from[i]];
      left *= source[from[i++]];
    }
  }
  if (i != from.size() || j != to.size())
    return std::nullopt;
  // In the order of the source, the groups are the shape before the transpose;
  // where each comes from is the permutation after it.
  llvm::sort(order);

  Exchanged result;
  result.shape.assign(target.begin(), target.end());
  result.permutation = llvm::to_vector(llvm::seq<int64_t>(0, target.size()));
  for (auto [slot, entry] : llvm::zip_equal(to, order)) {
    result.shape[slot] = target[entry.second];
    result.permutation[entry.second] = slot;
  }
  return result;
}

/// A transpose while its readers are asked whether they can do without it.
struct Absorbed {
  TransposeOp op;
  Picoseconds time;  // of the transpose
  Picoseconds share; // of each reader
  std::string why;   // the last reader that needs it does
};

struct AbsorbTransposes : impl::AbsorbTransposesBase<AbsorbTransposes> {
  using AbsorbTransposesBase::AbsorbTransposesBase;

  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    time.emplace(*spec);
    SmallVector<TransposeOp> transposes;
    getOperation()->walk([&](TransposeOp op) { transposes.push_back(op); });
    for (TransposeOp op : transposes)
      absorb(op);
  }

  void absorb(TransposeOp op) {
    Absorbed at = {op, time->of(op), 0, ""};
    at.share = at.time / std::max<int64_t>(llvm::range_size(op->getUses()), 1);
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      at.why.clear();
      if (!bypass(at, op.getOperand(), op.getPermutation(), use) &&
          explains(op.getContext()))
        remark::missed(
            op.getLoc(),
            remark::RemarkOpts::name("keep-transpose").category(category))
            << remark::reason("not absorbed: {0}; the transpose takes {1}",
                              at.why, time->text(at.time));
    }
    if (op->use_empty())
      op->erase();
  }

  /// `use` reads `source` permuted. Makes it read `source` itself or, across
  /// reshapes, makes their readers do so. True if all of them do.
  bool bypass(Absorbed &at, Value source, ArrayRef<int64_t> permutation,
              OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto reshape = dyn_cast<ReshapeOp>(user))
      return bypassReshape(at, source, permutation, reshape);
    auto layout = dyn_cast<LayoutOpInterface>(user);
    if (!layout || !layout.canAbsorbPermutation(use, permutation))
      return (layout && absorbPart(at, source, permutation, use)) ||
             needs(at, user);
    auto change = [&, number = use.getOperandNumber()](Operation *reader) {
      OpOperand &operand = reader->getOpOperand(number);
      cast<LayoutOpInterface>(reader).absorbPermutation(operand, permutation);
      operand.set(source);
    };
    const Picoseconds before = at.share + time->of(user);
    const Picoseconds after = time->ofChanged(user, change);
    if (after > before)
      return isSlower(at, user, before, after);
    change(user);
    absorbed(at, user, use.getOperandNumber(), before - after);
    return true;
  }

  /// The innermost dimension stays innermost if the user reads the last two
  /// exchanged: whole rows move instead of elements.
  bool absorbPart(Absorbed &at, Value source, ArrayRef<int64_t> permutation,
                  OpOperand &use) {
    const int64_t rank = permutation.size();
    if (rank < 3 || permutation[rank - 2] != rank - 1)
      return false;
    Operation *user = use.getOwner();
    SmallVector<int64_t> rest(permutation);
    std::swap(rest[rank - 2], rest[rank - 1]);
    auto swap = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(swap[rank - 2], swap[rank - 1]);
    if (!cast<LayoutOpInterface>(user).canAbsorbPermutation(use, swap))
      return false;
    auto type = tensorType(source);
    SmallVector<int64_t> shape = applyPermutation(type.getShape(), rest);
    OpBuilder builder(user);
    auto moved = TransposeOp::create(builder, at.op.getLoc(), type.clone(shape),
                                     source, rest);
    auto change = [&, number = use.getOperandNumber()](Operation *reader) {
      OpOperand &operand = reader->getOpOperand(number);
      cast<LayoutOpInterface>(reader).absorbPermutation(operand, swap);
      operand.set(moved);
    };
    const Picoseconds before = at.share + time->of(user);
    const Picoseconds after = time->of(moved) + time->ofChanged(user, change);
    if (after > before) {
      moved.erase();
      return isSlower(at, user, before, after);
    }
    change(user);
    ++numAbsorbed;
    if (explains(user->getContext()))
      remark::passed(
          at.op.getLoc(),
          remark::RemarkOpts::name("absorb-transpose-part").category(category))
          << remark::add("absorbed in part: '{0}' reads operand {1} with its "
                         "last two dimensions "
                         "exchanged, the others still move, {2}",
                         user->getName().getStringRef(), use.getOperandNumber(),
                         time->saving(before - after));
    return true;
  }

  bool bypassReshape(Absorbed &at, Value source, ArrayRef<int64_t> permutation,
                     ReshapeOp reshape) {
    auto type = tensorType(source);
    auto target = tensorType(reshape);
    std::optional<Exchanged> other =
        exchange(type.getShape(), permutation, target.getShape());
    if (!other)
      return needs(at, reshape);
    OpBuilder builder(reshape);
    auto early = ReshapeOp::create(builder, reshape.getLoc(),
                                   target.clone(other->shape), source);
    bool all = true;
    if (isIdentityPermutation(other->permutation)) {
      absorbed(at, reshape, 0, at.share);
      reshape->replaceAllUsesWith(early);
    } else {
      for (OpOperand &use : llvm::make_early_inc_range(reshape->getUses()))
        all &= bypass(at, early, other->permutation, use);
    }
    if (early->use_empty())
      early->erase();
    if (reshape->use_empty())
      reshape->erase();
    return all;
  }

  /// Says that `user` needs the transpose; false.
  static bool needs(Absorbed &at, Operation *user) {
    if (at.why.empty() && explains(user->getContext()))
      at.why = ("user '" + user->getName().getStringRef() +
                "' does not read the unpermuted operand")
                   .str();
    return false;
  }

  /// Says that `user` would take longer than it and the transpose; false.
  bool isSlower(Absorbed &at, Operation *user, Picoseconds before,
                Picoseconds after) {
    if (explains(user->getContext()))
      at.why = ("'" + user->getName().getStringRef() + "' would take " +
                time->change(before, after))
                   .str();
    return false;
  }

  void absorbed(Absorbed &at, Operation *user, unsigned operand,
                Picoseconds saved) {
    ++numAbsorbed;
    if (explains(user->getContext()))
      remark::passed(
          at.op.getLoc(),
          remark::RemarkOpts::name("absorb-transpose").category(category))
          << remark::add("absorbed: '{0}' reads operand {1} unpermuted, {2}",
                         user->getName().getStringRef(), operand,
                         time->saving(saved));
  }

  std::optional<DeviceTime> time;
};
} // namespace
} // namespace mlir::gaudi
