// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a kernel: equal computations are one node.
#include "KernelDag.h"
#include "Gaudi/Reference/Scalars.h"
#include "Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

SmallVector<Affine, 6> gaudi::fusion::identityForms(unsigned rank) {
  SmallVector<Affine, 6> forms;
  for (unsigned d = 0; d < rank; ++d)
    forms.push_back(Affine::dim(d));
  return forms;
}

SmallVector<Value> KernelDag::tensors() const {
  SmallVector<Value> result;
  for (const Access &access : accesses)
    if (!llvm::is_contained(result, access.tensor))
      result.push_back(access.tensor);
  return result;
}

unsigned KernelDag::addDim(int64_t extent, bool isParallel) {
  extents.push_back(extent);
  parallel.push_back(isParallel);
  return extents.size() - 1;
}

uint64_t KernelDag::sequentialDims() const {
  uint64_t mask = 0;
  for (auto [d, isParallel] : llvm::enumerate(parallel))
    if (!isParallel)
      mask |= uint64_t(1) << d;
  return mask;
}

SmallVector<unsigned, 2> KernelDag::sequentialOf(uint64_t mask) const {
  SmallVector<unsigned, 2> result;
  for (auto [d, isParallel] : llvm::enumerate(parallel))
    if (!isParallel && mask >> d & 1)
      result.push_back(d);
  return result;
}

