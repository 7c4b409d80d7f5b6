// Merges TPC kernels into clusters: gaudi-fuse-tpc.
#include "Gaudi/Dialect/KernelBuilder.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Passes.h"
#include "KernelMerge.h"
#include "Profit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_FUSETPC
#include "Gaudi/Transforms/Passes.h.inc"

using namespace fusion;

namespace {
/// Most ops that are looked at to find out whether a merge closes a cycle.
constexpr unsigned maxReach = 64;
/// Longest body of a merged kernel, in values and in loops.
constexpr unsigned maxNodes = 192, maxLoops = 8;

remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("gaudi-fuse-tpc");
}

StringRef labelOf(KernelOp kernel) {
  return kernel.getLabel().value_or("tpc.kernel");
}

/// A kernel that may have been merged; the body of its op is out of date then.
struct Cluster {
  KernelDag dag;
  KernelCost cost;
  bool isMerged = false;
};

/// Why a kernel did not take in the kernel that makes one of its operands.
struct Refusal {
  Operation *producer;
  std::string reason;
};

class Fuser {
public:
  Fuser(const ::gaudi::device::DeviceSpec &spec, MLIRContext *context)
      : spec(spec), context(context),
        limits{std::min(maxParallelDims, spec.tpc.maxIndexSpaceRank),
               maxKernelDims, spec.tpc.maxTensorsPerKernel, maxLoops,
               maxNodes} {}

  void run(Block &block) {
    SmallVector<Operation *> kernels;
    for (Operation &op : block)
      if (isa<KernelOp>(op))
        kernels.push_back(&op);
    for (Operation *kernel : kernels)
      if (!gone.contains(kernel))
        absorbProducers(kernel);
    finish(block);
  }

  unsigned merges = 0, clusters = 0;

private:
  //===--------------------------------------------------------------------===//
  // Clusters
  //===--------------------------------------------------------------------===//

  /// The graph of a kernel, or null if it has none.
  Cluster *clusterOf(Operation *op) {
    auto [it, isNew] = known.try_emplace(op);
    if (isNew) {
      FailureOr<KernelDag> dag = KernelDag::parse(cast<KernelOp>(op));
      if (succeeded(dag)) {
        it->second = std::make_unique<Cluster>();
        it->second->dag = std::move(*dag);
        it->second->cost = costOf(it->second->dag, spec);
      }
    } else if (it->second) {
      it->second->dag.refresh(op->getOperands());
    }
    return it->second.get();
  }

  void absorbProducers(Operation *consumer) {
    SmallVector<Refusal> refused;
    bool changed = true;
    while (changed) {
      changed = false;
      refused.clear();
      SmallPtrSet<Operation *, 8> tried;
      for (unsigned i = 0; i < consumer->getNumOperands() && !changed; ++i) {
        Value root = rootOf(consumer->getOperand(i));
        Operation *producer = root.getDefiningOp();
        if (!producer || !isa<KernelOp>(producer) ||
            !tried.insert(producer).second)
          continue;
        std::string reason;
        if (Operation *merged = merge(producer, consumer, reason)) {
          consumer = merged;
          changed = true;
        } else {
          refused.push_back({producer, std::move(reason)});
        }
      }
    }
    if (!refused.empty())
      refusals.push_back({consumer, std::move(refused)});
  }

  //===--------------------------------------------------------------------===//
  // Readers of a producer
  //===--------------------------------------------------------------------===//

  /// Results of `producer` that something else than `consumer` reads, through
  /// views; `direct` are the ops that use those results themselves.
  SmallVector<Value> resultsReadElsewhere(Operation *producer,
                                          Operation *consumer,
                                          SmallVectorImpl<Operation *> &others) {
    SmallVector<Value> kept;
    for (Value result : producer->getResults()) {
      size_t before = others.size();
      SmallVector<Value> pending = {result};
      while (!pending.empty())
        for (Operation *user : pending.pop_back_val().getUsers()) {
          if (user == consumer)
            continue;
          if (auto view = dyn_cast<ReshapeOp>(user))
            pending.push_back(view.getResult());
          else
            others.push_back(user);
        }
      if (others.size() != before)
        kept.push_back(result);
    }
    return kept;
  }

