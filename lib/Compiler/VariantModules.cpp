// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes variants out of a module, and puts them back.
#include "VariantModules.h"
#include "Gaudi/Dialect/Symbols.h"

using namespace mlir;
using namespace gaudi;

VariantModules::VariantModules(ModuleOp module) {
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (!function->hasAttr(bucketOfAttrName))
      continue;
    owned.push_back(ModuleOp::create(module.getLoc()));
    modules.push_back(*owned.back());
    modules.back()->setAttrs(module->getAttrDictionary());
    function->moveBefore(modules.back().getBody(),
                         modules.back().getBody()->end());
  }
  if (llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
        return !function.isExternal();
      }))
    modules.push_back(module);
}

void VariantModules::join(ModuleOp module) {
  for (OwningOpRef<ModuleOp> &part : owned) {
    for (NamedAttribute attribute : (*part)->getAttrs())
      module->setAttr(attribute.getName(), attribute.getValue());
    for (Operation &op : llvm::make_early_inc_range(*part->getBody()))
      op.moveBefore(module.getBody(), module.getBody()->end());
  }
}
