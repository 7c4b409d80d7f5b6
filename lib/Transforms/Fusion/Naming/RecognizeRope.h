// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rotary position embeddings.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZEROPE_H
#define GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZEROPE_H

#include "Recognize.h"

namespace gaudi::fusion {

/// A rotation of pairs of elements, halves of a row or neighbours, by tables of
/// cosines and sines or by computed ones.
std::optional<Recognized> recognizeRope(const PatternView &view, NodeId id);

/// -a and b chosen by a comparison of integers, computed alike from two places
/// of the same tensors: the rotated part of such an embedding.
bool isRotation(const PatternView &view, NodeId id);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_NAMING_RECOGNIZEROPE_H
