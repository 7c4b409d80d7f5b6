// From gaudi.tpc.kernel to the graph of its values and back.
#include "KernelDag.h"
#include "Views.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fusion;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Adds `factor` times the expression; fails if it is not linear.
static LogicalResult addExpr(AffineExpr expr, int64_t factor, Linear &form) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    form.addOffset(constant.getValue() * factor);
    return success();
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    form.add(dim.getPosition(), factor);
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  if (binary.getKind() == AffineExprKind::Add)
    return success(succeeded(addExpr(lhs, factor, form)) &&
                   succeeded(addExpr(rhs, factor, form)));
  if (binary.getKind() != AffineExprKind::Mul)
    return failure();
  if (auto constant = dyn_cast<AffineConstantExpr>(lhs))
    return addExpr(rhs, factor * constant.getValue(), form);
  if (auto constant = dyn_cast<AffineConstantExpr>(rhs))
    return addExpr(lhs, factor * constant.getValue(), form);
  return failure();
}

namespace {
class Reader {
public:
  explicit Reader(KernelOp kernel) : kernel(kernel) {}

  FailureOr<KernelDag> run() {
    size_t count = llvm::range_size(kernel.getBody().front());
    dag.reserve(count, count);
    readDims();
    dag.parts.push_back(kernel.getLabel().value_or("tpc.kernel"));
    for (Operation &op : kernel.getBody().front()) {
      auto loop = dyn_cast<KernelLoopOp>(op);
      if (failed(loop ? readLoop(loop) : read(op)))
        return failure();
    }
    // Stores in the order of the results.
    DenseMap<Value, unsigned> order;
    for (OpResult result : kernel->getResults())
      order[result] = result.getResultNumber();
    llvm::sort(dag.stores, [&](const Store &a, const Store &b) {
      return order[a.result] < order[b.result];
    });
    return std::move(dag);
  }

private:
  /// Dimensions of size 1 have index 0 and disappear, unless a loop that
  /// reduces walks nothing else.
  void readDims() {
    auto space = kernel.getIndexSpace();
    SmallVector<bool> kept;
    for (int64_t size : space)
      kept.push_back(size != 1);
    for (auto loop : kernel.getBody().getOps<KernelLoopOp>())
      if (!loop.getReduce().empty() &&
          llvm::none_of(loop.getDims(), [&](int64_t d) { return kept[d]; }))
        kept[loop.getDims()[0]] = true;
    for (auto [d, size] : llvm::enumerate(space))
      dims.push_back(
          kept[d] ? Linear::dim(dag.addDim(size, kernel.getParallel()[d]))
                  : Linear());
  }

  LogicalResult readPosition(AffineMap map, SmallVectorImpl<Linear> &position) {
    for (AffineExpr expr : map.getResults()) {
      Linear form;
      if (failed(addExpr(expr, 1, form)))
        return failure();
      position.push_back(form.substitute(dims));
    }
    return success();
  }

  LogicalResult readLoop(KernelLoopOp op) {
    Block &block = op.getBody().front();
    if (op.getReduce().empty()) {
      for (Operation &inner : block.without_terminator())
        if (failed(read(inner)))
          return failure();
      return success();
    }
    unsigned number = dag.loops.size();
    Loop &loop = dag.loops.emplace_back();
    uint64_t walked = 0;
    for (int64_t d : op.getDims())
      if (auto dim = dims[d].singleDim()) {
        loop.dims.push_back(*dim);
        walked |= uint64_t(1) << *dim;
      }
    for (BlockArgument running : block.getArguments())
      if (!running.use_empty())
        ids[running] = dag.carry(number, running.getArgNumber(),
                                 running.getType(), walked);
    for (Operation &inner : block.without_terminator())
      if (failed(read(inner)))
        return failure();
    ValueRange yielded = cast<KernelYieldOp>(block.getTerminator()).getValues();
    size_t next = 0;
    for (auto [r, init] : llvm::enumerate(op.getInits())) {
      Reduction reduction{op.getReduceKind(r), ids.lookup(init),
                          ids.lookup(yielded[next++]), std::nullopt};
      if (hasPosition(reduction.kind))
        reduction.position = ids.lookup(yielded[next++]);
      dag.loops[number].reductions.push_back(reduction);
    }
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      ids[result] = dag.result(number, i, result.getType());
    return success();
  }