// Depth, dimensions and provenance follow from the operands or do not affect
// the value, so they are no part of what makes two nodes equal. O(nodes) for
// each call, on four bytes per node.
NodeId KernelDag::intern(Node node) {
  llvm::hash_code hash = llvm::hash_combine(
      unsigned(node.kind), node.number, node.loop,
      node.type.getAsOpaquePointer(), node.attr.getAsOpaquePointer(),
      node.name ? node.name->getAsOpaquePointer() : nullptr,
      llvm::hash_combine_range(node.operands));
  uint32_t key = uint32_t(size_t(hash));
  for (NodeId id = 0; id < hashes.size(); ++id) {
    if (hashes[id] != key)
      continue;
    const Node &other = nodes[id];
    if (other.kind == node.kind && other.number == node.number &&
        other.loop == node.loop && other.type == node.type &&
        other.attr == node.attr && other.name == node.name &&
        other.operands == node.operands)
      return id;
  }
  assert(nodes.size() == hashes.size() && "nodes are added here only");
  // Operands come before: depth and dimensions are known.
  for (NodeId operand : node.operands) {
    assert(operand < nodes.size() && "operands come before their user");
    node.depth = std::max(node.depth, nodes[operand].depth);
    node.dims |= nodes[operand].dims;
  }
  node.part = currentPart;
  hashes.push_back(key);
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

NodeId KernelDag::constant(TypedAttr value) {
  Node node;
  node.kind = Node::Constant;
  node.type = value.getType();
  node.attr = value;
  return intern(std::move(node));
}

NodeId KernelDag::index(unsigned dim) {
  Node node;
  node.kind = Node::Index;
  node.number = dim;
  node.dims = uint64_t(1) << dim;
  return intern(std::move(node));
}

// The coefficients are exact, so the sum wraps only where an index would: the
// value is the form's wherever that fits 64 bits.
NodeId KernelDag::linear(const Affine &form, MLIRContext *context) {
  Builder builder(context);
  Type i64 = builder.getI64Type();
  std::optional<NodeId> sum;
  auto add = [&](NodeId term) {
    sum = sum ? scalar<arith::AddIOp>({*sum, term}, i64) : term;
  };
  for (unsigned d = 0; d < form.size(); ++d) {
    if (form[d] == 0)
      continue;
    NodeId term = index(d);
    if (form[d] != 1)
      term = scalar<arith::MulIOp>(
          {term, constant(builder.getI64IntegerAttr(form[d]))}, i64);
    add(term);
  }
  if (form.getOffset() != 0 || !sum)
    add(constant(builder.getI64IntegerAttr(form.getOffset())));
  return *sum;
}

NodeId KernelDag::load(Access access, ArrayRef<NodeId> dynamic, Type type) {
  Node node;
  node.kind = Node::Load;
  node.type = type;
  node.operands.assign(dynamic.begin(), dynamic.end());
  node.dims = dimsOf(access.position);
  auto known = llvm::find(accesses, access);
  node.number = known - accesses.begin();
  if (known == accesses.end())
    accesses.push_back(std::move(access));
  return intern(std::move(node));
}

NodeId KernelDag::scalar(OperationName name, Attribute attrs,
                         ArrayRef<NodeId> operands, Type type,
                         unsigned number) {
  Node node;
  node.kind = Node::Scalar;
  node.name = name;
  node.attr = attrs;
  node.type = type;
  node.number = number;
  node.operands.assign(operands.begin(), operands.end());
  return intern(std::move(node));
}

/// True if the value is a float of the narrow type `element` already: rounding
/// it again would change nothing.
static bool isRoundedTo(const KernelDag &dag, const Node &node, Type element) {
  if (node.kind == Node::Load)
    return getElementTypeOrSelf(dag.accesses[node.number].tensor) == element;
  if (node.kind == Node::Scalar && isOneOf<KernelRoundToOp>(*node.name))
    return cast<TypeAttr>(cast<DictionaryAttr>(node.attr).get("format"))
               .getValue() == element;
  return node.kind == Node::Scalar && isOneOf<arith::ExtFOp>(*node.name) &&
         dag.nodes[node.operands[0]].type == element;
}

NodeId KernelDag::rounded(NodeId value, Type element) {
  Type type = nodes[value].type;
  if (!isFloatElement(element) || element == type ||
      isRoundedTo(*this, nodes[value], element))
    return value;
  NodeId narrow = scalar<arith::TruncFOp>({value}, element);
  return scalar<arith::ExtFOp>({narrow}, type);
}

// A result varies with the parallel dimensions alone, which every value may
// use: no bit of `dims` is needed.
NodeId KernelDag::result(unsigned loop, unsigned number, Type type) {
  assert(loop < loops.size() && "the result of a loop that does not exist");
  Node node;
  node.kind = Node::Result;
  node.loop = loop;
  node.number = number;
  node.type = type;
  node.depth = loop + 1;
  return intern(std::move(node));
}

NodeId KernelDag::carry(unsigned loop, unsigned number, Type type,
                        uint64_t dims) {
  Node node;
  node.kind = Node::Carry;
  node.loop = loop;
  node.number = number;
  node.type = type;
  node.depth = loop;
  node.dims = dims;
  return intern(std::move(node));
}

unsigned KernelDag::resultNumber(unsigned loop, unsigned reduction) const {
  unsigned number = 0;
  for (const Reduction &r :
       ArrayRef(loops[loop].reductions).take_front(reduction))
    number += resultCount(r.kind);
  return number;
}

std::pair<const Reduction &, unsigned>
KernelDag::reductionOf(const Node &result) const {
  assert(result.kind == Node::Result && "a result of a loop");
  unsigned number = result.number;
  for (const Reduction &r : loops[result.loop].reductions) {
    const unsigned width = resultCount(r.kind);
    if (number < width)
      return {r, number};
    number -= width;
  }
  llvm_unreachable("a result belongs to a reduction");
}

double gaudi::fusion::numberOf(TypedAttr constant) {
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValueAsDouble();
  const APInt value = cast<IntegerAttr>(constant).getValue();
  return value.getBitWidth() == 1 ? double(value.getZExtValue())
                                  : double(value.getSExtValue());
}

std::optional<double> KernelDag::evaluate(const Node &scalar,
                                          ArrayRef<double> operands) const {
  if (operands.empty())
    return std::nullopt;
  return reference::evaluateScalar(*scalar.name, scalar.attr, operands,
                                   nodes[scalar.operands[0]].type, scalar.type);
}

SmallVector<NodeId, 4> KernelDag::partsOf(NodeId id) const {
  const Node &node = nodes[id];
  SmallVector<NodeId, 4> from(node.operands.begin(), node.operands.end());
  if (node.kind != Node::Result)
    return from;
  const Reduction &r = reductionOf(node).first;
  from.append({r.init, r.value});
  if (r.position)
    from.push_back(*r.position);
  return from;
}

SmallVector<NodeId> KernelDag::closureOf(ArrayRef<NodeId> values) const {
  llvm::SetVector<NodeId, SmallVector<NodeId>, DenseSet<NodeId>> all;
  all.insert(values.begin(), values.end());
  for (unsigned i = 0; i < all.size(); ++i) {
    const SmallVector<NodeId, 4> parts = partsOf(all[i]);
    all.insert(parts.begin(), parts.end());
  }
  return all.takeVector();
}

std::optional<ComparePredicate> gaudi::fusion::orderOf(const Node &node) {
  if (node.kind != Node::Scalar)
    return std::nullopt;
  auto predicate = [&] {
    return cast<DictionaryAttr>(node.attr).get("predicate");
  };
  if (isOneOf<arith::CmpFOp>(*node.name))
    switch (cast<arith::CmpFPredicateAttr>(predicate()).getValue()) {
    case arith::CmpFPredicate::OEQ:
    case arith::CmpFPredicate::UEQ:
      return ComparePredicate::EQ;
    case arith::CmpFPredicate::ONE:
    case arith::CmpFPredicate::UNE:
      return ComparePredicate::NE;
    case arith::CmpFPredicate::OLT:
    case arith::CmpFPredicate::ULT:
      return ComparePredicate::LT;
    case arith::CmpFPredicate::OLE:
    case arith::CmpFPredicate::ULE:
      return ComparePredicate::LE;
    case arith::CmpFPredicate::OGT:
    case arith::CmpFPredicate::UGT:
      return ComparePredicate::GT;
    case arith::CmpFPredicate::OGE:
    case arith::CmpFPredicate::UGE:
      return ComparePredicate::GE;
    default:
      return std::nullopt;
    }
  if (isOneOf<arith::CmpIOp>(*node.name))
    switch (cast<arith::CmpIPredicateAttr>(predicate()).getValue()) {
    case arith::CmpIPredicate::eq:
      return ComparePredicate::EQ;
    case arith::CmpIPredicate::ne:
      return ComparePredicate::NE;
    case arith::CmpIPredicate::slt:
      return ComparePredicate::LT;
    case arith::CmpIPredicate::sle:
      return ComparePredicate::LE;
    case arith::CmpIPredicate::sgt:
      return ComparePredicate::GT;
    case arith::CmpIPredicate::sge:
      return ComparePredicate::GE;
    default:
      return std::nullopt;
    }
  return std::nullopt;
}

// Reductions over the same dimensions share a loop, so that their common loads
// are made once. A loop that precedes a value which the reduction needs (number
// below the depth) cannot take it. New loops come last, and no loop changes its
// number: the order stays topological.
std::pair<unsigned, unsigned> KernelDag::reduce(ArrayRef<unsigned> dims,
                                                const Reduction &reduction) {
  unsigned depth =
      std::max(nodes[reduction.init].depth, nodes[reduction.value].depth);
  if (reduction.position)
    depth = std::max<unsigned>(depth, nodes[*reduction.position].depth);
  assert(reduction.kind != KernelReduce::Custom &&
         "custom reductions keep their loop");
  assert(hasPosition(reduction.kind) == reduction.position.has_value() &&
         "argmax and argmin have a position, others do not");
  assert(depth <= loops.size() && "a value needs a loop that does not exist");
  // The first loop over these dimensions that all values exist before.
  std::optional<unsigned> home;
  for (auto [l, loop] : llvm::enumerate(loops)) {
    if (ArrayRef<unsigned>(loop.dims) != dims)
      continue;
    for (auto [r, other] : llvm::enumerate(loop.reductions))
      if (other == reduction)
        return {l, resultNumber(l, r)};
    if (l >= depth && !home)
      home = l;
  }
  if (!home) {
    home = loops.size();
    loops.emplace_back();
    loops.back().dims.assign(dims.begin(), dims.end());
  }
  unsigned number = resultNumber(*home, loops[*home].reductions.size());
  loops[*home].reductions.push_back(reduction);
  return {*home, number};
}

SmallVector<int64_t> KernelDag::extentsOf(const Store &store) const {
  const uint64_t stored = dimsOf(store.position);
  SmallVector<int64_t> sizes(extents);
  for (unsigned d = 0; d < sizes.size(); ++d)
    if (!parallel[d] && !(stored >> d & 1))
      sizes[d] = 1;
  return sizes;
}

uint64_t KernelDag::usedDims() const {
  uint64_t used = 0;
  for (const Loop &loop : loops) {
    used |= maskOf(loop.dims);
    for (const Reduction &r : loop.reductions)
      used |= nodes[r.value].dims;
  }
  for (const Store &store : stores)
    used |= dimsOf(store.position);
  return used;
}

double KernelDag::pointsOf(uint64_t mask) const {
  double points = 1;
  for (unsigned d = 0; d < extents.size(); ++d)
    if (mask >> d & 1)
      points *= double(extents[d]);
  return points;
}

unsigned KernelDag::countParallel() const {
  return llvm::popcount(usedDims() & ~sequentialDims());
}

// Loops do not nest and a value is computed in the loop that needs it, so a
// value may vary with the sequential dimensions of that loop only.
bool KernelDag::isWellFormed() const {
  uint64_t sequential = sequentialDims();
  for (const Loop &loop : loops) {
    const uint64_t outside = sequential & ~maskOf(loop.dims);
    // An init exists before the loop, a value in one iteration of it.
    for (const Reduction &r : loop.reductions)
      if (nodes[r.init].dims & sequential || nodes[r.value].dims & outside ||
          (r.position && nodes[*r.position].dims & outside))
        return false;
  }
  // A store is in a loop over the sequential dimensions of its position.
  for (const Store &store : stores) {
    const uint64_t walked = dimsOf(store.position);
    if (nodes[store.value].dims & sequential & ~walked)
      return false;
  }
  return true;
}

// Every index of the dimension becomes outer * inner extent + inner, which
// takes the same values in the same order; values are interned anew, since
// indices that were one are sums now.
KernelDag KernelDag::stripMined(StripMine at, MLIRContext *context) const {
  KernelDag result;
  result.extents = extents;
  result.parallel = parallel;
  result.parts = parts;
  unsigned inner = result.addDim(at.inner, parallel[at.dim]);
  result.extents[at.dim] /= at.inner;
  SmallVector<Affine, 6> forms = identityForms(extents.size());
  forms[at.dim] = gaudi::kernel::stripMined(at, inner);
  Importer importer(result, *this, forms, context);
  for (const Store &store : stores)
    result.stores.push_back({store.result, importer.substitute(store.position),
                             importer.import(store.value)});
  return result;
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

void gaudi::fusion::readThroughViews(Access &access,
                                     ArrayRef<int64_t> extents) {
  assert(access.isInside() && "a view has other bounds than its source");
  while (Value source = viewSource(access.tensor)) {
    SmallVector<Affine, 4> position;
    if (!positionInSource(access.tensor, access.position, extents, position).ok)
      return;
    access.tensor = source;
    access.position = std::move(position);
  }
}

SmallVector<Affine, 4> Importer::substitute(ArrayRef<Affine> position) const {
  SmallVector<Affine, 4> result;
  for (const Affine &form : position)
    result.push_back(form.substitute(dims));
  return result;
}

/// The dimensions a loop walks in the target; one that was strip-mined becomes
/// two, the outer one first.
SmallVector<unsigned, 2> Importer::walkedDims(const Loop &loop) const {
  SmallVector<unsigned, 2> walked;
  for (unsigned d : loop.dims) {
    // By falling coefficient: the order of the walk is that of the old index.
    size_t first = walked.size();
    const Affine &form = dims[d];
    for (unsigned t = 0; t < form.size(); ++t)
      if (form[t] != 0)
        walked.push_back(t);
    std::sort(walked.begin() + first, walked.end(),
              [&](unsigned a, unsigned b) { return form[a] > form[b]; });
  }
  return walked;
}

/// Each node is cloned once. The recursion is as deep as the graph, which the
/// limit on nodes bounds.
NodeId Importer::import(NodeId node) {
  if (!copies[node]) {
    NodeId made = clone(node);
    copies[node] = made;
  }
  return *copies[node];
}

NodeId Importer::clone(NodeId id) {
  const Node &node = from.nodes[id];
  SmallVector<NodeId, 3> operands;
  switch (node.kind) {
  case Node::Constant:
    to.currentPart = firstPart + node.part;
    return to.constant(cast<TypedAttr>(node.attr));
  case Node::Index:
    to.currentPart = firstPart + node.part;
    return to.linear(dims[node.number], context);
  case Node::Load: {
    // In a merge, the hook puts a producer's value in the place of its load.
    if (hook)
      if (std::optional<NodeId> replaced = hook(node))
        return *replaced;
    for (NodeId operand : node.operands)
      operands.push_back(import(operand));
    Access access = from.accesses[node.number];
    access.position = substitute(access.position);
    // A load inside its tensor may read the tensor under a view instead.
    if (access.isInside())
      readThroughViews(access, to.extents);
    to.currentPart = firstPart + node.part;
    return to.load(std::move(access), operands, node.type);
  }
  case Node::Scalar:
    for (NodeId operand : node.operands)
      operands.push_back(import(operand));
    to.currentPart = firstPart + node.part;
    return to.scalar(*node.name, node.attr, operands, node.type, node.number);
  case Node::Carry: {
    assert(customLoops.contains(node.loop) &&
           "an accumulator is cloned with its loop only");
    // The accumulator varies with the loop's dimensions in the target.
    uint64_t walked = 0;
    for (unsigned d : from.loops[node.loop].dims)
      walked |= dims[d].dims();
    return to.carry(customLoops.lookup(node.loop), node.number, node.type,
                    walked);
  }
  case Node::Result:
    return loops ? loops->import(id) : importResult(node);
  }
  llvm_unreachable("every kind is listed");
}

NodeId Importer::importResult(const Node &node) {
  const Loop &loop = from.loops[node.loop];
  // The target may have the reduction already, from another kernel: reduce()
  // finds equal ones. A custom one depends on its siblings' accumulators.
  bool isCustom = llvm::any_of(loop.reductions, [](const Reduction &r) {
    return r.kind == KernelReduce::Custom;
  });
  if (isCustom) {
    importCustomLoop(node.loop);
    return to.result(customLoops.lookup(node.loop), node.number, node.type);
  }
  auto [reduction, which] = from.reductionOf(node);
  Reduction copied = reduction;
  copied.init = import(reduction.init);
  copied.value = import(reduction.value);
  if (reduction.position)
    copied.position = import(*reduction.position);
  to.currentPart = firstPart + node.part;
  auto [home, number] = to.reduce(walkedDims(loop), copied);
  return to.result(home, number + which, node.type);
}

/// Reductions that read their accumulators stay together in a loop of their
/// own.
///
/// The loop gets its number in the target before its body is cloned, since
/// accumulators name it. Hence every loop that the body depends on must be
/// cloned first: those that it reads results of, and those of a producer's
/// values that the hook puts in the place of its loads.
void Importer::importCustomLoop(unsigned number) {
  if (customLoops.contains(number))
    return;
  const Loop &loop = from.loops[number];
  SmallVector<NodeId> inits;
  for (const Reduction &r : loop.reductions)
    inits.push_back(import(r.init));
  SmallVector<NodeId> pending;
  for (const Reduction &r : loop.reductions) {
    pending.push_back(r.value);
    if (r.position)
      pending.push_back(*r.position);
  }
  DenseSet<NodeId> seen;
  while (!pending.empty()) {
    NodeId id = pending.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    const Node &node = from.nodes[id];
    if (node.kind == Node::Result ||
        (node.kind == Node::Load && hook && hook(node)))
      import(id);
    else
      llvm::append_range(pending, node.operands);
  }
  unsigned home = to.loops.size();
  customLoops[number] = home;
  to.loops.emplace_back();
  to.loops[home].dims = walkedDims(loop);
  for (auto [r, init] : llvm::zip(loop.reductions, inits)) {
    Reduction copied = r;
    copied.init = init;
    copied.value = import(r.value);
    if (r.position)
      copied.position = import(*r.position);
    assert(to.nodes[copied.value].depth <= home &&
           "the body needs a loop that comes later");
    to.loops[home].reductions.push_back(copied);
  }
}
