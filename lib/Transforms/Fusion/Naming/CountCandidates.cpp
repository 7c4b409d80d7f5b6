// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One record per candidate for a named pattern, fused or missed.
//
// Most kernels hold no sign of a candidate, which their prototype knows. The
// others are followed at most one kernel back, to what makes a sum that they
// read, and one forward, to what divides by it.
#include "CountCandidates.h"
#include "../Merge/Views.h"
#include "Gaudi/Support/Fusions.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// Where a candidate's sum is computed: one candidate has one.
using Place = std::pair<Operation *, NodeId>;

class Counter {
public:
  Counter(Clusters &clusters, const Savings &savings)
      : clusters(clusters), savings(savings) {}

  void run(SmallVectorImpl<FusionRecord> &records) {
    for (Operation *kernel : clusters.kernels()) {
      const Cluster *cluster = clusters.get(kernel);
      if (!cluster)
        continue;
      assert(cluster->prototype->recognition &&
             "patterns are recognised before their candidates are counted");
      Saving saving = savings.lookup(kernel);
      for (const Candidate &candidate :
           cluster->prototype->recognition->candidates)
        add(kernel, *cluster, candidate, saving);
    }
    for (auto &[place, outcome] : outcomes) {
      // Patterns and near misses have remarks already.
      if (clusters.explains() && !outcome.isTold) {
        if (outcome.record.fused)
          remark::passed(outcome.record.loc, fusionRemark("recognize"))
              << outcome.record.text;
        else
          remark::missed(outcome.record.loc, fusionRemark("recognize"))
              << outcome.record.text;
      }
      records.push_back(std::move(outcome.record));
    }
  }

private:
  struct Outcome {
    FusionRecord record;
    bool isTold; // its remark has been emitted
  };

  static Value tensorOf(Operation *kernel, const Cluster &cluster,
                        unsigned access) {
    return kernel->getOperand(
        cluster.operandOf[cluster.prototype->tensorOf[access]]);
  }

  void add(Operation *kernel, const Cluster &cluster,
           const Candidate &candidate, Saving &saving) {
    Place place = {kernel, candidate.statistic};
    StringRef kind = candidate.kind;
    std::string reason;
    if (candidate.access) {
      Value root = rootOf(tensorOf(kernel, cluster, *candidate.access));
      auto maker = root.getDefiningOp<KernelOp>();
      const Cluster *made = maker ? clusters.get(maker) : nullptr;
      if (made) {
        // The rest is in the kernel that makes what this one reads.
        PatternView view(made->prototype->dag);
        const NodeId value =
            view.dag.stores[cast<OpResult>(root).getResultNumber()].value;
        if (!isPartOf(candidate.sign, view, value, candidate.coefficient))
          return;
        if (candidate.sign == Candidate::RootOfMean)
          place = {maker, *view.productOf(value).onlyFactor()};
        reason = (candidate.sign == Candidate::RootOfMean
                      ? "its mean is computed by '"
                      : "its exponentials are computed by '") +
                 Clusters::nameOf(maker) + "'";
      } else if (candidate.sign == Candidate::RootOfMean) {
        // The root of a stored variance.
        if (!maker && !candidate.isFused)
          kind = "batch_norm";
      } else {
        return; // a sum of values that are no exponentials here
      }
    }
    if (!candidate.isFused && !isApplied(kernel, cluster, candidate, reason))
      return;
    put(kernel, cluster, candidate, place, kind, std::move(reason), saving);
  }

  /// Whether sum or root is used as that of a candidate is, here or by a kernel
  /// that reads it; then the reason names that one.
  bool isApplied(Operation *kernel, const Cluster &cluster,
                 const Candidate &candidate, std::string &reason) {
    if (candidate.sign == Candidate::Gate ||
        candidate.sign == Candidate::Rotation ||
        candidate.sign == Candidate::Gradient)
      return true;
    PatternView view(cluster.prototype->dag);
    if (isUsedAs(candidate.sign, view, candidate.node))
      return true;
    for (auto [store, result] :
         llvm::zip(view.dag.stores, kernel->getResults()))
      if (view.strip(store.value) == view.strip(candidate.node))
        if (Operation *reader = readerOf(result, candidate.sign)) {
          if (reason.empty())
            reason = (candidate.sign == Candidate::RootOfMean
                          ? "its root is applied by '"
                          : "its sum is applied by '") +
                     Clusters::nameOf(reader) + "'";
          return true;
        }
    return false;
  }

  /// A kernel that uses the tensor as sum or root.
  Operation *readerOf(Value tensor, Candidate::Sign sign) {
    SmallVector<Value> pending = {tensor};
    while (!pending.empty())
      for (Operation *user : pending.pop_back_val().getUsers()) {
        llvm::append_range(pending, viewsMadeBy(user));
        const Cluster *cluster =
            isa<KernelOp>(user) ? clusters.get(user) : nullptr;
        if (!cluster)
          continue;
        PatternView view(cluster->prototype->dag);
        for (NodeId id = 0; id < view.dag.nodes.size(); ++id)
          if (view.isLoad(id) &&
              rootOf(tensorOf(user, *cluster, view.at(id).number)) == tensor &&
              isUsedAs(sign, view, id))
            return user;
      }
    return nullptr;
  }

  void put(Operation *kernel, const Cluster &cluster,
           const Candidate &candidate, Place place, StringRef kind,
           std::string reason, Saving &saving) {
    if (!gaudi::findFusionKind(std::string_view(kind)))
      return;
    const Recognition &recognition = *cluster.prototype->recognition;
    bool isTold = candidate.isFused && candidate.sign != Candidate::Gradient;
    if (reason.empty())
      for (const NearMiss &miss : recognition.missed)
        if (miss.name == kind) {
          reason = miss.reason.str();
          isTold = true;
        }
    if (reason.empty() && candidate.sign == Candidate::Gradient)
      reason = "another kernel applies its sums";
    if (reason.empty())
      reason = "its values form no pattern that has this name";
    const std::string label = Clusters::nameOf(kernel);
    std::string text =
        candidate.isFused
            ? ("recognised " + kind + " in '" + label + "'").str()
            : ("not recognised " + kind + " in '" + label + "': " + reason)
                  .str();
    FusionRecord record = {kind, kernel->getLoc(), candidate.isFused, 0, 0,
                           0,    std::move(text)};
    if (candidate.isFused) {
      record.bytesSaved = saving.bytes;
      record.picosecondsSaved = saving.picoseconds;
      saving = {}; // of the first pattern in the kernel
    }
    auto [it, isNew] = outcomes.insert({place, Outcome{record, isTold}});
    // Another kernel may compute the root once more, for a gradient.
    if (!isNew && candidate.isFused && !it->second.record.fused)
      it->second = {std::move(record), isTold};
  }

  Clusters &clusters;
  const Savings &savings;
  llvm::MapVector<Place, Outcome> outcomes;
};
} // namespace

void gaudi::fusion::countCandidates(Clusters &clusters, const Savings &savings,
                                    SmallVectorImpl<FusionRecord> &records) {
  Counter(clusters, savings).run(records);
}
