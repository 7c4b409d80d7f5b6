// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves matrix ops to the kernels that read them, and updates of state after
// the readers of the old value, or those readers before the updates.
#include "Donation.h"
#include "ScheduleGraph.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "mlir/IR/Remarks.h"

namespace gaudi {
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

  /// Moves ops, which are in the order that they keep.
  void moveBefore(ArrayRef<Operation *> ops, Operation *next) {
    Operation *previous = next->getPrevNode();
    const uint64_t low = previous ? numbers.lookup(previous) : 0,
                   between = (numbers.lookup(next) - low) / (ops.size() + 1);
    uint64_t number = low;
    for (Operation *op : ops) {
      assert(isBefore(next, op) && "ops move to an earlier place");
      op->moveBefore(next);
      numbers[op] = number += between;
    }
    if (between == 0)
      this->number();
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
                              const device::DeviceSpec &spec) {
  const DeviceTime time(spec);
  return time.text(time.ofOverlap(matrix, kernel));
}

static std::string timeText(Operation *op, const device::DeviceSpec &spec) {
  const DeviceTime time(spec);
  return time.text(time.of(op));
}

/// Moves a matrix op past small kernels (a per-channel scale, say) to the
/// kernel that reads the product, which can then start on the first tiles of
/// the product while the matrix engine computes the others. The move is right
/// because no op between them reads the product or a view of it: those that
/// do are in `group` and move along. At most `farthest` ops are looked at, so
/// that the pass is linear in the number of ops.
static void moveToReader(Operation *matrix, const device::DeviceSpec &spec) {
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
      if (explains(matrix))
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
      if (explains(matrix))
        remark::analysis(matrix->getLoc(), name) << remark::reason(
            "not moved: '{0}' before the first reader of the product is not a "
            "small kernel; the product takes {1}",
            next->getName().getStringRef(), timeText(matrix, spec));
      return;
    }
    crossed += isa<KernelOp>(next);
  }
  if (distance == farthest && explains(matrix))
    remark::analysis(matrix->getLoc(), name)
        << remark::reason("not moved: none of the {0} ops after it reads the "
                          "product; the product takes {1}",
                          farthest, timeText(matrix, spec));
}

void moveToReaders(Block &block, const device::DeviceSpec &spec) {
  SmallVector<Operation *> matrixOps;
  for (Operation &op : block)
    if (auto engine = dyn_cast<EngineOpInterface>(op);
        engine && engine.getEngine() == Engine::MME)
      matrixOps.push_back(&op);
  for (Operation *op : matrixOps)
    moveToReader(op, spec);
}

namespace {
/// Gives updates of states and the readers of the old values an order.
class UpdateMover {
public:
  UpdateMover(func::FuncOp function, const device::DeviceSpec &spec)
      : function(function), block(function.getBody().front()), time(spec),
        positions(block) {}

  void run() {
    findUpdates();
    SmallVector<std::pair<Update, StringRef>> refused;
    for (const Update &update : updates)
      if (StringRef reason = moveAfterReaders(update); !reason.empty())
        refused.push_back({update, reason});
    // Donations come last: they may take the buffers of other states' next
    // values, which are copied then.
    for (const bool isDonation : {false, true})
      for (const auto &[update, reason] : refused)
        if (isDonated(update.state) == isDonation)
          moveReadersBefore(update, reason);
  }

private:
  static remark::RemarkOpts remarkName() {
    return remark::RemarkOpts::name("move-update")
        .category("gaudi-schedule-ops");
  }

  bool isDonated(BlockArgument state) {
    return bool(function.getArgAttr(state.getArgNumber(), donatedAttrName));
  }

  void findUpdates() {
    auto exit = dyn_cast<func::ReturnOp>(block.getTerminator());
    for (BlockArgument argument : block.getArguments())
      if (auto result = stateResult(function, argument.getArgNumber());
          result && exit)
        if (Operation *op =
                returnedRoot(exit.getOperand(*result)).getDefiningOp())
          updates.push_back({argument, op});
    for (const Update &update : updates) {
      updateOf[update.state] = update.op;
      statesOf[update.op].push_back(update.state);
    }
  }

  /// The readers of a state after the op that makes its next value.
  SmallVector<Operation *> lateReaders(BlockArgument state, Operation *update) {
    SmallVector<Operation *> late;
    forEachReader(state, [&](Operation *reader) {
      if (positions.isBefore(update, reader))
        late.push_back(reader);
    });
    return late;
  }

