// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From who writes and reads which tensor to variables and couplings, and from
// their labels to a placement.
#include "LayoutProblem.h"
#include "Solver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;
using gaudi::layout::forbidden;
using gaudi::layout::Problem;
using gaudi::layout::Solution;
using gaudi::layout::Variable;

/// Solves one region. Costs are picoseconds times `scale`, plus preferences
/// that sum to less than one picosecond: for ops that become no kernel, then
/// for ops as they are written, and for fewer transposes.
class LayoutProblem::RegionSolver {
public:
  RegionSolver(LayoutProblem &problem, const RegionParts &parts,
               Placement &placement)
      : problem(problem), parts(parts), placement(placement),
        objective(placement.objective) {}

  void run() {
    for (unsigned group : parts.groups)
      times.push_back(problem.copyTimes(group));
    chooseScale();
    addParties();
    for (unsigned i = 0; i < parts.groups.size(); ++i)
      addGroup(i);
    for (auto &[pair, table] : couplings)
      input.couplings.push_back({pair.first, pair.second, std::move(table)});
    solution = gaudi::layout::solve(input);
    assert(solution.cost < forbidden && "copies make any order of any other");
    record();
  }

private:
  /// What one party of a group asks of it under each of its labels.
  struct Asked {
    unsigned variable;
    std::optional<TensorUse> producer;
    SmallVector<TensorUse, 1> readers;
  };

  void chooseScale();
  void addParties();
  void addGroup(unsigned index);
  void addState(unsigned group, ArrayRef<Asked> asked, const Copies &copies,
                std::optional<unsigned> from, OrderSet needed);
  void record();
  void recordGroup(unsigned index, Region &region);
  void addCopy(const Group &group, Order from, Order to, Picoseconds time,
               Region &region);
  void place(const Party &party, const Label &label);
  Copies copiesOf(unsigned index) const;

  const Party &party(const TensorUse &use) const {
    return problem.parties[use.party];
  }
  unsigned labelOf(unsigned party) const {
    auto found = variableOf.find(party);
    return found == variableOf.end() ? 0 : solution.labels[found->second];
  }
  OrderSet bit(const TensorUse &use, unsigned label) const {
    return OrderSet(1) << problem.orderOf(use, label);
  }
  OrderSet neededBy(const Asked &asked, unsigned label) const {
    OrderSet needed = 0;
    for (const TensorUse &reader : asked.readers)
      needed |= bit(reader, label);
    return needed;
  }
  /// What a label of readers costs beside the copies that it needs: readers of
  /// a copy begin later than those of what is written, which no sum of times
  /// shows. Copies of constants are made before the launch.
  int64_t waits(unsigned group, const Asked &asked, unsigned label,
                unsigned written) const {
    if (problem.graph.groups[group].constantTime())
      return 0;
    return ofWait * preference *
           llvm::count_if(asked.readers, [&](const TensorUse &reader) {
             return problem.orderOf(reader, label) != written;
           });
  }
  size_t labelCount(unsigned variable) const {
    return input.variables[variable].costs.size();
  }
  /// The table of two variables, one entry per pair of labels.
  std::vector<int64_t> &coupling(unsigned a, unsigned b) {
    assert(a < b && "pairs are ordered");
    std::vector<int64_t> &table = couplings[{a, b}];
    table.resize(labelCount(a) * labelCount(b), 0);
    return table;
  }

  LayoutProblem &problem;
  const RegionParts &parts;
  Placement &placement;
  const Objective objective;
  std::vector<SmallVector<Picoseconds, 4>> times; // of copies, by group
  int64_t scale = 1;
  // Tie-breaks: the cost of an op that is not in its written layout, and of a
  // kernel that reads or writes across lanes; 0 if there is no room.
  int64_t preference = 1, ofKernel = 256;
  /// Of a product that reads or writes across the rows of its weights: a kernel
  /// beside it changes for it.
  int64_t ofLanes = 4;
  /// Of a reader that waits for a copy, in preferences: an op changes for it.
  static constexpr int64_t ofWait = 2;
  Problem input;
  Solution solution;
  bool hasTransposes = false;              // before or after
  Picoseconds constantTime = 0;            // of constants that are rearranged
  DenseMap<unsigned, unsigned> variableOf; // by party
  /// By the tensor that transposes come from: what is written or made.
  DenseMap<Value, SmallVector<Order, 2>> existing;
  llvm::MapVector<std::pair<unsigned, unsigned>, std::vector<int64_t>>
      couplings;
};

