// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that differ only in their tensors share a prototype.
#include "Prototype.h"
#include "Gaudi/Dialect/KernelCopies.h"
#include "KernelReader.h"
#include "Views.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// Numbers values in the order in which they are met. A merge has few tensors:
/// a linear search beats a table.
class Numbering {
public:
  std::pair<unsigned, bool> insert(Value value) {
    auto known = llvm::find(values, value);
    unsigned number = known - values.begin();
    if (known != values.end())
      return {number, false};
    values.push_back(value);
    return {number, true};
  }
  unsigned operator[](Value value) const {
    auto known = llvm::find(values, value);
    assert(known != values.end() && "a merge makes no tensors");
    return known - values.begin();
  }
  Value operator[](unsigned number) const { return values[number]; }

private:
  SmallVector<Value, 32> values;
};
} // namespace

static void encode(ArrayRef<Affine> position, Encoding &code) {
  code.add(uint64_t(position.size()));
  for (const Affine &form : position) {
    code.add(uint64_t(form.isExact()));
    code.add(uint64_t(form.getOffset()));
    code.add(uint64_t(form.size()));
    for (unsigned d = 0; d < form.size(); ++d)
      code.add(uint64_t(form[d]));
  }
}

static void encode(const Node &node, Encoding &code) {
  code.add(uint64_t(node.kind) | uint64_t(node.depth) << 8 |
           uint64_t(node.part) << 32);
  code.add(uint64_t(node.number) | uint64_t(node.loop) << 32);
  code.add(node.dims);
  code.add(node.type);
  code.add(node.attr);
  code.add(node.name ? node.name->getAsOpaquePointer() : nullptr);
  code.addAll(node.operands);
}

static void encode(const Access &access, unsigned tensor, Encoding &code) {
  code.add(uint64_t(tensor));
  encode(access.position, code);
  code.addAll(access.boundary);
  code.addAll(access.dynamicDims);
  code.add(Attribute(access.pad));
}

static void encode(const Reduction &reduction, Encoding &code) {
  code.add(uint64_t(reduction.kind));
  code.add(uint64_t(reduction.init) | uint64_t(reduction.value) << 32);
  code.add(uint64_t(reduction.position ? *reduction.position + 1 : 0));
}

/// The whole graph but for its tensors, which are numbered; their types are in
/// the key because costs and limits depend on them. Every list is preceded by
/// its length, so that no two graphs have one encoding.
static void encode(const KernelDag &dag, ArrayRef<unsigned> tensorOf,
                   ArrayRef<Value> tensors, Encoding &code) {
  code.addAll(dag.extents);
  code.addAll(dag.parallel);
  code.add(uint64_t(dag.parts.size()));
  // By address: an equal name elsewhere only costs a second prototype.
  for (StringRef part : dag.parts) {
    code.add(part.data());
    code.add(uint64_t(part.size()));
  }
  code.add(uint64_t(dag.nodes.size()));
  for (const Node &node : dag.nodes)
    encode(node, code);
  code.add(uint64_t(dag.accesses.size()));
  for (auto [access, tensor] : llvm::zip(dag.accesses, tensorOf))
    encode(access, tensor, code);
  for (Value tensor : tensors)
    code.add(tensor.getType());
  code.add(uint64_t(dag.loops.size()));
  for (const Loop &loop : dag.loops) {
    code.addAll(loop.dims);
    code.add(uint64_t(loop.reductions.size()));
    for (const Reduction &reduction : loop.reductions)
      encode(reduction, code);
  }
  code.add(uint64_t(dag.stores.size()));
  for (const Store &store : dag.stores) {
    code.add(store.result.getType());
    encode(store.position, code);
    code.add(uint64_t(store.value));
  }
}

// The cost is computed from the graph and its types alone, all of which the key
// holds: equal keys have equal costs.
Prototype &Prototypes::of(const KernelDag &dag) {
  SmallVector<Value> tensors = dag.tensors();
  SmallVector<unsigned, 4> tensorOf;
  for (const Access &access : dag.accesses)
    tensorOf.push_back(llvm::find(tensors, access.tensor) - tensors.begin());
  Encoding code;
  encode(dag, tensorOf, tensors, code);
  std::unique_ptr<Prototype> &found = known[code.bytes()];
  if (!found) {
    found = std::make_unique<Prototype>();
    found->dag = dag;
    found->cost = gaudi::timing::costOf(workOf(dag), spec);
    found->tensorOf = std::move(tensorOf);
  }
  return *found;
}