  /// The ops in front of `consumer` that depend on `producer` and must move
  /// behind it when both are one. Fails if the consumer itself depends on one
  /// of them, or if they are too many to know.
  LogicalResult findDependents(Operation *producer, Operation *consumer,
                               SmallVectorImpl<Operation *> &moved,
                               std::string &reason) {
    SmallPtrSet<Operation *, 16> seen;
    SmallVector<Operation *> pending = {producer};
    SmallPtrSet<Operation *, 8> views; // between the two kernels
    for (Value operand : consumer->getOperands())
      for (Operation *def = operand.getDefiningOp();
           isa_and_nonnull<ReshapeOp>(def);
           def = def->getOperand(0).getDefiningOp())
        if (rootOf(operand).getDefiningOp() == producer)
          views.insert(def);
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      for (Operation *user : op->getUsers()) {
        if (user == consumer) {
          if (op == producer || views.contains(op))
            continue;
          reason = "together they would depend on '" + nameOf(op) +
                   "', which depends on the kernel";
          return failure();
        }
        if (!user->isBeforeInBlock(consumer) || !seen.insert(user).second)
          continue;
        if (seen.size() > maxReach) {
          reason = "too many ops between the two depend on the kernel";
          return failure();
        }
        moved.push_back(user);
        pending.push_back(user);
      }
    }
    llvm::sort(moved, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    return success();
  }

  static std::string nameOf(Operation *op) {
    if (auto kernel = dyn_cast<KernelOp>(op))
      return labelOf(kernel).str();
    return op->getName().getStringRef().str();
  }

  //===--------------------------------------------------------------------===//
  // Merging
  //===--------------------------------------------------------------------===//

  /// Merges the two and gives the op of the merged kernel, or null and why not.
  Operation *merge(Operation *producer, Operation *consumer,
                   std::string &reason) {
    Cluster *from = clusterOf(producer), *into = clusterOf(consumer);
    if (!from || !into) {
      reason = "its body has no linear form";
      return nullptr;
    }
    SmallVector<Operation *> others;
    SmallVector<Value> kept = resultsReadElsewhere(producer, consumer, others);
    if (kept.empty())
      return absorb(producer, consumer, *from, *into, reason);
    SmallVector<Operation *> moved;
    if (succeeded(findDependents(producer, consumer, moved, reason)))
      if (Operation *merged = absorb(producer, consumer, *from, *into, reason,
                                     kept, moved))
        return merged;
    return duplicate(producer, consumer, *from, *into, others, reason);
  }

  /// True if a kernel that costs `after` should replace those that cost
  /// `before`.
  bool pays(const KernelCost &after, double before, std::string &reason) {
    if (after.seconds <= before + launchSeconds(spec))
      return true;
    reason = llvm::formatv("computing it there takes {0:f2} us more than "
                           "it saves",
                           (after.seconds - before) * 1e6);
    return false;
  }

  Operation *absorb(Operation *producer, Operation *consumer, Cluster &from,
                    Cluster &into, std::string &reason,
                    ArrayRef<Value> kept = {},
                    ArrayRef<Operation *> moved = {}) {
    Merge result =
        mergeKernels(from.dag, into.dag, kept, limits, context);
    if (!result.dag) {
      reason = result.refusal.str();
      return nullptr;
    }
    KernelCost cost = costOf(*result.dag, spec);
    if (!pays(cost, from.cost.seconds + into.cost.seconds, reason))
      return nullptr;
    report(producer, consumer,
           from.cost.bytes + into.cost.bytes - cost.bytes,
           kept.empty() ? "" : ", and also writes its result");
    Operation *after = consumer;
    for (Operation *op : moved) {
      op->moveAfter(after);
      after = op;
    }
    Operation *merged =
        replace(consumer, std::move(*result.dag), cost, producer);
    retire(producer);
    return merged;
  }

  /// Computes a cheap value again for each of its readers.
  Operation *duplicate(Operation *producer, Operation *consumer, Cluster &from,
                       Cluster &into, ArrayRef<Operation *> others,
                       std::string &reason) {
    double read = 0;
    for (Value input : from.dag.inputs)
      read += byteCount(input);
    double written = 0;
    for (Value result : producer->getResults())
      written += byteCount(result);
    if (!from.dag.loops.empty() || read > written) {
      std::string why = reason;
      reason = "'" + nameOf(others.front()) + "' also reads it";
      if (!why.empty())
        reason += "; " + why;
      return nullptr;
    }
    Merge result = mergeKernels(from.dag, into.dag, {}, limits, context);
    if (!result.dag) {
      reason = result.refusal.str();
      return nullptr;
    }
    KernelCost cost = costOf(*result.dag, spec);
    if (!pays(cost, into.cost.seconds, reason))
      return nullptr;
    report(producer, consumer, into.cost.bytes - cost.bytes,
           ", which stays for other readers");
    return replace(consumer, std::move(*result.dag), cost, nullptr);
  }

