// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes graphs for the time model, as if the kernel were written.
#include "Profit.h"
#include "Gaudi/Dialect/KernelWork.h"
#include "WrittenForm.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;
using gaudi::timing::KernelAccess;
using gaudi::timing::KernelCounter;
using gaudi::timing::KernelWork;
using gaudi::timing::Operand;

static Operand denseOperand(Value tensor) {
  RankedTensorType type = tensorType(tensor);
  Operand operand;
  operand.type = elementTypeOf(type.getElementType());
  operand.sizes.assign(type.getShape().begin(), type.getShape().end());
  return operand;
}

namespace {
/// Visits values in the order in which the writer emits them: those that vary
/// in no loop once, others once in each loop that needs them.
class DagCounter {
public:
  DagCounter(const KernelDag &dag, const WrittenForm &form,
             ArrayRef<Value> tensors, uint64_t parallel, KernelCounter &counter)
      : dag(dag), form(form), tensors(tensors), parallel(parallel),
        counter(counter), sequential(dag.sequentialDims()),
        dims(dag.nodes.size(), 0), byPoint(dag.nodes.size()),
        byStep(dag.nodes.size()) {
    for (unsigned d : form.newDims)
      renumbered.push_back(Affine::dim(d));
    for (const Node &node : dag.nodes)
      if (node.kind == Node::Carry)
        chained |= uint64_t(1) << node.loop;
  }

  void run() {
    for (const Stage &stage : form.stages)
      count(stage);
  }

private:
  /// The second operand if it is a constant.
  std::optional<float> secondOf(const Node &node) const {
    if (node.operands.size() < 2)
      return std::nullopt;
    const Node &second = dag.nodes[node.operands[1]];
    return second.kind == Node::Constant
               ? constantOf(dyn_cast<FloatAttr>(second.attr))
               : std::nullopt;
  }
  /// Equal values are one node.
  static uint64_t nameOf(NodeId id) { return gaudi::timing::nameOf({id}); }
  bool varies(NodeId id) const { return dag.nodes[id].dims & sequential; }

  void count(const Stage &stage) {
    uint64_t loops = 0;
    for (unsigned d : stage.dims)
      loops |= uint64_t(1) << form.newDims[d];
    byStep.reset();
    if (stage.loop && (chained >> *stage.loop & 1))
      counter.carry(loops);
    if (stage.loop)
      for (const Reduction &r : dag.loops[*stage.loop].reductions) {
        count(r.init, loops);
        combine(r.value, loops);
        if (r.position)
          combine(*r.position, loops);
      }
    for (unsigned s : stage.stores)
      count(dag.stores[s].value, loops);
    if (stage.loop)
      for (size_t i = 0; i < dag.loops[*stage.loop].reductions.size(); ++i)
        counter.reduction(loops);
    for (unsigned s : stage.stores)
      counter.store(addAccess(tensors.size() + s, dag.stores[s].position, 0),
                    loops);
  }

  /// A value that a reduction combines, which must be made in its loop.
  void combine(NodeId id, uint64_t loops) {
    count(id, loops);
    const Node &node = dag.nodes[id];
    if (!varies(id) ||
        (node.kind == Node::Scalar && isOneOf<arith::ExtFOp>(*node.name)))
      countCopyIntoLoop(counter, node.type, dims[id], nameOf(id));
  }

  void count(NodeId id, uint64_t loops) {
    // Once per place: a value used twice is computed once.
    llvm::SmallBitVector &home = varies(id) ? byStep : byPoint;
    if (home.test(id))
      return;
    home.set(id);
    const Node &node = dag.nodes[id];
    uint64_t all = 0;
    SmallVector<uint64_t, 3> from;
    SmallVector<Type, 3> types;
    for (NodeId operand : node.operands) {
      count(operand, loops);
      from.push_back(dims[operand]);
      all |= dims[operand];
      // An index has no type in the graph.
      Type type = dag.nodes[operand].type;
      types.push_back(type ? type
                           : IntegerType::get(node.type.getContext(), 64));
    }
    switch (node.kind) {
    case Node::Constant:
      return;
    case Node::Index:
      dims[id] = uint64_t(1) << form.newDims[node.number];
      return;
    case Node::Load: {
      const Access &access = dag.accesses[node.number];
      const unsigned operand =
          llvm::find(tensors, access.tensor) - tensors.begin();
      uint32_t indexed = 0;
      for (int64_t dim : access.dynamicDims)
        indexed |= 1u << dim;
      dims[id] = counter.load(addAccess(operand, access.position, indexed),
                              elementTypeOf(node.type), all);
      return;
    }
    case Node::Scalar:
      dims[id] = countScalar(counter, *node.name, types, from, node.type,
                             nameOf(id), secondOf(node));
      return;
    case Node::Result:
      // As what a reduction gives: it exists at each point.
      dims[id] = parallel;
      return;
    case Node::Carry:
      dims[id] = parallel | loops;
      return;
    }
  }

  uint32_t addAccess(uint32_t operand, ArrayRef<Affine> position,
                     uint32_t indexed) {
    KernelAccess access;
    access.operand = operand;
    access.indexed = indexed;
    for (const Affine &index : position)
      access.position.push_back(index.substitute(renumbered));
    return counter.addAccess(std::move(access));
  }

  const KernelDag &dag;
  const WrittenForm &form;
  ArrayRef<Value> tensors;
  uint64_t parallel; // dimensions of the kernel, as bits
  KernelCounter &counter;
  uint64_t sequential;
  uint64_t chained = 0; // loops whose values read their accumulators
  SmallVector<Affine, 6> renumbered;
  SmallVector<uint64_t, 0> dims; // of the kernel, that each value varies with
  llvm::SmallBitVector byPoint, byStep; // values that have been counted
};
} // namespace

KernelWork gaudi::fusion::workOf(const KernelDag &dag) {
  const WrittenForm form = writtenFormOf(dag);
  const SmallVector<Value> tensors = dag.tensors();
  KernelWork work;
  for (auto [i, d] : llvm::enumerate(form.dims)) {
    work.extents.push_back(dag.extents[d]);
    work.parallel |= uint64_t(dag.parallel[d]) << i;
  }
  for (Value tensor : tensors)
    work.operands.push_back(denseOperand(tensor));
  for (const Store &store : dag.stores)
    work.operands.push_back(denseOperand(store.result));
  work.inputs = tensors.size();
  const uint64_t parallel = work.parallel;
  KernelCounter counter(std::move(work));
  DagCounter(dag, form, tensors, parallel, counter).run();
  return counter.finish();
}
