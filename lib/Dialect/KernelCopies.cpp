// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equal kernels: finding them, and making one from another.
#include "Gaudi/Dialect/KernelCopies.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

void gaudi::encodeAttributes(Operation *op, Encoding &code) {
  code.add(op->getName().getAsOpaquePointer());
  code.add(op->getDiscardableAttrDictionary());
  // Ops without properties are done.
  if (!op->getPropertiesStorage())
    return;
  // The frequent ones without a dictionary of their properties.
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](KernelLoadOp load) {
        code.add(load.getMapAttr());
        code.add(load.getDynamicDimsAttr());
        code.add(load.getBoundaryAttr());
        code.add(load.getPadAttr());
      })
      .Case([&](KernelStoreOp store) { code.add(store.getMapAttr()); })
      .Case([&](KernelIndexOp index) { code.add(index.getDimAttr()); })
      .Case([&](KernelLoopOp loop) {
        code.add(loop.getDimsAttr());
        code.add(loop.getReduceAttr());
      })
      .Case([&](arith::ConstantOp constant) {
        code.add(Attribute(constant.getValueAttr()));
      })
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(
          [&](auto arithmetic) { code.add(arithmetic.getFastmathAttr()); })
      .Default([&](Operation *other) {
        code.add(other->getPropertiesAsAttribute());
      });
}

namespace {
/// Values are numbered in program order, so that equal bodies have equal codes.
/// Numbers of operands and results precede the lists, and a mark that is no
/// pointer ends each block: different bodies have different codes. Kernels are
/// isolated, so every operand has a number. Linear in the body.
class Encoder {
public:
  explicit Encoder(Encoding &code) : code(code) {}

  void run(Block &block) {
    for (BlockArgument argument : block.getArguments()) {
      number(argument);
      code.add(argument.getType());
    }
    for (Operation &op : block) {
      encodeAttributes(&op, code);
      code.add(uint64_t(op.getNumOperands()) << 32 | op.getNumResults());
      for (Value operand : op.getOperands())
        code.add(uint64_t(numbers.lookup(operand)));
      for (Value result : op.getResults()) {
        number(result);
        code.add(result.getType());
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          run(inner);
    }
    code.add(~uint64_t(0));
  }

private:
  void number(Value value) {
    numbers.try_emplace(value, unsigned(numbers.size()));
  }

  Encoding &code;
  llvm::SmallDenseMap<Value, unsigned, 32> numbers;
};
} // namespace

void gaudi::encodeKernel(KernelOp kernel, Encoding &code) {
  code.add(kernel.getLabelAttr());
  code.add(kernel.getIndexSpaceAttr());
  code.add(kernel.getParallelAttr());
  code.addTypes(kernel.getInputs().getTypes());
  code.addTypes(kernel->getResultTypes());
  Encoder(code).run(kernel.getBody().front());
}

void gaudi::relocate(Operation *op, Location loc) {
  op->walk([&](Operation *inner) {
    inner->setLoc(loc);
    for (Region &region : inner->getRegions())
      for (BlockArgument argument : region.getArguments())
        argument.setLoc(loc);
  });
}
