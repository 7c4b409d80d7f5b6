// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges TPC kernels into clusters: gaudi-fuse-tpc.
#include "Gaudi/Dialect/KernelBuilder.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "Merge/ExpandConcats.h"
#include "Merge/Views.h"
#include "Naming/CountCandidates.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gaudi {
#define GEN_PASS_DEF_FUSETPC
#include "Gaudi/Transforms/Passes.h.inc"

using namespace fusion;
using timing::Cost;

namespace {
/// Search budget of the cycle check, in ops.
constexpr unsigned maxReach = 64;
/// Longest body of a merged kernel, in values and in loops.
constexpr unsigned maxNodes = 192, maxLoops = 8;
/// A recipe's kernel executes at most 2^40 instructions.
constexpr double maxWork = double(uint64_t(1) << 39);

/// Why the producer of an operand was not fused into a kernel.
struct Refusal {
  Operation *producer;
  std::string reason;
  bool isSlower; ///< the fused kernel would be
};

class Fuser {
public:
  Fuser(Block &block, const device::DeviceSpec &spec)
      : time(spec), clusters(block, spec),
        limits{std::min(maxParallelDims, spec.tpc.maxIndexSpaceRank),
               maxKernelDims,
               spec.tpc.maxTensorsPerKernel,
               maxLoops,
               maxNodes,
               maxWork} {}

  void run() {
    fuseAll();
    // What no reader took goes to its producer.
    waits = false;
    if (hasWaited)
      fuseAll();
    SmallVector<Operation *> changed;
    for (Operation *kernel : clusters.kernels())
      if (readThroughBroadcasts(kernel))
        changed.push_back(kernel);
    for (Operation *kernel : changed)
      if (!clusters.isErased(kernel))
        fuseProducers(kernel);
    clusters.finish();
    countCandidates(clusters, savings, records);
    reportRefusals();
    kernels = clusters.changed;
    recognized = clusters.recognized;
  }

  unsigned merges = 0, kernels = 0, broadcasts = 0, recognized = 0;
  SmallVector<FusionRecord> records;

private:
  void fuseAll() {
    for (Operation *kernel : clusters.kernels())
      if (!clusters.isErased(kernel))
        fuseProducers(kernel);
  }

