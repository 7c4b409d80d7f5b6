// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops ask of an engine, for the device-time model.
//
// The commands are those that recipe emission makes of the op, with the strides
// that the tensors have.
#include "Gaudi/Dialect/Convolution.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Timing/Describe.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace gaudi;
using gaudi::timing::ConvolutionForm;
using gaudi::timing::FillWork;
using gaudi::timing::LibraryWork;
using gaudi::timing::Operand;
using gaudi::timing::TransferWork;
using gaudi::timing::Work;

//===----------------------------------------------------------------------===//
// Matrix engine
//===----------------------------------------------------------------------===//

/// The operand with strides; empty ones mean dense.
static Operand strided(Operand operand) {
  if (operand.strides.empty())
    operand.strides = gaudi::kernel::denseStrides(operand.sizes);
  return operand;
}

/// The operand whose dimension order[i] is dimension i of `stored`.
static Operand inOrder(Operand stored, ArrayRef<int64_t> order) {
  if (isIdentityOrder(order))
    return stored;
  const Operand from = strided(std::move(stored));
  Operand operand = from;
  for (auto [i, dim] : llvm::enumerate(order)) {
    operand.sizes[dim] = from.sizes[i];
    operand.strides[dim] = from.strides[i];
  }
  return operand;
}

WorkList GemmOp::getWork(OperandOf operandOf) {
  return {gaudi::timing::gemmWork(
      inOrder(operandOf(getLhs()), orderOf(*this, 0)),
      inOrder(operandOf(getRhs()), orderOf(*this, 1)),
      inOrder(operandOf(getResult()), orderOf(*this, 2)), getTransposeA(),
      getTransposeB())};
}

WorkList Convolution::work(OperandOf operandOf) const {
  const ConvolutionForm form = {x.layout,      w.layout,        y.layout,
                                strides.vec(), dilations.vec(), padLow.vec(),
                                padHigh.vec(), groups};
  return {gaudi::timing::convolutionWork(kind, operandOf(op->getOperand(0)),
                                         operandOf(op->getOperand(1)),
                                         operandOf(op->getResult(0)), form)};
}

//===----------------------------------------------------------------------===//
// Movements
//===----------------------------------------------------------------------===//

/// A movement without an engine counts as one of the DMA.
static TransferWork::Engine moverOf(EngineOpInterface op) {
  return op.getEngine() == Engine::TPC   ? TransferWork::Engine::Tpc
         : op.getEngine() == Engine::MME ? TransferWork::Engine::Mme
                                         : TransferWork::Engine::Dma;
}

/// No command moves nothing.
static void addTransfer(WorkList &list, EngineOpInterface op, Operand source,
                        Operand target) {
  if (target.elements() != 0)
    list.push_back(
        TransferWork{moverOf(op), std::move(source), std::move(target)});
}

WorkList TransposeOp::getWork(OperandOf operandOf) {
  // Dimension i of the result is dimension permutation[i] of the operand.
  Operand source =
      inOrder(strided(operandOf(getOperand())), inverseOrder(getPermutation()));
  WorkList list;
  addTransfer(list, *this, std::move(source), operandOf(getResult()));
  return list;
}

WorkList BroadcastOp::getWork(OperandOf operandOf) {
  const Operand from = strided(operandOf(getOperand()));
  Operand target = operandOf(getResult()), source = from;
  source.sizes = target.sizes;
  source.strides.assign(target.sizes.size(), 0);
  for (auto [i, dim] : llvm::enumerate(getDims()))
    if (from.sizes[i] == target.sizes[dim])
      source.strides[dim] = from.strides[i];
  WorkList list;
  addTransfer(list, *this, std::move(source), std::move(target));
  return list;
}

WorkList CopyOp::getWork(OperandOf operandOf) {
  WorkList list;
  addTransfer(list, *this, operandOf(getOperand()), operandOf(getResult()));
  return list;
}

WorkList FillOp::getWork(OperandOf operandOf) {
  return {FillWork{moverOf(*this), operandOf(getResult())}};
}

WorkList ConcatOp::getWork(OperandOf operandOf) {
  WorkList list;
  const Operand whole = strided(operandOf(getResult()));
  for (Value operand : getOperands()) {
    Operand source = operandOf(operand), target = whole;
    target.sizes = source.sizes;
    addTransfer(list, *this, std::move(source), std::move(target));
  }
  return list;
}

WorkList InsertSliceOp::getWork(OperandOf operandOf) {
  WorkList list;
  Operand target = strided(operandOf(getResult()));
  addTransfer(list, *this, operandOf(getDest()), target);
  Operand source = operandOf(getSource());
  target.sizes = source.sizes;
  for (auto [i, stride] : llvm::enumerate(getStrides()))
    if (source.sizes[i] > 1)
      target.strides[i] *= stride;
  addTransfer(list, *this, std::move(source), std::move(target));
  return list;
}

//===----------------------------------------------------------------------===//
// Vector cores
//===----------------------------------------------------------------------===//

// The kernels are built outside any function, asked, and destroyed with the
// block: the graph does not change.
static WorkList
workOfBuilt(Operation *op, OperandOf operandOf,
            llvm::function_ref<LogicalResult(OpBuilder &)> build) {
  // gaudi-expand-kernels reports an op that has no kernel.
  const QuietDiagnostics silent(op->getContext());
  Block scratch;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&scratch);
  WorkList list;
  if (succeeded(build(builder)))
    for (Operation &made : scratch)
      llvm::append_range(list, cast<CostOpInterface>(made).getWork(operandOf));
  // Users before what they use.
  while (!scratch.empty())
    scratch.back().erase();
  return list;
}

WorkList gaudi::workOfVectorOp(Operation *op, OperandOf operandOf) {
  const bool isEmpty = llvm::all_of(
      op->getResults(), [](Value result) { return elementCount(result) == 0; });
  if (isEmpty)
    return {};
  if (auto body = dyn_cast<KernelBodyOpInterface>(op))
    return workOfBuilt(op, operandOf, [&](OpBuilder &builder) -> LogicalResult {
      return body.buildKernel(builder);
    });
  if (auto lists = dyn_cast<MultiTensorOpInterface>(op))
    return workOfBuilt(op, operandOf, [&](OpBuilder &builder) {
      (void)lists.buildKernels(builder);
      return success();
    });
  auto library = dyn_cast<LibraryKernelOpInterface>(op);
  if (!library)
    return {};
  LibraryWork work;
  work.name = library.getLibraryName().str();
  for (Value operand : op->getOperands())
    work.operands.push_back(operandOf(operand));
  work.inputs = work.operands.size();
  for (Value result : op->getResults())
    work.operands.push_back(operandOf(result));
  const SmallVector<int64_t> ints = library.getLibraryInts();
  work.ints.assign(ints.begin(), ints.end());
  return {std::move(work)};
}
