// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names what a kernel computes.
#include "Recognize.h"
#include "../Merge/Views.h"
#include "Patterns.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
class Recognizer {
public:
  explicit Recognizer(const KernelDag &dag) : dag(dag), view(dag) {}

  Recognition run() {
    for (const Store &store : dag.stores)
      visit(store.value);
    dropEscaped();
    result.candidates = candidatesOf(view, [&](NodeId id) {
      auto it = covered.find(id);
      return it == covered.end() ? StringRef() : result.found[it->second].name;
    });
    result.label = label();
    SmallVector<Recognized, 2> whole;
    for (auto [i, pattern] : llvm::enumerate(result.found))
      if (!escaped.contains(i))
        whole.push_back(pattern);
    result.found = std::move(whole);
    return std::move(result);
  }

private:
  void visit(NodeId id) {
    if (!seen.insert(id).second)
      return;
    const Node &node = dag.nodes[id];
    if (node.kind == Node::Scalar || node.kind == Node::Result) {
      std::optional<NearMiss> miss;
      std::optional<Recognized> found = recognizeRowReduction(view, id, miss);
      if (!found)
        found = recognizeActivation(view, id);
      if (!found)
        found = recognizeRope(view, id);
      if (found) {
        unsigned number = result.found.size();
        result.found.push_back(*found);
        coverPattern(id, number);
        for (NodeId input : found->inputs)
          visit(input);
        return;
      }
      if (miss && llvm::none_of(result.missed, [&](const NearMiss &other) {
            return other.name == miss->name;
          }))
        result.missed.push_back(*miss);
    }
    for (NodeId part : dag.partsOf(id))
      visit(part);
  }

  /// Marks the values between the pattern's root and its inputs.
  void coverPattern(NodeId id, unsigned number) {
    const Recognized &pattern = result.found[number];
    if (id != pattern.root)
      for (NodeId input : pattern.inputs)
        if (view.strip(id) == view.strip(input))
          return;
    if (!covered.try_emplace(id, number).second)
      return;
    for (NodeId part : dag.partsOf(id))
      coverPattern(part, number);
  }

  /// Drops patterns one of whose inner values is also a result of the kernel.
  void dropEscaped() {
    for (const Store &store : dag.stores) {
      auto it = covered.find(view.strip(store.value));
      if (it == covered.end())
        continue;
      const Recognized &pattern = result.found[it->second];
      NodeId value = view.strip(store.value);
      if (value == view.strip(pattern.root))
        continue;
      if (!view.expOf(value))
        continue;
      result.missed.push_back(
          {pattern.name, "its exponential is also a result of the kernel"});
      escaped.insert(it->second);
    }
    SmallVector<NodeId> freed;
    for (auto &[id, pattern] : covered)
      if (escaped.contains(pattern))
        freed.push_back(id);
    for (NodeId id : freed)
      covered.erase(id);
  }

  /// One name per pattern, in the place of its first op; ops of no pattern keep
  /// the name of their kernel.
  std::string label() const {
    DenseMap<unsigned, std::pair<unsigned, unsigned>> counts; // total, covered
    DenseMap<unsigned, unsigned> patternOf;
    SmallVector<NodeId> stored;
    for (const Store &store : dag.stores)
      stored.push_back(store.value);
    for (NodeId id : dag.closureOf(stored)) {
      const Node &node = dag.nodes[id];
      if (node.kind != Node::Scalar && node.kind != Node::Result)
        continue;
      // Casts are part of the ops around them.
      if (node.name && isOneOf<arith::ExtFOp, arith::TruncFOp>(*node.name))
        continue;
      auto &[total, inside] = counts[node.part];
      ++total;
      auto it = covered.find(id);
      if (it == covered.end())
        continue;
      ++inside;
      patternOf[node.part] = it->second;
    }
    SmallVector<StringRef> names;
    for (const Candidate &candidate : result.candidates)
      if (candidate.sign == Candidate::Gradient && candidate.isFused)
        names.push_back(candidate.kind);
    DenseSet<unsigned> named;
    for (auto [i, part] : llvm::enumerate(dag.parts)) {
      auto it = counts.find(i);
      StringRef name = part;
      name.consume_front("tpc.");
      if (it == counts.end()) {
        // A part without arithmetic of its own: a gather, a cast.
        if (result.found.empty() || name == "gather")
          names.push_back(name);
        continue;
      }
      if (it->second.second == 0) {
        names.push_back(name);
        continue;
      }
      unsigned pattern = patternOf.lookup(i);
      if (named.insert(pattern).second)
        names.push_back(result.found[pattern].name);
    }
    return joined(names);
  }

  const KernelDag &dag;
  PatternView view;
  Recognition result;
  DenseSet<NodeId> seen;
  DenseMap<NodeId, unsigned> covered; // to the number of its pattern
  DenseSet<unsigned> escaped;
};
} // namespace

std::string gaudi::fusion::joined(ArrayRef<StringRef> names) {
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

Recognition gaudi::fusion::recognize(const KernelDag &dag) {
  return Recognizer(dag).run();
}

StringRef gaudi::fusion::patternAcross(const KernelDag &producer, Value tensor,
                                       const KernelDag &consumer) {
  const Store *store = llvm::find_if(
      producer.stores, [&](const Store &s) { return s.result == tensor; });
  if (store == producer.stores.end())
    return {};
  PatternView made(producer), used(consumer);
  auto isRead = [&](NodeId id) {
    const Node &node = used.at(id);
    return node.kind == Node::Load &&
           rootOf(consumer.accesses[node.number].tensor) == tensor;
  };
  auto isDifference = [&](NodeId id) {
    Sum sum = used.sumOf(id);
    return sum.terms.size() > 1 &&
           llvm::any_of(sum.terms, [&](const Term &term) {
             return term.isNegative && isRead(term.node);
           });
  };
  NodeId value = made.strip(store->value);
  unsigned loop;
  bool isExp = bool(made.expOf(value));
  bool isMax = made.reductionOf(value, KernelReduce::Max) ||
               made.reductionOf(value, KernelReduce::MaxNum);
  bool isMean = bool(made.meanOf(value, loop));
  // exp in one kernel, its sum in the other.
  if (isExp)
    for (const Loop &sums : consumer.loops)
      for (const Reduction &r : sums.reductions)
        if (r.kind == KernelReduce::Add && isRead(r.value))
          return "softmax";
  // The maximum or mean in one, what is subtracted and transformed in the
  // other.
  for (NodeId id = 0; id < consumer.nodes.size() && (isMax || isMean); ++id) {
    if (isMax)
      if (auto argument = used.expOf(id))
        if (isDifference(*argument))
          return "softmax";
    if (isMean)
      if (auto root = used.squareOf(id))
        if (isDifference(*root))
          return "layer_norm";
  }
  return {};
}
