// Transposes around kernels become another order of reading and writing.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_FUSETRANSPOSES_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_FUSETRANSPOSES_H

#include "Clusters.h"

namespace mlir::gaudi::fusion {

/// Fuses transposes into the kernels around them, which read and write in
/// another order then, where that takes less device time. Adds the kernels
/// whose operands changed to `touched` and returns the number of transposes
/// fused.
unsigned fuseTransposes(Clusters &clusters, SetVector<Operation *> &touched);

} // namespace mlir::gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_FUSETRANSPOSES_H
