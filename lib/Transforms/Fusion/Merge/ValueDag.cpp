// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of tensors, computed back to matrix products and arguments.
#include "ValueDag.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "KernelReader.h"
#include "Views.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// Bounds of a graph. Beyond them elements are loaded: finding a node among
/// the others is linear, and a depth of loops fits 8 bits.
static constexpr unsigned maxValues = 2048, maxNesting = 200,
                          maxGraphLoops = 64, maxAxes = 56;

// Each attempt splits one dimension once more. Axes that reductions add come in
// the same order in every attempt, so that splits are found again.
std::unique_ptr<ValueDag>
ValueDag::build(MLIRContext *context, KernelGraphs &kernels, const Stop &stop,
                llvm::function_ref<void(ValueDag &)> fill) {
  SmallVector<SmallVector<int64_t>> splits;
  for (unsigned attempt = 0;; ++attempt) {
    std::unique_ptr<ValueDag> graph(
        new ValueDag(context, kernels, stop, splits));
    fill(*graph);
    if (!graph->wanted || attempt == 16)
      return graph;
    const StripMine at = *graph->wanted;
    const unsigned axis = graph->axisOf[at.dim];
    unsigned place = 0; // among the dimensions of the axis
    for (unsigned d = 0; d < at.dim; ++d)
      place += graph->axisOf[d] == axis;
    splits = graph->splits;
    if (splits.size() <= axis)
      splits.resize(axis + 1);
    SmallVector<int64_t> &sizes = splits[axis];
    if (sizes.empty())
      sizes.push_back(graph->axes[axis].extent);
    assert(sizes[place] % at.inner == 0 && "the inner extent divides");
    sizes[place] /= at.inner;
    sizes.insert(sizes.begin() + place + 1, at.inner);
  }
}

Affine ValueDag::addAxis(int64_t extent, bool isParallel) {
  return addDims(extent, isParallel, /*isWalked=*/false);
}

/// A loop walks a dimension even if its extent is 1.
Affine ValueDag::addDims(int64_t extent, bool isParallel, bool isWalked) {
  const unsigned number = axes.size();
  Axis axis{Affine(), extent, isParallel};
  SmallVector<int64_t> sizes =
      number < splits.size() ? splits[number] : SmallVector<int64_t>();
  if (sizes.empty())
    sizes.push_back(extent);
  int64_t stride = extent;
  for (int64_t size : sizes) {
    stride /= std::max<int64_t>(size, 1);
    if (size == 1 && !isWalked)
      continue;
    axis.index.add(dag.addDim(size, isParallel), stride);
    axisOf.push_back(number);
  }
  axes.push_back(axis);
  return axes.back().index;
}

void ValueDag::ask(const Reindexed &failed) {
  if (failed.stripMine && !wanted && dag.extents.size() < maxAxes)
    wanted = failed.stripMine;
}

/// The only operand of a concatenation of equal tensors.
static Value repeated(ConcatOp concat) {
  Value first = concat.getOperands().front();
  return llvm::all_equal(concat.getOperands()) ? first : Value();
}

/// n if a gather picks row i / n for each i: every row n times.
static std::optional<int64_t> repetitionOf(GatherOp gather) {
  auto indices = ConstantValues::of(gather.getIndices());
  RankedTensorType type = tensorType(gather.getIndices());
  const int64_t rows =
      tensorType(gather.getData()).getDimSize(gather.getAxis());
  if (!indices || gather.getBatchDims() != 0 || type.getRank() != 1 ||
      rows == 0 || indices->size() % rows != 0)
    return std::nullopt;
  const int64_t times = indices->size() / rows;
  for (int64_t i = 0; i < indices->size(); ++i)
    if (indices->integer(i) != i / times)
      return std::nullopt;
  return times;
}

std::optional<TensorElement> ValueDag::sourceOf(const TensorElement &element) {
  TensorElement source;
  Reindexed moved;
  Operation *op = element.tensor.getDefiningOp();
  // A view or a movement of elements.
  if (Value view = moveSource(element.tensor)) {
    source.tensor = view;
    moved = positionInSource(element.tensor, element.position, dag.extents,
                             source.position);
  } else if (auto concat = dyn_cast_or_null<ConcatOp>(op);
             concat && repeated(concat)) {
    source = {repeated(concat), element.position};
    const int64_t axis = concat.getAxis();
    Affine turn, inside;
    moved = divide(element.position[axis],
                   tensorType(source.tensor).getDimSize(axis), dag.extents,
                   turn, inside);
    source.position[axis] = inside;
  } else if (auto gather = dyn_cast_or_null<GatherOp>(op)) {
    // A gather that repeats rows: the index divided by the number of times.
    std::optional<int64_t> times = repetitionOf(gather);
    if (!times)
      return std::nullopt;
    source = {gather.getData(), element.position};
    Affine row, turn;
    moved = divide(element.position[gather.getAxis()], *times, dag.extents, row,
                   turn);
    source.position[gather.getAxis()] = row;
  } else {
    return std::nullopt;
  }
  // A position that is no form yet may become one when a dimension is split.
  if (moved.ok)
    return source;
  ask(moved);
  return std::nullopt;
}

