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

/// A use of a transpose, seen through reshapes, while the pass decides whether
/// it can do without.
struct Reading {
  enum Kind { Kept, Whole, Part, Free };
  OpOperand *use = nullptr;          // of the transpose or of a reshape of it
  Value source;                      // what it would read
  Kind kind = Kept;                  // Free: a reshape with the result `source`
  SmallVector<int64_t> order;        // that the operand absorbs
  Picoseconds before = 0, after = 0; // of the reader, and of `source` if Part
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

  /// The transpose goes if every use can do without it: then the sum of times
  /// decides, and its time counts once. A transpose that stays saves nothing,
  /// so that each reader is compared for itself.
  void absorb(TransposeOp op) {
    SmallVector<Reading> readings;
    // Reshapes of the transposed tensor, and of the source, that replace them.
    SmallVector<ReshapeOp> late, early;
    for (OpOperand &use : op->getUses())
      collect(readings, late, early, op.getOperand(), op.getPermutation(), use,
              op.getLoc());
    const Picoseconds whole = time->of(op);
    Picoseconds before = whole, after = 0;
    bool goes = !readings.empty();
    for (const Reading &reading : readings) {
      goes &= reading.kind != Reading::Kept;
      before += reading.before;
      after += reading.after;
    }
    goes &= after <= before;
    Picoseconds left = goes ? whole : 0; // credit that is not given yet
    for (auto [i, reading] : llvm::enumerate(readings)) {
      const Picoseconds share = left / int64_t(readings.size() - i);
      left -= share;
      apply(op, reading, goes, share, whole);
    }
    // The lists hold readers after what they read, so the last goes first.
    for (auto list : {&early, &late})
      for (ReshapeOp reshape : llvm::reverse(*list))
        if (reshape->use_empty())
          reshape->erase();
    assert((!goes || op->use_empty()) && "every use was bypassed");
    if (op->use_empty())
      op->erase();
  }

  /// `use` reads `source` permuted. Adds how it, or the readers behind it if it
  /// is a reshape, could read `source` itself.
  void collect(SmallVectorImpl<Reading> &readings,
               SmallVectorImpl<ReshapeOp> &late,
               SmallVectorImpl<ReshapeOp> &early, Value source,
               ArrayRef<int64_t> permutation, OpOperand &use, Location loc) {
    Operation *user = use.getOwner();
    Reading reading;
    reading.use = &use;
    reading.source = source;
    if (auto reshape = dyn_cast<ReshapeOp>(user)) {
      auto target = tensorType(reshape);
      std::optional<Exchanged> other = exchange(tensorType(source).getShape(),
                                                permutation, target.getShape());
      if (other) {
        OpBuilder builder(reshape);
        early.push_back(ReshapeOp::create(builder, reshape.getLoc(),
                                          target.clone(other->shape), source));
        late.push_back(reshape);
        source = early.back();
        if (!isIdentityPermutation(other->permutation)) {
          for (OpOperand &next : reshape->getUses())
            collect(readings, late, early, source, other->permutation, next,
                    loc);
          return;
        }
        reading.source = source;
        reading.kind = Reading::Free;
      }
    } else if (auto layout = dyn_cast<AbsorbTransposeOpInterface>(user)) {
      if (layout.canAbsorbPermutation(use, permutation)) {
        reading.kind = Reading::Whole;
        reading.order = llvm::to_vector(permutation);
      } else {
        considerPart(reading, permutation, loc);
      }
    }
    if (reading.kind == Reading::Whole || reading.kind == Reading::Part) {
      reading.before = time->of(user);
      reading.after = time->ofChanged(user, [&](Operation *reader) {
        change(reader->getOpOperand(use.getOperandNumber()), reading);
      });
      if (reading.kind == Reading::Part)
        reading.after += time->of(reading.source.getDefiningOp());
    }
    readings.push_back(std::move(reading));
  }

  /// The innermost dimension stays innermost if the user reads the last two
  /// exchanged: whole rows move instead of elements.
  static void considerPart(Reading &reading, ArrayRef<int64_t> permutation,
                           Location loc) {
    const int64_t rank = permutation.size();
    if (rank < 3 || permutation[rank - 2] != rank - 1)
      return;
    Operation *user = reading.use->getOwner();
    SmallVector<int64_t> rest(permutation);
    std::swap(rest[rank - 2], rest[rank - 1]);
    auto swap = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(swap[rank - 2], swap[rank - 1]);
    if (!cast<AbsorbTransposeOpInterface>(user).canAbsorbPermutation(
            *reading.use, swap))
      return;
    auto type = tensorType(reading.source);
    SmallVector<int64_t> shape = applyPermutation(type.getShape(), rest);
    OpBuilder builder(user);
    reading.source = TransposeOp::create(builder, loc, type.clone(shape),
                                         reading.source, rest);
    reading.kind = Reading::Part;
    reading.order = std::move(swap);
  }

  /// Makes `operand` read what the reading says.
  static void change(OpOperand &operand, const Reading &reading) {
    if (reading.kind == Reading::Whole || reading.kind == Reading::Part)
      cast<AbsorbTransposeOpInterface>(operand.getOwner())
          .absorbPermutation(operand, reading.order);
    operand.set(reading.source);
  }

  /// Changes the reader if that takes no longer, or if the transpose `goes`.
  /// `share` is the time of it that this reader is credited with.
  void apply(TransposeOp op, const Reading &reading, bool goes,
             Picoseconds share, Picoseconds whole) {
    Operation *user = reading.use->getOwner();
    const bool isPart = reading.kind == Reading::Part;
    if (reading.kind == Reading::Kept ||
        (!goes && reading.after > reading.before)) {
      if (explains(op.getContext()))
        reportKept(op, reading, whole);
      if (isPart)
        reading.source.getDefiningOp()->erase();
      return;
    }
    const Picoseconds saved = share + reading.before - reading.after;
    ++numAbsorbed;
    if (explains(op.getContext()))
      report(op, reading, saved);
    if (reading.kind == Reading::Free)
      user->getResult(0).replaceAllUsesWith(reading.source);
    else
      change(*reading.use, reading);
  }

  void reportKept(TransposeOp op, const Reading &reading, Picoseconds whole) {
    const StringRef user = reading.use->getOwner()->getName().getStringRef();
    const std::string why =
        reading.kind == Reading::Kept
            ? ("user '" + user + "' does not read the unpermuted operand").str()
            : ("'" + user + "' would take " +
               time->change(reading.before, reading.after))
                  .str();
    remark::missed(
        op.getLoc(),
        remark::RemarkOpts::name("keep-transpose").category(category))
        << remark::reason("not absorbed: {0}; the transpose takes {1}", why,
                          time->text(whole));
  }

  void report(TransposeOp op, const Reading &reading, Picoseconds saved) {
    const StringRef user = reading.use->getOwner()->getName().getStringRef();
    const unsigned operand = reading.use->getOperandNumber();
    if (reading.kind == Reading::Part)
      remark::passed(
          op.getLoc(),
          remark::RemarkOpts::name("absorb-transpose-part").category(category))
          << remark::add("absorbed in part: '{0}' reads operand {1} with its "
                         "last two dimensions exchanged, the others still "
                         "move, {2}",
                         user, operand, time->saving(saved));
    else
      remark::passed(
          op.getLoc(),
          remark::RemarkOpts::name("absorb-transpose").category(category))
          << remark::add("absorbed: '{0}' reads operand {1} unpermuted, {2}",
                         user, operand, time->saving(saved));
  }

  std::optional<DeviceTime> time;
};
} // namespace
} // namespace mlir::gaudi