const Prototypes::Parsed &Prototypes::of(KernelOp kernel) {
  Encoding code;
  encodeKernel(kernel, code);
  // Reading depends on the body, on which inputs are one tensor, and on splats.
  for (Value tensor : kernel.getInputs()) {
    code.add(uint64_t(llvm::find(kernel.getInputs(), tensor).getIndex()));
    code.add(Attribute(
        loadedSplat(tensor, kernelType(getElementTypeOrSelf(tensor)))));
  }
  auto [it, isNew] = parsed.try_emplace(code.bytes());
  Parsed &result = it->second;
  if (!isNew)
    return result;
  FailureOr<KernelDag> dag = readKernel(kernel);
  if (failed(dag))
    return result;
  for (Value tensor : dag->tensors())
    result.operandOf.push_back(
        llvm::find(kernel.getInputs(), tensor).getIndex());
  result.prototype = &of(*dag);
  return result;
}

/// What positionInSource asks a view for.
static void encodeView(Value tensor, Encoding &code) {
  auto op = tensor.getDefiningOp<ReindexOpInterface>();
  code.add(tensor.getType());
  code.add(viewSource(tensor).getType());
  IndexMap map = op.getIndexMap(cast<OpResult>(tensor));
  code.add(uint64_t(map.has_value()));
  if (map)
    for (const StridedIndex &index : *map)
      for (int64_t part : {index.dim, index.stride, index.offset})
        code.add(uint64_t(part));
}

/// The tensor and its views down to the first that has been met: what comes
/// after that one is in the key already.
static void encodeTensor(Value tensor, Numbering &numbers, Encoding &code) {
  while (true) {
    auto [number, isNew] = numbers.insert(tensor);
    code.add(uint64_t(number));
    Value source = isNew ? viewSource(tensor) : Value();
    if (!source)
      break;
    encodeView(tensor, code);
    tensor = source;
  }
  code.add(~uint64_t(0));
}

Merged Prototypes::merge(const Part &producer, const Part &consumer,
                         ArrayRef<Value> liveOut, const KernelLimits &limits,
                         MLIRContext *context, DagOf producerDag,
                         DagOf consumerDag) {
  // The merge reads the two graphs, which of their tensors are one, through
  // which views they are related, and which results stay live: the key. Values
  // are numbered, so that the outcome fits every pair with an equal key.
  Encoding code;
  Numbering numbers;
  code.add(&producer.prototype);
  code.add(&consumer.prototype);
  for (ValueRange results : {producer.results, consumer.results})
    for (Value result : results)
      code.add(uint64_t(numbers.insert(result).first));
  code.add(uint64_t(liveOut.size()));
  for (Value result : liveOut)
    code.add(uint64_t(numbers[result]));
  for (const Part *part : {&producer, &consumer})
    for (Value tensor : part->tensors)
      encodeTensor(tensor, numbers, code);

  auto [it, isNew] = merges.try_emplace(code.bytes());
  Outcome &outcome = it->second;
  if (isNew) {
    Merge made =
        mergeKernels(producerDag(), consumerDag(), liveOut, limits, context);
    outcome.refusal = made.refusal;
    if (made.dag) {
      outcome.prototype = &of(*made.dag);
      for (Value tensor : made.dag->tensors())
        outcome.tensors.push_back(numbers[tensor]);
      for (const Store &store : made.dag->stores)
        outcome.stored.push_back(numbers[store.result]);
    }
  }
  Merged merged;
  merged.prototype = outcome.prototype;
  merged.refusal = outcome.refusal;
  for (unsigned number : outcome.tensors)
    merged.tensors.push_back(numbers[number]);
  for (unsigned number : outcome.stored)
    merged.stored.push_back(numbers[number]);
  return merged;
}