void LayoutProblem::RegionSolver::chooseScale() {
  // Preferences must not sum to a picosecond, nor costs overflow.
  uint64_t preferences = 1;
  double total = 1;
  for (unsigned number : parts.parties) {
    const LabelSet &set = *problem.parties[number].labels;
    Picoseconds most = 0;
    for (const Label &label : set.labels)
      most = std::max(most, set.counted(label, objective));
    // Bounds of what all costs and all preferences may sum to.
    total += double(most);
  }
  for (auto [group, copies] : llvm::zip_equal(parts.groups, times)) {
    preferences += maxOrders + ofWait * problem.uses[group].readers.size();
    total += double(maxOrders) *
             double(*std::max_element(copies.begin(), copies.end()));
  }
  // Preferences are weakened, never dropped at once, until the scaled costs
  // fit.
  for (; ofKernel > 0; ofKernel /= 16) {
    scale = int64_t(llvm::PowerOf2Ceil(preferences + uint64_t(ofKernel) *
                                                         parts.parties.size()));
    ofLanes = std::clamp<int64_t>(ofKernel, preference, 4);
    if (total * double(scale) < double(forbidden) / 8)
      return;
  }
  // Times alone fill the integers: nothing is left for preferences.
  scale = 1;
  preference = ofLanes = 0;
}

void LayoutProblem::RegionSolver::addParties() {
  for (unsigned number : parts.parties) {
    const LabelSet &set = *problem.parties[number].labels;
    if (set.labels.size() == 1)
      continue;
    Variable variable;
    for (auto [i, label] : llvm::enumerate(set.labels)) {
      // Ties of a product go to rows of what it adds up.
      const bool isLike = set.alongWeights.value_or(i) == i;
      const int64_t rank = !isLike                    ? ofLanes
                           : set.written == i         ? 0
                           : label.placement.asKernel ? ofKernel
                                                      : preference;
      variable.costs.push_back(set.counted(label, objective) * scale + rank);
    }
    variableOf[number] = input.variables.size();
    input.variables.push_back(std::move(variable));
  }
}

Copies LayoutProblem::RegionSolver::copiesOf(unsigned index) const {
  SmallVector<int64_t, 4> costs;
  for (Picoseconds time : times[index])
    costs.push_back(time * scale + preference);
  return Copies(problem.graph.groups[parts.groups[index]].orders.size(),
                std::move(costs));
}

