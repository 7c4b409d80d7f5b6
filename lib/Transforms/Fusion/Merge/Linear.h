// Positions as affine forms of kernel indices.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_LINEAR_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_LINEAR_H

#include "Gaudi/Kernel/Affine.h"

namespace mlir::gaudi::fusion {

/// Fusion's name for the kernel language's form.
using Linear = ::gaudi::kernel::Affine;
using ::gaudi::kernel::Reindexed;
using ::gaudi::kernel::StripMine;

} // namespace mlir::gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_LINEAR_H
