// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the nodes, edges and buffers of a function.
#include "ScheduleGraph.h"
#include "InPlace.h"
#include "SlicePlacement.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

namespace gaudi {
namespace {
constexpr uint32_t none = UINT32_MAX;

class GraphBuilder {
public:
  GraphBuilder(func::FuncOp function, const device::DeviceSpec &spec)
      : block(function.getBody().front()), function(function),
        alignment(spec.memory.addressAlignment) {}

  ScheduleGraph run(Slices counted) {
    findUncounted();
    if (counted == Slices::InResult)
      findSlices();
    for (BlockArgument argument : block.getArguments())
      addRoot(argument, none);
    for (Operation &op : block.without_terminator())
      addOp(op);
    addReuses();
    addNeighbours();
    addStates();
    addReturn();
    result.graph.ops = uint32_t(result.nodes.size());
    assert(llvm::all_of(result.graph.buffers,
                        [](const auto &buffer) {
                          return llvm::is_sorted(buffer.ops);
                        }) &&
           "ops are met in program order");
    return std::move(result);
  }

private:
  /// A value with a buffer, on which views are windows.
  struct Root {
    Value value;
    uint32_t node;   // that writes it; none: an argument or a constant
    uint32_t buffer; // in the workspace; none: it is elsewhere
  };
  struct Window {
    uint32_t root;
    int64_t byteOffset;
    SmallVector<int64_t> strides;
  };
  struct Update {
    BlockArgument state;
    OpResult next;
    bool isInPlace;
  };

  /// Outputs are not in the workspace unless they are copied at the end:
  /// arguments, constants, views, and what is returned twice. Nor are next
  /// values of states that can be written over the old ones.
  void findUncounted() {
    Operation *exit = block.getTerminator();
    for (Value output : exit->getOperands()) {
      const Value root = returnedRoot(output);
      Operation *def = root.getDefiningOp();
      if (!def || isa<ConstantOp, ViewOpInterface>(def) ||
          !uncounted.insert(root).second)
        copiedAtEnd.push_back(output);
    }
    for (BlockArgument argument : block.getArguments()) {
      const auto number = stateResult(function, argument.getArgNumber());
      if (!number)
        continue;
      auto next = dyn_cast<OpResult>(returnedRoot(exit->getOperand(*number)));
      if (!next || next.getOwner()->getBlock() != &block)
        continue;
      const bool isInPlace = isLastReader(argument, next);
      updates.push_back({argument, next, isInPlace});
      // It is copied at the end.
      if (isInPlace)
        findUpdated(next);
      else
        uncounted.erase(next);
    }
  }

  /// Operands of concatenations that gaudi-alias-buffers computes in their
  /// slices of the result, if the order stays. What updates place is not among
  /// them: it depends on the order of readers.
  void findSlices() {
    if (block.getOps<ConcatOp>().empty())
      return;
    const ValueUses uses(function);
    const SlicePlacer placer(function, uses, {});
    for (Operation &op : block.without_terminator())
      for (OpResult value : op.getResults())
        if (const Slice *slice = placer.find(value);
            slice && slice->isForGood() &&
            !placer.isChangedInSlices(stateOf(uses, slice->target))) {
          slices[value] = *slice;
          writers[slice->target].push_back(&op);
        }
  }

  static Value stateOf(const ValueUses &uses, Value target) {
    const auto update = uses.updates.find(target);
    return update == uses.updates.end() ? Value() : Value(update->second.state);
  }

  /// True if the op changes some elements of the value and reads nothing else
  /// of it: its result can be the value, changed in place.
  static bool changes(Operation *op, Value value) {
    OpOperand *updated = updatedOperand(op);
    return updated && sourceOf(updated->get()) == value &&
           llvm::none_of(op->getOpOperands(), [&](OpOperand &other) {
             return &other != updated && sourceOf(other.get()) == value;
           });
  }

  /// What updates between a state and its next value make is in the buffer of
  /// the state, too.
  void findUpdated(OpResult next) {
    for (Value value = next;;) {
      OpOperand *updated = updatedOperand(value.getDefiningOp());
      if (!updated)
        return;
      const Value source = sourceOf(updated->get());
      if (!source.getDefiningOp() || !source.hasOneUse() ||
          !changes(value.getDefiningOp(), source))
        return;
      uncounted.insert(source);
      value = source;
    }
  }

  /// Whether all readers of the state precede the op that makes its next
  /// value; of that one itself addReuses asks the accesses.
  static bool isLastReader(BlockArgument state, OpResult next) {
    bool isLast = true;
    forEachReader(state, [&](Operation *reader) {
      isLast &= reader == next.getOwner()
                    ? isa<KernelOp>(reader) || changes(reader, state)
                    : reader->isBeforeInBlock(next.getOwner());
    });
    return isLast;
  }

  /// A value in a slice. The first one begins the buffer of the result.
  void addSlice(OpResult value, const Slice &slice, uint32_t node) {
    if (!windows.contains(slice.target))
      addRoot(slice.target, node);
    const uint32_t buffer = bufferOf(slice.target);
    const int64_t bytes = elementBytes(tensorType(value).getElementType());
    windows[value] = {uint32_t(roots.size()), slice.layout.offset * bytes,
                      SmallVector<int64_t>(slice.layout.strides)};
    roots.push_back({value, node, buffer});
    touch(buffer, node);
  }

