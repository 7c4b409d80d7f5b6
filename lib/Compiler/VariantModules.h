// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants as modules of their own, so that passes may run on several at a
// time.
#ifndef GAUDI_LIB_COMPILER_VARIANTMODULES_H
#define GAUDI_LIB_COMPILER_VARIANTMODULES_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace gaudi {

struct VariantModules {
  /// Moves each variant out of `module`, in their order.
  explicit VariantModules(ModuleOp module);
  /// Puts the functions back. Records of what passes did are those of the
  /// largest variant, the last: hundreds of variants have hundreds of equal
  /// ones.
  void join(ModuleOp module);
  /// The variant in owned[i].
  func::FuncOp variant(size_t i) {
    return *owned[i]->getOps<func::FuncOp>().begin();
  }

  SmallVector<OwningOpRef<ModuleOp>, 0> owned; // of a variant each
  /// These, and the module itself if it has functions of static shapes, too.
  SmallVector<ModuleOp> modules;
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_VARIANTMODULES_H
