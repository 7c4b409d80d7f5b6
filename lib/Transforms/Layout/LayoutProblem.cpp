// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who writes and reads the tensors of a function, and in which orders.
#include "LayoutProblem.h"
#include "Gaudi/Dialect/Signature.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

LayoutProblem::LayoutProblem(func::FuncOp function, const DeviceTime &time)
    : costs(time), graph(function, costs), uses(graph.groups.size()),
      hasParty(function.getNumResults(), false) {
  addArguments(function);
  addOps();
  addResults(function);
  addSplits();
}

/// Notes who has the tensors: the last `producers` of them are written.
void LayoutProblem::addUses(unsigned party, ArrayRef<Value> tensors,
                            unsigned producers) {
  for (auto [tensor, value] : llvm::enumerate(tensors)) {
    std::optional<unsigned> number = graph.groupOf(value);
    if (!number)
      continue;
    const TensorUse use{party, unsigned(tensor)};
    if (tensor + producers >= tensors.size())
      uses[*number].producer = use;
    else
      uses[*number].readers.push_back(use);
  }
}

std::optional<Picoseconds> LayoutProblem::constantTime(Value value) const {
  const std::optional<unsigned> group = graph.groupOf(value);
  return group ? graph.groups[*group].constantTime() : constantTimeOf(value);
}

bool LayoutProblem::isInGroup(ArrayRef<Value> tensors) const {
  return llvm::any_of(
      tensors, [&](Value value) { return graph.groupOf(value).has_value(); });
}

void LayoutProblem::addOps() {
  SmallVector<Value> tensors;
  SmallVector<TensorOrders> orders;
  for (Operation &op : graph.block().without_terminator()) {
    if (entryCount(&op) != 0) {
      addEntries(&op);
      continue;
    }
    tensors.clear();
    llvm::append_range(tensors, op.getOperands());
    llvm::append_range(tensors, op.getResults());
    // What only joins values of one group is part of the group.
    if (joiningOrder(&op) || !isInGroup(tensors))
      continue;
    orders.clear();
    for (Value value : tensors)
      orders.push_back({graph.ordersOf(value), constantTime(value)});
    Party party;
    party.op = &op;
    party.labels = &costs.labelsOf(&op, orders);
    addUses(parties.size(), tensors, op.getNumResults());
    parties.push_back(party);
  }
}

/// Each entry of an op on lists is a party of its own, so that their labels add
/// up and do not multiply. The op's kernels walk the bytes of each tensor, so
/// that it takes as long in every order: no label costs anything.
void LayoutProblem::addEntries(Operation *op) {
  for (unsigned entry = 0, count = entryCount(op); entry < count; ++entry) {
    Party party;
    party.op = op;
    party.tensors = tensorsOfEntry(op, entry);
    SmallVector<Value> tensors;
    for (unsigned tensor : party.tensors)
      tensors.push_back(tensorOf(op, tensor));
    if (!isInGroup(tensors))
      continue;
    party.labels = &sharedLabels(tensors, graph.takesOrders(op));
    addUses(parties.size(), tensors,
            llvm::count_if(party.tensors, [&](unsigned tensor) {
              return tensor >= op->getNumOperands();
            }));
    parties.push_back(std::move(party));
  }
}

/// Labels of tensors that have one order together. It is that of the program
/// unless they are free. Tensors of another shape are scalars.
LabelSet &LayoutProblem::sharedLabels(ArrayRef<Value> tensors, bool isFree) {
  LabelSet &set = ownLabels.emplace_back();
  const ArrayRef<int64_t> shape = tensorType(tensors.front()).getShape();
  SmallVector<SmallVector<Order, 2>, 2> candidates;
  for (Value value : tensors)
    candidates.push_back(graph.ordersOf(value));
  for (const Order &order : candidates.front()) {
    const bool isWritten = isIdentityOrder(order);
    if (!isFree && !isWritten)
      continue;
    Label label;
    for (auto [value, mine] : llvm::zip_equal(tensors, candidates)) {
      const RankedTensorType type = tensorType(value);
      Order own =
          type.getShape() == shape ? order : identityOrder(type.getRank());
      const auto *found = llvm::find(mine, own);
      if (found == mine.end())
        break;
      label.choices.push_back(uint8_t(found - mine.begin()));
      label.placement.orders.push_back(std::move(own));
    }
    // Some tensor does not have this order among its candidates.
    if (label.choices.size() != tensors.size())
      continue;
    if (isWritten)
      set.written = set.labels.size();
    set.labels.push_back(std::move(label));
  }
  // Some candidates are those of one tensor alone.
  for (const SmallVector<Order, 2> &mine : candidates)
    set.isComplete &= !isFree || mine.size() <= set.labels.size();
  return set;
}

