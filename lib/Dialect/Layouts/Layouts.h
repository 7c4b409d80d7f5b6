// Models of LayoutOpInterface, attached when the dialect is loaded.
#ifndef GAUDI_DIALECT_LAYOUTS_LAYOUTS_H
#define GAUDI_DIALECT_LAYOUTS_LAYOUTS_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace mlir::gaudi {
void attachMatrixLayouts(MLIRContext &context);
void attachVectorLayouts(MLIRContext &context);
} // namespace mlir::gaudi

#endif // GAUDI_DIALECT_LAYOUTS_LAYOUTS_H
