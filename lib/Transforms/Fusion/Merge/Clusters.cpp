// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a block with the graphs of their bodies.
#include "Clusters.h"
#include "Gaudi/Dialect/KernelCopies.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "KernelWriter.h"
#include "Views.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

Clusters::~Clusters() {
  for (Operation *op : graveyard)
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

// The body is parsed once for all kernels that have it: asking again costs a
// lookup by address, asking for an equal kernel one by encoding.
Cluster *Clusters::get(Operation *op) {
  auto [it, isNew] = known.try_emplace(op);
  if (!isNew)
    return it->second.get();
  const Prototypes::Parsed &parsed = prototypes.of(cast<KernelOp>(op));
  if (!parsed.prototype)
    return nullptr;
  auto cluster = std::make_unique<Cluster>();
  cluster->prototype = parsed.prototype;
  cluster->operandOf = parsed.operandOf;
  it->second = std::move(cluster);
  return it->second.get();
}

KernelDag &Clusters::dagOf(Operation *op) {
  Cluster &cluster = *get(op);
  const Prototype &prototype = *cluster.prototype;
  if (!cluster.dag)
    cluster.dag = std::make_unique<KernelDag>(prototype.dag);
  // Operands may have been replaced since, when the kernels that made them were
  // merged: the op is right, the graph follows it.
  for (auto [access, tensor] :
       llvm::zip(cluster.dag->accesses, prototype.tensorOf))
    access.tensor = op->getOperand(cluster.operandOf[tensor]);
  for (auto [store, result] : llvm::zip(cluster.dag->stores, op->getResults()))
    store.result = result;
  return *cluster.dag;
}

static SmallVector<unsigned, 6> allOperands(Operation *op) {
  return llvm::to_vector<6>(llvm::seq(op->getNumOperands()));
}

static bool isBroadcast(Value tensor) {
  for (; Value source = viewSource(tensor); tensor = source)
    if (tensor.getDefiningOp<BroadcastOp>())
      return true;
  return false;
}

/// Reads what the last broadcast repeats that can be seen through: a reshape
/// before it is free either way and would only complicate the position.
static bool readThroughBroadcasts(Access &access, ArrayRef<int64_t> extents) {
  bool any = false;
  Access at = access;
  while (Value source = viewSource(at.tensor)) {
    SmallVector<Affine, 4> position;
    if (!positionInSource(at.tensor, at.position, extents, position).ok)
      break;
    const bool repeats = at.tensor.getDefiningOp<BroadcastOp>() != nullptr;
    at.tensor = source;
    at.position = std::move(position);
    if (repeats)
      access = at;
    any |= repeats;
  }
  return any;
}

bool Clusters::readThroughBroadcasts(Operation *op) {
  if (llvm::none_of(op->getOperands(), isBroadcast) || !get(op))
    return false;
  KernelDag &dag = dagOf(op);
  bool any = false;
  for (Access &access : dag.accesses)
    if (access.isInside())
      any |= ::readThroughBroadcasts(access, dag.extents);
  if (!any)
    return false;
  Cluster &cluster = *known[op];
  const SmallVector<Value> before(op->getOperands());
  op->setOperands(dag.tensors());
  cluster.prototype = &prototypes.of(dag);
  cluster.operandOf = allOperands(op);
  cluster.isChanged = true;
  SmallVector<Operation *> ops;
  for (Value tensor : before)
    if (viewSource(tensor))
      ops.push_back(tensor.getDefiningOp());
  eraseAll(std::move(ops));
  return true;
}

Prototypes::Part Clusters::partOf(Operation *kernel) {
  Cluster &cluster = *get(kernel);
  Prototypes::Part part = {*cluster.prototype, {}, kernel->getResults()};
  for (unsigned number : cluster.operandOf)
    part.tensors.push_back(kernel->getOperand(number));
  return part;
}

Merged Clusters::merge(Operation *producer, Operation *consumer,
                       ArrayRef<Value> liveOut, const KernelLimits &limits) {
  return prototypes.merge(
      partOf(producer), partOf(consumer), liveOut, limits,
      producer->getContext(),
      [&]() -> const KernelDag & { return dagOf(producer); },
      [&]() -> const KernelDag & { return dagOf(consumer); });
}

Merged Clusters::mergeOnto(const Merged &producer, Operation *consumer,
                           ArrayRef<Value> liveOut,
                           const KernelLimits &limits) {
  // Tensors of a prototype are those of another kernel.
  KernelDag dag = producer.prototype->dag;
  for (auto [access, number] :
       llvm::zip(dag.accesses, producer.prototype->tensorOf))
    access.tensor = producer.tensors[number];
  for (auto [store, result] : llvm::zip(dag.stores, producer.stored))
    store.result = result;
  return prototypes.merge(
      {*producer.prototype, producer.tensors, ValueRange(producer.stored)},
      partOf(consumer), liveOut, limits, consumer->getContext(),
      [&]() -> const KernelDag & { return dag; },
      [&]() -> const KernelDag & { return dagOf(consumer); });
}

// The op is kept if its results are: their uses, and what points to the op in
// the tables, stay as they are.
Operation *Clusters::replace(Operation *kernel, const Merged &merged) {
  Operation *op = kernel;
  if (merged.stored.size() != kernel->getNumResults() ||
      !llvm::equal(kernel->getResults(), merged.stored)) {
    SmallVector<Type> types;
    for (Value result : merged.stored)
      types.push_back(result.getType());
    OpBuilder builder(kernel);
    op = KernelOp::create(builder, kernel->getLoc(), types, merged.tensors,
                          ArrayRef<int64_t>(), ArrayRef<bool>(), "");
    for (auto [before, result] : llvm::zip(merged.stored, op->getResults()))
      Value(before).replaceAllUsesWith(result);
    erase(kernel);
  } else {
    op->setOperands(merged.tensors);
  }
  // The new body is written at the end; nobody reads the old one.
  cast<KernelOp>(op).getBody().front().clear();
  if (explains())
    cast<KernelOp>(op).setLabel(joined(merged.prototype->dag.parts));
  auto cluster = std::make_unique<Cluster>();
  cluster->prototype = merged.prototype;
  cluster->operandOf = allOperands(op);
  cluster->isChanged = true;
  known[op] = std::move(cluster);
  return op;
}

/// Appends the views made of `op`, views of views first, then `op`.
static void collectWithViews(Operation *op, SmallVectorImpl<Operation *> &ops) {
  const size_t first = ops.size();
  ops.push_back(op);
  for (size_t i = first; i < ops.size(); ++i)
    for (Operation *user : ops[i]->getUsers())
      if (!viewsMadeBy(user).empty())
        ops.push_back(user);
  std::reverse(ops.begin() + first, ops.end());
}

void Clusters::erase(Operation *op) {
  SmallVector<Operation *> ops;
  collectWithViews(op, ops);
  eraseAll(std::move(ops));
}

void Clusters::eraseAll(SmallVector<Operation *> ops) {
  // An op is found from the source of its views, from the views of its source
  // and as several operands, so more than once.
  SmallPtrSet<Operation *, 8> erased;
  for (size_t i = 0; i < ops.size(); ++i) {
    Operation *next = ops[i];
    if (erased.contains(next) || !next->use_empty())
      continue;
    erased.insert(next);
    if (isa<KernelOp>(next)) {
      // Its address must not be used again while the pass runs.
      gone.insert(next);
      known.erase(next);
      next->setOperands({});
      cast<KernelOp>(next).getBody().front().clear();
      next->remove();
      graveyard.push_back(next);
      continue;
    }
    SmallVector<Value> sources(next->getOperands());
    next->erase();
    for (Value source : sources)
      if (Operation *def = source.getDefiningOp())
        if (def->use_empty() && moveSource(source))
          ops.push_back(def);
  }
}

// Patterns depend on the graph alone, so they are looked for once per
// prototype. Labels and bodies are written last: merges in between read
// neither.
void Clusters::finish() {
  for (auto kernel : block.getOps<KernelOp>()) {
    Cluster *cluster = get(kernel);
    if (!cluster)
      continue;
    Prototype &prototype = *cluster->prototype;
    if (!prototype.recognition)
      prototype.recognition = recognize(prototype.dag);
    const Recognition &recognition = *prototype.recognition;
    report(kernel, recognition);
    recognized += recognition.found.size();
    if (cluster->isChanged) {
      kernel.setLabel(recognition.label);
      writeBody(kernel, prototype);
      ++changed;
    } else if (!recognition.found.empty() &&
               !StringRef(nameOf(kernel))
                    .contains(recognition.found.front().name)) {
      kernel.setLabel(recognition.label);
    }
  }
  // Constants and views that kernels no longer read.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && isa<ConstantOp, FillOp, ReindexOpInterface>(op))
      op.erase();
}

// Kernels of one prototype have one body. Cloning it is cheaper than writing it
// from the graph; arguments correspond because tensors are numbered alike.
void Clusters::writeBody(KernelOp kernel, Prototype &prototype) {
  if (!prototype.written) {
    writeKernel(dagOf(kernel), kernel);
    prototype.written = kernel;
    return;
  }
  kernel.setIndexSpace(prototype.written.getIndexSpace());
  kernel.setParallel(prototype.written.getParallel());
  kernel.clearBody();
  Block &block = kernel.getBody().front();
  IRMapping mapping;
  mapping.map(prototype.written.getBody().getArguments(), block.getArguments());
  for (Operation &op : prototype.written.getBody().front())
    block.push_back(op.clone(mapping));
  relocate(kernel, kernel.getLoc());
}

bool Clusters::explains() const { return gaudi::explains(block.getParentOp()); }

void Clusters::report(KernelOp kernel, const Recognition &recognition) {
  if (!explains())
    return;
  for (const Recognized &pattern : recognition.found)
    remark::passed(kernel.getLoc(), fusionRemark("recognize")) << remark::add(
        "recognised {0} in '{1}'", pattern.name, recognition.label);
  for (const NearMiss &miss : recognition.missed)
    remark::missed(kernel.getLoc(), fusionRemark("recognize"))
        << remark::reason("not recognised {0} in '{1}': {2}", miss.name,
                          nameOf(kernel), miss.reason);
}
