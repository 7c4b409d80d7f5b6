// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that a tensor is a gradient of an attention.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_PROVEGRADIENT_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_PROVEGRADIENT_H

#include "../Merge/ValueDag.h"
#include "AttentionAxes.h"
#include "llvm/ADT/DenseSet.h"

namespace gaudi::fusion {

enum class Claimed { Value, QueryGrad, KeyGrad, ValueGrad };

/// What a tensor may be: the op's value, or a gradient of the op, given that of
/// the output.
struct Claim {
  Claimed what;
  Value tensor;
  Dims dims;
  Value outputGrad;
  Dims outputGradDims;
};

/// The proofs for one attention.
class GradientProofs {
public:
  explicit GradientProofs(SdpaOp op) : names(op) {}

  /// True if the op's formulas have normal forms: without lengths, and with no
  /// dropout but by a mask of bits. Else nothing is proven of it.
  bool hasForms() const;

  /// The elements of the product are sums, no atoms.
  void open(Operation *product) { opened.insert(product); }

  /// True if every element of the tensor has the normal form of the claim's
  /// formula (docs/attention.md), with the elements of the op's operands and of
  /// the output's gradient as atoms. Matrix products that are not `opened` are
  /// atoms, too. Otherwise says in `why` what differs, if that is known.
  bool isProven(const Claim &claim, std::string &why);

  AttentionAxes names;

private:
  llvm::DenseSet<Operation *> opened;
  KernelGraphs kernels;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_PROVEGRADIENT_H
