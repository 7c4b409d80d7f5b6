// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of linalg as formulas of their elements.
#include "../Merge/KernelReader.h"
#include "Elements.h"
#include "Gaudi/Dialect/GaudiDialect.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// True if the position walks all dimensions in their order: element i of the
/// index space is element i of the tensor.
static bool isInOrder(ArrayRef<Affine> position, const KernelDag &dag) {
  unsigned next = 0;
  for (const Affine &form : position) {
    if (form.isConstant() && form.getOffset() == 0)
      continue;
    if (form.singleDim() != next)
      return false;
    ++next;
  }
  return next == dag.extents.size();
}

static int64_t pointsOf(const KernelDag &dag) {
  return ShapedType::getNumElements(dag.extents);
}

void Elements::readKernel(ElementId id, KernelOp op) {
  const ElementRange range = nodes[id].range;
  auto [entry, isNew] = kernels.try_emplace(op);
  if (isNew)
    entry->second = std::make_unique<Kernel>();
  // The entry itself moves when kernels of operands are read.
  Kernel *kernel = entry->second.get();
  if (isNew) {
    if (FailureOr<KernelDag> dag = fusion::readKernel(op); succeeded(dag)) {
      kernel->dag = std::move(*dag);
      kernel->nodes.resize(kernel->dag->nodes.size());
      // Results are nodes of their own; what other results are computed from
      // them refers to these.
      for (const Store &store : kernel->dag->stores)
        if (!kernel->nodes[store.value])
          kernel->nodes[store.value] = of(store.result);
    }
  }
  if (!kernel->dag || !range.isWhole())
    return;
  const KernelDag &dag = *kernel->dag;
  for (const Store &store : dag.stores) {
    const bool isSingle = elementCount(store.result) == 1;
    if (store.result != range.tensor ||
        !(isSingle ? dimsOf(store.position) == 0
                   : isInOrder(store.position, dag)) ||
        (!isSingle && !dag.loops.empty()))
      continue;
    const Node &value = dag.nodes[store.value];
    std::optional<ElementId> source;
    if (kernel->nodes[store.value] != id)
      source = kernel->nodes[store.value]; // another result has the same value
    else if (value.kind == Node::Scalar)
      source = scalarNode(op, *kernel, value);
    else
      kernel->nodes[store.value].reset(),
          source = kernelNode(op, *kernel, store.value);
    if (!source)
      return;
    if (value.kind == Node::Scalar && kernel->nodes[store.value] == id) {
      // The node was made for the value: it becomes the result's.
      become(id, *source);
    } else {
      nodes[id].kind = Element::Round;
      nodes[id].operands = {*source};
    }
    return;
  }
}

std::optional<ElementId> Elements::kernelNode(Operation *op, Kernel &kernel,
                                              NodeId number) {
  if (kernel.nodes[number])
    return kernel.nodes[number];
  const KernelDag &dag = *kernel.dag;
  const Node &node = dag.nodes[number];
  std::optional<ElementId> made;
  switch (node.kind) {
  case Node::Constant:
    made = constantNode(numberOf(cast<TypedAttr>(node.attr)));
    break;
  case Node::Load: {
    const Access &access = dag.accesses[node.number];
    // Elements in the order of the tensor, or one element for all.
    if (access.isInside() &&
        (elementCount(access.tensor) == 1 || isInOrder(access.position, dag)))
      made = of(access.tensor);
    break;
  }
  case Node::Scalar:
    made = scalarNode(op, kernel, node);
    break;
  case Node::Result: {
    // A sum over the whole index space, from zero.
    const Loop &loop = dag.loops[node.loop];
    if (loop.reductions.size() != 1 || loop.dims.size() != dag.extents.size())
      break;
    const Reduction &sum = loop.reductions[0];
    if (sum.kind != KernelReduce::Add)
      break;
    auto init = kernelNode(op, kernel, sum.init);
    auto value = kernelNode(op, kernel, sum.value);
    // A value of one element is added once for each point.
    if (!init || !value || constantOf(*init) != 0.0 ||
        at(*value).size != pointsOf(dag))
      break;
    Element element;
    element.kind = Element::SumAll;
    element.size = 1;
    element.op = op;
    element.operands = {*value};
    made = add(std::move(element));
    break;
  }
  case Node::Index:
  case Node::Carry:
    break;
  }
  return kernel.nodes[number] = made;
}

/// Which kind of node an opcode makes. Where several make one, the first
/// evaluates it.
static constexpr std::pair<kernel::Opcode, Element::Kind> kinds[] = {
    {kernel::Opcode::AddF, Element::Add},
    {kernel::Opcode::SubF, Element::Sub},
    {kernel::Opcode::MulF, Element::Mul},
    {kernel::Opcode::DivF, Element::Div},
    {kernel::Opcode::NegF, Element::Neg},
    {kernel::Opcode::SqrtF, Element::Sqrt},
    {kernel::Opcode::RsqrtF, Element::Sqrt},
    {kernel::Opcode::PowF, Element::Pow},
    {kernel::Opcode::AbsF, Element::Abs},
    {kernel::Opcode::MinNumF, Element::Min},
    {kernel::Opcode::MinF, Element::Min},
    {kernel::Opcode::MaxNumF, Element::Max},
    {kernel::Opcode::MaxF, Element::Max},
    {kernel::Opcode::Select, Element::Select},
    {kernel::Opcode::CmpF, Element::Compare},
    {kernel::Opcode::RoundTo, Element::Round},
    {kernel::Opcode::SIToFloat, Element::Round},
    {kernel::Opcode::UIToFloat, Element::Round}};

std::optional<kernel::Opcode> Elements::opcodeOf(Element::Kind kind) {
  for (auto [opcode, made] : kinds)
    if (made == kind)
      return opcode;
  return std::nullopt;
}

static Element::Kind kindOf(OperationName name) {
  if (isOneOf<arith::ExtFOp>(name))
    return Element::Round;
  const std::optional<kernel::Opcode> opcode = gaudi::opcodeOf(name);
  for (auto [known, kind] : kinds)
    if (known == opcode)
      return kind;
  return Element::Leaf;
}

std::optional<ElementId> Elements::scalarNode(Operation *op, Kernel &kernel,
                                              const Node &node) {
  Element element;
  element.kind = kindOf(*node.name);
  element.op = op;
  // A value that varies with no dimension is one element.
  element.size = node.dims ? pointsOf(*kernel.dag) : 1;
  // Between load and store, arithmetic is that of f32 or wider.
  if (isOneOf<arith::TruncFOp>(*node.name))
    element.rounded = narrowType(node.type);
  // Integers wrap: they are no formulas.
  if (element.kind == Element::Leaf ||
      !(isa<FloatType>(node.type) || node.type.isInteger(1)))
    return std::nullopt;
  if (element.kind == Element::Compare) {
    auto predicate = orderOf(node);
    if (!predicate)
      return std::nullopt;
    element.predicate = *predicate;
  }
  for (NodeId operand : node.operands) {
    auto made = kernelNode(op, kernel, operand);
    if (!made)
      return std::nullopt;
    element.operands.push_back(*made);
  }
  // One that is a constant is a number.
  if (isOneOf<arith::SIToFPOp, arith::UIToFPOp>(*node.name) &&
      !constantOf(element.operands[0]))
    return std::nullopt;
  simplify(element);
  if (!isOneOf<math::RsqrtOp>(*node.name))
    return add(std::move(element));
  // rsqrt(x) is 1 / sqrt(x).
  Element quotient = element;
  quotient.kind = Element::Div;
  quotient.operands = {constantNode(1), add(std::move(element))};
  return add(std::move(quotient));
}
