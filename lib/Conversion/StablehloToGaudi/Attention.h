// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention that exporters keep whole.
#ifndef GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_ATTENTION_H
#define GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_ATTENTION_H

#include "Converter.h"

namespace gaudi {

/// A custom call of cuDNN's attention, as JAX writes it.
HloMatch matchCudnnAttention(Operation *op, HloMatcher &m);
/// The call of its gradient.
HloMatch matchCudnnAttentionGrad(Operation *op, HloMatcher &m);

/// True if the composite has the name of an attention whose operands and
/// attributes are known.
bool isNamedAttention(Operation *composite);
/// Why its decomposition is used instead of gaudi.sdpa; empty if it is not.
std::string whyNotAttention(Operation *composite);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_ATTENTION_H