  LogicalResult read(Operation &op) {
    if (auto load = dyn_cast<KernelLoadOp>(op))
      return readLoad(load);
    if (auto index = dyn_cast<KernelIndexOp>(op)) {
      ids[index] = dag.linear(dims[index.getDim()], op.getContext());
      return success();
    }
    if (auto store = dyn_cast<KernelStoreOp>(op)) {
      Store made{kernel.getResult(store.getOutputNumber()),
                 {},
                 ids.lookup(store.getValue())};
      if (failed(readPosition(store.getMap(), made.position)))
        return failure();
      // A store may move to another loop, where an accumulator has no value.
      if (readsCarry(made.value))
        return failure();
      dag.stores.push_back(std::move(made));
      return success();
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      ids[constant] = dag.constant(constant.getValue());
      return success();
    }
    SmallVector<NodeId, 3> operands;
    for (Value operand : op.getOperands())
      operands.push_back(ids.lookup(operand));
    DictionaryAttr attrs = attrsOf(op);
    for (OpResult result : op.getResults())
      ids[result] = dag.scalar(op.getName(), attrs, operands, result.getType(),
                               result.getResultNumber());
    return success();
  }

  /// The attributes of an op; null for plain arithmetic, which is most of it.
  static DictionaryAttr attrsOf(Operation &op) {
    if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op)) {
      arith::FastMathFlagsAttr flags = fast.getFastMathFlagsAttr();
      if (flags && flags.getValue() == arith::FastMathFlags::none &&
          !isa<arith::CmpFOp, arith::TruncFOp, arith::SelectOp>(op))
        return {};
    }
    DictionaryAttr attrs = op.getAttrDictionary();
    return attrs.empty() ? DictionaryAttr() : attrs;
  }

  /// True if the value depends on an accumulator of the loop around it.
  bool readsCarry(NodeId id) const {
    SmallVector<NodeId> pending = {id};
    while (!pending.empty()) {
      const Node &node = dag.nodes[pending.pop_back_val()];
      if (node.kind == Node::Carry)
        return true;
      llvm::append_range(pending, node.operands);
    }
    return false;
  }

  LogicalResult readLoad(KernelLoadOp load) {
    Access access;
    access.tensor = kernel.getInputs()[load.getInputNumber()];
    if (failed(readPosition(load.getMap(), access.position)))
      return failure();
    SmallVector<NodeId, 2> dynamic;
    if (auto dynamicDims = load.getDynamicDims())
      for (auto [dim, index] : llvm::zip(*dynamicDims, load.getIndices())) {
        access.dynamicDims.push_back(dim);
        dynamic.push_back(ids.lookup(index));
      }
    if (auto rules = load.getBoundary())
      if (!llvm::all_of(*rules, [](Attribute rule) {
            return cast<BoundaryAttr>(rule).getValue() == Boundary::Inside;
          }))
        for (Attribute rule : *rules)
          access.boundary.push_back(cast<BoundaryAttr>(rule).getValue());
    access.pad = load.getPadAttr();
    if (access.isInside())
      if (TypedAttr value = splatOf(access.tensor, load.getType())) {
        ids[load] = dag.constant(value);
        return success();
      }
    ids[load] = dag.load(std::move(access), dynamic, load.getType());
    return success();
  }

  /// The value of every element of a constant tensor, as a load gives it.
  static TypedAttr splatOf(Value tensor, Type type) {
    Operation *root = rootOf(tensor).getDefiningOp();
    if (auto fill = dyn_cast_or_null<FillOp>(root))
      return scalarOf(fill.getValue(), type);
    auto constant = dyn_cast_or_null<ConstantOp>(root);
    if (!constant)
      return {};
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat)
      return {};
    if (isa<FloatType>(splat.getElementType()))
      return scalarOf(FloatAttr::get(splat.getElementType(),
                                     splat.getSplatValue<APFloat>()),
                      type);
    return IntegerAttr::get(type, splat.getSplatValue<APInt>());
  }

  /// An attribute of an element type in the type it has in kernels.
  static TypedAttr scalarOf(TypedAttr value, Type type) {
    auto number = dyn_cast<FloatAttr>(value);
    if (!number)
      return IntegerAttr::get(type, cast<IntegerAttr>(value).getValue());
    APFloat converted = number.getValue();
    bool inexact = false;
    converted.convert(cast<FloatType>(type).getFloatSemantics(),
                      APFloat::rmNearestTiesToEven, &inexact);
    return FloatAttr::get(type, converted);
  }

  KernelOp kernel;
  KernelDag dag;
  SmallVector<Linear, 6> dims;
  DenseMap<Value, NodeId> ids;
};
} // namespace

