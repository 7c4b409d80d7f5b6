// Constants without data become arguments.
#include "Gaudi/Compiler/LiftElided.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

/// True if `op` is a constant whose data is not in the file. Its dialect may
/// have no registered ops, so the attribute is found by its kind.
static bool isElided(Operation *op) {
  if (op->getNumOperands() != 0 || op->getNumResults() != 1 ||
      op->getNumRegions() != 0)
    return false;
  for (StringRef name : {"value", "values"}) {
    auto resource =
        dyn_cast_or_null<DenseResourceElementsAttr>(op->getAttr(name));
    if (resource && !resource.getRawHandle().getBlob() &&
        resource.getType() == op->getResult(0).getType())
      return true;
  }
  return false;
}

unsigned mlir::gaudi::liftElided(FunctionOpInterface function) {
  SmallVector<Operation *> constants;
  function.walk([&](Operation *op) {
    if (isElided(op))
      constants.push_back(op);
  });
  Builder builder(function.getContext());
  for (auto [i, op] : llvm::enumerate(constants)) {
    const unsigned index = function.getNumArguments();
    DictionaryAttr attributes = builder.getDictionaryAttr(builder.getNamedAttr(
        "gaudi.name", builder.getStringAttr("elided" + Twine(i))));
    if (failed(function.insertArgument(index, op->getResult(0).getType(),
                                       attributes, op->getLoc())))
      return i;
    remark::passed(
        op->getLoc(),
        remark::RemarkOpts::name("lift-elided").category("gaudi-lift-elided"))
        << ("made an input of the constant without data: 'elided" + Twine(i) +
            "'")
               .str();
    op->getResult(0).replaceAllUsesWith(function.getArgument(index));
    op->erase();
  }
  return constants.size();
}

namespace {
struct LiftElided : PassWrapper<LiftElided, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LiftElided)

  StringRef getName() const override { return "LiftElided"; }
  StringRef getArgument() const override { return "gaudi-lift-elided"; }
  StringRef getDescription() const override {
    return "Make arguments of constants whose data is not in the file";
  }
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (!function.isExternal() &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        gaudi::liftElided(function);
  }
};
} // namespace

void mlir::gaudi::registerLiftElidedPass() { PassRegistration<LiftElided>(); }
