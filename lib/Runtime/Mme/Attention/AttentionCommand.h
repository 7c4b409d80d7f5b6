// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands Attention and AttentionGrad of recipes.
#ifndef GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONCOMMAND_H
#define GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONCOMMAND_H

#include "../../Commands/Command.h"

namespace gaudi::runtime {

Prepared prepareAttention(const recipe::Command &command,
                          const BoundTensors &in, const BoundTensors &out,
                          PrepareContext &context);
Prepared prepareAttentionGrad(const recipe::Command &command,
                              const BoundTensors &in, const BoundTensors &out,
                              PrepareContext &context);

/// Elements of staging beside a copy of each operand: inputs, then outputs.
uint64_t attentionStaging(const recipe::Command &command,
                          const BoundTensors &operands);
uint64_t attentionGradStaging(const recipe::Command &command,
                              const BoundTensors &operands);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONCOMMAND_H
