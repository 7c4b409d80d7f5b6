// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sampler.h"
#include "../Merge/KernelReader.h"
#include "../Merge/Views.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Reference/Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;
using gaudi::kernel::Opcode;

namespace {
/// A dimension up to this extent is visited as a whole.
constexpr int64_t mostVisited = 8;
/// Ops on one path from an element; what is behind them is an unknown.
constexpr unsigned maxDepth = 300;

/// A well mixed function of both (the finaliser of splitmix64).
uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15ull + b + 0x632BE59BD9B4E019ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/// A random element of the type: floats in [-1, 1), three of four booleans
/// true, small numbers of integers.
double numberFrom(uint64_t bits, Type type) {
  if (type.isInteger(1))
    return bits % 4 != 0;
  if (isa<IntegerType>(type))
    return double(bits % 16);
  return double(bits >> 11) * 0x1p-52 - 1;
}

int64_t flatten(ArrayRef<int64_t> position, ArrayRef<int64_t> shape) {
  int64_t flat = 0;
  for (auto [index, size] : llvm::zip_equal(position, shape))
    flat = flat * size + index;
  return flat;
}

Position unflatten(int64_t flat, ArrayRef<int64_t> shape) {
  Position position(shape.size());
  for (size_t d = shape.size(); d-- > 0; flat /= shape[d])
    position[d] = flat % shape[d];
  return position;
}

/// Numbers of integers are kept as floats: positions and counts, all exact.
std::optional<SmallVector<int64_t, 3>> wholeNumbers(ArrayRef<double> x) {
  SmallVector<int64_t, 3> result;
  for (double number : x) {
    if (!(std::fabs(number) < 0x1p53))
      return std::nullopt;
    result.push_back(int64_t(number));
  }
  return result;
}

std::optional<double> toNumber(std::optional<int64_t> integer) {
  return integer ? std::optional(double(*integer)) : std::nullopt;
}

std::optional<double> compared(Opcode op, Attribute attrs, ArrayRef<double> x) {
  auto dictionary = cast<DictionaryAttr>(attrs);
  if (op == Opcode::CmpF) {
    auto predicate = dictionary.getAs<arith::CmpFPredicateAttr>("predicate");
    return predicate ? std::optional<double>(arith::applyCmpPredicate(
                           predicate.getValue(), APFloat(x[0]), APFloat(x[1])))
                     : std::nullopt;
  }
  auto predicate = dictionary.getAs<arith::CmpIPredicateAttr>("predicate");
  auto whole = wholeNumbers(x);
  if (!predicate || !whole)
    return std::nullopt;
  return arith::applyCmpPredicate(predicate.getValue(),
                                  APInt(64, (*whole)[0], /*isSigned=*/true),
                                  APInt(64, (*whole)[1], /*isSigned=*/true));
}

std::optional<double> combined(KernelReduce kind, double a, double b,
                               Type type) {
  if (isa_and_nonnull<FloatType>(type))
    return reference::combineFloats(kind, a, b);
  auto whole = wholeNumbers({a, b});
  return whole ? toNumber(reference::combineInts(kind, (*whole)[0], (*whole)[1],
                                                 type))
               : std::nullopt;
}

double numberOf(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  APInt value = cast<IntegerAttr>(attribute).getValue();
  return value.getBitWidth() == 1 ? double(value.getZExtValue())
                                  : double(value.getSExtValue());
}
} // namespace

Value gaudi::fusion::shownBy(Value tensor) {
  while (true) {
    Value source = moveSource(tensor);
    auto cast = tensor.getDefiningOp<CastOp>();
    if (!source && cast && isa<FloatType>(getElementTypeOrSelf(tensor)) &&
        isa<FloatType>(getElementTypeOrSelf(cast->getOperand(0))))
      source = cast->getOperand(0);
    if (!source)
      return tensor;
    tensor = source;
  }
}

/// A kernel's graph, with the opcode of each of its scalar operations.
struct Sampler::Graph {
  KernelDag dag;
  SmallVector<std::optional<Opcode>, 0> opcodes;
};

/// The values of one kernel at one point of its index space.
class Sampler::Evaluation {
public:
  Evaluation(Sampler &sampler, const Graph &graph, Position dims)
      : sampler(sampler), dag(graph.dag), graph(graph), dims(std::move(dims)),
        values(dag.nodes.size()) {}

  double of(NodeId id) {
    if (!values[id])
      values[id] = compute(id);
    return *values[id];
  }

private:
  double compute(NodeId id) {
    const Node &node = dag.nodes[id];
    switch (node.kind) {
    case Node::Constant:
      return numberOf(node.attr);
    case Node::Index:
      return double(dims[node.number]);
    case Node::Load:
      return load(node);
    case Node::Scalar:
      return scalar(id);
    case Node::Result:
      runLoop(node.loop);
      return results.lookup({node.loop, node.number});
    case Node::Carry:
      return std::nan("");
    }
    llvm_unreachable("every kind has a case");
  }

