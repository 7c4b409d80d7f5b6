// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensors gaudi.sdpa reads in place, in which layout.
#include "AttentionPlan.h"
#include "../Merge/Views.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

// The row-major number of the element is a form of the graph's dimensions. The
// groups are dimensions of a dense tensor if the digits of each lie next to
// each other and the groups, by falling stride, leave no gap.
std::optional<TensorPlacement>
gaudi::fusion::placeOf(const ValueDag &graph, const TensorElement &element,
                       ArrayRef<LayoutGroup> groups) {
  RankedTensorType type = tensorType(element.tensor);
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t d = type.getRank() - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * type.getDimSize(d + 1);
  const Affine flat = gaudi::kernel::flatten(element.position, strides);
  if (!flat.isExact() || flat.getOffset() != 0)
    return std::nullopt;
  struct Dim {
    char letter;
    int64_t size, stride;
    unsigned order;
  };
  SmallVector<Dim, 4> dims;
  uint64_t seen = 0;
  // Digits of a group from the innermost: each stride must be the size of what
  // is inside.
  for (auto [order, group] : llvm::enumerate(groups)) {
    Dim dim{group.letter, 1, 0, unsigned(order)};
    for (unsigned d : llvm::reverse(group.dims)) {
      seen |= uint64_t(1) << d;
      if (dim.size == 1)
        dim.stride = flat[d];
      else if (flat[d] != dim.stride * dim.size)
        return std::nullopt;
      dim.size *= graph.dag.extents[d];
    }
    dims.push_back(dim);
  }
  // Dimensions outside the groups would select one of several tensors.
  if (flat.dims() & ~seen)
    return std::nullopt;
  // Dimensions of size 1 stay beside their neighbours in the op's order.
  SmallVector<Dim, 4> sorted;
  for (const Dim &dim : dims)
    if (dim.size != 1)
      sorted.push_back(dim);
  // Without gaps: the product of the inner sizes is the next stride.
  llvm::sort(sorted,
             [](const Dim &a, const Dim &b) { return a.stride > b.stride; });
  int64_t expected = 1;
  for (const Dim &dim : llvm::reverse(sorted)) {
    if (dim.stride != expected)
      return std::nullopt;
    expected *= dim.size;
  }
  if (expected != type.getNumElements())
    return std::nullopt;
  for (const Dim &dim : dims)
    if (dim.size == 1)
      sorted.insert(llvm::find_if(sorted,
                                  [&](const Dim &other) {
                                    return other.order > dim.order;
                                  }),
                    dim);
  TensorPlacement place;
  place.tensor = element.tensor;
  for (const Dim &dim : sorted) {
    place.sizes.push_back(dim.size);
    place.layout += dim.letter;
  }
  return place;
}

static SmallVector<LayoutGroup, 4> groupsOf(Group images, Group heads,
                                            Group rows, Group columns) {
  return {{'N', images}, {'H', heads}, {'L', rows}, {'D', columns}};
}

/// The view furthest from the product that is a tensor of these groups.
static std::optional<TensorPlacement> placeView(const ValueDag &graph,
                                                ArrayRef<Link> chain,
                                                ArrayRef<LayoutGroup> groups) {
  for (const Link &link : llvm::reverse(chain))
    if (std::optional<TensorPlacement> place =
            placeOf(graph, link.element, groups)) {
      place->factor = link.factor;
      return place;
    }
  return std::nullopt;
}

/// True if some view of the operand does not vary with the dimensions.
static bool canSkip(ArrayRef<Link> chain, ArrayRef<unsigned> dims) {
  return llvm::any_of(chain, [&](const Link &link) {
    return !(dimsOf(link.element.position) & maskOf(dims));
  });
}

/// Views that only the next one reads, from the product's result on, the
/// furthest that the op can write in place of last.
static std::optional<TensorPlacement>
placeOutput(AttentionMatch &match, ArrayRef<LayoutGroup> groups) {
  ValueDag &graph = *match.graph;
  TensorElement at = match.output;
  std::optional<TensorPlacement> best = placeOf(graph, at, groups);
  Type narrow = getElementTypeOrSelf(match.query.front().element.tensor);
  for (unsigned steps = 0; steps < 8 && at.tensor.hasOneUse(); ++steps) {
    Operation *user = *at.tensor.getUsers().begin();
    std::optional<TensorElement> next = graph.resultOf(user, at);
    // A product in f32 of narrow operands that is rounded at once.
    if (isa<CastOp>(user) && getElementTypeOrSelf(user->getResult(0)) == narrow)
      next = TensorElement{user->getResult(0), at.position};
    if (!next)
      break;
    at = *next;
    if (std::optional<TensorPlacement> place = placeOf(graph, at, groups))
      best = place;
  }
  return best;
}

/// False if a mask varies with a part of the images, heads or queries, so that
/// it must be repeated.
static bool masksFit(AttentionMatch &match, const AttentionPlan &plan) {
  auto fits = [&](NodeId value) {
    const uint64_t varies = match.graph->variesWith(value);
    for (const Group &group : {plan.images, plan.heads, match.rowDims})
      if (const uint64_t part = varies & maskOf(group);
          part != 0 && part != maskOf(group))
        return false;
    return true;
  };
  return llvm::all_of(match.added,
                      [&](const AddedMask &m) { return fits(m.value); }) &&
         llvm::all_of(
             match.hidden,
             [&](const HiddenScores &h) { return fits(h.condition); }) &&
         (!match.dropout || fits(*match.dropout));
}