void LayoutProblem::RegionSolver::addGroup(unsigned index) {
  const unsigned group = parts.groups[index];
  const GroupUses &uses = problem.uses[group];
  if (problem.graph.groups[group].isFreeInEachOrder())
    return;                     // no choice costs anything here
  std::optional<unsigned> from; // if the producer has no choice
  OrderSet needed = 0;          // by readers without a choice
  SmallVector<Asked, 2> asked;
  DenseMap<unsigned, size_t> placeOf; // in `asked`, by variable
  auto askedBy = [&](const TensorUse &use) -> Asked * {
    auto found = variableOf.find(use.party);
    if (found == variableOf.end())
      return nullptr;
    auto [place, isNew] = placeOf.try_emplace(found->second, asked.size());
    if (isNew)
      asked.push_back({found->second, std::nullopt, {}});
    return &asked[place->second];
  };
  if (Asked *producer = askedBy(uses.producer))
    producer->producer = uses.producer;
  else
    from = problem.orderOf(uses.producer, 0);
  for (const TensorUse &reader : uses.readers)
    if (Asked *variable = askedBy(reader))
      variable->readers.push_back(reader);
    else
      needed |= bit(reader, 0);
  if (asked.empty())
    return;
  const Copies copies = copiesOf(index);
  // Two parties are one coupling of them, more meet in a variable of the group.
  if (asked.size() > 2)
    return addState(group, asked, copies, from, needed);
  llvm::sort(asked, [](const Asked &a, const Asked &b) {
    return a.variable < b.variable;
  });
  const Asked &a = asked.front();
  const Asked *b = asked.size() == 2 ? &asked.back() : nullptr;
  std::vector<int64_t> &table =
      b ? coupling(a.variable, b->variable) : input.variables[a.variable].costs;
  const size_t columns = b ? labelCount(b->variable) : 1;
  for (auto [entry, cost] : llvm::enumerate(table)) {
    const unsigned i = entry / columns, j = entry % columns;
    OrderSet set = needed | neededBy(a, i);
    if (b)
      set |= neededBy(*b, j);
    const unsigned source = from         ? *from
                            : a.producer ? problem.orderOf(*a.producer, i)
                                         : problem.orderOf(*b->producer, j);
    cost += copies.cost(source, set) + waits(group, a, i, source) +
            (b ? waits(group, *b, j, source) : 0);
  }
}

/// A variable whose label is the order that is written and the set of orders
/// that exist. O(orders * 2^orders) labels, at most 80.
void LayoutProblem::RegionSolver::addState(unsigned group,
                                           ArrayRef<Asked> asked,
                                           const Copies &copies,
                                           std::optional<unsigned> from,
                                           OrderSet needed) {
  OrderSet written = from ? OrderSet(1) << *from : 0, wanted = needed;
  // Orders that no label writes or reads need no states.
  for (const Asked &other : asked)
    for (size_t label = 0; label < labelCount(other.variable); ++label) {
      if (other.producer)
        written |= bit(*other.producer, label);
      wanted |= neededBy(other, label);
    }
  const unsigned orders = problem.graph.groups[group].orders.size();
  SmallVector<std::pair<unsigned, OrderSet>> states;
  Variable variable;
  // States: a written order with each set that includes it and only orders that
  // somebody reads.
  for (unsigned source = 0; source < orders; ++source) {
    const OrderSet own = OrderSet(1) << source;
    if (!(written & own))
      continue;
    for (OrderSet set = 0; set < OrderSet(1) << orders; ++set) {
      if (!(set & own) || (set & ~(wanted | own)) || (needed & ~set))
        continue;
      states.emplace_back(source, set);
      variable.costs.push_back(copies.cost(source, set));
    }
  }
  const unsigned state = input.variables.size();
  input.variables.push_back(std::move(variable));
  // A label of a reader fits the states that have its orders, one of a producer
  // those that begin with its order.
  for (const Asked &other : asked) {
    std::vector<int64_t> &table = coupling(other.variable, state);
    for (size_t label = 0; label < labelCount(other.variable); ++label) {
      const OrderSet set = neededBy(other, label);
      for (auto [i, entry] : llvm::enumerate(states))
        table[label * states.size() + i] =
            (set & ~entry.second) ||
                    (other.producer &&
                     problem.orderOf(*other.producer, label) != entry.first)
                ? forbidden
                : waits(group, other, label, entry.first);
    }
  }
}

void LayoutProblem::RegionSolver::place(const Party &party,
                                        const Label &label) {
  const OpPlacement &chosen = label.placement;
  if (party.op && party.tensors.empty()) {
    placement.ops[party.op] = chosen;
    return;
  }
  if (party.op) {
    OpPlacement &whole = placement.ops[party.op];
    if (whole.orders.empty())
      whole.orders = identityOrders(party.op);
    for (auto [tensor, order] : llvm::zip_equal(party.tensors, chosen.orders))
      whole.orders[tensor] = order;
    return;
  }
  if (party.argument)
    placement.arguments[*party.argument] = chosen.orders.back();
  if (party.result)
    placement.results[*party.result] = chosen.orders.front();
}