  void touch(uint32_t buffer, uint32_t node) {
    if (buffer == none)
      return;
    std::vector<uint32_t> &ops = result.graph.buffers[buffer].ops;
    if (ops.back() != node)
      ops.push_back(node);
  }

  void addWritten(OpResult value, uint32_t node) {
    if (const auto slice = slices.find(value); slice != slices.end())
      return addSlice(value, slice->second, node);
    const auto window = windows.find(value);
    if (window == windows.end())
      return addRoot(value, node);
    // Operands are in its slices already.
    Root &root = roots[window->second.root];
    root.node = node;
    touch(root.buffer, node);
  }

  void addRoot(Value value, uint32_t node) {
    Root root{value, node, none};
    RankedTensorType type = tensorType(value);
    SmallVector<int64_t> strides = denseStrides(type.getShape());
    if (node != none && !uncounted.contains(value)) {
      root.buffer = uint32_t(result.buffers.size());
      result.buffers.push_back(value);
      result.graph.buffers.push_back(
          {uint64_t(llvm::alignTo(extentBytes(type, strides), alignment)),
           {node}});
    }
    windows[value] = {uint32_t(roots.size()), 0, std::move(strides)};
    roots.push_back(root);
  }

  /// True if the result is a window on the operand's buffer.
  bool addView(OpResult value, ViewOpInterface view) {
    const Window source = windows.lookup(view.getViewSource(value));
    std::optional<StridedLayout> layout =
        view.getViewLayout(value, {0, source.strides});
    if (!layout)
      return false; // it will be copied
    const int64_t bytes = elementBytes(tensorType(value).getElementType());
    windows[value] = {source.root, source.byteOffset + layout->offset * bytes,
                      layout->strides};
    return true;
  }

  void addOp(Operation &op) {
    if (isa<ConstantOp>(op))
      return addRoot(op.getResult(0), none);
    SmallVector<OpResult, 2> written;
    for (OpResult value : op.getResults()) {
      auto view = dyn_cast<ViewOpInterface>(op);
      if (!view || !addView(value, view))
        written.push_back(value);
    }
    if (written.empty() && op.getNumResults() > 0)
      return;
    const auto node = uint32_t(result.nodes.size());
    result.nodes.push_back(&op);
    nodeOf[&op] = node;
    for (Value operand : op.getOperands())
      read(operand, node);
    for (OpResult value : written)
      addWritten(value, node);
  }

  void read(Value operand, uint32_t node) {
    const Root &root = roots[windows.find(operand)->second.root];
    if (root.node != none)
      result.graph.edges.push_back({root.node, node});
    touch(root.buffer, node);
  }

  static bool isMatrixOp(Operation *op) {
    auto engine = dyn_cast<EngineOpInterface>(op);
    return engine && engine.getEngine() == Engine::MME;
  }

  /// A matrix op and a kernel that reads its product, or makes its operand, can
  /// work in slices if no op is between them.
  void addNeighbours() {
    std::vector<std::pair<uint32_t, uint32_t>> &pairs = result.graph.neighbours;
    for (const auto &[from, to] : result.graph.edges) {
      Operation *first = result.nodes[from], *second = result.nodes[to];
      const bool canSlice = isMatrixOp(first)
                                ? isa<KernelOp>(second) || isMatrixOp(second)
                                : isa<KernelOp>(first) && isMatrixOp(second);
      if (from + 1 == to && canSlice &&
          (pairs.empty() || pairs.back().second != to))
        pairs.push_back({from, to});
    }
  }

  //===--------------------------------------------------------------------===//
  // Results that may be written over operands: the rules of
  // gaudi-assign-buffers but for the order of the ops.
  //===--------------------------------------------------------------------===//

  /// True if the accesses of the kernel let its result take the place of what
  /// `owner` holds: each operand there is read by the point that overwrites it.
  bool accessesAllow(KernelOp kernel, OpResult to, uint32_t owner) {
    const auto begins = [&](Value from) {
      return windows.find(from)->second.byteOffset == 0 &&
             elementBytes(tensorType(from).getElementType()) ==
                 elementBytes(tensorType(to).getElementType());
    };
    const SmallVector<int64_t> strides = windows.lookup(to).strides;
    for (auto [i, operand] : llvm::enumerate(kernel->getOperands())) {
      const Window &window = windows.find(operand)->second;
      if (isSameBuffer(window.root, owner) &&
          (!begins(operand) || !mayWriteInPlace(kernel, i, window.strides,
                                                to.getResultNumber(), strides)))
        return false;
    }
    return true;
  }

  bool isSameBuffer(uint32_t a, uint32_t b) const {
    return a == b ||
           (roots[a].buffer != none && roots[a].buffer == roots[b].buffer);
  }

  /// Nothing else begins the buffer of the value, or may be in a slice of it.
  bool beginsBuffer(Value value) const {
    return !slices.contains(value) && !writers.contains(value);
  }

