// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants without data become arguments.
#include "Gaudi/Compiler/LiftElided.h"
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Dialect/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include <map>

namespace gaudi {
#define GEN_PASS_DEF_LIFTELIDED
#include "Gaudi/Compiler/Passes.h.inc"
} // namespace gaudi

using namespace mlir;

/// The attribute of a constant whose data is not in the file, and its name.
/// Null if `op` is none. The dialect may have no registered ops, so that the
/// attribute is found by its kind.
static std::pair<StringRef, DenseResourceElementsAttr>
elidedValue(Operation *op) {
  // The region of an unregistered op reads nothing from outside it.
  const bool isInside = op->getParentOp() && op->getParentOp()->isRegistered();
  if (isInside && op->getNumOperands() == 0 && op->getNumResults() == 1 &&
      op->getNumRegions() == 0)
    for (StringRef name : {"value", "values"}) {
      auto resource =
          dyn_cast_or_null<DenseResourceElementsAttr>(op->getAttr(name));
      if (resource && !resource.getRawHandle().getBlob() &&
          resource.getType() == op->getResult(0).getType())
        return {name, resource};
    }
  return {};
}

static constexpr StringLiteral keyPrefix = "gaudi.elided.";

void gaudi::numberElided(ModuleOp module) {
  auto &manager =
      DenseResourceElementsHandle::getManagerInterface(module.getContext());
  unsigned number = 0;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto [name, resource] = elidedValue(op);
    if (!resource)
      return;
    auto handle = manager.insert((keyPrefix + Twine(number++)).str());
    op->setAttr(name,
                DenseResourceElementsAttr::get(resource.getType(), handle));
  });
}

unsigned gaudi::liftElided(FunctionOpInterface function) {
  // By number, and with all copies that inlining has made.
  std::map<unsigned, SmallVector<Operation *>> constants;
  function.walk([&](Operation *op) {
    DenseResourceElementsAttr resource = elidedValue(op).second;
    StringRef key = resource ? resource.getRawHandle().getKey() : StringRef();
    unsigned number = 0;
    // A context that reads the model again makes the name unique by a suffix.
    if (key.consume_front(keyPrefix) &&
        !key.split('_').first.getAsInteger(10, number))
      constants[number].push_back(op);
  });
  Builder builder(function.getContext());
  unsigned count = 0;
  // In ascending order of the text, which gives the inputs their names.
  for (auto &[number, copies] : constants) {
    const std::string name = "elided" + std::to_string(count);
    const unsigned index = function.getNumArguments();
    Operation *first = copies.front();
    DictionaryAttr attributes = builder.getDictionaryAttr(
        builder.getNamedAttr(gaudi::nameAttrName, builder.getStringAttr(name)));
    if (failed(function.insertArgument(index, first->getResult(0).getType(),
                                       attributes, first->getLoc())))
      break;
    remark::passed(
        first->getLoc(),
        remark::RemarkOpts::name("lift-elided").category("gaudi-lift-elided"))
        << "made an input of the constant without data: '" + name + "'";
    // All copies are the one constant of the text.
    for (Operation *op : copies) {
      op->getResult(0).replaceAllUsesWith(function.getArgument(index));
      op->erase();
    }
    ++count;
  }
  return count;
}

namespace {
struct LiftElided : gaudi::impl::LiftElidedBase<LiftElided> {
  using LiftElidedBase::LiftElidedBase;

  void runOnOperation() override {
    gaudi::numberElided(getOperation());
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (!function.isExternal() &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        gaudi::liftElided(function);
  }
};
} // namespace
