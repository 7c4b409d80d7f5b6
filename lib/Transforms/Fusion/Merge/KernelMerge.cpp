// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging of a producer kernel into a consumer kernel.
//
// The consumer's index space is kept. Every read of a producer's result is
// replaced by the producer's computation at the indices that store the element
// (solved from its store). If those values need reductions, the producer's
// parallel dimensions stay parallel and the consumer's other ones become loops
// inside a point: the merged kernel is a row-wise reduction kernel.
#include "KernelMerge.h"
#include "Gaudi/Kernel/CodeSize.h"
#include "Gaudi/Kernel/Limits.h"
#include "Views.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// Upper bound of the weight that a recipe counts for the kernel: a value may
/// be computed again in every loop, and once outside.
static uint64_t weightBound(const KernelDag &dag) {
  uint64_t weight = 0;
  for (const Node &node : dag.nodes) {
    std::optional<gaudi::kernel::Opcode> opcode;
    if (node.kind == Node::Scalar)
      opcode = opcodeOf(*node.name);
    weight += opcode ? gaudi::kernel::compileWeight(*opcode) : 1;
  }
  // Each loop is a stage, and straight-line code may be one before and after.
  const uint64_t stages = 2 * dag.loops.size() + 1;
  return weight * (dag.loops.size() + 1) +
         stages * (1 + gaudi::kernel::maxKernelDims);
}

namespace {

/// A read of the producer by the consumer.
struct ProducerRead {
  const Store *store = nullptr;
  SmallVector<Affine, 6> indices; // of the producer
  std::unique_ptr<Importer> importer;
};

class Merger {
public:
  Merger(const KernelDag &producer, const KernelDag &consumer,
         ArrayRef<Value> liveOut, const KernelLimits &limits,
         MLIRContext *context)
      : producer(producer), consumer(consumer), liveOut(liveOut),
        limits(limits), context(context),
        consumerDims(identityForms(consumer.extents.size())) {
    merged.extents = consumer.extents;
    merged.parallel = consumer.parallel;
  }

  Merge run() {
    // A reshape between the kernels may need dimensions strip-mined, one at a
    // time. Each adds a dimension, so the number of attempts is bounded.
    for (unsigned attempt = 0; attempt <= limits.maxDims; ++attempt) {
      Reindexed solved = solveReads();
      if (solved.ok)
        return build();
      if (!solved.stripMine)
        break;
      stripMine(*solved.stripMine);
      if (merged.extents.size() > 2 * limits.maxDims)
        break;
    }
    return Merge::refuse(
        refusal.empty() ? "the elements it reads are not an affine function "
                          "of its index space"
                        : refusal);
  }

private:
  const Store *storeOf(Value tensor) const {
    for (const Store &store : producer.stores)
      if (store.result == tensor)
        return &store;
    return nullptr;
  }

  /// Strip-mines a dimension; the inner one is new.
  void stripMine(StripMine at) {
    unsigned inner = merged.addDim(at.inner, merged.parallel[at.dim]);
    merged.extents[at.dim] /= at.inner;
    SmallVector<Affine, 6> forms = identityForms(merged.extents.size());
    forms[at.dim] = stripMined(at, inner);
    for (Affine &form : consumerDims)
      form = form.substitute(forms);
  }

  /// Finds, for each read of the producer, the indices that store its element:
  /// the position read is followed through the views to the stored tensor, then
  /// the store's map is inverted there. Each element is stored by one point, so
  /// the indices are unique if they exist.
  Reindexed solveReads() {
    // May be called again once dimensions of the merged kernel have been split.
    reads.clear();
    for (auto [number, access] : llvm::enumerate(consumer.accesses)) {
      const Store *store = storeOf(rootOf(access.tensor));
      if (!store)
        continue;
      if (!access.isInside()) {
        refusal = access.dynamicDims.empty()
                      ? "it reads outside the bounds of the tensor"
                      : "it reads the tensor at data-dependent indices";
        return {};
      }
      ProducerRead &read = reads[number];
      read.store = store;
      // From the consumer's indices to those of the tensor that the producer
      // stores.
      SmallVector<Affine, 4> position;
      for (const Affine &form : access.position)
        position.push_back(form.substitute(consumerDims));
      for (Value tensor = access.tensor; tensor != store->result;) {
        SmallVector<Affine, 4> next;
        Reindexed moved =
            positionInSource(tensor, position, merged.extents, next);
        if (!moved.ok)
          return moved;
        position = std::move(next);
        tensor = viewSource(tensor);
      }
      // Then from the position of an element to the point that stores it.
      const SmallVector<int64_t> sizes = producer.extentsOf(*store);
      read.indices.assign(sizes.size(), Affine());
      Reindexed solved = invertStore(store->position, sizes, position,
                                     merged.extents, read.indices);
      if (!solved.ok)
        return solved;
    }
    return {true, std::nullopt};
  }

  bool isLiveOut(const Store &store) const {
    return llvm::is_contained(liveOut, store.result);
  }