  void report(Operation *producer, Operation *consumer, double bytes,
              StringRef note) {
    ++merges;
    remark::passed(consumer->getLoc(), named("merge"))
        << remark::add("'{0}' computes '{1}' itself{2}: {3} bytes less to move",
                       nameOf(consumer), nameOf(producer), note,
                       int64_t(bytes));
  }

  /// Gives the consumer's op the operands and results of the merged graph.
  Operation *replace(Operation *consumer, KernelDag dag,
                     const KernelCost &cost, Operation *producer) {
    Operation *op = consumer;
    if (dag.stores.size() != consumer->getNumResults() ||
        !llvm::equal(consumer->getResults(),
                     llvm::map_range(dag.stores, [](const Store &store) {
                       return store.result;
                     }))) {
      SmallVector<Type> types;
      for (const Store &store : dag.stores)
        types.push_back(store.result.getType());
      OpBuilder builder(consumer);
      op = KernelOp::create(builder, consumer->getLoc(), types, dag.inputs,
                            ArrayRef<int64_t>(), ArrayRef<bool>(),
                            labelOf(cast<KernelOp>(consumer)));
      for (auto [store, result] : llvm::zip(dag.stores, op->getResults())) {
        store.result.replaceAllUsesWith(result);
        store.result = result;
      }
      retire(consumer);
    } else {
      op->setOperands(dag.inputs);
    }
    auto cluster = std::make_unique<Cluster>();
    cluster->dag = std::move(dag);
    cluster->cost = cost;
    cluster->isMerged = true;
    known[op] = std::move(cluster);
    return op;
  }

  /// Erases a kernel that nothing reads any more, and the views of it.
  void retire(Operation *op) {
    SmallVector<Operation *> views;
    for (Operation *user : op->getUsers())
      if (isa<ReshapeOp>(user))
        views.push_back(user);
    for (Operation *view : views)
      retire(view);
    if (!op->use_empty())
      return;
    if (isa<KernelOp>(op)) {
      gone.insert(op);
      known.erase(op);
      // Addresses must not be used again while the pass runs.
      op->setOperands({});
      op->remove();
      retired.push_back(op);
      return;
    }
    op->erase();
  }

  //===--------------------------------------------------------------------===//
  // The end
  //===--------------------------------------------------------------------===//

  void finish(Block &block) {
    for (auto &[consumer, refused] : refusals) {
      if (gone.contains(consumer))
        continue;
      for (Refusal &refusal : refused)
        if (!gone.contains(refusal.producer))
          remark::missed(consumer->getLoc(), named("keep-apart"))
              << remark::reason("'{0}' reads '{1}' from memory: {2}",
                                nameOf(consumer), nameOf(refusal.producer),
                                refusal.reason);
    }
    for (auto kernel : block.getOps<KernelOp>()) {
      auto it = known.find(kernel);
      if (it == known.end() || !it->second || !it->second->isMerged)
        continue;
      Cluster *cluster = it->second.get();
      cluster->dag.refresh(kernel.getInputs());
      kernel.setLabel(labelFor(cluster->dag));
      cluster->dag.emit(kernel);
      ++clusters;
    }
    for (Operation *op : retired)
      op->destroy();
  }

  /// "tpc.a+b+c" for kernels "tpc.a", "tpc.b" and "tpc.c".
  static std::string labelFor(const KernelDag &dag) {
    constexpr size_t most = 6;
    std::string label = "tpc.";
    for (auto [i, name] : llvm::enumerate(dag.parts)) {
      StringRef part = name;
      if (i == most) {
        label += "+" + std::to_string(dag.parts.size() - most);
        break;
      }
      part.consume_front("tpc.");
      label += (i ? "+" : "") + part.str();
    }
    return label;
  }

  const ::gaudi::device::DeviceSpec &spec;
  MLIRContext *context;
  KernelLimits limits;
  DenseMap<Operation *, std::unique_ptr<Cluster>> known;
  DenseSet<Operation *> gone;
  SmallVector<Operation *> retired;
  SmallVector<std::pair<Operation *, SmallVector<Refusal>>> refusals;
};

struct FuseTpc : impl::FuseTpcBase<FuseTpc> {
  using FuseTpcBase::FuseTpcBase;

  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation());
    if (!spec)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        Fuser fuser(*spec, &getContext());
        fuser.run(block);
        numMerges += fuser.merges;
        numClusters += fuser.clusters;
      }
  }
};
} // namespace
} // namespace mlir::gaudi
