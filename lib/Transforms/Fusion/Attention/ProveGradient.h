// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that a tensor is a gradient of an attention.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_PROVEGRADIENT_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_PROVEGRADIENT_H

#include "Formula.h"

namespace gaudi::fusion {

enum class Differentiated { Query, Key, Value };

/// A tensor that may be a gradient of the op, and that of the output.
struct GradientClaim {
  Differentiated operand;
  Value tensor;
  Dims dims;
  Value outputGrad;
  Dims outputGradDims;
};

/// True if every element of the tensor has the normal form of the gradient's
/// formula (docs/attention.md), with the elements of the op's operands and of
/// the output's gradient as atoms. Matrix products that are not `opened` are
/// atoms, too. Otherwise says in `why` what differs, if that is known.
bool isProven(const GradientClaim &claim, const AttentionFormula &names,
              const llvm::DenseSet<Operation *> &opened, std::string &why);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_PROVEGRADIENT_H