  double load(const Node &node) {
    const Access &access = dag.accesses[node.number];
    Position position;
    for (const Affine &form : access.position)
      position.push_back(form.at(dims));
    auto shape = tensorType(access.tensor).getShape();
    for (auto [i, dim] : llvm::enumerate(access.dynamicDims))
      position[dim] += int64_t(of(node.operands[i]));
    // As in a launch: the pad, or the nearest element.
    for (auto [d, size] : llvm::enumerate(shape)) {
      if (position[d] >= 0 && position[d] < size)
        continue;
      if (!access.boundary.empty() && access.boundary[d] == Boundary::Pad &&
          access.pad)
        return numberOf(access.pad);
      position[d] = std::clamp<int64_t>(position[d], 0, size - 1);
    }
    return sampler.at(access.tensor, position);
  }

  double scalar(NodeId id) {
    const Node &node = dag.nodes[id];
    SmallVector<double, 3> x;
    for (NodeId operand : node.operands)
      x.push_back(of(operand));
    std::optional<double> value;
    if (graph.opcodes[id])
      value = known(*graph.opcodes[id], node, x);
    else if (isOneOf<arith::ExtFOp>(*node.name))
      value = x[0];
    if (value)
      return *value;
    // What is not known becomes a number that follows from the operands, so
    // that equal computations give equal numbers.
    uint64_t bits = mix(uint64_t(id), node.number);
    if (graph.opcodes[id])
      bits = mix(uint64_t(*graph.opcodes[id]), node.number);
    for (double operand : x)
      bits = mix(bits, llvm::bit_cast<uint64_t>(operand));
    return numberFrom(bits, node.type);
  }

  std::optional<double> known(Opcode op, const Node &node,
                              ArrayRef<double> x) const {
    // As a signed number, a true i1 is -1.
    // An index has no type.
    Type from =
        node.operands.empty() ? Type() : dag.nodes[node.operands[0]].type;
    const bool ofBoolean = from && from.isInteger(1);
    switch (op) {
    case Opcode::Select:
      return x[0] != 0 ? x[1] : x[2];
    case Opcode::CmpF:
    case Opcode::CmpI:
      return compared(op, node.attr, x);
    case Opcode::SIToFloat:
    case Opcode::ExtSI:
      return ofBoolean ? -x[0] : x[0];
    case Opcode::UIToFloat:
    case Opcode::ExtUI:
    case Opcode::RoundTo:
      return x[0];
    case Opcode::TruncI:
      return node.type.isInteger(1) ? double(int64_t(x[0]) & 1) : x[0];
    case Opcode::FloatToSI:
    case Opcode::FloatToUI:
      return std::trunc(x[0]);
    default:
      break;
    }
    if (std::optional<double> value = reference::evaluateFloats(op, x))
      return value;
    auto whole = wholeNumbers(x);
    return whole ? toNumber(reference::evaluateInts(op, *whole, node.type))
                 : std::nullopt;
  }

  /// Visits the combinations of the sampled indices of the loop's dimensions.
  void runLoop(unsigned number) {
    const Loop &loop = dag.loops[number];
    SmallVector<double, 2> sums;
    bool isKnown = true;
    for (const Reduction &reduction : loop.reductions)
      sums.push_back(of(reduction.init));
    // The same indices as everywhere: sums of graph and formula must agree.
    SmallVector<SmallVector<int64_t, 8>, 2> visited;
    for (unsigned d : loop.dims)
      visited.emplace_back(sampler.indicesOf(dag.extents[d]));
    const uint64_t mask = maskOf(loop.dims);
    SmallVector<size_t, 2> at(loop.dims.size());
    for (bool more = true; more && !sampler.isSpent();) {
      Evaluation inner(sampler, graph, dims);
      for (auto [k, d] : llvm::enumerate(loop.dims))
        inner.dims[d] = visited[k][at[k]];
      // What the loop does not change stays.
      for (auto [id, value] : llvm::enumerate(values))
        if (value && !(dag.nodes[id].dims & mask))
          inner.values[id] = value;
      inner.results = results;
      for (auto [sum, reduction] : llvm::zip_equal(sums, loop.reductions)) {
        auto next = combined(reduction.kind, sum, inner.of(reduction.value),
                             dag.nodes[reduction.value].type);
        isKnown &= next.has_value();
        sum = next.value_or(0);
      }
      more = false;
      // An odometer over the sampled indices.
      for (size_t k = at.size(); k-- > 0 && !more;) {
        more = ++at[k] < visited[k].size();
        if (!more)
          at[k] = 0;
      }
    }
    for (auto [r, sum] : llvm::enumerate(sums))
      results[{number, dag.resultNumber(number, r)}] =
          isKnown ? sum : std::nan("");
  }