/// An argument, a returned value, or both if the one replaces the other, which
/// then have one order.
void LayoutProblem::addBoundary(Party party, ArrayRef<Value> tensors,
                                bool isFree) {
  if (!isInGroup(tensors))
    return;
  party.labels = &sharedLabels(tensors, isFree);
  // A value that is only returned is not written by this party.
  addUses(parties.size(), tensors, party.argument ? 1 : 0);
  parties.push_back(std::move(party));
}

void LayoutProblem::addArguments(func::FuncOp function) {
  Operation *terminator = function.front().getTerminator();
  for (BlockArgument argument : function.getArguments()) {
    Party party;
    party.argument = argument.getArgNumber();
    const bool isFree = mayPermuteArgument(function, *party.argument);
    SmallVector<Value, 2> tensors = {argument};
    if (isFree)
      party.result = stateResult(function, *party.argument);
    if (party.result) {
      tensors.insert(tensors.begin(), terminator->getOperand(*party.result));
      hasParty[*party.result] = true;
    }
    addBoundary(party, tensors, isFree);
  }
}

void LayoutProblem::addResults(func::FuncOp function) {
  Operation *terminator = function.front().getTerminator();
  for (OpOperand &returned : terminator->getOpOperands()) {
    const unsigned number = returned.getOperandNumber();
    if (hasParty[number])
      continue; // a state that callers let permute
    Party party;
    party.result = number;
    const bool isFree =
        bool(function.getResultAttr(number, allowPermutationAttrName));
    addBoundary(party, returned.get(), isFree);
  }
}

/// The transposes that make groups that were split off.
void LayoutProblem::addSplits() {
  for (auto [number, group] : llvm::enumerate(graph.groups)) {
    if (!group.origin)
      continue;
    const std::optional<unsigned> source = graph.groupOf(group.origin->root);
    assert(source && *source < number && "what was split has a group");
    LabelSet &set = ownLabels.emplace_back();
    const Group &from = graph.groups[*source];
    for (auto [i, order] : llvm::enumerate(from.orders))
      for (auto [j, made] : llvm::enumerate(group.orders)) {
        Label label;
        label.choices = {uint8_t(i), uint8_t(j)};
        label.time = costs.ofCopy(from.type(), group.constantTime(), order,
                                  group.relativeToOrigin(made));
        set.labels.push_back(std::move(label));
      }
    Party party;
    party.split = number;
    party.labels = &set;
    // A party like others: it reads the source's order and writes one of the
    // split group.
    uses[*source].readers.push_back({unsigned(parties.size()), 0});
    uses[number].producer = {unsigned(parties.size()), 1};
    parties.push_back(std::move(party));
  }
}

unsigned LayoutProblem::orderOf(const TensorUse &use, unsigned label) const {
  return parties[use.party].labels->labels[label].choices[use.tensor];
}

SmallVector<Picoseconds, 4> LayoutProblem::copyTimes(unsigned number) {
  const Group &group = graph.groups[number];
  SmallVector<Picoseconds, 4> times;
  for (const Order &from : group.orders)
    for (const Order &to : group.orders)
      times.push_back(
          costs.ofCopy(group.type(), group.constantTime(), from, to));
  return times;
}

