// From the graph of a kernel's values to gaudi.tpc.kernel.
//
// A value is computed at the outermost place that has the indices it varies
// with: before the loops if it varies with no sequential dimension, else in
// each loop that needs it. Loops are written in the order of the graph, which
// `KernelDag::reduce` keeps topological.
#include "KernelWriter.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fusion;

namespace {
class KernelWriter {
public:
  KernelWriter(const KernelDag &dag, KernelOp kernel)
      : dag(dag), kernel(kernel), context(kernel.getContext()),
        builder(context), loc(kernel.getLoc()),
        sequential(dag.sequentialDims()), byPoint(dag.nodes.size()),
        byStep(dag.nodes.size()) {}

  void run() {
    numberDims();
    for (auto [i, tensor] : llvm::enumerate(dag.tensors()))
      operandOf[tensor] = i;

    kernel.clearBody();
    builder.setInsertionPointToEnd(&kernel.getBody().front());
    placeStores();
    for (unsigned store : afterLoop[0])
      emitStore(store, byPoint, /*steps=*/false);
    for (auto [l, loop] : llvm::enumerate(dag.loops)) {
      emitLoop(loop.dims, &loop, l, storesIn[l]);
      for (unsigned store : afterLoop[l + 1])
        emitStore(store, byPoint, /*steps=*/false);
    }
    // The graph sorts dimensions by number, the kernel by its new order.
    for (auto &[dims, stores] : storeLoops) {
      llvm::sort(dims, [&](unsigned a, unsigned b) {
        return newDims[a] < newDims[b];
      });
      emitLoop(dims, nullptr, dag.loops.size(), stores);
    }
  }

private:
  /// Numbers the dimensions; those that nothing uses disappear.
  void numberDims() {
    uint64_t used = dag.usedDims();
    SmallVector<int64_t> space;
    SmallVector<bool> parallel;
    newDims.assign(dag.extents.size(), 0);
    for (unsigned d : storeOrder()) {
      if (!(used >> d & 1))
        continue;
      newDims[d] = space.size();
      space.push_back(dag.extents[d]);
      parallel.push_back(dag.parallel[d]);
    }
    rank = space.size();
    kernel.setIndexSpace(space);
    kernel.setParallel(parallel);
  }