  Sampler &sampler;
  const KernelDag &dag;
  const Graph &graph;
  Position dims;
  SmallVector<std::optional<double>, 0> values;
  DenseMap<std::pair<unsigned, unsigned>, double> results;
};

Sampler::Sampler() = default;

Sampler::~Sampler() {
  // Users before what they use.
  while (!scratch.empty())
    scratch.back().erase();
}

int64_t Sampler::draw(int64_t bound) {
  assert(bound > 0 && "a range with numbers");
  return int64_t(mix(0x5EED, ++drawn) % uint64_t(bound));
}

ArrayRef<int64_t> Sampler::indicesOf(int64_t extent) {
  SmallVector<int64_t, 8> &chosen = indices[extent];
  if (!chosen.empty() || extent == 0)
    return chosen;
  if (extent <= mostVisited) {
    llvm::append_range(chosen, llvm::seq<int64_t>(0, extent));
    return chosen;
  }
  // The ends, and pairs of neighbours between them: where a mask begins or ends
  // at the diagonal, neighbours differ.
  llvm::SmallSetVector<int64_t, mostVisited> set;
  set.insert(0);
  set.insert(1);
  for (uint64_t i = 0; set.size() < mostVisited; ++i) {
    int64_t first = int64_t(mix(uint64_t(extent), i) % uint64_t(extent - 1));
    set.insert(first);
    if (set.size() < mostVisited)
      set.insert(first + 1);
  }
  chosen.assign(set.begin(), set.end());
  llvm::sort(chosen);
  return chosen;
}

void Sampler::split(int64_t extent, ArrayRef<int64_t> extents) {
  if (splitExtent == 0 && extents.empty())
    return;
  indices.erase(splitExtent);
  // What was computed from other indices is void.
  known.clear();
  splitExtent = extents.empty() ? 0 : extent;
  if (extents.empty())
    return;
  SmallVector<int64_t, 8> flat = {0};
  for (int64_t size : extents) {
    SmallVector<int64_t, 8> next;
    for (int64_t outer : flat)
      for (int64_t inner : indicesOf(size))
        next.push_back(outer * size + inner);
    flat = std::move(next);
  }
  indices[extent] = std::move(flat);
}

double Sampler::at(Value tensor, ArrayRef<int64_t> position) {
  // Views cost nothing and are not remembered.
  Position here(position);
  // Through views to the tensor that has the element.
  while (!unknowns.contains(tensor)) {
    Value source = moveSource(tensor);
    if (!source)
      break;
    ArrayRef<int64_t> shape = tensorType(tensor).getShape();
    auto op = tensor.getDefiningOp<ReindexOpInterface>();
    // A view without a map is a reshape: the same flat index.
    if (IndexMap map = op.getIndexMap(cast<OpResult>(tensor))) {
      Position next;
      for (const StridedIndex &index : *map)
        next.push_back(index.offset + (index.dim == StridedIndex::none
                                           ? 0
                                           : index.stride * here[index.dim]));
      here = std::move(next);
    } else {
      here = unflatten(flatten(here, shape), tensorType(source).getShape());
    }
    tensor = source;
  }
  const int64_t flat = flatten(here, tensorType(tensor).getShape());
  DenseMap<int64_t, double> &elements = known[tensor];
  auto found = elements.find(flat);
  if (found != elements.end())
    return found->second;
  // The budget is of elements that are computed, not looked up.
  if (--budget <= 0)
    return std::nan("");
  ++depth;
  // Deep graphs end in unknowns, as recursion would not.
  const double value =
      depth > maxDepth ? unknown(tensor, here) : compute(tensor, here);
  --depth;
  known[tensor][flat] = value;
  return value;
}

double Sampler::compute(Value tensor, ArrayRef<int64_t> position) {
  Operation *op = tensor.getDefiningOp();
  if (!op || unknowns.contains(tensor))
    return unknown(tensor, position);
  auto result = cast<OpResult>(tensor);
  if (isa<ConstantOp>(op)) {
    auto values = ConstantValues::of(tensor);
    if (!values)
      return unknown(tensor, position);
    const int64_t i = flatten(position, tensorType(tensor).getShape());
    return isa<FloatType>(getElementTypeOrSelf(tensor))
               ? double(values->number(i))
               : double(values->integer(i));
  }
  if (auto fill = dyn_cast<FillOp>(op))
    return numberOf(fill.getValue());
  // Only the products of this attention are computed; others are inputs.
  if (isa<GemmOp>(op))
    return opened.contains(op) ? ofProduct(op, position)
                               : unknown(tensor, position);
  if (isa<KernelOp>(op)) {
    const Graph *graph = graphOf(op);
    return graph ? ofKernel(result, *graph, position)
                 : unknown(tensor, position);
  }
  // Named ops are expanded into kernels, which are evaluated.
  ArrayRef<Value> expansion = expansionOf(op);
  return expansion.empty() ? unknown(tensor, position)
                           : at(expansion[result.getResultNumber()], position);
}

