// Writes next values of states over the old ones.
#include "BufferTable.h"
#include "InPlace.h"

#include "mlir/IR/Remarks.h"

namespace mlir::gaudi {
namespace {
constexpr StringLiteral category = "gaudi-assign-buffers";

class StateUpdater {
public:
  explicit StateUpdater(BufferTable &table)
      : table(table), exit(table.function.getBody().front().getTerminator()),
        step(table.function.getBody().front().getOperations().size()) {}

  void run(const StateUpdate &update) {
    auto [state, result] = update;
    auto next = cast<OpResult>(returnedRoot(exit->getOperand(result)));
    const size_t owner = table.windows[state].root;
    const int64_t bytes = table.roots[owner].size;
    const bool isExplained = explains(state.getContext());
    auto name = remark::RemarkOpts::name("state").category(category);
    if (StringRef reason = reasonToCopy(state, next); !reason.empty()) {
      next = copyAtEnd(exit->getOperand(result), result);
      if (isExplained)
        remark::missed(next.getLoc(), name) << remark::reason(
            "state {0} not updated in place: {1}; result {2} "
            "takes {3} bytes of workspace and is copied at the end; the copy "
            "takes {4}",
            state.getArgNumber(), reason, result, bytes, timeOfCopy(state));
    } else if (isExplained) {
      remark::passed(next.getLoc(), name) << remark::add(
          "updated state {0} in place: result {1} is written "
          "over it, saving {2} bytes and a copy of {3}",
          state.getArgNumber(), result, bytes, timeOfCopy(state));
    }
    BufferRoot &old = table.roots[owner],
               &root = table.roots[table.windows[next].root];
    assert(old.last <= root.first && "nothing reads the old value after that");
    assert(old.size == root.size && root.value == next && "one layout");
    old.last = std::max(old.last, root.last);
    root.owner = owner;
  }

private:
  std::string timeOfCopy(Value state) const {
    return table.time.text(table.time.ofCopy(state));
  }

  /// Why the op that makes `next` cannot write it to the buffer of `state`;
  /// empty if it can.
  StringRef reasonToCopy(BlockArgument state, OpResult next) {
    const size_t owner = table.windows[state].root;
    const BufferWindow &target = table.windows[next];
    const uint64_t step = table.roots[target.root].first;
    if (table.roots[owner].last > step)
      return "the old value is read after the new one is computed";
    if (table.roots[owner].last < step)
      return ""; // nobody reads it any more
    // The op that writes the new value is the last one that reads the old one.
    // Of a kernel the accesses tell which point reads what; all other ops may
    // read any element after they have written it.
    auto kernel = dyn_cast<KernelOp>(next.getOwner());
    if (!kernel)
      return "the op that computes the new value reads the old one meanwhile";
    for (auto [i, operand] : llvm::enumerate(kernel->getOperands()))
      if (table.windows[operand].root == owner &&
          (!table.startsLike(operand, next) ||
           !mayWriteInPlace(kernel, i, table.windows[operand].strides,
                            next.getResultNumber(), target.strides)))
        return "the old value is read by other points than those that would "
               "overwrite it";
    return "";
  }

  /// A copy of `value` before the return, which returns it as `result`.
  OpResult copyAtEnd(Value value, unsigned result) {
    OpBuilder builder(exit);
    auto copy = CopyOp::create(builder, value.getLoc(), value.getType(), value);
    cast<PlaceableOpInterface>(copy.getOperation())
        .setEngine(engineFor(table.time.spec, Movement::Copy,
                             getElementTypeOrSelf(value.getType())));
    exit->setOperand(result, copy);
    BufferRoot &source = table.roots[table.windows[value].root];
    source.last = std::max(source.last, step);
    table.addRoot(copy, SectionKind::Workspace,
                  denseStrides(tensorType(copy).getShape()), step++);
    return cast<OpResult>(copy->getResult(0));
  }

  BufferTable &table;
  Operation *exit; // the return
  uint64_t step;   // of the next copy: the return's and later ones, in order
};
} // namespace

void updateStates(BufferTable &table, ArrayRef<StateUpdate> updates) {
  StateUpdater updater(table);
  for (const StateUpdate &update : updates)
    updater.run(update);
}
} // namespace mlir::gaudi