  /// The dimensions along the memory of the first result, then the others. The
  /// runtime walks them in this order, the last one fastest: contiguous stores.
  SmallVector<unsigned> storeOrder() const {
    SmallVector<int64_t> strides(dag.extents.size(), 0);
    const Store &store = dag.stores.front();
    auto type = tensorType(store.result);
    int64_t stride = 1;
    for (size_t i = store.position.size(); i-- > 0;) {
      for (unsigned d = 0; d < store.position[i].size(); ++d)
        strides[d] += store.position[i][d] * stride;
      stride *= type.getDimSize(i);
    }
    auto order = llvm::to_vector(llvm::seq<unsigned>(0, dag.extents.size()));
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return strides[a] != strides[b] ? strides[a] > strides[b] : a < b;
    });
    return order;
  }

  AffineMap mapOf(ArrayRef<Affine> position) {
    SmallVector<AffineExpr> exprs;
    for (const Affine &form : position)
      exprs.push_back(exprOf(form, newDims, context));
    return AffineMap::get(rank, 0, exprs, context);
  }

  /// A store goes into the first loop over its dimensions in which its value
  /// exists, else into a loop of its own at the end.
  void placeStores() {
    storesIn.resize(dag.loops.size());
    afterLoop.resize(dag.loops.size() + 1);
    for (auto [s, store] : llvm::enumerate(dag.stores)) {
      SmallVector<unsigned, 2> walked =
          dag.sequentialOf(dimsOf(store.position));
      unsigned depth = dag.nodes[store.value].depth;
      if (walked.empty()) {
        afterLoop[depth].push_back(s);
        continue;
      }
      bool placed = false;
      for (unsigned l = depth; l < dag.loops.size() && !placed; ++l) {
        SmallVector<unsigned, 2> dims = dag.loops[l].dims;
        llvm::sort(dims);
        if (dims != walked)
          continue;
        storesIn[l].push_back(s);
        placed = true;
      }
      if (placed)
        continue;
      auto known = llvm::find_if(
          storeLoops, [&](const auto &entry) { return entry.first == walked; });
      if (known == storeLoops.end()) {
        storeLoops.push_back({walked, {}});
        known = std::prev(storeLoops.end());
      }
      known->second.push_back(s);
    }
  }

  /// A loop over `dims` with the reductions of `loop`, if it has any, and
  /// stores. Everything that its body reads from outside is emitted before it,
  /// because a value that is emitted inside is not visible outside.
  void emitLoop(ArrayRef<unsigned> dims, const Loop *loop, unsigned number,
                ArrayRef<unsigned> stores) {
    SmallVector<KernelReduce> kinds;
    SmallVector<Value> inits;
    if (loop)
      for (const Reduction &r : loop->reductions) {
        kinds.push_back(r.kind);
        inits.push_back(emit(r.init, byPoint, false));
        hoist(r.value);
        if (r.position)
          hoist(*r.position);
      }
    for (unsigned s : stores)
      hoist(dag.stores[s].value);
    SmallVector<int64_t> walked;
    for (unsigned d : dims)
      walked.push_back(newDims[d]);
    auto op = KernelLoopOp::create(builder, loc, walked, kinds, inits);
    Block &block = op.getBody().front();
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&block);
      // No value of another loop is visible in this one.
      byStep.assign(dag.nodes.size(), Value());
      carried = &block;
      SmallVector<Value> yielded;
      if (loop)
        for (const Reduction &r : loop->reductions) {
          yielded.push_back(emit(r.value, byStep, true));
          if (r.position)
            yielded.push_back(emit(*r.position, byStep, true));
        }
      for (unsigned s : stores)
        emitStore(s, byStep, true);
      KernelYieldOp::create(builder, loc, yielded);
    }
    if (loop)
      loopResults[number] = SmallVector<Value>(op.getResults());
  }

  bool varies(NodeId id) const { return dag.nodes[id].dims & sequential; }

  /// Computes before a loop what does not vary in it. Operands of values that
  /// vary are looked through: a load in the loop may have an index that does
  /// not.
  void hoist(NodeId id) {
    if (!varies(id)) {
      emit(id, byPoint, false);
      return;
    }
    if (!hoisted.insert(id).second)
      return;
    for (NodeId operand : dag.nodes[id].operands)
      hoist(operand);
  }

  /// The value at the insertion point: in a loop (`steps`) from `values`, the
  /// values of one iteration, unless it is the same in all iterations.
  Value emit(NodeId id, std::vector<Value> &values, bool steps) {
    // A value of the point that is emitted in a loop would be lost after it,
    // but hoist() has emitted those before the loop.
    std::vector<Value> &home = steps && varies(id) ? values : byPoint;
    if (home[id])
      return home[id];
    const Node &node = dag.nodes[id];
    SmallVector<Value, 3> operands;
    for (NodeId operand : node.operands)
      operands.push_back(emit(operand, values, steps));
    return home[id] = create(node, operands);
  }

  Value create(const Node &node, ArrayRef<Value> operands) {
    switch (node.kind) {
    case Node::Constant:
      return arith::ConstantOp::create(builder, loc,
                                       cast<TypedAttr>(node.attr));
    case Node::Index:
      return KernelIndexOp::create(builder, loc, builder.getI64Type(),
                                   newDims[node.number]);
    case Node::Load: {
      const Access &access = dag.accesses[node.number];
      ArrayAttr boundary;
      if (!access.boundary.empty()) {
        SmallVector<Attribute> rules;
        for (Boundary rule : access.boundary)
          rules.push_back(BoundaryAttr::get(context, rule));
        boundary = builder.getArrayAttr(rules);
      }
      DenseI64ArrayAttr dynamicDims;
      if (!access.dynamicDims.empty())
        dynamicDims = builder.getDenseI64ArrayAttr(access.dynamicDims);
      return KernelLoadOp::create(
          builder, loc, node.type,
          kernel.getInputArguments()[operandOf.lookup(access.tensor)],
          mapOf(access.position), operands, dynamicDims, boundary, access.pad);
    }
    case Node::Scalar: {
      OperationState state(loc, *node.name);
      state.addOperands(operands);
      state.addTypes(node.type);
      // Each half of a wide product is a node, and an op, of its own.
      if (isOneOf<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(*node.name))
        state.addTypes(node.type);
      if (auto attrs = dyn_cast_or_null<DictionaryAttr>(node.attr))
        state.addAttributes(attrs.getValue());
      return builder.create(state)->getResult(node.number);
    }
    case Node::Result:
      assert(loopResults.contains(node.loop) &&
             "loops are in topological order");
      return loopResults[node.loop][node.number];
    case Node::Carry:
      assert(carried && "an accumulator has a value in its loop only");
      return carried->getArgument(node.number);
    }
    llvm_unreachable("every kind is listed");
  }

  void emitStore(unsigned s, std::vector<Value> &values, bool steps) {
    const Store &store = dag.stores[s];
    Value value = emit(store.value, values, steps);
    KernelStoreOp::create(builder, loc, value, kernel.getOutputArguments()[s],
                          mapOf(store.position));
  }

  const KernelDag &dag;
  KernelOp kernel;
  MLIRContext *context;
  OpBuilder builder;
  Location loc;
  uint64_t sequential;
  unsigned rank = 0;
  SmallVector<unsigned> newDims;
  DenseMap<Value, unsigned> operandOf;
  std::vector<Value> byPoint, byStep;
  DenseSet<NodeId> hoisted;
  DenseMap<unsigned, SmallVector<Value>> loopResults;
  Block *carried = nullptr;
  SmallVector<SmallVector<unsigned>> storesIn, afterLoop;
  SmallVector<std::pair<SmallVector<unsigned, 2>, SmallVector<unsigned>>>
      storeLoops;
};
} // namespace

void mlir::gaudi::fusion::writeKernel(const KernelDag &dag, KernelOp kernel) {
  KernelWriter(dag, kernel).run();
}