std::optional<TensorElement> ValueDag::resultOf(Operation *view,
                                                const TensorElement &element) {
  if (!isa<ReshapeOp, TransposeOp>(view))
    return std::nullopt;
  TensorElement result;
  result.tensor = view->getResult(0);
  Reindexed moved =
      positionInResult(view, element.position, dag.extents, result.position);
  if (moved.ok)
    return result;
  ask(moved);
  return std::nullopt;
}

NodeId ValueDag::valueOf(Value tensor, ArrayRef<Affine> position) {
  assert(int64_t(position.size()) == tensorType(tensor).getRank() &&
         "one form per dimension");
  for (const auto &[at, id] : known[tensor])
    if (ArrayRef<Affine>(at) == position)
      return id;
  TensorElement element{tensor, SmallVector<Affine, 4>(position)};
  ++nesting;
  NodeId id = compute(element);
  --nesting;
  known[tensor].push_back({element.position, id});
  for (;;) {
    elements[id].push_back(element);
    // A rounding is looked through: both values are read from the tensor.
    const Node &node = dag.nodes[id];
    if (node.kind != Node::Scalar ||
        !isOneOf<arith::ExtFOp, arith::TruncFOp>(*node.name))
      return known[tensor].back().second;
    element.isRounded |= isOneOf<arith::TruncFOp>(*node.name);
    id = node.operands[0];
  }
}

NodeId ValueDag::load(const TensorElement &element) {
  Access access;
  access.tensor = element.tensor;
  access.position = element.position;
  return dag.load(std::move(access), {},
                  kernelType(getElementTypeOrSelf(element.tensor)));
}

NodeId ValueDag::compute(const TensorElement &element) {
  Type elementType = getElementTypeOrSelf(element.tensor);
  if (TypedAttr value = loadedSplat(element.tensor, kernelType(elementType)))
    return dag.constant(value);
  // What is too large ends in loads.
  const bool isFull = dag.nodes.size() > maxValues || nesting > maxNesting ||
                      dag.loops.size() > maxGraphLoops ||
                      dag.extents.size() > maxAxes;
  auto result = dyn_cast<OpResult>(element.tensor);
  if (!result || isFull || (stop && stop(element.tensor)))
    return load(element);
  if (std::optional<TensorElement> source = sourceOf(element))
    return valueOf(source->tensor, source->position);
  Operation *op = result.getOwner();
  if (isa<ElementwiseOpInterface>(op))
    if (std::optional<NodeId> value = elementwise(op, element))
      return *value;
  if (const KernelDag *kernel = graphOf(op))
    if (std::optional<NodeId> value =
            fromKernel(*kernel, op, result.getResultNumber(), element))
      return *value;
  return load(element);
}

std::optional<NodeId> ValueDag::elementwise(Operation *op,
                                            const TensorElement &element) {
  RankedTensorType type = tensorType(element.tensor);
  SmallVector<NodeId> operands;
  for (Value operand : op->getOperands()) {
    RankedTensorType from = tensorType(operand);
    // A broadcast dimension is read at 0.
    SmallVector<Affine, 4> position = element.position;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (from.getDimSize(d) != type.getDimSize(d))
        position[d] = Affine();
    operands.push_back(valueOf(operand, position));
  }
  dag.currentPart = origins.size();
  dag.parts.push_back(op->getName().getStringRef());
  origins.push_back(op);
  std::optional<NodeId> value =
      readElementwise(cast<ElementwiseOpInterface>(op), operands, dag);
  // As the op stores it: rounded to its type.
  return value ? std::optional(dag.rounded(*value, type.getElementType()))
               : value;
}

const KernelDag *ValueDag::graphOf(Operation *op) {
  // Null is remembered as well: expansion is tried once.
  auto [it, isNew] = kernels.try_emplace(op);
  if (!isNew)
    return it->second.get();
  Block scratch;
  auto kernel = dyn_cast<KernelOp>(op);
  auto body = dyn_cast<KernelBodyOpInterface>(op);
  if (!kernel && body) {
    const QuietDiagnostics silent(context);
    OpBuilder builder(context);
    builder.setInsertionPointToEnd(&scratch);
    // A kernel with views of its own around it reads tensors that do not last.
    if (succeeded(body.buildKernel(builder)) && llvm::hasSingleElement(scratch))
      kernel = dyn_cast<KernelOp>(scratch.front());
  }
  // Custom reductions have no algebra.
  if (kernel)
    if (FailureOr<KernelDag> graph = readKernel(kernel); succeeded(graph)) {
      const bool isCustom = llvm::any_of(graph->loops, [](const Loop &loop) {
        return llvm::any_of(loop.reductions, [](const Reduction &r) {
          return r.kind == KernelReduce::Custom;
        });
      });
      if (!isCustom)
        kernels[op] = std::make_unique<KernelDag>(std::move(*graph));
    }
  // From the last op: users before what they use.
  while (!scratch.empty())
    scratch.back().erase();
  return kernels[op].get();
}

