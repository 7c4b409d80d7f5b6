// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests of models of all ops share: the ops of the cases, each as a
// program of its own, and inputs.
#ifndef GAUDI_TEST_UNIT_DIALECT_OPPROGRAMS_H
#define GAUDI_TEST_UNIT_DIALECT_OPPROGRAMS_H

#include "../Reference/ReferenceTest.h"
#include "mlir/IR/Verifier.h"
#include <random>

namespace gaudi {

inline SmallVector<RankedTensorType> tensorsOf(Operation *op) {
  SmallVector<RankedTensorType> types;
  for (TypeRange range :
       {TypeRange(op->getOperands()), TypeRange(op->getResults())})
    for (Type type : range)
      types.push_back(cast<RankedTensorType>(type));
  return types;
}

/// Kernels have points: results without elements have no kernel.
inline bool buildsKernel(Operation *op) {
  return isa<KernelBodyOpInterface>(op) && elementCount(op->getResult(0)) > 0;
}

/// A function that computes the results of one op from its operands.
class Program {
public:
  /// `prototype` on operands of these types.
  Program(Operation *prototype, TypeRange operands)
      : module(ModuleOp::create(prototype->getLoc())) {
    MLIRContext *context = prototype->getContext();
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    function = func::FuncOp::create(
        builder, prototype->getLoc(), "f",
        FunctionType::get(context, operands, prototype->getResultTypes()));
    builder.setInsertionPointToStart(function.addEntryBlock());
    op = builder.clone(*prototype);
    op->setOperands(function.getArguments());
    func::ReturnOp::create(builder, op->getLoc(), op->getResults());
  }

  /// After a change of the op's result types.
  void update() {
    function.setType(FunctionType::get(function.getContext(),
                                       function.getArgumentTypes(),
                                       op->getResultTypes()));
  }
  /// The kernel that the op builds takes its place.
  bool replaceByKernel() {
    OpBuilder builder(op);
    auto kernel = cast<KernelBodyOpInterface>(op).buildKernel(builder);
    if (failed(kernel))
      return false;
    op->replaceAllUsesWith(*kernel);
    op->erase();
    op = *kernel;
    return true;
  }

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  Operation *op = nullptr;
};

class OpProgramsTest : public ReferenceTest {
protected:
  static constexpr int64_t maxElements = 1 << 14; ///< of all tensors of a case

  OpProgramsTest() { context.allowUnregisteredDialects(); }

  /// The ops of the dialect in all cases that are not too large.
  void forEachOp(function_ref<void(Operation *)> visit) {
    for (StringRef path : llvm::split(GAUDI_OP_CASES, ':')) {
      SCOPED_TRACE(path.str());
      auto module = parseSourceFile<ModuleOp>(path, &context);
      ASSERT_TRUE(module) << ::testing::PrintToString(messages);
      for (auto function : module->getOps<func::FuncOp>())
        for (Operation &op : function.getOps()) {
          if (!isa_and_nonnull<GaudiDialect>(op.getDialect()))
            continue;
          int64_t elements = 0;
          for (RankedTensorType type : tensorsOf(&op))
            elements += type.getNumElements();
          SCOPED_TRACE("@" + function.getName().str());
          if (elements <= maxElements)
            visit(&op);
        }
    }
  }

  /// Small whole numbers, so that sums and products are exact in any sequence.
  /// Integers may be indices: they are in [0, below).
  ReferenceTensor input(RankedTensorType type, int64_t below) {
    ReferenceTensor tensor(type);
    for (int64_t i = 0; i < tensor.getCount(); ++i)
      if (tensor.isFloat())
        tensor.mutableFloats()[i] = int64_t(random() % 7) - 3;
      else
        tensor.mutableInts()[i] =
            random() % (type.getElementType().isInteger(1) ? 2 : below);
    return tensor;
  }

  SmallVector<ReferenceTensor> inputsOf(Operation *op) {
    SmallVector<ReferenceTensor> inputs;
    for (OpOperand &operand : op->getOpOperands()) {
      int64_t below = isa<KernelOp>(op) ? 4 : 7;
      if (auto indexed = dyn_cast<IndexedOpInterface>(op))
        if (&indexed.getIndicesMutable() == &operand)
          below = indexed.getIndexedSize();
      inputs.push_back(input(tensorType(operand.get()), below));
    }
    return inputs;
  }

  ::testing::AssertionResult evaluate(const Program &program,
                                      ArrayRef<ReferenceTensor> inputs,
                                      SmallVector<ReferenceTensor> &results) {
    if (failed(verify(*program.module)))
      return ::testing::AssertionFailure()
             << "not valid: " << ::testing::PrintToString(messages);
    auto evaluated = evaluateFunction(program.function, inputs);
    if (failed(evaluated))
      return ::testing::AssertionFailure()
             << "not evaluated: " << ::testing::PrintToString(messages);
    results = std::move(*evaluated);
    return ::testing::AssertionSuccess();
  }

  std::mt19937 random{1};
};

} // namespace gaudi

#endif // GAUDI_TEST_UNIT_DIALECT_OPPROGRAMS_H
