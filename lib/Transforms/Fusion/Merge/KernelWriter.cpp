// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the graph of a kernel's values to gaudi.tpc.kernel.
//
// A value is computed at the outermost place that has the indices it varies
// with: before the loops if it varies with no sequential dimension, else in
// each loop that needs it. Loops are written in the order of the graph, which
// `KernelDag::reduce` keeps topological.
#include "KernelWriter.h"
#include "WrittenForm.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
class KernelWriter {
public:
  KernelWriter(const KernelDag &dag, KernelOp kernel)
      : dag(dag), form(writtenFormOf(dag)), kernel(kernel),
        context(kernel.getContext()), builder(context), loc(kernel.getLoc()),
        sequential(dag.sequentialDims()), byPoint(dag.nodes.size()),
        byStep(dag.nodes.size()) {}

  void run() {
    numberDims();
    for (auto [i, tensor] : llvm::enumerate(dag.tensors()))
      operandOf[tensor] = i;

    kernel.clearBody();
    builder.setInsertionPointToEnd(&kernel.getBody().front());
    for (const Stage &stage : form.stages)
      if (stage.isLoop())
        emitLoop(stage);
      else
        for (unsigned store : stage.stores)
          emitStore(store, byPoint, /*steps=*/false);
  }

private:
  void numberDims() {
    SmallVector<int64_t> space;
    SmallVector<bool> parallel;
    for (unsigned d : form.dims) {
      space.push_back(dag.extents[d]);
      parallel.push_back(dag.parallel[d]);
    }
    kernel.setIndexSpace(space);
    kernel.setParallel(parallel);
  }

  AffineMap mapOf(ArrayRef<Affine> position) {
    SmallVector<AffineExpr> exprs;
    for (const Affine &index : position)
      exprs.push_back(exprOf(index, form.newDims, context));
    return AffineMap::get(form.dims.size(), 0, exprs, context);
  }

  /// A loop with the reductions of the graph's, if it has any, and stores.
  /// Everything that its body reads from outside is emitted before it, because
  /// a value that is emitted inside is not visible outside.
  void emitLoop(const Stage &stage) {
    const Loop *loop = stage.loop ? &dag.loops[*stage.loop] : nullptr;
    SmallVector<KernelReduce> kinds;
    SmallVector<Value> inits;
    // Initial values are computed before the loop; so is what its body has in
    // common for all iterations.
    if (loop)
      for (const Reduction &r : loop->reductions) {
        kinds.push_back(r.kind);
        inits.push_back(emit(r.init, byPoint, false));
        hoist(r.value);
        if (r.position)
          hoist(*r.position);
      }
    for (unsigned s : stage.stores)
      hoist(dag.stores[s].value);
    SmallVector<int64_t> walked;
    for (unsigned d : stage.dims)
      walked.push_back(form.newDims[d]);
    auto op = KernelLoopOp::create(builder, loc, walked, kinds, inits);
    Block &block = op.getBody().front();
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&block);
      // No value of another loop is visible in this one.
      byStep.assign(dag.nodes.size(), Value());
      carried = &block;
      // Only now the body, whose values are its own.
      SmallVector<Value> yielded;
      if (loop)
        for (const Reduction &r : loop->reductions) {
          yielded.push_back(emit(r.value, byStep, true));
          if (r.position)
            yielded.push_back(emit(*r.position, byStep, true));
        }
      for (unsigned s : stage.stores)
        emitStore(s, byStep, true);
      KernelYieldOp::create(builder, loc, yielded);
    }
    if (loop)
      loopResults[*stage.loop] = SmallVector<Value>(op.getResults());
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
                                   form.newDims[node.number]);
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
  const WrittenForm form;
  KernelOp kernel;
  MLIRContext *context;
  OpBuilder builder;
  Location loc;
  uint64_t sequential;
  DenseMap<Value, unsigned> operandOf;
  std::vector<Value> byPoint, byStep;
  DenseSet<NodeId> hoisted;
  DenseMap<unsigned, SmallVector<Value>> loopResults;
  Block *carried = nullptr;
};
} // namespace

void gaudi::fusion::writeKernel(const KernelDag &dag, KernelOp kernel) {
  KernelWriter(dag, kernel).run();
}