FailureOr<KernelDag> KernelDag::parse(KernelOp kernel) {
  return Reader(kernel).run();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

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
    for (auto &[dims, stores] : storeLoops) {
      llvm::sort(dims, [&](unsigned a, unsigned b) {
        return newDims[a] < newDims[b];
      });
      emitLoop(dims, nullptr, dag.loops.size(), stores);
    }
  }

private:
  /// Dimensions that nothing uses disappear.
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

  /// The dimensions along the memory of the first result, then the others.
  SmallVector<unsigned> storeOrder() const {
    SmallVector<int64_t> strides(dag.extents.size(), 0);
    const Store &store = dag.stores.front();
    auto type = cast<RankedTensorType>(store.result.getType());
    int64_t stride = 1;
    for (size_t i = store.position.size(); i-- > 0;) {
      for (unsigned d = 0; d < store.position[i].size(); ++d)
        strides[d] += store.position[i][d] * stride;
      stride *= type.getDimSize(i);
    }
    SmallVector<unsigned> order;
    for (unsigned d = 0; d < dag.extents.size(); ++d)
      order.push_back(d);
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return strides[a] != strides[b] ? strides[a] > strides[b] : a < b;
    });
    return order;
  }

  AffineMap mapOf(ArrayRef<Linear> position) {
    SmallVector<AffineExpr> exprs;
    for (const Linear &form : position)
      exprs.push_back(form.toAffine(context, newDims));
    return AffineMap::get(rank, 0, exprs, context);
  }

  /// A store goes into the first loop over its dimensions in which its value
  /// exists, else into a loop of its own at the end.
  void placeStores() {
    storesIn.resize(dag.loops.size());
    afterLoop.resize(dag.loops.size() + 1);
    for (auto [s, store] : llvm::enumerate(dag.stores)) {
      uint64_t mask = 0;
      for (const Linear &form : store.position)
        mask |= form.dims();
      SmallVector<unsigned, 2> walked = dag.sequentialOf(mask);
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

  /// Computes in front of a loop what does not vary in it.
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

  Value emit(NodeId id, std::vector<Value> &values, bool steps) {
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
      bool isWide =
          isa_and_nonnull<arith::ArithDialect>(node.name->getDialect()) &&
          node.name->getStringRef().ends_with("_extended");
      state.addTypes(node.type);
      if (isWide)
        state.addTypes(node.type);
      if (auto attrs = dyn_cast_or_null<DictionaryAttr>(node.attr))
        state.addAttributes(attrs.getValue());
      return builder.create(state)->getResult(node.number);
    }
    case Node::Result:
      return loopResults[node.loop][node.number];
    case Node::Carry:
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

void KernelDag::emit(KernelOp kernel) const {
  KernelWriter(*this, kernel).run();
}
