// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of patterns that a value may be, each in a file of its own.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_NAMING_PATTERNS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_NAMING_PATTERNS_H

#include "Recognize.h"

namespace gaudi::fusion {

/// Softmax and its kin, and normalisations: what reduces rows. `miss` is set if
/// the value almost is one.
std::optional<Recognized> recognizeRowReduction(const PatternView &view,
                                                NodeId id,
                                                std::optional<NearMiss> &miss);

/// Activations, and batch normalisation with stored statistics.
std::optional<Recognized> recognizeActivation(const PatternView &view,
                                              NodeId id);

/// Rotary position embeddings: rotations of pairs of elements, halves of a row
/// or neighbours, by tables of cosines and sines or by computed ones.
std::optional<Recognized> recognizeRope(const PatternView &view, NodeId id);

/// True for a selection of -a or b, computed alike from places of the same
/// tensors.
bool isRotation(const PatternView &view, NodeId id);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_NAMING_PATTERNS_H
