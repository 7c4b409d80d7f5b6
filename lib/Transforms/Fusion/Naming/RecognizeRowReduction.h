// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Row-wise reduction kernels in any decomposition: softmax and its kin,
// normalisations.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZEROWREDUCTION_H
#define GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZEROWREDUCTION_H

#include "PatternView.h"
#include "Recognize.h"

namespace gaudi::fusion {

/// The row-wise reduction that the value is, or nothing. A near miss sets
/// `miss`.
std::optional<Recognized> recognizeRowReduction(const PatternView &view,
                                                NodeId id,
                                                std::optional<NearMiss> &miss);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZEROWREDUCTION_H