  /// Fuses producers until none is left that can be. Each fusion changes the
  /// operands, so that the search begins anew: a merged kernel may read what
  /// its producer read. It ends, as each replaces a tensor by tensors that come
  /// before it in the program.
  void fuseProducers(Operation *consumer) {
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
        isSlower = false;
        if (Operation *merged = merge(producer, consumer, reason)) {
          consumer = merged;
          changed = true;
        } else if (clusters.explains()) {
          refused.push_back({producer, std::move(reason), isSlower});
        }
      }
    }
    if (clusters.explains())
      refusals[consumer] = std::move(refused);
  }

  bool readThroughBroadcasts(Operation *kernel) {
    const auto timeOf = [&] { return time.of(workOf(clusters.dagOf(kernel))); };
    const bool explains = clusters.explains() && clusters.get(kernel);
    const Picoseconds before = explains ? timeOf() : 0;
    if (!clusters.readThroughBroadcasts(kernel))
      return false;
    ++broadcasts;
    if (explains)
      remark::passed(kernel->getLoc(), fusionRemark("read-broadcast"))
          << remark::add("fused a broadcast into '{0}', which reads the tensor "
                         "that it repeats, {1}",
                         Clusters::nameOf(kernel),
                         time.saving(before - timeOf()));
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Readers of a producer
  //===--------------------------------------------------------------------===//

  /// The live-out results of `producer` once it is fused into `consumer`: those
  /// that other ops read, through views. Stops after maxReach readers.
  SmallVector<Value>
  resultsReadElsewhere(Operation *producer, Operation *consumer,
                       SmallVectorImpl<Operation *> &others) {
    SmallVector<Value> liveOut;
    for (Value result : producer->getResults()) {
      size_t before = others.size();
      SmallVector<Value> pending = {result};
      while (!pending.empty())
        for (Operation *user : pending.pop_back_val().getUsers()) {
          if (user == consumer)
            continue;
          if (others.size() > maxReach)
            return liveOut;
          ValueRange views = viewsMadeBy(user);
          if (views.empty())
            others.push_back(user);
          llvm::append_range(pending, views);
        }
      if (others.size() != before)
        liveOut.push_back(result);
    }
    return liveOut;
  }

  /// The ops before `consumer` that depend on `producers` and must move after
  /// it when all are one. Fails if the consumer depends on one of them, so that
  /// fusing would close a cycle, or if the search budget is used up.
  ///
  /// Only ops between them in the block are visited, each once, in at most
  /// 8 * maxReach steps: the pass stays linear in the size of the graph.
  LogicalResult findDependents(ArrayRef<Operation *> producers,
                               Operation *consumer,
                               SmallVectorImpl<Operation *> &moved,
                               std::string &reason) {
    SmallPtrSet<Operation *, 16> seen(llvm::from_range, producers);
    SmallVector<Operation *> pending(producers);
    // Views between a producer and the consumer are part of the edge between
    // them, no way around it.
    SmallPtrSet<Operation *, 8> views; // between the two kernels
    for (Value operand : consumer->getOperands())
      if (llvm::is_contained(producers, rootOf(operand).getDefiningOp()))
        for (Value tensor = operand; Value source = viewSource(tensor);
             tensor = source)
          views.insert(tensor.getDefiningOp());
    unsigned steps = 0;
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      for (Operation *user : op->getUsers()) {
        if (++steps > 8 * maxReach) {
          reason = "too many ops depend on the kernel";
          return failure();
        }
        // The consumer depends on an op between the two, which depends on a
        // producer.
        if (user == consumer) {
          if (llvm::is_contained(producers, op) || views.contains(op))
            continue;
          if (clusters.explains())
            reason = "fusing them would close a cycle through '" +
                     Clusters::nameOf(op) + "'";
          return failure();
        }
        // Ops after the consumer need not move.
        if (!user->isBeforeInBlock(consumer) || !seen.insert(user).second)
          continue;
        if (moved.size() == maxReach) {
          reason = "too many ops between the two depend on the kernel";
          return failure();
        }
        moved.push_back(user);
        pending.push_back(user);
      }
    }
    // Moved in their order, each stays after what it reads.
    llvm::sort(moved, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Merging
  //===--------------------------------------------------------------------===//

  /// Fuses the two; null and the reason if they stay apart.
  Operation *merge(Operation *producer, Operation *consumer,
                   std::string &reason) {
    Cluster *from = clusters.get(producer), *into = clusters.get(consumer);
    if (!from || !into) {
      reason = "its body has no affine form";
      return nullptr;
    }
    SmallVector<Operation *> others;
    SmallVector<Value> liveOut =
        resultsReadElsewhere(producer, consumer, others);
    // Nobody else reads the results: the producer just disappears.
    if (others.empty())
      return fuse(producer, consumer, *from, *into, reason);
    SmallVector<Operation *> moved;
    if (waits && shouldWait(producer, consumer, *into, liveOut)) {
      hasWaited = true;
      reason = "its reader should read the narrow values";
      return nullptr;
    }
    // Others do. A merged kernel that stores the results for them, too, comes
    // before computing them twice.
    if (others.size() > maxReach)
      reason = "it has too many readers";
    else if (succeeded(findDependents(producer, consumer, moved, reason)))
      if (Operation *merged =
              fuse(producer, consumer, *from, *into, reason, liveOut, moved))
        return merged;
    return duplicate(producer, consumer, *from, *into, others, reason);
  }

  /// True if the consumer only makes results of the producer wider, which are
  /// stored for others anyway, and one kernel reads it: that should get the
  /// narrow ones, a residual block the 8-bit values instead of float32.
  bool shouldWait(Operation *producer, Operation *consumer, const Cluster &into,
                  ArrayRef<Value> liveOut) {
    if (consumer->getNumResults() != 1 || !into.prototype->dag.loops.empty())
      return false;
    double narrow = 0;
    for (Value operand : consumer->getOperands()) {
      const Value root = rootOf(operand);
      if (root.getDefiningOp() != producer)
        continue;
      if (!llvm::is_contained(liveOut, root))
        return false;
      narrow += byteCount(root);
    }
    if (narrow >= double(byteCount(consumer->getResult(0))))
      return false;
    SmallVector<Operation *> readers;
    resultsReadElsewhere(consumer, producer, readers);
    return llvm::all_equal(readers) && !readers.empty() &&
           isa<KernelOp>(readers.front());
  }

  /// True if a kernel that costs `after` should replace what takes `before`.
  bool pays(const Cost &after, Picoseconds before, std::string &reason) {
    if (after.total() <= before)
      return true;
    isSlower = true;
    if (clusters.explains())
      reason = "the fused kernel would take " +
               time.change(before, after.total()) + ", bound by " +
               std::string(timing::nameOf(after.bound));
    return false;
  }

  /// True if the fused kernel, which takes longer than the `before` of the two,
  /// makes up for it in the kernel that reads both. That one cannot take the
  /// producer alone: the consumer stands between them. So are a row's values,
  /// the reciprocal of their sum, and their product.
  bool paysWithReader(Operation *producer, Operation *consumer,
                      const Merged &fused, Picoseconds before) {
    // The one kernel that all users are, through views.
    Operation *reader = nullptr;
    for (Operation *user : consumer->getUsers()) {
      while (!viewsMadeBy(user).empty() && user->hasOneUse())
        user = *user->getUsers().begin();
      if ((reader && user != reader) || !isa<KernelOp>(user))
        return false;
      reader = user;
    }
    if (!reader || !clusters.get(reader) ||
        llvm::none_of(reader->getOperands(), [&](Value operand) {
          return rootOf(operand).getDefiningOp() == producer;
        }))
      return false;
    // What others than these three read is stored.
    SmallVector<Operation *> others, moved;
    SmallVector<Value> liveOut;
    std::string unused;
    if (failed(findDependents({producer, consumer}, reader, moved, unused)))
      return false;
    for (Value result : resultsReadElsewhere(producer, reader, others))
      if (llvm::is_contained(fused.stored, result) &&
          llvm::any_of(others, [&](Operation *op) { return op != consumer; }))
        liveOut.push_back(result);
    if (others.size() > maxReach)
      return false;
    // All three in one kernel must take no longer than the two as they are and
    // the reader.
    Merged all = clusters.mergeOnto(fused, reader, liveOut, limits);
    return all.prototype &&
           all.prototype->cost.total() <=
               before + clusters.get(reader)->prototype->cost.total();
  }

  Operation *fuse(Operation *producer, Operation *consumer, Cluster &from,
                  Cluster &into, std::string &reason,
                  ArrayRef<Value> liveOut = {},
                  ArrayRef<Operation *> moved = {}) {
    Merged result = clusters.merge(producer, consumer, liveOut, limits);
    if (!result.prototype) {
      reason = result.refusal.str();
      return nullptr;
    }
    const Cost &cost = result.prototype->cost;
    const Picoseconds before =
        from.prototype->cost.total() + into.prototype->cost.total();
    if (!pays(cost, before, reason) &&
        !paysWithReader(producer, consumer, result, before))
      return nullptr;
    Saving saving = {int64_t(before) - int64_t(cost.total()),
                     bytesOf(from.prototype->cost) +
                         bytesOf(into.prototype->cost) - bytesOf(cost)};
    report(producer, consumer, before - cost.total(), saving.bytes, "",
           liveOut.empty() ? "" : ", which also stores its result");
    saving += savings.lookup(producer);
    saving += savings.lookup(consumer);
    Operation *after = consumer;
    for (Operation *op : moved) {
      op->moveAfter(after);
      after = op;
    }
    Operation *merged = clusters.replace(consumer, result);
    clusters.erase(producer);
    savings[merged] = saving;
    return merged;
  }

  /// Bytes that the kernel moves to and from memory.
  static int64_t bytesOf(const Cost &cost) {
    return int64_t(cost.hbmRead + cost.hbmWritten);
  }

  static double bytesOf(ValueRange tensors) {
    double bytes = 0;
    for (Value tensor : tensors)
      bytes += byteCount(tensor);
    return bytes;
  }

  /// Fuses a copy of a producer, which stays for its other readers. No launch
  /// is saved, so the kernel that reads the copy must be faster for it, unless
  /// the other reader can do the same: then the producer goes.
  Operation *duplicate(Operation *producer, Operation *consumer, Cluster &from,
                       Cluster &into, ArrayRef<Operation *> others,
                       std::string &reason) {
    if (clusters.explains()) {
      std::string why =
          "'" + Clusters::nameOf(others.front()) + "' also reads it";
      if (!reason.empty())
        why += "; " + reason;
      reason = why;
    }
    // Repeating a reduction is never cheap, and a copy must not read more than
    // the result that it saves reading.
    if (!from.prototype->dag.loops.empty() ||
        bytesOf(producer->getOperands()) > bytesOf(producer->getResults()))
      return nullptr;
    Merged result = clusters.merge(producer, consumer, {}, limits);
    if (!result.prototype)
      return nullptr;
    const Cost &cost = result.prototype->cost;
    const Cost &before = into.prototype->cost;
    std::string again;
    if (!pays(cost, before.total(), again) ||
        (cost.total() == before.total() && others.size() > 1)) {
      isSlower = false; // `reason` is another one
      return nullptr;
    }
    Saving saving = {int64_t(before.total()) - int64_t(cost.total()),
                     bytesOf(before) - bytesOf(cost)};
    report(producer, consumer, before.total() - cost.total(), saving.bytes,
           "a copy of ", "");
    saving += savings.lookup(consumer);
    Operation *merged = clusters.replace(consumer, result);
    savings[merged] = saving;
    return merged;
  }

  void report(Operation *producer, Operation *consumer, Picoseconds saved,
              int64_t bytes, StringRef what, StringRef note) {
    ++merges;
    if (!clusters.explains())
      return;
    remark::passed(consumer->getLoc(), fusionRemark("merge")) << remark::add(
        "fused {0}'{1}' into '{2}'{3}, {4} and {5} bytes of "
        "memory traffic",
        what, Clusters::nameOf(producer), Clusters::nameOf(consumer), note,
        time.saving(saved), bytes);
  }

  void reportRefusals() {
    if (!clusters.explains())
      return;
    for (Operation *consumer : clusters.kernels()) {
      auto it = refusals.find(consumer);
      if (it == refusals.end())
        continue;
      for (Refusal &refusal : it->second)
        if (!clusters.isErased(refusal.producer))
          reportRefusal(consumer, refusal);
    }
  }

  /// What writing and reading the results takes that one kernel reads of
  /// another one, as a copy does both.
  Picoseconds timeBetween(Operation *writer, Operation *reader) const {
    Picoseconds sum = 0;
    for (Value result : writer->getResults())
      if (llvm::is_contained(reader->getOperands(), result))
        sum += time.ofCopy(result);
    return sum;
  }

  void reportRefusal(Operation *consumer, const Refusal &refusal) {
    std::string reader = Clusters::nameOf(consumer);
    std::string writer = Clusters::nameOf(refusal.producer);
    remark::missed(consumer->getLoc(), fusionRemark("keep-apart"))
        << remark::reason("not fused '{0}' into '{1}': {2}", writer, reader,
                          refusal.reason)
        << lost(refusal.isSlower ? 0 : timeBetween(refusal.producer, consumer));
    if (!clusters.get(refusal.producer) || !clusters.get(consumer))
      return;
    const KernelDag &from = clusters.dagOf(refusal.producer);
    const KernelDag &into = clusters.dagOf(consumer);
    for (Value result : refusal.producer->getResults()) {
      StringRef pattern = patternAcross(from, result, into);
      if (!pattern.empty())
        remark::missed(consumer->getLoc(), fusionRemark("recognize"))
            << remark::reason("not recognised {0} in '{1}', the rest of which "
                              "is in '{2}': {3}",
                              pattern, reader, writer, refusal.reason);
    }
  }

  const DeviceTime time;
  Clusters clusters;
  KernelLimits limits;
  DenseMap<Operation *, SmallVector<Refusal>> refusals;
  bool waits = true;      // for a reader: not in the last round
  bool hasWaited = false; // a kernel did
  bool isSlower = false;  // of the last two kernels that were compared
  Savings savings;        // of kernels that are merges
};

struct FuseTpc : impl::FuseTpcBase<FuseTpc> {
  using FuseTpcBase::FuseTpcBase;

  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation());
    if (!spec)
      return signalPassFailure();
    SmallVector<FusionRecord> records;
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        expandConcats(block);
        Fuser fuser(block, *spec);
        fuser.run();
        numMerges += fuser.merges;
        numKernels += fuser.kernels;
        numBroadcasts += fuser.broadcasts;
        numRecognized += fuser.recognized;
        llvm::append_range(records, fuser.records);
      }
    record(getOperation(), records);
  }
};
} // namespace
} // namespace gaudi
