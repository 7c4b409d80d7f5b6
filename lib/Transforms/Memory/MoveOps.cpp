// Moves matrix ops to the kernels that read them, and updates of state after
// the readers of the old value.
#include "ScheduleGraph.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "mlir/IR/Remarks.h"

namespace mlir::gaudi {
namespace {
/// The ops that make the next values of states, by argument.
struct Update {
  BlockArgument state;
  Operation *op;
};

/// The order of the ops of a block while some move: numbers with room between
/// them, so that a move changes one. The block renumbers all ops after a move.
class Positions {
public:
  explicit Positions(Block &block) : block(block) { number(); }

  bool isBefore(Operation *a, Operation *b) const {
    return numbers.lookup(a) < numbers.lookup(b);
  }

  void moveAfter(Operation *op, Operation *last) {
    Operation *next = last->getNextNode();
    assert(next && next != op && "the return is the last");
    op->moveAfter(last);
    const uint64_t low = numbers.lookup(last), high = numbers.lookup(next);
    // Several ops often move after one. The later ones are nearer to it.
    const uint64_t between = moved.contains(next) && high - low > 2 * step
                                 ? high - step
                                 : low + (high - low) / 2;
    moved.insert(op);
    numbers[op] = between;
    if (between == low)
      number();
  }

private:
  static constexpr uint64_t room = uint64_t(1) << 40, step = 1 << 16;

  void number() {
    uint64_t next = 0;
    for (Operation &op : block)
      numbers[&op] = next += room;
  }

