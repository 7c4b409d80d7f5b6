// Who writes and reads the tensors of a function, and in which orders.
#include "LayoutProblem.h"
#include "Gaudi/Dialect/Signature.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::layout;

LayoutProblem::LayoutProblem(func::FuncOp function, const DeviceTime &time)
    : graph(function), uses(graph.groups.size()), costs(time),
      hasParty(function.getNumResults(), false) {
  addArguments(function);
  addOps();
  addResults(function);
}

/// Notes who has the tensors: the last `producers` of them are written.
void LayoutProblem::addUses(unsigned party, ArrayRef<Value> tensors,
                            unsigned producers) {
  for (auto [tensor, value] : llvm::enumerate(tensors)) {
    std::optional<unsigned> number = graph.groupOf(value);
    if (!number)
      continue;
    const Group &group = graph.groups[*number];
    TensorUse use{party, unsigned(tensor), 0};
    if (group.isPinned)
      use.pinned = llvm::find(group.orders, normalOrder(group.type().getShape(),
                                                        graph.orderOf(value))) -
                   group.orders.begin();
    if (tensor + producers >= tensors.size())
      uses[*number].producer = use;
    else
      uses[*number].readers.push_back(use);
  }
}

void LayoutProblem::addOps() {
  SmallVector<Value> tensors;
  SmallVector<TensorOrders> orders;
  for (Operation &op : graph.block().without_terminator()) {
    tensors.clear();
    llvm::append_range(tensors, op.getOperands());
    llvm::append_range(tensors, op.getResults());
    if (joiningOrder(&op) || llvm::none_of(tensors, [&](Value value) {
          return graph.groupOf(value).has_value();
        }))
      continue;
    orders.clear();
    for (Value value : tensors)
      orders.push_back(
          {graph.ordersOf(value), constantTimeOf(graph.rootOf(value))});
    Party party;
    party.op = &op;
    party.labels = &costs.labelsOf(&op, orders);
    addUses(parties.size(), tensors, op.getNumResults());
    parties.push_back(party);
  }
}

/// An argument, a returned value, or both if the one replaces the other, which
/// then have one order. It is that of the program unless they are free.
void LayoutProblem::addBoundary(Party party, ArrayRef<Value> tensors,
                                bool isFree) {
  if (llvm::none_of(tensors, [&](Value value) {
        return graph.groupOf(value).has_value();
      }))
    return;
  LabelSet &set = boundaryLabels.emplace_back();
  SmallVector<SmallVector<Order, 2>, 2> orders;
  for (Value value : tensors)
    orders.push_back(graph.ordersOf(value));
  for (const Order &order : orders.front()) {
    const bool isWritten = isIdentityOrder(order);
    if (!isFree && !isWritten)
      continue;
    Label label;
    for (const SmallVector<Order, 2> &candidates : orders) {
      const auto *found = llvm::find(candidates, order);
      if (found == candidates.end())
        break;
      label.choices.push_back(uint8_t(found - candidates.begin()));
      label.placement.orders.push_back(order);
    }
    if (label.choices.size() != tensors.size()) {
      set.isComplete = false;
      continue;
    }
    if (isWritten)
      set.written = set.labels.size();
    set.labels.push_back(std::move(label));
  }
  party.labels = &set;
  // A value that is only returned is not written by this party.
  addUses(parties.size(), tensors, party.argument ? 1 : 0);
  parties.push_back(party);
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
      continue;
    Party party;
    party.result = number;
    addBoundary(party, returned.get(), mayPermuteResult(function, number));
  }
}

unsigned LayoutProblem::orderOf(unsigned group, const TensorUse &use,
                                unsigned label) const {
  if (graph.groups[group].isPinned)
    return use.pinned;
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
  for (Value member : graph.groups[number].members) {
    auto transpose = member.getDefiningOp<TransposeOp>();
    if (!transpose)
      continue;
    const Value source = transpose.getOperand();
    if (isFreeOrder(tensorType(source).getShape(), transpose.getPermutation()))
      continue;
    hasTransposes = true;
    // No launch rearranges a constant, in no placement.
    if (graph.groups[number].constantTime())
      continue;
    ++region.transposesBefore;
    region.bytesBefore += 2 * byteCount(source);
    region.before +=
        costs.ofTranspose(tensorType(source), transpose.getPermutation());
  }
  return hasTransposes;
}

void LayoutProblem::print(raw_ostream &os) {
  for (auto [number, group] : llvm::enumerate(graph.groups)) {
    const size_t count = group.orders.size();
    os << "group " << number << " orders " << count
       << (group.constantTime() ? " constant" : "")
       << (group.isPinned ? " pinned" : "") << '\n';
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
      os << (party.argument ? "argument" : "result");
    os << '\n';
    for (auto [label, what] : llvm::enumerate(party.labels->labels))
      os << "label " << number << ' ' << label << ' ' << what.time
         << (party.labels->written == label ? " written" : "") << '\n';
  }
  for (unsigned group = 0; group < uses.size(); ++group) {
    const GroupUses &use = uses[group];
    auto line = [&](const TensorUse &tensor, StringRef verb) {
      for (unsigned label = 0;
           label < parties[tensor.party].labels->labels.size(); ++label)
        os << verb << ' ' << tensor.party << ' ' << label << ' ' << group << ' '
           << orderOf(group, tensor, label) << '\n';
    };
    line(use.producer, "writes");
    for (const TensorUse &reader : use.readers)
      line(reader, "reads");
  }
}