/// The transposes of a group whose uses are placed.
void LayoutProblem::RegionSolver::recordGroup(unsigned index, Region &region) {
  const unsigned number = parts.groups[index];
  const Group &group = problem.graph.groups[number];
  const TensorUse &producer = problem.uses[number].producer;
  region.roots.push_back(group.root);
  hasTransposes |= problem.countBefore(number, region);
  const unsigned made = labelOf(producer.party);
  const unsigned from = problem.orderOf(producer, made);
  if (group.origin) {
    const Label &label = party(producer).labels->labels[made];
    const Group &source =
        problem.graph.groups[*problem.graph.groupOf(group.origin->root)];
    addCopy(group, source.orders[label.choices.front()],
            group.relativeToOrigin(group.orders[from]), label.time, region);
  } else {
    existing[group.root].push_back(group.orders[from]);
  }
  // Readers with equal orders share a copy; copies may be made of copies.
  OrderSet needed = 0;
  for (const TensorUse &reader : problem.uses[number].readers)
    needed |= bit(reader, labelOf(reader.party));
  for (const Copy &copy : copiesOf(index).tree(from, needed))
    addCopy(group, group.relativeToOrigin(group.orders[copy.from]),
            group.relativeToOrigin(group.orders[copy.to]),
            times[index][copy.from * group.orders.size() + copy.to], region);
}

/// Groups that were split off may share copies, which no cost tells.
void LayoutProblem::RegionSolver::addCopy(const Group &group, Order from,
                                          Order to, Picoseconds time,
                                          Region &region) {
  const Value root = group.origin ? group.origin->root : group.root;
  SmallVector<Order, 2> &known = existing[root];
  if (llvm::is_contained(known, to))
    return;
  assert(llvm::is_contained(known, from) && "copies are made of what exists");
  known.push_back(to);
  hasTransposes = true;
  Transposition transpose;
  transpose.root = root;
  transpose.from = std::move(from);
  transpose.to = std::move(to);
  transpose.isFree =
      group.constantTime().has_value() || group.type().getNumElements() == 0;
  transpose.time = time;
  transpose.bytes = 2 * byteCount(root);
  if (transpose.isFree) {
    constantTime += time;
  } else {
    region.after += time;
    region.bytesAfter += transpose.bytes;
  }
  region.transposes.push_back(std::move(transpose));
}

void LayoutProblem::RegionSolver::record() {
  Region region;
  region.isComplete = parts.isComplete;
  Picoseconds surplus = 0; // that the objective counts beside times
  for (unsigned number : parts.parties) {
    const Party &party = problem.parties[number];
    if (party.split)
      continue; // recorded with its group
    const LabelSet &set = *party.labels;
    const unsigned chosen = labelOf(number);
    const Label &label = set.labels[chosen];
    region.before += set.timeAsWritten;
    region.after += label.time;
    surplus += set.counted(label, objective) - label.time;
    // Entries of an op follow each other.
    if (party.op && (region.ops.empty() || region.ops.back() != party.op))
      region.ops.push_back(party.op);
    if (set.written != chosen)
      place(party, label);
  }
  for (unsigned i = 0; i < parts.groups.size(); ++i)
    recordGroup(i, region);
  // The gap between cost and bound, without what has no choice and with
  // preferences, which sum to less than a picosecond.
  const int64_t gap = solution.cost - solution.lowerBound;
  region.lowerBound = region.after - llvm::divideCeil(gap, scale);
  placement.after += region.after + constantTime + surplus;
  placement.lowerBound += region.lowerBound + constantTime + surplus;
  if (region.before != region.after || hasTransposes)
    placement.regions.push_back(std::move(region));
}

Placement LayoutProblem::solve(Objective objective) {
  Placement placement;
  placement.objective = objective;
  for (const RegionParts &parts : findRegions())
    RegionSolver(*this, parts, placement).run();
  return placement;
}

Placement layout::choosePlacement(func::FuncOp function, const DeviceTime &time,
                                  Objective objective) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return Placement(); // a program of the host has no tensors to place
  return LayoutProblem(function, time).solve(objective);
}
