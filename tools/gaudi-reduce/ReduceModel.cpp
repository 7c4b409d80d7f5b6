// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reducer behind gaudi-reduce --test.
#include "ReduceModel.h"
#include "Gaudi/Support/Reduction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/Tester.h"

using namespace mlir;

namespace {
/// A way to make a module smaller, in parts that are numbered from 0 in the
/// same way for a module and its clone.
struct Step {
  unsigned (*count)(ModuleOp module);
  /// Takes the parts from `begin` to `end` away. Parts that cannot go stay.
  void (*remove)(ModuleOp module, unsigned begin, unsigned end);
};

/// Callers would need other operands, or take other results.
bool isCalled(func::FuncOp function) {
  return !SymbolTable::symbolKnownUseEmpty(
      function, function->getParentOfType<ModuleOp>());
}

/// Functions whose signature may change.
SmallVector<func::FuncOp> openFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && !isCalled(function))
      functions.push_back(function);
  return functions;
}

/// The ops in functions, those around others first.
SmallVector<Operation *> opsOf(ModuleOp module) {
  SmallVector<Operation *> ops;
  for (auto function : module.getOps<func::FuncOp>())
    function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!op->hasTrait<OpTrait::IsTerminator>())
        ops.push_back(op);
    });
  return ops;
}

/// The function whose arguments `op` can use; null if there is none.
func::FuncOp functionAround(Operation *op) {
  Operation *parent = op->getParentOp();
  while (parent && !isa<func::FuncOp>(parent)) {
    if (parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return nullptr;
    parent = parent->getParentOp();
  }
  return cast_or_null<func::FuncOp>(parent);
}

/// The results of an op become arguments of its function.
void replaceByArguments(Operation *op) {
  if (!op->use_empty()) {
    func::FuncOp function = functionAround(op);
    if (!function || op->hasTrait<OpTrait::ConstantLike>() ||
        isCalled(function))
      return;
    for (OpResult result : op->getResults()) {
      const unsigned next = function.getNumArguments();
      if (result.use_empty())
        continue;
      if (failed(function.insertArgument(next, result.getType(), {},
                                         op->getLoc())))
        return;
      result.replaceAllUsesWith(function.getArgument(next));
    }
  }
  op->erase();
}

/// The result of an op becomes its first operand of the same type.
void replaceByOperand(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  for (Value operand : op->getOperands())
    if (operand.getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(operand);
      op->erase();
      return;
    }
}

unsigned countOps(ModuleOp module) { return opsOf(module).size(); }

/// From the last op to the first, so that only values that others need become
/// arguments.
template <void (*replace)(Operation *)>
void removeOps(ModuleOp module, unsigned begin, unsigned end) {
  SmallVector<Operation *> ops = opsOf(module);
  for (unsigned i = end; i-- > begin;)
    replace(ops[i]);
}

unsigned countSymbols(ModuleOp module) {
  return unsigned(module.getBody()->getOperations().size());
}

void removeSymbols(ModuleOp module, unsigned begin, unsigned end) {
  SmallVector<Operation *> ops;
  for (Operation &op : *module.getBody())
    ops.push_back(&op);
  for (unsigned i = begin; i < end; ++i)
    ops[i]->erase();
}

unsigned countResults(ModuleOp module) {
  unsigned count = 0;
  for (func::FuncOp function : openFunctions(module))
    if (function.getBody().hasOneBlock())
      count += function.getNumResults();
  return count;
}

void removeResults(ModuleOp module, unsigned begin, unsigned end) {
  unsigned first = 0; // number of the function's first result
  for (func::FuncOp function : openFunctions(module)) {
    if (!function.getBody().hasOneBlock())
      continue;
    BitVector gone(function.getNumResults());
    for (unsigned i = 0; i < gone.size(); ++i)
      if (first + i >= begin && first + i < end)
        gone.set(i);
    first += gone.size();
    if (gone.any() && succeeded(function.eraseResults(gone)))
      function.front().getTerminator()->eraseOperands(gone);
  }
}

unsigned countArguments(ModuleOp module) {
  unsigned count = 0;
  for (func::FuncOp function : openFunctions(module))
    count += function.getNumArguments();
  return count;
}

void removeArguments(ModuleOp module, unsigned begin, unsigned end) {
  unsigned number = 0;
  for (func::FuncOp function : openFunctions(module)) {
    BitVector gone(function.getNumArguments());
    for (BlockArgument argument : function.getArguments()) {
      if (number >= begin && number < end && argument.use_empty())
        gone.set(argument.getArgNumber());
      ++number;
    }
    if (gone.any())
      (void)function.eraseArguments(gone);
  }
}

/// Functions, then ops, then what they leave behind.
constexpr Step steps[] = {
    {countSymbols, removeSymbols},
    {countOps, removeOps<replaceByArguments>},
    {countResults, removeResults},
    {countOps, removeOps<replaceByOperand>},
    {countArguments, removeArguments},
};

class ReduceModel : public PassWrapper<ReduceModel, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReduceModel)
  ReduceModel() = default;
  ReduceModel(const ReduceModel &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "reduce-model"; }
  StringRef getDescription() const override {
    return "Removes what a test does not need, and keeps the module valid";
  }

  void runOnOperation() override {
    tester.setTestScript(test);
    tester.setTestScriptArgs(testArguments);
    if (!fails(getOperation())) {
      getOperation().emitError()
          << "'" << test
          << "' ends with 0 for the whole model, which means that it does not "
             "fail; end it with 1 while the failure is there, with 0 once it "
             "is gone (the other way round than for llvm-reduce)";
      return signalPassFailure();
    }
    // Such a test only asks whether the model runs.
    OwningOpRef<ModuleOp> nothing = ModuleOp::create(getOperation().getLoc());
    if (fails(*nothing))
      getOperation().emitWarning()
          << "'" << test
          << "' ends with another code than 0 for a model without functions, "
             "too, so that nothing may be left; look for the message of the "
             "failure in it";
    current = getOperation().clone();
    for (bool changed = true; changed;) {
      changed = false;
      for (const Step &step : steps)
        changed |= take(step);
    }
    getOperation().getBodyRegion().takeBody(current->getBodyRegion());
    current = {};
  }

private:
  bool fails(ModuleOp module) {
    return tester.isInteresting(module).first == Tester::Interestingness::True;
  }

  /// Takes away what the failure does not need. True if anything went.
  bool take(const Step &step) {
    return gaudi::reduceParts(
        [&] { return size_t(step.count(*current)); },
        [&](size_t begin, size_t end) {
          OwningOpRef<ModuleOp> smaller = current->clone();
          step.remove(*smaller, unsigned(begin), unsigned(end));
          if (!isSmaller(*smaller) || !fails(*smaller))
            return false;
          current = std::move(smaller);
          return true;
        });
  }

  /// Valid, and other than the current one.
  bool isSmaller(ModuleOp module) {
    ScopedDiagnosticHandler quiet(&getContext(),
                                  [](Diagnostic &) { return success(); });
    if (failed(verify(module)))
      return false;
    for (const Step &step : steps)
      if (step.count(module) < step.count(*current))
        return true;
    return false;
  }

  Option<std::string> test{*this, "test",
                           llvm::cl::desc("the program that tests a module")};
  ListOption<std::string> testArguments{
      *this, "test-arg", llvm::cl::desc("arguments of the program")};
  Tester tester;
  OwningOpRef<ModuleOp> current;
};
} // namespace

void gaudi::registerReduceModelPass() { PassRegistration<ReduceModel>(); }