  /// True if a value fused from the producer needs its reductions.
  bool needsReductions() const {
    for (const auto &[number, read] : reads)
      if (producer.nodes[read.store->value].depth > 0)
        return true;
    return llvm::any_of(producer.stores, [&](const Store &store) {
      return isLiveOut(store) && producer.nodes[store.value].depth > 0;
    });
  }

  /// The merged kernel, once the indices of every read are known.
  Merge build() {
    if (reads.empty())
      return Merge::refuse("it does not read a result of the kernel");
    const ProducerRead &first = reads.begin()->second;
    bool reduces = needsReductions();
    if (reduces) {
      // A point of the merged kernel reduces one row and then reads it: all its
      // reads must be of that row, and what does not choose the row is walked
      // inside the point.
      for (const auto &[number, read] : reads)
        for (unsigned d = 0; d < producer.extents.size(); ++d)
          if (producer.parallel[d] && !(read.indices[d] == first.indices[d]))
            return Merge::refuse(
                "one point reads two rows of the reduced tensor");
      uint64_t rows = 0;
      for (unsigned d = 0; d < producer.extents.size(); ++d)
        if (producer.parallel[d])
          rows |= first.indices[d].dims();
      for (unsigned d = 0; d < merged.extents.size(); ++d)
        if (!(rows >> d & 1))
          merged.parallel[d] = false;
    }
    mapDims(first);
    if (!keepsOrder(first))
      return Merge::refuse(
          "the result is live-out, but its elements are not visited exactly "
          "once");

    merged.reserve(producer.nodes.size() + consumer.nodes.size(),
                   producer.accesses.size() + consumer.accesses.size());
    // Two importers: one of the producer's values at the indices that the
    // consumer reads, one of the consumer.
    Importer loops(merged, producer, producerDims, context);
    Importer main(merged, consumer, consumerDims, context,
                  producer.parts.size(),
                  [&](const Node &load) -> std::optional<NodeId> {
                    auto read = reads.find(load.number);
                    if (read == reads.end())
                      return std::nullopt;
                    return valueOf(read->second, loops);
                  });
    // Only what is stored is imported: dead values stay behind.
    for (const Store &store : consumer.stores)
      addStore(store, main);
    for (const Store &store : producer.stores)
      if (isLiveOut(store))
        addStore(store, loops);
    merged.parts = producer.parts;
    llvm::append_range(merged.parts, consumer.parts);
    if (!merged.isWellFormed())
      return Merge::refuse(
          reduces ? "a loop would have to be nested in another loop"
                  : "the value cannot be computed in the loop that "
                    "reads it");
    return checkLimits();
  }

  void addStore(const Store &store, Importer &importer) {
    merged.stores.push_back({store.result, importer.substitute(store.position),
                             importer.import(store.value)});
  }

  /// The value that the store would have written, as a load would read it.
  /// Each read has a cloner of its own, because the indices differ, but all
  /// share the cloner of the loops: a reduction of the row is computed once.
  NodeId valueOf(ProducerRead &read, Importer &loops) {
    if (!read.importer) {
      SmallVector<Affine, 6> dims = producerDims;
      const uint64_t used = dimsOf(read.store->position);
      for (unsigned d = 0; d < dims.size(); ++d)
        if (producer.parallel[d] || used >> d & 1)
          dims[d] = read.indices[d];
      read.importer = std::make_unique<Importer>(
          merged, producer, dims, context, 0, Importer::LoadHook(), &loops);
    }
    return merged.rounded(read.importer->import(read.store->value),
                          getElementTypeOrSelf(read.store->result));
  }

  /// Where the producer's dimensions are in the merged kernel: parallel ones
  /// where the first read needs them, loops over a dimension of the same size.
  void mapDims(const ProducerRead &first) {
    assert(first.indices.size() == producer.extents.size() &&
           "a read gives every dimension of the producer an index");
    producerDims.assign(producer.extents.size(), Affine());
    uint64_t taken = 0;   // dimensions of the merged kernel that are mapped to
    uint64_t pending = 0; // dimensions of the producer without a mapping yet
    for (unsigned d = 0; d < producer.extents.size(); ++d) {
      const Affine &index = first.indices[d];
      bool inLoop = llvm::any_of(producer.loops, [&](const Loop &loop) {
        return llvm::is_contained(loop.dims, d);
      });
      // A loop walks sequential dimensions; one may have become several.
      if (producer.parallel[d] ||
          (isPermutation(index, producer.extents[d]) &&
           (!inLoop || (!index.isConstant() &&
                        (index.dims() & ~merged.sequentialDims()) == 0)))) {
        producerDims[d] = index;
        taken |= index.dims();
      } else {
        pending |= uint64_t(1) << d;
      }
    }
    // A loop of the producer over as many elements as one of the consumer runs
    // in it: the one with which it shares most reads. Every dimension is mapped
    // to at most once, so that no loop walks a diagonal.
    for (unsigned d = 0; d < producer.extents.size(); ++d) {
      if (!(pending >> d & 1))
        continue;
      std::optional<unsigned> best;
      unsigned bestScore = 0;
      for (unsigned t = 0; t < merged.extents.size(); ++t) {
        if (merged.parallel[t] || merged.extents[t] != producer.extents[d] ||
            taken >> t & 1)
          continue;
        unsigned score = 1 + commonReads(d, t);
        if (score > bestScore) {
          best = t;
          bestScore = score;
        }
      }
      if (!best)
        best = merged.addDim(producer.extents[d], /*isParallel=*/false);
      taken |= uint64_t(1) << *best;
      producerDims[d] = Affine::dim(*best);
    }
  }