/// The index of a loop of this extent: an axis, or a dimension of one, that is
/// not taken, or a new axis.
std::optional<Affine> ValueDag::walked(int64_t extent, uint64_t &taken) {
  auto take = [&](const Affine &form) {
    taken |= form.dims();
    return form;
  };
  for (const Axis &axis : axes)
    if (!axis.isParallel && axis.extent == extent && extent != 1 &&
        !(axis.index.dims() & taken))
      return take(axis.index);
  for (unsigned d = 0; d < dag.extents.size(); ++d)
    if (!dag.parallel[d] && dag.extents[d] == extent && !(taken >> d & 1))
      return take(Affine::dim(d));
  if (dag.extents.size() > maxAxes)
    return std::nullopt;
  return take(addDims(extent, /*isParallel=*/false, /*isWalked=*/true));
}

// The kernel's store is inverted: the indices of the point that computes the
// element. Loops walk axes that the element does not vary with; inside them a
// load is an element like any other.
std::optional<NodeId> ValueDag::fromKernel(const KernelDag &kernel,
                                           Operation *op, unsigned result,
                                           const TensorElement &element) {
  if (result >= kernel.stores.size())
    return std::nullopt;
  const Store &store = kernel.stores[result];
  const SmallVector<int64_t> sizes = kernel.extentsOf(store);
  SmallVector<Affine, 6> indices(sizes.size());
  Reindexed solved = invertStore(store.position, sizes, element.position,
                                 dag.extents, indices);
  if (!solved.ok) {
    ask(solved);
    return std::nullopt;
  }
  // Loop dimensions get indices of their own in this graph; one of the same
  // extent is reused if nothing here varies with it.
  uint64_t loopDims = 0, taken = dimsOf(indices);
  for (const Loop &loop : kernel.loops)
    loopDims |= maskOf(loop.dims);
  SmallVector<Affine, 6> inLoops = indices;
  for (unsigned d = 0; d < sizes.size(); ++d)
    if (!kernel.parallel[d] && loopDims >> d & 1) {
      std::optional<Affine> index = walked(kernel.extents[d], taken);
      if (!index)
        return std::nullopt;
      inLoops[d] = *index;
    }
  // The kernel's ops become parts of this graph.
  const unsigned part = origins.size();
  for (StringRef name : kernel.parts) {
    dag.parts.push_back(name);
    origins.push_back(op);
  }
  auto hookOf = [&](std::unique_ptr<Importer> &importer) {
    return [&](const Node &node) -> std::optional<NodeId> {
      const Access &access = kernel.accesses[node.number];
      if (!access.isInside())
        return std::nullopt;
      return valueOf(access.tensor, importer->substitute(access.position));
    };
  };
  // Two importers: values inside loops vary with the walked dimensions, those
  // of the point do not.
  std::unique_ptr<Importer> loops, point;
  loops = std::make_unique<Importer>(dag, kernel, inLoops, context, part,
                                     hookOf(loops));
  point = std::make_unique<Importer>(dag, kernel, indices, context, part,
                                     hookOf(point), loops.get());
  NodeId value = point->import(store.value);
  return dag.rounded(value, getElementTypeOrSelf(element.tensor));
}

ArrayRef<TensorElement> ValueDag::elementsOf(NodeId id) const {
  auto it = elements.find(id);
  return it == elements.end() ? ArrayRef<TensorElement>() : it->second;
}

Operation *ValueDag::originOf(NodeId id) const {
  const Node &node = dag.nodes[id];
  if (node.kind != Node::Scalar && node.kind != Node::Result)
    return nullptr;
  return node.part < origins.size() ? origins[node.part] : nullptr;
}

// Operands and reductions are made before what uses them, so the recursion
// ends; each value is computed once.
uint64_t ValueDag::variesWith(NodeId id) {
  if (auto it = varying.find(id); it != varying.end())
    return it->second;
  const Node &node = dag.nodes[id];
  uint64_t mask = node.kind == Node::Result ? 0 : node.dims;
  for (NodeId part : dag.partsOf(id))
    mask |= variesWith(part);
  if (node.kind == Node::Result)
    mask &= ~maskOf(dag.loops[node.loop].dims);
  return varying[id] = mask;
}
