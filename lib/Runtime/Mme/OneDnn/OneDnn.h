// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix commands on oneDNN, in a library of its own that is opened only for
// commands that no micro kernel of ours takes. No oneDNN type appears here.
#ifndef GAUDI_LIB_RUNTIME_MME_ONEDNN_ONEDNN_H
#define GAUDI_LIB_RUNTIME_MME_ONEDNN_ONEDNN_H

#include "../../Commands/Command.h"

namespace gaudi::runtime {

Prepared oneDnnGemm(const recipe::Gemm &gemm, const BoundTensor &a,
                    const BoundTensor &b, const BoundTensor &c,
                    PrepareContext &context);
Prepared oneDnnConv(const recipe::Conv &conv, const BoundTensor &x,
                    const BoundTensor &w, const BoundTensor &y,
                    PrepareContext &context);

/// A kind of command that no micro kernel takes.
struct OneDnnKind {
  recipe::Body body;
  Prepared (*prepare)(const recipe::Command &command, const BoundTensors &in,
                      const BoundTensor &out, PrepareContext &context);
};
/// Null if there is none.
const OneDnnKind *oneDnnKind(recipe::Body body);

/// What libGaudiOneDnn.so offers, found by the name `gaudiOneDnn` (a
/// PluginFunction).
struct OneDnnApi {
  decltype(&oneDnnGemm) gemm;
  decltype(&oneDnnConv) conv;
  decltype(&oneDnnKind) kind;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ONEDNN_ONEDNN_H