std::vector<LayoutProblem::RegionParts> LayoutProblem::findRegions() const {
  // Groups depend on each other through what may be placed in several ways. A
  // shared splat would make one region of all its readers for no reason.
  llvm::IntEqClasses classes(graph.groups.size());
  std::vector<int> groupOfParty(parties.size(), -1);
  auto isSplat = [&](size_t group) {
    return graph.groups[group].constantTime() == Picoseconds(0);
  };
  auto join = [&](unsigned group, const TensorUse &use) {
    if (!parties[use.party].hasChoice())
      return;
    int &first = groupOfParty[use.party];
    if (first < 0)
      first = int(group);
    else
      classes.join(unsigned(first), group);
  };
  for (auto [group, use] : llvm::enumerate(uses)) {
    if (isSplat(group))
      continue;
    join(group, use.producer);
    for (const TensorUse &reader : use.readers)
      join(group, reader);
  }
  classes.compress();
  std::vector<RegionParts> regions(classes.getNumClasses());
  std::vector<int> regionOfParty(parties.size(), -1);
  for (unsigned party = 0; party < parties.size(); ++party) {
    if (!parties[party].hasChoice())
      continue;
    int &region = regionOfParty[party];
    if (groupOfParty[party] >= 0) {
      region = int(classes[unsigned(groupOfParty[party])]);
    } else { // it has splats alone
      region = int(regions.size());
      regions.emplace_back();
    }
    regions[region].parties.push_back(party);
    regions[region].isComplete &= parties[party].labels->isComplete;
  }
  for (auto [group, use] : llvm::enumerate(uses)) {
    SmallVector<TensorUse, 2> all = use.readers;
    all.push_back(use.producer);
    if (!isSplat(group)) {
      RegionParts &region = regions[classes[group]];
      region.groups.push_back(group);
      region.isComplete &= graph.groups[group].isComplete;
      // Also of parties whose only label depends on what was left out.
      for (const TensorUse &other : all)
        region.isComplete &= parties[other.party].labels->isComplete;
      continue;
    }
    for (const TensorUse &other : all)
      if (const int region = regionOfParty[other.party]; region >= 0)
        regions[region].isComplete &= graph.groups[group].isComplete;
  }
  return regions;
}

bool LayoutProblem::countBefore(unsigned number, Region &region) {
  bool hasTransposes = false;
  const Group &group = graph.groups[number];
  SmallVector<Value> made(ArrayRef<Value>(group.members));
  if (group.origin)
    made.push_back(group.root);
  for (Value member : made) {
    auto transpose = member.getDefiningOp<TransposeOp>();
    if (!transpose)
      continue;
    const Value source = transpose.getOperand();
    if (isFreeOrder(tensorType(source).getShape(), transpose.getPermutation()))
      continue;
    hasTransposes = true;
    // No launch rearranges a constant, in no placement.
    if (group.constantTime())
      continue;
    ++region.transposesBefore;
    region.bytesBefore += 2 * byteCount(source);
    region.before +=
        costs.ofTranspose(tensorType(source), transpose.getPermutation());
  }
  return hasTransposes;
}

void LayoutProblem::print(raw_ostream &os, Objective objective) {
  for (auto [number, group] : llvm::enumerate(graph.groups)) {
    const size_t count = group.orders.size();
    os << "group " << number << " orders " << count
       << (group.constantTime() ? " constant" : "") << '\n';
    const SmallVector<Picoseconds, 4> times = copyTimes(number);
    for (size_t from = 0; from < count; ++from)
      for (size_t to = 0; to < count; ++to)
        if (from != to)
          os << "copy " << number << ' ' << from << ' ' << to << ' '
             << times[from * count + to] << '\n';
  }
  for (auto [number, party] : llvm::enumerate(parties)) {
    os << "party " << number << " labels " << party.labels->labels.size()
       << ' ';
    if (party.op)
      os << party.op->getName();
    else
      os << (party.argument ? "argument" : party.result ? "result" : "split");
    os << '\n';
    for (auto [label, what] : llvm::enumerate(party.labels->labels))
      os << "label " << number << ' ' << label << ' '
         << party.labels->counted(what, objective)
         << (party.labels->written == label ? " written" : "") << '\n';
  }
  for (unsigned group = 0; group < uses.size(); ++group) {
    const GroupUses &use = uses[group];
    auto line = [&](const TensorUse &tensor, StringRef verb) {
      for (unsigned label = 0;
           label < parties[tensor.party].labels->labels.size(); ++label)
        os << verb << ' ' << tensor.party << ' ' << label << ' ' << group << ' '
           << orderOf(tensor, label) << '\n';
    };
    line(use.producer, "writes");
    for (const TensorUse &reader : use.readers)
      line(reader, "reads");
  }
}