double Sampler::unknown(Value tensor, ArrayRef<int64_t> position) {
  const unsigned number =
      numbers.try_emplace(tensor, numbers.size()).first->second;
  const int64_t flat = flatten(position, tensorType(tensor).getShape());
  return numberFrom(mix(number, uint64_t(flat)), getElementTypeOrSelf(tensor));
}

double Sampler::ofProduct(Operation *op, ArrayRef<int64_t> position) {
  auto gemm = cast<GemmOp>(op);
  const size_t rank = position.size();
  auto operandAt = [&](Value operand, bool isTransposed, bool isLeft,
                       int64_t k) {
    Position at(position);
    ArrayRef<int64_t> shape = tensorType(operand).getShape();
    for (size_t d = 0; d + 2 < rank; ++d)
      at[d] = shape[d] == 1 ? 0 : at[d];
    const int64_t free = isLeft ? position[rank - 2] : position[rank - 1];
    // The left operand is [m, k], the right one [k, n], unless transposed.
    const bool freeFirst = isLeft != isTransposed;
    at[rank - 2] = freeFirst ? free : k;
    at[rank - 1] = freeFirst ? k : free;
    return this->at(operand, at);
  };
  ArrayRef<int64_t> left = tensorType(gemm.getLhs()).getShape();
  const int64_t extent = left[gemm.getTransposeA() ? rank - 2 : rank - 1];
  double sum = 0;
  SmallVector<int64_t, 8> visited(indicesOf(extent));
  for (int64_t k : visited)
    sum += operandAt(gemm.getLhs(), gemm.getTransposeA(), true, k) *
           operandAt(gemm.getRhs(), gemm.getTransposeB(), false, k);
  return sum;
}

double Sampler::ofKernel(OpResult result, const Graph &graph,
                         ArrayRef<int64_t> position) {
  const KernelDag &dag = graph.dag;
  // The point that stores the element: its digits in the store's forms.
  for (const Store &store : dag.stores) {
    if (store.result != result)
      continue;
    // Mixed radix: the largest coefficient first.
    Position dims(dag.extents.size());
    for (auto [form, index] : llvm::zip_equal(store.position, position)) {
      SmallVector<std::pair<int64_t, unsigned>, 2> terms;
      for (unsigned d = 0; d < form.size(); ++d)
        if (form[d] > 0)
          terms.push_back({form[d], d});
      llvm::sort(terms, std::greater<>());
      int64_t rest = index - form.getOffset();
      for (auto [coefficient, d] : terms) {
        dims[d] =
            std::clamp<int64_t>(rest / coefficient, 0, dag.extents[d] - 1);
        rest -= coefficient * dims[d];
      }
    }
    // A store with gaps may not have the element.
    const bool isStored =
        llvm::all_of(llvm::zip_equal(store.position, position), [&](auto pair) {
          return std::get<0>(pair).at(dims) == std::get<1>(pair);
        });
    if (isStored)
      return Evaluation(*this, graph, dims).of(store.value);
  }
  return unknown(result, position);
}

ArrayRef<Value> Sampler::expansionOf(Operation *op) {
  auto [entry, isNew] = expansions.try_emplace(op);
  if (!isNew)
    return entry->second;
  auto body = dyn_cast<KernelBodyOpInterface>(op);
  if (!body)
    return {};
  // gaudi-expand-kernels reports an op that has no kernel.
  const QuietDiagnostics silent(op->getContext());
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&scratch);
  FailureOr<Operation *> made = body.buildKernel(builder);
  if (failed(made))
    return {};
  SmallVector<Value, 1> &values = expansions[op];
  llvm::append_range(values, (*made)->getResults());
  return values;
}

const Sampler::Graph *Sampler::graphOf(Operation *kernel) {
  auto [entry, isNew] = graphs.try_emplace(kernel);
  if (!isNew)
    return entry->second.get();
  FailureOr<KernelDag> dag = readKernel(cast<KernelOp>(kernel));
  if (failed(dag))
    return nullptr;
  auto graph = std::make_unique<Graph>();
  for (const Node &node : dag->nodes)
    graph->opcodes.push_back(node.name ? opcodeOf(*node.name) : std::nullopt);
  graph->dag = std::move(*dag);
  return (graphs[kernel] = std::move(graph)).get();
}
