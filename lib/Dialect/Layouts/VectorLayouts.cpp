// Orders of ops of the vector cores, movements and views.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Layouts.h"

void mlir::gaudi::attachVectorLayouts(MLIRContext &) {}