  void addReuses() {
    for (auto [node, op] : llvm::enumerate(result.nodes)) {
      addUpdate(op, uint32_t(node));
      if (auto kernel = dyn_cast<KernelOp>(op))
        for (OpResult value : kernel->getResults())
          if (const uint32_t born = bufferOf(value);
              born != none && beginsBuffer(value))
            addReuses(kernel, uint32_t(node), value, born);
    }
  }

  /// The result of an insertion or a scatter takes the place of the operand
  /// that it changes.
  void addUpdate(Operation *op, uint32_t node) {
    OpOperand *updated = updatedOperand(op);
    if (!updated)
      return;
    const Window &from = windows.find(updated->get())->second;
    const uint32_t dying = roots[from.root].buffer,
                   born = bufferOf(op->getResult(0));
    if (dying != none && born != none && dying != born &&
        beginsBuffer(op->getResult(0)) &&
        result.graph.buffers[dying].bytes == result.graph.buffers[born].bytes &&
        changes(op, roots[from.root].value))
      result.graph.reuses.push_back({node, dying, born});
  }

  uint32_t bufferOf(Value value) {
    return roots[windows.find(value)->second.root].buffer;
  }

  /// Products of matrix ops come first, as there.
  void addReuses(KernelOp kernel, uint32_t node, OpResult value,
                 uint32_t born) {
    SmallVector<uint32_t, 4> tried;
    for (const bool wantsProducts : {true, false})
      for (Value operand : kernel->getOperands()) {
        const uint32_t owner = windows.find(operand)->second.root;
        const uint32_t dying = roots[owner].buffer;
        if (dying == none || dying == born || llvm::is_contained(tried, dying))
          continue;
        auto maker = roots[owner].value.getDefiningOp<EngineOpInterface>();
        const bool isProduct = maker && maker.getEngine() == Engine::MME;
        if (isProduct != wantsProducts || result.graph.buffers[dying].bytes !=
                                              result.graph.buffers[born].bytes)
          continue;
        tried.push_back(dying);
        if (accessesAllow(kernel, value, owner))
          result.graph.reuses.push_back({node, dying, born});
      }
  }

  /// Readers of a state stay before the op that overwrites it. A next value
  /// that cannot be written there is alive until the return.
  void addStates() {
    for (const Update &update : updates) {
      const uint32_t root = windows.find(update.state)->second.root;
      Operation *writer = update.next.getOwner();
      const auto node = nodeOf.find(writer);
      if (node == nodeOf.end())
        continue;
      auto kernel = dyn_cast<KernelOp>(writer);
      if (!update.isInPlace ||
          (kernel && !accessesAllow(kernel, update.next, root))) {
        copiedAtEnd.push_back(update.next);
        continue;
      }
      forEachReader(update.state, [&](Operation *reader) {
        const auto other = nodeOf.find(reader);
        if (other == nodeOf.end() || reader == writer)
          return;
        result.graph.edges.push_back({other->second, node->second});
        // What is in a slice of the next value overwrites the state, too.
        for (Operation *part : writers.lookup(update.next))
          if (const uint32_t first = nodeOf.lookup(part); other->second < first)
            result.graph.edges.push_back({other->second, first});
      });
    }
  }

  void addReturn() {
    const auto last = uint32_t(result.nodes.size());
    BitVector hasReader(last);
    for (const auto &[from, to] : result.graph.edges)
      hasReader.set(from);
    for (uint32_t node = 0; node < last; ++node)
      if (!hasReader.test(node))
        result.graph.edges.push_back({node, last});
    result.nodes.push_back(block.getTerminator());
    for (Value value : copiedAtEnd)
      read(value, last);
  }

  Block &block;
  func::FuncOp function;
  const uint64_t alignment;
  ScheduleGraph result;
  DenseSet<Value> uncounted;
  SmallVector<Update> updates;
  SmallVector<Value> copiedAtEnd;
  SmallVector<Root> roots;
  DenseMap<Value, Window> windows;
  DenseMap<Operation *, uint32_t> nodeOf;
  DenseMap<Value, Slice> slices;
  DenseMap<Value, SmallVector<Operation *, 2>> writers; // to slices, by target
};
} // namespace

ScheduleGraph scheduleGraphOf(func::FuncOp function,
                              const device::DeviceSpec &spec, Slices slices) {
  return GraphBuilder(function, spec).run(slices);
}

memory::OrderProfile ScheduleGraph::profile() const {
  std::vector<uint32_t> order(graph.ops);
  for (uint32_t op = 0; op < graph.ops; ++op)
    order[op] = op;
  return memory::profileOf(graph, order);
}

Value sourceOf(Value value) {
  while (auto view = value.getDefiningOp<ViewOpInterface>())
    value = view.getViewSource(cast<OpResult>(value));
  return value;
}

void forEachReader(Value value, llvm::function_ref<void(Operation *)> visit) {
  SmallVector<Value> values = {value};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      if (isa<func::ReturnOp>(user))
        continue;
      visit(user);
      if (isa<ViewOpInterface>(user))
        llvm::append_range(values, user->getResults());
    }
}
} // namespace gaudi
