// Variants of a function from one that has been compiled to kernels.
#ifndef GAUDI_LIB_COMPILER_DERIVEVARIANTS_H
#define GAUDI_LIB_COMPILER_DERIVEVARIANTS_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir::gaudi {

/// Attribute of a function without a body whose variants are not all there yet:
/// the sizes that are missing, an array of arrays of i64.
constexpr llvm::StringLiteral missingBoxesAttrName = "gaudi.missing_boxes";

/// gaudi-derive-variants. After it no function has missing boxes, unless one
/// cannot be derived: then the module is as it was, with a remark.
std::unique_ptr<Pass> createDeriveVariants();
void registerDeriveVariantsPass();

} // namespace mlir::gaudi

#endif // GAUDI_LIB_COMPILER_DERIVEVARIANTS_H