  Block &block;
  DenseMap<Operation *, uint64_t> numbers;
  DenseSet<Operation *> moved;
};

/// Why `update` cannot move after `last`; empty if it can. `updates` are the
/// ops that make the next values, by state. Linear in the readers of the
/// results and in the operands.
StringRef reasonToStay(const Update &update, Operation *last,
                       const Positions &positions,
                       const DenseMap<Value, Operation *> &updates) {
  bool isNeeded = false;
  for (Value result : update.op->getResults())
    forEachReader(result, [&](Operation *reader) {
      isNeeded |= !positions.isBefore(last, reader);
    });
  if (isNeeded)
    return "the new value is needed before that";
  // Moving over another update whose old value this one reads would only
  // exchange the two.
  for (Value operand : update.op->getOperands()) {
    Operation *other = updates.lookup(sourceOf(operand));
    if (other && other != update.op && positions.isBefore(update.op, other) &&
        !positions.isBefore(last, other))
      return "it reads another state that is updated before that";
  }
  return "";
}

} // namespace

/// Bytes of the results; the largest number if one has no static shape.
static int64_t resultBytes(Operation &op) {
  int64_t bytes = 0;
  for (Type type : op.getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return INT64_MAX;
    bytes += tensor.getNumElements() * elementBytes(tensor.getElementType());
  }
  return bytes;
}

/// The time that two ops share if one works on the tiles of the other.
static std::string hiddenText(Operation *matrix, Operation *kernel,
                              const ::gaudi::device::DeviceSpec &spec) {
  const DeviceTime time(spec);
  return time.text(time.ofOverlap(matrix, kernel));
}

static std::string timeText(Operation *op,
                            const ::gaudi::device::DeviceSpec &spec) {
  const DeviceTime time(spec);
  return time.text(time.of(op));
}

/// Moves a matrix op past small kernels (a per-channel scale, say) to the
/// kernel that reads the product, which can then start on the first tiles of
/// the product while the matrix engine computes the others. The move is right
/// because no op between them reads the product or a view of it: those that
/// do are in `group` and move along. At most `farthest` ops are looked at, so
/// that the pass is linear in the number of ops.
static void moveToReader(Operation *matrix,
                         const ::gaudi::device::DeviceSpec &spec) {
  constexpr unsigned farthest = 16; // ops
  // A kernel that writes as much as this is worth a tile schedule of its own.
  constexpr int64_t smallBytes = 64 << 10;
  auto name =
      remark::RemarkOpts::name("move-matrix-op").category("gaudi-schedule-ops");
  SmallVector<Operation *> group = {matrix}; // and views of the product
  unsigned crossed = 0, distance = 0;
  for (Operation *next = matrix->getNextNode(); next && distance < farthest;
       next = next->getNextNode(), ++distance) {
    bool reads = llvm::any_of(next->getOperands(), [&](Value operand) {
      return llvm::is_contained(group, operand.getDefiningOp());
    });
    if (reads && isa<ViewOpInterface>(next)) {
      group.push_back(next);
      continue;
    }
    if (reads) {
      // Without a kernel between them the two are adjacent already.
      if (crossed == 0 || !isa<KernelOp>(next))
        return;
      for (Operation *op : group)
        op->moveBefore(next);
      if (explains(matrix->getContext()))
        remark::passed(matrix->getLoc(), name)
            << remark::add("moved past {0} small kernels to the kernel that "
                           "reads the product, which can work tile by tile, "
                           "saving up to {1}",
                           crossed, hiddenText(matrix, next, spec));
      return;
    }
    bool isSmall = isa<ConstantOp, ViewOpInterface>(next) ||
                   (isa<KernelOp>(next) && resultBytes(*next) <= smallBytes);
    if (!isSmall) {
      if (explains(matrix->getContext()))
        remark::missed(matrix->getLoc(), name) << remark::reason(
            "not moved: '{0}' before the first reader of the product is not a "
            "small kernel; the product takes {1}",
            next->getName().getStringRef(), timeText(matrix, spec));
      return;
    }
    crossed += isa<KernelOp>(next);
  }
  if (distance == farthest && explains(matrix->getContext()))
    remark::missed(matrix->getLoc(), name)
        << remark::reason("not moved: none of the {0} ops after it reads the "
                          "product; the product takes {1}",
                          farthest, timeText(matrix, spec));
}

void moveToReaders(Block &block, const ::gaudi::device::DeviceSpec &spec) {
  SmallVector<Operation *> matrixOps;
  for (Operation &op : block)
    if (auto engine = dyn_cast<EngineOpInterface>(op);
        engine && engine.getEngine() == Engine::MME)
      matrixOps.push_back(&op);
  for (Operation *op : matrixOps)
    moveToReader(op, spec);
}

void moveUpdates(func::FuncOp function,
                 const ::gaudi::device::DeviceSpec &spec) {
  const DeviceTime time(spec);
  Block &block = function.getBody().front();
  auto exit = dyn_cast<func::ReturnOp>(block.getTerminator());
  if (!exit)
    return;
  SmallVector<Update> updates;
  for (BlockArgument argument : block.getArguments())
    if (auto result = stateResult(function, argument.getArgNumber()))
      if (Operation *op =
              returnedRoot(exit.getOperand(*result)).getDefiningOp())
        updates.push_back({argument, op});
  if (updates.empty())
    return;
  DenseMap<Value, Operation *> updateOf;
  for (const Update &update : updates)
    updateOf[update.state] = update.op;
  Positions positions(block);
  for (const Update &update : updates) {
    Operation *last = update.op;
    forEachReader(update.state, [&](Operation *reader) {
      if (positions.isBefore(last, reader))
        last = reader;
    });
    if (last == update.op)
      continue;
    auto name =
        remark::RemarkOpts::name("move-update").category("gaudi-schedule-ops");
    StringRef reason = reasonToStay(update, last, positions, updateOf);
    if (!reason.empty()) {
      if (explains(function.getContext()))
        remark::missed(update.op->getLoc(), name)
            << remark::reason("not moved after the last reader of state {0}: "
                              "{1}; the copy takes {2}",
                              update.state.getArgNumber(), reason,
                              time.text(time.ofCopy(update.state)));
      continue;
    }
    assert(last->getBlock() == &block && positions.isBefore(update.op, last) &&
           "an op moves later, so its operands still precede it");
    positions.moveAfter(update.op, last);
    if (explains(function.getContext()))
      remark::passed(update.op->getLoc(), name) << remark::add(
          "moved after '{0}', the last reader of state {1}, so that the new "
          "value can be written over the old one, saving {2}",
          last->getName().getStringRef(), update.state.getArgNumber(),
          time.text(time.ofCopy(update.state)));
  }
}
} // namespace mlir::gaudi
