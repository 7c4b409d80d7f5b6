// The kernels of a block with the graphs of their bodies.
#include "Clusters.h"
#include "Views.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fusion;

Clusters::~Clusters() {
  for (Operation *op : retired)
    op->destroy();
}

SmallVector<Operation *> Clusters::kernels() const {
  SmallVector<Operation *> result;
  for (Operation &op : block)
    if (isa<KernelOp>(op))
      result.push_back(&op);
  return result;
}

std::string Clusters::nameOf(Operation *op) {
  if (auto kernel = dyn_cast<KernelOp>(op))
    return kernel.getLabel().value_or("tpc.kernel").str();
  return op->getName().getStringRef().str();
}

Cluster *Clusters::get(Operation *op) {
  auto [it, isNew] = known.try_emplace(op);
  if (!isNew) {
    if (it->second)
      it->second->dag.refresh(op->getOperands());
    return it->second.get();
  }
  FailureOr<KernelDag> dag = KernelDag::parse(cast<KernelOp>(op));
  if (failed(dag))
    return nullptr;
  it->second = std::make_unique<Cluster>();
  it->second->dag = std::move(*dag);
  it->second->cost = costOf(it->second->dag, spec);
  return it->second.get();
}

void Clusters::update(Operation *op) {
  Cluster &cluster = *known[op];
  SmallVector<Value> before(op->getOperands());
  cluster.dag.inputs = cluster.dag.tensors();
  cluster.cost = costOf(cluster.dag, spec);
  cluster.isChanged = true;
  op->setOperands(cluster.dag.inputs);
  for (Value tensor : before)
    if (Operation *def = tensor.getDefiningOp())
      if (def->use_empty() && moveSource(tensor))
        retire(def);
}

std::string mlir::gaudi::fusion::joined(ArrayRef<StringRef> names) {
  constexpr size_t most = 6;
  std::string text = "tpc.";
  for (auto [i, name] : llvm::enumerate(names)) {
    if (i == most) {
      text += "+" + std::to_string(names.size() - most);
      break;
    }
    StringRef part = name;
    part.consume_front("tpc.");
    text += (i ? "+" : "") + part.str();
  }
  return text;
}

Operation *Clusters::replace(Operation *kernel, KernelDag dag,
                             const KernelCost &cost) {
  Operation *op = kernel;
  auto stored = llvm::map_range(
      dag.stores, [](const Store &store) { return store.result; });
  if (dag.stores.size() != kernel->getNumResults() ||
      !llvm::equal(kernel->getResults(), stored)) {
    SmallVector<Type> types;
    for (Value result : stored)
      types.push_back(result.getType());
    OpBuilder builder(kernel);
    op = KernelOp::create(builder, kernel->getLoc(), types, dag.inputs,
                          ArrayRef<int64_t>(), ArrayRef<bool>(), "");
    for (auto [store, result] : llvm::zip(dag.stores, op->getResults())) {
      store.result.replaceAllUsesWith(result);
      store.result = result;
    }
    retire(kernel);
  } else {
    op->setOperands(dag.inputs);
  }
  if (explains())
    cast<KernelOp>(op).setLabel(joined(dag.parts));
  auto cluster = std::make_unique<Cluster>();
  cluster->dag = std::move(dag);
  cluster->cost = cost;
  cluster->isChanged = true;
  known[op] = std::move(cluster);
  return op;
}

void Clusters::retire(Operation *op) {
  SmallVector<Operation *> views;
  for (Operation *user : op->getUsers())
    if (!viewsMadeBy(user).empty())
      views.push_back(user);
  for (Operation *view : views)
    retire(view);
  if (!op->use_empty())
    return;
  if (!isa<KernelOp>(op)) {
    SmallVector<Value> sources(op->getOperands());
    op->erase();
    for (Value source : sources)
      if (Operation *def = source.getDefiningOp())
        if (def->use_empty() && moveSource(source))
          retire(def);
    return;
  }
  // Its address must not be used again while the pass runs.
  gone.insert(op);
  known.erase(op);
  op->setOperands({});
  op->remove();
  retired.push_back(op);
}

void Clusters::finish() {
  for (auto kernel : block.getOps<KernelOp>()) {
    Cluster *cluster = get(kernel);
    if (!cluster)
      continue;
    Recognition recognition = recognize(cluster->dag);
    report(kernel, recognition);
    recognized += recognition.found.size();
    if (cluster->isChanged) {
      kernel.setLabel(recognition.label);
      cluster->dag.emit(kernel);
      ++changed;
    } else if (!recognition.found.empty() &&
               !StringRef(nameOf(kernel))
                    .contains(recognition.found.front().name)) {
      kernel.setLabel(recognition.label);
    }
  }
  // Constants and views that kernels no longer read.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && isa<ConstantOp, FillOp, ReshapeOp, SliceOp, SplitOp,
                              BroadcastOp, TransposeOp>(op))
      op.erase();
}

bool Clusters::explains() const {
  return block.getParentOp()->getContext()->getRemarkEngine() != nullptr;
}

void Clusters::report(KernelOp kernel, const Recognition &recognition) {
  if (!explains())
    return;
  for (const Recognized &pattern : recognition.found)
    remark::passed(kernel.getLoc(), fusionRemark("recognize"))
        << remark::add("'{0}' computes {1}", recognition.label, pattern.name);
  for (const NearMiss &miss : recognition.missed)
    remark::missed(kernel.getLoc(), fusionRemark("recognize"))
        << remark::reason("'{0}' is not {1}: {2}", nameOf(kernel), miss.name,
                          miss.reason);
}
