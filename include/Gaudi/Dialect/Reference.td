// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ops of the dialect, for its reference page.
#ifndef GAUDI_DIALECT_REFERENCE_TD
#define GAUDI_DIALECT_REFERENCE_TD

include "Gaudi/Dialect/AttentionOps.td"
include "Gaudi/Dialect/Gaudi.td"
include "Gaudi/Dialect/OptimizerOps.td"
include "Gaudi/Dialect/PaddingOps.td"
include "Gaudi/Dialect/TPCElementwiseOps.td"
include "Gaudi/Dialect/TrainingOps.td"

#endif // GAUDI_DIALECT_REFERENCE_TD
