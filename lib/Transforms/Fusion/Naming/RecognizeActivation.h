// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations in any decomposition: GELU, SiLU, SwiGLU, hard-swish, ...
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZEACTIVATION_H
#define GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZEACTIVATION_H

#include "PatternView.h"
#include "Recognize.h"

namespace gaudi::fusion {

/// The activation that the value is, or nothing.
std::optional<Recognized> recognizeActivation(const PatternView &view,
                                              NodeId id);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZEACTIVATION_H