/// Transposes that stay before what the op reads.
static unsigned transposesBefore(ArrayRef<Link> chain,
                                 const TensorPlacement &place) {
  unsigned count = 0;
  bool stays = false;
  for (const Link &link : chain) {
    stays |= link.element.tensor == place.tensor;
    count += stays && link.element.tensor.getDefiningOp<TransposeOp>();
  }
  return count;
}

/// Transposes and roundings that stay after what the op writes.
static unsigned viewsAfter(Value tensor) {
  unsigned count = 0;
  while (tensor.hasOneUse()) {
    Operation *user = *tensor.getUsers().begin();
    if (!isa<ReshapeOp, TransposeOp, CastOp>(user))
      break;
    count += !isa<ReshapeOp>(user);
    tensor = user->getResult(0);
  }
  return count;
}

/// The first `split` dimensions of the batch are images, the others heads.
static std::optional<AttentionPlan>
planFor(AttentionMatch &match, unsigned split, StringRef &blocked) {
  ValueDag &graph = *match.graph;
  AttentionPlan plan;
  plan.images.append(match.batch.begin(), match.batch.begin() + split);
  plan.heads.append(match.batch.begin() + split, match.batch.end());
  plan.heads.append(match.groupDims);
  plan.keyHeads = plan.heads;
  // Heads that neither keys nor values vary with share them (grouped queries);
  // they are the innermost ones.
  while (!plan.keyHeads.empty() && canSkip(match.key, plan.keyHeads.back()) &&
         canSkip(match.value, plan.keyHeads.back()))
    plan.keyHeads.pop_back();
  // A tensor with all images, or one that all images share.
  auto place = [&](ArrayRef<Link> chain, const Group &heads, const Group &l,
                   const Group &d) -> std::optional<TensorPlacement> {
    if (auto all = placeView(graph, chain, groupsOf(plan.images, heads, l, d)))
      return all;
    return placeView(graph, chain, groupsOf({}, heads, l, d));
  };
  auto query = place(match.query, plan.heads, match.rowDims, match.depthDims);
  auto keyOf = [&] {
    return place(match.key, plan.keyHeads, match.keyDims, match.depthDims);
  };
  auto valueOf = [&] {
    return place(match.value, plan.keyHeads, match.keyDims, match.columnDims);
  };
  auto key = keyOf(), value = valueOf();
  if (!key || !value) { // heads that are repeated in memory
    plan.keyHeads = plan.heads;
    key = keyOf();
    value = valueOf();
  }
  auto output = placeOutput(match, groupsOf(plan.images, plan.heads,
                                            match.rowDims, match.columnDims));
  if (!query || !key || !value || !output) {
    blocked = !query ? "queries" : !key ? "keys" : !value ? "values" : "output";
    return std::nullopt;
  }
  plan.query = *query;
  plan.key = *key;
  plan.value = *value;
  plan.output = *output;
  // The plan with the fewest transposes and views is taken; a mask that fits
  // the layout counts too.
  plan.cost = transposesBefore(match.query, plan.query) +
              transposesBefore(match.key, plan.key) +
              transposesBefore(match.value, plan.value) +
              viewsAfter(plan.output.tensor) + !masksFit(match, plan);
  return plan;
}

// Every division of the batch into leading images and trailing heads is tried;
// there are at most as many as dimensions.
static FailureOr<AttentionPlan> planBatch(AttentionMatch &match,
                                          Refusal &refusal) {
  std::optional<AttentionPlan> best;
  StringRef blocked = "";
  for (unsigned split = 0; split <= match.batch.size(); ++split)
    if (auto plan = planFor(match, split, blocked))
      if (!best || plan->cost < best->cost)
        best = plan;
  if (best)
    return *best;
  refusal.culprit = match.candidate.product;
  refusal.reason =
      ("the " + blocked + " do not form a [batch, head, row, column] tensor")
          .str();
  return failure();
}

// All rows are queries, unless the tensors say otherwise: products that merge
// the heads which share a key with the queries have rows of both.
FailureOr<AttentionPlan> gaudi::fusion::planAttention(AttentionMatch &match,
                                                      Refusal &refusal) {
  const ArrayRef<unsigned> all = match.allRows;
  SmallVector<ArrayRef<unsigned>> choices = {all};
  for (unsigned i = 1; i < all.size(); ++i) {
    choices.push_back(all.drop_front(i));
    choices.push_back(all.take_front(i));
  }
  std::optional<ArrayRef<unsigned>> best;
  unsigned cost = 0;
  for (ArrayRef<unsigned> queries : choices) {
    chooseRows(match, queries);
    FailureOr<AttentionPlan> plan = planBatch(match, refusal);
    if (succeeded(plan) && (!best || plan->cost < cost)) {
      best = queries;
      cost = plan->cost;
    }
  }
  if (!best)
    return failure();
  // The match holds what was tried last.
  chooseRows(match, *best);
  return planBatch(match, refusal);
}

SmallVector<LayoutGroup, 4>
gaudi::fusion::scoreGroups(const AttentionMatch &match,
                           const AttentionPlan &plan) {
  return {{'N', plan.images},
          {'H', plan.heads},
          {'L', match.rowDims},
          {'S', match.keyDims}};
}