  /// Moves the update after the last reader of the old value. Gives why that
  /// is not possible, if so.
  StringRef moveAfterReaders(const Update &update) {
    Operation *last = update.op;
    for (Operation *reader : lateReaders(update.state, update.op))
      if (positions.isBefore(last, reader))
        last = reader;
    if (last == update.op)
      return "";
    StringRef reason = reasonToStay(update, last, positions, updateOf);
    if (!reason.empty())
      return reason;
    assert(last->getBlock() == &block && positions.isBefore(update.op, last) &&
           "an op moves later, so its operands still precede it");
    positions.moveAfter(update.op, last);
    if (explains(function))
      remark::passed(update.op->getLoc(), remarkName()) << remark::add(
          "moved after '{0}', the last reader of state {1}, so that the new "
          "value can be written over the old one, saving {2}",
          last->getName().getStringRef(), update.state.getArgNumber(),
          time.text(time.ofCopy(update.state)));
    return "";
  }

  /// Moves late readers of the old value before the update, with the ops after
  /// it that make what they read. `reason` is why the update itself stays.
  void moveReadersBefore(const Update &update, StringRef reason) {
    const SmallVector<Operation *> late = lateReaders(update.state, update.op);
    // Updates of other states may have moved readers.
    if (late.empty())
      return;
    // First without harm to other states; only a donation, whose copy would be
    // an error, may cost another state its place.
    SmallVector<Operation *> moving;
    const bool isPossible = mayOverwrite(update) &&
                            (collect(update, late, /*breaks=*/false, moving) ||
                             (isDonated(update.state) &&
                              collect(update, late, /*breaks=*/true, moving)));
    if (!isPossible) {
      if (explains(function))
        remark::missed(update.op->getLoc(), remarkName())
            << remark::reason("not moved after the last reader of state {0}: "
                              "{1}; the copy takes {2}",
                              update.state.getArgNumber(), reason,
                              time.text(time.ofCopy(update.state)))
            << lost(time.ofCopy(update.state));
      return;
    }
    // In their order among themselves, which is legal.
    llvm::sort(moving, [&](Operation *a, Operation *b) {
      return positions.isBefore(a, b);
    });
    positions.moveBefore(moving, update.op);
    if (explains(function))
      remark::passed(update.op->getLoc(), remarkName()) << remark::add(
          "moved {0} ops before it, the readers of state {1} and what they "
          "need, so that the new value can be written over the old one, saving "
          "{2}",
          moving.size(), update.state.getArgNumber(),
          time.text(time.ofCopy(update.state)));
  }

  /// False if the update itself reads the old value while it writes the new.
  static bool mayOverwrite(const Update &update) {
    if (isa<KernelOp>(update.op))
      return true;
    OpOperand *updated = updatedOperand(update.op);
    return llvm::all_of(update.op->getOpOperands(), [&](OpOperand &operand) {
      return &operand == updated || sourceOf(operand.get()) != update.state;
    });
  }

  /// Fills `moving` with what must precede `late` and does not precede the
  /// update; false if that is the update itself. Next values of other states
  /// that can be written over the old ones still can; with `breaks` only
  /// those of donations. Linear in the ops that move and their operands.
  bool collect(const Update &update, ArrayRef<Operation *> late, bool breaks,
               SmallVector<Operation *> &moving) {
    moving.clear();
    DenseSet<Operation *> met;
    SmallVector<Operation *> open(late);
    const auto meet = [&](Operation *op) {
      if (op && !positions.isBefore(op, update.op))
        open.push_back(op);
    };
    while (!open.empty()) {
      Operation *op = open.pop_back_val();
      // The budget of visits is for all updates of a function: time stays
      // linear.
      if (op == update.op || visitsLeft == 0)
        return false;
      if (!met.insert(op).second)
        continue;
      --visitsLeft;
      moving.push_back(op);
      // What the op reads must precede it, if it does not already precede the
      // update.
      for (Value operand : op->getOperands())
        meet(operand.getDefiningOp());
      // What reads a state stays before the op that overwrites it.
      for (BlockArgument state : statesOf.lookup(op))
        if ((!breaks || isDonated(state)) && lateReaders(state, op).empty())
          forEachReader(state, [&](Operation *reader) {
            if (reader != op)
              meet(reader);
          });
    }
    return true;
  }

  func::FuncOp function;
  Block &block;
  const DeviceTime time;
  Positions positions;
  SmallVector<Update> updates;
  DenseMap<Value, Operation *> updateOf; // by state
  DenseMap<Operation *, SmallVector<BlockArgument, 1>> statesOf;
  /// Ops that all searches together may visit, a second or so: states of long
  /// functions, each with late readers, would make them quadratic.
  size_t visitsLeft = size_t(1) << 22;
};
} // namespace

void moveUpdates(func::FuncOp function, const device::DeviceSpec &spec) {
  UpdateMover(function, spec).run();
}
} // namespace gaudi
