// Orders of ops of the matrix engine.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Layouts.h"

void mlir::gaudi::attachMatrixLayouts(MLIRContext &) {}