  /// How many tensors both kernels walk alike along dimension `d` of the
  /// producer and `t` of the merged kernel.
  unsigned commonReads(unsigned d, unsigned t) const {
    unsigned count = 0;
    for (const Access &access : producer.accesses)
      for (const Access &other : consumer.accesses) {
        if (access.tensor != other.tensor)
          continue;
        for (auto [mine, theirs] : llvm::zip(access.position, other.position))
          count +=
              mine[d] != 0 && theirs.substitute(consumerDims)[t] == mine[d];
      }
    return count;
  }

  /// True if live-out results, and loads that may fault, are visited exactly
  /// once per element: the producer's dimensions are a permutation of the
  /// merged ones.
  ///
  /// A load that may stop the launch must run for the same elements as before:
  /// not for fewer, which would lose the error, nor for others.
  bool keepsOrder(const ProducerRead &first) {
    bool faults = llvm::any_of(producer.accesses, [](const Access &access) {
      return llvm::is_contained(access.boundary, Boundary::Checked);
    });
    if (faults &&
        !isPermutation(first.indices, producer.extentsOf(*first.store)))
      return false;
    for (const Store &store : producer.stores) {
      if (!isLiveOut(store))
        continue;
      SmallVector<int64_t> sizes = producer.extentsOf(store);
      if (!isPermutation(producerDims, sizes))
        return false;
      // Parallel dimensions that the producer does not have would store each
      // element several times.
      uint64_t image = 0;
      for (unsigned d = 0; d < sizes.size(); ++d)
        if (sizes[d] != 1)
          image |= producerDims[d].dims();
      for (unsigned t = 0; t < merged.extents.size(); ++t)
        if (merged.parallel[t] && merged.extents[t] != 1 && !(image >> t & 1))
          return false;
    }
    return true;
  }

  /// True if the forms run through all combinations of indices of `sizes`
  /// exactly once, each of the dimensions they use in one of them.
  bool isPermutation(ArrayRef<Affine> forms, ArrayRef<int64_t> sizes) const {
    uint64_t taken = 0;
    for (auto [index, size] : llvm::zip(forms, sizes)) {
      const Affine &form = index;
      if (size == 1)
        continue;
      if (form.dims() & taken || contiguousRun(form, merged.extents) != size)
        return false;
      taken |= form.dims();
    }
    return true;
  }

  Merge checkLimits() {
    auto isExact = [](const Affine &form) { return form.isExact(); };
    for (const Access &access : merged.accesses)
      if (!llvm::all_of(access.position, isExact))
        return Merge::refuse("an index would not fit 64 bits");
    const uint64_t used = merged.usedDims();
    if (merged.countParallel() > limits.maxParallelDims ||
        unsigned(llvm::popcount(used)) > limits.maxDims)
      return Merge::refuse(
          "the fused index space would have too many dimensions");
    if (merged.tensors().size() + merged.stores.size() > limits.maxTensors)
      return Merge::refuse("the fused kernel would have too many tensors");
    // Every value in every stage at every point: an upper bound, in floating
    // point because the product may exceed 64 bits.
    const double work = double(merged.nodes.size()) *
                        double(merged.loops.size() + merged.stores.size()) *
                        merged.pointsOf(used);
    if (merged.loops.size() > limits.maxLoops ||
        merged.nodes.size() > limits.maxNodes || work > limits.maxWork ||
        weightBound(merged) > gaudi::kernel::maxKernelWeight)
      return Merge::refuse("the fused kernel would be too long");
    return {std::move(merged), ""};
  }

  const KernelDag &producer, &consumer;
  ArrayRef<Value> liveOut;
  const KernelLimits &limits;
  MLIRContext *context;
  KernelDag merged;
  SmallVector<Affine, 6> consumerDims, producerDims;
  std::map<unsigned, ProducerRead> reads; // by access of the consumer
  StringRef refusal;
};
} // namespace

Merge gaudi::fusion::mergeKernels(const KernelDag &producer,
                                  const KernelDag &consumer,
                                  ArrayRef<Value> liveOut,
                                  const KernelLimits &limits,
                                  MLIRContext *context) {
  return Merger(producer, consumer, liveOut, limits, context).run();
}
